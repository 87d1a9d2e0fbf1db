//! The event loop: waits for an event, handles all pending ones, and draws one frame. Slow work is left to jobs, which
//! get requests after every event.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::Options;
use super::app::{App, Effect};
use super::context::plain;
use super::event::terminal::Terminal;
use super::event::{self, Event, Input};
use super::screens::{footer, header};
use super::state::export::one_line;
use super::thumbnails::{Place, is_unerasable};
use super::tour;
use super::ui::hits::Target;
use crate::error::{Error, Result};
use crate::jobs::{Backend, Draft, inject_panic};
use crate::study::Study;

/// Why the event loop ended.
enum Outcome {
    /// The user left, or nothing is left to show; everything is saved.
    Left(Option<Error>),
    /// A signal that ends the program arrived.
    Signal(i32),
    /// Input of the terminal ended, for this reason.
    Closed(String),
}

impl Outcome {
    fn into_exit_code(self) -> Result<u8> {
        match self {
            Outcome::Left(None) => Ok(0),
            Outcome::Left(Some(error)) => Err(error),
            Outcome::Signal(signal) => Ok(128 + signal as u8),
            Outcome::Closed(why) => Err(Error::new("the terminal", why)),
        }
    }
}

/// Maximum number of events that are handled before a frame is drawn.
const MAX_EVENTS_PER_FRAME: usize = 1_000;
/// Maximum time that a frame waits for a ranking, so that a step in a list and its ranking appear together.
const MAX_RANKING_WAIT: Duration = Duration::from_millis(4);
/// Time between two frames that show progress while ranks are computed.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(80);

/// Runs the explorer until the user leaves; returns the exit code.
///
/// # Errors
/// When the terminal fails, or when no model has numbers (NaN in its matrix).
pub(super) fn run_explorer(study: Study, options: Options) -> Result<u8> {
    let study = Arc::new(study);
    let thumbnails = study.image_files.is_some().then_some(options.thumbnails);
    let terminal_error = |error: std::io::Error| Error::new("the terminal", error);
    let (sender, events) = channel();
    let input = Input::default();
    event::start_signal_thread(sender.clone(), input.clone()).map_err(terminal_error)?;
    let mut terminal = Terminal::enter(options.colours, options.mouse).map_err(terminal_error)?;
    let size = terminal.size().map_err(terminal_error)?;
    let mut explorer = Explorer::new(study, options, size, sender.clone());
    explorer.draw_frame(&mut terminal).map_err(terminal_error)?;
    explorer.backend.request(&explorer.app);
    if let Some(mode) = thumbnails {
        let probed = event::probe::probe(mode);
        if let Some(backend) = probed.backend {
            explorer.app.start_thumbnails(backend);
        }
        for key in probed.keys {
            // Sending cannot fail: the receiver is in this function.
            let _ = sender.send(Event::Key(key));
        }
    }
    event::start_input_thread(sender, input.clone()).map_err(terminal_error)?;
    let outcome = explorer.run(&events, &mut terminal, &input).map_err(terminal_error);
    drop(terminal);
    input.set_restored();
    let Explorer { mut app, mut backend, .. } = explorer;
    let saved = match &outcome {
        Ok(Outcome::Left(_)) => Ok(()),
        _ => backend.finish(&mut app, &events),
    };
    backend.close();
    let is_killed = matches!(outcome, Ok(Outcome::Signal(_)));
    if let Some(line) = app.model.exit_message().filter(|_| !is_killed) {
        // A closed stderr does not matter.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    saved.map_err(|error| app.model.rescue_session(error).unwrap_or_else(|lost| lost))?;
    outcome?.into_exit_code()
}

/// The explorer, its background jobs, and the images of the previous frame.
struct Explorer {
    app: App,
    backend: Backend,
    /// Images and figure of the previous frame, if ratatui cannot erase them.
    unerasable: (Vec<Place>, Option<Arc<Draft>>),
}

impl Explorer {
    /// Opens the session, and the annotation pool and tour if wanted; starts the jobs, whose answers go to `sender`.
    fn new(
        study: Arc<Study>,
        options: Options,
        size: (u16, u16),
        sender: Sender<Event>,
    ) -> Explorer {
        let mut app = App::new(study, options.keymap, options.theme, size);
        app.model.results = options.results;
        app.model.set_inputs(options.inputs);
        app.model.watch(options.watch);
        let saver = app.open_session(options.session, &options.annotator, options.files);
        if let Some(pool) = options.pool {
            app.judge_pool(pool);
        }
        if options.tour {
            app.start_tour();
        }
        let mut backend = Backend::new(Arc::new(move |event| {
            // The receiver is gone only during exit.
            let _ = sender.send(event);
        }));
        if let Some(saver) = saver {
            backend.save_with(saver);
        }
        Explorer { app, backend, unerasable: (Vec::new(), None) }
    }

    /// Handles events and draws a frame after each batch, until the program ends.
    fn run(
        &mut self,
        events: &Receiver<Event>,
        terminal: &mut Terminal,
        input: &Input,
    ) -> std::io::Result<Outcome> {
        let no_sender = |_| Event::Closed("nothing more is read".into());
        loop {
            self.backend.request(&self.app);
            let mut first = if self.app.model.models_to_rank().is_empty() {
                Some(events.recv().unwrap_or_else(no_sender))
            } else {
                events.recv_timeout(PROGRESS_INTERVAL).ok()
            };
            let mut deadline = None;
            for _ in 0..MAX_EVENTS_PER_FRAME {
                let Some(event) = first.take().or_else(|| self.recv(events, &mut deadline)) else {
                    break;
                };
                input.count_handled(&event);
                if let Some(signal) = input.ending_signal() {
                    return Ok(Outcome::Signal(signal));
                }
                if let Event::Closed(why) = event {
                    return Ok(Outcome::Closed(why));
                }
                inject_panic(if matches!(event, Event::Key(_)) { "screen" } else { "" });
                match self.app.handle(event) {
                    None => {}
                    Some(Effect::Quit(reason)) => {
                        match self.backend.finish(&mut self.app, events) {
                            Ok(()) => return Ok(Outcome::Left(reason)),
                            Err(failure) => match self.app.model.rescue_session(failure) {
                                Ok(error) => return Ok(Outcome::Left(Some(error))),
                                Err(lost) => self.app.model.message = Some(one_line(&lost)),
                            },
                        }
                    }
                    Some(Effect::Copy(text)) => terminal.copy(&text)?,
                    Some(Effect::Redraw) => {
                        self.app.forget_images();
                        terminal.force_redraw()?;
                    }
                    Some(Effect::Suspend) => {
                        input.set_paused(true);
                        terminal.suspend()?;
                        input.set_paused(false);
                        self.app.forget_images();
                        self.app.resize(terminal.size()?);
                    }
                }
                self.backend.request(&self.app);
            }
            self.draw_frame(terminal)?;
            if self.update_unerasable() {
                terminal.force_redraw()?;
                self.draw_frame(terminal)?;
            }
        }
    }

    /// The next event before a frame: a pending one, or one that arrives while the frame waits for the ranking of the
    /// selected query. `None`: it is time to draw. `deadline`, the end of that wait, is set when the wait begins.
    fn recv(&self, events: &Receiver<Event>, deadline: &mut Option<Instant>) -> Option<Event> {
        if let Ok(event) = events.try_recv() {
            return Some(event);
        }
        if !self.app.model.awaits_ranking() {
            return None;
        }
        let deadline = *deadline.get_or_insert_with(|| Instant::now() + MAX_RANKING_WAIT);
        events.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
    }

    /// Draws a frame in the present size of the terminal, with the progress of the jobs.
    fn draw_frame(&mut self, terminal: &mut Terminal) -> std::io::Result<()> {
        terminal.draw(|area, buffer| {
            // The terminal may have a new size before the event that reports it is here.
            let size = (area.width, area.height);
            if size != self.app.ui.size {
                self.app.resize(size);
            }
            self.backend.report_progress(&mut self.app);
            draw(&self.app, area, buffer)
        })
    }

    /// Records the images of the last frame that ratatui cannot erase. Returns whether an image recorded before is not
    /// among them: only a full redraw removes it.
    fn update_unerasable(&mut self) -> bool {
        let ui = &self.app.ui;
        let is_unerasable = ui.image_protocol().is_some_and(is_unerasable);
        let places = if is_unerasable { ui.thumbnails.places() } else { Vec::new() };
        let figure = self.app.unerasable_figure().cloned();
        let (old_places, old_figure) = std::mem::replace(&mut self.unerasable, (places, figure));
        let is_gone = old_places.iter().any(|place| !self.unerasable.0.contains(place));
        is_gone || old_figure.is_some() && old_figure != self.unerasable.1
    }
}

/// Draws the whole screen; returns column and row of the cursor, if any.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let (model, ui, cx) = (&app.model, &app.ui, plain(&app.model, &app.ui));
    ui.hits.borrow_mut().clear(area.as_size().into());
    ui.thumbnails.clear_places();
    ui.is_covered.set(app.popup.is_some());
    buf.set_style(area, ui.theme.base);
    let frame = ui.frame();
    if frame.footer.is_empty() {
        let words = format!("{}x{} is too small: needs 40x8", area.width, area.height);
        Line::styled(words, ui.theme.base).render(area, buf);
        return None;
    }
    header::draw(cx, &app.tabs(), app.current_tab(), frame.header, buf);
    app.screen().draw(model, ui, frame.body, buf);
    if app.popup.is_some() {
        ui.add_target(area, Target::Behind);
    }
    let prompt_keys = app.popup.as_ref().map_or(&[][..], |popup| popup.prompt_keys());
    let mut cursor = footer::draw(cx, (prompt_keys, app.footer_hints()), frame.footer, buf);
    if let Some(popup) = &app.popup {
        ui.is_covered.set(false);
        cursor = popup.draw(cx, frame.body, buf).or(cursor);
    }
    // A text input over the footer stays visible.
    let last = frame.footer;
    let has_input = cursor.is_some_and(|(_, y)| y == last.y);
    footer::draw_message(cx, Rect { y: last.y - u16::from(has_input), ..last }, buf);
    if let Some(tour) = &app.tour {
        tour::draw(tour, cx, buf);
    }
    cursor
}
