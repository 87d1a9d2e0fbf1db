//! The metrics of what is looked at, with definitions and ceilings.

use super::{Sheet, Tone};
use crate::data::text::grouped;
use crate::engine::{DEPTH, Measured};
use crate::metric::Spec;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::screens::metrics::{Column, Measure, Row};
use crate::tui::widgets::text;

pub(super) fn sheet(app: &App) -> Sheet {
    let (view, only) = app.defined();
    let truth = &app.study.truths[view.truth].name;
    let model = &app.study.models[view.model].name;
    let title = format!("metrics of {model}, {}, truth {truth}", view.direction);
    let mut sheet = Sheet::new(Action::Define, title, app.size, |app| {
        Some(super::define(app))
    });
    let Some(measured) = app.scored_at(view).and_then(|scored| scored.measured()) else {
        sheet.paragraph(Tone::Dim, 0, "counting …");
        return sheet;
    };
    let is_asked = |spec| only.is_none_or(|row| row.measure == Measure::Of(spec));
    let is_of_truth = |spec: Spec| spec.metric.only_under().is_none_or(|name| name == truth);
    let shown = |one: &&Measured| is_asked(one.spec) && is_of_truth(one.spec);
    for &Measured {
        spec,
        summary,
        ceiling,
    } in measured.iter().filter(shown)
    {
        let metric = spec.metric;
        let unit = metric.unit();
        sheet.gap();
        sheet.line(vec![
            (
                Tone::Title,
                text::pad(&metric.title().replace('K', &DEPTH.to_string()), 11),
            ),
            (Tone::Key, text::pad_left(&unit.shown(summary.value), 7)),
            (Tone::Dim, format!("   upper bound {}", unit.shown(ceiling))),
            (Tone::Dim, format!("   {} judged", grouped(summary.judged))),
            (Tone::Dim, format!("   {spec}")),
        ]);
        if let Some(shortage) = summary.shortage {
            sheet.paragraph(Tone::Warning, 2, &format!("undefined: {shortage}"));
        }
        sheet.paragraph(Tone::Base, 2, metric.doc());
    }
    if let Some(row) = only.filter(|row| row.measure == Measure::Sum) {
        sum(app, row, view, &mut sheet);
    }
    sheet
}

/// The sum of recalls, of both directions.
fn sum(app: &App, row: Row, view: View, sheet: &mut Sheet) {
    let (model, direction) = (view.model, view.direction);
    let cell = app.cell(row, Column { model, direction });
    let value = row.measure.unit().shown(cell.value());
    sheet.gap();
    sheet.line(vec![
        (Tone::Title, text::pad(row.measure.title(), 11)),
        (Tone::Key, text::pad_left(&value, 7)),
    ]);
    sheet.paragraph(Tone::Base, 2, row.measure.doc());
}
