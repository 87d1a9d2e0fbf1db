//! The query of a block.

use crate::data::Direction;
use crate::figure::page::{Area, Sheet};
use crate::figure::scene::QueryRankings;

/// Pictures are this much wider than high, as most photographs are.
pub(super) const PROPORTION: f32 = 4.0 / 3.0;

/// The width of the query beside its rows.
pub(super) fn width(sheet: &Sheet<'_>, all: f32) -> f32 {
    (all * 0.2).max(sheet.size * 5.0).min(sheet.size * 18.0)
}

/// The query at the left of its rows.
pub(super) fn beside(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let (body, small) = (sheet.body(), sheet.small());
    let mut y = sheet.text(&label(asked), area.x, area.y, area.width, small);
    match asked.direction {
        Direction::T2i => {
            y = sheet.text(&quoted(asked), area.x, y, area.width, body);
        }
        Direction::I2t => {
            let picture = Area {
                y: y + sheet.size * 0.2,
                height: area.width / PROPORTION,
                ..area
            };
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
    if sheet.images.lacks(asked.query.index).is_some() {
        return own(sheet, asked, area);
    }
    let wide = area.width * 0.25;
    let picture = Area {
        width: wide,
        height: wide / PROPORTION,
        ..area
    };
    sheet.framed(&asked.query, picture, None);
    let taken = wide + sheet.gap();
    let right = Area {
        x: area.x + taken,
        width: area.width - taken,
        ..area
    };
    own(sheet, asked, right).max(picture.y + picture.height)
}

/// What an image's own captions say.
fn own(sheet: &mut Sheet<'_>, asked: &QueryRankings, mut area: Area) -> f32 {
    let (body, small) = (sheet.body(), sheet.small());
    area.y = sheet.text(&label(asked), area.x, area.y, area.width, small);
    for caption in &asked.query.own {
        let words = format!("“{caption}”");
        area.y = sheet.text(&words, area.x, area.y, area.width, body);
    }
    note(sheet, asked, area)
}

fn label(asked: &QueryRankings) -> String {
    format!("query, {}", asked.query.label())
}

fn quoted(asked: &QueryRankings) -> String {
    format!("“{}”", asked.query.text)
}

fn note(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let small = sheet.small();
    if asked.note.trim().is_empty() {
        return area.y;
    }
    sheet.text(
        &asked.note,
        area.x,
        area.y + sheet.size * 0.3,
        area.width,
        small,
    )
}
