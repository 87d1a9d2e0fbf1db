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
use crate::tui::model::compare::Moved;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::widgets::change::delta as difference;
use crate::tui::widgets::{pane, text};

/// Columns of the first positive's rank and its change at the least, of R@1, of a share and its change.
const FIRST: usize = 6;
const MOVED: usize = 6;
const R1: usize = 4;
const SHARE: usize = 7;
const DELTA: usize = 8;
/// Columns of a name that short ones are filled up to.
const NAME: usize = 24;

pub(super) fn draw_table(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let title = format!("this query, ground truth {}", cx.model.name_in_force(cx.model.view.truth));
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
    let columns = Columns::of(cx, query, usize::from(inner.width));
    let Columns { name, shares, .. } = columns;
    let difference_name = match cx.model.compared().len() {
        ..=2 => " A - B",
        _ => " A - row",
    };
    let top_k = |metric: &&dyn Metric| {
        let title = if metric.key() == "map_at_r" { "AP@R" } else { "R-P" };
        text::pad(&text::pad_left(title, SHARE), SHARE) + &text::pad(difference_name, DELTA)
    };
    let names = format!(
        " {}{}{}{}{}",
        text::pad("model", name),
        text::pad_left("first", columns.first),
        text::pad(" vs A", columns.moved),
        text::pad_left("R@1", R1),
        shares.iter().map(top_k).collect::<String>()
    );
    let mut lines = vec![Line::styled(names, cx.theme.dim)];
    for (model, letter) in cx.model.compared().into_iter().zip('A'..) {
        let line = model_line(cx, [first, model], query, (letter, columns));
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

/// What a line of the table has room for.
#[derive(Clone, Copy)]
struct Columns {
    name: usize,
    first: usize,
    moved: usize,
    shares: &'static [&'static dyn Metric],
}

impl Columns {
    /// Ranks are never cut; R-Precision is left out where names would be, then how the first positives' ranks differ.
    fn of(cx: Cx<'_>, query: usize, width: usize) -> Self {
        let compared = cx.model.compared();
        let names = compared.iter();
        let names = names.map(|&model| text::width(&cx.model.study.models[model].name));
        // A letter, and blanks around it.
        let whole = names.max().unwrap_or(0) + 3;
        let of = |model: &ModelIx| cx.model.ranks_by(*model, query);
        let ranks = compared.iter().filter_map(of);
        let first = ranks.map(|ranks| text::width(&signs::first_rank(ranks)));
        let first = FIRST.max(first.max().unwrap_or(0) + 1);
        let ranks = compared.iter().filter_map(of);
        let changes = ranks.filter_map(|ranks| moved(of(&compared[0])?, ranks));
        let changes = changes.map(|change| text::width(&ranking::moved_words(Some(change))));
        let moved = MOVED.max(changes.max().unwrap_or(0) + 2);
        let with = |shares: &'static [&'static dyn Metric], moved: usize| {
            let taken = 1 + first + moved + R1 + shares.len() * (SHARE + DELTA);
            let room = width.saturating_sub(taken);
            Columns { name: room.min(whole.max(NAME)), first, moved, shares }
        };
        let mut ways = [with(&[&MapAtR, &RPrecision], moved), with(&[&MapAtR], moved)].into_iter();
        let is_whole = |way: &Columns| way.name >= whole;
        ways.find(is_whole).unwrap_or_else(|| with(&[&MapAtR], 0))
    }
}

/// The words of the query, where the list of queries cuts them.
fn words(cx: Cx<'_>, query: usize, width: usize) -> Vec<Line<'static>> {
    let texts = each_text(cx, query);
    if texts.len() > 1 {
        let wrapped = texts.iter().flat_map(|text| text::wrap(text, width));
        return wrapped.map(|line| Line::styled(format!(" {line}"), cx.theme.title)).collect();
    }
    if text::width(&queries::label(cx.model, query)) <= list::room(cx) {
        return Vec::new();
    }
    let wrapped = text::wrap(&queries::quoted(cx.model, query), width).into_iter();
    wrapped.map(|line| Line::styled(format!(" {line}"), cx.theme.title)).collect()
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
    (letter, columns): (char, Columns),
) -> Line<'static> {
    let is_first = model == first;
    let style: Style = if is_first { cx.theme.title.into() } else { Style::default() };
    let name = columns.name;
    let of_model = signs::model(&cx.model.study, model, name.saturating_sub(3));
    let words = format!("{letter} {of_model}");
    let mut spans = vec![Span::styled(format!(" {}", text::pad(&words, name)), style)];
    let Some(ranks) = cx.model.ranks_by(model, query) else {
        spans.push(Span::styled(cx.model.files.waiting(), cx.theme.dim));
        return Line::from(spans);
    };
    let others = cx.model.ranks_by(first, query).filter(|_| !is_first);
    spans.push(Span::raw(text::pad_left(&signs::first_rank(ranks), columns.first)));
    let moved = others.and_then(|others| moved(others, ranks));
    let words = format!(" {}", ranking::moved_words(moved));
    spans.push(Span::styled(text::pad(&words, columns.moved), cx.theme.dim));
    let (mark, style) = signs::top_1(hit::is_correct(ranks), cx.theme);
    spans.push(Span::styled(text::pad_left(mark, R1), style));
    for &metric in columns.shares {
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
        spans.push(Span::styled(format!(" {}", text::pad(&words, DELTA - 1)), style));
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
