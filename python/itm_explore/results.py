"""What functions return: dictionaries and lists that print as tables, here and in a notebook."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable
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
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


class _Shown:
    """Prints as a table."""

    def _rows(self) -> list[list[str]]:
        raise NotImplementedError

    def __str__(self) -> str:
        return _text(self._rows())

    def _repr_html_(self) -> str:
        return _html(self._rows())


class Result(dict[str, Any]):
    """What a subcommand prints as JSON; :attr:`latex` asks it for tables of a paper."""

    def __init__(self, tree: dict[str, Any], again: Callable[[str], str]) -> None:
        super().__init__(tree)
        self._again = again

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary."""
        return dict(self)

    def to_json(self) -> str:
        """Text that ``json.loads`` reads."""
        return json.dumps(self)

    def to_table(self) -> str:
        """The tables that the program prints; it counts once more."""
        return self._again("table")

    def to_latex(self) -> str:
        """Tables as papers have them; the program counts once more."""
        return self._again("latex")

    def to_markdown(self) -> str:
        """Tables in Markdown; the program counts once more."""
        return self._again("markdown")

    def to_html(self) -> str:
        """Tables in HTML, as a notebook shows them; the program counts once more."""
        return self._again("html")

    def __str__(self) -> str:
        return self.to_table()

    def _repr_html_(self) -> str:
        return self.to_html()


class Evaluation(_Shown, Result):
    """Metrics of one model, ``{"eccv_map_at_r": {"i2t": .., "t2i": ..}}``; of several, a dictionary of these by model.

    Values are in [0, 1]. :attr:`tree` is all that the program says, with the numbers of queries.
    """

    def __init__(self, tree: dict[str, Any], again: Callable[[str], str]) -> None:
        models = {model["name"]: model["metrics"] for model in tree["models"]}
        self.tree = tree
        self.models = models
        super().__init__(next(iter(models.values())) if len(models) == 1 else models, again)

    def _rows(self) -> list[list[str]]:
        head = ["metric"] + [f"{name} {direction}" for name in self.models for direction in ("i2t", "t2i")]
        keys = dict.fromkeys(key for metrics in self.models.values() for key in metrics)
        rows = [head]
        for key in keys:
            values = [metrics.get(key, {}).get(d) for metrics in self.models.values() for d in ("i2t", "t2i")]
            rows.append([key] + ["-" if value is None else f"{100 * value:.2f}" for value in values])
        return rows

    def to_pandas(self) -> Any:
        """A row for each model and metric, a column for each direction; values in [0, 1]."""
        import pandas as pd

        rows = [
            {"model": name, "metric": key, "i2t": value.get("i2t"), "t2i": value.get("t2i")}
            for name, metrics in self.models.items()
            for key, value in metrics.items()
        ]
        return pd.DataFrame(rows).set_index(["model", "metric"])


class Comparison(_Shown, Result):
    """Paired tests: ``comparisons`` has one dictionary for each pair of models, metric and direction."""

    _COLUMNS = ("metric", "direction", "first", "second", "delta", "low", "high", "p_holm", "queries")

    def _rows(self) -> list[list[str]]:
        rows = [["A - B", *self._COLUMNS]]
        for one in self["comparisons"]:
            rows.append([" - ".join(one["models"])] + [_cell(one[column]) for column in self._COLUMNS])
        return rows

    def to_pandas(self) -> Any:
        """A row for each comparison."""
        import pandas as pd

        rows = [dict(one) for one in self["comparisons"]]
        for row in rows:
            row["first_model"], row["second_model"] = row.pop("models")
        return pd.DataFrame(rows)


class Table(_Shown, list[dict[str, Any]]):
    """Rows as dictionaries."""

    def _rows(self) -> list[list[str]]:
        columns = list(dict.fromkeys(key for row in self for key in row))
        return [columns] + [[_cell(row.get(column)) for column in columns] for row in self]

    def __str__(self) -> str:
        return _text(self._rows()) if self else "no rows"

    def to_pandas(self) -> Any:
        """A data frame."""
        import pandas as pd

        return pd.DataFrame(list(self))

    def to_json(self) -> str:
        """Text that ``json.loads`` reads."""
        return json.dumps(self)
