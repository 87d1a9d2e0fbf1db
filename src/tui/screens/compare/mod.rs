//! The compare screen: the same query under two to four models side by side, equal items linked.

mod detail;
mod lists;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use serde_json::{Map, Value};

use super::queries;
use crate::data::Direction;
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::demand::{Demand, RankingsOf};
use crate::tui::model::items::NO_FURTHER;
use crate::tui::model::picks::Sighted;
use crate::tui::model::rankings::Ranked;
use crate::tui::model::selection::Pane;
use crate::tui::popup::Popup;
use crate::tui::popups::detail as pair;
use crate::tui::screen::{Hint, Reply, Screen, list_hints};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::hits::{ListId, Target};
use crate::tui::widgets::list::Scrolled;

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
    /// How far the rows of pictures above them are scrolled.
    strips: Scrolled,
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

/// How rankings are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Lists,
    /// Lists with rows of pictures above.
    Pictures,
    Cards,
}

/// The parts of the screen; a part of no size is not shown.
#[derive(Debug, Default)]
struct Areas {
    queries: Rect,
    /// The columns of the rankings in sight.
    sighted: Vec<usize>,
    /// The list of each ranking in sight; none where all are cards.
    lists: Vec<Rect>,
    /// The row of cards of each ranking in sight, of the first ones where there is no room for all.
    strips: Vec<Rect>,
    table: Rect,
    told: Rect,
}

/// Narrower screens show the list or the rankings.
const TWO_LISTS: u16 = 72;
/// Rows of the table of models, and from how many rows of the body on they are there: it and the sentences
/// beside it are higher on a high screen.
const TABLE: u16 = 7;
const WITH_TABLE: u16 = 15;
const HIGH_TABLE: u16 = 9;
const HIGH: u16 = 30;
/// The list of queries is not made narrower than this for the sake of rankings.
const LEAST_QUERIES: u16 = 30;
/// Columns that each of several rankings needs.
const LEAST_RANKING: u16 = 43;
/// Rows of cards with the name of their model: at least, and above a list at most.
const LEAST_STRIP: u16 = 8;
const HIGHEST_STRIP: u16 = 12;

/// The parts of a body for so many models, and for the pane and the column that keys go to.
fn areas(
    body: Rect,
    (pane, column): (Pane, usize),
    models: usize,
    look: Look,
    zoom: bool,
) -> Areas {
    use Constraint::{Fill, Length, Percentage};
    let is_single = zoom || body.width < TWO_LISTS;
    let below = match body.height {
        _ if zoom || look == Look::Cards => 0,
        HIGH.. => HIGH_TABLE,
        WITH_TABLE.. => TABLE,
        _ => 0,
    };
    let [lists, details] = body.layout(&Layout::vertical([Fill(1), Length(below)]));
    let widest = (body.width * 34 / 100).max(LEAST_QUERIES);
    let beside = body.width.saturating_sub(LEAST_QUERIES) / LEAST_RANKING;
    let beside = beside.clamp(1, (models as u16).max(1)) * LEAST_RANKING;
    let left = match look {
        Look::Cards => widest,
        _ => body.width.saturating_sub(beside).clamp(LEAST_QUERIES, widest),
    };
    let [queries, rankings] = lists.layout(&Layout::horizontal(match pane {
        _ if !is_single => [Length(left), Fill(1)],
        Pane::Queries => [Fill(1), Length(0)],
        Pane::Ranking => [Length(0), Fill(1)],
    }));
    let told = if is_single { 0 } else { 45 };
    let [table, told] = details.layout(&Layout::horizontal([Fill(1), Percentage(told)]));
    let mut areas = Areas { queries, table, told, ..Areas::default() };
    if rankings.area() == 0 {
        return areas;
    }
    let count = match look {
        Look::Cards => rankings.height / LEAST_STRIP,
        _ if zoom => 1,
        _ => rankings.width / LEAST_RANKING,
    };
    let count = usize::from(count).clamp(1, models.max(1));
    // Changes are against the first model, which stays beside any other.
    let others = (column + 2).saturating_sub(count).max(1);
    areas.sighted = match count {
        1 => vec![column],
        _ => [0].into_iter().chain(others..others + count - 1).collect(),
    };
    // Pictures leave two fifths of the rows to the lists.
    let room = rankings.height * 3 / 5;
    let (strips, height) = match (look, room / LEAST_STRIP) {
        (Look::Cards, _) => (count, rankings.height / count as u16),
        (Look::Pictures, fitting @ 2..) if !zoom => {
            let strips = count.min(fitting.into());
            (strips, (room / strips as u16).min(HIGHEST_STRIP))
        }
        _ => (0, 0),
    };
    let mut rows = vec![Length(height); strips];
    rows.push(Fill(1));
    let rows = Layout::vertical(rows).split(rankings);
    areas.strips = rows[..strips].to_vec();
    if look != Look::Cards {
        areas.lists = Layout::horizontal(vec![Fill(1); count]).split(rows[strips]).to_vec();
    }
    areas
}

impl<'a> Cx<'a> {
    fn areas(self) -> Areas {
        let look = match self.state.shows_cards(self.model) {
            true => Look::Cards,
            false if self.ui.ranks_pictures(self.model.view.direction) => Look::Pictures,
            false => Look::Lists,
        };
        let keys = (self.model.selection.pane, self.column());
        let models = self.model.compared().len();
        areas(self.ui.frame().body, keys, models, look, self.ui.is_zoomed)
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
    fn followed(self, sighted: &[usize]) -> Option<usize> {
        let linked = self.model.linked()?;
        let is_chosen =
            |&(item, column): &(u32, usize)| item as usize == linked && sighted.contains(&column);
        let is_first = self.model.selection.item == 0 && self.model.item_apart().is_none();
        match self.state.chosen.filter(is_chosen) {
            Some((_, column)) => self.place(column),
            None if is_first => Some(0),
            None => sighted.iter().filter_map(|&column| self.place(column)).min(),
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
            return vec![
                (Action::Help, "help"),
                (Action::Quit, "quit"),
                (Action::Browse, "queries"),
                (Action::Metrics, "metrics"),
                (Action::Errors, "error types"),
                (Action::Palette, "actions"),
            ];
        }
        let mut hints = list_hints(model);
        if self.as_cards {
            hints.push((Action::Plot, "lists"));
        }
        hints.extend([
            (Action::Sort, "sort by disagreement"),
            (Action::NextModel, "model"),
            (Action::Direction, "direction"),
            (Action::NextTruth, "truth"),
            (Action::Filter, "filter"),
            (Action::Tests, "paired tests"),
            (Action::NextPositive, "next positive"),
            (Action::Mix, "mix"),
            (Action::Search, "search"),
            (Action::Detail, "detail"),
            (Action::Palette, "actions"),
        ]);
        if !self.as_cards {
            hints.push((Action::Plot, "contact sheets"));
        }
        hints
    }

    fn point(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        let (list, place) = match target {
            Target::Row(list, place) => (list, Some(place)),
            Target::List(list) => (list, None),
            _ => ("", None),
        };
        let Some(column) = RANKINGS.iter().position(|of| *of == list) else {
            let orders = |model: &Model| lists::orders(self.cx(model, ui));
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
            return detail::draw_alone(cx, body, buf);
        }
        let areas = cx.areas();
        lists::draw(cx, &areas, buf);
        detail::draw_table(cx, areas.table, buf);
        detail::draw_told(cx, areas.told, buf);
    }

    fn open(&self, model: &Model, ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        pair::opened(model, ui, action)
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
        match (here as isize + by).rem_euclid(panes as isize) as usize {
            0 => model.selection.pane = Pane::Queries,
            column => {
                model.selection.pane = Pane::Ranking;
                self.column = column - 1;
            }
        }
    }

    /// Goes to the card at the same place in the row above or below, which is another model's.
    fn go_to_row(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let here = cx.column();
        let there = here.saturating_add_signed(by).min(model.compared().len() - 1);
        let mut cards = cx.places(here).into_iter();
        let at = cards.position(|place| Some(place) == cx.place(here)).unwrap_or(0);
        let place = cx.places(there)[at];
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
    /// The selected query, or the item that is linked, with what each model makes of it: rank of the
    /// first positive and AP@R, or the item's rank.
    fn copied(self) -> Option<String> {
        let model = self.model;
        let direction = model.view.direction;
        let query = model.selection.query()?;
        let item = model.linked().filter(|_| model.selection.pane == Pane::Ranking);
        let mut line = match item {
            None => model.named(direction, query),
            Some(item) => model.named(direction.flipped(), item),
        };
        for of in model.compared() {
            let (rank, ap) = match item {
                None => {
                    let ap = Unit::Share.shown(model.ap_by(of, query));
                    let ranks = model.ranks_by(of, query);
                    (ranks.and_then(|ranks| ranks.first()), format!(" AP@R {ap}"))
                }
                Some(item) => {
                    let rank = model.ranked_by(of).and_then(|ranked| ranked.rank(item));
                    (rank.map(|rank| rank as u32), String::new())
                }
            };
            let rank = rank.map_or("-".into(), |rank| format!("#{rank}"));
            line += &format!("\t{} {rank}{ap}", model.study.models[of].name);
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::layout::frame;

    const LOOKS: [Look; 3] = [Look::Lists, Look::Pictures, Look::Cards];

    /// At every size the parts lie inside the body, do not overlap, and fill it but for a rest below cards.
    #[test]
    fn the_parts_tile_the_body() {
        for size in [40, 71, 72, 80, 120, 140, 200, 500]
            .into_iter()
            .flat_map(|width| [8, 12, 18, 24, 40, 60].map(|height| (width, height)))
        {
            let body = frame(size).body;
            for (pane, models) in [(Pane::Queries, 2), (Pane::Ranking, 3), (Pane::Ranking, 4)] {
                for (look, zoom) in LOOKS.into_iter().flat_map(|of| [(of, false), (of, true)]) {
                    let of = areas(body, (pane, 1), models, look, zoom);
                    let mut parts = vec![of.queries, of.table, of.told];
                    parts.extend(of.lists.iter().chain(&of.strips));
                    for (at, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(body).area(), part.area());
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{size:?}: {part:?}");
                    }
                    let rest = body.area() - parts.iter().map(|part| part.area()).sum::<u32>();
                    let most = if look == Look::Cards { body.width * 4 } else { 1 };
                    assert!(rest < u32::from(most), "{size:?}, {look:?}: {of:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_ranking_and_the_one_with_keys_are_in_sight() {
        let sighted = |size, models, column| {
            let keys = (Pane::Ranking, column);
            areas(frame(size).body, keys, models, Look::Lists, false).sighted
        };
        assert_eq!(sighted((100, 30), 2, 1), [1]);
        let of_three = [0, 1, 2].map(|column| sighted((120, 40), 3, column));
        assert_eq!(of_three, [[0, 1], [0, 1], [0, 2]]);
        assert_eq!(sighted((160, 50), 3, 0), [0, 1, 2]);
        let of_four = [0, 1, 2, 3].map(|column| sighted((160, 50), 4, column));
        assert_eq!(of_four, [[0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn cards_are_as_high_as_all_models_that_fit_leave_them() {
        let heights = |size, pane, look, zoom| {
            let of = areas(frame(size).body, (pane, 0), 3, look, zoom);
            (of.queries.width, of.strips.iter().map(|strip| strip.height).collect::<Vec<_>>())
        };
        let cards = |size, zoom| heights(size, Pane::Ranking, Look::Cards, zoom);
        assert_eq!(cards((80, 24), false), (30, vec![10, 10]));
        assert_eq!(cards((80, 24), true), (0, vec![10, 10]));
        assert_eq!(cards((60, 12), false), (0, vec![9]));
        assert_eq!(heights((60, 12), Pane::Queries, Look::Cards, false), (60, vec![]));
        let above = |size| heights(size, Pane::Queries, Look::Pictures, false).1;
        assert_eq!(
            [above((80, 24)), above((120, 40)), above((160, 50))],
            [vec![], vec![8, 8], vec![11, 11]]
        );
    }
}
