//! What the judging mode says of itself: whose answers, how many are left, how fast they come, and its keys.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::data::text::{grouped, shown};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::popup::Hint;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// The longest name of an annotator.
const NAME: usize = 12;

/// Columns in which the mode is named at least.
pub(super) const LEAST: usize = 14;

/// What the header says of the mode in so many columns; empty where the mode is off.
pub(super) fn strip(cx: Context<'_>, room: usize) -> Line<'static> {
    if !cx.model.judging.is_on {
        return Line::default();
    }
    let style = Style::from(cx.theme.warning).add_modifier(Modifier::REVERSED | Modifier::BOLD);
    let name = text::fit(&shown(cx.model.session.by()), NAME);
    let mut line = Line::from(vec![
        Span::styled(text::fit(&format!(" JUDGING {name}"), room - 1), style),
        Span::styled(" ", style),
    ]);
    for ways in counts(cx) {
        let left = room.saturating_sub(line.width() + 2);
        let fitting = ways.into_iter().find(|words| text::width(words) <= left);
        line.extend(fitting.map(|words| Span::raw(format!(" {words} "))));
    }
    line
}

/// What is counted, the most important first; each in as many words as there is room for.
fn counts(cx: Context<'_>) -> [Vec<String>; 3] {
    let pace = cx.model.pace();
    let [of_day, all] = [pace.of_day, pace.all].map(grouped);
    let mut paces = vec![format!("{:.0}/min", pace.a_minute)];
    let queued = cx.model.left_in_queue();
    if let Some(time) = queued.and_then(|left| pace.time_for(left)) {
        paces.insert(0, format!("{}, {time} left", paces[0]));
    }
    [
        lefts(cx.model, queued),
        paces,
        vec![format!("answers: {of_day} in 24 h, {all} in all")],
    ]
}

/// What is left: of the pool that is judged, or else of the queries listed.
fn lefts(model: &Model, queued: Option<usize>) -> Vec<String> {
    let left = grouped(queued.unwrap_or_else(|| model.left_to_judge()));
    let what = if queued.is_some() {
        Some(format!("{left} of the pool left"))
    } else {
        (!model.judging.asks_listed).then(|| format!("{left} unlisted left"))
    };
    what.into_iter().chain([format!("{left} left")]).collect()
}

/// The keys of answers, and of the way back; while a search is on, its matches have theirs.
pub(in crate::tui) fn answers(model: &Model) -> Vec<Hint> {
    let told = [
        (Action::VerdictYes, "yes"),
        (Action::VerdictPartial, "partly"),
    ];
    let of_both = if model.is_searched() {
        [
            (Action::NextMatch, "next match"),
            (Action::PreviousMatch, "previous"),
        ]
    } else {
        [
            (Action::VerdictMostlyNo, "mostly no"),
            (Action::VerdictNo, "no"),
        ]
    };
    let rest = [(Action::CantTell, "can't tell"), (Action::Undo, "undo")];
    told.into_iter().chain(of_both).chain(rest).collect()
}

/// The keys of the mode, the most important first.
pub(in crate::tui) fn hints(model: &Model) -> Vec<Hint> {
    let listed = if model.judging.asks_listed {
        "unlisted"
    } else {
        "all"
    };
    let of_pool = model.queue.is_some();
    let close = if model.is_searched() {
        "end search"
    } else {
        "end"
    };
    let mut hints = vec![
        (Action::VerdictYes, "yes"),
        (Action::VerdictPartial, "partly"),
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
