//! The pane with the selected item in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Cx;
use crate::data::text::grouped;
use crate::tui::context::plain;
use crate::tui::popups::detail as pair;
use crate::tui::popups::sheet::Page;
use crate::tui::screens::card_view;
use crate::tui::signs;
use crate::tui::thumbnails::Place;
use crate::tui::ui::{pane, thumbnail};

/// Minimum columns of the pane for an image in it.
const MIN_WIDTH: u16 = 22;

/// Draws the text of the selected item, and at its right the image of the pair.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let model = cx.model;
    let item = model.item();
    // A narrow ranking has no room for scores.
    let title = item.filter(|_| !model.is_blind()).map_or("item".into(), |item| {
        format!("item at rank {}, score {}", grouped(item.rank), signs::score(item.score))
    });
    let mut inner = pane::draw_frame(title, "", false, cx.theme, area, buf);
    let area = image_area(cx, inner);
    inner.width -= area.width;
    let mut page = Page::new(inner.width.saturating_sub(2), cx.theme);
    if let Some(item) = item {
        pair::write_item(plain(model, cx.ui), &mut page, item.item);
    }
    pane::draw_lines(&pane::clip(page.lines, inner.height.into()), 0, inner, buf);
    if let Some(image) = model.selected_image() {
        thumbnail::show(1, Place { area, image }, cx.ui, buf);
    }
}

/// Area of the selected pair's image, at the right of the pane; empty without room.
fn image_area(cx: Cx<'_>, inner: Rect) -> Rect {
    let width = card_view::image_columns(inner.height).min(inner.width / 2);
    let no_image = cx.ui.why_no_image(cx.model.selected_image()).is_some();
    if cx.ui.image_protocol().is_none() || no_image || inner.height < 4 || inner.width < MIN_WIDTH {
        return Rect::default();
    }
    Rect { x: inner.right() - width, width, ..inner }
}
