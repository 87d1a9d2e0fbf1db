//! What the errors screen makes of keys and the mouse.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::grid::Grid;
use super::layout::NAMES;
use super::{EXAMPLE, Errors, Pane, TYPE, define, hubs_view, view, words_view};
use crate::analysis::kinds::KINDS;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::Demand;
use crate::tui::model::picks::Sighted;
use crate::tui::popup::Popup;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::{Call, Hint, Reply, Screen, tell_idle};
use crate::tui::screens::layout::{row_at, rows};
use crate::tui::ui::Ui;

impl Screen for Errors {
    fn shown_by(&self) -> Action {
        Action::Errors
    }

    fn title(&self) -> &'static str {
        "Errors"
    }

    fn demand(&self) -> Demand {
        Demand { causes: true, ..Demand::default() }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let mut reply = Reply::Done;
        match action {
            Action::NextPane => self.go_to(self.pane.stepped(1)),
            Action::PreviousPane => self.go_to(self.pane.stepped(-1)),
            Action::Arrange => tell_idle(model, ui, action),
            Action::NextPositive | Action::PreviousPositive if self.pane != Pane::Kinds => {
                tell_idle(model, ui, action);
            }
            Action::NextPositive => self.step_example(model, ui, 1),
            Action::PreviousPositive => self.step_example(model, ui, -1),
            Action::Sort => self.next_order(model, ui),
            Action::Copy => reply = self.copy(model, ui),
            Action::Detail => reply = self.open_list(model, ui),
            Action::Items => reply = self.open_items(model, ui),
            Action::Note => {
                let sighted = self.sighted(model, ui);
                reply = Reply::open(PromptPopup::note(model, sighted.as_ref()));
            }
            Action::Pick => {
                let sighted = self.sighted(model, ui);
                model.message = model.toggle_pick(sighted).or(model.message.take());
            }
            Action::WhatIf => {
                self.show_what_if(model, ui);
                model.ask_what_if();
            }
            Action::Up | Action::Down if self.pane == Pane::WhatIf => tell_idle(model, ui, action),
            movement => self.step(model, ui, movement),
        }
        self.follow(model, ui);
        reply
    }

    /// The example can be picked and noted, though nothing else is done to it, and items are those of the queries
    /// counted.
    fn takes(&self, model: &Model, ui: &Ui, action: Action) -> bool {
        let has_example = || self.cx(model, ui).query().is_some();
        let is_of_example = matches!(action, Action::Pick | Action::Note);
        action == Action::Items || is_of_example && has_example()
    }

    fn is_called_by(&self, action: Action) -> Option<Call> {
        (action == Action::WhatIf).then_some(Call::Does)
    }

    fn hints(&self, _model: &Model, _ui: &Ui) -> Vec<Hint> {
        let mut hints = vec![(Action::Help, "help"), (Action::Quit, "quit")];
        if self.pane != Pane::WhatIf {
            hints.push((Action::Down, "move"));
        }
        hints.push((Action::NextPane, "pane"));
        hints.extend(match self.pane {
            Pane::Kinds => vec![
                (Action::Detail, "list queries"),
                (Action::Items, "list items"),
                (Action::NextPositive, "next example"),
                (Action::Pick, "pick"),
            ],
            Pane::Hubs => vec![
                (Action::Detail, "list top-1 misses"),
                (Action::Items, "list their items"),
                (Action::Sort, "sort"),
            ],
            Pane::Words | Pane::Swapped => vec![(Action::Sort, "sort")],
            Pane::WhatIf => Vec::new(),
        });
        hints.extend([
            (Action::WhatIf, "what if rescaled"),
            (Action::NextModel, "model"),
            (Action::NextTruth, "truth"),
            (Action::Direction, "direction"),
            (Action::Define, "definitions"),
            (Action::Copy, "copy row"),
        ]);
        hints.extend((self.pane == Pane::Kinds).then_some((Action::Note, "note")));
        hints.extend([(Action::Undo, "undo")]);
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
    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        view::draw(self.cx(model, ui), buf);
    }

    /// What is counted here, with definitions.
    fn open(&self, model: &Model, ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        let opens = action == Action::Define;
        opens.then(|| Box::new(define::sheet(self.cx(model, ui))) as Box<dyn Popup>)
    }

    fn words(&self) -> Map<String, Value> {
        let kind = KINDS.get(self.place(Pane::Kinds).selected);
        let kind = kind.map(|kind| (TYPE.to_owned(), kind.key.into()));
        let example = (EXAMPLE.to_owned(), self.example.into());
        kind.into_iter().chain([example]).collect()
    }

    fn restore(&mut self, view: &Map<String, Value>) {
        let key = view.get(TYPE).and_then(Value::as_str);
        let Some(kind) = key.and_then(|key| KINDS.iter().position(|kind| kind.key == key)) else {
            return;
        };
        self.place_mut(Pane::Kinds).selected = kind;
        let example = view.get(EXAMPLE).and_then(Value::as_u64);
        self.example = example.unwrap_or_default() as usize;
    }

    fn sighted(&self, model: &Model, ui: &Ui) -> Option<Sighted> {
        let (query, view) = self.cx(model, ui).query()?;
        Some(Sighted { query, view, models: vec![view.model] })
    }
}

/// Lines above a pane's list.
fn names(pane: Pane) -> u16 {
    match pane {
        Pane::Kinds => NAMES,
        Pane::Hubs => hubs_view::NAMES,
        Pane::Words | Pane::Swapped => words_view::NAMES,
        Pane::WhatIf => 0,
    }
}

impl Errors {
    /// Has what rescaled scores would give in sight: keys go there only where the table leaves no room for it.
    fn show_what_if(&mut self, model: &Model, ui: &Ui) {
        if self.pane == Pane::Kinds {
            self.beside = Some(Pane::WhatIf);
        }
        if self.cx(model, ui).areas().of(Pane::WhatIf).area() == 0 {
            self.go_to(Pane::WhatIf);
        }
    }

    fn step(&mut self, model: &Model, ui: &Ui, action: Action) {
        let pane = self.pane;
        let page = rows(self.cx(model, ui).areas().of(pane), names(pane)).max(1) as isize;
        match action {
            Action::Left if pane == Pane::Kinds => self.move_error_column(model, ui, -1),
            Action::Right if pane == Pane::Kinds => self.move_error_column(model, ui, 1),
            Action::Left => self.go_to(pane.stepped(-1)),
            Action::Right => self.go_to(pane.stepped(1)),
            movement => {
                if let Some(by) = movement.lines(page) {
                    self.move_error(model, ui, by);
                }
            }
        }
    }

    /// Moves the selection of the list that keys go to.
    fn move_error(&mut self, model: &Model, ui: &Ui, by: isize) {
        let last = self.cx(model, ui).count(self.pane).saturating_sub(1);
        let here = self.place(self.pane).selected.min(last);
        self.select_row(model, ui, here.saturating_add_signed(by));
    }

    /// Selects a row of the list that keys go to.
    fn select_row(&mut self, model: &Model, ui: &Ui, row: usize) {
        let pane = self.pane;
        let last = self.cx(model, ui).count(pane).saturating_sub(1);
        let place = self.place_mut(pane);
        if place.selected != row.min(last) {
            place.selected = row.min(last);
            if pane == Pane::Kinds {
                self.example = 0;
            }
        }
    }

    fn move_error_column(&mut self, model: &Model, ui: &Ui, by: isize) {
        let columns = self.cx(model, ui).columns();
        let here = self.cx(model, ui).view();
        let at = columns.iter().position(|view| *view == here).unwrap_or(0);
        if let Some(&to) = columns.get(at.saturating_add_signed(by)) {
            self.column = Some((model.view, to));
            self.example = 0;
        }
    }
}

impl Errors {
    /// Scrolls every list so that its selected row is in sight.
    fn follow(&mut self, model: &mut Model, ui: &Ui) {
        let areas = self.cx(model, ui).areas();
        for pane in Pane::ALL {
            let shown = rows(areas.of(pane), names(pane));
            let count = self.cx(model, ui).count(pane);
            let place = self.place_mut(pane);
            // A list that is not there yet is gone back to where it was.
            let selected = place.selected.min(count.saturating_sub(1));
            if count > 0 {
                place.offset = ui.follow(place.offset, selected, shown);
            }
        }
    }
}
