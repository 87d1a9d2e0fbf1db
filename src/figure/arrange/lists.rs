//! Items as a list, each with the sign and the colour of its standing at the left.

use super::query::PROPORTION;
use crate::figure::page::{Area, Mark, Sheet};
use crate::figure::scene::FigureItem;
use crate::figure::style::frame;

/// Minimum width of the text, in ems, to show scores.
const MIN_TEXT_EMS: f32 = 10.0;
/// The width of an image beside its caption, in ems.
const IMAGE_EMS: f32 = 5.5;

/// Maximum width before the text of a line, in ems: bar, sign and rank.
const BEFORE: f32 = 4.0;

/// Minimum width of a list without broken words in captions.
pub(super) fn narrowest<'a>(
    sheet: &mut Sheet<'_>,
    items: impl Iterator<Item = &'a FigureItem>,
) -> f32 {
    let body = sheet.body();
    let words = items.map(|item| item.subject.caption());
    sheet.widest_word(words, body) + BEFORE * sheet.size
}

/// Draws items from the top of an area down; returns their end.
pub(super) fn draw(sheet: &mut Sheet<'_>, items: &[FigureItem], area: Area) -> f32 {
    let small = sheet.small();
    let widths = items.iter().map(|item| sheet.width_of(&item.numbers(), small));
    let scores = widths.fold(0.0, f32::max);
    let last = items.last().map_or(0, |item| item.rank);
    let ranks = sheet.width_of(&format!("{last}."), small);
    let mut y = area.y;
    for item in items {
        y = line(sheet, item, [ranks, scores], Area { y, ..area }) + sheet.size * 0.15;
    }
    y
}

fn line(sheet: &mut Sheet<'_>, item: &FigureItem, [ranks, scores]: [f32; 2], area: Area) -> f32 {
    let (body, small) = (sheet.body(), sheet.small());
    let bar = sheet.size * 0.25;
    let lower = body.ascent() - small.ascent();
    let x = sheet.sign(item.sign(), area.x + bar + sheet.size * 0.3, area.y, body);
    let rank = format!("{}.", item.rank);
    let indent = ranks - sheet.width_of(&rank, small);
    sheet.text(&rank, x + indent, area.y + lower, ranks + 1.0, small);
    let x = x + ranks + sheet.size * 0.5;
    let gap = sheet.size * 0.6;
    let all = area.x + area.width - x;
    let with_score = all - scores - gap >= MIN_TEXT_EMS * sheet.size;
    let width = if with_score { all - scores - gap } else { all };
    if with_score {
        let text = item.numbers();
        let at = area.x + area.width - sheet.width_of(&text, small);
        sheet.text(&text, at, area.y + lower, scores + 1.0, small);
    }
    let end = content(sheet, item, Area { x, width, ..area });
    let colour = frame(item.sign()).colour;
    let side = Area { width: bar, height: end - area.y, ..area };
    sheet.page.marks.push(Mark::Ground(side, colour));
    end
}

/// A caption; for an image a thumbnail and the caption written for it.
fn content(sheet: &mut Sheet<'_>, item: &FigureItem, area: Area) -> f32 {
    let subject = &item.subject;
    let (body, small) = (sheet.body(), sheet.small());
    if !subject.is_image {
        return sheet.text(&subject.text, area.x, area.y, area.width, body);
    }
    let mut right = area;
    let mut end = area.y;
    let wide = IMAGE_EMS * sheet.size;
    if sheet.images.lacks(subject.index).is_none() && area.width > wide * 2.0 {
        let image = Area { width: wide, height: wide / PROPORTION, ..area };
        sheet.image(subject, image);
        end = image.y + image.height;
        right.x += wide + sheet.gap();
        right.width -= wide + sheet.gap();
    }
    if let Some(caption) = subject.own.first() {
        right.y = sheet.text(caption, right.x, right.y, right.width, body);
    }
    if subject.is_named || subject.own.is_empty() {
        right.y = sheet.text(&subject.text, right.x, right.y, right.width, small);
    } else if sheet.images.lacks(subject.index).is_some() {
        right.y = sheet.text(&subject.label(), right.x, right.y, right.width, small);
    }
    end.max(right.y)
}
