//! What the table holds: rows, columns in order, and the value of each cell.

use std::cmp::Ordering;

use super::{Column, Order};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::{Direction, PerDirection};
use crate::engine::specs;
use crate::evaluate::plan::{key, rsum_key};
use crate::metric::{Shortage, Spec, Summary, Unit, hit, map_at_r, rsum};
use crate::study::View;
use crate::tui::app::{App, Numbers};

/// A row: a metric under a truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of the truth.
    pub truth: TruthIx,
    /// The metric.
    pub measure: Measure,
}

/// What a row tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A metric of each direction.
    Of(Spec),
    /// The sum of R@1, R@5 and R@10 over both directions.
    Sum,
}

impl Measure {
    /// What its numbers are.
    pub fn unit(self) -> Unit {
        match self {
            Measure::Of(spec) => spec.metric.unit(),
            Measure::Sum => Unit::Sum,
        }
    }

    /// Its name in headings.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Of(spec) => spec.metric.title(),
            Measure::Sum => "RSUM",
        }
    }

    /// Its definition, with the source.
    pub fn doc(self) -> &'static str {
        match self {
            Measure::Of(spec) => spec.metric.doc(),
            Measure::Sum => rsum::DOC,
        }
    }
}

impl Row {
    /// The view that a cell of the row is of.
    pub fn view(self, column: Column) -> View {
        View {
            model: column.model,
            truth: self.truth,
            direction: column.direction,
        }
    }
}

/// The number of one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// There is none: the truth has no list in this direction, or the model no numbers.
    Absent,
    /// It is being counted.
    Waiting,
    /// Counted; the best possible value comes with every metric.
    Known(Summary, Option<f64>),
}

impl Cell {
    /// The best possible value, where it is known.
    fn ceiling(self) -> Option<f64> {
        match self {
            Cell::Known(_, ceiling) => ceiling,
            Cell::Absent | Cell::Waiting => None,
        }
    }

    /// The value, where it is known and defined.
    pub fn value(self) -> Option<f64> {
        match self {
            Cell::Known(summary, _) => summary.value,
            Cell::Absent | Cell::Waiting => None,
        }
    }
}

/// Whether a value is better than another one.
fn is_better(unit: Unit, value: f64, other: f64) -> bool {
    match unit {
        Unit::Share | Unit::Sum => value > other,
        Unit::Rank => value < other,
    }
}

impl App {
    /// The rows of the table, those of a truth together: every metric that `eval` knows of it.
    pub fn metrics_rows(&self) -> Vec<Row> {
        let truths = TruthIx::all(&self.study.truths);
        let measures = || specs().map(Measure::Of).chain([Measure::Sum]);
        let of_truth = |truth| measures().map(move |measure| Row { truth, measure });
        let rows = truths.flat_map(of_truth);
        rows.filter(|row| self.metrics_key(*row).is_some())
            .collect()
    }

    /// The key that `eval` gives a row; `None` where the metric is of another truth alone.
    pub fn metrics_key(&self, row: Row) -> Option<String> {
        let (study, pool) = (&self.study, self.study.pool);
        match row.measure {
            Measure::Of(spec) => key(study, row.truth, pool, spec),
            Measure::Sum => {
                let both = &study.truths[row.truth].relevance;
                let has_both = Direction::BOTH.iter().all(|&one| both[one].is_some());
                has_both.then(|| rsum_key(study, row.truth, pool))
            }
        }
    }

    /// The selected row.
    pub fn metrics_row(&self) -> Option<Row> {
        let rows = self.metrics_rows();
        rows.get(self.metrics.row).or(rows.last()).copied()
    }

    /// The selected column.
    pub fn metrics_column(&self) -> Column {
        let looked_at = Column {
            model: self.view.model,
            direction: self.view.direction,
        };
        let here = self.metrics.column;
        here.filter(|column| column.model.get() < self.numbers.len())
            .unwrap_or(looked_at)
    }

    /// The models in the order of the columns: as loaded, or the best first.
    pub fn metrics_models(&self) -> Vec<ModelIx> {
        let mut models: Vec<ModelIx> = ModelIx::all(&self.numbers).collect();
        let Some(Order { row, direction }) = self.metrics.order else {
            return models;
        };
        let value = |model: ModelIx| self.cell(row, Column { model, direction }).value();
        let unit = row.measure.unit();
        models.sort_by(|&one, &other| match (value(one), value(other)) {
            (Some(one), Some(other)) if is_better(unit, one, other) => Ordering::Less,
            (Some(one), Some(other)) if is_better(unit, other, one) => Ordering::Greater,
            // Those without a value come last.
            (one, other) => other.is_some().cmp(&one.is_some()),
        });
        models
    }

    /// The columns of the table, in order.
    pub fn metrics_columns(&self) -> Vec<Column> {
        let of_model = |model| Direction::BOTH.map(|direction| Column { model, direction });
        let models = self.metrics_models().into_iter();
        models.flat_map(of_model).collect()
    }

    /// The number of a cell, with verdicts.
    pub fn cell(&self, row: Row, column: Column) -> Cell {
        match row.measure {
            Measure::Of(spec) => self.cell_of(spec, row, column),
            Measure::Sum => self.sum_cell(row, column.model),
        }
    }

    /// The sum of a model, from the six cells that it is of.
    fn sum_cell(&self, row: Row, model: ModelIx) -> Cell {
        let cells = PerDirection::from_fn(|direction| {
            rsum::RECALLS.map(|metric| {
                let column = Column { model, direction };
                self.cell_of(Spec::new(metric), row, column)
            })
        });
        let mut sum = Summary::default();
        for cell in Direction::BOTH.into_iter().flat_map(|one| cells[one]) {
            match cell {
                Cell::Known(summary, _) => {
                    sum.shortage = Shortage::joined(sum.shortage, summary.shortage);
                }
                unknown => return unknown,
            }
        }
        let judged = Direction::BOTH.map(|one| match cells[one][0] {
            Cell::Known(summary, _) => summary.judged,
            Cell::Absent | Cell::Waiting => 0,
        });
        let of = |part: fn(Cell) -> Option<f64>| {
            let six = PerDirection::from_fn(|one| cells[one].map(part));
            rsum::rsum(&six)
        };
        sum.judged = judged.into_iter().sum();
        sum.value = of(Cell::value);
        Cell::Known(sum, of(Cell::ceiling))
    }

    fn cell_of(&self, spec: Spec, row: Row, column: Column) -> Cell {
        let view = row.view(column);
        let truth = &self.study.truths[row.truth];
        if truth.relevance[column.direction].is_none() {
            return Cell::Absent;
        }
        let Some(scored) = self.scored_at(view) else {
            let is_lost = matches!(self.numbers[column.model], Numbers::Failed(_));
            return if is_lost { Cell::Absent } else { Cell::Waiting };
        };
        let mut measured = scored.measured().into_iter().flatten();
        if let Some(found) = measured.find(|one| one.spec == spec) {
            return Cell::Known(found.summary, found.ceiling);
        }
        // The two numbers of the header are there before all others.
        match spec {
            spec if spec == Spec::new(&hit::R1) => Cell::Known(scored.r1, None),
            spec if spec == Spec::new(&map_at_r::MapAtR) => Cell::Known(scored.map_at_r, None),
            _ => Cell::Waiting,
        }
    }

    /// The best value of a row in a direction, where there is more than one to choose from.
    pub fn best_of(&self, row: Row, direction: Direction) -> Option<f64> {
        let models = ModelIx::all(&self.numbers);
        let cells = models.map(|model| self.cell(row, Column { model, direction }));
        let values: Vec<f64> = cells.filter_map(Cell::value).collect();
        let unit = row.measure.unit();
        let better = |one, other| {
            if is_better(unit, other, one) {
                other
            } else {
                one
            }
        };
        let best = values.iter().copied().reduce(better);
        best.filter(|_| values.len() > 1)
    }
}
