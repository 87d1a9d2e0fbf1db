//! A figure that fits a page: smaller cards, then smaller text, then fewer words; or one of several pages.

use super::options::{LEAST_CARDS, POINTS_PER_MM};
use super::{Drawing, Figure, Options, Page, Scene, Wanted, arrange};
use crate::error::{Error, Result};

/// Shares of their usual width that cards take.
const CARDS: [f32; 3] = [0.85, 0.7, LEAST_CARDS];
/// Text gets smaller by so many points at a time.
const TEXT_STEP: f32 = 0.5;
/// Words that captions of items keep.
const WORDS: [usize; 5] = [16, 12, 9, 6, 4];

/// What a figure is shrunk to.
#[derive(Debug, Clone, Copy)]
struct Shrink {
    cards: f32,
    /// In points.
    text: f32,
    /// Words of each item's caption; `None` keeps all.
    words: Option<usize>,
}

impl Figure {
    /// Shrinks a figure that is higher than so many millimetres, no more than it must be; gives in one line what was shrunk.
    ///
    /// # Errors
    /// Its least height, where even that is higher; then it stays as it is.
    pub fn fit(&mut self, most: f32) -> Result<Option<String>> {
        if self.height() <= most {
            return Ok(None);
        }
        let steps = self.steps();
        let least = steps.last().map_or(f32::INFINITY, |&least| self.height_of(least));
        let fitting = steps.iter().copied().filter(|_| least <= most);
        let Some(shrink) = fitting.into_iter().find(|&step| self.height_of(step) <= most) else {
            let least = least.min(self.height());
            let with = if self.below > 0.0 { " with its caption" } else { "" };
            let found =
                format!("{least:.0} mm high{with} at its smallest, a page has {most:.0} mm");
            return Err(Error::new("figure", found).expected("fewer queries, models or items"));
        };
        let line = self.describe(shrink, most);
        (self.scene, self.options, self.drawing.page) = self.shrunk(shrink);
        Ok(Some(line))
    }

    /// From the least change to the greatest. Cards with text may be lower at their usual width.
    fn steps(&self) -> Vec<Shrink> {
        let usual = self.options.text;
        let least = self.options.least_text.min(usual);
        let both = |text, words| [1.0, LEAST_CARDS].map(|cards| Shrink { cards, text, words });
        let mut steps: Vec<Shrink> =
            CARDS.iter().map(|&cards| Shrink { cards, text: usual, words: None }).collect();
        let count = ((usual - least) / TEXT_STEP).ceil() as usize;
        let texts = (1..=count).map(|at| (usual - TEXT_STEP * at as f32).max(least));
        steps.extend(texts.flat_map(|text| both(text, None)));
        steps.extend(WORDS.iter().flat_map(|&words| both(least, Some(words))));
        steps
    }

    fn describe(&self, shrink: Shrink, most: f32) -> String {
        let cards = format!("cards to {:.0} %", shrink.cards * 100.0);
        let text = format!("text to {} points", shrink.text);
        let words = shrink.words.map(|words| format!("captions to {words} words"));
        let parts = [
            (shrink.cards < 1.0).then_some(cards),
            (shrink.text < self.options.text).then_some(text),
            words,
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("shrunk to a page of {most:.0} mm: {}", parts.join(", "))
    }

    /// The height so, with the caption, in millimetres.
    fn height_of(&mut self, shrink: Shrink) -> f32 {
        self.shrunk(shrink).2.height / POINTS_PER_MM + self.below
    }

    fn shrunk(&mut self, shrink: Shrink) -> (Scene, Options, Page) {
        let scene = self.shortened(shrink.words);
        let options = Options { cards: shrink.cards, text: shrink.text, ..self.options.clone() };
        let Drawing { fonts, images, .. } = &mut self.drawing;
        let page = arrange::page(&scene, &options, fonts, images);
        (scene, options, page)
    }

    /// The scene with at most so many words of each item's caption.
    fn shortened(&self, words: Option<usize>) -> Scene {
        let mut scene = self.scene.clone();
        let Some(words) = words else { return scene };
        let rows = scene.queries.iter_mut().flat_map(|asked| &mut asked.rows);
        for item in rows.flat_map(|row| &mut row.items) {
            let subject = &mut item.subject;
            let texts = if subject.is_image {
                subject.own.as_mut_slice()
            } else {
                std::slice::from_mut(&mut subject.text)
            };
            for text in texts.iter_mut() {
                *text = first_words(text, words);
            }
        }
        scene
    }
}

/// A figure of as many queries as fit so many millimetres, one of as many of the rest, and so on; `figure` makes
/// each. A query that alone is higher has a figure of its own.
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
        // A heading that goes on stands again on the next page.
        while count > 1 && page.height() > most {
            count -= 1;
            page = figure(&rest[..count])?;
        }
        figures.push(page);
        (rest, heights) = (&rest[count..], &heights[count..]);
    }
    Ok(figures)
}

/// How many of these, from the first on, are together no higher than the room; at least one.
pub(super) fn fitting(heights: &[f32], room: f32) -> usize {
    let ends = heights.iter().scan(0.0, |end, height| {
        *end += height;
        Some(*end)
    });
    ends.take_while(|end| *end <= room).count().max(1)
}

/// The first words of a text, and an ellipsis for the others.
fn first_words(text: &str, count: usize) -> String {
    let mut words = text.split_whitespace();
    let first: Vec<&str> = words.by_ref().take(count).collect();
    let ellipsis = if words.next().is_some() { " …" } else { "" };
    first.join(" ") + ellipsis
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};
    use crate::figure::chosen::Chosen;
    use crate::figure::{Options, Wanted};
    use crate::study::demo;
    use crate::truth::verdict::Verdicts;

    /// Queries of the demo with the first items of two models, without images.
    fn figure(queries: usize) -> Figure {
        let mut study = demo::open().unwrap();
        study.pictures = None;
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
        let scene = Scene::of(&study, &wanted, &Verdicts::default()).unwrap();
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
        let mut fewer = figure(3);
        let told = fewer.fit(height * 0.45).unwrap().unwrap();
        assert!(told.contains("text to 6 points, captions to "), "{told}");
        let items = fewer.scene.queries.iter().flat_map(|one| &one.rows).flat_map(|row| &row.items);
        assert!(items.clone().any(|item| item.subject.own[0].ends_with(" …")), "{told}");
        let error = figure(3).fit(20.0).unwrap_err().to_string();
        assert!(error.contains("at its smallest, a page has 20 mm"), "{error}");
    }

    #[test]
    fn text_of_a_size_that_was_asked_for_stays() {
        let mut asked = figure(3);
        asked.options.least_text = 8.0;
        let most = asked.height() * 0.8;
        let told = asked.fit(most).unwrap().unwrap();
        assert!(!told.contains("text to"), "{told}");
    }

    #[test]
    fn words_are_left_out_at_the_end() {
        assert_eq!(first_words("a b  c", 3), "a b c");
        assert_eq!(first_words("a b c d", 3), "a b c …");
    }
}
