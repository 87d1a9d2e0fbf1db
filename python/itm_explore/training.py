"""For a training loop: the scores of each step as a file, and both numbers."""

from __future__ import annotations

import os
from typing import Any

from .calls import Path, Truth, as_numpy
from .results import Evaluation
from .subcommands import evaluate


class Logger:
    """Writes ``step-000100.npy`` into a folder that the explorer can watch, and prints R@1 and mAP@R.

    >>> logger = Logger("run", "eccv.json")          # doctest: +SKIP
    >>> logger.log(step, sims)                       # doctest: +SKIP
    """

    def __init__(self, folder: Path, *truths: Truth, dtype: str = "float16", **options: Any) -> None:
        """Files are of ``dtype``; half precision ties some scores, and the numbers are those of what was passed."""
        self.folder = os.fspath(folder)
        self.truths = truths
        self.dtype = dtype
        self.options = options
        os.makedirs(self.folder, exist_ok=True)

    def log(self, step: int, sims: Any) -> Evaluation:
        """Counts the scores of one step, writes them, whole or not at all, and prints both numbers."""
        import numpy as np

        scores = as_numpy(sims)
        metrics = evaluate({f"step-{step:06}": scores}, *self.truths, **{"metrics": ["r1", "map_at_r"], **self.options})
        path = os.path.join(self.folder, f"step-{step:06}.npy")
        with open(path + ".writing", "wb") as file:
            np.save(file, scores.astype(self.dtype, copy=False))
        os.replace(path + ".writing", path)
        words = [f"{key} {100 * value[d]:.2f} ({d})" for key, value in metrics.items() for d in value if value[d] is not None]
        print(f"step {step}: {', '.join(words)}")
        return metrics
