//! Draws the present screen with header and footer, and what is open on top.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::screens::{footer, header};
use super::tour;
use super::ui::{Ui, plain};
use super::widgets::hits::Target;
use super::widgets::text;

/// Draws the whole screen; gives the cursor's place, where there is one.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    app.ui.hits.borrow_mut().clear(area.as_size().into());
    app.ui.pictures.clear_places();
    app.ui.is_covered.set(app.popup.is_some());
    let mut cursor = screen(app, area, buf);
    let cx = plain(&app.model, &app.ui);
    if let Some(popup) = &app.popup {
        app.ui.is_covered.set(false);
        cursor = popup.draw(cx, area, buf).or(cursor);
    }
    app.ui.centres.set(false);
    let last = app.ui.frame().footer;
    if !app.ui.frame().is_too_small() {
        // A line that is typed there stays in sight.
        let is_typed = cursor.is_some_and(|(_, y)| y == last.y);
        footer::message(cx, Rect { y: last.y - u16::from(is_typed), ..last }, buf);
    }
    if let Some(tour) = app.tour.as_ref().filter(|_| !app.ui.frame().is_too_small()) {
        tour::draw(tour, cx, buf);
    }
    cursor
}

/// Draws the present screen with header and footer; gives the cursor's place while something is typed.
fn screen(app: &App, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let (model, ui) = (&app.model, &app.ui);
    buf.set_style(area, ui.theme.base);
    let frame = ui.frame();
    if frame.is_too_small() {
        too_small(ui, area, buf);
        return None;
    }
    header::draw(plain(model, ui), &app.titles(), app.shown(), frame.header, buf);
    app.screen().draw(model, ui, frame.body, buf);
    if app.popup.is_some() {
        ui.hit(area, Target::Behind);
    }
    footer::draw(plain(model, ui), app.footer_hints(), frame.footer, buf)
}

fn too_small(ui: &Ui, screen: Rect, buf: &mut Buffer) {
    let width = usize::from(screen.width);
    let size = format!("{}x{}", screen.width, screen.height);
    let lines = [format!("{size} is too small"), "needs 40x8".to_owned(), "q leaves".to_owned()];
    for (line, y) in lines.iter().zip(screen.top()..screen.bottom()) {
        buf.set_string(screen.x, y, text::fit(line, width), ui.theme.base);
    }
}
