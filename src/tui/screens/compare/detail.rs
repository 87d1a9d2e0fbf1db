//! The selected query by every model: numbers, and what there is to say of them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, queries as list, ranking};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::metric::{Metric, Spec, Unit, hit, map_at_r::MapAtR, rprecision::RPrecision};
use crate::rank::QueryRanks;
use crate::tui::model::moved::Moved;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::widgets::change::delta as difference;
use crate::tui::widgets::{pane, text};

/// Columns of the first positive's rank and its change, of R@1, of a share and its change.
const FIRST: usize = 6;
const MOVED: usize = 6;
const R1: usize = 4;
const SHARE: usize = 7;
const DELTA: usize = 8;
/// Narrower tables leave out R-Precision.
const WITH_R_PRECISION: u16 = 60;

pub(super) fn draw_table(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let title = format!(
        "this query, truth {}",
        cx.model.name_in_force(cx.model.view.truth)
    );
    let query = cx.model.selection.query();
    let note = query.and_then(|query| cx.model.note_words(cx.model.view.direction, query));
    let note = note.map_or(String::new(), |note| format!("{} {note}", signs::NOTE));
    // Corners, and blanks around the title and the note.
    let room = usize::from(area.width).saturating_sub(text::width(&title) + 6);
    let cut = text::fit(&note, room);
    let inner = pane::frame(&title, &cut, false, cx.theme, area, buf);
    let (Some(query), Some(&first)) = (query, cx.model.compared().first()) else {
        return;
    };
    let wide = inner.width >= WITH_R_PRECISION;
    let shares: &[&'static dyn Metric] = if wide {
        &[&MapAtR, &RPrecision]
    } else {
        &[&MapAtR]
    };
    let taken = 1 + FIRST + MOVED + R1 + shares.len() * (SHARE + DELTA);
    let name = usize::from(inner.width).saturating_sub(taken).min(24);
    let difference_name = match cx.model.compared().len() {
        ..=2 => " A - B",
        _ => " A - row",
    };
    let top_k = |metric: &&dyn Metric| {
        let title = if metric.key() == "map_at_r" {
            "AP@R"
        } else {
            "R-P"
        };
        text::pad(&text::pad_left(title, SHARE), SHARE) + &text::pad(difference_name, DELTA)
    };
    let names = format!(
        " {}{}{}{}{}",
        text::pad("model", name),
        text::pad_left("first", FIRST),
        text::pad(" vs A", MOVED),
        text::pad_left("R@1", R1),
        shares.iter().map(top_k).collect::<String>()
    );
    let mut lines = vec![Line::styled(names, cx.theme.dim)];
    for (model, letter) in cx.model.compared().into_iter().zip('A'..) {
        let line = model_line(cx, [first, model], query, (letter, name, shares));
        lines.push(line);
    }
    let width = usize::from(inner.width).saturating_sub(2);
    let mut words = words(cx, query, width);
    if cut != note {
        let whole = text::wrap(&note, width).into_iter();
        words.extend(whole.map(|line| Line::styled(format!(" {line}"), cx.theme.key)));
    }
    lines.extend(pane::fitting(
        words,
        usize::from(inner.height) - lines.len().min(inner.height.into()),
    ));
    pane::lines(&lines, 0, inner, buf);
}

/// The words of the query, where the list of queries cuts them.
fn words(cx: Cx<'_>, query: usize, width: usize) -> Vec<Line<'static>> {
    let texts = each_text(cx, query);
    if texts.len() > 1 {
        let wrapped = texts.iter().flat_map(|text| text::wrap(text, width));
        return wrapped
            .map(|line| Line::styled(format!(" {line}"), cx.theme.title))
            .collect();
    }
    let whole = queries::label(cx.model, query);
    let room = list::room(cx);
    if text::width(&whole) <= room {
        return Vec::new();
    }
    let whole = match cx.model.view.direction {
        Direction::T2i => format!("“{whole}”"),
        Direction::I2t => whole,
    };
    let wrapped = text::wrap(&whole, width).into_iter();
    wrapped
        .map(|line| Line::styled(format!(" {line}"), cx.theme.title))
        .collect()
}

/// The texts of the query that the models were given, each once with its name.
fn each_text(cx: Cx<'_>, query: usize) -> Vec<String> {
    let study = &cx.model.study;
    let mut texts = Vec::new();
    for model in cx.model.compared() {
        let name = study.texts_name_of(model);
        let is_caption = cx.model.view.direction == Direction::T2i;
        let text = name.map(|name| format!("{name}: “{}”", study.caption_of(model, query)));
        let text = text.filter(|text| is_caption && !texts.contains(text));
        texts.extend(text);
    }
    texts
}

/// A model's numbers with its letter, and those of the first one, A, less these.
fn model_line(
    cx: Cx<'_>,
    [first, model]: [ModelIx; 2],
    query: usize,
    (letter, name, shares): (char, usize, &[&'static dyn Metric]),
) -> Line<'static> {
    let is_first = model == first;
    let style: Style = if is_first {
        cx.theme.title.into()
    } else {
        Style::default()
    };
    let words = format!("{letter} {}", cx.model.study.models[model].name);
    let words = text::fit_middle(&words, name.saturating_sub(1));
    let mut spans = vec![Span::styled(format!(" {}", text::pad(&words, name)), style)];
    let Some(ranks) = cx.model.ranks_by(model, query) else {
        spans.push(Span::styled("counting …", cx.theme.dim));
        return Line::from(spans);
    };
    let others = cx.model.ranks_by(first, query).filter(|_| !is_first);
    spans.push(Span::raw(text::pad_left(&signs::first_rank(ranks), FIRST)));
    let moved = others.and_then(|others| moved(others, ranks));
    let words = ranking::moved_words(moved);
    spans.push(Span::styled(
        format!(" {}", text::pad(&words, MOVED - 1)),
        cx.theme.dim,
    ));
    let (mark, style) = signs::top_1(hit::is_correct(ranks), cx.theme);
    spans.push(Span::styled(text::pad_left(mark, R1), style));
    for &metric in shares {
        let spec = Spec::new(metric);
        let value = spec.per_query(ranks);
        let shown = Unit::Share.shown(value);
        spans.push(Span::raw(text::pad_left(&shown, SHARE)));
        let of_first = others.and_then(|others| spec.per_query(others));
        let delta = of_first.zip(value).map(|(first, here)| first - here);
        let (words, style) = match delta {
            Some(_) => difference(delta, 2, cx.theme),
            None => (String::new(), Style::default()),
        };
        spans.push(Span::styled(
            format!(" {}", text::pad(&words, DELTA - 1)),
            style,
        ));
    }
    Line::from(spans)
}

/// How the first positive's rank changes; `None` where either has none.
fn moved(first: QueryRanks<'_>, here: QueryRanks<'_>) -> Option<Moved> {
    let [first, here] = [first.first()? as usize, here.first()? as usize];
    Some(Moved::between(Some(first), here))
}

pub(super) fn draw_told(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let title = match cx.model.compared().len() {
        ..=2 => "in words",
        _ => "in words, A and B",
    };
    let inner = pane::frame(title, "", false, cx.theme, area, buf);
    let width = usize::from(inner.width).saturating_sub(3);
    let mut lines = Vec::new();
    for sentence in cx.differences() {
        let wrapped = text::wrap(&sentence, width);
        // Half a sentence tells nothing.
        if lines.len() + wrapped.len() > usize::from(inner.height) {
            continue;
        }
        for (at, part) in wrapped.into_iter().enumerate() {
            let point = if at == 0 { "· " } else { "  " };
            lines.push(Line::from(format!(" {point}{part}")));
        }
    }
    pane::lines(&lines, 0, inner, buf);
}
