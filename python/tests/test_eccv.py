"""Stands in for ``eccv_caption``: equal to 1e-12 where that package is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from itm_explore import Metrics

ALL = ("coco_1k_recalls", "coco_5k_recalls", "cxc_recalls", "eccv_recalls", "eccv_rprecision", "eccv_map_at_r")


def rankings(shared: Path, seed: int, depth: int) -> dict[str, dict[int, list[int]]]:
    """Rankings drawn from a seed, with the positives among them."""
    rng = np.random.default_rng(seed)
    found = {}
    for direction, name in (("i2t", "image_to_caption"), ("t2i", "caption_to_image")):
        positives = json.loads((shared / f"original_{name}.json").read_text())
        rich = json.loads((shared / f"eccv_{name}.json").read_text())
        other = json.loads((shared / f"original_{'caption_to_image' if direction == 'i2t' else 'image_to_caption'}.json").read_text())
        items = np.array([int(key) for key in other])
        lists = {}
        for query, own in positives.items():
            drawn = rng.choice(items, depth, replace=False).tolist()
            # Two ids of ECCV Caption are in no gallery of COCO's test images.
            for item in {*own, *rich.get(query, [])} & set(items.tolist()):
                drawn.insert(int(rng.integers(0, depth)), int(item))
            lists[int(query)] = list(dict.fromkeys(drawn))[:depth]
        found[direction] = lists
    return found


@pytest.mark.parametrize(("seed", "depth"), [(1, 60), (2, 400)])
def test_equal_to_the_package(shared: Path, seed: int, depth: int) -> None:
    reference = pytest.importorskip("eccv_caption").Metrics()
    lists = rankings(shared, seed, depth)
    ours = Metrics(data_dir=shared).compute_all_metrics(lists["i2t"], lists["t2i"], target_metrics=ALL)
    theirs: dict[str, Any] = {}
    for wanted in (ALL, ALL[:4]):
        theirs.update(reference.compute_all_metrics(lists["i2t"], lists["t2i"], target_metrics=wanted))
    assert set(theirs) == set(ours)
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, abs=1e-12), key


def test_usual_keys(shared: Path) -> None:
    lists = rankings(shared, 3, 20)
    metrics = Metrics(data_dir=shared)
    metrics.set_i2t_retrieved_items(lists["i2t"])
    metrics.set_t2i_retrieved_items(lists["t2i"])
    assert list(metrics.compute_all_metrics()) == ["coco_1k_r1", "coco_5k_r1", "cxc_r1", "eccv_r1", "eccv_map_at_r"]


def test_mistakes(tmp_path: Path) -> None:
    metrics = Metrics(data_dir=tmp_path)
    with pytest.raises(TypeError, match="no retrieved items"):
        metrics.compute_all_metrics()
    with pytest.raises(TypeError, match="a list"):
        metrics.set_i2t_retrieved_items([])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one direction"):
        metrics.compute_all_metrics({1: [2]})
    with pytest.raises(ValueError, match="eccv_map"):
        metrics.compute_all_metrics({1: [2]}, {2: [1]}, target_metrics=["eccv_map"])
