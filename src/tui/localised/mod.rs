//! Phrases that a model does not localise, one by one on their pictures: `localize --browse`. It has the keys and
//! the look of the explorer, and needs no scores.

mod layout;
mod pictures;
mod view;
mod viewer;

use std::sync::mpsc::{Receiver, Sender, channel};

use super::effect::Effect;
use super::event::terminal::{Colours, Terminal};
use super::event::{self, Event, Input};
use super::keymap::Keymap;
use super::pictures::{ImageBackend, ImageMode, Way};
use super::theme::Theme;
use crate::error::{Error, Result};
use crate::figure::localisation::Localisation;
use crate::jobs::{ExportFile, Job, Outcome, PaintBoxes, Runner};
use crate::phrase::localisation::SortBy;
pub use view::draw;
pub use viewer::Viewer;

/// What it is shown with.
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

/// Shows failures until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails.
pub fn run(of: Localisation<'_>, by: SortBy, look: Look) -> Result<u8> {
    let fail = |error: std::io::Error| Error::new("the terminal", error);
    let (sender, events) = channel();
    let input = Input::default();
    event::read_signals(sender.clone(), input.clone()).map_err(fail)?;
    let mut terminal = Terminal::enter(look.colours, look.mouse).map_err(fail)?;
    let size = terminal.size().map_err(fail)?;
    let mut viewer = Viewer::new(of, by, (look.keymap, look.theme), size);
    terminal.draw(|area, buffer| draw(&viewer, area, buffer)).map_err(fail)?;
    let mut backend = Backend::new(&sender);
    let probed = event::probe::probe(look.pictures);
    viewer.start_pictures(probed.backend);
    for key in probed.keys {
        // The receiver waits for them in the same thread.
        let _ = sender.send(Event::Key(key));
    }
    event::read_input(sender, input.clone()).map_err(fail)?;
    let outcome = explore(&mut viewer, &mut backend, &mut terminal, (&events, &input));
    drop(terminal);
    input.leave();
    outcome.map_err(fail)
}

/// Takes events and draws until it ends; gives the exit code.
fn explore(
    viewer: &mut Viewer<'_>,
    backend: &mut Backend,
    terminal: &mut Terminal,
    (events, input): (&Receiver<Event>, &Input),
) -> std::io::Result<u8> {
    loop {
        backend.ask(viewer);
        let before = viewer.traced();
        let closed = || Event::Closed("nothing more is read".into());
        let first = events.recv().unwrap_or_else(|_| closed());
        for event in std::iter::once(first).chain(events.try_iter()) {
            input.took(&event);
            if let Some(signal) = input.signal() {
                return Ok(128 + signal as u8);
            }
            if let Event::Closed(why) = event {
                return Err(std::io::Error::other(why));
            }
            match viewer.handle(&event) {
                None => {}
                Some(Effect::Quit(_) | Effect::Leave(_)) => {
                    backend.finish();
                    return Ok(0);
                }
                Some(Effect::Copy(text)) => terminal.copy(&text)?,
                Some(Effect::Redraw) => {
                    viewer.forget_pictures();
                    terminal.forget()?;
                }
                Some(Effect::Suspend) => {
                    input.pause(true);
                    terminal.suspend()?;
                    input.pause(false);
                    viewer.forget_pictures();
                    viewer.resize(terminal.size()?);
                }
            }
            backend.ask(viewer);
        }
        backend.answers(viewer);
        if before.is_some() && before != viewer.traced() {
            terminal.forget()?;
        }
        terminal.draw(|area, buffer| {
            let size = (area.width, area.height);
            if size != viewer.ui.size {
                viewer.resize(size);
            }
            draw(viewer, area, buffer)
        })?;
    }
}

/// What paints pictures and writes figures, and what comes of it.
struct Backend {
    paints: Runner<PaintBoxes>,
    painted: Receiver<Outcome<PaintBoxes>>,
    writes: Runner<ExportFile>,
    written: Receiver<Outcome<ExportFile>>,
}

impl Backend {
    fn new(events: &Sender<Event>) -> Self {
        let (paints, painted) = runner(PaintBoxes, events);
        let (writes, written) = runner(ExportFile, events);
        Backend { paints, painted, writes, written }
    }

    fn ask(&mut self, viewer: &Viewer<'_>) {
        self.paints.ask(viewer.wanted_picture());
        self.writes.ask(viewer.wanted_figure());
    }

    fn answers(&self, viewer: &mut Viewer<'_>) {
        for outcome in self.painted.try_iter() {
            viewer.take_picture(outcome);
        }
        for outcome in self.written.try_iter() {
            viewer.take_figure(outcome);
        }
    }

    /// Waits until a figure is written that is under way.
    fn finish(&self) {
        self.writes.wait_idle();
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

impl Viewer<'_> {
    /// Where a picture was drawn of which cells know nothing.
    fn traced(&self) -> Option<crate::jobs::BoxedPicture> {
        let leaves = self.backend.as_ref().map(ImageBackend::way);
        self.picture().filter(|_| leaves.is_some_and(Way::leaves_traces))
    }
}
