"""Runs and qrels of other packages: ``{query: {item: score}}``, as pytrec_eval and BEIR have them, ranx and torchmetrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Scored = dict[str, dict[str, float]]
Graded = dict[str, dict[str, int]]


def as_dictionary(value: Any) -> Any:
    """What a run or qrels of ranx holds; anything else as it is."""
    is_of_ranx = hasattr(value, "to_dict") and (hasattr(value, "run") or hasattr(value, "qrels"))
    return value.to_dict() if is_of_ranx else value


def ranked(lists: Any, argument: str) -> dict[str, Any]:
    """For each query the ids of its items, best first, from these or from a run."""
    lists = as_dictionary(lists)
    if not isinstance(lists, Mapping):
        kind = type(lists).__name__
        raise TypeError(f"{argument}: a {kind}; a dictionary of query ids and lists of item ids, or a data frame of these, is wanted")
    return {
        str(query): sorted(items, key=items.__getitem__, reverse=True) if isinstance(items, Mapping) else items
        for query, items in lists.items()
    }


def is_graded(truth: Any) -> bool:
    """Whether this has a grade for each item, as qrels do."""
    return isinstance(truth, Mapping) and any(isinstance(items, Mapping) for items in truth.values())


def from_torchmetrics(preds: Iterable[float], target: Iterable[int], indexes: Iterable[int]) -> tuple[Scored, Graded]:
    """The arguments of a retrieval metric of torchmetrics as a run and qrels of one direction.

    Items are numbered query by query: torchmetrics gives them no ids.

    >>> run, qrels = from_torchmetrics([0.2, 0.9, 0.5], [0, 1, 1], [0, 0, 1])
    >>> qrels
    {'0': {'0': 0, '1': 1}, '1': {'0': 1}}
    """
    run: Scored = {}
    qrels: Graded = {}
    for score, grade, query in zip(preds, target, indexes):
        scores = run.setdefault(str(int(query)), {})
        item = str(len(scores))
        scores[item] = float(score)
        qrels.setdefault(str(int(query)), {})[item] = int(grade)
    return run, qrels
