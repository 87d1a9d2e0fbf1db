//! Job results about the open study, and pending error analysis.

use std::cell::OnceCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Model;
use super::changes::Dirty;
use super::filter::FilterState;
use super::judgments::JudgedNumbers;
use super::ranking::Rankings;
use super::view::Numbers;
use crate::analysis::nearest::{Nearest, NearestTo};
use crate::analysis::slices::Slices;
use crate::analysis::survey::Detail;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::words::Texts;
use crate::doctor::{Finding, Severity, title};
use crate::error::Error;
use crate::figure::chart::Chart;
use crate::figure::charts::CHARTS;
use crate::filter::{Expression, FilterAnswer, Needs};
use crate::jobs::{
    AnalysisPart, AnalysisRequest, AnalysisResult, ChartKey, GroupKey, ItemChoices, ItemsKey,
    KindLists, Letters, MetricTest, NearestKey, RankingKey, Stamp,
};
use crate::rank::hubs::ModelTopItems;
use crate::study::{StudySettings, View};

/// Results that the screen and its popup need.
#[derive(Default)]
pub struct Demand {
    /// Rankings of the selected query to show.
    pub rankings: RankingsOf,
    /// Whether scores of every model and direction are shown.
    pub all_views: bool,
    /// Error analysis to show.
    pub errors: ErrorDemand,
    /// Whether top items of the listed queries are shown.
    pub items: bool,
    /// Index in [`CHARTS`] of the chart that is shown.
    pub chart: Option<usize>,
    /// Results that the popup needs.
    pub popup: PopupNeeds,
}

/// Error analysis to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorDemand {
    /// Nothing.
    #[default]
    Nothing,
    /// Error types, hubs and words.
    Causes,
    /// Error types, hubs, words, and slices.
    Slices,
}

/// Models whose rankings of the selected query are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankingsOf {
    /// No query is visible.
    #[default]
    Nothing,
    /// Current model.
    Current,
    /// All compared models.
    Compared,
}

/// Results that a popup needs.
#[derive(Default)]
pub enum PopupNeeds {
    /// Nothing.
    #[default]
    Nothing,
    /// The queries that meet the condition being typed.
    Filter(FilterState),
    /// Paired tests under the current ground truth.
    Tests,
    /// Nearest items of an item or a text.
    Nearest(NearestTo),
}

/// A chart with its key, or the error.
type KnownChart = (ChartKey, Result<Chart, Error>);

/// Derived results and running work of the open study. A field that is only valid for that study belongs here: a reload
/// resets this value and keeps the rest of the model.
#[derive(Debug, Default)]
pub struct ResultCache {
    /// Identity of the open study; changes when it is reopened.
    pub opening: Stamp,
    /// Version of the study; results for another version are outdated.
    pub study_stamp: Stamp,
    /// A mixture to show once it is computed.
    pub(super) awaited_model: Option<ModelIx>,
    /// Scores with judgments.
    pub(crate) judged: JudgedNumbers,
    /// Intervals of the header's metrics.
    pub(super) intervals: [Option<[f64; 2]>; 2],
    /// Whether the gallery is the COCO test set; computed on first use.
    pub(super) is_coco: OnceCell<bool>,
    /// Image of each caption, if known; computed when intervals are first shown.
    pub(super) image_of_caption: OnceCell<Option<Vec<u32>>>,
    /// Results of the error analysis.
    pub error_analysis: AnalysisState,
    /// Rankings of the selected query.
    pub rankings: Rankings,
    /// Why similarities cannot be used.
    pub(crate) phi_failure: Option<Error>,
    /// Items of the selected query in the annotation pool, in list order, with the key of their ranking.
    pub(super) queued: Option<(RankingKey, Vec<u32>)>,
    /// Queries that meet the condition being typed, by the stamp of the request.
    pub typed_met: Option<(Stamp, FilterAnswer)>,
    /// Top items of queries, or why there are none.
    pub(crate) items: Option<(ItemsKey, Result<Arc<ItemChoices>, Error>)>,
    /// The last requested nearest items, or why there are none.
    pub(crate) nearest: Option<(NearestKey, Result<Nearest, Error>)>,
    /// Requested charts.
    pub(crate) charts: Vec<KnownChart>,
    /// Findings of the doctor, once it has run.
    pub findings: Option<Arc<[Finding]>>,
    /// Whether all checks of the doctor have run.
    pub is_examined: bool,
    /// Progress of the computation of ranks, 0 to 1; `None` if none is computed.
    pub progress: Option<f64>,
}

/// Results of the error analysis. All but top items and tokenized captions are dropped when ranks change.
#[derive(Debug, Default)]
pub struct AnalysisState {
    /// Stamp of all ranks.
    pub(crate) ranks: Stamp,
    /// Top items of all queries, by model and direction.
    pub(super) top_k: FxHashMap<(ModelIx, Direction), Arc<ModelTopItems>>,
    /// Tokenized captions.
    pub(super) texts: Option<Arc<Texts>>,
    /// Queries of each error type.
    pub(super) lists: FxHashMap<View, Arc<KindLists>>,
    /// Partition of the queries, hubs and words.
    pub(super) details: FxHashMap<View, Arc<Detail>>,
    /// Slices, by view and compared model.
    pub(super) slices: FxHashMap<(View, Option<ModelIx>), Arc<Slices>>,
    /// Paired tests, by the indices of both models.
    pub(crate) tests: FxHashMap<[ModelIx; 2], Vec<MetricTest>>,
    /// Letters that models share if they do not differ significantly.
    pub(crate) letters: FxHashMap<GroupKey, Letters>,
}

impl AnalysisState {
    /// Drops the results that depend on ranks, after these changed.
    pub(super) fn forget_ranks(&mut self) {
        self.ranks = Stamp::fresh();
        self.lists.clear();
        self.details.clear();
        self.slices.clear();
        self.tests.clear();
        self.letters.clear();
    }
}

impl Model {
    /// Drops the top-k items of this model and of all with a higher index.
    pub(in crate::tui) fn forget_top_k(&mut self, from: ModelIx) {
        self.known.error_analysis.top_k.retain(|(model, _), _| *model < from);
    }

    /// Top-k items of a model, once known.
    pub fn top_k_of(&self, model: ModelIx, direction: Direction) -> Option<&Arc<ModelTopItems>> {
        self.known.error_analysis.top_k.get(&(model, direction))
    }

    /// Tokenized captions, once known.
    pub fn texts(&self) -> Option<&Arc<Texts>> {
        self.known.error_analysis.texts.as_ref()
    }

    /// The queries of each error type, once they are known.
    pub fn error_lists(&self, view: View) -> Option<&Arc<KindLists>> {
        self.known.error_analysis.lists.get(&view)
    }

    /// Partition of the queries, hubs and words of a view, once they are known.
    pub fn error_details(&self, view: View) -> Option<&Arc<Detail>> {
        self.known.error_analysis.details.get(&view)
    }

    /// Slices of the current model and the compared one, once known.
    pub fn slices(&self) -> Option<&Arc<Slices>> {
        self.known.error_analysis.slices.get(&self.slices_key())
    }

    /// Key of the slices on screen: the view, and the compared model if there is one.
    fn slices_key(&self) -> (View, Option<ModelIx>) {
        (self.view, self.model_pair().map(|[_, rival]| rival))
    }

    /// Whether all ranks are known and current: of every model that can be ranked, and of judged items.
    fn has_all_ranks(&self) -> bool {
        let is_there =
            |numbers: &Numbers| matches!(numbers, Numbers::Ready(_) | Numbers::Failed(_));
        self.numbers.iter().all(is_there)
            && self.wanted_ranks().is_empty()
            && self.pending_settings().is_none()
    }

    /// Missing parts of the analysis, most urgent first.
    pub(crate) fn wanted_parts(&self) -> Vec<AnalysisPart> {
        let direction = self.view.direction;
        let mut parts: Vec<AnalysisPart> = Vec::new();
        for model in self.pending_needs().top_k {
            parts.push(AnalysisPart::TopK(model, direction));
        }
        if self.demand.errors == ErrorDemand::Slices && self.has_all_ranks() {
            let (view, rival) = self.slices_key();
            parts.push(AnalysisPart::Slices(view, rival));
        }
        if self.demand.errors != ErrorDemand::Nothing && self.has_all_ranks() {
            for view in self.error_views() {
                parts.push(AnalysisPart::Lists(view));
                let is_here = view == self.view;
                parts.extend(is_here.then_some(AnalysisPart::Detail(view)));
            }
        }
        // Ranks are more urgent than top items.
        if self.demand.rankings == RankingsOf::Current && self.has_all_ranks() {
            parts.push(AnalysisPart::TopK(self.view.model, direction));
        }
        let is_unknown = |part: &AnalysisPart| match *part {
            AnalysisPart::TopK(model, direction) => {
                self.top_k_of(model, direction).is_none() || self.texts().is_none()
            }
            AnalysisPart::Lists(view) => self.error_lists(view).is_none(),
            AnalysisPart::Detail(view) => self.error_details(view).is_none(),
            AnalysisPart::Slices(..) => self.slices().is_none(),
        };
        parts.retain(is_unknown);
        parts
    }

    /// Views whose errors are analysed: the current one, then that of every other model that can be ranked.
    pub fn error_views(&self) -> Vec<View> {
        let others = self.usable_models().filter(|&model| model != self.view.model);
        let models = std::iter::once(self.view.model).chain(others);
        models.map(|model| View { model, ..self.view }).collect()
    }

    /// Results that the current condition, the one being typed and the sort key need.
    fn pending_needs(&self) -> Needs {
        let mut needs = Needs::default();
        if let FilterState::Lacking(lacking) = &self.filter.found {
            needs = needs.union(lacking);
        }
        if let PopupNeeds::Filter(FilterState::Lacking(lacking)) = &self.demand.popup {
            needs = needs.union(lacking);
        }
        if let Some(text) = self.selection.sort.expression()
            && let Ok(key) = Expression::number(text, &self.study, self.view)
        {
            needs = needs.union(key.needs());
        }
        needs
    }

    /// Inputs of the analysis, with ranks under every ground truth if `takes_ranks`; `None` while these are computed.
    pub(crate) fn analysis_request(&self, takes_ranks: bool) -> Option<AnalysisRequest> {
        let under = |truth| self.error_views().into_iter().map(move |of| View { truth, ..of });
        let views: Vec<View> = self.covering_truths().flat_map(under).collect();
        let needs =
            Needs { views: if takes_ranks { views } else { Vec::new() }, ..Needs::default() };
        let top_k = self.known.error_analysis.top_k.values();
        Some(AnalysisRequest {
            study: self.study.clone(),
            counts: self.condition_inputs(&needs)?,
            judgments: self.judgments.decided.clone(),
            top_k: top_k.cloned().collect(),
            texts: self.known.error_analysis.texts.clone(),
        })
    }

    /// Stores an analysis result, unless it is for ranks that have changed.
    pub(crate) fn store_analysis(&mut self, found: AnalysisResult) {
        use AnalysisResult::{Detail, Lists, Slices, Texts, TopK};
        let now = self.known.error_analysis.ranks;
        match found {
            Texts(texts) => self.known.error_analysis.texts = Some(texts),
            TopK(of) => {
                let key = (of.model, of.top_items.direction);
                self.known.error_analysis.top_k.insert(key, of);
                self.retry_conditions();
            }
            Lists(ranks, view, lists) if ranks == now => {
                self.known.error_analysis.lists.insert(view, lists);
            }
            Detail(ranks, view, detail) if ranks == now => {
                self.known.error_analysis.details.insert(view, detail);
            }
            Slices(ranks, key, slices) if ranks == now => {
                self.known.error_analysis.slices.insert(key, slices);
            }
            Lists(..) | Detail(..) | Slices(..) => {}
        }
    }

    /// Evaluates conditions and sort keys again, which may have waited for top items.
    fn retry_conditions(&mut self) {
        if matches!(self.filter.found, FilterState::Lacking(_))
            || self.selection.sort.expression().is_some()
        {
            self.dirty |= Dirty::FILTER;
        }
        if matches!(self.demand.popup, PopupNeeds::Filter(..)) {
            self.dirty |= Dirty::POPUP;
        }
    }

    /// Key of nearest items in the current view.
    pub(crate) fn nearest_key(&self, to: &NearestTo) -> NearestKey {
        (self.known.study_stamp, self.view, to.clone())
    }

    /// The nearest items; `None` until they are found.
    pub(crate) fn nearest_to(&self, to: &NearestTo) -> Option<&Result<Nearest, Error>> {
        let (key, found) = self.known.nearest.as_ref()?;
        (*key == self.nearest_key(to)).then_some(found)
    }

    /// The index in [`CHARTS`] of the first chart from index `chosen` on, cyclically, that the study has data for;
    /// `chosen` if there is none.
    pub(in crate::tui) fn possible_chart(&self, chosen: usize) -> usize {
        let mut following = (0..CHARTS.len()).cycle().skip(chosen).take(CHARTS.len());
        following.find(|at| (CHARTS[*at].check)(&self.study).is_ok()).unwrap_or(chosen)
    }

    /// Index in [`CHARTS`] of the visible chart; `None` if no chart is visible, or if it is computed.
    pub(crate) fn wanted_chart(&self) -> Option<usize> {
        let at = self.possible_chart(self.demand.chart?);
        self.chart(at).is_none().then_some(at)
    }

    /// Key of the chart at an index of [`CHARTS`], for the current view, without the parts that the chart does not
    /// depend on.
    pub(crate) fn chart_key(&self, at: usize) -> ChartKey {
        let (view, limits, settings) = (self.view, CHARTS[at].limits, self.applied_settings);
        // Only charts of mixtures take a scaling; they are over all weights.
        let charted_mix = self.mix_or_next().filter(|_| limits.scalings > 0);
        let models = match (charted_mix, limits.models) {
            (Some(mix), _) => mix.models.to_vec(),
            (None, 2) => self.model_pair().map_or(vec![view.model], Vec::from),
            _ => self.usable_models().collect(),
        };
        ChartKey {
            opening: self.known.opening,
            settings: StudySettings {
                mix: settings.mix.filter(|_| charted_mix.is_none()),
                ..settings
            },
            at,
            models,
            truth: (limits.truths > 0).then_some(view.truth),
            direction: (limits.directions > 0).then_some(view.direction),
            scaling: charted_mix.map(|mix| mix.scaling),
        }
    }

    /// The chart at an index of [`CHARTS`], under the current ground truth and direction; `None` until it is computed.
    pub fn chart(&self, at: usize) -> Option<Result<&Chart, &Error>> {
        let key = self.chart_key(at);
        let (_, found) = self.known.charts.iter().find(|(known, _)| *known == key)?;
        Some(found.as_ref())
    }

    /// The first problem that the doctor found, in two or three words, and how many more there are; `None` without any.
    pub fn problem(&self) -> Option<String> {
        let findings = self.known.findings.as_deref()?;
        let mut problems = findings.iter().filter(|finding| finding.severity == Severity::Problem);
        let first = title(problems.next()?);
        Some(match problems.count() {
            0 => first.into(),
            more => format!("{first}, {more} more"),
        })
    }
}
