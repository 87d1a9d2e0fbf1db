//! What people said in a session, without what was put together of it.

use std::path::Path;

use super::MAJORITY;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::session::Session;

/// Reads a session for what people said in it: verdicts that `truth merge` wrote are left out, which a line tells.
///
/// # Errors
/// As [`Session::read`]; a session in which no person said anything.
pub fn read_people(path: &Path) -> Result<(Session, Vec<String>)> {
    let (mut session, mut doubts) = Session::read(path)?;
    let all = session.verdicts.len();
    session.verdicts.retain(|one| one.by != MAJORITY);
    let left_out = all - session.verdicts.len();
    if left_out == 0 {
        return Ok((session, doubts));
    }
    let of = format!("of {MAJORITY}, which is what `truth merge` wrote and no person");
    if session.has_no_answer() {
        return Err(Error::new(path.display(), format!("verdicts {of}"))
            .expected("the sessions that were merged, each with what people said"));
    }
    let count = grouped(left_out);
    doubts.push(format!("{count} verdicts {of}, are left out"));
    Ok((session, doubts))
}
