//! Models by slice of the queries: on which slices they differ most.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::analysis::clusters::Clustering;
use crate::analysis::inference::{Estimate, LEVEL};
use crate::analysis::slices::{MIN_QUERIES, REQUESTED, SliceMetric, SliceRow, Slices, specs};
use crate::data::index::ModelIx;
use crate::metric::Unit;
use crate::study::Study;

/// The result of `slices`.
pub struct SliceReport<'a> {
    /// Study with the models.
    pub study: &'a Study,
    /// Name of the ground truth.
    pub truth: &'a str,
    /// The means and tests of each slice.
    pub slices: &'a Slices,
    /// Whether to show every slice, with the intervals of all means and the conditions.
    pub is_full: bool,
}

/// Maximum number of slices in the short table.
const MAX_SLICES: usize = 14;

impl SliceReport<'_> {
    /// The slice that differs most, then a row for each slice.
    pub fn report(&self) -> Report<'_> {
        let Slices { view, rows, .. } = self.slices;
        let gallery = &self.study.gallery;
        let full_table = |at: usize| self.table(&specs()[at].title(), usize::MAX, &[at], true);
        let mut sections = if self.is_full {
            vec![full_table(1), full_table(0), self.conditions()]
        } else {
            vec![self.table("R@1 and mAP@R", self.short_len(), &[0, 1], !self.has_two_models())]
        };
        sections.extend([self.difference_records(), self.mean_records()]);
        let hidden = rows.len() + 1 - self.rows(self.short_len()).count();
        let mut notes = vec![self.method_note()];
        if !self.is_full && hidden > 0 {
            notes.push(format!("--full: {hidden} more slices, every interval and condition"));
        }
        let mut report = Report {
            heading: self.slices.sentence(self.study, self.truth),
            notes,
            ..Report::from_sections(sections)
        };
        if !self.is_full
            && let Some(table) = report.tables.first_mut()
        {
            let models = self.slices.models.len();
            let (first, second) = (models + 1, table.head.len() - models - 3);
            let group = |columns: usize, at: usize| (specs()[at].title(), columns);
            table.group_heads = vec![vec![(String::new(), 2), group(first, 0), group(second, 1)]];
            // Other models than the two compared, then R@1.
            table.optional.extend((2..models).rev().map(|at| vec![2 + at, 2 + first + at]));
            table.optional.push((2..2 + first).collect());
        }
        report.with_facts(json!({
            "study": {"images": gallery.images.len(), "captions": gallery.captions.len()},
            "direction": view.direction.key(),
            "truth": self.truth,
            "compared": self.slices.models.get(..2).map(|both| both.iter().map(|&model| self.name(model)).collect::<Vec<_>>()),
            "clusters": Clustering::ByImage.key(self.study),
            "min_queries": MIN_QUERIES,
            "holm_over": self.slices.test_count(),
            "level": LEVEL,
        }))
    }

    fn name(&self, model: ModelIx) -> &str {
        &self.study.models[model].name
    }

    /// Whether there are two models to compare.
    fn has_two_models(&self) -> bool {
        self.slices.models.len() > 1
    }

    /// Number of slices in the short table: those of the first [`MAX_SLICES`] with a test.
    fn short_len(&self) -> usize {
        self.slices.rows.iter().take(MAX_SLICES).filter(|row| row.is_tested()).count()
    }

    /// The row of all queries, the first `max_slices` slices, and every slice requested with `--slice`.
    fn rows(&self, max_slices: usize) -> impl Iterator<Item = &SliceRow> {
        let rows = self.slices.rows.iter().enumerate();
        let shown = rows.filter(move |(at, row)| *at < max_slices || row.slice.group == REQUESTED);
        std::iter::once(&self.slices.all).chain(shown.map(|(_, row)| row))
    }

    /// The title of a table of metrics.
    fn title(&self, metrics: &str) -> String {
        match *self.slices.models {
            [first, second, ..] => {
                let [first, second] = [first, second].map(|model| self.name(model));
                format!("{metrics} by slice, in percent; difference: {first} - {second}")
            }
            _ => format!("{metrics} by slice, in percent"),
        }
    }

    /// The note on how intervals and tests are computed.
    fn method_note(&self) -> String {
        let clusters = Clustering::ByImage.key(self.study);
        let intervals = format!("95 % CI clustered by {clusters} (docs/compare.md)");
        let small = format!("fewer than {MIN_QUERIES} queries: no CI, no test");
        if !self.has_two_models() {
            return format!("{intervals}; {small}");
        }
        format!("{intervals}; Holm over all rows, * below {LEVEL}; {small}")
    }

    /// A row for each slice up to `limit`: the means of metrics, given by their indices in [`specs`], with intervals if
    /// `has_intervals`, their differences, and the test of the last one.
    fn table(&self, title: &str, limit: usize, metrics: &[usize], has_intervals: bool) -> Section {
        let mut list = List::new("", self.title(title), self.rows(limit))
            .display("slice", |row| &*row.slice.name)
            .display("n", |row| row.queries.len());
        for &metric in metrics {
            list = self.add_means(list, metric, has_intervals);
            if self.has_two_models() {
                list =
                    list.display("diff", move |row| row.metrics[metric].difference().map(points));
            }
        }
        match metrics {
            [.., last] if self.has_two_models() => add_test(list, *last).section(),
            _ => list.section(),
        }
    }

    /// Adds columns of the mean of each model by a metric, given by its index in [`specs`]; with intervals if
    /// `has_intervals`.
    fn add_means<'a>(
        &'a self,
        mut list: List<'a, &'a SliceRow>,
        metric: usize,
        has_intervals: bool,
    ) -> List<'a, &'a SliceRow> {
        for (at, &model) in self.slices.models.iter().enumerate() {
            let mean = move |row: &&SliceRow| row.metrics[metric].means[at];
            list = list.display(self.name(model), move |row| {
                mean(row).0.map(|mean| Cell::Decimal(mean, Unit::Share))
            });
            if has_intervals {
                list =
                    list.display("95 % CI", move |row| Some(Cell::interval(mean(row).1?, points)));
            }
        }
        list
    }

    /// The condition of each slice.
    fn conditions(&self) -> Section {
        List::new("", "conditions, as in find --where", &self.slices.rows)
            .display("slice", |row| &*row.slice.name)
            .display("condition", |row| &*row.slice.condition)
            .section()
    }

    /// For programs, the difference of the first two models on each slice.
    fn difference_records(&self) -> Section {
        let mut list = List::new("slices", "", self.rows(usize::MAX))
            .data("slice", |row| &*row.slice.name)
            .data("group", |row| &*row.slice.group)
            .data("where", |row| &*row.slice.condition)
            .data("queries", |row| row.queries.len())
            .data("clusters", |row| row.sort_metric().clusters);
        for (at, spec) in specs().iter().enumerate() {
            let numbers = move |row: &&SliceRow| -> SliceMetric { row.metrics[at].clone() };
            let end = move |row: &&SliceRow, end: usize| {
                row.metrics[at].estimate.map(|estimate| estimate.interval()[end])
            };
            list = list
                .data(format!("{spec}_delta"), move |row| numbers(row).difference())
                .data(format!("{spec}_low"), move |row| end(row, 0))
                .data(format!("{spec}_high"), move |row| end(row, 1))
                .data(format!("{spec}_p"), move |row| numbers(row).estimate.map(Estimate::p))
                .data(format!("{spec}_p_holm"), move |row| numbers(row).corrected.holm);
        }
        list.section()
    }

    /// For programs, the means of each model on each slice.
    fn mean_records(&self) -> Section {
        let models = self.slices.models.iter().enumerate();
        let rows =
            self.rows(usize::MAX).flat_map(|row| models.clone().map(move |model| (row, model)));
        let mut list = List::new("values", "", rows)
            .data("slice", |(row, _)| &*row.slice.name)
            .data("model", |(_, (_, model))| self.name(**model))
            .data("queries", |(row, _)| row.queries.len());
        for (at, spec) in specs().iter().enumerate() {
            type Record<'a> = (&'a SliceRow, (usize, &'a ModelIx));
            let mean = move |(row, (model, _)): &Record<'_>| row.metrics[at].means[*model];
            let end = move |record: &Record<'_>, end: usize| mean(record).1.map(|ends| ends[end]);
            list = list
                .data(spec.to_string(), move |record| mean(record).0)
                .data(format!("{spec}_low"), move |record| end(record, 0))
                .data(format!("{spec}_high"), move |record| end(record, 1));
        }
        list.section()
    }
}

/// Adds columns of the interval and the corrected p-value of a metric's difference, given by its index in [`specs`].
fn add_test<'a>(list: List<'a, &'a SliceRow>, metric: usize) -> List<'a, &'a SliceRow> {
    list.display("95 % CI", move |row| {
        Some(Cell::interval(row.metrics[metric].estimate?.interval(), points))
    })
    .display("Holm p", move |row| row.metrics[metric].corrected.holm.map(Cell::corrected_p))
}

/// A share in percent, or a difference of shares in points, with one decimal.
fn points(share: f64) -> Cell {
    Cell::Number(100.0 * share, 1)
}
