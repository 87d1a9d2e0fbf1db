//! Results of background work, and what the state makes of them.

use super::app::{App, Effect, Numbers};
use crate::engine::Event;
use crate::error::Error;

impl App {
    /// Takes a result of background work.
    pub fn event(&mut self, event: Event) -> Option<Effect> {
        match event {
            Event::Counted(model, Ok(scores)) => {
                self.numbers[model] = Numbers::Ready(scores);
                self.forget_reasons();
                self.refresh_places();
                // A condition or an order may have waited for another model than the one looked at.
                if model == self.look.model || self.is_sifting() || self.is_ordered_by(model) {
                    self.refresh_judged();
                    self.browse_refresh();
                    self.record_numbers();
                } else if self.screen.shows_all() {
                    self.refresh_judged();
                }
            }
            Event::Sifted(sift, met) => self.take_sifted(&sift, &met),
            Event::Placed(placed) => self.take_places(placed),
            Event::Measured(model) => {
                if model == self.look.model {
                    self.refresh_popup();
                }
            }
            Event::Counted(model, Err(error)) => return self.lose_model(model, error),
            Event::Ranked(key, ranking) => self.take_ranking(key, ranking),
            Event::Found(found) => {
                if self.search.take(found) {
                    self.browse_from_top();
                    self.browse_refresh();
                }
            }
            Event::Derived(dials, Ok(study)) => self.take_study(dials, study),
            Event::Derived(dials, Err(error)) => self.refuse_dials(dials, &error),
            Event::Overlapped(key, overlaps) => self.take_overlaps(key, overlaps),
            Event::Tested(contest, tested) => self.take_tests(&contest, tested),
            Event::Explained(revision, found) => self.take_reason(revision, found),
            Event::Rescaled(key, found) => self.take_what_if(key, found),
            Event::Curved(key, point) => self.take_point(key, point),
            Event::Saved(revision, outcome) => self.book.take_saved(revision, outcome),
            Event::Checked(findings) => self.take_findings(findings),
            Event::Exported(export, outcome) => self.take_export(&export, outcome),
            Event::Panicked(words) => {
                self.forget_export();
                self.faults.push(words);
            }
        }
        None
    }

    /// A model without numbers is left; without any other there is nothing to explore.
    fn lose_model(&mut self, model: usize, error: Error) -> Option<Effect> {
        self.message = Some(error.to_string().replace("\n ", ";"));
        self.numbers[model] = Numbers::Failed(error.clone());
        self.forget_reasons();
        if self
            .numbers
            .iter()
            .all(|numbers| matches!(numbers, Numbers::Failed(_)))
        {
            return Some(Effect::Quit(Some(error)));
        }
        if model == self.look.model {
            let message = self.message.take();
            self.step_model(1);
            self.message = message;
        }
        None
    }
}
