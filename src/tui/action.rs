//! All user actions: keys, help and footer come from this table.

use crate::truth::judgment::Judgment;
use crate::truth::response::Response;

/// One row per action: variant, keymap name, description, help group, and comma-separated search words of the help.
macro_rules! actions {
    ($($variant:ident $name:literal $doc:literal $group:ident $($search_words:literal)?;)*) => {
        /// A user action.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $(#[allow(clippy::doc_markdown, reason = "the help is no Markdown")] #[doc = $doc] $variant,)*
        }

        impl Action {
            /// Every action, in the order of the help.
            pub const ALL: &[Action] = &[$(Action::$variant,)*];

            /// Name in keymaps.
            pub fn name(self) -> &'static str {
                match self { $(Action::$variant => $name,)* }
            }

            /// Description in a few words.
            pub fn doc(self) -> &'static str {
                match self { $(Action::$variant => $doc,)* }
            }

            /// Search words of the help, comma-separated.
            pub fn search_words(self) -> &'static str {
                match self { $(Action::$variant => concat!($($search_words)?),)* }
            }

            /// Group in the help.
            pub fn group(self) -> Group {
                match self { $(Action::$variant => Group::$group,)* }
            }
        }
    };
}

actions! {
    Down "down" "next line" Move "scroll, cursor";
    Up "up" "previous line" Move "scroll, cursor";
    PageDown "page-down" "one page down" Move "scroll";
    PageUp "page-up" "one page up" Move "scroll";
    First "first" "first line" Move "top, beginning, start, go to";
    Last "last" "last line" Move "bottom, end, go to";
    Left "left" "previous column or pane" Move "focus, scroll";
    Right "right" "next column or pane" Move "focus, scroll";
    NextPane "next-pane" "next pane" Move "focus, window, switch";
    PreviousPane "previous-pane" "previous pane" Move "focus, window, switch";
    NextPositive "next-positive" "next positive in the ranking" Move "hit, relevant, correct";
    PreviousPositive "previous-positive" "previous positive in the ranking" Move "hit, relevant, correct";
    Browse "browse" "queries and their rankings" View "screen, retrieval, results, captions, images, rankings, retrieved items, top-k, query list";
    Items "items" "top items of all queries, pair by pair: non-GT positives, all positives, unjudged" View "screen, non-GT positives, false negatives, missing labels, retrieved items, candidates, list of pairs, extra";
    Compare "compare" "models side by side on the same queries" View "screen, side by side, win, loss, rank change, disagreement, difference, two models, versus, head to head, regressions";
    Metrics "metrics" "every metric of every ground truth, ranks among published models" View "screen, table, numbers, scores, leaderboard, scatter, recall, precision, R@1, mAP@R, evaluation, benchmark, ground truths";
    Errors "errors" "error types, hubs, words of failures, slices" View "screen, subsets, failures, mistakes, false top-1, missing labels, false negatives, hubness, error analysis, failure cases, why, words";
    Picks "picks" "bookmarked queries and their figure" View "screen, bookmarks, favourites, favorites, examples, qualitative, paper, figure, gallery";
    Direction "direction" "image-to-text or text-to-image retrieval" View "i2t, t2i, image to text, text to image, switch, flip, text retrieval, image retrieval, swap";
    NextTruth "next-truth" "next ground truth" View "annotation, labels, GT, switch, original, COCO, CxC, ECCV, Plausible Match, qrels, ground truths, relevance, dataset, CrissCrossed Captions, ECCV Caption";
    PreviousTruth "previous-truth" "previous ground truth" View "annotation, labels, GT, switch";
    NextModel "next-model" "next model" View "method, system, switch, next matrix, checkpoint, change model, second model, other model";
    PreviousModel "previous-model" "previous model" View "method, system, switch";
    Pool "pool" "candidate pool: all, the 1K folds, named pools" View "1K, 5K, subset, gallery, protocol, candidates, folds, 1K test, 5K test";
    Mix "mix" "mix this model with the next one, or end the mixture" View "ensemble, fusion, interpolate, combine, average, alpha, blend, merge, weighted sum, late fusion";
    AlphaUp "alpha-up" "more of the first model in the mixture" View "weight, ensemble";
    AlphaDown "alpha-down" "less of the first model in the mixture" View "weight, ensemble";
    Scaling "scaling" "mix raw or z-scored scores" View "normalise, normalize, zscore, standardise, standardize, z-score";
    More "more" "raise the CxC threshold or the PM zeta; on Picks and Items, more items per query" View "rating, distance, rule, Plausible Match, threshold, CrissCrossed Captions, tolerance";
    Less "less" "lower the CxC threshold or the PM zeta; on Picks and Items, fewer items per query" View "rating, distance, rule, Plausible Match, threshold, CrissCrossed Captions, tolerance";
    Sort "sort" "sort the queries, or the items, by the next key" View "order, column, worst, hardest, ascending, descending, reverse, easiest, rank queries";
    SortBy "sort-by" "sort the queries by an expression, such as -rank" View "order, expression, ascending, descending, reverse, variable";
    Search "search" "search captions and ids" View "find, text, grep, keyword, look for, query";
    NextMatch "next-match" "next match of the search" View "find";
    PreviousMatch "previous-match" "previous match of the search" View "find";
    Filter "filter" "list queries that meet a condition" View "where, subset, restrict, hard queries, condition, expression, only, preset, missing label, near miss, failures";
    Jump "jump" "go to an image or a caption by its id or file name" View "find, COCO id, number, go to, image id, caption id";
    Close "close" "close a popup, end judging, the search or the filter" View "cancel, back, exit";
    Judge "judge" "start or end judging: one key judges the selected item" Judgments "annotate, annotation, label, verdict, relevance, judging, judgement, judgment, start, ground truth of my own";
    JudgeClear "judge-clear" "delete the judgment; among picks, remove the pick" Judgments "remove, erase, unjudge, annotation, unlabel, verdict";
    Pick "pick" "pick the query, or remove the pick" Judgments "bookmark, favourite, favorite, star, save";
    Note "note" "write a note on the query; empty deletes it" Judgments "comment, remark, annotate, remember";
    Tag "tag" "tag the pair with free words, such as counting; the same tag again is removed" Judgments "label, error category, keyword, annotate, mark, comment";
    Undo "undo" "undo the last change" Judgments "revert, take back, go back, mistake, undo a verdict, take back an answer";
    Redo "redo" "redo what was undone" Judgments "repeat";
    JudgeYes "judge-yes" "the selected item is relevant" Judging "correct, positive, match, label, verdict";
    JudgePartial "judge-partial" "partly relevant, counts as relevant" Judging "half, label, verdict";
    JudgeMostlyNo "judge-mostly-no" "mostly not relevant, counts as not relevant" Judging "label, verdict";
    JudgeNo "judge-no" "not relevant" Judging "incorrect, wrong, negative, label, verdict";
    CantTell "cant-tell" "can't tell: changes no number, and is not asked again" Judging "unsure, skip, unknown";
    PutOff "put-off" "skip the pair for now; a pool shows it again at the end" Judging "skip, later, postpone";
    Blind "blind" "hide or show scores, ranks, marks and badges while judging" Judging "bias, unbiased";
    JudgeListed "judge-listed" "judge positives of the ground truth too, or only unlisted items" Judging;
    JudgeDepth "judge-depth" "how many items of each query are judged" Judging "deeper, pooling depth";
    MoveDown "move-down" "move the pick down, or its group from the end of the group" Picks "reorder";
    MoveUp "move-up" "move the pick up, or its group from the start of the group" Picks "reorder";
    Models "models" "models of the pick: the current one, the compared ones, all" Picks "which models";
    Heading "heading" "edit the heading above the pick" Picks "group, title, section, caption of the figure, label";
    Scope "scope" "figure of this pick, of its group, of all picks" Picks "all picks, group, which picks";
    Layout "layout" "next layout of the figure" Picks "style, grid, arrange, rows, cards";
    Columns "columns" "figure for one column or for two" Picks "width, two-column";
    Export "export" "write the figure, the chart or the list of items to a file" Picks "save, rows, CSV, JSON Lines, spreadsheet, chart, plot, paper, screenshot, picture of the screen, image file, figure, graph, download, print, publish, LaTeX, TeX, PDF, SVG, PNG, HTML, Markdown, md, JSON";
    Thumbnails "thumbnails" "thumbnails on or off" Info "images, pictures, photos, show images, hide images, photographs";
    Boxes "boxes" "boxes of phrases on images, on or off (Flickr30k Entities)" Info "bounding boxes, grounding, localisation";
    Detail "detail" "details of the selected item, or the queries that the selected number counts" Info "open, full caption, large picture, zoom, details, show more, whole caption, enlarge";
    Define "define" "metrics of this view, with definitions and upper bounds" Info "definition, formula, meaning, what is, explain, help on numbers, equation, ceiling";
    Study "study" "inputs and warnings" Info "files, loaded, notes, problems, doctor, data, paths, problem, warning, orientation, NaN, npy, npz, parquet, qrels, TREC, run, JSON, CSV";
    Tests "tests" "paired tests of this model and the next: interval, p-values, wins and losses" Info "significance, significant, Holm, t-test, p-value";
    Intervals "intervals" "95 % CI of both numbers of the header, on or off" Info "confidence interval, error bars, uncertainty, CI, standard error, variance";
    Curve "curve" "both metrics of the header for the mixture at every alpha" Info "ensemble, weight, plot, chart, alpha, sweep, line chart";
    Nearest "nearest" "nearest captions or images of the selected item; / types a caption" Info "neighbours, neighbors, similar, near-duplicates, duplicates, CIDEr, embeddings, free text, like this";
    Steps "steps" "both metrics of the header over the steps of a training (--series)" Info "epoch, checkpoint, trajectory, training, learning curve, series";
    Plot "plot" "contact sheet of the ranking; on Metrics the next chart" Info "graph, scatter, thumbnails, grid, images, chart, figure, histogram, preview, next chart";
    Copy "copy" "copy the selected line" Info "clipboard, yank, paste";
    Leader "leader" "all other actions, in groups" Program "menu, groups";
    Help "help" "list and search all actions, keys and signs" Program "palette, command, menu, shortcuts, bindings, manual, settings, configuration, config.toml, preferences, options";
    Tour "tour" "two-minute tour of the demo" Program "tutorial, introduction, guide";
    Theme "theme" "next theme" Program "colours, colors, dark, light, colour, color, background, contrast, colour-blind, color-blind, appearance";
    Redraw "redraw" "redraw the screen; reload changed files" Program "refresh, reload, repaint, garbled, reload files, watch";
    Quit "quit" "leave" Program "exit, close, end, leave, stop, :q";
}

impl Action {
    /// Number of lines, down if positive, by which it moves a selection or scrolls; `page`: lines per page. First and
    /// Last return more lines than any list has. `None` for actions that do neither.
    pub(super) fn lines(self, page: isize) -> Option<isize> {
        match self {
            Action::Down => Some(1),
            Action::Up => Some(-1),
            Action::PageDown => Some(page),
            Action::PageUp => Some(-page),
            // Halved: adding an index cannot overflow.
            Action::First => Some(isize::MIN / 2),
            Action::Last => Some(isize::MAX / 2),
            _ => None,
        }
    }

    /// Whether it needs a screen with a ranking, on which an item can be selected.
    pub(super) fn needs_item(self) -> bool {
        matches!(self, Action::Copy | Action::Tag) || self.is_search_step() || self.needs_judging()
    }

    /// Whether it goes to another match of the search.
    pub(super) fn is_search_step(self) -> bool {
        matches!(self, Action::NextMatch | Action::PreviousMatch)
    }

    /// The response that it gives to the selected pair; `None` if it gives none.
    pub(super) fn response(self) -> Option<Response> {
        Some(match self {
            Action::JudgeYes => Response::Judgment(Judgment::Yes),
            Action::JudgePartial => Response::Judgment(Judgment::Partial),
            Action::JudgeMostlyNo => Response::Judgment(Judgment::MostlyNo),
            Action::JudgeNo => Response::Judgment(Judgment::No),
            Action::CantTell => Response::CantTell,
            _ => return None,
        })
    }

    /// Whether it only works in the judging mode.
    pub(super) fn needs_judging(self) -> bool {
        self == Action::JudgeClear || self.group() == Group::Judging
    }
}

/// Groups of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Navigation.
    Move,
    /// Screens and views.
    View,
    /// Judgments, picks and undo.
    Judgments,
    /// Responses and options of the judging mode.
    Judging,
    /// Picks and their figure.
    Picks,
    /// Information.
    Info,
    /// The program itself.
    Program,
}

impl Group {
    /// All groups with their headings, in the order of the help.
    pub const ALL: [(Group, &str); 7] = [
        (Group::Move, "move"),
        (Group::View, "view"),
        (Group::Judgments, "decide"),
        (Group::Judging, "in the judging mode"),
        (Group::Picks, "picks"),
        (Group::Info, "info"),
        (Group::Program, "program"),
    ];
}

impl std::str::FromStr for Action {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Action::ALL.iter().copied().find(|action| action.name() == name).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movements_have_numbers_of_lines() {
        assert_eq!(Action::Down.lines(9), Some(1));
        assert_eq!(Action::PageUp.lines(9), Some(-9));
        let last = Action::Last.lines(9).map(|by| 7_usize.saturating_add_signed(by).min(20));
        assert_eq!(last, Some(20));
        let first = Action::First.lines(9).map(|by| 7_usize.saturating_add_signed(by));
        assert_eq!(first, Some(0));
        assert_eq!(Action::Left.lines(9), None);
    }

    #[test]
    fn every_action_has_a_description_and_a_name_that_is_parsed() {
        for &action in Action::ALL {
            assert_eq!(action.name().parse(), Ok(action));
            assert!(!action.doc().is_empty());
        }
    }
}
