"""For a training loop: the scores of each step as a file, and its numbers."""

from __future__ import annotations

import contextlib
import inspect
import os
import tempfile
from collections.abc import Sequence
from typing import Any, Protocol

from .calls import Path, Truth, as_numpy
from .errors import ITMError
from .functions import evaluate
from .results import Evaluation


class Writer(Protocol):
    """What takes numbers, such as a ``SummaryWriter`` of TensorBoard."""

    def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> Any: ...


class Logger:
    """Writes ``step-000100.npy`` into a folder that the explorer can watch, and prints R@1 and mAP@R.

    >>> logger = Logger("run", "eccv.json", keep=5)  # doctest: +SKIP
    >>> logger.log(step, sims)                       # doctest: +SKIP
    """

    def __init__(
        self,
        folder: Path,
        *truths: Truth,
        metrics: str | Sequence[str] = ("r1", "map_at_r"),
        dtype: str = "float32",
        keep: int | None = None,
        writer: Writer | None = None,
        **options: Any,
    ) -> None:
        """Files are of ``dtype``; half precision ties some scores, while the numbers are those of what was passed. Of the
        files that it writes, the last ``keep`` stay. ``writer`` gets the numbers as scalars ``METRIC/DIRECTION``. Other
        options are those of :func:`evaluate`."""
        import numpy as np

        if np.dtype(dtype).kind != "f":
            raise TypeError(f"dtype: {dtype!r}; float16, float32 or float64 is wanted")
        if keep is not None and keep < 1:
            raise ValueError(f"keep: {keep!r}; 1 or more is wanted")
        self.folder = os.fspath(folder)
        self.truths = truths
        self.dtype = dtype
        self.keep = keep
        self.writer = writer
        self.options = {"metrics": metrics, **options}
        self._shape: tuple[int, ...] | None = None
        self._written: list[str] = []
        # What cannot be called, read or written is an error now, and not after an epoch.
        inspect.signature(evaluate).bind(None, *truths, **self.options)
        for truth in truths:
            if isinstance(truth, (str, os.PathLike)):
                os.stat(truth)
        os.makedirs(self.folder, exist_ok=True)
        tempfile.TemporaryFile(dir=self.folder).close()

    def log(self, step: int, sims: Any) -> Evaluation:
        """Evaluates the scores of one step, writes them, whole or not at all, and prints the numbers."""
        import numpy as np

        name = f"step-{_number(step):06}"
        scores = as_numpy(sims, "sims")
        if self._shape not in (None, scores.shape):
            raise ITMError(f"{name}: scores of {scores.shape}, of {self._shape} at the step before")
        metrics = evaluate({name: scores}, *self.truths, **self.options)
        with np.errstate(over="ignore"):
            stored = scores.astype(self.dtype, copy=False)
        if stored is not scores and np.isinf(stored).sum() > np.isinf(scores).sum():
            raise ITMError(f"{name}: scores beyond {np.finfo(self.dtype).max:g}, the greatest {self.dtype}\n  fix: Logger(.., dtype='float64')")
        path = os.path.join(self.folder, f"{name}.npy")
        with open(path + ".writing", "wb") as file:
            np.save(file, stored)
        os.replace(path + ".writing", path)
        self._shape = scores.shape
        self._written = [one for one in self._written if one != path] + [path]
        while self.keep is not None and len(self._written) > self.keep:
            with contextlib.suppress(FileNotFoundError):
                os.remove(self._written.pop(0))
        if self.writer is not None:
            for tag, value in metrics.to_scalars().items():
                self.writer.add_scalar(tag.removeprefix(f"{name}/"), value, _number(step))
        print(f"{name}\n{metrics}")
        return metrics


def _number(step: Any) -> int:
    """The number of a step, which may be written in digits, or be a float that is whole."""
    try:
        number = int(step)
    except (OverflowError, TypeError, ValueError):
        number = -1
    if number < 0 or not (isinstance(step, str) or number == step):
        raise TypeError(f"step: {step!r:.40}; a whole number from 0 on is wanted")
    return number
