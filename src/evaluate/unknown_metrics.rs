//! Errors for names of metrics that are unknown or not available.

use std::collections::BTreeSet;

use super::plan::{Line, Request};
use crate::data::near::nearest;
use crate::error::Error;
use crate::metric::rsum::Sum;
use crate::metric::spelling::depth_of_hit;
use crate::metric::{METRICS, Metric};
use crate::study::{Pool, Study};
use crate::truth::rule;

/// Error for the first of the `unknown` names, at least one: `--truth` excludes its ground truth, an input is missing,
/// or no metric has this name. `all_lines` are the lines under all ground truths.
pub(super) fn unknown_metric_error(unknown: &[&str], study: &Study, all_lines: &[Line]) -> Error {
    let name = unknown[0];
    if let Some(line) = all_lines.iter().find(|line| line.is_named(name)) {
        let truth = &study.truths[line.truth].name;
        let found = format!("{name} is of the ground truth {truth}, which --truth excludes");
        return Error::new("--metrics", found).fix(format!("add {truth} to --truth"));
    }
    let lacks = |what: &str| Error::new("--metrics", format!("{name} without {what}"));
    let metric = METRICS.iter().find(|metric| is_key_of(name, **metric));
    if needs_phi(name) {
        return lacks("a similarity of captions")
            .expected("--phi NAME, such as --phi cider, which makes its ground truth");
    }
    if metric.is_some_and(|metric| metric.needs_judgments()) {
        return lacks("a ground truth that lists what was judged not relevant")
            .expected("grades of 0 in qrels, a bundle's nonrelevant, judgments, or ratings with a threshold")
            .fix("--session FILE applies judgments; --cxc-threshold 3 makes some of CxC's ratings");
    }
    if let Some(rule) = metric.and_then(|metric| rule::find(metric.only_under()?)) {
        return lacks(&format!("the ground truth {}", rule.name))
            .expected(format!("{} among the files", rule.made_from))
            .fix("name that file itself: of a folder it is not read");
    }
    let known: Vec<&str> = METRICS.iter().map(|metric| metric.key()).collect();
    let error = Error::new("--metrics", format!("nothing is named {name}")).expected(format!(
        "a key such as eccv_map_at_r, or: {}, {}",
        known.join(", "),
        Sum::ALL.map(Sum::key).join(", ")
    ));
    match suggest_fix(name, known) {
        Some(fix) => error.fix(fix),
        None => error,
    }
}

/// Text of the fix for an unknown name, given the names of all metrics; `None` if none is similar.
fn suggest_fix(name: &str, mut known: Vec<&str>) -> Option<String> {
    if let Some(depth) = depth_of_hit(name) {
        return Some(format!(
            "R@K has K = 1, 5 and 10; ir_recall_at_{depth} is the share of positives"
        ));
    }
    if name.contains(char::is_whitespace) {
        let parts: Vec<&str> = name.split_whitespace().collect();
        return Some(format!("separate names by commas: {}", parts.join(",")));
    }
    known.extend(METRICS.iter().map(|metric| metric.title()));
    nearest(name, known).map(|near| format!("did you mean {near}?"))
}

/// Whether a name is the key of a metric, with or without a depth.
fn is_key_of(name: &str, metric: &dyn Metric) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    metric.key() == name || metric.key().trim_end_matches('k') == stem
}

/// Whether a name is the key of a metric or a sum that needs a similarity of captions.
fn needs_phi(name: &str) -> bool {
    let is_sum = |sum: &Sum| sum.needs_phi() && sum.key() == name;
    METRICS.iter().any(|metric| metric.needs_phi() && is_key_of(name, *metric))
        || Sum::ALL.iter().any(is_sum)
}

/// Error for a metric of the whole gallery if only candidate pools are requested; `None` otherwise.
pub(super) fn pool_error(request: &Request, name: &str) -> Option<Error> {
    let has_pools = !request.pools.is_empty() && !request.pools.contains(&Pool::All);
    let mut whole = METRICS.iter().filter(|metric| metric.is_of_whole_gallery());
    let is_sum = |sum: &Sum| sum.needs_phi() && sum.key() == name;
    let is_refused = whole.any(|metric| is_key_of(name, *metric)) || Sum::ALL.iter().any(is_sum);
    (has_pools && is_refused).then(|| {
        Error::new("--metrics", format!("{name} in a candidate pool"))
            .expected("the whole gallery: NCS is defined over its most similar items")
            .fix("leave --pool out, or name other metrics")
    })
}

/// Error for a metric that is not defined at the depth in its name, or at any of `depths` if its name ends in `_at_k`;
/// `None` for other names.
pub(super) fn depth_error(name: &str, depths: &BTreeSet<u32>) -> Option<Error> {
    let is_beyond = |metric: &dyn Metric, named: &str| match named.parse::<u32>() {
        Ok(k) => k > metric.deepest(),
        Err(_) => named == "k" && depths.iter().all(|k| *k > metric.deepest()),
    };
    let is_too_deep = |metric: &&&dyn Metric| {
        let stem = metric.key().strip_suffix("_at_k");
        let rest = stem.and_then(|stem| name.rsplit_once(stem)?.1.strip_prefix("_at_"));
        rest.is_some_and(|named| is_beyond(**metric, named))
    };
    let metric = METRICS.iter().find(is_too_deep)?;
    let found = format!("{name}: it is defined up to a depth of {}", metric.deepest());
    Some(Error::new("--metrics", found).fix("give it a lesser K, in its name or by --k"))
}
