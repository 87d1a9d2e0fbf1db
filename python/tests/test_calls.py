"""Results, options and errors."""

from __future__ import annotations

import json
import re
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
    frame = result.to_pandas().set_index(["model", "metric", "direction"])
    assert frame.loc[("sims", "rich_r1", "i2t"), "value"] == result["rich_r1"]["i2t"]
    assert result.tree["models"][0]["name"] == "sims"


def test_every_form_has_units_intervals_and_numbers_of_queries(sims: np.ndarray, truth: Any, tmp_path: Path, capsys: Any) -> None:
    metrics = ["r1", "median_rank", "mean_rank", "rsum"]
    result = itm_explore.evaluate({"ours": sims, "other": np.flip(sims, 1)}, {"rich": truth}, metrics=metrics, ci=True)
    ours = result["ours"]
    share, median, total = ours["rich_r1"]["i2t"], ours["rich_median_rank"]["i2t"], ours["rich_rsum"]["both"]
    low, high = result.tree["models"][0]["intervals"]["rich_r1"]["i2t"]
    interval = f"[{100 * low:.2f}, {100 * high:.2f}]"
    itm_explore.Logger(tmp_path / "run", {"rich": truth}, metrics=metrics).log(1, sims)
    printed = capsys.readouterr().out
    for form in (str(result), result._repr_html_(), result.to_markdown(), printed):
        lines = [re.sub("<[^>]*>", " ", line).replace("\\", "") for line in form.splitlines()]
        row = {key: next(line for line in lines if f"rich_{key}" in line) for key in metrics}
        assert f"{100 * share:.2f}" in row["r1"]
        assert re.search(rf"(?<![\d.])\*?{median:g}(?![\d.])", row["median_rank"])
        assert f"{100 * median:.2f}" not in row["median_rank"]
        assert f"{total:.1f}" in row["rsum"]
        assert " 10 " in row["r1"] and " 50 " in row["r1"]
        assert form == printed or interval in row["r1"]
    frame = result.to_pandas().set_index(["model", "metric", "direction"])
    assert frame.loc[("ours", "rich_rsum", "both"), "value"] == total
    assert frame.loc[("ours", "rich_r1", "i2t"), ["low", "high"]].tolist() == [low, high]


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
    losses = itm_explore.find(models, {"rich": truth}, where="ours.r1 < `a/b.c`.r1", direction="t2i")
    assert len(losses) == one["losses"]


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
    assert {value["step"] for value in itm_explore.series(steps, {"rich": truth})["values"]} == {0, 1}
    page = itm_explore.report(sims, {"rich": truth}, out=tmp_path / "report.html")
    assert Path(page).read_text().count("<section") >= 4
    assert itm_explore.mix({"a": sims, "b": np.flip(sims, 1)}, {"rich": truth})
    captions = tmp_path / "captions.json"
    texts = [{"image_id": n // 5, "id": n, "caption": f"a dog and {n} cats"} for n in range(50)]
    captions.write_text(json.dumps({"images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(10)], "annotations": texts}))
    assert itm_explore.cider(captions).shape == (10, 50)
    figure = itm_explore.figure(sims, {"rich": truth}, captions, query=3, direction="t2i")
    assert "<svg" in (figure._repr_svg_() or "")


def test_numbers_that_mean_nothing_come_with_a_warning(sims: np.ndarray, truth: Any) -> None:
    right = np.full_like(sims, 0.0) + np.repeat(np.eye(10, dtype="f4"), 5, axis=1) + np.random.default_rng(1).random(sims.shape)
    for words, scores in {"score lowest": -right, "like random pairs": np.roll(right, 3, axis=0)}.items():
        with pytest.warns(UserWarning, match=words):
            itm_explore.evaluate(scores, captions_per_image=5, metrics=["r1"])


def test_errors_are_exceptions_with_the_words_of_the_program(sims: np.ndarray, truth: Any) -> None:
    with pytest.raises(FileNotFoundError, match="none.json"):
        itm_explore.evaluate(sims, "none.json")
    with pytest.raises(itm_explore.ITMError, match="20 x 50"):
        itm_explore.evaluate(np.zeros((20, 50), "f4"), truth, image_ids=np.arange(10))
    with pytest.raises(itm_explore.ITMError, match="captions_per_image: 7"):
        itm_explore.evaluate(sims, truth, captions_per_image=7)
    sims[3, 4] = np.nan
    with pytest.raises(itm_explore.ITMError, match="NaN"):
        itm_explore.evaluate(sims, truth)
    with pytest.raises(itm_explore.ITMError, match="integers"):
        itm_explore.compare({"a": np.zeros((10, 50), "i4"), "b": sims}, truth)
    with pytest.raises(TypeError):
        itm_explore.evaluate(object(), truth)


def test_mistakes_in_a_call_are_told_in_words_of_python(sims: np.ndarray, truth: Any) -> None:
    masked = np.ma.masked_array(sims, sims > 2)
    with_one: Any = [truth]
    for call, words in (
        (lambda: itm_explore.evaluate(sims, truth, metrcis=["r1"]), "evaluate() got an unexpected option 'metrcis' (did you mean 'metrics'?)"),
        (lambda: itm_explore.find(sims, truth, wher="r1"), "find() got an unexpected option 'wher' (did you mean 'where'?)"),
        (lambda: itm_explore.evaluate(sims, truth, help=True), "evaluate() got an unexpected option"),
        (lambda: itm_explore.evaluate(sims, truth, format="csv"), "evaluate() got an unexpected option 'format'"),
        (lambda: itm_explore.evaluate(sims, truth, k="many"), "evaluate() cannot be called so: invalid value 'many' for 'k"),
        (lambda: itm_explore.evaluate(sims, truth, short_lists="mis"), "evaluate() cannot be called so: invalid value 'mis' for 'short_lists"),
        (lambda: itm_explore.evaluate(), "scores, or demo=True"),
        (lambda: itm_explore.evaluate(demo=True, i2t=sims, t2i=sims), "'demo'"),
        (lambda: itm_explore.evaluate(sims, None), "ground truth 1: None;"),
        (lambda: itm_explore.evaluate(sims, with_one), "ground truth 1: a value of type list;"),
        (lambda: itm_explore.evaluate({"ours": None}, truth), "ours: None;"),
        (lambda: itm_explore.evaluate([sims, sims], truth), "a list of arrays; a dictionary of names and arrays is wanted"),
        (lambda: itm_explore.evaluate([sims, sims[:5]], truth), "a list of arrays; a dictionary of names and arrays is wanted"),
        (lambda: itm_explore.evaluate(masked, truth), "sims: a value of type MaskedArray with masked cells"),
        (lambda: itm_explore.evaluate(None, truth, image_emb=masked, text_emb=sims), "image_emb: a value of type MaskedArray"),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        said = str(caught.value)
        assert words in said and "--" not in said and "error:" not in said, said
    assert itm_explore.evaluate(masked.filled(0), truth, ci=np.True_).tree["inference"]
    # Of an array without masked cells nothing is lost.
    assert itm_explore.evaluate(np.ma.masked_array(sims), truth) == itm_explore.evaluate(sims, truth)


def test_arrays_of_different_shapes_are_no_embeddings(truth: Any) -> None:
    rng = np.random.default_rng(3)
    models = {"a": rng.normal(size=(20, 16)), "b": rng.normal(size=(100, 16))}
    for ours in (models, {name: array.astype("f4") for name, array in models.items()}):
        with pytest.raises(itm_explore.ITMError) as caught:
            itm_explore.evaluate(ours, metrics=["r1"])
        said = str(caught.value)
        assert said.startswith("b: ") and "100 x 16" in said and "expected: 20 images" in said and "--" not in said, said


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
    for step in (1, "20"):
        metrics = logger.log(step, sims)  # type: ignore[arg-type]
        assert str(metrics) in capsys.readouterr().out
    # The same step in other words takes the place of the first.
    for step in (20, np.int64(20), 20.0):
        logger.log(step, sims)  # type: ignore[arg-type]
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["step-000001.npy", "step-000020.npy"]
    stored = np.load(tmp_path / "run" / "step-000020.npy")
    assert stored.dtype == np.float32 and (stored == sims).all()


def test_the_last_steps_stay(sims: np.ndarray, truth: Any, tmp_path: Path) -> None:
    np.save(tmp_path / "step-000001.npy", sims)
    logger = itm_explore.Logger(tmp_path, {"rich": truth}, keep=2)
    for step in (5, 6, 7, 6):
        logger.log(step, sims)
    logger.log(8, sims)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-000001.npy", "step-000006.npy", "step-000008.npy"]


def test_what_a_logger_cannot_do_is_an_error_before_it_is_too_late(sims: np.ndarray, truth: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder, truths, options, error in (
        (tmp_path / "file" / "run", (truth,), {}, OSError),
        ("/proc/run", (truth,), {}, OSError),
        (tmp_path, ("none.json",), {}, FileNotFoundError),
        (tmp_path, (truth,), {"dtype": "int8"}, TypeError),
        (tmp_path, (truth,), {"keep": 0}, ValueError),
    ):
        with pytest.raises(error):
            itm_explore.Logger(folder, *truths, **options)
    logger = itm_explore.Logger(tmp_path / "run", {"rich": truth}, dtype="float16")
    with pytest.raises(itm_explore.ITMError, match="65504"):
        logger.log(1, sims * np.float32(1e6))
    for step in (1.5, -1, "last", sims):
        with pytest.raises(TypeError, match="step: "):
            logger.log(step, sims)  # type: ignore[arg-type]
    logger.log(1, sims)
    with pytest.raises(itm_explore.ITMError, match="step-000002"):
        logger.log(2, sims[:5, :25])
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["step-000001.npy"]
