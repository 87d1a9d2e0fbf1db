//! R@1 and mAP@R by slice: groups of similar queries, and slices on which models differ.
//!
//! A slice is a filter condition. Values are computed once per query, then selected by slice.

mod built_in;

pub use built_in::{WordList, built_in_slices};

use super::clusters::{Clustering, query_clusters};
use super::conclusion::Difference;
use super::holm::{self, Corrected};
use super::inference::{Estimate, LEVEL};
use super::paired_values::Paired;
use super::per_query::Values;
use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::data::text::grouped;
use crate::error::Result;
use crate::filter::{Expression, FilterInputs, Marks, Mistake, Needs};
use crate::metric::hit::R1;
use crate::metric::map_at_r::MapAtR;
use crate::metric::{Spec, Unit};
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};

/// Minimum queries for an interval and a test; smaller slices are shown without.
pub const MIN_QUERIES: usize = 20;

/// Group of slices requested by condition. Always shown.
pub const REQUESTED: &str = "condition";

/// Queries that meet a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// Group of the slice, such as `length` or `category`.
    pub group: String,
    /// Name on screens and in reports.
    pub name: String,
    /// Filter condition.
    pub condition: String,
}

/// Slices to evaluate, for which models, and under which ground truth and direction.
#[derive(Debug)]
pub struct SliceRequest<'a> {
    study: &'a Study,
    models: Vec<ModelIx>,
    view: View,
    slices: Vec<(Slice, Expression)>,
}

impl<'a> SliceRequest<'a> {
    /// Slices for one or more models under a view's truth and direction. The first two models are compared; values in
    /// conditions are of the first model if they name none. Slices whose condition is invalid for the study, for
    /// example without captions, are dropped.
    pub fn new(study: &'a Study, models: &[ModelIx], view: View, slices: Vec<Slice>) -> Self {
        let view = View { model: models[0], ..view };
        let mut request = SliceRequest { study, models: models.to_vec(), view, slices: Vec::new() };
        for slice in slices {
            drop(request.add(slice));
        }
        request
    }

    /// Adds a slice by its condition.
    ///
    /// # Errors
    /// A condition invalid for the study.
    pub fn add(&mut self, slice: Slice) -> std::result::Result<(), Mistake> {
        let filter = Expression::condition(&slice.condition, self.study, self.view)?;
        self.slices.push((slice, filter));
        Ok(())
    }

    /// Data required to evaluate the models and the conditions.
    fn needs(&self) -> Needs {
        let view = |&model: &ModelIx| View { model, ..self.view };
        let views = self.models.iter().map(view).collect();
        let all = Needs { views, ..Needs::default() };
        self.slices.iter().fold(all, |needs, (_, filter)| needs.union(filter.needs()))
    }

    /// Computes ranks with a person's marks applied, then evaluates; `None` if cancelled.
    ///
    /// # Errors
    /// Scores that cannot be read.
    pub fn compute(self, marks: Option<&Marks>, token: &CancelToken) -> Result<Option<Slices>> {
        let (study, direction) = (self.study, self.view.direction);
        let counts = FilterInputs::compute(study, direction, &self.needs(), token)?;
        let none = Marks::default();
        let counts = counts.with_marks(study, direction, marks.unwrap_or(&none));
        Ok(self.evaluate(&counts, token))
    }

    /// Evaluates every model by slice, by R@1 and mAP@R; `None` if a model has no ranks, or if cancelled. Slices with
    /// no query or all covered queries are excluded, except those of the group [`REQUESTED`].
    pub fn evaluate(self, counts: &FilterInputs, token: &CancelToken) -> Option<Slices> {
        let values = |&model: &ModelIx| {
            let ranks = counts.ranks(View { model, ..self.view })?;
            Some(specs().map(|spec| Values::from_ranks(spec, ranks.queries(), ranks.iter())))
        };
        let values: Vec<[Values; 2]> = self.models.iter().map(values).collect::<Option<_>>()?;
        let images = Clustering::ByImage.images(self.study);
        let clusters = query_clusters(images.as_deref(), self.view.direction);
        let size = self.study.gallery.queries(self.view.direction).len();
        let covered = &values[0][0].queries;
        let evaluate_slice = |at: usize| {
            let (slice, filter) = &self.slices[at];
            let matching = filter.answer(self.study, counts, &|| token.is_cancelled())?;
            let mut is_in = vec![false; size];
            matching.queries.iter().for_each(|&query| is_in[query as usize] = true);
            let own =
                values.iter().map(|of| of.each_ref().map(|of| of.filter(|at| is_in[at as usize])));
            let own: Vec<[Values; 2]> = own.collect();
            let is_part = !own[0][0].queries.is_empty() && own[0][0].queries.len() < covered.len();
            (is_part || slice.group == REQUESTED)
                .then(|| UntestedSlice::new(slice.clone(), matching.queries, &own, clusters))
        };
        let found = parallel::map_ranges(self.slices.len(), 1, |range| evaluate_slice(range.start));
        let found = found.into_iter().flatten();
        let (mut rows, paired): (Vec<SliceRow>, Vec<_>) =
            found.map(|of| (of.row, of.paired)).unzip();
        let all = Slice {
            group: String::new(),
            name: "all queries".into(),
            condition: crate::filter::ALL_COVERED.into(),
        };
        let all = UntestedSlice::new(all, covered.to_vec(), &values, clusters).row;
        correct_p_values(&mut rows, &paired);
        sort_rows(&mut rows, self.models.len());
        (!token.is_cancelled()).then_some(Slices {
            models: self.models,
            view: self.view,
            all,
            rows,
        })
    }
}

/// The metrics of slices: R@1 and mAP@R, by which slices are sorted.
pub fn specs() -> [Spec; 2] {
    [Spec::new(&R1), Spec::new(&MapAtR)]
}

/// Values of models by slice.
#[derive(Debug, Clone)]
pub struct Slices {
    /// The models; the first two are compared.
    pub models: Vec<ModelIx>,
    /// The first model, the truth and the direction.
    pub view: View,
    /// All queries, not part of the correction.
    pub all: SliceRow,
    /// The slices: significant differences first, by size, then slices of fewer than [`MIN_QUERIES`]. For one model,
    /// lowest mAP@R first.
    pub rows: Vec<SliceRow>,
}

/// A slice and its numbers.
#[derive(Debug, Clone)]
pub struct SliceRow {
    /// The slice.
    pub slice: Slice,
    /// Gallery indices of its queries, ascending.
    pub queries: Vec<u32>,
    /// R@1 and mAP@R.
    pub metrics: [SliceMetric; 2],
}

/// A metric of every model on a slice.
#[derive(Debug, Clone)]
pub struct SliceMetric {
    /// Mean of each model, and its 95 % CI if the slice is tested.
    pub means: Vec<(Option<f64>, Option<[f64; 2]>)>,
    /// Number of clusters.
    pub clusters: usize,
    /// First model minus second; `None` for one model, and if not tested.
    pub estimate: Option<Estimate>,
    /// The p-value, corrected over all slices and both metrics.
    pub corrected: Corrected,
}

/// A slice before its p-values are corrected, with the paired values of the first two models by each metric.
struct UntestedSlice {
    row: SliceRow,
    paired: [Paired; 2],
}

impl UntestedSlice {
    /// Computes means, intervals and the estimate of a slice. `values` has the values of each model by each metric on
    /// the slice; `clusters` the cluster of each query.
    fn new(
        slice: Slice,
        queries: Vec<u32>,
        values: &[[Values; 2]],
        clusters: Option<&[u32]>,
    ) -> Self {
        let is_tested = queries.len() >= MIN_QUERIES;
        let metric = |at: usize| {
            let mean = |of: &[Values; 2]| {
                let interval = is_tested.then(|| of[at].interval(Unit::Share, clusters));
                (of[at].mean(), interval.flatten())
            };
            let paired = match values {
                [first, second, ..] => Paired::from_values([&first[at], &second[at]]),
                _ => Paired::default(),
            };
            let groups = values[0][at].groups(clusters);
            let metric = SliceMetric {
                means: values.iter().map(mean).collect(),
                clusters: groups.len(),
                estimate: is_tested.then(|| paired.estimate(Unit::Share, clusters)).flatten(),
                corrected: Corrected::default(),
            };
            (metric, paired)
        };
        let [(r1, of_r1), (map_at_r, of_map_at_r)] = [0, 1].map(metric);
        let row = SliceRow { slice, queries, metrics: [r1, map_at_r] };
        UntestedSlice { row, paired: [of_r1, of_map_at_r] }
    }
}

/// Sets the p-values of all rows, corrected over all slices and both metrics.
fn correct_p_values(rows: &mut [SliceRow], paired: &[[Paired; 2]]) {
    let tests = rows.iter().zip(paired);
    let tests = tests.flat_map(|(row, paired)| {
        [0, 1].map(|at| (&paired[at], row.metrics[at].estimate.map(Estimate::p)))
    });
    let found = holm::correct(&tests.collect::<Vec<_>>(), |_, _| true);
    let metrics = rows.iter_mut().flat_map(|row| &mut row.metrics);
    metrics.zip(found).for_each(|(of, corrected)| of.corrected = corrected);
}

/// Sorts rows as in [`Slices::rows`]; `models` is the number of models.
fn sort_rows(rows: &mut [SliceRow], models: usize) {
    let key = |row: &SliceRow| {
        let metric = row.sort_metric();
        let by = match models {
            _ if !row.is_tested() => Some(-(row.queries.len() as f64)),
            1 => metric.means[0].0,
            _ => metric.difference().map(|difference| -difference.abs()),
        };
        (!row.is_tested(), models > 1 && !metric.is_significant(), by.unwrap_or(f64::INFINITY))
    };
    rows.sort_by(|one, other| {
        let (one, other) = (key(one), key(other));
        (one.0, one.1).cmp(&(other.0, other.1)).then(one.2.total_cmp(&other.2))
    });
}

impl SliceRow {
    /// Whether it has enough queries for a test.
    pub fn is_tested(&self) -> bool {
        self.queries.len() >= MIN_QUERIES
    }

    /// The metric that rows are sorted by: mAP@R, or R@1 if rankings end too early for that.
    pub fn sort_metric(&self) -> &SliceMetric {
        &self.metrics[self.sort_metric_index()]
    }

    /// Index of the sort metric in `metrics`.
    fn sort_metric_index(&self) -> usize {
        let [_, map_at_r] = &self.metrics;
        usize::from(map_at_r.means.iter().all(|(mean, _)| mean.is_some()))
    }
}

impl SliceMetric {
    /// First model minus second; `None` for one model, and if a mean is undefined.
    pub fn difference(&self) -> Option<f64> {
        match *self.means {
            [(first, _), (second, _), ..] => Some(first? - second?),
            _ => None,
        }
    }

    /// Whether the corrected p-value of the difference is below 5 %.
    pub fn is_significant(&self) -> bool {
        self.corrected.holm.is_some_and(|p| p < LEVEL)
    }
}

impl Slices {
    /// Number of hypotheses that p-values are corrected for.
    pub fn test_count(&self) -> usize {
        let metrics = self.rows.iter().flat_map(|row| &row.metrics);
        metrics.filter(|of| of.corrected.holm.is_some() && of.corrected.same_as.is_none()).count()
    }

    /// Sentence on the slice where the first two models differ most or, for one model, where it is worst. `truth` is
    /// the displayed name of the ground truth.
    pub fn sentence(&self, study: &Study, truth: &str) -> String {
        let context = format!("{}, {truth}", self.view.direction);
        let Some(row) = self.rows.first().filter(|row| row.is_tested()) else {
            return format!("{context}: no slice has {MIN_QUERIES} queries.");
        };
        let names: Vec<&str> = self.models.iter().map(|&of| &*study.models[of].name).collect();
        let (metric, n) = (row.sort_metric_index(), grouped(row.queries.len()));
        let on = format!("{} (n = {n})", row.slice.name);
        let metrics = if metric == 1 { vec![1, 0] } else { vec![0] };
        let difference = |row: &SliceRow, at: usize| {
            let of = &row.metrics[at];
            Some(Difference {
                truth: self.view.truth,
                spec: specs()[at],
                mean: of.difference()?,
                interval: of.estimate.map(Estimate::interval),
                is_significant: Some(of.is_significant()),
                equal: None,
            })
        };
        let Some(largest) = difference(row, metric) else {
            let describe_mean = |row: &SliceRow, at: usize| {
                let (mean, interval) = row.metrics[at].means[0];
                let points = |share: f64| format!("{:.1}", 100.0 * share);
                let mean = mean.map_or_else(String::new, points);
                match interval.map(|ends| ends.map(points)) {
                    Some([low, high]) => format!("{} {mean} [{low}, {high}]", specs()[at].title()),
                    None => format!("{} {mean}", specs()[at].title()),
                }
            };
            let numbers: Vec<String> = metrics.iter().map(|&at| describe_mean(row, at)).collect();
            let (numbers, all) = (numbers.join(", "), describe_mean(&self.all, metric));
            return format!(
                "{context}: {} is worst on {on}: {numbers}; on all queries {all}.",
                names[0]
            );
        };
        let describe = |row: &SliceRow, at: usize| {
            let of = difference(row, at)?;
            Some(format!("{} {}", of.spec.title(), of.describe_for(0)))
        };
        let numbers: Vec<String> = metrics.iter().filter_map(|&at| describe(row, at)).collect();
        let numbers = numbers.join(", ");
        let all = describe(&self.all, metric).unwrap_or_default();
        let is_significant = row.sort_metric().is_significant();
        let exceeds_all = difference(&self.all, metric)
            .is_none_or(|all| (largest.mean > all.mean) == (largest.mean > 0.0));
        let [first, second] = [names[0], names[1]];
        if is_significant && exceeds_all {
            let side = if largest.mean > 0.0 { "ahead of" } else { "behind" };
            return format!(
                "{context}: {first} is furthest {side} {second} on {on}: {numbers}; on all queries {all}."
            );
        }
        let none = if is_significant { "more than all queries" } else { "significantly (Holm)" };
        format!(
            "{context}: no slice differs {none}; most on {on}: {first} {numbers}; on all queries {all}."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::TruthIx;
    use crate::study::demo;

    fn measured(study: &Study, models: &[usize]) -> Slices {
        let view = View {
            model: ModelIx::new(models[0]),
            truth: TruthIx::new(1),
            direction: Direction::T2i,
        };
        let models: Vec<ModelIx> = models.iter().copied().map(ModelIx::new).collect();
        let slices = built_in_slices(study, view, &WordList::built_in());
        let request = SliceRequest::new(study, &models, view, slices);
        request.compute(None, &CancelToken::default()).unwrap().unwrap()
    }

    #[test]
    fn bins_contain_every_query_once() {
        let study = demo::open().unwrap();
        let slices = measured(&study, &[0]);
        for group in ["words", "R"] {
            let of_group = slices.rows.iter().filter(|row| row.slice.group == group);
            let mut all: Vec<u32> = of_group.flat_map(|row| row.queries.clone()).collect();
            all.sort_unstable();
            let mut covered = slices.all.queries.clone();
            covered.sort_unstable();
            assert_eq!(all, covered, "{group}");
        }
        let names: Vec<&str> = slices.rows.iter().map(|row| &*row.slice.name).collect();
        for name in ["words: 8 or fewer", "words: 9 to 10", "R: 1", "R: 2 to 4", "number: any"] {
            assert!(names.contains(&name), "{names:?}");
        }
    }

    /// The family is both metrics of every slice of 20 queries or more, without duplicates.
    #[test]
    fn holm_is_over_all_slices_and_both_metrics() {
        let study = demo::open().unwrap();
        let slices = measured(&study, &[0, 1]);
        let metrics: Vec<&SliceMetric> = slices.rows.iter().flat_map(|row| &row.metrics).collect();
        let p: Vec<Option<f64>> = metrics
            .iter()
            .map(|of| of.estimate.map(Estimate::p).filter(|_| of.corrected.same_as.is_none()))
            .collect();
        for (of, adjusted) in metrics.iter().zip(holm::adjust(&p)) {
            if of.corrected.same_as.is_none() {
                assert_eq!(of.corrected.holm, adjusted);
            }
        }
        assert_eq!(slices.test_count(), p.iter().flatten().count());
        let small = slices.rows.iter().filter(|row| row.queries.len() < MIN_QUERIES);
        let small: Vec<&SliceRow> = small.collect();
        let is_untested = |row: &&SliceRow| {
            let mut metrics = row.metrics.iter();
            metrics.all(|of| of.estimate.is_none() && of.means.iter().all(|(_, ci)| ci.is_none()))
        };
        assert!(!small.is_empty() && small.iter().all(is_untested));
        assert!(slices.rows[..slices.rows.len() - small.len()].iter().all(SliceRow::is_tested));
        assert_eq!(slices.all.sort_metric().corrected, Corrected::default());
        let by =
            |row: &SliceRow| (!row.sort_metric().is_significant(), row.sort_metric().difference());
        let [first, second] = [0, 1].map(|at| by(&slices.rows[at]));
        assert!(!first.0 && first.1.unwrap().abs() >= second.1.unwrap().abs());
    }

    #[test]
    fn sentences_name_the_slice_and_the_better_model() {
        let study = demo::open().unwrap();
        let two = measured(&study, &[0, 1]).sentence(&study, "rich");
        assert!(two.starts_with("t2i, rich: careful is furthest behind broad on "), "{two}");
        let turned = measured(&study, &[1, 0]).sentence(&study, "rich");
        assert!(turned.starts_with("t2i, rich: broad is furthest ahead of careful on "));
        assert!(two.contains("mAP@R -43.4") && turned.contains("mAP@R +43.4"), "{two}\n{turned}");
        let one = measured(&study, &[2]);
        assert!(one.sentence(&study, "rich").starts_with("t2i, rich: naive is worst on "));
        let means =
            one.rows.iter().filter(|row| row.is_tested()).map(|row| row.sort_metric().means[0].0);
        assert!(means.is_sorted());
    }

    #[test]
    fn invalid_word_lists_are_refused() {
        for (text, told) in [
            ("two", "words.toml"),
            ("number = \"two\"", "words.toml"),
            ("number = []", "number: no words"),
            ("number = [\"two\", \"?\"]", "number: no words"),
            ("", "no group"),
        ] {
            let error = WordList::parse("words.toml", text).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("printf"), "{error}");
        }
    }
}
