//! The queries, and the ranking of the selected one as a list or as cards.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::{Cx, RANKING};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::truth::standing::{Badge, Standing};
use crate::tui::model::items::Top;
use crate::tui::model::query_list::{Item, Pane};
use crate::tui::model::ranking::{Arrangement, MISSED};
use crate::tui::model::sort::Sort;
use crate::tui::model::view::Numbers;
use crate::tui::pictures::{Place, Way};
use crate::tui::screens::card_view::{self, Card, Cards};
use crate::tui::screens::queries::{self, Ordered, image_label, phrased, phrased_label};
use crate::tui::signs::{self, Mark};
use crate::tui::widgets::hits::Target;
use crate::tui::widgets::list::{Column, ListView};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{picture, text};

/// Of a hundred columns, so many are for the text of a query and of an item.
const QUERY: usize = 58;
const ITEM: usize = 56;
/// Columns of AP@R in percent with two decimals, and with one.
const AP: [usize; 2] = [6, 5];
/// Columns of a score, and of phi.
const SCORE: usize = 7;
const PHI: usize = 5;

pub(super) fn draw_queries(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let inner = queries::frame(cx, queries::order(cx, true), area, buf);
    queries::list(cx, columns(cx), (QUERY, &cx.state.queries), inner, buf);
}

/// The orders between which a click on the title of each column changes.
pub(super) fn orders(cx: Cx<'_>) -> Vec<Option<[Sort; 2]>> {
    columns(cx).into_iter().map(|(_, orders)| orders).collect()
}

/// The numbers of queries and their signs; none while one judges blind. What they are sorted by stays.
fn columns<'a>(cx: Cx<'a>) -> Vec<Ordered<'a>> {
    let (model, sort) = (cx.model, &cx.model.selection.sort);
    if model.is_blind() {
        return Vec::new();
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
    let (by_rank, by_ap) = (sort.is_by_rank(), sort.is_by_ap());
    let column = |column: Column<'a>, keep: u8, is_sorted: bool| {
        let column = column.right().sortable();
        if is_sorted { column } else { column.keep(keep) }
    };
    let name = |name, is_sorted| queries::heading(cx, name, is_sorted);
    let rank = Column::new(name("rank", by_rank), widest, rank);
    let ap = Column::new(name("AP@R", by_ap), AP[0], ap).short(name("AP@R", by_ap), AP[1]);
    let by = queries::sorted(cx).filter(|_| !by_rank && !by_ap);
    // One number stays in any case.
    let is_kept = by_rank || !by_ap && by.is_none();
    let mut columns = vec![
        (column(rank, 1, is_kept), Some([Sort::Earliest, Sort::Latest])),
        (column(ap, 0, by_ap), Some([Sort::Worst, Sort::Best])),
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
    let picture = thumb_columns(cx);
    let columns = item_columns(cx, rows, picture);
    let at_picture = columns.iter().position(|(is_picture, _)| *is_picture);
    let list = ListView {
        id: RANKING,
        columns: columns.into_iter().map(|(_, column)| column).collect(),
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
    if let Some(column) = at_picture.filter(|_| picture > 0) {
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
    let note = Some(ranked(cx)).filter(|words| !words.is_empty());
    let inner = frame(cx, &note.unwrap_or_else(|| "contact sheet".into()), area, buf);
    cx.ui.hit(inner, Target::List(RANKING));
    let count = cx.model.listed_items().map_or(0, <[u32]>::len);
    if count == 0 {
        let words = text::fit(nothing(cx), usize::from(inner.width).saturating_sub(2));
        buf.set_string(inner.x + 1, inner.y, words, cx.theme.dim);
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
    let before = match signs::marked(cx.model.marked_counts()[1]).trim_start() {
        "" => String::new(),
        words => format!("{words}  "),
    };
    let whole = format!("{before}{}", title(cx));
    let pieces = |title: &str, look: Style| {
        let plain = |words: &str| Span::styled(words.to_owned(), look);
        let both = cx.model.selection.query().zip(title.strip_prefix(&*before));
        let Some((query, label)) = both else {
            return vec![plain(title)];
        };
        let of = (cx.model.view.direction, query);
        let phrased = phrased_label(cx, of, label, look).line(label);
        std::iter::once(plain(&before)).chain(phrased).collect()
    };
    pane::titled((&whole, pieces), note, focus, cx.theme, area, buf)
}

/// The query in words.
pub(super) fn title(cx: Cx<'_>) -> String {
    let Some(query) = cx.model.selection.query() else {
        return "ranking".into();
    };
    match cx.model.view.direction {
        Direction::T2i => format!("“{}”", cx.model.study.gallery.caption(query)),
        Direction::I2t => image_label(cx.model, query),
    }
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

/// The columns of items, each with whether it is that of pictures. While one judges blind, text and answers alone.
fn item_columns<'a>(cx: Cx<'a>, rows: u16, picture: u16) -> Vec<(bool, Column<'a>)> {
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
    let mut columns = vec![(false, Column::new("", 1, bar))];
    if !blind {
        let items = model.study.pool_sizes()[model.view.direction.flipped()];
        let rank = move |at: usize, _| dim(item(at).map_or(String::new(), |of| grouped(of.rank)));
        let score =
            move |at: usize, _| dim(item(at).map_or(String::new(), |of| signs::score(of.score)));
        let widest = text::width(&grouped(items)).min(RANK);
        columns.push((false, Column::new("#", widest, rank).right()));
        columns.push((false, Column::new("score", SCORE, score).right().keep(2)));
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
        columns.push((false, Column::new(title, PHI + 1, number).right()));
        columns.push((false, Column::new("", 4, bar).short("", 1).keep(3)));
    }
    columns.push((false, Column::new("", 2, sign)));
    if picture > 0 {
        columns.push((true, Column::new("", picture.into(), |_, _| "")));
    }
    columns.push((false, Column::rest("", move |at, room| words(cx, item(at), room, rows))));
    if !blind {
        columns.extend(truths(cx, query).into_iter().map(|column| (false, column)));
    }
    columns
}

/// Digits of a rank at the most.
const RANK: usize = 6;

/// What each ground truth says of items, as it was loaded; of several that have no room the one looked at stays.
fn truths<'a>(cx: Cx<'a>, query: usize) -> Vec<Column<'a>> {
    let (model, study, view) = (cx.model, &*cx.model.study, cx.model.view);
    let marks = Mark::all(study, view.direction, view.truth).into_iter();
    let columns = marks.map(|mark| {
        let ([name, letters], [wide, narrow]) = (mark.headings.clone(), mark.widths);
        let is_looked_at = std::ptr::eq(mark.truth, model.truth());
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
        let keep = if is_looked_at { 5 } else { 4 };
        let column = Column::new(name, wide, cell).right().short(letters, narrow);
        column.keep(keep)
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
    let mut lines = first.lines(&text::wrap(&label, room));
    for caption in cx.model.captions_of(item).into_iter().skip(1) {
        let other = phrased(cx, (Some(caption as usize), ""), cx.theme.dim.into());
        let wrapped = text::wrap(&cx.model.study.gallery.caption(caption as usize), room);
        lines.extend(other.lines(&wrapped));
    }
    let lines = lines.into_iter().map(Line::from).collect();
    Text::from(pane::fitting(lines, rows.into()))
}

/// Why there are no items.
fn nothing(cx: Cx<'_>) -> &'static str {
    match (&cx.model.numbers[cx.model.view.model], cx.model.selection.query()) {
        _ if cx.model.listed_items().is_some() => "this model ranks nothing for this query",
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ if cx.model.files.is_overwritten() => "not ranked: a file was written over",
        _ => "ranking …",
    }
}

/// Narrower lists have no pictures.
pub(super) const WITH_PICTURES: u16 = 44;
/// Rows of a picture at most, and free rows between two.
const HIGHEST: u16 = 8;
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
    ((room + GAP) / items).saturating_sub(GAP).clamp(least, HIGHEST)
}

/// Columns of the pictures in the ranking.
fn thumb_columns(cx: Cx<'_>) -> u16 {
    card_view::columns(thumb_rows(cx)).min(cx.areas().ranking.width / 3)
}
