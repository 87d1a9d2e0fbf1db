//! The selected query by every model: numbers, and what there is to say of them.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use super::lists::{CHANGE, moved_words, named};
use crate::analysis::overlap::Shared;
use crate::analysis::similarity::HEAD;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::metric::{Metric, Spec, map_at_r::MapAtR, rprecision::RPrecision};
use crate::tui::screens::{queries, ranking};
use crate::tui::state::compare::{FIRST, Moved};
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, text, trend};

/// Draws the table of models, and below it the note and the words of the query.
pub(super) fn draw_table(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let title = format!("this query, ground truth {}", cx.model.name_in_force(cx.model.view.truth));
    let inner = pane::frame(&title, "", false, cx.theme, area, buf);
    let Some(query) = cx.model.selection.query() else {
        return;
    };
    let models = cx.model.compared().len();
    let rows = Constraint::Length(1 + models as u16);
    let [table, below] = inner.layout(&Layout::vertical([rows, Constraint::Fill(1)]));
    let names = (0..models).map(|column| text::width(&named(cx, column, usize::MAX)));
    let list = ListView {
        id: "models",
        columns: columns(cx, query),
        len: models,
        focus: false,
        least: names.max().unwrap_or(0) + 1,
        ..ListView::default()
    };
    list.draw(&Scrolled::default(), cx.ui, table, buf);
    let lines =
        ranking::told(cx, usize::from(below.width).saturating_sub(3), query_texts(cx, query));
    pane::lines(&pane::fitting(lines, below.height.into()), 0, below, buf);
}

/// The numbers of each model, and those of the first one, A, less these.
fn columns(cx: Cx<'_>, query: usize) -> Vec<Column<'_>> {
    let ranks = move |at: usize| cx.model.ranks_by(cx.model.compared()[at], query);
    let name = move |at: usize, room: usize| {
        let style: Style = if at == 0 { cx.theme.title.into() } else { Style::default() };
        let name = Span::styled(format!(" {}", named(cx, at, room.saturating_sub(1))), style);
        let waiting = if ranks(at).is_some() { "" } else { cx.model.files.waiting() };
        Line::from(vec![name, Span::styled(format!("  {waiting}"), cx.theme.dim)])
    };
    let moved = move |at: usize, _| {
        let [first, here] = [ranks(0), ranks(at)].map(|ranks| Some(ranks?.first()? as usize));
        let moved = here.filter(|_| at > 0 && first.is_some());
        let words = moved.map(|here| moved_words(Moved::between(first, here)));
        Span::styled(words.unwrap_or_default(), cx.theme.dim)
    };
    let delta = |metric: &'static dyn Metric| {
        let value = move |at: usize| Spec::new(metric).per_query(ranks(at)?);
        let delta = move |at: usize, _| {
            let both = value(0).zip(value(at)).filter(|_| at > 0);
            let delta = |(first, here)| trend::delta(Some(first - here), 2, cx.theme);
            both.map(delta).map_or(Span::default(), |(words, style)| Span::styled(words, style))
        };
        Column::new("A - row", 7, delta).right()
    };
    let [first, top_1, ap, r_precision] = ranking::numbers(cx, ranks);
    vec![
        Column::rest(" model", name),
        first,
        Column::new("vs A", CHANGE, moved).right().keep(2),
        top_1,
        ap,
        delta(&MapAtR),
        r_precision.keep(1),
        delta(&RPrecision).keep(0),
    ]
}

/// The words of the query; where models were given several texts, each of these once with its name.
fn query_texts(cx: Cx<'_>, query: usize) -> Vec<String> {
    let study = &cx.model.study;
    let mut texts = Vec::new();
    if cx.model.view.direction == Direction::T2i {
        for model in cx.model.compared() {
            let name = study.texts_name_of(model);
            let text = name.map(|name| format!("{name}: “{}”", study.caption_of(model, query)));
            texts.extend(text.filter(|text| !texts.contains(text)));
        }
    }
    if texts.len() > 1 { texts } else { vec![queries::quoted(cx.model, query)] }
}

/// Draws what there is to say of the first two models on the selected query.
pub(super) fn draw_told(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let inner = pane::frame("A and B in words", "", false, cx.theme, area, buf);
    let width = usize::from(inner.width).saturating_sub(3);
    let mut lines = Vec::new();
    for sentence in differences(cx) {
        for (at, part) in text::wrap(&sentence, width).into_iter().enumerate() {
            let point = if at == 0 { "· " } else { "  " };
            lines.push(Line::from(format!(" {point}{part}")));
        }
    }
    pane::lines(&pane::fitting(lines, inner.height.into()), 0, inner, buf);
}

/// How the rankings of the first two models differ; what is not known yet is left out.
fn differences(cx: Cx<'_>) -> Vec<String> {
    let model = cx.model;
    let (Some(query), Some(two)) = (model.selection.query(), model.two()) else {
        return Vec::new();
    };
    let names = two.map(|of| model.study.models[of].name.as_str());
    let mut told = Vec::new();
    let [Some(a), Some(b)] = two.map(|of| model.ranked_by(of)) else {
        return told;
    };
    let own = model.study.own(model.view.direction, query);
    let best = [a, b].map(|of| own.iter().filter_map(|item| of.rank(item as usize)).min());
    if let [Some(in_a), Some(in_b)] = best.map(|rank| rank.map(grouped)) {
        let item = match model.view.direction {
            Direction::T2i => "original image",
            Direction::I2t => "best own caption",
        };
        told.push(format!("{item}: rank {in_a} in {}, {in_b} in {}", names[0], names[1]));
    }
    let [a, b] = [a, b].map(|of| &*of.ranking.order);
    let [a, b] = [a, b].map(|order| &order[..order.len().min(HEAD)]);
    let shared = Shared::of(a, b);
    if let (Some(overlap), Some(alike)) = (shared.overlap(FIRST), shared.rank_biased()) {
        told.push(format!("overlap@{FIRST} {overlap:.2}, rank-biased overlap {alike:.3}"));
    }
    told
}
