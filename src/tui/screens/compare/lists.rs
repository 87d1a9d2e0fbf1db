//! The queries, and the ranking of each model as a list or as cards.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Areas, Cx, RANKINGS};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::filter::value_of_model;
use crate::truth::standing::Badge;
use crate::tui::action::Action;
use crate::tui::screens::card_view::{self, Card, Cards};
use crate::tui::screens::queries::{self, Ordered, phrased_label};
use crate::tui::signs;
use crate::tui::state::compare::Moved;
use crate::tui::state::sort::{Sort, reversed};
use crate::tui::ui::hits::Target;
use crate::tui::ui::list::{Column, ListView, in_sight};
use crate::tui::ui::{pane, text, trend};

/// Of a hundred columns of the list of queries, so many are for their texts.
const QUERY: usize = 53;
/// Columns of a caption in a ranking at the least.
const CAPTION: usize = 24;
/// Columns of a change of rank.
pub(super) const CHANGE: usize = 7;
/// Digits of phi, before a bar of one column.
const PHI: usize = 5;

/// Draws the list of queries and the rankings in sight.
pub(super) fn draw(cx: Cx<'_>, areas: &Areas, buf: &mut Buffer) {
    let scrolled = (QUERY, &cx.state.queries);
    queries::draw(cx, query_columns(cx), scrolled, "AP@R", areas.queries, buf);
    let as_cards = cx.state.shows_cards(cx.model);
    if let Some(&(_, area)) = areas.rankings.first() {
        // Without the frame and the titles.
        let page =
            if as_cards { cx.cards(area).count() } else { area.height.saturating_sub(3).into() };
        let ranked = areas.rankings.iter().filter_map(|(column, _)| cx.ranked(*column));
        let longest = ranked.map(|ranked| ranked.ranking.order.len()).max().unwrap_or(0);
        // Rankings that are not there yet are gone back to where they were.
        if let Some(place) = cx.followed(areas) {
            cx.state.rankings.follow(place, page, longest, cx.ui);
        }
    }
    for &(column, area) in &areas.rankings {
        if as_cards {
            draw_cards(cx, column, areas, area, buf);
        } else {
            draw_ranking(cx, column, areas, area, buf);
        }
    }
}

/// AP@R by the first two models, A and B, and A - B, as paired tests subtract.
pub(super) fn query_columns(cx: Cx<'_>) -> Vec<Ordered<'_>> {
    let (model, sort) = (cx.model, &cx.model.selection.sort);
    let Some(two) = model.two() else {
        return Vec::new();
    };
    let query = move |at: usize| model.selection.queries[at] as usize;
    let [of_a, of_b] = two.map(|of| value_of_model(&model.study, of, "map_at_r"));
    let is_by_a = sort.is_by(&of_a) || sort.is_by("map_at_r");
    let is_by_b = sort.is_by(&of_b);
    let sorted = queries::sorted(cx).filter(|_| !is_by_a && !is_by_b);
    let ap = |name, of: ModelIx, number: String, is_sorted: bool, keep: u8| {
        let cell = move |at: usize, _| signs::share(model.ap_by(of, query(at)), 1);
        let title = queries::heading(cx, name, is_sorted);
        let column = Column::new(title, 5, cell).right().sortable();
        let orders = [number.clone(), reversed(&number)].map(|number| Sort::By(number.into()));
        (if is_sorted { column } else { column.keep(keep) }, Some(orders))
    };
    let difference = move |at: usize, _| {
        let [a, b] = two.map(|of| model.ap_by(of, query(at)));
        let (words, style) = trend::delta(a.zip(b).map(|(a, b)| a - b), 1, cx.theme);
        Span::styled(words, style)
    };
    // No sign of the order: it is by how far both are apart, whichever is better.
    let look = if *sort == Sort::Difference { cx.theme.title } else { cx.theme.dim };
    let difference = Column::new(Span::styled("A - B", look), 6, difference).right().sortable();
    // One number stays in any case.
    let difference = if sorted.is_some() { difference.keep(2) } else { difference };
    let mut columns = vec![
        ap("A", two[0], of_a, is_by_a, 1),
        ap("B", two[1], of_b, is_by_b, 0),
        (difference, Some([Sort::Difference, Sort::Gallery])),
    ];
    columns.extend(sorted);
    columns.push((Column::new("", 1, move |at, _| queries::picked(cx, query(at))), None));
    columns
}

/// A model with its letter in so many columns.
pub(super) fn named(cx: Cx<'_>, column: usize, room: usize) -> String {
    let model = cx.model.compared()[column];
    let name = signs::model(&cx.model.study, model, room.saturating_sub(2));
    format!("{} {name}", letter(column))
}

fn letter(column: usize) -> char {
    char::from(b'A' + column as u8)
}

/// The models that are out of sight with the key that goes to them, and that there are more than can be compared; in
/// the last ranking in sight.
fn out_of_sight(cx: Cx<'_>, column: usize, areas: &Areas) -> String {
    let sighted: Vec<usize> = areas.rankings.iter().map(|(column, _)| *column).collect();
    if sighted.last() != Some(&column) {
        return String::new();
    }
    let [compared, all] = [cx.model.compared().len(), cx.model.comparable().count()];
    let hidden = (0..compared).filter(|column| !sighted.contains(column));
    let hidden: Vec<String> = hidden.map(|column| named(cx, column, usize::MAX)).collect();
    let [pane, model] = [Action::NextPane, Action::NextModel].map(|of| cx.ui.keymap.hint(of));
    let mut words = Vec::new();
    if !hidden.is_empty() {
        words.push(format!("{pane}: {}", hidden.join(", ")));
    }
    if compared < all {
        words.push(format!("{compared} of {all} models: {model}"));
    }
    words.join(", ")
}

fn draw_ranking(cx: Cx<'_>, column: usize, areas: &Areas, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width).saturating_sub(4);
    let title = named(cx, column, room);
    // Two blanks around the note.
    let room = room.saturating_sub(text::width(&title) + 2);
    let note = text::fit(&out_of_sight(cx, column, areas), room);
    let focus = cx.has_keys(column);
    let inner = pane::frame(&title, &note, focus, cx.theme, area, buf);
    let ranked = cx.ranked(column);
    let order = ranked.map_or(&[][..], |ranked| &ranked.ranking.order);
    let list = ListView {
        id: RANKINGS[column],
        columns: item_columns(cx, column, order, areas.rankings.len() == 1),
        len: order.len(),
        selected: cx.place(column),
        focus,
        least: CAPTION,
        marked: Some(Box::new(move |at| cx.model.is_item_marked(order[at] as usize))),
        is_still: true,
        empty: queries::unranked(cx, cx.model.compared()[column], ranked.is_some()).into(),
        ..ListView::default()
    };
    list.draw(&cx.state.rankings, cx.ui, inner, buf);
}

/// The columns of a ranking: of one that is alone in sight the ranks by the others, else how ranks changed
/// against the first one.
fn item_columns<'a>(
    cx: Cx<'a>,
    column: usize,
    order: &'a [u32],
    is_alone: bool,
) -> Vec<Column<'a>> {
    let (model, theme) = (cx.model, cx.theme);
    let compared = model.compared();
    let of = compared[column];
    let query = model.selection.query().unwrap_or_default();
    let item = move |at: usize| order[at] as usize;
    // The bar marks the first R items, as in Browse.
    let listed = model.ranks_by(of, query).map_or(0, |ranks| ranks.listed as usize);
    let rank = move |at: usize, room: usize| {
        let bar = if at < listed { "▎" } else { " " };
        let rank = text::pad_left(&grouped(at + 1), room.saturating_sub(1));
        Line::from(vec![Span::styled(bar, theme.line_map), Span::styled(rank, theme.dim)])
    };
    let items = model.study.pool_sizes()[model.view.direction.flipped()];
    let width = text::width(&grouped(items));
    let mut columns = vec![Column::new("#", 1 + width, rank).right()];
    if is_alone {
        for at in (0..compared.len()).filter(|at| *at != column) {
            let other = compared[at];
            let rank = move |at: usize, _| {
                let ranked = model.ranked_by(other);
                let rank = ranked.map(|ranked| ranked.rank(item(at)).map_or("-".into(), grouped));
                Span::styled(rank.unwrap_or_else(|| signs::UNKNOWN.into()), theme.dim)
            };
            columns.push(Column::new(letter(at).to_string(), width, rank).right());
        }
    } else if column > 0 {
        let change = move |at: usize, _| {
            let (words, style) = change_of(cx, item(at), at + 1);
            Span::styled(words, style)
        };
        columns.push(Column::new("vs A", CHANGE, change).right());
    }
    let sign = move |at: usize, _| {
        let (badge, verdict) = (model.badge(query, item(at)), model.verdict(query, item(at)));
        let only = if model.is_only(of, item(at)) { signs::ONLY } else { " " };
        let verdict = verdict.map_or(Span::raw(" "), |verdict| {
            Span::styled(signs::verdict(verdict), theme.verdict(verdict))
        });
        Line::from(vec![
            Span::styled(only, theme.key),
            Span::styled(signs::badge(badge), theme.badge(badge)),
            verdict,
        ])
    };
    columns.push(Column::new("", 3, sign));
    if let Some(phi) = model.phi_in_force() {
        let shown = move |at: usize, _| {
            let (number, share) = model.phi_shown(phi, item(at));
            let bar = signs::upright(share).to_string();
            Line::from(vec![
                Span::styled(text::pad_left(&number, PHI), theme.dim),
                Span::styled(bar, theme.line_map),
            ])
        };
        columns.push(Column::new("", PHI + 1, shown).keep(0));
    }
    let side = model.view.direction.flipped();
    let words = move |at: usize, room: usize| {
        let look = if model.badge(query, item(at)).is_positive() {
            Style::default()
        } else {
            theme.dim.into()
        };
        let label = text::fit(&model.label_by(of, side, item(at), room), room);
        if model.study.text_set_of(of) > 0 {
            // Phrases are known of the original texts.
            return Line::styled(label, look);
        }
        Line::from(phrased_label(cx, (side, item(at)), &label, look).line(&label))
    };
    columns.push(Column::rest("", words));
    columns
}

/// How an item at a rank stands against the first ranking, and its look: what is good for the model is as a
/// number that rose, so of a positive that it rose, of an item judged not relevant that it fell. Of any other
/// nobody knows.
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

/// A change of rank in at most [`CHANGE`] columns.
pub(super) fn moved_words(change: Moved) -> String {
    match change {
        Moved::Up(by) => format!("▲{}", grouped(by)),
        Moved::Down(by) => format!("▼{}", grouped(by)),
        Moved::Same => "=".into(),
        Moved::New => "new".into(),
    }
}

impl Cx<'_> {
    /// The cards below a model's name.
    fn cards(self, area: Rect) -> Cards {
        let [_, below] =
            area.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
        Cards::of(below, self.ui, self.model.view.direction)
    }

    /// The places of so many cards of a ranking that are in sight.
    pub(super) fn places(self, column: usize, count: usize) -> Vec<usize> {
        in_sight(self.state.rankings.offset(), count, self.place(column))
    }
}

/// Draws a model's name and its first items as cards.
fn draw_cards(cx: Cx<'_>, column: usize, areas: &Areas, area: Rect, buf: &mut Buffer) {
    cx.ui.hit(area, Target::List(RANKINGS[column]));
    let (model, focus) = (cx.model.compared()[column], cx.has_keys(column));
    let query = cx.model.selection.query();
    let look = if focus { cx.theme.focus } else { cx.theme.title };
    let name = named(cx, column, usize::from(area.width).saturating_sub(6));
    let first = query.and_then(|query| cx.model.ranks_by(model, query)).map(signs::first_rank);
    let first = first.map_or(String::new(), |first| format!(" first positive {first}  "));
    // Cards have no frame that tells it, and the list of queries is cut or out of sight.
    let is_first = areas.rankings.first().is_some_and(|(first, _)| *first == column);
    let words = query.filter(|_| is_first).map(|query| queries::quoted(cx.model, query) + "  ");
    let told = first + &words.unwrap_or_default() + &out_of_sight(cx, column, areas);
    let line = [Span::styled(format!(" {name} "), look), Span::styled(told, cx.theme.dim)];
    pane::put(&Line::from_iter(line), false, Rect { height: 1, ..area }, buf);
    let Some(ranked) = cx.ranked(column) else {
        return;
    };
    let cards = cx.cards(area);
    for (at, place) in cx.places(column, cards.count()).into_iter().enumerate() {
        let Some(&item) = ranked.ranking.order.get(place) else {
            continue;
        };
        let item = item as usize;
        let (change, look) = change_of(cx, item, place + 1);
        let change = if column == 0 { "" } else { &change };
        let only = if cx.model.is_only(model, item) { signs::ONLY } else { "" };
        let is_linked = cx.model.linked() == Some(item);
        let card = Card {
            item,
            rank: place + 1,
            beside: (format!("{change}{only}"), look),
            marked: is_linked.then_some(focus),
        };
        cx.ui.hit(cards.card(at), Target::Row(RANKINGS[column], place));
        // Pictures of the linked item are made first.
        let order = if is_linked { 1 } else { 2 + place };
        card_view::draw(cx, (order, &card), cards.card(at), buf);
    }
}
