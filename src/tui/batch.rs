//! The events of one frame.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::app::App;
use super::event::Event;
use super::model::query_list::Pane;

/// How often progress is drawn while something is counted.
const TICK: Duration = Duration::from_millis(80);
/// How long a frame waits for the ranking it shows: so that a step in the list and its ranking appear
/// together, well within a frame.
const PATIENCE: Duration = Duration::from_millis(8);
/// How long keys wait for the ranking that they are meant for.
const LONGEST: Duration = Duration::from_millis(500);

/// Keys typed ahead: they are meant for a ranking that is still being made.
#[derive(Default)]
pub(super) struct Held {
    keys: VecDeque<Event>,
    since: Option<Instant>,
}

/// The events of one frame: the first is waited for, the others are those already there, and then
/// the ranking on screen gets a moment to arrive.
pub(super) struct Batch<'a> {
    events: &'a Receiver<Event>,
    held: &'a mut Held,
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

impl Held {
    /// Whether a key has to wait: for the ranking, or behind one that waits.
    fn takes(&self, event: &Event, app: &App) -> bool {
        matches!(event, Event::Key(_)) && (!self.keys.is_empty() || app.awaits_ranking())
    }

    fn push(&mut self, key: Event) {
        self.since.get_or_insert_with(Instant::now);
        self.keys.push_back(key);
    }

    /// The next key, if it need not wait any longer.
    fn pop(&mut self, app: &App) -> Option<Event> {
        if app.awaits_ranking() && self.left().is_some() {
            return None;
        }
        let key = self.keys.pop_front();
        if self.keys.is_empty() {
            self.since = None;
        }
        key
    }

    /// How long keys may still wait; `None` where none waits, or where they did long enough.
    fn left(&self) -> Option<Duration> {
        LONGEST.checked_sub(self.since?.elapsed())
    }
}

impl<'a> Batch<'a> {
    pub fn new(events: &'a Receiver<Event>, held: &'a mut Held, app: &App) -> Self {
        // While something is counted or rescaled, progress is drawn.
        let counting =
            !app.model.wanted_counts().is_empty() || app.model.wanted_rescaling().is_some();
        let wait = match held.left() {
            Some(left) => Wait::AtMost(left.min(TICK)),
            None if counting => Wait::AtMost(TICK),
            None => Wait::ForEver,
        };
        Batch { events, held, wait, until: None }
    }

    pub fn next(&mut self, app: &App) -> Option<Event> {
        loop {
            if let Some(key) = self.held.pop(app) {
                self.wait = Wait::No;
                return Some(key);
            }
            let event = self.received(app)?;
            if !self.held.takes(&event, app) {
                return Some(event);
            }
            self.held.push(event);
        }
    }

    fn received(&mut self, app: &App) -> Option<Event> {
        match std::mem::replace(&mut self.wait, Wait::No) {
            Wait::ForEver => return self.events.recv().ok(),
            Wait::AtMost(patience) => return self.events.recv_timeout(patience).ok(),
            Wait::No => {}
        }
        if let Ok(event) = self.events.try_recv() {
            return Some(event);
        }
        if !app.model.awaits_ranking() {
            return None;
        }
        let until = *self.until.get_or_insert_with(|| Instant::now() + PATIENCE);
        self.events.recv_timeout(until.saturating_duration_since(Instant::now())).ok()
    }
}

impl App {
    /// Whether keys go to a ranking that is still being made.
    fn awaits_ranking(&self) -> bool {
        let model = &self.model;
        let to_ranking = model.selection.pane == Pane::Ranking && self.popup.is_none();
        to_ranking && model.awaits_ranking()
    }
}
