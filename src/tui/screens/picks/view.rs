//! Draws the screen of picks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Cx, figure_view, list_view};
use crate::tui::action::Action;
use crate::tui::screens::filtered_view;
use crate::tui::widgets::{pane, text};

/// Draws the picks and their figure, or how to come to some.
pub(super) fn draw(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    if cx.model.session.picks().is_empty() {
        how_to_pick(cx, body, buf);
        return;
    }
    let areas = cx.areas();
    if areas.list.area() > 0 {
        list_view::draw(cx, areas.list, buf);
    }
    if areas.figure.area() > 0 {
        figure_view::draw(cx, areas.figure, buf);
    }
}

fn how_to_pick(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    let inner = pane::frame("picks", "", true, cx.theme, body, buf);
    filtered_view::draw(cx, filtered_view::Of::None, body, buf);
    let key = |action| cx.ui.keymap.hint(action);
    let told = [
        (cx.theme.title, "No query is picked yet.".to_owned()),
        (cx.theme.base, String::new()),
        (
            cx.theme.base,
            format!(
                "{} picks the selected query on Browse ({}) and, with all models compared, on Compare ({}); \
                 on Errors ({}) it picks the example of an error type.",
                key(Action::Pick),
                key(Action::Browse),
                key(Action::Compare),
                key(Action::Errors)
            ),
        ),
        (cx.theme.base, String::new()),
        (
            cx.theme.base,
            "To draw queries that meet a condition, and say so in the figure:".to_owned(),
        ),
        (
            cx.theme.key,
            "itm-explore find FILES --where \"r1 == 0\" --pick 10 --seed 1 --session NAME.itm.json"
                .to_owned(),
        ),
        (cx.theme.base, String::new()),
        (
            cx.theme.base,
            "Here they are ordered, put under headings and noted, and become a figure for a paper: \
             SVG, PNG, PDF, LaTeX, HTML, Markdown or JSON."
                .to_owned(),
        ),
    ];
    let columns = usize::from(inner.width.saturating_sub(4)).min(96);
    let wrapped = told.into_iter().flat_map(|(style, words)| {
        let lines = text::wrap(&words, columns).into_iter();
        lines.map(move |line| Line::from(Span::styled(format!("  {line}"), style)))
    });
    let lines: Vec<Line> = wrapped.collect();
    let below =
        Rect { y: inner.y + inner.height.min(1), height: inner.height.saturating_sub(1), ..inner };
    pane::lines(&lines, 0, below, buf);
}
