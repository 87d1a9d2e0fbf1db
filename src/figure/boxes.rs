//! Images with boxes on them: what is true, and what a model predicts.

use std::path::Path;
use std::sync::Arc;

use super::fit::fitting;
use super::images::FigureImages;
use super::options::{Options, POINTS_PER_MM, page_height};
use super::page::{Area, Drawing, Mark, Sheet};
use super::style::{Frame, GROUND, Sign, frame};
use super::svg::dots;
use crate::error::Result;
use crate::picture::{ImageFiles, Source, Why};
use crate::truth::standing::Badge;

/// An image with boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxed {
    /// The name of its file.
    pub file_name: String,
    /// Its width over its height.
    pub proportion: f32,
    /// What stands below it: words, and then numbers.
    pub words: [String; 2],
    /// The true boxes: left, upper, right and lower edge, as shares of the image.
    pub truths: Vec<[f32; 4]>,
    /// The predicted box; `None` where there is none.
    pub predicted: Option<[f32; 4]>,
}

/// A figure of images with boxes.
#[derive(Debug, Clone)]
pub struct BoxedFigure {
    /// What it shows.
    pub title: String,
    /// What is said below.
    pub note: String,
    /// The images.
    pub all: Vec<Boxed>,
    /// Where their files are.
    pub files: Option<Arc<ImageFiles>>,
}

/// The least width of an image, in ems.
const NARROWEST: f32 = 13.0;
/// The highest image, of its width.
const HIGHEST: f32 = 1.2;
/// How a true box and a predicted one look.
const TRUE: Sign = Sign::Standing(Badge::Positive);
const PREDICTED: Sign = Sign::Standing(Badge::NotRelevant);
/// What the lines around boxes mean.
const LEGEND: [(Sign, &str); 2] = [(TRUE, "true box"), (PREDICTED, "predicted box")];

/// A row of images: how many, and how high it is with what follows it.
struct Row {
    count: usize,
    height: f32,
}

impl BoxedFigure {
    /// Writes it to a file, on as many pages as it takes; gives how many images are missing, and what could not be
    /// shown as it is, a line each.
    ///
    /// # Errors
    /// A font that the system lacks, else as [`super::export()`].
    pub fn write(&self, file: &Path, replaces: bool) -> Result<(usize, Vec<String>)> {
        let pages = self.pages(&Options::default(), page_height(1))?;
        let missing = pages.iter().map(|page| page.images.lacking().count()).sum();
        Ok((missing, super::export(&pages, file, replaces)?))
    }

    /// Pages of whole rows, each no higher than so many millimetres, unless a row alone is.
    fn pages(&self, options: &Options, most: f32) -> Result<Vec<Drawing>> {
        // Where things stand does not hang on the images, which are read once.
        let (whole, rows) = self.draw(&self.all, FigureImages::default(), options)?;
        let heights: Vec<f32> = rows.iter().map(|row| row.height).collect();
        let around = whole.page.height - heights.iter().sum::<f32>();
        let side = dots(options.width() / 2.0, options.dpi);
        let (mut pages, mut rest, mut done) = (Vec::new(), self.all.as_slice(), 0);
        while pages.is_empty() || !rest.is_empty() {
            let rows_fit = fitting(&heights[done..], most * POINTS_PER_MM - around);
            let of_page = rows.iter().skip(done).take(rows_fit);
            let (now, later) = rest.split_at(of_page.map(|row| row.count).sum());
            let sources = now.iter().map(|one| self.source(one)).enumerate();
            pages.push(self.draw(now, FigureImages::read(sources, side), options)?.0);
            (rest, done) = (later, done + rows_fit);
        }
        Ok(pages)
    }

    fn source(&self, one: &Boxed) -> std::result::Result<Source, Why> {
        self.files.as_ref().map_or(Err(Why::Missing), |files| files.find(&one.file_name))
    }

    /// Draws images beside and below each other, as many in a row as the width has room for.
    fn draw(
        &self,
        all: &[Boxed],
        images: FigureImages,
        options: &Options,
    ) -> Result<(Drawing, Vec<Row>)> {
        let mut placed = Vec::new();
        let names = [&*self.title, "the pictures with boxes"];
        let drawing = Drawing::new(names, options, images, |sheet, whole| {
            let bold = sheet.bold();
            let y = sheet.text(&self.title, whole.x, whole.y, whole.width, bold) + sheet.gap();
            placed = rows(sheet, all, Area { y, ..whole });
            let y = y + placed.iter().map(|row| row.height).sum::<f32>();
            tail(sheet, &self.note, Area { y, ..whole })
        })?;
        Ok((drawing, placed))
    }
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
            let place = Area { x: area.x + (width + gap) * at as f32, y: top, width, height: 0.0 };
            end = end.max(card(sheet, one, row * fit as usize + at, place));
        }
        placed.push(Row { count: boxed.len(), height: end + sheet.gap() - top });
        top = end + sheet.gap();
    }
    placed
}

/// An image with its boxes and words; gives where they end.
fn card(sheet: &mut Sheet<'_>, boxed: &Boxed, image: usize, card: Area) -> f32 {
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
            file_name: String::new(),
            proportion: 2.0,
            words: ["[a dog] runs".into(), "IoU 0.25".into()],
            truths: vec![[0.0, 0.0, 0.5, 1.0]],
            predicted: Some([0.25, -1.0, 1.5, 0.5]),
        }
    }

    fn figure(all: Vec<Boxed>, note: &str) -> BoxedFigure {
        BoxedFigure { title: "failures".into(), note: note.into(), all, files: None }
    }

    fn drawn(all: Vec<Boxed>) -> Drawing {
        figure(all, "a note").pages(&Options::default(), 1e6).unwrap().remove(0)
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
        let drawing = drawn(vec![boxed()]);
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
        let pages = figure(all.clone(), "a note").pages(&options, 193.0).unwrap();
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
        let low = figure(all[..9].to_vec(), "").pages(&options, 1.0).unwrap();
        assert!(low.len() > 1 && low.iter().all(|page| pictures(page) > 0));
        assert_eq!(figure(Vec::new(), "").pages(&options, 193.0).unwrap().len(), 1);
    }

    #[test]
    fn pictures_fill_rows_and_the_page_holds_all_of_them() {
        let drawing = drawn(vec![boxed(); 7]);
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
