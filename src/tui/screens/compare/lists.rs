//! The queries, and the ranking of each model.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::answer::better_first;
use super::layout::Areas;
use super::{Cx, RANKINGS};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::filter::value_of_model;
use crate::truth::standing::Badge;
use crate::tui::screens::queries;
use crate::tui::screens::ranking::Ranking;
use crate::tui::signs;
use crate::tui::sort::Sort;
use crate::tui::state::compare::Moved;
use crate::tui::state::query_list::Pane;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::{pane, text, trend};

/// Percentage of the query list's columns for the texts.
const QUERY: usize = 53;
/// Minimum columns of a caption in a ranking.
const CAPTION: usize = 24;
/// Columns of a rank change.
pub(super) const CHANGE: usize = 7;

/// Draws the list of queries and the visible rankings.
pub(super) fn draw(cx: Cx<'_>, areas: &Areas, buf: &mut Buffer) {
    let focus = cx.model.selection.pane == Pane::Queries && !cx.is_on_models();
    let scrolled = (QUERY, &cx.state.queries, focus);
    queries::draw(cx, query_columns(cx), scrolled, "AP@R", areas.queries, buf);
    if let Some(&(_, area)) = areas.rankings.first() {
        // Without frame and titles.
        let page = area.height.saturating_sub(3).into();
        let ranked = areas.rankings.iter().filter_map(|(column, _)| cx.ranking(*column));
        let longest = ranked.map(|ranked| ranked.ranking.order.len()).max().unwrap_or(0);
        // Until the rankings arrive, the position stays.
        if let Some(place) = cx.followed(areas) {
            cx.state.rankings.follow(place, page, longest);
        }
    }
    for &(column, area) in &areas.rankings {
        draw_ranking(cx, column, areas, area, buf);
    }
}

/// AP@R by the first two models, A and B, and that of the better model minus the worse, as in the conclusion.
pub(super) fn query_columns(cx: Cx<'_>) -> Vec<Column<'_>> {
    let (model, sort) = (cx.model, cx.model.order());
    let Some(two) = model.two() else {
        return Vec::new();
    };
    let query = move |at: usize| model.selection.queries[at] as usize;
    let sides = better_first(model);
    let [of_a, of_b] = two.map(|of| value_of_model(&model.study, of, "map_at_r"));
    let is_sorted = ["map_at_r", &of_a, &of_b].iter().any(|number| sort.is_by(number));
    let sorted = queries::sorted(cx).filter(|_| !is_sorted);
    // By the current model, AP@R has two names.
    let of_a = if sort.is_by("map_at_r") { "map_at_r".to_owned() } else { of_a };
    let ap = |(title, keep), of: ModelIx, number: &str| {
        let cell = move |at: usize, _| signs::share(model.ap_by(of, query(at)), 1);
        queries::number(cx, (title, 5, keep), number, cell)
    };
    let difference = move |at: usize, _| {
        let [better, worse] = sides.map(|side| model.ap_by(two[side], query(at)));
        let difference = better.zip(worse).map(|(better, worse)| better - worse);
        let (words, style) = trend::delta(difference, 1, cx.theme);
        Span::styled(words, style)
    };
    // No sort sign: the order is by absolute difference.
    let look = if *sort == Sort::Difference { cx.theme.title } else { cx.theme.dim };
    let title = sides.map(|side| letter(side).to_string()).join(" - ");
    let difference = Column::new(Span::styled(title, look), 6, difference).right();
    // One number always stays.
    let difference = if sorted.is_some() { difference.keep(2) } else { difference };
    let mut columns = vec![ap(("A", 1), two[0], &of_a), ap(("B", 0), two[1], &of_b), difference];
    columns.extend(sorted);
    columns.push(Column::new("", 1, move |at, _| queries::picked(cx, query(at))));
    columns
}

/// Letter and name of a model, in columns.
pub(super) fn named(cx: Cx<'_>, column: usize, room: usize) -> String {
    let model = cx.model.compared()[column];
    let name = signs::model(&cx.model.study, model, room.saturating_sub(2));
    format!("{} {name}", letter(column))
}

pub(super) fn letter(column: usize) -> char {
    char::from(b'A' + column as u8)
}

fn draw_ranking(cx: Cx<'_>, column: usize, areas: &Areas, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width).saturating_sub(4);
    let title = named(cx, column, room);
    let focus = cx.has_keys(column);
    let inner = pane::frame(title, "", focus, cx.theme, area, buf);
    let ranking = Ranking::by(cx, cx.model.compared()[column]);
    let mut columns = ranking.columns(others(cx, column, ranking, areas.rankings.len() == 1));
    columns.push(Column::rest("", move |at, room| ranking.label(at, room)));
    let list = ListView {
        selected: cx.place(column),
        least: CAPTION,
        is_still: true,
        ..ranking.list(RANKINGS[column], columns, focus)
    };
    list.draw(&cx.state.rankings, cx.ui, inner, buf);
}

/// Ranks by the other models if one ranking is visible, else rank changes against the first.
fn others<'a>(cx: Cx<'a>, column: usize, ranking: Ranking<'a>, is_alone: bool) -> Vec<Column<'a>> {
    let compared = cx.model.compared();
    let mut columns = Vec::new();
    if is_alone {
        let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
        let width = text::width(&grouped(items));
        for at in (0..compared.len()).filter(|at| *at != column) {
            let other = compared[at];
            let rank = move |at: usize, _| {
                let both = cx.model.ranking_by(other).zip(ranking.item(at));
                let rank = both.map(|(ranked, of)| {
                    ranked.rank(of.item).map_or(signs::UNDEFINED.into(), grouped)
                });
                Span::styled(rank.unwrap_or_else(|| signs::UNKNOWN.into()), cx.theme.dim)
            };
            columns.push(Column::new(letter(at).to_string(), width, rank).right());
        }
    } else if column > 0 {
        let change = move |at: usize, _| {
            let change = ranking.item(at).map(|of| change_of(cx, of.item, of.rank));
            change.map_or(Span::default(), |(words, style)| Span::styled(words, style))
        };
        columns.push(Column::new("vs A", CHANGE, change).right());
    }
    columns
}

/// Rank change of an item against the first ranking, and its style: as a risen number if good for the model, so for a
/// positive that rose, or an item judged not relevant that fell. For others it is unknown.
fn change_of(cx: Cx<'_>, item: usize, rank: usize) -> (String, Style) {
    let moved = cx.model.change_of(item, rank);
    let badge = cx.model.badge(cx.model.selection.query().unwrap_or_default(), item);
    let rose = matches!(moved, Some(Moved::Up(_) | Moved::New));
    let is_known = badge.is_positive() || badge == Badge::NotRelevant;
    let style = match moved {
        None | Some(Moved::Same) => cx.theme.dim,
        _ if !is_known => cx.theme.dim,
        _ if rose == badge.is_positive() => cx.theme.up,
        _ => cx.theme.down,
    };
    (moved.map_or(String::new(), moved_words), style.into())
}

/// A rank change in at most [`CHANGE`] columns.
pub(super) fn moved_words(change: Moved) -> String {
    match change {
        Moved::Up(by) => format!("▲{}", grouped(by)),
        Moved::Down(by) => format!("▼{}", grouped(by)),
        Moved::Same => "=".into(),
        Moved::New => "new".into(),
    }
}
