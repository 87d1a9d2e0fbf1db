//! The list of queries: AP@R by the first two models, A and B, and A - B, as paired tests subtract.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::index::ModelIx;
use crate::metric::Unit;
use crate::tui::model::selection::Pane;
use crate::tui::screens::queries;
use crate::tui::widgets::{change, pane, text};

/// Columns of a model's AP@R, of the difference, and of a bookmark.
const AP: usize = 8;
const DELTA: usize = 8;
const PICKED: usize = 2;
/// Narrower lists have one digit less in each number.
const WITH_DIGITS: usize = 44;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let Some(two) = cx.model.two().filter(|_| area.area() > 0) else {
        return;
    };
    let focus = cx.model.selection.pane == Pane::Queries;
    let (title, order) = (queries::title(cx.model, area.width), cx.model.order_words());
    let inner = pane::frame(&title, &order, focus, cx.theme, area, buf);
    let digit = usize::from(usize::from(inner.width) < WITH_DIGITS);
    let name = |letter: &str, model: ModelIx| {
        let name = &cx.model.study.models[model].name;
        let name = text::fit_middle(&format!("{letter} {name}"), AP - digit - 1);
        text::pad_left(&name, AP - digit)
    };
    let third = text::pad_left("A - B", DELTA - digit);
    let names = format!("{}{}{third} AP@R", name("A", two[0]), name("B", two[1]));
    let row = |query, width| row(cx, query, width);
    queries::list(cx, inner, &names, row, buf);
}

fn row(cx: Cx<'_>, query: usize, width: usize) -> Line<'static> {
    let digit = usize::from(width < WITH_DIGITS);
    let values = cx.model.two().map_or([None; 2], |two| {
        two.map(|model| cx.model.ap_by(model, query))
    });
    let shown = |value: Option<f64>| {
        let shown = match value {
            Some(share) if digit > 0 => format!("{:.1}", share * 100.0),
            value => Unit::Share.shown(value),
        };
        Span::raw(text::pad_left(&shown, AP - digit))
    };
    let delta = values[0]
        .zip(values[1])
        .map(|(first, second)| first - second);
    let (words, style) = change::delta(delta, 2 - digit, cx.theme);
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    let before = 2 * (AP - digit) + DELTA - digit + PICKED;
    let label = text::fit(
        &queries::label(cx.model, query),
        width.saturating_sub(before),
    );
    Line::from(vec![
        shown(values[0]),
        shown(values[1]),
        Span::styled(text::pad_left(&words, DELTA - digit), style),
        Span::styled(if is_picked { "★ " } else { "  " }, cx.theme.key),
        Span::raw(label),
    ])
}
