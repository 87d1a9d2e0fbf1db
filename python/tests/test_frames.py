"""Data frames give the numbers of the arrays and dictionaries that hold the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import itm_explore
import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow")

DEPTH = 20


def lists(scores: np.ndarray) -> dict[str, np.ndarray]:
    """The best items of each query, as columns."""
    best = np.argsort(-scores, axis=1)[:, :DEPTH]
    return {
        "query": np.repeat(np.arange(len(scores)), best.shape[1]),
        "item": best.ravel(),
        "score": np.take_along_axis(scores, best, 1).ravel(),
    }


def one(result: itm_explore.Evaluation) -> Any:
    """The metrics of the only model."""
    [metrics] = result.values()
    return metrics


def frames(columns: dict[str, Any], package: str) -> Any:
    """A frame of a package."""
    if package == "pandas":
        return pd.DataFrame(columns)
    if package == "polars":
        return pytest.importorskip("polars").DataFrame(columns)
    if package == "duckdb":
        table = pa.table(columns)
        return pytest.importorskip("duckdb").from_arrow(table)
    return pa.table(columns)


PACKAGES = ("pandas", "polars", "pyarrow", "duckdb")


@pytest.mark.parametrize("package", PACKAGES)
def test_ranked_lists(package: str, sims: np.ndarray, truth: Any) -> None:
    wanted = itm_explore.evaluate({"ours": sims}, {"rich": truth})
    i2t, t2i = (frames(lists(scores), package) for scores in (sims, sims.T))
    options: dict[str, Any] = {"short_lists": "miss", "metrics": ["r1", "r5", "map_at_r"]}
    for found in (
        itm_explore.evaluate({"ours": {"i2t": i2t, "t2i": t2i}}, {"rich": truth}, **options),
        itm_explore.evaluate(None, {"rich": truth}, run_i2t=i2t, run_t2i=t2i, **options),
    ):
        [metrics] = found.values()
        assert metrics == {key: pytest.approx(wanted["ours"][key], abs=1e-12) for key in metrics}
        assert {"rich_r1", "rich_r5", "rich_map_at_r"} <= set(metrics)
        assert "rich" in found.to_latex()


def test_ids_may_be_text_and_categories(sims: np.ndarray) -> None:
    columns = lists(sims)
    named = {**columns, "query": [f"{i}.jpg" for i in columns["query"]], "item": [f"c{i}" for i in columns["item"]]}
    truth = {"i2t": {f"{i}.jpg": [f"c{5 * i + k}" for k in range(5)] for i in range(10)}}
    ids = {"image_ids": [f"{i}.jpg" for i in range(10)], "caption_ids": [f"c{i}" for i in range(50)]}
    wanted = itm_explore.evaluate(sims, captions_per_image=5, metrics=["r5"])
    frame = pd.DataFrame(named)
    for lists_of in (frame, frame.astype({"query": "category"}), frame.drop(columns="score").assign(rank=np.arange(len(frame)))):
        found = itm_explore.evaluate(None, {"rich": truth}, run_i2t=lists_of, metrics=["r5"], **ids)
        assert one(found)["rich_r5"]["i2t"] == pytest.approx(one(wanted)["original_r5"]["i2t"], abs=1e-12)


@pytest.mark.parametrize("package", PACKAGES)
def test_pairs(package: str, sims: np.ndarray) -> None:
    columns = {"image_id": np.arange(50) // 5, "caption_id": np.arange(50)}
    wanted = itm_explore.evaluate(sims, captions_per_image=5, metrics=["r1"])["sims"]["original_r1"]
    pairs = frames(columns, package)
    assert itm_explore.evaluate(sims, {"rich": pairs}, metrics=["r1"])["sims"]["rich_r1"] == wanted
    assert itm_explore.evaluate(sims, pairs, metrics=["r1"])["sims"]["truth_r1"] == wanted
    one = frames({"query": columns["caption_id"], "item": columns["image_id"]}, package)
    found = itm_explore.evaluate(sims, {"rich": {"t2i": one}}, metrics=["r1"])["sims"]["rich_r1"]
    assert found == wanted  # each caption has one image: the captions of an image follow


def test_grades_are_those_of_qrels(sims: np.ndarray, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    rows = [(query, int(item), int(grade)) for query in range(10) for item, grade in zip(rng.choice(50, 8, False), rng.integers(-1, 4, 8))]
    qrels = tmp_path / "rich_i2t.qrels"
    qrels.write_text("".join(f"{query} 0 {item} {grade}\n" for query, item, grade in rows))
    options: dict[str, Any] = {"metrics": ["r1", "ndcg_at_k", "bpref"], "relevant_from": 2}
    wanted = itm_explore.evaluate(sims, qrels, **options)
    frame = pd.DataFrame(rows, columns=["query", "item", "grade"])
    assert itm_explore.evaluate(sims, {"rich": {"i2t": frame}}, **options) == wanted


@pytest.mark.parametrize("package", PACKAGES)
def test_wide_tables_are_matrices_with_ids(package: str, sims: np.ndarray) -> None:
    truth = {"i2t": {str(i): [f"c{5 * i + k}" for k in range(5)] for i in range(10)}}
    wanted = itm_explore.evaluate(sims, captions_per_image=5, metrics=["r1"])["sims"]["original_r1"]["i2t"]
    order = np.random.default_rng(2).permutation(10)
    columns = {"image_id": order, **{f"c{at}": sims[order, at] for at in range(50)}}
    tables = [frames(columns, package)]
    if package == "pandas":
        tables.append(tables[0].set_index("image_id"))
    for table in tables:
        found = itm_explore.evaluate({"ours": table}, {"rich": truth}, metrics=["r1"])
        assert found["ours"]["rich_r1"]["i2t"] == wanted


def test_a_matrix_without_ids_is_an_array(sims: np.ndarray) -> None:
    wanted = itm_explore.evaluate(sims, captions_per_image=5)
    assert itm_explore.evaluate(pd.DataFrame(sims), captions_per_image=5) == wanted
    assert itm_explore.evaluate(pytest.importorskip("polars").DataFrame(sims), captions_per_image=5) == wanted


def test_neighbours_are_arrays_where_they_are(sims: np.ndarray, truth: Any) -> None:
    knn = {}
    for direction, scores in (("i2t", sims), ("t2i", sims.T)):
        places = np.argsort(-scores, axis=1)
        knn[direction] = (places, np.take_along_axis(scores, places, 1))
    wanted = itm_explore.evaluate(sims, {"rich": truth})
    found = itm_explore.evaluate(None, {"rich": truth}, knn=knn, image_ids=np.arange(10), caption_ids=np.arange(50))
    assert one(found)["rich_map_at_r"] == wanted["sims"]["rich_map_at_r"]
    images = itm_explore.evaluate(None, {"rich": truth}, knn=knn["i2t"], image_ids=np.arange(10), caption_ids=np.arange(50))
    assert one(images)["rich_map_at_r"]["i2t"] == wanted["sims"]["rich_map_at_r"]["i2t"]


def test_errors_name_the_argument_and_the_columns(sims: np.ndarray) -> None:
    columns = pd.DataFrame(lists(sims))
    with pytest.raises(itm_explore.ITMError, match=r"run_i2t: no item .*\(query, retrieved, score\)"):
        itm_explore.evaluate(None, run_i2t=columns.rename(columns={"item": "retrieved"}))
    with pytest.raises(itm_explore.ITMError, match=r"ours: no item .*\(query, score\)"):
        itm_explore.evaluate({"ours": columns.drop(columns="item")})
    with pytest.raises(itm_explore.ITMError, match="ours: a data frame that Arrow cannot hold"):
        itm_explore.evaluate({"ours": pd.concat([columns, columns], axis=1)})
    with pytest.raises(itm_explore.ITMError, match="run_i2t: NULL in column score, row 3"):
        columns.loc[3, "score"] = np.nan
        itm_explore.evaluate(None, run_i2t=columns, image_ids=list(range(10)), caption_ids=list(range(50)))
    with pytest.raises(itm_explore.ITMError, match=r"rich: no query and item .*\(image_id, text\)"):
        itm_explore.evaluate(sims, {"rich": pd.DataFrame({"image_id": [1], "text": ["a"]})})
    with pytest.raises(itm_explore.ITMError, match="rich i2t: the column image_id is of type double"):
        itm_explore.evaluate(sims, {"rich": {"i2t": pd.DataFrame({"image_id": [1.5], "caption_id": [1]})}})
    with pytest.raises(itm_explore.ITMError, match="rich i2t: no value in column item, row 1"):
        frame = pa.table({"query": [1, 2], "item": pa.array([1, None])})
        itm_explore.evaluate(sims, {"rich": {"i2t": frame}})
    with pytest.raises(itm_explore.ITMError, match="other caption_ids"):
        one, other = (pd.DataFrame(sims, columns=[f"{word}{i}" for i in range(50)]) for word in "ab")
        itm_explore.evaluate({"one": one, "other": other})


def test_without_pyarrow_the_error_says_what_to_install() -> None:
    words = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import itm_explore, pandas as pd\n"
        "try: itm_explore.evaluate(None, run_i2t=pd.DataFrame({'query': [1]}))\n"
        "except itm_explore.ITMError as error: sys.exit('pip install pyarrow' not in str(error))"
    )
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0


def test_the_explorer_gets_files(sims: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ours = {"i2t": pd.DataFrame(lists(sims)), "t2i": pd.DataFrame(lists(sims.T))}
    pairs = pd.DataFrame({"image_id": np.arange(50) // 5, "caption_id": np.arange(50)})
    itm_explore.explore({"ours": ours, "v1.5": sims}, {"rich": pairs})
    written = sorted(path.name for path in Path("itm-study").iterdir())
    assert written == ["ours_i2t.parquet", "ours_t2i.parquet", "rich.json", "v1.5.npy"]


def test_a_frame_that_is_not_collected_is_refused(sims: np.ndarray) -> None:
    lazy = pytest.importorskip("polars").LazyFrame(lists(sims))
    for scores in (lazy, {"ours": lazy}, {"ours": {"i2t": lazy}}):
        with pytest.raises(TypeError, match="LazyFrame; .*collected"):
            itm_explore.evaluate(scores)
