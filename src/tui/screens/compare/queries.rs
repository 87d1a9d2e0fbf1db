//! The list of queries: AP@R by the first two models, and the difference.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::data::index::ModelIx;
use crate::metric::Unit;
use crate::tui::app::App;
use crate::tui::screens::browse::{Pane, queries};
use crate::tui::theme::Theme;
use crate::tui::widgets::{pane, text};

/// Columns of a model's AP@R, of the difference, and of a bookmark.
const AP: usize = 8;
const DELTA: usize = 8;
const PICKED: usize = 2;
/// Narrower lists have one digit less in each number.
const WITH_DIGITS: usize = 44;

pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let Some(two) = app.two().filter(|_| area.area() > 0) else {
        return;
    };
    let focus = app.browse.pane == Pane::Queries;
    let (title, order) = (queries::title(app), app.order_words());
    let inner = pane::frame(&title, &order, focus, &app.theme, area, buf);
    let digit = usize::from(usize::from(inner.width) < WITH_DIGITS);
    let name = |model: ModelIx| {
        let name = text::fit_middle(&app.study.models[model].name, AP - digit - 1);
        text::pad_left(&name, AP - digit)
    };
    let change = text::pad_left("Δ AP@R", DELTA - digit);
    let names = format!("{}{}{change}", name(two[0]), name(two[1]));
    queries::list(app, inner, &names, row, buf);
}

fn row(app: &App, query: usize, width: usize) -> Line<'static> {
    let digit = usize::from(width < WITH_DIGITS);
    let values = app
        .two()
        .map_or([None; 2], |two| two.map(|model| app.ap_by(model, query)));
    let shown = |value: Option<f64>| {
        let shown = match value {
            Some(share) if digit > 0 => format!("{:.1}", share * 100.0),
            value => Unit::Share.shown(value),
        };
        Span::raw(text::pad_left(&shown, AP - digit))
    };
    let delta = values[0]
        .zip(values[1])
        .map(|(first, second)| second - first);
    let (words, style) = self::delta(delta, 2 - digit, &app.theme);
    let is_picked = app.is_picked(app.view.direction, query);
    let before = 2 * (AP - digit) + DELTA - digit + PICKED;
    let label = text::fit(&queries::label(app, query), width.saturating_sub(before));
    Line::from(vec![
        shown(values[0]),
        shown(values[1]),
        Span::styled(text::pad_left(&words, DELTA - digit), style),
        Span::styled(if is_picked { "★ " } else { "  " }, app.theme.key),
        Span::raw(label),
    ])
}

/// A difference of shares in points with so many decimals, and its look.
pub(in crate::tui::screens) fn delta(
    value: Option<f64>,
    decimals: usize,
    theme: &Theme,
) -> (String, Style) {
    match value {
        None => ("-".into(), theme.dim.into()),
        Some(value) if value > 0.0 => (format!("{:+.decimals$}", value * 100.0), theme.up.into()),
        Some(value) if value < 0.0 => (format!("{:+.decimals$}", value * 100.0), theme.down.into()),
        Some(_) => ("=".into(), theme.dim.into()),
    }
}
