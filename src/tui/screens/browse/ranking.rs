//! The ranking of the selected query, every item with its badge and its mark in each truth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::truth::Truth;
use crate::truth::response::Response;
use crate::truth::standing::{Badge, Standing};
use crate::tui::model::numbers::Numbers;
use crate::tui::model::selection::{Item, Pane};
use crate::tui::screens::queries::{image_label, marked_words};
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of the bar, of the bar and the rank, of the score, and of the badge.
const BAR: usize = 1;
const RANK: usize = 7;
const SCORE: usize = 9;
const SIGN: usize = 3;
/// Columns of a rating.
const RATING: usize = 4;
/// Columns of a verdict.
const MINE: usize = 11;
/// Narrower lists show no scores.
const WITH_SCORES: usize = 56;
/// The text is not made narrower than this for the truths' columns.
const LEAST_TEXT: usize = 20;

/// Columns before the text, in a list of so many columns.
pub(super) fn before(cx: Cx<'_>, width: usize) -> usize {
    match width {
        _ if cx.model.is_blind() => BAR + SIGN,
        ..WITH_SCORES => RANK + SIGN,
        _ => RANK + SIGN + SCORE,
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.model.selection.pane == Pane::Ranking;
    let title = format!("{}{}", marked(cx), title(cx));
    let inner = pane::frame(&title, &ranked(cx), focus, cx.theme, area, buf);
    let width = usize::from(inner.width);
    let mine = mine(cx, width);
    let truths = columns(cx, width - mine);
    let taken: usize = truths.iter().map(|(_, columns)| columns).sum();
    let thumb = usize::from(cx.thumb_columns());
    // A blank after the picture.
    let gap = thumb + usize::from(thumb > 0);
    let room = width.saturating_sub(before(cx, width) + gap + taken + mine);
    let names = if cx.model.is_blind() {
        ""
    } else if width < WITH_SCORES {
        "      #"
    } else {
        "      #    score"
    };
    let mut head = text::pad(names, before(cx, width) + gap + room);
    for (truth, columns) in &truths {
        head += &text::pad_left(&truth.name, *columns);
    }
    if mine > 0 {
        head += &text::pad_left("mine", mine);
    }
    buf.set_stringn(inner.x, inner.y, head, width, cx.theme.dim);
    let list = Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1),
        ..inner
    };
    if let Some(words) = nothing(cx) {
        note(words, cx, list, buf);
        return;
    }
    let scores = width >= WITH_SCORES && !cx.model.is_blind();
    let layout = Layout {
        truths: &truths,
        gap,
        room,
        scores,
        mine,
    };
    draw_items(cx, layout, focus, list, buf);
    let scroll = Scroll {
        offset: cx.state.item_offset,
        shown: cx.items_in_sight(),
        total: cx.model.ranking().map_or(0, |ranking| ranking.order.len()),
    };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

/// The items in sight, the selected one marked.
fn draw_items(cx: Cx<'_>, layout: Layout<'_>, focus: bool, list: Rect, buf: &mut Buffer) {
    let listed = listed(cx);
    let height = cx.thumb_rows().max(1);
    let first = cx.state.item_offset;
    for at in 0..cx.items_in_sight() {
        let Some(item) = cx.model.item_at(first + at) else {
            break;
        };
        let y = list.y + at as u16 * cx.item_rows();
        let place = Rect { y, height, ..list }.intersection(list);
        let layout = layout.of(cx, item);
        let lines = lines(cx, item, layout, listed);
        pane::lines(&lines, 0, place, buf);
        if cx.model.is_item_marked(item.item) {
            buf.set_stringn(list.x + 1, y, signs::MARKED, 1, cx.theme.key);
        }
        if item.rank == cx.model.selection.item + 1 {
            pane::mark(focus, cx.theme, place, buf);
        }
    }
}

/// How many items are marked.
fn marked(cx: Cx<'_>) -> String {
    match marked_words(cx.model.marked_counts()[1]).trim_start() {
        "" => String::new(),
        words => format!("{words}  "),
    }
}

pub(super) fn title(cx: Cx<'_>) -> String {
    let Some(query) = cx.model.selection.query() else {
        return "ranking".into();
    };
    match cx.model.view.direction {
        Direction::T2i => format!("“{}”", cx.model.study.gallery.caption(query)),
        Direction::I2t => image_label(cx.model, query),
    }
}

/// How much of the gallery is ranked, where it is not all of it.
pub(super) fn ranked(cx: Cx<'_>) -> String {
    let items = cx.model.study.pool_sizes()[cx.model.view.direction.flipped()];
    match cx.model.ranking().map(|ranking| ranking.order.len()) {
        Some(count) if count < items => {
            format!("{} of {} ranked", grouped(count), grouped(items))
        }
        _ => String::new(),
    }
}

/// Columns of one's own verdicts, where there are any and the list is not narrow.
fn mine(cx: Cx<'_>, width: usize) -> usize {
    let shown = !cx.model.judgements.is_empty() && width >= WITH_SCORES;
    if shown { MINE } else { 0 }
}

/// The truths that get a column and its width; as many as fit, the one looked at before all others.
fn columns(cx: Cx<'_>, width: usize) -> Vec<(&Truth, usize)> {
    if cx.model.is_blind() {
        return Vec::new();
    }
    let widest = if width < WITH_SCORES { 4 } else { 9 };
    let wanted = |truth: &Truth| {
        let least = if cx.model.study.is_rated(truth) {
            RATING
        } else {
            3
        };
        text::width(&truth.name).clamp(least, widest) + 1
    };
    let mut room = width.saturating_sub(before(cx, width) + LEAST_TEXT);
    room = room.saturating_sub(wanted(cx.model.truth()));
    let mut columns = Vec::new();
    for (at, truth) in TruthIx::each(&cx.model.study.truths) {
        if at == cx.model.view.truth {
            columns.push((truth, wanted(truth)));
        } else if truth.relevance[cx.model.view.direction].is_some() && wanted(truth) <= room {
            room -= wanted(truth);
            columns.push((truth, wanted(truth)));
        }
    }
    columns
}

/// R of the query under the truth looked at.
fn listed(cx: Cx<'_>) -> Option<u32> {
    if cx.model.is_blind() {
        return None;
    }
    let query = cx.model.selection.query()?;
    Some(cx.model.ranks_of(cx.model.view.truth, query)?.listed)
}

/// What a line has room for.
#[derive(Clone, Copy)]
struct Layout<'a> {
    truths: &'a [(&'a Truth, usize)],
    /// Columns of the picture before the text.
    gap: usize,
    /// Columns of the text.
    room: usize,
    scores: bool,
    /// Columns of one's own verdicts.
    mine: usize,
}

impl Layout<'_> {
    /// The text of an item without a picture has the picture's columns, too.
    fn of(self, cx: Cx<'_>, item: Item) -> Self {
        match cx.ui.pictures.lacks(item.item) {
            Some(_) => Layout {
                gap: 0,
                room: self.room + self.gap,
                ..self
            },
            None => self,
        }
    }
}

/// The bar marks the first R items: those that AP@R and R-Precision look at.
fn bar(cx: Cx<'_>, item: Item, listed: Option<u32>) -> Span<'static> {
    let within = listed.is_some_and(|r| item.rank <= r as usize);
    Span::styled(if within { "▎" } else { " " }, cx.theme.line_map)
}

/// An item: one line, and beside a picture the captions written for it.
fn lines(cx: Cx<'_>, item: Item, layout: Layout<'_>, listed: Option<u32>) -> Vec<Line<'static>> {
    let label = match cx.model.view.direction {
        Direction::I2t => cx.model.study.gallery.caption(item.item),
        Direction::T2i => image_label(cx.model, item.item),
    };
    if cx.thumb_rows() == 0 {
        return vec![line(cx, item, layout, listed, &label)];
    }
    let gallery = &cx.model.study.gallery;
    let own = cx.model.study.own(Direction::I2t, item.item).iter().skip(1);
    let others = own.map(|caption| gallery.caption(caption as usize));
    let texts = std::iter::once(label).chain(others);
    let mut words = texts.flat_map(|text| text::wrap(&text, layout.room));
    let first = words.next().unwrap_or_default();
    let mut lines = vec![line(cx, item, layout, listed, &first)];
    let width =
        before(cx, usize::from(cx.areas().ranking.width.saturating_sub(2))) - 1 + layout.gap;
    for _ in 1..cx.thumb_rows() {
        let more = words.next().unwrap_or_default();
        lines.push(Line::from(vec![
            bar(cx, item, listed),
            Span::raw(" ".repeat(width)),
            Span::styled(more, cx.theme.dim),
        ]));
    }
    lines
}

fn line(
    cx: Cx<'_>,
    item: Item,
    layout: Layout<'_>,
    listed: Option<u32>,
    label: &str,
) -> Line<'static> {
    let query = cx.model.selection.query().unwrap_or_default();
    let direction = cx.model.view.direction;
    let badge = cx.model.badge(query, item.item);
    let blind = cx.model.is_blind();
    let style = if blind {
        Style::default()
    } else {
        cx.theme.badge(badge)
    };
    let words: Style = if badge.is_positive() || blind {
        Style::default()
    } else {
        cx.theme.dim.into()
    };
    let mut spans = vec![bar(cx, item, listed)];
    if !blind {
        let rank = text::pad_left(&item.rank.to_string(), RANK - BAR);
        spans.push(Span::styled(rank, cx.theme.dim));
    }
    if layout.scores {
        let score = text::pad_left(&signs::score(item.score), SCORE);
        spans.push(Span::styled(score, cx.theme.dim));
    }
    let said = cx.model.response(query, item.item);
    let judged = said.map_or(Style::default(), |said| cx.theme.response(said));
    let sign = if blind { " " } else { signs::badge(badge) };
    spans.push(Span::styled(format!(" {sign}"), style));
    spans.push(Span::styled(said.map_or(" ", signs::response), judged));
    spans.push(Span::raw(" ".repeat(layout.gap)));
    spans.push(Span::styled(text::pad(label, layout.room), words));
    for (truth, columns) in layout.truths {
        let study = &cx.model.study;
        let standing = study.standing(truth, direction, query.into(), item.item.into());
        let style = match standing {
            Standing::Positive => style,
            Standing::NotRelevant => cx.theme.badge(Badge::NotRelevant),
            _ => cx.theme.dim.into(),
        };
        let rating = cx.model.study.is_rated(truth);
        let rating = rating.then(|| {
            cx.model
                .study
                .rating(direction, query.into(), item.item.into())
        });
        let mark = signs::mark(standing, rating);
        spans.push(Span::styled(text::pad_left(&mark, *columns), style));
    }
    let words = said.map_or("", Response::key);
    spans.push(Span::styled(text::pad_left(words, layout.mine), judged));
    Line::from(spans)
}

/// Why there are no items; `None` where there are some.
pub(super) fn nothing(cx: Cx<'_>) -> Option<&'static str> {
    match cx.model.ranking() {
        None => Some(waiting(cx)),
        Some(ranking) if ranking.order.is_empty() => {
            Some("this model ranks nothing for this query")
        }
        Some(_) => None,
    }
}

/// Why there is no ranking yet.
fn waiting(cx: Cx<'_>) -> &'static str {
    match (
        &cx.model.numbers[cx.model.view.model],
        cx.model.selection.query(),
    ) {
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ if cx.model.files.is_overwritten() => "not ranked: its file was written over",
        _ => "ranking …",
    }
}

/// Words in the place of the list.
pub(super) fn note(words: &str, cx: Cx<'_>, list: Rect, buf: &mut Buffer) {
    let width = usize::from(list.width.saturating_sub(2));
    if list.height > 0 {
        buf.set_stringn(list.x + 2, list.y, words, width, cx.theme.dim);
    }
}
