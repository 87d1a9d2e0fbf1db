//! Error analysis: top-k items, queries of each error type, hubs and words.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::KindQueries;
use crate::analysis::slices::{SliceRequest, Slices, WordList, built_in_slices};
use crate::analysis::survey::{self, Detail};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::words::Texts;
use crate::filter::{FilterInputs, find_top_items};
use crate::rank::hubs::{DEPTHS, ModelTopItems};
use crate::study::{Study, View};
use crate::truth::judgment::Judgments;
use crate::tui::app::App;

/// A part of the error analysis that is requested on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisPart {
    /// Top-k items of a model.
    TopK(ModelIx, Direction),
    /// Queries of each error type.
    Lists(View),
    /// Hubs and words.
    Detail(View),
    /// Slices of the view's model, and of a rival if there is one.
    Slices(View, Option<ModelIx>),
}

/// Inputs of the error analysis.
#[derive(Debug)]
pub struct AnalysisRequest {
    /// The study.
    pub study: Arc<Study>,
    /// Ranks by all models in the direction, after judgments.
    pub counts: FilterInputs,
    /// Judgments of the annotator.
    pub judgments: Judgments,
    /// Top-k items found so far.
    pub top_k: Vec<Arc<ModelTopItems>>,
    /// Tokenized captions, once known.
    pub texts: Option<Arc<Texts>>,
}

/// The queries of each kind, in the order of [`crate::analysis::kinds::KINDS`]; `None` where the study lacks the data
/// of a kind.
pub type KindLists = Vec<Option<KindQueries>>;

/// Result of a part of the error analysis, or of a prerequisite.
#[derive(Debug, Clone)]
pub enum AnalysisResult {
    /// Tokenized captions.
    Texts(Arc<Texts>),
    /// Top-k items of a model.
    TopK(Arc<ModelTopItems>),
    /// Queries of each error type, with the ranks' stamp.
    Lists(Stamp, View, Arc<KindLists>),
    /// Hubs and words, with the ranks' stamp.
    Detail(Stamp, View, Arc<Detail>),
    /// Slices, with the ranks' stamp.
    Slices(Stamp, (View, Option<ModelIx>), Arc<Slices>),
}

/// Analyses errors; caches the top-k items of a study's models and the tokenized captions.
#[derive(Default)]
pub struct AnalyseErrors {
    /// Stamp of the study that the caches belong to.
    study: Stamp,
    top_k: Vec<Arc<ModelTopItems>>,
    texts: Option<Arc<Texts>>,
}

impl Job for AnalyseErrors {
    const IS_LONG: bool = true;
    const FINISHES_PART: bool = true;
    /// The study.
    type Key = Stamp;
    /// Stamp of the ranks, and what to compute; all parts of a request have one direction.
    type Part = (Stamp, AnalysisPart);
    type Input = AnalysisRequest;
    type Output = AnalysisResult;

    /// Computes a part and its prerequisites; sends nothing if the model cannot be ranked: `CountRanks` reports that.
    fn run(&mut self, &(ranks, part): &(Stamp, AnalysisPart), run: &Run<'_, Self>) {
        let AnalysisRequest { study, counts, judgments, top_k, texts } = run.input;
        if let AnalysisPart::Slices(view, rival) = part {
            let models: Vec<ModelIx> = std::iter::once(view.model).chain(rival).collect();
            let slices = built_in_slices(study, view, &WordList::built_in());
            let request = SliceRequest::new(study, &models, view, slices);
            if let Some(found) = request.evaluate(counts, run.token) {
                run.send(AnalysisResult::Slices(ranks, (view, rival), Arc::new(found)));
            }
            return;
        }
        if self.study != *run.key {
            let (top_k, texts) = (top_k.clone(), texts.clone());
            *self = AnalyseErrors { study: *run.key, top_k, texts };
        }
        let texts = self.texts.get_or_insert_with(|| {
            let texts = Arc::new(Texts::from_gallery(&study.gallery));
            run.send(AnalysisResult::Texts(texts.clone()));
            texts
        });
        let (model, direction) = match part {
            AnalysisPart::TopK(model, direction) => (model, direction),
            AnalysisPart::Lists(view)
            | AnalysisPart::Detail(view)
            | AnalysisPart::Slices(view, _) => (view.model, view.direction),
        };
        let is_same =
            |top: &Arc<ModelTopItems>| (top.model, top.top_items.direction) == (model, direction);
        if !self.top_k.iter().any(is_same) {
            let Ok(Some(found)) = find_top_items(study, model, direction, &DEPTHS, run.token)
            else {
                return;
            };
            self.top_k.push(Arc::new(found));
            run.send(AnalysisResult::TopK(self.top_k[self.top_k.len() - 1].clone()));
        }
        let top_k = self.top_k.iter().filter(|top| top.top_items.direction == direction);
        let known = (top_k.cloned().collect(), texts.clone());
        let evidence = || Evidence::new(study, direction, known, (counts.clone(), judgments));
        match part {
            AnalysisPart::TopK(..) | AnalysisPart::Slices(..) => {}
            AnalysisPart::Lists(view) => {
                let lists = Arc::new(survey::all_kind_queries(&evidence(), view));
                run.send(AnalysisResult::Lists(ranks, view, lists));
            }
            AnalysisPart::Detail(view) => {
                let detail = Arc::new(survey::detail(&evidence(), view));
                run.send(AnalysisResult::Detail(ranks, view, detail));
            }
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let parts = model.wanted_parts();
        let needs_ranks = parts.iter().any(|part| !matches!(part, AnalysisPart::TopK(..)));
        let ranks = model.known.error_analysis.ranks;
        Some(Wanted {
            key: model.known.study_stamp,
            parts: parts.into_iter().map(|part| (ranks, part)).collect(),
            input: Box::new(move || model.analysis_request(needs_ranks)),
        })
    }

    fn apply(app: &mut App, _: Stamp, found: AnalysisResult) {
        app.model.store_analysis(found);
    }
}
