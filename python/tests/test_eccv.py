"""Stands in for ``eccv_caption``: equal to 1e-12 where that package is installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from itm_explore import Metrics, evaluate

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


# Of 700 items the first 512 tell all, of 60 the first 12 do not.
@pytest.mark.parametrize(("seed", "depth", "beginning"), [(1, 60, 12), (2, 700, 512)])
def test_equal_to_the_package(shared: Path, seed: int, depth: int, beginning: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("itm_explore.eccv._BEGINNINGS", (beginning,))
    reference = pytest.importorskip("eccv_caption").Metrics()
    lists = rankings(shared, seed, depth)
    ours = Metrics(data_dir=shared).compute_all_metrics(lists["i2t"], lists["t2i"], target_metrics=ALL)
    theirs: dict[str, Any] = {}
    for wanted in (ALL, ALL[:4]):
        theirs.update(reference.compute_all_metrics(lists["i2t"], lists["t2i"], target_metrics=wanted))
    assert set(theirs) == set(ours)
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, abs=1e-12), key


def test_every_public_method_gives_the_values_of_the_package(shared: Path) -> None:
    package = pytest.importorskip("eccv_caption")
    reference, ours = package.Metrics(), Metrics(data_dir=shared)
    lists = rankings(shared, 4, 300)
    public = [name for name in dir(reference) if not name.startswith("_")]
    assert set(public) <= set(dir(ours))
    assert (reference.coco_ids == ours.coco_ids).all() and ours.pm_gts == reference.pm_gts
    for name in ("coco_gts", "cxc_gts", "eccv_gts"):
        assert getattr(ours, name) == getattr(reference, name)
    for modality in ("all", "i2t", "t2i"):
        for name in ("coco_1k_recalls", "coco_5k_recalls", "cxc_recalls", "eccv_recalls"):
            for k in (1, 5):
                wanted = getattr(reference, name)(lists, modality, K=k)
                assert getattr(ours, name)(lists, modality, K=k) == pytest.approx(wanted, abs=1e-12), (name, modality)
        theirs = reference.eccv_metrics(lists, modality)
        assert ours.eccv_metrics(lists, modality) == {key: pytest.approx(theirs[key], abs=1e-12) for key in theirs}
    with pytest.warns(UserWarning, match="Plausible Match"):
        assert ours.pmrp(lists, "all") is None
    # The same positives for another ground truth, in files of other names.
    files = [str(shared / f"original_{sides}.json") for sides in ("image_to_caption", "caption_to_image")]
    for metrics in (reference, ours):
        metrics.set_pm_gts(*files)
        metrics.set_eccv_gts(*files)
    assert ours.pmrp(lists, "all") == pytest.approx(reference.pmrp(lists, "all"), abs=1e-12)
    assert ours.eccv_recalls(lists, "all") == pytest.approx(reference.eccv_recalls(lists, "all"), abs=1e-12)


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


def test_equal_to_the_package_where_scores_are_equal(shared: Path) -> None:
    """Scores of few values, the lower index first among equal ones, as a stable sort has them."""
    oracles = shared.parent.parent / "oracles"
    truths = oracles / "ties_120_truths"
    sims = np.load(oracles / "ties_120.npy")
    captions = np.load(oracles / "ties_120_caption_ids.npy").tolist()
    own = json.loads((truths / "original_caption_to_image.json").read_text())
    images = [own[str(caption)][0] for caption in captions[::5]]
    wanted = json.loads((oracles / "ties_120.json").read_text())["metrics"]

    found = evaluate(sims, truths, image_ids=images, caption_ids=captions)
    assert {key: found["sims"][key] for key in wanted} == {key: pytest.approx(value, abs=1e-12) for key, value in wanted.items()}

    def lists(scores: np.ndarray, queries: list[int], items: list[int]) -> dict[int, list[int]]:
        order = np.argsort(-scores, axis=1, kind="stable")
        return {query: [items[at] for at in row] for query, row in zip(queries, order)}

    i2t, t2i = lists(sims, images, captions), lists(sims.T, captions, images)
    reference = pytest.importorskip("eccv_caption").Metrics()
    for name in ("cxc", "eccv"):
        files = [str(truths / f"{name}_{sides}.json") for sides in ("image_to_caption", "caption_to_image")]
        getattr(reference, f"set_{name}_gts")(*files)
    for target in (["cxc_recalls", "eccv_recalls"], ["eccv_rprecision", "eccv_map_at_r"]):
        theirs = reference.compute_all_metrics(i2t, t2i, target_metrics=target)
        ours = Metrics(data_dir=truths).compute_all_metrics(i2t, t2i, target_metrics=target)
        assert set(theirs) == set(ours)
        assert all(ours[key] == pytest.approx(theirs[key], abs=1e-12) for key in theirs)
