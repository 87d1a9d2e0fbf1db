//! What the compare screen makes of keys and the mouse.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::{CARDS, Compare, Cx, NAMES, view};
use crate::data::index::ModelIx;
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::{Demand, RankingsOf};
use crate::tui::model::items::NO_FURTHER;
use crate::tui::model::picks::Sighted;
use crate::tui::model::query_list::Pane;
use crate::tui::pictures::Place;
use crate::tui::popup::Popup;
use crate::tui::popups::detail;
use crate::tui::screen::{Hint, Reply, Screen, list_hints};
use crate::tui::screens::layout::rows;
use crate::tui::ui::Ui;

/// Where the hint of the contact sheets stands while it matters most.
const SHEETS: usize = 4;

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

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let cx = self.cx(model, ui);
        let shown = match model.selection.pane {
            Pane::Queries => rows(cx.areas().queries, NAMES),
            Pane::Ranking => cx.items_in_sight(),
        };
        let page = shown.max(1) as isize;
        match action {
            Action::Copy => {
                let line = self.cx(model, ui).copied();
                return Reply::copy(model, line);
            }
            Action::Plot => self.toggle_cards(model, ui),
            Action::Close => {
                self.as_cards = false;
                self.follow_cursor(model, ui);
            }
            Action::Left if self.has_cards(model) => self.step(model, ui, -1),
            Action::Right if self.has_cards(model) => self.step(model, ui, 1),
            Action::Up if self.has_cards(model) => self.go_to_row(model, ui, -1),
            Action::Down if self.has_cards(model) => self.go_to_row(model, ui, 1),
            // Where a ranking in sight has the linked item is told by a line of its own: nothing scrolls.
            Action::NextPane | Action::Right => self.turn(model, ui, 1),
            Action::PreviousPane | Action::Left => self.turn(model, ui, -1),
            Action::NextPositive => self.positive(model, ui, true),
            Action::PreviousPositive => self.positive(model, ui, false),
            Action::Sort => {
                model.sort_by(model.selection.sort.next_disagreement());
                self.follow(model, ui);
            }
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

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        let mut hints = hints(model);
        if model.two().is_some() {
            let shows_cards = self.shows_cards(model);
            let words = if shows_cards { "lists" } else { "contact sheets" };
            // Where pictures have no room they are one key away.
            let lacks_pictures = ui.ranks_pictures(model.view.direction)
                && self.cx(model, ui).areas().strips.is_empty();
            let is_near = shows_cards || lacks_pictures;
            let at = if is_near { SHEETS } else { hints.len() };
            hints.insert(at, (Action::Plot, words));
        }
        hints
    }

    fn point(&mut self, _model: &mut Model, _ui: &Ui, _target: crate::tui::widgets::hits::Target) {}

    fn wheel(
        &mut self,
        _model: &mut Model,
        _ui: &Ui,
        _list: crate::tui::widgets::hits::ListId,
        _by: isize,
    ) {
    }
    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        view::draw(self.cx(model, ui), body, buf);
    }

    fn open(&self, model: &Model, ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        detail::opened(model, ui, action)
    }

    fn sighted(&self, model: &Model, _ui: &Ui) -> Option<Sighted> {
        model.sighted()
    }

    fn words(&self) -> Map<String, Value> {
        Map::from_iter([(CARDS.to_owned(), self.as_cards.into())])
    }

    fn restore(&mut self, view: &Map<String, Value>) {
        let kept = view.get(CARDS).and_then(Value::as_bool);
        self.as_cards = kept.unwrap_or(self.as_cards);
    }
}

/// The keys that matter, as far as they fit.
fn hints(model: &Model) -> Vec<Hint> {
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
    hints.extend([
        (Action::Sort, "sort by disagreement"),
        (Action::NextModel, "model"),
        (Action::Direction, "direction"),
        (Action::NextTruth, "truth"),
        (Action::Filter, "filter"),
        (Action::Tests, "paired tests"),
    ]);
    if model.selection.pane == Pane::Ranking {
        hints.push((Action::NextPositive, "next positive"));
    }
    hints.extend([
        (Action::Search, "search"),
        (Action::Detail, "detail"),
        (Action::Palette, "actions"),
        (Action::Mix, "mix"),
    ]);
    hints
}

impl Compare {
    /// Goes to the list or ranking beside this one, counted round. One that comes in sight so shows the linked item as
    /// if the query had been opened there.
    fn turn(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let columns = cx.areas().columns.len().max(1);
        let here = match model.selection.pane {
            Pane::Queries => 0,
            Pane::Ranking => cx.column() + 1,
        };
        match (here as isize + by).rem_euclid(columns as isize + 1) as usize {
            0 => model.selection.pane = Pane::Queries,
            column => {
                let was_in_sight = cx.areas().sighted().any(|at| at == column - 1);
                model.selection.pane = Pane::Ranking;
                self.column = column - 1;
                if !was_in_sight {
                    self.follow(model, ui);
                }
            }
        }
    }

    /// At another query the first item of the ranking that keys go to is linked, once it is there, unless another one was
    /// chosen. While one judges, the next item is that of the model looked at.
    fn begin(&mut self, model: &mut Model, ui: &Ui) {
        let query = model.selection.query();
        let asked = query.map(|query| (model.view.direction, query));
        if self.begun == asked {
            return;
        }
        let column = self.cx(model, ui).column();
        let is_other = model.selection.pane == Pane::Ranking && column > 0;
        let is_chosen = model.selection.item > 0 || model.seeks() || model.item_apart().is_some();
        if is_other && !is_chosen && !model.judging.is_on {
            let ranked = [model.view.model, model.compared()[column]];
            let [Some(_), Some(there)] = ranked.map(|of| model.ranked_by(of)) else {
                return;
            };
            if let Some(&first) = there.ranking.order.first() {
                model.link(first);
            }
        }
        self.begun = asked;
    }

    /// Shows the rankings as cards, or as lists again.
    fn toggle_cards(&mut self, model: &mut Model, ui: &Ui) {
        self.as_cards = !self.as_cards;
        model.selection.pane = Pane::Ranking;
        self.follow(model, ui);
    }

    /// Goes to the card above or below, which is another model's, as far as there is one. Nothing scrolls.
    fn go_to_row(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let last = model.compared().len().saturating_sub(1);
        let linked = model.linked();
        let here = cx.cards_of(cx.column());
        let at = here.iter().position(|card| Some(card.item) == linked);
        self.column = cx.column().saturating_add_signed(by).min(last);
        let cx = self.cx(model, ui);
        let cards = cx.cards_of(cx.column());
        let at = at.unwrap_or(0).min(cards.len().saturating_sub(1));
        if let Some(card) = cards.get(at) {
            model.link(card.item as u32);
        }
    }

    /// Scrolls the rankings so that a place is in sight.
    fn scroll_to(&mut self, model: &Model, ui: &Ui, place: usize) {
        let shown = self.cx(model, ui).items_in_sight();
        self.offset = ui.follow(self.offset, place, shown);
    }

    /// Scrolls to the linked item in the ranking that keys go to.
    pub(super) fn follow_cursor(&mut self, model: &Model, ui: &Ui) {
        if let Some((_, place)) = self.cx(model, ui).cursor() {
            self.scroll_to(model, ui, place);
        }
    }

    /// Moves the selection of the list or ranking that keys go to.
    pub(super) fn step(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        if model.selection.pane == Pane::Queries {
            model.move_query(by);
            self.follow(model, ui);
        } else if let Some((order, place)) = self.cx(model, ui).cursor() {
            let last = order.len().saturating_sub(1);
            if let Some(&item) = order.get(place.saturating_add_signed(by).min(last)) {
                model.link(item);
                self.follow_cursor(model, ui);
            }
        }
    }

    /// Goes to the next or previous item of the ranking that any truth calls right.
    fn positive(&mut self, model: &mut Model, ui: &Ui, forward: bool) {
        let (Some(query), Some((order, here))) =
            (model.selection.query(), self.cx(model, ui).cursor())
        else {
            return;
        };
        let place = model.positive_from(query, order, here, forward);
        match place.map(|place| order[place]) {
            Some(item) => {
                model.link(item);
                model.selection.pane = Pane::Ranking;
                self.follow_cursor(model, ui);
            }
            None => model.message = Some(NO_FURTHER.into()),
        }
    }
}

impl Cx<'_> {
    /// The selected query, or the item that is linked, with what each model makes of it: rank of the
    /// first positive and AP@R, or the item's rank.
    fn copied(self) -> Option<String> {
        let direction = self.model.view.direction;
        let query = self.model.selection.query()?;
        let item = self.model.linked().filter(|_| self.model.selection.pane == Pane::Ranking);
        let line = match item {
            None => self.model.named(direction, query),
            Some(item) => self.model.named(direction.flipped(), item),
        };
        let of_model = |model: ModelIx| {
            let name = &self.model.study.models[model].name;
            let rank = match item {
                None => self.model.ranks_by(model, query).and_then(|ranks| ranks.first()),
                Some(item) => {
                    self.model.ranked_by(model).and_then(|of| Some(of.rank(item)? as u32))
                }
            };
            let rank = rank.map_or("-".into(), |rank| format!("#{rank}"));
            let ap = item.is_none().then(|| Unit::Share.shown(self.model.ap_by(model, query)));
            let ap = ap.map_or(String::new(), |ap| format!(" AP@R {ap}"));
            format!("\t{name} {rank}{ap}")
        };
        let models: String = self.model.compared().into_iter().map(of_model).collect();
        Some(line + &models)
    }
}

impl Compare {
    /// Scrolls so that the query is in sight, and the linked item where a model ranks it best.
    fn follow(&mut self, model: &mut Model, ui: &Ui) {
        self.begin(model, ui);
        let cx = self.cx(model, ui);
        let (areas, place) = (cx.areas(), cx.best_place());
        let _ = areas;
        // A ranking that is not there yet is gone back to where it was.
        if let Some(place) = place {
            self.scroll_to(model, ui, place);
        }
    }
}
