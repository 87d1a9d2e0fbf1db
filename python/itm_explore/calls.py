"""How a call becomes a command line: options become flags, and what is in memory gets a path that names it."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import _native

#: A file or a folder.
Path = Union[str, "os.PathLike[str]"]
#: Scores: an array (numpy, torch, a memmap) of images x captions, or a file of any form that the program reads.
Scores = Any
#: A ground truth: a file, a folder, or a dictionary as the program reads it from JSON.
Truth = Union[Path, Mapping[str, Any]]

#: The folder of the paths that name what is in memory.
_MEMORY = "in-memory"


class ITMError(ValueError):
    """What is wrong with an input: which, what was found, what was expected, how to mend it."""


class Call:
    """The arguments of one subcommand, and the inputs in memory that they name."""

    def __init__(self, subcommand: str) -> None:
        self.arguments: list[str] = subcommand.split()
        self._arrays: list[tuple[str, Any]] = []
        self._texts: list[tuple[str, bytes]] = []
        self._files: list[str] = []

    def scores(self, scores: Scores, name: str = "sims") -> None:
        """Adds a model, or several: a dictionary of names and scores, or a list of files."""
        if isinstance(scores, Mapping):
            for name, one in scores.items():
                self._model(one, str(name))
        elif isinstance(scores, (list, tuple)) and all(map(_is_path, scores)):
            for one in scores:
                self.arguments.append(self._file(one))
        else:
            self._model(scores, name)

    def truth(self, truth: Truth) -> None:
        """Adds a ground truth, captions, ids: a file, a folder, or a dictionary: ``{"i2t": {id: [ids]}, "t2i": ..}``,
        a dictionary of names and these, or what a file of JSON may hold."""
        if not isinstance(truth, Mapping):
            self.arguments.append(self._file(truth))
        elif truth and all(isinstance(one, Mapping) and _is_both(one) for one in truth.values()):
            for name, one in truth.items():
                self.arguments.append(self._text(f"{name}.json", one))
        else:
            self.arguments.append(self._text(f"truth{len(self._texts) or ''}.json", truth))

    def lists(self, direction: str, lists: Mapping[Any, Sequence[Any]]) -> None:
        """Adds the ranked lists of one direction: for each query the ids of the items, the best first."""
        path = self._text(f"retrieved_{direction}.json", _plain(lists))
        self.arguments += [f"--run-{direction}", path]

    def array(self, flag: str, value: Any) -> None:
        """Adds a flag whose file may be an array."""
        path = self._file(value) if _is_path(value) else self._array(flag.lstrip("-"), value)
        self.arguments += [flag, path]

    def options(self, options: Mapping[str, Any]) -> None:
        """Adds options by their names on the command line, ``_`` for ``-``: True for a flag, lists for several values,
        dictionaries for ``NAME=VALUE``, whose values may be arrays."""
        for name, value in options.items():
            flag = "--" + name.strip("_").replace("_", "-")
            if value is None or value is False:
                continue
            if value is True:
                self.arguments.append(flag)
            elif isinstance(value, Mapping):
                self.arguments += [f"{flag}={key}={self._input(str(key), one)}" for key, one in value.items()]
            elif isinstance(value, (list, tuple)):
                self.arguments.append(f"{flag}={','.join(map(_word, value))}")
            else:
                self.arguments.append(f"{flag}={_word(value)}")

    def run(self) -> bytes:
        """Carries it out; what the program warns of is a warning here."""
        try:
            out, said = _native.run(self.arguments, self._arrays, self._texts)
        except ValueError as error:
            raise self._error(str(error)) from None
        for line in said:
            if line.startswith("warning: "):
                warnings.warn(line.removeprefix("warning: "), stacklevel=4)
        return out

    def json(self) -> Any:
        """Carries it out, and reads its JSON."""
        self.arguments += ["--format", "json"]
        return json.loads(self.run())

    def _model(self, scores: Scores, name: str) -> None:
        if _is_path(scores):
            path = self._file(scores)
            self.arguments.append(path)
            if name != "sims":
                self.arguments += ["--name", f"{path}={name}"]
        elif _is_both(scores):
            for direction in ("i2t", "t2i"):
                if direction in scores:
                    self.lists(direction, scores[direction])
        else:
            path = self._array(name, scores)
            self.arguments += [path]
            # A stem ends at a dot, and a folder at a slash.
            if name != os.path.splitext(os.path.basename(path))[0]:
                self.arguments += ["--name", f"{path}={name}"]

    def _array(self, name: str, array: Any) -> str:
        path = f"{_MEMORY}/{name.replace('/', '_')}"
        if any(path == there for there, _ in self._arrays):
            raise ITMError(f"two arrays are named {name!r}: pass a dictionary of names and arrays")
        self._arrays.append((path, as_numpy(array)))
        return path

    def _input(self, name: str, value: Any) -> str:
        is_array = hasattr(value, "__array_interface__") or hasattr(value, "detach")
        return self._array(name, value) if is_array else _word(value)

    def _text(self, name: str, value: Any) -> str:
        path = f"{_MEMORY}/{name}"
        self._texts.append((path, json.dumps(_plain(value)).encode()))
        return path

    def _file(self, path: Path) -> str:
        path = os.fspath(path)
        self._files.append(path)
        # What begins with a dash would be an option.
        return os.path.join(".", path) if path.startswith("-") else path

    def _error(self, words: str) -> Exception:
        missing = [path for path in self._files if not os.path.exists(path)]
        return FileNotFoundError(words) if missing else ITMError(words)


def as_numpy(array: Any) -> Any:
    """The array as numpy has it, without a copy where its cells lie side by side and numpy knows its type."""
    import numpy as np

    if hasattr(array, "detach"):
        array = array.detach().cpu()
        # numpy has no bfloat16.
        if str(array.dtype) == "torch.bfloat16":
            array = array.float()
        array = array.numpy()
    array = np.asarray(array)
    is_whole = array.flags.c_contiguous or array.flags.f_contiguous
    return array if is_whole else np.ascontiguousarray(array)


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_both(value: Any) -> bool:
    """Whether this has a part for each direction."""
    return isinstance(value, Mapping) and set(value) <= {"i2t", "t2i"} and bool(value)


def _word(value: Any) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _plain(value: Any) -> Any:
    """The value with the types of JSON: ids may be numpy's integers, lists may be arrays or sets."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [one if type(one) in (int, str) else _plain(one) for one in value]
    return value
