"""Data frames as inputs: whatever hands out its columns by the Arrow interface, as frames of pandas, polars, pyarrow and
relations of DuckDB do (``__arrow_c_stream__``).

pyarrow reads them, mostly without a copy. A table of ranked lists goes to the program as the Parquet table that it would
be in a file, so both are understood alike. A table of scores is an array, a table of pairs a ground truth.
Source of the interface: <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import Any

from .errors import ITMError
from .runs import as_dictionary, is_graded

_IMAGE = ("imageid",)
_CAPTION = ("captionid", "textid")
_QUERY = ("query", "queryid", "qid")
_ITEM = ("item", "itemid", "docid", "docno")
_GRADE = ("grade", "relevance", "rel")
_ORDER = ("rank", "position", "score", "similarity", "sim", "distance", "dist")


def is_frame(value: Any) -> bool:
    """Whether this hands out columns; a Hugging Face dataset does so in another format."""
    return hasattr(value, "__arrow_c_stream__") or hasattr(value, "with_format")


class Frame:
    """A data frame, and the argument that it was passed as."""

    def __init__(self, frame: Any, argument: str) -> None:
        self.argument = argument
        try:
            import pyarrow as pa
        except ImportError:
            raise ITMError(f"{argument}: a data frame, which pyarrow reads, and pyarrow is not installed\n  fix: pip install pyarrow") from None
        try:
            frame = frame.with_format("arrow")[:] if hasattr(frame, "with_format") else frame
            self.table = pa.table(frame)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise ITMError(f"{argument}: a data frame that Arrow cannot hold: {error}") from None

    def is_wide(self) -> bool:
        """Whether it has a row for each image and a column for each caption, and at most one column of ids."""
        is_list = any(_bare(name) in _ORDER for name in self.table.column_names)
        return not is_list and len(self.table.column_names) > 1 and len(self._others()) <= 1

    def parquet(self) -> bytes:
        """The same table as the content of a Parquet file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        # Queries and texts repeat; items and scores are smaller without a dictionary.
        repeated = [
            field.name
            for field in self.table.schema
            if not pa.types.is_primitive(field.type) or _bare(field.name) in _QUERY + _IMAGE + _CAPTION
        ]
        out = io.BytesIO()
        pq.write_table(self.table, out, compression="none", use_dictionary=repeated, write_statistics=False)
        return out.getvalue()

    def matrix(self) -> tuple[Any, dict[str, list[Any]]]:
        """The scores of a wide table as an array of images x captions, and the ids that it tells."""
        import numpy as np

        others = self._others()
        names = [name for name in self.table.column_names if name not in others]
        kind = np.result_type(*(self.table.schema.field(name).type.to_pandas_dtype() for name in names))
        cells = np.empty((self.table.num_rows, len(names)), kind, order="F")
        for at, name in enumerate(names):
            cells[:, at] = self.table.column(name).to_numpy()
        ids: dict[str, list[Any]] = {}
        if not _are_places(names):
            ids["caption_ids"] = names
        for name in others:
            ids["image_ids"] = self._cells(name, "ids")
        return cells, ids

    def truth(self, direction: str | None) -> dict[str, Any]:
        """The pairs of a table as a ground truth of a bundle, with grades and what is judged not relevant; without a
        direction those of both."""
        image, caption = self._named(_IMAGE, "the image"), self._named(_CAPTION, "the caption")
        query, item, grade = self._named(_QUERY, "the query"), self._named(_ITEM, "the item"), self._named(_GRADE, "the grade")
        sides = {"i2t": (image, caption), "t2i": (caption, image)}
        if direction is not None:
            sides = {direction: (query or sides[direction][0], item or sides[direction][1])}
        truth: dict[str, Any] = {}
        for one, (queries, items) in sides.items():
            if queries is None or items is None:
                raise self._no_pairs(direction)
            grades = [1] * self.table.num_rows if grade is None else self._cells(grade, "grades")
            _add(truth, one, zip(self._cells(queries, "ids"), self._cells(items, "ids"), grades))
        return truth

    def _others(self) -> list[str]:
        """The columns that hold no scores."""
        import pyarrow as pa

        return [field.name for field in self.table.schema if not pa.types.is_floating(field.type)]

    def _named(self, known: tuple[str, ...], what: str) -> str | None:
        """The column of one of these names, however it is written."""
        found = [name for name in self.table.column_names if _bare(name) in known]
        if len(found) > 1:
            raise ITMError(f"{self.argument}: {' and '.join(found)} for {what} among the columns of this table ({self._columns()})")
        return found[0] if found else None

    def _cells(self, name: str, what: str) -> list[Any]:
        """Ids are integers or text, grades integers."""
        import pyarrow as pa

        column = self.table.column(name)
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
        if not (pa.types.is_integer(kind) or (what == "ids" and is_text)):
            wanted = "integers or text" if what == "ids" else "integers"
            raise ITMError(f"{self.argument}: the column {name} is of type {kind}\n  expected: {what}: {wanted}")
        cells: list[Any] = column.to_pylist()
        if column.null_count:
            row = cells.index(None)
            raise ITMError(f"{self.argument}: no value in column {name}, row {row} (counted from 0)\n  expected: a value in every row")
        return cells

    def _columns(self) -> str:
        return ", ".join(self.table.column_names) or "none"

    def _no_pairs(self, direction: str | None) -> ITMError:
        both = 'image_id and caption_id for pairs of both directions, or {"i2t": .., "t2i": ..} with a table for each'
        one = "query and item, or image_id and caption_id"
        return ITMError(
            f"{self.argument}: no query and item among the columns of this table ({self._columns()})\n"
            f"  expected: {one if direction else both}, and grade where there are grades"
        )


def pairs(truth: Any, name: str) -> Any:
    """A ground truth as the program reads it from JSON: from one table of pairs, or from a part for each direction, a table,
    qrels or lists of ids."""
    if is_frame(truth):
        merged = Frame(truth, name).truth(None)
    else:
        parts = {direction: as_dictionary(part) for direction, part in truth.items()}
        if not any(is_frame(part) or is_graded(part) for part in parts.values()):
            return parts
        merged = {}
        for direction, part in parts.items():
            of_part: dict[str, Any] = {direction: part}
            if is_frame(part):
                of_part = Frame(part, f"{name} {direction}").truth(direction)
            elif is_graded(part):
                of_part = {}
                _add(of_part, direction, ((query, item, int(items[item])) for query, items in part.items() for item in items))
            for key, value in of_part.items():
                merged[key] = {**merged[key], **value} if key in merged else value
    return {"format": "itm-explore/1", "truths": {name: merged}}


def _bare(name: str) -> str:
    for mark in "_- .":
        name = name.replace(mark, "")
    return name.lower()


def _are_places(names: list[str]) -> bool:
    """Whether columns are only numbered, as pandas and polars do unasked."""
    return any(names == [f"{word}{at}" for at in range(len(names))] for word in ("", "column_"))


def _add(truth: dict[str, Any], direction: str, pairs: Iterable[tuple[Any, Any, int]]) -> None:
    """Adds the pairs of one direction, graded as in qrels: 0 is judged not relevant, -1 pooled and not judged."""
    lists: dict[str, list[Any]] = truth.setdefault(direction, {})
    grades: dict[str, dict[str, int]] = {}
    beside: Mapping[int, dict[str, list[Any]]] = {0: {}, -1: {}}
    for query, item, grade in pairs:
        positives = lists.setdefault(str(query), [])
        if grade > 0:
            positives.append(item)
            grades.setdefault(str(query), {})[str(item)] = grade
        elif grade in beside:
            beside[grade].setdefault(str(query), []).append(item)
    if any(grade > 1 for items in grades.values() for grade in items.values()):
        truth.setdefault("grades", {"relevant_from": 1})[direction] = grades
    for grade, key in ((0, "nonrelevant"), (-1, "pooled")):
        if beside[grade]:
            truth.setdefault(key, {})[direction] = beside[grade]
