//! The ranking of the selected query, every item with its badge and its mark in each truth.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::queries::image_label;
use super::{Item, Pane};
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::truth::Truth;
use crate::truth::standing::{Badge, Standing};
use crate::truth::verdict::Verdict;
use crate::tui::app::{App, Numbers};
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of the bar and the rank, of the score, and of the badge.
const RANK: usize = 7;
const SCORE: usize = 9;
const SIGN: usize = 3;
/// Columns of a rating.
const RATING: usize = 4;
/// Columns of a verdict.
const MINE: usize = 10;
/// Narrower lists show no scores.
const WITH_SCORES: usize = 56;
/// The text is not made narrower than this for the truths' columns.
const LEAST_TEXT: usize = 20;

/// Columns before the text.
pub(super) fn before(width: usize) -> usize {
    RANK + SIGN + if width < WITH_SCORES { 0 } else { SCORE }
}

pub(super) fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = app.browse.pane == Pane::Ranking;
    let inner = pane::frame(&title(app), &ranked(app), focus, &app.theme, area, buf);
    let width = usize::from(inner.width);
    let mine = mine(app, width);
    let truths = columns(app, width - mine);
    let taken: usize = truths.iter().map(|(_, columns)| columns).sum();
    let thumb = usize::from(app.thumb_columns());
    // A blank after the picture.
    let gap = thumb + usize::from(thumb > 0);
    let room = width.saturating_sub(before(width) + gap + taken + mine);
    let names = if width < WITH_SCORES {
        "      #"
    } else {
        "      #    score"
    };
    let mut head = text::pad(names, before(width) + gap + room);
    for (truth, columns) in &truths {
        head += &text::pad_left(&truth.name, *columns);
    }
    if mine > 0 {
        head += &text::pad_left("mine", mine);
    }
    buf.set_stringn(inner.x, inner.y, head, width, app.theme.dim);
    let list = Rect {
        y: inner.y + 1,
        height: inner.height.saturating_sub(1),
        ..inner
    };
    let Some(ranking) = app.ranking() else {
        note(waiting(app), app, list, buf);
        return;
    };
    if ranking.order.is_empty() {
        note("this model ranks nothing for this query", app, list, buf);
        return;
    }
    let scores = width >= WITH_SCORES;
    let layout = Layout {
        truths: &truths,
        gap,
        room,
        scores,
        mine,
    };
    draw_items(app, layout, focus, list, buf);
    let scroll = Scroll {
        offset: app.browse.item_offset,
        shown: app.items_in_sight(),
        total: ranking.order.len(),
    };
    pane::scrollbar(scroll, focus, &app.theme, list, buf);
}

/// The items in sight, the selected one marked.
fn draw_items(app: &App, layout: Layout<'_>, focus: bool, list: Rect, buf: &mut Buffer) {
    let listed = listed(app);
    let height = app.thumb_rows().max(1);
    let first = app.browse.item_offset;
    for at in 0..app.items_in_sight() {
        let Some(item) = app.item_at(first + at) else {
            break;
        };
        let y = list.y + at as u16 * app.item_rows();
        let place = Rect { y, height, ..list }.intersection(list);
        let lines = lines(app, item, layout, listed);
        pane::lines(&lines, 0, place, buf);
        if item.rank == app.browse.item + 1 {
            pane::mark(focus, &app.theme, place, buf);
        }
    }
}

fn title(app: &App) -> String {
    let Some(query) = app.browse.query() else {
        return "ranking".into();
    };
    match app.view.direction {
        Direction::T2i => format!("“{}”", app.study.gallery.caption(query)),
        Direction::I2t => image_label(app, query),
    }
}

/// How much of the gallery is ranked, where it is not all of it.
fn ranked(app: &App) -> String {
    let items = app.study.pool_sizes()[app.view.direction.flipped()];
    match app.ranking().map(|ranking| ranking.order.len()) {
        Some(count) if count < items => {
            format!("{} of {} ranked", grouped(count), grouped(items))
        }
        _ => String::new(),
    }
}

/// Columns of one's own verdicts, where there are any and the list is not narrow.
fn mine(app: &App, width: usize) -> usize {
    let shown = !app.judgements.verdicts.is_empty() && width >= WITH_SCORES;
    if shown { MINE } else { 0 }
}

/// The truths that get a column and its width; as many as fit, the one looked at before all others.
fn columns(app: &App, width: usize) -> Vec<(&Truth, usize)> {
    let widest = if width < WITH_SCORES { 4 } else { 9 };
    let wanted = |truth: &Truth| {
        let least = if app.study.is_rated(truth) { RATING } else { 3 };
        text::width(&truth.name).clamp(least, widest) + 1
    };
    let mut room = width.saturating_sub(before(width) + LEAST_TEXT);
    room = room.saturating_sub(wanted(app.truth()));
    let mut columns = Vec::new();
    for (at, truth) in TruthIx::each(&app.study.truths) {
        if at == app.view.truth {
            columns.push((truth, wanted(truth)));
        } else if truth.relevance[app.view.direction].is_some() && wanted(truth) <= room {
            room -= wanted(truth);
            columns.push((truth, wanted(truth)));
        }
    }
    columns
}

/// R of the query under the truth looked at.
fn listed(app: &App) -> Option<u32> {
    let query = app.browse.query()?;
    Some(app.ranks_of(app.view.truth, query)?.listed)
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

/// The bar marks the first R items: those that AP@R and R-Precision look at.
fn bar(app: &App, item: Item, listed: Option<u32>) -> Span<'static> {
    let within = listed.is_some_and(|r| item.rank <= r as usize);
    Span::styled(if within { "▎" } else { " " }, app.theme.line_map)
}

/// An item: one line, and beside a picture the captions written for it.
fn lines(app: &App, item: Item, layout: Layout<'_>, listed: Option<u32>) -> Vec<Line<'static>> {
    let label = match app.view.direction {
        Direction::I2t => app.study.gallery.caption(item.item),
        Direction::T2i => image_label(app, item.item),
    };
    if layout.gap == 0 {
        return vec![line(app, item, layout, listed, &label)];
    }
    let gallery = &app.study.gallery;
    let own = app.study.own(Direction::I2t, item.item).iter().skip(1);
    let others = own.map(|caption| gallery.caption(caption as usize));
    let texts = std::iter::once(label).chain(others);
    let mut words = texts.flat_map(|text| text::wrap(&text, layout.room));
    let first = words.next().unwrap_or_default();
    let mut lines = vec![line(app, item, layout, listed, &first)];
    let width = before(usize::from(app.areas().ranking.width.saturating_sub(2))) - 1 + layout.gap;
    for _ in 1..app.thumb_rows() {
        let more = words.next().unwrap_or_default();
        lines.push(Line::from(vec![
            bar(app, item, listed),
            Span::raw(" ".repeat(width)),
            Span::styled(more, app.theme.dim),
        ]));
    }
    lines
}

fn line(
    app: &App,
    item: Item,
    layout: Layout<'_>,
    listed: Option<u32>,
    label: &str,
) -> Line<'static> {
    let query = app.browse.query().unwrap_or_default();
    let direction = app.view.direction;
    let badge = Badge::of(&app.study.truths, direction, query.into(), item.item.into());
    let style = app.theme.badge(badge);
    let right = matches!(badge, Badge::Original | Badge::Extra);
    let words: Style = if right {
        Style::default()
    } else {
        app.theme.dim.into()
    };
    let mut spans = vec![
        bar(app, item, listed),
        Span::styled(
            text::pad_left(&item.rank.to_string(), RANK - 1),
            app.theme.dim,
        ),
    ];
    if layout.scores {
        spans.push(Span::styled(
            text::pad_left(&signs::score(item.score), SCORE),
            app.theme.dim,
        ));
    }
    let verdict = app.verdict(query, item.item);
    let judged = verdict.map_or(Style::default(), |verdict| app.theme.verdict(verdict));
    spans.push(Span::styled(format!(" {}", signs::badge(badge)), style));
    spans.push(Span::styled(verdict.map_or(" ", signs::verdict), judged));
    spans.push(Span::raw(" ".repeat(layout.gap)));
    spans.push(Span::styled(text::pad(label, layout.room), words));
    for (truth, columns) in layout.truths {
        let standing = truth.standing(direction, query.into(), item.item.into());
        let style = match standing {
            Standing::Positive => style,
            _ => app.theme.dim.into(),
        };
        let rating = app.study.is_rated(truth);
        let rating = rating.then(|| app.study.rating(direction, query.into(), item.item.into()));
        let mark = signs::mark(standing, rating);
        spans.push(Span::styled(text::pad_left(&mark, *columns), style));
    }
    let words = verdict.map_or("", Verdict::key);
    spans.push(Span::styled(text::pad_left(words, layout.mine), judged));
    Line::from(spans)
}

/// Why there is no ranking yet.
fn waiting(app: &App) -> &'static str {
    match (&app.numbers[app.view.model], app.browse.query()) {
        (Numbers::Failed(_), _) => "this model cannot be ranked",
        (_, None) => "no query is selected",
        _ => "ranking …",
    }
}

/// Words in the place of the list.
fn note(words: &str, app: &App, list: Rect, buf: &mut Buffer) {
    let width = usize::from(list.width.saturating_sub(2));
    if list.height > 0 {
        buf.set_stringn(list.x + 2, list.y, words, width, app.theme.dim);
    }
}
