//! The selected item in full.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::Cx;
use super::lists::WITH_PICTURES;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::truth::Truth;
use crate::truth::standing::Badge;
use crate::tui::pictures::Place;
use crate::tui::popups::detail::about;
use crate::tui::popups::sheet::Page;
use crate::tui::screens::card_view;
use crate::tui::signs;
use crate::tui::ui::plain;
use crate::tui::widgets::{pane, picture, text};

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let item = cx.model.item();
    let blind = cx.model.is_blind();
    let ranked = item.filter(|_| !blind);
    // A narrow ranking has no room for scores.
    let title = ranked.map_or("item".into(), |item| {
        format!("item at rank {}, score {}", grouped(item.rank), signs::score(item.score))
    });
    let picture = pair_picture(cx, area);
    let of_query = cx.model.view.direction == Direction::I2t && picture.area() > 0;
    let note = if of_query { "the query's picture" } else { "" };
    let mut inner = pane::frame(&title, note, false, cx.theme, area, buf);
    inner.width -= picture.width;
    let (Some(item), Some(query)) = (item, cx.model.selection.query()) else {
        return;
    };
    let badge = cx.model.badge(query, item.item);
    let sign = format!(" {} {}  ", signs::badge(badge), badge.words());
    let room = usize::from(inner.width).saturating_sub(text::width(&sign) + 1);
    let ways = if badge == Badge::NotJudged && cx.model.truth().lists_nothing() {
        ["nobody judged it", "", ""]
    } else {
        [signs::meaning(badge), signs::short_meaning(badge), ""]
    };
    let meaning = text::first_fitting(ways.map(String::from), room);
    let mut lines = vec![Line::from(vec![
        Span::styled(sign, cx.theme.badge(badge)),
        Span::styled(meaning, cx.theme.dim),
    ])];
    if badge.is_positive() {
        lines.extend(contested(cx, query, item.item));
    }
    if blind {
        lines.clear();
    }
    if let Some(said) = cx.model.response(query, item.item) {
        let words = format!(" {} {said}  ", signs::response(said));
        lines.push(Line::from(vec![
            Span::styled(words, cx.theme.response(said)),
            Span::styled("your answer", cx.theme.dim),
        ]));
    }
    let width = usize::from(inner.width).saturating_sub(4);
    if !blind {
        let phis = cx.model.phi_words(item.item, badge).into_iter();
        lines.extend(phis.map(|words| Line::styled(format!("  {words}"), cx.theme.title)));
    }
    if let Some(why) = cx.ui.lacking(cx.model.selected_image()) {
        lines.push(Line::styled(format!("  picture: {why}"), cx.theme.dim));
    }
    lines.extend(answered(cx, width));
    lines.extend(annotated(cx, width));
    let mut page = Page::new(inner.width.saturating_sub(2), cx.theme);
    let as_query = cx.model.view.direction.flipped();
    about(&mut page, plain(cx.model, cx.ui), as_query, item.item);
    lines.extend(page.lines);
    let lines = pane::fitting(lines, usize::from(inner.height));
    pane::lines(&lines, 0, inner, buf);
    if let Some(image) = cx.model.selected_image() {
        picture::show(1, Place { area: picture, image }, cx.ui, buf);
    }
}

/// Where the picture of the selected pair is, at the right; empty where there is no room.
fn pair_picture(cx: Cx<'_>, area: Rect) -> Rect {
    let (width, rows) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
    let columns = card_view::columns(rows).min(width / 2);
    let lacks = cx.ui.lacking(cx.model.selected_image()).is_some();
    if cx.ui.picture_way().is_none() || lacks || rows < 4 || width < WITH_PICTURES / 2 {
        return Rect::default();
    }
    Rect { x: area.right() - 1 - columns, y: area.y + 1, width: columns, height: rows }
}

/// The ground truths by which somebody said no of a pair that another one lists.
fn contested(cx: Cx<'_>, query: usize, item: usize) -> Option<Line<'static>> {
    let direction = cx.model.view.direction;
    let says_no = |truth: &&Truth| {
        let relevance = truth.relevance[direction].as_ref();
        relevance.is_some_and(|of| of.is_nonrelevant(query.into(), item.into()))
    };
    let names = cx.model.study.truths.iter().filter(says_no);
    let names: Vec<&str> = names.map(|truth| &*truth.name).collect();
    let sign = signs::badge(Badge::NotRelevant);
    (!names.is_empty()).then(|| {
        Line::styled(
            format!(" {sign} judged not relevant by {}", names.join(", ")),
            cx.theme.badge(Badge::NotRelevant),
        )
    })
}

/// What the annotation says of a pair that is no positive: phrases of its caption that the image lacks.
fn annotated(cx: Cx<'_>, width: usize) -> Vec<Line<'static>> {
    let said = cx.model.annotated().filter(|_| !cx.model.is_blind());
    let wrapped = said.map_or_else(Vec::new, |said| text::wrap(&said, width));
    let line = |line: String| Line::styled(format!("  {line}"), cx.theme.warning);
    wrapped.into_iter().map(line).collect()
}

/// What people answered of a pair on which they differ.
fn answered(cx: Cx<'_>, width: usize) -> Vec<Line<'static>> {
    let said = cx.model.answered_before();
    let wrapped = said.map_or_else(Vec::new, |said| text::wrap(&said, width));
    let line = |line: String| Line::styled(format!("  {line}"), cx.theme.title);
    wrapped.into_iter().map(line).collect()
}
