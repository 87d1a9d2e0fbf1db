//! The records of a file of predictions: JSON lines, or one JSON list.

use serde::Deserialize;
use serde::de::Error as _;
use serde_json::value::RawValue;

use crate::data::id::Id;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// What a record is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// A list of boxes for each phrase of the caption that has a box.
    Sentence,
    /// The phrase at this place among all of the caption, from 0.
    Phrase(usize),
    /// The phrases of the caption that belong to this chain.
    Chain(u32),
}

/// The boxes of one phrase, best first, as they are written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Written {
    /// Four numbers each; NaN where there is none.
    pub boxes: Vec<[f64; 4]>,
    /// As many scores; nothing where the file has none.
    pub scores: Vec<f64>,
}

/// What a file says of a caption or a phrase.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The image.
    pub image: Id,
    /// The caption, from 0.
    pub sentence: usize,
    /// What of it.
    pub about: About,
    /// The boxes of each phrase: one list unless it is about a sentence.
    pub lists: Vec<Written>,
}

/// A record as JSON has it.
#[derive(Deserialize)]
struct Object<'a> {
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

/// What a file is expected to hold.
const FORM: &str = "{\"image\": ID, \"sentence\": N, \"phrase\": N, \"boxes\": [[x1, y1, x2, y2], ..], \"scores\": [..]} \
    a line (or \"chain\" for \"phrase\"), or the list that MDETR and GLIP write, with \"boxes\": [[[x1, y1, x2, y2], ..], \
    ..one list for each phrase that has a box]";

/// Reads every record of a file, in its order; one that cannot be read is an error of its own.
///
/// # Errors
/// A file that is neither JSON lines nor a JSON list.
pub fn records(source: &Source) -> Result<Vec<Result<Record>>> {
    let (name, bytes) = (source.display(), source.bytes());
    let broken = |error| Error::json(&name, &error).expected(FORM);
    let plain;
    let (unit, items): (&str, Vec<(usize, &str)>) =
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'[') => {
                let items: Vec<&RawValue> = match serde_json::from_slice(bytes) {
                    Ok(items) => items,
                    Err(error) => {
                        plain = without_words(bytes).ok_or_else(|| broken(error))?;
                        serde_json::from_slice(&plain).map_err(broken)?
                    }
                };
                ("record", (1..).zip(items.into_iter().map(RawValue::get)).collect())
            }
            Some(b'{') => {
                let text = std::str::from_utf8(bytes);
                let text =
                    text.map_err(|_| Error::new(&name, "no text in UTF-8").expected(FORM))?;
                let lines = (1..).zip(text.lines());
                ("line", lines.filter(|(_, line)| !line.trim().is_empty()).collect())
            }
            _ => return Err(Error::new(name, "no JSON").expected(FORM)),
        };
    let read = |(number, json): &(usize, &str)| {
        let read = |json: &[u8]| record(&serde_json::from_slice(json)?);
        let again = |error| without_words(json.as_bytes()).map_or(Err(error), |json| read(&json));
        let found = read(json.as_bytes()).or_else(again);
        found
            .map_err(|error| Error::json(format!("{name}, {unit} {number}"), &error).expected(FORM))
    };
    Ok(parallel::map(&items, read))
}

fn record(object: &Object<'_>) -> serde_json::Result<Record> {
    let wrong = serde_json::Error::custom::<&str>;
    let sentence = object.sentence.raw().trim().parse();
    let sentence = sentence.map_err(|_| wrong("a sentence that is no number from 0 on"))?;
    let about = match (object.phrase, &object.chain) {
        (Some(phrase), _) => About::Phrase(phrase),
        (None, Some(chain)) => {
            let chain = chain.raw().trim().parse();
            About::Chain(chain.map_err(|_| wrong("a chain that is no number"))?)
        }
        (None, None) => About::Sentence,
    };
    let boxes: Vec<Vec<[Option<f64>; 4]>> = each(object.boxes, &about)?;
    let scores: Vec<Vec<Option<f64>>> = match object.scores {
        None => vec![Vec::new(); boxes.len()],
        Some(raw) => each(raw, &about)?,
    };
    if scores.len() != boxes.len() {
        return Err(wrong("not as many lists of scores as of boxes"));
    }
    let number = |number: Option<f64>| number.unwrap_or(f64::NAN);
    let written = boxes.into_iter().zip(scores).map(|(boxes, scores)| Written {
        boxes: boxes.into_iter().map(|edges| edges.map(number)).collect(),
        scores: scores.into_iter().map(number).collect(),
    });
    let image = Id::of_file(&object.image.raw());
    Ok(Record { image, sentence, about, lists: written.collect() })
}

/// The list of each phrase: several, or one by itself.
fn each<'a, T: Deserialize<'a>>(
    raw: &'a RawValue,
    about: &About,
) -> serde_json::Result<Vec<Vec<T>>> {
    match about {
        About::Sentence => serde_json::from_str(raw.get()),
        _ => Ok(vec![serde_json::from_str(raw.get())?]),
    }
}

/// What Python writes for numbers that JSON does not have, the longer first.
const WORDS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// The same JSON with `null` for each such word outside of strings; `None` where there is none.
fn without_words(json: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(json.len());
    let (mut at, mut in_string, mut any) = (0, false, false);
    while let Some(&byte) = json.get(at) {
        let word = WORDS.iter().find(|word| json[at..].starts_with(word));
        if let Some(word) = word.filter(|_| !in_string) {
            out.extend_from_slice(b"null");
            at += word.len();
            any = true;
            continue;
        }
        if in_string && byte == b'\\' {
            out.push(byte);
            at += 1;
        } else if byte == b'"' {
            in_string = !in_string;
        }
        out.extend(json.get(at));
        at += 1;
    }
    any.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Result<Record>>> {
        records(&Source::in_memory("p.json", text.as_bytes().to_vec()))
    }

    fn one(text: &str) -> Record {
        read(text).unwrap().remove(0).unwrap()
    }

    fn error(text: &str) -> String {
        read(text).unwrap().remove(0).unwrap_err().to_string()
    }

    #[test]
    fn lines_and_lists_hold_the_same_records() {
        let record = r#"{"image": "7.jpg", "sentence": "1", "phrase": 2, "boxes": [[1, 2, 3, 4], [5, 6, 7, 8]], "scores": [0.5, NaN]}"#;
        for text in [format!("\n{record}\n\n{record}\n"), format!(" [{record}, {record}]")] {
            let all = read(&text).unwrap();
            assert_eq!(all.len(), 2);
            let record = all[1].as_ref().unwrap();
            assert_eq!((&record.image, record.sentence), (&Id::Number(7), 1));
            assert_eq!(record.about, About::Phrase(2));
            assert_eq!(record.lists[0].boxes[1..], [[5.0, 6.0, 7.0, 8.0]]);
            assert!(record.lists[0].scores[1].is_nan());
        }
    }

    #[test]
    fn a_record_is_about_a_sentence_a_phrase_or_a_chain() {
        let mdetr = one(r#"[{"image_id": 42, "sentence_id": 0, "boxes": [[[1, 2, 3, 4]], []]}]"#);
        assert_eq!((mdetr.about, mdetr.lists.len()), (About::Sentence, 2));
        let glip = one(
            r#"[{"image_id": 42, "sentence_id": 0, "boxes": [[[1, 2, 3, 4]]], "scores": [[0.9]]}]"#,
        );
        assert_eq!(glip.lists[0].scores, [0.9]);
        let chain = one(r#"{"image": 42, "sentence": 0, "chain": "123", "boxes": []}"#);
        assert_eq!((chain.about, chain.lists), (About::Chain(123), vec![Written::default()]));
    }

    #[test]
    fn what_is_no_record_is_told_with_its_place_and_the_others_are_read() {
        let good = r#"{"image": 1, "sentence": 0, "phrase": 0, "boxes": []}"#;
        let all = read(&format!("{good}\n{{\"image\": 1}}\n{good}")).unwrap();
        assert!(all[0].is_ok() && all[2].is_ok());
        let told = all[1].as_ref().unwrap_err().to_string();
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
                "not as many lists of scores as of boxes",
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

    #[test]
    fn words_of_python_are_numbers_that_are_none() {
        let json = br#"{"a \" NaN": [NaN, -Infinity, Infinity, 1], "b": "\\"}"#;
        let plain = without_words(json).unwrap();
        assert_eq!(
            std::str::from_utf8(&plain).unwrap(),
            r#"{"a \" NaN": [null, null, null, 1], "b": "\\"}"#
        );
        assert_eq!(without_words(br#"{"NaN": 1}"#), None);
        assert_eq!(without_words(br#""broken \"#), None);
    }
}
