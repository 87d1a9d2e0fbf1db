//! The metrics screen: every metric of every truth for all models, a chart of two numbers against each
//! other, and the places of the models among the published ones.

mod chart;
mod chart_view;
pub mod cloud;
mod corners_view;
mod grid;
mod layout;
mod page;
mod steps_view;
mod table;
mod table_view;
mod view;
use crate::data::Direction;
use crate::figure::charts::CHARTS;
use crate::tui::model::Model;
use crate::tui::model::metrics_table::{Column, Row};
use crate::tui::ui::{Context, Ui};

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The table.
    #[default]
    Table,
    /// The chart.
    Chart,
}

/// What stands beside each value of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Beside {
    /// Nothing.
    #[default]
    Nothing,
    /// What a perfect model would get.
    Ceiling,
    /// The place among the published models.
    Place,
}

impl Beside {
    /// In words.
    fn words(self) -> &'static str {
        match self {
            Beside::Nothing => "the table has values alone",
            Beside::Ceiling => "the table has upper bounds beside the values",
            Beside::Place => "the table has places among the published models",
        }
    }
}

/// What models are ordered by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Order {
    /// The metric, and its truth.
    pub row: Row,
    /// The direction whose values count.
    pub direction: Direction,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Metrics {
    /// What keys go to.
    pub pane: Pane,
    /// Place of the selected row.
    pub row: usize,
    /// The selected column; that of what is looked at where none is, or where it is gone.
    pub column: Option<Column>,
    /// The first line of the table that is shown, headings counted.
    offset: usize,
    /// What models are ordered by; the order of the files where it is nothing.
    pub order: Option<Order>,
    /// What stands beside each value.
    pub beside: Beside,
    /// What the chart shows.
    pub plot: Plot,
    /// The selected quadrant: at the left or the right, at the bottom or the top.
    pub quadrant: [Side; 2],
}

/// What the chart shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plot {
    /// Both metrics of the header over the steps of a training.
    #[default]
    Steps,
    /// AP@R of every query, of two models.
    TwoModels,
    /// AP@R of every query, under two truths.
    TwoTruths,
    /// mAP@R against R@1 of every model.
    Models,
    /// A chart of the study, by its place among [`CHARTS`].
    OfStudy(usize),
}

/// A side of the cut through an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// At most the cut.
    #[default]
    Low,
    /// Above it.
    High,
}

impl Plot {
    /// Every chart, in the order of the keys.
    fn all() -> impl Iterator<Item = Plot> + Clone {
        let charts = CHARTS.iter().enumerate().filter(|(_, chart)| !chart.is_held);
        let of_study = charts.map(|(at, _)| Plot::OfStudy(at));
        [Plot::Steps, Plot::TwoModels, Plot::TwoTruths, Plot::Models].into_iter().chain(of_study)
    }

    /// Its place among all.
    fn place(self) -> usize {
        Plot::all().position(|plot| plot == self).unwrap_or(0)
    }
}

impl Side {
    /// Both, the lower one first.
    pub const BOTH: [Side; 2] = [Side::Low, Side::High];
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Metrics>;

impl Metrics {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }
}
