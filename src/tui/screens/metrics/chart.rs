//! The chart on the metrics screen: one of those that the study has data for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{CHART, Cx, Metrics, Pane};
use crate::error::Error;
use crate::figure::chart::{Chart, Curve, Shape};
use crate::figure::charts::{CHARTS, over_alpha, steps};
use crate::jobs::ExportContent;
use crate::tui::context::Ui;
use crate::tui::popups::export::ExportPrompt;
use crate::tui::screen::{Reply, Screen};
use crate::tui::screens::queries;
use crate::tui::state::Model;
use crate::tui::state::export::one_line;
use crate::tui::ui::hits::Target;
use crate::tui::ui::{self, pane};

/// Index of a chart in [`CHARTS`], by its key; 0 if the key is unknown.
pub(super) fn chart_index(key: &str) -> usize {
    CHARTS.iter().position(|chart| chart.key == key).unwrap_or_default()
}

impl<'a> Cx<'a> {
    /// Key of the visible chart.
    pub fn chart_key(self) -> &'static str {
        CHARTS[self.model.possible_chart(self.state.plot)].key
    }

    /// The visible chart; `None` while it is computed.
    ///
    /// # Errors
    /// Why it cannot be computed.
    pub fn chart(self) -> Result<Option<&'a Chart>, &'a Error> {
        self.model.chart(self.model.possible_chart(self.state.plot)).transpose()
    }

    /// Position of the view on the x axis of the visible chart: number of its training step, or alpha of the mixture.
    /// `None` in charts over other quantities, or if the view has neither.
    fn view_x(self) -> Option<f64> {
        let study = &self.model.study;
        if self.chart_key() == over_alpha::CHART.key {
            return self.model.settings.mix.map(|mix| f64::from(mix.percent) / 100.0);
        }
        let step = study.step_index(self.model.view.model)?;
        (self.chart_key() == steps::CHART.key).then(|| study.steps[step].number as f64)
    }
}

impl Metrics {
    /// Opens the prompt that exports the visible chart.
    pub(super) fn open_export(&self, model: &mut Model, ui: &Ui) -> Reply {
        let cx = self.cx(model, ui);
        let (key, chart) = (cx.chart_key(), cx.chart().ok().flatten().cloned());
        let Some(chart) = chart else {
            model.message = Some("the chart is not there yet".into());
            return Reply::Done;
        };
        let title = chart.title.clone();
        Reply::open(ExportPrompt::new(model, ExportContent::Chart(Box::new(chart)), key, title))
    }
}

/// Draws the visible chart with a vertical line at the view, or why there is none yet.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    cx.ui.add_target(area, Target::List(CHART));
    let chart = cx.chart();
    let title = match chart {
        Ok(Some(chart)) => &chart.title,
        _ => CHARTS[chart_index(cx.chart_key())].title,
    };
    let inner = pane::draw_frame(title, "", cx.state.pane == Pane::Chart, cx.theme, area, buf);
    queries::draw_condition(cx, queries::UNFILTERED, area, buf);
    let mut chart = match chart {
        Ok(Some(chart)) => chart.clone(),
        missing => {
            let waiting = Line::styled(cx.model.files.placeholder(), cx.theme.dim);
            let error = missing.err().map(|error| Line::styled(one_line(error), cx.theme.error));
            return pane::draw_wrapped([(error.unwrap_or(waiting), 0)], inner, buf);
        }
    };
    if let Some(x) = cx.view_x() {
        let ends = chart.y.ends.map(|end| [x, end]);
        chart.lines.insert(0, Curve::background(Shape::Line, "", ends.to_vec()));
    }
    ui::chart::draw(&chart, cx.theme, inner, buf);
}

/// Title and lines of the details of the visible chart: its note.
pub(super) fn detail(cx: Cx<'_>) -> (String, Vec<Line<'static>>) {
    let note = cx.chart().ok().flatten().map(|chart| Line::from(chart.note.clone()));
    ("chart".into(), note.into_iter().collect())
}
