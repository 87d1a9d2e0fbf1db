"""The recipes of docs/engines.md are run as they stand there, each where its package is installed."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import itm_explore
import numpy as np
import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "engines.md").read_text()
#: How every recipe but FAISS ends: the first block of the page.
ENDING = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)[0]
RECIPES = dict(re.findall(r"^## (\w+)\n.*?^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
PACKAGES = {"FAISS": "faiss", "DuckDB": "duckdb", "polars": "polars", "Spark": "pyspark", "Ray": "ray"}


def test_every_engine_has_a_recipe() -> None:
    assert set(RECIPES) == set(PACKAGES)


@pytest.fixture
def study(truth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """The files that recipes start from, in the working folder; the scores of all pairs."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    captions = rng.normal(size=(50, 8)).astype("f4")
    images = captions.reshape(10, 5, 8).mean(1) + rng.normal(size=(10, 8)).astype("f4") / 2
    for kind, embeddings in (("image", images), ("caption", captions)):
        column = pa.array(list(embeddings), pa.list_(pa.float32()))
        pq.write_table(pa.table({f"{kind}_id": np.arange(len(embeddings)), "embedding": column}), f"{kind}s.parquet")
    Path("eccv.json").write_text(json.dumps(truth))
    return images @ captions.T


@pytest.mark.parametrize("engine", PACKAGES)
def test_a_recipe_gives_the_numbers_of_all_scores(engine: str, study: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(PACKAGES[engine], reason=f"{PACKAGES[engine]} is not installed")
    if engine == "Spark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    names: dict[str, Any] = {}
    recipe = RECIPES[engine] if engine == "FAISS" else RECIPES[engine] + ENDING
    exec(compile(recipe, f"docs/engines.md, {engine}", "exec"), names)
    expected = itm_explore.evaluate(study, "eccv.json")
    for key in ("eccv_r1", "eccv_r5", "eccv_map_at_r"):
        [metrics] = names["result"].values()
        assert metrics[key] == pytest.approx(expected["sims"][key], abs=1e-12), key
    # The explorer's command names the same study.
    program, *words = shlex.split(capsys.readouterr().out.splitlines()[-1])
    again = subprocess.run([program, "eval", *words, "--format", "json"], check=True, capture_output=True)
    assert json.loads(again.stdout)["models"][0]["metrics"] == metrics
