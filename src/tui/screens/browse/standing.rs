//! The pane with the metrics of the selected query under every ground truth, and its text while judging.

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
use crate::tui::screens::ranking::{self, wrapped_lines};
use crate::tui::signs;
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::pane;

/// Draws the text while judging, the table of ground truths, and the note below.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let inner = pane::draw_frame("this query", "", false, cx.theme, area, buf);
    let Some(query) = cx.model.selection.query() else {
        return;
    };
    let width = usize::from(inner.width).saturating_sub(3);
    let text = if cx.model.judging.is_on { query_text(cx, query, width) } else { Vec::new() };
    if cx.model.is_blind() {
        return pane::draw_lines(&pane::clip(text, inner.height.into()), 0, inner, buf);
    }
    let rows = truth_rows(cx, query);
    // The text leaves room for the titles and one ground truth.
    let above = text.len().min(inner.height.saturating_sub(2).into());
    let height = (1 + rows.len()).min(usize::from(inner.height) - above);
    let [above, table, below] = inner.layout(&Layout::vertical([
        Constraint::Length(above as u16),
        Constraint::Length(height as u16),
        Constraint::Fill(1),
    ]));
    pane::draw_lines(&pane::clip(text, above.height.into()), 0, above, buf);
    let list = ListView {
        id: "truths",
        columns: truth_columns(cx, query, &rows),
        len: rows.len(),
        selected: rows.iter().position(|&row| is_current(cx, query, row)),
        focus: false,
        min_rest: 12,
        ..ListView::default()
    };
    list.draw(&ScrollState::default(), cx.ui, table, buf);
    let lines = ranking::note_lines(cx, width, missing_label_note(cx, query));
    pane::draw_lines(&pane::clip(lines, below.height.into()), 0, below, buf);
}

/// Label of the query, wrapped to `width` columns. While judging blind, an image query has only its file name or id,
/// followed by its captions if its image cannot be drawn.
fn query_text(cx: Cx<'_>, query: usize, width: usize) -> Vec<Line<'static>> {
    let gallery = &cx.model.study.gallery;
    let mut texts = Vec::new();
    if cx.model.is_blind() && cx.model.view.direction == Direction::I2t {
        texts.push(gallery.image(query));
        if cx.ui.image_protocol().is_none() || cx.ui.why_no_image(Some(query)).is_some() {
            let captions = cx.model.shown_captions(query).into_iter();
            texts.extend(captions.map(|at| format!("- {}", gallery.caption(at as usize))));
        }
    } else {
        texts.push(queries::full_label(cx.model, query));
    }
    texts.iter().flat_map(|text| wrapped_lines(text, width, Style::default())).collect()
}

/// A row of the table: a ground truth, and whether judgments are added to it.
type TruthRow = (TruthIx, bool);

/// A row for each ground truth of the direction as loaded. If judgments change the query in it, a row with judgments
/// follows.
fn truth_rows(cx: Cx<'_>, query: usize) -> Vec<TruthRow> {
    let direction = cx.model.view.direction;
    let mut rows = Vec::new();
    for (at, truth) in TruthIx::enumerate(&cx.model.study.truths) {
        if truth.relevance[direction].is_some() {
            rows.push((at, false));
            rows.extend(cx.model.is_query_edited(at, query).then_some((at, true)));
        }
    }
    rows
}

/// Whether the numbers of a row are those that the other panes show.
fn is_current(cx: Cx<'_>, query: usize, (truth, with_judgments): TruthRow) -> bool {
    truth == cx.model.view.truth && with_judgments == cx.model.is_query_edited(truth, query)
}

/// Columns of the table: name of the ground truth, number of positives, and metrics of the query.
fn truth_columns<'a>(cx: Cx<'a>, query: usize, rows: &'a [TruthRow]) -> Vec<Column<'a>> {
    let model = cx.model;
    let ranks = move |at: usize| {
        let (truth, with_judgments) = rows[at];
        let ranks = if with_judgments {
            model.ranks_of(truth, query)
        } else {
            model.ranks_before_judgments(truth, query)
        };
        // Without a ground truth the number of positives is unknown.
        ranks.filter(|ranks| ranks.listed > 0 || !model.study.truths[truth].is_none_truth())
    };
    let name = move |at: usize, _| {
        let (truth, with_judgments) = rows[at];
        let truth = &model.study.truths[truth];
        let name = if with_judgments {
            // Below the ground truth, whose name is not repeated.
            format!(" {}", &model.study.name_with_judgments(&truth.name)[truth.name.len()..])
        } else {
            truth.name.clone()
        };
        let (sign, look) = if is_current(cx, query, rows[at]) {
            ("▸", Style::from(cx.theme.title))
        } else {
            (" ", Style::default())
        };
        let relevance = truth.relevance[model.view.direction].as_ref();
        let is_judged =
            !truth.is_none_truth() && relevance.is_some_and(|r| r.place(query).is_some());
        let why = match ranks(at) {
            Some(_) => String::new(),
            None if is_judged => format!("  {}", model.files.placeholder()),
            None => "  not covered".into(),
        };
        Line::from(vec![
            Span::styled(format!(" {sign} {name}"), look),
            Span::styled(why, cx.theme.dim),
        ])
    };
    let number = move |format: fn(QueryRanks<'_>) -> String| {
        move |at: usize, _| ranks(at).map_or(String::new(), format)
    };
    let hits = |ranks: QueryRanks<'_>| {
        if ranks.is_known_up_to(ranks.listed) {
            ranks.ranks.count_to(ranks.listed).to_string()
        } else {
            signs::UNDEFINED.into()
        }
    };
    let [first, top_1, ap_at_r, r_precision] = ranking::metric_columns(cx, ranks);
    vec![
        Column::rest("   truth", name),
        Column::new("R", 3, number(|ranks| ranks.listed.to_string())).right(),
        Column::new("hits", 4, number(hits)).right().keep(1),
        first,
        top_1,
        ap_at_r,
        r_precision,
    ]
}

/// A sentence if R@1 is 0 under the original ground truth and 1 under a richer one, which is a missing label.
fn missing_label_note(cx: Cx<'_>, query: usize) -> Option<String> {
    let truth = |kind| cx.model.view.truth_of_kind(&cx.model.study, kind);
    let (original, rich) = (truth(Kind::Original)?, truth(Kind::Rich)?);
    let is_correct = |truth| hit::is_correct(cx.model.ranks_of(truth, query)?);
    let [original_name, rich_name] = [original, rich].map(|truth| cx.model.truth_label(truth));
    (is_correct(original) == Some(false) && is_correct(rich) == Some(true))
        .then(|| format!("R@1 = 0 under {original_name}, 1 under {rich_name}: a missing label"))
}
