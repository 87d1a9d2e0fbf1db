//! The selected item in full.

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

/// Minimum width for an image.
const MIN_WIDTH: u16 = 22;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let model = cx.model;
    let (item, blind) = (model.item(), model.is_blind());
    // A narrow ranking has no room for scores.
    let title = item.filter(|_| !blind).map_or("item".into(), |item| {
        format!("item at rank {}, score {}", grouped(item.rank), signs::score(item.score))
    });
    let mut inner = pane::frame(title, "", false, cx.theme, area, buf);
    let right = image_area(cx, inner);
    inner.width -= right.width;
    let mut page = Page::new(inner.width.saturating_sub(2), cx.theme);
    if let Some(item) = item {
        pair::item(plain(model, cx.ui), &mut page, item.item);
    }
    pane::lines(&pane::fitting(page.lines, inner.height.into()), 0, inner, buf);
    if let Some(image) = model.selected_image() {
        thumbnail::show(1, Place { area: right, image }, cx.ui, buf);
    }
}

/// Area of the selected pair's image, at the right of the pane; empty without room.
fn image_area(cx: Cx<'_>, inner: Rect) -> Rect {
    let width = card_view::columns(inner.height).min(inner.width / 2);
    let lacks = cx.ui.lacking(cx.model.selected_image()).is_some();
    if cx.ui.image_protocol().is_none() || lacks || inner.height < 4 || inner.width < MIN_WIDTH {
        return Rect::default();
    }
    Rect { x: inner.right() - width, width, ..inner }
}
