//! Draws the list of picks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::rows::Row;
use super::{Cx, Pane};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::error::Error;
use crate::figure::Wanted;
use crate::session::Pick;
use crate::tui::screens::filtered_view;
use crate::tui::screens::queries::{image_label, phrased_label};
use crate::tui::signs;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of a pick's number and direction.
const BEFORE: usize = 9;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::List;
    let count = cx.model.session.picks().len();
    let place = grouped(cx.model.selected_place() + 1);
    let title = format!("picks {place}/{}", grouped(count));
    let list = pane::frame(&title, "", focus, cx.theme, area, buf);
    filtered_view::draw(cx, filtered_view::Of::None, area, buf);
    let picks: Vec<&Pick> = cx.model.listed_picks().collect();
    let rows = cx.pick_rows();
    let width = usize::from(list.width);
    let shown = rows.iter().skip(cx.state.offset);
    for (row, y) in shown.zip(list.top()..list.bottom()) {
        let place = row.place();
        let pick = picks[place];
        let line = match row {
            Row::Heading(_) => heading(cx, pick, width),
            Row::Query(_) => query(cx, (place, pick), width),
            Row::Shown(_) => how(cx, pick, width),
            Row::Noted(_) => noted(cx, pick, width),
        };
        buf.set_line(list.x, y, &line, list.width);
        let is_its = !matches!(row, Row::Heading(_));
        if is_its && place == cx.model.selected_place() {
            pane::mark(focus, cx.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll =
        Scroll { offset: cx.state.offset, shown: usize::from(list.height), total: rows.len() };
    pane::scrollbar(scroll, focus, cx.theme, list, buf);
}

fn heading(cx: Cx<'_>, pick: &Pick, width: usize) -> Line<'static> {
    let heading = text::fit(&format!(" {}", pick.heading()), width);
    Line::from(Span::styled(heading, cx.theme.title))
}

/// Number, direction and the query itself.
fn query(cx: Cx<'_>, (place, pick): (usize, &Pick), width: usize) -> Line<'static> {
    let before = format!("{} {} ", text::pad_left(&(place + 1).to_string(), 4), pick.direction);
    let room = width.saturating_sub(BEFORE);
    let mut spans = vec![Span::styled(text::pad(&before, BEFORE), cx.theme.dim)];
    if let Ok(wanted) = cx.model.shown_by(pick) {
        spans.extend(words(cx, &wanted, room));
    } else {
        let query = text::fit(&format!("query {}", pick.query), room);
        spans.push(Span::styled(query, cx.theme.dim));
    }
    Line::from(spans)
}

/// The query, its phrases in the colours of their chains.
fn words(cx: Cx<'_>, wanted: &Wanted, room: usize) -> Vec<Span<'static>> {
    let words = match wanted.direction {
        Direction::T2i => cx.model.study.gallery.caption(wanted.query),
        Direction::I2t => image_label(cx.model, wanted.query),
    };
    let words = text::fit(&words, room);
    let of = (wanted.direction, wanted.query);
    phrased_label(cx, of, &words, cx.theme.base.into()).line(&words)
}

/// The note, then models, items and truth; or why the study shows nothing of it.
fn how(cx: Cx<'_>, pick: &Pick, width: usize) -> Line<'static> {
    let room = width.saturating_sub(BEFORE);
    let mut spans = vec![Span::raw(" ".repeat(BEFORE))];
    let wanted = match cx.model.shown_by(pick) {
        Ok(wanted) => wanted,
        Err(error) => {
            let why = text::fit(&reason(&error), room);
            spans.push(Span::styled(why, cx.theme.warning));
            return Line::from(spans);
        }
    };
    let items = if pick.depth == 1 { "item" } else { "items" };
    let models = wanted.models.iter();
    let models = models.map(|&at| &*cx.model.study.models[at].name);
    let models = shown(&models.collect::<Vec<_>>().join(", "));
    let verdicts = &cx.model.judgements.verdicts;
    let truth = shown(&wanted.truth_in_force(&cx.model.study, verdicts));
    let told = format!("{models} · {} {items} · {truth}", pick.depth);
    if pick.note.is_empty() {
        spans.push(Span::styled(text::fit(&told, room), cx.theme.dim));
        return Line::from(spans);
    }
    // A long note takes half of the line.
    let note = shown(&pick.note);
    let room = room.saturating_sub(3);
    let of_note = text::width(&note).min(room / 2);
    let told = text::fit(&told, room - of_note);
    let left = room.saturating_sub(text::width(&told));
    spans.push(Span::styled(told, cx.theme.dim));
    spans.push(Span::styled(format!(" {} ", signs::NOTE), cx.theme.key));
    spans.push(Span::raw(text::fit(&note, left)));
    Line::from(spans)
}

/// The note on the query, which is in no figure.
fn noted(cx: Cx<'_>, pick: &Pick, width: usize) -> Line<'static> {
    let note = cx.model.note_on_pick(pick).unwrap_or_default();
    let before = format!("{}{} ", " ".repeat(BEFORE), signs::NOTE);
    let words = format!("on the query: {note}");
    let room = width.saturating_sub(text::width(&before));
    Line::from(vec![
        Span::styled(before, cx.theme.key),
        Span::styled(text::fit(&words, room), cx.theme.dim),
    ])
}

fn reason(error: &Error) -> String {
    shown(error.found())
}
