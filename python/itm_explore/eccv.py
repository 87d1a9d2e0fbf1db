"""Stands in for ``eccv_caption.Metrics``: the same constructor, the same call, the same keys.

The ground truths are those files of the package ``eccv_caption``, if it is installed, or of a folder with the same
files. Beyond it: each key that is asked for is in the result, ``pmrp`` too.
"""

from __future__ import annotations

import importlib.util
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from .calls import Call, Path, Retrieved, checked_lists
from .errors import ITMError
from .frames import is_frame

_KNOWN = ("coco_1k", "coco_5k", "cxc", "eccv")
#: Items of a list that are looked at first.
_BEGINNING = 512
_SINGLE = ("eccv_rprecision", "eccv_map_at_r", "pmrp")


class Metrics:
    """R@K, R-Precision and mAP@R on COCO 1K and 5K, CxC, ECCV Caption and Plausible Match."""

    def __init__(
        self,
        extra_file_dir: Path | None = None,
        verbose: bool = False,
        data_dir: Path | None = None,
    ) -> None:
        """``extra_file_dir`` has the files ``pm_*.json``; ``data_dir`` stands for the package's own data."""
        self.verbose = verbose
        self._truths = [os.fspath(data_dir) if data_dir is not None else _installed()]
        if extra_file_dir is not None:
            extra = os.fspath(extra_file_dir)
            self._truths.append(os.path.join(extra, "pm_image_to_caption.json"))
            self._truths.append(os.path.join(extra, "pm_caption_to_image.json"))
        self._retrieved: dict[str, Retrieved] = {}

    def set_i2t_retrieved_items(self, i2t_retrieved_items: Retrieved) -> None:
        """Keeps the captions retrieved for each image."""
        self._retrieved["i2t"] = checked_lists(i2t_retrieved_items, "i2t_retrieved_items")

    def set_t2i_retrieved_items(self, t2i_retrieved_items: Retrieved) -> None:
        """Keeps the images retrieved for each caption."""
        self._retrieved["t2i"] = checked_lists(t2i_retrieved_items, "t2i_retrieved_items")

    def compute_all_metrics(
        self,
        i2t_retrieved_items: Retrieved | None = None,
        t2i_retrieved_items: Retrieved | None = None,
        target_metrics: Sequence[str] = ("coco_1k_r1", "coco_5k_r1", "cxc_r1", "eccv_r1", "eccv_map_at_r"),
        Ks: Sequence[int] = (1, 5, 10),
        verbose: bool | None = None,
    ) -> dict[str, dict[str, float]]:
        """The metrics, as ``{"eccv_map_at_r": {"i2t": .., "t2i": ..}}``; ``NAME_recalls`` is R@K for each of ``Ks``."""
        if (i2t_retrieved_items is None) != (t2i_retrieved_items is None):
            raise ValueError("items of one direction: both are wanted, or none where both were set before")
        if i2t_retrieved_items is not None and t2i_retrieved_items is not None:
            self.set_i2t_retrieved_items(i2t_retrieved_items)
            self.set_t2i_retrieved_items(t2i_retrieved_items)
        if len(self._retrieved) < 2:
            raise TypeError("no retrieved items: pass i2t_retrieved_items and t2i_retrieved_items, or set them before")
        keys = list(dict.fromkeys(key for target in target_metrics for key in _keys(target, Ks)))
        options = {"metrics": keys, "k": sorted(set(Ks) | {1})}
        if "pmrp" not in keys and all(map(_is_long, self._retrieved.values())):
            # Beginnings mostly tell all values, where there are not thousands of positives. A value that they leave open
            # is undefined, and the whole lists tell it.
            with warnings.catch_warnings(record=True) as said:
                beginnings = {direction: _beginnings(lists) for direction, lists in self._retrieved.items()}
                metrics = self._counted(beginnings, options)
            if all(value is not None for of_key in metrics.values() for value in of_key.values()):
                for one in said:
                    warnings.warn(one.message, stacklevel=2)
                return metrics
        # An item that is not in a list was not retrieved.
        return self._counted(self._retrieved, {**options, "short_lists": "miss"})

    def _counted(self, retrieved: Mapping[str, Retrieved], options: Mapping[str, Any]) -> dict[str, dict[str, float]]:
        call = Call("evaluate")
        for truth in self._truths:
            call.truth(truth)
        for direction, lists in retrieved.items():
            call.lists(direction, lists)
        call.options(options)
        [model] = call.report()[0]["models"]
        metrics: dict[str, dict[str, float]] = {key: model["metrics"][key] for key in options["metrics"]}
        return metrics


def _is_long(retrieved: Retrieved) -> bool:
    """Whether every list goes on behind its beginning."""
    return not is_frame(retrieved) and all(len(items) > _BEGINNING for items in retrieved.values())


def _beginnings(retrieved: Retrieved) -> Retrieved:
    return {query: items[:_BEGINNING] for query, items in retrieved.items()}


def _keys(target: str, depths: Sequence[int]) -> list[str]:
    dataset, _, kind = target.rpartition("_")
    if target in _SINGLE or (kind == "r1" and dataset in _KNOWN):
        return [target]
    if kind == "recalls" and dataset in _KNOWN:
        return [f"{dataset}_r{k}" for k in depths]
    known = [f"{name}_{kind}" for name in _KNOWN for kind in ("r1", "recalls")] + list(_SINGLE)
    raise ValueError(f"{target!r} is no metric; known are {', '.join(known)}")


def _installed() -> str:
    """The data of the package, which is not imported."""
    found = importlib.util.find_spec("eccv_caption")
    if found is None or not found.submodule_search_locations:
        raise ITMError(
            "no ground truths: the package eccv_caption is not installed; install it, or pass data_dir=, a folder with "
            "coco_test_ids.npy and NAME_image_to_caption.json, NAME_caption_to_image.json of original, cxc and eccv"
        )
    return os.path.join(found.submodule_search_locations[0], "data")
