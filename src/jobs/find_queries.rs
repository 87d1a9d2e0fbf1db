//! Conditions asked of very many queries, and fuzzy search over their captions, ids and file names.
//!
//! Subsequence matching is loose for sentences, so a whole word comes before a part of a word, that before
//! all words in any place; scattered letters count where no text has any of these. A leading `'` asks for the text as it stands.

use std::cmp::Reverse;
use std::sync::Arc;

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use super::{Job, Run, Stamp, Wanted};
use crate::data::near::nearest;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection, parallel};
use crate::filter::{AT_ONCE, Counts, Expression, FilterAnswer};
use crate::study::Study;
use crate::truth::relevance::Relevance;
use crate::tui::app::App;
use crate::tui::state::changes::Dirty;

/// Ranks of each query that are looked up while the screen waits, where there are [`AT_ONCE`] queries: a condition over
/// the steps of a training takes those of all steps.
const RANKS: usize = 4;

/// A condition, and all that is needed to ask it.
#[derive(Debug)]
pub struct FilterRequest {
    /// The number of the question: asked once more, ranks may be others.
    pub stamp: Stamp,
    /// The condition.
    pub filter: Expression,
    /// The study that is asked.
    pub study: Arc<Study>,
    /// Ranks, verdicts and picks as they were.
    pub counts: Counts,
}

impl FilterRequest {
    /// Whether the screen can wait for the answer.
    pub fn is_small(&self, relevance: &Relevance) -> bool {
        let looked_up = relevance.len() * self.filter.needs().views.len();
        relevance.len() <= AT_ONCE && looked_up <= RANKS * AT_ONCE
    }

    /// The queries that meet it; `None` where ranks are missing, or where `give_up` says so meanwhile.
    pub fn met(&self, give_up: &dyn Fn() -> bool) -> Option<FilterAnswer> {
        self.filter.answer(&self.study, &self.counts, give_up)
    }
}

/// Asks conditions; one that is typed on is given up.
pub struct FilterQueries;

impl Job for FilterQueries {
    const READS_SCORES: bool = false;
    /// The number of the question.
    type Key = Stamp;
    type Part = ();
    type Input = Arc<FilterRequest>;
    /// The queries that meet it.
    type Output = FilterAnswer;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        if let Some(met) = run.input.met(&|| run.token.is_cancelled()) {
            run.send(met);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let request = app.model.wanted_filter()?;
        Some(Wanted::one(request.stamp, || request.clone()))
    }

    fn take(app: &mut App, request: Stamp, met: FilterAnswer) {
        let model = &mut app.model;
        if model.filter.found.take(request, &met) {
            model.dirty |= Dirty::ROWS | Dirty::NUMBERS;
        } else {
            model.known.typed_met = Some((request, met));
            model.dirty |= Dirty::POPUP;
        }
    }
}

/// The entries of the gallery that a fuzzy search matches, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchMatches {
    /// The direction whose queries were searched.
    pub direction: Direction,
    /// What was searched for.
    pub text: String,
    /// Gallery indices of the matching queries, best first.
    pub queries: Vec<u32>,
    /// Whether no text has what was searched for, and these only have its letters in their order.
    pub is_spelt_alike: bool,
}

impl SearchMatches {
    /// So many of them, in words.
    pub fn counted(&self, count: usize) -> String {
        let noun = match count {
            _ if self.is_spelt_alike => "spelt alike",
            1 => "match",
            _ => "matches",
        };
        format!("{} {noun}", grouped(count))
    }
}

/// Searches, and keeps the lower-cased texts for the next search.
#[derive(Default)]
pub struct SearchQueries {
    texts: PerDirection<Option<Vec<String>>>,
    /// Which texts of the captions these are.
    shown: usize,
}

impl Job for SearchQueries {
    const READS_SCORES: bool = false;
    /// The direction whose queries are searched, and what for.
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
        let is_missing = !search.text().is_empty() && search.found(direction).is_none();
        let key = (direction, search.text().to_owned());
        is_missing.then(|| Wanted::one(key, || model.study.clone()))
    }

    fn take(app: &mut App, _: Self::Key, found: SearchMatches) {
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
        if self.shown != study.texts_shown {
            self.shown = study.texts_shown;
            self.texts = PerDirection::default();
        }
        let texts = self.texts[direction].get_or_insert_with(|| texts(study, direction));
        let wanted = text.to_lowercase();
        let literal = collect(texts, || (), |(), text| literally(text, &wanted));
        let is_literal = !literal.is_empty();
        // A matcher of its own for each thread: a shared one does not scale.
        let scattered = |matcher: &mut SkimMatcherV2, text: &str| scattered(matcher, text, &wanted);
        let queries =
            if is_literal { literal } else { collect(texts, SkimMatcherV2::default, scattered) };
        SearchMatches {
            direction,
            text: text.to_owned(),
            is_spelt_alike: !is_literal && !queries.is_empty(),
            queries,
        }
    }
}

/// Places of the texts that have a quality, best first, then in order.
fn collect<M>(
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

/// What is searched of each query: a caption's text and id; an image's id, file name and captions.
fn texts(study: &Study, direction: Direction) -> Vec<String> {
    let gallery = &study.gallery;
    let of_image = |image: usize| {
        let own = study.own(Direction::I2t, image).iter();
        let captions: Vec<_> = own.map(|caption| gallery.caption(caption as usize)).collect();
        format!("{} {}", gallery.image(image), captions.join(" / "))
    };
    let ids = gallery.queries(direction);
    parallel::map_indices(ids.len(), |query| {
        let text = match direction {
            Direction::I2t => of_image(query),
            Direction::T2i => gallery.caption(query),
        };
        format!("{} {text}", ids.as_slice()[query]).to_lowercase()
    })
}

/// How a text has what is wanted, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// It is the whole text.
    Whole,
    /// As a word or words of their own.
    Word,
    /// As part of a word.
    Part,
    /// All its words somewhere.
    AllWords,
    /// Words near to all of its words: it is spelt otherwise.
    Near,
    /// All its letters in their order, with how close they stand.
    Scattered(Reverse<i64>),
}

impl Quality {
    /// How well a text has it as it is typed, in any case; one letter is a word or nothing, since most texts have
    /// it.
    pub fn literal(text: &str, wanted: &str) -> Option<Self> {
        let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
        let quality = literally(&text, &wanted)?;
        (quality == Quality::Word || wanted.chars().count() > 1).then_some(quality)
    }

    /// Whether for each word that is wanted the text has one that is near to it.
    pub fn near(text: &str, wanted: &str) -> Option<Self> {
        let words = || text.split(|c: char| !c.is_alphanumeric());
        let is_near = |word| nearest(word, words()).is_some();
        wanted.split_whitespace().all(is_near).then_some(Quality::Near)
    }
}

/// How well `text` matches what is wanted, in any case; `None` if it does not.
pub fn matches(text: &str, wanted: &str) -> Option<Quality> {
    let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
    literally(&text, &wanted).or_else(|| scattered(&SkimMatcherV2::default(), &text, &wanted))
}

/// The text as a word or words of their own, as part of a word, or all its words somewhere.
fn literally(text: &str, wanted: &str) -> Option<Quality> {
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

/// The letters in their order, anywhere in the text; two letters are in nearly every sentence.
fn scattered(matcher: &SkimMatcherV2, text: &str, wanted: &str) -> Option<Quality> {
    let is_fuzzy = !wanted.starts_with('\'') && wanted.chars().count() >= 3;
    let score = is_fuzzy.then(|| matcher.fuzzy_match(text, wanted)).flatten()?;
    Some(Quality::Scattered(Reverse(score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_parts_before_scattered_letters() {
        let of = |text| matches(text, "dog").unwrap();
        assert!(of("a hotdog and a dog") < of("a hotdog"));
        assert!(of("a hotdog") < of("down on the green"));
        assert!(matches("a dog on a beach", "beach dog") < matches("better each dog", "btr dog"));
        assert_eq!(matches("a cat", "dog"), None);
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
        // Letters that are scattered over a text are nothing.
        assert_eq!(Quality::near(text, "nmos"), None);
    }

    #[test]
    fn a_quote_asks_for_the_text_as_it_stands() {
        assert_eq!(matches("down on the green", "'dog"), None);
        assert_eq!(matches("dog a", "'a dog"), None);
        assert!(matches("A dog", "'a d").is_some());
    }

    #[test]
    fn scattered_letters_count_only_where_nothing_has_the_text() {
        let texts = ["a dog", "down on the green"].map(String::from);
        let mut searcher = SearchQueries::default();
        searcher.texts[Direction::I2t] = Some(texts.to_vec());
        let mut find = |text| {
            let found = searcher.find(&Study::default(), Direction::I2t, text);
            (found.counted(found.queries.len()), found.queries)
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
