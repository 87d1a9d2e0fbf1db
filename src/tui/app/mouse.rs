//! Where a click or a turn of the wheel goes: to what was drawn there.

use ratatui::layout::Rect;

use super::App;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::screens::header::percent_at;
use crate::tui::widgets::hits::Target;

impl App {
    /// Takes a click on what the last frame has at a column and a row.
    pub(super) fn click(&mut self, at: (u16, u16)) -> Option<Effect> {
        let (area, target) = self.hit(at)?;
        self.model.message = None;
        match target {
            Target::Do(action) => return self.act(action),
            Target::Slider => self.model.begin_drag(percent_at(area, at.0)),
            Target::Header | Target::Popup => {}
            Target::Behind => {
                let line = self.popup.as_mut().and_then(|open| open.prompt());
                if line.is_some_and(|line| !line.text().is_empty()) {
                    let key = self.ui.keymap.hint(Action::Close);
                    self.model.message = Some(format!("{key} closes this"));
                } else {
                    self.close_popup();
                }
            }
            Target::Row(..) | Target::Cell(..) | Target::Heading(..) | Target::List(_) => {
                match &mut self.popup {
                    Some(popup) => popup.point(target, &mut self.model, &self.ui),
                    None => self.screens[self.shown].point(&mut self.model, &self.ui, target),
                }
            }
        }
        None
    }

    fn hit(&self, at: (u16, u16)) -> Option<(Rect, Target)> {
        self.ui.hits.borrow().at(at, self.ui.size)
    }

    /// Moves alpha while its knob is dragged.
    pub(super) fn drag_to(&mut self, x: u16) {
        let track = self.ui.hits.borrow().of(Target::Slider);
        if let Some(track) = track {
            self.model.drag_to(percent_at(track, x));
        }
    }

    /// Turns alpha over its slider and the threshold of a rule-made truth over the rest of the header; a popup
    /// scrolls, else the list under the pointer.
    pub(super) fn wheel(&mut self, at: (u16, u16), by: isize) {
        let target = self.hit(at).map(|(_, target)| target);
        match target {
            _ if self.popup.is_some() => self.scroll_popup(by),
            Some(Target::Slider) => {
                self.mix_by(|model| model.turn_alpha(if by < 0 { 5 } else { -5 }));
            }
            Some(Target::Row(list, _) | Target::Cell(list, ..) | Target::Heading(list, _))
            | Some(Target::List(list)) => {
                self.screens[self.shown].wheel(&mut self.model, &self.ui, list, by);
            }
            _ if self.ui.frame().header.contains(at.into()) => self.model.turn_dial(by < 0),
            _ => {}
        }
    }
}
