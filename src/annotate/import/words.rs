//! Answers as other programs' forms have them.

use serde_json::Value;

use crate::data::id::Id;
use crate::session::Timestamp;
use crate::truth::response::Response;
use crate::truth::verdict::Verdict;

/// The answer that a word stands for: that of this program's files, in upper or lower case, with blanks, hyphens or
/// underscores; or 1 to 4, as the published annotations count from yes to no.
pub(super) fn response(word: &str) -> Result<Response, String> {
    let plain = word.trim().to_lowercase().replace([' ', '_'], "-");
    let nth = plain.parse::<usize>().ok().and_then(|nth| nth.checked_sub(1));
    let numbered = nth.and_then(|nth| Verdict::ALL.get(nth).copied());
    let verdict = numbered.or_else(|| plain.parse().ok());
    match verdict {
        Some(verdict) => Ok(Response::Verdict(verdict)),
        None if plain.replace('\'', "") == "cant-tell" => Ok(Response::CantTell),
        None => {
            let words = Verdict::ALL.map(Verdict::key).join(", ");
            Err(format!("{word:?} is no answer: {words}, cant-tell"))
        }
    }
}

/// The answer that a value stands for.
pub(super) fn response_of(value: &Value) -> Result<Response, String> {
    match value {
        Value::String(word) => response(word),
        Value::Number(number) => response(&number.to_string()),
        other => Err(format!("{other} is no answer")),
    }
}

/// The names that the ids of a pair have: of the image, of the caption.
const NAMES: [[&str; 3]; 2] = [["image_id", "iid", "image"], ["caption_id", "cid", "caption"]];

/// The ids of the image and the caption among these fields.
pub(super) fn pair<'a>(
    field: impl Fn(&str) -> Option<&'a Value> + Copy,
) -> Result<[Id; 2], String> {
    let id = |names: &[&str; 3]| {
        let found = names.iter().find_map(|name| field(name));
        let id = found.and_then(|value| serde_json::from_value(value.clone()).ok());
        id.ok_or_else(|| format!("no id: none of {}", names.join(", ")))
    };
    Ok([id(&NAMES[0])?, id(&NAMES[1])?])
}

/// A time, if it is one.
pub(super) fn time(value: Option<&Value>) -> Timestamp {
    let parsed = value.and_then(Value::as_str).and_then(|text| text.parse().ok());
    parsed.unwrap_or_else(|| Timestamp::of_seconds(0))
}

/// A text or a number as words.
pub(super) fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_answers() {
        for (word, wanted) in [
            ("Yes", Some(Verdict::Yes)),
            ("2", Some(Verdict::Partial)),
            ("mostly no", Some(Verdict::MostlyNo)),
            ("4", Some(Verdict::No)),
            ("Can't tell", None),
        ] {
            assert_eq!(response(word).unwrap().verdict(), wanted, "{word}");
        }
        for wrong in ["0", "5", "perhaps", ""] {
            assert!(response(wrong).unwrap_err().contains("is no answer"), "{wrong}");
        }
    }
}
