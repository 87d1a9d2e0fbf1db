"""From Python to the explorer in a terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from typing import Any

from .calls import ITMError, Path, Scores, as_numpy


def program() -> str:
    """The program ``itm-explore``: that of this Python, else the one on the path."""
    own = os.path.join(sysconfig.get_path("scripts"), "itm-explore")
    found = own if os.path.exists(own) else shutil.which("itm-explore")
    if found is None:
        raise ITMError("the program itm-explore is not installed: cargo install --path ., or install the wheel")
    return found


def explore(sims: Scores, *truths: Path, folder: Path = "itm-study", **options: Any) -> str:
    """Opens the explorer in a terminal; elsewhere, as in a notebook, prints the command that does.

    Arrays are written into ``folder`` as ``NAME.npy``; one that is mapped from a ``.npy`` file is named, not copied.
    Returns the command.
    """
    models = sims if isinstance(sims, dict) else {"sims": sims}
    command = [program()]
    for name, scores in models.items():
        command += _files(str(name), scores, os.fspath(folder))
    command += [os.fspath(truth) for truth in truths]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        command += [flag] if value is True else [flag, str(value)]
    words = shlex.join(command)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        subprocess.run(command, check=False)
    else:
        print(words)
    return words


def _files(name: str, scores: Scores, folder: str) -> list[str]:
    if isinstance(scores, (str, os.PathLike)):
        return [os.fspath(scores)]
    mapped = _mapped(scores)
    if mapped is not None:
        return [mapped] if name == "sims" else [mapped, "--name", f"{mapped}={name}"]
    import numpy as np

    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}.npy")
    np.save(path, as_numpy(scores))
    return [path]


def _mapped(scores: Any) -> str | None:
    """The file that an array is the whole of."""
    path = getattr(scores, "filename", None)
    if path is None or not str(path).endswith(".npy"):
        return None
    import numpy as np

    whole = np.load(path, mmap_mode="r")
    same = whole.shape == scores.shape and whole.dtype == scores.dtype and whole.offset == scores.offset
    return os.fspath(path) if same and whole.strides == scores.strides else None
