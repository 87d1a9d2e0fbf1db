//! The cells of the table of metrics: a metric under a truth, of a model in a direction.

use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::metric::rsum::Sum;
use crate::metric::{Spec, Summary, Unit};
use crate::study::View;

/// A row: a metric under a truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Index of the truth.
    pub truth: TruthIx,
    /// Whether verdicts are laid over it; else it is as loaded.
    pub is_mine: bool,
    /// The metric.
    pub measure: Measure,
}

/// What a row tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A metric of each direction.
    Of(Spec),
    /// A sum over both directions.
    Sum(Sum),
}

impl Measure {
    /// Whether a greater or a lesser value is better.
    pub fn is_merit(self) -> bool {
        match self {
            Measure::Of(spec) => spec.metric.is_merit(),
            Measure::Sum(_) => true,
        }
    }

    /// What its numbers are.
    pub fn unit(self) -> Unit {
        match self {
            Measure::Of(spec) => spec.metric.unit(),
            Measure::Sum(_) => Unit::Sum,
        }
    }

    /// Its name as `eval` writes it, without a ground truth and a pool.
    pub fn key(self) -> String {
        match self {
            Measure::Of(spec) => spec.to_string(),
            Measure::Sum(sum) => sum.key().to_owned(),
        }
    }

    /// Its name in headings.
    pub fn title(self) -> &'static str {
        match self {
            Measure::Of(spec) => spec.metric.title(),
            Measure::Sum(sum) => sum.title(),
        }
    }

    /// Its definition, with the source.
    pub fn doc(self) -> &'static str {
        match self {
            Measure::Of(spec) => spec.metric.doc(),
            Measure::Sum(sum) => sum.doc(),
        }
    }
}

impl Row {
    /// The view that a cell of the row is of.
    pub fn view(self, column: Column) -> View {
        View { model: column.model, truth: self.truth, direction: column.direction }
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
    pub(in crate::tui::model) fn ceiling(self) -> Option<f64> {
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

/// A column of the table: a model, and who asks whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Index of the model.
    pub model: ModelIx,
    /// Direction of retrieval.
    pub direction: Direction,
}
