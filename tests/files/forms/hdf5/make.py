"""Writes the HDF5 files beside it: the scores of tests/files/forms, stored in every way. Needs numpy and h5py."""

from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).parent
image, caption = np.mgrid[:6, :30]
scores = (((image * 31 + caption * 17) % 23) / 2 + np.where(caption // 5 == image, 9, 0) - 4).astype("f4")


def compact(file, name):
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plan.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple(scores.shape)
    dataset = h5py.h5d.create(file.id, name, h5py.h5t.IEEE_F32LE, space, plan)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, scores)


def bfloat16(file, name):
    """A float of two bytes that is no half: 8 bits of exponent, 7 of mantissa."""
    kind = h5py.h5t.IEEE_F32LE.copy()
    kind.set_fields(15, 7, 8, 0, 7)
    kind.set_size(2)
    kind.set_ebias(127)
    space = h5py.h5s.create_simple(scores.shape)
    dataset = h5py.h5d.create(file.id, name, kind, space)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, scores)


for version in "earliest", "latest":
    with h5py.File(HERE / f"{version}.h5", "w", libver=version) as file:
        file["contiguous"] = scores
        file["big"] = scores.astype(">f4")
        file["half"] = scores.astype("f2")
        file["double"] = scores.astype("f8")
        file["group/turned"] = scores.T
        file.create_dataset("gzip", data=scores, chunks=(4, 7), compression="gzip", shuffle=True, fletcher32=True)
        compact(file, b"compact")
        bfloat16(file, b"bf16")
        file["ids"] = np.arange(30)
        file["names"] = ["a", "b"]
        file["scale"] = 1.0
        file["group/itself"] = file["group"]
        file["lost"] = h5py.SoftLink("/nowhere")
        file["elsewhere"] = h5py.ExternalLink("other.h5", "/lzf")

with h5py.File(HERE / "user_block.h5", "w", userblock_size=512) as file:
    file["scores"] = scores

with h5py.File(HERE / "other.h5", "w") as file:
    file.create_dataset("lzf", data=scores, chunks=(4, 7), compression="lzf")
    file["complex"] = scores.astype("c8")
    file.create_dataset("huge", shape=(100_000, 100_000), dtype="f4", chunks=(100, 100))
