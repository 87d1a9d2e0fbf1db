//! The table of all ranked models, in which the model to compare with the current one is chosen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::lists::{letter, shift_label};
use super::{Compare, Cx, MODELS};
use crate::analysis::leaderboard::Leaderboard;
use crate::data::index::ModelIx;
use crate::tui::action::Action;
use crate::tui::signs;
use crate::tui::sort::SIGNS;
use crate::tui::state::Model;
use crate::tui::state::Refusal;
use crate::tui::state::compare::RankShift;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::{pane, text};

/// Columns of the letters that models share if they do not differ significantly.
const LETTER_COLUMNS: usize = 6;
/// Columns of the ranks among published models.
const PUBLISHED_COLUMNS: usize = 8;

impl Compare {
    /// The leaderboard in the order of the table, and the index of the metric that sorts it.
    fn leaderboard(&self, model: &Model) -> (Leaderboard, usize) {
        let by = usize::from(!self.by_r1);
        (model.leaderboard(by), by)
    }

    /// Selects the row `by` rows below the selected one.
    pub(super) fn step_models(&mut self, model: &Model, by: isize) {
        let row = self.selected_row(model, &self.leaderboard(model).0);
        self.select_model(model, row.unwrap_or(0).saturating_add_signed(by));
    }

    /// Selects the model in a row of the table, or in the last one if there are fewer.
    pub(super) fn select_model(&mut self, model: &Model, row: usize) {
        let entries = self.leaderboard(model).0.entries;
        self.entry = entries.get(row).or(entries.last()).map(|entry| entry.place);
    }

    /// Row of the selected model in `board`; until one is selected, the row of model B. `None` if `board` lacks it.
    fn selected_row(&self, model: &Model, board: &Leaderboard) -> Option<usize> {
        let [_, compared] = model.model_pair().map(|two| two.map(Some)).unwrap_or_default();
        let at = self.entry.or_else(|| model.usable_models().position(|ix| Some(ix) == compared));
        board.entries.iter().position(|entry| Some(entry.place) == at)
    }

    /// Compares the current model with the selected one; refused for a model of earlier results, which has no rankings.
    pub(super) fn compare_with_selected(&self, model: &mut Model) -> Result<(), Refusal> {
        let board = self.leaderboard(model).0;
        let entry = self.selected_row(model, &board).map(|row| &board.entries[row]);
        let index = entry.map_or(0, |entry| entry.place);
        let other = model
            .usable_models()
            .nth(index)
            .ok_or("results of an earlier run have no rankings to compare")?;
        model.set_rival(other);
        Ok(())
    }
}

/// Draws the table.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let (board, by) = cx.state.leaderboard(cx.model);
    let board = &board;
    let all: &Vec<ModelIx> = &cx.model.usable_models().collect();
    let compared = cx.model.compared_models();
    let focus = cx.focuses_models();
    let title = format!("{} models by {}", board.entries.len(), board.metrics[by].title);
    let note = format!("{}: compare with A", cx.ui.keymap.hint(Action::Detail));
    let inner = pane::draw_frame(title, &note, focus, cx.theme, area, buf);
    let name = move |at: usize, room: usize| {
        let entry = &board.entries[at];
        let model = all.get(entry.place);
        let index = compared.iter().take(2).position(|ix| Some(ix) == model);
        let letter = index.map_or(' ', letter);
        let room = room.saturating_sub(2);
        let name = match model {
            Some(&model) => Span::raw(signs::model_name(&cx.model.study, model, room)),
            None => Span::styled(text::fit(&entry.name, room), cx.theme.dim),
        };
        Line::from_iter([Span::styled(format!("{letter} "), cx.theme.key), name])
    };
    let rank = move |at: usize, metric: usize| board.entries[at].ranks[metric];
    let rank_column = move |metric: usize| {
        let cell = move |at: usize, _| rank(at, metric).map_or("·".into(), |r| r.to_string());
        Column::new("#", 2, cell).right()
    };
    let letter_column = move |metric: usize| {
        let cell = move |at: usize, room: usize| {
            let letters = board.entries[at].letters.get(metric).cloned().flatten();
            Span::styled(text::fit(&letters.unwrap_or_default(), room), cx.theme.dim)
        };
        Column::new("", LETTER_COLUMNS, cell).keep(1)
    };
    let change = move |at: usize, _| {
        let [r1, map_at_r] = [0, 1].map(|metric| rank(at, metric));
        let change = map_at_r.map(|rank| shift_label(RankShift::between(r1, rank)));
        Span::styled(change.unwrap_or_default(), cx.theme.dim)
    };
    let published = move |at: usize, _| {
        let rank = |metric: usize| {
            let value = board.entries[at].values[metric]?;
            Some(board.metrics[metric].published_rank(&board.directions, value)?.rank.to_string())
        };
        let ranks: Option<Vec<String>> = [0, 1].map(rank).into_iter().collect();
        ranks.map_or(String::new(), |ranks| ranks.join(", "))
    };
    let value_column = move |metric: usize| {
        let sign = if metric == by { SIGNS[1] } else { "" };
        let cell = move |at: usize, _| signs::share(board.entries[at].values[metric], 2);
        let title = format!("{}{sign}", board.metrics[metric].title);
        Column::new(title, 6, cell).right()
    };
    let mut list = ListView {
        id: MODELS,
        columns: vec![
            Column::rest("model", name),
            rank_column(0),
            value_column(0),
            letter_column(0),
            rank_column(1),
            value_column(1),
            letter_column(1),
            Column::new("", 3, change),
        ],
        len: board.entries.len(),
        selected: cx.state.selected_row(cx.model, board),
        focus,
        ..ListView::default()
    };
    if board.metrics.iter().any(|metric| metric.is_published) {
        list.columns.push(Column::new("among 25", PUBLISHED_COLUMNS, published).right().keep(0));
    }
    list.draw(&cx.state.models, cx.ui, inner, buf);
}
