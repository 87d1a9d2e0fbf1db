//! Runs the viewer in a terminal, with the jobs that paint its picture and write its figures.

use std::sync::mpsc::{Receiver, Sender, channel};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, Viewer, draw};
use crate::error::{Error, Result};
use crate::figure::localisation::Localisation;
use crate::jobs::{BoxedPicture, ExportFile, Job, Outcome, PaintBoxes, Runner};
use crate::phrase::localisation::SortBy;
use crate::tui::effect::Effect;
use crate::tui::event::Event;
use crate::tui::pictures::{ImageBackend, Way};
use crate::tui::run::{Leaves, Program, run as run_program};

/// Shows failures until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails.
pub fn run(of: Localisation<'_>, by: SortBy, look: Look) -> Result<u8> {
    let Look { keymap, theme, colours, pictures, mouse } = look;
    let ended = run_program((colours, mouse), Some(pictures), |size, sender| {
        let viewer = Viewer::new(of, by, (keymap, theme), size);
        let (paints, painted) = runner(PaintBoxes, &sender);
        let (writes, written) = runner(ExportFile, &sender);
        Browser { viewer, paints, painted, writes, written, before: None }
    })?;
    ended.outcome?.into_code()
}

/// The viewer, what paints its pictures and writes its figures, and what comes of it.
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
        self.paints.ask(self.viewer.wanted_picture());
        self.writes.ask(self.viewer.wanted_figure());
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
        draw(&self.viewer, area, buf)
    }

    fn start_pictures(&mut self, backend: Option<ImageBackend>) {
        self.viewer.start_pictures(backend);
    }

    fn forget_pictures(&mut self) {
        self.viewer.painted.clear();
    }

    fn leaves_traces(&mut self) -> bool {
        let way = self.viewer.backend.as_ref().map(ImageBackend::way);
        let now = self.viewer.picture().filter(|_| way.is_some_and(Way::leaves_traces));
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
