//! A tour of the explorer: each step says what to press and why, and ends when that was done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};

use super::action::Action;
use super::app::App;
use super::context::Context;
use super::state::Model;
use super::ui::{pane, text};
use crate::filter::ready;
use crate::truth::Kind;

/// The tour, at one of its steps.
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

    /// Whether what the step waits for is the case now, or was the last action.
    fn is_done(&self, model: &Model, did: Option<Action>) -> bool {
        match STEPS[self.at].until {
            Until::Is(is_done) => is_done(model),
            Until::Does(wanted) => did.is_some_and(|action| wanted.contains(&action)),
        }
    }

    /// The step, from 1, and how many there are.
    pub fn place(&self) -> (usize, usize) {
        (self.at + 1, STEPS.len())
    }

    /// The keys that do what a step says, for whoever walks through all of it.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        STEPS.iter().map(|step| step.keys)
    }
}

impl App {
    /// Begins the tour, where the demo is open: its steps speak of that.
    pub(super) fn start_tour(&mut self) {
        if self.model.base.is_demo() {
            self.popup = None;
            self.show(0);
            self.tour = Some(Tour::default());
        } else {
            self.model.message = Some("the tour is of the demo: itm-explore --tour".into());
        }
    }

    /// Whether the keys of the tour hold: nothing else waits for them.
    pub(super) fn has_tour(&self) -> bool {
        self.tour.is_some() && self.popup.is_none() && !self.model.search.is_typing()
    }

    /// Goes on to the next step of the tour.
    pub(super) fn next_step(&mut self) {
        self.tour = self.tour.take().and_then(Tour::next);
    }

    /// Goes on in the tour where what its step waits for was done.
    pub(super) fn follow_tour(&mut self) {
        let did = std::mem::take(&mut self.did);
        if self.tour.as_ref().is_some_and(|tour| tour.is_done(&self.model, did)) {
            self.next_step();
        }
    }
}

/// Draws the step over the lower part of the screen's body.
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
    let inner = pane::frame(&title, "Enter: next, Esc: end", true, cx.theme, area, buf);
    let lines: Vec<Line> = lines.iter().map(|line| Line::from(format!(" {line}"))).collect();
    pane::lines(&lines, 0, inner, buf);
}

fn lists_missing_labels(model: &Model) -> bool {
    let ready = ready(&model.study, model.view);
    ready.iter().any(|of| of.name == "missing label" && of.expression == model.filter.text)
}

/// A step.
struct Step {
    /// What it says; the name of an action in braces stands for its key.
    words: &'static str,
    /// What ends it, if not Enter.
    until: Until,
    /// Keys that do what it says.
    keys: &'static str,
}

/// What ends a step.
enum Until {
    /// One of these actions, or Enter alone.
    Does(&'static [Action]),
    /// What is the case once it was done.
    Is(fn(&Model) -> bool),
}

/// All steps, in their order.
const STEPS: &[Step] = &[
    Step {
        words: "At the left are the queries, at the right is what the model ranks first for the selected one. \
                {down} and {up} go through the queries: go to the third. Press {next-pane} to go to its ranking.",
        until: Until::Does(&[Action::NextPane, Action::Right]),
        keys: "jj<Tab>",
    },
    Step {
        words: "● is a positive of the original annotation. ○ is a non-GT positive: a richer ground truth lists it, \
                the original annotation does not. Press {next-positive} to go to the next positive of this ranking.",
        until: Until::Does(&[Action::NextPositive]),
        keys: "]",
    },
    Step {
        words: "R@1 and mAP@R stand at the top. Under the original ground truth, no ○ counts as a positive. Press \
                {next-truth} until the ground truth is original, and watch both numbers.",
        until: Until::Is(|model| model.truth().kind == Kind::Original),
        keys: "rr",
    },
    Step {
        words: "Which model is better depends on it: by R@1 under original, careful leads; by mAP@R under rich, \
                broad does. Press {next-model} for the next model.",
        until: Until::Does(&[Action::NextModel, Action::PreviousModel]),
        keys: "m",
    },
    Step {
        words: "R@1 asks only whether the first item is a positive. mAP@R asks how many of the first R items are, and \
                how early they come. Press {define} for all metrics with their definitions, and {browse} to come back.",
        until: Until::Does(&[Action::Define]),
        keys: "=",
    },
    Step {
        words: "Which labels are missing? Press {filter}, then Down until \"missing label\" is chosen, and Enter: top-1 \
                is a positive that the original annotation does not list.",
        until: Until::Is(lists_missing_labels),
        keys: "1f<Down><Enter>",
    },
    Step {
        words: "Judge one yourself: {judge} begins the judging mode, then {verdict-yes} says that the selected item is \
                relevant. The numbers follow at once, and the verdict is kept by itself, beside your files.",
        until: Until::Is(|model| !model.judgements.verdicts.is_empty()),
        keys: "Jy",
    },
    Step {
        words: "Everything can be undone: {undo} takes back the last change, {redo} makes it again, {history} lists \
                them with R@1 and mAP@R after each. Press {undo}, then {judge} to end the judging.",
        until: Until::Is(|model| model.judgements.verdicts.is_empty() && !model.judging.is_on),
        keys: "uJ",
    },
    Step {
        words: "Press {compare} to see the models side by side on the same query; an item that you select is \
                found in every ranking.",
        until: Until::Does(&[Action::Compare]),
        keys: "2",
    },
    Step {
        words: "Press {pick} to pick this query for a figure.",
        until: Until::Is(|model| !model.session.picks().is_empty()),
        keys: "<Space>",
    },
    Step {
        words: "Press {picks} to see what you picked and its figure; where there is room for the list alone, \
                {next-pane} goes on to the figure. {export} writes it, for a paper or a page.",
        until: Until::Does(&[Action::Picks]),
        keys: "5",
    },
    Step {
        words: "{help} lists the keys of each screen and finds what you type; {palette} does every action by name. \
                With your own files: itm-explore sims.npy eccv.json. Enter ends the tour.",
        until: Until::Does(&[]),
        keys: "<Enter>",
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
