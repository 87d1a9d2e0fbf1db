//! The chart: what it shows, the selected quadrant, and the queries in it as a condition.

use ratatui::layout::{Margin, Rect};

use super::{Cx, Metrics, Plot, Side};
use crate::data::index::{ModelIx, TruthIx};
use crate::figure::chart::Chart as FileChart;
use crate::figure::charts::scatter::{Scatter, usual};
use crate::figure::charts::{self, CHARTS};
use crate::filter::{value_of_model, value_of_truth};
use crate::metric::Spec;
use crate::study::{Pool, View};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::metrics_table::Column;
use crate::tui::popups::export::ExportForm;
use crate::tui::screen::Reply;
use crate::tui::ui::Ui;

/// Quadrants meet at this AP@R.
pub const CUT: f64 = 0.5;

/// Columns of the numbers at the vertical axis.
pub(super) const LEVELS: u16 = 7;

/// Where the dots are, inside the frame: right of the numbers at one axis, above those at the other.
pub(super) fn plot_area(inner: Rect) -> Rect {
    Rect {
        x: inner.x + LEVELS,
        width: inner.width.saturating_sub(LEVELS + 1),
        height: inner.height.saturating_sub(1),
        ..inner
    }
}

/// The part of the chart on these sides of the cut.
pub(super) fn quadrant(plot: Rect, [x, y]: [Side; 2]) -> Rect {
    let (left, below) = (plot.width / 2, plot.height / 2);
    let above = plot.height - below;
    let (x, width) = match x {
        Side::Low => (plot.x, left),
        Side::High => (plot.x + left, plot.width - left),
    };
    let (y, height) = match y {
        Side::High => (plot.y, above),
        Side::Low => (plot.y + above, below),
    };
    Rect::new(x, y, width, height)
}

/// The quadrant at a place of the terminal, in the chart with its frame.
pub(super) fn quadrant_at(area: Rect, x: u16, y: u16) -> Option<[Side; 2]> {
    let plot = plot_area(area.inner(Margin::new(1, 1)));
    let all = Side::BOTH.map(|right| Side::BOTH.map(|up| [right, up]));
    let mut all = all.into_iter().flatten();
    all.find(|sides| quadrant(plot, *sides).contains((x, y).into()))
}

impl Cx<'_> {
    /// What the chart shows: what is chosen, or else what the study has enough of.
    pub fn plot(self) -> Plot {
        let mut following = Plot::all().cycle().skip(self.state.plot.place());
        let is_possible = |plot: &Plot| match *plot {
            Plot::Models => true,
            Plot::Steps => !self.model.study.steps.is_empty(),
            Plot::OfStudy(at) => (CHARTS[at].check)(&self.model.study).is_ok(),
            of_queries => self.axes_of(of_queries).is_some(),
        };
        following.find(is_possible).unwrap_or(Plot::Models)
    }

    /// The chart of the study that is shown, by its place; `None` where another one is.
    pub fn study_chart(self) -> Option<usize> {
        match self.plot() {
            Plot::OfStudy(at) => Some(at),
            _ => None,
        }
    }

    /// The views whose AP@R are at the axes; `None` where the chart is not of queries.
    pub fn axes(self) -> Option<[View; 2]> {
        self.axes_of(self.plot())
    }

    /// The first view is what is looked at, the second that of the cursor of the table, or else the next
    /// one.
    fn axes_of(self, plot: Plot) -> Option<[View; 2]> {
        let view = self.model.view;
        let other = match plot {
            Plot::Models | Plot::Steps | Plot::OfStudy(_) => return None,
            Plot::TwoModels => {
                let Column { model, .. } = self.column();
                let next = ModelIx::new((view.model.get() + 1) % self.model.numbers.len());
                View { model: if model == view.model { next } else { model }, ..view }
            }
            Plot::TwoTruths => {
                let row = self.row().map(|row| row.truth);
                let count = self.model.study.truths.len();
                let following =
                    (1..count).map(|step| TruthIx::new((view.truth.get() + step) % count));
                let mut truths = row.into_iter().chain(following);
                let has_lists = |&truth: &TruthIx| {
                    let relevance = &self.model.study.truths[truth].relevance;
                    truth != view.truth && relevance[view.direction].is_some()
                };
                View { truth: truths.find(has_lists)?, ..view }
            }
        };
        (other != view).then_some([view, other])
    }

    /// The chart in sight as one for a file, and its word in the file's name; `None` while it is not there.
    fn chart_to_write(self) -> Option<(&'static str, FileChart)> {
        match self.plot() {
            Plot::OfStudy(at) => Some((CHARTS[at].key, self.model.chart(at)?.ok()?.clone())),
            Plot::Steps => Some((charts::steps::CHART.key, self.course_chart()?)),
            Plot::Models => Some((charts::models::CHART.key, self.field().chart(self)?)),
            Plot::TwoModels => Some((charts::ap_models::CHART.key, self.cloud_chart()?)),
            Plot::TwoTruths => Some((charts::ap_truths::CHART.key, self.cloud_chart()?)),
        }
    }

    /// The queries in sight as a chart for a file; `None` while numbers are missing.
    fn cloud_chart(self) -> Option<FileChart> {
        let (axes, names) = (self.axes()?, self.axis_names()?);
        let points = self.cloud()?.points;
        let points: Vec<[f64; 2]> = points.into_iter().map(|(x, y)| [x, y]).collect();
        let model = &self.model;
        let view = model.view;
        let mut context = vec![if axes[0].model == axes[1].model {
            format!("{} {}", model.study.models[view.model].name, view.direction)
        } else {
            format!("{}, {}", view.direction, self.name_of_truth(view.truth))
        }];
        let pool = model.study.pool;
        context
            .extend((pool != Pool::All).then(|| format!("pool {}", model.study.pool_name(pool))));
        let is_filtered = model.has_filter();
        context.extend(is_filtered.then(|| model.filter.text.clone()));
        let scatter = Scatter {
            points: &points,
            names: [&*names[0], &*names[1]],
            specs: axes.map(|view| self.spec_of(view)),
            context: &context.join(", "),
        };
        Some(scatter.chart())
    }

    /// What a chart shows in a view: NCS under the truth of a similarity, else AP@R.
    pub fn spec_of(self, view: View) -> Spec {
        usual(&self.model.study.truths[view.truth])
    }

    /// The names of what differs between the axes.
    pub fn axis_names(self) -> Option<[String; 2]> {
        let axes = self.axes()?;
        let of_models = axes[0].model != axes[1].model;
        Some(axes.map(|view| match view.truth {
            _ if of_models => self.model.study.models[view.model].name.clone(),
            truth => self.name_of_truth(truth),
        }))
    }

    /// The name of a truth as it is: with verdicts, where it is what is looked at, and with a number that was turned.
    fn name_of_truth(self, truth: TruthIx) -> String {
        let study = &self.model.study;
        let of = &study.truths[truth];
        let name = if truth == self.model.view.truth {
            self.model.name_in_force(truth)
        } else {
            of.name.clone()
        };
        name + &study.set_words(of)
    }

    /// The condition that the queries of the selected quadrant meet, with that of the filter in force.
    pub fn quadrant_condition(self) -> Option<String> {
        let axes = self.axes()?;
        let is_of_models = axes[0].model != axes[1].model;
        let value = |view: View| {
            let metric = self.spec_of(view).to_string();
            if is_of_models {
                value_of_model(&self.model.study, view.model, &metric)
            } else if view.truth == self.model.view.truth {
                metric
            } else {
                value_of_truth(&self.model.study, view.truth, &metric)
            }
        };
        let [x, y] = [0, 1].map(|at| {
            let sign = match self.state.quadrant[at] {
                Side::Low => "<=",
                Side::High => ">",
            };
            format!("{} {sign} {CUT}", value(axes[at]))
        });
        let quadrant = format!("{x} and {y}");
        let is_filtered = self.model.has_filter() && self.model.filter.mistake.is_none();
        Some(if is_filtered {
            format!("({}) and {quadrant}", self.model.filter.text)
        } else {
            quadrant
        })
    }
}

impl Metrics {
    /// Has the chart in sight written to a file.
    pub(super) fn export_chart(&self, model: &mut Model, ui: &Ui) -> Reply {
        let Some((word, chart)) = self.cx(model, ui).chart_to_write() else {
            model.message = Some("the chart is not there yet: there is nothing to write".into());
            return Reply::Done;
        };
        Reply::open(ExportForm::of_chart(model, word, chart))
    }

    /// Shows the next of the charts that there are.
    pub(super) fn next_plot(&mut self, model: &Model, ui: &Ui) {
        let present = self.cx(model, ui).plot().place();
        let following = Plot::all().cycle().nth(present + 1);
        self.plot = following.unwrap_or_default();
        self.plot = self.cx(model, ui).plot();
    }

    /// Lists the first items of the queries of the selected quadrant, which the filter then lets through alone.
    pub(super) fn open_quadrant_items(&self, model: &mut Model, ui: &Ui) -> Reply {
        match self.cx(model, ui).quadrant_condition() {
            Some(condition) => {
                model.filter_by(condition);
                Reply::Act(Action::Items)
            }
            None => self.open_quadrant(model, ui),
        }
    }

    /// Lists the queries of the selected quadrant.
    pub(super) fn open_quadrant(&self, model: &mut Model, ui: &Ui) -> Reply {
        if let Some(condition) = self.cx(model, ui).quadrant_condition() {
            model.filter_by(condition);
            Reply::Act(Action::Browse)
        } else {
            let key = ui.keymap.hint(Action::Plot);
            model.message = Some(format!("this chart is not of queries: {key} shows other charts"));
            Reply::Done
        }
    }
}
