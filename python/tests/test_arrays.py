"""Arrays of every type and order give the numbers of the file that holds them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import itm_explore
import numpy as np
import pandas as pd
import pytest


def recall(sims: np.ndarray) -> dict[str, float]:
    """R@1 under the pairing of five captions an image, counted by numpy."""
    return {
        "i2t": float(np.mean(sims.argmax(1) // 5 == np.arange(sims.shape[0]))),
        "t2i": float(np.mean(sims.argmax(0) == np.arange(sims.shape[1]) // 5)),
    }


@pytest.mark.parametrize("dtype", ["<f2", "<f4", "<f8", ">f2", ">f4", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_types_and_orders(sims: np.ndarray, dtype: str, order: Any) -> None:
    scores = np.array(sims.astype("<f2"), dtype=dtype, order=order)
    result = itm_explore.evaluate(scores, captions_per_image=5, metrics=["r1"])
    assert result["sims"]["original_r1"] == pytest.approx(recall(scores), abs=1e-12)


def test_cells_with_gaps_are_copied_and_never_transposed(sims: np.ndarray) -> None:
    wide = np.repeat(sims, 2, axis=1)[:, ::2]
    assert not wide.flags.contiguous
    result = itm_explore.evaluate(wide, captions_per_image=5, metrics=["r1"])
    assert result["sims"]["original_r1"] == pytest.approx(recall(sims), abs=1e-12)
    view = np.flip(np.flip(sims, 0).copy(), 0)
    result = itm_explore.evaluate(view, captions_per_image=5, metrics=["r1"])
    assert result["sims"]["original_r1"] == pytest.approx(recall(sims), abs=1e-12)


def test_file_memmap_and_array_agree(sims: np.ndarray, truth: Any, tmp_path: Path) -> None:
    path = tmp_path / "ours.npy"
    np.save(path, sims)
    of_file = itm_explore.evaluate(path, {"rich": truth})
    of_map = itm_explore.evaluate({"ours": np.load(path, mmap_mode="r")}, {"rich": truth})
    assert of_file == of_map
    assert list(of_map) == ["ours"]


def test_an_object_like_a_tensor(sims: np.ndarray) -> None:
    class Tensor:
        dtype = "torch.float32"

        def detach(self) -> Tensor:
            return self

        def cpu(self) -> Tensor:
            return self

        def numpy(self) -> np.ndarray:
            return sims

    result = itm_explore.evaluate(Tensor(), captions_per_image=5, metrics=["r1"])
    assert result["sims"]["original_r1"] == pytest.approx(recall(sims), abs=1e-12)


def test_embeddings(truth: Any) -> None:
    rng = np.random.default_rng(1)
    images, captions = rng.normal(size=(10, 4)), rng.normal(size=(50, 4))
    of_both = itm_explore.evaluate(None, truth, image_emb=images, text_emb=captions, metrics=["r1"])
    of_scores = itm_explore.evaluate(images @ captions.T, truth, metrics=["r1"])
    assert list(of_both.values()) == list(of_scores.values())


@pytest.mark.parametrize("form", [list, np.array, lambda ids: np.array(ids, object), pd.Series, pd.Index])
def test_ids_of_text_in_every_form(sims: np.ndarray, truth: Any, form: Any) -> None:
    ids = [f"{image}.jpg" for image in range(10)]
    named = {"i2t": {f"{image}.jpg": captions for image, captions in truth["i2t"].items()}}
    wanted = itm_explore.evaluate(sims, {"rich": truth}, metrics=["r1"])["sims"]["rich_r1"]["i2t"]
    assert itm_explore.evaluate(sims, {"rich": named}, image_ids=form(ids), metrics=["r1"])["sims"]["rich_r1"]["i2t"] == wanted


def test_what_is_no_array_of_numbers_is_refused(truth: Any) -> None:
    for scores in (object(), np.array([["a"]]), {"ours": None}):
        with pytest.raises(TypeError, match="an array of numbers"):
            itm_explore.evaluate(scores, {"rich": truth})
    with pytest.raises(TypeError, match="run_t2i: a list"):
        itm_explore.evaluate(None, {"rich": truth}, run_t2i=[])


def test_numpy_is_not_imported_before_it_is_used() -> None:
    words = "import sys, itm_explore; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0


def test_the_lock_is_released(sims: np.ndarray) -> None:
    import threading

    # Both wait for each other's turn at counting: with the interpreter's lock held, neither would end.
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(itm_explore.evaluate(sims, captions_per_image=5))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(results) == 4 and all(result == results[0] for result in results)
