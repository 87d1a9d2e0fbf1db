//! The state of the viewer, and what it makes of keys and the mouse.

use std::sync::Arc;

use super::layout::{self, Parts};
use crate::data::text::shown;
use crate::figure::localisation::Localisation;
use crate::jobs::{BoxedPicture, Export};
use crate::phrase::PhraseType;
use crate::phrase::localisation::{Failure, SortBy};
use crate::picture::Why;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::event::Event;
use crate::tui::keymap::{Code, Keymap, Mode};
use crate::tui::pictures::{ImageBackend, Painted};
use crate::tui::screens::layout::{row_at, rows};
use crate::tui::theme::Theme;
use crate::tui::ui::Ui;

/// Lines of the list for the names of its columns.
pub(super) const NAMES: u16 = 1;

/// The failures that are listed, and the one that is looked at.
pub struct Viewer<'a> {
    /// What failed at what.
    pub of: Localisation<'a>,
    pub(super) all: Vec<Failure<'a>>,
    /// Places in `all` of those that are listed.
    listed: Vec<usize>,
    /// What they are sorted by.
    pub by: SortBy,
    /// The type of phrases that is listed; `None` for all.
    pub kind: Option<PhraseType>,
    /// The model whose failures are listed; `None` for all.
    pub model: Option<usize>,
    /// Place of the selected line.
    pub selected: usize,
    /// Place of the first line shown.
    pub offset: usize,
    pub(super) marked: Vec<Failure<'a>>,
    /// Whether boxes are drawn.
    pub has_boxes: bool,
    /// Whether the picture has the whole screen.
    pub is_alone: bool,
    /// Whether the keys are shown.
    pub is_helping: bool,
    /// What it is shown with.
    pub ui: Ui,
    /// One line of news; the next key removes it.
    pub message: Option<String>,
    pub(super) backend: Option<ImageBackend>,
    pub(super) painted: Vec<(BoxedPicture, Result<Painted, Why>, Option<Why>)>,
    /// The figure that is being written, and its file.
    pub(super) writing: Option<Arc<Export>>,
}

impl<'a> Viewer<'a> {
    /// All failures, in this order.
    pub fn new(
        of: Localisation<'a>,
        by: SortBy,
        (keymap, theme): (Keymap, (String, Theme)),
        size: (u16, u16),
    ) -> Self {
        let mut viewer = Viewer {
            all: of.failures(by),
            of,
            listed: Vec::new(),
            by,
            kind: None,
            model: None,
            selected: 0,
            offset: 0,
            marked: Vec::new(),
            has_boxes: true,
            is_alone: false,
            is_helping: false,
            ui: Ui::new(keymap, theme, size),
            message: None,
            backend: None,
            painted: Vec::new(),
            writing: None,
        };
        viewer.list(None);
        viewer
    }

    /// Shows pictures from now on, as a terminal takes them.
    pub fn start_pictures(&mut self, backend: Option<ImageBackend>) {
        self.backend = backend;
        self.follow();
    }

    /// The number of all failures.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The number of those that are listed.
    pub fn listed(&self) -> usize {
        self.listed.len()
    }

    /// The number of those that are marked.
    pub fn marks(&self) -> usize {
        self.marked.len()
    }

    /// A line of the list.
    pub fn line(&self, at: usize) -> Option<&Failure<'a>> {
        self.all.get(*self.listed.get(at)?)
    }

    /// Whether a failure is marked.
    pub fn is_marked(&self, failure: &Failure<'_>) -> bool {
        self.marked.iter().any(|marked| marked.is(failure))
    }

    /// The failure that is looked at.
    pub fn chosen(&self) -> Option<Failure<'a>> {
        self.line(self.selected).copied()
    }

    /// Where its parts are.
    pub fn parts(&self) -> Parts {
        layout::parts(self.ui.size, self.is_alone, self.backend.is_some())
    }

    /// Takes whatever happened.
    pub fn handle(&mut self, event: &Event) -> Option<Effect> {
        match *event {
            Event::Key(key) => {
                self.message = None;
                let action = self.ui.keymap.action(Mode::Everywhere, key);
                if let Some(action) = action {
                    return self.act(action);
                }
                if !matches!(key.code, Code::Named(_)) {
                    self.message = Some(format!("{key} is not bound here"));
                }
            }
            Event::Click(x, y) => {
                let at = row_at(self.parts().list, NAMES, x, y);
                if let Some(at) = at.filter(|at| self.offset + at < self.listed.len()) {
                    self.selected = self.offset + at;
                }
            }
            Event::Wheel(_, _, by) => self.step(by),
            Event::Resize(columns, rows) => self.resize((columns, rows)),
            Event::Signal(libc::SIGTSTP) => return Some(Effect::Suspend),
            Event::Signal(libc::SIGCONT) => return Some(Effect::Redraw),
            _ => {}
        }
        None
    }

    fn act(&mut self, action: Action) -> Option<Effect> {
        if let Some(by) = action.lines(rows(self.parts().list, NAMES).max(2) as isize / 2) {
            self.step(by);
            return None;
        }
        match action {
            Action::Quit => return Some(Effect::Quit(None)),
            Action::Suspend => return Some(Effect::Suspend),
            Action::Redraw => return Some(Effect::Redraw),
            Action::CopyRow | Action::Copy => return self.copied().map(Effect::Copy),
            Action::Help => self.is_helping = !self.is_helping,
            Action::Close if self.is_helping => self.is_helping = false,
            Action::Close if self.is_alone => self.is_alone = false,
            Action::Close => self.marked.clear(),
            Action::Detail | Action::Zoom => self.is_alone = !self.is_alone,
            Action::Boxes => self.has_boxes = !self.has_boxes,
            Action::Theme => {
                let name = self.ui.next_theme();
                self.message = Some(format!("theme {name}"));
            }
            Action::Sort => self.sort(),
            Action::Filter => self.step_kind(),
            Action::NextModel => self.step_model(1),
            Action::PreviousModel => self.step_model(-1),
            Action::Pick | Action::Mark => self.toggle_mark(),
            Action::Export => self.export(),
            other => self.message = Some(format!("{} does nothing here", other.name())),
        }
        self.follow();
        None
    }

    fn step(&mut self, by: isize) {
        let to = self.selected.saturating_add_signed(by);
        self.selected = to.min(self.listed.len().saturating_sub(1));
        self.follow();
    }

    fn follow(&mut self) {
        let rows = rows(self.parts().list, NAMES);
        self.offset = self.ui.follow(self.offset, self.selected, rows);
    }

    /// Takes a new size of the terminal.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.ui.size = size;
        self.follow();
    }

    /// Lists the failures of the type and the model, this one selected if it is among them.
    fn list(&mut self, chosen: Option<Failure<'a>>) {
        let is_of_model = |failure: &Failure<'_>| {
            let model = self.model.map(|at| &self.of.models[at]);
            model.is_none_or(|model| std::ptr::eq(model, failure.model))
        };
        let is_listed = |failure: &Failure<'_>| {
            let types = failure.target.types;
            is_of_model(failure) && self.kind.is_none_or(|kind| types.contains(kind))
        };
        let places = (0..self.all.len()).filter(|&at| is_listed(&self.all[at]));
        self.listed = places.collect();
        let is_it = |&at: &usize| chosen.is_some_and(|chosen| chosen.is(&self.all[at]));
        self.selected = self.listed.iter().position(is_it).unwrap_or(0);
        self.follow();
    }

    fn sort(&mut self) {
        let chosen = self.chosen();
        let at = SortBy::ALL.iter().position(|by| *by == self.by);
        self.by = SortBy::ALL[at.map_or(0, |at| (at + 1) % SortBy::ALL.len())];
        self.all = self.of.failures(self.by);
        self.list(chosen);
        self.message = Some(format!("sorted by {}", self.by.words()));
    }

    /// Lists the failures of the next type that has any, after the last those of all.
    fn step_kind(&mut self) {
        let chosen = self.chosen();
        let kinds = PhraseType::VISUAL.into_iter();
        let has = |kind: &PhraseType| self.all.iter().any(|one| one.target.types.contains(*kind));
        let kinds: Vec<PhraseType> = kinds.filter(has).collect();
        let at = self.kind.and_then(|kind| kinds.iter().position(|of| *of == kind));
        self.kind = kinds.get(at.map_or(0, |at| at + 1)).copied();
        self.list(chosen);
    }

    /// Lists the failures of the next model, after the last those of all.
    fn step_model(&mut self, by: isize) {
        if self.of.models.len() < 2 {
            self.message = Some("there is no other model".into());
            return;
        }
        let chosen = self.chosen();
        let count = self.of.models.len() as isize + 1;
        let at = self.model.map_or(0, |at| at as isize + 1);
        self.model = usize::try_from((at + by).rem_euclid(count) - 1).ok();
        self.list(chosen);
    }

    fn toggle_mark(&mut self) {
        let Some(chosen) = self.chosen() else {
            return;
        };
        if self.is_marked(&chosen) {
            self.marked.retain(|marked| !marked.is(&chosen));
        } else {
            self.marked.push(chosen);
        }
        self.step(1);
    }

    /// A failure for other programs: what names it, and how far the first box covers it.
    fn copied(&mut self) -> Option<String> {
        let chosen = self.chosen()?;
        let target = chosen.target;
        let line = [
            chosen.model.name.clone(),
            self.of.image(&chosen).id.to_string(),
            target.sentence.to_string(),
            target.phrase.to_string(),
            shown(self.of.parts(&chosen)[1]),
            format!("{:.4}", chosen.outcome.best[0]),
        ];
        self.message = Some(format!("copied: {}", line.join("  ")));
        Some(line.join("\t"))
    }
}
