//! `itm-explore annotate merge`: merges sessions, and lists the pairs that their annotators disagree on.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::annotate::import::{CheckOptions, CheckedImport, Import, disputed_pool};
use crate::annotate::pool;
use crate::cli::correlate::require_distinct;
use crate::cli::format::FormatArgs;
use crate::cli::say;
use crate::data::output::{check_free, write_whole};
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::report::agreement::report;
use crate::session::{Session, merge};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate merge anna.itm.json bo.itm.json -o both.itm.json\n  \
                  itm-explore annotate merge anna.itm.json bo.itm.json --disputed again.jsonl\n  \
                  itm-explore annotate merge ours.itm.json theirs.itm.json --base old.itm.json -o merged.itm.json",
    after_long_help = "One annotator's judgment of a pair: the latest counts. Different annotators keep their own.\n\
                       With --base, the session that the others come from: what one side alone changed or removed follows it.\n\
                       What both changed differently is a conflict: it is listed, and the latest counts.\n\
                       Picks, notes and tags follow the same rules. Without --base nothing is removed."
)]
pub(in crate::cli) struct MergeArgs {
    /// Sessions to merge
    #[arg(required = true, value_name = "SESSIONS")]
    sessions: Vec<PathBuf>,
    /// Session that they come from: changes and removals since count
    #[arg(long, value_name = "OLD.itm.json")]
    base: Option<PathBuf>,
    /// Merged session to write [default: print the disagreements only]
    #[arg(long, short, value_name = "OUT.itm.json")]
    output: Option<PathBuf>,
    /// Write the pairs in dispute as a pool for --annotate
    #[arg(long, value_name = "POOL.jsonl")]
    disputed: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    require_distinct(&args.sessions)?;
    if let Some(out) = &args.disputed {
        check_free(out, args.force)?;
    }
    let sessions = args.sessions.iter().map(|path| read_session(path));
    let sessions: Vec<Session> = sessions.collect::<Result<_>>()?;
    // As a merge driver of git: without a common ancestor, git passes an empty file as the base.
    let is_empty = |path: &Path| fs::metadata(path).is_ok_and(|file| file.len() == 0);
    let read_base =
        |path: &PathBuf| if is_empty(path) { Ok(Session::default()) } else { read_session(path) };
    let base = args.base.as_ref().map(read_base).transpose()?;
    let (merged, conflicts) = merge(&sessions, base.as_ref());
    if let Some(out) = &args.output {
        save(out, args.force, &merged)?;
        say::print_written([out]);
    }
    let mut checked =
        CheckedImport::from_import(Import::from(&merged), None, &CheckOptions::default());
    let is_disputed = |at: &usize| checked.panel.pairs[*at].is_disputed();
    let mut pairs: Vec<usize> = (0..checked.panel.pairs.len()).filter(is_disputed).collect();
    pairs.extend(conflicts.iter().map(|one| checked.panel.find_or_add_pair(&one.result)));
    pairs.sort_unstable();
    pairs.dedup();
    if let Some(out) = args.disputed.as_ref().filter(|_| !pairs.is_empty()) {
        let pool = disputed_pool(&checked, pairs.into_iter(), None, None);
        write_whole(out, |file| pool::write(&pool, file))?;
        say::print_written([out]);
    }
    Ok(args.format.print(|| report(&checked.panel, merged.judgments().len(), &conflicts))?)
}

/// Reads a session and prints its warnings.
fn read_session(path: &Path) -> Result<Session> {
    let (session, warnings) = Session::read(path)?;
    let file = shown(&path.display().to_string());
    say::warn(warnings.iter().map(|warning| format!("{file}: {warning}")));
    Ok(session)
}

/// Saves the merged session. Even with `force` it does not overwrite a session if judgments, picks, notes or tags would
/// be lost.
fn save(out: &Path, force: bool, merged: &Session) -> Result<()> {
    check_free(out, force)?;
    let opened = Session::open(out)?;
    let both = merge(&[merged.clone(), opened.session], None).0;
    let loses_nothing = both.judgments() == merged.judgments()
        && (&both.picks, &both.notes, &both.tags) == (&merged.picks, &merged.notes, &merged.tags);
    if !loses_nothing {
        return Err(Error::new(
            out.display(),
            "holds judgments, picks, notes or tags that would be lost",
        )
        .expected("another name, or a session that was merged before")
        .fix("name it among the sessions, and another file after -o"));
    }
    opened.lock.into_saver(out)?.save(merged)
}
