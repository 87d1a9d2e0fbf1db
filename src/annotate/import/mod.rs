//! Answers of people, read from the files of this program and of others.
//!
//! A layout is one file here and one line in `LAYOUTS`. What cannot be taken as an answer is kept as a
//! [`Problem`] with its file and place: every answer of a file is either taken or told.

mod argilla;
mod checked;
mod decided;
mod disputed;
mod label_studio;
mod own_pool;
mod page;
mod problem;
mod published;
mod saved;
mod words;

use serde_json::Value;

use crate::data::id::Id;
use crate::data::own_files::{OwnFile, refuse_others};
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::Timestamp;
use crate::truth::response::Response;

pub use checked::{Asked, Checked, Failed, Person};
pub use decided::{Decided, Decision, Rule, truth};
pub use disputed::disputed;
pub use own_pool::leave_out_foreign;
pub use problem::{Place, Problem, Trouble};
pub use published::{Row, rows, write as write_published};

/// A way of writing answers to a file.
pub(crate) trait Layout: Sync {
    /// Its name.
    fn key(&self) -> &'static str;
    /// What its places count: `answer`, `line`, `task`.
    fn unit(&self) -> &'static str;
    /// Whether a file is of this layout.
    fn accepts(&self, content: &Content) -> bool;
    /// The answers of a file, each with its place; words where one cannot be taken.
    ///
    /// # Errors
    /// A file that breaks off, or another structure.
    fn read(&self, content: &Content, source: &Source) -> Result<Vec<Found>>;
}

/// Every layout that is understood; the first that accepts a file reads it.
const LAYOUTS: &[&dyn Layout] = &[
    &page::Page,
    &saved::Saved,
    &label_studio::LabelStudio,
    &argilla::Argilla,
    &published::Published,
];

/// What a file holds.
pub(crate) enum Content {
    /// JSON, parsed.
    Json(Value),
    /// Anything else.
    Text,
}

/// A place of a file: what it holds, or why that is no answer.
pub(crate) type Found = (usize, std::result::Result<Imported, String>);

/// An answer as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Who gave it.
    pub annotator: String,
    /// The HIT in which it was asked, where the file tells.
    pub hit: Option<String>,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The answer.
    pub response: Response,
    /// What falls short: up to two words.
    pub shortcomings: [Option<String>; 2],
    /// When; the epoch where the file does not tell.
    pub at: Timestamp,
    /// Where it stands.
    pub place: Place,
    /// The model, rank and score of the proposal, where the file tells.
    pub proposal: Option<Box<[String; 3]>>,
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
        refuse_others((&source.display(), source.bytes()), &own, &expected())?;
        let content = content(source)?;
        let layout = LAYOUTS.iter().find(|layout| layout.accepts(&content));
        let layout = layout.ok_or_else(|| unknown(source))?;
        let file = self.files.len();
        let before = self.answers.len();
        for (nth, found) in layout.read(&content, source)? {
            let place = Place { file, nth };
            match found {
                Ok(given) => self.answers.push(Imported { place, ..given }),
                Err(words) => self.problems.push(Problem::broken(place, words)),
            }
        }
        self.files.push(AnswersFile {
            path: source.display(),
            layout: layout.key(),
            unit: layout.unit(),
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

fn content(source: &Source) -> Result<Content> {
    let first = source.bytes().iter().find(|byte| !byte.is_ascii_whitespace());
    if !matches!(first, Some(b'{' | b'[')) {
        return Ok(Content::Text);
    }
    let parsed = serde_json::from_slice(source.bytes());
    let parsed = parsed.map_err(|error| Error::json(source.display(), &error));
    Ok(Content::Json(parsed?))
}

fn unknown(source: &Source) -> Error {
    Error::new(source.display(), "no answers in a layout that is known").expected(expected())
}

/// The layouts in words.
fn expected() -> String {
    let known: Vec<&str> = LAYOUTS.iter().map(|layout| layout.key()).collect();
    format!("one of: {}", known.join(", "))
}

/// An answer of nobody yet, of a pair.
fn imported(image: Id, caption: Id, response: Response) -> Imported {
    Imported {
        annotator: String::new(),
        hit: None,
        image,
        caption,
        response,
        shortcomings: [None, None],
        at: Timestamp::of_seconds(0),
        place: Place::default(),
        proposal: None,
    }
}
