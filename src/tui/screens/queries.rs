//! The list of queries, as all screens have it that list queries beside rankings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::filtered_view::{self, Of};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::query_list::Pane;
use crate::tui::model::search::HiddenMatches;
use crate::tui::model::sort::{Sort, reversed};
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::hits::{ListId, Target};
use crate::tui::widgets::list::{Column, ListView, Scrolled};
use crate::tui::widgets::pane;
use crate::tui::widgets::phrased::Phrased;
use crate::tui::widgets::segments::{Segment, Segments};
use crate::tui::widgets::text;

/// The list of queries.
pub(in crate::tui::screens) const QUERIES: ListId = "queries";

/// A column, and between which orders a click on its title changes.
pub(in crate::tui::screens) type Ordered<'a> = (Column<'a>, Option<[Sort; 2]>);

/// Draws the list inside of its frame: some numbers, bookmark, and as `least` of a hundred columns the text.
pub(in crate::tui::screens) fn list<'a, S>(
    cx: Context<'a, S>,
    numbers: Vec<Ordered<'a>>,
    (least, scrolled): (usize, &Scrolled),
    inner: Rect,
    buf: &mut Buffer,
) {
    let model = cx.model;
    let query = move |at: usize| model.selection.queries[at] as usize;
    let mut columns: Vec<Column> = numbers.into_iter().map(|(column, _)| column).collect();
    columns.push(Column::rest("", move |at, room| {
        Line::from(words(cx, (model.view.direction, query(at)), room))
    }));
    let list = ListView {
        id: QUERIES,
        columns,
        len: model.selection.queries.len(),
        selected: Some(model.selection.selected),
        focus: model.selection.pane == Pane::Queries,
        least: usize::from(inner.width) * least / 100,
        marked: Some(Box::new(move |at| model.is_query_marked(query(at)))),
        found: model.search.text(),
        empty: if model.selection.queries.is_empty() { nothing(cx) } else { String::new() },
        ..ListView::default()
    };
    list.draw(scrolled, cx.ui, inner, buf);
}

/// The sign of a query that is picked.
pub(in crate::tui::screens) fn picked<S>(cx: Context<'_, S>, query: usize) -> Span<'static> {
    let is_picked = cx.model.is_picked(cx.model.view.direction, query);
    Span::styled(if is_picked { "★" } else { " " }, cx.theme.key)
}

/// The column of the number that queries are sorted by, where no other column has it.
pub(in crate::tui::screens) fn sorted<'a, S>(cx: Context<'a, S>) -> Option<Ordered<'a>> {
    let (model, sort) = (cx.model, &cx.model.selection.sort);
    let heading = sort.heading()?;
    let width = text::width(&heading).clamp(LEAST_VALUE, WIDEST_VALUE);
    let title = text::fit(&heading, width - 1) + sort.sign();
    let value =
        move |at: usize, _| signs::sorted(model.sort_value(at), model.selection.has_fractions);
    let orders = sort
        .number()
        .map(|number| [number.to_owned(), reversed(number)].map(|number| Sort::By(number.into())));
    let column = Column::new(Span::styled(title, cx.theme.title), width, value).right();
    Some((if orders.is_some() { column.sortable() } else { column }, orders))
}

/// The title of a column, which stands out where queries are sorted by it.
pub(in crate::tui::screens) fn heading<S>(
    cx: Context<'_, S>,
    name: &str,
    is_sorted: bool,
) -> Span<'static> {
    if is_sorted {
        Span::styled(format!("{name}{}", cx.model.selection.sort.sign()), cx.theme.title)
    } else {
        Span::styled(name.to_owned(), cx.theme.dim)
    }
}

/// Takes a click on the list, whose columns before the text change between some orders.
pub(in crate::tui::screens) fn point(
    model: &mut Model,
    orders: impl FnOnce(&Model) -> Vec<Option<[Sort; 2]>>,
    target: Target,
) {
    match target {
        Target::Row(QUERIES, place) if place < model.selection.queries.len() => {
            model.selection.pane = Pane::Queries;
            model.select_query(place);
        }
        Target::Heading(QUERIES, column) => {
            if let Some(Some(orders)) = orders(model).into_iter().nth(column) {
                model.sort_either(orders);
            }
        }
        Target::List(QUERIES) => model.selection.pane = Pane::Queries,
        _ => {}
    }
}

/// Columns of what queries are sorted by, at the least and at the most.
const LEAST_VALUE: usize = 7;
const WIDEST_VALUE: usize = 10;

/// Why no query is listed, and the key that lists what the search matches.
fn nothing<S>(cx: Context<'_, S>) -> String {
    let model = cx.model;
    if model.search.text().is_empty() {
        if model.queue_in_force().is_some() {
            let [direction, judge] = [Action::Direction, Action::Judge];
            let [direction, judge] = [direction, judge].map(|of| cx.ui.keymap.hint(of));
            return format!(
                "no query of the pool; {direction} shows the other direction, {judge} all queries"
            );
        }
        if model.filtered().is_some() {
            let close = cx.ui.keymap.hint(Action::Close);
            return format!("no query meets the filter; {close} ends it");
        }
        return "no query is judged".into();
    }
    let name = &model.truth().name;
    let hidden = model.hidden_matches();
    if let Some(met) = model.filtered() {
        return nothing_in_filter(cx, met.len(), &hidden);
    }
    let key = cx.ui.keymap.hint(Action::NextTruth);
    let found = model.search.found(model.view.direction);
    let found = found.map(|found| found.counted(hidden.not_judged));
    match (found, hidden.judging) {
        (Some(found), None) if hidden.not_judged > 0 => {
            format!("{found}, none judged by any ground truth")
        }
        (Some(found), Some(other)) => {
            // While the line is typed on, keys are letters of it.
            let first = if model.search.is_typing() { "Enter, then " } else { "" };
            let keys = vec![key; other.steps].join(" ");
            let (judged, other) = (grouped(other.count), other.truth);
            format!(
                "{found}, none judged by {name}; {other} judges {judged}: {first}{keys} shows them"
            )
        }
        _ => "nothing matches".into(),
    }
}

/// The same where a filter is in force: what of the matches it hides, and the way to them.
fn nothing_in_filter<S>(cx: Context<'_, S>, met: usize, hidden: &HiddenMatches) -> String {
    let (met, name) = (grouped(met), &cx.model.truth().name);
    let none = format!("no match among the {met} queries that meet the filter");
    let close = cx.ui.keymap.hint(Action::Close);
    match (hidden.filtered, hidden.not_judged) {
        (0, 0) => format!("{none}, nor without it"),
        (0, others) => {
            let others = grouped(others);
            let told = format!("{none}, nor without it; {others} that {name} does not judge");
            let key = cx.ui.keymap.hint(Action::NextTruth);
            let way = hidden.judging.as_ref().map(|other| {
                let keys = vec![key; other.steps].join(" ");
                format!(", {} does ({keys})", other.truth)
            });
            told + &way.unwrap_or_default()
        }
        (without, _) => {
            let without = grouped(without);
            format!(
                "{none}; without it {without}: {close} ends the search, again {close} the filter"
            )
        }
    }
}

/// The order in words, for the frame of the list. Where they do not fit, the sign in the heading of the column tells it, if
/// the list has that: the numbers of one model have none beside several rankings, and a difference of AP@R, whichever model
/// is better, has none anywhere.
pub(in crate::tui::screens) fn order<S>(cx: Context<'_, S>, is_of_one: bool) -> Segment {
    let (words, sort) = (cx.model.order_words(), &cx.model.selection.sort);
    let form = |words: &str| Line::styled(format!(" {words} "), cx.theme.dim);
    let short = match sort {
        _ if cx.model.wanted_overlaps().is_some() => "…",
        Sort::Difference => "|Δ| AP@R",
        Sort::Worst | Sort::Best if !is_of_one => "AP@R",
        Sort::Latest | Sort::Earliest if !is_of_one => "rank",
        _ => "",
    };
    match (&*words, short) {
        ("", _) => Segment::new(1, ""),
        (words, "") => Segment::new(1, form(words)).right(),
        (words, short) => {
            Segment::new(1, form(words)).or(5, form(&format!("{short} {}", sort.sign()))).right()
        }
    }
}

/// Draws the frame of the list: how many queries are listed, the search, the order and the condition in force. Gives the
/// area inside.
pub(in crate::tui::screens) fn frame<S>(
    cx: Context<'_, S>,
    order: Segment,
    area: Rect,
    buf: &mut Buffer,
) -> Rect {
    let model = cx.model;
    let focus = model.selection.pane == Pane::Queries;
    let line = |words: String| Line::styled(words, pane::title_style(focus, cx.theme));
    let (place, count) = (model.selection.selected + 1, model.selection.queries.len());
    let place = format!(" queries {}/{}", grouped(place.min(count)), grouped(count));
    let marked = signs::marked(model.marked_counts()[0]);
    let few = marked.trim_end_matches(" marked").to_owned();
    let mut segments =
        vec![Segment::new(9, line(place)), Segment::new(2, line(marked)).or(6, line(few))];
    if !model.search.text().is_empty() {
        let searched = format!(" /{}", model.search.text());
        let longest = text::width(&searched).max(6);
        let form = |columns| line(text::fit(&searched, columns));
        segments.push(Segment::stretched(7, 6..=longest, form));
    }
    segments.extend([Segment::new(9, line(" ".into())), order]);
    let inner = pane::headed(&Segments(segments), focus, cx.theme, area, buf);
    filtered_view::draw(cx, Of::List, area, buf);
    inner
}

/// Columns after the text of a query with a note: a blank and the sign.
const NOTED: usize = 2;

/// The text of a query in exactly so many columns, its phrases coloured, and the sign of a note after it.
pub(in crate::tui::screens) fn words<S>(
    cx: Context<'_, S>,
    (direction, query): (Direction, usize),
    room: usize,
) -> Vec<Span<'static>> {
    let is_noted = cx.model.note(direction, query).is_some() && room > NOTED;
    let room = if is_noted { room - NOTED } else { room };
    let label = text::pad(&cx.model.label(direction, query, room), room);
    let of = (direction, query);
    let mut spans = phrased_label(cx, of, &label, Style::default()).line(&label);
    if is_noted {
        spans.push(Span::raw(" "));
        spans.push(Span::styled(signs::NOTE, cx.theme.key));
    }
    spans
}

/// A caption's text; an image's first own caption where there is one, else its name.
pub(in crate::tui::screens) fn label(model: &Model, query: usize) -> String {
    model.label(model.view.direction, query, usize::MAX)
}

/// The same, a caption's text in quotes.
pub(in crate::tui::screens) fn quoted(model: &Model, query: usize) -> String {
    let label = label(model, query);
    match model.view.direction {
        Direction::T2i => format!("“{label}”"),
        Direction::I2t => label,
    }
}

/// An image in one line: what its first own caption says, else its file name.
pub(in crate::tui::screens) fn image_label(model: &Model, image: usize) -> String {
    model.image_label(image, usize::MAX)
}

/// A caption whose phrases are to be coloured, with a look for what is none; while one judges blind none is. A
/// prefix may stand before it.
pub(in crate::tui::screens) fn phrased<'a, S>(
    cx: Context<'a, S>,
    (caption, prefix): (Option<usize>, &str),
    look: Style,
) -> Phrased<'a> {
    let phrases = cx.model.study.phrases.as_deref();
    let phrases = phrases.filter(|_| !cx.model.is_blind() && cx.model.study.shows_original());
    let chosen = cx.ui.pictures.chain();
    Phrased::new(phrases, (caption, prefix), (cx.theme, chosen), look)
}

/// The same of what [`Model::label`] says of a query of a direction.
pub(in crate::tui::screens) fn phrased_label<'a, S>(
    cx: Context<'a, S>,
    (direction, query): (Direction, usize),
    label: &str,
    look: Style,
) -> Phrased<'a> {
    let caption = match direction {
        Direction::T2i => Some(query),
        Direction::I2t => cx.model.captions_of(query).first().map(|&first| first as usize),
    };
    let is_id = direction == Direction::I2t && label.starts_with('[');
    let prefix = label.split_once("] ").filter(|_| is_id);
    phrased(cx, (caption, prefix.map_or("", |(id, _)| id)), look)
}
