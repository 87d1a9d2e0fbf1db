//! Judgments of several annotators, merged by majority.

use std::path::Path;

use super::merge::MergeArgs;
use crate::data::in_use;
use crate::data::output::check_free;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::report::agreement;
use crate::session::agreement::{MAJORITY, Panel, read_people};
use crate::session::{Lock, Session};

/// Prints how well the annotators of the sessions agree; writes what most of them say to the output.
pub(super) fn merge(args: &MergeArgs) -> anyhow::Result<u8> {
    let mut sessions = Vec::new();
    for path in &args.input.files {
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
    args.print.format.put(agreement::report(&panel))?;
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
    check_free(out, args.input.force)?;
    match opened.lock {
        Lock::Held(saver) => saver.save(merged),
        Lock::Other { who } => {
            Err(Error::new(out.display(), format!("the session is open elsewhere ({who})"))
                .mend("close it there, or name another file"))
        }
    }
}
