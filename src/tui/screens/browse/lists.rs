//! The queries, and the ranking of the selected one as a list or as cards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, RANKING};
use crate::data::text::grouped;
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::truth::standing::{Badge, Standing};
use crate::tui::screens::card_view::{self, Cards};
use crate::tui::screens::queries::{self, phrased_label};
use crate::tui::screens::ranking::Ranking;
use crate::tui::signs::{self, MARK, Mark};
use crate::tui::state::items::Top;
use crate::tui::state::query_list::{Item, Pane};
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::pane::{self, Scroll};
use crate::tui::ui::text;

/// Percentage of the ranking's columns for the texts.
const ITEM: usize = 55;

/// Numbers and signs of queries; none while judging blind. The sort column always stays.
pub(super) fn query_columns(cx: Cx<'_>) -> Vec<Column<'_>> {
    let (model, sort) = (cx.model, &cx.model.selection.sort);
    if model.is_blind() {
        return vec![Column::new("", 1, |_, _| "")];
    }
    let query = move |at: usize| model.selection.queries[at] as usize;
    let ranks = move |at: usize| model.ranks_of(model.view.truth, query(at));
    let rank = move |at: usize, _| {
        Span::styled(ranks(at).map_or("·".into(), signs::first_rank), cx.theme.dim)
    };
    let ap = move |at: usize, _| {
        let value = ranks(at).map(|ranks| Spec::new(&MapAtR).per_query(ranks));
        value.map_or("·".into(), |value| signs::share(value, 2))
    };
    let sign = move |at: usize, _| {
        let (sign, style) = match model.top(query(at)) {
            Top::Unranked => (" ", Style::default()),
            Top::Unknown => (signs::UNKNOWN, cx.theme.dim.into()),
            Top::Known(badge) => (badge.glyph(), cx.theme.badge(badge)),
        };
        Line::from(vec![queries::picked(cx, query(at)), Span::styled(sign, style)])
    };
    let items = model.study.pool_sizes()[model.view.direction.flipped()];
    let widest = text::width(&grouped(items)).max("rank↓".chars().count());
    let by_ap = sort.is_by("map_at_r");
    let by = queries::sorted(cx).filter(|_| !by_ap && !sort.is_by("rank"));
    // One number always stays.
    let keep = if by_ap || by.is_some() { 1 } else { u8::MAX };
    let mut columns = vec![
        queries::number(cx, ("rank", widest, keep), "rank", rank),
        queries::number(cx, ("AP@R", 6, 0), "map_at_r", ap),
    ];
    columns.extend(by);
    columns.push(Column::new("", 2, sign));
    columns
}

pub(super) fn draw_ranking(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = frame(cx, &ranked(cx), area, buf);
    let ranking = Ranking::listed(cx).worded(area.width);
    let score = move |at: usize, _| {
        let score = ranking.item(at).map_or(String::new(), |of| signs::score(of.score));
        Span::styled(score, cx.theme.dim)
    };
    let score = Column::new("score", 7, score).right().keep(4);
    let mut columns = ranking.columns(vec![score]);
    columns.push(Column::rest("", move |at, room| ranking.label(at, room)));
    if !cx.model.is_blind() {
        columns.extend(truths(cx, ranking));
    }
    let list = ListView {
        selected: cx.model.listed_place(),
        least: usize::from(inner.width) * ITEM / 100,
        ..ranking.list(RANKING, columns, focus)
    };
    list.draw(&cx.state.ranking, cx.ui, inner, buf);
}

/// Draws the ranking as cards.
pub(super) fn draw_cards(cx: Cx<'_>, cards: Cards, area: Rect, buf: &mut Buffer) {
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = frame(cx, &ranked(cx), area, buf);
    let ranking = Ranking::listed(cx);
    if ranking.len() == 0 {
        ranking.list(RANKING, Vec::new(), focus).draw(&cx.state.ranking, cx.ui, inner, buf);
        return;
    }
    cx.ui.hit(inner, Target::List(RANKING));
    let (across, lines) = (usize::from(cards.columns), usize::from(cards.rows));
    let here = cx.model.listed_place();
    let total = ranking.len().div_ceil(across);
    let offset = cx.state.ranking.follow(here.unwrap_or(0) / across, lines, total);
    let places = (offset * across..).take(cards.count());
    for (at, place) in places.enumerate() {
        let Some(item) = ranking.item(place) else {
            break;
        };
        let marked = (here == Some(place)).then_some(focus);
        cx.ui.hit(cards.card(at), Target::Row(RANKING, place));
        // Images nearest to the selection come first.
        let order = 2 + place.abs_diff(here.unwrap_or(0));
        card_view::draw(cx, order, (item, marked), cards.card(at), buf);
    }
    pane::scrollbar(Scroll { offset, shown: lines, total }, focus, cx.theme, inner, buf);
}

/// Frame of the ranking: the query with coloured phrases, and a note.
fn frame(cx: Cx<'_>, note: &str, area: Rect, buf: &mut Buffer) -> Rect {
    let focus = cx.model.selection.pane == Pane::Ranking;
    let title = cx.model.selection.query().map_or_else(
        || vec!["ranking".into()],
        |query| {
            let (of, words) = ((cx.model.view.direction, query), queries::quoted(cx.model, query));
            phrased_label(cx, of, &words, Style::default()).line(&words)
        },
    );
    pane::frame(title, note, focus, cx.theme, area, buf)
}

/// Judged share of a pool, or ranked share of the gallery if not all.
fn ranked(cx: Cx<'_>) -> String {
    if cx.model.lists_queue() {
        let [answered, all] = cx.model.queued_here().unwrap_or_default();
        return format!("{} of {} answered", grouped(answered), grouped(all));
    }
    let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
    match cx.model.ranking().map(|ranking| ranking.order.len()) {
        Some(count) if count < items => {
            format!("{} of {} ranked", grouped(count), grouped(items))
        }
        _ => String::new(),
    }
}

/// Mark of items in each ground truth, as loaded.
fn truths<'a>(cx: Cx<'a>, ranking: Ranking<'a>) -> Vec<Column<'a>> {
    let (study, view) = (&*cx.model.study, cx.model.view);
    let query = cx.model.selection.query().unwrap_or_default();
    let marks = Mark::all(study, view.direction, view.truth).into_iter();
    let columns = marks.map(|mark| {
        let heading = mark.heading.clone();
        let cell = move |at: usize, _| {
            let Some(Item { item, .. }) = ranking.item(at) else {
                return Span::default();
            };
            let (words, standing) = mark.cell(study, view.direction, (query, item));
            let loaded = study.badge(None, view.direction, query.into(), item.into());
            let style = match standing {
                Standing::Positive => cx.theme.badge(loaded),
                Standing::NotRelevant => cx.theme.badge(Badge::NotRelevant),
                _ => cx.theme.dim.into(),
            };
            Span::styled(words, style)
        };
        Column::new(heading, MARK, cell).right().keep(2)
    });
    columns.collect()
}
