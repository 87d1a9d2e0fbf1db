//! A tour of the explorer: each step explains what to press, and ends once that is done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::action::Action;
use super::app::App;
use super::context::Context;
use super::state::Model;
use super::ui::{pane, text};

/// A running tour.
#[derive(Default)]
pub struct Tour {
    /// Index of the current step.
    step: usize,
}

impl Tour {
    /// The tour at the next step; `None` after the last.
    pub(in crate::tui) fn next(self) -> Option<Self> {
        let step = self.step + 1;
        (step < STEPS.len()).then_some(Tour { step })
    }

    /// Whether the step's condition holds, or `last_action` is one that ends it.
    fn is_done(&self, model: &Model, last_action: Option<Action>) -> bool {
        match STEPS[self.step].until {
            Until::Is(is_done) => is_done(model),
            Until::Does(actions) => last_action.is_some_and(|action| actions.contains(&action)),
        }
    }

    /// Number of the current step, from 1, and number of all steps.
    pub fn progress(&self) -> (usize, usize) {
        (self.step + 1, STEPS.len())
    }
}

impl App {
    /// Starts the tour if the demo is open, which its steps describe; else only shows a message.
    pub(super) fn start_tour(&mut self) {
        if self.model.base.is_demo() {
            self.popup = None;
            self.show_screen(0);
            self.tour = Some(Tour::default());
        } else {
            self.model.message = Some("the tour is of the demo: itm-explore --tour".into());
        }
    }

    /// Whether keys are for the tour: it runs, and no popup or search input has the focus.
    pub(super) fn has_tour_focus(&self) -> bool {
        self.tour.is_some() && self.popup.is_none() && !self.model.search.is_typing()
    }

    /// Goes to the next step, or ends the tour after the last.
    pub(super) fn next_tour_step(&mut self) {
        self.tour = self.tour.take().and_then(Tour::next);
    }

    /// Goes to the next step if the current one is done; called after every event.
    pub(super) fn follow_tour(&mut self) {
        let action = self.last_action.take();
        if self.tour.as_ref().is_some_and(|tour| tour.is_done(&self.model, action)) {
            self.next_tour_step();
        }
    }
}

/// Draws the step over the lower part of the body.
pub(in crate::tui) fn draw(tour: &Tour, cx: Context<'_>, buf: &mut Buffer) {
    let body = cx.ui.frame().body;
    let columns = usize::from(body.width.saturating_sub(4));
    let lines = text::wrap(&cx.ui.keymap.fill_in(STEPS[tour.step].words), columns);
    let height = (lines.len() as u16 + 2).min(body.height);
    let area = Rect { y: body.bottom() - height, height, ..body };
    Clear.render(area, buf);
    buf.set_style(area, cx.theme.base);
    let (number, count) = tour.progress();
    let title = format!("tour {number}/{count}");
    let inner = pane::draw_frame(title, "Enter: next, Esc: end", true, cx.theme, area, buf);
    let lines: Vec<Line> = lines.iter().map(|line| Line::from(format!(" {line}"))).collect();
    pane::draw_lines(&lines, 0, inner, buf);
}

/// A step of the tour.
struct Step {
    /// Explanation; an action's name in braces is replaced by its key.
    words: &'static str,
    /// What ends the step, besides Enter.
    until: Until,
}

/// What ends a step.
enum Until {
    /// Running one of these actions; if empty, only Enter ends it.
    Does(&'static [Action]),
    /// A condition on the model that becomes true.
    Is(fn(&Model) -> bool),
}

/// All steps, one for each of five tasks.
const STEPS: &[Step] = &[
    Step {
        words: "Both numbers of this model stand at the top: R@1 asks whether the top-1 item is a positive, mAP@R how \
                high all R positives stand. Beside them is R@1 as papers give it, by the original annotation alone.",
        until: Until::Does(&[]),
    },
    Step {
        words: "Which retrieved items are correct although the original annotation does not list them? Press {items}: \
                these are the non-GT positives (○). {down} and {up} go through them, {export} writes them to a file.",
        until: Until::Does(&[Action::Items]),
    },
    Step {
        words: "Which model is better, and how sure is that? Press {compare}.",
        until: Until::Does(&[Action::Compare]),
    },
    Step {
        words: "Judge an item yourself: {judge} begins, then {judge-yes} says that the selected item is relevant, \
                {judge-no} that it is not. Both numbers follow at once; {undo} takes it back.",
        until: Until::Is(|model| model.judgments.count() > 0),
    },
    Step {
        words: "{pick} picks this query for a figure; press {picks} to see it drawn, {export} there to write it. {help} \
                lists all keys. With your own files: itm-explore sims.npy eccv.json",
        until: Until::Does(&[Action::Picks]),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keymap::Keymap;

    #[test]
    fn every_action_name_in_braces_is_replaced() {
        let keymap = Keymap::load(None).unwrap();
        for step in STEPS {
            let words = keymap.fill_in(step.words);
            assert!(!words.contains(['{', '}']), "{words}");
        }
    }
}
