//! The table of all ranked models; one of them is compared with the current model.

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
use crate::tui::state::Refusal;
use crate::tui::state::compare::Moved;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::{pane, text};

/// Columns of letters.
const LETTERS: usize = 6;
/// Columns of the ranks among published models.
const PUBLISHED: usize = 8;

impl Compare {
    /// The leaderboard in the order of the table, and the index of the metric that sorts it.
    fn board(&self, model: &Model) -> (Leaderboard, usize) {
        let by = usize::from(!self.by_r1);
        (model.leaderboard(by), by)
    }

    pub(super) fn step_models(&mut self, model: &Model, by: isize) {
        let here = self.selected_row(model, &self.board(model).0);
        self.select_model(model, here.unwrap_or(0).saturating_add_signed(by));
    }

    /// Selects a row of the table, or the last one.
    pub(super) fn select_model(&mut self, model: &Model, row: usize) {
        let entries = self.board(model).0.entries;
        self.entry = entries.get(row).or(entries.last()).map(|of| of.place);
    }

    /// The row of the selected entry; the compared model until one is selected.
    fn selected_row(&self, model: &Model, board: &Leaderboard) -> Option<usize> {
        let [_, compared] = model.two().map(|two| two.map(Some)).unwrap_or_default();
        let place = self.entry.or_else(|| model.comparable().position(|of| Some(of) == compared));
        board.entries.iter().position(|of| Some(of.place) == place)
    }

    pub(super) fn compare_with_selected(&self, model: &mut Model) -> Result<(), Refusal> {
        let board = self.board(model).0;
        let entry = self.selected_row(model, &board).map(|row| &board.entries[row]);
        let place = entry.map_or(0, |of| of.place);
        let other = model
            .comparable()
            .nth(place)
            .ok_or("results of an earlier run have no rankings to compare")?;
        model.compare_with(other);
        Ok(())
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let (board, by) = cx.state.board(cx.model);
    let board = &board;
    let all: &Vec<ModelIx> = &cx.model.comparable().collect();
    let compared = cx.model.compared();
    let focus = cx.is_on_models();
    let title = format!("{} models by {}", board.entries.len(), board.metrics[by].title);
    let note = format!("{}: compare with A", cx.ui.keymap.hint(Action::Detail));
    let inner = pane::frame(title, &note, focus, cx.theme, area, buf);
    let name = move |at: usize, room: usize| {
        let entry = &board.entries[at];
        let own = all.get(entry.place);
        let place = compared.iter().take(2).position(|of| Some(of) == own);
        let place = place.map_or(' ', letter);
        let room = room.saturating_sub(2);
        let name = match own {
            Some(&own) => Span::raw(signs::model(&cx.model.study, own, room)),
            None => Span::styled(text::fit(&entry.name, room), cx.theme.dim),
        };
        Line::from_iter([Span::styled(format!("{place} "), cx.theme.key), name])
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
        let [r1, map_at_r] = [0, 1].map(|metric| rank(at, metric));
        let moved = map_at_r.map(|here| moved_words(Moved::between(r1, here)));
        Span::styled(moved.unwrap_or_default(), cx.theme.dim)
    };
    let published = move |at: usize, _| {
        let rank = |metric: usize| {
            let value = board.entries[at].values[metric]?;
            Some(board.metrics[metric].published(&board.directions, value)?.rank.to_string())
        };
        let ranks: Option<Vec<String>> = [0, 1].map(rank).into_iter().collect();
        ranks.map_or(String::new(), |ranks| ranks.join(", "))
    };
    let value = move |metric: usize| {
        let sign = if metric == by { SIGNS[1] } else { "" };
        let cell = move |at: usize, _| signs::share(board.entries[at].values[metric], 2);
        let title = format!("{}{sign}", board.metrics[metric].title);
        Column::new(title, 6, cell).right()
    };
    let mut list = ListView {
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
        len: board.entries.len(),
        selected: cx.state.selected_row(cx.model, board),
        focus,
        ..ListView::default()
    };
    if board.metrics.iter().any(|metric| metric.is_published) {
        list.columns.push(Column::new("among 25", PUBLISHED, published).right().keep(0));
    }
    list.draw(&cx.state.models, cx.ui, inner, buf);
}
