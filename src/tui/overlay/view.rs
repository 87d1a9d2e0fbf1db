//! Draws what is open on top.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Overlay, Palette, Sheet, Tone};
use crate::tui::app::App;
use crate::tui::theme::Theme;
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{picture, text};

/// Draws the open overlay over `screen`; gives the cursor's place, where there is one.
pub fn draw(app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    if let Some(error) = &app.changed {
        super::leave_view::draw_changed(error, app, screen, buf);
    }
    match app.overlay.as_ref()? {
        Overlay::Sheet(sheet) => {
            draw_sheet(sheet, app, screen, buf);
            None
        }
        Overlay::Palette(palette) => draw_palette(palette, app, screen, buf),
        Overlay::Conditions(menu) => super::conditions_view::draw(menu, app, screen, buf),
        Overlay::Note(note) => super::note_view::draw(note, app, buf),
        Overlay::Order(order) => super::note_view::draw_order(order, app, buf),
        Overlay::Pick(line) => super::note_view::draw_pick(line, app, buf),
        Overlay::Export(form) => super::export_view::draw(form, app, screen, buf),
        Overlay::Unsaved(asked) => super::leave_view::draw_unsaved(asked, app, screen, buf),
        Overlay::Curve => {
            super::curve_view::draw(app, screen, buf);
            None
        }
        Overlay::Tests(tests) => {
            super::contest_view::draw(tests, app, screen, buf);
            None
        }
        Overlay::Steps(steps) => {
            super::steps_view::draw(*steps, app, screen, buf);
            None
        }
    }
}

fn draw_sheet(sheet: &Sheet, app: &App, screen: Rect, buf: &mut Buffer) {
    let theme = &app.theme;
    let parts = sheet.parts((screen.width, screen.height));
    let place = sheet.place((screen.width, screen.height));
    let (width, highest) = parts.outer;
    let lines = u16::try_from(sheet.lines.len()).unwrap_or(u16::MAX);
    let height = match place {
        Some(_) => highest,
        None => highest.min(lines.saturating_add(2)),
    };
    let note = if lines > parts.text.1 {
        "j/k scroll, Esc closes"
    } else {
        "Esc closes"
    };
    let inner = pane::popup(&sheet.title, note, (width, height), theme, screen, buf);
    draw_text(sheet, parts.text, theme, inner, buf);
    if let Some(place) = place {
        picture::draw(app.pictures.get(place), theme, place.area, buf);
    }
}

/// The text of a sheet in so many columns and rows: at the right of its picture, or below it.
fn draw_text(sheet: &Sheet, text: (u16, u16), theme: &Theme, inner: Rect, buf: &mut Buffer) {
    let lines: Vec<Line> = sheet
        .lines
        .iter()
        .map(|pieces| line(pieces, theme))
        .collect();
    let area = Rect {
        x: inner.right().saturating_sub(text.0 + 1),
        y: inner.bottom().saturating_sub(text.1.min(inner.height)),
        width: text.0,
        height: text.1,
    };
    let area = area.intersection(inner);
    pane::lines(&lines, sheet.offset, area, buf);
    let scroll = Scroll {
        offset: sheet.offset,
        shown: usize::from(area.height),
        total: lines.len(),
    };
    let beside = Rect {
        y: area.y,
        height: area.height,
        ..inner
    };
    pane::scrollbar(scroll, true, theme, beside, buf);
}

fn line<'a>(pieces: &'a [(Tone, String)], theme: &Theme) -> Line<'a> {
    let span = |(tone, text): &'a (Tone, String)| Span::styled(text.as_str(), style(*tone, theme));
    pieces.iter().map(span).collect()
}

fn style(tone: Tone, theme: &Theme) -> Style {
    match tone {
        Tone::Base => theme.base.into(),
        Tone::Dim => theme.dim.into(),
        Tone::Title => theme.title.into(),
        Tone::Key => theme.key.into(),
        Tone::Warning => theme.warning.into(),
        Tone::Badge(badge) => theme.badge(badge),
    }
}

fn draw_palette(
    palette: &Palette,
    app: &App,
    screen: Rect,
    buf: &mut Buffer,
) -> Option<(u16, u16)> {
    let rows = u16::try_from(palette.actions.len())
        .unwrap_or(u16::MAX)
        .saturating_add(3);
    let size = (screen.width.saturating_sub(4).min(72), rows.clamp(4, 20));
    let inner = pane::popup(
        "do",
        "Enter does it, Esc closes",
        size,
        &app.theme,
        screen,
        buf,
    );
    if inner.height < 2 {
        return None;
    }
    buf.set_stringn(
        inner.x,
        inner.y,
        format!(" : {}", palette.input.value()),
        usize::from(inner.width),
        app.theme.base,
    );
    let room = usize::from(inner.height - 1);
    let offset = (palette.selected + 1).saturating_sub(room);
    for (row, &action) in palette.actions.iter().enumerate().skip(offset).take(room) {
        let y = inner.y + 1 + (row - offset) as u16;
        let width = usize::from(inner.width);
        let name = text::pad(action.name(), 20);
        let keys = text::pad_left(&app.keymap.hint(action), 8);
        let doc = text::pad(action.doc(), width.saturating_sub(32));
        let pieces = [
            (app.theme.title, format!("  {name}")),
            (app.theme.base, doc),
            (app.theme.key, format!(" {keys} ")),
        ];
        let line: Line = pieces
            .into_iter()
            .map(|(look, text)| Span::styled(text, look))
            .collect();
        buf.set_line(inner.x, y, &line, inner.width);
        if row == palette.selected {
            buf.set_style(Rect::new(inner.x, y, inner.width, 1), app.theme.selected);
        }
    }
    let column = inner.x + 3 + palette.input.visual_cursor() as u16;
    Some((column.min(inner.right().saturating_sub(1)), inner.y))
}
