//! The pane with the metrics of every compared model on the selected query, its note and its text.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use super::lists::{CHANGE_COLUMNS, model_label, shift_label};
use crate::data::Direction;
use crate::tui::screens::{queries, ranking};
use crate::tui::state::compare::RankShift;
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::{pane, text};

/// Draws the table of models, and below it the note on the query and its text.
pub(super) fn draw_table(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let title = format!("this query, ground truth {}", cx.model.truth_label(cx.model.view.truth));
    let inner = pane::draw_frame(title, "", false, cx.theme, area, buf);
    let Some(query) = cx.model.selection.query() else {
        return;
    };
    let models = cx.model.compared_models().len();
    let height = Constraint::Length(1 + models as u16);
    let [table, below] = inner.layout(&Layout::vertical([height, Constraint::Fill(1)]));
    let names = (0..models).map(|column| text::width(&model_label(cx, column, usize::MAX)));
    let list = ListView {
        id: "models",
        columns: metric_columns(cx, query),
        len: models,
        focus: false,
        min_rest: names.max().unwrap_or(0) + 1,
        ..ListView::default()
    };
    list.draw(&ScrollState::default(), cx.ui, table, buf);
    let lines =
        ranking::note_lines(cx, usize::from(below.width).saturating_sub(3), query_texts(cx, query));
    pane::draw_lines(&pane::clip(lines, below.height.into()), 0, below, buf);
}

/// Columns with the metrics of each model on the query, and the rank change of the first positive against model A.
fn metric_columns(cx: Cx<'_>, query: usize) -> Vec<Column<'_>> {
    let ranks = move |at: usize| cx.model.ranks_by(cx.model.compared_models()[at], query);
    let name = move |at: usize, room: usize| {
        let style: Style = if at == 0 { cx.theme.title.into() } else { Style::default() };
        let name = Span::styled(format!(" {}", model_label(cx, at, room.saturating_sub(1))), style);
        let waiting = if ranks(at).is_some() { "" } else { cx.model.files.placeholder() };
        Line::from(vec![name, Span::styled(format!("  {waiting}"), cx.theme.dim)])
    };
    let change = move |at: usize, _| {
        let [rank_a, rank] = [ranks(0), ranks(at)].map(|ranks| Some(ranks?.first()? as usize));
        let rank = rank.filter(|_| at > 0 && rank_a.is_some());
        let words = rank.map(|rank| shift_label(RankShift::between(rank_a, rank)));
        Span::styled(words.unwrap_or_default(), cx.theme.dim)
    };
    let [first, top_1, ap_at_r, r_precision] = ranking::metric_columns(cx, ranks);
    vec![
        Column::rest(" model", name),
        first,
        Column::new("vs A", CHANGE_COLUMNS, change).right().keep(2),
        top_1,
        ap_at_r,
        r_precision.keep(1),
    ]
}

/// Text of the query. If the compared models have several sets of texts: its text in each set, after the set's name.
fn query_texts(cx: Cx<'_>, query: usize) -> Vec<String> {
    let study = &cx.model.study;
    let mut texts = Vec::new();
    if cx.model.view.direction == Direction::T2i {
        for model in cx.model.compared_models() {
            let name = study.texts_name_of(model);
            let text = name.map(|name| format!("{name}: “{}”", study.caption_of(model, query)));
            texts.extend(text.filter(|text| !texts.contains(text)));
        }
    }
    if texts.len() > 1 { texts } else { vec![queries::full_label(cx.model, query)] }
}
