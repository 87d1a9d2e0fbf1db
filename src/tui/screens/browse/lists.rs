//! The queries, and the ranking of the selected one as a list or as cards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::{Cx, RANKING};
use crate::data::text::grouped;
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::truth::standing::{Badge, Standing};
use crate::tui::pictures::{Place, Way};
use crate::tui::screens::card_view::{self, Card, Cards};
use crate::tui::screens::queries::{self, Ordered, caption_lines, phrased_label};
use crate::tui::signs::{self, Mark};
use crate::tui::state::items::Top;
use crate::tui::state::query_list::{Item, Pane};
use crate::tui::state::ranking::{Arrangement, MISSED};
use crate::tui::state::sort::Sort;
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::pane::{self, Scroll};
use crate::tui::ui::{picture, text};

/// Of a hundred columns of the ranking, so many are for the texts.
const ITEM: usize = 56;
/// Digits of phi.
const PHI: usize = 5;

/// The numbers of queries and their signs; none while one judges blind. What they are sorted by stays.
pub(super) fn query_columns<'a>(cx: Cx<'a>) -> Vec<Ordered<'a>> {
    let (model, sort) = (cx.model, &cx.model.selection.sort);
    if model.is_blind() {
        return vec![(Column::new("", 1, |_, _| ""), None)];
    }
    let query = move |at: usize| model.selection.queries[at] as usize;
    let ranks = move |at: usize| model.ranks_of(model.view.truth, query(at));
    let rank = move |at: usize, _| {
        Span::styled(ranks(at).map_or("·".into(), signs::first_rank), cx.theme.dim)
    };
    let ap = move |at: usize, room: usize| {
        let value = ranks(at).map(|ranks| Spec::new(&MapAtR).per_query(ranks));
        value.map_or("·".into(), |value| signs::share(value, room - 4))
    };
    let sign = move |at: usize, _| {
        let (sign, style) = match model.top(query(at)) {
            Top::Unranked => (" ", Style::default()),
            Top::Unknown => (signs::UNKNOWN, cx.theme.dim.into()),
            Top::Known(badge) => (signs::badge(badge), cx.theme.badge(badge)),
        };
        Line::from(vec![queries::picked(cx, query(at)), Span::styled(sign, style)])
    };
    let items = model.study.pool_sizes()[model.view.direction.flipped()];
    let widest = text::width(&grouped(items)).max("rank↓".chars().count());
    let (by_rank, by_ap) = (sort.is_by("rank"), sort.is_by("map_at_r"));
    let column = |column: Column<'a>, keep: u8, is_sorted: bool| {
        let column = column.right().sortable();
        if is_sorted { column } else { column.keep(keep) }
    };
    let name = |name, is_sorted| queries::heading(cx, name, is_sorted);
    let rank = Column::new(name("rank", by_rank), widest, rank);
    let ap = Column::new(name("AP@R", by_ap), 6, ap).short(name("AP@R", by_ap), 5);
    let by = queries::sorted(cx).filter(|_| !by_rank && !by_ap);
    // One number stays in any case.
    let is_kept = by_rank || !by_ap && by.is_none();
    let mut columns = vec![
        (column(rank, 1, is_kept), Some(["rank", "-rank"].map(Sort::by))),
        (column(ap, 0, by_ap), Some(["map_at_r", "-map_at_r"].map(Sort::by))),
    ];
    columns.extend(by);
    columns.push((Column::new("", 2, sign), None));
    columns
}

pub(super) fn draw_ranking(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = frame(cx, &ranked(cx), area, buf);
    let rows = thumb_rows(cx);
    let (columns, at_picture) = item_columns(cx, rows);
    let list = ListView {
        id: RANKING,
        columns,
        len: cx.model.listed_items().map_or(0, <[u32]>::len),
        selected: cx.model.listed_place(),
        focus,
        rows: if rows == 0 { (1, 0) } else { (rows, GAP) },
        least: usize::from(inner.width) * ITEM / 100,
        marked: Some(Box::new(move |at| {
            cx.model.listed_item(at).is_some_and(|item| cx.model.is_item_marked(item.item))
        })),
        empty: nothing(cx).into(),
        ..ListView::default()
    };
    let drawn = list.draw(&cx.state.ranking, cx.ui, inner, buf);
    if let Some(column) = at_picture {
        let here = cx.model.listed_place().unwrap_or(0);
        for (at, entry) in &drawn.entries {
            if let Some(item) = cx.model.listed_item(*at) {
                let place = Place { area: drawn.cell(*entry, column), image: item.item };
                picture::show(2 + at.abs_diff(here), place, cx.ui, buf);
            }
        }
    }
}

/// Draws the ranking as cards beside each other.
pub(super) fn draw_cards(cx: Cx<'_>, cards: Cards, area: Rect, buf: &mut Buffer) {
    let focus = cx.model.selection.pane == Pane::Ranking;
    let inner = frame(cx, &ranked(cx), area, buf);
    cx.ui.hit(inner, Target::List(RANKING));
    let count = cx.model.listed_items().map_or(0, <[u32]>::len);
    if count == 0 {
        let width = usize::from(inner.width.saturating_sub(2));
        buf.set_stringn(inner.x + 1, inner.y, nothing(cx), width, cx.theme.dim);
        return;
    }
    let (across, lines) = (usize::from(cards.columns), usize::from(cards.rows));
    let here = cx.model.listed_place().unwrap_or(0);
    let total = count.div_ceil(across);
    let offset = cx.state.ranking.follow(here / across, lines, total, cx.ui);
    for at in 0..cards.count() {
        let place = offset * across + at;
        let Some(item) = cx.model.listed_item(place) else {
            break;
        };
        let card = Card {
            item: item.item,
            rank: item.rank,
            beside: (signs::score(item.score), cx.theme.dim.into()),
            marked: (item.rank == cx.model.selection.item + 1).then_some(focus),
        };
        cx.ui.hit(cards.card(at), Target::Row(RANKING, place));
        card_view::draw(cx, (2 + place.abs_diff(here), &card), cards.card(at), buf);
    }
    pane::scrollbar(Scroll { offset, shown: lines, total }, focus, cx.theme, inner, buf);
}

/// The frame of the ranking: marked items and the query, its phrases coloured, and a note.
fn frame(cx: Cx<'_>, note: &str, area: Rect, buf: &mut Buffer) -> Rect {
    let focus = cx.model.selection.pane == Pane::Ranking;
    let mut title = Vec::new();
    let [_, marked] = cx.model.marked_counts();
    if marked > 0 {
        title.push(Span::raw(format!("{}  ", signs::marked(marked).trim_start())));
    }
    match cx.model.selection.query() {
        None => title.push("ranking".into()),
        Some(query) => {
            let (of, words) = ((cx.model.view.direction, query), queries::quoted(cx.model, query));
            title.extend(phrased_label(cx, of, &words, Style::default()).line(&words));
        }
    }
    pane::headed(title.into(), note, focus, cx.theme, area, buf)
}

/// The order of the list where that is not by rank, and how much of the gallery is ranked where it is not all.
fn ranked(cx: Cx<'_>) -> String {
    let phi = cx.model.phi_in_force();
    let by = phi.map_or("", |phi| cx.model.study.phis[phi].name.as_str());
    match cx.model.arrangement() {
        Arrangement::Queued => {
            let [answered, all] = cx.model.queued_here().unwrap_or_default();
            format!("{} of {} answered", grouped(answered), grouped(all))
        }
        Arrangement::ByPhi => format!("by {by}"),
        Arrangement::Missed => format!("by {by}, not in top {MISSED}"),
        Arrangement::ByRank => {
            let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
            match cx.model.ranking().map(|ranking| ranking.order.len()) {
                Some(count) if count < items => {
                    format!("{} of {} ranked", grouped(count), grouped(items))
                }
                _ => String::new(),
            }
        }
    }
}

/// The columns of items, and the place of that of pictures of so many rows. While one judges blind, text and answers
/// alone.
fn item_columns(cx: Cx<'_>, rows: u16) -> (Vec<Column<'_>>, Option<usize>) {
    let model = cx.model;
    let query = model.selection.query().unwrap_or_default();
    let blind = model.is_blind();
    let item = move |at: usize| model.listed_item(at);
    let dim = move |words: String| Span::styled(words, cx.theme.dim);
    let listed = model.selection.query().and_then(|query| model.ranks_of(model.view.truth, query));
    let listed = listed.filter(|_| !blind).map_or(0, |ranks| ranks.listed as usize);
    // The first R items, which AP@R and R-Precision look at.
    let bar = move |at: usize, _| {
        let is_within = item(at).is_some_and(|item| item.rank <= listed);
        let bar = Line::styled(if is_within { "▎" } else { " " }, cx.theme.line_map);
        Text::from(vec![bar; usize::from(rows.max(1))])
    };
    let sign = move |at: usize, _| {
        let Some(Item { item, .. }) = item(at) else {
            return Line::default();
        };
        let badge = model.badge(query, item);
        let badge = Span::styled(signs::badge(badge), cx.theme.badge(badge));
        let said = model.response(query, item).map_or(Span::raw(" "), |said| {
            Span::styled(signs::response(said), cx.theme.response(said))
        });
        Line::from(if blind { vec![Span::raw(" "), said] } else { vec![badge, said] })
    };
    let mut columns = vec![Column::new("", 1, bar)];
    if !blind {
        let items = model.study.pool_sizes()[model.view.direction.flipped()];
        let rank = move |at: usize, _| dim(item(at).map_or(String::new(), |of| grouped(of.rank)));
        let score =
            move |at: usize, _| dim(item(at).map_or(String::new(), |of| signs::score(of.score)));
        columns.push(Column::new("#", text::width(&grouped(items)).min(6), rank).right());
        columns.push(Column::new("score", 7, score).right().keep(2));
    }
    if let Some(phi) = model.phi_in_force().filter(|_| !blind) {
        let sign = match model.arrangement() {
            Arrangement::ByRank | Arrangement::Queued => "",
            Arrangement::ByPhi | Arrangement::Missed => "▾",
        };
        let title = text::fit(&model.study.phis[phi].name, PHI) + sign;
        let shown = move |at: usize| item(at).map(|item| model.phi_shown(phi, item.item));
        let number = move |at: usize, _| dim(shown(at).unwrap_or_default().0);
        // Full where phi is the greatest of the query.
        let bar = move |at: usize, room: usize| {
            let share = shown(at).unwrap_or_default().1;
            let bar =
                if room == 1 { signs::upright(share).to_string() } else { signs::bar(share, room) };
            Span::styled(bar, cx.theme.line_map)
        };
        columns.push(Column::new(title, PHI + 1, number).right());
        columns.push(Column::new("", 4, bar).short("", 1).keep(3));
    }
    columns.push(Column::new("", 2, sign));
    let at_picture = (rows > 0).then_some(columns.len());
    if rows > 0 {
        let width = card_view::columns(rows).min(cx.areas().ranking.width / 3);
        columns.push(Column::new("", width.into(), |_, _| ""));
    }
    columns.push(Column::rest("", move |at, room| words(cx, item(at), room, rows)));
    if !blind {
        columns.extend(truths(cx, query));
    }
    (columns, at_picture)
}

/// What each ground truth says of items, as it was loaded.
fn truths(cx: Cx<'_>, query: usize) -> Vec<Column<'_>> {
    let (model, study, view) = (cx.model, &*cx.model.study, cx.model.view);
    let marks = Mark::all(study, view.direction, view.truth).into_iter();
    let columns = marks.map(|mark| {
        let ([name, letters], [wide, narrow]) = (mark.headings.clone(), mark.widths);
        let cell = move |at: usize, _| {
            let Some(Item { item, .. }) = model.listed_item(at) else {
                return Span::default();
            };
            let (words, standing) = mark.of(study, view.direction, (query, item));
            let loaded = study.badge(None, view.direction, query.into(), item.into());
            let style = match standing {
                Standing::Positive => cx.theme.badge(loaded),
                Standing::NotRelevant => cx.theme.badge(Badge::NotRelevant),
                _ => cx.theme.dim.into(),
            };
            Span::styled(words, style)
        };
        Column::new(name, wide, cell).right().short(letters, narrow).keep(4)
    });
    columns.collect()
}

/// An item in words, calmer where it is no positive: one line, and beside a picture the captions written for it.
fn words(cx: Cx<'_>, item: Option<Item>, room: usize, rows: u16) -> Text<'static> {
    let Some(Item { item, .. }) = item else {
        return Text::default();
    };
    let query = cx.model.selection.query().unwrap_or_default();
    let is_plain = cx.model.badge(query, item).is_positive() || cx.model.is_blind();
    let look = if is_plain { Style::default() } else { cx.theme.dim.into() };
    let side = cx.model.view.direction.flipped();
    let label = cx.model.label(side, item, room);
    let first = phrased_label(cx, (side, item), &label, look);
    if rows == 0 {
        return Line::from(first.line(&label)).into();
    }
    let lines = first.lines(&text::wrap(&label, room)).into_iter();
    let mut lines: Vec<Line<'_>> = lines.map(Line::from).collect();
    for caption in cx.model.captions_of(item).into_iter().skip(1) {
        lines.extend(caption_lines(cx, caption as usize, room, cx.theme.dim.into()));
    }
    Text::from(pane::fitting(lines, rows.into()))
}

fn nothing(cx: Cx<'_>) -> &'static str {
    queries::unranked(cx, cx.model.view.model, cx.model.listed_items().is_some())
}

/// Narrower lists have no pictures.
pub(super) const WITH_PICTURES: u16 = 44;
/// Free rows between two pictures.
const GAP: u16 = 1;

/// Rows of the pictures in the ranking; 0 where there are none.
pub(super) fn thumb_rows(cx: Cx<'_>) -> u16 {
    let list = cx.areas().ranking;
    let room = list.height.saturating_sub(3);
    // Half-blocks have few pixels, and need more cells: how many items a list has at least, how many
    // rows a picture, and from how many rows on a list has pictures.
    let is_text = cx.ui.picture_way().is_some_and(Way::is_text);
    let (items, least, low) = if is_text { (4, 4, 14) } else { (5, 3, 8) };
    let ranks_pictures = cx.ui.ranks_pictures(cx.model.view.direction);
    if !ranks_pictures || room < low || list.width < WITH_PICTURES {
        return 0;
    }
    ((room + GAP) / items).saturating_sub(GAP).clamp(least, 8)
}
