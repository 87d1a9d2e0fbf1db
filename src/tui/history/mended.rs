//! Steps that become other ones, or none: a drag is one step, and what was refused is none.

use super::{Change, History, Step};
use crate::data::index::ModelIx;
use crate::study::Dials;
use crate::tui::app::App;
use crate::tui::selection::View;

impl History {
    /// Whether the present step turned dials that stood so.
    pub(in crate::tui) fn has_turned(&self, dials: Dials) -> bool {
        let change = &self.steps[self.present].change;
        matches!(change, Some(Change::Dials { before, .. }) if *before == dials)
    }

    /// Forgets the steps that were undone.
    pub(in crate::tui) fn forget_undone(&mut self) {
        self.steps.truncate(self.present + 1);
    }

    /// Strikes out the step that turned the dials so, as if it had never been; gives where they stood
    /// before it. `None` where no step up to the present one did.
    pub(in crate::tui) fn strike(&mut self, refused: Dials) -> Option<Dials> {
        let is_it = |step: &Step| matches!(&step.change, Some(Change::Dials { after, .. }) if *after == refused);
        let at = self.steps[..=self.present].iter().rposition(is_it)?;
        let Some(Change::Dials { before: back, .. }) = self.steps.remove(at).change else {
            return None;
        };
        self.present -= 1;
        for step in &mut self.steps[at..] {
            if let Some(Change::Dials { before, .. }) = &mut step.change
                && *before == refused
            {
                *before = back;
            }
        }
        Some(back)
    }
}

impl App {
    /// Looks at something else.
    pub(super) fn look_away(&mut self, from: View, to: View) {
        if from.direction != to.direction {
            self.search.forget_results();
        }
        self.look_at(to);
    }

    /// Looks at something, as far as it is there.
    pub(super) fn look_at(&mut self, view: View) {
        self.view = view;
        // A mixture that is not made (yet): it is looked at once it is there.
        if view.model.get() >= self.study.models.len() {
            self.awaited_model = Some(view.model);
            self.view.model = ModelIx::default();
        }
    }

    /// Makes a change in the place of the present step's, which began where it begins.
    pub(in crate::tui) fn make_instead(&mut self, change: &Change) {
        let name = self.name_of(change);
        self.history.steps[self.history.present] = Step {
            name,
            numbers: None,
            change: Some(change.clone()),
        };
        self.apply(change, true);
    }
}
