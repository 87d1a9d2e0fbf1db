//! The ranking of the selected query, every item with its badge and its mark in each truth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use super::columns::Columns;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::response::Response;
use crate::truth::standing::{Badge, Standing};
use crate::tui::model::query_list::{Item, Pane};
use crate::tui::model::ranking::{Arrangement, MISSED};
use crate::tui::model::view::Numbers;
use crate::tui::screens::queries::{image_label, phrased, phrased_label};
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Ranking;
    let before = marked(cx);
    let title = format!("{before}{}", title(cx));
    let pieces = |title: &str, look| phrased_title(cx, &before, title, look);
    let title = (&*title, pieces);
    let inner = pane::titled(title, &ranked(cx), focus, cx.theme, area, buf);
    let columns = cx.columns();
    let width = usize::from(inner.width);
    buf.set_stringn(inner.x, inner.y, names(cx, &columns), width, cx.theme.dim);
    let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    if let Some(words) = nothing(cx) {
        note(words, cx, list, buf);
        return;
    }
    draw_items(cx, &columns, focus, list, buf);
    let scroll = Scroll {
        offset: cx.state.item_offset,
        shown: cx.items_in_sight(),
        total: cx.model.listed_items().map_or(0, <[u32]>::len),
    };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

/// The names of the columns.
fn names(cx: Cx<'_>, columns: &Columns<'_>) -> String {
    if cx.model.is_blind() {
        return String::new();
    }
    let mut head = text::pad_left("#", columns.rank);
    if columns.score > 0 {
        head += &text::pad_left("score", columns.score);
    }
    if let Some(phi) = cx.model.phi_in_force().filter(|_| columns.phi > 0) {
        let name = text::fit(&cx.model.study.phis[phi].name, columns.phi - 1);
        head += &text::pad_left(&name, columns.phi);
        head += match cx.model.arrangement() {
            Arrangement::ByRank | Arrangement::Queued => "",
            Arrangement::ByPhi | Arrangement::Missed => "▾",
        };
    }
    head = text::pad(&head, columns.before() + columns.picture + columns.text);
    for mark in &columns.marks {
        head += &text::pad_left(&mark.heading, mark.columns);
    }
    if columns.mine > 0 {
        head += &text::pad_left("mine", columns.mine);
    }
    head
}

/// The items in sight, the selected one marked.
fn draw_items(cx: Cx<'_>, columns: &Columns<'_>, focus: bool, list: Rect, buf: &mut Buffer) {
    let listed = listed(cx);
    let height = cx.thumb_rows().max(1);
    let first = cx.state.item_offset;
    for at in 0..cx.items_in_sight() {
        let Some(item) = cx.model.listed_item(first + at) else {
            break;
        };
        let y = list.y + at as u16 * cx.item_rows();
        let place = Rect { y, height, ..list }.intersection(list);
        let lines = lines(cx, item, &columns.of(cx, item), listed);
        pane::lines(&lines, 0, place, buf);
        if cx.model.is_item_marked(item.item) {
            buf.set_stringn(list.x + 1, y, signs::MARKED, 1, cx.theme.key);
        }
        if item.rank == cx.model.selection.item + 1 {
            pane::mark(focus, cx.theme, place, buf);
        }
    }
}

/// How many items are marked.
pub(super) fn marked(cx: Cx<'_>) -> String {
    match signs::marked(cx.model.marked_counts()[1]).trim_start() {
        "" => String::new(),
        words => format!("{words}  "),
    }
}

pub(super) fn title(cx: Cx<'_>) -> String {
    let Some(query) = cx.model.selection.query() else {
        return "ranking".into();
    };
    match cx.model.view.direction {
        Direction::T2i => format!("“{}”", cx.model.study.gallery.caption(query)),
        Direction::I2t => image_label(cx.model, query),
    }
}

/// A title, as far as there is room for it, with the phrases of the query in their colours.
pub(super) fn phrased_title(
    cx: Cx<'_>,
    before: &str,
    title: &str,
    look: Style,
) -> Vec<Span<'static>> {
    let plain = |words: &str| Span::styled(words.to_owned(), look);
    let both = cx.model.selection.query().zip(title.strip_prefix(before));
    let Some((query, label)) = both else {
        return vec![plain(title)];
    };
    let of = (cx.model.view.direction, query);
    let mut pieces = vec![plain(before)];
    pieces.extend(phrased_label(cx, of, label, look).line(label));
    pieces
}

/// The order of the list where that is not by rank, and how much of the gallery is ranked where it is not all.
pub(super) fn ranked(cx: Cx<'_>) -> String {
    let phi = cx.model.phi_in_force();
    let by = phi.map_or("", |phi| cx.model.study.phis[phi].name.as_str());
    match cx.model.arrangement() {
        Arrangement::ByRank => of_gallery(cx),
        Arrangement::Queued => of_pool(cx),
        Arrangement::ByPhi => format!("by {by}"),
        Arrangement::Missed => format!("by {by}, not in top {MISSED}"),
    }
}

/// How many of the items that a pool asks about have an answer.
fn of_pool(cx: Cx<'_>) -> String {
    let [answered, all] = cx.model.queued_here().unwrap_or_default();
    format!("{} of {} answered", grouped(answered), grouped(all))
}

/// How much of the gallery is ranked, where it is not all of it.
fn of_gallery(cx: Cx<'_>) -> String {
    let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
    match cx.model.ranking().map(|ranking| ranking.order.len()) {
        Some(count) if count < items => {
            format!("{} of {} ranked", grouped(count), grouped(items))
        }
        _ => String::new(),
    }
}

/// R of the query under the truth looked at.
fn listed(cx: Cx<'_>) -> Option<u32> {
    if cx.model.is_blind() {
        return None;
    }
    let query = cx.model.selection.query()?;
    Some(cx.model.ranks_of(cx.model.view.truth, query)?.listed)
}

/// The bar marks the first R items: those that AP@R and R-Precision look at.
fn bar(cx: Cx<'_>, item: Item, listed: Option<u32>) -> Span<'static> {
    let within = listed.is_some_and(|r| item.rank <= r as usize);
    Span::styled(if within { "▎" } else { " " }, cx.theme.line_map)
}

/// An item: one line, and beside a picture the captions written for it.
fn lines(cx: Cx<'_>, item: Item, columns: &Columns<'_>, listed: Option<u32>) -> Vec<Line<'static>> {
    let side = cx.model.view.direction.flipped();
    let label = cx.model.label(side, item.item, columns.text);
    let look = look(cx, item);
    let phrased = phrased_label(cx, (side, item.item), &label, look);
    if cx.thumb_rows() == 0 {
        let words = phrased.line(&text::pad(&label, columns.text));
        return vec![line(cx, item, columns, listed, words)];
    }
    let mut words = phrased.lines(&text::wrap(&label, columns.text));
    for caption in cx.model.captions_of(item.item).into_iter().skip(1) {
        words.extend(other(cx, caption as usize, columns.text));
    }
    let mut words = cut(words, cx.thumb_rows().into(), columns.text).into_iter();
    let first = padded(words.next().unwrap_or_default(), columns.text);
    let mut lines = vec![line(cx, item, columns, listed, first)];
    let width = columns.before() - 1 + columns.picture;
    for _ in 1..cx.thumb_rows() {
        let before = [bar(cx, item, listed), Span::raw(" ".repeat(width))];
        let more = words.next().unwrap_or_default();
        lines.push(before.into_iter().chain(more).collect());
    }
    lines
}

/// Another caption of an image, in lines.
fn other(cx: Cx<'_>, caption: usize, columns: usize) -> Vec<Vec<Span<'static>>> {
    let phrased = phrased(cx, (Some(caption), ""), cx.theme.dim.into());
    phrased.lines(&text::wrap(&cx.model.study.gallery.caption(caption), columns))
}

/// As many lines as there is room for, with an ellipsis where there are more.
fn cut(mut lines: Vec<Vec<Span<'static>>>, rows: usize, columns: usize) -> Vec<Vec<Span<'static>>> {
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            let used: usize = last.iter().map(Span::width).sum();
            let end = last.pop().unwrap_or_default();
            let room = end.width() + columns.saturating_sub(used);
            let words = text::fit(&format!("{} …", end.content), room);
            last.push(Span::styled(words, end.style));
        }
    }
    lines
}

/// Filled up with blanks.
fn padded(mut spans: Vec<Span<'static>>, columns: usize) -> Vec<Span<'static>> {
    let used: usize = spans.iter().map(Span::width).sum();
    spans.push(Span::raw(" ".repeat(columns.saturating_sub(used))));
    spans
}

/// Words of what is no positive are calmer.
fn look(cx: Cx<'_>, item: Item) -> Style {
    let query = cx.model.selection.query().unwrap_or_default();
    if cx.model.badge(query, item.item).is_positive() || cx.model.is_blind() {
        Style::default()
    } else {
        cx.theme.dim.into()
    }
}

fn line(
    cx: Cx<'_>,
    item: Item,
    columns: &Columns<'_>,
    listed: Option<u32>,
    words: Vec<Span<'static>>,
) -> Line<'static> {
    let query = cx.model.selection.query().unwrap_or_default();
    let direction = cx.model.view.direction;
    let badge = cx.model.badge(query, item.item);
    let blind = cx.model.is_blind();
    let style = if blind { Style::default() } else { cx.theme.badge(badge) };
    let mut spans = vec![bar(cx, item, listed)];
    if !blind {
        let rank = text::pad_left(&grouped(item.rank), columns.rank - 1);
        spans.push(Span::styled(rank, cx.theme.dim));
    }
    if columns.score > 0 {
        let score = text::pad_left(&signs::score(item.score), columns.score);
        spans.push(Span::styled(score, cx.theme.dim));
    }
    spans.extend(phi(cx, item, columns));
    let said = cx.model.response(query, item.item);
    let judged = said.map_or(Style::default(), |said| cx.theme.response(said));
    let sign = if blind { " " } else { signs::badge(badge) };
    spans.push(Span::styled(format!(" {sign}"), style));
    spans.push(Span::styled(said.map_or(" ", signs::response), judged));
    spans.push(Span::raw(" ".repeat(1 + columns.picture)));
    spans.extend(words);
    // Ground truths stay as they were loaded, in colour, too: a verdict has a column of its own.
    let study = &cx.model.study;
    let loaded = study.badge(None, direction, query.into(), item.item.into());
    for of in &columns.marks {
        let (mark, standing) = of.of(study, direction, (query, item.item));
        let style = match standing {
            Standing::Positive => cx.theme.badge(loaded),
            Standing::NotRelevant => cx.theme.badge(Badge::NotRelevant),
            _ => cx.theme.dim.into(),
        };
        spans.push(Span::styled(mark, style));
    }
    let words = said.map_or("", Response::key);
    spans.push(Span::styled(text::pad_left(words, columns.mine), judged));
    Line::from(spans)
}

/// phi of an item, and a bar that is full where phi is the greatest of the query.
fn phi(cx: Cx<'_>, item: Item, columns: &Columns<'_>) -> Vec<Span<'static>> {
    let Some(of) = cx.model.phi_in_force().filter(|_| columns.phi > 0) else {
        return Vec::new();
    };
    let (number, share) = cx.model.phi_shown(of, item.item);
    let bar = match columns.bar {
        1 => signs::upright(share).to_string(),
        columns => format!(" {}", signs::bar(share, columns - 1)),
    };
    vec![
        Span::styled(text::pad_left(&number, columns.phi), cx.theme.dim),
        Span::styled(text::pad(&bar, columns.bar), cx.theme.line_map),
    ]
}

/// Why there are no items; `None` where there are some.
pub(super) fn nothing(cx: Cx<'_>) -> Option<&'static str> {
    match cx.model.listed_items() {
        None => Some(waiting(cx)),
        Some([]) => Some("this model ranks nothing for this query"),
        Some(_) => None,
    }
}

/// Why there is no ranking yet.
fn waiting(cx: Cx<'_>) -> &'static str {
    match (&cx.model.numbers[cx.model.view.model], cx.model.selection.query()) {
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ if cx.model.files.is_overwritten() => "not ranked: a file was written over",
        _ => "ranking …",
    }
}

/// Words in the place of the list.
pub(super) fn note(words: &str, cx: Cx<'_>, list: Rect, buf: &mut Buffer) {
    let width = usize::from(list.width.saturating_sub(2));
    if list.height > 0 {
        buf.set_stringn(list.x + 2, list.y, words, width, cx.theme.dim);
    }
}
