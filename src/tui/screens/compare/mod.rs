//! The compare screen: the same query under two to four models side by side, equal items linked.

mod detail;
mod lists;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use serde_json::{Map, Value};

use super::queries;
use crate::data::Direction;
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::popup::Popup;
use crate::tui::popups::detail as pair;
use crate::tui::screen::{Hint, Reply, Screen, hints_now, list_hints};
use crate::tui::state::Model;
use crate::tui::state::items::NO_FURTHER;
use crate::tui::state::picks::Sighted;
use crate::tui::state::query_list::Pane;
use crate::tui::state::ranking::Ranked;
use crate::tui::state::results::{Demand, RankingsOf};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::Scrolled;
use crate::tui::ui::pane;

/// Whether the rankings are contact sheets, as a session has it.
const CARDS: &str = "compared_contact_sheets";
/// The rankings of the models compared.
const RANKINGS: [ListId; 4] = ["ranking A", "ranking B", "ranking C", "ranking D"];

/// State of the screen; the query, the item and the pane that keys go to are selected in the model.
#[derive(Debug, Default)]
pub struct Compare {
    /// How far the queries are scrolled.
    pub queries: Scrolled,
    /// How far all rankings are scrolled.
    pub rankings: Scrolled,
    /// Which of the rankings keys go to, while they go to rankings.
    pub column: usize,
    /// Whether the rankings are shown as cards.
    pub as_cards: bool,
    /// The item that was linked here last, and the column of the ranking that it was chosen in.
    chosen: Option<(u32, usize)>,
    /// The query whose first item was linked.
    begun: Option<(Direction, usize)>,
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Compare>;

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Default)]
struct Areas {
    queries: Rect,
    /// The columns of the rankings in sight, and where each is.
    rankings: Vec<(usize, Rect)>,
    table: Rect,
}

/// Narrower screens show the list or the rankings.
const TWO_LISTS: u16 = 72;
/// The list of queries is not made narrower than this for the sake of rankings.
const LEAST_QUERIES: u16 = 30;
/// Columns that each of several rankings needs.
const LEAST_RANKING: u16 = 43;
/// Rows that the cards of a model need.
const LEAST_CARDS: u16 = 8;

/// The parts of a body for so many models, and for the pane and the column that keys go to. Lists stand side by side,
/// rows of cards one above the other.
fn areas(
    body: Rect,
    (pane, column): (Pane, usize),
    models: usize,
    as_cards: bool,
    zoom: bool,
) -> Areas {
    use Constraint::{Fill, Length};
    let is_single = zoom || body.width < TWO_LISTS;
    let below = match body.height {
        _ if zoom || as_cards => 0,
        30.. => 9,
        15.. => 7,
        _ => 0,
    };
    let [lists, table] = body.layout(&Layout::vertical([Fill(1), Length(below)]));
    let widest = (body.width * 34 / 100).max(LEAST_QUERIES);
    let beside = body.width.saturating_sub(LEAST_QUERIES) / LEAST_RANKING;
    let beside = beside.clamp(1, (models as u16).max(1)) * LEAST_RANKING;
    let left = body.width.saturating_sub(beside).clamp(LEAST_QUERIES, widest);
    let [queries, rankings] = lists.layout(&Layout::horizontal(match pane {
        _ if !is_single => [Length(if as_cards { widest } else { left }), Fill(1)],
        Pane::Queries => [Fill(1), Length(0)],
        Pane::Ranking => [Length(0), Fill(1)],
    }));
    let mut areas = Areas { queries, table, ..Areas::default() };
    if rankings.area() == 0 {
        return areas;
    }
    let count = match as_cards {
        true => rankings.height / LEAST_CARDS,
        false if zoom => 1,
        false => rankings.width / LEAST_RANKING,
    };
    let count = usize::from(count).clamp(1, models.max(1));
    // Changes are against the first model, which stays beside any other.
    let others = (column + 2).saturating_sub(count).max(1);
    let sighted = match count {
        1 => vec![column],
        _ => [0].into_iter().chain(others..others + count - 1).collect(),
    };
    let parts = vec![Fill(1); count];
    let parts = if as_cards { Layout::vertical(parts) } else { Layout::horizontal(parts) };
    areas.rankings = sighted.into_iter().zip(parts.split(rankings).iter().copied()).collect();
    areas
}

impl<'a> Cx<'a> {
    fn areas(self) -> Areas {
        let keys = (self.model.selection.pane, self.column());
        let models = self.model.compared().len();
        let as_cards = self.state.shows_cards(self.model);
        areas(self.ui.frame().body, keys, models, as_cards, self.ui.is_zoomed)
    }

    /// Which of the rankings keys go to.
    fn column(self) -> usize {
        self.state.column.min(self.model.compared().len().saturating_sub(1))
    }

    fn has_keys(self, column: usize) -> bool {
        self.model.selection.pane == Pane::Ranking && self.column() == column
    }

    fn ranked(self, column: usize) -> Option<&'a Ranked> {
        self.model.ranked_by(*self.model.compared().get(column)?)
    }

    /// The place of the linked item in a ranking.
    fn place(self, column: usize) -> Option<usize> {
        let rank = self.ranked(column)?.rank(self.model.linked()?)?;
        Some(rank - 1)
    }

    /// The ranking that keys go to, and the place of the linked item in it.
    fn cursor(self) -> Option<(&'a [u32], usize)> {
        let ranked = self.ranked(self.column())?;
        Some((&ranked.ranking.order, self.place(self.column()).unwrap_or(0)))
    }

    /// The place that all rankings are scrolled to, so that their tops are in sight wherever a model ranks the
    /// linked item high: its place in the ranking that it was chosen in, or the best one in sight.
    fn followed(self, areas: &Areas) -> Option<usize> {
        let linked = self.model.linked()?;
        let sighted = areas.rankings.iter().map(|(column, _)| *column);
        let is_chosen = |&(item, column): &(u32, usize)| {
            item as usize == linked && sighted.clone().any(|of| of == column)
        };
        let is_first = self.model.selection.item == 0 && self.model.item_apart().is_none();
        match self.state.chosen.filter(is_chosen) {
            Some((_, column)) => self.place(column),
            None if is_first => Some(0),
            None => sighted.filter_map(|column| self.place(column)).min(),
        }
    }
}

impl Screen for Compare {
    fn shown_by(&self) -> Action {
        Action::Compare
    }

    fn title(&self) -> &'static str {
        "Compare"
    }

    fn demand(&self) -> Demand {
        Demand {
            rankings: RankingsOf::Compared,
            // Verdicts change the numbers of each model compared.
            all_views: true,
            ..Demand::default()
        }
    }

    /// At another query the first item of the ranking that keys go to is linked, once it is there, unless
    /// another one was chosen. While one judges, the next item is that of the model looked at.
    fn settle(&mut self, model: &mut Model, ui: &Ui) {
        let query = model.selection.query().map(|query| (model.view.direction, query));
        if self.begun == query {
            return;
        }
        let column = self.cx(model, ui).column();
        let is_other = model.selection.pane == Pane::Ranking && column > 0;
        let is_chosen = model.selection.item > 0 || model.seeks() || model.item_apart().is_some();
        if is_other && !is_chosen && !model.judging.is_on {
            let ranked = self.cx(model, ui).ranked(column);
            let (Some(ranked), Some(_)) = (ranked, model.ranking()) else {
                return;
            };
            if let Some(&first) = ranked.ranking.order.first() {
                self.link(model, first);
            }
        }
        self.begun = query;
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let page = match model.selection.pane {
            Pane::Queries => self.queries.page(),
            Pane::Ranking => self.rankings.page(),
        };
        let has_cards = self.has_cards(model);
        match action {
            Action::Copy => {
                let line = self.cx(model, ui).copied();
                return Reply::copy(model, line);
            }
            Action::Plot => {
                self.as_cards = !self.as_cards;
                model.selection.pane = Pane::Ranking;
            }
            Action::Close => self.as_cards = false,
            Action::Left if has_cards => self.step(model, ui, -1),
            Action::Right if has_cards => self.step(model, ui, 1),
            Action::Up if has_cards => self.go_to_row(model, ui, -1),
            Action::Down if has_cards => self.go_to_row(model, ui, 1),
            Action::NextPane | Action::Right => self.turn(model, ui, 1),
            Action::PreviousPane | Action::Left => self.turn(model, ui, -1),
            Action::NextPositive => self.positive(model, ui, true),
            Action::PreviousPositive => self.positive(model, ui, false),
            Action::Sort => model.sort_by(model.selection.sort.next_disagreement()),
            movement => {
                if let Some(by) = movement.lines(page) {
                    self.step(model, ui, by);
                }
            }
        }
        Reply::Done
    }

    /// The contact sheets close.
    fn takes(&self, model: &Model, _ui: &Ui, action: Action) -> bool {
        action == Action::Close && self.has_cards(model)
    }

    fn hints(&self, model: &Model, _ui: &Ui) -> Vec<Hint> {
        if model.two().is_none() {
            return hints_now([(true, Action::Browse, "queries")]);
        }
        let mut hints = list_hints(model);
        hints.extend([
            (Action::Sort, "sort by disagreement"),
            (Action::NextModel, "model"),
            (Action::Direction, "direction"),
            (Action::NextTruth, "truth"),
            (Action::Filter, "filter"),
            (Action::Tests, "paired tests"),
            (Action::Plot, if self.as_cards { "lists" } else { "contact sheets" }),
            (Action::NextPositive, "next positive"),
            (Action::Mix, "mix"),
            (Action::Search, "search"),
            (Action::Detail, "detail"),
            (Action::Palette, "actions"),
        ]);
        hints
    }

    fn point(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        let (list, place) = match target {
            Target::Row(list, place) => (list, Some(place)),
            Target::List(list) => (list, None),
            _ => ("", None),
        };
        let Some(column) = RANKINGS.iter().position(|of| *of == list) else {
            let orders = |model: &Model| {
                lists::query_columns(self.cx(model, ui)).into_iter().map(|(_, of)| of).collect()
            };
            return queries::point(model, orders, target);
        };
        model.selection.pane = Pane::Ranking;
        self.column = column;
        let ranked = self.cx(model, ui).ranked(column);
        let item = ranked.zip(place).and_then(|(of, place)| of.ranking.order.get(place));
        if let Some(&item) = item {
            self.link(model, item);
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.point(model, ui, Target::List(list));
        self.step(model, ui, by);
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        if model.two().is_none() {
            let inner = pane::frame("compare", "", false, cx.theme, body, buf);
            let words = "  One model alone: name two to four score files to see them side by side.";
            return pane::lines(&[Line::styled(words, cx.theme.dim)], 0, inner, buf);
        }
        let areas = cx.areas();
        lists::draw(cx, &areas, buf);
        detail::draw_table(cx, areas.table, buf);
    }

    fn open(&self, model: &Model, _ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        pair::opened(model, action)
    }

    fn sighted(&self, model: &Model, _ui: &Ui) -> Option<Sighted> {
        model.sighted()
    }

    fn words(&self) -> Map<String, Value> {
        Map::from_iter([(CARDS.to_owned(), self.as_cards.into())])
    }

    fn restore(&mut self, view: &Map<String, Value>) {
        self.as_cards = view.get(CARDS).and_then(Value::as_bool).unwrap_or(self.as_cards);
    }
}

impl Compare {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }

    fn shows_cards(&self, model: &Model) -> bool {
        self.as_cards && model.two().is_some()
    }

    /// Whether keys go to cards.
    fn has_cards(&self, model: &Model) -> bool {
        self.shows_cards(model) && model.selection.pane == Pane::Ranking
    }

    /// Links an item of the ranking that keys go to. Where it is linked already nothing scrolls.
    fn link(&mut self, model: &mut Model, item: u32) {
        if model.linked() != Some(item as usize) {
            self.chosen = Some((item, self.column));
            model.link(item);
        }
    }

    /// Goes to the list or ranking beside this one, counted round.
    fn turn(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let here = match model.selection.pane {
            Pane::Queries => 0,
            Pane::Ranking => self.cx(model, ui).column() + 1,
        };
        let panes = model.compared().len() + 1;
        let there = (here as isize + by).rem_euclid(panes as isize) as usize;
        model.selection.pane = if there == 0 { Pane::Queries } else { Pane::Ranking };
        if there > 0 {
            self.column = there - 1;
        }
    }

    /// Goes to the card at the same place in the row above or below, which is another model's.
    fn go_to_row(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let here = cx.column();
        let there = here.saturating_add_signed(by).min(model.compared().len() - 1);
        let count = self.rankings.page().unsigned_abs();
        let mut cards = cx.places(here, count).into_iter();
        let at = cards.position(|place| Some(place) == cx.place(here)).unwrap_or(0);
        let place = cx.places(there, count)[at];
        let item = cx.ranked(there).and_then(|ranked| ranked.ranking.order.get(place).copied());
        self.column = there;
        if let Some(item) = item {
            self.link(model, item);
        }
    }

    /// Moves the selection of the list or ranking that keys go to.
    fn step(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        if model.selection.pane == Pane::Queries {
            return model.move_query(by);
        }
        let Some((order, place)) = self.cx(model, ui).cursor() else {
            return;
        };
        let last = order.len().saturating_sub(1);
        if let Some(&item) = order.get(place.saturating_add_signed(by).min(last)) {
            self.link(model, item);
        }
    }

    /// Goes to the next or previous item of the ranking that any truth calls right.
    fn positive(&mut self, model: &mut Model, ui: &Ui, forward: bool) {
        let cursor = self.cx(model, ui).cursor();
        let (Some(query), Some((order, here))) = (model.selection.query(), cursor) else {
            return;
        };
        match model.positive_from(query, order, here, forward) {
            Some(place) => {
                let item = order[place];
                self.link(model, item);
                model.selection.pane = Pane::Ranking;
            }
            None => model.message = Some(NO_FURTHER.into()),
        }
    }
}

impl Cx<'_> {
    /// The selected query with the rank of its first positive and AP@R by each model; or the linked item with its rank
    /// by each.
    fn copied(self) -> Option<String> {
        let model = self.model;
        let direction = model.view.direction;
        let query = model.selection.query()?;
        let shown = |rank: Option<usize>| rank.map_or("-".into(), |rank| format!("#{rank}"));
        let item = model.linked().filter(|_| model.selection.pane == Pane::Ranking);
        let mut fields = vec![match item {
            None => model.named(direction, query),
            Some(item) => model.named(direction.flipped(), item),
        }];
        for of in model.compared() {
            let name = &model.study.models[of].name;
            fields.push(if let Some(item) = item {
                let rank = model.ranked_by(of).and_then(|ranked| ranked.rank(item));
                format!("{name} {}", shown(rank))
            } else {
                let first = model.ranks_by(of, query).and_then(|ranks| ranks.first());
                let ap = Unit::Share.shown(model.ap_by(of, query));
                format!("{name} {} AP@R {ap}", shown(first.map(|rank| rank as usize)))
            });
        }
        Some(fields.join("\t"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts lie inside the body, do not overlap, and fill it.
    #[test]
    fn the_parts_tile_the_body() {
        for size in [40, 71, 72, 80, 120, 140, 200, 500]
            .into_iter()
            .flat_map(|width| [8, 12, 18, 24, 40, 60].map(|height| (width, height)))
        {
            let body = frame(size).body;
            for (pane, models) in [(Pane::Queries, 2), (Pane::Ranking, 3), (Pane::Ranking, 4)] {
                for (as_cards, zoom) in [false, true].map(|of| [(of, false), (of, true)]).concat() {
                    let of = areas(body, (pane, 1), models, as_cards, zoom);
                    let mut parts = vec![of.queries, of.table];
                    parts.extend(of.rankings.iter().map(|(_, area)| *area));
                    for (at, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(body).area(), part.area());
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{size:?}: {part:?}");
                    }
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(covered, body.area(), "{size:?}, {as_cards}: {of:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_ranking_and_the_one_with_keys_are_in_sight() {
        let sighted = |size, models, column| -> Vec<usize> {
            let of = areas(frame(size).body, (Pane::Ranking, column), models, false, false);
            of.rankings.iter().map(|(column, _)| *column).collect()
        };
        assert_eq!(sighted((100, 30), 2, 1), [1]);
        let of_three = [0, 1, 2].map(|column| sighted((120, 40), 3, column));
        assert_eq!(of_three, [[0, 1], [0, 1], [0, 2]]);
        assert_eq!(sighted((160, 50), 3, 0), [0, 1, 2]);
        let of_four = [0, 1, 2, 3].map(|column| sighted((160, 50), 4, column));
        assert_eq!(of_four, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn as_many_rows_of_cards_as_have_room() {
        let rows = |size, pane, zoom| {
            let of = areas(frame(size).body, (pane, 0), 3, true, zoom);
            (of.queries.width, of.rankings.len())
        };
        assert_eq!(rows((80, 24), Pane::Ranking, false), (30, 2));
        assert_eq!(rows((80, 24), Pane::Ranking, true), (0, 2));
        assert_eq!(rows((60, 12), Pane::Ranking, false), (0, 1));
        assert_eq!(rows((60, 12), Pane::Queries, false), (60, 0));
    }
}
