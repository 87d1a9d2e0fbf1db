//! Fits a figure to a page: smaller cards, then smaller text; or splits it into pages.

use super::options::POINTS_PER_MM;
use super::{Drawing, Figure, Format, Options, Wanted, arrange};
use crate::error::{Error, Result};

/// Shares of the usual card width.
const CARDS: [f32; 3] = [0.85, 0.7, 0.55];
/// Step of the text size, in points.
const TEXT_STEP: f32 = 0.5;

impl Figure {
    /// Shrinks a figure just enough for a height in millimetres; returns what was shrunk.
    ///
    /// # Errors
    /// The minimum height, if it is too high; then the figure is unchanged.
    pub fn fit(&mut self, most: f32) -> Result<Option<String>> {
        let mut least = self.height();
        if least <= most {
            return Ok(None);
        }
        for options in self.smaller() {
            let Drawing { fonts, images, .. } = &mut self.drawing;
            let page = arrange::page(&self.scene, &options, fonts, images);
            let height = page.height / POINTS_PER_MM + self.below;
            least = least.min(height);
            if height <= most {
                let (cards, text) = (options.cards * 100.0, options.text);
                (self.options, self.drawing.page) = (options, page);
                return Ok(Some(format!(
                    "shrunk to a page of {most:.0} mm: cards to {cards:.0} %, text of {text} points"
                )));
            }
        }
        let with = if self.below > 0.0 { " with its caption" } else { "" };
        let found = format!("{least:.0} mm high{with} at its smallest, a page has {most:.0} mm");
        Err(Error::new("figure", found).expected("fewer queries, models or items"))
    }

    /// Smaller versions of the options, largest first.
    fn smaller(&self) -> impl Iterator<Item = Options> + use<> {
        let options = self.options.clone();
        let [usual, least] = [options.text, options.least_text.min(options.text)];
        let count = ((usual - least) / TEXT_STEP).ceil() as usize;
        let texts = (1..=count).map(move |at| (usual - TEXT_STEP * at as f32).max(least));
        let steps = CARDS.into_iter().map(move |cards| (cards, usual));
        let steps = steps.chain(texts.map(|text| (CARDS[2], text)));
        steps.map(move |(cards, text)| Options { cards, text, ..options.clone() })
    }
}

/// Lays a figure out in pages of at most a height in millimetres, and returns what was shrunk for that. More than one
/// page only if the format has pages and one page is too high.
///
/// # Errors
/// Those of `figure`; a figure too high at its smallest, in a format of one page.
pub fn paged(
    wanted: &[Wanted],
    most: f32,
    format: &Format,
    figure: impl Fn(&[Wanted]) -> Result<Figure>,
) -> Result<(Vec<Drawing>, Option<String>)> {
    let mut whole = figure(wanted)?;
    whole.below = format.caption_height;
    match whole.fit(most) {
        Ok(told) => Ok((vec![whole.drawing], told)),
        Err(_) if format.has_pages => {
            let pages = in_pages(wanted, most, figure)?;
            Ok((pages.into_iter().map(|page| page.drawing).collect(), None))
        }
        Err(error) => Err(error.mend("a .pdf, which has pages")),
    }
}

/// A figure of as many queries as fit `most` millimetres, one of as many of the rest, and so on; `figure` makes each. A
/// query that is higher alone has a figure of its own.
///
/// # Errors
/// Those of `figure`.
pub fn in_pages(
    wanted: &[Wanted],
    most: f32,
    figure: impl Fn(&[Wanted]) -> Result<Figure>,
) -> Result<Vec<Figure>> {
    let whole = figure(wanted)?;
    if whole.height() <= most {
        return Ok(vec![whole]);
    }
    let mut heights = whole.drawing.page.heights.as_slice();
    let queries: f32 = heights.iter().sum();
    let room = most * POINTS_PER_MM - (whole.height() * POINTS_PER_MM - queries);
    let (mut figures, mut rest) = (Vec::new(), wanted);
    while !rest.is_empty() {
        let mut count = fitting(heights, room);
        let mut page = figure(&rest[..count])?;
        // A continued heading is repeated on the next page.
        while count > 1 && page.height() > most {
            count -= 1;
            page = figure(&rest[..count])?;
        }
        figures.push(page);
        (rest, heights) = (&rest[count..], &heights[count..]);
    }
    Ok(figures)
}

/// Number of these, from the first on, that fit in the room together; at least one.
pub(super) fn fitting(heights: &[f32], room: f32) -> usize {
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
    use crate::figure::selection::Chosen;
    use crate::study::demo;
    use crate::truth::judgment::Judgments;

    /// Queries of the demo with the top items of two models, without images.
    fn figure(queries: usize) -> Figure {
        let mut study = demo::open().unwrap();
        study.image_files = None;
        let one = |query| Wanted {
            direction: Direction::T2i,
            query,
            models: [0, 1].map(ModelIx::new).to_vec(),
            truth: TruthIx::new(1),
            depth: 5,
            note: String::new(),
            heading: String::new(),
            chosen: Chosen::Named,
        };
        let wanted: Vec<Wanted> = (0..queries).map(one).collect();
        let scene = Scene::new(&study, &wanted, &Judgments::default()).unwrap();
        Figure::new(&study, scene, Options::default()).unwrap()
    }

    #[test]
    fn a_figure_is_shrunk_no_more_than_it_must_be() {
        let mut whole = figure(3);
        let height = whole.height();
        assert_eq!(whole.fit(height).unwrap(), None);
        let mut before = 9.0;
        for most in [0.9, 0.8, 0.7] {
            let mut fitted = figure(3);
            let told = fitted.fit(height * most).unwrap().unwrap();
            assert!(fitted.height() <= height * most, "{told}");
            assert!((6.0..=before).contains(&fitted.options.text), "{told}");
            before = fitted.options.text;
        }
        let error = figure(3).fit(20.0).unwrap_err().to_string();
        assert!(error.contains("at its smallest, a page has 20 mm"), "{error}");
    }

    #[test]
    fn text_of_a_size_that_was_asked_for_stays() {
        let mut asked = figure(3);
        asked.options.least_text = 8.0;
        let most = asked.height() * 0.85;
        let told = asked.fit(most).unwrap().unwrap();
        assert!(told.ends_with("text of 8 points"), "{told}");
    }
}
