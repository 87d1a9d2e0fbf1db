//! A person's marks from a session file: judgments, picks and tags.

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

    /// The annotator who signs new picks in the session at `path`; the file may be missing.
    pub fn annotator(&self, path: &Path) -> Result<String> {
        let annotator = super::config::annotator(self.annotator.as_deref())?;
        let session = if path.exists() { Session::read(path)?.0 } else { Session::default() };
        Ok(annotator.in_session(&session).to_owned())
    }

    /// Adds `TRUTH+mine` for every ground truth that judgments of the session change. Returns the names of each before
    /// and after.
    pub fn add_mine(&self, study: &mut Study) -> Result<Vec<[String; 2]>> {
        let marks = self.read(study)?;
        Ok(study.add_mine(&marks.judgments))
    }

    /// The marks in the session; none without `--session`.
    pub fn read(&self, study: &Study) -> Result<Marks> {
        match &self.session {
            Some(path) => read_marks(path, self.annotator.as_deref(), study),
            None => Ok(Marks::default()),
        }
    }
}

/// Judgments of one annotator, and picks and tags, in the session at `path`. Without `annotator`, [`find_annotator`]
/// selects one.
///
/// # Errors
/// A session of another gallery; else as [`find_annotator`].
fn read_marks(path: &Path, annotator: Option<&str>, study: &Study) -> Result<Marks> {
    let (session, warnings) = Session::read(path)?;
    let by = &find_annotator(annotator, path, &session)?;
    let (judgments, notes) = session.judgments_in(&study.gallery, by);
    let picked =
        PerDirection::from_fn(|direction| session.picked_queries(&study.gallery, direction));
    session.require_gallery(path, &study.gallery)?;
    super::say::warn(warnings.iter().chain(&notes));
    if judgments.is_empty() && picked.i2t.is_empty() && picked.t2i.is_empty() {
        super::say::warn([format!("{}: no judgments and no picks of {by}", path.display())]);
    }
    Ok(Marks { judgments, picked, tags: session.tags(&study.gallery) })
}

/// Name of the annotator whose judgments in the session at `path` are used: `name` if given, else the session's only
/// annotator, else the annotator of the settings.
///
/// # Errors
/// An annotator without judgments in the session, if requested by `name` or if the session has judgments of others.
pub(super) fn find_annotator(name: Option<&str>, path: &Path, session: &Session) -> Result<String> {
    let names = session.annotators();
    if let (None, [only]) = (name, &names[..]) {
        return Ok((*only).to_owned());
    }
    let by = super::config::annotator(name)?.name;
    if name.is_some() || !names.is_empty() {
        session.require_annotator(path, &by)?;
    }
    Ok(by)
}

/// The requested names of ground truths, each followed by the name of its version with judgments. `mine` has the names
/// of each before and after judgments.
pub(super) fn with_mine(names: &[String], mine: &[[String; 2]]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        all.push(name.clone());
        let changed = mine.iter().filter(|[truth, new]| truth == name && !names.contains(new));
        all.extend(changed.map(|[_, new]| new.clone()));
    }
    all
}
