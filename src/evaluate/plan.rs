//! Which lines an evaluation has, and under which keys.
//!
//! Keys are those of `eccv_caption`: `coco_5k_*` and `coco_1k_*` are the original truth on the COCO
//! test gallery, `original_*` on any other; other truths give `<truth>_<metric>`, a pool
//! `<truth>@<pool>_<metric>`, and Plausible Match in the truth `pm` also `pmrp`.

use std::collections::BTreeSet;

use crate::data::index::TruthIx;
use crate::data::near::{meant, nearest};
use crate::error::{Error, Result};
use crate::metric::rsum::{self, RECALLS, Sum};
use crate::metric::{Depth, METRICS, Metric, NO_DEPTH, Spec, Unit, is_defined_under};
use crate::study::{Pool, Study};
use crate::truth::Kind;

/// The metrics that an evaluation has: the usual ones, all, or those named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Choice {
    /// What `eccv_caption` reports, and R@1, 5, 10, mAP@R and R-Precision of every truth.
    #[default]
    Usual,
    /// Everything defined.
    All,
    /// Metrics (`map_at_r`, `recall_at_k`, `ndcg_at_20`) or full keys (`eccv_r1`).
    Named(Vec<String>),
}

/// Metrics, depths, truths and pools of an evaluation, before they are looked up in a study.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The metrics.
    pub metrics: Choice,
    /// Depths of metrics that take one.
    pub depths: Vec<u32>,
    /// Names of truths; all if empty.
    pub truths: Vec<String>,
    /// Pools; the whole gallery if empty.
    pub pools: Vec<Pool>,
    /// Cap of R in `pmrp`.
    pub pmrp_cap: Option<u32>,
    /// Whether to add what a perfect model would get.
    pub ceiling: bool,
}

/// One line of the result: a key and how its value comes about.
#[derive(Debug, Clone)]
pub struct Line {
    /// Such as `eccv_map_at_r`.
    pub key: String,
    /// Index of the truth.
    pub truth: TruthIx,
    /// How it is computed.
    pub rule: Rule,
}

/// How a line is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A metric over the queries of a pool.
    Metric(Spec, Pool),
    /// A metric in each fold, then the mean over folds.
    FoldMean(Spec),
    /// A sum of both directions over a pool.
    Sum(Sum, Pool),
    /// RSUM of fold means.
    FoldRsum,
}

impl Rule {
    /// The pool whose ranks it takes.
    pub fn pool(self) -> Pool {
        match self {
            Rule::Metric(_, pool) | Rule::Sum(_, pool) => pool,
            Rule::FoldMean(_) | Rule::FoldRsum => Pool::Folds,
        }
    }
}

impl Line {
    /// The unit of its metric: a share, a rank or a sum.
    pub fn unit(&self) -> Unit {
        match self.rule {
            Rule::Metric(spec, _) | Rule::FoldMean(spec) => spec.metric.unit(),
            Rule::Sum(..) | Rule::FoldRsum => Unit::Sum,
        }
    }
}

/// The lines that a request means on a study.
///
/// # Errors
/// Names that match no truth or no metric: all of them are listed.
pub fn plan(study: &Study, request: &Request) -> Result<Vec<Line>> {
    let unknown: Vec<&str> = request
        .truths
        .iter()
        .map(String::as_str)
        .filter(|name| study.truth(name).is_none())
        .collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = study
            .truths
            .iter()
            .map(|truth| truth.name.as_str())
            .collect();
        let error = Error::new("--truth", format!("no truth named {}", unknown.join(", ")))
            .expected(format!("one of: {}", known.join(", ")));
        return Err(error.meaning(meant(unknown[0], &known)));
    }
    let lines = Planner {
        study,
        request,
        depths: depths(request),
    }
    .lines();
    match &request.metrics {
        Choice::Usual | Choice::All => Ok(lines),
        Choice::Named(names) => named(lines, names, &depths(request)),
    }
}

/// The depths asked for, those in metric names included.
fn depths(request: &Request) -> BTreeSet<u32> {
    let mut depths: BTreeSet<u32> = request.depths.iter().copied().collect();
    if let Choice::Named(names) = &request.metrics {
        depths.extend(
            names
                .iter()
                .filter_map(|name| name.rsplit_once("_at_")?.1.parse::<u32>().ok()),
        );
    }
    depths.remove(&0);
    depths
}

fn named(lines: Vec<Line>, names: &[String], depths: &BTreeSet<u32>) -> Result<Vec<Line>> {
    let matches = |line: &Line, name: &str| {
        let metric = match line.rule {
            Rule::Metric(spec, _) | Rule::FoldMean(spec) => {
                spec.to_string() == name || spec.metric.key() == name
            }
            Rule::Sum(sum, _) => name == sum.key(),
            Rule::FoldRsum => name == rsum::KEY,
        };
        metric || line.key == name
    };
    let unknown: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| !lines.iter().any(|line| matches(line, name)))
        .collect();
    let in_pools = names.iter().find_map(|name| {
        let found = lines.iter().filter(|line| matches(line, name));
        beyond_pools(&lines, &found.collect::<Vec<_>>(), name)
    });
    if let Some(error) = in_pools {
        return Err(error);
    }
    if let Some(error) = unknown.iter().find_map(|name| too_deep(name, depths)) {
        return Err(error);
    }
    if !unknown.is_empty() {
        return Err(none_named(&unknown));
    }
    Ok(lines
        .into_iter()
        .filter(|line| names.iter().any(|name| matches(line, name)))
        .collect())
}

/// Why there are no lines for what was asked: nobody said what is not relevant, or nothing has such a name.
fn none_named(unknown: &[&str]) -> Error {
    let names = unknown.join(", ");
    if unknown.iter().all(|name| is_of_judgements(name)) {
        let found =
            format!("{names} without a ground truth that tells what was judged not relevant");
        return Error::new("--metrics", found)
            .expected("grades of 0 in qrels, a bundle's nonrelevant, verdicts, or ratings with a threshold")
            .mend("of CxC's ratings --cxc-threshold 3 makes judgements, --session FILE takes verdicts");
    }
    let known: Vec<&str> = METRICS.iter().map(|metric| metric.key()).collect();
    let error = Error::new("--metrics", format!("nothing is named {names}")).expected(format!(
        "a key such as eccv_map_at_r, or: {}, {}",
        known.join(", "),
        Sum::ALL.map(Sum::key).join(", ")
    ));
    match likely(unknown[0], &known) {
        Some(mend) => error.mend(mend),
        None => error,
    }
}

/// What somebody meant who wrote a name that no metric has.
fn likely(name: &str, known: &[&str]) -> Option<String> {
    let depth = name.to_lowercase();
    let depth = depth.strip_prefix("r@").or(depth.strip_prefix('r'));
    let depth: Option<u32> = depth.and_then(|depth| depth.parse().ok());
    if let Some(depth) = depth {
        let known = "R@K has K = 1, 5 and 10";
        return Some(format!("{known}; the share of positives is Recall@{depth}"));
    }
    if name.contains(char::is_whitespace) {
        let parts: Vec<&str> = name.split_whitespace().collect();
        return Some(format!("separate names by commas: {}", parts.join(",")));
    }
    let titles = METRICS.iter().map(|metric| metric.title());
    let mut names: Vec<&str> = known.to_vec();
    names.extend(titles);
    nearest(name, names).map(|near| format!("did you mean {near}?"))
}

/// Whether a metric, perhaps at a depth, takes judgements of what is not relevant.
fn is_of_judgements(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut metrics = METRICS.iter().filter(|metric| metric.takes_judgements());
    metrics.any(|metric| metric.key() == name || metric.key().trim_end_matches('k') == stem)
}

/// Why a name has no value where candidate pools alone are asked for, if it is that of a metric of whole galleries.
/// `found` are the lines of this name; sums have none there.
fn beyond_pools(lines: &[Line], found: &[&Line], name: &str) -> Option<Error> {
    let spec = |line: &Line| match line.rule {
        Rule::Metric(spec, pool) => Some((spec, pool)),
        Rule::FoldMean(spec) => Some((spec, Pool::Folds)),
        Rule::Sum(..) | Rule::FoldRsum => None,
    };
    let is_beyond = |line: &&Line| {
        spec(line).is_some_and(|(of, pool)| of.metric.is_of_whole_gallery() && pool != Pool::All)
    };
    let is_refused = if found.is_empty() {
        let is_sum = |sum: &Sum| sum.takes_phi() && sum.key() == name;
        lines.iter().any(|line| is_beyond(&line)) && Sum::ALL.iter().any(is_sum)
    } else {
        found.iter().all(is_beyond)
    };
    is_refused.then(|| {
        Error::new("--metrics", format!("{name} in a candidate pool"))
            .expected("the whole gallery: NCS is defined over its most similar items")
            .mend("leave --pool out, or name other metrics")
    })
}

/// Why nothing is of this name, where it is that of a metric at a depth at which that is not defined.
fn too_deep(name: &str, depths: &BTreeSet<u32>) -> Option<Error> {
    let is_beyond = |metric: &dyn Metric, named: &str| match named.parse::<u32>() {
        Ok(k) => k > metric.deepest(),
        Err(_) => named == "k" && depths.iter().all(|k| *k > metric.deepest()),
    };
    let is_it = |metric: &&&dyn Metric| {
        let stem = metric.key().strip_suffix("_at_k");
        let rest = stem.and_then(|stem| name.rsplit_once(stem)?.1.strip_prefix("_at_"));
        rest.is_some_and(|named| is_beyond(**metric, named))
    };
    let metric = METRICS.iter().find(is_it)?;
    let found = format!(
        "{name}: it is defined up to a depth of {}",
        metric.deepest()
    );
    Some(Error::new("--metrics", found).mend("give it a lesser K, in its name or by --k"))
}

/// The key of a metric under a truth in a pool; `None` where the metric is of another truth alone.
pub fn key(study: &Study, truth: TruthIx, pool: Pool, spec: Spec) -> Option<String> {
    if !is_defined_under(spec.metric, &study.truths[truth]) {
        return None;
    }
    match spec.metric.only_under() {
        Some(name) if study.truths[truth].name != name => None,
        Some(_) if pool == Pool::All => Some(spec.to_string()),
        _ => Some(format!("{}_{spec}", prefix(study, truth, pool))),
    }
}

/// Whether a sum is defined under a truth in a pool: that of NCS under those of similarities, in the whole gallery.
pub fn has_sum(study: &Study, truth: TruthIx, pool: Pool, sum: Sum) -> bool {
    let is_by_similarity = study.truths[truth].is_by_similarity();
    !sum.takes_phi() || is_by_similarity && pool == Pool::All
}

/// The key of a sum under a truth in a pool.
pub fn sum_key(study: &Study, truth: TruthIx, pool: Pool, sum: Sum) -> String {
    format!("{}_{}", prefix(study, truth, pool), sum.key())
}

fn prefix(study: &Study, truth: TruthIx, pool: Pool) -> String {
    let truth = &study.truths[truth];
    match (pool, truth.kind) {
        (Pool::All, Kind::Original) if study.gallery.is_coco_test() => "coco_5k".into(),
        (Pool::All, Kind::Original) => "original".into(),
        (Pool::All, _) => truth.name.clone(),
        (pool, _) => format!("{}@{}", truth.name, study.pool_name(pool)),
    }
}

struct Planner<'a> {
    study: &'a Study,
    request: &'a Request,
    depths: BTreeSet<u32>,
}

impl Planner<'_> {
    fn lines(&self) -> Vec<Line> {
        let whole = [Pool::All];
        let pools = if self.request.pools.is_empty() {
            &whole[..]
        } else {
            &self.request.pools
        };
        let mut lines = Vec::new();
        for (at, truth) in TruthIx::each(&self.study.truths) {
            if !self.request.truths.is_empty() && !self.request.truths.contains(&truth.name) {
                continue;
            }
            for &pool in pools {
                if pool == Pool::All
                    && truth.kind == Kind::Original
                    && self.study.gallery.is_coco_test()
                {
                    self.push_fold_means(&mut lines, at);
                }
                self.push_metrics(&mut lines, at, pool);
            }
        }
        lines
    }

    fn push_metrics(&self, lines: &mut Vec<Line>, truth: TruthIx, pool: Pool) {
        for spec in self.specs() {
            let Some(key) = key(self.study, truth, pool, spec) else {
                continue;
            };
            let rule = match pool {
                Pool::Folds => Rule::FoldMean(spec),
                _ => Rule::Metric(spec, pool),
            };
            lines.push(Line { key, truth, rule });
        }
        if self.request.metrics == Choice::Usual {
            return;
        }
        for sum in Sum::ALL {
            let rule = match (sum, pool) {
                (Sum::Recalls, Pool::Folds) => Rule::FoldRsum,
                _ if !has_sum(self.study, truth, pool, sum) => continue,
                _ => Rule::Sum(sum, pool),
            };
            let key = sum_key(self.study, truth, pool, sum);
            lines.push(Line { key, truth, rule });
        }
    }

    /// The COCO 1K protocol, which knows R@K only.
    fn push_fold_means(&self, lines: &mut Vec<Line>, truth: TruthIx) {
        for metric in RECALLS {
            let spec = Spec::new(metric);
            lines.push(Line {
                key: format!("coco_1k_{spec}"),
                truth,
                rule: Rule::FoldMean(spec),
            });
        }
        if self.request.metrics != Choice::Usual {
            lines.push(Line {
                key: format!("coco_1k_{}", rsum::KEY),
                truth,
                rule: Rule::FoldRsum,
            });
        }
    }

    fn specs(&self) -> Vec<Spec> {
        let is_usual = self.request.metrics == Choice::Usual;
        let wanted = METRICS.iter().copied();
        let wanted = wanted.filter(|metric| !is_usual || metric.is_usual());
        let at_depths = |metric| {
            let depths = self.depths_of(metric).into_iter();
            depths.map(move |k| Spec { metric, k })
        };
        wanted.flat_map(at_depths).collect()
    }

    /// The depths at which a metric has lines.
    fn depths_of(&self, metric: &dyn Metric) -> Vec<u32> {
        match metric.depth() {
            Depth::None => vec![NO_DEPTH],
            Depth::AtK => {
                let known = 1..=metric.deepest();
                let depths = self.depths.iter().filter(|k| known.contains(k));
                depths.copied().collect()
            }
            Depth::Cap => vec![self.request.pmrp_cap.unwrap_or(NO_DEPTH)],
        }
    }
}
