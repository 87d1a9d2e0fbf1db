//! Draws the present screen with header and footer.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{footer, header};
use crate::tui::app::App;
use crate::tui::widgets::text;

/// Draws what is between header and footer.
pub(super) type Draw = fn(&App, Rect, &mut Buffer);

/// Draws the whole terminal; gives the cursor's place while something is typed.
pub fn draw(app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    buf.set_style(screen, app.theme.base);
    let frame = app.frame();
    if frame.is_too_small() {
        too_small(app, screen, buf);
        return None;
    }
    header::draw(app, frame.header, buf);
    app.screen.view()(app, frame.body, buf);
    footer::draw(app, frame.footer, buf)
}

fn too_small(app: &App, screen: Rect, buf: &mut Buffer) {
    let width = usize::from(screen.width);
    let size = format!("{}x{}", screen.width, screen.height);
    let lines = [
        format!("{size} is too small"),
        "needs 40x8".to_owned(),
        "q leaves".to_owned(),
    ];
    for (line, y) in lines.iter().zip(screen.top()..screen.bottom()) {
        buf.set_string(screen.x, y, text::fit(line, width), app.theme.base);
    }
}
