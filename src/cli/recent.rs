//! Studies that were opened in the explorer: listed, and opened again.

use std::ffi::OsString;
use std::path::Path;

use super::{asked, say};
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::session::{RecentStudy, StateFile, Timestamp};

/// What is typed to come here.
const FLAG: &str = "--recent";

/// The study that this command line opens, as it can be opened again; `None` for the demo, and where arguments
/// or folder are no text.
pub(super) fn of_this() -> Option<RecentStudy> {
    let arguments = std::env::args_os().skip(1).map(OsString::into_string);
    let arguments: Option<Vec<String>> = arguments.map(std::result::Result::ok).collect();
    let folder = std::env::current_dir().ok()?;
    Some(RecentStudy {
        at: Timestamp::now(),
        folder: folder.to_str()?.to_owned(),
        arguments: arguments?,
    })
}

/// Lists what was opened, the last first.
pub(super) fn list() -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let studies = known()?;
    let lines = studies.iter().enumerate().map(|(at, study)| {
        let (folder, arguments) = (shown(&study.folder), shown(&study.arguments.join(" ")));
        format!("{:>2}  {}  {folder}  {arguments}\n", at + 1, study.at)
    });
    say::put(lines.collect::<String>())?;
    if studies.is_empty() {
        say!("no study was opened in the explorer yet");
    } else {
        say!("`itm-explore {FLAG} 1` opens the first");
    }
    Ok(0)
}

/// Opens a study again, from the folder where it was opened; the first has the number 1.
pub(super) fn open(number: usize) -> anyhow::Result<u8> {
    let studies = known()?;
    let Some(study) = studies.get(number - 1) else {
        let error = Error::new(FLAG, format!("no study has the number {number}"));
        return Err(error
            .expected(format!("1 to {}", studies.len()))
            .mend(format!("`itm-explore {FLAG}` lists them"))
            .into());
    };
    let folder = Path::new(&study.folder);
    std::env::set_current_dir(folder).map_err(|e| Error::io(folder, &e))?;
    let program = OsString::from("itm-explore");
    let arguments = study.arguments.iter().map(OsString::from);
    let again = asked::read(std::iter::once(program).chain(arguments))?;
    again.explore_again(RecentStudy {
        at: Timestamp::now(),
        ..study.clone()
    })
}

fn known() -> Result<Vec<RecentStudy>> {
    let file = StateFile::of_user();
    let remembered = file.map(|file| file.read()).transpose()?;
    Ok(remembered.unwrap_or_default().recent().to_vec())
}
