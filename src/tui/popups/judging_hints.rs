//! The keys of the judging mode, for the last line.

use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::popup::Hint;

/// The keys of answers, and of the way back; while a search is on, its matches have theirs.
pub(in crate::tui) fn answers(model: &Model) -> Vec<Hint> {
    let told = [(Action::VerdictYes, "yes"), (Action::VerdictPartial, "partial")];
    let of_both = if model.is_searched() {
        [(Action::NextMatch, "next match"), (Action::PreviousMatch, "previous")]
    } else {
        [(Action::VerdictMostlyNo, "mostly no"), (Action::VerdictNo, "no")]
    };
    let rest = [(Action::CantTell, "can't tell"), (Action::Undo, "undo")];
    told.into_iter().chain(of_both).chain(rest).collect()
}

/// The keys of the mode, the most important first.
pub(in crate::tui) fn hints(model: &Model) -> Vec<Hint> {
    let listed = if model.judging.asks_listed { "unlisted" } else { "all" };
    let of_pool = model.queue.is_some();
    let close = if model.is_searched() { "end search" } else { "end" };
    let mut hints = vec![
        (Action::VerdictYes, "yes"),
        (Action::VerdictPartial, "partial"),
        (Action::VerdictMostlyNo, "mostly no"),
        (Action::VerdictNo, "no"),
        (Action::CantTell, "can't tell"),
        (Action::PutOff, "later"),
        (Action::Close, close),
        (Action::JudgeListed, listed),
        (Action::Undo, "undo"),
        (Action::Blind, "blind"),
        (Action::VerdictClear, "clear"),
        (Action::Verdicts, "table"),
        (Action::JudgeDeeper, "deeper"),
        (Action::Help, "help"),
    ];
    if model.is_searched() {
        hints.insert(0, (Action::NextMatch, "next match"));
    }
    let is_meant = |(action, _): &Hint| match action {
        Action::PutOff => of_pool,
        Action::JudgeListed | Action::JudgeDeeper => !of_pool,
        _ => true,
    };
    hints.into_iter().filter(is_meant).collect()
}
