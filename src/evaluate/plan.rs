//! Lines of an evaluation, and their keys.
//!
//! Keys are those of `eccv_caption`: `coco_5k_*` and `coco_1k_*` are the original truth on the COCO
//! test gallery, `original_*` on any other; other truths give `<truth>_<metric>`, a pool
//! `<truth>@<pool>_<metric>`, and Plausible Match in the truth `pm` also `pmrp`.

use std::collections::BTreeSet;

use super::unknown_metrics::{depth_error, pool_error, unknown_metric_error};
use crate::data::index::TruthIx;
use crate::error::Result;
use crate::metric::rsum::{RECALLS, Sum};
use crate::metric::{Depth, METRICS, Metric, NO_DEPTH, Spec, Unit, is_defined_under};
use crate::study::{Pool, Study};
use crate::truth::Kind;

/// Metrics of an evaluation: the default ones, all, or named ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Choice {
    /// Metrics of `eccv_caption`: R@1, 5, 10, mAP@R and R-Precision of every truth, and RSUM of the original one.
    #[default]
    Default,
    /// Everything defined.
    All,
    /// Metrics (`map_at_r`, `ir_recall_at_k`, `ndcg_at_20`) or full keys (`eccv_r1`).
    Named(Vec<String>),
}

/// Metrics, depths, truths and pools of an evaluation, before lookup in a study.
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
    /// Cap of R in `pmrp`; `None` for no cap.
    pub pmrp_cap: Option<u32>,
    /// Whether to add the values of a perfect model.
    pub ceiling: bool,
}

/// One line of the result: a key and its rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Key in the output: truth, pool and metric, such as `eccv_map_at_r`.
    pub key: String,
    /// Index of the truth.
    pub truth: TruthIx,
    /// How it is computed.
    pub rule: Rule,
}

/// How a line is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A metric over the queries of a pool; for [`Pool::Folds`], the mean over the folds.
    Metric(Spec, Pool),
    /// A sum of both directions over a pool; for [`Pool::Folds`], a sum of the means over the folds.
    Sum(Sum, Pool),
}

impl Rule {
    /// The pool of its ranks.
    pub fn pool(self) -> Pool {
        let (Rule::Metric(_, pool) | Rule::Sum(_, pool)) = self;
        pool
    }
}

/// The distinct remarks on the metrics of these lines.
pub fn remarks<'a>(lines: impl IntoIterator<Item = &'a Line>) -> Vec<&'static str> {
    let mut remarks: Vec<&str> = lines.into_iter().filter_map(Line::remark).collect();
    remarks.sort_unstable();
    remarks.dedup();
    remarks
}

impl Line {
    /// Whether a metric's name, with or without depth, or a full key matches it.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let is_of_metric = match self.rule {
            Rule::Metric(spec, _) => spec.to_string() == name || spec.metric.key() == name,
            Rule::Sum(sum, _) => name == sum.key(),
        };
        is_of_metric || self.key == name
    }

    /// The title of its metric, with the depth.
    pub fn title(&self) -> String {
        match self.rule {
            Rule::Metric(spec, _) => spec.title(),
            Rule::Sum(sum, _) => sum.title().to_owned(),
        }
    }

    /// Prefix of the key: ground truth and pool.
    pub fn prefix(&self) -> &str {
        let key = match self.rule {
            Rule::Metric(spec, _) => spec.to_string(),
            Rule::Sum(sum, _) => sum.key().to_owned(),
        };
        let prefix = self.key.strip_suffix(&key).unwrap_or(&self.key);
        match prefix.trim_end_matches('_') {
            // Metrics of only Plausible Match do not name it.
            "" => "pm",
            prefix => prefix,
        }
    }

    /// Its metric; `None` if it is a sum.
    pub fn spec(&self) -> Option<Spec> {
        match self.rule {
            Rule::Metric(spec, _) => Some(spec),
            Rule::Sum(..) => None,
        }
    }

    /// Whether it is a sum over both directions.
    pub fn is_sum(&self) -> bool {
        self.spec().is_none()
    }

    /// Whether its values rate models; false if they describe how much was judged.
    pub fn is_merit(&self) -> bool {
        self.spec().is_none_or(|spec| spec.metric.is_merit())
    }

    /// Remark of its metric, shown below the numbers; `None` if there is none.
    fn remark(&self) -> Option<&'static str> {
        self.spec()?.metric.remark()
    }

    /// The unit of its metric: a share, a rank or a sum.
    pub fn unit(&self) -> Unit {
        self.spec().map_or(Unit::Sum, |spec| spec.metric.unit())
    }
}

/// The lines of a request on a study; ground truths that it names are in the order of the request.
///
/// # Errors
/// A name that matches no truth or no line; a metric that is not defined in these pools or at this depth.
pub fn plan(study: &Study, request: &Request) -> Result<Vec<Line>> {
    for name in &request.truths {
        study.truth_index(name)?;
    }
    let mut lines = Planner { study, request, depths: depths(request) }.lines();
    // Named truths are in the order of the request.
    let named_at = |line: &Line| {
        let mut names = request.truths.iter();
        names.position(|name| study.truths[line.truth].name == *name)
    };
    lines.sort_by_key(named_at);
    match &request.metrics {
        Choice::Default | Choice::All => Ok(lines),
        Choice::Named(names) => select_lines(lines, names, study, request),
    }
}

/// The ground truth for conclusions, among lines that rate models: the last rich one, else the first. `None` if no line
/// rates models.
pub fn richest_truth<'a>(
    study: &Study,
    lines: impl IntoIterator<Item = &'a Line>,
) -> Option<TruthIx> {
    let lines = lines.into_iter().filter(|line| line.is_merit());
    let truths: Vec<TruthIx> = lines.map(|line| line.truth).collect();
    let is_rich = |truth: &&TruthIx| study.truths[**truth].kind == Kind::Rich;
    truths.iter().rev().find(is_rich).or(truths.first()).copied()
}

/// The lines of all ground truths, requested or not.
fn all_truth_lines(study: &Study, request: &Request) -> Vec<Line> {
    let request = &Request { truths: Vec::new(), ..request.clone() };
    let depths = depths(request);
    Planner { study, request, depths }.lines()
}

/// The requested depths, also those in metric names.
fn depths(request: &Request) -> BTreeSet<u32> {
    let mut depths: BTreeSet<u32> = request.depths.iter().copied().collect();
    if let Choice::Named(names) = &request.metrics {
        depths.extend(
            names.iter().filter_map(|name| name.rsplit_once("_at_")?.1.parse::<u32>().ok()),
        );
    }
    depths.remove(&0);
    depths
}

/// Keeps the lines with these names; an error for a name that no line has.
fn select_lines(
    lines: Vec<Line>,
    names: &[String],
    study: &Study,
    request: &Request,
) -> Result<Vec<Line>> {
    let is_unknown = |name: &&str| !lines.iter().any(|line| line.is_named(name));
    let unknown: Vec<&str> = names.iter().map(String::as_str).filter(is_unknown).collect();
    if let Some(error) = names.iter().find_map(|name| pool_error(request, name)) {
        return Err(error);
    }
    let depths = depths(request);
    if let Some(error) = unknown.iter().find_map(|name| depth_error(name, &depths)) {
        return Err(error);
    }
    if !unknown.is_empty() {
        let all_lines = all_truth_lines(study, request);
        return Err(unknown_metric_error(&unknown, study, &all_lines));
    }
    Ok(lines.into_iter().filter(|line| names.iter().any(|name| line.is_named(name))).collect())
}

/// The key of a metric under a truth in a pool; `None` if the metric is not defined under the truth.
pub fn key(study: &Study, truth: TruthIx, pool: Pool, spec: Spec) -> Option<String> {
    has_key(study, truth, spec).then(|| match spec.metric.only_under() {
        Some(_) if pool == Pool::All => spec.to_string(),
        _ => format!("{}_{spec}", prefix(study, truth, pool)),
    })
}

/// Whether a metric is defined under a truth.
pub fn has_key(study: &Study, truth: TruthIx, spec: Spec) -> bool {
    let truth = &study.truths[truth];
    let is_its = spec.metric.only_under().is_none_or(|name| truth.name == name);
    is_its && is_defined_under(spec.metric, truth)
}

/// Whether a sum is defined under a truth in a pool: a sum of NCS only under a truth by similarity, in the whole
/// gallery.
pub fn has_sum(study: &Study, truth: TruthIx, pool: Pool, sum: Sum) -> bool {
    let is_by_similarity = study.truths[truth].is_by_similarity();
    !sum.needs_phi() || is_by_similarity && pool == Pool::All
}

/// The key of a sum under a truth in a pool.
pub fn sum_key(study: &Study, truth: TruthIx, pool: Pool, sum: Sum) -> String {
    format!("{}_{}", prefix(study, truth, pool), sum.key())
}

/// Start of the keys under a truth in a pool, without the `_` before the metric.
fn prefix(study: &Study, truth: TruthIx, pool: Pool) -> String {
    let truth = &study.truths[truth];
    match (pool, truth.kind) {
        (Pool::All, _) if truth.is_none_truth() => truth.name.clone(),
        (Pool::All, Kind::Original) if study.gallery.is_coco_test() => "coco_5k".into(),
        (Pool::All, Kind::Original) => "original".into(),
        (Pool::All, _) => truth.name.clone(),
        (pool, _) => format!("{}@{}", truth.name, study.pool_name(pool)),
    }
}

/// Makes the lines of a request.
struct Planner<'a> {
    study: &'a Study,
    request: &'a Request,
    depths: BTreeSet<u32>,
}

impl Planner<'_> {
    /// The lines of all requested truths and pools.
    fn lines(&self) -> Vec<Line> {
        let whole = [Pool::All];
        let pools = if self.request.pools.is_empty() { &whole[..] } else { &self.request.pools };
        let mut lines = Vec::new();
        for (at, truth) in TruthIx::enumerate(&self.study.truths) {
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

    /// Adds the requested metrics and sums of one truth in one pool.
    fn push_metrics(&self, lines: &mut Vec<Line>, truth: TruthIx, pool: Pool) {
        for spec in self.specs() {
            let key = key(self.study, truth, pool, spec);
            lines.extend(key.map(|key| Line { key, truth, rule: Rule::Metric(spec, pool) }));
        }
        let is_included =
            |&sum: &Sum| self.is_requested(truth, sum) && has_sum(self.study, truth, pool, sum);
        for sum in Sum::ALL.into_iter().filter(is_included) {
            let key = sum_key(self.study, truth, pool, sum);
            lines.push(Line { key, truth, rule: Rule::Sum(sum, pool) });
        }
    }

    /// Adds the lines of the COCO 1K protocol: R@K and, if requested, their sum, as means over folds.
    fn push_fold_means(&self, lines: &mut Vec<Line>, truth: TruthIx) {
        for metric in RECALLS {
            let spec = Spec::new(metric);
            let rule = Rule::Metric(spec, Pool::Folds);
            lines.push(Line { key: format!("coco_1k_{spec}"), truth, rule });
        }
        if self.is_requested(truth, Sum::Recalls) {
            let rule = Rule::Sum(Sum::Recalls, Pool::Folds);
            lines.push(Line { key: format!("coco_1k_{}", Sum::Recalls.key()), truth, rule });
        }
    }

    /// Whether the sum is requested under this truth.
    fn is_requested(&self, truth: TruthIx, sum: Sum) -> bool {
        let is_original = self.study.truths[truth].kind == Kind::Original;
        self.request.metrics != Choice::Default || is_original && sum == Sum::Recalls
    }

    /// The requested metrics, each at its depths.
    fn specs(&self) -> Vec<Spec> {
        let only_defaults = self.request.metrics == Choice::Default;
        let wanted = METRICS.iter().copied();
        let wanted = wanted.filter(|metric| !only_defaults || metric.is_default());
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
