//! Draws the table of answers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{VerdictTable, texts};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::response::{Response, counted};
use crate::tui::model::judgments::Answered;
use crate::tui::signs;
use crate::tui::ui::Context;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// Columns of the answer with its sign, and of the time.
const RESPONSE: usize = 15;
const WHEN: usize = 18;
/// Columns of the year with its hyphen, and of a time to the minute; narrower tables leave the year out.
const YEAR: usize = 5;
const MINUTES: usize = 16;
const WITH_YEAR: usize = 90;
/// Rows above the list: names of the columns.
pub(super) const ABOVE: u16 = 1;

pub(super) fn draw(
    table: &VerdictTable,
    cx: Context<'_>,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let lines = u16::try_from(table.rows.len()).unwrap_or(u16::MAX);
    let size = (
        screen.width.saturating_sub(4),
        lines.saturating_add(4).min(screen.height.saturating_sub(2)),
    );
    let answers = || table.rows.iter().filter_map(|row| row.response);
    let verdicts = answers().filter_map(Response::verdict).count();
    let all = answers().count();
    let counted = counted(verdicts, all - verdicts);
    let title = if table.listed.len() == table.rows.len() {
        counted
    } else {
        // A row whose answer was changed or deleted stays, and is none of those that were asked for.
        let listed = table.listed.iter().map(|&place| &table.rows[place]);
        let is_asked = |row: &&Answered| row.response.is_some() && table.has_words(row, cx.model);
        let listed = listed.filter(is_asked).count();
        format!("{} of {} answers: {counted}", grouped(listed), grouped(all))
    };
    let note = cx.model.message.as_deref().unwrap_or_default();
    let inner = pane::popup(&title, note, size, cx.ui, screen, buf);
    if inner.height <= ABOVE + 1 {
        return None;
    }
    let list = Rect { y: inner.y + ABOVE, height: inner.height - ABOVE - 1, ..inner };
    let width = usize::from(inner.width);
    let columns = Columns::of(width);
    let head = head(cx, columns);
    buf.set_stringn(inner.x, inner.y, head, width, cx.theme.dim);
    rows(table, cx, columns, list, buf);
    typed(table, cx, Rect::new(inner.x, list.bottom(), inner.width, 1), buf)
}

fn rows(table: &VerdictTable, cx: Context<'_>, columns: Columns, list: Rect, buf: &mut Buffer) {
    let shown = usize::from(list.height);
    let offset = (table.selected + 1).saturating_sub(shown);
    if table.listed.is_empty() {
        let words = format!("   no such row; answers: {}", table.answers_there());
        let words = text::fit(&words, usize::from(list.width));
        buf.set_string(list.x, list.y, words, cx.theme.dim);
    }
    let places = table.listed.iter().enumerate().skip(offset);
    for ((at, &place), y) in places.zip(list.top()..list.bottom()) {
        let line = line(cx, &table.rows[place], columns);
        buf.set_line(list.x, y, &line, list.width);
        if at == table.selected {
            pane::mark(true, cx.theme, Rect::new(list.x, y, list.width, 1), buf);
        }
    }
    let scroll = Scroll { offset, shown, total: table.listed.len() };
    pane::scrollbar(scroll, true, cx.theme, list, buf);
}

/// The line that chooses among the answers, while there is something on it; else whose answers are left out.
fn typed(
    table: &VerdictTable,
    cx: Context<'_>,
    area: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    if !table.is_typed && table.filter.text().is_empty() {
        if let Some(others) = cx.model.left_out() {
            let ways = others.map(|words| format!(" {words}"));
            let others = text::first_fitting(ways, usize::from(area.width));
            buf.set_string(area.x, area.y, others, cx.theme.dim);
        }
        return None;
    }
    let cursor = table.filter.draw(" / ", ("", cx.theme.dim), area, cx.theme, buf);
    cursor.filter(|_| table.is_typed)
}

/// Columns of what a row has room for.
#[derive(Clone, Copy)]
struct Columns {
    when: usize,
    query: usize,
    item: usize,
}

impl Columns {
    /// The year is told where there is room.
    fn of(width: usize) -> Self {
        let when = if width < WITH_YEAR { WHEN - YEAR } else { WHEN };
        let room = width.saturating_sub(RESPONSE + when + 1);
        Columns { when, query: room / 2, item: room - room / 2 }
    }
}

fn head(cx: Context<'_>, columns: Columns) -> String {
    let [query, item] = match cx.model.view.direction {
        Direction::I2t => ["image", "caption"],
        Direction::T2i => ["caption", "image"],
    };
    let names = [
        ("   answer", RESPONSE),
        ("when, UTC", columns.when),
        (query, columns.query),
        (item, columns.item),
    ];
    let names = names.map(|(name, columns)| text::pad(name, columns));
    names.concat()
}

fn line(cx: Context<'_>, row: &Answered, columns: Columns) -> Line<'static> {
    let [query, item] = texts(row, cx.model);
    let (response, style) = match row.response {
        Some(response) => {
            (format!(" {} {response}", signs::response(response)), cx.theme.response(response))
        }
        None => ("   deleted".into(), cx.theme.dim.into()),
    };
    // To the minute.
    let when = row.at.to_string().replace('T', " ");
    let from = if columns.when < WHEN { YEAR } else { 0 };
    let when = when.get(from..MINUTES).unwrap_or(&when);
    let cell = |words: &str, columns: usize| {
        text::pad(&text::fit(words, columns.saturating_sub(2)), columns)
    };
    Line::from(vec![
        Span::styled(text::pad(&response, RESPONSE), style),
        Span::styled(text::pad(when, columns.when), cx.theme.dim),
        Span::raw(cell(&query, columns.query)),
        Span::raw(text::fit(&item, columns.item)),
    ])
}
