"""One function for each subcommand.

``options`` are those of the command line (``itm-explore eval --help``), with ``_`` for ``-``: ``metrics=["R@1",
"map_at_r"]``, ``pool="folds"``, ``ci=True``, ``short_lists="miss"``.
"""

from __future__ import annotations

import os
import tempfile
from typing import Any

from .calls import Call, Path, Scores, Truth
from .results import Comparison, Evaluation, Result, Table, rows


def command_line(
    function: str,
    sims: Scores | None,
    truths: tuple[Truth, ...],
    options: dict[str, Any],
) -> Call:
    """A function's subcommand and its inputs; scores, embeddings, ids, lists and ground truths may be in memory."""
    call = Call(function)
    if sims is not None:
        call.scores(sims)
    for truth in truths:
        call.truth(truth)
    options = {**call.ids, **options}
    for name in ("image_emb", "text_emb", "i2t", "t2i", "image_ids", "caption_ids"):
        if options.get(name) is not None:
            call.array(name, options.pop(name))
    retrieved = {"i2t": options.pop("retrieved_i2t", None), "t2i": options.pop("retrieved_t2i", None)}
    for direction, lists in retrieved.items():
        if lists is not None:
            call.lists(direction, lists)
    knn = options.pop("knn", None)
    if knn is not None:
        call.neighbours(knn)
    call.options(options)
    return call


def evaluate(sims: Scores | None = None, *truths: Truth, **options: Any) -> Evaluation:
    """Metrics of one or several models.

    ``sims`` is an array of images x captions (numpy, memmap, torch; f2, f4 or f8, C or Fortran order, read where it
    is), a data frame of scores or of ranked lists, a file, or a dictionary of names and these. Instead of it,
    ``image_emb=`` and ``text_emb=``, or the ranked lists ``retrieved_i2t=`` and ``retrieved_t2i=`` (``{query id: [item
    ids, best first]}``, or data frames). Ground truths are files, dictionaries, or data frames of pairs.

    Raises :class:`ITMError` or ``FileNotFoundError`` for inputs, ``TypeError`` for options.
    """
    return Evaluation(*command_line("evaluate", sims, truths, options).report())


def per_query(sims: Scores | None = None, *truths: Truth, **options: Any) -> Table:
    """The value of every query: a row for each model, direction and query, a column for each metric."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "values.json")
        command_line("per_query", sims, truths, {**options, "per_query": out}).run()
        with open(out, encoding="utf-8") as file:
            text = file.read()
    return Table(rows(text))


def compare(sims: Scores, *truths: Truth, **options: Any) -> Comparison:
    """Paired tests of two models, ranks of more: ``{"ours": array, "baseline": array}``, or a list of files."""
    return Comparison(*command_line("compare", sims, truths, options).report())


def errors(sims: Scores, *truths: Truth, **options: Any) -> Result:
    """Why a model fails: error types, hubs, words."""
    return Result(*command_line("errors", sims, truths, options).report())


def slices(sims: Scores, *truths: Truth, **options: Any) -> Result:
    """On which queries models differ most: words, categories, length."""
    return Result(*command_line("slices", sims, truths, options).report())


def series(sims: Scores, *truths: Truth, **options: Any) -> Result:
    """One model over the steps of its training: files or arrays whose names end in the number of the step."""
    return Result(*command_line("series", sims, truths, options).report())


def report(sims: Scores, *truths: Truth, out: Path, **options: Any) -> Path:
    """One page for co-authors, written to ``out``."""
    call = command_line("report", sims, truths, options)
    call.arguments += ["-o", os.fspath(out)]
    call.run()
    return out


def mix(sims: Scores, *truths: Truth, **options: Any) -> Result:
    """R@1 and mAP@R of two models mixed by every weight."""
    return Result(*command_line("mix", sims, truths, options).report())


def doctor(sims: Scores, *truths: Truth, **options: Any) -> Result:
    """What is wrong with a study, and the fix."""
    return Result(*command_line("doctor", sims, truths, options).report())


def find(sims: Scores, *truths: Truth, where: str | None = None, **options: Any) -> Table:
    """The queries that meet a condition, such as ``sims.r1 == 0 and sims.map_at_r > 0.5``."""
    call = command_line("find", sims, truths, {"where": where, **options})
    call.options({"format": "jsonl"})
    return Table(rows(call.run().decode()))


def correlate(*results: Path, **options: Any) -> Result:
    """How metrics order models, from files of results and the published ones."""
    return Result(*command_line("correlate", None, results, options).report())


def cider(captions: Truth, out: Path | None = None, **options: Any) -> Any:
    """CIDEr-D of every caption with every image's captions: written to ``out``, or returned as an array."""
    if out is not None:
        call = command_line("cider", None, (captions,), options)
        call.arguments += ["-o", os.fspath(out)]
        call.run()
        return out
    import numpy as np

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "phi.npy")
        cider(captions, path, **options)
        return np.load(path)


def figure(sims: Scores, *truths: Truth, out: Path | None = None, **options: Any) -> Figure:
    """Queries and rankings as a figure; shown in a notebook, written to ``out`` (.svg, .png, .pdf, ..) if it is named."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "figure.svg") if out is None else os.fspath(out)
        call = command_line("figure", sims, truths, options)
        call.arguments += ["-o", path]
        call.run()
        with open(path, "rb") as file:
            return Figure(file.read(), path if out is not None else None)


class Figure:
    """A figure: the bytes of its file."""

    def __init__(self, content: bytes, path: str | None) -> None:
        self.content = content
        self.path = path

    def save(self, path: Path) -> None:
        """Writes it."""
        with open(path, "wb") as file:
            file.write(self.content)

    def _repr_svg_(self) -> str | None:
        return self.content.decode() if self.content.lstrip().startswith(b"<") else None

    def _repr_png_(self) -> bytes | None:
        return self.content if self.content.startswith(b"\x89PNG") else None

