//! Imports responses from files of this and other programs.
//!
//! A layout is one line in `read`. Entries that are not valid responses become a [`Problem`] with file and position:
//! every entry is either imported or reported.

mod decisions;
mod disputes;
mod eccv_caption;
mod label_studio;
mod validation;

use serde_json::Value;

use super::answers::{self, Answer};
use crate::data::own_files::{OwnFile, refuse_conflict, refuse_others};
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::{JudgmentEntry, Session};
use crate::truth::judgment::Judgment;
use crate::truth::response::Response;

pub use decisions::{Decided, Decision, Rule, truth};
pub use disputes::{disputed, drop_foreign_pairs};
pub use validation::{CheckOptions, Checked, Failed, Person};

const EXPECTED: &str = "answers: a file of the page, a session, a JSON export of Label Studio, or CSV with \
     model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2";

/// The layout of a file, its unit, and its responses or error texts.
fn read(source: &Source) -> Result<(&'static str, &'static str, Vec<Found>)> {
    let first = source.bytes().iter().find(|byte| !byte.is_ascii_whitespace());
    if !matches!(first, Some(b'{' | b'[')) {
        return Ok(("published annotations", "line", eccv_caption::read(source)?));
    }
    let json: Value = serde_json::from_slice(source.bytes())
        .map_err(|error| Error::json(source.display(), &error))?;
    let is_task = |task: &Value| task["annotations"].is_array();
    match json {
        Value::Object(file) if file.contains_key("annotator") && file.contains_key("answers") => {
            Ok(("answers of the page", "answer", read_page(Value::Object(file), source)?))
        }
        Value::Object(file) if file.contains_key("verdicts") => {
            Ok(("session", "judgment", read_session(source)?))
        }
        Value::Array(tasks) if tasks.iter().any(is_task) => {
            Ok(("Label Studio", "task", label_studio::read(&tasks)))
        }
        _ => {
            Err(Error::new(source.display(), "no answers in a layout that is known")
                .expected(EXPECTED))
        }
    }
}

/// Reads answers saved by the page of `annotate hits`.
fn read_page(file: Value, source: &Source) -> Result<Vec<Found>> {
    let page = answers::read(file, source)?;
    let answer = |value: Value| {
        let one: Answer = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let judgment = one.answer.judgment();
        let entry = JudgmentEntry::new(one.image, one.caption, judgment, one.at, &page.annotator);
        Ok(Imported { hit: one.hit, ..entry.into() })
    };
    Ok((1..).zip(page.answers.into_iter().map(answer)).collect())
}

fn read_session(source: &Source) -> Result<Vec<Found>> {
    let (session, doubts) = Session::read(source.path())?;
    let judgments = session.judgments().iter().map(|one| Imported::from(one.clone()));
    let doubts = doubts.into_iter().map(|line| (0, Err(line)));
    Ok((1..).zip(judgments.map(Ok)).chain(doubts).collect())
}

/// A numbered entry: its response, or an error text.
pub(super) type Found = (usize, std::result::Result<Imported, String>);

/// An imported response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The judgment; its time is the Unix epoch if the file has none.
    pub entry: JudgmentEntry,
    /// Its HIT, if the file has it.
    pub hit: Option<String>,
    /// Its position.
    pub place: Place,
}

impl From<JudgmentEntry> for Imported {
    fn from(entry: JudgmentEntry) -> Self {
        Imported { entry, hit: None, place: Place::default() }
    }
}

/// A file whose responses were imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseFile {
    /// Its path.
    pub path: String,
    /// The name of its layout.
    pub layout: &'static str,
    /// Unit of its positions.
    pub unit: &'static str,
    /// Number of valid responses.
    pub answers: usize,
}

/// Contents of all files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Import {
    /// The files.
    pub files: Vec<ResponseFile>,
    /// All responses, file by file.
    pub answers: Vec<Imported>,
    /// Invalid entries.
    pub problems: Vec<Problem>,
}

impl From<&Session> for Import {
    /// The judgments of a session.
    fn from(session: &Session) -> Self {
        let answers = session.judgments().iter().map(|one| Imported::from(one.clone())).collect();
        Import { answers, ..Import::default() }
    }
}

impl Import {
    /// Reads files, each in its layout.
    ///
    /// # Errors
    /// A file of unknown layout, or a truncated one.
    pub fn read(sources: &[Source]) -> Result<Self> {
        let mut import = Import::default();
        for source in sources {
            import.add(source)?;
        }
        Ok(import)
    }

    fn add(&mut self, source: &Source) -> Result<()> {
        let own = [OwnFile::Answers, OwnFile::Session];
        refuse_conflict((&source.display(), source.bytes()))?;
        refuse_others((&source.display(), source.bytes()), &own, EXPECTED)?;
        let (layout, unit, answers) = read(source)?;
        let file = self.files.len();
        let before = self.answers.len();
        for (nth, found) in answers {
            let place = Place { file, nth };
            match found {
                Ok(given) => self.answers.push(Imported { place, ..given }),
                Err(found) => {
                    self.problems.push(Problem { trouble: Trouble::Broken, place, found });
                }
            }
        }
        self.files.push(ResponseFile {
            path: source.display(),
            layout,
            unit,
            answers: self.answers.len() - before,
        });
        Ok(())
    }

    /// A position as text: file, unit and number.
    pub fn describe(&self, place: Place) -> String {
        let file = &self.files[place.file];
        format!("{}: {} {}", file.path, file.unit, place.nth)
    }
}

/// Position of a response.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the file.
    pub file: usize,
    /// Number of the response, line, task or record, from 1.
    pub nth: usize,
}

/// Kind of problem of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// Not a valid response.
    Broken,
    /// The same annotator gave another response to the pair: the latest counts.
    Contradictory,
    /// Not asked for.
    Foreign,
}

impl Trouble {
    /// Each kind.
    pub const ALL: [Trouble; 3] = [Trouble::Broken, Trouble::Contradictory, Trouble::Foreign];

    /// Its name in reports.
    pub fn key(self) -> &'static str {
        match self {
            Trouble::Broken => "broken",
            Trouble::Contradictory => "contradictory",
            Trouble::Foreign => "foreign",
        }
    }
}

/// An invalid response, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its kind.
    pub trouble: Trouble,
    /// Its position.
    pub place: Place,
    /// Description.
    pub found: String,
}

/// Parses a response: this program's keys, in any case, with spaces, hyphens or underscores; or 1 to 4, from yes to no
/// as in the published annotations.
fn response(word: &str) -> std::result::Result<Response, String> {
    let plain = word.trim().to_lowercase().replace([' ', '_'], "-");
    let nth = plain.parse::<usize>().ok().and_then(|nth| nth.checked_sub(1));
    let numbered = nth.and_then(|nth| Judgment::ALL.get(nth).copied());
    let judgment = numbered.or_else(|| plain.parse().ok());
    match judgment {
        Some(judgment) => Ok(Response::Judgment(judgment)),
        None if plain.replace('\'', "") == "cant-tell" => Ok(Response::CantTell),
        None => {
            let words = Judgment::ALL.map(Judgment::key).join(", ");
            Err(format!("{word:?} is no answer: {words}, cant-tell"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_answers() {
        for (word, wanted) in [
            ("Yes", Some(Judgment::Yes)),
            ("2", Some(Judgment::Partial)),
            ("mostly no", Some(Judgment::MostlyNo)),
            ("4", Some(Judgment::No)),
            ("Can't tell", None),
        ] {
            assert_eq!(response(word).unwrap().judgment(), wanted, "{word}");
        }
        for wrong in ["0", "5", "perhaps", ""] {
            assert!(response(wrong).unwrap_err().contains("is no answer"), "{wrong}");
        }
    }
}
