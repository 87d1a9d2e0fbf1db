//! The charts: which there are, and their points.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{CHART, Cx, Metrics, Pane};
use crate::analysis::published::published;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::error::Error;
use crate::figure::chart::{Chart, Curve, Shape};
use crate::figure::charts::models::Models;
use crate::figure::charts::per_query::{self, Scatter, usual};
use crate::figure::charts::{self, CHARTS, StudyChart};
use crate::jobs::Scored;
use crate::metric::{Spec, hit, map_at_r};
use crate::study::View;
use crate::truth::Kind;
use crate::tui::context::Ui;
use crate::tui::popups::export::ExportForm;
use crate::tui::screen::Reply;
use crate::tui::screens::queries;
use crate::tui::state::Model;
use crate::tui::state::export::one_line;
use crate::tui::state::metrics_table::{Column, Measure, Row};
use crate::tui::ui::hits::Target;
use crate::tui::ui::{self, pane};

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
    /// The header's metrics of every model.
    Models,
    /// A chart of the study, by its place among [`CHARTS`].
    OfStudy(usize),
}

impl Plot {
    /// Every chart, in the order of the keys.
    fn all() -> impl Iterator<Item = Plot> + Clone {
        let charts = CHARTS.iter().enumerate().filter(|(_, chart)| !chart.is_held);
        let of_study = charts.map(|(at, _)| Plot::OfStudy(at));
        [Plot::Steps, Plot::TwoModels, Plot::TwoTruths, Plot::Models].into_iter().chain(of_study)
    }

    /// The chart of mixtures over alpha.
    pub fn over_alpha() -> Plot {
        let at = CHARTS.iter().position(|chart| chart.key == charts::over_alpha::CHART.key);
        Plot::OfStudy(at.unwrap_or_default())
    }

    /// Key, title and requirements of the chart.
    pub fn chart(self) -> &'static StudyChart {
        match self {
            Plot::Steps => &charts::steps::CHART,
            Plot::TwoModels => &per_query::MODELS,
            Plot::TwoTruths => &per_query::TRUTHS,
            Plot::Models => &charts::models::CHART,
            Plot::OfStudy(at) => &CHARTS[at],
        }
    }
}

/// The value of the query at a place, where it is defined.
fn value(scored: &Scored, spec: Spec, place: usize) -> Option<f64> {
    if spec == Spec::new(&map_at_r::MapAtR) {
        return Some(scored.ap_at_r[place]).filter(|value| !value.is_nan());
    }
    spec.per_query(scored.ranks.query(place))
}

impl<'a> Cx<'a> {
    /// What the chart shows: what is chosen, or else the next that the study has enough for.
    pub fn plot(self) -> Plot {
        let chosen = Plot::all().position(|plot| plot == self.state.plot);
        let mut following = Plot::all().cycle().skip(chosen.unwrap_or(0));
        let is_possible = |plot: &Plot| match *plot {
            Plot::Models => true,
            Plot::Steps => !self.model.study.steps.is_empty(),
            Plot::OfStudy(at) => (CHARTS[at].check)(&self.model.study).is_ok(),
            Plot::TwoModels | Plot::TwoTruths => self.axes_of(*plot).is_some(),
        };
        following.find(is_possible).unwrap_or(Plot::Models)
    }

    /// The chart as it is written to files; `None` while numbers are missing.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn chart(self) -> Result<Option<Chart>, &'a Error> {
        Ok(match self.plot() {
            Plot::Steps => self.course_chart(),
            Plot::TwoModels | Plot::TwoTruths => self.cloud_chart(),
            Plot::Models => self.field().chart(),
            Plot::OfStudy(at) => self.model.chart(at).transpose()?.cloned(),
        })
    }

    /// The views whose AP@R are at the axes; `None` where the chart is not of queries.
    pub fn axes(self) -> Option<[View; 2]> {
        self.axes_of(self.plot())
    }

    /// The first view is the present one, the second that of the cursor of the table, or else the next one.
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

    /// Where what is looked at stands across: the step of the view, or alpha of the mixture.
    fn present(self) -> Option<f64> {
        let study = &self.model.study;
        match self.plot() {
            Plot::Steps => {
                let place = study.step_of(self.model.view.model)?;
                Some(study.steps[place].number as f64)
            }
            plot if plot == Plot::over_alpha() => {
                self.model.dials.mix.map(|mix| f64::from(mix.percent) / 100.0)
            }
            _ => None,
        }
    }

    /// The names of what differs between the axes.
    pub fn axis_names(self) -> Option<[String; 2]> {
        let axes = self.axes()?;
        let of_models = axes[0].model != axes[1].model;
        Some(axes.map(|view| {
            if of_models {
                self.model.study.models[view.model].name.clone()
            } else {
                self.name_of_truth(view.truth)
            }
        }))
    }

    /// The name of a truth as it is: with verdicts, where it is that of the view, and with a threshold that was changed.
    fn name_of_truth(self, truth: TruthIx) -> String {
        let study = &self.model.study;
        let of = &study.truths[truth];
        let is_in_view = truth == self.model.view.truth;
        let name = if is_in_view { self.model.name_in_force(truth) } else { of.name.clone() };
        name + &study.set_words(of)
    }

    /// AP@R in both views of each query that has both and that the filter lets through; `None` where numbers are missing, or where the chart is of models.
    pub fn cloud(self) -> Option<Vec<[f64; 2]>> {
        if self.model.is_filtering() {
            return None;
        }
        let axes = self.axes()?;
        let truths = axes.map(|view| &self.model.study.truths[view.truth]);
        let specs = truths.map(usual);
        let [x, y] = axes.map(|view| self.scored(view));
        let (x, y) = (x?, y?);
        let [judged, other] = truths.map(|truth| truth.relevance[axes[0].direction].as_ref());
        let (judged, other) = (judged?, other?);
        let is_same = axes[0].truth == axes[1].truth;
        let point = |(place, &query): (usize, &u32)| {
            let there = if is_same { Some(place) } else { other.place(query as usize) };
            let there = there.filter(|_| self.model.passes(query))?;
            Some([value(x, specs[0], place)?, value(y, specs[1], there)?])
        };
        Some(judged.queries().iter().enumerate().filter_map(point).collect())
    }

    /// The numbers of an axis, as the conditions have them that list its queries: verdicts are laid over the truth
    /// of the view, another one is as loaded.
    fn scored(self, view: View) -> Option<&'a Scored> {
        if view.truth == self.model.view.truth {
            self.model.scored_at(view)
        } else {
            self.model.counted_at(view)
        }
    }

    fn cloud_chart(self) -> Option<Chart> {
        let (axes, names) = (self.axes()?, self.axis_names()?);
        let (study, view) = (&self.model.study, self.model.view);
        let common = if axes[0].model == axes[1].model {
            format!("{} {}", study.models[view.model].name, view.direction)
        } else {
            format!("{}, {}", view.direction, self.name_of_truth(view.truth))
        };
        let filter = self.model.has_filter().then(|| self.model.filter.text.clone());
        let context: Vec<String> =
            [Some(common), study.pool_words(), filter].into_iter().flatten().collect();
        let scatter = Scatter {
            points: &self.cloud()?,
            names: [&names[0], &names[1]],
            specs: axes.map(|view| usual(&study.truths[view.truth])),
            context: &context.join(", "),
        };
        Some(scatter.chart())
    }

    /// What models are shown by, across and up.
    pub(super) fn field_specs(self) -> [Spec; 2] {
        [Spec::new(&hit::R1), usual(&self.model.study.truths[self.model.view.truth])]
    }

    /// Models by R@1 under the original truth and by mAP@R, or what queries are shown by, under that of the view.
    pub fn field(self) -> Models<'a> {
        let study = &self.model.study;
        let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
        let in_view = self.model.view.truth;
        let specs = self.field_specs();
        let row = |at: usize, truth| Row { truth, is_mine: false, measure: Measure::Of(specs[at]) };
        let rows = [row(0, original.unwrap_or(in_view)), row(1, in_view)];
        let loaded = ModelIx::all(&self.model.numbers).filter_map(|model| {
            let [x, y] = rows.map(|row| self.model.average(row, model));
            Some((model, [x?, y?]))
        });
        let keys = rows.map(|row| self.model.published_key(row));
        let published = match keys {
            [Some(x), Some(y)] => published().both([&x, &y], &Direction::BOTH),
            _ => Vec::new(),
        };
        Models {
            study,
            loaded: loaded.collect(),
            published,
            specs,
            truths: rows.map(|row| study.truths[row.truth].name.clone()),
            directions: &Direction::BOTH,
        }
    }
}

impl Metrics {
    /// Has the chart in sight written to a file.
    pub(super) fn export_chart(&self, model: &mut Model, ui: &Ui) -> Reply {
        let cx = self.cx(model, ui);
        let (key, chart) = (cx.plot().chart().key, cx.chart());
        let Some(chart) = chart.ok().flatten() else {
            model.message = Some("the chart is not there yet".into());
            return Reply::Done;
        };
        Reply::open(ExportForm::of_chart(model, key, chart))
    }

    /// Shows the next of the charts that there are.
    pub(super) fn next_plot(&mut self, model: &Model, ui: &Ui) {
        let present = self.cx(model, ui).plot();
        let mut following = Plot::all().cycle().skip_while(|plot| *plot != present).skip(1);
        self.plot = following.next().unwrap_or_default();
        self.plot = self.cx(model, ui).plot();
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    cx.ui.hit(area, Target::List(CHART));
    let chart = cx.chart();
    let title = match &chart {
        Ok(Some(chart)) => &chart.title,
        _ => cx.plot().chart().title,
    };
    let inner = pane::frame(title, "", cx.state.pane == Pane::Chart, cx.theme, area, buf);
    let of = if cx.axes().is_some() { "of the filter's queries" } else { queries::UNFILTERED };
    queries::condition(cx, of, area, buf);
    let mut chart = match chart {
        Ok(Some(chart)) => chart,
        missing => {
            let waiting = Line::styled(cx.model.files.waiting(), cx.theme.dim);
            let error = missing.err().map(|error| Line::styled(one_line(error), cx.theme.error));
            return pane::wrapped([(error.unwrap_or(waiting), 0)], inner, buf);
        }
    };
    if let Some(present) = cx.present() {
        let ends = chart.up.ends.map(|end| [present, end]);
        chart.lines.insert(0, Curve::background(Shape::Line, "", ends.to_vec()));
    }
    ui::chart::draw(&chart, cx.theme, inner, buf);
}

/// What is told of a chart: best steps, or its note.
pub(super) fn told(cx: Cx<'_>) -> (String, Vec<Line<'static>>) {
    if cx.plot() == Plot::Steps {
        return ("best steps".into(), cx.course_lines());
    }
    let note = cx.chart().ok().flatten().map(|chart| Line::from(chart.note));
    ("chart".into(), note.into_iter().collect())
}
