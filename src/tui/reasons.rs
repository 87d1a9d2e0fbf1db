//! Why models fail, as far as it is known: what the errors screen shows, and conditions about first items
//! ask for.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::app::{App, Numbers};
use super::backend::AppJob;
use super::filter::Found;
use super::popups::FilterMenu;
use super::screens::Screen;
use crate::analysis::rescale::WhatIf;
use crate::analysis::survey::Detail;
use crate::data::Direction;
use crate::data::words::Texts;
use crate::engine::{
    Cause, ErrorAnalysis, FoundCause, Inquiry, Lists, RescaleKey, Rescaling, Stamp, Wanted,
};
use crate::error::Error;
use crate::filter::{Key, Needs};
use crate::rank::hubs::OfModel;
use crate::study::View;

/// What was found out. Ranks change with verdicts, dials and counts: then all but first items is
/// forgotten.
#[derive(Debug, Default)]
pub struct Reasons {
    /// The state of all ranks.
    ranks: Stamp,
    heads: FxHashMap<(usize, Direction), Arc<OfModel>>,
    texts: Option<Arc<Texts>>,
    lists: FxHashMap<View, Arc<Lists>>,
    details: FxHashMap<View, Arc<Detail>>,
    what_if: FxHashMap<RescaleKey, Result<Arc<[WhatIf]>, Error>>,
    /// The model and the truth that are to be rescaled.
    rescale: Option<RescaleKey>,
    /// Share of the pass under way that is done.
    pub(super) progress: f64,
}

impl AppJob for ErrorAnalysis {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let causes = app.wanted_causes();
        let is_about_ranks = |cause: &Cause| !matches!(cause, Cause::Heads(..));
        let takes_ranks = causes.iter().any(is_about_ranks);
        let causes = causes.into_iter();
        Some(Wanted {
            key: app.study_stamp,
            parts: causes.map(|cause| (app.reasons.ranks, cause)).collect(),
            input: Box::new(move || app.inquiry(takes_ranks)),
        })
    }

    fn take(app: &mut App, _: Stamp, found: FoundCause) {
        app.take_reason(found);
    }
}

impl AppJob for Rescaling {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let input = || (app.study.clone(), app.judge.verdicts.clone());
        Some(Wanted::one(app.wanted_rescaling()?, input))
    }

    fn take(app: &mut App, key: RescaleKey, found: Self::Output) {
        app.reasons.what_if.insert(key, found);
    }

    fn report(app: &mut App, progress: f64) {
        app.reasons.progress = progress;
    }
}

impl App {
    /// Forgets what depends on ranks: they are others now.
    pub(super) fn forget_reasons(&mut self) {
        let reasons = &mut self.reasons;
        reasons.ranks = Stamp::fresh();
        reasons.lists.clear();
        reasons.details.clear();
        reasons.what_if.clear();
        reasons.rescale = None;
    }

    /// Forgets what models retrieve, from this one on.
    pub(super) fn forget_heads(&mut self, from: usize) {
        self.reasons.heads.retain(|(model, _), _| *model < from);
    }

    /// What a model retrieves first, once it is known.
    pub fn heads_of(&self, model: usize, direction: Direction) -> Option<&Arc<OfModel>> {
        self.reasons.heads.get(&(model, direction))
    }

    /// The captions as words, once they are known.
    pub fn texts(&self) -> Option<&Arc<Texts>> {
        self.reasons.texts.as_ref()
    }

    /// The queries of each kind of failure, once they are known.
    pub fn lists_of(&self, view: View) -> Option<&Arc<Lists>> {
        self.reasons.lists.get(&view)
    }

    /// Hubs and words, once they are known.
    pub fn detail_of(&self, view: View) -> Option<&Arc<Detail>> {
        self.reasons.details.get(&view)
    }

    /// What rescaled scores would give under the truth looked at; `None` while nobody asked, or while it
    /// is computed.
    pub fn what_if(&self) -> Option<&Result<Arc<[WhatIf]>, Error>> {
        self.reasons.what_if.get(&self.rescale_key())
    }

    fn rescale_key(&self) -> RescaleKey {
        RescaleKey {
            model: self.look.model,
            truth: self.look.truth,
            ranks: self.reasons.ranks,
        }
    }

    /// Asks what rescaled scores would give.
    pub(super) fn ask_what_if(&mut self) {
        if self.what_if().is_none() {
            self.reasons.rescale = Some(self.rescale_key());
        }
    }

    /// What is to be rescaled and is not yet; looking at something else gives it up.
    pub(super) fn wanted_rescaling(&self) -> Option<RescaleKey> {
        let key = self.reasons.rescale?;
        let is_here = key == self.rescale_key() && self.screen == Screen::Errors;
        (is_here && self.what_if().is_none()).then_some(key)
    }

    /// Whether ranks are there of all models that have them, verdicts included.
    fn has_all_ranks(&self) -> bool {
        let is_there =
            |numbers: &Numbers| matches!(numbers, Numbers::Ready(_) | Numbers::Failed(_));
        self.numbers.iter().all(is_there)
            && self.wanted_places().is_empty()
            && self.wanted_dials().is_none()
    }

    /// What is to be found out and is not yet, the most urgent first.
    fn wanted_causes(&self) -> Vec<Cause> {
        let direction = self.look.direction;
        let mut causes: Vec<Cause> = Vec::new();
        for model in self.asked_needs().heads {
            causes.push(Cause::Heads(model, direction));
        }
        if self.screen == Screen::Errors && self.has_all_ranks() {
            for view in self.explained_views() {
                causes.push(Cause::Lists(view));
                let is_here = view == self.look;
                causes.extend(is_here.then_some(Cause::Detail(view)));
            }
            causes.extend(self.heads_of_other_direction());
        }
        let is_unknown = |cause: &Cause| match *cause {
            Cause::Heads(model, direction) => {
                self.heads_of(model, direction).is_none() || self.texts().is_none()
            }
            Cause::Lists(view) => self.lists_of(view).is_none(),
            Cause::Detail(view) => self.detail_of(view).is_none(),
        };
        causes.retain(is_unknown);
        causes
    }

    /// The slowest part of what is wanted next: the direction may be flipped.
    fn heads_of_other_direction(&self) -> impl Iterator<Item = Cause> {
        let flipped = self.look.direction.flipped();
        let is_judged = self.truth().relevance[flipped].is_some();
        let views = self.explained_views().into_iter();
        let views = views.filter(move |view| is_judged && view.truth == self.look.truth);
        views.map(move |view| Cause::Heads(view.model, flipped))
    }

    /// The views of the direction looked at: what is looked at, the other models, the other truths.
    pub fn explained_views(&self) -> Vec<View> {
        let look = self.look;
        let mut views = vec![look];
        let has_ranks = |&model: &usize| !matches!(self.numbers[model], Numbers::Failed(_));
        let truths = 0..self.study.truths.len();
        let others = truths.clone().filter(|&truth| truth != look.truth);
        for truth in std::iter::once(look.truth).chain(others) {
            if self.study.truths[truth].relevance[look.direction].is_none() {
                continue;
            }
            for model in (0..self.numbers.len()).filter(has_ranks) {
                let view = View {
                    model,
                    truth,
                    ..look
                };
                views.extend((view != look).then_some(view));
            }
        }
        views
    }

    /// What conditions and orders need that wait for it.
    fn asked_needs(&self) -> Needs {
        let mut needs = Needs::default();
        if let Found::Lacking(lacking) = &self.sieve.found {
            needs = needs.and(lacking);
        }
        if let Some(menu) = self.popup::<FilterMenu>()
            && let Ok(Found::Lacking(lacking)) = &menu.found
        {
            needs = needs.and(lacking);
        }
        if let Some(number) = self.browse.sort.number()
            && let Ok(key) = Key::parse(number, &self.study, self.look)
        {
            needs = needs.and(key.needs());
        }
        needs
    }

    /// All that is needed to find these out; `None` while ranks are counted.
    fn inquiry(&self, takes_ranks: bool) -> Option<Inquiry> {
        let views = if takes_ranks {
            self.explained_views()
        } else {
            Vec::new()
        };
        let needs = Needs {
            views,
            ..Needs::default()
        };
        let heads = self.reasons.heads.values();
        Some(Inquiry {
            study: self.study.clone(),
            counts: self.counts_of(&needs)?,
            verdicts: self.judge.verdicts.clone(),
            heads: heads.cloned().collect(),
            texts: self.reasons.texts.clone(),
        })
    }

    /// Takes what was found out, if ranks are still the same.
    fn take_reason(&mut self, found: FoundCause) {
        use FoundCause::{Detail, Heads, Lists, Texts};
        let now = self.reasons.ranks;
        match found {
            Texts(texts) => self.reasons.texts = Some(texts),
            Heads(of) => {
                let key = (of.model, of.retrieved.direction);
                self.reasons.heads.insert(key, of);
                self.ask_again();
            }
            Lists(ranks, view, lists) if ranks == now => {
                self.reasons.lists.insert(view, lists);
                self.screen_follow();
            }
            Detail(ranks, view, detail) if ranks == now => {
                self.reasons.details.insert(view, detail);
                self.screen_follow();
            }
            Lists(..) | Detail(..) => {}
        }
    }

    /// Asks what waited for first items once more.
    fn ask_again(&mut self) {
        if matches!(self.sieve.found, Found::Lacking(_)) || self.browse.sort.number().is_some() {
            self.browse_refresh();
            self.record_numbers();
        }
        if self.popup::<FilterMenu>().is_some() {
            self.refresh_popup();
        }
    }
}
