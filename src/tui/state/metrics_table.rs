//! The table of metrics: rows, cells, and ranks among published models.

use super::Model;
use super::view::{Numbers, header_specs};
use crate::analysis::published_models::{PublishedRank, published};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::count;
use crate::data::{Direction, PerDirection};
use crate::evaluate::plan::{has_key, has_sum, key, sum_key};
use crate::jobs::all_specs;
use crate::metric::rsum::Sum;
use crate::metric::{Shortage, Spec, Summary, Unit, best, hit, map_at_r, rsum};
use crate::study::{Pool, View};
use crate::tui::signs::ordinal;

/// A row of the table: a metric under a truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of the truth.
    pub truth: TruthIx,
    /// Whether the metric is computed after judgments; otherwise under the truth as loaded.
    pub is_mine: bool,
    /// The metric.
    pub measure: Measure,
}

/// Metric of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A metric of each direction.
    Metric(Spec),
    /// A sum over both directions.
    Sum(Sum),
}

impl Measure {
    /// Whether its values rate models; false if they describe how much was judged.
    pub fn is_merit(self) -> bool {
        match self {
            Measure::Metric(spec) => spec.metric.is_merit(),
            Measure::Sum(_) => true,
        }
    }

    /// Unit of its numbers.
    pub fn unit(self) -> Unit {
        match self {
            Measure::Metric(spec) => spec.metric.unit(),
            Measure::Sum(_) => Unit::Sum,
        }
    }

    /// Its key in `eval`, without ground truth and pool.
    pub fn key(self) -> String {
        match self {
            Measure::Metric(spec) => spec.to_string(),
            Measure::Sum(sum) => sum.key().to_owned(),
        }
    }

    /// Its name in headings, such as `R@1`.
    pub fn title(self) -> String {
        match self {
            Measure::Metric(spec) => spec.title(),
            Measure::Sum(sum) => sum.title().to_owned(),
        }
    }

    /// Its definition, with the source.
    pub fn doc(self) -> &'static str {
        match self {
            Measure::Metric(spec) => spec.metric.doc(),
            Measure::Sum(sum) => sum.doc(),
        }
    }
}

impl Row {
    /// The view whose metric the cell in this row and `column` shows.
    pub fn view(self, column: Column) -> View {
        View { model: column.model, truth: self.truth, direction: column.direction }
    }
}

/// Content of a cell of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// No value: the truth lacks the direction, or the model has no scores.
    Absent,
    /// Being computed.
    Waiting,
    /// The value, and the best attainable one once every metric of the model is computed.
    Known(Summary, Option<f64>),
}

impl Cell {
    /// Maximum attainable value, if known.
    pub fn ceiling(self) -> Option<f64> {
        match self {
            Cell::Known(_, ceiling) => ceiling,
            Cell::Absent | Cell::Waiting => None,
        }
    }

    /// The value, if known and defined.
    pub fn value(self) -> Option<f64> {
        match self {
            Cell::Known(summary, _) => summary.value,
            Cell::Absent | Cell::Waiting => None,
        }
    }
}

/// A column of the table: model and direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Index of the model.
    pub model: ModelIx,
    /// Direction of retrieval.
    pub direction: Direction,
}

impl Model {
    /// Rows of the table, grouped by truth: every `eval` metric under the truth as loaded, then after judgments, if
    /// these change any.
    pub fn metrics_rows(&self) -> Vec<Row> {
        let truths = TruthIx::all(&self.study.truths);
        let truths = truths.flat_map(|truth| {
            let mine = self.is_truth_edited(truth).then_some((truth, true));
            std::iter::once((truth, false)).chain(mine)
        });
        let measures = || {
            let sums = Sum::ALL.map(Measure::Sum);
            all_specs().map(Measure::Metric).chain(sums)
        };
        let of_truth =
            |(truth, is_mine)| measures().map(move |measure| Row { truth, is_mine, measure });
        let rows = truths.flat_map(of_truth);
        rows.filter(|row| self.has_row(*row)).collect()
    }

    /// Whether the table has a row: its metric is defined under its truth, and also after judgments if the row
    /// [`is_mine`](Row::is_mine).
    fn has_row(&self, row: Row) -> bool {
        let study = &self.study;
        match row.measure {
            Measure::Metric(spec) if row.is_mine && spec.metric.only_under().is_some() => false,
            Measure::Metric(spec) => has_key(study, row.truth, spec),
            Measure::Sum(sum) => {
                let relevance = &study.truths[row.truth].relevance;
                let has_both = Direction::BOTH.iter().all(|&one| relevance[one].is_some());
                has_both && has_sum(study, row.truth, study.pool, sum)
            }
        }
    }

    /// The `eval` key of a row; `None` if the table has no such row. After judgments, the key of the ground truth that
    /// `truth mine` would write.
    pub fn metrics_key(&self, row: Row) -> Option<String> {
        let (study, pool) = (&self.study, self.study.pool);
        let truth = &study.truths[row.truth];
        if !self.has_row(row) {
            return None;
        }
        if !row.is_mine {
            return match row.measure {
                Measure::Metric(spec) => key(study, row.truth, pool, spec),
                Measure::Sum(sum) => Some(sum_key(study, row.truth, pool, sum)),
            };
        }
        let suffix = match pool {
            Pool::All => String::new(),
            pool => format!("@{}", study.pool_name(pool)),
        };
        Some(format!("{}{suffix}_{}", study.name_with_judgments(&truth.name), row.measure.key()))
    }

    /// Content of the cell in a row and a column.
    pub fn cell(&self, row: Row, column: Column) -> Cell {
        match row.measure {
            Measure::Metric(spec) => self.metric_cell(spec, row, column),
            Measure::Sum(sum) => self.sum_cell(sum, row, column.model),
        }
    }

    /// Content of the cell of a sum, from the six cells of the metrics in it.
    fn sum_cell(&self, sum: Sum, row: Row, model: ModelIx) -> Cell {
        let cells = PerDirection::from_fn(|direction| {
            sum.summands().map(|spec| {
                let column = Column { model, direction };
                self.metric_cell(spec, row, column)
            })
        });
        let all_cells = || Direction::BOTH.into_iter().flat_map(|one| cells[one]);
        if let Some(unknown) = all_cells().find(|cell| !matches!(cell, Cell::Known(..))) {
            return unknown;
        }
        let sum_of = |part: fn(Cell) -> Option<f64>| {
            rsum::rsum(&PerDirection::from_fn(|one| cells[one].map(part)))
        };
        let summary = |cell: Cell| match cell {
            Cell::Known(summary, _) => summary,
            Cell::Absent | Cell::Waiting => Summary::default(),
        };
        let shortage = all_cells().map(|cell| summary(cell).shortage).fold(None, Shortage::join);
        let judged = Direction::both(|one| summary(cells[one][0]).judged).into_iter().sum();
        let value = sum_of(Cell::value);
        Cell::Known(Summary { shortage, judged, value }, sum_of(Cell::ceiling))
    }

    /// Content of the cell of a metric under the truth of `row`.
    fn metric_cell(&self, spec: Spec, row: Row, column: Column) -> Cell {
        let view = row.view(column);
        let truth = &self.study.truths[row.truth];
        if truth.relevance[column.direction].is_none() {
            return Cell::Absent;
        }
        let metrics = if row.is_mine { self.metrics_at(view) } else { self.unedited_metrics(view) };
        let Some(metrics) = metrics else {
            let has_failed = matches!(self.numbers[column.model], Numbers::Failed(_));
            return if has_failed { Cell::Absent } else { Cell::Waiting };
        };
        let mut values = metrics.metric_values().into_iter().flatten();
        if let Some(found) = values.find(|one| one.spec == spec) {
            return Cell::Known(found.summary, found.ceiling);
        }
        // The two header metrics are known first.
        match spec {
            spec if spec == Spec::new(&hit::R1) => Cell::Known(metrics.r1, None),
            spec if spec == Spec::new(&map_at_r::MapAtR) => Cell::Known(metrics.map_at_r, None),
            _ => Cell::Waiting,
        }
    }

    /// Best value of a row in a direction; `None` if all are equal, or the metric does not rate models.
    pub fn best_value(&self, row: Row, direction: Direction) -> Option<f64> {
        let models = ModelIx::all(&self.numbers);
        let cells = models.map(|model| self.cell(row, Column { model, direction }));
        let values: Vec<f64> = cells.filter_map(Cell::value).collect();
        let best = best::value(&values, row.measure.unit());
        best.filter(|_| row.measure.is_merit())
    }
}

/// Keys and names of the metrics whose ranks among published models are shown: the one that most papers report, and the
/// one closest to human judgment.
const PUBLISHED_KEYS: [(&str, &str); 2] =
    [("coco_5k_r1", "COCO 5K R@1"), ("eccv_map_at_r", "ECCV mAP@R")];

/// Describes a rank among published models, the ranked model counted: `3rd of 26, shared`.
pub(in crate::tui) fn describe_rank(rank: PublishedRank) -> String {
    let shared = if rank.ties > 0 { ", shared" } else { "" };
    format!("{} of {}{shared}", ordinal(rank.rank), rank.of + 1)
}

impl Model {
    /// The key of a row in the table of published models; `None` if gallery or truth is not a published one, or for a
    /// row after judgments.
    pub(in crate::tui) fn published_key(&self, row: Row) -> Option<String> {
        let key = self.metrics_key(row).filter(|_| !row.is_mine)?;
        published().find_key(&self.study, row.truth, &key, &row.measure.key())
    }

    /// Rank among published models of a model's mean over both directions, before judgments; `None` if nothing
    /// comparable was published, or a value is unknown.
    pub fn published_rank(&self, row: Row, model: ModelIx) -> Option<PublishedRank> {
        published().rank(&self.published_key(row)?, None, self.average(row, model)?)
    }

    /// Mean of a model's values in both directions, before judgments like published averages; `None` if a value is
    /// unknown.
    pub(in crate::tui) fn average(&self, row: Row, model: ModelIx) -> Option<f64> {
        let [i2t, t2i] = Direction::both(|direction| Column { model, direction });
        Some(f64::midpoint(self.value_as_loaded(row, i2t)?, self.value_as_loaded(row, t2i)?))
    }

    /// The value of a cell before judgments.
    fn value_as_loaded(&self, row: Row, column: Column) -> Option<f64> {
        self.cell(Row { is_mine: false, ..row }, column).value()
    }

    /// Whether ranks among published models are shown for any row.
    pub(in crate::tui) fn has_published_ranks(&self) -> bool {
        self.published_rows().next().is_some()
    }

    /// Ranks of the current model in one sentence: among published models, or else by R@1 and mAP@R among those loaded.
    pub fn describe_model_ranks(&self) -> String {
        let View { model, truth, direction } = self.view;
        let name = &self.study.models[model].name;
        if self.has_published_ranks() {
            let rank = |(row, name): (Row, &str)| {
                let value = row.measure.unit().format(self.average(row, model));
                let rank = self.published_rank(row, model).map(describe_rank)?;
                Some(format!("{name} {value} ({rank})"))
            };
            let ranks: Option<Vec<String>> = self.published_rows().map(rank).collect();
            let ranks = ranks.map_or("···".into(), |ranks| ranks.join(", "));
            return format!("{name}, mean of i2t and t2i: {ranks}.");
        }
        let under = format!("{name}, {direction}, {}", self.truth_label(truth));
        let parts = header_specs().map(|spec| {
            let row = Row { truth, is_mine: self.is_view_edited(), measure: Measure::Metric(spec) };
            let value = |model| self.cell(row, Column { model, direction }).value();
            let (mine, unit) = (value(model)?, row.measure.unit());
            let is_better = |other: &f64| unit.orient(*other) > unit.orient(mine);
            let better = ModelIx::all(&self.numbers).filter_map(value).filter(is_better).count();
            let rank = format!("{} of {}", ordinal(better + 1), count(self.numbers.len(), "model"));
            Some(format!("{} {} ({rank})", spec.title(), unit.format(Some(mine))))
        });
        match parts {
            [Some(first), Some(second)] => format!("{under}: {first}, {second}."),
            _ => format!("{under}: {}", self.files.placeholder()),
        }
    }

    /// Rows whose ranks among published models are shown, with the name of each metric.
    fn published_rows(&self) -> impl Iterator<Item = (Row, &'static str)> {
        let rows = self.metrics_rows().into_iter();
        rows.filter_map(|row| {
            let key = self.published_key(row)?;
            let (_, name) = PUBLISHED_KEYS.iter().find(|(known, _)| *known == key)?;
            Some((row, *name))
        })
    }
}
