//! The event loop: it waits for an event, takes all that are there, and draws one frame. It does nothing that
//! takes long: that is left to jobs, which are asked after every event for what the state wants.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::Options;
use super::app::App;
use super::context::plain;
use super::effect::Effect;
use super::event::terminal::{Colours, Terminal};
use super::event::{self, Event, Input};
use super::pictures::{ImageBackend, ImageMode, Place, leaves_traces};
use super::screens::{footer, header};
use super::tour;
use super::ui::hits::Target;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::jobs::{Backend, Draft, inject_panic};
use crate::study::Study;

/// What runs in a terminal.
pub(super) trait Program {
    /// Asks jobs for what is wanted and not there.
    fn ask(&mut self);

    /// Takes an event.
    fn handle(&mut self, event: Event) -> Option<Effect>;

    /// Ends what must be finished before the program leaves; gives whether it leaves, and with which error.
    fn quit(&mut self, reason: Option<Error>, events: &Receiver<Event>) -> Leaves;

    /// How long a frame waits for an event; `None` for ever.
    fn patience(&self) -> Option<Duration> {
        None
    }

    /// Whether something that the frame shows will be there at once.
    fn is_incomplete(&self) -> bool {
        false
    }

    /// Columns and rows that it is drawn in.
    fn size(&self) -> (u16, u16);

    /// Takes a new size of the terminal.
    fn resize(&mut self, size: (u16, u16));

    /// Draws it; gives the cursor's place, where there is one.
    fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)>;

    /// Shows pictures as the terminal takes them; `None` where it takes none.
    fn start_pictures(&mut self, backend: Option<ImageBackend>);

    /// Forgets pictures that were drawn: the terminal lost them.
    fn forget_pictures(&mut self);

    /// Whether the terminal still has pictures of the frame before the one just drawn.
    fn leaves_traces(&mut self) -> bool;
}

/// Whether a program leaves, and with which error.
pub(super) type Leaves = Option<Option<Error>>;

/// How a program was left.
pub(super) enum Outcome {
    /// By the user, or because nothing is left to show: everything is saved that is to be.
    Left(Option<Error>),
    /// By a signal.
    Signal(i32),
    /// Because the terminal went away.
    Closed(String),
}

impl Outcome {
    /// The exit code.
    pub(super) fn into_code(self) -> Result<u8> {
        match self {
            Outcome::Left(None) => Ok(0),
            Outcome::Left(Some(error)) => Err(error),
            Outcome::Signal(signal) => Ok(128 + signal as u8),
            Outcome::Closed(why) => Err(Error::new("the terminal", why)),
        }
    }
}

/// A program that was left.
pub(super) struct Ended<P> {
    pub(super) program: P,
    pub(super) events: Receiver<Event>,
    pub(super) outcome: Result<Outcome>,
}

/// Takes the terminal, runs a program in it until that is left, and gives the terminal back. The program is made
/// for a size, with what takes events of jobs.
///
/// # Errors
/// When the terminal cannot be taken.
pub(super) fn run<P: Program>(
    (colours, mouse): (Colours, bool),
    pictures: Option<ImageMode>,
    make: impl FnOnce((u16, u16), Sender<Event>) -> P,
) -> Result<Ended<P>> {
    let fail = |error: std::io::Error| Error::new("the terminal", error);
    let (sender, events) = channel();
    let input = Input::default();
    event::read_signals(sender.clone(), input.clone()).map_err(fail)?;
    let mut terminal = Terminal::enter(colours, mouse).map_err(fail)?;
    let mut program = make(terminal.size().map_err(fail)?, sender.clone());
    draw_frame(&mut program, &mut terminal).map_err(fail)?;
    program.ask();
    if let Some(mode) = pictures {
        let probed = event::probe::probe(mode);
        program.start_pictures(probed.backend);
        for key in probed.keys {
            // The receiver waits for them in the same thread.
            let _ = sender.send(Event::Key(key));
        }
    }
    event::read_input(sender, input.clone()).map_err(fail)?;
    let outcome = explore(&mut program, &events, &mut terminal, &input).map_err(fail);
    drop(terminal);
    input.leave();
    Ok(Ended { program, events, outcome })
}

/// Events that are taken before a frame is drawn, at most.
const MOST_EVENTS: usize = 1_000;
/// How long a frame waits for what it shows and will be there at once: so that a step in a list and its ranking
/// appear together.
const MOMENT: Duration = Duration::from_millis(4);

fn explore(
    program: &mut impl Program,
    events: &Receiver<Event>,
    terminal: &mut Terminal,
    input: &Input,
) -> std::io::Result<Outcome> {
    let closed = |_| Event::Closed("nothing more is read".into());
    loop {
        program.ask();
        let mut first = match program.patience() {
            Some(patience) => events.recv_timeout(patience).ok(),
            None => Some(events.recv().unwrap_or_else(closed)),
        };
        let mut until = None;
        for _ in 0..MOST_EVENTS {
            let Some(event) = first.take().or_else(|| next(program, events, &mut until)) else {
                break;
            };
            input.took(&event);
            if let Some(signal) = input.signal() {
                return Ok(Outcome::Signal(signal));
            }
            if let Event::Closed(why) = event {
                return Ok(Outcome::Closed(why));
            }
            inject_panic(if matches!(event, Event::Key(_)) { "screen" } else { "" });
            match program.handle(event) {
                None => {}
                Some(Effect::Quit(reason)) => {
                    if let Some(error) = program.quit(reason, events) {
                        return Ok(Outcome::Left(error));
                    }
                }
                Some(Effect::Leave(reason)) => return Ok(Outcome::Left(reason)),
                Some(Effect::Copy(text)) => terminal.copy(&text)?,
                Some(Effect::Redraw) => {
                    program.forget_pictures();
                    terminal.forget()?;
                }
                Some(Effect::Suspend) => {
                    input.pause(true);
                    terminal.suspend()?;
                    input.pause(false);
                    program.forget_pictures();
                    program.resize(terminal.size()?);
                }
            }
            program.ask();
        }
        draw_frame(program, terminal)?;
        if program.leaves_traces() {
            terminal.forget()?;
            draw_frame(program, terminal)?;
        }
    }
}

/// An event that is there, or comes in the moment that a frame waits for what it shows.
fn next(
    program: &impl Program,
    events: &Receiver<Event>,
    until: &mut Option<Instant>,
) -> Option<Event> {
    if let Ok(event) = events.try_recv() {
        return Some(event);
    }
    if !program.is_incomplete() {
        return None;
    }
    let until = *until.get_or_insert_with(|| Instant::now() + MOMENT);
    events.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
}

fn draw_frame(program: &mut impl Program, terminal: &mut Terminal) -> std::io::Result<()> {
    terminal.draw(|area, buffer| {
        // The terminal may have changed its size before the event that tells it is here.
        let size = (area.width, area.height);
        if size != program.size() {
            program.resize(size);
        }
        program.draw(area, buffer)
    })
}

/// Runs the explorer until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails, or when no model has numbers (NaN in its matrix).
pub(super) fn run_explorer(study: Study, options: Options) -> Result<u8> {
    let study = Arc::new(study);
    let pictures = study.pictures.is_some().then_some(options.pictures);
    let terminal = (options.colours, options.mouse);
    let ended =
        run(terminal, pictures, |size, sender| Explorer::new(study, options, size, sender))?;
    let Ended { program: Explorer { mut app, mut backend, .. }, events, outcome } = ended;
    // Whoever leaves in another way was not asked where to save.
    let saved = match &outcome {
        Ok(Outcome::Left(_)) => Ok(()),
        _ => backend.finish(&mut app, &events),
    };
    backend.close();
    let saved_to = app.model.saved_to.iter();
    let mut saved_to = saved_to.map(|path| format!("saved to {}", shown(&path.to_string_lossy())));
    let is_killed = matches!(outcome, Ok(Outcome::Signal(_)));
    let line = app.model.farewell().or_else(|| saved_to.next()).filter(|_| !is_killed);
    if let Some(line) = line {
        // Where nobody reads it, nobody misses it.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    saved.map_err(|error| app.model.rescue(error))?;
    outcome?.into_code()
}

/// How often progress is drawn while something is counted.
const TICK: Duration = Duration::from_millis(80);

struct Explorer {
    app: App,
    backend: Backend,
    /// Where the frame before had pictures, and which figure.
    traces: (Vec<Place>, Option<Arc<Draft>>),
}

impl Explorer {
    fn new(
        study: Arc<Study>,
        options: Options,
        size: (u16, u16),
        sender: Sender<Event>,
    ) -> Explorer {
        let mut app = App::new(study, options.keymap, options.theme, size);
        app.model.memory = options.memory;
        app.model.header = options.header;
        app.model.keep_inputs(options.inputs);
        app.model.watch(options.watch);
        let saver = app.open_session(options.session, &options.annotator, options.files);
        let opened = [app.model.message.take(), options.of_another].into_iter().flatten();
        let opened = opened.collect::<Vec<_>>().join("; ");
        app.model.message = options.warning.or((!opened.is_empty()).then_some(opened));
        if let Some(pool) = options.pool {
            app.judge_pool(pool);
        }
        if options.tour {
            app.start_tour();
        }
        let mut backend = Backend::new(Arc::new(move |event| {
            // Nobody listens only while the program leaves.
            let _ = sender.send(event);
        }));
        if let Some(saver) = saver {
            backend.keep(saver);
        }
        if let Some(state) = options.state {
            backend.remember(state);
        }
        Explorer { app, backend, traces: (Vec::new(), None) }
    }
}

impl Program for Explorer {
    fn ask(&mut self) {
        self.backend.ask(&self.app);
    }

    fn handle(&mut self, event: Event) -> Option<Effect> {
        self.app.handle(event)
    }

    fn quit(&mut self, reason: Option<Error>, events: &Receiver<Event>) -> Leaves {
        match self.backend.finish(&mut self.app, events) {
            Ok(()) => Some(reason),
            Err(failure) if self.app.ask_where_to_save(failure.clone(), reason) => None,
            Err(failure) => Some(Some(failure)),
        }
    }

    fn patience(&self) -> Option<Duration> {
        let model = &self.app.model;
        (!model.wanted_counts().is_empty()).then_some(TICK)
    }

    fn is_incomplete(&self) -> bool {
        self.app.model.awaits_ranking()
    }

    fn size(&self) -> (u16, u16) {
        self.app.ui.size
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.app.resize(size);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        self.backend.report(&mut self.app);
        draw(&self.app, area, buf)
    }

    fn start_pictures(&mut self, backend: Option<ImageBackend>) {
        if let Some(backend) = backend {
            self.app.start_pictures(backend);
        }
    }

    fn forget_pictures(&mut self) {
        self.app.forget_pictures();
    }

    fn leaves_traces(&mut self) -> bool {
        let ui = &self.app.ui;
        let leaves = ui.picture_way().is_some_and(leaves_traces);
        let places = if leaves { ui.pictures.places() } else { Vec::new() };
        let figure = self.app.figure_in_cells().cloned();
        let (before, other) = std::mem::replace(&mut self.traces, (places, figure));
        let is_gone = before.iter().any(|place| !self.traces.0.contains(place));
        is_gone || other.is_some() && other != self.traces.1
    }
}

/// Draws the whole screen; gives the cursor's place, where there is one.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let (model, ui, cx) = (&app.model, &app.ui, plain(&app.model, &app.ui));
    ui.hits.borrow_mut().clear(area.as_size().into());
    ui.pictures.clear_places();
    ui.is_covered.set(app.popup.is_some());
    buf.set_style(area, ui.theme.base);
    let frame = ui.frame();
    if frame.is_too_small() {
        let words = format!("{}x{} is too small: needs 40x8", area.width, area.height);
        Line::styled(words, ui.theme.base).render(area, buf);
        return None;
    }
    header::draw(cx, &app.titles(), app.shown(), frame.header, buf);
    app.screen().draw(model, ui, frame.body, buf);
    if app.popup.is_some() {
        ui.hit(area, Target::Behind);
    }
    let typed = app.popup.as_ref().map_or(&[][..], |popup| popup.typed_keys());
    let mut cursor = footer::draw(cx, (typed, app.footer_hints()), frame.footer, buf);
    if let Some(popup) = &app.popup {
        ui.is_covered.set(false);
        cursor = popup.draw(cx, frame.body, buf).or(cursor);
    }
    // A line that is typed there stays in sight.
    let last = frame.footer;
    let is_typed = cursor.is_some_and(|(_, y)| y == last.y);
    footer::message(cx, Rect { y: last.y - u16::from(is_typed), ..last }, buf);
    if let Some(tour) = &app.tour {
        tour::draw(tour, cx, buf);
    }
    cursor
}
