//! The list of queries: AP@R by the first two models, A and B, and A - B, as paired tests subtract.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::index::ModelIx;
use crate::tui::model::Model;
use crate::tui::model::sort::Sort;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::widgets::columns::{Text, fitting};
use crate::tui::widgets::segments::Segment;
use crate::tui::widgets::{change, text};

/// Columns of a model's AP@R and of the difference: with two decimals, and with one.
const AP: [usize; 2] = [8, 6];
const DELTA: [usize; 2] = [8, 7];
/// Columns of the difference where its heading alone names the metric, and stands before another one.
const NAMED_DELTA: usize = 12;
/// The metric after the heading of the difference, over the bookmarks and the text.
const OF_METRIC: &str = " of AP@R";
/// Columns of a bookmark with blanks around it.
const PICKED: usize = 3;

/// Columns of each number before the text; 0 where it is left out.
#[derive(Debug, Clone, Copy)]
struct Layout {
    ap: usize,
    delta: usize,
    /// What queries are sorted by, where that is no difference of AP@R.
    sorted: usize,
    /// Decimals of shares in percent.
    decimals: usize,
}

impl Layout {
    fn before(self) -> usize {
        2 * self.ap + self.delta + self.sorted + PICKED
    }
}

/// As many numbers as leave half of the list to the text; the difference and what queries are sorted by come
/// first.
fn layout(model: &Model, width: usize) -> Layout {
    let sorted = 0;
    let of = |at: usize, has_ap: bool, has_delta: bool| Layout {
        ap: if has_ap { AP[at] } else { 0 },
        delta: match (has_delta, has_ap || sorted == 0) {
            (true, true) => DELTA[at],
            (true, false) => NAMED_DELTA,
            (false, _) => 0,
        },
        sorted,
        decimals: 2 - at,
    };
    let least = of(1, false, sorted == 0);
    let layouts = [of(0, true, true), of(1, true, true), of(1, false, true), least];
    let text = |layout: Layout| width.saturating_sub(layout.before());
    fitting(&layouts, Text::Half, width, text).unwrap_or(least)
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let Some(two) = cx.model.two().filter(|_| area.area() > 0) else {
        return;
    };
    let of = |model: ModelIx| &*cx.model.study.models[model].name;
    let order = match &cx.model.selection.sort {
        Sort::Gallery => {
            let words = format!(" AP@R: A {}, B {} ", of(two[0]), of(two[1]));
            Segment::new(1, Line::styled(words, cx.theme.dim)).right()
        }
        _ => queries::order(cx, false),
    };
    let inner = queries::frame(cx, order, area, buf);
    let width = usize::from(inner.width);
    let layout = layout(cx.model, width);
    let row = |place, query| row(cx, (place, query), layout, width);
    let _ = (inner, names(cx, two, layout), row);
}

/// Columns that the list has for the words of a query; 0 where it is not in sight.
pub(super) fn room(cx: Cx<'_>) -> usize {
    let width = usize::from(cx.areas().queries.width).saturating_sub(2);
    width.saturating_sub(layout(cx.model, width).before())
}

/// The names of the columns; that of the number that queries are sorted by stands out.
fn names(cx: Cx<'_>, two: [ModelIx; 2], layout: Layout) -> Line<'static> {
    let name = |letter: &str, model: ModelIx| {
        let name = &cx.model.study.models[model].name;
        // A name that would be cut stands with its letter in the frames.
        let both = format!("{letter}:{name}");
        let is_whole = text::width(&both) < layout.ap;
        let shown = if is_whole { &both } else { letter };
        Span::styled(text::pad_left(shown, layout.ap), cx.theme.dim)
    };
    let by_delta = cx.model.selection.sort == Sort::Difference;
    let is_named = layout.ap == 0 && layout.delta > 0;
    let (before, after) = match (is_named, layout.sorted) {
        (false, _) => ("", ""),
        (true, 0) => ("", OF_METRIC),
        (true, _) => ("AP@R ", ""),
    };
    // No sign of the order: it is by how far both are apart, whichever is better.
    let difference = format!("{before}A - B");
    let style = if by_delta { cx.theme.title } else { cx.theme.dim };
    Line::from(vec![
        name("A", two[0]),
        name("B", two[1]),
        Span::styled(text::pad_left(&difference, layout.delta), style),
        Span::styled(after, style),
    ])
}

fn row(cx: Cx<'_>, (place, query): (usize, usize), layout: Layout, width: usize) -> Line<'static> {
    let values =
        cx.model.two().map_or([None; 2], |two| two.map(|model| cx.model.ap_by(model, query)));
    let shown = |value: Option<f64>| {
        let shown = signs::share(value, layout.decimals);
        Span::raw(text::pad_left(&shown, layout.ap))
    };
    let delta = values[0].zip(values[1]).map(|(first, second)| first - second);
    let (words, style) = change::delta(delta, layout.decimals, cx.theme);
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    let room = width.saturating_sub(layout.before());
    let words_of = queries::words(cx, (cx.model.view.direction, query), room);
    let mut spans = vec![
        shown(values[0]),
        shown(values[1]),
        Span::styled(text::pad_left(&words, layout.delta), style),
        Span::styled(if is_picked { " ★ " } else { "   " }, cx.theme.key),
    ];
    spans.extend(words_of);
    Line::from(spans)
}
