//! Layout of a query, beside or above its rankings.

use crate::data::Direction;
use crate::figure::page::{Area, Sheet};
use crate::figure::scene::QueryRankings;

/// Width of the area of an image relative to its height, as of most photographs.
pub(super) const ASPECT_RATIO: f32 = 4.0 / 3.0;

/// Maximum share of the figure's width for the query, even if a long word needs more.
const MAX_WIDTH_SHARE: f32 = 0.4;

/// Width of the query beside its rankings, so that no word is broken. `total` is the width of both.
pub(super) fn width(sheet: &mut Sheet<'_>, rankings: &QueryRankings, total: f32) -> f32 {
    let width = (total * 0.2).max(sheet.size * 5.0).min(sheet.size * 18.0);
    if has_image(sheet, rankings) {
        return width;
    }
    let (texts, body) = (quoted_texts(rankings), sheet.body());
    let widest = sheet.min_width(texts.iter().map(String::as_str), body);
    width.max((widest + 0.1).min(total * MAX_WIDTH_SHARE))
}

/// Whether the query is shown as an image.
fn has_image(sheet: &Sheet<'_>, rankings: &QueryRankings) -> bool {
    rankings.direction == Direction::I2t && sheet.images.is_shown(rankings.query.index)
}

/// Draws the query to the left of its rankings. Returns the y of its lower edge.
pub(super) fn draw_left(sheet: &mut Sheet<'_>, rankings: &QueryRankings, area: Area) -> f32 {
    if !has_image(sheet, rankings) {
        return draw_text(sheet, rankings, area);
    }
    let y = draw_label(sheet, rankings, area) + sheet.size * 0.2;
    let image = Area { y, height: area.width / ASPECT_RATIO, ..area };
    sheet.draw_framed_image(&rankings.query, image, None);
    draw_note(sheet, rankings, Area { y: image.y + image.height, ..area })
}

/// Draws the query above its rankings. Returns the y of its lower edge.
pub(super) fn draw_above(sheet: &mut Sheet<'_>, rankings: &QueryRankings, area: Area) -> f32 {
    if !has_image(sheet, rankings) {
        return draw_text(sheet, rankings, area);
    }
    let width = area.width * 0.25;
    let image = Area { width, height: width / ASPECT_RATIO, ..area };
    sheet.draw_framed_image(&rankings.query, image, None);
    let left = width + sheet.gap();
    let right = Area { x: area.x + left, width: area.width - left, ..area };
    draw_text(sheet, rankings, right).max(image.y + image.height)
}

/// Writes the query as text: the caption, or the captions of the image. Returns the y below it.
fn draw_text(sheet: &mut Sheet<'_>, rankings: &QueryRankings, mut area: Area) -> f32 {
    let body = sheet.body();
    area.y = draw_label(sheet, rankings, area);
    for text in quoted_texts(rankings) {
        area.y = sheet.write(&text, area.x, area.y, area.width, body);
    }
    draw_note(sheet, rankings, area)
}

/// The caption of a text query, or the captions of an image query, in quotes.
fn quoted_texts(rankings: &QueryRankings) -> Vec<String> {
    let texts = match rankings.direction {
        Direction::T2i => std::slice::from_ref(&rankings.query.text),
        Direction::I2t => rankings.query.captions.as_slice(),
    };
    texts.iter().map(|text| format!("“{text}”")).collect()
}

/// Writes `query` and its label: `image` or `caption`, with its id if ids are shown. Returns the y below it.
fn draw_label(sheet: &mut Sheet<'_>, rankings: &QueryRankings, area: Area) -> f32 {
    let small = sheet.small();
    sheet.write(&format!("query, {}", rankings.query.label()), area.x, area.y, area.width, small)
}

/// Writes the note, if any. Returns the y below it.
fn draw_note(sheet: &mut Sheet<'_>, rankings: &QueryRankings, area: Area) -> f32 {
    let small = sheet.small();
    if rankings.note.trim().is_empty() {
        return area.y;
    }
    sheet.write(&rankings.note, area.x, area.y + sheet.size * 0.3, area.width, small)
}
