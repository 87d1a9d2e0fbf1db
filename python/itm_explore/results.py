"""What functions return: dictionaries and lists that print as tables, here and in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping
from typing import Any


def _text(rows: list[list[str]]) -> str:
    """Rows as a table of text, the first one its head."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _html(rows: list[list[str]]) -> str:
    """The same as HTML."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    head, *body = rows
    return f"<table><thead>{row('th', head)}</thead><tbody>{''.join(row('td', cells) for cells in body)}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    return str(round(value, 4)) if isinstance(value, float) else str(value)


def rows(text: str) -> list[dict[str, Any]]:
    """Rows from a JSON list, or from one object on each line."""
    if text.lstrip().startswith("["):
        found: list[dict[str, Any]] = json.loads(text)
        return found
    return [json.loads(line) for line in text.splitlines() if line.strip()]


class Result(dict[str, Any]):
    """The JSON of a subcommand, with shares from 0 to 1. It prints as the tables of the program, with units, and numbers of
    queries and intervals where they are asked for. Every form is of the same run; none holds the scores.
    """

    def __init__(self, content: Mapping[str, Any], formats: dict[str, str]) -> None:
        super().__init__(content)
        self._formats = formats

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary."""
        return dict(self)

    def to_json(self) -> str:
        """Text that ``json.loads`` reads."""
        return json.dumps(self)

    def to_table(self) -> str:
        """Tables of text, as the program prints them."""
        return self._formats["table"]

    def to_latex(self) -> str:
        """Tables for a paper."""
        return self._formats["latex"]

    def to_markdown(self) -> str:
        """Tables in Markdown."""
        return self._formats["markdown"]

    def to_html(self) -> str:
        """Tables in HTML, as a notebook shows them."""
        return self._formats["html"]

    def to_csv(self) -> str:
        """Rows as CSV, in full precision."""
        return self._formats["csv"]

    def to_pandas(self) -> Any:
        """The rows of the CSV as a data frame, shares from 0 to 1."""
        import pandas as pd

        return pd.DataFrame(rows(self._formats["jsonl"]))

    def __str__(self) -> str:
        return self.to_table().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.to_html()


class Evaluation(Result):
    """Metrics of one model, ``{"eccv_map_at_r": {"i2t": .., "t2i": ..}}``; of several, a dictionary of these by model.

    Shares are from 0 to 1; ranks and RSUM (``{"both": ..}``) are as they are. :attr:`tree` is the whole JSON, with the
    numbers of queries and intervals.
    """

    def __init__(self, tree: dict[str, Any], formats: dict[str, str]) -> None:
        self.tree = tree
        self.models = {model["name"]: model["metrics"] for model in tree["models"]}
        super().__init__(next(iter(self.models.values())) if len(self.models) == 1 else self.models, formats)


class Comparison(Result):
    """Paired tests of two models in ``comparisons``, or ``ranks`` of more, a dictionary for each row."""

    def to_pandas(self) -> Any:
        """A row for each comparison, shares from 0 to 1; of a list a row for each query."""
        if "comparisons" not in self:
            return super().to_pandas()
        import pandas as pd

        frame = pd.DataFrame(self["comparisons"])
        frame["first_model"], frame["second_model"] = zip(*frame.pop("models"))
        return frame


class Table(list[dict[str, Any]]):
    """Rows as dictionaries."""

    def _rows(self) -> list[list[str]]:
        columns = list(dict.fromkeys(key for row in self for key in row))
        return [columns] + [[_cell(row.get(column)) for column in columns] for row in self]

    def __str__(self) -> str:
        return _text(self._rows()) if self else "no rows"

    def _repr_html_(self) -> str:
        return _html(self._rows())

    def to_pandas(self) -> Any:
        """A data frame."""
        import pandas as pd

        return pd.DataFrame(list(self))

    def to_json(self) -> str:
        """Text that ``json.loads`` reads."""
        return json.dumps(self)
