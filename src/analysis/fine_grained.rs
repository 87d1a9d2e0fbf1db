//! What becomes of R@K when the captions are refined or the candidate pool is enlarged, as in *Rethinking
//! Benchmarks for Cross-modal Image-text Retrieval* (Chen, Yao, Jin 2023, arXiv:2304.10824), table 4.
//!
//! A model that was given the original captions and the same model given other texts of them are two score
//! matrices: the first of each is its baseline, everything else is compared with it, query by query.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clusters::{Clustering, cluster_of};
use super::holm::{self, Tested};
use super::paired::Paired;
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

/// A model with the original captions first, and the models that are the same with other texts of them.
pub type Variants = Vec<ModelIx>;

/// Brings models and their variants together: of the models of each set of texts the n-th is the n-th with
/// the original captions, unless `pairs` names another (original, variant).
///
/// # Errors
/// Models without a partner, names of pairs that do not fit.
pub fn variants(study: &Study, pairs: &[(String, String)]) -> Result<Vec<Variants>> {
    let of_set = |set: usize| {
        let all = ModelIx::all(&study.models);
        all.filter(move |&model| study.text_set_of(model) == set)
    };
    let mut found: Vec<Variants> = of_set(0).map(|model| vec![model]).collect();
    if found.is_empty() {
        return Err(Error::new("models", "none was given the original captions").expected(
            "scores of a model on the original captions, and on others: --captions-of MODEL=NAME",
        ));
    }
    for (at, model) in (1..study.text_sets.len()).flat_map(|set| of_set(set).enumerate()) {
        let name = &study.models[model].name;
        let named = pairs.iter().find(|(_, variant)| variant == name);
        let base = named.map(|(base, _)| study.model_place(base)).transpose()?;
        let of_base = match base {
            Some(base) => found.iter_mut().find(|one| one[0] == base),
            None => found.get_mut(at),
        };
        let unpaired = || {
            let lacks = format!("{name} has no model with the original captions beside it");
            Error::new("models", lacks)
                .expected("for each model one with the original captions, in the same order")
                .mend(format!("--pair ORIGINAL={name} names it"))
        };
        of_base.ok_or_else(unpaired)?.push(model);
    }
    Ok(found)
}

/// A model in a pool.
#[derive(Debug)]
pub struct Setting {
    /// The place of its baseline's setting in the first pool; of a baseline its own.
    pub baseline: usize,
    /// The model.
    pub model: ModelIx,
    /// The candidate pool.
    pub pool: Pool,
    /// R@K of the pool by direction; `None` if no query is covered.
    pub recalls: PerDirection<Option<Recalls>>,
}

/// What one setting gives in one direction.
#[derive(Debug)]
pub struct Recalls {
    /// The values of R@1, R@5 and R@10, query by query.
    pub values: [Values; RECALLS.len()],
    /// The rank of the first positive by query, where one is ranked.
    pub first: FxHashMap<u32, u32>,
}

impl Recalls {
    /// The queries whose top-1 is correct (`true`), or is not.
    fn at_1(&self, is_right: bool) -> FxHashSet<u32> {
        let wanted = Some(f64::from(u8::from(is_right)));
        let each = self.values[0].queries.iter().zip(&self.values[0].values);
        each.filter(|(_, value)| **value == wanted).map(|(&query, _)| query).collect()
    }
}

/// All settings of a study: of each baseline its own texts first, in the first pool first.
#[derive(Debug)]
pub struct Counted {
    /// A setting for each model and candidate pool.
    pub settings: Vec<Setting>,
}

/// A setting against that of its baseline in the first pool.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// The place of the setting.
    pub setting: usize,
    /// Which recall.
    pub metric: usize,
    /// Direction of retrieval.
    pub direction: Direction,
}

/// Counts every model in every pool under a truth; `None` when it was cancelled.
///
/// # Errors
/// Pools of several parts, and as [`crate::rank::count`].
pub fn count(
    study: &Study,
    variants: &[Variants],
    (truth, pools): (TruthIx, &[Pool]),
    token: &CancelToken,
) -> Result<Option<Counted>> {
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
            let mut sets = RankSets::new(study, &counts, false);
            for &pool in pools {
                let recalls = PerDirection::from_fn(|direction| {
                    let mut of =
                        |metric| Values::of(study, &mut sets, &line(pool, metric), direction);
                    let [one, five, ten] = RECALLS.map(&mut of);
                    let ranks = sets.get(truth, direction, pool)?;
                    let each = ranks.queries().iter().zip(ranks.iter());
                    let first = each.filter_map(|(&query, ranks)| Some((query, ranks.first()?)));
                    Some(Recalls { values: [one?, five?, ten?], first: first.collect() })
                });
                settings.push(Setting { baseline, model, pool, recalls });
            }
        }
    }
    Ok(Some(Counted { settings }))
}

impl Counted {
    /// Tests every setting against its baseline, on the queries that both judge.
    pub fn changes(&self, study: &Study) -> Vec<Tested<Change>> {
        let images = Clustering::ByImage.images(study);
        let settings = (0..self.settings.len()).filter(|&at| self.settings[at].baseline != at);
        let changes = settings.flat_map(|setting| {
            Direction::BOTH.into_iter().flat_map(move |direction| {
                (0..RECALLS.len()).map(move |metric| Change { setting, metric, direction })
            })
        });
        let changes = changes.filter_map(|change| Some((change, self.paired(change)?)));
        let test = |of: &Change| (Unit::Share, cluster_of(images.as_deref(), of.direction));
        holm::tested(changes, test, |_, _| false)
    }

    /// The values of a setting and of its baseline, on the queries of both.
    fn paired(&self, Change { setting, metric, direction }: Change) -> Option<Paired> {
        let values =
            |at: usize| Some(&self.settings[at].recalls[direction].as_ref()?.values[metric]);
        let (one, other) = (values(setting)?, values(self.settings[setting].baseline)?);
        let queries = |values: &Values| values.queries.iter().copied().collect::<FxHashSet<u32>>();
        let both = &queries(one) & &queries(other);
        let kept = |values: &Values| values.kept(|query| both.contains(&query));
        Some(Paired::of([&kept(one), &kept(other)]))
    }

    /// The queries that every model judges and none has right at 1 with the original captions, in the first
    /// pool; ascending.
    pub fn all_fail(&self, direction: Direction) -> Vec<u32> {
        let all = self.settings.iter().enumerate();
        let baselines = all.filter(|(at, setting)| setting.baseline == *at);
        let wrong = baselines.map(|(_, setting)| {
            let recalls = setting.recalls[direction].as_ref();
            recalls.map_or_else(FxHashSet::default, |of| of.at_1(false))
        });
        let failed = wrong.reduce(|known, wrong| &known & &wrong).unwrap_or_default();
        let mut failed: Vec<u32> = failed.into_iter().collect();
        failed.sort_unstable();
        failed
    }

    /// The places of the settings in the first pool.
    pub fn in_first_pool(&self) -> impl Iterator<Item = usize> {
        let first = self.settings.first().map(|one| one.pool);
        (0..self.settings.len()).filter(move |&at| Some(self.settings[at].pool) == first)
    }

    /// What the variants of each model make of these queries, in the first pool.
    pub fn repaired(&self, direction: Direction) -> Vec<Repaired> {
        let failed = self.all_fail(direction);
        let of = |setting: usize| {
            let baseline = self.settings[setting].baseline;
            let now = self.settings[setting].recalls[direction].as_ref()?;
            let before = self.settings[baseline].recalls[direction].as_ref()?;
            let (right, was_right) = (now.at_1(true), before.at_1(true));
            (setting != baseline).then(|| Repaired {
                setting,
                direction,
                repaired: failed.iter().copied().filter(|query| right.contains(query)).collect(),
                right: was_right.len(),
                lost: was_right.intersection(&now.at_1(false)).count(),
            })
        };
        self.in_first_pool().filter_map(of).collect()
    }
}

/// Change of top-1 under another setting, among queries that every model fails with the original captions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired {
    /// The place of the setting.
    pub setting: usize,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Of the queries that all models fail: those whose top-1 is correct now, ascending.
    pub repaired: Vec<u32>,
    /// Queries whose top-1 was correct under this model.
    pub right: usize,
    /// How many of `right` have a wrong top-1 in the new setting.
    pub lost: usize,
}
