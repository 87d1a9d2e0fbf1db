//! A person's marks of a study, from a session file.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::data::PerDirection;
use crate::error::Result;
use crate::filter::Marks;
use crate::session::Session;
use crate::study::Study;

#[derive(Debug, Args)]
pub(super) struct MarksArgs {
    /// Apply the judgments in this session (adds TRUTH+mine)
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Whose judgments [default: the session's only annotator, else you]
    #[arg(hide_short_help = true, long, value_name = "NAME", requires = "session")]
    annotator: Option<String>,
}

impl MarksArgs {
    /// The session file, if `--session` is given.
    pub fn path(&self) -> Option<&Path> {
        self.session.as_deref()
    }

    /// Annotator of judgments and picks.
    pub fn annotator(&self, path: &Path) -> Result<String> {
        let annotator = super::config::annotator(self.annotator.as_deref())?;
        let session = if path.exists() { Session::read(path)?.0 } else { Session::default() };
        Ok(annotator.in_session(&session).to_owned())
    }

    /// Adds the ground truths with judgments, `TRUTH+mine`; returns the names of the changed and of the added ones.
    pub fn lay_over(&self, study: &mut Study) -> Result<Vec<[String; 2]>> {
        let marks = self.read(study)?;
        Ok(study.add_mine(&marks.judgments))
    }

    /// The marks, as in the explorer.
    pub fn read(&self, study: &Study) -> Result<Marks> {
        match &self.session {
            Some(path) => read(path, self.annotator.as_deref(), study),
            None => Ok(Marks::default()),
        }
    }
}

/// An annotator's judgments in a session, and its picks.
///
/// # Errors
/// A session of another gallery; else as [`whose`].
pub(super) fn read(path: &Path, annotator: Option<&str>, study: &Study) -> Result<Marks> {
    let (session, doubts) = Session::read(path)?;
    let by = &whose(annotator, path, &session)?;
    let (judgments, notes) = session.judgments_in(&study.gallery, by);
    let picked = PerDirection::from_fn(|direction| session.picked(&study.gallery, direction));
    session.require_of(path, &study.gallery)?;
    super::say::warn(doubts.iter().chain(&notes));
    if judgments.is_empty() && picked.i2t.is_empty() && picked.t2i.is_empty() {
        super::say::warn([format!("{}: no judgments and no picks of {by}", path.display())]);
    }
    Ok(Marks { judgments, picked, tags: session.tags(&study.gallery) })
}

/// The annotator whose judgments are used, in a session at `path`: the one given by a flag, else its only one, else
/// you.
///
/// # Errors
/// A name without judgments, if others have any or it was requested.
pub(super) fn whose(flag: Option<&str>, path: &Path, session: &Session) -> Result<String> {
    let names = session.annotators();
    if let (None, [only]) = (flag, &names[..]) {
        return Ok((*only).to_owned());
    }
    let by = super::config::annotator(flag)?.name;
    if flag.is_some() || !names.is_empty() {
        session.require_annotator(path, &by)?;
    }
    Ok(by)
}

/// The named ground truths, each followed by its version with judgments: naming a ground truth and a session requests
/// both.
pub(super) fn with_changed(names: &[String], added: &[[String; 2]]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        all.push(name.clone());
        let changed = added.iter().filter(|[truth, _]| truth == name);
        let unnamed = changed.filter(|[_, changed]| !names.contains(changed));
        all.extend(unnamed.map(|[_, changed]| changed.clone()));
    }
    all
}
