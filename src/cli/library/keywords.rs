//! Options of the command line in the words of a Python call: `--captions-per-image K` is `captions_per_image=K`.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

use super::command_line;

/// What is wrong with the options of a call, to follow its name.
pub(super) fn mistake(error: &Error, arguments: &[OsString]) -> String {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        _ => String::new(),
    };
    let translated = |words: &str| translated(words, arguments);
    let argument = context(ContextKind::InvalidArg);
    let name = keyword(argument.trim_start_matches('-'));
    let value = context(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let near = context(ContextKind::SuggestedArg);
            let near = keyword(near.trim_start_matches('-'));
            let hint = match near.as_str() {
                "" => String::new(),
                near => format!(" (did you mean '{near}'?)"),
            };
            format!("got an unexpected option '{name}'{hint}")
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            "got an unexpected option (help(itm_explore) has the functions)".into()
        }
        ErrorKind::InvalidValue => {
            let known = context(ContextKind::ValidValue);
            format!("got {name}='{value}', expected one of {known}")
        }
        ErrorKind::ValueValidation if error.source().is_some() => {
            let why = error.source().map(ToString::to_string);
            format!("got {name}='{value}': {}", translated(&why.unwrap_or_default()))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = translated(&argument.replace("<FILES>...", "scores, or demo=True"));
            format!("needs {missing}")
        }
        _ => {
            let words = error.to_string();
            let words = words.split("\n\n").next().unwrap_or_default();
            let words = translated(words.trim_start_matches("error: "));
            format!("cannot be called so: {words}")
        }
    }
}

/// Words with every option of the subcommand as a keyword argument. Whole commands stay what is typed in a shell.
pub(super) fn translated(words: &str, arguments: &[OsString]) -> String {
    if !words.contains("--") {
        return words.to_owned();
    }
    let command = command_line::command();
    let typed = arguments.get(1..).unwrap_or_default();
    let of = command_line::subcommands(typed, &command).last().unwrap_or(&command);
    let spans = words.split('`').map(|span| {
        if span.starts_with("itm-explore") { span.to_owned() } else { in_keywords(span, of) }
    });
    spans.collect::<Vec<String>>().join("`")
}

fn in_keywords(words: &str, of: &Command) -> String {
    let mut parts = words.split("--");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let end = part.find(|c| !is_of_name(c)).unwrap_or(part.len());
        let (long, rest) = part.split_at(end);
        let Some(arg) = of.get_arguments().find(|arg| arg.get_long() == Some(long)) else {
            all = all + "--" + part;
            continue;
        };
        all += &keyword(long);
        if !arg.get_action().takes_values() {
            all = all + "=True" + rest;
            continue;
        }
        let after = rest.trim_start_matches(['[', '=', ' ']);
        let is_of_value = |c: char| c.is_ascii_alphanumeric() || "_=<>".contains(c);
        let end = after.find(|c| !is_of_value(c)).unwrap_or(after.len());
        match value(&after[..end], arg) {
            Some(value) => all = all + "=" + &value + after[end..].trim_start_matches(']'),
            // What is wrong with it follows.
            None if rest.starts_with(':') => all += rest,
            None => all = all + "=" + rest.trim_start_matches('='),
        }
    }
    all
}

/// The value that a word behind an option is: a placeholder, a number, or a word that the option takes.
fn value(word: &str, arg: &Arg) -> Option<String> {
    let is_of_placeholder = |c: char| c.is_ascii_uppercase() || "_=<>".contains(c);
    let is_placeholder = !word.is_empty() && word.chars().all(is_of_placeholder);
    let mut known = arg.get_possible_values().into_iter();
    if known.any(|known| known.matches(word, false)) {
        return Some(format!("'{word}'"));
    }
    let is_value = is_placeholder || word.parse::<f64>().is_ok();
    let word = word.trim_matches(['<', '>']);
    is_value.then(|| match word.split_once('=') {
        Some((name, value)) => format!("{{{name}: {value}}}"),
        None => word.to_owned(),
    })
}

/// The Python keyword of an option, without its value.
fn keyword(long: &str) -> String {
    let end = long.find(['=', ' ', '[', '<']).unwrap_or(long.len());
    long[..end].replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn options_in_words_are_keyword_arguments() {
        let arguments = arguments("itm-explore eval a.npy");
        for (words, told) in [
            ("--k: 0 is none", "k: 0 is none"),
            ("name its ids with --image-ids", "name its ids with image_ids="),
            ("--captions-per-image K or 0", "captions_per_image=K or 0"),
            ("--short-lists miss counts it", "short_lists='miss' counts it"),
            ("--image-emb FILE --text-emb FILE", "image_emb=FILE text_emb=FILE"),
            ("--force writes over it", "force=True writes over it"),
            ("--phi NAME=FILE", "phi={NAME: FILE}"),
            ("a -- b --margin", "a -- b --margin"),
            ("`itm-explore eval --force`: --force", "`itm-explore eval --force`: force=True"),
        ] {
            assert_eq!(translated(words, &arguments), told);
        }
    }

    #[test]
    fn mistakes_in_options_speak_of_no_flags() {
        for (line, told) in [
            ("eval a.npy --metrcis=r1", "unexpected option 'metrcis' (did you mean 'metrics'?)"),
            ("eval a.npy --zzyzx", "unexpected option 'zzyzx'"),
            ("eval a.npy --ci=True", "got ci='True', expected one of"),
            ("eval a.npy --k=x", "got k='x': "),
            ("eval", "needs scores, or demo=True"),
            ("eval --demo --i2t a.npy", "'demo=True' cannot be used"),
            ("eval --help", "unexpected option"),
        ] {
            let arguments = arguments(&format!("itm-explore {line}"));
            let error = command_line::read(arguments.clone()).unwrap_err();
            let said = mistake(&error, &arguments);
            assert!(said.contains(told) && !said.contains("--"), "{line}: {said}");
        }
    }
}
