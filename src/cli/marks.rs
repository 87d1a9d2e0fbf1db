//! What a person made of a study, from a session file.

use std::path::{Path, PathBuf};

use clap::Args;

use super::InputArgs;
use crate::data::PerDirection;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::filter::Marks;
use crate::session::{Session, place};
use crate::study::Study;
use crate::truth::response::counted;

#[derive(Debug, Args)]
pub(super) struct MarksArgs {
    /// The session whose verdicts and picks count, as in the explorer; eval and compare print a ground truth as they change it beside it, as TRUTH+mine [default: none]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Whose verdicts [default: those of the session's only annotator, else one's own]
    #[arg(long, value_name = "NAME", requires = "session")]
    annotator: Option<String>,
}

impl MarksArgs {
    /// The session's file, where `--session` names one.
    pub fn path(&self) -> Option<&Path> {
        self.session.as_deref()
    }

    /// Whether a session is named that is not there yet.
    pub fn is_new(&self) -> bool {
        self.path().is_some_and(|path| !path.exists())
    }

    /// Whose verdicts and picks they are.
    pub fn annotator(&self, path: &Path) -> Result<String> {
        let annotator = super::config::annotator(self.annotator.as_deref())?;
        let session = if path.exists() {
            Session::read(path)?.0
        } else {
            Session::default()
        };
        Ok(annotator.in_session(&session).to_owned())
    }

    /// Adds the ground truths as the verdicts change them, `TRUTH+mine`; says on stderr which, unless `quiet`.
    /// Gives the names of what was changed and what was added.
    pub fn lay_over(
        &self,
        input: &InputArgs,
        study: &mut Study,
        quiet: bool,
    ) -> Result<Vec<[String; 2]>> {
        let marks = self.read(input, study, quiet)?;
        Ok(self.add(&marks, study, quiet))
    }

    /// Adds the ground truths as verdicts that were read change them, as [`MarksArgs::lay_over`].
    pub fn add(&self, marks: &Marks, study: &mut Study, quiet: bool) -> Vec<[String; 2]> {
        let added = study.add_mine(&marks.verdicts);
        if !quiet && self.session.is_some() {
            let none = "no ground truth is changed by them".to_owned();
            say!(
                "{}",
                if added.is_empty() {
                    none
                } else {
                    let names = added.iter().map(|[_, name]| name.as_str());
                    let names = names.collect::<Vec<_>>().join(", ");
                    format!(
                        "with them: {names}; verdicts given on the rankings of one model tell more of it than of others"
                    )
                }
            );
        }
        added
    }

    /// What the explorer has with the same session; says on stderr what that is, unless `quiet`.
    pub fn read(&self, input: &InputArgs, study: &Study, quiet: bool) -> Result<Marks> {
        let Some(path) = &self.session else {
            if !quiet {
                tell_of_session(input, study);
            }
            return Ok(Marks::default());
        };
        let (session, doubts) = Session::read(path)?;
        let by = &whose(self.annotator.as_deref(), path, &session)?;
        let matched = session.verdicts(&study.gallery, by);
        let picked = PerDirection::from_fn(|direction| session.picked(&study.gallery, direction));
        let picks = picked.i2t.len() + picked.t2i.len();
        if matched.verdicts.is_empty() && picks == 0 {
            of_this_gallery(path, &session, by)?;
        }
        for line in doubts.iter().chain(&matched.notes) {
            say!("warning: {line}");
        }
        if !quiet {
            let answers = counted(matched.verdicts.len(), session.count_of_cant_tell(by));
            say!("{answers} of {}; picks: {}", shown(by), grouped(picks));
        }
        Ok(Marks {
            verdicts: matched.verdicts,
            picked,
        })
    }
}

/// Checks that a session of which nothing was found has nothing of an annotator: what is named counts.
fn of_this_gallery(path: &Path, session: &Session, by: &str) -> Result<()> {
    let mut of_annotator = session.judgements().iter().filter(|one| one.by == by);
    let Some(one) = of_annotator.next() else {
        return Ok(());
    };
    let count = grouped(1 + of_annotator.count());
    let (image, caption) = (&one.image, &one.caption);
    let found = format!(
        "none of its {count} verdicts is of this gallery (for instance image {image} with caption {caption})"
    );
    Err(of_another_study(path, found))
}

/// That a session is of another study.
pub(super) fn of_another_study(path: &Path, found: String) -> Error {
    Error::new(path.display(), found)
        .expected("the session of a study with these ids")
        .mend("name that session, or the files of ids or captions that it was made with")
}

/// Whose verdicts of a session, which lies at `path`, are meant: those of the annotator that a flag names, else of
/// its only one, else one's own.
///
/// # Errors
/// A name that gave no verdict, where others did or the name was asked for.
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

/// The ground truths named, each with what verdicts made of it behind it: who names a ground truth and a session
/// asks for both.
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

/// Says that there is a session, which the explorer would open and a subcommand does not.
fn tell_of_session(input: &InputArgs, study: &Study) {
    let path = place::path_for(&input.inputs(true), study);
    if path.is_file() {
        let path = shown(&path.display().to_string());
        say!("a session lies beside the study: its verdicts and picks count with --session {path}");
    }
}
