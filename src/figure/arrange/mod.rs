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

/// Minimum width of a model's column, in ems; columns that do not fit go below.
const MIN_COLUMN_EMS: f32 = 9.0;

/// Lays out a scene on a page, in points.
pub(super) fn lay_out(
    scene: &Scene,
    options: &Options,
    fonts: &mut Fonts,
    images: &FigureImages,
) -> Page {
    Page::new(fonts, images, options, "the line below the figure", |sheet, area| {
        let mut y = area.y;
        for (at, rankings) in scene.queries.iter().enumerate() {
            let top = y;
            if at > 0 {
                y += sheet.gap();
                let line = Area { y, height: 0.5, ..area };
                sheet.page.marks.push(Mark::Ground(line, RULE));
                y += sheet.gap();
            }
            if !rankings.heading.is_empty() {
                let bold = sheet.bold();
                y = sheet.write(&rankings.heading, area.x, y, area.width, bold) + sheet.gap();
            }
            y = draw_query(sheet, rankings, options.layout(rankings.direction), Area { y, ..area });
            sheet.warn(&format!("{} query {}", rankings.direction, rankings.query.id));
            sheet.page.heights.push(y - top);
        }
        y = draw_legend(sheet, &scene.signs(), Area { y: y + sheet.gap(), ..area });
        let (statements, small) = (scene.statements.join(" "), sheet.small());
        sheet.write(&statements, area.x, y + sheet.size * 0.2, area.width, small)
    })
}

/// Draws the frame and label of each sign. Returns the y of the lower edge.
fn draw_legend(sheet: &mut Sheet<'_>, signs: &[Sign], area: Area) -> f32 {
    let look = sheet.small();
    let height = look.leading();
    let (mut x, mut y) = (area.x, area.y);
    for &sign in signs {
        let width = height * 1.5 + sheet.size * 0.3 + sheet.text_width(sign.label(), look);
        if x > area.x && x + width > area.x + area.width {
            x = area.x;
            y += height * 1.2;
        }
        let sample = Area { x, y, width: height * 1.5, height };
        sheet.page.marks.push(Mark::Frame(sample, frame(sign)));
        sheet.page.marks.push(Mark::Sign {
            sign,
            x: sample.x + sample.width / 2.0,
            y: sample.y + sample.height / 2.0,
            half: look.size * 0.3,
        });
        let label_x = x + sample.width + sheet.size * 0.3;
        sheet.write(sign.label(), label_x, y, area.width, look);
        x += width + sheet.size;
    }
    if signs.is_empty() { y } else { y + height }
}

/// Draws a query and its rankings. Returns the y of their lower edge.
fn draw_query(sheet: &mut Sheet<'_>, rankings: &QueryRankings, layout: Layout, area: Area) -> f32 {
    if layout == Layout::SideBySide {
        let y = query::draw_above(sheet, rankings, area) + sheet.gap();
        return draw_columns(sheet, rankings, Area { y, ..area });
    }
    let width = query::width(sheet, rankings, area.width);
    let end = query::draw_left(sheet, rankings, Area { width, ..area });
    let left = width + sheet.gap() * 1.5;
    let mut right = Area { x: area.x + left, width: area.width - left, ..area };
    let min_width = min_card_width(sheet, rankings);
    for (at, row) in rankings.rows.iter().enumerate() {
        if at > 0 {
            right.y += sheet.gap();
        }
        right.y = draw_heading(sheet, rankings, row, right);
        right.y = if layout == Layout::Grid {
            cards::draw(sheet, &row.items, min_width, right)
        } else {
            lists::draw(sheet, &row.items, right)
        };
    }
    end.max(right.y)
}

/// Minimum width of a model's column in which no word is broken.
fn min_column_width(sheet: &mut Sheet<'_>, rankings: &QueryRankings) -> f32 {
    if rankings.direction == Direction::I2t {
        return lists::min_width(sheet, rankings.rows.iter().flat_map(|row| &row.items));
    }
    min_card_width(sheet, rankings)
}

/// Minimum width of a card in which no word is broken, over all models, so that their ranks are aligned.
fn min_card_width(sheet: &mut Sheet<'_>, rankings: &QueryRankings) -> f32 {
    rankings.rows.iter().map(|row| cards::min_width(sheet, &row.items)).fold(0.0, f32::max)
}

/// Draws the ranking of each model as a column, as many side by side as fit. Returns the y of their lower edge.
fn draw_columns(sheet: &mut Sheet<'_>, rankings: &QueryRankings, area: Area) -> f32 {
    let gap = sheet.gap() * 1.5;
    let min_width = (MIN_COLUMN_EMS * sheet.size).max(min_column_width(sheet, rankings));
    let fit = ((area.width + gap) / (min_width + gap)).floor() as usize;
    let count = rankings.rows.len().clamp(1, fit.max(1));
    let width = (area.width - gap * (count - 1) as f32) / count as f32;
    let min_card_width = min_card_width(sheet, rankings);
    let mut top = area.y;
    for rows in rankings.rows.chunks(count) {
        let mut end = top;
        for (at, row) in rows.iter().enumerate() {
            let x = area.x + (width + gap) * at as f32;
            let mut column = Area { x, y: top, width, height: 0.0 };
            column.y = draw_heading(sheet, rankings, row, column);
            let bottom = match rankings.direction {
                Direction::T2i => cards::draw(sheet, &row.items, min_card_width, column),
                Direction::I2t => lists::draw(sheet, &row.items, column),
            };
            end = end.max(bottom);
        }
        top = end + sheet.gap();
    }
    top - sheet.gap()
}

/// Writes the name of a model and the rank of its first positive. Returns the y below them.
fn draw_heading(
    sheet: &mut Sheet<'_>,
    rankings: &QueryRankings,
    row: &ModelRanking,
    area: Area,
) -> f32 {
    let (bold, small) = (sheet.bold(), sheet.small());
    let first_positive = row.first_positive_text(rankings);
    let name_width = sheet.text_width(&row.model, bold) + sheet.size * 0.6;
    let fits = name_width + sheet.text_width(&first_positive, small) <= area.width;
    let mut y = sheet.write(&row.model, area.x, area.y, area.width, bold);
    if fits {
        let baseline_shift = bold.ascent() - small.ascent();
        let (x, y) = (area.x + name_width, area.y + baseline_shift);
        sheet.write(&first_positive, x, y, area.width - name_width, small);
    } else {
        y = sheet.write(&first_positive, area.x, y, area.width, small);
    }
    if row.items.is_empty() {
        y = sheet.write("ranks nothing for this query", area.x, y, area.width, small);
    }
    y + sheet.size * 0.2
}
