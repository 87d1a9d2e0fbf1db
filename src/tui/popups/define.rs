//! The metrics of a view, with definitions and upper bounds.

use ratatui::text::{Line, Span};

use super::sheet::{Page, Sheet};
use crate::data::text::grouped;
use crate::jobs::Measured;
use crate::metric::{Spec, is_defined_under};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::model::metrics_table::{Column, Measure, Row};
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// The metrics of a view, or one of them alone.
pub(in crate::tui) fn sheet(view: View, only: Option<Row>) -> Sheet {
    Sheet::new(Action::Define, move |cx, page| write(cx, view, only, page))
}

fn write(cx: Context<'_>, view: View, only: Option<Row>, page: &mut Page<'_>) {
    let (model, truth) = (cx.model, &cx.model.study.truths[view.truth]);
    let is_mine = only.map_or(model.judged_at(view).is_some(), |row| row.is_mine);
    let (own, scored) = if is_mine {
        (model.study.name_with_verdicts(&truth.name), model.scored_at(view))
    } else {
        (truth.name.clone(), model.counted_at(view))
    };
    let name = &model.study.models[view.model].name;
    page.title = format!("metrics of {name}, {}, ground truth {own}", view.direction);
    let Some(measured) = scored.and_then(|scored| scored.measured()) else {
        return page.paragraph(cx.theme.dim, 0, model.files.waiting());
    };
    if let Some(told) = model.untaken_filter() {
        page.paragraph(cx.theme.warning, 0, &format!("Of all queries judged: {told}."));
    }
    let is_shown = |spec: Spec| {
        only.is_none_or(|row| row.measure == Measure::Of(spec))
            && spec.metric.only_under().is_none_or(|only| only == truth.name)
            && is_defined_under(spec.metric, truth)
    };
    let number = |title: &str, value: &str| {
        Line::from_iter([
            Span::styled(text::pad(title, 11), cx.theme.title),
            Span::styled(text::pad_left(value, 7), cx.theme.key),
        ])
    };
    for &Measured { spec, summary, ceiling } in measured.iter().filter(|one| is_shown(one.spec)) {
        let unit = spec.metric.unit();
        let (bound, judged) = (unit.shown(ceiling), grouped(summary.judged));
        let mut line = number(&spec.title(), &unit.shown(summary.value));
        let more = format!("   upper bound {bound}   {judged} judged   {spec}");
        line.push_span(Span::styled(more, cx.theme.dim));
        page.gap();
        page.line(line);
        if let Some(shortage) = summary.shortage {
            page.paragraph(cx.theme.warning, 2, &format!("undefined: {shortage}"));
        }
        page.paragraph(cx.theme.base, 2, spec.metric.doc());
    }
    if let Some(row) = only.filter(|row| matches!(row.measure, Measure::Sum(_))) {
        let column = Column { model: view.model, direction: view.direction };
        let value = row.measure.unit().shown(model.cell(row, column).value());
        page.gap();
        page.line(number(row.measure.title(), &value));
        page.paragraph(cx.theme.base, 2, row.measure.doc());
    }
}
