//! The metrics of what is looked at, with definitions and upper bounds.

use super::sheet::{Sheet, Tone};
use crate::data::text::grouped;
use crate::jobs::Measured;
use crate::metric::{Spec, is_defined_under};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::metrics_table::{Column, Measure, Row};
use crate::tui::ui::Ui;
use crate::tui::widgets::text;

/// The metrics of a view, or one of them alone.
pub(in crate::tui) fn sheet(model: &Model, ui: &Ui, view: View, only: Option<Row>) -> Sheet {
    let truth = &model.study.truths[view.truth].name;
    let name = &model.study.models[view.model].name;
    let is_mine = only.map_or(model.judged_at(view).is_some(), |row| row.is_mine);
    let (own, scored) = if is_mine {
        (model.study.name_with_verdicts(truth), model.scored_at(view))
    } else {
        (truth.clone(), model.counted_at(view))
    };
    let title = format!("metrics of {name}, {}, ground truth {own}", view.direction);
    let mut sheet = Sheet::new(Action::Define, title, ui.size);
    let Some(measured) = scored.and_then(|scored| scored.measured()) else {
        sheet.paragraph(Tone::Dim, 0, model.files.waiting());
        return sheet;
    };
    if let Some(told) = model.untaken_filter() {
        sheet.paragraph(Tone::Warning, 0, &format!("Of all queries judged: {told}."));
    }
    let is_asked = |spec| only.is_none_or(|row| row.measure == Measure::Of(spec));
    let is_of_truth = |spec: Spec| {
        let only = spec.metric.only_under();
        only.is_none_or(|only| only == truth)
            && is_defined_under(spec.metric, &model.study.truths[view.truth])
    };
    let shown = |one: &&Measured| is_asked(one.spec) && is_of_truth(one.spec);
    for &Measured { spec, summary, ceiling } in measured.iter().filter(shown) {
        let metric = spec.metric;
        let unit = metric.unit();
        sheet.gap();
        sheet.line(vec![
            (Tone::Title, text::pad(&spec.title(), 11)),
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
    if let Some(row) = only.filter(|row| matches!(row.measure, Measure::Sum(_))) {
        sum(model, row, view, &mut sheet);
    }
    sheet
}

/// The sum of recalls, of both directions.
fn sum(model: &Model, row: Row, view: View, sheet: &mut Sheet) {
    let column = Column { model: view.model, direction: view.direction };
    let cell = model.cell(row, column);
    let value = row.measure.unit().shown(cell.value());
    sheet.gap();
    sheet.line(vec![
        (Tone::Title, text::pad(row.measure.title(), 11)),
        (Tone::Key, text::pad_left(&value, 7)),
    ]);
    sheet.paragraph(Tone::Base, 2, row.measure.doc());
}
