//! What is known of the study that is open: with another one all of it begins anew, and nothing else does.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::analysis::AnalysisState;
use super::curve::Traced;
use super::intervals::HalfWidths;
use super::judgements::JudgedNumbers;
use super::pools::PoolCache;
use super::rankings::Rankings;
use super::similarities::Similarities;
use crate::analysis::overlap::Overlaps;
use crate::data::index::ModelIx;
use crate::doctor::Finding;
use crate::error::Error;
use crate::figure::chart::Chart;
use crate::filter::FilterAnswer;
use crate::jobs::{ChartKey, ItemsKey, ListedItems, PairKey, Stamp, Tested};
use crate::study::Dials;

/// A chart, or why there is none.
type KnownChart = (ChartKey, Result<Arc<Chart>, Error>);

/// What was found out of the study that is open, and what is under way in it. A field that holds only as long as
/// that study belongs here: a reload makes this one value anew and keeps all else of the model.
#[derive(Debug)]
pub struct Known {
    /// The opening of the study from its files: once more, it is another one.
    pub opening: Stamp,
    /// The state of the study: what is told of another one comes too late.
    pub study_stamp: Stamp,
    /// How the dials stood when the drag under way began.
    pub drag: Option<Dials>,
    /// A mixture that is to be looked at once it is made.
    pub(in crate::tui::model) awaited_model: Option<ModelIx>,
    /// The name of a truth that is to be looked at once a similarity has made it.
    pub(in crate::tui::model) awaited_truth: Option<String>,
    /// Numbers in pools that were left.
    pub(crate) pool_cache: PoolCache,
    /// The numbers as verdicts change them.
    pub(crate) judged: JudgedNumbers,
    /// How sure the header's numbers are.
    pub(in crate::tui::model) half_widths: HalfWidths,
    /// Why models fail, as far as it is known.
    pub error_analysis: AnalysisState,
    /// Rankings of the selected query.
    pub rankings: Rankings,
    /// What is known of similarities.
    pub similarities: Similarities,
    /// How much the rankings of two models have in common, as far as it was asked for.
    pub(crate) overlaps: FxHashMap<PairKey, Arc<Overlaps>>,
    /// The queries that meet the condition that is being typed, by the stamp of the request.
    pub typed_met: Option<(Stamp, FilterAnswer)>,
    /// The outcomes of paired tests, by the stamp of what was tested.
    pub tested: Option<(Stamp, Vec<Tested>)>,
    /// The first items of queries, or why there are none.
    pub(crate) items: Option<(ItemsKey, Result<Arc<ListedItems>, Error>)>,
    /// The curve over alpha, as far as it is computed.
    pub curve: Traced,
    /// Charts that were asked for.
    pub(crate) charts: Vec<KnownChart>,
    /// What the doctor found, once it has looked.
    pub findings: Option<Arc<[Finding]>>,
    /// Whether these are all.
    pub is_examined: bool,
    /// Share of the count under way, while one is.
    pub progress: Option<f64>,
}

impl Default for Known {
    fn default() -> Self {
        Known {
            opening: Stamp::fresh(),
            study_stamp: Stamp::fresh(),
            drag: None,
            awaited_model: None,
            awaited_truth: None,
            pool_cache: PoolCache::default(),
            judged: JudgedNumbers::default(),
            half_widths: HalfWidths::default(),
            error_analysis: AnalysisState::default(),
            rankings: Rankings::default(),
            similarities: Similarities::default(),
            overlaps: FxHashMap::default(),
            typed_met: None,
            tested: None,
            items: None,
            curve: Traced::default(),
            charts: Vec::new(),
            findings: None,
            is_examined: false,
            progress: None,
        }
    }
}
