"""Results and calls in other processes: forks, pickles, memory."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import sys
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import itm_explore
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
#: Seconds after which a process hangs.
LONG = 60


def evaluated(scores: np.ndarray) -> itm_explore.Evaluation:
    """R@1 of five captions an image."""
    return itm_explore.evaluate(scores, captions_per_image=5, metrics=["r1"])


def code_of_fork(work: Callable[[], bool]) -> int | None:
    """Forks, and gives back the exit code of the child: 0 where its work was right; None where it hung."""
    child = os.fork()
    if child == 0:
        code = 2
        try:
            code = 0 if work() else 1
        finally:
            os._exit(code)
    for _ in range(LONG * 100):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return None


def test_a_forked_child_counts_after_its_parent_did(sims: np.ndarray) -> None:
    wanted = evaluated(sims)
    assert code_of_fork(lambda: evaluated(sims) == wanted) == 0
    # And a child of the child.
    assert code_of_fork(lambda: evaluated(sims) == wanted and code_of_fork(lambda: evaluated(sims) == wanted) == 0) == 0
    assert evaluated(sims) == wanted


def test_pools_of_forked_workers(sims: np.ndarray) -> None:
    wanted = evaluated(sims)
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        assert pool.map_async(evaluated, [sims] * 4).get(LONG) == [wanted] * 4
    with ProcessPoolExecutor(2, mp_context=context) as workers:
        assert list(workers.map(evaluated, [sims] * 4, timeout=LONG)) == [wanted] * 4


def test_workers_of_a_data_loader(sims: np.ndarray) -> None:
    data = pytest.importorskip("torch.utils.data")
    wanted = evaluated(sims)["sims"]["original_r1"]["i2t"]

    class Found(data.Dataset):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 4

        def __getitem__(self, at: int) -> float:
            return evaluated(sims)["sims"]["original_r1"]["i2t"]

    loader = data.DataLoader(Found(), num_workers=2, timeout=LONG)
    assert [float(found) for found in loader] == [wanted] * 4


def test_a_child_forked_during_a_call_of_another_thread_says_so() -> None:
    import threading

    scores = np.random.default_rng(0).normal(size=(1_000, 5_000)).astype("f4")
    thread = threading.Thread(target=lambda: itm_explore.compare({"a": scores, "b": scores[::-1].copy()}, captions_per_image=5))
    thread.start()

    def says() -> bool:
        try:
            evaluated(scores)
        except RuntimeError as error:
            return "forked" in str(error)
        # The call had not begun yet.
        return False

    codes: list[int | None] = []
    while thread.is_alive() and 0 not in codes and None not in codes:
        codes.append(code_of_fork(says))
    thread.join()
    assert 0 in codes


def results(sims: np.ndarray, truth: Any) -> list[Any]:
    """One of every kind."""
    models = {"a": sims, "b": np.flip(sims, 1)}
    return [
        itm_explore.evaluate(sims, truth),
        itm_explore.evaluate(models, truth),
        itm_explore.compare(models, truth, metrics=["r1"]),
        itm_explore.errors(sims, truth),
        itm_explore.doctor(sims, truth),
        itm_explore.mix(models, truth),
        itm_explore.find(sims, truth, where="r1 == 0"),
        itm_explore.per_query(sims, truth),
    ]


def test_results_are_pickled(sims: np.ndarray, truth: Any, tmp_path: Path) -> None:
    for result in results(sims, {"rich": truth}):
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is type(result) and again == result
        assert str(again) == str(result) and again._repr_html_() == result._repr_html_()
        assert copy.deepcopy(result) == result
    evaluation = evaluated(sims)
    again = pickle.loads(pickle.dumps(evaluation))
    assert again.tree == evaluation.tree and again.to_latex() == evaluation.to_latex()
    joblib = pytest.importorskip("joblib")
    joblib.dump(evaluation, tmp_path / "result.joblib")
    assert joblib.load(tmp_path / "result.joblib") == evaluation


def test_results_are_saved_with_a_model(sims: np.ndarray, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.save({"metrics": evaluated(sims)}, tmp_path / "epoch.pt")
    assert torch.load(tmp_path / "epoch.pt", weights_only=False)["metrics"] == evaluated(sims)


def test_results_hold_no_scores(sims: np.ndarray, truth: Any) -> None:
    class Scores(np.ndarray[Any, Any]):
        """An array that weak references may be of."""

    scores = sims.view(Scores)
    held = [weakref.ref(scores)]
    kept = results(scores, {"rich": truth})
    del scores
    assert all(ref() is None for ref in held) and kept
    # The native part lets go of them too.
    references = sys.getrefcount(sims)
    kept.append(evaluated(sims))
    for _ in range(100):
        if sys.getrefcount(sims) == references:
            break
        time.sleep(0.05)
        evaluated(sims[:1, :5])
    assert sys.getrefcount(sims) == references


def test_forms_are_of_what_was_computed(truth: Any) -> None:
    scores = np.random.default_rng(1).random((10, 50), "f4")
    result = itm_explore.evaluate(scores, {"rich": truth}, metrics=["r1"])
    value = f"{100 * result['sims']['rich_r1']['i2t']:.2f}"
    scores[:] = 0
    scores[np.arange(50) // 5, np.arange(50)] = 1
    assert itm_explore.evaluate(scores, {"rich": truth}, metrics=["r1"])["sims"]["rich_r1"]["i2t"] != result["sims"]["rich_r1"]["i2t"]
    for form in (result.to_table(), result.to_markdown(), result.to_html(), str(result), result._repr_html_()):
        assert value in form
    assert f"{100 * result['sims']['rich_r1']['i2t']:.1f}" in result.to_latex()
