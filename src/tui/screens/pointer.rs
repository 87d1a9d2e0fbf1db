//! The mouse: the header is the same on every screen, the rest is the screen's own.

use crate::tui::app::App;

impl App {
    /// Takes a click: on the header it shows a screen or begins to drag alpha.
    pub fn click(&mut self, x: u16, y: u16) {
        if let Some(screen) = self.tabs().and_then(|tabs| tabs.at(x, y)) {
            self.show(screen);
        } else if self.is_on_slider(x, y) {
            self.begin_drag(x);
        } else {
            self.screen.page().click(self, x, y);
        }
    }

    fn is_on_slider(&self, x: u16, y: u16) -> bool {
        y == 0 && self.slider().is_some_and(|slider| slider.is_at(x))
    }

    /// Turns alpha over its slider and the threshold of a rule-made truth over the rest of the header; below it moves
    /// what is under the pointer.
    pub fn wheel(&mut self, x: u16, y: u16, by: isize) {
        if self.is_on_slider(x, y) {
            self.turn_alpha(if by < 0 { 5 } else { -5 });
        } else if self.frame().header.contains((x, y).into()) {
            self.turn_dial(by < 0);
        } else {
            self.screen.page().wheel(self, x, y, by);
        }
    }
}
