//! Default slices: bins, words, categories, phrase types, table columns.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Slice;
use crate::data::id::Id;
use crate::error::{Error, Result};
use crate::filter::literal;
use crate::phrase::PhraseType;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;

/// Maximum slices per table column, one for each of its most frequent values.
const MAX_COLUMN_VALUES: usize = 20;
/// Lower bounds of the bins of text length, in words.
const LENGTH_BINS: [u32; 6] = [1, 9, 11, 13, 16, 21];
/// Lower bounds of the bins of R, the number of positives.
const POSITIVE_BINS: [u32; 5] = [1, 2, 5, 10, 20];
/// The default word list, in TOML.
const WORDS: &str = include_str!("../../../fixtures/words.toml");

/// Groups of words and phrases, by name. Each group makes a slice.
#[derive(Debug, Clone)]
pub struct WordList(BTreeMap<String, Vec<String>>);

impl WordList {
    /// The default list.
    ///
    /// # Panics
    /// Never: a test parses it.
    pub fn built_in() -> Self {
        Self::parse("words", WORDS).expect("the list of the program is one")
    }

    /// Parses `group = ["word", ..]` lines; `file` is the name of their file, for errors.
    ///
    /// # Errors
    /// Invalid format, a group without words, a word without letters.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let example = |error: Error| {
            error
                .expected("number = [\"two\", \"three\"], a line for each group")
                .fix("printf 'number = [\"two\", \"three\"]\\n' > example.toml makes such a file")
        };
        let groups: BTreeMap<String, Vec<String>> =
            toml::from_str(text).map_err(|error| example(Error::toml(file, &error)))?;
        let is_word = |word: &String| word.chars().any(char::is_alphanumeric);
        let wrong = groups.iter().find(|(_, words)| words.is_empty() || !words.iter().all(is_word));
        match wrong {
            Some((group, _)) => Err(example(Error::new(file, format!("{group}: no words")))),
            None if groups.is_empty() => Err(example(Error::new(file, "no group of words"))),
            None => Ok(WordList(groups)),
        }
    }
}

/// The default slices, also those that the study has no data for: [`super::SliceRequest::new`] drops them.
pub fn built_in_slices(study: &Study, view: View, words: &WordList) -> Vec<Slice> {
    let slice = |group: &str, name: String, condition: String| Slice {
        group: group.into(),
        name: format!("{group}: {name}"),
        condition,
    };
    let bins = |group: &'static str, value: &'static str, starts: &'static [u32]| {
        (0..starts.len()).map(move |at| {
            let start = starts[at];
            let (name, condition) = match starts.get(at + 1).map(|next| next - 1) {
                None => (format!("{start} or more"), format!("{value} >= {start}")),
                Some(end) if end == start => (format!("{start}"), format!("{value} == {start}")),
                Some(end) if at == 0 => (format!("{end} or fewer"), format!("{value} <= {end}")),
                Some(end) => (
                    format!("{start} to {end}"),
                    format!("{value} >= {start} and {value} <= {end}"),
                ),
            };
            slice(group, name, condition)
        })
    };
    let mut slices: Vec<Slice> = bins("words", "words", &LENGTH_BINS).collect();
    slices.extend(bins("R", "r", &POSITIVE_BINS));
    let literals = |words: &[String]| words.iter().map(|word| literal(word)).collect::<Vec<_>>();
    for (group, words) in &words.0 {
        let quoted_words = literals(words);
        let any = format!("has_word({})", quoted_words.join(", "));
        slices.push(slice(group, "any".into(), any));
        let word = |(word, literal): (&String, &String)| {
            slice(group, word.clone(), format!("has_word({literal})"))
        };
        slices.extend(words.iter().zip(&quoted_words).map(word));
    }
    let category =
        |name: &str| slice("category", name.into(), format!("category({})", literal(name)));
    slices.extend(study.category_names().into_iter().map(category));
    let phrases =
        |name: &str| slice("phrase", name.into(), format!("phrase_type({})", literal(name)));
    slices.extend(PhraseType::VISUAL.map(PhraseType::name).into_iter().map(phrases));
    for column in study.columns.iter() {
        let judged = study.truths[view.truth].relevance[view.direction].as_ref();
        let queries = judged.map_or(&[][..], Relevance::queries).iter();
        let mut counts: FxHashMap<&Id, usize> = FxHashMap::default();
        for value in queries.filter_map(|&at| column.value(study, view.direction, at as usize)) {
            *counts.entry(value).or_default() += 1;
        }
        let mut counts: Vec<(String, usize)> =
            counts.into_iter().map(|(value, count)| (value.to_string(), count)).collect();
        counts.sort_by(|(one, few), (other, many)| many.cmp(few).then_with(|| one.cmp(other)));
        let value_slice = |(value, _): (String, usize)| {
            let condition = format!("column({}) == {}", literal(&column.name), literal(&value));
            slice(&column.name, value, condition)
        };
        slices.extend(counts.into_iter().take(MAX_COLUMN_VALUES).map(value_slice));
    }
    slices
}
