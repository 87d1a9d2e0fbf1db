"""A function for each subcommand. `UPDATE_README=1 cargo test --test house python` writes this file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .calls import Array, Call, Ids, Lists, Neighbours, Path, Scores, Similarities, Truth
from .explorer import open_explorer
from .results import Evaluation, Figure, Result

__all__ = [
    "annotate_bias",
    "annotate_hits",
    "annotate_import",
    "annotate_merge",
    "annotate_pool",
    "annotate_preferences",
    "annotate_reuse",
    "compare",
    "convert",
    "correlate",
    "doctor",
    "errors",
    "evaluate",
    "explore",
    "fg_pairs",
    "fg_pools",
    "figure",
    "find",
    "mix",
    "per_query",
    "phrases_localize",
    "phrases_stats",
    "plot",
    "report",
    "semantic_cider",
    "semantic_recall",
    "series",
    "show",
    "slices",
    "truth_cxc",
    "truth_merge",
    "truth_mine",
    "truth_pm",
    "truth_ratings",
    "truth_stats",
]


def explore(
    sims: Scores | None = None, *truths: Truth, model: str | None = None, truth: str | None = None,
    direction: Literal["i2t", "t2i"] | None = None, theme: str | None = None, keys: Path | None = None,
    session: Path | None = None, annotator: str | None = None, annotate: Path | None = None,
    others: Path | Sequence[Path] | None = None, tour: bool = False, watch: bool = False, no_mouse: bool = False,
    folder: Path = "itm-study", demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> None:
    """Open the explorer in a terminal; elsewhere, as in a notebook, print the command that does.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    model : str
        First model [default: from the session, else the first].
    truth : str
        First ground truth [default: session, config.toml, or the richest].
    direction : Literal["i2t", "t2i"]
        First direction [default: session, config.toml, or t2i].
    theme : str
        Theme, such as dark, light or nord, or a theme file (.toml).
    keys : Path
        Key bindings [default: keys.toml in the configuration folder].
    session : Path
        Session file [default: one per gallery, in the state folder].
    annotator : str
        Annotator name [default: from config.toml, else the user].
    annotate : Path
        Judge the pairs of a pool from `annotate pool`, one by one, blind.
    others : Path | Sequence[Path]
        Other annotators' judgments besides those near the pool; repeatable.
    tour : bool
        Start with a two-minute tour of the demo.
    watch : bool
        Reload files that change, such as scores of a running training.
    no_mouse : bool
        Leave the mouse to the terminal.
    folder : Path
        Folder for inputs that are in memory.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.
    """
    open_explorer(explore, locals())


def show(
    sims: Scores | None = None, *truths: Truth, query: str | None = None, nearest: str | None = None,
    model: str | Sequence[str] | None = None, truth: str | None = None, direction: Literal["i2t", "t2i"] | None = None,
    k: int = 5, pool: str = "all", session: Path | None = None, annotator: str | None = None, demo: bool = False,
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    series: bool = False, images: Path | None = None, entities: Path | None = None,
    table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None, split: str | None = None,
    pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Show one query and its top results.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    query : str
        Id of the query, a caption or an image.
    nearest : str
        List the captions or images nearest to one, or to a text.
    model : str | Sequence[str]
        Models, one ranking each [default: the first].
    truth : str
        Ground truth [default: the richest].
    direction : Literal["i2t", "t2i"]
        Direction of retrieval [default: t2i if a caption has the id].
    k : int
        Number of items.
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("show", show, locals()).result()


def find(
    sims: Scores | None = None, *truths: Truth, where: str | None = None, model: str | None = None,
    truth: str | None = None, direction: Literal["i2t", "t2i", "both"] | None = None, pool: str = "all",
    limit: int | None = None, sort: str | None = None, columns: str | None = None, session: Path | None = None,
    annotator: str | None = None, items: bool = False,
    which: Literal["all", "positive", "non-gt", "not-relevant", "unjudged", "missed"] = "all", k: int = 10,
    pick: int | None = None, seed: int = 0, diverse: bool = False, demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """List the queries or items that meet a condition.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    where : str
        Condition, such as "r1 == 0 and words <= 12".
    model : str
        Model of values without a model's name [default: the first].
    truth : str
        Ground truth of values without its name [default: the richest].
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval; both with items [default: t2i if possible].
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    limit : int
        Print only the first N queries; with items those with such items.
    sort : str
        Sort ascending; `-EXPR` sorts descending [default: gallery order].
    columns : str
        More columns, besides those of where and sort.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    items : bool
        List the top items of the queries instead, a line per item.
    which : Literal["all", "positive", "non-gt", "not-relevant", "unjudged", "missed"]
        Items to list.
    k : int
        Depth of the list of items.
    pick : int
        Sample N matching queries; `find` adds them to the session's picks.
    seed : int
        Random seed.
    diverse : bool
        Sample queries with different words instead of at random.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("find", find, locals()).result()


def evaluate(
    sims: Scores | None = None, *truths: Truth, metrics: str | Sequence[str] | None = None,
    k: int | Sequence[int] = (1, 5, 10), truth: str | Sequence[str] | None = None,
    pool: str | Sequence[str] | None = None, direction: Literal["i2t", "t2i", "both"] = "both",
    pmrp_cap: int | None = None, mix: str | Sequence[str] | None = None, ceiling: bool = False,
    ci: bool | Literal["image", "query"] = False, session: Path | None = None, annotator: str | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Evaluation:
    """Print metrics of every model under every ground truth.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    metrics : str | Sequence[str]
        Metrics such as `R@1` or `eccv_map_at_r`, or `all`.
    k : int | Sequence[int]
        Depths of metrics at K, separated by commas.
    truth : str | Sequence[str]
        Ground truths [default: all].
    pool : str | Sequence[str]
        Pools: all, folds, random1000s7, or of pool_file.
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    pmrp_cap : int
        Cap of R in PMRP (the PCME papers use 50).
    mix : str | Sequence[str]
        Add alpha * A + (1 - alpha) * B as a model; repeatable.
    ceiling : bool
        Also print the maximum attainable values.
    ci : bool | Literal["image", "query"]
        Add 95 % confidence intervals (ci=query: not clustered by image).
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    demo : bool
        Use the built-in demo, plus any files given.
    image_ids : Ids
        Image ids in matrix order (.npy, JSON list, or one per line).
    caption_ids : Ids
        Caption ids in matrix order (.npy, JSON list, or one per line).
    name : Mapping[str, str]
        Name a model in all results, by its file or name; repeatable.
    series : bool
        Treat models as training steps, by the last number in each name.
    images : Path
        Folder, .zip or .tar of the images, found by file name or COCO id.
    entities : Path
        Folder of Flickr30k Entities, with Sentences/ and Annotations/.
    table : Path | Sequence[Path]
        Table of images or captions by id, for conditions; repeatable.
    captions_per_image : int
        Consecutive captions per image without a ground truth (0: unpaired).
    split : str
        Split of a Karpathy file (dataset_*.json) [default: test].
    pool_file : Mapping[str, Array]
        Add a candidate pool: a list of images or captions; repeatable.
    texts : Mapping[str, Array]
        Add other texts of the captions, such as refined ones; repeatable.
    captions_of : Mapping[str, str]
        Which of texts a model was given; repeatable.
    force : bool
        Overwrite existing files.
    no_positives : Literal["left-out", "zero"]
        Queries without positives: exclude, or score 0 (like `trec_eval`).
    short_lists : Literal["unknown", "miss"]
        Positives beyond the end of a ranked list: unknown rank, or a miss.
    pm_zeta : float
        Categories in which Plausible Match lets images differ [default: 0].
    omit_own : bool
        Exclude an image and its own captions from Plausible Match.
    cxc_threshold : float
        Lowest rating of a positive in Crisscrossed Captions [default: 3].
    relevant_from : int
        Lowest grade of a positive in graded ground truths [default: 1].
    i2t : Array
        Scores of image queries, as re-ranking models write; with t2i.
    t2i : Array
        Scores of caption queries; with i2t.
    image_emb : Array
        Image embeddings (.npy or Parquet); with text_emb.
    text_emb : Array
        Caption embeddings; the scores are dot products.
    cosine : bool
        Normalize embeddings, so that scores are cosines.
    run : Path | Sequence[Path]
        Ranked lists of both directions (JSON, TREC run, Parquet); repeatable.
    run_i2t : Lists
        Ranked captions of image queries (JSON, TREC run, Parquet).
    run_t2i : Lists
        Ranked images of caption queries (JSON, TREC run, Parquet).
    knn : Neighbours
        Neighbours from FAISS: indices, optional distances; per direction.
    dense : bool
        Take every cell as a score, even if most of a row are its minimum.
    phi : Similarities
        Add a similarity as ground truth: `cider`, or NAME=FILE; repeatable.
    phi_m : int
        Most similar items that count as positives [default: 5].
    phi_close : float
        Share of the greatest phi at which an item is close [default: 0.5].
    phi_model : str | Sequence[str]
        Also add a phi as a model; repeatable.
    tokens : Literal["ptb", "ncs"]
        Tokens of CIDEr-D: ptb (no punctuation) or ncs (split at blanks).
    drop_self : bool
        Exclude a caption's own copy from its references.
    captions_first : bool
        Rows of matrices are captions.
    images_first : bool
        Rows of matrices are images.

    Returns
    -------
    Evaluation
        Values by model, metric and direction; shares are from 0 to 1.
    """
    return Call("eval", evaluate, locals()).evaluation()


def per_query(
    sims: Scores | None = None, *truths: Truth, metrics: str | Sequence[str] | None = None,
    k: int | Sequence[int] = (1, 5, 10), truth: str | Sequence[str] | None = None,
    pool: str | Sequence[str] | None = None, direction: Literal["i2t", "t2i", "both"] = "both",
    pmrp_cap: int | None = None, mix: str | Sequence[str] | None = None, session: Path | None = None,
    annotator: str | None = None, demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Compute the metrics of every query.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    metrics : str | Sequence[str]
        Metrics such as `R@1` or `eccv_map_at_r`, or `all`.
    k : int | Sequence[int]
        Depths of metrics at K, separated by commas.
    truth : str | Sequence[str]
        Ground truths [default: all].
    pool : str | Sequence[str]
        Pools: all, folds, random1000s7, or of pool_file.
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    pmrp_cap : int
        Cap of R in PMRP (the PCME papers use 50).
    mix : str | Sequence[str]
        Add alpha * A + (1 - alpha) * B as a model; repeatable.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        A row for each model, direction and query, a column for each metric; see ``to_arrays``.
    """
    return Call("eval --per-query=-", per_query, locals()).result()


def compare(
    sims: Scores | None = None, *truths: Truth, models: str | Sequence[str] | None = None,
    metrics: str | Sequence[str] = ("r1", "map_at_r"), k: int | Sequence[int] = (1, 5, 10),
    truth: str | Sequence[str] | None = None, direction: Literal["i2t", "t2i", "both"] = "both", pool: str = "all",
    full: bool = False, by_query: bool = False, margin: float | None = None, seed: int = 0, session: Path | None = None,
    annotator: str | None = None, demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Compare models query by query, with intervals and paired tests.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    models : str | Sequence[str]
        Models to compare; NAME stands for its runs NAME@SEED [default: all].
    metrics : str | Sequence[str]
        Metrics, such as R@1 or r1, or `all`.
    k : int | Sequence[int]
        Depths for metrics at K, separated by commas.
    truth : str | Sequence[str]
        Ground truths [default: all].
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    pool : str
        Candidate pool, such as fold1, folds or random1000s7.
    full : bool
        Print every pair, counts, winner flips and similarity too.
    by_query : bool
        Treat queries as independent (default: cluster captions by image).
    margin : float
        Test equivalence and non-inferiority within X points, or ranks.
    seed : int
        Random seed of the items for Kendall's tau.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("compare", compare, locals()).result()


def errors(
    sims: Scores | None = None, *truths: Truth, model: str | Sequence[str] | None = None,
    truth: str | Sequence[str] | None = None, direction: Literal["i2t", "t2i"] | None = None, pool: str = "all",
    session: Path | None = None, annotator: str | None = None, k: int | Sequence[int] = 10, hubs: int = 20,
    words: int = 15, full: bool = False, demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Show why a model fails: error types, hubs, words.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    model : str | Sequence[str]
        Models [default: all].
    truth : str | Sequence[str]
        Ground truths; hubs and words use the first [default: all].
    direction : Literal["i2t", "t2i"]
        Direction of retrieval [default: t2i if possible].
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    k : int | Sequence[int]
        Depths at which hubs are counted besides 1 and 5.
    hubs : int
        Hubs to print per model, those most often top-1 first.
    words : int
        Words to print per model.
    full : bool
        Print every ground truth, hubs, words and what the types mean too.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("errors", errors, locals()).result()


def slices(
    sims: Scores | None = None, *truths: Truth, models: str | Sequence[str] | None = None, truth: str | None = None,
    direction: Literal["i2t", "t2i"] | None = None, pool: str = "all", slice: str | Sequence[str] | None = None,
    words: Path | None = None, full: bool = False, session: Path | None = None, annotator: str | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Show on which queries models differ most: words, categories, length.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    models : str | Sequence[str]
        Models; the first two are compared [default: all].
    truth : str
        Ground truth [default: the richest].
    direction : Literal["i2t", "t2i"]
        Direction of retrieval [default: t2i if possible].
    pool : str
        Candidate pool, such as fold1, folds or random1000s7.
    slice : str | Sequence[str]
        Add a slice: the queries that meet a condition; repeatable.
    words : Path
        Words and phrases by group, instead of the built-in list.
    full : bool
        Print every slice, all intervals and the conditions.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("slices", slices, locals()).result()


def mix(
    sims: Scores | None = None, *truths: Truth, models: str | Sequence[str] | None = None,
    scaling: Literal["raw", "zscore"] = "raw", steps: float = 0.05, truth: str | None = None, pool: str = "all",
    seed: int = 0, session: Path | None = None, annotator: str | None = None, demo: bool = False,
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    series: bool = False, images: Path | None = None, entities: Path | None = None,
    table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None, split: str | None = None,
    pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Mix two models: R@1 and mAP@R for every weight.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    models : str | Sequence[str]
        The two models; alpha is the weight of the first.
    scaling : Literal["raw", "zscore"]
        Scaling of both models' scores.
    steps : float
        Alpha step; must divide 1.
    truth : str
        Ground truth; with session as judged [default: the richest].
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    seed : int
        Random seed of the split of images for the held-out estimate.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("mix", mix, locals()).result()


def series(
    sims: Scores | None = None, *truths: Truth, metrics: str | Sequence[str] = ("r1", "map_at_r"),
    truth: str | Sequence[str] | None = None, direction: Literal["i2t", "t2i", "both"] = "both", pool: str = "all",
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Follow one model over its training steps.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    metrics : str | Sequence[str]
        Metrics, such as R@1, r1 or a full key.
    truth : str | Sequence[str]
        Ground truths [default: all].
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("series", series, locals()).result()


def correlate(
    *results: Path, published: bool = False, metrics: str | Sequence[str] | None = None, resamples: int = 10000,
    seed: int = 0,
) -> Result:
    """Correlate metrics over models, also with 25 published models.

    Parameters
    ----------
    *results : Path
        Output of `eval format json`.
    published : bool
        Add the 25 models of the ECCV Caption paper, and rank yours.
    metrics : str | Sequence[str]
        Metrics [default: all that three models have in both directions].
    resamples : int
        Resamples of the models for the intervals.
    seed : int
        Random seed.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("correlate", correlate, locals()).result()


def figure(
    sims: Scores | None = None, *truths: Truth, session: Path | None = None, annotator: str | None = None,
    query: str | Sequence[str] | None = None, where: str | None = None, direction: Literal["i2t", "t2i"] | None = None,
    model: str | Sequence[str] | None = None, truth: str | None = None, pool: str | None = None, k: int | None = None,
    no_scores: bool = False, no_ids: bool = False, no_note: bool = False,
    layout: Literal["grid", "side-by-side", "captions"] | None = None, max_height: float | None = None,
    output: Path | None = None, pick: int | None = None, seed: int = 0, diverse: bool = False, columns: int = 1,
    width: float | None = None, text_size: float | None = None, dpi: int = 300, font: str | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Figure:
    """Draw queries and rankings as a figure for a paper.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    session : Path
        Apply the judgments in this session (adds TRUTH+mine).
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    query : str | Sequence[str]
        Ids of the queries [default: the session's picks].
    where : str
        Draw queries that meet a condition, as in `find`; with pick.
    direction : Literal["i2t", "t2i"]
        Direction of retrieval [default: that of the picks or ids, else t2i].
    model : str | Sequence[str]
        Models, in this order [default: those of the picks, else the first].
    truth : str
        Ground truth [default: that of the picks, else the richest].
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    k : int
        Items per ranking [default: that of the picks, else 5].
    no_scores : bool
        Omit scores.
    no_ids : bool
        Omit ids and file names.
    no_note : bool
        Omit remarks, and how queries were chosen.
    layout : Literal["grid", "side-by-side", "captions"]
        Layout [default: grid for t2i, captions for i2t].
    max_height : float
        Maximum height in millimetres [default: one page, 193 or 225.4].
    output : Path
        File to write (.svg, .png, .pdf or .tex) [default: SVG to stdout].
    pick : int
        Sample N matching queries; `find` adds them to the session's picks.
    seed : int
        Random seed.
    diverse : bool
        Sample queries with different words instead of at random.
    columns : int
        Paper layout: one column (121 mm) or one of two (83.3 mm).
    width : float
        Width in millimetres [default: that of columns].
    text_size : float
        Text size in points [default: that of columns].
    dpi : int
        Resolution of images, and of PNG.
    font : str
        Font family [default: the bundled Liberation Sans].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Figure
        The figure, as SVG and PNG; also written to ``output``.
    """
    return Call("figure", figure, locals()).figure()


def plot(
    kind: Literal["models", "over-alpha", "over-steps", "semantic-recall", "ratings", "bump", "slices"],
    sims: Scores | None = None, *truths: Truth, output: Path | None = None, model: str | Sequence[str] | None = None,
    truth: str | Sequence[str] | None = None, metrics: str | Sequence[str] | None = None,
    direction: Literal["i2t", "t2i", "both"] | None = None, pool: str | None = None, k: int | None = None,
    scaling: Literal["raw", "zscore"] | None = None, columns: int = 1, width: float | None = None,
    text_size: float | None = None, dpi: int = 300, font: str | None = None, demo: bool = False,
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    series: bool = False, images: Path | None = None, entities: Path | None = None,
    table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None, split: str | None = None,
    pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Figure:
    """Draw one chart, such as mAP@R against R@1.

    Parameters
    ----------
    kind : Literal["models", "over-alpha", "over-steps", "semantic-recall", "ratings", "bump", "slices"]
        Chart, such as models or bump; `plot help` lists all.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    output : Path
        File to write (.svg, .png, .pdf, ..) [default: SVG to stdout].
    model : str | Sequence[str]
        Models, in this order [default: all].
    truth : str | Sequence[str]
        Ground truths [default: the richest; of over-steps all].
    metrics : str | Sequence[str]
        Metrics, as in `eval` [default: as the chart says].
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval [default: both if the chart has room].
    pool : str
        Pool: fold1, folds, random1000s7, or of pool_file.
    k : int
        Depth of semantic-recall [default: 10].
    scaling : Literal["raw", "zscore"]
        Scaling of the scores in over-alpha [default: raw].
    columns : int
        Paper layout: one column (121 mm) or one of two (83.3 mm).
    width : float
        Width in millimetres [default: that of columns].
    text_size : float
        Text size in points [default: that of columns].
    dpi : int
        Resolution of images, and of PNG.
    font : str
        Font family [default: the bundled Liberation Sans].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Figure
        The figure, as SVG and PNG; also written to ``output``.
    """
    return Call("plot", plot, locals()).figure()


def report(
    sims: Scores | None = None, *truths: Truth, output: Path, title: str | None = None, examples: int = 2,
    seed: int = 0, demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Write metrics, comparison, errors and examples as one HTML page.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    output : Path
        Page to write (.html).
    title : str
        Title [default: the names of the models].
    examples : int
        Random example queries per kind.
    seed : int
        Random seed of examples, and of the items for Kendall's tau.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("report", report, locals()).written()


def doctor(
    sims: Scores | None = None, *truths: Truth, demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Check inputs for mistakes that would corrupt the metrics.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("doctor", doctor, locals()).result()


def convert(
    *truths: Truth, sims: Scores | None = None, truth: str | Sequence[str] | None = None, output: Path,
    format: Literal["json", "qrels", "bundle"] | None = None, demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Write ground truths as one bundle, JSON lists or TREC qrels.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    truth : str | Sequence[str]
        Ground truths, separated by commas [default: all].
    output : Path
        File to write; for lists a folder.
    format : Literal["json", "qrels", "bundle"]
        json, qrels or bundle [default: bundle for a .json file, else json].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("convert", convert, locals()).written()


def truth_stats(
    *truths: Truth, sims: Scores | None = None, against: str | None = None, demo: bool = False,
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    series: bool = False, images: Path | None = None, entities: Path | None = None,
    table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None, split: str | None = None,
    pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Count positives, and compare ground truths with one of them.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    against : str
        Ground truth to compare with [default: the richest].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("truth stats", truth_stats, locals()).result()


def truth_pm(
    *truths: Truth, sims: Scores | None = None, output: Path, format: Literal["json", "qrels", "bundle"] | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Write Plausible Match, made from a COCO instances file.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    output : Path
        File to write; for lists a folder.
    format : Literal["json", "qrels", "bundle"]
        json, qrels or bundle [default: bundle for a .json file, else json].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("truth pm", truth_pm, locals()).written()


def truth_cxc(
    *truths: Truth, sims: Scores | None = None, output: Path, format: Literal["json", "qrels", "bundle"] | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Write Crisscrossed Captions, made from the ratings in sits_*.csv.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    output : Path
        File to write; for lists a folder.
    format : Literal["json", "qrels", "bundle"]
        json, qrels or bundle [default: bundle for a .json file, else json].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("truth cxc", truth_cxc, locals()).written()


def truth_mine(
    session: Path, *truths: Truth, sims: Scores | None = None, truth: str | None = None, annotator: str | None = None,
    output: Path, format: Literal["json", "qrels", "bundle"] = "json", demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Write a ground truth as a session's judgments change it.

    Parameters
    ----------
    session : Path
        Session with the judgments.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    truth : str
        Ground truth to change [default: the session's, else the richest].
    annotator : str
        Whose judgments [default: the session's only annotator, else you].
    output : Path
        Folder to write to, or the bundle.
    format : Literal["json", "qrels", "bundle"]
        Form: json, qrels, or bundle (one file with the gallery).
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("truth mine", truth_mine, locals()).written()


def truth_merge(
    *truths: Truth, sims: Scores | None = None, truth: str | Sequence[str], all_queries: bool = False,
    as_name: str = "united", base: str | None = None, output: Path | None = None,
    as_: Literal["json", "qrels", "bundle"] = "qrels", demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Merge several ground truths.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    truth : str | Sequence[str]
        Ground truths to merge; the first decides which queries are covered.
    all_queries : bool
        Cover the queries of all these ground truths.
    as_name : str
        Name of the merged ground truth.
    base : str
        Ground truth to compare with [default: the last of truth].
    output : Path
        Output: a folder or bundle.
    as_ : Literal["json", "qrels", "bundle"]
        Form: json, qrels or bundle.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("truth merge", truth_merge, locals()).result()


def truth_ratings(
    *truths: Truth, sims: Scores | None = None, resamples: int = 1000, seed: int = 0, demo: bool = False,
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    series: bool = False, images: Path | None = None, entities: Path | None = None,
    table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None, split: str | None = None,
    pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Correlate labels, similarities and models with human ratings.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    resamples : int
        Resamples of the images for the intervals.
    seed : int
        Random seed.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("truth ratings", truth_ratings, locals()).result()


def annotate_pool(
    sims: Scores | None = None, *truths: Truth, top: int = 25, models: str | Sequence[str] | None = None,
    add_truth: str | Sequence[str] | None = None, queries: Path | Sequence[Path] | None = None,
    where: str | None = None, sample: int | None = None, seed: int = 0,
    direction: Literal["i2t", "t2i", "both"] = "both", truth: str | None = None, unlisted: bool = False,
    order: Literal["disagreement", "depth", "random"] = "disagreement", pace: float = 12, overlap: int = 1,
    output: Path | None = None, demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Collect the top items of several models as pairs to judge.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    top : int
        Items per ranking.
    models : str | Sequence[str]
        Models that propose pairs [default: all].
    add_truth : str | Sequence[str]
        Also propose the positives of a ground truth; repeatable.
    queries : Path | Sequence[Path]
        List of query ids or file names; once per direction.
    where : str
        Queries that meet a condition, as in `find` [default: all covered].
    sample : int
        Sample N of these queries per direction.
    seed : int
        Random seed.
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    truth : str
        Ground truth with queries and known positives [default: the richest].
    unlisted : bool
        Exclude pairs that this ground truth lists as positives.
    order : Literal["disagreement", "depth", "random"]
        Order of judging.
    pace : float
        Judgments per minute, to estimate the cost.
    overlap : int
        Annotators per pair.
    output : Path
        Pool to write (JSON Lines) [default: print the counts only].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("annotate pool", annotate_pool, locals()).result()


def annotate_hits(
    pool: Path, sims: Scores | None = None, *truths: Truth, output: Path, html: Path | None = None, page_hits: int = 25,
    follow_up: bool = False, seed: int = 0, demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Turn a pool into HITs with golden pairs, as JSON and HTML.

    Parameters
    ----------
    pool : Path
        Pool from `annotate pool`; then the files it was made from.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    output : Path
        HITs to write.
    html : Path
        Also write an HTML page, with the images of images or captions.
    page_hits : int
        Maximum number of HITs per page.
    follow_up : bool
        Ask what falls short if the answer is partial or mostly no.
    seed : int
        Random seed of golden pairs and order.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("annotate hits", annotate_hits, locals()).written()


def annotate_import(
    *answers: Path, hits: Path | None = None, rule: Literal["majority", "strict"] = "majority",
    adjudicator: str | None = None, keep_failed: bool = False, partial: bool = False, output: Path | None = None,
    as_: Literal["json", "qrels", "bundle"] = "qrels", name: str = "human", disputed: Path | None = None,
    pool: Path | None = None, force: bool = False,
) -> Result:
    """Read and check judgments, and write the ground truth they make.

    Parameters
    ----------
    *answers : Path
        Judgments: pages' files, sessions, CSV, Label Studio.
    hits : Path
        HITs that were judged; checks golden pairs and foreign answers.
    rule : Literal["majority", "strict"]
        majority, or strict: only what all agree on.
    adjudicator : str
        Annotator whose judgments decide alone.
    keep_failed : bool
        Also count HITs with wrong answers to golden pairs.
    partial : bool
        Count partial as a positive: grade 1, yes is 2.
    output : Path
        Write the ground truth: a folder, or the bundle.
    as_ : Literal["json", "qrels", "bundle"]
        Form: json, qrels or bundle.
    name : str
        Name of the ground truth.
    disputed : Path
        Write pairs that annotators disagree on as a new pool.
    pool : Path
        Pool of the HITs, with its queries and who proposed a pair.
    force : bool
        Overwrite existing files.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("annotate import", annotate_import, locals()).result()


def annotate_merge(
    *sessions: Path, base: Path | None = None, output: Path | None = None, disputed: Path | None = None,
    force: bool = False,
) -> Result:
    """Merge sessions, and list the pairs that annotators disagree on.

    Parameters
    ----------
    *sessions : Path
        Sessions to merge.
    base : Path
        Session that they come from: changes and removals since count.
    output : Path
        Merged session to write [default: print the disagreements only].
    disputed : Path
        Write the pairs in dispute as a pool for annotate.
    force : bool
        Overwrite existing files.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("annotate merge", annotate_merge, locals()).result()


def annotate_reuse(
    pool: Path, sims: Scores | None = None, *truths: Truth, truth: str | None = None, base: str | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Measure a pooled ground truth on models outside the pool.

    Parameters
    ----------
    pool : Path
        Pool that the ground truth was made from.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    truth : str
        Ground truth [default: the richest].
    base : str
        Earlier ground truth, whose positives stay [default: none].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("annotate reuse", annotate_reuse, locals()).result()


def annotate_bias(
    pool: Path, sims: Scores | None = None, *truths: Truth, truth: str | None = None, base: str | None = None,
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Measure how far a ground truth favours its proposers.

    Parameters
    ----------
    pool : Path
        Pool that the ground truth was made from.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    truth : str
        Ground truth [default: the richest].
    base : str
        Earlier ground truth, whose positives stay [default: none].
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("annotate bias", annotate_bias, locals()).result()


def annotate_preferences(
    wins: Path,
) -> Result:
    """Score paired comparisons: Bradley-Terry, with intervals.

    Parameters
    ----------
    wins : Path
        Counts of how often each model was preferred to each other.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("annotate preferences", annotate_preferences, locals()).result()


def phrases_stats(
    folder: Path, *, split: Path | None = None,
) -> Result:
    """Count phrases, chains and boxes.

    Parameters
    ----------
    folder : Path
        Folder of Flickr30k Entities, with Sentences/ and Annotations/.
    split : Path
        Count only these images: a list of ids, or its name in the folder.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("phrases stats", phrases_stats, locals()).result()


def phrases_localize(
    *predictions: Path, entities: Path, split: Path | None = None,
    protocol: Literal["plummer", "mdetr-any", "mdetr-merged", "ban"] = "plummer", xywh: bool = False,
    failures: bool = False, limit: int | None = None,
) -> Result:
    """Measure how well a model localizes phrases.

    Parameters
    ----------
    *predictions : Path
        Predicted boxes (JSON Lines, MDETR, GLIP); a file per model.
    entities : Path
        Folder of Flickr30k Entities, with Sentences/ and Annotations/.
    split : Path
        Evaluate only these images: a list, or its name in the folder.
    protocol : Literal["plummer", "mdetr-any", "mdetr-merged", "ban"]
        What counts as a hit, and among how many boxes.
    xywh : bool
        Predicted boxes are x, y, width, height instead of corners.
    failures : bool
        List the phrases whose first box is no hit.
    limit : int
        Only the first N failures [default: all].

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("phrases localize", phrases_localize, locals()).result()


def fg_pools(
    sims: Scores | None = None, *truths: Truth, pool: str | Sequence[str] | None = None, truth: str | None = None,
    direction: Literal["i2t", "t2i", "both"] = "both", pair: Mapping[str, str] | None = None, demo: bool = False,
    image_ids: Ids | None = None, caption_ids: Ids | None = None, name: Mapping[str, str] | None = None,
    series: bool = False, images: Path | None = None, entities: Path | None = None,
    table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None, split: str | None = None,
    pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Compare original with refined captions and enlarged pools.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    pool : str | Sequence[str]
        Candidate pools, baseline first.
    truth : str
        Ground truth [default: the original one].
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    pair : Mapping[str, str]
        Pair a model with its variant on other captions; repeatable.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("fg pools", fg_pools, locals()).result()


def fg_pairs(
    *scores: Path, failures: int = 10,
) -> Result:
    """How often a model prefers the correct caption to a hard negative.

    Parameters
    ----------
    *scores : Path
        Scores of a model, JSON Lines; several models are compared.
    failures : int
        Failures to list per model, widest margin first.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("fg pairs", fg_pairs, locals()).result()


def semantic_cider(
    *truths: Truth, sims: Scores | None = None, output: Path, dtype: Literal["f2", "f4", "f8"] = "f4",
    demo: bool = False, image_ids: Ids | None = None, caption_ids: Ids | None = None,
    name: Mapping[str, str] | None = None, series: bool = False, images: Path | None = None,
    entities: Path | None = None, table: Path | Sequence[Path] | None = None, captions_per_image: int | None = None,
    split: str | None = None, pool_file: Mapping[str, Array] | None = None, texts: Mapping[str, Array] | None = None,
    captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Path:
    """Write CIDEr-D of every caption with every image as a matrix.

    Parameters
    ----------
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    output : Path
        Matrix to write: images x captions (.npy).
    dtype : Literal["f2", "f4", "f8"]
        Number type.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Path
        ``output``.
    """
    return Call("semantic cider", semantic_cider, locals()).written()


def semantic_recall(
    sims: Scores | None = None, *truths: Truth, k: int | Sequence[int] = 10,
    direction: Literal["i2t", "t2i", "both"] = "both", demo: bool = False, image_ids: Ids | None = None,
    caption_ids: Ids | None = None, name: Mapping[str, str] | None = None, series: bool = False,
    images: Path | None = None, entities: Path | None = None, table: Path | Sequence[Path] | None = None,
    captions_per_image: int | None = None, split: str | None = None, pool_file: Mapping[str, Array] | None = None,
    texts: Mapping[str, Array] | None = None, captions_of: Mapping[str, str] | None = None, force: bool = False,
    no_positives: Literal["left-out", "zero"] | None = None, short_lists: Literal["unknown", "miss"] | None = None,
    pm_zeta: float | None = None, omit_own: bool = False, cxc_threshold: float | None = None,
    relevant_from: int | None = None, i2t: Array | None = None, t2i: Array | None = None,
    image_emb: Array | None = None, text_emb: Array | None = None, cosine: bool = False,
    run: Path | Sequence[Path] | None = None, run_i2t: Lists | None = None, run_t2i: Lists | None = None,
    knn: Neighbours | None = None, dense: bool = False, phi: Similarities | None = None, phi_m: int | None = None,
    phi_close: float | None = None, phi_model: str | Sequence[str] | None = None,
    tokens: Literal["ptb", "ncs"] | None = None, drop_self: bool = False, captions_first: bool = False,
    images_first: bool = False,
) -> Result:
    """Recall of the m most similar items, for m from 1 to 30.

    Parameters
    ----------
    sims : Scores
        An array or data frame of images x captions, ranked lists, a file, or a dictionary of names and these.
    *truths : Truth
        Ground truths and captions: files, folders, dictionaries or data frames of pairs.
    k : int | Sequence[int]
        Depths of the rankings.
    direction : Literal["i2t", "t2i", "both"]
        Direction of retrieval: i2t, t2i, or both.
    inputs
        The options from ``demo`` on: see :func:`evaluate`.

    Returns
    -------
    Result
        The JSON of the program; shares are from 0 to 1.
    """
    return Call("semantic recall", semantic_recall, locals()).result()
