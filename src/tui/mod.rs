//! The explorer: events in, actions, one frame out.
//!
//! The screen's thread waits for an event, takes all that are there, and draws once. It does nothing
//! that takes long: counting, ranking and searching are the engine's, and what is asked of it is
//! derived from the state after every batch, so no action can forget to ask.

pub mod action;
pub mod app;
mod dials;
pub mod event;
pub mod filter;
mod findings;
pub mod history;
pub mod judge;
pub mod keymap;
pub mod look;
pub mod overlay;
pub mod screens;
pub mod search;
pub mod signs;
pub mod theme;
pub mod trend;
pub mod widgets;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::data::Direction;
use crate::engine::{Deriver, Engine, Notify, PlaceKey, RankingKey, Scored, drill};
use crate::error::{Error, Result};
use crate::study::{Dials, Study};
use app::{App, Effect};
use event::terminal::{Colours, Terminal};
use event::{Event, Pause};
use keymap::Keymap;
use theme::Theme;

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
}

/// How often progress is drawn while something is counted.
const TICK: Duration = Duration::from_millis(80);
/// How long a frame waits for the ranking it shows: so that a step in the list and its ranking appear
/// together, well within a frame.
const PATIENCE: Duration = Duration::from_millis(8);

/// Runs the explorer until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails, or when no model has numbers (NaN in its matrix).
pub fn run(study: Study, options: Options) -> Result<u8> {
    let fail = |error: std::io::Error| Error::new("the terminal", error);
    let study = Arc::new(study);
    let mut terminal = Terminal::enter(options.colours, options.mouse).map_err(fail)?;
    let size = terminal.size().map_err(fail)?;
    let mut app = App::new(study.clone(), options.keymap, options.theme, size);
    terminal
        .draw(|area, buffer| draw(&app, area, buffer))
        .map_err(fail)?;

    let (sender, events) = channel();
    let pause = Pause::default();
    event::read_signals(sender.clone()).map_err(fail)?;
    event::read_input(sender.clone(), pause.clone()).map_err(fail)?;
    let mut desk = Desk::new(
        &study,
        Arc::new(move |event| {
            // Nobody listens only while the program leaves.
            let _ = sender.send(event);
        }),
    );
    let outcome = explore(&mut app, &mut desk, &events, &mut terminal, &pause);
    drop(terminal);
    outcome.map_err(fail)?.into_code()
}

/// How the explorer was left.
enum Outcome {
    /// By the user, or because nothing is left to explore.
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
    desk: &mut Desk,
    events: &Receiver<Event>,
    terminal: &mut Terminal,
    pause: &Pause,
) -> std::io::Result<Outcome> {
    loop {
        desk.ask(app);
        let mut batch = Batch::new(events, app);
        while let Some(event) = batch.next(app) {
            if let Event::Signal(signal @ (libc::SIGTERM | libc::SIGHUP | libc::SIGINT)) = event {
                return Ok(Outcome::Signal(signal));
            }
            if let Event::Closed(why) = event {
                return Ok(Outcome::Closed(why));
            }
            drill(if matches!(event, Event::Key(_)) {
                "screen"
            } else {
                ""
            });
            match app.handle(event) {
                None => {}
                Some(Effect::Quit(error)) => return Ok(Outcome::Left(error)),
                Some(Effect::Copy(text)) => terminal.copy(&text)?,
                Some(Effect::Redraw) => terminal.forget()?,
                Some(Effect::Suspend) => {
                    pause.set(true);
                    terminal.suspend()?;
                    pause.set(false);
                    let (columns, rows) = terminal.size()?;
                    app.resize((columns, rows));
                }
            }
            desk.ask(app);
        }
        app.progress = desk.progress(app);
        terminal.draw(|area, buffer| {
            // The terminal may have changed its size before the event that tells it is here.
            let size = (area.width, area.height);
            if size != app.size {
                app.resize(size);
            }
            draw(app, area, buffer)
        })?;
    }
}

/// The events of one frame: the first is waited for, the others are those already there, and then
/// the ranking on screen gets a moment to arrive.
struct Batch<'a> {
    events: &'a Receiver<Event>,
    wait: Wait,
    until: Option<Instant>,
}

/// How to wait for the next event.
#[derive(Clone, Copy)]
enum Wait {
    ForEver,
    AtMost(Duration),
    /// The first event of the frame is there.
    No,
}

impl<'a> Batch<'a> {
    fn new(events: &'a Receiver<Event>, app: &App) -> Self {
        // While something is counted, progress is drawn.
        let counting = !app.wanted_counts().is_empty();
        Batch {
            events,
            wait: if counting {
                Wait::AtMost(TICK)
            } else {
                Wait::ForEver
            },
            until: None,
        }
    }

    fn next(&mut self, app: &App) -> Option<Event> {
        match std::mem::replace(&mut self.wait, Wait::No) {
            Wait::ForEver => return self.events.recv().ok(),
            Wait::AtMost(patience) => return self.events.recv_timeout(patience).ok(),
            Wait::No => {}
        }
        if let Ok(event) = self.events.try_recv() {
            return Some(event);
        }
        if app.wanted_ranking().is_none() || app.ranking().is_some() {
            return None;
        }
        let until = *self.until.get_or_insert_with(|| Instant::now() + PATIENCE);
        self.events
            .recv_timeout(until.saturating_duration_since(Instant::now()))
            .ok()
    }
}

/// Hands events to the explorer; called from the engine's threads.
pub type Send = Arc<dyn Fn(Event) + std::marker::Send + Sync>;

/// The engine, and what it was last asked for.
pub struct Desk {
    engine: Engine,
    deriver: Deriver,
    asked: Asked,
    send: Send,
    /// Of the study that the engine works on.
    generation: u64,
}

#[derive(Default)]
struct Asked {
    counts: Vec<usize>,
    ranking: Option<RankingKey>,
    places: Vec<PlaceKey>,
    measure: Option<Arc<Scored>>,
    search: Option<(Direction, String)>,
    dials: Option<Dials>,
    check: bool,
}

/// What tells of which study an event is.
fn tagged(send: &Send, generation: u64) -> Notify {
    let send = send.clone();
    Arc::new(move |event| send(Event::Engine(generation, event)))
}

impl Asked {
    fn is_measured(&self, scored: &Arc<Scored>) -> bool {
        let asked = self.measure.as_ref();
        asked.is_some_and(|asked| Arc::ptr_eq(asked, scored))
    }
}

impl Desk {
    /// Nothing asked for yet.
    pub fn new(study: &Arc<Study>, send: Send) -> Self {
        let generation = 0;
        Desk {
            engine: Engine::new(study, &tagged(&send, generation)),
            deriver: Deriver::new(&{
                let send = send.clone();
                Arc::new(move |event| send(Event::Made(event)))
            }),
            asked: Asked::default(),
            send,
            generation,
        }
    }

    /// Waits until the engine has done all that it was asked for.
    pub fn wait_idle(&self) {
        self.deriver.wait_idle();
        self.engine.wait_idle();
    }

    /// Asks for what the state wants and was not asked for yet.
    pub fn ask(&mut self, app: &App) {
        if app.generation != self.generation {
            self.generation = app.generation;
            self.engine = Engine::new(&app.study, &tagged(&self.send, app.generation));
            self.asked = Asked {
                check: self.asked.check,
                ..Asked::default()
            };
        }
        let dials = app.wanted_dials();
        if let Some(dials) = dials.filter(|_| dials != self.asked.dials) {
            self.deriver.derive(app.base.clone(), dials);
        }
        self.asked.dials = dials;
        let counts = app.wanted_counts();
        if !counts.is_empty() && !self.asked.counts.ends_with(&counts) {
            self.engine.count(counts.clone());
            self.asked.counts = counts;
        }
        let ranking = app.wanted_ranking();
        if ranking != self.asked.ranking {
            if let Some(key) = ranking.filter(|_| app.ranking().is_none()) {
                self.engine.rank(key);
            }
            self.asked.ranking = ranking;
        }
        let places = app.wanted_places();
        if !places.is_empty() && places != self.asked.places {
            self.engine.place(places.clone());
            self.asked.places = places;
        }
        let measure = app.wanted_measure();
        if let Some((model, scored)) = &measure
            && !self.asked.is_measured(scored)
        {
            self.engine.measure(*model, scored.clone());
        }
        self.asked.measure = measure.map(|(_, scored)| scored);
        let search = app.search.wanted(app.look.direction);
        if search != self.asked.search {
            if let Some((direction, text)) = search.clone() {
                self.engine.search(direction, text);
            }
            self.asked.search = search;
        }
        if app.wants_check() && !self.asked.check {
            self.engine.check();
            self.asked.check = true;
        }
    }

    fn progress(&self, app: &App) -> Option<f64> {
        (!app.wanted_counts().is_empty()).then(|| self.engine.progress())
    }
}

impl App {
    /// Takes whatever happened.
    pub fn handle(&mut self, event: Event) -> Option<Effect> {
        match event {
            Event::Key(key) => return self.key(key),
            Event::Made(event) => return self.event(event),
            Event::Engine(generation, event) if generation == self.generation => {
                return self.event(event);
            }
            Event::Signal(libc::SIGTSTP) => return Some(Effect::Suspend),
            Event::Signal(libc::SIGCONT) => return Some(Effect::Redraw),
            Event::Paste(text) => self.paste(&text),
            Event::Click(x, y) if self.overlay.is_none() => self.click(x, y),
            Event::Wheel(x, y, by) if self.overlay.is_none() => self.wheel(x, y, by),
            Event::Wheel(_, _, by) => self.scroll_overlay(by as i32),
            Event::Click(..) => self.overlay = None,
            Event::Resize(columns, rows) => self.resize((columns, rows)),
            Event::Engine(..) | Event::Signal(_) | Event::Closed(_) => {}
        }
        None
    }
}

/// Draws the whole screen; gives the cursor's place, where there is one.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) -> Option<(u16, u16)> {
    let cursor = screens::browse::view::draw(app, area, buffer);
    overlay::view::draw(app, area, buffer).or(cursor)
}
