"""Runs and qrels of other packages give the numbers of the scores that they were made from."""

from __future__ import annotations

from typing import Any

import itm_explore
import numpy as np
import pytest

METRICS = ["r1", "map_at_r", "ndcg_at_k"]


def run_of(scores: np.ndarray, depth: int) -> dict[str, dict[str, float]]:
    """The best items of each query with their scores, not in order."""
    best = np.argsort(-scores, axis=1)[:, :depth]
    return {str(query): {str(item): float(scores[query, item]) for item in sorted(items)} for query, items in enumerate(best)}


@pytest.fixture
def qrels() -> dict[str, dict[str, int]]:
    """Grades of captions as queries: two for the own image, 1 and 0 for others."""
    return {str(caption): {str(caption // 5): 2, str((caption // 5 + 1) % 10): caption % 2} for caption in range(50)}


class Ranx:
    """A run or qrels of ranx, as far as it is read: numba's typed dictionaries have `to_dict`."""

    def __init__(self, kind: str, content: Any) -> None:
        setattr(self, kind, None)
        self.content = content

    def to_dict(self) -> Any:
        return self.content


def test_runs_and_qrels_are_dictionaries(sims: np.ndarray, qrels: Any) -> None:
    run = run_of(sims.T, 10)
    wanted = itm_explore.evaluate({"ours": sims}, {"rich": {"t2i": qrels}}, metrics=METRICS)["ours"]
    assert all(wanted[key]["t2i"] is not None for key in wanted) and len(wanted) == 5
    for truth in ({"rich": {"t2i": qrels}}, {"rich": {"t2i": Ranx("qrels", qrels)}}):
        for scores in ({"ours": {"t2i": run}}, {"ours": {"t2i": Ranx("run", run)}}):
            found = itm_explore.evaluate(scores, truth, metrics=METRICS, short_lists="miss")
            assert list(found) == ["ours"]
            assert {key: found["ours"][key]["t2i"] for key in wanted} == {
                key: pytest.approx(wanted[key]["t2i"], abs=1e-12) for key in wanted
            }
        alone = itm_explore.evaluate(None, truth, run_t2i=run, metrics=METRICS, short_lists="miss")
        assert list(alone.values()) == list(found.values())


def test_several_models_may_be_runs(sims: np.ndarray, truth: Any) -> None:
    models = {name: {"i2t": run_of(scores, 50), "t2i": run_of(scores.T, 10)} for name, scores in (("a", sims), ("b/c.d", -sims))}
    found = itm_explore.evaluate(models, {"rich": truth}, metrics=["r1"], short_lists="miss")
    wanted = itm_explore.evaluate({"a": sims, "b/c.d": -sims}, {"rich": truth}, metrics=["r1"])
    assert found == wanted


def test_arguments_of_torchmetrics(sims: np.ndarray) -> None:
    images = np.arange(50) // 5
    preds, indexes = sims.T.ravel(), np.repeat(np.arange(50), 10)
    target = (np.tile(np.arange(10), 50) == np.repeat(images, 10)).astype(int)
    run, qrels = itm_explore.from_torchmetrics(preds, target, indexes)
    found = itm_explore.evaluate({"ours": {"t2i": run}}, {"own": {"t2i": qrels}}, metrics=["r1", "mean_rank"])
    wanted = itm_explore.evaluate({"ours": sims}, captions_per_image=5, metrics=["r1", "mean_rank"])
    for key in ("r1", "mean_rank"):
        assert found["ours"][f"own_{key}"]["t2i"] == pytest.approx(wanted["ours"][f"original_{key}"]["t2i"], abs=1e-12)


def test_columns_of_a_dataset(sims: np.ndarray) -> None:
    datasets = pytest.importorskip("datasets")
    order = np.random.default_rng(4).permutation(500)
    rows = [(caption, image, float(sims[image, caption])) for caption in range(50) for image in range(10)]
    lists = datasets.Dataset.from_dict({name: [row[at] for row in rows] for at, name in enumerate(("query", "item", "score"))})
    pairs = datasets.Dataset.from_dict({"image_id": [c // 5 for c in range(50)], "caption_id": list(range(50))})
    found = itm_explore.evaluate({"ours": {"t2i": lists.select(order)}}, {"own": pairs}, metrics=["r1"])
    ids = itm_explore.evaluate(sims, {"own": pairs}, image_ids=list(range(10)), caption_ids=pairs["caption_id"], metrics=["r1"])
    assert found["ours"]["own_r1"]["t2i"] == ids["sims"]["own_r1"]["t2i"]


def test_mistakes(sims: np.ndarray, qrels: Any) -> None:
    run: Any = run_of(sims.T, 10)
    with pytest.raises(TypeError, match="ranked lists without a direction"):
        itm_explore.evaluate(run, {"rich": {"t2i": qrels}})
    with pytest.raises(TypeError, match="ranked lists without a direction"):
        itm_explore.evaluate(Ranx("run", run), {"rich": {"t2i": qrels}})
    with pytest.raises(itm_explore.ITMError):
        itm_explore.evaluate(sims, {"rich": qrels})
