//! The table of all models, of which one is compared with the model looked at.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::lists::{letter, moved_words};
use super::{Compare, Cx, MODELS};
use crate::data::index::ModelIx;
use crate::metric::Unit;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::compare::Moved;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::pane;

/// A model with its numbers under the ground truth and in the direction looked at.
#[derive(Debug, Clone, Copy)]
struct Row {
    model: ModelIx,
    map_at_r: Option<f64>,
    r1: Option<f64>,
    /// Its rank by R@1, from 1; `None` without a value.
    rank_by_r1: Option<usize>,
}

/// All models that can be compared, best mAP@R first.
fn rows(model: &Model) -> Vec<Row> {
    let row = |of: ModelIx| {
        let scored = model.scored_at(View { model: of, ..model.view });
        let [map_at_r, r1] =
            [scored.and_then(|of| of.map_at_r.value), scored.and_then(|of| of.r1.value)];
        Row { model: of, map_at_r, r1, rank_by_r1: None }
    };
    let mut rows: Vec<Row> = model.comparable().map(row).collect();
    let values: Vec<f64> = rows.iter().filter_map(|row| row.r1).collect();
    for row in &mut rows {
        row.rank_by_r1 = row.r1.map(|r1| 1 + values.iter().filter(|&&of| of > r1).count());
    }
    let key = |row: &Row| row.map_at_r.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|one, other| key(other).total_cmp(&key(one)));
    rows
}

impl Compare {
    /// Moves the selection of the table.
    pub(super) fn step_models(&mut self, model: &Model, by: isize) {
        let rows = rows(model);
        let here = rows.iter().position(|row| Some(row.model) == self.chosen_model(model));
        let there = here.unwrap_or(0).saturating_add_signed(by).min(rows.len().saturating_sub(1));
        self.model = rows.get(there).map(|row| row.model);
    }

    /// Selects an entry of the table.
    pub(super) fn select_model(&mut self, model: &Model, place: usize) {
        self.model = rows(model).get(place).map(|row| row.model);
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
    let rows = rows(cx.model);
    let rows = rows.as_slice();
    let compared = cx.model.compared();
    let focus = cx.is_on_models();
    let title = format!("{} models by mAP@R", rows.len());
    let note = format!("{}: compare with A", cx.ui.keymap.hint(Action::Detail));
    let inner = pane::frame(title, &note, focus, cx.theme, area, buf);
    let name = move |at: usize, room: usize| {
        let place = compared.iter().take(2).position(|of| *of == rows[at].model);
        let place = place.map_or(' ', letter);
        let name = signs::model(&cx.model.study, rows[at].model, room.saturating_sub(2));
        Line::from_iter([Span::styled(format!("{place} "), cx.theme.key), Span::raw(name)])
    };
    let share = |value: Option<f64>| Unit::Share.shown(value);
    let change = move |at: usize, _| {
        let rank = rows[at].rank_by_r1;
        let words =
            rank.map_or(String::new(), |rank| moved_words(Moved::between(Some(at + 1), rank)));
        Span::styled(words, cx.theme.dim)
    };
    let rank = move |at: usize, _| rows[at].rank_by_r1.map_or("-".into(), |rank| rank.to_string());
    let list = ListView {
        id: MODELS,
        columns: vec![
            Column::new("#", 2, |at: usize, _| (at + 1).to_string()).right(),
            Column::rest("model", name),
            Column::new("mAP@R", 6, move |at: usize, _| share(rows[at].map_at_r)).right(),
            Column::new("R@1", 6, move |at: usize, _| share(rows[at].r1)).right(),
            Column::new("# by R@1", 8, rank).right(),
            Column::new("", 4, change),
        ],
        len: rows.len(),
        selected: rows.iter().position(|row| Some(row.model) == cx.state.chosen_model(cx.model)),
        focus,
        ..ListView::default()
    };
    list.draw(&cx.state.models, cx.ui, inner, buf);
}
