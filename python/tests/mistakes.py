"""Mistakes that type checkers find: every line that ends in `# mistake`, and no other. `test_types.py` checks it."""

from __future__ import annotations

from pathlib import Path

import itm_explore
import numpy as np
import pandas as pd

sims = np.zeros((2, 10), "f4")
truth = {"i2t": {"0": [0, 1]}, "t2i": {"0": [0]}}
frame = pd.DataFrame({"query": [1], "item": [1]})

result = itm_explore.evaluate(sims, "coco5k/", metrics=["R@1", "map_at_r"], k=[1, 5], ci=True)
itm_explore.evaluate(42, "coco5k/")  # mistake
itm_explore.evaluate(sims, 43)  # mistake
itm_explore.evaluate(sims, None)  # mistake
itm_explore.evaluate(sims, "coco5k/", metrcis=["r1"])  # mistake
itm_explore.evaluate(sims, "coco5k/", metrics=1)  # mistake
itm_explore.evaluate(sims, "coco5k/", k="many")  # mistake
itm_explore.evaluate(sims, "coco5k/", format="csv")  # mistake
itm_explore.evaluate(sims, "coco5k/", direction="t2t")  # mistake
itm_explore.evaluate(sims, "coco5k/", short_lists="mis")  # mistake
itm_explore.evaluate(sims, "coco5k/", ci="images")  # mistake
itm_explore.evaluate(sims, "coco5k/", cosine="yes")  # mistake
itm_explore.evaluate(None, image_emb=3, text_emb=sims)  # mistake
itm_explore.evaluate(None, run_t2i=[1, 2])  # mistake
itm_explore.evaluate(None, {"own": frame}, run_t2i={"1": {"1": 0.5}}, short_lists="miss")
itm_explore.evaluate({"ours": {"i2t": frame, "t2i": frame}, "base": "b.npy"}, truth, Path("captions.json"))
itm_explore.evaluate({"ours": 42}, truth)  # mistake
itm_explore.evaluate(["a.npy", "b.npy"], "coco5k/", captions_per_image=5, phi={"own": sims}, name={"a.npy": "a"})
itm_explore.evaluate(None, knn={"i2t": (sims, sims), "t2i": (sims, sims)}, image_ids=range(2), caption_ids=np.arange(10))

result["sims"]["eccv_r1"]["i2t"].upper()  # mistake
result["sims"] = {}  # mistake
result["sims"]["eccv_r1"] = {}  # mistake
result.latex  # mistake
value: float = result["sims"]["eccv_r1"]["i2t"]
text: str = result.to_latex()

itm_explore.compare({"a": sims, "b": sims}, truth, models="a,b", margin=1.0)
itm_explore.compare({"a": sims, "b": sims}, truth, margin="one")  # mistake
itm_explore.find(sims, truth, where="r1 == 0", limit=3)
itm_explore.find(sims, truth, wher="r1 == 0")  # mistake
itm_explore.report(sims, truth)  # mistake
itm_explore.report(sims, truth, output=Path("report.html"))
itm_explore.plot("modles", sims, truth)  # mistake
itm_explore.plot("models", sims, truth).save("models.svg")
itm_explore.semantic_cider("captions.json")  # mistake
itm_explore.explore(sims, truth, folder=3)  # mistake
itm_explore.truth_merge("coco5k/", truth=["eccv", "original"], as_="bundel")  # mistake
itm_explore.Logger("run/", truth, keep="5")  # mistake
itm_explore.Logger("run/", truth, writer=print)  # mistake
itm_explore.nothing  # mistake
