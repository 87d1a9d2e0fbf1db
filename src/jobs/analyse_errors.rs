//! Why models fail: first items, the queries of each error type, hubs and words.

use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};
use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::OfKind;
use crate::analysis::survey::{self, Detail};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::words::Texts;
use crate::filter::{Counts, of_model};
use crate::rank::hubs::{DEPTHS, OfModel};
use crate::study::{Study, View};
use crate::truth::verdict::Verdicts;
use crate::tui::app::App;

/// What is to be found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisPart {
    /// What a model retrieves first.
    TopK(ModelIx, Direction),
    /// The queries of each error type.
    Lists(View),
    /// Hubs and words.
    Detail(View),
}

/// All that is needed to find parts.
#[derive(Debug)]
pub struct AnalysisRequest {
    /// The study.
    pub study: Arc<Study>,
    /// All ranks of the direction, verdicts included.
    pub counts: Counts<Arc<Study>>,
    /// The verdicts.
    pub verdicts: Verdicts,
    /// First items that are known.
    pub top_k: Vec<Arc<OfModel>>,
    /// The captions as words, where these are known.
    pub texts: Option<Arc<Texts>>,
}

/// The queries of each kind, in the order of [`crate::analysis::kinds::KINDS`]; `None` where the study
/// lacks what a kind is about.
pub type Lists = Vec<Option<OfKind>>;

/// A piece of the error analysis that is ready: texts, first items, lists or details of a view.
#[derive(Debug, Clone)]
pub enum AnalysisResult {
    /// The captions as words.
    Texts(Arc<Texts>),
    /// What a model retrieves first.
    TopK(Arc<OfModel>),
    /// The queries of each error type, of a state of all ranks.
    Lists(Stamp, View, Arc<Lists>),
    /// Hubs and words, of a state of all ranks.
    Detail(Stamp, View, Arc<Detail>),
}

/// Finds out why models fail; keeps what a study's models retrieve first.
#[derive(Default)]
pub struct AnalyseErrors {
    of: Stamp,
    top_k: Vec<Arc<OfModel>>,
    texts: Option<Arc<Texts>>,
}

impl Job for AnalyseErrors {
    const NAME: &'static str = "error-analysis";
    const FINISHES_PART: bool = true;
    /// The study.
    type Key = Stamp;
    /// A part, and the state of all ranks; all about ranks in one direction.
    type Part = (Stamp, AnalysisPart);
    type Input = AnalysisRequest;
    type Output = AnalysisResult;

    /// Finds a part and what has to be found before; nothing where the model cannot be ranked, which
    /// its count tells.
    fn run(&mut self, &(ranks, part): &(Stamp, AnalysisPart), run: &Run<'_, Self>) {
        if self.of != *run.key {
            *self = AnalyseErrors { of: *run.key, ..AnalyseErrors::default() };
        }
        let texts = self.texts(run);
        let (model, direction) = match part {
            AnalysisPart::TopK(model, direction) => (model, direction),
            AnalysisPart::Lists(view) | AnalysisPart::Detail(view) => (view.model, view.direction),
        };
        if self.find_heads(model, direction, run).is_none() {
            return;
        }
        match part {
            AnalysisPart::TopK(..) => {}
            AnalysisPart::Lists(view) => {
                let lists = survey::lists(&self.evidence(view, texts, run), view);
                run.send(AnalysisResult::Lists(ranks, view, Arc::new(lists)));
            }
            AnalysisPart::Detail(view) => {
                let detail = survey::detail(&self.evidence(view, texts, run), view);
                run.send(AnalysisResult::Detail(ranks, view, Arc::new(detail)));
            }
        }
    }
}

impl AnalyseErrors {
    fn texts(&mut self, run: &Run<'_, Self>) -> Arc<Texts> {
        let found = || {
            let texts = Arc::new(Texts::of(&run.input.study.gallery));
            run.send(AnalysisResult::Texts(texts.clone()));
            texts
        };
        let known = || run.input.texts.clone().unwrap_or_else(found);
        self.texts.get_or_insert_with(known).clone()
    }

    /// `None` where it was cancelled, or where there are none.
    fn find_heads(
        &mut self,
        model: ModelIx,
        direction: Direction,
        run: &Run<'_, Self>,
    ) -> Option<()> {
        let is_it = |of: &&Arc<OfModel>| (of.model, of.retrieved.direction) == (model, direction);
        if self.top_k.iter().any(|of| is_it(&of)) {
            return Some(());
        }
        let input = run.input;
        let found = if let Some(known) = input.top_k.iter().find(is_it) {
            known.clone()
        } else {
            let found = of_model(&input.study, model, direction, &DEPTHS, run.token);
            let found = Arc::new(found.ok()??);
            run.send(AnalysisResult::TopK(found.clone()));
            found
        };
        self.top_k.push(found);
        Some(())
    }

    fn evidence<'a>(&self, view: View, texts: Arc<Texts>, run: &Run<'a, Self>) -> Evidence<'a> {
        let top_k = self.top_k.iter();
        let top_k = top_k.filter(|of| of.retrieved.direction == view.direction);
        let input = run.input;
        let counts = input.counts.of_study(&input.study);
        let known = (top_k.cloned().collect(), texts);
        Evidence::new(&input.study, view.direction, known, (counts, &input.verdicts))
    }
}

impl Asks for AnalyseErrors {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let parts = model.wanted_parts();
        let takes_ranks = parts.iter().any(|part| !matches!(part, AnalysisPart::TopK(..)));
        let ranks = model.known.error_analysis.ranks;
        Some(Wanted {
            key: model.known.study_stamp,
            parts: parts.into_iter().map(|part| (ranks, part)).collect(),
            input: Box::new(move || model.analysis_request(takes_ranks)),
        })
    }

    fn take(app: &mut App, _: Stamp, found: AnalysisResult) {
        app.model.take_analysis(found);
    }
}
