//! What the judging mode says of itself: whose answers, how many are left, how fast they come.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::data::text::{grouped, shown};
use crate::tui::model::Model;
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
