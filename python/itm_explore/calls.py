"""How a call becomes a command line: options become flags, and what is in memory gets a path that names it."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Union

from . import _native
from .errors import ITMError
from .frames import Frame, is_frame, pairs
from .results import Evaluation, Figure, Result
from .runs import as_dictionary, ranked


class SupportsArray(Protocol):
    """An array: numpy, a memmap, a torch tensor."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...


class SupportsArrow(Protocol):
    """A data frame: pandas, polars, pyarrow, a relation of DuckDB."""

    def __arrow_c_stream__(self, *args: Any, **kwargs: Any) -> Any: ...


class SupportsFormat(Protocol):
    """A Hugging Face dataset."""

    def with_format(self, *args: Any, **kwargs: Any) -> Any: ...


class SupportsDict(Protocol):
    """A run or qrels of ranx."""

    def to_dict(self) -> Any: ...


#: A file or a folder.
Path = Union[str, "os.PathLike[str]"]
Table = Union[SupportsArrow, SupportsFormat]
#: Numbers, or a file of them.
Array = Union[Path, SupportsArray, Sequence[Sequence[float]]]
#: Ids in matrix order, or a file of them.
Ids = Union[Path, SupportsArray, Sequence[int], Sequence[str]]
#: Ranked lists of one direction: for each query the ids of its items, best first, or their scores.
Lists = Union[Path, Table, Mapping[Any, Any], SupportsDict]
#: Indices and scores of the nearest items, a row for each query; a dictionary has those of each direction.
Neighbours = Union[Array, "tuple[Array, ...]", Mapping[str, Any]]
#: ``"cider"``, or other similarities of images x captions by name.
Similarities = Union[str, Sequence[str], Mapping[str, Union[Array, None]]]
#: A model, models by name, or files: scores of images x captions, or ``{"i2t": .., "t2i": ..}`` of these or of ranked lists.
Scores = Union[Array, Table, Mapping[str, Union[Array, Lists]], Sequence[Path]]
#: A ground truth: a file, a folder, ``{"i2t": {id: [ids]}, "t2i": ..}``, qrels, a data frame of pairs; or several by name.
Truth = Union[Path, Table, Mapping[str, Any]]

#: The folder of the paths that name what is in memory.
_MEMORY = "in-memory"
#: Truths as errors expect them.
_TRUTHS = "a file, a folder, a dictionary or a data frame of pairs"


class Call:
    """The arguments of a subcommand, and the inputs in memory that they name."""

    def __init__(self, subcommand: str, function: Callable[..., Any], values: Mapping[str, Any]) -> None:
        """``values`` are the arguments of ``function``, by name; its annotations tell how they are passed on."""
        self.function = function.__name__
        self.values = values
        self.arguments = subcommand.split()
        self._arrays: list[tuple[str, Any]] = []
        self._contents: list[tuple[str, bytes]] = []
        self._truths = 0
        #: The ids of a data frame of scores, by the options that take ids.
        self._ids: dict[str, list[Any]] = {}
        code, defaults = function.__code__, function.__kwdefaults__ or {}
        options = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
        for name, value in values.items():
            kind = function.__annotations__[name].split(" ")[0]
            if kind == "Scores":
                self._scores(value)
            elif kind == "Truth":
                for truth in value:
                    self._truth(truth)
            elif name in options and not _is_default(value, defaults.get(name)):
                self._option(name, kind, value)
            elif name not in options:
                self.arguments += map(_file, value if isinstance(value, tuple) else (value,))
        for name, ids in self._ids.items():
            if values[name] is None:
                self._option(name, "Ids", ids)

    def run(self, *more: str) -> tuple[bytes, dict[str, bytes]]:
        """The output, and the same in other formats. Warnings of the program become Python warnings."""
        try:
            out, formats, said = _native.run([*self.arguments, *more], self._arrays, self._contents)
        except TypeError as error:
            raise TypeError(f"{self.function}(): {_in_python(str(error))}") from None
        except ValueError as error:
            words = _in_python(str(error))
            is_missing = words.split("\n")[0].endswith(": no such file or directory")
            raise (FileNotFoundError if is_missing else ITMError)(words) from None
        for line in said:
            if line.startswith("warning: "):
                warnings.warn(_in_python(line.removeprefix("warning: ")), stacklevel=4)
        return out, formats

    def result(self) -> Result:
        """The report of a subcommand."""
        return Result(*self.run("--format=json"))

    def evaluation(self) -> Evaluation:
        """The report of ``eval``."""
        return Evaluation(*self.run("--format=json"))

    def written(self) -> Path:
        """Writes the output, and returns its path."""
        self.run()
        path: Path = self.values["output"]
        return path

    def figure(self) -> Figure:
        """The figure, also written to the output that is named."""
        svg, formats = self.run()
        return Figure(svg, formats["png"])

    def in_files(self, folder: str) -> list[str]:
        """The arguments, with what is in memory written to files in a folder."""
        import numpy as np

        if self._arrays or self._contents:
            os.makedirs(folder, exist_ok=True)
        files = {}
        for path, array in self._arrays:
            files[path] = os.path.join(folder, os.path.basename(path) + ".npy")
            np.save(files[path], array)
        for path, content in self._contents:
            ending = ".parquet" if content.startswith(b"PAR1") else ""
            files[path] = os.path.join(folder, os.path.basename(path) + ending)
            with open(files[path], "wb") as file:
                file.write(content)
        words = self.arguments
        # A path may begin as another one does: the longest first.
        for path in sorted(files, key=len, reverse=True):
            words = [word.replace(path, files[path]) for word in words]
        return words

    def _scores(self, scores: Any) -> None:
        """Adds a model, or several: a dictionary of names and scores, or a list of files."""
        if isinstance(scores, Mapping) and not _is_both(scores):
            for name, one in scores.items():
                self._model(one, str(name))
        elif isinstance(scores, (list, tuple)) and all(map(_is_path, scores)):
            self.arguments += map(_file, scores)
        elif isinstance(scores, (list, tuple)) and any(getattr(one, "ndim", 1) > 1 for one in scores):
            raise TypeError(f"sims: a {type(scores).__name__} of arrays; a dictionary of names and arrays is wanted")
        elif scores is not None:
            self._model(scores, "sims")

    def _model(self, scores: Any, name: str) -> None:
        if _is_both(scores):
            parts = {direction: as_dictionary(one) for direction, one in scores.items()}
            if all(isinstance(one, Mapping) for one in parts.values()):
                lists = {direction: ranked(one, f"{name} {direction}") for direction, one in parts.items()}
                path = self._content(f"{_path_word(name)}.json", lists)
                self.arguments += ["--run", path, *_naming(path, name)]
                return
            for direction, one in parts.items():
                if is_frame(one):
                    # Two tables are of one model where only the direction tells their names apart.
                    self.arguments.append(self._table(f"{name}_{direction}", one))
                else:
                    self._option(direction, "Array", one)
            return
        path = self._matrix(scores, name)
        # A file alone keeps its own name.
        self.arguments += [path, *(() if _is_path(scores) and name == "sims" else _naming(path, name))]

    def _matrix(self, scores: Any, name: str) -> str:
        if _is_path(scores):
            return _file(scores)
        if isinstance(as_dictionary(scores), Mapping):
            raise TypeError(f'{name}: ranked lists without a direction; {{"i2t": ..}} or {{"t2i": ..}} is wanted')
        if not is_frame(scores):
            return self._array(name, scores)
        frame = Frame(scores, name)
        if not frame.is_wide():
            return self._content(_path_word(name), frame.parquet())
        cells, ids = frame.matrix()
        for option, those in ids.items():
            if self._ids.setdefault(option, those) != those:
                raise ITMError(f"{name}: a data frame with other {option} than the one before\n  expected: the same, in the same order")
        return self._array(name, cells)

    def _truth(self, truth: Any) -> None:
        """Adds a ground truth, captions or ids."""
        name = f"truth{self._truths or ''}"
        self._truths += 1
        if _is_path(truth):
            self.arguments.append(_file(truth))
        elif is_frame(truth) or _is_both(truth):
            self._named_truth(name, truth)
        elif not isinstance(truth, Mapping):
            raise TypeError(f"ground truth {self._truths}: {_kind(truth)}; {_TRUTHS} is wanted")
        elif truth and all(is_frame(one) or _is_both(one) for one in truth.values()):
            for name, one in truth.items():
                self._named_truth(name, one)
        else:
            self.arguments.append(self._content(f"{name}.json", truth))

    def _named_truth(self, name: str, truth: Any) -> None:
        """Adds one ground truth: a data frame, or a part for each direction."""
        self.arguments.append(self._content(f"{name}.json", pairs(truth, name)))

    def _option(self, name: str, kind: str, value: Any) -> None:
        """Adds an option: True for a flag, several values one by one, dictionaries as ``NAME=VALUE``."""
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if value is None:
            return
        if kind == "Ids" and (isinstance(value, (list, tuple, range)) or _is_of_text(value)):
            value = self._content(f"{name}.json", value)
        elif kind == "Lists" and is_frame(value):
            value = self._table(name, value)
        elif kind == "Lists" and not _is_path(value):
            value = self._content(f"{name}.json", ranked(value, name))
        elif kind == "Neighbours":
            value = self._neighbours(value)
        elif kind in ("Array", "Ids", "Lists"):
            value = self._input(name, value)
        if type(value).__name__ in ("bool", "bool_"):
            self.arguments += [flag] if value else []
        elif isinstance(value, Mapping):
            if not kind.startswith(("Mapping", "Similarities")):
                raise TypeError(f"{name}: a dictionary; {kind} is wanted")
            for key, one in value.items():
                word = self._input(key, one) if getattr(one, "ndim", 0) else _word(one)
                self.arguments.append(f"{flag}={key}" if one is None else f"{flag}={key}={word}")
        else:
            several = hasattr(value, "__iter__") and not _is_path(value)
            self.arguments += [f"{flag}={_word(one)}" for one in (value if several else [value])]

    def _neighbours(self, knn: Any) -> list[str]:
        words = []
        for direction, found in (knn if isinstance(knn, Mapping) else {"": knn}).items():
            arrays = found if isinstance(found, (list, tuple)) else (found,)
            names = ("_".join(filter(None, ("neighbours", direction, what))) for what in ("", "scores"))
            paths = ",".join(self._input(name, one) for name, one in zip(names, arrays))
            words.append(f"{direction}{':' if direction else ''}{paths}")
        return words

    def _input(self, name: str, value: Any) -> str:
        return _file(value) if _is_path(value) else self._array(name, value)

    def _array(self, name: str, array: Any) -> str:
        path = f"{_MEMORY}/{_path_word(name)}"
        if any(path == there for there, _ in self._arrays):
            raise ITMError(f"two arrays are named {name!r}: pass a dictionary of names and arrays")
        self._arrays.append((path, as_numpy(array, name)))
        return path

    def _table(self, name: str, frame: Any) -> str:
        return self._content(_path_word(name), Frame(frame, name).parquet())

    def _content(self, name: str, value: Any) -> str:
        """Names what a file would hold: its bytes, or what is written as JSON."""
        path = f"{_MEMORY}/{name}"
        content = value if isinstance(value, bytes) else _json(value)
        self._contents.append((path, content))
        return path


def _file(path: Path) -> str:
    # What begins with a dash would be an option.
    return os.path.join(".", path) if str(path).startswith("-") else os.fspath(path)


def _naming(path: str, name: str) -> list[str]:
    """The option that names a model as it is called here. A stem ends at a dot, and a folder at a slash."""
    is_stem = name == os.path.splitext(os.path.basename(path))[0]
    return [] if is_stem else ["--name", f"{path}={name}"]


def _is_default(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))


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
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _in_python(words: str) -> str:
    """Words of the program with its options as keywords. Whole commands stay what is typed in a shell."""

    def keyword(found: re.Match[str]) -> str:
        return found[1].replace("-", "_") if found[1] else found[0]

    return re.sub(r"`itm-explore[^`]*`|--([a-z][a-z0-9-]*)", keyword, words.replace(f"{_MEMORY}/", ""))


def _is_path(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike))


def _is_of_text(value: Any) -> bool:
    """Whether these are ids of text, in an array or a column."""
    import numpy as np

    return not (_is_path(value) or hasattr(value, "detach")) and np.asarray(value).dtype.kind in "OTU"


def _is_both(value: Any) -> bool:
    """Whether this has a part for each direction."""
    return isinstance(value, Mapping) and set(value) <= {"i2t", "t2i"} and bool(value)


def _path_word(name: str) -> str:
    return name.replace("/", "_")


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
