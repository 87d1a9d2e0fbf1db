//! Options that there are not: which one may be meant.

use std::ffi::OsString;

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use crate::data::near::nearest;

/// The options that name a file to write, where a subcommand has any.
const OUTPUT: [&str; 3] = ["output", "out", "o"];

/// Of an option that there is not, says which one may be meant. Nobody means it as a value.
pub(super) fn near_option(mut error: Error, arguments: &[OsString], command: &Command) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    error.remove(ContextKind::Suggested);
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let wrong = wrong.trim_start_matches('-').to_owned();
    let of = of_words(arguments, command);
    // Else it names an option that nobody asked about.
    let usage = of.clone().render_usage();
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    if let Some(tip) = tip(&wrong, of, command) {
        error.remove(ContextKind::SuggestedArg);
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    } else if let Some(near) = near_long(&wrong, of) {
        let near = ContextValue::String(format!("--{near}"));
        error.insert(ContextKind::SuggestedArg, near);
    }
    error
}

/// What is written in the place of an option that a subcommand has not, where it is not one that is spelt alike.
fn tip(wrong: &str, of: &Command, command: &Command) -> Option<String> {
    let is_subcommand = !std::ptr::eq(of, command);
    let is_written = longs(of).any(|long| long == OUTPUT[0]);
    if OUTPUT.contains(&wrong) && !is_written && is_subcommand {
        let tip = "the answer goes to standard output: write it to a file with > FILE";
        return Some(tip.into());
    }
    if let Some(long) = takes_value(wrong, of) {
        return Some(format!("it is a value: --{long} {wrong}"));
    }
    if begun(wrong, of).is_some() {
        return None;
    }
    let has_it = |other: &&Command| longs(other).any(|long| long == wrong);
    let others = command.get_subcommands().filter(has_it);
    let names: Vec<&str> = others.map(Command::get_name).collect();
    (!names.is_empty()).then(|| format!("--{wrong} is an option of: {}", names.join(", ")))
}

/// The option that takes this value among those that it names.
fn takes_value<'a>(wrong: &str, of: &'a Command) -> Option<&'a str> {
    let is_one = |value: &PossibleValue| value.get_name() == wrong;
    let has_it = |arg: &&Arg| arg.get_possible_values().iter().any(is_one);
    of.get_arguments().find(has_it)?.get_long()
}

/// The long options of a command.
fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(Arg::get_long)
}

/// The long option of a command that begins with these letters; every option begins with some letter.
fn begun<'a>(wrong: &str, of: &'a Command) -> Option<&'a str> {
    longs(of).find(|long| wrong.len() > 1 && long.starts_with(wrong))
}

/// The long option of a command that begins with these letters, or is nearest to them.
fn near_long(wrong: &str, of: &Command) -> Option<String> {
    // Every letter is near to every other one.
    let near = || nearest(wrong, longs(of)).filter(|_| wrong.len() > 1);
    begun(wrong, of).or_else(near).map(str::to_owned)
}

/// The subcommand that the words name.
fn of_words<'a>(arguments: &[OsString], command: &'a Command) -> &'a Command {
    let words = arguments.iter().skip(1);
    words.fold(command, |command, word| {
        let named = word.to_str().and_then(|word| command.find_subcommand(word));
        named.unwrap_or(command)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::mistake;
    use super::*;

    #[test]
    fn a_mistyped_option_says_which_was_meant_and_is_no_value() {
        for (line, near) in [
            ("itm a.npy --trth eccv", Some("'--truth'")),
            ("itm find a.npy --dir i2t", Some("'--direction'")),
            ("itm figure a.npy --modle lsa", Some("'--model'")),
            ("itm truth mine s.json --anotator mk", Some("'--annotator'")),
            ("itm find a.npy -z", None),
            ("itm eval a.npy --zzyzx", None),
        ] {
            let (kind, said) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::UnknownArgument, "{line}");
            assert!(!said.contains("as a value") && !said.contains("-- --"), "{said}");
            assert_eq!(near.is_some(), said.contains("similar"), "{said}");
            assert!(said.contains(near.unwrap_or("-z")), "{said}");
        }
        for line in ["itm a.npy --truth eccv", "itm a.npy --direction i2t --model a"] {
            assert_eq!(mistake(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_printed_is_written_with_a_redirection() {
        for option in ["-o", "--output", "--out"] {
            let (_, said) = mistake(&format!("itm find a.npy --k 5 {option} hits.csv")).unwrap();
            assert!(said.contains("> FILE") && !said.contains("similar"), "{said}");
        }
        for line in ["itm a.npy -o hits.csv", "itm figure a.npy --query 1 --out a.svg"] {
            let (_, said) = mistake(line).unwrap();
            assert!(!said.contains("> FILE"), "{line}: {said}");
        }
    }

    #[test]
    fn what_is_a_value_or_another_subcommands_says_so() {
        for (line, tip) in [
            ("itm compare a.npy --latex", "--format latex"),
            ("itm find a.npy --items --extra", "--which extra"),
            ("itm compare a.npy --per-query x", "is an option of: eval"),
            ("itm a.npy --ci", "is an option of: eval"),
        ] {
            let (kind, said) = mistake(line).unwrap();
            assert_eq!(kind, ErrorKind::UnknownArgument, "{line}");
            assert!(said.contains(tip) && !said.contains("similar"), "{said}");
        }
    }
}
