//! Errors: file, cause, expected input and fix.
//!
//! Every wrong input ends in one [`Error`]: the explorer shows it, the command line prints it and exits with code 1.

use std::fmt;
use std::io;
use std::path::Path;

use serde_json::error::Category;

use crate::data::text::{brief, shown};

/// Result of anything that reads or checks an input.
pub type Result<T> = std::result::Result<T, Error>;

/// One error: the file (or argument) it is about, the cause, the expected input, and the flag, command or line that
/// fixes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    subject: String,
    found: String,
    expected: Option<String>,
    fix: Option<String>,
}

impl Error {
    /// An error about `subject` (a file or an argument) with its cause.
    pub fn new(subject: impl fmt::Display, found: impl fmt::Display) -> Self {
        Error {
            subject: printable(&subject, MAX_TEXT_BYTES),
            found: printable(&found, MAX_CAUSE_BYTES),
            expected: None,
            fix: None,
        }
    }

    /// Adds the expected input.
    #[must_use]
    pub fn expected(mut self, expected: impl fmt::Display) -> Self {
        self.expected = Some(printable(&expected, MAX_TEXT_BYTES));
        self
    }

    /// Adds the fix: a flag, a command, or what to change.
    #[must_use]
    pub fn fix(mut self, fix: impl fmt::Display) -> Self {
        self.fix = Some(printable(&fix, MAX_TEXT_BYTES));
        self
    }

    /// Adds a similar name as the fix, if there is one.
    #[must_use]
    pub fn did_you_mean(self, near: Option<&str>) -> Self {
        match near {
            Some(near) => self.fix(format!("did you mean {near}?")),
            None => self,
        }
    }

    /// The file or argument that the error is about.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The cause, without the subject.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The expected input and the fix, each if known.
    pub fn advice(&self) -> [Option<&str>; 2] {
        [self.expected.as_deref(), self.fix.as_deref()]
    }

    /// The operating system's error for a file.
    pub fn io(path: &Path, error: &io::Error) -> Self {
        let kind = error.kind();
        let found = match kind {
            io::ErrorKind::NotFound => "no such file or directory".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::IsADirectory => "a folder, where a file is expected".to_owned(),
            io::ErrorKind::NotADirectory => "a file is named as a folder in its path".to_owned(),
            _ => error.to_string(),
        };
        let error = Error::new(path.display(), found);
        match io_fix(kind) {
            Some(fix) => error.fix(fix),
            None => error,
        }
    }

    /// A TOML parse error, with line, column and the line itself, as the library writes them.
    pub fn toml(subject: impl fmt::Display, error: &toml::de::Error) -> Self {
        let text = error.to_string();
        let mut lines = text.lines();
        let position = lines.next().and_then(|line| Some(line.split_once(" at ")?.1));
        let line = lines.nth(1).and_then(|line| Some(line.split_once("| ")?.1));
        let detail = position.zip(line).map(|(position, line)| format!(" ({position}: {line})"));
        Error::new(subject, plain_message(error.message()) + &detail.unwrap_or_default())
    }

    /// Broken or unexpected JSON, with its line and column.
    pub fn json(subject: impl fmt::Display, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let cause = text.rsplit_once(" at line ").map_or(text.as_str(), |(cause, _)| cause);
        let (kind, fix) = match error.classify() {
            Category::Data => ("JSON of another form", None),
            Category::Eof if error.column() == 0 && error.line() <= 1 => {
                let empty = Error::new(subject, "empty, where JSON is expected");
                return empty.fix("write or copy the file once more");
            }
            Category::Eof => {
                let fix = "write or copy the file once more: it is cut off";
                ("broken JSON", Some(fix))
            }
            _ => ("broken JSON", None),
        };
        let cause = plain_message(cause).replace("EOF while parsing", "the end within");
        let position = if error.line() == 0 {
            String::new()
        } else {
            format!(" at line {}, column {}", error.line(), error.column())
        };
        let error = Error::new(subject, format!("{kind}{position}: {cause}"));
        match fix {
            Some(fix) => error.fix(fix),
            None => error,
        }
    }
}

/// The message of a JSON or TOML parser in plain words: number types are described by their values.
fn plain_message(message: &str) -> String {
    let plain = |kind: &str| match kind {
        "f32" | "f64" => Some("a number"),
        "u8" | "u16" | "u32" | "u64" | "usize" => Some("a whole number from 0 on"),
        "i8" | "i16" | "i32" | "i64" | "isize" => Some("a whole number"),
        _ if kind.starts_with("struct ") => Some("an object"),
        _ => None,
    };
    let parts = message.rsplit_once(", expected ");
    let text = parts.and_then(|(found, kind)| Some(format!("{found}, expected {}", plain(kind)?)));
    text.unwrap_or_else(|| message.to_owned())
}

/// Maximum length of a cause, longer ones are shortened: a line of a file may have megabytes.
const MAX_CAUSE_BYTES: usize = 400;
/// Maximum length of a path, an expected input or a fix.
const MAX_TEXT_BYTES: usize = 4_096;

/// The text without control characters, shortened if it has more than `max_bytes`.
fn printable(text: &impl fmt::Display, max_bytes: usize) -> String {
    brief(shown(&text.to_string()), max_bytes)
}

/// The fix for a kind of error of the operating system, if there is one.
fn io_fix(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::NotFound => {
            Some("check the path; a relative one starts at the current folder")
        }
        io::ErrorKind::PermissionDenied => Some("check who may read or write it, with ls -l"),
        io::ErrorKind::StorageFull => Some("free some space, or write elsewhere"),
        _ => None,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.found)?;
        if let Some(expected) = &self.expected {
            write!(f, "\n  expected: {expected}")?;
        }
        if let Some(fix) = &self.fix {
            write!(f, "\n  fix: {fix}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
