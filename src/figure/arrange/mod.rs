//! Layout of scenes on a page.

mod cards;
mod lists;
mod query;

use super::fonts::Fonts;
use super::images::FigureImages;
use super::options::{Layout, Options};
use super::page::{Area, Mark, Page, Sheet};
use super::scene::{ModelRanking, QueryRankings, Scene};
use super::style::{RULE, Sign, frame};
use crate::data::Direction;

/// Columns of models narrower than this, in ems, are stacked.
const COLUMN: f32 = 9.0;

/// Lays out a scene on a page, in points.
pub(super) fn page(
    scene: &Scene,
    options: &Options,
    fonts: &mut Fonts,
    images: &FigureImages,
) -> Page {
    Page::new(fonts, images, options, "the line below the figure", |sheet, area| {
        let mut y = area.y;
        for (at, asked) in scene.queries.iter().enumerate() {
            let top = y;
            if at > 0 {
                y += sheet.gap();
                let line = Area { y, height: 0.5, ..area };
                sheet.page.marks.push(Mark::Ground(line, RULE));
                y += sheet.gap();
            }
            if !asked.heading.is_empty() {
                let bold = sheet.bold();
                y = sheet.text(&asked.heading, area.x, y, area.width, bold) + sheet.gap();
            }
            y = block(sheet, asked, options.layout(asked.direction), Area { y, ..area });
            sheet.warn(&format!("{} query {}", asked.direction, asked.query.id));
            sheet.page.heights.push(y - top);
        }
        y = legend(sheet, &scene.signs(), Area { y: y + sheet.gap(), ..area });
        let (words, small) = (scene.statements.join(" "), sheet.small());
        sheet.text(&words, area.x, y + sheet.size * 0.2, area.width, small)
    })
}

/// The frame and the sign of each kind of item, with its words; returns its end.
fn legend(sheet: &mut Sheet<'_>, signs: &[Sign], area: Area) -> f32 {
    let look = sheet.small();
    let tall = look.leading();
    let (mut x, mut y) = (area.x, area.y);
    for &sign in signs {
        let wide = tall * 1.5 + sheet.size * 0.3 + sheet.width_of(sign.label(), look);
        if x > area.x && x + wide > area.x + area.width {
            x = area.x;
            y += tall * 1.2;
        }
        let sample = Area { x, y, width: tall * 1.5, height: tall };
        sheet.page.marks.push(Mark::Frame(sample, frame(sign)));
        sheet.page.marks.push(Mark::Sign {
            sign,
            x: sample.x + sample.width / 2.0,
            y: sample.y + sample.height / 2.0,
            half: look.size * 0.3,
        });
        let text = x + sample.width + sheet.size * 0.3;
        sheet.text(sign.label(), text, y, area.width, look);
        x += wide + sheet.size;
    }
    if signs.is_empty() { y } else { y + tall }
}

/// A query with its rows; returns its end.
fn block(sheet: &mut Sheet<'_>, asked: &QueryRankings, layout: Layout, area: Area) -> f32 {
    if layout == Layout::SideBySide {
        let y = query::across(sheet, asked, area) + sheet.gap();
        return columns(sheet, asked, Area { y, ..area });
    }
    let left = query::width(sheet, asked, area.width);
    let end = query::beside(sheet, asked, Area { width: left, ..area });
    let taken = left + sheet.gap() * 1.5;
    let mut right = Area { x: area.x + taken, width: area.width - taken, ..area };
    let floor = narrowest_card(sheet, asked);
    for (at, row) in asked.rows.iter().enumerate() {
        if at > 0 {
            right.y += sheet.gap();
        }
        right.y = heading(sheet, asked, row, right);
        right.y = if layout == Layout::Grid {
            cards::draw(sheet, &row.items, floor, right)
        } else {
            lists::draw(sheet, &row.items, right)
        };
    }
    end.max(right.y)
}

/// Minimum width of a column without broken words.
fn narrowest(sheet: &mut Sheet<'_>, asked: &QueryRankings) -> f32 {
    if asked.direction == Direction::I2t {
        return lists::narrowest(sheet, asked.rows.iter().flat_map(|row| &row.items));
    }
    narrowest_card(sheet, asked)
}

/// Minimum width of cards without broken words: the same for all models, so that ranks are aligned.
fn narrowest_card(sheet: &mut Sheet<'_>, asked: &QueryRankings) -> f32 {
    let of_rows = asked.rows.iter().map(|row| cards::narrowest(sheet, &row.items));
    of_rows.fold(0.0, f32::max)
}

/// The models in columns, as many as fit.
fn columns(sheet: &mut Sheet<'_>, asked: &QueryRankings, area: Area) -> f32 {
    let gap = sheet.gap() * 1.5;
    let least = (COLUMN * sheet.size).max(narrowest(sheet, asked));
    let fit = ((area.width + gap) / (least + gap)).floor() as usize;
    let count = asked.rows.len().clamp(1, fit.max(1));
    let width = (area.width - gap * (count - 1) as f32) / count as f32;
    let floor = narrowest_card(sheet, asked);
    let mut top = area.y;
    for rows in asked.rows.chunks(count) {
        let mut end = top;
        for (at, row) in rows.iter().enumerate() {
            let x = area.x + (width + gap) * at as f32;
            let mut column = Area { x, y: top, width, height: 0.0 };
            column.y = heading(sheet, asked, row, column);
            let bottom = match asked.direction {
                Direction::T2i => cards::draw(sheet, &row.items, floor, column),
                Direction::I2t => lists::draw(sheet, &row.items, column),
            };
            end = end.max(bottom);
        }
        top = end + sheet.gap();
    }
    top - sheet.gap()
}

/// The model of a row, and the rank of its first positive.
fn heading(sheet: &mut Sheet<'_>, asked: &QueryRankings, row: &ModelRanking, area: Area) -> f32 {
    let (bold, small) = (sheet.bold(), sheet.small());
    let words = row.first_in_words(asked);
    let name = sheet.width_of(&row.model, bold) + sheet.size * 0.6;
    let both = name + sheet.width_of(&words, small);
    let mut y = sheet.text(&row.model, area.x, area.y, area.width, bold);
    if both <= area.width {
        let lower = bold.ascent() - small.ascent();
        sheet.text(&words, area.x + name, area.y + lower, area.width - name, small);
    } else {
        y = sheet.text(&words, area.x, y, area.width, small);
    }
    if row.items.is_empty() {
        y = sheet.text("ranks nothing for this query", area.x, y, area.width, small);
    }
    y + sheet.size * 0.2
}
