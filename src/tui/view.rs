//! Draws the present screen with header and footer, and what is open on top.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::app::App;
use super::popups::changed;
use super::screens::{footer, header, judging_view};
use super::ui::{Ui, plain};
use super::widgets::text;

/// Draws the whole screen; gives the cursor's place, where there is one.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let cursor = screen(app, area, buf);
    let cx = plain(&app.model, &app.ui);
    if let Some(error) = &app.changed {
        changed::draw(error, cx, area, buf);
    }
    let popup = app.popup.as_ref();
    popup.and_then(|popup| popup.draw(cx, area, buf)).or(cursor)
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
    header::draw(plain(model, ui), app.tabs(), frame.header, buf);
    app.screen().draw(model, ui, frame.body, buf);
    let hints = if model.judging.is_on {
        judging_view::hints()
    } else {
        app.screen().hints(model, ui)
    };
    footer::draw(plain(model, ui), hints, frame.footer, buf)
}

fn too_small(ui: &Ui, screen: Rect, buf: &mut Buffer) {
    let width = usize::from(screen.width);
    let size = format!("{}x{}", screen.width, screen.height);
    let lines = [
        format!("{size} is too small"),
        "needs 40x8".to_owned(),
        "q leaves".to_owned(),
    ];
    for (line, y) in lines.iter().zip(screen.top()..screen.bottom()) {
        buf.set_string(screen.x, y, text::fit(line, width), ui.theme.base);
    }
}
