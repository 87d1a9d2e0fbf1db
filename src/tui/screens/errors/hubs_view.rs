//! Draws hubs: how retrieval spreads over the items, and the items that stand first too often.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::kinds_view::WAITING;
use super::{Cx, Pane};
use crate::data::text::grouped;
use crate::rank::hubs::{DEPTHS, Hub, Hubness};
use crate::tui::screens::filtered_view;
use crate::tui::widgets::columns::{Text, fitting};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Lines above the hubs: names and numbers of each depth, a blank, names of columns.
pub(super) const NAMES: u16 = DEPTHS.len() as u16 + 3;
/// Depths whose counts are told of a hub, in ever fewer columns.
const TOLD: [&[usize]; 3] = [&[0, 1, 2], &[0, 2], &[0]];
/// Columns of an item's words with its id.
const WITH_ID: usize = 30;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Hubs;
    let view = cx.model.view;
    let hubness = cx.model.top_k_of(view.model, view.direction);
    let hubness = hubness.map(|of| &of.hubness);
    let model = &cx.model.study.models[view.model].name;
    let title = match (cx.detail(), hubness) {
        (Some(detail), Some(hubness)) => {
            let count = detail.hubs.len();
            let noun = if count == 1 { "hub" } else { "hubs" };
            let hubs = format!("{} {noun} of {model}", grouped(count));
            let least = hubness.first().threshold();
            let whole = format!("{hubs}: first for {least} or more");
            let ways = [whole, format!("{hubs}: N_1 ≥ {least}"), hubs];
            // Corners, and blanks around the title.
            text::first_fitting(ways, usize::from(area.width).saturating_sub(4))
        }
        _ => format!("hubs of {model}"),
    };
    let order = cx.order(Pane::Hubs);
    let inner = pane::frame(&title, order, focus, cx.theme, area, buf);
    filtered_view::draw(cx, filtered_view::Of::All, area, buf);
    let hubs = cx.hubs();
    let columns = Columns::of(&hubs, usize::from(inner.width));
    let headings = headings(cx, hubness, &columns);
    pane::lines(&headings, 0, inner, buf);
    let list = Rect {
        y: inner.y + NAMES.min(inner.height),
        height: inner.height.saturating_sub(NAMES),
        ..inner
    };
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
        buf.set_line(list.x, y, &row(cx, hub, &columns), list.width);
        if at == selected {
            pane::mark(focus, cx.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll =
        Scroll { offset: place.offset, shown: usize::from(list.height), total: hubs.len() };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

/// Columns of what is told of a hub, each with a blank before it.
struct Columns {
    /// The judged queries for which it is no positive, and of how many.
    wrong: usize,
    /// Depths, by their places, and columns of their counts.
    counts: Vec<(usize, usize)>,
    words: usize,
}

impl Columns {
    /// As many counts as leave nearly half of the line to the words of the items.
    fn of(hubs: &[&Hub], width: usize) -> Self {
        let widest = |words: &dyn Fn(&Hub) -> String, heading: &str| {
            let widths = hubs.iter().map(|hub| text::width(&words(hub)));
            widths.max().unwrap_or(0).max(text::width(heading)) + 1
        };
        let with = |told: &[usize]| {
            let wrong = widest(&false_of, FALSE_OF);
            let count = |&at: &usize| (at, widest(&|hub| count(hub, at), &depth(at)));
            let counts: Vec<(usize, usize)> = told.iter().map(count).collect();
            let taken: usize = counts.iter().map(|(_, columns)| columns).sum();
            let words = width.saturating_sub(wrong + taken + BETWEEN);
            Columns { wrong, counts, words }
        };
        let told = fitting(&TOLD, Text::Half, width, |told| with(told).words);
        with(told.unwrap_or(TOLD[0]))
    }
}

/// The heading of the judged queries for which a hub is no positive, of all that it is first for.
const FALSE_OF: &str = "miss/of";
/// Columns between the counts and the words.
const BETWEEN: usize = 2;

fn false_of(hub: &Hub) -> String {
    format!("{}/{}", grouped(hub.taken.len()), grouped(hub.judged))
}

fn count(hub: &Hub, at: usize) -> String {
    grouped(hub.occurrences[at] as usize)
}

fn depth(at: usize) -> String {
    format!("N_{}", DEPTHS[at])
}

/// How retrieval spreads, and the names of the columns below.
fn headings(cx: Cx<'_>, hubness: Option<&Hubness>, columns: &Columns) -> Vec<Line<'static>> {
    let dim = cx.theme.dim;
    let mut lines = vec![Line::styled("        skew   most   never retrieved", dim)];
    for (at, k) in DEPTHS.iter().enumerate() {
        let name = Span::styled(text::pad(&format!(" N_{k}"), 6), dim);
        let numbers = match hubness.map(|hubness| &hubness.depths[at]) {
            None => text::pad_left(WAITING, 6),
            Some(depth) => {
                let skewness = depth.skewness.map_or("-".into(), |skew| format!("{skew:.2}"));
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
    let counts = columns.counts.iter();
    let names: String = counts.map(|&(at, columns)| text::pad_left(&depth(at), columns)).collect();
    let wrong = text::pad_left(FALSE_OF, columns.wrong);
    lines.push(Line::styled(format!("{wrong}{names}  item"), dim));
    lines
}

fn row(cx: Cx<'_>, hub: &Hub, columns: &Columns) -> Line<'static> {
    let counts = columns.counts.iter();
    let counts: String =
        counts.map(|&(at, columns)| text::pad_left(&count(hub, at), columns)).collect();
    let room = columns.words;
    let words = cx.item_words(cx.model.view.direction, hub.item as usize);
    // The id is told below: where there is little room the words tell more.
    let words = match words.split_once("] ") {
        Some((_, words)) if room < WITH_ID => words.to_owned(),
        _ => words,
    };
    Line::from(vec![
        Span::styled(text::pad_left(&false_of(hub), columns.wrong), cx.theme.title),
        Span::raw(format!("{counts}  ")),
        Span::raw(text::fit(&words, room)),
    ])
}
