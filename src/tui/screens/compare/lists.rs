//! The list of queries, and the rankings of the compared models side by side.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::Areas;
use super::{Cx, RANKINGS};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::filter::value_of_model;
use crate::truth::standing::Badge;
use crate::tui::screens::queries;
use crate::tui::screens::ranking::RankingList;
use crate::tui::signs;
use crate::tui::sort::Sort;
use crate::tui::state::compare::RankShift;
use crate::tui::state::query_list::{Item, Pane};
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::{pane, text, trend};

/// Minimum width of the texts, in percent of the list of queries.
const MIN_TEXT_PERCENT: usize = 53;
/// Minimum columns of an item in a ranking.
const MIN_ITEM_COLUMNS: usize = 24;
/// Columns of a rank change.
pub(super) const CHANGE_COLUMNS: usize = 7;

/// Draws the list of queries and the visible rankings.
pub(super) fn draw(cx: Cx<'_>, areas: &Areas, buf: &mut Buffer) {
    let focus = cx.model.selection.pane == Pane::Queries && !cx.focuses_models();
    let state = (MIN_TEXT_PERCENT, &cx.state.queries, focus);
    queries::draw(cx, query_columns(cx), state, "AP@R", areas.queries, buf);
    if let Some(&(_, area)) = areas.rankings.first() {
        // Rows without the frame and the titles.
        let page = area.height.saturating_sub(3).into();
        let rankings = areas.rankings.iter().filter_map(|(column, _)| cx.ranking(*column));
        let longest = rankings.map(|ranking| ranking.ranking.order.len()).max().unwrap_or(0);
        // The position stays until the rankings are computed.
        if let Some(place) = cx.common_position(areas) {
            cx.state.rankings.reveal(place, page, longest);
        }
    }
    for &(column, area) in &areas.rankings {
        draw_ranking(cx, column, areas, area, buf);
    }
}

/// Columns with AP@R of models A and B, their difference (the model with the higher mAP@R first), the sort key if it is
/// none of these, and the pick sign. Empty if only one model is compared.
pub(super) fn query_columns(cx: Cx<'_>) -> Vec<Column<'_>> {
    let (model, sort) = (cx.model, cx.model.order());
    let Some(two) = model.model_pair() else {
        return Vec::new();
    };
    let query = move |at: usize| model.selection.queries[at] as usize;
    // Indices of the two models, the better one first.
    let order = model.better_first();
    let [key_a, key_b] = two.map(|ix| value_of_model(&model.study, ix, "map_at_r"));
    let is_sorted = ["map_at_r", &key_a, &key_b].iter().any(|key| sort.is_by(key));
    let sort_column = queries::sort_column(cx).filter(|_| !is_sorted);
    // AP@R of the current model, A, has two names.
    let key_a = if sort.is_by("map_at_r") { "map_at_r".to_owned() } else { key_a };
    let ap = |(title, keep), by: ModelIx, key: &str| {
        let cell = move |at: usize, _| signs::share(model.ap_by(by, query(at)), 1);
        queries::number_column(cx, (title, 5, keep), key, cell)
    };
    let difference = move |at: usize, _| {
        let [better, worse] = order.map(|index| model.ap_by(two[index], query(at)));
        let difference = better.zip(worse).map(|(better, worse)| better - worse);
        let (words, style) = trend::delta(difference, 1, cx.theme);
        Span::styled(words, style)
    };
    // No sort sign: the order is by absolute difference.
    let look = if *sort == Sort::Difference { cx.theme.title } else { cx.theme.dim };
    let title = order.map(|index| letter(index).to_string()).join(" - ");
    let difference = Column::new(Span::styled(title, look), 6, difference).right();
    // One number is never dropped.
    let difference = if sort_column.is_some() { difference.keep(2) } else { difference };
    let mut columns = vec![ap(("A", 1), two[0], &key_a), ap(("B", 0), two[1], &key_b), difference];
    columns.extend(sort_column);
    columns.push(Column::new("", 1, move |at, _| queries::pick_sign(cx, query(at))));
    columns
}

/// Letter and name of the compared model at an index, in at most `room` columns.
pub(super) fn model_label(cx: Cx<'_>, column: usize, room: usize) -> String {
    let model = cx.model.compared_models()[column];
    let name = signs::model_name(&cx.model.study, model, room.saturating_sub(2));
    format!("{} {name}", letter(column))
}

/// Letter of the compared model at an index.
pub(super) fn letter(column: usize) -> char {
    char::from(b'A' + column as u8)
}

/// Draws the ranking of the compared model at an index.
fn draw_ranking(cx: Cx<'_>, column: usize, areas: &Areas, area: Rect, buf: &mut Buffer) {
    let title = model_label(cx, column, usize::from(area.width).saturating_sub(4));
    let focus = cx.model.selection.pane == Pane::Ranking && cx.column() == column;
    let inner = pane::draw_frame(title, "", focus, cx.theme, area, buf);
    let ranking = RankingList::for_model(cx, cx.model.compared_models()[column]);
    let mut columns = ranking.columns(rank_columns(cx, column, ranking, areas.rankings.len() == 1));
    columns.push(Column::rest("", move |at, room| ranking.label(at, room)));
    let list = ListView {
        selected: cx.linked_position(column),
        min_rest: MIN_ITEM_COLUMNS,
        is_fixed: true,
        ..ranking.list(RANKINGS[column], columns, focus)
    };
    list.draw(&cx.state.rankings, cx.ui, inner, buf);
}

/// Columns before the items in the ranking of the compared model at index `column`. If only this ranking is visible
/// (`is_alone`): ranks by each other model. Else: rank changes against model A; no column for model A itself.
fn rank_columns<'a>(
    cx: Cx<'a>,
    column: usize,
    ranking: RankingList<'a>,
    is_alone: bool,
) -> Vec<Column<'a>> {
    let compared = cx.model.compared_models();
    let mut columns = Vec::new();
    if is_alone {
        let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
        let width = text::width(&grouped(items));
        for (index, &other) in compared.iter().enumerate().filter(|(at, _)| *at != column) {
            let rank = move |at: usize, _| {
                let both = cx.model.ranking_by(other).zip(ranking.item(at));
                let rank = both.map(|(other, item)| {
                    other.rank(item.item).map_or(signs::UNDEFINED.into(), grouped)
                });
                Span::styled(rank.unwrap_or_else(|| signs::UNKNOWN.into()), cx.theme.dim)
            };
            columns.push(Column::new(letter(index).to_string(), width, rank).right());
        }
    } else if column > 0 {
        let change = move |at: usize, _| {
            ranking.item(at).map_or(Span::default(), |item| styled_shift(cx, item))
        };
        columns.push(Column::new("vs A", CHANGE_COLUMNS, change).right());
    }
    columns
}

/// Rank change of an item against model A; empty until known. The style is an improvement if a positive rose or an item
/// judged not relevant fell, a decline if the reverse happened, and dim for other items.
fn styled_shift(cx: Cx<'_>, Item { item, rank, .. }: Item) -> Span<'static> {
    let shift = cx.model.rank_shift(item, rank);
    let badge = cx.model.badge(cx.model.selection.query().unwrap_or_default(), item);
    let rose = matches!(shift, Some(RankShift::Up(_) | RankShift::New));
    let style = match shift {
        None | Some(RankShift::Same) => cx.theme.dim,
        _ if !badge.is_positive() && badge != Badge::NotRelevant => cx.theme.dim,
        _ if rose == badge.is_positive() => cx.theme.up,
        _ => cx.theme.down,
    };
    Span::styled(shift.map_or(String::new(), shift_label), style)
}

/// A rank change in at most [`CHANGE_COLUMNS`].
pub(super) fn shift_label(shift: RankShift) -> String {
    match shift {
        RankShift::Up(by) => format!("▲{}", grouped(by)),
        RankShift::Down(by) => format!("▼{}", grouped(by)),
        RankShift::Same => "=".into(),
        RankShift::New => "new".into(),
    }
}
