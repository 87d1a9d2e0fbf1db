//! Answers of people, read from the files of this program and of others.
//!
//! A layout is one line in `read`. What cannot be taken as an answer is kept as a [`Problem`] with its file and place:
//! every answer of a file is either taken or told.

mod checked;
mod decided;
mod disputed;
mod label_studio;
mod published;

use serde_json::Value;

use super::answers::{self, Answer};
use crate::data::own_files::{OwnFile, refuse_conflict, refuse_others};
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::{Judgment, Session};
use crate::truth::response::Response;
use crate::truth::verdict::Verdict;

pub use checked::{Asked, Checked, Failed, Person};
pub use decided::{Decided, Decision, Rule, truth};
pub use disputed::{disputed, leave_out_foreign};

/// The layouts that are understood.
const EXPECTED: &str = "answers: a file of the page, a session, a JSON export of Label Studio, or CSV with \
     model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2";

/// The layout of a file, what its places count, and its answers; words where one cannot be taken.
fn read(source: &Source) -> Result<(&'static str, &'static str, Vec<Found>)> {
    let first = source.bytes().iter().find(|byte| !byte.is_ascii_whitespace());
    if !matches!(first, Some(b'{' | b'[')) {
        return Ok(("published annotations", "line", published::read(source)?));
    }
    let json: Value = serde_json::from_slice(source.bytes())
        .map_err(|error| Error::json(source.display(), &error))?;
    let is_task = |task: &Value| task["annotations"].is_array();
    match json {
        Value::Object(file) if file.contains_key("annotator") && file.contains_key("answers") => {
            Ok(("answers of the page", "answer", page(Value::Object(file), source)?))
        }
        Value::Object(file) if file.contains_key("verdicts") => {
            Ok(("session", "verdict", session(source)?))
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

/// Reads the answers that the page of `annotate hits` saved.
fn page(file: Value, source: &Source) -> Result<Vec<Found>> {
    let page = answers::read(file, source)?;
    let answer = |value: Value| {
        let one: Answer = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let verdict = one.answer.verdict();
        let judgment = Judgment::new(one.image, one.caption, verdict, one.at, &page.annotator);
        Ok(Imported { hit: one.hit, ..judgment.into() })
    };
    Ok((1..).zip(page.answers.into_iter().map(answer)).collect())
}

/// The judgments of a session of the explorer.
fn session(source: &Source) -> Result<Vec<Found>> {
    let (session, doubts) = Session::read(source.path())?;
    let judgments = session.judgments().iter().map(|one| Imported::from(one.clone()));
    let doubts = doubts.into_iter().map(|line| (0, Err(line)));
    Ok((1..).zip(judgments.map(Ok)).chain(doubts).collect())
}

/// A place of a file: what it holds, or why that is no answer.
pub(super) type Found = (usize, std::result::Result<Imported, String>);

/// An answer as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The judgment; its time is the Unix epoch if the file has none.
    pub judgment: Judgment,
    /// The HIT in which it was asked, where the file tells.
    pub hit: Option<String>,
    /// Where it stands.
    pub place: Place,
}

impl From<Judgment> for Imported {
    fn from(judgment: Judgment) -> Self {
        Imported { judgment, hit: None, place: Place::default() }
    }
}

/// A file of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswersFile {
    /// Its path.
    pub path: String,
    /// The name of its layout.
    pub layout: &'static str,
    /// What its places count.
    pub unit: &'static str,
    /// Answers that could be read.
    pub answers: usize,
}

/// All that the files hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Import {
    /// The files.
    pub files: Vec<AnswersFile>,
    /// Every answer, file after file.
    pub answers: Vec<Imported>,
    /// What could not be taken.
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
    /// A file of no known layout, or one that breaks off.
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
        self.files.push(AnswersFile {
            path: source.display(),
            layout,
            unit,
            answers: self.answers.len() - before,
        });
        Ok(())
    }

    /// A place in words: the file, and what stands there.
    pub fn words(&self, place: Place) -> String {
        let file = &self.files[place.file];
        format!("{}: {} {}", file.path, file.unit, place.nth)
    }
}

/// Where an answer stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, by its place among those that were read.
    pub file: usize,
    /// Which of its answers, lines, tasks or records, from 1.
    pub nth: usize,
}

/// What kind of trouble an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// It cannot be read as an answer.
    Broken,
    /// The same person gave another answer to the same pair: the latest counts.
    Contradictory,
    /// Nobody asked for it.
    Foreign,
}

impl Trouble {
    /// Each kind.
    pub const ALL: [Trouble; 3] = [Trouble::Broken, Trouble::Contradictory, Trouble::Foreign];

    /// Its word in reports.
    pub fn key(self) -> &'static str {
        match self {
            Trouble::Broken => "broken",
            Trouble::Contradictory => "contradictory",
            Trouble::Foreign => "foreign",
        }
    }
}

/// An answer that does not count, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind.
    pub trouble: Trouble,
    /// Where it stands.
    pub place: Place,
    /// What was found.
    pub found: String,
}

/// The answer that a word stands for: that of this program's files, in upper or lower case, with blanks, hyphens or
/// underscores; or 1 to 4, as the published annotations count from yes to no.
fn response(word: &str) -> std::result::Result<Response, String> {
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
