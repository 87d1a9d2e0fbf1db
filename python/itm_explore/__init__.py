"""Browse, compare and explain image-text retrieval.

Each function carries out a subcommand of the program ``itm-explore`` in this process: arrays are read where they are, and
options have the names that they have on the command line, ``_`` for ``-``.
"""

from ._native import __version__ as __version__
from .eccv import Metrics as Metrics
from .errors import ITMError as ITMError
from .functions import *  # noqa: F403
from .results import Evaluation as Evaluation
from .results import Figure as Figure
from .results import Result as Result
from .runs import from_torchmetrics as from_torchmetrics
from .training import Logger as Logger
