//! An image in its area, or the reason why there is none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Widget};
use ratatui_image::Image;

use super::text;
use crate::image_file::Why;
use crate::tui::context::Ui;
use crate::tui::theme::Theme;
use crate::tui::thumbnails::{Painted, Place};

/// Draws an image in its area, or requests it with priority `order`; nothing if images are off, or if the terminal
/// would draw it over a popup.
pub fn show(order: usize, place: Place, ui: &Ui, buf: &mut Buffer) {
    let (theme, area) = (&ui.theme, place.area.intersection(buf.area));
    if area.area() == 0 || ui.image_protocol().is_none() || ui.hides_images() {
        return;
    }
    ui.thumbnails.show(order, place);
    draw(ui.thumbnails.get(place), theme, area, buf);
}

/// Draws an image, its error, or for `None` a placeholder.
pub fn draw(known: Option<Result<&Painted, &Why>>, theme: &Theme, area: Rect, buf: &mut Buffer) {
    match known {
        Some(Ok(painted)) => paint(painted, area, buf),
        Some(Err(why)) => reason(why, theme, area, buf),
        None => draw_centred(&["…".into()], theme, area, buf),
    }
}

fn paint(painted: &Painted, area: Rect, buf: &mut Buffer) {
    let size = painted.protocol.size();
    let (width, height) = (size.width.min(area.width), size.height.min(area.height));
    let middle = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let image = Image::new(&painted.protocol).allow_clipping(true);
    image.render(middle, buf);
}

/// Minimum width for the whole reason.
const WITH_REASON: usize = 12;

/// The reason in a frame, or one word of it without room for more.
fn reason(why: &Why, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let frame = Block::bordered().border_type(BorderType::Rounded).border_style(theme.dim);
    let inner = frame.inner(area);
    let columns = usize::from(inner.width);
    let lines = (columns >= WITH_REASON).then(|| text::wrap(&why.to_string(), columns));
    match lines.filter(|lines| lines.len() <= usize::from(inner.height)) {
        Some(lines) => {
            frame.render(area, buf);
            draw_centred(&lines, theme, inner, buf);
        }
        None => draw_centred(&[why.word().into()], theme, area, buf),
    }
}

/// Centred lines.
fn draw_centred(lines: &[String], theme: &Theme, area: Rect, buf: &mut Buffer) {
    let columns = usize::from(area.width);
    let above = usize::from(area.height).saturating_sub(lines.len()) / 2;
    let rows = (area.top()..area.bottom()).skip(above);
    for (line, y) in lines.iter().zip(rows) {
        let line = text::fit(line, columns);
        let before = columns.saturating_sub(text::width(&line)) / 2;
        buf.set_string(area.x + before as u16, y, line, theme.dim);
    }
}
