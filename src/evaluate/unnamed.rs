//! Why nothing is of a name that was asked for.

use std::collections::BTreeSet;

use super::plan::{Line, Rule as LineRule};
use crate::data::near::nearest;
use crate::error::Error;
use crate::metric::rsum::Sum;
use crate::metric::spelling::depth_of_hit;
use crate::metric::{METRICS, Metric};
use crate::study::{Pool, Study};
use crate::truth::rule::{self, Rule};

/// Why there are no lines for what was asked: their ground truths were not chosen, a file for them lacks, nobody said
/// what is not relevant, or nothing has such a name. `of_all` are the lines that there are under all ground truths.
pub(super) fn none_named(unknown: &[&str], study: &Study, of_all: &[Line]) -> Error {
    if let Some(error) = unknown.iter().find_map(|name| not_chosen(name, study, of_all)) {
        return error;
    }

    let names = unknown.join(", ");
    if unknown.iter().all(|name| is_of(name, |metric| metric.takes_judgements())) {
        let found =
            format!("{names} without a ground truth that tells what was judged not relevant");
        return Error::new("--metrics", found)
            .expected("grades of 0 in qrels, a bundle's nonrelevant, verdicts, or ratings with a threshold")
            .mend("of CxC's ratings --cxc-threshold 3 makes judgements, --session FILE takes verdicts");
    }
    if unknown.iter().all(|name| is_of_phi(name)) {
        return Error::new("--metrics", format!("{names} without a similarity of captions"))
            .expected(
                "--phi NAME, such as --phi cider, which makes the ground truth that it is of",
            );
    }
    if let Some((name, rule)) = unknown.iter().find_map(|name| Some((name, rule_of(name)?))) {
        let found = format!("{name} without the ground truth {}", rule.name);
        return Error::new("--metrics", found)
            .expected(format!("{} among the files", rule.made_from));
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
    if let Some(depth) = depth_of_hit(name) {
        return Some(format!(
            "R@K has K = 1, 5 and 10; ir_recall_at_{depth} is the share of positives"
        ));
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

/// Why a name has no line, where it has one under a ground truth that was not chosen.
fn not_chosen(name: &str, study: &Study, of_all: &[Line]) -> Option<Error> {
    let line = of_all.iter().find(|line| line.is_named(name))?;
    let truth = &study.truths[line.truth].name;
    let found = format!("{name}: it is of the ground truth {truth}, which --truth leaves out");
    Some(
        Error::new("--metrics", found)
            .mend(format!("name {truth} in --truth too, or leave --truth out")),
    )
}

/// Whether a name is that of such a metric, perhaps at a depth.
fn is_of(name: &str, which: fn(&dyn Metric) -> bool) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let mut metrics = METRICS.iter().filter(|metric| which(**metric));
    metrics.any(|metric| metric.key() == name || metric.key().trim_end_matches('k') == stem)
}

/// Whether a name is that of a metric, or a sum, that takes a similarity of captions.
fn is_of_phi(name: &str) -> bool {
    let is_sum = |sum: &Sum| sum.takes_phi() && sum.key() == name;
    is_of(name, |metric| metric.takes_phi()) || Sum::ALL.iter().any(is_sum)
}

/// The rule that makes the only ground truth which a metric is defined under.
fn rule_of(name: &str) -> Option<&'static Rule> {
    let metric = METRICS.iter().find(|metric| metric.key() == name)?;
    rule::named(metric.only_under()?)
}

/// Why a name has no value where candidate pools alone are asked for, if it is that of a metric of whole galleries.
/// `found` are the lines of this name; sums have none there.
pub(super) fn beyond_pools(lines: &[Line], found: &[&Line], name: &str) -> Option<Error> {
    let spec = |line: &Line| match line.rule {
        LineRule::Metric(spec, pool) => Some((spec, pool)),
        LineRule::FoldMean(spec) => Some((spec, Pool::Folds)),
        LineRule::Sum(..) | LineRule::FoldRsum => None,
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
pub(super) fn too_deep(name: &str, depths: &BTreeSet<u32>) -> Option<Error> {
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
    let found = format!("{name}: it is defined up to a depth of {}", metric.deepest());
    Some(Error::new("--metrics", found).mend("give it a lesser K, in its name or by --k"))
}
