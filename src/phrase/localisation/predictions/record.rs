//! The records of a file of predictions: JSON lines, or one JSON list.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::numbers::{Edges, without_words};
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
    let bytes = source.bytes();
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'[') => list(source),
        Some(b'{') => lines(source),
        None => Err(Error::new(source.display(), "an empty file").expected(FORM)),
        Some(_) => Err(Error::new(source.display(), "no JSON").expected(FORM)),
    }
}

fn list(source: &Source) -> Result<Vec<Result<Record>>> {
    let name = source.display();
    let broken = |error| Error::json(&name, &error).expected(FORM);
    let plain;
    let items: Vec<&RawValue> = match serde_json::from_slice(source.bytes()) {
        Ok(items) => items,
        Err(error) => {
            // JSON knows no NaN, Python writes it.
            plain = without_words(source.bytes()).ok_or_else(|| broken(error))?;
            serde_json::from_slice(&plain).map_err(broken)?
        }
    };
    let read = |at: usize| {
        let subject = || format!("{name}, record {}", at + 1);
        record(items[at].get().as_bytes(), &subject)
    };
    Ok(parallel::map_indices(items.len(), read))
}

fn lines(source: &Source) -> Result<Vec<Result<Record>>> {
    let name = source.display();
    let text = std::str::from_utf8(source.bytes());
    let text = text.map_err(|_| Error::new(&name, "no text in UTF-8").expected(FORM))?;
    let lines = (1..).zip(text.lines());
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
    let read = |&(number, line): &(usize, &str)| {
        let subject = || format!("{name}, line {number}");
        record(line.as_bytes(), &subject)
    };
    Ok(parallel::map(&lines, read))
}

fn record(json: &[u8], subject: &dyn Fn() -> String) -> Result<Record> {
    let read = |json: &[u8]| of_object(&serde_json::from_slice(json)?);
    let first = match read(json) {
        Ok(record) => return checked(record, subject),
        Err(error) => error,
    };
    let again = without_words(json).map(|plain| read(&plain));
    match again.unwrap_or(Err(first)) {
        Ok(record) => checked(record, subject),
        Err(error) => Err(Error::json(subject(), &error).expected(FORM)),
    }
}

/// A record, and what is wrong with its numbers, if something is.
type Checked = (Option<Record>, &'static str);

fn checked((record, wrong): Checked, subject: &dyn Fn() -> String) -> Result<Record> {
    record.ok_or_else(|| Error::new(subject(), wrong).expected(FORM))
}

fn of_object(object: &Object<'_>) -> serde_json::Result<Checked> {
    let lists = lists(object)?;
    let Some(sentence) = whole(&object.sentence) else {
        return Ok((None, "a sentence that is no number from 0 on"));
    };
    let about = match (object.phrase, object.chain.as_ref().map(whole)) {
        (Some(phrase), _) => About::Phrase(phrase),
        (None, Some(Some(chain))) => About::Chain(chain as u32),
        (None, Some(None)) => return Ok((None, "a chain that is no number")),
        (None, None) => About::Sentence,
    };
    let Some(lists) = lists else {
        return Ok((None, "not as many lists of scores as of boxes"));
    };
    let record = Record { image: Id::of_file(&object.image.raw()), sentence, about, lists };
    Ok((Some(record), ""))
}

fn whole(id: &Id) -> Option<usize> {
    id.raw().trim().parse().ok()
}

/// The boxes and the scores of each phrase; `None` where their lists do not belong together.
fn lists(object: &Object<'_>) -> serde_json::Result<Option<Vec<Written>>> {
    let is_sentence = object.phrase.is_none() && object.chain.is_none();
    let boxes: Vec<Vec<Edges>> = each(object.boxes, is_sentence)?;
    let scores: Vec<Vec<Option<f64>>> = match object.scores {
        None => boxes.iter().map(|_| Vec::new()).collect(),
        Some(raw) => each(raw, is_sentence)?,
    };
    let belong = scores.len() == boxes.len();
    let written = boxes.into_iter().zip(scores).map(|(boxes, scores)| Written {
        boxes: boxes.into_iter().map(|edges| edges.0).collect(),
        scores: scores.into_iter().map(|score| score.unwrap_or(f64::NAN)).collect(),
    });
    Ok(belong.then(|| written.collect()))
}

/// The list of each phrase: several, or one by itself.
fn each<'a, T: Deserialize<'a>>(
    raw: &'a RawValue,
    is_sentence: bool,
) -> serde_json::Result<Vec<Vec<T>>> {
    if is_sentence {
        serde_json::from_str(raw.get())
    } else {
        Ok(vec![serde_json::from_str(raw.get())?])
    }
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
                "p.json, record 1: a sentence that is no number",
            ),
            (
                r#"{"image": 1, "sentence": 0, "chain": "x", "boxes": []}"#,
                "a chain that is no number",
            ),
            (
                r#"{"image": 1, "sentence": 0, "boxes": [[]], "scores": []}"#,
                "not as many lists of scores as of boxes",
            ),
            (r#"{"image": 1, "sentence": 0, "phrase": 0, "boxes": [[1, 2, 3]]}"#, "four numbers"),
        ] {
            let found = error(text);
            assert!(found.contains(told), "{found}");
        }
    }

    #[test]
    fn what_is_no_file_of_predictions_is_an_error() {
        for (text, told) in [
            (" \n", "p.json: an empty file"),
            ("image,sentence\n", "p.json: no JSON"),
            ("[{\"image\": 1,", "broken JSON at line 1"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("MDETR and GLIP"), "{error}");
        }
    }
}
