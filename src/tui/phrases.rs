//! Phrases that a model does not localise, one by one on their pictures: `phrases localize --browse`. It has the keys and
//! the look of the explorer, and needs no scores.

mod view;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::action::Action;
use super::context::Ui;
use super::effect::Effect;
use super::event::Event;
use super::event::terminal::Colours;
use super::keymap::{Code, Keymap, Keys};
use super::pictures::{ImageBackend, ImageMode, Painted, leaves_traces};
use super::run::{Leaves, Program, run as run_program};
use super::theme::Theme;
use super::ui::hits::{ListId, Target};
use super::ui::list::Scrolled;
use crate::data::text::{count, shown};
use crate::error::Error;
use crate::figure::localisation::Localisation;
use crate::jobs::{
    BoxedPicture, Export, ExportFile, IfExists, Job, NotWritten, Outcome, PaintBoxes, Runner,
    Shows, Wanted,
};
use crate::phrase::PhraseType;
use crate::phrase::localisation::{Failure, SortBy};
use crate::phrase::rect::Rect as Box;
use crate::picture::Why;
pub use view::draw;

/// How it starts.
pub struct Look {
    /// The bindings.
    pub keymap: Keymap,
    /// Name and look.
    pub theme: (String, Theme),
    /// What the terminal can show.
    pub colours: Colours,
    /// How pictures are to be shown.
    pub pictures: ImageMode,
    /// Whether the mouse is ours.
    pub mouse: bool,
}

/// The list of failures.
const FAILURES: ListId = "failures";

/// The failures that are listed, and the one that is looked at.
pub struct Viewer<'a> {
    /// What failed at what.
    pub of: Localisation<'a>,
    /// All failures, in order.
    pub all: Vec<Failure<'a>>,
    /// Places in `all` of those that are listed.
    pub listed: Vec<usize>,
    /// What they are sorted by.
    pub by: SortBy,
    /// The type of phrases that is listed; `None` for all.
    pub kind: Option<PhraseType>,
    /// The model whose failures are listed; `None` for all.
    pub model: Option<usize>,
    /// Place of the selected line.
    pub selected: usize,
    scrolled: Scrolled,
    /// Failures that are marked.
    pub marked: Vec<Failure<'a>>,
    /// Whether boxes are drawn.
    pub has_boxes: bool,
    /// Whether the picture has the whole screen.
    pub is_alone: bool,
    /// Whether the keys are shown.
    pub is_helping: bool,
    /// Keys, look and size.
    pub ui: Ui,
    /// One line of news; the next key removes it.
    pub message: Option<String>,
    /// Keys after the leader key, which go on.
    typed: Keys,
    /// How the terminal takes pictures; `None` where it takes none.
    pub backend: Option<ImageBackend>,
    painted: Vec<(BoxedPicture, Result<Painted, Why>, Option<Why>)>,
    /// The figure that is being written.
    writing: Option<Arc<Export>>,
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
            scrolled: Scrolled::default(),
            marked: Vec::new(),
            has_boxes: true,
            is_alone: false,
            is_helping: false,
            ui: Ui::new(keymap, theme, size),
            message: None,
            typed: Keys::default(),
            backend: None,
            painted: Vec::new(),
            writing: None,
        };
        viewer.list(None);
        viewer
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

    /// Where list, picture and details are. Without pictures details have their place.
    pub fn parts(&self) -> [Rect; 3] {
        let body = self.ui.frame().body;
        let is_wide = body.width >= BESIDE;
        let [list, rest] = match (self.is_alone, is_wide) {
            (true, _) => [Rect::default(), body],
            (false, false) => body.layout(&Layout::vertical(SHARES)),
            (false, true) => body.layout(&Layout::horizontal(SHARES)),
        };
        let has_pictures = self.backend.is_some();
        let below = if has_pictures { DETAIL.min(rest.height / 2) } else { rest.height };
        let parts = [Constraint::Fill(1), Constraint::Length(below)];
        let [picture, detail] = rest.layout(&Layout::vertical(parts));
        [list, picture, detail]
    }

    /// Takes whatever happened.
    pub fn handle(&mut self, event: &Event) -> Option<Effect> {
        match *event {
            Event::Key(key) => {
                self.message = None;
                self.typed.0.push(key);
                if let Some(action) = self.ui.keymap.action(&self.typed) {
                    self.typed.0.clear();
                    return self.act(action);
                }
                if self.ui.keymap.after(&self.typed.0).next().is_some() {
                    self.message = Some(format!("{} …", self.typed));
                    return None;
                }
                if !matches!(key.code, Code::Named(_)) {
                    self.message = Some(format!("{} is not bound here", self.typed));
                }
                self.typed.0.clear();
            }
            Event::Click(x, y) => {
                let hit = self.ui.hits.borrow().at((x, y), self.ui.size);
                match hit {
                    Some((_, Target::Row(FAILURES, at))) => self.selected = at,
                    Some((_, Target::Do(action))) => return self.act(action),
                    _ => {}
                }
            }
            Event::Wheel(_, _, by) => self.step(by),
            Event::Resize(columns, rows) => self.ui.size = (columns, rows),
            Event::Signal(libc::SIGTSTP) => return Some(Effect::Suspend),
            Event::Signal(libc::SIGCONT) => return Some(Effect::Redraw),
            _ => {}
        }
        None
    }

    fn act(&mut self, action: Action) -> Option<Effect> {
        if let Some(by) = action.lines(self.scrolled.page()) {
            self.step(by);
            return None;
        }
        match action {
            Action::Quit => return Some(Effect::Quit(None)),
            Action::Redraw => return Some(Effect::Redraw),
            Action::CopyRow | Action::Copy => return self.copied().map(Effect::Copy),
            Action::Help => self.is_helping = !self.is_helping,
            Action::Close if self.is_helping => self.is_helping = false,
            Action::Close if self.is_alone => self.is_alone = false,
            Action::Close => self.marked.clear(),
            Action::Detail | Action::Zoom => self.is_alone = !self.is_alone,
            Action::Boxes => self.has_boxes = !self.has_boxes,
            Action::Theme => drop(self.ui.next_theme()),
            Action::Sort => self.sort(),
            Action::Filter => self.step_kind(),
            Action::NextModel => self.step_model(1),
            Action::PreviousModel => self.step_model(-1),
            Action::Pick | Action::Mark => self.toggle_mark(),
            Action::Export => self.export(),
            other => self.message = Some(format!("{} does nothing here", other.name())),
        }
        None
    }

    fn step(&mut self, by: isize) {
        let to = self.selected.saturating_add_signed(by);
        self.selected = to.min(self.listed.len().saturating_sub(1));
    }

    /// Lists the failures of the type and the model, this one selected if it is among them.
    fn list(&mut self, chosen: Option<Failure<'a>>) {
        let model = self.model.map(|at| &self.of.models[at]);
        let is_listed = |failure: &Failure<'_>| {
            model.is_none_or(|model| std::ptr::eq(model, failure.model))
                && self.kind.is_none_or(|kind| failure.target.types.contains(kind))
        };
        let places = (0..self.all.len()).filter(|&at| is_listed(&self.all[at]));
        self.listed = places.collect();
        let is_it = |&at: &usize| chosen.is_some_and(|chosen| chosen.is(&self.all[at]));
        self.selected = self.listed.iter().position(is_it).unwrap_or(0);
    }

    fn sort(&mut self) {
        let chosen = self.chosen();
        let at = SortBy::ALL.iter().position(|by| *by == self.by);
        self.by = SortBy::ALL[at.map_or(0, |at| (at + 1) % SortBy::ALL.len())];
        self.all = self.of.failures(self.by);
        self.list(chosen);
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

    /// Has a figure of what is marked written, or else of what is looked at.
    fn export(&mut self) {
        let some = match (&*self.marked, self.chosen()) {
            ([], None) => return,
            ([], Some(chosen)) => vec![chosen],
            (marked, _) => marked.to_vec(),
        };
        let figure = self.of.figure(&some, self.all.len(), self.by);
        self.writing = Some(Arc::new(Export {
            shows: Shows::Boxes(figure),
            path: "phrases.pdf".into(),
            ending: "pdf",
            if_exists: IfExists::Number,
            session: None,
        }));
    }

    /// Takes what became of it.
    fn take_figure(&mut self, outcome: Outcome<ExportFile>) {
        self.writing = None;
        self.message = Some(match outcome {
            Err(panic) => panic,
            Ok((_, Err(NotWritten::Refused(_, why)))) => why.into(),
            Ok((_, Err(NotWritten::Failed(error)))) => error.to_string().replace("\n ", ";"),
            Ok((export, Ok(exported))) => {
                let figure = match &export.shows {
                    Shows::Boxes(figure) => count(figure.all.len(), "phrase"),
                    _ => String::new(),
                };
                let warnings = exported.warnings.iter().map(|said| format!("; {said}"));
                let warnings = warnings.collect::<Vec<_>>().concat();
                format!("wrote {}: {figure}{warnings}", exported.path.display())
            }
        });
    }

    /// What is to be drawn in the place of the picture.
    pub fn picture(&self) -> Option<BoxedPicture> {
        let chosen = self.chosen().filter(|_| self.backend.is_some())?;
        let [_, area, _] = self.parts();
        let [of_truth, of_predicted] = self.ui.theme.localised_colours();
        let framed = |(rect, colour): (Box, [u8; 3])| (self.of.shares(&chosen, rect), colour);
        let truth = self.of.truth(&chosen).into_iter();
        let first = chosen.outcome.first.filter(|first| first.is_sound());
        let boxes =
            truth.map(|rect| (rect, of_truth)).chain(first.map(|rect| (rect, of_predicted)));
        (area.area() > 0).then(|| BoxedPicture {
            file_name: self.of.image(&chosen).file_name.clone(),
            size: self.of.image(&chosen).size,
            boxes: boxes.filter(|_| self.has_boxes).map(framed).collect(),
            place: (area.width, area.height),
        })
    }

    fn known(&self, of: &BoxedPicture) -> Option<(&Result<Painted, Why>, Option<&Why>)> {
        let mut painted = self.painted.iter();
        let (_, known, lacks) = painted.find(|(picture, ..)| picture == of)?;
        Some((known, lacks.as_ref()))
    }

    /// The picture as it is painted, and why it is not on it; `None` while it is being painted.
    pub fn shown_picture(&self) -> Option<(&Result<Painted, Why>, Option<&Why>)> {
        self.known(&self.picture()?)
    }

    /// Keeps a picture that was painted.
    fn take_picture(&mut self, outcome: Outcome<PaintBoxes>) {
        match outcome {
            Ok(painted) => self.painted.push(painted),
            Err(panic) => self.message = Some(panic),
        }
        let more = self.painted.len().saturating_sub(KEPT);
        self.painted.drain(..more);
    }
}

/// Narrower terminals have the list above the rest.
const BESIDE: u16 = 70;
/// What the list has of the screen, and the rest.
const SHARES: [Constraint; 2] = [Constraint::Fill(9), Constraint::Fill(11)];
/// Rows of the details, with the frame.
const DETAIL: u16 = 11;
/// Painted pictures that are kept.
const KEPT: usize = 12;

/// Shows failures until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails.
pub fn run(of: Localisation<'_>, by: SortBy, look: Look) -> crate::error::Result<u8> {
    let Look { keymap, theme, colours, pictures, mouse } = look;
    let ended = run_program((colours, mouse), Some(pictures), |size, sender| {
        let viewer = Viewer::new(of, by, (keymap, theme), size);
        let (paints, painted) = runner(PaintBoxes, &sender);
        let (writes, written) = runner(ExportFile, &sender);
        Browser { viewer, paints, painted, writes, written, before: None }
    })?;
    ended.outcome?.into_code()
}

/// The viewer with the jobs that paint its pictures and write its figures.
struct Browser<'a> {
    viewer: Viewer<'a>,
    paints: Runner<PaintBoxes>,
    painted: Receiver<Outcome<PaintBoxes>>,
    writes: Runner<ExportFile>,
    written: Receiver<Outcome<ExportFile>>,
    /// The picture of the frame before, where cells know nothing of it.
    before: Option<BoxedPicture>,
}

impl Program for Browser<'_> {
    fn ask(&mut self) {
        let viewer = &self.viewer;
        self.paints.ask(viewer.backend.as_ref().map(|backend| {
            let missing = viewer.picture().filter(|picture| viewer.known(picture).is_none());
            let input = || (backend.clone(), viewer.of.pictures.cloned());
            Wanted::parts((), Vec::from_iter(missing), input)
        }));
        self.writes.ask(viewer.writing.as_ref().map(|export| Wanted::one((), || export.clone())));
    }

    fn handle(&mut self, event: Event) -> Option<Effect> {
        self.viewer.handle(&event)
    }

    fn quit(&mut self, reason: Option<Error>, _events: &Receiver<Event>) -> Leaves {
        self.writes.wait_idle();
        Some(reason)
    }

    fn size(&self) -> (u16, u16) {
        self.viewer.ui.size
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.viewer.ui.size = size;
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        for outcome in self.painted.try_iter() {
            self.viewer.take_picture(outcome);
        }
        for outcome in self.written.try_iter() {
            self.viewer.take_figure(outcome);
        }
        draw(&self.viewer, area, buf);
        None
    }

    fn start_pictures(&mut self, backend: Option<ImageBackend>) {
        self.viewer.backend = backend;
    }

    fn forget_pictures(&mut self) {
        self.viewer.painted.clear();
    }

    fn leaves_traces(&mut self) -> bool {
        let way = self.viewer.backend.as_ref().map(ImageBackend::way);
        let now = self.viewer.picture().filter(|_| way.is_some_and(leaves_traces));
        let before = std::mem::replace(&mut self.before, now);
        before.is_some() && before != self.before
    }
}

/// A job on its thread, whose answers come behind an event.
fn runner<J: Job>(job: J, events: &Sender<Event>) -> (Runner<J>, Receiver<Outcome<J>>) {
    let (answers, answered) = channel();
    let events = events.clone();
    let send = move |_, outcome| {
        // Whoever left wants no answers.
        let _ = answers.send(outcome);
        let _ = events.send(Event::Woken);
    };
    (Runner::new(job, send), answered)
}
