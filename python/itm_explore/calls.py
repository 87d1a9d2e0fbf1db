"""How a call becomes a command line: options become flags, and what is in memory gets a path that names it."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, Union

from . import _native
from .errors import ITMError
from .frames import Frame, is_frame, pairs

#: A file or a folder.
Path = Union[str, "os.PathLike[str]"]
#: Scores: an array (numpy, torch, a memmap) of images x captions, a data frame of these or of ranked lists, or a file of
#: any form that the program reads.
Scores = Any
#: A ground truth: a file, a folder, a dictionary as the program reads it from JSON, or a data frame of pairs.
Truth = Any
#: Retrieved items of one direction: for each query id the ids of the items, the best first; or a data frame of these.
Retrieved = Any

#: The folder of the paths that name what is in memory.
_MEMORY = "in-memory"
#: Subcommands that have other names than their functions.
_SUBCOMMANDS = {"evaluate": "eval", "per_query": "eval", "cider": "semantic cider"}
#: Truths as errors expect them.
_TRUTHS = "a file, a folder, a dictionary or a data frame of pairs"


class Call:
    """The arguments of the subcommand of one function, and the inputs in memory that they name."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.arguments: list[str] = _SUBCOMMANDS.get(function, function).split()
        self._arrays: list[tuple[str, Any]] = []
        self._contents: list[tuple[str, bytes]] = []
        self._files: list[str] = []
        self._truths = 0
        #: The ids of a data frame of scores, by the names of the options that take ids.
        self.ids: dict[str, list[Any]] = {}

    def scores(self, scores: Scores, name: str = "sims") -> None:
        """Adds a model, or several: a dictionary of names and scores, or a list of files."""
        if isinstance(scores, Mapping) and not _is_both(scores):
            for name, one in scores.items():
                self._model(one, str(name))
        elif isinstance(scores, (list, tuple)) and all(map(_is_path, scores)):
            for one in scores:
                self.arguments.append(self._file(one))
        elif isinstance(scores, (list, tuple)) and any(getattr(one, "ndim", 1) > 1 for one in scores):
            raise TypeError(f"{name}: a {type(scores).__name__} of arrays; a dictionary of names and arrays is wanted")
        else:
            self._model(scores, name)

    def truth(self, truth: Truth) -> None:
        """Adds a ground truth, captions, ids: a file, a folder, a data frame of pairs, or a dictionary: ``{"i2t": {id:
        [ids]}, "t2i": ..}``, a dictionary of names and these, or what a file of JSON may hold."""
        name = f"truth{self._truths or ''}"
        self._truths += 1
        if is_frame(truth) or _is_both(truth):
            self._named_truth(name, truth)
        elif _is_path(truth):
            self.arguments.append(self._file(truth))
        elif not isinstance(truth, Mapping):
            raise TypeError(f"ground truth {self._truths}: {_kind(truth)}; {_TRUTHS} is wanted")
        elif truth and all(is_frame(one) or _is_both(one) for one in truth.values()):
            for name, one in truth.items():
                self._named_truth(name, one)
        else:
            self.arguments.append(self._content(f"{name}.json", truth))

    def lists(self, direction: str, lists: Retrieved) -> None:
        """Adds the ranked lists of one direction: for each query the ids of the items, the best first."""
        name = f"retrieved_{direction}"
        lists = checked_lists(lists, name)
        path = self._table(name, lists) if is_frame(lists) else self._content(f"{name}.json", lists)
        self.arguments += [f"--run-{direction}", path]

    def array(self, option: str, value: Any) -> None:
        """Adds an option whose file may be an array, or a list of ids."""
        if _is_path(value):
            path = self._file(value)
        elif isinstance(value, (list, tuple)) or _is_of_text(value):
            path = self._content(f"{option}.json", value)
        else:
            path = self._array(option, value)
        self.arguments += [_flag(option), path]

    def neighbours(self, knn: Any) -> None:
        """Adds what a search returned: places and scores of the nearest items, or places alone, a row for each query; a
        dictionary has those of each direction."""
        for direction, found in (knn if isinstance(knn, Mapping) else {"": knn}).items():
            arrays = found if isinstance(found, (list, tuple)) else (found,)
            names = ("_".join(filter(None, ("neighbours", direction, what))) for what in ("", "scores"))
            paths = [self._file(one) if _is_path(one) else self._array(name, one) for name, one in zip(names, arrays)]
            self.arguments.append(f"--knn={direction}{':' if direction else ''}{','.join(paths)}")

    def options(self, options: Mapping[str, Any]) -> None:
        """Adds options by their names on the command line, ``_`` for ``-``: True for a flag, lists for several values,
        dictionaries for ``NAME=VALUE``, whose values may be arrays."""
        for name, value in options.items():
            flag = _flag(name)
            if type(value).__name__ in ("bool", "bool_"):
                self.arguments += [flag] if value else []
            elif value is None:
                continue
            elif isinstance(value, Mapping):
                self.arguments += [f"{flag}={key}={self._input(str(key), one)}" for key, one in value.items()]
            elif isinstance(value, (list, tuple)):
                self.arguments.append(f"{flag}={','.join(map(_word, value))}")
            else:
                self.arguments.append(f"{flag}={_word(value)}")

    def run(self) -> bytes:
        """Carries it out; what the program warns of is a warning here."""
        return self._carry_out()[0]

    def report(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Carries it out: its JSON, a list of it as ``rows``, and the same report in the other formats."""
        if any(word.startswith("--format") for word in self.arguments):
            raise TypeError(f"{self.function}() got an unexpected option 'format' (results have to_markdown() and others)")
        self.arguments += ["--format", "json"]
        out, formats = self._carry_out()
        tree = json.loads(out)
        return tree if isinstance(tree, dict) else {"rows": tree}, formats

    def _carry_out(self) -> tuple[bytes, dict[str, str]]:
        try:
            out, formats, said = _native.run(self.arguments, self._arrays, self._contents)
        except TypeError as error:
            raise TypeError(f"{self.function}() {error}") from None
        except ValueError as error:
            raise self._error(_without_folder(str(error))) from None
        for line in said:
            if line.startswith("warning: "):
                warnings.warn(_without_folder(line.removeprefix("warning: ")), stacklevel=4)
        return out, formats

    def written(self, folder: str) -> list[str]:
        """The arguments, with what is in memory written to files in a folder."""
        files = {}
        for path, array in self._arrays:
            files[path] = _file_in(folder, path, ".npy")
            _save(files[path], array)
        for path, content in self._contents:
            files[path] = _file_in(folder, path, ".parquet" if content.startswith(b"PAR1") else "")
            with open(files[path], "wb") as file:
                file.write(content)
        words = self.arguments
        # A path may begin as another one does: the longest first.
        for path in sorted(files, key=len, reverse=True):
            words = [word.replace(path, files[path]) for word in words]
        return words

    def _model(self, scores: Scores, name: str) -> None:
        if _is_path(scores):
            path = self._file(scores)
            self.arguments.append(path)
            if name != "sims":
                self.arguments += ["--name", f"{path}={name}"]
        elif _is_both(scores):
            for direction, one in scores.items():
                if is_frame(one):
                    # Two tables are of one model where only the direction tells their names apart.
                    self.arguments.append(self._table(f"{name}_{direction}", one))
                elif isinstance(one, Mapping):
                    self.lists(direction, one)
                else:
                    self.array(direction, one)
        else:
            self._named(self._scores(scores, name), name)

    def _scores(self, scores: Scores, name: str) -> str:
        if not is_frame(scores):
            return self._array(name, scores)
        frame = Frame(scores, name)
        if not frame.is_wide():
            return self._content(_path_word(name), frame.parquet())
        cells, ids = frame.matrix()
        for option, those in ids.items():
            if self.ids.setdefault(option, those) != those:
                raise ITMError(f"{name}: a data frame with other {option} than the one before\n  expected: the same, in the same order")
        return self._array(name, cells)

    def _named(self, path: str, name: str) -> None:
        """Adds a model by a path in memory."""
        self.arguments.append(path)
        # A stem ends at a dot, and a folder at a slash.
        if name != os.path.splitext(os.path.basename(path))[0]:
            self.arguments += ["--name", f"{path}={name}"]

    def _named_truth(self, name: str, truth: Any) -> None:
        """Adds one ground truth: a data frame, or a part for each direction."""
        if is_frame(truth) or any(map(is_frame, truth.values())):
            truth = {"format": "itm-explore/1", "truths": {name: pairs(truth, name)}}
        self.arguments.append(self._content(f"{name}.json", truth))

    def _array(self, name: str, array: Any) -> str:
        path = f"{_MEMORY}/{_path_word(name)}"
        if any(path == there for there, _ in self._arrays):
            raise ITMError(f"two arrays are named {name!r}: pass a dictionary of names and arrays")
        self._arrays.append((path, as_numpy(array, name)))
        return path

    def _table(self, name: str, frame: Any) -> str:
        return self._content(_path_word(name), Frame(frame, name).parquet())

    def _input(self, name: str, value: Any) -> str:
        is_array = hasattr(value, "__array_interface__") or hasattr(value, "detach")
        return self._array(name, value) if is_array else _word(value)

    def _content(self, name: str, value: Any) -> str:
        """Names what a file would hold: its bytes, or what is written as JSON."""
        path = f"{_MEMORY}/{name}"
        content = value if isinstance(value, bytes) else _json(value)
        self._contents.append((path, content))
        return path

    def _file(self, path: Path) -> str:
        path = str(os.fspath(path))
        self._files.append(path)
        # What begins with a dash would be an option.
        return os.path.join(".", path) if path.startswith("-") else path

    def _error(self, words: str) -> Exception:
        missing = [path for path in self._files if not os.path.exists(path)]
        return FileNotFoundError(words) if missing else ITMError(words)


def checked_lists(lists: Retrieved, argument: str) -> Retrieved:
    """Ranked lists, if they are of a form that is read."""
    if isinstance(lists, Mapping) or is_frame(lists):
        return lists
    kind = type(lists).__name__
    raise TypeError(f"{argument}: a {kind}; a dictionary of query ids and lists of item ids, or a data frame of these, is wanted")


def as_numpy(array: Any, name: str) -> Any:
    """The array as numpy has it, without a copy where its cells lie side by side and numpy knows its type."""
    import numpy as np

    kind = _kind(array)
    if hasattr(array, "detach"):
        array = array.detach().cpu()
        # numpy has no bfloat16.
        if str(array.dtype) == "torch.bfloat16":
            array = array.float()
        array = array.numpy()
    if np.ma.is_masked(array):
        raise TypeError(f"{name}: {kind} with masked cells; fill them: {name}.filled(VALUE)")
    try:
        array = np.asarray(array)
    except ValueError as error:
        raise TypeError(f"{name}: {kind} that is no array: {error}") from None
    if array.dtype.kind not in "fiu":
        of = "" if array.dtype.kind == "O" else f" of type {array.dtype}"
        raise TypeError(f"{name}: {kind}{of}; an array of numbers, a data frame (collected, if it was lazy) or a file is wanted")
    is_whole = array.flags.c_contiguous or array.flags.f_contiguous
    return array if is_whole else np.ascontiguousarray(array)


def _kind(value: Any) -> str:
    """What a value is, in words."""
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _flag(option: str) -> str:
    return "--" + option.strip("_").replace("_", "-")


def _without_folder(words: str) -> str:
    return words.replace(f"{_MEMORY}/", "")


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_of_text(value: Any) -> bool:
    """Whether these are ids of text, in an array or a column."""
    import numpy as np

    return not hasattr(value, "detach") and np.asarray(value).dtype.kind in "OTU"


def _is_both(value: Any) -> bool:
    """Whether this has a part for each direction."""
    return isinstance(value, Mapping) and set(value) <= {"i2t", "t2i"} and bool(value)


def _path_word(name: str) -> str:
    return name.replace("/", "_")


def _file_in(folder: str, path: str, ending: str) -> str:
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, os.path.basename(path) + ending)


def _save(path: str, array: Any) -> None:
    import numpy as np

    np.save(path, array)


def _word(value: Any) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _json(value: Any) -> bytes:
    """The value as JSON: ids may be numpy's integers, lists may be arrays or sets."""
    return json.dumps(_with_text_keys(value), default=_plain).encode()


def _with_text_keys(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _with_text_keys(one) for key, one in value.items()}
    return value


def _plain(value: Any) -> Any:
    """What JSON has no word for, in its types."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Mapping):
        return _with_text_keys(value)
    if not isinstance(value, Iterable):
        raise TypeError(f"{_kind(value)}; a list of ids or an array is wanted, or a data frame (collected, if it was lazy)")
    return list(value)
