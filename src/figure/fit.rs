//! Fits a figure to the height of a page: shrinks cards, then text, or splits it into pages.

use super::options::POINTS_PER_MM;
use super::{Drawing, Figure, FigureQuery, Format, Options, arrange};
use crate::error::{Error, Result};

/// Widths of cards to try, relative to the usual one.
const CARD_SCALES: [f32; 3] = [0.85, 0.7, 0.55];
/// Step between text sizes to try, in points.
const TEXT_STEP: f32 = 0.5;

impl Figure {
    /// Shrinks a figure just enough for a height in millimetres. Returns a note with the new sizes, if it was shrunk.
    ///
    /// # Errors
    /// If the figure is too high at its smallest; then it is unchanged.
    pub fn shrink_to_height(&mut self, max_height: f32) -> Result<Option<String>> {
        let mut min_height = self.height();
        if min_height <= max_height {
            return Ok(None);
        }
        for options in self.smaller_options() {
            let Drawing { fonts, images, .. } = &mut self.drawing;
            let page = arrange::lay_out(&self.scene, &options, fonts, images);
            let height = page.height / POINTS_PER_MM + self.caption_height;
            min_height = min_height.min(height);
            if height <= max_height {
                let (cards, text) = (options.card_scale * 100.0, options.text);
                (self.options, self.drawing.page) = (options, page);
                return Ok(Some(format!(
                    "shrunk to a page of {max_height:.0} mm: cards to {cards:.0} %, text of {text} points"
                )));
            }
        }
        let with = if self.caption_height > 0.0 { " with its caption" } else { "" };
        let found =
            format!("{min_height:.0} mm high{with} at its smallest, a page has {max_height:.0} mm");
        Err(Error::new("figure", found).expected("fewer queries, models or items"))
    }

    /// Options for smaller versions of the figure, largest first.
    fn smaller_options(&self) -> impl Iterator<Item = Options> + use<> {
        let options = self.options.clone();
        let [usual, min] = [options.text, options.min_text.min(options.text)];
        let count = ((usual - min) / TEXT_STEP).ceil() as usize;
        let texts = (1..=count).map(move |at| (usual - TEXT_STEP * at as f32).max(min));
        let sizes = CARD_SCALES.into_iter().map(move |scale| (scale, usual));
        let sizes = sizes.chain(texts.map(|text| (CARD_SCALES[2], text)));
        sizes.map(move |(card_scale, text)| Options { card_scale, text, ..options.clone() })
    }
}

/// Lays queries out in pages of at most `max_height` millimetres; `figure` makes a page. A figure that is too high is
/// shrunk, or split if that is not enough and the format has pages. Returns the pages, and a note with the new sizes if
/// shrunk.
///
/// # Errors
/// Those of `figure`; a figure too high at its smallest, in a format of one page.
pub fn fit_to_pages(
    queries: &[FigureQuery],
    max_height: f32,
    format: &Format,
    figure: impl Fn(&[FigureQuery]) -> Result<Figure>,
) -> Result<(Vec<Drawing>, Option<String>)> {
    let mut whole = figure(queries)?;
    whole.caption_height = format.caption_height;
    match whole.shrink_to_height(max_height) {
        Ok(note) => Ok((vec![whole.drawing], note)),
        Err(_) if format.has_pages => {
            let pages = paginate(queries, max_height, figure)?;
            Ok((pages.into_iter().map(|page| page.drawing).collect(), None))
        }
        Err(error) => Err(error.fix("-k 3, or a .pdf, which has pages")),
    }
}

/// Splits queries into figures of at most `max_height` millimetres, each with as many queries as fit. `figure` makes a
/// figure. A query higher than that has a figure of its own.
///
/// # Errors
/// Those of `figure`.
pub fn paginate(
    queries: &[FigureQuery],
    max_height: f32,
    figure: impl Fn(&[FigureQuery]) -> Result<Figure>,
) -> Result<Vec<Figure>> {
    let whole = figure(queries)?;
    if whole.height() <= max_height {
        return Ok(vec![whole]);
    }
    let mut heights = whole.drawing.page.heights.as_slice();
    let queries_height: f32 = heights.iter().sum();
    let room = max_height * POINTS_PER_MM - (whole.height() * POINTS_PER_MM - queries_height);
    let (mut figures, mut rest) = (Vec::new(), queries);
    while !rest.is_empty() {
        let mut count = count_fitting(heights, room);
        let mut page = figure(&rest[..count])?;
        // A continued heading is repeated on the next page.
        while count > 1 && page.height() > max_height {
            count -= 1;
            page = figure(&rest[..count])?;
        }
        figures.push(page);
        (rest, heights) = (&rest[count..], &heights[count..]);
    }
    Ok(figures)
}

/// How many of the first heights fit into `room` together; at least one.
fn count_fitting(heights: &[f32], room: f32) -> usize {
    let ends = heights.iter().scan(0.0, |end, height| {
        *end += height;
        Some(*end)
    });
    ends.take_while(|end| *end <= room).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};
    use crate::figure::Scene;
    use crate::figure::selection::QuerySelection;
    use crate::study::demo;
    use crate::truth::judgment::Judgments;

    /// Queries of the demo with the top items of two models, without images.
    fn figure(queries: usize) -> Figure {
        let mut study = demo::open().unwrap();
        study.image_files = None;
        let one = |query| FigureQuery {
            direction: Direction::T2i,
            query,
            models: [0, 1].map(ModelIx::new).to_vec(),
            truth: TruthIx::new(1),
            depth: 5,
            note: String::new(),
            heading: String::new(),
            selection: QuerySelection::Named,
        };
        let wanted: Vec<FigureQuery> = (0..queries).map(one).collect();
        let scene = Scene::new(&study, &wanted, &Judgments::default()).unwrap();
        Figure::new(&study, scene, Options::default()).unwrap()
    }

    #[test]
    fn a_figure_is_shrunk_no_more_than_it_must_be() {
        let mut whole = figure(3);
        let height = whole.height();
        assert_eq!(whole.shrink_to_height(height).unwrap(), None);
        let mut before = 9.0;
        for most in [0.9, 0.8, 0.7] {
            let mut fitted = figure(3);
            let told = fitted.shrink_to_height(height * most).unwrap().unwrap();
            assert!(fitted.height() <= height * most, "{told}");
            assert!((6.0..=before).contains(&fitted.options.text), "{told}");
            before = fitted.options.text;
        }
        let error = figure(3).shrink_to_height(20.0).unwrap_err().to_string();
        assert!(error.contains("at its smallest, a page has 20 mm"), "{error}");
    }

    #[test]
    fn text_of_a_size_that_was_asked_for_stays() {
        let mut asked = figure(3);
        asked.options.min_text = 8.0;
        let most = asked.height() * 0.85;
        let told = asked.shrink_to_height(most).unwrap().unwrap();
        assert!(told.ends_with("text of 8 points"), "{told}");
    }
}
