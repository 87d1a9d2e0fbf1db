//! Alpha dragged with the mouse: one step of the history from where the drag began to where it ends.

use super::Model;

impl Model {
    /// Begins a drag with alpha at so many hundredths.
    pub(in crate::tui) fn begin_drag(&mut self, percent: u32) {
        self.known.drag = Some(self.dials);
        self.drag_to(percent);
    }

    /// Moves alpha to so many hundredths, while a drag is under way.
    pub(in crate::tui) fn drag_to(&mut self, percent: u32) {
        let Some(before) = self.known.drag.filter(|_| !self.lacks_files()) else {
            return;
        };
        let mut after = self.dials;
        if let Some(mix) = &mut after.mix {
            mix.percent = percent;
        }
        if after == self.dials {
            return;
        }
        match self.history.has_turned(before) {
            // Back where it began: nothing was done.
            true if after == before => {
                self.forget_present_step();
            }
            true => self.change_present_step(|facts| facts.dials = after),
            false => {
                self.known.drag = Some(self.dials);
                self.change(|facts| facts.dials = after);
            }
        }
    }
}
