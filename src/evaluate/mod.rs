//! A study's metrics: every line of a [`plan()`], for every model.

pub mod curve;
pub mod parts;
pub mod plan;
pub mod rank_sets;
mod unknown_metrics;

use crate::data::index::TruthIx;
use crate::data::{Direction, PerDirection, parallel};
use crate::error::Result;
use crate::metric::Summary;
use crate::metric::depth::Undefined;
use crate::rank::TargetRanks;
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::truth::conventions::Conventions;
use crate::truth::relevance::Relevance;
use plan::{Line, Request, plan, richest_truth};
use rank_sets::{Counters, RankSets};

/// The value of a line for one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// One for each direction of the truth.
    Each(PerDirection<Option<Summary>>),
    /// One over both directions.
    Both(Option<f64>),
}

/// The values of every line for every model of a study, both directions.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// Images of the gallery.
    pub images: usize,
    /// Captions of the gallery.
    pub captions: usize,
    /// Key and rule of each line, a metric or sum under one truth, in order of output.
    pub lines: Vec<Line>,
    /// The richest ground truth of the lines; `None` if no line rates models.
    pub richest: Option<TruthIx>,
    /// Name of each truth, and its number of covered queries in each direction; `None` for a direction that it lacks.
    pub covered: Vec<(String, PerDirection<Option<usize>>)>,
    /// Each model's name, file and values, in the order of `lines`.
    pub models: Vec<(String, String, Vec<Value>)>,
    /// Values of a perfect model, if requested.
    pub ceiling: Option<Vec<Value>>,
    /// Conventions for edge cases.
    pub conventions: Conventions,
    /// Flags that change values under the same key, with their values; `None` for a switch.
    pub flags: Vec<(&'static str, Option<f64>)>,
    /// A text for each model and direction with rankings too short for some lines: names the lines and the reason.
    pub undefined: Vec<String>,
}

/// The values of all lines, and those undefined because the model's rankings are too short.
fn values(sets: &RankSets, lines: &[Line]) -> (Vec<Value>, PerDirection<Undefined>) {
    let mut undefined: PerDirection<Undefined> = PerDirection::default();
    let values = parallel::map(lines, |line| sets.value(line));
    for (line, (_, shortages)) in lines.iter().zip(&values) {
        for direction in Direction::BOTH {
            if let Some(shortage) = shortages[direction] {
                undefined[direction].add_key(&line.key, shortage);
            }
        }
    }
    (values.into_iter().map(|(value, _)| value).collect(), undefined)
}

/// Text on the lines that are undefined for a model in a direction because its rankings are too short; `None` if no
/// line is.
fn undefined_text(
    model: &str,
    direction: Direction,
    counted: &PerDirection<TargetRanks>,
    undefined: &PerDirection<Undefined>,
) -> Option<String> {
    let (counted, undefined) = (&counted[direction], &undefined[direction]);
    if undefined.is_empty() {
        return None;
    }
    let mut depths = counted.depths.iter().flat_map(|depths| &depths.all);
    Some(if depths.all(|&depth| depth == 0) {
        format!("{model} {direction} undefined: nothing is ranked")
    } else {
        format!("{model} {direction} undefined: {undefined}")
    })
}

/// The values of all lines for every model. `token` has the progress on the current model; once it is cancelled, the
/// result lacks the remaining models.
///
/// # Errors
/// As [`plan()`], [`Study::in_pool`] and [`crate::rank::rank_targets`].
pub fn evaluate(study: &Study, request: &Request, token: &CancelToken) -> Result<Evaluation> {
    evaluate_each(study, request, token, |_, _| ())
}

/// Like [`evaluate`], but calls `each` with each model's ranks and the lines.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_each(
    study: &Study,
    request: &Request,
    token: &CancelToken,
    mut each: impl FnMut(&RankSets, &[Line]),
) -> Result<Evaluation> {
    let lines = plan(study, request)?;
    let counters = Counters::new(study, &lines)?;
    let mut models = Vec::new();
    let mut ceiling = None;
    let mut undefined = Vec::new();
    for model in &study.models {
        let Some(counts) = counters.count(model, token)? else {
            break;
        };
        let sets = RankSets::new(study, &counts, &lines, false);
        let (of_model, too_short) = values(&sets, &lines);
        each(&sets, &lines);
        if request.ceiling && ceiling.is_none() {
            let perfect = RankSets::new(study, &counts, &lines, true);
            ceiling = Some(values(&perfect, &lines).0);
        }
        let text = |direction| undefined_text(&model.name, direction, &counts.counted, &too_short);
        undefined.extend(Direction::BOTH.into_iter().filter_map(text));
        models.push((model.name.clone(), model.source.clone(), of_model));
    }
    let covered = study.truths.iter().map(|truth| {
        let count = |direction| truth.relevance[direction].as_ref().map(Relevance::len);
        (truth.name.clone(), PerDirection::from_fn(count))
    });
    let cap = request.pmrp_cap.map(|cap| ("pmrp-cap", Some(f64::from(cap))));
    Ok(Evaluation {
        flags: study.rule_flags().into_iter().chain(cap).collect(),
        images: study.gallery.images.len(),
        captions: study.gallery.captions.len(),
        covered: covered.collect(),
        richest: richest_truth(study, &lines),
        lines,
        models,
        ceiling,
        undefined,
        conventions: study.conventions,
    })
}
