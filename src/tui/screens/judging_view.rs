//! What the judging mode says of itself: whose answers, and how many are left.

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
/// Columns in which what is left stands beside its name.
pub(super) const COUNTED: usize = 26;

/// What the header says of the mode in so many columns; empty where the mode is off.
pub(super) fn strip(cx: Context<'_>, room: usize) -> Line<'static> {
    if !cx.model.judging.is_on {
        return Line::default();
    }
    let style = Style::from(cx.theme.warning).add_modifier(Modifier::REVERSED | Modifier::BOLD);
    let name = text::fit(&shown(cx.model.session.by()), NAME);
    let named = text::fit(&format!(" JUDGING {name}"), room - 1);
    let lefts = lefts(cx.model);
    let fitting = [&*named, " JUDGING"].into_iter().find_map(|mode| {
        let left = room.saturating_sub(text::width(mode) + 1);
        let words = lefts.iter().find(|words| text::width(words) + 2 <= left)?;
        Some((mode, format!(" {words} ")))
    });
    let (mode, words) = fitting.unwrap_or((" JUDGING", String::new()));
    Line::from(vec![Span::styled(format!("{mode} "), style), Span::raw(words)])
}

/// What is left, in ever fewer words: of the pool that is judged, or else of the queries listed.
fn lefts(model: &Model) -> Vec<String> {
    let queued = model.left_in_queue();
    // Which items come first is not known before ranks are counted.
    let of_queries = || model.scored().map(|_| model.left_to_judge());
    let left = queued.or_else(of_queries);
    let left = left.map_or("…".to_owned(), grouped);
    let what = if queued.is_some() {
        vec![format!("{left} of the pool left")]
    } else {
        let what = if model.judging.asks_listed { "" } else { " unlisted" };
        let depth = model.judging.depth;
        vec![format!("{left}{what} left in the first {depth}"), format!("{left}{what} left")]
    };
    what.into_iter().chain([format!("{left} left")]).collect()
}
