//! The ranking of the selected query, every item with its badge and its mark in each truth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use super::columns::Columns;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;
use crate::tui::model::numbers::Numbers;
use crate::tui::model::selection::{Item, Pane};
use crate::tui::screens::queries::image_label;
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = pane::frame(&title(cx), &ranked(cx), focus, cx.theme, area, buf);
    let columns = cx.columns();
    let width = usize::from(inner.width);
    buf.set_stringn(inner.x, inner.y, names(&columns), width, cx.theme.dim);
    let list = Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1),
        ..inner
    };
    let Some(ranking) = cx.model.ranking() else {
        note(waiting(cx), cx, list, buf);
        return;
    };
    if ranking.order.is_empty() {
        note("this model ranks nothing for this query", cx, list, buf);
        return;
    }
    draw_items(cx, &columns, focus, list, buf);
    let scroll = Scroll {
        offset: cx.state.item_offset,
        shown: cx.items_in_sight(),
        total: ranking.order.len(),
    };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

/// The names of the columns.
fn names(columns: &Columns<'_>) -> String {
    let mut head = text::pad_left("#", columns.rank);
    if columns.score > 0 {
        head += &text::pad_left("score", columns.score);
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
        let Some(item) = cx.model.item_at(first + at) else {
            break;
        };
        let y = list.y + at as u16 * cx.item_rows();
        let place = Rect { y, height, ..list }.intersection(list);
        let lines = lines(cx, item, columns, listed);
        pane::lines(&lines, 0, place, buf);
        if item.rank == cx.model.selection.item + 1 {
            pane::mark(focus, cx.theme, place, buf);
        }
    }
}

fn title(cx: Cx<'_>) -> String {
    let Some(query) = cx.model.selection.query() else {
        return "ranking".into();
    };
    match cx.model.view.direction {
        Direction::T2i => format!("“{}”", cx.model.study.gallery.caption(query)),
        Direction::I2t => image_label(cx.model, query),
    }
}

/// How much of the gallery is ranked, where it is not all of it.
fn ranked(cx: Cx<'_>) -> String {
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
    if columns.picture == 0 {
        return vec![line(cx, item, columns, listed, &label)];
    }
    let gallery = &cx.model.study.gallery;
    let own = cx.model.study.own(Direction::I2t, item.item).iter().skip(1);
    let others = own.map(|caption| gallery.caption(caption as usize));
    let texts = std::iter::once(label).chain(others);
    let mut words = texts.flat_map(|text| text::wrap(&text, columns.text));
    let first = words.next().unwrap_or_default();
    let mut lines = vec![line(cx, item, columns, listed, &first)];
    let width = columns.before() - 1 + columns.picture;
    for _ in 1..cx.thumb_rows() {
        let more = words.next().unwrap_or_default();
        lines.push(Line::from(vec![
            bar(cx, item, listed),
            Span::raw(" ".repeat(width)),
            Span::styled(more, cx.theme.dim),
        ]));
    }
    lines
}

fn line(
    cx: Cx<'_>,
    item: Item,
    columns: &Columns<'_>,
    listed: Option<u32>,
    label: &str,
) -> Line<'static> {
    let query = cx.model.selection.query().unwrap_or_default();
    let direction = cx.model.view.direction;
    let badge = Badge::of(
        &cx.model.study.truths,
        direction,
        query.into(),
        item.item.into(),
    );
    let style = cx.theme.badge(badge);
    let right = matches!(badge, Badge::Original | Badge::Extra);
    let words: Style = if right {
        Style::default()
    } else {
        cx.theme.dim.into()
    };
    let mut spans = vec![
        bar(cx, item, listed),
        Span::styled(
            text::pad_left(&item.rank.to_string(), columns.rank - 1),
            cx.theme.dim,
        ),
    ];
    if columns.score > 0 {
        spans.push(Span::styled(
            text::pad_left(&signs::score(item.score), columns.score),
            cx.theme.dim,
        ));
    }
    let verdict = cx.model.verdict(query, item.item);
    let judged = verdict.map_or(Style::default(), |verdict| cx.theme.verdict(verdict));
    spans.push(Span::styled(format!(" {}", signs::badge(badge)), style));
    spans.push(Span::styled(verdict.map_or(" ", signs::verdict), judged));
    spans.push(Span::raw(" ".repeat(columns.picture)));
    spans.push(Span::styled(text::pad(label, columns.text), words));
    for of in &columns.marks {
        let (mark, standing) = of.of(&cx.model.study, direction, (query, item.item));
        let style = match standing {
            Standing::Positive => style,
            _ => cx.theme.dim.into(),
        };
        spans.push(Span::styled(mark, style));
    }
    let words = verdict.map_or("", Verdict::key);
    spans.push(Span::styled(text::pad_left(words, columns.mine), judged));
    Line::from(spans)
}

/// Why there is no ranking yet.
fn waiting(cx: Cx<'_>) -> &'static str {
    match (
        &cx.model.numbers[cx.model.view.model],
        cx.model.selection.query(),
    ) {
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ => "ranking …",
    }
}

/// Words in the place of the list.
fn note(words: &str, cx: Cx<'_>, list: Rect, buf: &mut Buffer) {
    let width = usize::from(list.width.saturating_sub(2));
    if list.height > 0 {
        buf.set_stringn(list.x + 2, list.y, words, width, cx.theme.dim);
    }
}
