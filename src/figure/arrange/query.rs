//! The query of a block.

use crate::data::Direction;
use crate::figure::page::{Area, Sheet};
use crate::figure::scene::QueryRankings;

/// Pictures are this much wider than high, as most photographs are.
pub(super) const PROPORTION: f32 = 4.0 / 3.0;

/// The most of all that the query takes beside its rows, for a long word.
const MOST: f32 = 0.4;

/// The width of the query beside its rows: none of its words is broken.
pub(super) fn width(sheet: &mut Sheet<'_>, asked: &QueryRankings, all: f32) -> f32 {
    let width = (all * 0.2).max(sheet.size * 5.0).min(sheet.size * 18.0);
    let body = sheet.body();
    let widest = match asked.direction {
        Direction::T2i => sheet.widest_word(std::iter::once(&*quoted(asked)), body),
        Direction::I2t if is_read(sheet, asked) => {
            let own: Vec<String> = asked.query.own.iter().map(|own| in_quotes(own)).collect();
            sheet.widest_word(own.iter().map(String::as_str), body)
        }
        Direction::I2t => 0.0,
    };
    width.max((widest + 0.1).min(all * MOST))
}

/// Whether the query is an image without a picture: then what was written for it is read.
fn is_read(sheet: &Sheet<'_>, asked: &QueryRankings) -> bool {
    asked.direction == Direction::I2t && sheet.images.lacks(asked.query.index).is_some()
}

/// The query at the left of its rows.
pub(super) fn beside(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    if is_read(sheet, asked) {
        return own(sheet, asked, area);
    }
    let (body, small) = (sheet.body(), sheet.small());
    let mut y = sheet.text(&label(asked), area.x, area.y, area.width, small);
    match asked.direction {
        Direction::T2i => {
            y = sheet.text(&quoted(asked), area.x, y, area.width, body);
        }
        Direction::I2t => {
            let picture = Area { y: y + sheet.size * 0.2, height: area.width / PROPORTION, ..area };
            sheet.framed(&asked.query, picture, None);
            y = picture.y + picture.height;
        }
    }
    note(sheet, asked, Area { y, ..area })
}

/// The query above its rows.
pub(super) fn across(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let (body, small) = (sheet.body(), sheet.small());
    if asked.direction == Direction::T2i {
        let y = sheet.text(&label(asked), area.x, area.y, area.width, small);
        let y = sheet.text(&quoted(asked), area.x, y, area.width, body);
        return note(sheet, asked, Area { y, ..area });
    }
    if is_read(sheet, asked) {
        return own(sheet, asked, area);
    }
    let wide = area.width * 0.25;
    let picture = Area { width: wide, height: wide / PROPORTION, ..area };
    sheet.framed(&asked.query, picture, None);
    let taken = wide + sheet.gap();
    let right = Area { x: area.x + taken, width: area.width - taken, ..area };
    own(sheet, asked, right).max(picture.y + picture.height)
}

/// What an image's own captions say.
fn own(sheet: &mut Sheet<'_>, asked: &QueryRankings, mut area: Area) -> f32 {
    let (body, small) = (sheet.body(), sheet.small());
    area.y = sheet.text(&label(asked), area.x, area.y, area.width, small);
    for caption in &asked.query.own {
        let words = in_quotes(caption);
        area.y = sheet.text(&words, area.x, area.y, area.width, body);
    }
    note(sheet, asked, area)
}

fn label(asked: &QueryRankings) -> String {
    format!("query, {}", asked.query.label())
}

fn quoted(asked: &QueryRankings) -> String {
    in_quotes(&asked.query.text)
}

fn in_quotes(text: &str) -> String {
    format!("“{text}”")
}

fn note(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let small = sheet.small();
    if asked.note.trim().is_empty() {
        return area.y;
    }
    sheet.text(&asked.note, area.x, area.y + sheet.size * 0.3, area.width, small)
}
