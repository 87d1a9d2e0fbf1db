//! What the browse screen makes of keys and the mouse.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::{Browse, CARDS, NAMES, view};
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

/// Where the hint of the contact sheet stands: at its place among the first while it is open, before so many
/// of the last ones while it is not.
const SHEET: usize = 2;
const LAST: usize = 4;

impl Screen for Browse {
    fn shown_by(&self) -> Action {
        Action::Browse
    }

    fn title(&self) -> &'static str {
        "Browse"
    }

    fn demand(&self) -> Demand {
        Demand { rankings: RankingsOf::LookedAt, ..Demand::default() }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let cx = self.cx(model, ui);
        let (line, page) = (cx.line_items(), cx.page_items());
        match action {
            Action::Copy => {
                let line = copied(model);
                return Reply::copy(model, line);
            }
            Action::Plot => self.toggle_cards(model),
            Action::Close => self.as_cards = false,
            Action::Left if self.has_keys(model) => step(model, -1),
            Action::Right if self.has_keys(model) => step(model, 1),
            // Above the first cards there are none.
            Action::Up
                if self.has_keys(model) && model.listed_place() < Some(line.unsigned_abs()) => {}
            Action::Down => step(model, line),
            Action::Up => step(model, -line),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                model.selection.pane = match model.selection.pane {
                    Pane::Queries => Pane::Ranking,
                    Pane::Ranking => Pane::Queries,
                };
            }
            Action::NextPositive => positive(model, true),
            Action::PreviousPositive => positive(model, false),
            Action::Arrange => model.next_arrangement(),
            Action::Sort => model.sort_by(model.selection.sort.next()),
            movement => {
                if let Some(by) = movement.lines(page) {
                    step(model, by);
                }
            }
        }
        self.follow(model, ui);
        Reply::Done
    }

    /// The contact sheet closes.
    fn takes(&self, model: &Model, _ui: &Ui, action: Action) -> bool {
        action == Action::Close && self.has_keys(model)
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        let mut hints = hints(model, ui);
        let words = if self.as_cards { "list" } else { "contact sheet" };
        let at = if self.as_cards { SHEET } else { hints.len().saturating_sub(LAST) };
        hints.insert(at, (Action::Plot, words));
        hints
    }

    fn query_list(&self, model: &Model, ui: &Ui) -> Option<Rect> {
        Some(self.cx(model, ui).areas().queries)
    }

    fn click(&mut self, model: &mut Model, ui: &Ui, at: (u16, u16)) {
        self.click_at(model, ui, at);
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, at: (u16, u16), by: isize) {
        self.wheel_at(model, ui, at, by);
    }

    /// Scrolls both lists.
    fn follow(&mut self, model: &mut Model, ui: &Ui) {
        let cx = self.cx(model, ui);
        let (areas, items, line) = (cx.areas(), cx.items_in_sight(), cx.items_a_line());
        let item = model.listed_place().unwrap_or(0);
        let selection = &mut model.selection;
        let shown = rows(areas.queries, NAMES);
        selection.offset = ui.follow(selection.offset, selection.selected, shown);
        let (offset, selected) = (self.item_offset / line, item / line);
        self.item_offset = ui.follow(offset, selected, items / line) * line;
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        view::draw(self.cx(model, ui), buf);
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
        self.as_cards = view.get(CARDS).and_then(Value::as_bool).unwrap_or(self.as_cards);
    }

    fn pictures(&self, model: &Model, ui: &Ui) -> Vec<Place> {
        self.cx(model, ui).pictures()
    }
}

impl Browse {
    /// Whether keys go to cards.
    pub(super) fn has_keys(&self, model: &Model) -> bool {
        self.as_cards && !model.is_blind() && model.selection.pane == Pane::Ranking
    }

    /// Shows the ranking as cards, or as a list again.
    fn toggle_cards(&mut self, model: &mut Model) {
        self.as_cards = !self.as_cards;
        model.selection.pane = Pane::Ranking;
    }
}

/// Moves the selection of the list that keys go to.
pub(super) fn step(model: &mut Model, by: isize) {
    match model.selection.pane {
        Pane::Queries => model.move_query(by),
        Pane::Ranking => {
            let listed = model.listed_items();
            let last = listed.map_or(0, |listed| listed.len().saturating_sub(1));
            let here = model.listed_place().unwrap_or(0);
            model.select_listed(here.saturating_add_signed(by).min(last));
        }
    }
}

/// Goes to the next or previous item that any truth calls right.
fn positive(model: &mut Model, forward: bool) {
    let (Some(query), Some(listed)) = (model.selection.query(), model.listed_items()) else {
        return;
    };
    let here = model.listed_place().unwrap_or(0);
    match model.positive_from(query, listed, here, forward) {
        Some(place) => {
            model.select_listed(place);
            model.selection.pane = Pane::Ranking;
        }
        None => model.message = Some(NO_FURTHER.into()),
    }
}

/// The keys that matter, as far as they fit.
fn hints(model: &Model, ui: &Ui) -> Vec<Hint> {
    let mut hints = list_hints(model);
    hints.extend([
        (Action::Direction, "direction"),
        (Action::NextTruth, "truth"),
        (Action::NextModel, step_or_model(model)),
        (Action::Search, "search"),
        (Action::Filter, "filter"),
        (Action::Sort, "sort"),
        (Action::Items, "items"),
    ]);
    if model.selection.pane == Pane::Ranking {
        hints.push((Action::NextPositive, "next positive"));
    }
    if model.dials.mix.is_some() {
        hints.push((Action::AlphaUp, "alpha"));
        hints.push((Action::Curve, "curve"));
    }
    if !model.study.steps.is_empty() {
        hints.push((Action::Steps, "over steps"));
    }
    if model.history.present() > 0 {
        hints.push((Action::Undo, "undo"));
    }
    hints.push((Action::Judge, "judge"));
    if ui.picture_way().is_some() {
        hints.push((Action::Pictures, "pictures"));
    }
    if model.study.phrases.is_some() && !model.is_blind() {
        hints.push((Action::NextPhrase, "phrase"));
    }
    hints.extend([
        (Action::Detail, "detail"),
        (Action::Define, "metrics"),
        (Action::Palette, "actions"),
        (Action::Theme, "theme"),
    ]);
    hints
}

/// What the next model is.
fn step_or_model(model: &Model) -> &'static str {
    if model.study.steps.is_empty() { "model" } else { "step" }
}

/// The selected line as text.
fn copied(model: &Model) -> Option<String> {
    let direction = model.view.direction;
    Some(match model.selection.pane {
        Pane::Queries => model.named(direction, model.selection.query()?),
        Pane::Ranking => model.named(direction.flipped(), model.item()?.item),
    })
}
