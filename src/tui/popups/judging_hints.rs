//! The keys of the judging mode, for the last line.

use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::popup::Hint;

/// The keys of answers. During a search the keys of two of them go to its matches.
pub(in crate::tui) fn answers(is_searched: bool) -> Vec<Hint> {
    let shared = if is_searched {
        [(Action::NextMatch, "next match"), (Action::PreviousMatch, "previous")]
    } else {
        [(Action::VerdictMostlyNo, "mostly no"), (Action::VerdictNo, "no")]
    };
    let mut answers = vec![(Action::VerdictYes, "yes"), (Action::VerdictPartial, "partial")];
    answers.extend(shared);
    answers.push((Action::CantTell, "can't tell"));
    answers
}

/// The keys of the mode, the most important first.
pub(in crate::tui) fn hints(model: &Model) -> Vec<Hint> {
    let (is_searched, is_of_pool) = (model.is_searched(), model.queue.is_some());
    let others = [
        (is_of_pool, Action::PutOff, "later"),
        (true, Action::Close, if is_searched { "end search" } else { "end" }),
        (
            !is_of_pool,
            Action::JudgeListed,
            if model.judging.asks_listed { "unlisted" } else { "all" },
        ),
        (true, Action::Undo, "undo"),
        (true, Action::Blind, "blind"),
        (true, Action::VerdictClear, "clear"),
        (true, Action::Verdicts, "table"),
        (!is_of_pool, Action::JudgeDeeper, "deeper"),
        (true, Action::Help, "help"),
    ];
    let others = others.into_iter().filter(|(is_meant, ..)| *is_meant);
    answers(is_searched).into_iter().chain(others.map(|(_, action, of)| (action, of))).collect()
}
