//! Why models fail, as far as it is known: what the errors screen shows, and conditions about first items
//! ask for.

use std::sync::Arc;

use super::Model;
use super::demand::{Asked, RankingsOf};
use super::dirty::Dirty;
use super::filter::Found;
use super::numbers::Numbers;
use crate::analysis::rescale::WhatIf;
use crate::analysis::survey::Detail;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::words::Texts;
use crate::error::Error;
use crate::filter::{Key, Needs};
use crate::jobs::{AnalysisPart, AnalysisRequest, AnalysisResult, Lists, RescaleKey};
use crate::rank::hubs::OfModel;
use crate::study::View;

impl Model {
    /// Forgets what models retrieve, from this one on.
    pub(in crate::tui) fn forget_top_k(&mut self, from: ModelIx) {
        self.known.error_analysis.top_k.retain(|(model, _), _| *model < from);
    }

    /// What a model retrieves first, once it is known.
    pub fn top_k_of(&self, model: ModelIx, direction: Direction) -> Option<&Arc<OfModel>> {
        self.known.error_analysis.top_k.get(&(model, direction))
    }

    /// The captions as words, once they are known.
    pub fn texts(&self) -> Option<&Arc<Texts>> {
        self.known.error_analysis.texts.as_ref()
    }

    /// The queries of each error type, once they are known.
    pub fn lists_of(&self, view: View) -> Option<&Arc<Lists>> {
        self.known.error_analysis.lists.get(&view)
    }

    /// Hubs and words, once they are known.
    pub fn detail_of(&self, view: View) -> Option<&Arc<Detail>> {
        self.known.error_analysis.details.get(&view)
    }

    /// What rescaled scores would give under the truth looked at; `None` while nobody asked, or while it
    /// is computed.
    pub fn what_if(&self) -> Option<&Result<Arc<[WhatIf]>, Error>> {
        self.known.error_analysis.what_if.get(&self.rescale_key())
    }

    fn rescale_key(&self) -> RescaleKey {
        RescaleKey {
            model: self.view.model,
            truth: self.view.truth,
            ranks: self.known.error_analysis.ranks,
        }
    }

    /// Asks what rescaled scores would give.
    pub(in crate::tui) fn ask_what_if(&mut self) {
        if self.what_if().is_none() {
            self.known.error_analysis.rescale = Some(self.rescale_key());
        }
    }

    /// What is to be rescaled and is not yet; looking at something else gives it up.
    pub(crate) fn wanted_rescaling(&self) -> Option<RescaleKey> {
        let key = self.known.error_analysis.rescale?;
        let is_here = key == self.rescale_key() && self.demand.causes;
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
    pub(crate) fn wanted_parts(&self) -> Vec<AnalysisPart> {
        let direction = self.view.direction;
        let mut parts: Vec<AnalysisPart> = Vec::new();
        for model in self.asked_needs().top_k {
            parts.push(AnalysisPart::TopK(model, direction));
        }
        if self.demand.causes && self.has_all_ranks() {
            for view in self.explained_views() {
                parts.push(AnalysisPart::Lists(view));
                let is_here = view == self.view;
                parts.extend(is_here.then_some(AnalysisPart::Detail(view)));
            }
            parts.extend(self.top_k_of_other_direction());
        }
        if self.demand.rankings == RankingsOf::LookedAt && self.study.may_judge_no(direction) {
            // Ranks alone do not tell whether somebody said no of a top-1 item.
            parts.push(AnalysisPart::TopK(self.view.model, direction));
        }
        let is_unknown = |part: &AnalysisPart| match *part {
            AnalysisPart::TopK(model, direction) => {
                self.top_k_of(model, direction).is_none() || self.texts().is_none()
            }
            AnalysisPart::Lists(view) => self.lists_of(view).is_none(),
            AnalysisPart::Detail(view) => self.detail_of(view).is_none(),
        };
        parts.retain(is_unknown);
        parts
    }

    /// The slowest part of what is wanted next: the direction may be flipped.
    fn top_k_of_other_direction(&self) -> impl Iterator<Item = AnalysisPart> {
        let flipped = self.view.direction.flipped();
        let is_judged = self.truth().relevance[flipped].is_some();
        let views = self.explained_views().into_iter();
        let views = views.filter(move |view| is_judged && view.truth == self.view.truth);
        views.map(move |view| AnalysisPart::TopK(view.model, flipped))
    }

    /// The views of the direction looked at: what is looked at, the other models, the other truths.
    pub fn explained_views(&self) -> Vec<View> {
        let shown = self.view;
        let mut views = vec![shown];
        let has_ranks = |&model: &ModelIx| !matches!(self.numbers[model], Numbers::Failed(_));
        let truths = TruthIx::all(&self.study.truths);
        let others = truths.clone().filter(|&truth| truth != shown.truth);
        for truth in std::iter::once(shown.truth).chain(others) {
            if self.study.truths[truth].relevance[shown.direction].is_none() {
                continue;
            }
            for model in ModelIx::all(&self.numbers).filter(has_ranks) {
                let view = View { model, truth, ..shown };
                views.extend((view != shown).then_some(view));
            }
        }
        views
    }

    /// What conditions and orders need that wait for it.
    fn asked_needs(&self) -> Needs {
        let mut needs = Needs::default();
        if let Found::Lacking(lacking) = &self.filter.found {
            needs = needs.and(lacking);
        }
        if let Asked::Filter(_, Some(lacking)) = &self.demand.popup {
            needs = needs.and(lacking);
        }
        if let Some(number) = self.selection.sort.number()
            && let Ok(key) = Key::parse(number, &self.study, self.view)
        {
            needs = needs.and(key.needs());
        }
        needs
    }

    /// All that is needed to find these out; `None` while ranks are counted.
    pub(crate) fn analysis_request(&self, takes_ranks: bool) -> Option<AnalysisRequest> {
        let views = if takes_ranks { self.explained_views() } else { Vec::new() };
        let needs = Needs { views, ..Needs::default() };
        let top_k = self.known.error_analysis.top_k.values();
        Some(AnalysisRequest {
            study: self.study.clone(),
            counts: self.counts_of(&needs)?,
            verdicts: self.judgements.verdicts.clone(),
            top_k: top_k.cloned().collect(),
            texts: self.known.error_analysis.texts.clone(),
        })
    }

    /// Takes what was found out, if ranks are still the same.
    pub(crate) fn take_analysis(&mut self, found: AnalysisResult) {
        use AnalysisResult::{Detail, Lists, Texts, TopK};
        let now = self.known.error_analysis.ranks;
        match found {
            Texts(texts) => self.known.error_analysis.texts = Some(texts),
            TopK(of) => {
                let key = (of.model, of.retrieved.direction);
                self.known.error_analysis.top_k.insert(key, of);
                self.ask_again();
            }
            Lists(ranks, view, lists) if ranks == now => {
                self.known.error_analysis.lists.insert(view, lists);
                self.dirty |= Dirty::SCROLL;
            }
            Detail(ranks, view, detail) if ranks == now => {
                self.known.error_analysis.details.insert(view, detail);
                self.dirty |= Dirty::SCROLL;
            }
            Lists(..) | Detail(..) => {}
        }
    }

    /// Asks what waited for first items once more.
    fn ask_again(&mut self) {
        if matches!(self.filter.found, Found::Lacking(_)) || self.selection.sort.number().is_some()
        {
            self.dirty |= Dirty::FILTER;
        }
        if matches!(self.demand.popup, Asked::Filter(..)) {
            self.dirty |= Dirty::POPUP;
        }
    }
}
