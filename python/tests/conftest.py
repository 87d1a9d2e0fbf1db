"""A study of 10 images and 50 captions: scores from a seed, the ground truth the pairing and a few pairs more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

IMAGES, CAPTIONS = 10, 50


@pytest.fixture
def sims() -> np.ndarray:
    """Scores of images x captions; the own captions of an image are a little higher."""
    rng = np.random.default_rng(7)
    scores = rng.normal(size=(IMAGES, CAPTIONS)).astype("float32")
    scores[np.arange(CAPTIONS) // 5, np.arange(CAPTIONS)] += 1
    return scores


@pytest.fixture
def truth() -> dict[str, dict[str, list[int]]]:
    """Ids are places in the matrix."""
    captions = {str(image): list(range(5 * image, 5 * image + 5)) for image in range(IMAGES)}
    captions["0"].append(7)
    images = {str(caption): [caption // 5] for caption in range(CAPTIONS)}
    images["7"].append(0)
    return {"i2t": captions, "t2i": images}


@pytest.fixture(scope="session")
def shared() -> Path:
    """The real data beside the project, where it is."""
    data = Path(__file__).resolve().parents[3] / "shared" / "data" / "coco5k"
    if not data.is_dir():
        pytest.skip("../shared is not here")
    return data
