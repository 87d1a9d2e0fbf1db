//! Fuzzy search over the queries: their captions, ids and file names.
//!
//! Subsequence matching is loose for sentences, so a whole word comes before a part of a word, and
//! that before scattered letters. A leading `'` asks for the text as it stands.

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;
use rayon::prelude::*;

use crate::data::{Direction, PerDirection};
use crate::study::Study;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The direction whose queries were searched.
    pub direction: Direction,
    /// What was searched for.
    pub text: String,
    /// Gallery indices of the matching queries, best first.
    pub queries: Vec<u32>,
}

/// Searches, and keeps the lower-cased texts for the next search.
#[derive(Default)]
pub struct Searcher {
    texts: PerDirection<Option<Vec<String>>>,
}

impl Searcher {
    /// The queries of a direction that match `text`, best first, then in gallery order.
    pub fn find(&mut self, study: &Study, direction: Direction, text: &str) -> Found {
        let texts = self.texts[direction].get_or_insert_with(|| texts(study, direction));
        let wanted = text.to_lowercase();
        let mut found: Vec<(i64, u32)> = texts
            .par_iter()
            .enumerate()
            // A matcher of its own for each thread: a shared one does not scale.
            .map_init(SkimMatcherV2::default, |matcher, (query, text)| {
                Some((quality(matcher, text, &wanted)?, query as u32))
            })
            .flatten()
            .collect();
        found.par_sort_unstable_by_key(|&(quality, query)| (std::cmp::Reverse(quality), query));
        let queries = found.into_iter().map(|(_, query)| query).collect();
        Found {
            direction,
            text: text.to_owned(),
            queries,
        }
    }
}

/// What is searched of each query: a caption's text and id; an image's id, file name and captions.
fn texts(study: &Study, direction: Direction) -> Vec<String> {
    let gallery = &study.gallery;
    let of_image = |image: usize| {
        let own = study.own(Direction::I2t, image).iter();
        let captions = own.map(|&caption| gallery.caption(caption as usize));
        let captions = captions.collect::<Vec<_>>().join(" / ");
        format!(
            "{} {} {captions}",
            gallery.images[image],
            gallery.image(image)
        )
    };
    let of_caption =
        |caption: usize| format!("{} {}", gallery.captions[caption], gallery.caption(caption));
    let queries = 0..gallery.queries(direction).len();
    queries
        .into_par_iter()
        .map(|query| match direction {
            Direction::I2t => of_image(query).to_lowercase(),
            Direction::T2i => of_caption(query).to_lowercase(),
        })
        .collect()
}

/// How well `text` matches what is wanted, in any case; `None` if it does not.
pub fn matches(text: &str, wanted: &str) -> Option<i64> {
    quality(
        &SkimMatcherV2::default(),
        &text.to_lowercase(),
        &wanted.to_lowercase(),
    )
}

const WORD: i64 = 2_000_000;
const PART: i64 = 1_000_000;

/// How well a lower-cased text matches; `None` if it does not.
fn quality(matcher: &SkimMatcherV2, text: &str, wanted: &str) -> Option<i64> {
    let literal = wanted.strip_prefix('\'');
    let sought = literal.unwrap_or(wanted);
    if let Some(at) = text.find(sought) {
        let before = text[..at].chars().next_back();
        let after = text[at + sought.len()..].chars().next();
        let is_word = [before, after]
            .iter()
            .all(|c| !c.is_some_and(char::is_alphanumeric));
        return Some(if is_word { WORD } else { PART });
    }
    // Two scattered letters are in nearly every sentence.
    if literal.is_some() || sought.chars().count() < 3 {
        return None;
    }
    matcher.fuzzy_match(text, sought)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, wanted: &str) -> Option<i64> {
        quality(&SkimMatcherV2::default(), text, wanted)
    }

    #[test]
    fn words_before_parts_before_scattered_letters() {
        let (word, part) = (
            of("a dog runs", "dog").unwrap(),
            of("a hotdog", "dog").unwrap(),
        );
        let scattered = of("down on the green", "dog").unwrap();
        assert!(word > part && part > scattered);
        assert_eq!(of("a cat", "dog"), None);
    }

    #[test]
    fn a_quote_asks_for_the_text_as_it_stands() {
        assert_eq!(of("down on the green", "'dog"), None);
        assert!(of("a dog", "'a d").is_some());
    }

    #[test]
    fn the_demo_is_searched_in_both_directions() {
        let study = crate::study::demo::open().unwrap();
        let mut searcher = Searcher::default();
        for direction in Direction::BOTH {
            let found = searcher.find(&study, direction, "Kite");
            assert!(!found.queries.is_empty());
            let id = study.gallery.queries(direction)[17].to_string();
            assert!(searcher.find(&study, direction, &id).queries.contains(&17));
        }
    }
}
