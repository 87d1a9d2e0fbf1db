//! The table of all models, of which one is compared with the model looked at.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::lists::{letter, moved_words};
use super::{Compare, Cx, MODELS};
use crate::data::index::ModelIx;
use crate::jobs::Scored;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::sort::SIGNS;
use crate::tui::state::Model;
use crate::tui::state::compare::Moved;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::pane;

/// The column of R@1.
pub(super) const R1: usize = 3;

/// The metrics that the table can be sorted by.
const METRICS: [&str; 2] = ["mAP@R", "R@1"];

/// mAP@R and R@1 of one model under the current ground truth and direction.
#[derive(Debug, Clone, Copy)]
struct Row {
    model: ModelIx,
    values: [Option<f64>; 2],
    /// Its rank by each, from 1; `None` without a value.
    ranks: [Option<usize>; 2],
}

/// All models that can be compared, best first by one of [`METRICS`].
fn rows(model: &Model, by: usize) -> Vec<Row> {
    let values = model.comparable().map(|of| {
        let scored = model.scored_at(View { model: of, ..model.view });
        let value = |of: fn(&Scored) -> Option<f64>| scored.and_then(of);
        (of, [value(|of| of.map_at_r.value), value(|of| of.r1.value)])
    });
    let values: Vec<(ModelIx, [Option<f64>; 2])> = values.collect();
    let rank = |metric: usize, own: f64| {
        let higher = values.iter().filter(|(_, of)| of[metric].is_some_and(|value| value > own));
        1 + higher.count()
    };
    let row = |&(model, values): &(ModelIx, [Option<f64>; 2])| {
        let ranks = [0, 1].map(|metric| values[metric].map(|own| rank(metric, own)));
        Row { model, values, ranks }
    };
    let mut rows: Vec<Row> = values.iter().map(row).collect();
    rows.sort_by_key(|row| row.ranks[by].unwrap_or(usize::MAX));
    rows
}

impl Compare {
    /// The place of the metric that the table is sorted by.
    fn by(&self) -> usize {
        usize::from(self.by_r1)
    }

    /// Moves the selection of the table.
    pub(super) fn step_models(&mut self, model: &Model, by: isize) {
        let rows = rows(model, self.by());
        let here = rows.iter().position(|row| Some(row.model) == self.chosen_model(model));
        let there = here.unwrap_or(0).saturating_add_signed(by).min(rows.len().saturating_sub(1));
        self.model = rows.get(there).map(|row| row.model);
    }

    /// Selects an entry of the table.
    pub(super) fn select_model(&mut self, model: &Model, place: usize) {
        self.model = rows(model, self.by()).get(place).map(|row| row.model);
    }

    /// The selected model of the table: at first the one that is compared.
    pub(super) fn chosen_model(&self, model: &Model) -> Option<ModelIx> {
        self.model.or(model.two().map(|[_, second]| second))
    }
}

/// Draws the table.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let by = cx.state.by();
    let rows = rows(cx.model, by);
    let rows = rows.as_slice();
    let compared = cx.model.compared();
    let focus = cx.is_on_models();
    let title = format!("{} models by {}", rows.len(), METRICS[by]);
    let note = format!("{}: compare with A", cx.ui.keymap.hint(Action::Detail));
    let inner = pane::frame(title, &note, focus, cx.theme, area, buf);
    let name = move |at: usize, room: usize| {
        let place = compared.iter().take(2).position(|of| *of == rows[at].model);
        let place = place.map_or(' ', letter);
        let name = signs::model(&cx.model.study, rows[at].model, room.saturating_sub(2));
        Line::from_iter([Span::styled(format!("{place} "), cx.theme.key), Span::raw(name)])
    };
    let place = |rank: Option<usize>| rank.map_or("·".into(), |rank: usize| rank.to_string());
    let change = move |at: usize, _| {
        let [own, other] = [by, 1 - by].map(|metric| rows[at].ranks[metric]);
        let moved = other.map(|other| moved_words(Moved::between(own, other)));
        Span::styled(moved.unwrap_or_default(), cx.theme.dim)
    };
    let value = |metric: usize| {
        let sign = if metric == by { SIGNS[1] } else { "" };
        let cell = move |at: usize, _| signs::share(rows[at].values[metric], 2);
        Column::new(format!("{}{sign}", METRICS[metric]), 6, cell).right().sortable()
    };
    let beside = format!("# by {}", METRICS[1 - by]);
    let list = ListView {
        id: MODELS,
        columns: vec![
            Column::new("#", 2, move |at: usize, _| place(rows[at].ranks[by])).right(),
            Column::rest("model", name),
            value(0),
            value(1),
            Column::new(beside, 10, move |at: usize, _| place(rows[at].ranks[1 - by])).right(),
            Column::new("", 4, change),
        ],
        len: rows.len(),
        selected: rows.iter().position(|row| Some(row.model) == cx.state.chosen_model(cx.model)),
        focus,
        ..ListView::default()
    };
    list.draw(&cx.state.models, cx.ui, inner, buf);
}
