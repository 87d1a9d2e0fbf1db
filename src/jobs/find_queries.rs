//! Filters over many queries, and fuzzy search over captions, ids and file names.
//!
//! Subsequence matching is loose for sentences, so whole words rank above parts of words, and these above all words in
//! any order; scattered letters match only if nothing else does. A leading `'` searches for the exact text.

use std::cmp::Reverse;
use std::sync::Arc;

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::{Job, Run, Stamp, Wanted};
use crate::data::near::nearest;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection, parallel};
use crate::filter::{Expression, FilterAnswer, FilterInputs, QUERIES_PER_TASK};
use crate::study::Study;
use crate::truth::relevance::Relevance;
use crate::tui::app::App;
use crate::tui::state::changes::Dirty;

/// Maximum number of views whose ranks a filter over [`QUERIES_PER_TASK`] queries reads while the screen waits: a
/// condition over training steps needs those of all steps.
const MAX_VIEWS: usize = 4;

/// A condition, and the inputs to evaluate it.
#[derive(Debug)]
pub struct FilterRequest {
    /// Stamp of the request: ranks may change between requests.
    pub stamp: Stamp,
    /// The condition.
    pub filter: Expression,
    /// The study.
    pub study: Arc<Study>,
    /// Snapshot of ranks, judgments and picks.
    pub counts: FilterInputs,
}

impl FilterRequest {
    /// Whether the screen can wait for the answer; `relevance` has the lists of the searched queries.
    pub fn is_small(&self, relevance: &Relevance) -> bool {
        let lookups = relevance.len() * self.filter.needs().views.len();
        relevance.len() <= QUERIES_PER_TASK && lookups <= MAX_VIEWS * QUERIES_PER_TASK
    }

    /// The queries that meet the condition; `None` if ranks are missing or `is_cancelled` returns true.
    pub fn evaluate(&self, is_cancelled: &dyn Fn() -> bool) -> Option<FilterAnswer> {
        self.filter.answer(&self.study, &self.counts, is_cancelled)
    }
}

/// Evaluates filters; a changed filter cancels the current run.
pub struct FilterQueries;

impl Job for FilterQueries {
    const READS_SCORES: bool = false;
    /// Stamp of the request.
    type Key = Stamp;
    type Part = ();
    type Input = Arc<FilterRequest>;
    /// The queries that meet it.
    type Output = FilterAnswer;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        if let Some(answer) = run.input.evaluate(&|| run.token.is_cancelled()) {
            run.send(answer);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let request = app.model.wanted_filter()?;
        Some(Wanted::new(request.stamp, || request.clone()))
    }

    fn apply(app: &mut App, request: Stamp, answer: FilterAnswer) {
        let model = &mut app.model;
        if model.filter.found.set_answer(request, &answer) {
            model.dirty |= Dirty::ROWS | Dirty::NUMBERS;
        } else {
            model.known.typed_met = Some((request, answer));
            model.dirty |= Dirty::POPUP;
        }
    }
}

/// Gallery entries that match a fuzzy search, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchMatches {
    /// The direction whose queries were searched.
    pub direction: Direction,
    /// Search text.
    pub text: String,
    /// Gallery indices of the matching queries, best first.
    pub queries: Vec<u32>,
    /// Whether the matches only have the letters of the search text in order, since no text contains it.
    pub is_spelt_alike: bool,
}

impl SearchMatches {
    /// `count` matches, in words: `3 matches`.
    pub fn describe(&self, count: usize) -> String {
        let noun = match count {
            _ if self.is_spelt_alike => "spelt alike",
            1 => "match",
            _ => "matches",
        };
        format!("{} {noun}", grouped(count))
    }
}

/// Searches queries; keeps the lower-cased texts.
#[derive(Default)]
pub struct SearchQueries {
    texts: PerDirection<Option<Vec<String>>>,
    /// Value of [`Study::texts_shown`] when `texts` were made.
    texts_shown: usize,
}

impl Job for SearchQueries {
    const READS_SCORES: bool = false;
    /// Direction whose queries are searched, and the text.
    type Key = (Direction, String);
    type Part = ();
    type Input = Arc<Study>;
    type Output = SearchMatches;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (direction, text) = run.key;
        run.send(self.find(run.input, *direction, text));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let (search, direction) = (&model.search, model.view.direction);
        let is_missing = !search.text().is_empty() && search.current_matches(direction).is_none();
        let key = (direction, search.text().to_owned());
        is_missing.then(|| Wanted::new(key, || model.study.clone()))
    }

    fn apply(app: &mut App, _: Self::Key, found: SearchMatches) {
        let model = &mut app.model;
        model.search.found = Some(found);
        if !std::mem::take(&mut model.search.is_resumed) {
            model.select_from_top();
        }
        model.dirty |= Dirty::ROWS;
    }
}

impl SearchQueries {
    /// The queries of a direction that match `text`, best first, then in gallery order.
    pub fn find(&mut self, study: &Study, direction: Direction, text: &str) -> SearchMatches {
        if self.texts_shown != study.texts_shown {
            self.texts_shown = study.texts_shown;
            self.texts = PerDirection::default();
        }
        let texts = self.texts[direction].get_or_insert_with(|| search_texts(study, direction));
        let wanted = text.to_lowercase();
        let literal = sort_matches(texts, || (), |(), text| rate_literal(text, &wanted));
        let is_literal = !literal.is_empty();
        // One matcher per thread: a shared one does not scale.
        let rate = |matcher: &mut SkimMatcherV2, text: &str| rate_fuzzy(matcher, text, &wanted);
        let queries =
            if is_literal { literal } else { sort_matches(texts, SkimMatcherV2::default, rate) };
        SearchMatches {
            direction,
            text: text.to_owned(),
            is_spelt_alike: !is_literal && !queries.is_empty(),
            queries,
        }
    }
}

/// Indices of the matching texts, best first, ties in order. `quality` gets a matcher and a text, and returns `None` if
/// the text does not match. Each thread makes its own `matcher`.
fn sort_matches<M>(
    texts: &[String],
    matcher: impl Fn() -> M + Send + Sync,
    quality: impl Fn(&mut M, &str) -> Option<Quality> + Send + Sync,
) -> Vec<u32> {
    let matching = parallel::map_with(texts.len(), matcher, |matcher, at| {
        Some((quality(matcher, &texts[at])?, at as u32))
    });
    let mut found: Vec<_> = matching.into_iter().flatten().collect();
    parallel::sort_unstable_by_key(&mut found, |found| *found);
    found.into_iter().map(|(_, at)| at).collect()
}

/// Searched text of each query: a caption's text and id; an image's id, file name and captions.
fn search_texts(study: &Study, direction: Direction) -> Vec<String> {
    let gallery = &study.gallery;
    let image_text = |image: usize| {
        let own = study.original_items(Direction::I2t, image).iter();
        let captions: Vec<_> = own.map(|caption| gallery.caption(caption as usize)).collect();
        format!("{} {}", gallery.image(image), captions.join(" / "))
    };
    let ids = gallery.queries(direction);
    parallel::map_indices(ids.len(), |query| {
        let text = match direction {
            Direction::I2t => image_text(query),
            Direction::T2i => gallery.caption(query),
        };
        format!("{} {text}", ids.as_slice()[query]).to_lowercase()
    })
}

/// Quality of a match, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// The searched text is the whole text.
    Whole,
    /// Whole words.
    Word,
    /// Parts of words.
    Part,
    /// All words, anywhere.
    AllWords,
    /// Similar words for all words: a different spelling.
    Near,
    /// All letters in order, with the score of the fuzzy match.
    Scattered(Reverse<i64>),
}

impl Quality {
    /// Quality of a literal match of `wanted` in `text`, ignoring case; `None` if it does not match. A single letter
    /// matches only as a word, since most texts contain it.
    pub fn literal(text: &str, wanted: &str) -> Option<Self> {
        let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
        let quality = rate_literal(&text, &wanted)?;
        (quality == Quality::Word || wanted.chars().count() > 1).then_some(quality)
    }

    /// [`Quality::Near`] if the text has a similar word for each word of `wanted`, else `None`.
    pub fn near(text: &str, wanted: &str) -> Option<Self> {
        let words = || text.split(|c: char| !c.is_alphanumeric());
        let is_near = |word| nearest(word, words()).is_some();
        wanted.split_whitespace().all(is_near).then_some(Quality::Near)
    }
}

/// Quality of the match of `wanted` in `text`, ignoring case; `None` if it does not match.
pub fn match_quality(text: &str, wanted: &str) -> Option<Quality> {
    let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
    rate_literal(&text, &wanted).or_else(|| rate_fuzzy(&SkimMatcherV2::default(), &text, &wanted))
}

/// Quality of a match of whole words, part of a word, or all words anywhere; `None` if `wanted` does not match. Both
/// texts are in lower case. A leading `'` in `wanted` requires the exact text.
fn rate_literal(text: &str, wanted: &str) -> Option<Quality> {
    let exact = wanted.strip_prefix('\'');
    let sought = exact.unwrap_or(wanted);
    let is_word = |(at, found): (usize, &str)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        [before, after].iter().all(|c| !c.is_some_and(char::is_alphanumeric))
    };
    if text.contains(sought) {
        let is_whole = text.match_indices(sought).any(is_word);
        return Some(if is_whole { Quality::Word } else { Quality::Part });
    }
    let all = exact.is_none() && sought.split_whitespace().all(|word| text.contains(word));
    all.then_some(Quality::AllWords)
}

/// Quality of a match of all letters of `wanted` in order, with gaps. `None` if they do not match, if there are fewer
/// than three (two are in nearly every sentence), or if a leading `'` asks for the exact text.
fn rate_fuzzy(matcher: &SkimMatcherV2, text: &str, wanted: &str) -> Option<Quality> {
    let is_fuzzy = !wanted.starts_with('\'') && wanted.chars().count() >= 3;
    let score = is_fuzzy.then(|| matcher.fuzzy_match(text, wanted)).flatten()?;
    Some(Quality::Scattered(Reverse(score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_parts_before_scattered_letters() {
        let of = |text| match_quality(text, "dog").unwrap();
        assert!(of("a hotdog and a dog") < of("a hotdog"));
        assert!(of("a hotdog") < of("down on the green"));
        assert!(
            match_quality("a dog on a beach", "beach dog")
                < match_quality("better each dog", "btr dog")
        );
        assert_eq!(match_quality("a cat", "dog"), None);
    }

    #[test]
    fn words_as_typed_before_words_near_to_them() {
        let text = "next match of the search";
        assert_eq!(Quality::literal(text, "Search"), Some(Quality::Word));
        assert_eq!(Quality::literal(text, "sear"), Some(Quality::Part));
        assert_eq!(Quality::literal(text, "search next"), Some(Quality::AllWords));
        assert_eq!(Quality::literal(text, "s"), None);
        assert_eq!(Quality::literal(text, "seach"), None);
        assert_eq!(Quality::near(text, "seach"), Some(Quality::Near));
        assert_eq!(Quality::near(text, "seach dog"), None);
        // Scattered letters are no match.
        assert_eq!(Quality::near(text, "nmos"), None);
    }

    #[test]
    fn a_quote_asks_for_the_text_as_it_stands() {
        assert_eq!(match_quality("down on the green", "'dog"), None);
        assert_eq!(match_quality("dog a", "'a dog"), None);
        assert!(match_quality("A dog", "'a d").is_some());
    }

    #[test]
    fn scattered_letters_count_only_where_nothing_has_the_text() {
        let texts = ["a dog", "down on the green"].map(String::from);
        let mut searcher = SearchQueries::default();
        searcher.texts[Direction::I2t] = Some(texts.to_vec());
        let mut find = |text| {
            let found = searcher.find(&Study::default(), Direction::I2t, text);
            (found.describe(found.queries.len()), found.queries)
        };
        assert_eq!(find("dog"), ("1 match".into(), vec![0]));
        assert_eq!(find("o"), ("2 matches".into(), vec![0, 1]));
        assert_eq!(find("dntgr"), ("1 spelt alike".into(), vec![1]));
        assert_eq!(find("zzz"), ("0 matches".into(), vec![]));
    }

    #[test]
    fn the_demo_is_searched_in_both_directions() {
        let study = crate::study::demo::open().unwrap();
        let mut searcher = SearchQueries::default();
        for direction in Direction::BOTH {
            let found = searcher.find(&study, direction, "Kite");
            assert!(!found.queries.is_empty());
            let id = study.gallery.queries(direction)[17].to_string();
            assert!(searcher.find(&study, direction, &id).queries.contains(&17));
        }
    }
}
