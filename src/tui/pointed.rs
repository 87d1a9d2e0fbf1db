//! What a click meets of what is open on top: read off as it is drawn, so that what one sees is what one clicks.

use std::ops::Range;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::app::App;
use super::popup::Pointed;
use super::ui::plain;

/// A sign that nothing draws: where it is left, nothing was drawn.
const UNDRAWN: &str = "\u{0}";

/// Where a column and a row are within what is open on top; `None` where that does not cover them.
pub(super) fn pointed(app: &App, (x, y): (u16, u16)) -> Option<Pointed> {
    let drawn = Drawn::of(app)?;
    let [columns, rows] = drawn.around((x, y))?;
    let lines = drawn.lines(&rows);
    let mut chosen = lines.clone().filter(|&row| drawn.is_selected((x, row)));
    let chosen = chosen.next().filter(|_| lines.contains(&y));
    Some(Pointed {
        place: (x - columns.start, y - rows.start),
        below: chosen.map(|row| i32::from(y) - i32::from(row)),
    })
}

/// What is open on top, alone.
struct Drawn {
    buf: Buffer,
    selected: Style,
    /// Rows of its frame's inside above and below its list.
    around: [u16; 2],
}

impl Drawn {
    fn of(app: &App) -> Option<Self> {
        let popup = app.popup.as_ref()?;
        let (width, height) = app.ui.size;
        let screen = Rect::new(0, 0, width, height);
        let mut buf = Buffer::filled(screen, Cell::new(UNDRAWN));
        popup.draw(plain(&app.model, &app.ui), screen, &mut buf);
        Some(Drawn { buf, selected: app.ui.theme.selected.into(), around: popup.around() })
    }

    fn has(&self, place: (u16, u16)) -> bool {
        let cell = self.buf.cell(place);
        cell.is_some_and(|cell| cell.symbol() != UNDRAWN)
    }

    /// The columns and the rows that are drawn around a place, each in one piece.
    fn around(&self, (x, y): (u16, u16)) -> Option<[Range<u16>; 2]> {
        self.has((x, y)).then(|| {
            let columns = piece(x, self.buf.area.width, |x| self.has((x, y)));
            [columns, piece(y, self.buf.area.height, |y| self.has((x, y)))]
        })
    }

    /// The rows of its list, within a frame.
    fn lines(&self, rows: &Range<u16>) -> Range<u16> {
        let [above, below] = self.around;
        rows.start + 1 + above..rows.end.saturating_sub(1 + below)
    }

    fn is_selected(&self, place: (u16, u16)) -> bool {
        let cell = self.buf.cell(place);
        cell.is_some_and(|cell| cell.style().patch(self.selected) == cell.style())
    }
}

/// The places around one that all hold.
fn piece(at: u16, end: u16, holds: impl Fn(u16) -> bool) -> Range<u16> {
    let before = (0..at).rev().take_while(|&at| holds(at)).count() as u16;
    let after = (at..end).take_while(|&at| holds(at)).count() as u16;
    at - before..at + after
}
