//! What a person says of a pair when asked: a verdict, or that it cannot be told.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::verdict::Verdict;
use crate::data::text::grouped;

/// What a person says of a pair when asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Response {
    /// A verdict: it counts.
    Verdict(Verdict),
    /// It cannot be told: nothing that counts, but the pair is not asked again.
    CantTell,
}

impl Response {
    /// The verdict, if it is one.
    pub fn verdict(self) -> Option<Verdict> {
        match self {
            Response::Verdict(verdict) => Some(verdict),
            Response::CantTell => None,
        }
    }

    /// Its word on screen.
    pub fn key(self) -> &'static str {
        self.verdict().map_or("can't tell", Verdict::key)
    }
}

impl From<Verdict> for Response {
    fn from(verdict: Verdict) -> Self {
        Response::Verdict(verdict)
    }
}

/// The word in files for what cannot be told.
const CANT_TELL: &str = "cant-tell";

/// In files: the word of the verdict, or `cant-tell`.
impl Serialize for Response {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.verdict().map_or(CANT_TELL, Verdict::key))
    }
}

impl<'de> Deserialize<'de> for Response {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == CANT_TELL {
            return Ok(Response::CantTell);
        }
        let wrong = |()| {
            let words = Verdict::ALL.map(Verdict::key).join(", ");
            de::Error::custom(format!("{word:?} is no answer: {words}, {CANT_TELL}"))
        };
        word.parse().map(Response::Verdict).map_err(wrong)
    }
}

/// How many answers there are, in words: verdicts, and pairs of which it could not be told where there are any.
pub fn counted(verdicts: usize, cant_tell: usize) -> String {
    let noun = if verdicts == 1 { "verdict" } else { "verdicts" };
    let told = format!("{} {noun}", grouped(verdicts));
    match cant_tell {
        0 => told,
        count => format!("{told}, {} can't tell", grouped(count)),
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
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
        assert_eq!(counted(1, 0), "1 verdict");
        assert_eq!(counted(1234, 0), "1,234 verdicts");
        assert_eq!(counted(41, 9), "41 verdicts, 9 can't tell");
        assert_eq!(counted(0, 1), "0 verdicts, 1 can't tell");
    }
}
