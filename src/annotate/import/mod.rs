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
use crate::data::own_files::{OwnFile, refuse_conflict, refuse_other_kinds};
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::{JudgmentEntry, Session};
use crate::truth::judgment::Judgment;
use crate::truth::response::Response;

pub use decisions::{DecisionCounts, DecisionRule, PairDecision, decided_truth};
pub use disputes::{disputed_pool, drop_foreign_pairs};
pub use validation::{Annotator, CheckOptions, CheckedImport, FailedGolden};

/// Expected file, for errors.
const EXPECTED: &str = "answers: a file of the page, a session, a JSON export of Label Studio, or CSV with \
     model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2";

/// Reads a file. Returns the name of its layout, the unit of its positions (such as `line`), and its entries.
fn read(source: &Source) -> Result<(&'static str, &'static str, Vec<NumberedEntry>)> {
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

/// Reads answers saved by the page of `annotate hits`; `file` is the parsed `source`.
fn read_page(file: Value, source: &Source) -> Result<Vec<NumberedEntry>> {
    let page = answers::read(file, source)?;
    let answer = |value: Value| {
        let one: Answer = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let judgment = one.answer.judgment();
        let entry = JudgmentEntry::new(one.image, one.caption, judgment, one.at, &page.annotator);
        Ok(ParsedAnswer { hit: one.hit, ..entry.into() })
    };
    Ok((1..).zip(page.answers.into_iter().map(answer)).collect())
}

/// Reads the judgments of a session; each warning about the file becomes an invalid entry.
fn read_session(source: &Source) -> Result<Vec<NumberedEntry>> {
    let (session, doubts) = Session::read(source.path())?;
    let judgments = session.judgments().iter().map(|one| ParsedAnswer::from(one.clone()));
    let doubts = doubts.into_iter().map(|line| (0, Err(line)));
    Ok((1..).zip(judgments.map(Ok)).chain(doubts).collect())
}

/// Number of an entry of a file, from 1 (0 for a warning about a session); and its response, or an error text.
pub(super) type NumberedEntry = (usize, std::result::Result<ParsedAnswer, String>);

/// An imported response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedAnswer {
    /// The judgment; its time is the Unix epoch if the file has none.
    pub entry: JudgmentEntry,
    /// Name of its HIT, if the file has it.
    pub hit: Option<String>,
    /// Position in the files.
    pub place: Place,
}

impl From<JudgmentEntry> for ParsedAnswer {
    fn from(entry: JudgmentEntry) -> Self {
        ParsedAnswer { entry, hit: None, place: Place::default() }
    }
}

/// A file whose responses were imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseFile {
    /// Path of the file.
    pub path: String,
    /// Name of the layout.
    pub layout: &'static str,
    /// Unit of positions, such as `line`.
    pub unit: &'static str,
    /// Number of valid responses.
    pub answers: usize,
}

/// Responses of all imported files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Import {
    /// The files.
    pub files: Vec<ResponseFile>,
    /// All responses, file by file.
    pub answers: Vec<ParsedAnswer>,
    /// Entries that are no valid response.
    pub problems: Vec<Problem>,
}

impl From<&Session> for Import {
    /// The judgments of a session.
    fn from(session: &Session) -> Self {
        let answers = session.judgments().iter().cloned().map(ParsedAnswer::from).collect();
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
            import.add_file(source)?;
        }
        Ok(import)
    }

    /// Adds the responses and problems of a file.
    fn add_file(&mut self, source: &Source) -> Result<()> {
        let own = [OwnFile::Answers, OwnFile::Session];
        refuse_conflict((&source.display(), source.bytes()))?;
        refuse_other_kinds((&source.display(), source.bytes()), &own, EXPECTED)?;
        let (layout, unit, answers) = read(source)?;
        let file = self.files.len();
        let before = self.answers.len();
        for (nth, found) in answers {
            let place = Place { file, nth };
            match found {
                Ok(given) => self.answers.push(ParsedAnswer { place, ..given }),
                Err(found) => {
                    self.problems.push(Problem { kind: ProblemKind::Broken, place, found });
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
    /// Number of the response, line, task or record, from 1; 0 for a warning about a session.
    pub nth: usize,
}

/// Kind of problem of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// Not a valid response.
    Broken,
    /// The same annotator gave another response to the pair: the latest counts.
    Contradictory,
    /// A response to a pair that no HIT asks for.
    Foreign,
}

impl ProblemKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Broken, Self::Contradictory, Self::Foreign];

    /// Key in reports.
    pub fn key(self) -> &'static str {
        match self {
            ProblemKind::Broken => "broken",
            ProblemKind::Contradictory => "contradictory",
            ProblemKind::Foreign => "foreign",
        }
    }
}

/// An invalid response, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Kind of the problem.
    pub kind: ProblemKind,
    /// Position of the response.
    pub place: Place,
    /// Description of the problem.
    pub found: String,
}

/// Parses a response: this program's keys, in upper or lower case, with spaces, hyphens or underscores; or 1 to 4, from
/// yes to no as in the published annotations.
fn parse_response(word: &str) -> std::result::Result<Response, String> {
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
            assert_eq!(parse_response(word).unwrap().judgment(), wanted, "{word}");
        }
        for wrong in ["0", "5", "perhaps", ""] {
            assert!(parse_response(wrong).unwrap_err().contains("is no answer"), "{wrong}");
        }
    }
}
