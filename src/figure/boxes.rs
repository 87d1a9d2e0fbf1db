//! Pictures with boxes on them: what is true, and what a model predicts.

use super::images::FigureImages;
use super::options::{Options, POINTS_PER_MM};
use super::page::{Area, Mark, Sheet};
use super::sign::Sign;
use super::style::{Frame, GROUND, frame};
use super::svg::dots;
use super::{Drawing, arrange};
use crate::error::Result;
use crate::picture::{Source, Why};
use crate::truth::standing::Badge;

/// A picture with boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxed {
    /// The picture, or why there is none.
    pub picture: std::result::Result<Source, Why>,
    /// Its width over its height.
    pub proportion: f32,
    /// What stands below it: words, and then numbers.
    pub words: [String; 2],
    /// The true boxes: left, upper, right and lower edge, as shares of the picture.
    pub truths: Vec<[f32; 4]>,
    /// The predicted box; `None` where there is none.
    pub predicted: Option<[f32; 4]>,
}

/// The least width of a picture, in ems.
const NARROWEST: f32 = 13.0;
/// The highest picture, of its width.
const HIGHEST: f32 = 1.2;
/// How a true box and a predicted one look.
const TRUE: Sign = Sign::Standing(Badge::Positive);
const PREDICTED: Sign = Sign::Standing(Badge::NotRelevant);
/// What the lines around boxes mean.
const LEGEND: [(Sign, &str); 2] = [(TRUE, "true box"), (PREDICTED, "predicted box")];

/// Draws pictures beside and below each other, as many in a row as the width has room for.
///
/// # Errors
/// Options that cannot be drawn, a font that the system lacks.
pub fn boxes(title: &str, note: &str, all: &[Boxed], options: &Options) -> Result<Drawing> {
    Ok(in_rows([title, note], all, options)?.0)
}

/// The same on as many pages as it takes, each with whole rows and no higher than so many millimetres, unless a
/// row alone is.
///
/// # Errors
/// As [`boxes`].
pub fn in_pages(
    title: &str,
    note: &str,
    all: &[Boxed],
    options: &Options,
    most: f32,
) -> Result<Vec<Drawing>> {
    // Where things stand does not hang on the pictures, which are read once.
    let unread = all.iter().map(|one| Boxed { picture: Err(Why::Missing), ..one.clone() });
    let unread: Vec<Boxed> = unread.collect();
    let (whole, rows) = in_rows([title, note], &unread, options)?;
    let mut rest = all;
    let page = |count: usize| {
        let (of_page, after) = rest.split_at(count);
        rest = after;
        boxes(title, note, of_page, options)
    };
    let counts = counts(&rows, whole.page.height, most * POINTS_PER_MM);
    counts.into_iter().map(page).collect()
}

/// How many pictures stand on each page, if so many points are its height; `whole` is the height of all rows and
/// of what stands around them.
fn counts(rows: &[Row], whole: f32, most: f32) -> Vec<usize> {
    let around = whole - rows.iter().map(|row| row.height).sum::<f32>();
    let (mut pages, mut count, mut height) = (Vec::new(), 0, around);
    for row in rows {
        if height + row.height > most && count > 0 {
            pages.push(count);
            (count, height) = (0, around);
        }
        count += row.count;
        height += row.height;
    }
    pages.push(count);
    pages
}

/// A row of pictures: how many, and how high it is with what follows it.
struct Row {
    count: usize,
    height: f32,
}

fn in_rows(
    [title, note]: [&str; 2],
    all: &[Boxed],
    options: &Options,
) -> Result<(Drawing, Vec<Row>)> {
    let images = || {
        let pictures = all.iter().map(|one| one.picture.clone()).enumerate();
        FigureImages::read(pictures, dots(options.width() / 2.0, options.dpi))
    };
    let mut placed = Vec::new();
    let drawing = Drawing::new([title, "the pictures with boxes"], options, images, |sheet| {
        let bold = sheet.bold();
        let whole = arrange::inner(&sheet.page);
        let y = sheet.text(title, whole.x, whole.y, whole.width, bold) + sheet.gap();
        placed = rows(sheet, all, Area { y, ..whole });
        let y = y + placed.iter().map(|row| row.height).sum::<f32>();
        tail(sheet, note, Area { y, ..whole })
    })?;
    Ok((drawing, placed))
}

fn rows(sheet: &mut Sheet<'_>, all: &[Boxed], area: Area) -> Vec<Row> {
    let gap = sheet.gap() * 1.5;
    let fit = ((area.width + gap) / (sheet.size * NARROWEST + gap)).floor().max(1.0);
    let width = (area.width - gap * (fit - 1.0)) / fit;
    let mut placed: Vec<Row> = Vec::new();
    let mut top = area.y;
    for (row, boxed) in all.chunks(fit as usize).enumerate() {
        let mut end = top;
        for (at, one) in boxed.iter().enumerate() {
            let card = Area { x: area.x + (width + gap) * at as f32, y: top, width, height: 0.0 };
            end = end.max(draw(sheet, one, row * fit as usize + at, card));
        }
        placed.push(Row { count: boxed.len(), height: end + sheet.gap() - top });
        top = end + sheet.gap();
    }
    placed
}

/// A picture with its boxes and words; gives where they end.
fn draw(sheet: &mut Sheet<'_>, boxed: &Boxed, image: usize, card: Area) -> f32 {
    let height = (card.width / boxed.proportion).min(card.width * HIGHEST);
    let width = height * boxed.proportion;
    let area = Area { x: card.x + (card.width - width) / 2.0, width, height, ..card };
    sheet.page.marks.push(Mark::Ground(area, GROUND));
    if sheet.images.lacks(image).is_none() {
        sheet.page.marks.push(Mark::Picture { image, area, alt: boxed.words[0].clone() });
    }
    for &truth in &boxed.truths {
        outline(sheet, area, truth, frame(TRUE));
    }
    if let Some(predicted) = boxed.predicted {
        outline(sheet, area, predicted, frame(PREDICTED));
    }
    let (body, small) = (sheet.body(), sheet.small());
    let y =
        sheet.text(&boxed.words[0], card.x, area.y + height + sheet.size * 0.2, card.width, body);
    sheet.text(&boxed.words[1], card.x, y, card.width, small)
}

/// A line around a part of an area, and a white one without, so that it is seen on any ground.
fn outline(sheet: &mut Sheet<'_>, area: Area, [left, upper, right, lower]: [f32; 4], line: Frame) {
    let across = |share: f32| area.x + area.width * share.clamp(0.0, 1.0);
    let down = |share: f32| area.y + area.height * share.clamp(0.0, 1.0);
    let part = Area {
        x: across(left),
        y: down(upper),
        width: across(right) - across(left),
        height: down(lower) - down(upper),
    };
    let halo = Frame { colour: "#ffffff", width: line.width + 1.0, dashes: &[], double: false };
    sheet.page.marks.push(Mark::Frame(part.within(-0.5), halo));
    sheet.page.marks.push(Mark::Frame(part, line));
}

/// What the lines mean, and what is said below all; gives where it ends.
fn tail(sheet: &mut Sheet<'_>, note: &str, area: Area) -> f32 {
    let look = sheet.small();
    let mut x = area.x;
    for (sign, words) in LEGEND {
        let sample = Area { x, y: area.y, width: look.leading() * 1.5, height: look.leading() };
        sheet.page.marks.push(Mark::Frame(sample, frame(sign)));
        let text = x + sample.width + sheet.size * 0.3;
        sheet.text(words, text, area.y, area.width, look);
        x = text + sheet.width_of(words, look) + sheet.size;
    }
    sheet.text(note, area.x, area.y + look.leading() * 1.2, area.width, look)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed() -> Boxed {
        Boxed {
            picture: Err(Why::Missing),
            proportion: 2.0,
            words: ["[a dog] runs".into(), "IoU 0.25".into()],
            truths: vec![[0.0, 0.0, 0.5, 1.0]],
            predicted: Some([0.25, -1.0, 1.5, 0.5]),
        }
    }

    fn frames(drawing: &Drawing) -> Vec<Area> {
        let areas = drawing.page.marks.iter().filter_map(|mark| match mark {
            Mark::Frame(area, line) if line.colour != "#ffffff" => Some(*area),
            _ => None,
        });
        areas.collect()
    }

    #[test]
    fn boxes_stand_on_their_part_of_the_picture() {
        let drawing = boxes("failures", "", &[boxed()], &Options::default()).unwrap();
        let Some(Mark::Ground(picture, _)) =
            drawing.page.marks.iter().find(|mark| matches!(mark, Mark::Ground(..)))
        else {
            panic!("no ground")
        };
        assert!((picture.width / picture.height - 2.0).abs() < 0.01);
        let [truth, predicted, ..] = frames(&drawing)[..] else { panic!("no frames") };
        assert!(
            (truth.width - picture.width / 2.0).abs() < 0.01
                && (truth.height - picture.height).abs() < 0.01
        );
        // What reaches beyond the picture ends with it.
        assert!((predicted.x - picture.x - picture.width / 4.0).abs() < 0.01);
        assert!((predicted.width - picture.width * 0.75).abs() < 0.01);
        assert!((predicted.y - picture.y).abs() < 0.01);
    }

    #[test]
    fn pages_hold_whole_rows_and_all_pictures() {
        let options = Options::default();
        let all = vec![boxed(); 40];
        let pages = in_pages("failures", "a note", &all, &options, 193.0).unwrap();
        assert!(pages.len() > 1);
        let pictures = |page: &Drawing| {
            let marks = page.page.marks.iter();
            marks.filter(|mark| matches!(mark, Mark::Ground(..))).count()
        };
        assert_eq!(pages.iter().map(pictures).sum::<usize>(), 40);
        // All but the last are full.
        let first = pictures(&pages[0]);
        assert!(pages[..pages.len() - 1].iter().all(|page| pictures(page) == first));
        for page in &pages {
            assert!(page.page.height <= 193.0 * POINTS_PER_MM);
        }
        // A row is on a page of its own where no other fits, and nothing is one page.
        let low = in_pages("failures", "", &all[..9], &options, 1.0).unwrap();
        assert!(low.len() > 1 && low.iter().all(|page| pictures(page) > 0));
        assert_eq!(in_pages("", "", &[], &options, 193.0).unwrap().len(), 1);
    }

    #[test]
    fn pictures_fill_rows_and_the_page_holds_all_of_them() {
        let all = vec![boxed(); 7];
        let drawing = boxes("failures", "a note", &all, &Options::default()).unwrap();
        let grounds: Vec<Area> = drawing
            .page
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Ground(area, _) => Some(*area),
                _ => None,
            })
            .collect();
        assert_eq!(grounds.len(), 7);
        assert!((grounds[0].y - grounds[1].y).abs() < 0.01 && grounds[6].y > grounds[0].y);
        for area in grounds {
            assert!(
                area.x + area.width <= drawing.page.width
                    && area.y + area.height < drawing.page.height
            );
        }
    }
}
