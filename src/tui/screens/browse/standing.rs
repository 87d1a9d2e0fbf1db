//! The selected query under every ground truth; its words while judging.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::metric::hit;
use crate::rank::QueryRanks;
use crate::truth::Kind;
use crate::tui::screens::queries;
use crate::tui::screens::ranking::{self, wrapped};
use crate::tui::signs;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::pane;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let inner = pane::frame("this query", "", false, cx.theme, area, buf);
    let Some(query) = cx.model.selection.query() else {
        return;
    };
    let width = usize::from(inner.width).saturating_sub(3);
    let words = if cx.model.judging.is_on { query_text(cx, query, width) } else { Vec::new() };
    if cx.model.is_blind() {
        return pane::lines(&pane::fitting(words, inner.height.into()), 0, inner, buf);
    }
    let rows = rows(cx, query);
    // Words leave room for the titles and one ground truth.
    let above = words.len().min(inner.height.saturating_sub(2).into());
    let height = (1 + rows.len()).min(usize::from(inner.height) - above);
    let [above, table, below] = inner.layout(&Layout::vertical([
        Constraint::Length(above as u16),
        Constraint::Length(height as u16),
        Constraint::Fill(1),
    ]));
    pane::lines(&pane::fitting(words, above.height.into()), 0, above, buf);
    let list = ListView {
        id: "truths",
        columns: columns(cx, query, &rows),
        len: rows.len(),
        selected: rows.iter().position(|&row| is_current(cx, query, row)),
        focus: false,
        least: 12,
        ..ListView::default()
    };
    list.draw(&Scrolled::default(), cx.ui, table, buf);
    let lines = ranking::note_lines(cx, width, missing_label(cx, query));
    pane::lines(&pane::fitting(lines, below.height.into()), 0, below, buf);
}

/// Text of the query; for an image query while blind, its name, and its captions if it has no image file.
fn query_text(cx: Cx<'_>, query: usize, width: usize) -> Vec<Line<'static>> {
    let gallery = &cx.model.study.gallery;
    let mut texts = Vec::new();
    if cx.model.is_blind() && cx.model.view.direction == Direction::I2t {
        texts.push(gallery.image(query));
        if cx.ui.image_protocol().is_none() || cx.ui.lacking(Some(query)).is_some() {
            let captions = cx.model.captions_of(query).into_iter();
            texts.extend(captions.map(|of| format!("- {}", gallery.caption(of as usize))));
        }
    } else {
        texts.push(queries::quoted(cx.model, query));
    }
    texts.iter().flat_map(|text| wrapped(text, width, Style::default())).collect()
}

/// As loaded, or with judgments.
type Row = (TruthIx, bool);

/// The ground truths as loaded, and again with judgments if these change this query.
fn rows(cx: Cx<'_>, query: usize) -> Vec<Row> {
    let direction = cx.model.view.direction;
    let mut rows = Vec::new();
    for (at, truth) in TruthIx::each(&cx.model.study.truths) {
        if truth.relevance[direction].is_some() {
            rows.push((at, false));
            rows.extend(cx.model.is_query_judged(at, query).then_some((at, true)));
        }
    }
    rows
}

/// Whether the screen shows the numbers of a row.
fn is_current(cx: Cx<'_>, query: usize, (truth, with_judgments): Row) -> bool {
    truth == cx.model.view.truth && with_judgments == cx.model.is_query_judged(truth, query)
}

fn columns<'a>(cx: Cx<'a>, query: usize, rows: &'a [Row]) -> Vec<Column<'a>> {
    let model = cx.model;
    let ranks = move |at: usize| {
        let (truth, with_judgments) = rows[at];
        let ranks = if with_judgments {
            model.ranks_of(truth, query)
        } else {
            model.counted_ranks(truth, query)
        };
        // Without a ground truth the number of positives is unknown.
        ranks.filter(|ranks| ranks.listed > 0 || !model.study.truths[truth].lists_nothing())
    };
    let name = move |at: usize, _| {
        let (of, with_judgments) = rows[at];
        let truth = &model.study.truths[of];
        let name = if with_judgments {
            // Below the ground truth, whose name is not repeated.
            format!(" {}", &model.study.name_with_judgments(&truth.name)[truth.name.len()..])
        } else {
            truth.name.clone()
        };
        let (pointer, look) = if is_current(cx, query, rows[at]) {
            ("▸", Style::from(cx.theme.title))
        } else {
            (" ", Style::default())
        };
        let relevance = truth.relevance[model.view.direction].as_ref();
        let is_judged =
            !truth.lists_nothing() && relevance.is_some_and(|r| r.place(query).is_some());
        let why = match ranks(at) {
            Some(_) => String::new(),
            None if is_judged => format!("  {}", model.files.waiting()),
            None => "  not covered".into(),
        };
        Line::from(vec![
            Span::styled(format!(" {pointer} {name}"), look),
            Span::styled(why, cx.theme.dim),
        ])
    };
    let number = move |of: fn(QueryRanks<'_>) -> String| {
        move |at: usize, _| ranks(at).map_or(String::new(), of)
    };
    let hits = |ranks: QueryRanks<'_>| {
        let is_known = ranks.is_known_to(ranks.listed);
        if is_known {
            ranks.ranks.count_to(ranks.listed).to_string()
        } else {
            signs::UNDEFINED.into()
        }
    };
    let [first, top_1, ap, r_precision] = ranking::numbers(cx, ranks);
    vec![
        Column::rest("   truth", name),
        Column::new("R", 3, number(|ranks| ranks.listed.to_string())).right(),
        Column::new("hits", 4, number(hits)).right().keep(1),
        first,
        top_1,
        ap,
        r_precision,
    ]
}

/// R@1 under both ground truths, if they show a missing label.
fn missing_label(cx: Cx<'_>, query: usize) -> Option<String> {
    let of_kind = |kind| cx.model.view.truth_of(&cx.model.study, kind);
    let (original, rich) = (of_kind(Kind::Original)?, of_kind(Kind::Rich)?);
    let is_correct = |truth| hit::is_correct(cx.model.ranks_of(truth, query)?);
    let [original_name, rich_name] = [original, rich].map(|of| cx.model.name_in_force(of));
    (is_correct(original) == Some(false) && is_correct(rich) == Some(true))
        .then(|| format!("R@1 = 0 under {original_name}, 1 under {rich_name}: a missing label"))
}
