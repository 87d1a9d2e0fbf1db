//! Goes through the tour: what begins it, what goes on, what ends it.

use super::app::App;
use super::keymap::{Code, Key};
use super::tour::Tour;

impl App {
    /// Begins the tour, where the demo is open: its steps speak of that.
    pub(super) fn start_tour(&mut self) {
        if self.model.base.is_demo() {
            self.popup = None;
            self.show(0);
            self.tour = Some(Tour::new(&self.model));
        } else {
            self.model.message = Some("the tour is of the demo: itm-explore --tour".into());
        }
    }

    /// Takes a key that goes on in the tour or ends it, where nothing else waits for it; whether it was one.
    pub(super) fn tour_key(&mut self, key: Key) -> bool {
        let is_free = self.popup.is_none() && !self.model.search.is_typing();
        if self.tour.is_none() || !is_free {
            return false;
        }
        match key.code {
            Code::Named("Enter") => self.next_step(),
            Code::Named("Esc") => self.tour = None,
            _ => return false,
        }
        true
    }

    /// Goes on to the next step of the tour.
    fn next_step(&mut self) {
        self.tour = self.tour.take().and_then(|tour| tour.next(&self.model));
    }

    /// Goes on in the tour where what its step waits for was done.
    pub(super) fn follow_tour(&mut self) {
        let did = std::mem::take(&mut self.did);
        let is_done = self.tour.as_ref().is_some_and(|tour| {
            tour.is_done(&self.model) || did.is_some_and(|action| tour.waits_for(action))
        });
        if is_done {
            self.next_step();
        }
    }
}
