//! A person's response to a pair: a verdict, or can't tell.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::verdict::Verdict;
use crate::data::text::grouped;

/// A person's response to a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Response {
    /// A verdict: it counts.
    Verdict(Verdict),
    /// Not counted, but the pair is not asked again.
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

    /// Its name on screen.
    pub fn key(self) -> &'static str {
        self.verdict().map_or("can't tell", Verdict::key)
    }
}

impl From<Verdict> for Response {
    fn from(verdict: Verdict) -> Self {
        Response::Verdict(verdict)
    }
}

/// Its word in files.
const CANT_TELL: &str = "cant-tell";

/// In files: the verdict's key, or `cant-tell`.
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

/// Number of verdicts and of can't-tell responses, if any, as text.
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
