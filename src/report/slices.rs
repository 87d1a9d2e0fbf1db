//! Models by slice: queries on which they differ most.

use serde_json::json;

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::analysis::inference::{Estimate, LEVEL};
use crate::analysis::slices::{MIN_QUERIES, REQUESTED, SliceMetric, SliceRow, Slices, specs};
use crate::data::index::ModelIx;
use crate::data::text::count;
use crate::metric::Unit;
use crate::study::Study;

/// The result of `slices`.
pub struct SliceReport<'a> {
    /// Names of models.
    pub study: &'a Study,
    /// The ground truth, with judgments applied or not.
    pub truth: &'a str,
    /// The numbers.
    pub slices: &'a Slices,
    /// Whether to show every slice, with the intervals of all means and the conditions.
    pub is_full: bool,
}

/// Maximum slices shown unless all are requested.
const SHOWN: usize = 14;

impl SliceReport<'_> {
    /// The slice that differs most, then a row for each slice.
    pub fn report(&self) -> Report<'_> {
        let Slices { view, rows, .. } = self.slices;
        let gallery = &self.study.gallery;
        let in_full = |at: usize| self.table(&specs()[at].title(), usize::MAX, &[at], true);
        let mut sections = if self.is_full {
            vec![in_full(1), in_full(0), self.conditions()]
        } else {
            vec![self.table("R@1 and mAP@R", self.shown(), &[0, 1], !self.has_two())]
        };
        sections.extend([self.differences(), self.values()]);
        let hidden = rows.len() + 1 - self.rows(self.shown()).count();
        let mut notes = vec![self.method()];
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
            let columns = (table.head.len() - 2) as isize;
            let second = columns / 2 + isize::from(self.has_two());
            let of = |columns: isize, at: usize| (specs()[at].title(), columns as usize);
            table.over = vec![vec![(String::new(), 2), of(columns - second, 0), of(second, 1)]];
        }
        report.with_facts(json!({
            "study": {"images": gallery.images.len(), "captions": gallery.captions.len()},
            "direction": view.direction.key(),
            "truth": self.truth,
            "compared": self.slices.models.get(..2).map(|both| both.iter().map(|&of| self.name(of)).collect::<Vec<_>>()),
            "clusters": "image",
            "min_queries": MIN_QUERIES,
            "holm_over": self.slices.tests(),
            "level": LEVEL,
        }))
    }

    fn name(&self, model: ModelIx) -> &str {
        &self.study.models[model].name
    }

    fn has_two(&self) -> bool {
        self.slices.models.len() > 1
    }

    /// Slices of the short table: tested ones only.
    fn shown(&self) -> usize {
        self.slices.rows.iter().take(SHOWN).filter(|row| row.is_tested()).count()
    }

    /// The row of all queries, the first `most` slices, and every slice requested with `--slice`.
    fn rows(&self, most: usize) -> impl Iterator<Item = &SliceRow> {
        let rows = self.slices.rows.iter().enumerate();
        let shown = rows.filter(move |(at, row)| *at < most || row.slice.group == REQUESTED);
        std::iter::once(&self.slices.all).chain(shown.map(|(_, row)| row))
    }

    fn title(&self, what: &str) -> String {
        match *self.slices.models {
            [first, second, ..] => {
                let [first, second] = [first, second].map(|of| self.name(of));
                format!("{what} by slice, in percent; difference: {first} - {second}")
            }
            _ => format!("{what} by slice, in percent"),
        }
    }

    fn method(&self) -> String {
        let clusters = "95 % CI clustered by image (docs/compare.md)";
        let small = format!("fewer than {MIN_QUERIES} queries: no CI, no test");
        if !self.has_two() {
            return format!("{clusters}; {small}");
        }
        let tests = count(self.slices.tests(), "test");
        format!("{clusters}; Holm over {tests}, * below {LEVEL}; {small}")
    }

    /// The means of metrics, their differences, and the test of the last one.
    fn table(&self, what: &str, most: usize, metrics: &[usize], has_intervals: bool) -> Section {
        let mut list = List::new("", self.title(what), self.rows(most))
            .shown("slice", |row| &*row.slice.name)
            .shown("n", |row| row.queries.len());
        for &metric in metrics {
            list = self.means(list, metric, has_intervals);
            if self.has_two() {
                list = list.shown("diff", move |row| row.metrics[metric].difference().map(points));
            }
        }
        match metrics {
            [.., last] if self.has_two() => tested(list, *last).section(),
            _ => list.section(),
        }
    }

    /// The mean of each model, with its interval.
    fn means<'a>(
        &'a self,
        mut list: List<'a, &'a SliceRow>,
        metric: usize,
        has_intervals: bool,
    ) -> List<'a, &'a SliceRow> {
        for (at, &model) in self.slices.models.iter().enumerate() {
            let mean = move |row: &&SliceRow| row.metrics[metric].means[at];
            list = list.shown(self.name(model), move |row| {
                mean(row).0.map(|mean| Cell::Decimal(mean, Unit::Share))
            });
            if has_intervals {
                list = list.shown("95 % CI", move |row| mean(row).1.map(interval));
            }
        }
        list
    }

    fn conditions(&self) -> Section {
        List::new("", "conditions, as in find --where", &self.slices.rows)
            .shown("slice", |row| &*row.slice.name)
            .shown("condition", |row| &*row.slice.condition)
            .section()
    }

    /// Slices with the difference of the first two models.
    fn differences(&self) -> Section {
        let mut list = List::new("slices", "", self.rows(usize::MAX))
            .data("slice", |row| &*row.slice.name)
            .data("group", |row| &*row.slice.group)
            .data("where", |row| &*row.slice.condition)
            .data("queries", |row| row.queries.len())
            .data("clusters", |row| row.lead().clusters);
        for (at, spec) in specs().iter().enumerate() {
            let of = move |row: &&SliceRow| -> SliceMetric { row.metrics[at].clone() };
            let end = move |row: &&SliceRow, end: usize| {
                row.metrics[at].estimate.map(|of| of.interval()[end])
            };
            list = list
                .data(format!("{spec}_delta"), move |row| of(row).difference())
                .data(format!("{spec}_low"), move |row| end(row, 0))
                .data(format!("{spec}_high"), move |row| end(row, 1))
                .data(format!("{spec}_p"), move |row| of(row).estimate.map(Estimate::p))
                .data(format!("{spec}_p_holm"), move |row| of(row).corrected.holm);
        }
        list.section()
    }

    /// The means of every model.
    fn values(&self) -> Section {
        let models = self.slices.models.iter().enumerate();
        let rows = self.rows(usize::MAX).flat_map(|row| models.clone().map(move |of| (row, of)));
        let mut list = List::new("values", "", rows)
            .data("slice", |(row, _)| &*row.slice.name)
            .data("model", |(_, (_, model))| self.name(**model))
            .data("queries", |(row, _)| row.queries.len());
        for (at, spec) in specs().iter().enumerate() {
            type Of<'a> = (&'a SliceRow, (usize, &'a ModelIx));
            let mean = move |(row, (model, _)): &Of<'_>| row.metrics[at].means[*model];
            let end = move |of: &Of<'_>, end: usize| mean(of).1.map(|ends| ends[end]);
            list = list
                .data(spec.to_string(), move |of| mean(of).0)
                .data(format!("{spec}_low"), move |of| end(of, 0))
                .data(format!("{spec}_high"), move |of| end(of, 1));
        }
        list.section()
    }
}

/// The interval and the corrected p-value of a difference.
fn tested<'a>(list: List<'a, &'a SliceRow>, metric: usize) -> List<'a, &'a SliceRow> {
    list.shown("95 % CI", move |row| {
        row.metrics[metric].estimate.map(|of| Cell::interval(of.interval(), points))
    })
    .shown("Holm p", move |row| row.metrics[metric].corrected.holm.map(Cell::corrected))
}

/// A difference of shares in points with one decimal.
fn points(share: f64) -> Cell {
    Cell::Number(100.0 * share, 1)
}

fn interval(ends: [f64; 2]) -> Cell {
    Cell::interval(ends, points)
}
