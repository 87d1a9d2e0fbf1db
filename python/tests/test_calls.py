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
    assert set(result["sims"]["rich_map_at_r"]) == {"i2t", "t2i"}
    assert json.loads(result.to_json()) == result == result.to_dict()
    assert "rich_map_at_r" in str(result)
    assert result._repr_html_().startswith("<table>")
    assert "\\begin{tabular}" in result.to_latex()
    frame = result.to_pandas().set_index(["model", "metric", "direction"])
    assert frame.loc[("sims", "rich_r1", "i2t"), "value"] == result["sims"]["rich_r1"]["i2t"]
    assert result.to_polars().to_dicts() == result.to_rows()
    assert result.to_arrays()["value"].tolist() == frame["value"].tolist()
    assert result.to_scalars()["sims/rich_r1/i2t"] == result["sims"]["rich_r1"]["i2t"]
    assert result.tree["models"][0]["name"] == "sims"


def test_results_are_read_only(sims: np.ndarray, truth: Any) -> None:
    result: Any = itm_explore.evaluate(sims, {"rich": truth}, metrics=["r1"])
    copy = result.to_dict()
    copy["sims"]["rich_r1"]["i2t"] = 2
    for change in (
        lambda: result.update(copy),
        lambda: result.__setitem__("sims", {}),
        lambda: result["sims"]["rich_r1"].__setitem__("i2t", 2),
        lambda: setattr(result, "extra", 1),
    ):
        with pytest.raises((AttributeError, TypeError)):
            change()
    assert result != copy and hash(result) == hash(itm_explore.evaluate(sims, {"rich": truth}, metrics=["r1"]))
    compared = itm_explore.compare({"a": sims, "b": np.flip(sims, 1)}, {"rich": truth}, metrics=["r1"])
    assert isinstance(compared["comparisons"], tuple) and compared == json.loads(compared.to_json())


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
    assert compared.to_arrays()["delta"].tolist() == [each["delta"] for each in compared["comparisons"]]
    assert set(compared.to_pandas("similarity")["models"].map(tuple)) == {("ours", "a/b.c")}
    losses = itm_explore.find(models, {"rich": truth}, where="ours.r1 < `a/b.c`.r1", direction="t2i")
    assert len(losses["queries"]) == one["losses"]


def test_values_of_queries_have_the_mean(sims: np.ndarray, truth: Any) -> None:
    values = itm_explore.per_query(sims, {"rich": truth}, captions_per_image=5, truth="rich", metrics=["r1"])
    columns, frame = values.to_arrays(), values.to_pandas()
    is_t2i = columns["direction"] == "t2i"
    result = itm_explore.evaluate(sims, {"rich": truth}, metrics=["r1"])
    assert columns["rich_r1"][is_t2i].mean() == pytest.approx(result["sims"]["rich_r1"]["t2i"], abs=1e-12)
    assert columns["query"][is_t2i].tolist() == list(range(50)) and columns["image"][is_t2i].tolist()[:6] == [0] * 5 + [1]
    assert list(frame) == ["model", "direction", "query", "image", "rich_r1"] and len(frame) == 60
    assert len(values["rows"]) == 60 and "rich_r1" in str(values)
    both = itm_explore.per_query({"a": sims, "b": sims}, captions_per_image=5, metrics=["r1"])
    assert "more lines" in str(both) and len(str(both).splitlines()) < len(both.to_table().splitlines()) == 121
    assert len(both._repr_html_()) < len(both.to_html())


def test_other_subcommands(sims: np.ndarray, truth: Any, tmp_path: Path) -> None:
    found = itm_explore.find(sims, {"rich": truth}, where="r1 == 0", direction="t2i")
    assert found["queries"] and all(row["r1"] == 0 for row in found["queries"])
    assert "<table>" in itm_explore.errors(sims, {"rich": truth})._repr_html_()
    steps = {f"step-{step}": np.roll(sims, step, 1) for step in (0, 1)}
    assert {value["step"] for value in itm_explore.series(steps, {"rich": truth})["values"]} == {0, 1}
    page = itm_explore.report(sims, {"rich": truth}, output=tmp_path / "report.html")
    assert Path(page).read_text().count("<section") >= 4
    assert itm_explore.mix({"a": sims, "b": np.flip(sims, 1)}, {"rich": truth})
    captions = tmp_path / "captions.json"
    texts = [{"image_id": n // 5, "id": n, "caption": f"a dog and {n} cats"} for n in range(50)]
    captions.write_text(json.dumps({"images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(10)], "annotations": texts}))
    assert np.load(itm_explore.semantic_cider(captions, output=tmp_path / "phi.npy")).shape == (10, 50)
    for figure in (
        itm_explore.figure(sims, {"rich": truth}, captions, query="3", direction="t2i", output=tmp_path / "figure.pdf"),
        itm_explore.plot("models", {"a": sims, "b": np.flip(sims, 1)}, {"rich": truth}),
    ):
        assert "<svg" in figure._repr_svg_() and figure._repr_png_().startswith(b"\x89PNG")
        figure.save(tmp_path / "figure.png")
        assert (tmp_path / "figure.png").read_bytes() == figure.png
    assert (tmp_path / "figure.pdf").read_bytes().startswith(b"%PDF")
    counted = itm_explore.truth_stats({"rich": truth}, sims=sims)
    assert "rich" in str(counted)
    assert itm_explore.show(sims, {"rich": truth}, query="3", direction="t2i", k=3)
    bundle = itm_explore.convert({"rich": truth}, sims=sims, output=tmp_path / "rich.json")
    assert itm_explore.evaluate(sims, bundle) == itm_explore.evaluate(sims, {"rich": truth})


def test_every_function_passes_its_options_on(sims: np.ndarray, truth: Any) -> None:
    models = {"a": sims, "b": np.flip(sims, 1)}
    mixed = itm_explore.evaluate(models, {"rich": truth}, metrics="r1", mix=["a,b,0.5", "a,b,0.25,zscore"])
    assert len(mixed) == 4
    few = itm_explore.evaluate(sims, captions_per_image=5, pool_file={"few": np.arange(5)}, pool="few", metrics=("r1",))
    assert few["sims"]["original@few_r1"]["i2t"] == np.mean(sims[:5, :25].argmax(1) // 5 == np.arange(5))
    by_query = itm_explore.evaluate(sims, {"rich": truth}, metrics="r1", ci="query")
    assert by_query.tree["inference"]["clusters"] == "query"
    similar = itm_explore.evaluate(sims, {"rich": truth}, metrics="all", phi={"own": np.flip(sims, 1).copy()})
    assert any(key.startswith("own_") for key in similar["sims"])
    assert len(itm_explore.find(sims, {"rich": truth}, where="r1 >= 0", limit=np.int64(3))["queries"]) == 3


def test_numbers_that_mean_nothing_come_with_a_warning(sims: np.ndarray, truth: Any) -> None:
    right = np.full_like(sims, 0.0) + np.repeat(np.eye(10, dtype="f4"), 5, axis=1) + np.random.default_rng(1).random(sims.shape)
    for words, scores in {"score lowest": -right, "like random pairs": np.roll(right, 3, axis=0)}.items():
        with pytest.warns(UserWarning, match=words) as caught:
            itm_explore.evaluate(scores, captions_per_image=5, metrics=["r1"])
        assert {warning.filename for warning in caught} == {__file__}


def test_errors_are_exceptions_with_the_words_of_the_program(sims: np.ndarray, truth: Any) -> None:
    with pytest.raises(FileNotFoundError, match="none.json"):
        itm_explore.evaluate(sims, "none.json")
    with pytest.raises(FileNotFoundError, match="none.json"):
        itm_explore.evaluate(sims, truth, session="none.json")
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
    itm: Any = itm_explore
    for call, words in (
        (lambda: itm.evaluate(sims, truth, metrcis=["r1"]), "evaluate() got an unexpected keyword argument 'metrcis'"),
        (lambda: itm.find(sims, truth, wher="r1"), "find() got an unexpected keyword argument 'wher'"),
        (lambda: itm.evaluate(sims, truth, format="csv"), "evaluate() got an unexpected keyword argument 'format'"),
        (lambda: itm.evaluate(sims, truth, k="many"), "evaluate(): invalid value 'many' for 'k"),
        (lambda: itm.evaluate(sims, truth, short_lists="mis"), "evaluate(): invalid value 'mis' for 'short_lists"),
        (lambda: itm.evaluate(), "sims, or demo=True"),
        (lambda: itm.evaluate(demo=True, i2t=sims, t2i=sims), "'demo'"),
        (lambda: itm.evaluate(sims, None), "ground truth 1: None;"),
        (lambda: itm.evaluate(sims, [truth]), "ground truth 1: a value of type list;"),
        (lambda: itm.evaluate({"ours": None}, truth), "ours: None;"),
        (lambda: itm.evaluate([sims, sims], truth), "a list of arrays; a dictionary of names and arrays is wanted"),
        (lambda: itm.evaluate([sims, sims[:5]], truth), "a list of arrays; a dictionary of names and arrays is wanted"),
        (lambda: itm.evaluate(masked, truth), "sims: a value of type MaskedArray with masked cells"),
        (lambda: itm.evaluate(None, truth, image_emb=masked, text_emb=sims), "image_emb: a value of type MaskedArray"),
        (lambda: itm.evaluate({"ours": {"q1": {"d1": 0.5}}}, truth), "ours: ranked lists without a direction"),
        (lambda: itm.report(sims, truth), "'output'"),
        (lambda: itm.evaluate(None, truth, run={"q1": {"d1": 0.5}}), "run: a dictionary; Path is wanted"),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        said = str(caught.value)
        assert words in said and "--" not in said and "error:" not in said, said
    assert itm.evaluate(masked.filled(0), truth, ci=np.True_).tree["inference"]
    # Of an array without masked cells nothing is lost.
    assert itm.evaluate(np.ma.masked_array(sims), truth) == itm.evaluate(sims, truth)


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
    itm_explore.explore(mapped, "eccv.json", folder=tmp_path / "none")
    assert not (tmp_path / "none").exists()
    assert capsys.readouterr().out == f"itm-explore {path} eccv.json\n"
    # A part of the file is none.
    itm_explore.explore({"half": mapped[:5]}, folder=tmp_path / "study")
    assert capsys.readouterr().out == f"itm-explore {tmp_path / 'study' / 'half.npy'}\n"
    assert np.load(tmp_path / "study" / "half.npy").shape == (5, 50)


def test_a_training_loop(sims: np.ndarray, truth: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logger = itm_explore.Logger(tmp_path / "run", {"rich": truth})
    for step in (1, "20"):
        metrics = logger.log(step, sims)  # type: ignore[arg-type]
        assert str(metrics) in capsys.readouterr().out
    written: dict[tuple[str, int], float] = {}

    class Writer:
        def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> None:
            written[tag, global_step] = scalar_value

    metrics = itm_explore.Logger(tmp_path / "run", {"rich": truth}, writer=Writer()).log(1, sims)
    assert written["rich_r1/i2t", 1] == metrics["step-000001"]["rich_r1"]["i2t"] and len(written) == 4
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
        (tmp_path, (truth,), {"metrcis": "r1"}, TypeError),
    ):
        with pytest.raises(error):
            itm_explore.Logger(folder, *truths, **options)  # type: ignore[arg-type]
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
