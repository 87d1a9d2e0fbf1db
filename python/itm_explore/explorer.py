"""From Python to the explorer in a terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from typing import Any

from .calls import Call
from .errors import ITMError


def program() -> str:
    """The program ``itm-explore``: that of this Python, else the one on the path."""
    own = os.path.join(sysconfig.get_path("scripts"), "itm-explore")
    found = own if os.path.exists(own) else shutil.which("itm-explore")
    if found is None:
        raise ITMError("the program itm-explore is not installed: cargo install --path ., or install the wheel")
    return found


def open_explorer(function: Callable[..., Any], values: dict[str, Any]) -> None:
    """Opens the explorer in a terminal; elsewhere, as in a notebook, prints the command that does.

    What is in memory is written into ``folder``; an array that is mapped from a ``.npy`` file is named, not copied.
    """
    folder = os.fspath(values.pop("folder"))
    sims = values["sims"]
    sims = {name: _mapped(one) or one for name, one in sims.items()} if isinstance(sims, dict) else _mapped(sims) or sims
    command = [program(), *Call("", function, {**values, "sims": sims}).in_files(folder)]
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        subprocess.run(command, check=False)
    else:
        print(shlex.join(command))


def _mapped(scores: Any) -> str | None:
    """The file that an array is the whole of."""
    path = getattr(scores, "filename", None)
    if path is None or not str(path).endswith(".npy"):
        return None
    import numpy as np

    whole = np.load(path, mmap_mode="r")
    same = whole.shape == scores.shape and whole.dtype == scores.dtype and whole.offset == scores.offset
    return os.fspath(path) if same and whole.strides == scores.strides else None
