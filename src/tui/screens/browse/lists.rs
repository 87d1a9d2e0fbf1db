//! The queries, and the ranking of the selected one as a list or as cards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, RANKING};
use crate::data::text::grouped;
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::truth::standing::{Badge, Standing};
use crate::tui::screens::card_view::{self, CardGrid};
use crate::tui::screens::queries::{self, label_colours};
use crate::tui::screens::ranking::RankingList;
use crate::tui::signs::{self, MARK_COLUMNS, MarkColumn};
use crate::tui::state::items::Top;
use crate::tui::state::query_list::{Item, Pane};
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::pane::{self, Viewport};
use crate::tui::ui::text;

/// Minimum width of the texts, in percent of the ranking.
const MIN_TEXT_PERCENT: usize = 55;

/// Columns with the numbers and signs of queries; none while judging blind. The sort column is never dropped.
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
    let ap_at_r = move |at: usize, _| {
        let value = ranks(at).map(|ranks| Spec::new(&MapAtR).per_query(ranks));
        value.map_or("·".into(), |value| signs::share(value, 2))
    };
    let sign = move |at: usize, _| {
        let (sign, style) = match model.top_1_status(query(at)) {
            Top::Unranked => (" ", Style::default()),
            Top::Unknown => (signs::UNKNOWN, cx.theme.dim.into()),
            Top::Known(badge) => (badge.glyph(), cx.theme.badge(badge)),
        };
        Line::from(vec![queries::pick_sign(cx, query(at)), Span::styled(sign, style)])
    };
    let items = model.study.pool_sizes()[model.view.direction.flipped()];
    let widest = text::width(&grouped(items)).max("rank↓".chars().count());
    let is_by_ap = sort.is_by("map_at_r");
    let sort_column = queries::sort_column(cx).filter(|_| !is_by_ap && !sort.is_by("rank"));
    // One number is never dropped.
    let keep = if is_by_ap || sort_column.is_some() { 1 } else { u8::MAX };
    let mut columns = vec![
        queries::number_column(cx, ("rank", widest, keep), "rank", rank),
        queries::number_column(cx, ("AP@R", 6, 0), "map_at_r", ap_at_r),
    ];
    columns.extend(sort_column);
    columns.push(Column::new("", 2, sign));
    columns
}

/// Draws the ranking as a list.
pub(super) fn draw_ranking(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = draw_frame(cx, focus, area, buf);
    let ranking = RankingList::for_view(cx).with_badge_words(area.width);
    let score = move |at: usize, _| {
        let score = ranking.item(at).map_or(String::new(), |item| signs::score(item.score));
        Span::styled(score, cx.theme.dim)
    };
    let score = Column::new("score", 7, score).right().keep(4);
    let mut columns = ranking.columns(vec![score]);
    columns.push(Column::rest("", move |at, room| ranking.label(at, room)));
    if !cx.model.is_blind() {
        columns.extend(truth_columns(cx, ranking));
    }
    let list = ListView {
        selected: cx.model.selected_position(),
        min_rest: usize::from(inner.width) * MIN_TEXT_PERCENT / 100,
        ..ranking.list(RANKING, columns, focus)
    };
    list.draw(&cx.state.ranking, cx.ui, inner, buf);
}

/// Draws the ranking as cards.
pub(super) fn draw_cards(cx: Cx<'_>, cards: CardGrid, area: Rect, buf: &mut Buffer) {
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = draw_frame(cx, focus, area, buf);
    let ranking = RankingList::for_view(cx);
    if ranking.len() == 0 {
        ranking.list(RANKING, Vec::new(), focus).draw(&cx.state.ranking, cx.ui, inner, buf);
        return;
    }
    cx.ui.add_target(inner, Target::List(RANKING));
    let (columns, lines) = (usize::from(cards.columns), usize::from(cards.rows));
    let selected = cx.model.selected_position();
    let total = ranking.len().div_ceil(columns);
    let offset = cx.state.ranking.reveal(selected.unwrap_or(0) / columns, lines, total);
    let indices = (offset * columns..).take(cards.count());
    for (at, index) in indices.enumerate() {
        let Some(item) = ranking.item(index) else {
            break;
        };
        let selection = (selected == Some(index)).then_some(focus);
        cx.ui.add_target(cards.card_area(at), Target::Row(RANKING, index));
        // Images nearest to the selection come first.
        let order = 2 + index.abs_diff(selected.unwrap_or(0));
        card_view::draw(cx, order, (item, selection), cards.card_area(at), buf);
    }
    pane::draw_scrollbar(Viewport { offset, shown: lines, total }, focus, cx.theme, inner, buf);
}

/// Draws the frame of the ranking, with the query in coloured phrases and a note. Returns the area inside.
fn draw_frame(cx: Cx<'_>, focus: bool, area: Rect, buf: &mut Buffer) -> Rect {
    let title = cx.model.selection.query().map_or_else(
        || vec!["ranking".into()],
        |query| {
            let label = queries::full_label(cx.model, query);
            let query = (cx.model.view.direction, query);
            label_colours(cx, query, &label, Style::default()).line(&label)
        },
    );
    pane::draw_frame(title, &ranked_note(cx), focus, cx.theme, area, buf)
}

/// If the annotation pool is listed: how many of its pairs of the query are answered. Else how many items are ranked;
/// empty if all are, and until the ranking is computed.
fn ranked_note(cx: Cx<'_>) -> String {
    if cx.model.lists_queue() {
        let [answered, all] = cx.model.queued_counts().unwrap_or_default();
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

/// A column per ground truth as loaded, which marks its positives among the ranked items.
fn truth_columns<'a>(cx: Cx<'a>, ranking: RankingList<'a>) -> Vec<Column<'a>> {
    let (study, view) = (&*cx.model.study, cx.model.view);
    let query = cx.model.selection.query().unwrap_or_default();
    let marks = MarkColumn::all(study, view.direction, view.truth).into_iter();
    let columns = marks.map(|mark| {
        let heading = mark.heading.clone();
        let keep = if mark.truth.name == study.truths[view.truth].name { 3 } else { 2 };
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
        Column::new(heading, MARK_COLUMNS, cell).right().keep(keep)
    });
    columns.collect()
}
