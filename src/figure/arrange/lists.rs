//! Layout of items as a list, each with the sign and the colour of its standing at the left.

use super::query::ASPECT_RATIO;
use crate::figure::page::{Area, Mark, Sheet};
use crate::figure::scene::FigureItem;
use crate::figure::style::frame;

/// Minimum width of the text beside a score, in ems; in narrower lists scores are hidden.
const MIN_TEXT_EMS: f32 = 10.0;
/// The width of an image beside its caption, in ems.
const IMAGE_EMS: f32 = 5.5;

/// Maximum width of bar, sign and rank before the text of an item, in ems.
const MAX_PREFIX_EMS: f32 = 4.0;

/// Minimum width of a list in which no word of a caption is broken.
pub(super) fn min_width<'a>(
    sheet: &mut Sheet<'_>,
    items: impl Iterator<Item = &'a FigureItem>,
) -> f32 {
    let body = sheet.body();
    let words = items.map(|item| item.subject.caption());
    sheet.min_width(words, body) + MAX_PREFIX_EMS * sheet.size
}

/// Draws items from the top of an area down. Returns the y of their lower edge.
pub(super) fn draw(sheet: &mut Sheet<'_>, items: &[FigureItem], area: Area) -> f32 {
    let small = sheet.small();
    let scores = items.iter().map(|item| sheet.text_width(&item.score_and_judgment(), small));
    let score_width = scores.fold(0.0, f32::max);
    let last = items.last().map_or(0, |item| item.rank);
    let widths = [sheet.text_width(&format!("{last}."), small), score_width];
    let mut y = area.y;
    for item in items {
        y = draw_item(sheet, item, widths, Area { y, ..area }) + sheet.size * 0.15;
    }
    y
}

/// Draws an item. `widths` are those of the columns of ranks and scores. Returns the y of its lower edge.
fn draw_item(sheet: &mut Sheet<'_>, item: &FigureItem, widths: [f32; 2], area: Area) -> f32 {
    let [rank_width, score_width] = widths;
    let (body, small) = (sheet.body(), sheet.small());
    let bar_width = sheet.size * 0.25;
    // Aligns baselines of small and body text.
    let shift = body.ascent() - small.ascent();
    let x = sheet.draw_sign(item.sign(), area.x + bar_width + sheet.size * 0.3, area.y, body);
    let rank = format!("{}.", item.rank);
    let indent = rank_width - sheet.text_width(&rank, small);
    sheet.write(&rank, x + indent, area.y + shift, rank_width + 1.0, small);
    let x = x + rank_width + sheet.size * 0.5;
    let room = area.x + area.width - x;
    let beside_score = room - score_width - sheet.gap();
    let has_score = beside_score >= MIN_TEXT_EMS * sheet.size;
    let width = if has_score { beside_score } else { room };
    if has_score {
        let text = item.score_and_judgment();
        let x = area.x + area.width - sheet.text_width(&text, small);
        sheet.write(&text, x, area.y + shift, score_width + 1.0, small);
    }
    let end = draw_content(sheet, item, Area { x, width, ..area });
    let colour = frame(item.sign()).colour;
    let bar = Area { width: bar_width, height: end - area.y, ..area };
    sheet.page.marks.push(Mark::Ground(bar, colour));
    end
}

/// Draws a caption, or a thumbnail with its caption and name. Returns the y of the lower edge.
fn draw_content(sheet: &mut Sheet<'_>, item: &FigureItem, area: Area) -> f32 {
    let subject = &item.subject;
    let (body, small) = (sheet.body(), sheet.small());
    if !subject.is_image {
        return sheet.write(&subject.text, area.x, area.y, area.width, body);
    }
    let mut right = area;
    let mut end = area.y;
    let image_width = IMAGE_EMS * sheet.size;
    let has_image = sheet.images.is_shown(subject.index);
    if has_image && area.width > image_width * 2.0 {
        let image = Area { width: image_width, height: image_width / ASPECT_RATIO, ..area };
        sheet.draw_image(subject, image);
        end = image.y + image.height;
        right.x += image_width + sheet.gap();
        right.width -= image_width + sheet.gap();
    }
    if let Some(caption) = subject.captions.first() {
        right.y = sheet.write(caption, right.x, right.y, right.width, body);
    }
    if subject.is_named || subject.captions.is_empty() {
        right.y = sheet.write(&subject.text, right.x, right.y, right.width, small);
    } else if !has_image {
        right.y = sheet.write(&subject.label(), right.x, right.y, right.width, small);
    }
    end.max(right.y)
}
