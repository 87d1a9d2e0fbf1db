//! The command line as it was typed: what is missing or mistyped is told before anything is done.

mod mistyped;

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, FromArgMatches};

use self::mistyped::near_option;
use super::{Cli, depths};
use crate::data::near::nearest;
use crate::data::own_files::is_session;
use crate::data::text::shown;

/// The argument of all files of a study.
const FILES: &str = "files";
/// What stands for files.
const INSTEAD: [&str; 9] =
    ["demo", "i2t", "t2i", "image_emb", "text_emb", "run", "run_i2t", "run_t2i", "knn"];
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
    if let Some(said) = behind_files(&arguments[1..], &command) {
        return Err(command.error(ErrorKind::InvalidSubcommand, said));
    }
    if let Some((mut named, said)) = behind_a_list(&arguments[1..], &mut command) {
        return Err(named.error(ErrorKind::ValueValidation, said));
    }
    let arguments = with_session(arguments, &command)?;
    let matches = command.try_get_matches_from_mut(&arguments);
    let matches =
        matches.map_err(|error| with_tip(near_option(error, &arguments, &command), &command))?;
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
    // A number below zero is told as a bad value of its option, not as an option that there is not.
    let command = command.mut_args(|arg| {
        let takes_value = !arg.is_positional() && arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_value)
    });
    command.mut_subcommands(with_files)
}

/// The arguments with a session that stands among the files as the value of `--session`, where the subcommand has that
/// option.
///
/// # Errors
/// Two sessions.
fn with_session(mut words: Vec<OsString>, whole: &Command) -> Result<Vec<OsString>, Error> {
    let (mut command, mut start) = (whole, 1);
    while let Some(named) = words.get(start).and_then(|word| command.find_subcommand(word)) {
        (command, start) = (named, start + 1);
    }
    let takes_it = option_of(&"--session".into(), command).is_some();
    let mut is_value = false;
    let is_session = |word: &OsString| {
        let is_value = std::mem::replace(&mut is_value, takes_value(word, command));
        takes_it && !is_value && is_session(Path::new(word))
    };
    let files = words.split_off(start.min(words.len()));
    let (sessions, others): (Vec<_>, Vec<_>) = files.into_iter().partition(is_session);
    if let [first, second, ..] = &sessions[..] {
        let [first, second] = [first, second].map(|word| shown(&word.to_string_lossy()));
        let said = format!("two sessions, {first} and {second}: the verdicts of one are counted");
        return Err(command.clone().error(ErrorKind::ArgumentConflict, said));
    }
    for session in sessions {
        words.extend(["--session".into(), session]);
    }
    words.extend(others);
    Ok(words)
}

/// The subcommand that a first word may mean which is neither one nor a file, in words.
fn mistyped(first: &OsString, command: &Command) -> Option<String> {
    let first = first.to_str()?;
    let is_word = !first.starts_with('-') && !first.contains(['.', '/']);
    let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    if !is_word || first == "help" || known.contains(&first) || Path::new(first).exists() {
        return None;
    }
    // A word that begins with one, such as `evaluate`, is spelt otherwise, but means it.
    let begins = |known: &&str| known.len() > 2 && first.starts_with(*known);
    let begun = known.iter().copied().find(begins);
    let near = nearest(first, known).or(begun)?;
    Some(format!(
        "no subcommand and no file is named {first:?}; did you mean `itm-explore {near}`?"
    ))
}

/// What to type where a subcommand stands behind files or options, which would be taken for a file.
fn behind_files(words: &[OsString], command: &Command) -> Option<String> {
    let named = |word: &OsString| {
        let word = word.to_str()?;
        let mut known = command.get_subcommands().map(Command::get_name);
        known.find(|name| *name == word && !Path::new(name).exists())
    };
    // Behind a subcommand there are its own words, whatever files have its name.
    let first = words.first()?;
    let is_subcommand = first.to_str().and_then(|first| command.find_subcommand(first));
    if is_subcommand.is_some() || *first == "help" {
        return None;
    }
    let mut is_value = false;
    let name = words.iter().find_map(|word| {
        let is_value = std::mem::replace(&mut is_value, takes_value(word, command));
        named(word).filter(|_| !is_value)
    })?;
    let first = shown(&first.to_string_lossy());
    Some(format!("the subcommand comes first: `itm-explore {name} {first}`"))
}

/// What to type where a word that is no file stands behind the list of an option, such as `--truth eccv cxc`, and the
/// subcommand.
fn behind_a_list(words: &[OsString], whole: &mut Command) -> Option<(Command, String)> {
    whole.build();
    let whole: &Command = whole;
    let mut words = words;
    let mut command = whole;
    while let [first, rest @ ..] = words
        && let Some(named) = command.find_subcommand(first.to_str()?)
    {
        (command, words) = (named, rest);
    }
    let said = words.windows(3).find_map(|words| {
        let [option, list, word] = words else {
            return None;
        };
        let is_list = |arg: &clap::Arg| arg.get_value_delimiter().is_some();
        let is_word = |word: &str| !word.starts_with('-') && !word.contains(['.', '/', '\\']);
        let word = word.to_str().filter(|word| is_word(word))?;
        let is_told = option_of(option, command).is_some_and(is_list) && !Path::new(word).exists();
        let [option, list, word] = [option.to_str()?, &list.to_string_lossy(), word].map(shown);
        is_told.then(|| format!("no file is named {word}; did you mean `{option} {list},{word}`?"))
    })?;
    Some((command.clone(), said))
}

/// Whether a word is an option whose value is the next word.
fn takes_value(word: &OsString, command: &Command) -> bool {
    option_of(word, command).is_some_and(|arg| arg.get_action().takes_values())
}

/// The option that a word is.
fn option_of<'a>(word: &OsString, command: &'a Command) -> Option<&'a clap::Arg> {
    let long = word.to_str().and_then(|word| word.strip_prefix("--"));
    let short = word.to_str().and_then(|word| word.strip_prefix('-')?.chars().next());
    let is_it = |arg: &&clap::Arg| match long {
        Some(long) => arg.get_long() == Some(long),
        None => short.is_some() && arg.get_short() == short,
    };
    command.get_arguments().find(is_it)
}

/// Says how the demo is asked for where files are missing, and what does without a condition where one is.
fn with_tip(mut error: Error, command: &Command) -> Error {
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.join(" "),
        _ => String::new(),
    };
    let tips = [
        ("<FILES>", "name a score matrix, such as sims.npy, or open the built-in demo with --demo"),
        (
            "--where",
            "without a condition --limit N lists queries that are judged; --sort, --columns and --items do, too",
        ),
    ];
    let is_missing = error.kind() == ErrorKind::MissingRequiredArgument;
    let tip = tips.into_iter().find(|(what, _)| missing.contains(what));
    if let Some((_, tip)) = tip.filter(|_| is_missing) {
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error.with_cmd(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn mistake(line: &str) -> Option<(ErrorKind, String)> {
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
            "itm truth mine a.json -o mine/",
        ] {
            assert_eq!(mistake(line), None, "{line}");
        }
        assert_eq!(mistake("itm eval --i2t a.npy --t2i b.npy"), None);
        for line in ["itm eval", "itm doctor -q", "itm truth stats", "itm show --query 1"] {
            let (kind, said) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::MissingRequiredArgument, "{line}");
            assert!(said.contains("--demo"), "{said}");
        }
        let (_, said) = mistake("itm find a.npy").unwrap();
        assert!(said.contains("--limit N lists"), "{said}");
        let (kind, _) = mistake("itm eval --demo --i2t a.npy").unwrap();
        assert_eq!(kind, ErrorKind::ArgumentConflict);
        assert_eq!(mistake("itm eval --demo mine/"), None);
    }

    #[test]
    fn a_list_has_commas() {
        let (_, said) = mistake("itm eval a.npy --truth eccv cxc").unwrap();
        assert!(said.contains("did you mean `--truth eccv,cxc`?"), "{said}");
        for line in [
            "itm eval a.npy --truth eccv b.npy",
            "itm eval --truth eccv src",
            "itm eval --truth eccv folder/",
            "itm eval a.npy -k 1 5",
        ] {
            assert_eq!(mistake(line), None, "{line}");
        }
    }

    #[test]
    fn a_seed_is_of_a_draw() {
        let (kind, said) = mistake("itm find a.npy --where r1 --seed 3").unwrap();
        assert_eq!(kind, ErrorKind::MissingRequiredArgument, "{said}");
        assert!(said.contains("--pick"), "{said}");
        assert_eq!(mistake("itm find a.npy --where r1 --pick 2 --seed 3"), None);
    }

    #[test]
    fn a_mistyped_subcommand_says_which_was_meant() {
        let (kind, said) = mistake("itm evla a.npy --format json").unwrap();
        assert_eq!(kind, ErrorKind::InvalidSubcommand);
        assert!(said.contains("`itm-explore eval`"), "{said}");
        let (_, said) = mistake("itm evaluate a.npy").unwrap();
        assert!(said.contains("`itm-explore eval`"), "{said}");
        let (kind, said) = mistake("itm a.npy b.npy eval --ci").unwrap();
        assert_eq!(kind, ErrorKind::InvalidSubcommand);
        assert!(said.contains("first: `itm-explore eval a.npy`"), "{said}");
        for line in ["itm a.npy --truth eval", "itm truth stats eval", "itm a.npy b.npy"] {
            assert_eq!(mistake(line), None, "{line}");
        }
        let (_, said) = mistake("itm --demo eval --metrics r1").unwrap();
        assert!(said.contains("first: `itm-explore eval --demo`"), "{said}");
        assert_eq!(mistake("itm sims"), None);
        assert_eq!(mistake("itm ./evl"), None);
    }
}
