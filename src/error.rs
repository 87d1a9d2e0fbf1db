//! What failed, in which file, what was expected and how to mend it.
//!
//! Every wrong input ends in one [`Error`]: the explorer shows it, the command line prints it and
//! exits with code 1.

use std::fmt;
use std::io;
use std::path::Path;

/// Result of anything that reads or checks an input.
pub type Result<T> = std::result::Result<T, Error>;

/// One clear error: the file (or argument) it is about, what was found, what was expected, and the
/// flag, command or line that mends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    subject: String,
    found: String,
    expected: Option<String>,
    mend: Option<String>,
}

impl Error {
    /// An error about `subject` (a file or an argument) in which `found` was found.
    pub fn new(subject: impl fmt::Display, found: impl fmt::Display) -> Self {
        Error {
            subject: crate::data::text::shown(&subject.to_string()),
            found: crate::data::text::shown(&found.to_string()),
            expected: None,
            mend: None,
        }
    }

    /// Adds what was expected instead.
    #[must_use]
    pub fn expected(mut self, expected: impl fmt::Display) -> Self {
        self.expected = Some(crate::data::text::shown(&expected.to_string()));
        self
    }

    /// Adds how to mend it.
    #[must_use]
    pub fn mend(mut self, mend: impl fmt::Display) -> Self {
        self.mend = Some(crate::data::text::shown(&mend.to_string()));
        self
    }

    /// The operating system's complaint about a file.
    pub fn io(path: &Path, error: &io::Error) -> Self {
        let found = match error.kind() {
            io::ErrorKind::NotFound => "no such file or directory".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            _ => error.to_string(),
        };
        Error::new(path.display(), found)
    }

    /// Broken JSON, with its line and column.
    pub fn json(subject: impl fmt::Display, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let cause = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(cause, _)| cause);
        let place = if error.line() == 0 {
            String::new()
        } else {
            format!(" at line {}, column {}", error.line(), error.column())
        };
        Error::new(subject, format!("broken JSON{place}: {cause}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.found)?;
        if let Some(expected) = &self.expected {
            write!(f, "\n  expected: {expected}")?;
        }
        if let Some(mend) = &self.mend {
            write!(f, "\n  to mend it: {mend}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
