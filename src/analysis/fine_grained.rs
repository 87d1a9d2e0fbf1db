//! Effect of refined captions or an enlarged candidate pool on R@K, as in *Rethinking Benchmarks for Cross-modal
//! Image-text Retrieval* (Chen, Yao, Jin 2023, arXiv:2304.10824), table 4.
//!
//! The same model with the original captions and with other texts gives two score matrices. The baseline has the
//! original captions in the first pool; every other setting of the model is compared with it, query by query.

use rustc_hash::FxHashSet;

use super::clusters::{Clustering, query_clusters};
use super::holm::{self, HolmTest};
use super::paired_values::Paired;
use super::per_query::Values;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::evaluate::plan::{Line, Rule};
use crate::evaluate::rank_sets::{Counters, RankSets};
use crate::metric::rsum::RECALLS;
use crate::metric::{Spec, Unit};
use crate::rank::pass::CancelToken;
use crate::study::{Pool, Study};

/// A model with the original captions, then the same model with other texts.
pub type Variants = Vec<ModelIx>;

/// Matches models with their variants: for each text set, the n-th model belongs to the n-th with the original
/// captions, unless `pairs` names another match, as (original, variant).
///
/// # Errors
/// Models without a partner, names of unknown models.
pub fn match_variants(study: &Study, pairs: &[(String, String)]) -> Result<Vec<Variants>> {
    let models_with_texts = |set: usize| {
        ModelIx::all(&study.models).filter(move |&model| study.text_set_index(model) == set)
    };
    let mut found: Vec<Variants> = models_with_texts(0).map(|model| vec![model]).collect();
    if found.is_empty() {
        return Err(Error::new("models", "none was given the original captions").expected(
            "scores of a model on the original captions, and on others: --captions-of MODEL=NAME",
        ));
    }
    for (at, model) in (1..study.text_sets.len()).flat_map(|set| models_with_texts(set).enumerate())
    {
        let name = &study.models[model].name;
        let named = pairs.iter().find(|(_, variant)| variant == name);
        let base = named.map(|(base, _)| study.model_index(base)).transpose()?;
        let partner = match base {
            Some(base) => found.iter_mut().find(|one| one[0] == base),
            None => found.get_mut(at),
        };
        let unpaired = || {
            let lacks = format!("{name} has no model with the original captions beside it");
            Error::new("models", lacks)
                .expected("for each model one with the original captions, in the same order")
                .fix(format!("--pair ORIGINAL={name} names it"))
        };
        partner.ok_or_else(unpaired)?.push(model);
    }
    Ok(found)
}

/// Recalls of a model in one candidate pool.
#[derive(Debug)]
pub struct Setting {
    /// Index of the setting of its baseline, in the first pool; a baseline has its own index.
    pub baseline: usize,
    /// The model.
    pub model: ModelIx,
    /// The candidate pool.
    pub pool: Pool,
    /// R@1, R@5 and R@10 by direction and query; `None` if no query is covered.
    pub recalls: PerDirection<Option<[Values; RECALLS.len()]>>,
}

/// One recall of a setting, to be compared with that of its baseline in the first pool.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// Index of the setting.
    pub setting: usize,
    /// Index of the recall: 0 for R@1, 1 for R@5, 2 for R@10.
    pub metric: usize,
    /// Direction of retrieval.
    pub direction: Direction,
}

/// Computes the recalls of every model in every pool under a truth; `None` if cancelled.
///
/// # Errors
/// Pools of several parts, and as [`crate::rank::rank_targets`].
pub fn evaluate(
    study: &Study,
    variants: &[Variants],
    (truth, pools): (TruthIx, &[Pool]),
    token: &CancelToken,
) -> Result<Option<Vec<Setting>>> {
    if pools.contains(&Pool::Folds) {
        return Err(Error::new("--pool", "folds are pools of their own").expected(
            "pools in which all queries rank the same items, such as fold1 or original",
        ));
    }
    let line = |pool: Pool, metric| Line {
        key: String::new(),
        truth,
        rule: Rule::Metric(Spec::new(metric), pool),
    };
    let lines: Vec<Line> =
        pools.iter().flat_map(|&pool| RECALLS.map(|metric| line(pool, metric))).collect();
    let counters = Counters::new(study, &lines)?;
    let mut settings: Vec<Setting> = Vec::new();
    for models in variants {
        let baseline = settings.len();
        for &model in models {
            let Some(counts) = counters.count(&study.models[model], token)? else {
                return Ok(None);
            };
            let sets = RankSets::new(study, &counts, &lines, false);
            for &pool in pools {
                let recalls = PerDirection::from_fn(|direction| {
                    let values =
                        |metric| Values::for_line(study, &sets, &line(pool, metric), direction);
                    let [one, five, ten] = RECALLS.map(values);
                    Some([one?, five?, ten?])
                });
                settings.push(Setting { baseline, model, pool, recalls });
            }
        }
    }
    Ok(Some(settings))
}

/// Tests every recall of a setting against that of its baseline, on queries covered by both.
pub fn test_changes(study: &Study, settings: &[Setting]) -> Vec<HolmTest<Change>> {
    let images = Clustering::ByImage.images(study);
    let changed = (0..settings.len()).filter(|&at| settings[at].baseline != at);
    let changes = changed.flat_map(|setting| {
        Direction::BOTH.into_iter().flat_map(move |direction| {
            (0..RECALLS.len()).map(move |metric| Change { setting, metric, direction })
        })
    });
    let changes = changes.filter_map(|change| Some((change, pair(settings, change)?)));
    let test = |of: &Change| (Unit::Share, query_clusters(images.as_deref(), of.direction));
    holm::test_family(changes, test, |_, _| false)
}

/// Pairs the values of a setting with those of its baseline, on common queries; `None` if either covers no query.
fn pair(settings: &[Setting], Change { setting, metric, direction }: Change) -> Option<Paired> {
    let values = |at: usize| Some(&settings[at].recalls[direction].as_ref()?[metric]);
    let (one, other) = (values(setting)?, values(settings[setting].baseline)?);
    let queries = |values: &Values| values.queries.iter().copied().collect::<FxHashSet<u32>>();
    let shared = &queries(one) & &queries(other);
    let common = |values: &Values| values.filter(|query| shared.contains(&query));
    Some(Paired::from_values([&common(one), &common(other)]))
}
