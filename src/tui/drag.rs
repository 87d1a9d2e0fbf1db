//! Alpha dragged with the mouse: one step of the history from where the drag began to where it ends.

use super::app::App;
use super::history::Change;
use crate::study::Dials;

/// A drag under way.
#[derive(Debug, Clone, Copy)]
pub struct Drag {
    /// How the dials stood when it began.
    before: Dials,
}

impl App {
    /// Begins a drag at a column of the slider.
    pub(super) fn begin_drag(&mut self, x: u16) {
        self.drag = Some(Drag { before: self.dials });
        self.drag_to(x);
    }

    /// Moves alpha to where the pointer is, while a drag is under way.
    pub(super) fn drag_to(&mut self, x: u16) {
        let (Some(Drag { before }), Some(slider)) = (self.drag, self.slider()) else {
            return;
        };
        let mut after = self.dials;
        if let Some(mix) = &mut after.mix {
            mix.percent = slider.percent_at(x);
        }
        if after == self.dials {
            return;
        }
        match self.history.has_turned(before) {
            // Back where it began: nothing was done.
            true if after == before => {
                self.revisit(self.history.present() - 1);
                self.history.forget_undone();
            }
            true => self.make_instead(&Change::Dials { before, after }),
            false => {
                let before = self.dials;
                self.drag = Some(Drag { before });
                self.make(Change::Dials { before, after });
            }
        }
    }
}
