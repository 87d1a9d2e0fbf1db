//! The query of a block.

use crate::data::Direction;
use crate::figure::page::{Area, Sheet};
use crate::figure::scene::QueryRankings;

/// Aspect ratio of images, as of most photographs.
pub(super) const PROPORTION: f32 = 4.0 / 3.0;

/// Maximum share of the width for the query, for a long word.
const MAX_WIDTH_SHARE: f32 = 0.4;

/// Width of the query beside its rows, without broken words.
pub(super) fn width(sheet: &mut Sheet<'_>, asked: &QueryRankings, all: f32) -> f32 {
    let width = (all * 0.2).max(sheet.size * 5.0).min(sheet.size * 18.0);
    let (texts, body) = (texts(asked), sheet.body());
    let is_seen = has_image(sheet, asked);
    let texts = texts.iter().filter(|_| !is_seen).map(String::as_str);
    let widest = sheet.widest_word(texts, body);
    width.max((widest + 0.1).min(all * MAX_WIDTH_SHARE))
}

/// Whether the query is shown as an image.
fn has_image(sheet: &Sheet<'_>, asked: &QueryRankings) -> bool {
    asked.direction == Direction::I2t && sheet.images.lacks(asked.query.index).is_none()
}

/// The query to the left of its rows.
pub(super) fn beside(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    if !has_image(sheet, asked) {
        return read(sheet, asked, area);
    }
    let y = label(sheet, asked, area) + sheet.size * 0.2;
    let image = Area { y, height: area.width / PROPORTION, ..area };
    sheet.framed(&asked.query, image, None);
    note(sheet, asked, Area { y: image.y + image.height, ..area })
}

/// The query above its rows.
pub(super) fn across(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    if !has_image(sheet, asked) {
        return read(sheet, asked, area);
    }
    let wide = area.width * 0.25;
    let image = Area { width: wide, height: wide / PROPORTION, ..area };
    sheet.framed(&asked.query, image, None);
    let taken = wide + sheet.gap();
    let right = Area { x: area.x + taken, width: area.width - taken, ..area };
    read(sheet, asked, right).max(image.y + image.height)
}

/// The query as text: caption, or image captions.
fn read(sheet: &mut Sheet<'_>, asked: &QueryRankings, mut area: Area) -> f32 {
    let body = sheet.body();
    area.y = label(sheet, asked, area);
    for text in texts(asked) {
        area.y = sheet.text(&text, area.x, area.y, area.width, body);
    }
    note(sheet, asked, area)
}

fn texts(asked: &QueryRankings) -> Vec<String> {
    let texts = match asked.direction {
        Direction::T2i => std::slice::from_ref(&asked.query.text),
        Direction::I2t => asked.query.own.as_slice(),
    };
    texts.iter().map(|text| format!("“{text}”")).collect()
}

fn label(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let small = sheet.small();
    sheet.text(&format!("query, {}", asked.query.label()), area.x, area.y, area.width, small)
}

fn note(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let small = sheet.small();
    if asked.note.trim().is_empty() {
        return area.y;
    }
    sheet.text(&asked.note, area.x, area.y + sheet.size * 0.3, area.width, small)
}
