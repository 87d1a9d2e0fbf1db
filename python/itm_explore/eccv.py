"""Stands in for ``eccv_caption.Metrics``: the same constructor, the same methods, the same keys.

The ground truths are those files of the package ``eccv_caption``, if it is installed, or of a folder with the same
files. Beyond it: each key that is asked for is in the result, ``pmrp`` too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from .calls import Lists, Path, Truth
from .errors import ITMError
from .frames import is_frame
from .functions import evaluate

_KNOWN = ("coco_1k", "coco_5k", "cxc", "eccv")
_SINGLE = ("eccv_rprecision", "eccv_map_at_r", "pmrp")
#: The beginnings of names of files.
_FILES = {"coco": "original", "cxc": "cxc", "eccv": "eccv", "pm": "pm"}
_SIDES = {"i2t": "image_to_caption", "t2i": "caption_to_image"}
#: Items of each list that are read first, then next. Where they leave a value open, the whole lists tell it.
_BEGINNINGS = (256, 1024)
#: The greatest id that a table of places has room for.
_MAX_ID = 1 << 26

Values = dict[str, float]
Gts = dict[str, dict[int, list[int]]]


class Metrics:
    """R@K, R-Precision and mAP@R on COCO 1K and 5K, CxC, ECCV Caption and Plausible Match."""

    def __init__(self, extra_file_dir: Path | None = None, verbose: bool = False, data_dir: Path | None = None) -> None:
        """``extra_file_dir`` has the files ``pm_*.json``; ``data_dir`` stands for the package's own data."""
        self.verbose = verbose
        self._folder = os.fspath(data_dir) if data_dir is not None else _installed()
        self._gts: dict[str, dict[str, Path]] = {}
        folders = {name: self._folder for name in ("coco", "cxc", "eccv")}
        if extra_file_dir is not None:
            folders["pm"] = os.fspath(extra_file_dir)
        for name, folder in folders.items():
            files = {direction: os.path.join(folder, f"{_FILES[name]}_{sides}.json") for direction, sides in _SIDES.items()}
            if name == "pm" or all(map(os.path.exists, files.values())):
                self._gts[name] = {**files}

    @property
    def coco_gts(self) -> Gts:
        """Positives of COCO, by integer ids."""
        return _read(self._gts.get("coco", {}))

    @property
    def cxc_gts(self) -> Gts:
        """Positives of Crisscrossed Captions, by integer ids."""
        return _read(self._gts.get("cxc", {}))

    @property
    def eccv_gts(self) -> Gts:
        """Positives of ECCV Caption, by integer ids."""
        return _read(self._gts.get("eccv", {}))

    @property
    def pm_gts(self) -> Gts:
        """Positives of Plausible Match, by integer ids."""
        return _read(self._gts.get("pm", {}))

    @property
    def coco_ids(self) -> Any:
        """Ids of the captions of the COCO test gallery."""
        import numpy as np

        return np.load(os.path.join(self._folder, "coco_test_ids.npy"))

    def set_coco_gts(self, coco_i2t_json_path: Path, coco_t2i_json_path: Path) -> None:
        """Reads the original ground truth from other files."""
        self._gts["coco"] = {"i2t": coco_i2t_json_path, "t2i": coco_t2i_json_path}

    def set_cxc_gts(self, cxc_i2t_json_path: Path, cxc_t2i_json_path: Path) -> None:
        """Reads Crisscrossed Captions from other files."""
        self._gts["cxc"] = {"i2t": cxc_i2t_json_path, "t2i": cxc_t2i_json_path}

    def set_eccv_gts(self, eccv_i2t_json_path: Path, eccv_t2i_json_path: Path) -> None:
        """Reads ECCV Caption from other files."""
        self._gts["eccv"] = {"i2t": eccv_i2t_json_path, "t2i": eccv_t2i_json_path}

    def set_pm_gts(self, pm_i2t_json_path: Path, pm_t2i_json_path: Path) -> None:
        """Reads Plausible Match from files."""
        self._gts["pm"] = {"i2t": pm_i2t_json_path, "t2i": pm_t2i_json_path}

    def set_i2t_retrieved_items(self, i2t_retrieved_items: Lists) -> None:
        """Keeps the captions retrieved for each image."""
        self.i2t_retrived_items = _checked(i2t_retrieved_items, "i2t_retrieved_items")

    def set_t2i_retrieved_items(self, t2i_retrieved_items: Lists) -> None:
        """Keeps the images retrieved for each caption."""
        self.t2i_retrived_items = _checked(t2i_retrieved_items, "t2i_retrieved_items")

    def coco_1k_recalls(self, retrieved_items: Mapping[str, Lists], modality: str, K: int = 1) -> Values | float:
        """R@K on COCO 1K, the mean of five folds; of one modality a number."""
        values = self._one(retrieved_items, modality, f"coco_1k_r{K}", K)
        return values if modality == "all" else values[modality]

    def coco_5k_recalls(self, retrieved_items: Mapping[str, Lists], modality: str, K: int = 1) -> Values:
        """R@K on COCO 5K."""
        return self._one(retrieved_items, modality, f"coco_5k_r{K}", K)

    def cxc_recalls(self, retrieved_items: Mapping[str, Lists], modality: str, K: int = 1) -> Values:
        """R@K on Crisscrossed Captions."""
        return self._one(retrieved_items, modality, f"cxc_r{K}", K)

    def eccv_recalls(self, retrieved_items: Mapping[str, Lists], modality: str, K: int = 1) -> Values:
        """R@K on ECCV Caption."""
        return self._one(retrieved_items, modality, f"eccv_r{K}", K)

    def eccv_metrics(self, retrieved_items: Mapping[str, Lists], modality: str) -> dict[str, Values]:
        """mAP@R, R-Precision and R@1 on ECCV Caption."""
        return self._computed(retrieved_items, modality, ["eccv_map_at_r", "eccv_rprecision", "eccv_r1"], [1])

    def pmrp(self, retrieved_items: Mapping[str, Lists], modality: str) -> Values | None:
        """R-Precision on Plausible Match; nothing where its files were not named."""
        if "pm" not in self._gts:
            warnings.warn("no files of Plausible Match: pass extra_file_dir=, or call set_pm_gts", stacklevel=2)
            return None
        return self._one(retrieved_items, modality, "pmrp", 1)

    def compute_all_metrics(
        self,
        i2t_retrieved_items: Lists | None = None,
        t2i_retrieved_items: Lists | None = None,
        target_metrics: Sequence[str] = ("coco_1k_r1", "coco_5k_r1", "cxc_r1", "eccv_r1", "eccv_map_at_r"),
        Ks: Sequence[int] = (1, 5, 10),
        verbose: bool | None = None,
    ) -> dict[str, Values]:
        """The metrics, as ``{"eccv_map_at_r": {"i2t": .., "t2i": ..}}``; ``NAME_recalls`` is R@K for each of ``Ks``."""
        if (i2t_retrieved_items is None) != (t2i_retrieved_items is None):
            raise ValueError("items of one direction: both are wanted, or none where both were set before")
        if i2t_retrieved_items is not None and t2i_retrieved_items is not None:
            self.set_i2t_retrieved_items(i2t_retrieved_items)
            self.set_t2i_retrieved_items(t2i_retrieved_items)
        if not (hasattr(self, "i2t_retrived_items") and hasattr(self, "t2i_retrived_items")):
            raise TypeError("no retrieved items: pass i2t_retrieved_items and t2i_retrieved_items, or set them before")
        keys = list(dict.fromkeys(key for target in target_metrics for key in _keys(target, Ks)))
        retrieved = {"i2t": self.i2t_retrived_items, "t2i": self.t2i_retrived_items}
        return self._computed(retrieved, "all", keys, Ks)

    def _one(self, retrieved: Mapping[str, Lists], modality: str, key: str, depth: int) -> Values:
        return self._computed(retrieved, modality, [key], [depth])[key]

    def _computed(self, retrieved: Mapping[str, Lists], modality: str, keys: list[str], depths: Sequence[int]) -> dict[str, Values]:
        if modality not in ("i2t", "t2i", "all"):
            raise ValueError(f"modality: {modality!r}; i2t, t2i or all is wanted")
        wanted = ("i2t", "t2i") if modality == "all" else (modality,)
        if not isinstance(retrieved, Mapping) or not set(wanted) <= set(retrieved):
            raise ValueError(f"retrieved_items: no items of {modality}; a dictionary of i2t and t2i is wanted")
        options: dict[str, Any] = {"metrics": keys, "k": sorted({*depths, 1})}
        for depth in () if "pmrp" in keys or len(wanted) < 2 else _BEGINNINGS:
            neighbours = self._neighbours(retrieved, depth)
            if neighbours is None:
                break
            with warnings.catch_warnings(record=True) as said:
                found = evaluate(None, *self._truths(), **neighbours, **options)
            metrics = _of(found, keys, wanted)
            if all(value is not None for values in metrics.values() for value in values.values()):
                for one in said:
                    warnings.warn(one.message, stacklevel=3)
                return metrics
        # An item that is not in a list was not retrieved.
        lists: dict[str, Any] = {f"run_{direction}": _checked(retrieved[direction], f"{direction} items") for direction in wanted}
        return _of(evaluate(None, *self._truths(), **lists, **options, short_lists="miss"), keys, wanted)

    def _truths(self) -> list[Truth]:
        """The files, or what they hold where their names do not tell what they are."""
        truths: list[Truth] = []
        for name, files in self._gts.items():
            usual = {direction: f"{_FILES[name]}_{sides}.json" for direction, sides in _SIDES.items()}
            if all(os.path.basename(file) == usual[direction] for direction, file in files.items()):
                truths += files.values()
            else:
                truths.append({_FILES[name]: _read(files)})
        ids = os.path.join(self._folder, "coco_test_ids.npy")
        return truths + [ids] * os.path.exists(ids)

    def _neighbours(self, retrieved: Mapping[str, Any], depth: int) -> dict[str, Any] | None:
        """The beginnings of all lists as arrays of places in the COCO test gallery, which are read where they are; nothing
        where lists differ in length, or have other ids."""
        import numpy as np

        if "coco" not in self._gts or any(is_frame(lists) for lists in retrieved.values()):
            return None
        try:
            captions = self.coco_ids.tolist()
            own = _read({"t2i": self._gts["coco"]["t2i"]})["t2i"]
            queries = {"i2t": list(dict.fromkeys(own[caption][0] for caption in captions)), "t2i": captions}
            ids = {direction: np.array(those) for direction, those in queries.items()}
            lists = {direction: [retrieved[direction][query] for query in those] for direction, those in queries.items()}
            is_long = {direction: any(len(items) > depth for items in those) for direction, those in lists.items()}
            found = {direction: np.array([items[:depth] for items in those] if is_long[direction] else those) for direction, those in lists.items()}
        except (KeyError, OSError, TypeError, ValueError):
            return None
        for direction, other in (("i2t", "t2i"), ("t2i", "i2t")):
            items, places = ids[other], found[direction]
            is_known = places.ndim == 2 and places.size > 0 and places.dtype.kind in "iu" and min(items.min(), places.min()) >= 0
            if not is_known or max(items.max(), places.max()) > _MAX_ID:
                return None
            table = np.full(max(items.max(), places.max()) + 1, -1, np.int32)
            table[items] = np.arange(len(items), dtype=np.int32)
            found[direction] = table[places]
            if (found[direction] < 0).any():
                return None
        options = {"knn": found, "image_ids": ids["i2t"], "caption_ids": ids["t2i"]}
        return options if any(is_long.values()) else {**options, "short_lists": "miss"}


def _of(found: Mapping[str, Any], keys: list[str], directions: Sequence[str]) -> dict[str, Values]:
    [metrics] = found.values()
    return {key: {direction: metrics[key][direction] for direction in directions} for key in keys}


def _checked(lists: Lists, argument: str) -> Lists:
    if not (isinstance(lists, Mapping) or is_frame(lists)):
        raise TypeError(f"{argument}: a {type(lists).__name__}; a dictionary of query ids and lists of item ids is wanted")
    return lists


def _read(files: Mapping[str, Path]) -> Gts:
    """The positives of both directions, by integer ids; nothing where there are no files."""
    truth = {}
    for direction, path in files.items():
        with open(path, encoding="utf-8") as file:
            truth[direction] = {int(query): [int(item) for item in items] for query, items in json.load(file).items()}
    return truth


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
