//! The selected item in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Cx;
use super::lists::WITH_PICTURES;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::tui::pictures::Place;
use crate::tui::screens::{card_view, queries};
use crate::tui::signs;
use crate::tui::ui::{pane, picture, text};

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
    let mut inner = pane::frame(&title, "", false, cx.theme, area, buf);
    let picture = picture_area(cx, inner);
    inner.width -= picture.width;
    let (Some(item), Some(query)) = (item.map(|item| item.item), model.selection.query()) else {
        return;
    };
    let mut lines = Vec::new();
    if !blind {
        let badge = model.badge(query, item);
        // Without a ground truth nobody looked at anything.
        let meaning = if model.truth().lists_nothing() { "" } else { signs::meaning(badge) };
        let sign = format!(" {} {}  ", signs::badge(badge), badge.words());
        lines.push(Line::from(vec![
            Span::styled(sign, cx.theme.badge(badge)),
            Span::styled(meaning, cx.theme.dim),
        ]));
        let phis = model.phi_words(item).into_iter();
        lines.extend(phis.map(|words| Line::styled(format!("  {words}"), cx.theme.title)));
    }
    if let Some(said) = model.response(query, item) {
        let words = format!(" {} {said}  ", signs::response(said));
        lines.push(Line::from(vec![
            Span::styled(words, cx.theme.response(said)),
            Span::styled("your answer", cx.theme.dim),
        ]));
    }
    let width = usize::from(inner.width).saturating_sub(4);
    let lacking = cx.ui.lacking(model.selected_image()).map(|why| format!("picture: {why}"));
    let annotated = model.annotated().filter(|_| !blind);
    for (words, look) in [
        (lacking, cx.theme.dim),
        (model.answered_before(), cx.theme.title),
        (annotated, cx.theme.warning),
    ] {
        lines.extend(words.into_iter().flat_map(|words| wrapped(&words, width, look.into())));
    }
    if model.view.direction == Direction::I2t {
        lines.extend(caption(cx, item, "  ", width));
        let origin = (!blind).then(|| model.study.origin(item));
        lines.extend(origin.into_iter().flat_map(|of| wrapped(&of, width, cx.theme.dim.into())));
    } else {
        lines.extend(wrapped(&model.study.gallery.image(item), width, cx.theme.dim.into()));
        for own in model.captions_of(item) {
            lines.extend(caption(cx, own as usize, "  - ", width.saturating_sub(2)));
        }
    }
    pane::lines(&pane::fitting(lines, inner.height.into()), 0, inner, buf);
    if let Some(image) = model.selected_image() {
        picture::show(1, Place { area: picture, image }, cx.ui, buf);
    }
}

pub(super) fn wrapped(words: &str, width: usize, look: Style) -> Vec<Line<'static>> {
    let lines = text::wrap(words, width).into_iter();
    lines.map(|line| Line::styled(format!("  {line}"), look)).collect()
}

/// A caption after what stands before its first line.
fn caption(cx: Cx<'_>, caption: usize, before: &str, width: usize) -> Vec<Line<'static>> {
    let mut lines = queries::caption_lines(cx, caption, width, Style::default());
    for (at, line) in lines.iter_mut().enumerate() {
        let before = if at == 0 { before.to_owned() } else { " ".repeat(before.len()) };
        line.spans.insert(0, before.into());
    }
    lines
}

/// Where the picture of the selected pair is, at the right of the pane; empty where there is no room.
fn picture_area(cx: Cx<'_>, inner: Rect) -> Rect {
    let width = card_view::columns(inner.height).min(inner.width / 2);
    let lacks = cx.ui.lacking(cx.model.selected_image()).is_some();
    if cx.ui.picture_way().is_none() || lacks || inner.height < 4 || inner.width < WITH_PICTURES / 2
    {
        return Rect::default();
    }
    Rect { x: inner.right() - width, width, ..inner }
}
