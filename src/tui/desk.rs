//! What the explorer asks of background work: derived from its state after every batch of events.

mod compared;
mod drafts;

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use super::app::App;
use super::event::Event;
use super::pictures::Brush;
use super::reasons::WantedCauses;
use crate::data::Direction;
use crate::engine::{
    self, Contest, CurveKey, Curver, Deriver, Draft, Drafter, Engine, Examiner, Export, Keeper,
    Notify, Painter, PairKey, PictureKey, PlaceKey, RankingKey, RescaleKey, Scored, Sift,
};
use crate::error::Result;
use crate::session::Saver;
use crate::study::{Dials, Study};

/// Hands events to the explorer; called from the engine's threads.
pub type Send = Arc<dyn Fn(Event) + std::marker::Send + Sync>;

/// The engine, and what it was last asked for.
pub struct Desk {
    engine: Engine,
    deriver: Deriver,
    examiner: Examiner,
    curver: Curver,
    keeper: Option<Keeper>,
    painter: Option<Painter>,
    drafter: Drafter,
    asked: Asked,
    send: Send,
    /// Of the study that the engine works on.
    generation: u64,
}

#[derive(Default)]
struct Asked {
    counts: Vec<usize>,
    rankings: Vec<RankingKey>,
    places: Vec<PlaceKey>,
    measure: Vec<(usize, Arc<Scored>)>,
    search: Option<(Direction, String)>,
    sift: Option<Arc<Sift>>,
    overlaps: Option<PairKey>,
    contest: Option<Arc<Contest>>,
    causes: WantedCauses,
    rescaling: Option<RescaleKey>,
    dials: Option<Dials>,
    curve: Option<CurveKey>,
    pictures: Vec<PictureKey>,
    draft: Option<Draft>,
    export: Option<Arc<Export>>,
    /// Number of the change that is to be saved.
    save: u64,
    check: bool,
}

/// What tells of which study an event is.
fn tagged(send: &Send, generation: u64) -> Notify {
    let send = send.clone();
    Arc::new(move |event| send(Event::Engine(generation, event)))
}

/// For what concerns the explorer whatever study it is at.
fn untagged(send: &Send) -> Notify {
    let send = send.clone();
    Arc::new(move |event| send(Event::Made(event)))
}

impl Asked {
    /// Whether all of these are being measured.
    fn are_measured(&self, wanted: &[(usize, Arc<Scored>)]) -> bool {
        let is_asked = |scored: &Arc<Scored>| {
            let mut asked = self.measure.iter();
            asked.any(|(_, asked)| Arc::ptr_eq(asked, scored))
        };
        wanted.iter().all(|(_, scored)| is_asked(scored))
    }
}

impl Desk {
    /// Nothing asked for yet.
    pub fn new(study: &Arc<Study>, send: Send) -> Self {
        let generation = 0;
        Desk {
            engine: Engine::new(study, &tagged(&send, generation)),
            deriver: Deriver::new(&untagged(&send)),
            examiner: Examiner::new(study.clone(), &untagged(&send)),
            curver: Curver::new(&untagged(&send)),
            keeper: None,
            painter: None,
            drafter: drafts::in_text(&send),
            asked: Asked::default(),
            send,
            generation,
        }
    }

    /// Saves the session from now on.
    pub fn keep(&mut self, saver: Saver) {
        self.keeper = Some(Keeper::new(saver, &untagged(&self.send)));
    }

    /// Paints pictures from now on.
    pub fn paint(&mut self, study: Arc<Study>, brush: Brush) {
        let send = self.send.clone();
        let cell = brush.cell();
        let tell = move |key, made| send(Event::Picture(key, made));
        let notify = untagged(&self.send);
        self.drafter = drafts::in_pictures(&self.send, brush.clone());
        let paint = move |picture, key| brush.paint(picture, key);
        self.painter = Some(Painter::new(study, cell, paint, tell, &notify));
    }

    fn ask_pictures(&mut self, app: &App) {
        let Some(painter) = &self.painter else {
            return;
        };
        let wanted = app.wanted_pictures();
        // They come in the order asked for.
        if !self.asked.pictures.ends_with(&wanted) {
            painter.paint(wanted.clone());
        }
        self.asked.pictures = wanted;
    }

    /// Saves what is not saved yet.
    ///
    /// # Errors
    /// Why it could not be saved.
    pub(super) fn finish(&mut self, app: &mut App, events: &Receiver<Event>) -> Result<()> {
        if app.book.failure.is_some() {
            // What kept it from being saved may be over.
            self.asked.save = 0;
        }
        self.ask_save(app);
        if let Some(keeper) = &self.keeper {
            keeper.wait_idle();
        }
        self.drafter.wait_for_exports();
        let mut lost = None;
        for event in events.try_iter() {
            if let Event::Made(event) = event {
                if let engine::Event::Exported(_, Err(error)) = &event {
                    lost = Some(error.clone());
                }
                app.event(event);
            }
        }
        app.book.failure.clone().or(lost).map_or(Ok(()), Err)
    }

    /// Ends what saves the session, which gives its lock back.
    pub(super) fn close(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            keeper.end();
        }
    }

    fn ask_save(&mut self, app: &App) {
        let Some(keeper) = &self.keeper else {
            return;
        };
        if let Some((revision, session)) = app.book.wanted_save()
            && self.asked.save != revision
        {
            keeper.save(revision, session.clone());
            self.asked.save = revision;
        }
    }

    fn ask_rankings(&mut self, app: &App) {
        let wanted = app.wanted_rankings();
        if wanted != self.asked.rankings {
            let missing = |key: &RankingKey| app.rankings.get(*key).is_none();
            let missing: Vec<RankingKey> = wanted.iter().copied().filter(missing).collect();
            if !missing.is_empty() {
                self.engine.rank(missing);
            }
            self.asked.rankings = wanted;
        }
    }

    fn ask_curve(&mut self, app: &App) {
        let curve = app.wanted_curve();
        if curve == self.asked.curve {
            return;
        }
        match curve {
            Some(key) => self.curver.trace(key, app.study.clone()),
            None => self.curver.cancel(),
        }
        self.asked.curve = curve;
    }

    /// Waits until the engine has done all that it was asked for.
    pub fn wait_idle(&self) {
        if let Some(keeper) = &self.keeper {
            keeper.wait_idle();
        }
        if let Some(painter) = &self.painter {
            painter.wait_idle();
        }
        self.deriver.wait_idle();
        self.examiner.wait_idle();
        self.curver.wait_idle();
        self.drafter.wait_idle();
        self.engine.wait_idle();
    }

    /// Asks for what the state wants and was not asked for yet.
    pub fn ask(&mut self, app: &App) {
        if app.generation != self.generation {
            self.generation = app.generation;
            self.engine = Engine::new(&app.study, &tagged(&self.send, app.generation));
            self.asked = Asked {
                check: self.asked.check,
                save: self.asked.save,
                curve: self.asked.curve,
                export: self.asked.export.take(),
                pictures: std::mem::take(&mut self.asked.pictures),
                ..Asked::default()
            };
        }
        self.ask_save(app);
        let dials = app.wanted_dials();
        if let Some(dials) = dials.filter(|_| dials != self.asked.dials) {
            self.deriver.derive(app.wish(dials));
        }
        self.asked.dials = dials;
        self.ask_curve(app);
        let counts = app.wanted_counts();
        if !counts.is_empty() && !self.asked.counts.ends_with(&counts) {
            self.engine.count(counts.clone());
            self.asked.counts = counts;
        }
        self.ask_rankings(app);
        let places = app.wanted_places();
        if !places.is_empty() && places != self.asked.places {
            self.engine.place(places.to_vec());
            self.asked.places = places.to_vec();
        }
        let measure = app.wanted_measures();
        if !self.asked.are_measured(&measure) {
            self.engine.measure(measure.clone());
            self.asked.measure = measure;
        }
        let search = app.search.wanted(app.look.direction);
        if search != self.asked.search {
            if let Some((direction, text)) = search.clone() {
                self.engine.search(direction, text);
            }
            self.asked.search = search;
        }
        self.ask_sift(app);
        self.ask_overlaps(app);
        self.ask_pictures(app);
        self.ask_figures(app);
        self.ask_tests(app);
        self.ask_causes(app);
        if app.wants_check() && !self.asked.check {
            self.examiner.check();
            self.asked.check = true;
        }
    }

    fn ask_causes(&mut self, app: &App) {
        let wanted = app.wanted_causes();
        if !self.asked.causes.include(&wanted)
            && let Some(inquiry) = app.inquiry(&wanted)
        {
            self.engine.explain(inquiry);
            self.asked.causes = wanted;
        }
        let rescaling = app.wanted_rescaling();
        if rescaling != self.asked.rescaling {
            match rescaling {
                Some(key) => self.engine.rescale(key, app.judge.verdicts.clone()),
                None => self.engine.stop_rescaling(),
            }
            self.asked.rescaling = rescaling;
        }
    }

    /// Tells how far counts and rescaling are.
    pub(super) fn tell_progress(&self, app: &mut App) {
        let counting = !app.wanted_counts().is_empty();
        app.progress = counting.then(|| self.engine.progress());
        app.reasons.progress = self.engine.rescaled();
    }
}
