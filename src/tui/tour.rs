//! A tour of the explorer: each step explains a key to press, and ends when that was done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::action::Action;
use super::app::App;
use super::context::Context;
use super::state::Model;
use super::ui::{pane, text};

/// The tour at a step.
#[derive(Default)]
pub struct Tour {
    at: usize,
}

impl Tour {
    /// The tour at the next step; `None` after the last.
    pub(in crate::tui) fn next(self) -> Option<Self> {
        let at = self.at + 1;
        (at < STEPS.len()).then_some(Tour { at })
    }

    /// Whether the step's condition holds, or its action was the last one.
    fn is_done(&self, model: &Model, did: Option<Action>) -> bool {
        match STEPS[self.at].until {
            Until::Is(is_done) => is_done(model),
            Until::Does(wanted) => did.is_some_and(|action| wanted.contains(&action)),
        }
    }

    /// Step number from 1, and the count.
    pub fn place(&self) -> (usize, usize) {
        (self.at + 1, STEPS.len())
    }
}

impl App {
    /// Starts the tour if the demo is open, which its steps describe.
    pub(super) fn start_tour(&mut self) {
        if self.model.base.is_demo() {
            self.popup = None;
            self.show(0);
            self.tour = Some(Tour::default());
        } else {
            self.model.message = Some("the tour is of the demo: itm-explore --tour".into());
        }
    }

    /// Whether the tour's keys apply: nothing else has the focus.
    pub(super) fn has_tour(&self) -> bool {
        self.tour.is_some() && self.popup.is_none() && !self.model.search.is_typing()
    }

    pub(super) fn next_step(&mut self) {
        self.tour = self.tour.take().and_then(Tour::next);
    }

    /// Continues the tour once its step is done.
    pub(super) fn follow_tour(&mut self) {
        let did = std::mem::take(&mut self.did);
        if self.tour.as_ref().is_some_and(|tour| tour.is_done(&self.model, did)) {
            self.next_step();
        }
    }
}

/// Draws the step over the lower part of the body.
pub(in crate::tui) fn draw(tour: &Tour, cx: Context<'_>, buf: &mut Buffer) {
    let body = cx.ui.frame().body;
    let columns = usize::from(body.width.saturating_sub(4));
    let lines = text::wrap(&cx.ui.keymap.filled(STEPS[tour.at].words), columns);
    let height = (lines.len() as u16 + 2).min(body.height);
    let area = Rect { y: body.bottom() - height, height, ..body };
    Clear.render(area, buf);
    buf.set_style(area, cx.theme.base);
    let (place, count) = tour.place();
    let title = format!("tour {place}/{count}");
    let inner = pane::frame(title, "Enter: next, Esc: end", true, cx.theme, area, buf);
    let lines: Vec<Line> = lines.iter().map(|line| Line::from(format!(" {line}"))).collect();
    pane::lines(&lines, 0, inner, buf);
}

struct Step {
    /// Its text; an action's name in braces is replaced by its key.
    words: &'static str,
    /// End besides Enter.
    until: Until,
}

/// End of a step.
enum Until {
    /// One of these, or only Enter.
    Does(&'static [Action]),
    /// A condition on the model.
    Is(fn(&Model) -> bool),
}

/// A step for each of the five jobs.
const STEPS: &[Step] = &[
    Step {
        words: "Both numbers of this model stand at the top: R@1 asks whether the first item is a positive, mAP@R how \
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
    fn every_key_that_a_step_names_is_one() {
        let keymap = Keymap::load(None).unwrap();
        for step in STEPS {
            let words = keymap.filled(step.words);
            assert!(!words.contains(['{', '}']), "{words}");
        }
    }
}
