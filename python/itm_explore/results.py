"""What functions return: read-only mappings that print as the tables of the program, here and in a notebook."""

from __future__ import annotations

import base64
import html
import json
import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

#: Lines of a table that are shown unasked, and the first lines of a longer one.
_MAX_LINES, _FIRST_LINES = 100, 30


class Result(Mapping[str, Any]):
    """The JSON of a subcommand: a list of rows is under ``rows``. Shares are from 0 to 1 here and in data frames, and percent
    in tables. Tables and data frames have numbers of queries, and intervals where they were asked for. Every form is of
    the same run, and none holds the scores.
    """

    __slots__ = ("_formats", "_parsed", "_text")

    def __init__(self, text: str | bytes, formats: dict[str, bytes]) -> None:
        self._text = text
        self._formats = formats
        self._parsed: Any = None

    @property
    def _content(self) -> Any:
        if self._parsed is None:
            self._parsed = _frozen(self.to_dict())
        return self._parsed

    @property
    def tree(self) -> Mapping[str, Any]:
        """The whole JSON."""
        tree: Mapping[str, Any] = _frozen(self._tree())
        return tree

    def _tree(self) -> dict[str, Any]:
        tree = json.loads(self._text)
        return tree if isinstance(tree, dict) else {"rows": tree}

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that may be changed."""
        return self._tree()

    def to_json(self) -> str:
        """Text that ``json.loads`` reads."""
        return json.dumps(self.to_dict())

    def _format(self, key: str) -> str:
        return self._formats[key].decode()

    def to_table(self) -> str:
        """Tables of text, as the program prints them."""
        return self._format("table")

    def to_latex(self) -> str:
        """Tables for a paper."""
        return self._format("latex")

    def to_markdown(self) -> str:
        """Tables in Markdown."""
        return self._format("markdown")

    def to_html(self) -> str:
        """Tables in HTML, as a notebook shows them."""
        return self._format("html")

    def to_csv(self) -> str:
        """Rows as CSV, in full precision."""
        return self._format("csv")

    def to_rows(self, part: str | None = None) -> list[dict[str, Any]]:
        """The rows of the CSV as dictionaries. If it has several lists: of the first, or of the list of this name."""
        rows = [json.loads(line) for line in self._format("jsonl").splitlines()]
        if not rows or "list" not in rows[0]:
            return rows
        rows = [row for row in rows if row["list"] == (part or rows[0]["list"])]
        columns = [name for name in rows[0] if name != "list" and any(row[name] is not None for row in rows)]
        return [{name: row[name] for name in columns} for row in rows]

    def to_arrays(self, part: str | None = None) -> dict[str, Any]:
        """The columns of :meth:`to_rows` as numpy arrays, by name."""
        import numpy as np

        rows = self.to_rows(part)
        columns = {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
        is_nested = {name: any(isinstance(cell, (list, dict)) for cell in column) for name, column in columns.items()}
        return {name: np.array(column, object if is_nested[name] else None) for name, column in columns.items()}

    def to_pandas(self, part: str | None = None) -> Any:
        """:meth:`to_rows` as a data frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self.to_rows(part))

    def to_polars(self, part: str | None = None) -> Any:
        """:meth:`to_rows` as a data frame of polars."""
        import polars as pl

        return pl.DataFrame(self.to_rows(part), infer_schema_length=None)

    def __getitem__(self, key: str) -> Any:
        return self._content[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == (other.to_dict() if isinstance(other, Result) else other)

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._text, self._formats)

    def __repr__(self) -> str:
        lines = self.to_table().splitlines()
        if len(lines) > _MAX_LINES:
            lines[_FIRST_LINES:] = [f".. {len(lines) - _FIRST_LINES} more lines: to_table()"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        if self.to_table().count("\n") <= _MAX_LINES:
            return self.to_html()
        return f'<pre style="font-family: monospace">{html.escape(repr(self))}</pre>'


class Evaluation(Result):
    """Metrics by model: ``{"ours": {"eccv_map_at_r": {"i2t": .., "t2i": ..}}}``, None where one is undefined.

    Shares are from 0 to 1; ranks and RSUM (``{"both": ..}``) are as they are. :attr:`tree` has the numbers of queries and
    intervals.
    """

    __slots__ = ()

    def __getitem__(self, key: str) -> Mapping[str, Mapping[str, float | Any]]:
        metrics: Mapping[str, Mapping[str, float | Any]] = self._content[key]
        return metrics

    def to_dict(self) -> dict[str, Any]:
        """A dictionary that may be changed."""
        return {model["name"]: model["metrics"] for model in self._tree()["models"]}

    def to_scalars(self) -> dict[str, float]:
        """Defined values by ``MODEL/METRIC/DIRECTION``, as loggers of trainings want them."""
        return {
            f"{model}/{metric}/{direction}": value
            for model, metrics in self.items()
            for metric, values in metrics.items()
            for direction, value in values.items()
            if value is not None
        }


class Figure:
    """A figure, as SVG and PNG."""

    __slots__ = ("png", "svg")

    def __init__(self, svg: bytes, png: bytes) -> None:
        self.svg = svg
        self.png = png

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: PNG if it is called so, else SVG. Other formats: ``output=`` of the function."""
        with open(path, "wb") as file:
            file.write(self.png if os.fspath(path).endswith(".png") else self.svg)

    def _repr_html_(self) -> str:
        return f'<img alt="figure" src="data:image/svg+xml;base64,{base64.b64encode(self.svg).decode()}">'

    def _repr_svg_(self) -> str:
        return self.svg.decode()

    def _repr_png_(self) -> bytes:
        return self.png


def _frozen(value: Any) -> Any:
    """The same, read-only."""
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(one) for key, one in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
