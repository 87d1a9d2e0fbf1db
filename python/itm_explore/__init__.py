"""Browse, compare and explain image-text retrieval.

Each function carries out a subcommand of the program ``itm-explore`` in this process: arrays are counted where they
are, and options have the names they have on the command line.
"""

from ._native import __version__
from .eccv import Metrics
from .errors import ITMError
from .explorer import explore
from .results import Comparison, Evaluation, Result, Table
from .subcommands import (
    Figure,
    cider,
    compare,
    correlate,
    doctor,
    errors,
    evaluate,
    figure,
    find,
    mix,
    per_query,
    report,
    series,
    slices,
)
from .training import Logger

__all__ = [
    "Comparison",
    "Evaluation",
    "Figure",
    "ITMError",
    "Logger",
    "Metrics",
    "Result",
    "Table",
    "__version__",
    "cider",
    "compare",
    "correlate",
    "doctor",
    "errors",
    "evaluate",
    "explore",
    "figure",
    "find",
    "mix",
    "per_query",
    "report",
    "series",
    "slices",
]
