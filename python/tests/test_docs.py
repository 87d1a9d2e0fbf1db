"""docs/python.md: its blocks run as printed, from top to bottom, in one namespace."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import itm_explore
import numpy as np
import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()
FENCES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
#: Packages of recipes, which take long to install.
TRAINERS = ("lightning", "transformers")


def is_recipe(fence: str) -> bool:
    return any(f"import {name}" in fence for name in TRAINERS)


def defined(name: str) -> dict[str, Any]:
    """What the recipe for a package defines, where that package is installed."""
    pytest.importorskip(name, reason=f"{name} is not installed")
    [recipe] = [fence for fence in FENCES if f"import {name}" in fence]
    assert len(recipe.splitlines()) <= 10
    names: dict[str, Any] = {"itm_explore": itm_explore}
    exec(compile(recipe, f"docs/python.md, {name}", "exec"), names)
    return names


@pytest.fixture
def study(sims: np.ndarray, truth: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """The files that the page reads, in the working folder; R@1 of the scores."""
    monkeypatch.chdir(tmp_path)
    np.save("sims.npy", sims)
    folder = tmp_path / "coco5k"
    folder.mkdir()
    (folder / "eccv_image_to_caption.json").write_text(json.dumps(truth["i2t"]))
    (folder / "eccv_caption_to_image.json").write_text(json.dumps(truth["t2i"]))
    recall: float = itm_explore.evaluate(sims, "coco5k/")["sims"]["eccv_r1"]["i2t"]
    return recall


def test_the_blocks_of_the_page_run(study: float) -> None:
    pytest.importorskip("polars")
    names: dict[str, Any] = {}
    for fence in (fence for fence in FENCES if not is_recipe(fence)):
        exec(compile(fence, "docs/python.md", "exec"), names)
    assert names["result"]["ours"]["eccv_r1"]["i2t"] == study and {"low", "high"} <= set(names["frame"])
    assert names["lists"]["ours"]["own_r1"]["t2i"] is not None
    assert len(list(Path("run").glob("step-*.npy"))) == 2


def test_the_callback_of_lightning(sims: np.ndarray, study: float) -> None:
    lightning = pytest.importorskip("lightning", reason="lightning is not installed")
    torch = pytest.importorskip("torch")
    callback = defined("lightning")["Retrieval"]()

    class Model(lightning.LightningModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.sims = torch.nn.Parameter(torch.from_numpy(sims))

        def similarities(self) -> Any:
            return self.sims

        def training_step(self, batch: Any) -> Any:
            return (self.sims * 0).sum()

        def validation_step(self, batch: Any) -> None: ...

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters())

    options = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "accelerator": "cpu"}
    trainer = lightning.Trainer(max_epochs=1, callbacks=[callback], **options)
    trainer.fit(Model(), torch.utils.data.DataLoader([0, 1]), torch.utils.data.DataLoader([0]))
    assert float(trainer.callback_metrics["sims/eccv_r1/i2t"]) == pytest.approx(study, abs=1e-6)


def test_the_callback_of_transformers(sims: np.ndarray, study: float, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    torch = pytest.importorskip("torch")
    callback = defined("transformers")["RetrievalCallback"]()

    class Model(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.sims = torch.nn.Parameter(torch.from_numpy(sims))

        def similarities(self) -> Any:
            return self.sims

        def forward(self, x: Any, labels: Any = None) -> Any:
            return {"loss": (self.sims * 0).sum(), "logits": x}

    arguments = transformers.TrainingArguments(output_dir=str(tmp_path / "out"), report_to=[], use_cpu=True)
    data = [{"x": torch.zeros(1), "labels": torch.zeros(1)}] * 2
    trainer = transformers.Trainer(model=Model(), args=arguments, eval_dataset=data, callbacks=[callback])
    assert trainer.evaluate()["sims/eccv_r1/i2t"] == study
