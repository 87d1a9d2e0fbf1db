"""Results, options and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import itm_explore
import numpy as np
import pytest


def test_an_evaluation_is_a_dictionary_in_many_forms(sims: np.ndarray, truth: Any) -> None:
    result = itm_explore.evaluate(sims, {"rich": truth}, metrics=["r1", "map_at_r"])
    assert set(result["rich_map_at_r"]) == {"i2t", "t2i"}
    assert json.loads(result.to_json()) == result == result.to_dict()
    assert "rich_map_at_r" in str(result)
    assert result._repr_html_().startswith("<table>")
    assert "\\begin{tabular}" in result.to_latex()
    frame = result.to_pandas()
    assert frame.loc[("sims", "rich_r1"), "i2t"] == result["rich_r1"]["i2t"]
    assert result.tree["models"][0]["name"] == "sims"


def test_several_models(sims: np.ndarray, truth: Any) -> None:
    models = {"ours": sims, "a/b.c": np.flip(sims, 1)}
    result = itm_explore.evaluate(models, {"rich": truth}, metrics=["r1"])
    assert list(result) == ["ours", "a/b.c"]
    compared = itm_explore.compare(models, {"rich": truth}, metrics=["r1"])
    assert {tuple(one["models"]) for one in compared["comparisons"]} == {("ours", "a/b.c")}
    delta = result["ours"]["rich_r1"]["t2i"] - result["a/b.c"]["rich_r1"]["t2i"]
    [one] = [one for one in compared["comparisons"] if one["direction"] == "t2i"]
    assert one["delta"] == pytest.approx(delta, abs=1e-12)
    assert len(compared.to_pandas()) == len(compared["comparisons"])


def test_values_of_queries_have_the_mean(sims: np.ndarray, truth: Any) -> None:
    values = itm_explore.per_query(sims, {"rich": truth}, metrics=["r1"])
    mean = np.mean([row["rich_r1"] for row in values if row["direction"] == "t2i"])
    result = itm_explore.evaluate(sims, {"rich": truth}, metrics=["r1"])
    assert mean == pytest.approx(result["rich_r1"]["t2i"], abs=1e-12)


def test_other_subcommands(sims: np.ndarray, truth: Any, tmp_path: Path) -> None:
    found = itm_explore.find(sims, {"rich": truth}, where="r1 == 0", direction="t2i")
    assert found and all(row["r1"] == 0 for row in found)
    assert "<table>" in itm_explore.errors(sims, {"rich": truth})._repr_html_()
    steps = {f"step-{step}": np.roll(sims, step, 1) for step in (0, 1)}
    assert [step["step"] for step in itm_explore.series(steps, {"rich": truth})["steps"]] == [0, 1]
    page = itm_explore.report(sims, {"rich": truth}, out=tmp_path / "report.html")
    assert Path(page).read_text().count("<section") >= 4
    assert itm_explore.mix({"a": sims, "b": np.flip(sims, 1)}, {"rich": truth})
    captions = tmp_path / "captions.json"
    texts = [{"image_id": n // 5, "id": n, "caption": f"a dog and {n} cats"} for n in range(50)]
    captions.write_text(json.dumps({"images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(10)], "annotations": texts}))
    assert itm_explore.cider(captions).shape == (10, 50)
    figure = itm_explore.figure(sims, {"rich": truth}, captions, query=3, direction="t2i")
    assert "<svg" in (figure._repr_svg_() or "")


def test_errors_are_exceptions_with_the_words_of_the_program(sims: np.ndarray, truth: Any) -> None:
    with pytest.raises(FileNotFoundError, match="none.json"):
        itm_explore.evaluate(sims, "none.json")
    with pytest.raises(itm_explore.ITMError, match="20 x 50"):
        itm_explore.evaluate(np.zeros((20, 50), "f4"), truth, image_ids=np.arange(10))
    with pytest.raises(TypeError, match="--metrics"):
        itm_explore.evaluate(sims, truth, metrcs=["r1"])
    sims[3, 4] = np.nan
    with pytest.raises(itm_explore.ITMError, match="NaN"):
        itm_explore.evaluate(sims, truth)
    with pytest.raises(itm_explore.ITMError, match="integers"):
        itm_explore.compare({"a": np.zeros((10, 50), "i4"), "b": sims}, truth)
    with pytest.raises(TypeError):
        itm_explore.evaluate(object(), truth)


def test_the_explorer_is_a_command_elsewhere_than_in_a_terminal(
    sims: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(itm_explore.explorer, "program", lambda: "itm-explore")
    path = tmp_path / "ours.npy"
    np.save(path, sims)
    mapped = np.load(path, mmap_mode="r")
    assert itm_explore.explore(mapped, "eccv.json") == f"itm-explore {path} eccv.json"
    # A part of the file is none.
    command = itm_explore.explore({"half": mapped[:5]}, folder=tmp_path / "study")
    assert command == f"itm-explore {tmp_path / 'study' / 'half.npy'}"
    assert np.load(tmp_path / "study" / "half.npy").shape == (5, 50)
    assert "eccv.json" in capsys.readouterr().out


def test_a_training_loop(sims: np.ndarray, truth: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logger = itm_explore.Logger(tmp_path / "run", {"rich": truth})
    for step in (1, 20):
        metrics = logger.log(step, sims)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["step-000001.npy", "step-000020.npy"]
    assert np.load(tmp_path / "run" / "step-000020.npy").dtype == np.float16
    assert f"rich_r1 {100 * metrics['rich_r1']['i2t']:.2f} (i2t)" in capsys.readouterr().out
