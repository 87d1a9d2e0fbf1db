//! Draws hubs: how retrieval spreads over the items, and the items that stand first too often.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::kinds_view::WAITING;
use super::{Cx, Pane};
use crate::data::text::grouped;
use crate::rank::hubs::{DEPTHS, Hub, Hubness};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Lines above the hubs: names and numbers of each depth, a blank, names of columns.
pub(super) const NAMES: u16 = DEPTHS.len() as u16 + 3;
/// Columns of a count.
const COUNT: usize = 6;
/// Columns of the judged queries for which it is no positive, and of how many.
const FALSE: usize = 8;
/// Columns of an item's words with its id.
const WITH_ID: usize = 30;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Hubs;
    let view = cx.model.view;
    let hubness = cx.model.top_k_of(view.model, view.direction);
    let hubness = hubness.map(|of| &of.hubness);
    let model = &cx.model.study.models[view.model].name;
    let title = match (cx.detail(), hubness) {
        (Some(detail), Some(hubness)) => format!(
            "{} hubs of {model}: first for {} or more",
            grouped(detail.hubs.len()),
            hubness.first().threshold()
        ),
        _ => format!("hubs of {model}"),
    };
    let order = cx.order(Pane::Hubs);
    let inner = pane::frame(&title, order, focus, cx.theme, area, buf);
    let headings = headings(cx, hubness);
    pane::lines(&headings, 0, inner, buf);
    let list = Rect {
        y: inner.y + NAMES.min(inner.height),
        height: inner.height.saturating_sub(NAMES),
        ..inner
    };
    let hubs = cx.hubs();
    if hubs.is_empty() {
        let words = match cx.detail() {
            Some(_) => "no hub",
            None => WAITING,
        };
        let width = usize::from(list.width.saturating_sub(2));
        buf.set_stringn(list.x + 2, list.y, words, width, cx.theme.dim);
        return;
    }
    let place = cx.state.place(Pane::Hubs);
    let selected = place.selected.min(hubs.len() - 1);
    let rows = hubs.iter().enumerate().skip(place.offset);
    for ((at, hub), y) in rows.zip(list.top()..list.bottom()) {
        buf.set_line(
            list.x,
            y,
            &row(cx, hub, usize::from(list.width)),
            list.width,
        );
        if at == selected {
            pane::mark(focus, cx.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll = Scroll {
        offset: place.offset,
        shown: usize::from(list.height),
        total: hubs.len(),
    };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

/// How retrieval spreads, and the names of the columns below.
fn headings(cx: Cx<'_>, hubness: Option<&Hubness>) -> Vec<Line<'static>> {
    let dim = cx.theme.dim;
    let mut lines = vec![Line::styled("        skew   most   never retrieved", dim)];
    for (at, k) in DEPTHS.iter().enumerate() {
        let name = Span::styled(text::pad(&format!(" N_{k}"), 6), dim);
        let numbers = match hubness.map(|hubness| &hubness.depths[at]) {
            None => text::pad_left(WAITING, 6),
            Some(depth) => {
                let skewness = depth
                    .skewness
                    .map_or("-".into(), |skew| format!("{skew:.2}"));
                let share = 100.0 * depth.never as f64 / depth.items.max(1) as f64;
                format!(
                    "{}{}{} {share:>5.1}%",
                    text::pad_left(&skewness, 6),
                    text::pad_left(&grouped(depth.most() as usize), 7),
                    text::pad_left(&grouped(depth.never), 9),
                )
            }
        };
        lines.push(Line::from(vec![name, Span::raw(numbers)]));
    }
    lines.push(Line::default());
    let names: String = DEPTHS
        .iter()
        .map(|k| text::pad_left(&format!("N_{k}"), COUNT))
        .collect();
    lines.push(Line::styled(
        format!("{} {names}  item", text::pad_left("false/of", FALSE)),
        dim,
    ));
    lines
}

fn row(cx: Cx<'_>, hub: &Hub, width: usize) -> Line<'static> {
    let counts = hub.occurrences.iter();
    let counts: String = counts
        .map(|&n| text::pad_left(&grouped(n as usize), COUNT))
        .collect();
    let room = width.saturating_sub(FALSE + 3 + text::width(&counts));
    let words = cx.item_words(cx.model.view.direction, hub.item as usize);
    // The id is told below: where there is little room the words tell more.
    let words = match words.split_once("] ") {
        Some((_, words)) if room < WITH_ID => words.to_owned(),
        _ => words,
    };
    Line::from(vec![
        Span::styled(
            text::pad_left(
                &format!("{}/{}", grouped(hub.taken.len()), grouped(hub.judged)),
                FALSE,
            ),
            cx.theme.down,
        ),
        Span::raw(format!(" {counts}  ")),
        Span::raw(text::fit(&words, room)),
    ])
}
