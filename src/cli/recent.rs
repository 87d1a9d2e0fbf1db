//! Studies that were opened in the explorer: listed, and opened again.

use std::ffi::OsString;
use std::path::Path;

use super::{command_line, say};
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::session::{RecentStudy, StateFile, Timestamp};

/// What is typed to come here.
const FLAG: &str = "--recent";
/// What asks for the demo.
const DEMO_FLAG: &str = "--demo";

/// The study that this command line opens, as it can be opened again; `None` where arguments or folder are no
/// text. The demo alone is the same one in every folder.
pub(super) fn of_this() -> Option<RecentStudy> {
    let arguments = std::env::args_os().skip(1).map(OsString::into_string);
    let arguments: Option<Vec<String>> = arguments.map(std::result::Result::ok).collect();
    let (folder, arguments) = (std::env::current_dir().ok()?, arguments?);
    let is_demo = arguments.iter().all(|argument| argument == DEMO_FLAG);
    Some(RecentStudy {
        at: Timestamp::now(),
        folder: if is_demo { String::new() } else { folder.to_str()?.to_owned() },
        arguments: if is_demo { vec![DEMO_FLAG.to_owned()] } else { arguments },
    })
}

/// Lists what was opened, the last first.
pub(super) fn list() -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let studies = known()?;
    let lines = studies.iter().enumerate().map(|(at, study)| {
        let what = match study.folder.as_str() {
            "" => "demo".to_owned(),
            folder => format!("{}  {}", shown(folder), shown(&study.arguments.join(" "))),
        };
        format!("{:>2}  {}  {what}\n", at + 1, study.at.to_the_minute())
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
            .expected(match studies.len() {
                0 => "a study that was opened in the explorer; none was yet".to_owned(),
                1 => "1".to_owned(),
                count => format!("1 to {count}"),
            })
            .mend(format!("`itm-explore {FLAG}` lists them"))
            .into());
    };
    let folder = Path::new(&study.folder);
    if !study.folder.is_empty() {
        std::env::set_current_dir(folder).map_err(|e| Error::io(folder, &e))?;
    }
    let program = OsString::from("itm-explore");
    let arguments = study.arguments.iter().map(OsString::from);
    let again = command_line::read(std::iter::once(program).chain(arguments))?;
    again.explore_again(RecentStudy { at: Timestamp::now(), ..study.clone() })
}

fn known() -> Result<Vec<RecentStudy>> {
    let file = StateFile::of_user();
    let remembered = file.map(|file| file.read()).transpose()?;
    Ok(remembered.unwrap_or_default().recent().to_vec())
}
