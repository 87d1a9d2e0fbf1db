//! The steps of the tour.

use super::Facts;
use crate::tui::action::Action;

/// A step.
pub(super) struct Step {
    /// What it says; the name of an action in braces stands for its key.
    pub(super) words: &'static str,
    /// What ends it, if not Enter.
    pub(super) until: Until,
    /// Keys that do what it says.
    pub(super) keys: &'static str,
}

/// What ends a step.
pub(super) enum Until {
    /// One of these actions.
    Does(&'static [Action]),
    /// A difference between how it began and how it is.
    Is(fn(Facts, Facts) -> bool),
    /// Enter alone.
    Enter,
}

/// All steps, in their order.
pub(super) const STEPS: &[Step] = &[
    Step {
        words: "At the left are the queries, at the right is what the model ranks first for the selected one. \
                {down} and {up} go through the queries: go to the third. Press {next-pane} to go to its ranking.",
        until: Until::Does(&[Action::NextPane, Action::Right]),
        keys: "jj<Tab>",
    },
    Step {
        words: "● is a positive of the original annotation. ○ is a non-GT positive: a richer ground truth lists it, \
                the original annotation does not. Press {next-positive} to go to the next positive of this ranking.",
        until: Until::Does(&[Action::NextPositive]),
        keys: "]",
    },
    Step {
        words: "R@1 and mAP@R stand at the top. Under the original ground truth, no ○ counts as a positive. Press \
                {next-truth} until the ground truth is original, and watch both numbers.",
        until: Until::Is(|then, now| then.is_original != now.is_original),
        keys: "rr",
    },
    Step {
        words: "Which model is better depends on it: by R@1 under original, careful leads; by mAP@R under rich, \
                broad does. Press {next-model} for the next model.",
        until: Until::Does(&[Action::NextModel, Action::PreviousModel]),
        keys: "m",
    },
    Step {
        words: "R@1 asks only whether the first item is a positive. mAP@R asks how many of the first R items are, and \
                how early they come. Press {define} for all definitions; Esc closes them.",
        until: Until::Does(&[Action::Define]),
        keys: "=",
    },
    Step {
        words: "Which labels are missing? Press {filter}, then Down until \"missing label\" is chosen, and Enter: top-1 \
                is a positive that the original annotation does not list.",
        until: Until::Is(|then, now| !then.is_filtered && now.is_filtered),
        keys: "<Esc>f<Down><Enter>",
    },
    Step {
        words: "Judge one yourself: {judge} begins the judging mode, then {verdict-yes} says that the selected item is \
                relevant. The numbers follow at once, and the verdict is kept by itself, beside your files.",
        until: Until::Is(|then, now| then.verdicts != now.verdicts),
        keys: "Jy",
    },
    Step {
        words: "Everything can be undone: {undo} takes back the last change, {redo} makes it again, {history} lists \
                them with R@1 and mAP@R after each. Press {undo}, then {judge} to end the judging.",
        until: Until::Is(|then, now| then.verdicts != now.verdicts && !now.is_judging),
        keys: "uJ",
    },
    Step {
        words: "Press {compare} to see the models side by side on the same query; an item that you select is \
                found in every ranking.",
        until: Until::Does(&[Action::Compare]),
        keys: "2",
    },
    Step {
        words: "Press {pick} to pick this query for a figure.",
        until: Until::Is(|then, now| then.picks != now.picks),
        keys: "<Space>",
    },
    Step {
        words: "Press {picks} to see what you picked and its figure; where there is room for the list alone, \
                {next-pane} goes on to the figure. {export} writes it, for a paper or a page.",
        until: Until::Does(&[Action::Picks]),
        keys: "5",
    },
    Step {
        words: "{help} lists the keys of each screen and finds what you type; {palette} does every action by name. \
                With your own files: itm-explore sims.npy eccv.json. Enter ends the tour.",
        until: Until::Enter,
        keys: "<Enter>",
    },
];
