//! Where a click or a turn of the wheel goes.

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::pointed::pointed;
use super::screens::header::percent_at;
use super::view;
use super::widgets::hits::Target;

impl App {
    /// Takes a click: on the header it shows a screen or begins to drag alpha, on words and hints it does what
    /// their key does, on the name of a column it sorts.
    pub(super) fn click(&mut self, x: u16, y: u16) -> Option<Effect> {
        let hit = self.ui.hits.borrow().at((x, y), self.ui.size);
        match hit {
            Some((_, Target::Do(action))) => {
                self.model.message = None;
                return self.act(action);
            }
            Some((track, Target::Slider)) => self.model.begin_drag(percent_at(track, x)),
            _ if self.click_heading((x, y)) => {}
            _ => self.click_screen((x, y)),
        }
        None
    }

    /// Takes a click while something is open on top: a line of it is selected, a hint in the last line does what its key
    /// does. Elsewhere it closes, unless something is typed that would be lost.
    pub(super) fn click_popup(&mut self, at: (u16, u16)) -> Option<Effect> {
        self.model.message = None;
        if let Some(pointed) = pointed(self, at) {
            if let Some(popup) = &mut self.popup {
                popup.point(pointed, &mut self.model, &self.ui);
            }
            return None;
        }
        let hit = self.ui.hits.borrow().at(at, self.ui.size);
        if let Some((place, Target::Do(action))) = hit
            && place.y == self.ui.frame().footer.y
        {
            return self.act(action);
        }
        if self.popup.as_ref().is_some_and(|open| open.is_typed()) {
            let key = self.ui.keymap.hint(Action::Close);
            self.model.message = Some(format!("{key} closes this"));
        } else {
            self.close_popup();
        }
        None
    }

    /// Sorts the queries by the column whose name was clicked; whether there is one.
    fn click_heading(&mut self, (x, y): (u16, u16)) -> bool {
        let list = self.screen().query_list(&self.model, &self.ui);
        let Some(list) = list.filter(|list| list.contains((x, y).into()) && y == list.y + 1) else {
            return false;
        };
        let words = view::words(self, y, list.x + 1..list.right().saturating_sub(1));
        let clicked = words.iter().position(|(columns, _)| columns.contains(&x));
        let words: Vec<&str> = words.iter().map(|(_, word)| word.as_str()).collect();
        clicked.is_some_and(|at| self.model.sort_by_heading(&words, at))
    }

    pub(super) fn drag_to(&mut self, x: u16) {
        let track = self.ui.hits.borrow().of(Target::Slider);
        if let Some(track) = track {
            self.model.drag_to(percent_at(track, x));
        }
    }

    /// Turns alpha over its slider and the threshold of a rule-made truth over the rest of the header; below it moves
    /// what is under the pointer.
    pub(super) fn wheel(&mut self, x: u16, y: u16, by: isize) {
        let hit = self.ui.hits.borrow().at((x, y), self.ui.size);
        if matches!(hit, Some((_, Target::Slider))) {
            self.mix_by(|model| model.turn_alpha(if by < 0 { 5 } else { -5 }));
        } else if self.ui.frame().header.contains((x, y).into()) {
            self.model.turn_dial(by < 0);
        } else {
            self.wheel_screen((x, y), by);
        }
    }
}
