//! The clap command line: its help by groups of commands, and the options and checks that all commands share.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, CommandFactory, Error, FromArgMatches};

use super::{Cli, InputArgs};
use crate::data::near::nearest;
use crate::data::text::shell_word;
pub(super) use crate::study::SCORES;

/// Id of the positional argument that takes the files of a study.
const FILES: &str = "files";
/// Headings of the options that `help inputs` explains.
const INPUT_HEADINGS: [&str; 3] = ["Inputs", "Scores in other forms", "Similarity of captions"];

/// Commands of the top level, in the order of the help.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Explore", &["show", "find"]),
    ("Measure", &["eval", "compare", "errors", "slices", "mix", "series", "correlate"]),
    ("Publish", &["figure", "plot", "report"]),
    ("Data", &["doctor", "convert", "truth", "annotate"]),
    ("Research", &["phrases", "fg", "semantic"]),
    ("Shell", &["completions"]),
];

const USAGE: &str =
    "itm-explore [FILES]... [OPTIONS]   opens the explorer\n       itm-explore COMMAND ...";

/// Parses the command line: the program's name, then its arguments.
///
/// # Errors
/// A usage error; the text of the help or version, if requested.
pub(super) fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, Error> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let words = arguments.get(1..).unwrap_or_default();
    let mut command = command_for(words);
    if words == ["help", "inputs"] {
        let help = InputArgs::augment_args(Command::new("inputs"))
            .about("Inputs of every command that reads a study")
            .override_usage("itm-explore COMMAND [FILES]... [OPTIONS]")
            .mut_arg(FILES, |files| files.required(false))
            .try_get_matches_from(["", "--help"]);
        return Err(help.err().unwrap_or_else(|| Error::new(ErrorKind::DisplayHelp)));
    }
    if let Some(error) = misspelt_command(words, &command) {
        return Err(Error::raw(ErrorKind::InvalidSubcommand, error + "\n"));
    }
    let matches = command.try_get_matches_from_mut(&arguments).map_err(|mut error| {
        let missing = error.get(ContextKind::InvalidArg).map(ToString::to_string);
        if missing.is_some_and(|missing| missing == "<FILES>...") {
            let typed = words.iter().map(|word| shell_word(&word.to_string_lossy()) + " ");
            let fix = format!("itm-explore {}--demo", typed.collect::<String>());
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![fix.into()]));
        }
        error
    })?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The command line that parses `words`, the arguments after the program's name. Only the subcommand in `words` gets
/// the shared settings; for help all subcommands get them, which is slow.
fn command_for(words: &[OsString]) -> Command {
    let is_help = |word: &OsString| ["-h", "--help", "help"].iter().any(|flag| word == flag);
    if words.iter().any(is_help) {
        return with_groups(command());
    }
    let command = Cli::command();
    let first = words.first().and_then(|word| command.find_subcommand(word));
    match first.map(|first| first.get_name().to_owned()) {
        Some(name) => command.mut_subcommand(name, with_shared_settings),
        None => command.override_usage(USAGE),
    }
}

/// The whole command line, with its subcommands in the order of their definition.
pub(super) fn command() -> Command {
    Cli::command().mut_subcommands(with_shared_settings)
}

/// Adds to a subcommand, and to those below it, the options, checks and help that all share. One that reads a study
/// requires files, and its help refers to `help inputs` instead of listing input options.
fn with_shared_settings(command: Command) -> Command {
    let has_inputs = command.get_arguments().any(|arg| arg.get_id() == FILES);
    let command = command.mut_args(|arg| {
        let takes_value = !arg.is_positional() && arg.get_action().takes_values();
        // A number below zero is a bad value of its option, not an unknown option.
        with_short_help(hide_input_option(arg.allow_negative_numbers(takes_value)))
    });
    // `truth mine` can make a ground truth from judgments alone.
    let needs_files = has_inputs && command.get_name() != "mine";
    let command = if needs_files {
        command.mut_arg(FILES, |files| {
            files.required_unless_present_any(SCORES.into_iter().chain(["demo"]))
        })
    } else {
        command
    };
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let details = command.get_after_long_help().map(|details| format!("{details}\n\n"));
    let inputs = if has_inputs { "Input options: `itm-explore help inputs`\n\n" } else { "" };
    command
        .after_long_help(format!("{}{inputs}{examples}", details.unwrap_or_default()))
        .after_help(format!("{inputs}{examples}"))
        .mut_subcommands(with_shared_settings)
}

/// Hides the argument from the help if `help inputs` explains it.
fn hide_input_option(arg: Arg) -> Arg {
    if arg.get_help_heading().is_some_and(|heading| INPUT_HEADINGS.contains(&heading)) {
        arg.hide_short_help(true).hide_long_help(true)
    } else {
        arg
    }
}

/// Moves the possible values of an option from `-h` to `--help` if its help would be too wide with them.
fn with_short_help(arg: Arg) -> Arg {
    const MAX_WIDTH: usize = 35;
    let values = arg.get_possible_values();
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let width: usize = values.iter().map(|value| value.get_name().len() + 2).sum();
    let is_flag = !arg.get_action().takes_values() || values.is_empty();
    if is_flag || help.len() + width < MAX_WIDTH || arg.is_hide_possible_values_set() {
        return arg;
    }
    let mut long = arg.get_long_help().map(ToString::to_string).unwrap_or(help);
    for value in &values {
        let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
        let _ = write!(long, "\n- {}{help}", value.get_name());
    }
    arg.hide_possible_values(true).long_help(long)
}

/// The command line with its subcommands listed by group in the help; `-h` omits the options.
fn with_groups(command: Command) -> Command {
    let mut help = "{about}\n\nUsage: {usage}\n\nCommands:\n".to_owned();
    for (group, names) in GROUPS {
        let _ = writeln!(help, "{group}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let _ = writeln!(help, "  {name:<12} {}", about.cloned().unwrap_or_default());
        }
    }
    let examples = command.get_after_help().cloned().unwrap_or_default();
    let _ = write!(help, "\n{examples}\n\n{{all-args}}");
    let mut command = command
        .help_template(help)
        .override_usage(USAGE)
        .mut_subcommands(|command| command.hide(true));
    command.build();
    command.mut_args(|arg| hide_input_option(arg).hide_short_help(true))
}

/// Error message if the first word resembles a command; `None` if it is a command or a path, or resembles none.
fn misspelt_command(words: &[OsString], command: &Command) -> Option<String> {
    let word = words.first()?.to_str()?;
    let is_command = word == "help" || command.find_subcommand(word).is_some();
    if is_command || word.contains(['.', '/', '-']) || Path::new(word).exists() {
        return None;
    }
    let near = nearest(word, command.get_subcommands().map(Command::get_name))?;
    Some(format!("no command or file is named {word:?}; did you mean `itm-explore {near}`?"))
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
        with_groups(command()).debug_assert();
    }

    /// Calls `check` with every command and its full name.
    fn walk(name: &str, command: &mut Command, check: &mut impl FnMut(&str, &mut Command)) {
        check(name, command);
        for command in command.get_subcommands_mut().filter(|one| one.get_name() != "help") {
            walk(&format!("{name} {}", command.get_name()), command, check);
        }
    }

    #[test]
    fn short_help_fits_a_screen() {
        const LINES: usize = 40;
        const WIDTH: usize = 70;
        let mut long = Vec::new();
        walk("itm-explore", &mut with_groups(command()), &mut |name, command| {
            let help = command.render_help().to_string();
            let is_wide = |line: &&str| line.chars().count() > 100;
            long.extend(help.lines().filter(is_wide).map(|line| format!("{name} -h: {line}")));
            if help.lines().count() > LINES {
                long.push(format!("{name} -h: {} lines", help.lines().count()));
            }
            if name != "itm-explore" && !command.has_subcommands() {
                let examples = help.matches("\n  itm-explore ").count();
                if examples != 3 {
                    long.push(format!("{name} -h: {examples} examples"));
                }
            }
            let about = command.get_about().map(|about| (name.to_owned(), about.to_string()));
            let options = command.get_arguments().map(|arg| {
                let help = arg.get_help().map(ToString::to_string);
                (format!("{name} {}", arg.get_id()), help.unwrap_or_default())
            });
            for (of, text) in options.chain(about) {
                let width = text.chars().count();
                if width == 0 || width > WIDTH {
                    long.push(format!("{of}: {width} characters: {text}"));
                }
            }
        });
        assert!(long.is_empty(), "{}", long.join("\n"));
    }

    #[test]
    fn every_command_stands_in_a_group() {
        let grouped = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let mut grouped: Vec<&str> = grouped.collect();
        let command = command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }

    #[test]
    fn commands_need_files_and_the_explorer_does_not() {
        for line in [
            "itm",
            "itm --demo",
            "itm eval a.npy",
            "itm eval --demo",
            "itm truth mine a.json -o mine/",
            "itm eval --i2t a.npy --t2i b.npy",
            "itm eval --demo mine/",
            "itm find a.npy --where r1 --pick 2 --seed 3",
        ] {
            assert_eq!(mistake(line), None, "{line}");
        }
        for (line, option) in [
            ("itm eval", "<FILES>"),
            ("itm doctor -q", "<FILES>"),
            ("itm truth stats", "<FILES>"),
            ("itm show --query 1", "<FILES>"),
            ("itm find a.npy", "--where"),
            ("itm find a.npy --where r1 --seed 3", "--pick"),
        ] {
            let (kind, message) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::MissingRequiredArgument, "{line}");
            assert!(message.contains(option), "{message}");
        }
        let (_, message) = mistake("itm eval --truth rich").unwrap();
        assert!(message.contains("tip: itm-explore eval --truth rich --demo\n"), "{message}");
        let (kind, _) = mistake("itm eval --demo --i2t a.npy").unwrap();
        assert_eq!(kind, ErrorKind::ArgumentConflict);
    }

    #[test]
    fn a_wrong_option_is_an_error_with_the_nearest_one() {
        for (line, near) in [
            ("itm a.npy --trth eccv", "'--truth'"),
            ("itm find a.npy --direc i2t", "'--direction'"),
            ("itm figure a.npy --modle lsa", "'--model'"),
            ("itm truth mine s.json --anotator mk", "'--annotator'"),
        ] {
            let (kind, message) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::UnknownArgument, "{line}");
            assert!(message.contains(near), "{message}");
        }
    }

    #[test]
    fn a_mistyped_name_leads_to_the_command() {
        let (kind, message) = mistake("itm evla a.npy").unwrap();
        assert_eq!(kind, ErrorKind::InvalidSubcommand);
        assert!(message.contains("did you mean `itm-explore eval`?"), "{message}");
        for line in ["itm a.npy --truth eval", "itm fg pools --demo", "itm sims", "itm ./evl"] {
            assert_eq!(mistake(line), None, "{line}");
        }
        for line in ["itm fg -h", "itm help inputs", "itm help fg pools", "itm -h"] {
            let (kind, _) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::DisplayHelp, "{line}");
        }
    }
}
