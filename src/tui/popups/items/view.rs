//! Draws the list of items.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::titles::titles;
use super::{ABOVE, ItemList, followed};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::text::grouped;
use crate::jobs::{ItemsOrder, ListedItems};
use crate::study::View;
use crate::truth::standing::Standing;
use crate::truth::verdict::Pair;
use crate::tui::model::sort::Sort;
use crate::tui::signs::{self, Mark};
use crate::tui::ui::Context;
use crate::tui::widgets::columns::{Text, fitting};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of a rank, of a score, and of the badge with the sign of a verdict, blanks around both.
const RANK: usize = 4;
const SCORE: usize = 8;
const PHI: usize = 6;
/// Columns of what the queries are sorted by, the blank before it included.
const SORTED: usize = 10;
const SIGN: usize = 4;

pub(super) fn draw(list: &ItemList, cx: Context<'_>, buf: &mut Buffer) {
    let body = cx.ui.frame().body;
    let size = (body.width, body.height);
    let order = list.key.order.words();
    // Corners, and the blanks around it; an order that was chosen has its place beside it.
    let beside = match list.key.order {
        ItemsOrder::Queries => 4,
        _ => text::width(order) + 6,
    };
    let room = usize::from(size.0).saturating_sub(beside);
    let (found, which) = (list.found(cx.model), list.which(cx.model));
    let count = found.map_or(String::new(), |found| counted(found, which, cx) + " ");
    let titles = titles(list, cx.model, &count);
    let is_cut = titles.iter().all(|title| text::width(title) > room);
    let title = text::first_fitting(titles, room);
    let inner = pane::popup(&title, order, size, cx.ui, body, buf);
    if is_cut && !list.common.words.is_empty() {
        // What the queries have in common has the lower border.
        let words = text::fit(&list.common.words, usize::from(inner.width).saturating_sub(2));
        buf.set_string(inner.x, inner.bottom(), format!(" {words} "), cx.theme.dim);
    }
    if inner.height <= ABOVE {
        return;
    }
    buf.set_line(inner.x, inner.y, &choices(list, cx, usize::from(inner.width)), inner.width);
    let below = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
    match cx.model.items_of(&list.key) {
        None if cx.model.files.is_overwritten() => {
            let words = "not ranked: a file was written over";
            in_place(words, cx.theme.dim.into(), below, buf);
        }
        None => in_place("ranking …", cx.theme.dim.into(), below, buf),
        Some(Err(error)) => in_place(&error.to_string(), cx.theme.error.into(), below, buf),
        Some(Ok(found)) => draw_lines(list, found, cx, below, buf),
    }
}

/// Words in the place of the list.
fn in_place(words: &str, style: Style, area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width.saturating_sub(4));
    for (line, y) in text::wrap(words, width).iter().zip(area.y + 1..area.bottom()) {
        buf.set_string(area.x + 2, y, line, style);
    }
}

/// How many items of a choice were found; a question mark where nobody looked.
fn counted(found: &ListedItems, which: Which, cx: Context<'_>) -> String {
    match (found.count(which), which.is_unknown(&cx.model.study)) {
        (0, Some(_)) => "?".into(),
        (count, _) => grouped(count),
    }
}

/// How the choices are written, in ever fewer columns; the last ones tell how many items of the one listed alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Packed {
    Apart,
    Close,
    Short,
    Kinds,
    Names,
}

/// Which items can be listed, and how many these are: a number is never cut, since it would be another number.
fn choices(list: &ItemList, cx: Context<'_>, width: usize) -> Line<'static> {
    let ways = [Packed::Apart, Packed::Close, Packed::Short, Packed::Kinds, Packed::Names];
    let mut ways = ways.into_iter();
    let all = |packed| choices_as(list, cx, packed);
    let fits = |line: &Line<'_>| line.width() <= width;
    let line = ways.find_map(|packed| Some(all(packed)).filter(fits));
    line.unwrap_or_else(|| all(Packed::Names))
}

fn choices_as(list: &ItemList, cx: Context<'_>, packed: Packed) -> Line<'static> {
    let (found, listed) = (list.found(cx.model), list.which(cx.model));
    let choices = cx.model.item_choices();
    let each = choices.iter().map(|&which| {
        let name = which.word().replace('-', " ");
        // Extra ones are among them.
        let name = match which {
            Which::Positive if packed < Packed::Short => format!("any {name}"),
            _ => name,
        };
        let count = match packed {
            // All are as many as the depth has of each query.
            Packed::Kinds if which == Which::All && which != listed => String::new(),
            Packed::Names if which != listed => String::new(),
            _ => found.map_or(" …".into(), |found| format!(" {}", counted(found, which, cx))),
        };
        let style: Style = if which == listed { cx.theme.chip.into() } else { cx.theme.dim.into() };
        let is_last = choices.last() == Some(&which);
        let words = match packed {
            Packed::Apart => format!(" {name}{count} "),
            _ if is_last => format!("{name}{count}"),
            _ => format!("{name}{count},"),
        };
        Span::styled(words, style)
    });
    each.flat_map(|span| [Span::raw(" "), span]).collect()
}

/// The choice that stands at a column of the frame.
pub(super) fn choice_at(list: &ItemList, cx: Context<'_>, column: u16) -> Option<Which> {
    let width = usize::from(cx.ui.frame().body.width.saturating_sub(2));
    let mut end = 1;
    let spans = choices(list, cx, width).spans.into_iter();
    let ends: Vec<usize> = spans
        .map(|span| {
            end += span.width();
            end
        })
        .collect();
    let at = ends.iter().position(|&end| usize::from(column) < end)?;
    // A blank stands before each.
    let choices = cx.model.item_choices();
    choices.get(at / 2).copied()
}

/// What a line has room for.
struct Columns<'a> {
    score: usize,
    /// phi, where items are listed for it.
    phi: usize,
    /// What the queries are sorted by, where these are those of the list below.
    sorted: usize,
    marks: Vec<Mark<'a>>,
    /// Columns of the query's text, and of the item's.
    texts: [usize; 2],
}

/// As many numbers and marks as leave most of the line to both texts.
fn columns<'a>(list: &ItemList, cx: Context<'a>, width: usize) -> Columns<'a> {
    let (view, which) = (list.key.view, list.which(cx.model));
    let study = &cx.model.study;
    let is_sorted = list.key.order == ItemsOrder::Queries
        && cx.model.selection.sort.heading().is_some()
        && cx.model.is_of_list(&list.key);
    let sorted = SORTED * usize::from(is_sorted);
    let phi = if which == Which::Missed { PHI } else { 0 };
    let at = |(_, score): ((), usize)| {
        let marks = Mark::all(study, view.direction, view.truth);
        let taken = marks.iter().map(|mark| mark.widths[0] + 1).sum::<usize>()
            + sorted
            + RANK
            + score
            + phi
            + SIGN;
        // A blank before the query's text and one after it.
        let room = width.saturating_sub(taken + 2);
        let texts = [room / 2, room - room / 2];
        Columns { score, phi, sorted, marks, texts }
    };
    let least = SCORE * usize::from(list.key.order == ItemsOrder::Score);
    let layouts = [((), SCORE), ((), least)];
    let text = |layout| at(layout).texts.iter().sum();
    at(fitting(&layouts, Text::Most, width, text).unwrap_or(layouts[1]))
}

fn names(columns: &Columns<'_>, order: ItemsOrder, sort: &Sort) -> String {
    let [of_query, of_item] = columns.texts;
    let heading = sort.heading().unwrap_or_default();
    let heading = text::fit(&heading, SORTED - 2) + sort.sign();
    let query = text::pad("query", of_query) + &text::pad_left(&heading, columns.sorted);
    let [rank, score] = match order {
        ItemsOrder::Rank => ["#↑", "score"],
        ItemsOrder::Score => ["#", "score↓"],
        ItemsOrder::Queries | ItemsOrder::Standing => ["#", "score"],
    };
    let numbers = text::pad_left(rank, RANK) + &text::pad_left(score, columns.score);
    let numbers = numbers + &text::pad_left("phi", columns.phi);
    let item = " ".repeat(SIGN) + &text::pad("item", of_item);
    let marks = columns.marks.iter();
    let marks: String =
        marks.map(|mark| text::pad_left(&mark.headings[0], mark.widths[0] + 1)).collect();
    format!(" {query} {numbers}{item}{marks}")
}

/// The order that a click on a column's name asks for, at a column of the frame; `None` where items have no order.
pub(super) fn order_at(list: &ItemList, cx: Context<'_>, column: u16) -> Option<ItemsOrder> {
    let width = usize::from(cx.ui.frame().body.width.saturating_sub(2));
    let columns = columns(list, cx, width);
    // The frame, and a blank on both sides of the query's text.
    let widths = [
        (ItemsOrder::Queries, columns.texts[0] + columns.sorted + 3),
        (ItemsOrder::Rank, RANK),
        (ItemsOrder::Score, columns.score),
        (ItemsOrder::Standing, columns.phi + SIGN),
    ];
    let mut end = 0;
    let at = widths.into_iter().find(|(_, columns)| {
        end += columns;
        usize::from(column) < end
    });
    at.map(|(order, _)| order)
}

/// The lines in sight, the selected one marked: no more is drawn, however long the list is.
fn draw_lines(list: &ItemList, found: &ListedItems, cx: Context<'_>, area: Rect, buf: &mut Buffer) {
    let which = list.which(cx.model);
    let total = found.count(which);
    if total == 0 {
        let why = which.is_unknown(&cx.model.study);
        let words = why.unwrap_or("no item is of this kind");
        return in_place(words, cx.theme.dim.into(), area, buf);
    }
    let view = list.key.view;
    let columns = columns(list, cx, usize::from(area.width));
    let width = usize::from(area.width);
    let names = names(&columns, list.key.order, &cx.model.selection.sort);
    buf.set_stringn(area.x, area.y, names, width, cx.theme.dim);
    let rows = Rect { y: area.y + 1, height: area.height - 1, ..area };
    let offset = followed(list.offset, list.selected, usize::from(rows.height).max(1));
    for (at, y) in (offset..total).zip(rows.top()..rows.bottom()) {
        let Some(one) = found.get(which, at) else {
            break;
        };
        let before = at.checked_sub(1).filter(|_| at > offset);
        let before = before.and_then(|at| found.get(which, at));
        let is_first = before.is_none_or(|before| before.query != one.query);
        let row = Rect::new(rows.x, y, rows.width, 1);
        buf.set_line(row.x, y, &line(cx, view, &columns, (*one, is_first)), row.width);
        if at == list.selected {
            pane::mark(true, cx.theme, row, buf);
        }
    }
    let scroll = Scroll { offset, shown: usize::from(rows.height), total };
    pane::scrollbar(scroll, true, cx.theme, rows, buf);
}

/// The rank of an item; a dash where the model does not rank it.
fn rank(one: FirstItem) -> String {
    match one.rank {
        0 => "-".into(),
        rank => rank.to_string(),
    }
}

/// A pair; its query's text is of less weight where the line above is of the same query.
fn line(
    cx: Context<'_>,
    view: View,
    columns: &Columns<'_>,
    (one, is_first): (FirstItem, bool),
) -> Line<'static> {
    let study = &cx.model.study;
    let direction = view.direction;
    let (query, item) = (one.query as usize, one.item as usize);
    let pair = Pair::of(direction, query.into(), item.into());
    let verdict = cx.model.judgements.verdicts.get(pair);
    let badge = study.badge(verdict, direction, query.into(), item.into());
    let style = cx.theme.badge(badge);
    let judged = verdict.map_or(Style::default(), |verdict| cx.theme.verdict(verdict));
    let [of_query, of_item] = columns.texts;
    let score = signs::score(one.score);
    let asked = if is_first { Style::default() } else { cx.theme.dim.into() };
    let value = cx.model.sort_value(one.at);
    let sorted = signs::sorted(value, cx.model.selection.has_fractions);
    let asked_by = cx.model.label(direction, query, of_query);
    let label = cx.model.label(direction.flipped(), item, of_item);
    let is_picked = cx.model.is_picked(direction, query);
    let picked = if is_picked { "★" } else { " " };
    let mut spans = vec![
        Span::styled(picked, cx.theme.key),
        Span::styled(text::pad(&asked_by, of_query), asked),
        Span::styled(text::pad_left(&sorted, columns.sorted), asked),
        Span::raw(" "),
        Span::styled(text::pad_left(&rank(one), RANK), cx.theme.dim),
        Span::styled(text::pad_left(&score, columns.score), cx.theme.dim),
        Span::styled(text::pad_left(&signs::phi(Some(one.phi)), columns.phi), cx.theme.key),
        Span::styled(format!(" {}", signs::badge(badge)), style),
        Span::styled(verdict.map_or(" ", signs::verdict), judged),
        Span::raw(format!(" {}", text::pad(&label, of_item))),
    ];
    for of in &columns.marks {
        let (mark, standing) = of.of(study, direction, (query, item));
        let is_positive = standing == Standing::Positive;
        let style = if is_positive { style } else { cx.theme.dim.into() };
        spans.push(Span::styled(mark, style));
    }
    Line::from(spans)
}
