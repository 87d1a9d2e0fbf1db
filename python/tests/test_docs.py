"""docs/python.md: its lines run in the order of the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
FENCES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_lines_of_the_page_run(sims: np.ndarray, truth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pl = pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    np.save("sims.npy", sims)
    folder = tmp_path / "coco5k"
    folder.mkdir()
    (folder / "eccv_image_to_caption.json").write_text(json.dumps(truth["i2t"]))
    (folder / "eccv_caption_to_image.json").write_text(json.dumps(truth["t2i"]))

    def training() -> Iterator[tuple[int, np.ndarray]]:
        yield from ((step, sims + step) for step in (1, 2))

    queries, items = (side.T.ravel() for side in np.indices(sims.shape))
    names = {
        "pl": pl,
        "queries": items,
        "items": queries,
        "scores": sims.T.ravel(),
        "training": training,
    }
    # test_eccv.py has the place of another package.
    for fence in (fence for fence in FENCES if "import Metrics" not in fence):
        if "training" in fence:
            names["scores"] = lambda model: model
        exec(compile(fence, "docs/python.md", "exec"), names)
    assert {"eccv_map_at_r"} <= set(names["result"])
    assert len(list(Path("run").glob("step-*.npy"))) == 2
