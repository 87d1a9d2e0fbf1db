//! The metrics of what is looked at, with definitions and ceilings.

use super::{Sheet, Tone};
use crate::data::text::grouped;
use crate::metric::{METRICS, NO_DEPTH, Spec};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::widgets::text;

/// The depth shown for metrics that take one.
const DEPTH: u32 = 10;

pub(super) fn sheet(app: &App) -> Sheet {
    let truth = &app.truth().name;
    let model = &app.study.models[app.look.model].name;
    let title = format!("metrics of {model}, {}, truth {truth}", app.look.direction);
    let mut sheet = Sheet::new(Action::Define, title, app.size);
    let Some(scored) = app.scored() else {
        sheet.paragraph(Tone::Dim, 0, "not counted yet");
        return sheet;
    };
    let ideal = scored.ranks.ideal();
    for &metric in METRICS
        .iter()
        .filter(|metric| metric.key() != "pmrp" || truth == "pm")
    {
        let k = if metric.key().ends_with("_at_k") {
            DEPTH
        } else {
            NO_DEPTH
        };
        let spec = Spec { metric, k };
        let (summary, ceiling) = (spec.summary(&scored.ranks), spec.summary(&ideal).value);
        let unit = metric.unit();
        sheet.gap();
        sheet.line(vec![
            (
                Tone::Title,
                text::pad(&metric.title().replace('K', &DEPTH.to_string()), 11),
            ),
            (Tone::Key, text::pad_left(&unit.shown(summary.value), 7)),
            (Tone::Dim, format!("   at best {}", unit.shown(ceiling))),
            (Tone::Dim, format!("   {} judged", grouped(summary.judged))),
            (Tone::Dim, format!("   {spec}")),
        ]);
        if let Some(shortage) = summary.shortage {
            sheet.paragraph(Tone::Warning, 2, &format!("undefined: {shortage}"));
        }
        sheet.paragraph(Tone::Base, 2, metric.doc());
    }
    sheet
}
