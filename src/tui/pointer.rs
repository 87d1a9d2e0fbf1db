//! Where a click or a turn of the wheel goes.

use super::action::Action;
use super::app::App;
use super::effect::Effect;
use super::pointed::pointed;
use super::screens::headline::Headline;
use super::screens::mixture::Slider;
use super::screens::tabs::Tabs;
use super::screens::{footer, header, target};
use super::ui::plain;
use super::view;

impl App {
    /// Takes a click: on the header it shows a screen or begins to drag alpha, on words and hints it does what
    /// their key does, on the name of a column it sorts.
    pub(super) fn click(&mut self, x: u16, y: u16) -> Option<Effect> {
        if let Some(action) = self.tabs().and_then(|tabs| tabs.at(x, y)) {
            return self.act(action);
        }
        if let Some(slider) = self.slider_at(x, y) {
            self.model.begin_drag(slider.percent_at(x));
            return None;
        }
        let cx = plain(&self.model, &self.ui);
        let mut targets = header::targets(cx);
        targets.extend(footer::targets(cx, self.footer_hints()));
        if let Some(action) = target::at(&targets, (x, y)) {
            self.model.message = None;
            return self.act(action);
        }
        if !self.click_heading((x, y)) {
            self.click_screen((x, y));
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
        let targets = footer::targets(plain(&self.model, &self.ui), self.footer_hints());
        if let Some(action) = target::at(&targets, at) {
            return self.act(action);
        }
        let line = self.popup.as_mut().and_then(|open| open.prompt());
        if line.is_some_and(|line| !line.text().is_empty()) {
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

    /// The names of the screens in the header; `None` where it has no room for them.
    pub(super) fn tabs(&self) -> Option<Tabs> {
        if self.model.judging.is_on {
            return None;
        }
        Tabs::of(plain(&self.model, &self.ui), &self.titles(), self.shown())
    }

    /// The slider of the header, if it has one.
    fn slider(&self) -> Option<Slider> {
        Headline::slider(plain(&self.model, &self.ui))
    }

    fn slider_at(&self, x: u16, y: u16) -> Option<Slider> {
        self.slider().filter(|slider| y == 0 && slider.is_at(x))
    }

    pub(super) fn drag_to(&mut self, x: u16) {
        if let Some(slider) = self.slider() {
            self.model.drag_to(slider.percent_at(x));
        }
    }

    /// Turns alpha over its slider and the threshold of a rule-made truth over the rest of the header; below it moves
    /// what is under the pointer.
    pub(super) fn wheel(&mut self, x: u16, y: u16, by: isize) {
        if self.slider_at(x, y).is_some() {
            self.mix_by(|model| model.turn_alpha(if by < 0 { 5 } else { -5 }));
        } else if self.ui.frame().header.contains((x, y).into()) {
            self.model.turn_dial(by < 0);
        } else {
            self.wheel_screen((x, y), by);
        }
    }
}
