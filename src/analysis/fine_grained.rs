//! What becomes of R@K when the captions are refined or the candidate pool is enlarged, as in *Rethinking
//! Benchmarks for Cross-modal Image-text Retrieval* (Chen, Yao, Jin 2023, arXiv:2304.10824), table 4.
//!
//! A model that was given the original captions and the same model given other texts of them are two score
//! matrices: the first of each is its baseline, everything else is compared with it, query by query.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clustering::{Clustering, cluster_of};
use super::holm;
use super::inference::Estimate;
use super::paired::Paired;
use super::per_query::Values;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::evaluate::plan::{Line, Rule};
use crate::evaluate::rank_sets::{Counters, RankSets};
use crate::metric::rsum::RECALLS;
use crate::metric::{Metric, Spec, Unit};
use crate::rank::pass::CancelToken;
use crate::study::{Pool, Study};

/// A model with the original captions, and the models that are the same with other texts of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variants {
    /// The models: that with the original captions first.
    pub models: Vec<ModelIx>,
}

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
    let mut found: Vec<Variants> =
        of_set(0).map(|model| Variants { models: vec![model] }).collect();
    if found.is_empty() {
        return Err(Error::new("models", "none was given the original captions").expected(
            "scores of a model on the original captions, and on others: --captions-of MODEL=NAME",
        ));
    }
    for set in 1..study.text_sets.len() {
        for (at, model) in of_set(set).enumerate() {
            let base = base_of(study, model, at, pairs)?;
            let of_base = found.iter_mut().find(|one| one.models[0] == base);
            of_base.ok_or_else(|| unpaired(study, model))?.models.push(model);
        }
    }
    Ok(found)
}

fn base_of(
    study: &Study,
    model: ModelIx,
    at: usize,
    pairs: &[(String, String)],
) -> Result<ModelIx> {
    let name = &study.models[model].name;
    let named = pairs.iter().find(|(_, variant)| variant == name);
    if let Some((base, _)) = named {
        return study.model_place(base);
    }
    let mut bases = ModelIx::all(&study.models).filter(|&base| study.text_set_of(base) == 0);
    bases.nth(at).ok_or_else(|| unpaired(study, model))
}

fn unpaired(study: &Study, model: ModelIx) -> Error {
    let name = &study.models[model].name;
    Error::new("models", format!("{name} has no model with the original captions beside it"))
        .expected("for each model one with the original captions, in the same order")
        .mend(format!("--pair ORIGINAL={name} names it"))
}

/// A model in a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The place of its baseline among the variants.
    pub base: usize,
    /// The model.
    pub model: ModelIx,
    /// The candidate pool.
    pub pool: Pool,
}

/// What one setting gives in one direction.
#[derive(Debug, Clone, Default)]
pub struct OfSetting {
    /// The values of R@1, R@5 and R@10, query by query.
    pub recalls: Vec<Values>,
    /// The rank of the first positive by query, where one is ranked.
    pub first: FxHashMap<u32, u32>,
}

impl OfSetting {
    /// The mean of each recall over the queries; `None` where it is undefined.
    pub fn means(&self) -> Vec<Option<f64>> {
        let mean = |values: &Values| Paired::of([values, values]).means().map(|[mean, _]| mean);
        self.recalls.iter().map(mean).collect()
    }

    /// The gallery indices of the queries.
    pub fn queries(&self) -> &[u32] {
        self.recalls.first().map_or(&[], |values| &values.queries)
    }

    /// The rank of the first positive of a query; `None` where none is ranked, or the query is not judged.
    pub fn first_of(&self, query: u32) -> Option<u32> {
        self.first.get(&query).copied()
    }

    /// The queries whose top-1 is correct (`true`), or is not.
    fn queries_at_1(&self, is_right: bool) -> FxHashSet<u32> {
        let wanted = if is_right { 1.0 } else { 0.0 };
        let Some(values) = self.recalls.first() else {
            return FxHashSet::default();
        };
        let each = values.queries.iter().zip(&values.values);
        let meets =
            |value: &Option<f64>| value.is_some_and(|value: f64| value.total_cmp(&wanted).is_eq());
        each.filter(|(_, value)| meets(value)).map(|(&query, _)| query).collect()
    }
}

/// All settings of a study, counted.
#[derive(Debug)]
pub struct Counted {
    /// Models, baselines first.
    pub variants: Vec<Variants>,
    /// The settings: of each baseline its own texts first, in the first pool first.
    pub settings: Vec<Setting>,
    /// By setting.
    pub of_settings: Vec<PerDirection<Option<OfSetting>>>,
}

/// A setting against that of its baseline in the first pool.
#[derive(Debug, Clone)]
pub struct Change {
    /// The place of the baseline's setting.
    pub from: usize,
    /// The place of the other one.
    pub to: usize,
    /// Which recall.
    pub metric: usize,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The values of the setting and of the baseline, on the queries of both.
    pub paired: Paired,
    /// Interval and p-value of the change.
    pub estimate: Option<Estimate>,
    /// The p-value, corrected by Holm over all changes.
    pub adjusted: Option<f64>,
}

/// The metrics that are told.
pub fn metrics() -> [&'static dyn Metric; 3] {
    RECALLS
}

/// Counts every model in every pool under a truth; `None` when it was cancelled.
///
/// # Errors
/// Pools of several parts, and as [`crate::rank::count`].
pub fn count(
    study: &Study,
    variants: Vec<Variants>,
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
    let (mut settings, mut of_settings) = (Vec::new(), Vec::new());
    for (base, one) in variants.iter().enumerate() {
        for &model in &one.models {
            let Some(counts) = counters.count(&study.models[model], token)? else {
                return Ok(None);
            };
            let mut sets = RankSets::new(study, &counts, false);
            for (&pool, lines) in pools.iter().zip(lines.chunks(RECALLS.len())) {
                settings.push(Setting { base, model, pool });
                of_settings.push(PerDirection::from_fn(|direction| {
                    of_setting(study, &mut sets, lines, direction)
                }));
            }
        }
    }
    Ok(Some(Counted { variants, settings, of_settings }))
}

fn of_setting(
    study: &Study,
    sets: &mut RankSets<'_>,
    lines: &[Line],
    direction: Direction,
) -> Option<OfSetting> {
    let values = lines.iter().map(|line| Values::of(study, sets, line, direction));
    let recalls: Vec<Values> = values.collect::<Option<_>>()?;
    let line = lines.first()?;
    let ranks = sets.get(line.truth, direction, line.rule.pool())?;
    let each = ranks.queries().iter().zip(ranks.iter());
    let first = each.filter_map(|(&query, ranks)| Some((query, ranks.first()?)));
    Some(OfSetting { recalls, first: first.collect() })
}

impl Counted {
    /// The place of the baseline's setting in the first pool.
    pub fn baseline(&self, setting: usize) -> usize {
        let base = self.settings[setting].base;
        let found = self.settings.iter().position(|one| one.base == base);
        found.unwrap_or(setting)
    }

    /// Tests every setting against its baseline, on the queries that both judge.
    ///
    /// # Errors
    /// As [`Clustering::images`].
    pub fn changes(&self, study: &Study) -> Result<Vec<Change>> {
        let images = Clustering::ByImage.images(study);
        let mut asked = Vec::new();
        for to in 0..self.settings.len() {
            let from = self.baseline(to);
            for direction in Direction::BOTH {
                for metric in (0..RECALLS.len()).filter(|_| to != from) {
                    let paired = self.paired([to, from], metric, direction);
                    asked.extend(paired.map(|paired| (from, to, metric, direction, paired)));
                }
            }
        }
        let estimate = |(.., direction, paired): &(usize, usize, usize, Direction, Paired)| {
            paired.estimate(Unit::Share, cluster_of(images.as_deref(), *direction))
        };
        let estimates: Vec<Option<Estimate>> = asked.iter().map(estimate).collect();
        let p: Vec<Option<f64>> = estimates.iter().map(|of| Some((*of)?.p())).collect();
        let all = asked.into_iter().zip(estimates).zip(holm::adjusted(&p));
        Ok(all
            .map(|(((from, to, metric, direction, paired), estimate), adjusted)| Change {
                from,
                to,
                metric,
                direction,
                paired,
                estimate,
                adjusted,
            })
            .collect())
    }

    /// The values of two settings, on the queries of both.
    fn paired(&self, settings: [usize; 2], metric: usize, direction: Direction) -> Option<Paired> {
        let values = |at: usize| Some(&self.of_settings[at][direction].as_ref()?.recalls[metric]);
        let [one, other] = settings.map(values);
        let (one, other) = (one?, other?);
        let queries = |values: &Values| values.queries.iter().copied().collect::<FxHashSet<u32>>();
        let both = &queries(one) & &queries(other);
        let kept = |values: &Values| values.kept(|query| both.contains(&query));
        Some(Paired::of([&kept(one), &kept(other)]))
    }
}

/// What another setting makes of the queries that no model has right at 1 with the original captions.
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
    /// Those of them whose top-1 is no more.
    pub lost: usize,
}

impl Counted {
    /// The queries that every model judges and none has right at 1 with the original captions, in the first
    /// pool; ascending.
    pub fn all_fail(&self, direction: Direction) -> Vec<u32> {
        let mut failed: Option<FxHashSet<u32>> = None;
        for setting in self.baselines() {
            let of = self.of_settings[setting][direction].as_ref();
            let wrong = of.map_or_else(FxHashSet::default, |of| of.queries_at_1(false));
            failed = Some(failed.map_or(wrong.clone(), |known| &known & &wrong));
        }
        let mut failed: Vec<u32> = failed.unwrap_or_default().into_iter().collect();
        failed.sort_unstable();
        failed
    }

    fn baselines(&self) -> impl Iterator<Item = usize> {
        (0..self.settings.len()).filter(|&at| self.baseline(at) == at)
    }

    /// What the variants of each model make of these queries, in the first pool.
    pub fn repaired(&self, direction: Direction) -> Vec<Repaired> {
        let failed = self.all_fail(direction);
        let first = self.settings.first().map(|one| one.pool);
        let is_variant = |at: &usize| {
            let pool = Some(self.settings[*at].pool);
            self.baseline(*at) != *at && pool == first
        };
        let of = |setting: usize| {
            let now = self.of_settings[setting][direction].as_ref()?;
            let before = self.of_settings[self.baseline(setting)][direction].as_ref()?;
            let (right, was_right) = (now.queries_at_1(true), before.queries_at_1(true));
            let wrong = now.queries_at_1(false);
            Some(Repaired {
                setting,
                direction,
                repaired: failed.iter().copied().filter(|query| right.contains(query)).collect(),
                right: was_right.len(),
                lost: was_right.intersection(&wrong).count(),
            })
        };
        (0..self.settings.len()).filter(is_variant).filter_map(of).collect()
    }
}
