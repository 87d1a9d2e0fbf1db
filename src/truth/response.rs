//! A person's response to a pair: a judgment, or can't tell.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::judgment::Judgment;
use crate::data::text::{count, grouped};

/// A person's response to a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Response {
    /// A judgment: it counts.
    Judgment(Judgment),
    /// Not counted, but the pair is not asked again.
    CantTell,
}

impl Response {
    /// The judgment, if it is one.
    pub fn judgment(self) -> Option<Judgment> {
        match self {
            Response::Judgment(judgment) => Some(judgment),
            Response::CantTell => None,
        }
    }

    /// Its name on screen and in reports.
    pub fn name(self) -> &'static str {
        self.judgment().map_or("can't tell", Judgment::key)
    }
}

impl From<Judgment> for Response {
    fn from(judgment: Judgment) -> Self {
        Response::Judgment(judgment)
    }
}

/// Key of [`Response::CantTell`] in files.
const CANT_TELL: &str = "cant-tell";

/// In files: the judgment's key, or `cant-tell`.
impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.judgment().map_or(CANT_TELL, Judgment::key))
    }
}

impl<'de> Deserialize<'de> for Response {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == CANT_TELL {
            return Ok(Response::CantTell);
        }
        let wrong = |()| {
            let words = Judgment::ALL.map(Judgment::key).join(", ");
            de::Error::custom(format!("{word:?} is no answer: {words}, {CANT_TELL}"))
        };
        word.parse().map(Response::Judgment).map_err(wrong)
    }
}

/// The number of judgments and, if there are any, of can't-tell responses, as text.
pub fn describe_responses(judgments: usize, cant_tell: usize) -> String {
    let judgments = count(judgments, "judgment");
    match cant_tell {
        0 => judgments,
        n => format!("{judgments}, {} can't tell", grouped(n)),
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_in_files_read_back() {
        let text = r#"["yes","partial","mostly-no","no","cant-tell"]"#;
        let all: Vec<Response> = serde_json::from_str(text).unwrap();
        assert_eq!(all[4], Response::CantTell);
        assert_eq!(serde_json::to_string(&all).unwrap(), text);
        let wrong = serde_json::from_str::<Response>("\"maybe\"").unwrap_err();
        assert!(wrong.to_string().contains("is no answer: yes, partial"), "{wrong}");
    }

    #[test]
    fn answers_are_counted_the_same_everywhere() {
        assert_eq!(describe_responses(1, 0), "1 judgment");
        assert_eq!(describe_responses(1234, 0), "1,234 judgments");
        assert_eq!(describe_responses(41, 9), "41 judgments, 9 can't tell");
        assert_eq!(describe_responses(0, 1), "0 judgments, 1 can't tell");
    }
}
