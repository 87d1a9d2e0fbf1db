//! The annotator, and whose judgments count as *mine*.

use std::path::Path;

use super::Session;
use crate::error::{Error, Result};

/// Name of the person at the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotator {
    /// The name.
    pub name: String,
    /// Whether it was set by a flag or a file, not by the system.
    pub is_chosen: bool,
}

impl Annotator {
    /// The annotator of this session, whose judgments are *mine*.
    ///
    /// A chosen name is used as is. A name from the system gives way to the session's only annotator, so that a session
    /// continues under its name on a machine with another user name. Call once, when the session is opened: judgments
    /// of a second annotator may change the result.
    pub fn in_session<'a>(&'a self, session: &'a Session) -> &'a str {
        match session.annotators()[..] {
            [only] if !self.is_chosen => only,
            _ => &self.name,
        }
    }
}

impl Session {
    /// Checks that an annotator gave a judgment in this session, stored at `path`.
    ///
    /// # Errors
    /// Nobody of that name; lists the annotators.
    pub fn require_annotator(&self, path: &Path, annotator: &str) -> Result<()> {
        let names = self.annotators();
        if names.contains(&annotator) {
            return Ok(());
        }
        let expected = match names.join(", ") {
            none if none.is_empty() => "a session with judgments".to_owned(),
            names => format!("one of {names}"),
        };
        Err(Error::new(path.display(), format!("no judgment of {annotator} in it"))
            .expected(expected)
            .fix("--annotator NAME says whose judgments are meant"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;
    use crate::session::Timestamp;
    use crate::truth::judgment::Judgment;

    #[test]
    fn a_chosen_name_stays_and_another_gives_way_to_the_only_one() {
        let name = |is_chosen| Annotator { name: "mk".into(), is_chosen };
        let mut session = Session::default();
        assert_eq!(name(false).in_session(&session), "mk");
        let (image, caption, at) = (Id::Number(1), Id::Number(2), Timestamp::from_seconds(0));
        session.set_response(&image, &caption, Some(Judgment::Yes), at, "anna");
        assert_eq!(name(false).in_session(&session), "anna");
        assert_eq!(name(true).in_session(&session), "mk");
        session.set_response(&image, &caption, Some(Judgment::Yes), at, "bo");
        assert_eq!(name(false).in_session(&session), "mk");
    }
}
