//! The explorer: events in, actions, one frame out.
//!
//! The screen's thread waits for an event, takes all that are there, and draws once. It does nothing
//! that takes long: counting, ranking and searching are background [`jobs`](crate::jobs), and what is asked of
//! it is derived from the state after every event, so no action can forget to ask.

pub mod action;
pub mod app;
mod batch;
mod boxing;
mod copying;
pub mod effect;
pub mod event;
mod input;
mod judging;
pub mod keymap;
pub mod line;
mod lines;
pub mod localised;
pub mod model;
mod mouse;
mod painting;
pub mod pictures;

pub mod popup;
pub mod popups;
pub mod screen;
pub mod screens;
pub mod signs;
pub mod theme;
pub mod tour;
mod touring;
pub mod ui;
mod view;
pub mod widgets;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::data::text::shown;
use crate::error::{Error, Result};
pub use crate::jobs::Backend;
use crate::jobs::{Draft, inject_panic};
use crate::session::{Opened, StateFile};
use crate::study::{Inputs, Study};
use app::App;
use batch::{Batch, Held};
use effect::Effect;
use event::terminal::{Colours, Terminal};
use event::{Event, Input};
use keymap::Keymap;
use model::annotation_pool::PoolToJudge;
use model::view::HeaderMetrics;
use model::view_state::Memory;
use pictures::{ImageMode, Place, Way};
use theme::Theme;
pub use view::draw;

/// How the explorer starts.
pub struct Options {
    /// The bindings.
    pub keymap: Keymap,
    /// Name and look.
    pub theme: (String, Theme),
    /// What the terminal can show.
    pub colours: Colours,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// The session, and who gives verdicts.
    pub session: Opened,
    /// The annotator.
    pub annotator: String,
    /// What is to be said of that name, where the person at the keyboard has another one.
    pub of_another: Option<String>,
    /// How pictures are to be shown.
    pub pictures: ImageMode,
    /// A pool whose pairs are to be judged, and what others answered.
    pub pool: Option<PoolToJudge>,
    /// The inputs as they were typed.
    pub files: Vec<String>,
    /// What earlier runs left.
    pub memory: Memory,
    /// The file to which more is added, where there is one.
    pub state: Option<StateFile>,
    /// What is to be said at the start.
    pub warning: Option<String>,
    /// The two metrics of the header.
    pub header: HeaderMetrics,
    /// Whether it begins with the tour.
    pub tour: bool,
    /// What the study was opened from.
    pub inputs: Inputs,
    /// Whether files that change are read again unasked.
    pub watch: bool,
}

/// Runs the explorer until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails, or when no model has numbers (NaN in its matrix).
pub fn run(study: Study, options: Options) -> Result<u8> {
    let fail = |error: std::io::Error| Error::new("the terminal", error);
    let study = Arc::new(study);
    let (sender, events) = channel();
    let input = Input::default();
    event::read_signals(sender.clone(), input.clone()).map_err(fail)?;
    let mut terminal = Terminal::enter(options.colours, options.mouse).map_err(fail)?;
    let size = terminal.size().map_err(fail)?;
    let mut app = App::new(study.clone(), options.keymap, options.theme, size);
    app.model.memory = options.memory;
    app.model.header = options.header;
    app.model.keep_inputs(options.inputs);
    app.model.watch(options.watch);
    let saver = app.open_session(options.session, &options.annotator, options.files);
    let opened = [app.model.message.take(), options.of_another].into_iter().flatten();
    let opened: Vec<String> = opened.collect();
    let opened = (!opened.is_empty()).then(|| opened.join("; "));
    app.model.message = options.warning.or(opened);
    if let Some(pool) = options.pool {
        app.judge_pool(pool);
    }
    if options.tour {
        app.start_tour();
    }
    terminal.draw(|area, buffer| draw(&app, area, buffer)).map_err(fail)?;

    let of_backend = sender.clone();
    let mut backend = Backend::new(Arc::new(move |event| {
        // Nobody listens only while the program leaves.
        let _ = of_backend.send(event);
    }));
    if let Some(saver) = saver {
        backend.keep(saver);
    }
    if let Some(state) = options.state {
        backend.remember(state);
    }
    backend.ask(&app);
    if study.pictures.is_some() {
        show_pictures(options.pictures, &mut app, &sender);
    }
    event::read_input(sender, input.clone()).map_err(fail)?;
    let outcome = explore(&mut app, &mut backend, &events, &mut terminal, &input);
    drop(terminal);
    input.leave();
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
    outcome.map_err(fail)?.into_code()
}

/// Shows pictures as the terminal can, and passes on the keys pressed while it was asked.
fn show_pictures(mode: ImageMode, app: &mut App, events: &Sender<Event>) {
    let probed = event::probe::probe(mode);
    if let Some(backend) = probed.backend {
        app.start_pictures(backend);
    }
    for key in probed.keys {
        // The receiver waits for them in the same thread.
        let _ = events.send(Event::Key(key));
    }
}

/// Events that are taken before a frame is drawn, at most.
const MOST_EVENTS: usize = 1_000;

/// How the explorer was left.
enum Outcome {
    /// By the user, or because nothing is left to explore: everything is saved that is to be.
    Left(Option<Error>),
    /// By a signal.
    Signal(i32),
    /// Because the terminal went away.
    Closed(String),
}

impl Outcome {
    fn into_code(self) -> Result<u8> {
        match self {
            Outcome::Left(None) => Ok(0),
            Outcome::Left(Some(error)) => Err(error),
            Outcome::Signal(signal) => Ok(128 + signal as u8),
            Outcome::Closed(why) => Err(Error::new("the terminal", why)),
        }
    }
}

fn explore(
    app: &mut App,
    backend: &mut Backend,
    events: &Receiver<Event>,
    terminal: &mut Terminal,
    input: &Input,
) -> std::io::Result<Outcome> {
    let mut held = Held::default();
    let mut traces = Traces::default();
    loop {
        backend.ask(app);
        let mut batch = Batch::new(events, &mut held, app);
        for _ in 0..MOST_EVENTS {
            let Some(event) = batch.next(app) else {
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
            match app.handle(event) {
                None => {}
                Some(Effect::Quit(reason)) => match backend.finish(app, events) {
                    Ok(()) => return Ok(Outcome::Left(reason)),
                    Err(failure) => {
                        if !app.ask_where_to_save(failure.clone(), reason) {
                            return Ok(Outcome::Left(Some(failure)));
                        }
                    }
                },
                Some(Effect::Leave(reason)) => return Ok(Outcome::Left(reason)),
                Some(Effect::Copy(text)) => terminal.copy(&text)?,
                Some(Effect::Redraw) => {
                    app.forget_pictures();
                    terminal.forget()?;
                }
                Some(Effect::Suspend) => {
                    input.pause(true);
                    terminal.suspend()?;
                    input.pause(false);
                    app.forget_pictures();
                    let (columns, rows) = terminal.size()?;
                    app.resize((columns, rows));
                }
            }
            backend.ask(app);
        }
        backend.report(app);
        draw_frame(app, terminal)?;
        if traces.are_left(app) {
            terminal.forget()?;
            draw_frame(app, terminal)?;
        }
    }
}

fn draw_frame(app: &mut App, terminal: &mut Terminal) -> std::io::Result<()> {
    terminal.draw(|area, buffer| {
        // The terminal may have changed its size before the event that tells it is here.
        let size = (area.width, area.height);
        if size != app.ui.size {
            app.resize(size);
        }
        draw(app, area, buffer)
    })
}

/// Where pictures were drawn of which cells know nothing.
#[derive(Default)]
struct Traces(Vec<Place>, Option<Arc<Draft>>);

impl Traces {
    /// Whether pictures of the last frame are in the way of this one.
    fn are_left(&mut self, app: &App) -> bool {
        let places = if app.ui.picture_way().is_some_and(Way::leaves_traces) {
            app.ui.pictures.places()
        } else {
            Vec::new()
        };
        let gone = self.0.iter().any(|place| !places.contains(place));
        self.0 = places;
        let figure = app.figure_in_cells().cloned();
        let is_other = self.1.is_some() && self.1 != figure;
        self.1 = figure;
        gone || is_other
    }
}
