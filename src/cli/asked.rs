//! The command line as it was typed: what is missing or mistyped is told before anything is done.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, FromArgMatches};

use super::{Cli, depths};
use crate::data::near::nearest;

/// The argument of all files of a study.
const FILES: &str = "files";
/// What stands for files.
const INSTEAD: [&str; 9] = [
    "demo",
    "i2t",
    "t2i",
    "image_emb",
    "text_emb",
    "run",
    "run_i2t",
    "run_t2i",
    "knn",
];
/// The subcommand that does without files.
const ALONE: &str = "mine";

/// Reads the arguments, the program's name first.
///
/// # Errors
/// A mistake, or what somebody who asks for help is told.
pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, Error> {
    let arguments = depths::joined(arguments);
    let mut command = command();
    if let Some(said) = arguments.get(1).and_then(|first| mistyped(first, &command)) {
        return Err(command.error(ErrorKind::InvalidSubcommand, said));
    }
    let matches = command.try_get_matches_from_mut(arguments);
    let matches = matches.map_err(|error| with_tip(error, &command))?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The whole command line. The explorer opens the demo where no file is named; who asks a subcommand for
/// numbers has files, or says that the demo is meant.
pub(super) fn command() -> Command {
    Cli::command().mut_subcommands(with_files)
}

fn with_files(command: Command) -> Command {
    let takes_files = command.get_arguments().any(|arg| arg.get_id() == FILES);
    let command = if takes_files && command.get_name() != ALONE {
        command.mut_arg(FILES, |files| files.required_unless_present_any(INSTEAD))
    } else {
        command
    };
    command.mut_subcommands(with_files)
}

/// The subcommand that a first word may mean which is neither one nor a file, in words.
fn mistyped(first: &OsString, command: &Command) -> Option<String> {
    let first = first.to_str()?;
    let is_word = !first.starts_with('-') && !first.contains(['.', '/']);
    let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    if !is_word || first == "help" || known.contains(&first) || Path::new(first).exists() {
        return None;
    }
    let near = nearest(first, known)?;
    Some(format!(
        "no subcommand and no file is named {first:?}; did you mean `itm-explore {near}`?"
    ))
}

/// Says how the demo is asked for where files are missing.
fn with_tip(mut error: Error, command: &Command) -> Error {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.join(" "),
        _ => String::new(),
    };
    if error.kind() == ErrorKind::MissingRequiredArgument && missing.contains("<FILES>") {
        let tip = "name a score matrix, such as sims.npy, or open the built-in demo with --demo";
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error.with_cmd(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(line: &str) -> Option<(ErrorKind, String)> {
        let read = read(line.split(' ').map(OsString::from));
        read.err().map(|error| (error.kind(), error.to_string()))
    }

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn subcommands_ask_for_files_and_the_explorer_does_not() {
        for line in [
            "itm",
            "itm --demo",
            "itm eval a.npy",
            "itm eval --demo",
            "itm truth mine a.json",
        ] {
            assert_eq!(mistake(line), None, "{line}");
        }
        assert_eq!(mistake("itm eval --i2t a.npy --t2i b.npy"), None);
        for line in [
            "itm eval",
            "itm doctor -q",
            "itm truth stats",
            "itm show --query 1",
        ] {
            let (kind, said) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::MissingRequiredArgument, "{line}");
            assert!(said.contains("--demo"), "{said}");
        }
        let (kind, _) = mistake("itm eval --demo --i2t a.npy").unwrap();
        assert_eq!(kind, ErrorKind::ArgumentConflict);
        assert_eq!(mistake("itm eval --demo mine/"), None);
    }

    #[test]
    fn a_mistyped_subcommand_says_which_was_meant() {
        let (kind, said) = mistake("itm evla a.npy --format json").unwrap();
        assert_eq!(kind, ErrorKind::InvalidSubcommand);
        assert!(said.contains("`itm-explore eval`"), "{said}");
        assert_eq!(mistake("itm sims"), None);
        assert_eq!(mistake("itm ./evl"), None);
    }
}
