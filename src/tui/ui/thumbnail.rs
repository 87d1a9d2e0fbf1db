//! Draws an image, or the reason why it cannot be shown.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Widget};
use ratatui_image::Image;

use super::text;
use crate::image_file::NoImage;
use crate::tui::context::Ui;
use crate::tui::theme::Theme;
use crate::tui::thumbnails::{Painted, Place};

/// Requests an image with this priority, 0 first, and draws it, or a placeholder until it is painted. Does nothing if
/// images are off, or if the terminal would draw the image over a popup.
pub fn show(priority: usize, place: Place, ui: &Ui, buf: &mut Buffer) {
    let (theme, area) = (&ui.theme, place.area.intersection(buf.area));
    if area.area() == 0 || ui.image_protocol().is_none() || ui.hides_images() {
        return;
    }
    ui.thumbnails.request(priority, place);
    draw(ui.thumbnails.get(place), theme, area, buf);
}

/// Draws an image (`Ok`), the reason why it cannot be shown (`Err`), or a placeholder while neither is known (`None`).
pub fn draw(
    image: Option<Result<&Painted, &NoImage>>,
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) {
    match image {
        Some(Ok(painted)) => draw_image(painted, area, buf),
        Some(Err(why)) => draw_reason(why, theme, area, buf),
        None => draw_centred(&["…".into()], theme, area, buf),
    }
}

/// Draws an image in the middle of an area, cut to it.
fn draw_image(painted: &Painted, area: Rect, buf: &mut Buffer) {
    let size = painted.protocol.size();
    let (width, height) = (size.width.min(area.width), size.height.min(area.height));
    let middle = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    Image::new(&painted.protocol).allow_clipping(true).render(middle, buf);
}

/// Minimum columns, inside the frame, for a reason in full.
const MIN_REASON_COLUMNS: usize = 12;

/// Draws a reason in a frame; if there is no room for it, one word without a frame.
fn draw_reason(why: &NoImage, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let frame = Block::bordered().border_type(BorderType::Rounded).border_style(theme.dim);
    let inner = frame.inner(area);
    let columns = usize::from(inner.width);
    let lines = (columns >= MIN_REASON_COLUMNS).then(|| text::wrap(&why.to_string(), columns));
    match lines.filter(|lines| lines.len() <= usize::from(inner.height)) {
        Some(lines) => {
            frame.render(area, buf);
            draw_centred(&lines, theme, inner, buf);
        }
        None => draw_centred(&[why.short().into()], theme, area, buf),
    }
}

/// Draws lines in the middle of an area.
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
