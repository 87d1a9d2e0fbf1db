//! The table of all models, of which one is compared with the model looked at.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::lists::{letter, moved_words};
use super::{Compare, Cx, MODELS};
use crate::analysis::leaderboard::Leaderboard;
use crate::data::index::ModelIx;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::sort::SIGNS;
use crate::tui::state::Model;
use crate::tui::state::compare::Moved;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::{pane, text};

/// Columns of letters.
const LETTERS: usize = 6;

impl Compare {
    /// All models that can be compared, in the order of the table, and the metric that it is sorted by.
    fn board(&self, model: &Model) -> (Leaderboard, usize) {
        let by = usize::from(!self.by_r1);
        (model.leaderboard(by), by)
    }

    fn rows(&self, model: &Model) -> Vec<ModelIx> {
        let all: Vec<ModelIx> = model.comparable().collect();
        self.board(model).0.entries.iter().map(|of| all[of.place]).collect()
    }

    /// Moves the selection of the table.
    pub(super) fn step_models(&mut self, model: &Model, by: isize) {
        let rows = self.rows(model);
        let here = rows.iter().position(|row| Some(*row) == self.chosen_model(model));
        let there = here.unwrap_or(0).saturating_add_signed(by).min(rows.len().saturating_sub(1));
        self.model = rows.get(there).copied();
    }

    /// Selects an entry of the table.
    pub(super) fn select_model(&mut self, model: &Model, place: usize) {
        self.model = self.rows(model).get(place).copied();
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
    let (board, by) = cx.state.board(cx.model);
    let (board, rows) = (&board, &cx.state.rows(cx.model));
    let compared = cx.model.compared();
    let focus = cx.is_on_models();
    let title = format!("{} models by {}", rows.len(), board.metrics[by].title);
    let note = format!("{}: compare with A", cx.ui.keymap.hint(Action::Detail));
    let inner = pane::frame(title, &note, focus, cx.theme, area, buf);
    let name = move |at: usize, room: usize| {
        let place = compared.iter().take(2).position(|of| *of == rows[at]);
        let place = place.map_or(' ', letter);
        let name = signs::model(&cx.model.study, rows[at], room.saturating_sub(2));
        Line::from_iter([Span::styled(format!("{place} "), cx.theme.key), Span::raw(name)])
    };
    let rank = move |at: usize, metric: usize| board.entries[at].ranks[metric];
    let place = move |metric: usize| {
        let cell = move |at: usize, _| rank(at, metric).map_or("·".into(), |of| of.to_string());
        Column::new("#", 2, cell).right()
    };
    let letters = move |metric: usize| {
        let cell = move |at: usize, room: usize| {
            let letters = board.entries[at].letters.get(metric).cloned().flatten();
            Span::styled(text::fit(&letters.unwrap_or_default(), room), cx.theme.dim)
        };
        Column::new("", LETTERS, cell).keep(1)
    };
    let change = move |at: usize, _| {
        let [own, other] = [by, 1 - by].map(|metric| rank(at, metric));
        let moved = other.map(|other| moved_words(Moved::between(own, other)));
        Span::styled(moved.unwrap_or_default(), cx.theme.dim)
    };
    let value = move |metric: usize| {
        let sign = if metric == by { SIGNS[1] } else { "" };
        let cell = move |at: usize, _| signs::share(board.entries[at].values[metric], 2);
        let title = format!("{}{sign}", board.metrics[metric].title);
        Column::new(title, 6, cell).right()
    };
    let list = ListView {
        id: MODELS,
        columns: vec![
            Column::rest("model", name),
            place(0),
            value(0),
            letters(0),
            place(1),
            value(1),
            letters(1),
            Column::new("", 3, change),
        ],
        len: rows.len(),
        selected: rows.iter().position(|row| Some(*row) == cx.state.chosen_model(cx.model)),
        focus,
        ..ListView::default()
    };
    list.draw(&cx.state.models, cx.ui, inner, buf);
}
