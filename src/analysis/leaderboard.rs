//! Leaderboard: values and ranks by several metrics, and groups of models that do not differ.

use indexmap::IndexMap;

use super::clusters::Groups;
use super::holm;
use super::inference::{Estimate, LEVEL};
use super::letters::{letters, share_letter};
use super::paired_values::{Paired, all_pairs};
use super::per_query::Values;
use super::published_models::{PublishedRank, published};
use super::runs::BetweenRuns;
use crate::data::text::count;
use crate::data::{Direction, parallel};
use crate::metric::{CLOSE, Shortage, Unit};

/// Maximum models named in a sentence.
const MAX_NAMED: usize = 3;

/// Models by several metrics under one ground truth, best first by the last metric.
#[derive(Debug, Clone)]
pub struct Leaderboard {
    /// The ground truth, with the pool.
    pub truth: String,
    /// Directions averaged over.
    pub directions: Vec<Direction>,
    /// Metrics that models are ranked by, in the order of the columns.
    pub metrics: Vec<RankedMetric>,
    /// One entry for each model.
    pub entries: Vec<Entry>,
}

/// A metric that models are ranked by.
#[derive(Debug, Clone)]
pub struct RankedMetric {
    /// Key, such as `eccv_map_at_r`.
    pub key: String,
    /// Title, such as `mAP@R`.
    pub title: String,
    /// Unit of its values.
    pub unit: Unit,
    /// Whether the published models have values for this metric, gallery and ground truth.
    pub is_published: bool,
}

/// A model of a leaderboard, with one element for each metric.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Name of the model.
    pub name: String,
    /// Index of the model in input order; breaks ties.
    pub place: usize,
    /// Whether the values come from results JSON: ranked but not tested, without values per query.
    pub is_result: bool,
    /// Values; `None` where undefined.
    pub values: Vec<Option<f64>>,
    /// Ranks from 1; ties share a rank.
    pub ranks: Vec<Option<usize>>,
    /// Two models share a letter if and only if they do not differ; `None` if not tested.
    pub letters: Vec<Option<String>>,
}

impl Leaderboard {
    /// Ranks models, given without ranks, and sorts them by the last of one or more metrics. A model has no rank if it
    /// lacks a value of any metric; metrics without a value for any model do not matter.
    pub fn new(
        truth: &str,
        directions: &[Direction],
        metrics: Vec<RankedMetric>,
        mut entries: Vec<Entry>,
    ) -> Self {
        let has_any = |at: usize| entries.iter().any(|of| of.values[at].is_some());
        let known: Vec<usize> = (0..metrics.len()).filter(|at| has_any(*at)).collect();
        let is_ranked = |of: &Entry| known.iter().all(|at| of.values[*at].is_some());
        let is_ranked: Vec<bool> = entries.iter().map(is_ranked).collect();
        for (at, metric) in metrics.iter().enumerate() {
            let value = |(of, is_ranked): (&Entry, &bool)| of.values[at].filter(|_| *is_ranked);
            let values: Vec<Option<f64>> = entries.iter().zip(&is_ranked).map(value).collect();
            for (entry, rank) in entries.iter_mut().zip(ranks(&values, metric.unit)) {
                entry.ranks.push(rank);
            }
        }
        for (place, entry) in entries.iter_mut().enumerate() {
            entry.place = place;
        }
        let last = metrics.len() - 1;
        let (truth, directions) = (truth.to_owned(), directions.to_vec());
        let mut board = Leaderboard { truth, directions, metrics, entries };
        board.sort_by(last);
        board
    }

    /// Sorts by the metric at an index of `metrics`, best first; models without a rank are last.
    pub fn sort_by(&mut self, metric: usize) {
        self.entries.sort_by_key(|of| (of.ranks[metric].unwrap_or(usize::MAX), of.place));
    }

    /// Sentences on the best models, the number of rank changes between the first and last metric, and models as good
    /// as the best by the last.
    pub fn conclusion(&self) -> String {
        let is_ranked = |of: &&Entry| of.ranks.iter().any(Option::is_some);
        let (ranked, others): (Vec<&Entry>, Vec<&Entry>) = self.entries.iter().partition(is_ranked);
        let names = |of: &[&Entry]| join_names(&of.iter().map(|of| &*of.name).collect::<Vec<_>>());
        if ranked.is_empty() {
            return format!("No conclusion: every mean is undefined under {}.", self.context());
        }
        if ranked.len() == 1 && !others.is_empty() {
            return format!(
                "No conclusion: only {} has values ({}).",
                names(&ranked),
                self.context()
            );
        }
        let mut all: IndexMap<String, Vec<&str>> = IndexMap::new();
        for (at, metric) in self.metrics.iter().enumerate() {
            if let Some(best) = self.best_names(at) {
                all.entry(best).or_default().push(&metric.title);
            }
        }
        let sentence = |(at, (best, titles)): (usize, (&String, &Vec<&str>))| {
            let both = if titles.len() == 2 && all.len() == 1 { "both " } else { "" };
            let titles = titles.join(if both.is_empty() { ", " } else { " and " });
            let verb = match at {
                0 if best.contains(" and ") => " are best",
                0 => " is best",
                _ => "",
            };
            format!("{best}{verb} by {both}{titles}")
        };
        let best = all.iter().enumerate().map(sentence).collect::<Vec<_>>().join(", ");
        let lack = if others.len() == 1 { "lacks" } else { "lack" };
        let lacking =
            (!others.is_empty()).then(|| format!("Not ranked: {} {lack} values.", names(&others)));
        let best = format!("{best} ({}).", self.context());
        let sentences = [Some(best), self.rank_changes(), self.best_rivals(), lacking];
        sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Ground truth and directions, as text.
    pub fn context(&self) -> String {
        match self.directions.as_slice() {
            [one] => format!("{}, {one}", self.truth),
            _ => format!("{}, mean of i2t and t2i", self.truth),
        }
    }

    /// Names of the models of rank 1 by a metric; `None` if it ranks none.
    fn best_names(&self, metric: usize) -> Option<String> {
        let best = self.entries.iter().filter(|of| of.ranks[metric] == Some(1));
        let names: Vec<&str> = best.map(|of| of.name.as_str()).collect();
        (!names.is_empty()).then(|| join_names(&names))
    }

    /// Sentence with the number of models whose rank differs between the first metric and the last; `None` with one
    /// metric.
    fn rank_changes(&self) -> Option<String> {
        let [first, .., last] = self.metrics.as_slice() else {
            return None;
        };
        let changes: Vec<isize> = self.entries.iter().filter_map(Entry::rank_gain).collect();
        let changed = changes.iter().filter(|by| **by != 0).count();
        let verb = if changed == 1 { "changes" } else { "change" };
        let all = count(changes.len(), "model");
        let between = match self.metrics.len() {
            2 => String::new(),
            _ => format!(" from {} to {}", first.title, last.title),
        };
        Some(format!("{changed} of {all} {verb} rank{between}."))
    }

    /// Sentence with the models that do not differ from the best by the last metric; if all models come from results
    /// JSON, that nothing is tested. `None` if the best model or every other model is not tested.
    fn best_rivals(&self) -> Option<String> {
        let at = self.metrics.len() - 1;
        if self.entries.iter().all(|of| of.is_result) {
            return Some("Not tested: results have no values per query.".into());
        }
        let best = self.entries.iter().find(|of| of.ranks[at] == Some(1))?;
        let letters = best.letters[at].as_deref()?;
        let title = &self.metrics[at].title;
        let others = self.entries.iter().filter(|of| of.place != best.place);
        let tested: Vec<(&str, &str)> =
            others.filter_map(|of| Some((of.name.as_str(), of.letters[at].as_deref()?))).collect();
        let rivals = tested.iter().filter(|(_, own)| share_letter(letters, own));
        let names: Vec<&str> = rivals.map(|(name, _)| *name).collect();
        let result = match names.as_slice() {
            [] => format!("is better than {}", count(tested.len(), "other")),
            names => format!("does not differ from {}", join_names(names)),
        };
        (!tested.is_empty()).then(|| format!("By {title} {} {result}.", best.name))
    }
}

impl Entry {
    /// Ranks gained from the first metric to the last; `None` if either has no rank.
    pub fn rank_gain(&self) -> Option<isize> {
        let [first, last] = [self.ranks.first()?, self.ranks.last()?];
        Some((*first)? as isize - (*last)? as isize)
    }
}

impl RankedMetric {
    /// Rank of a value among the published models, in one direction or averaged over both; `None` if they have none.
    pub fn published_rank(&self, directions: &[Direction], value: f64) -> Option<PublishedRank> {
        let direction = directions.first().copied().filter(|_| directions.len() == 1);
        self.is_published.then(|| published().rank(&self.key, direction, value)).flatten()
    }
}

/// Joins up to [`MAX_NAMED`] names, or the first names and the number of others.
fn join_names(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_owned(),
        [first @ .., last] if names.len() <= MAX_NAMED => {
            format!("{} and {last}", first.join(", "))
        }
        names => format!(
            "{} and {} more",
            names[..MAX_NAMED - 1].join(", "),
            names.len() - (MAX_NAMED - 1)
        ),
    }
}

/// Rank of each value, from 1 for the best in its unit; ties share a rank.
pub fn ranks(values: &[Option<f64>], unit: Unit) -> Vec<Option<usize>> {
    let rank = |own: f64| {
        let gains = values.iter().flatten().map(|value| unit.orient(*value) - unit.orient(own));
        1 + gains.filter(|gain| *gain >= CLOSE).count()
    };
    values.iter().map(|value| value.map(rank)).collect()
}

/// Per-query values of a model over one or both directions, for tests against other models.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Labelled by cluster instead of query.
    values: Values,
    /// Mean of each training run.
    runs: Vec<f64>,
}

/// Per-query values of a model in one direction.
#[derive(Debug, Clone, Copy)]
pub struct SamplePart<'a> {
    /// Direction of the queries.
    pub direction: Direction,
    /// One value per query.
    pub values: &'a Values,
    /// The mean of each training run.
    pub runs: &'a [Option<f64>],
}

impl Sample {
    /// Values of all parts, one part per direction, weighted equally. `images` has the image of each caption if queries
    /// of one image form a cluster; without it each query is a cluster. `image_count` is the number of images.
    pub fn new(parts: &[SamplePart<'_>], images: Option<&[u32]>, image_count: usize) -> Self {
        let (mut values, mut clusters) = (Values::default(), Vec::new());
        for part in parts {
            let cluster = |query: &u32| match (part.direction, images) {
                (Direction::I2t, _) => *query,
                (Direction::T2i, Some(images)) => images[*query as usize],
                (Direction::T2i, None) => image_count as u32 + query,
            };
            values.ends.extend(part.values.ends.iter().map(|end| clusters.len() + end));
            clusters.extend(part.values.queries.iter().map(cluster));
            values.values.extend(&part.values.values);
            values.shortage = Shortage::join(values.shortage, part.values.shortage);
        }
        values.queries = clusters.into();
        let run = |at: usize| {
            let means: Option<Vec<f64>> = parts.iter().map(|part| part.runs[at]).collect();
            means.map(|means| means.iter().sum::<f64>() / means.len() as f64)
        };
        let runs = (0..parts.first().map_or(0, |part| part.runs.len())).filter_map(run).collect();
        Sample { values, runs }
    }

    /// The mean over all directions; `None` if undefined.
    pub fn mean(&self) -> Option<f64> {
        self.values.mean()
    }

    /// Uncorrected p-value of the difference from another model; `None` if it cannot be tested, for example if only
    /// one of the two has several training runs.
    fn p(&self, other: &Sample, unit: Unit) -> Option<f64> {
        let runs = [self, other].map(|of| of.runs.as_slice());
        if (runs[0].len() > 1) != (runs[1].len() > 1) {
            return None;
        }
        let paired = Paired::from_values([&self.values, &other.values]);
        let groups = Groups::in_parts(&paired.differences(), Some(&paired.queries), &paired.ends);
        let estimate = Estimate::of_difference(&groups, unit)?;
        let between = BetweenRuns::from_means(runs);
        Some(between.map_or(estimate, |between| estimate.with_runs(between)).p())
    }
}

/// Compact letter display of models by a metric: two share a letter if and only if their paired test, Holm-adjusted
/// over all pairs, finds no difference. `None` for models without a mean, and for the only one with a mean.
pub fn model_letters(samples: &[Sample], unit: Unit) -> Vec<Option<String>> {
    let means = samples.iter().enumerate();
    let mut order: Vec<(f64, usize)> =
        means.filter_map(|(at, of)| Some((-unit.orient(of.mean()?), at))).collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let pairs: Vec<[usize; 2]> = all_pairs(order.len()).collect();
    let p = parallel::map(&pairs, |pair| {
        let [one, other] = pair.map(|at| &samples[order[at].1]);
        one.p(other, unit)
    });
    let mut differ = vec![false; order.len() * order.len()];
    for ([one, other], p) in pairs.into_iter().zip(holm::adjust(&p)) {
        differ[one * order.len() + other] = p.is_some_and(|p| p < LEVEL);
    }
    let mut found = vec![None; samples.len()];
    if order.len() < 2 {
        return found;
    }
    let all = letters(order.len(), |one, other| differ[one * order.len() + other]);
    for ((_, at), own) in order.into_iter().zip(all) {
        found[at] = Some(own);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const DIRECTION: Direction = Direction::T2i;

    fn metric(title: &str) -> RankedMetric {
        RankedMetric {
            key: title.into(),
            title: title.into(),
            unit: Unit::Share,
            is_published: false,
        }
    }

    fn board(models: &[(&str, [f64; 2], [&str; 2])]) -> Leaderboard {
        let entry = |&(name, values, letters): &(&str, [f64; 2], [&str; 2])| Entry {
            name: name.into(),
            values: values.map(Some).to_vec(),
            letters: letters.map(|of| Some(of.to_owned()).filter(|of| !of.is_empty())).to_vec(),
            ..Entry::default()
        };
        let entries = models.iter().map(entry).collect();
        Leaderboard::new("eccv", &[DIRECTION], vec![metric("R@1"), metric("mAP@R")], entries)
    }

    #[test]
    fn the_conclusion_names_the_best_model_and_rank_changes() {
        let one = board(&[("a", [0.1, 0.2], ["c", "b"]), ("b", [0.3, 0.4], ["a", "a"])]);
        assert_eq!(
            one.conclusion(),
            "b is best by both R@1 and mAP@R (eccv, t2i). 0 of 2 models change rank. By mAP@R b is better than 1 other."
        );
        assert_eq!(one.entries[0].name, "b");
        let other = board(&[
            ("a", [0.9, 0.2], ["a", "ab"]),
            ("b", [0.3, 0.4], ["b", "a"]),
            ("old", [0.1, 0.1], ["", ""]),
        ]);
        assert_eq!(
            other.conclusion(),
            "a is best by R@1, b by mAP@R (eccv, t2i). 2 of 3 models change rank. By mAP@R b does not differ from a."
        );
        assert_eq!(
            other.entries.iter().map(|of| of.rank_gain().unwrap()).collect::<Vec<_>>(),
            [1, -1, 0]
        );
    }

    #[test]
    fn a_model_without_a_value_is_not_ranked() {
        let mut ours = board(&[("a", [0.9, 0.2], ["a", "a"]), ("b", [0.3, 0.4], ["b", "a"])]);
        for entry in &mut ours.entries {
            entry.ranks.clear();
        }
        let old = Entry {
            name: "old".into(),
            values: vec![Some(0.95), None],
            letters: vec![None; 2],
            ..Entry::default()
        };
        let all = |entries| Leaderboard::new("eccv", &[DIRECTION], ours.metrics.clone(), entries);
        let answer = all([ours.entries.clone(), vec![old.clone()]].concat()).conclusion();
        assert!(answer.starts_with("a is best by R@1, b by mAP@R"), "{answer}");
        assert!(
            answer.contains("2 of 2 models") && answer.ends_with("old lacks values."),
            "{answer}"
        );
        let answer = all(vec![ours.entries[0].clone(), old]).conclusion();
        assert_eq!(answer, "No conclusion: only b has values (eccv, t2i).");
    }

    #[test]
    fn equal_values_share_a_rank() {
        let ranks = ranks(&[Some(0.1 + 0.2), None, Some(0.3), Some(0.2)], Unit::Share);
        assert_eq!(ranks, [Some(1), None, Some(1), Some(3)]);
        assert_eq!(super::ranks(&[Some(3.0), Some(2.0)], Unit::Rank), [Some(2), Some(1)]);
    }

    fn values(values: &[f64]) -> Values {
        let queries: Vec<u32> = (0..values.len() as u32).collect();
        Values::new(&queries, values.iter().copied().map(Some).collect())
    }

    fn sample(of: &[f64], runs: &[Option<f64>]) -> Sample {
        Sample::new(&[SamplePart { direction: DIRECTION, values: &values(of), runs }], None, 0)
    }

    #[test]
    fn models_far_apart_share_no_letter() {
        let noise =
            |level: f64| (0..40).map(|at| level + f64::from(at % 3) / 100.0).collect::<Vec<_>>();
        let mut near = noise(0.8);
        near[0] += 0.01;
        let of = [noise(0.2), noise(0.8), near];
        let samples: Vec<Sample> = of.iter().map(|of| sample(of, &[])).collect();
        let letters = model_letters(&samples, Unit::Share);
        assert_eq!(letters.iter().flatten().collect::<Vec<_>>(), ["b", "a", "a"]);
        // A single run against several is not tested.
        let several = sample(&of[1], &[Some(0.8), Some(0.9)]);
        let letters = model_letters(&[samples[0].clone(), several], Unit::Share);
        assert_eq!(letters.iter().flatten().collect::<Vec<_>>(), ["a", "a"]);
    }

    /// An image and its captions are one cluster, and directions have equal weight.
    #[test]
    fn directions_share_clusters_and_have_equal_weight() {
        let (i2t, t2i) = (values(&[1.0, 0.0]), values(&[1.0, 1.0, 1.0, 0.0]));
        let part = |direction, values| SamplePart { direction, values, runs: &[] };
        let parts = [part(Direction::I2t, &i2t), part(Direction::T2i, &t2i)];
        let by_image = Sample::new(&parts, Some(&[0, 0, 1, 1]), 2);
        assert_eq!(
            (by_image.mean(), &*by_image.values.queries),
            (Some(0.625), &[0, 1, 0, 0, 1, 1][..])
        );
        let by_query = Sample::new(&parts, None, 2);
        assert_eq!(by_query.values.queries, Arc::from([0, 1, 2, 3, 4, 5]));
    }
}
