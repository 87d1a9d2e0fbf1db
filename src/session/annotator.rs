//! Who gives verdicts, and whose count as one's own.

use std::path::Path;

use super::Session;
use crate::error::{Error, Result};

/// A name for the person at the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotator {
    /// The name.
    pub name: String,
    /// Whether somebody chose it, by a flag or in a file, rather than the system.
    pub is_chosen: bool,
}

impl Annotator {
    /// The name under which verdicts of this session are given, and whose verdicts are *mine*.
    ///
    /// A chosen name is that name. A name that only the system knows gives way to the one annotator
    /// that a session has, so that a session goes on under its name on a machine where the same
    /// person is called otherwise. To be asked once, when the session is opened: the answer may be
    /// another when there are verdicts of a second annotator.
    pub fn in_session<'a>(&'a self, session: &'a Session) -> &'a str {
        match session.annotators()[..] {
            [only] if !self.is_chosen => only,
            _ => &self.name,
        }
    }
}

impl Session {
    /// Checks that an annotator gave a verdict of this session, which lies at `path`.
    ///
    /// # Errors
    /// None of them did: those who did are named.
    pub fn require_annotator(&self, path: &Path, by: &str) -> Result<()> {
        let names = self.annotators();
        if names.contains(&by) {
            return Ok(());
        }
        let known = match names.join(", ") {
            none if none.is_empty() => "a session with verdicts".to_owned(),
            known => format!("one of {known}"),
        };
        Err(Error::new(path.display(), format!("no verdict of {by} in it"))
            .expected(known)
            .mend("--annotator NAME says whose verdicts are meant"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;
    use crate::session::Timestamp;
    use crate::truth::verdict::Verdict;

    #[test]
    fn a_chosen_name_stays_and_another_gives_way_to_the_only_one() {
        let name = |is_chosen| Annotator { name: "mk".into(), is_chosen };
        let mut session = Session::default();
        assert_eq!(name(false).in_session(&session), "mk");
        let (image, caption, at) = (Id::Number(1), Id::Number(2), Timestamp::of_seconds(0));
        session.set_response(&image, &caption, Some(Verdict::Yes), at, "anna");
        assert_eq!(name(false).in_session(&session), "anna");
        assert_eq!(name(true).in_session(&session), "mk");
        session.set_response(&image, &caption, Some(Verdict::Yes), at, "bo");
        assert_eq!(name(false).in_session(&session), "mk");
    }
}
