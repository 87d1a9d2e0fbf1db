//! The records of a file of predictions: JSON lines, or one JSON list.

use std::cmp::Ordering;

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use crate::data::id::Id;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// The phrases that a record has predictions for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All phrases of the caption that have a box, with a list of predicted boxes for each.
    Sentence,
    /// The phrase at this index among all of the caption, from 0.
    Phrase(usize),
    /// The phrases of the caption with this chain.
    Chain(u32),
}

/// Predictions for a caption or a phrase.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Id of the image.
    pub image: Id,
    /// Number of the caption, from 0.
    pub sentence: usize,
    /// Phrases that it has predictions for.
    pub scope: Scope,
    /// Lists of boxes, best first: one list for each phrase if the scope is a sentence, else a single list.
    pub lists: Vec<Vec<ScoredBox>>,
}

/// Four numbers of a predicted box, and its score if the file has any.
pub type ScoredBox = ([f64; 4], Option<f64>);

/// Fields of a record in JSON.
#[derive(Deserialize)]
struct RecordJson<'a> {
    #[serde(alias = "image_id")]
    image: Id,
    #[serde(alias = "sentence_id")]
    sentence: Id,
    phrase: Option<usize>,
    chain: Option<Id>,
    #[serde(borrow)]
    boxes: &'a RawValue,
    #[serde(borrow)]
    scores: Option<&'a RawValue>,
}

/// Expected form of a file.
const FORM: &str = "{\"image\": ID, \"sentence\": N, \"phrase\": N, \"boxes\": [[x1, y1, x2, y2], ..], \"scores\": [..]} \
    a line (or \"chain\" for \"phrase\"), or the list that MDETR and GLIP write, with \"boxes\": [[[x1, y1, x2, y2], ..], \
    ..one list for each phrase that has a box]";

/// Reads every record of a file, in order.
///
/// # Errors
/// A file that is neither JSON lines nor a JSON list, and a record that cannot be read.
pub fn read_records(source: &Source) -> Result<Vec<Record>> {
    let name = source.display();
    let wrong = |found: &str| Error::new(&name, found).expected(FORM);
    let text = std::str::from_utf8(source.bytes()).map_err(|_| wrong("no text in UTF-8"))?;
    let (unit, items): (&str, Vec<&str>) = match text.trim_start().as_bytes().first() {
        Some(b'[') => {
            let items = serde_json::from_str::<Vec<&RawValue>>(text);
            let items = items.map_err(|error| Error::json(&name, &error).expected(FORM))?;
            ("record", items.into_iter().map(RawValue::get).collect())
        }
        Some(b'{') => ("line", text.lines().collect()),
        _ => return Err(wrong("no JSON")),
    };
    let numbered = (1..).zip(items).filter(|(_, json)| !json.trim().is_empty());
    let read = |(number, json): &(usize, &str)| {
        let found = serde_json::from_str(json).and_then(|object| parse_record(&object));
        found
            .map_err(|error| Error::json(format!("{name}, {unit} {number}"), &error).expected(FORM))
    };
    parallel::map(&numbered.collect::<Vec<_>>(), read).into_iter().collect()
}

/// Checks the fields of a record, and sorts the boxes of each list by score, highest first.
fn parse_record(object: &RecordJson<'_>) -> serde_json::Result<Record> {
    let wrong = serde_json::Error::custom::<&str>;
    let sentence = object.sentence.raw().trim().parse();
    let sentence = sentence.map_err(|_| wrong("a sentence that is no number from 0 on"))?;
    let scope = match (object.phrase, &object.chain) {
        (Some(phrase), _) => Scope::Phrase(phrase),
        (None, Some(chain)) => {
            let chain = chain.raw().trim().parse();
            Scope::Chain(chain.map_err(|_| wrong("a chain that is no number"))?)
        }
        (None, None) => Scope::Sentence,
    };
    let boxes: Vec<Vec<[f64; 4]>> = parse_lists(object.boxes, &scope)?;
    let scores: Option<Vec<Vec<f64>>> =
        object.scores.map(|raw| parse_lists(raw, &scope)).transpose()?;
    let has_box_counts =
        |scores: &Vec<Vec<f64>>| scores.iter().map(Vec::len).eq(boxes.iter().map(Vec::len));
    if !scores.as_ref().is_none_or(has_box_counts) {
        return Err(wrong("not as many scores as boxes"));
    }
    let list = |(at, boxes): (usize, Vec<[f64; 4]>)| {
        let score = |place: usize| Some(scores.as_ref()?[at][place]);
        let scored = boxes.into_iter().enumerate().map(|(place, edges)| (edges, score(place)));
        let mut list: Vec<ScoredBox> = scored.collect();
        list.sort_by(|(_, one), (_, other)| other.partial_cmp(one).unwrap_or(Ordering::Equal));
        list
    };
    let lists = boxes.into_iter().enumerate().map(list).collect();
    Ok(Record { image: Id::from_file_name(&object.image.raw()), sentence, scope, lists })
}

/// Parses the lists of all phrases of a sentence, or the single list of a phrase or chain.
fn parse_lists<'a, T: Deserialize<'a>>(
    raw: &'a RawValue,
    scope: &Scope,
) -> serde_json::Result<Vec<Vec<T>>> {
    match scope {
        Scope::Sentence => serde_json::from_str(raw.get()),
        _ => Ok(vec![serde_json::from_str(raw.get())?]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Record>> {
        read_records(&Source::in_memory("p.json", text.as_bytes().to_vec()))
    }

    fn one(text: &str) -> Record {
        read(text).unwrap().remove(0)
    }

    fn error(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn lines_and_lists_hold_the_same_records() {
        let record = r#"{"image": "7.jpg", "sentence": "1", "phrase": 2, "boxes": [[1, 2, 3, 4], [5, 6, 7, 8]], "scores": [0.5, 0.7]}"#;
        for text in [format!("\n{record}\n\n{record}\n"), format!(" [{record}, {record}]")] {
            let all = read(&text).unwrap();
            assert_eq!(all.len(), 2);
            let record = &all[1];
            assert_eq!((&record.image, record.sentence), (&Id::Number(7), 1));
            assert_eq!(record.scope, Scope::Phrase(2));
            // Best first.
            assert_eq!(record.lists[0][0], ([5.0, 6.0, 7.0, 8.0], Some(0.7)));
        }
    }

    #[test]
    fn a_record_is_about_a_sentence_a_phrase_or_a_chain() {
        let mdetr = one(r#"[{"image_id": 42, "sentence_id": 0, "boxes": [[[1, 2, 3, 4]], []]}]"#);
        assert_eq!((mdetr.scope, mdetr.lists.len()), (Scope::Sentence, 2));
        let glip = one(
            r#"[{"image_id": 42, "sentence_id": 0, "boxes": [[[1, 2, 3, 4]]], "scores": [[0.9]]}]"#,
        );
        assert_eq!(glip.lists[0][0].1, Some(0.9));
        let chain = one(r#"{"image": 42, "sentence": 0, "chain": "123", "boxes": []}"#);
        assert_eq!((chain.scope, chain.lists), (Scope::Chain(123), vec![Vec::new()]));
    }

    #[test]
    fn what_is_no_record_is_told_with_its_place() {
        let good = r#"{"image": 1, "sentence": 0, "phrase": 0, "boxes": []}"#;
        let told = error(&format!("{good}\n{{\"image\": 1}}\n{good}"));
        assert!(told.starts_with("p.json, line 2: ") && told.contains("sentence"), "{told}");
        for (text, told) in [
            (
                r#"[{"image": 1, "sentence": -1, "boxes": []}]"#,
                "p.json, record 1: JSON of another form: a sentence that is no number",
            ),
            (
                r#"{"image": 1, "sentence": 0, "chain": "x", "boxes": []}"#,
                "a chain that is no number",
            ),
            (
                r#"{"image": 1, "sentence": 0, "boxes": [[]], "scores": []}"#,
                "not as many scores as boxes",
            ),
            (
                r#"{"image": 1, "sentence": 0, "phrase": 0, "boxes": [[1, 2, 3]]}"#,
                "array of length 4",
            ),
        ] {
            let found = error(text);
            assert!(found.contains(told), "{found}");
        }
    }

    #[test]
    fn what_is_no_file_of_predictions_is_an_error() {
        for (text, told) in [
            (" \n", "p.json: no JSON"),
            ("image,sentence\n", "p.json: no JSON"),
            ("[{\"image\": 1,", "broken JSON at line 1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("MDETR and GLIP"), "{error}");
        }
    }
}
