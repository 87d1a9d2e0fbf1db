//! `itm-explore truth merge`: verdicts of several annotators put together.

use std::path::{Path, PathBuf};

use clap::Args;

use super::super::format::FormatArgs;
use crate::data::in_use;
use crate::data::output::check_free;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::report::agreement;
use crate::session::agreement::{MAJORITY, Panel, read_people};
use crate::session::{Lock, Session};

#[derive(Debug, Args)]
#[command(
    after_help = "What most say of a pair: first relevant (yes, partial) or not (mostly-no, no), then the grade among\n\
                  those; as many for both grades give partial, mostly-no; as many right as not: undecided, left out.\n\n\
                  Examples:\n  itm-explore truth merge anna.itm.json bo.itm.json cy.itm.json -o merged.itm.json\n  \
                  itm-explore truth merge shared.itm.json --format json"
)]
pub(in crate::cli) struct MergeArgs {
    /// Sessions, each with the verdicts of one or more annotators
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<PathBuf>,
    /// The session to write, with what most say
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write over a merged session that is there
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<u8> {
    super::super::end_on_closed_pipe();
    let mut sessions = Vec::new();
    for path in &args.sessions {
        let (session, doubts) = read_people(path)?;
        for line in doubts {
            say!("warning: {}: {line}", shown(&path.display().to_string()));
        }
        sessions.push(session);
    }
    let panel = Panel::of(&sessions);
    for name in &panel.shared {
        say!(
            "warning: {} stands in several sessions and is taken for one person: of a pair the latest verdict counts",
            shown(name)
        );
    }
    if let Some(out) = &args.output {
        save(out, args, &panel.merged(&sessions))?;
        say!("wrote {}", shown(&out.display().to_string()));
    }
    args.format.put(agreement::report(&panel))?;
    Ok(0)
}

/// Saves the merged session, but never over verdicts that a person gave, whatever is forced.
fn save(out: &Path, args: &MergeArgs, merged: &Session) -> Result<()> {
    in_use::check_unread(out)?;
    if out.is_dir() {
        return Err(Error::new(out.display(), "a folder, where a file is expected")
            .mend("-o FILE.itm.json, in that folder"));
    }
    let opened = Session::open(out)?;
    let person = opened.session.annotators().into_iter().find(|by| *by != MAJORITY);
    if let Some(person) = person {
        return Err(Error::new(
            out.display(),
            format!("holds verdicts of {person}, which would be lost"),
        )
        .expected("another name, or a session that was merged before"));
    }
    check_free(out, args.force)?;
    match opened.lock {
        Lock::Held(saver) => saver.save(merged),
        Lock::Other { who } => {
            Err(Error::new(out.display(), format!("the session is open elsewhere ({who})"))
                .mend("close it there, or name another file"))
        }
    }
}
