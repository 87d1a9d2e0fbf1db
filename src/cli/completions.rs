//! `itm-explore completions` and `itm-explore man`: what shells complete, and manual pages.

use std::ffi::OsStr;

use clap::{ArgAction, Args, ValueHint};
use clap_complete::Shell;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::{command_line, say};
use crate::data::near::meant;
use crate::error::{Error, Result};
use crate::tui::theme::BUNDLED;

/// The name that shells know.
const NAME: &str = "itm-explore";
/// The variable by which a shell asks.
const ASKED: &str = "ITM_EXPLORE_COMPLETE";
/// The option with a theme.
const THEME: &str = "theme";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore completions bash > ~/.local/share/bash-completion/completions/itm-explore\n  \
                  itm-explore completions zsh > ~/.zfunc/_itm-explore\n  \
                  itm-explore completions fish > ~/.config/fish/completions/itm-explore.fish"
)]
pub(super) struct CompletionsArgs {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore man > ~/.local/share/man/man1/itm-explore.1\n  \
                  itm-explore man find | man -l -\n  itm-explore man truth mine | man -l -")]
pub(super) struct ManArgs {
    /// Command, such as find, or truth mine [default: the program]
    subcommand: Vec<String>,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    say::put(script(args.shell)?)?;
    Ok(0)
}

/// What a shell reads: whom to ask for what completes a command line.
///
/// # Errors
/// A shell that nobody knows.
fn script(shell: Shell) -> Result<Vec<u8>> {
    let (name, mut bytes) = (shell.to_string(), Vec::new());
    let shells = Shells::builtins();
    let known = shells.completer(&name);
    let known = known.ok_or_else(|| Error::new("completions", format!("no shell {name}")))?;
    let written = known.write_registration(ASKED, NAME, NAME, NAME, &mut bytes);
    written.map_err(|error| say::lost(&error))?;
    Ok(bytes)
}

/// Answers a shell that asks what completes a command line, and ends the program; nothing where none asks.
pub(super) fn answer() {
    // It is not there any more when the answer is made.
    let is_bash = std::env::var_os(ASKED).is_some_and(|shell| shell == "bash");
    CompleteEnv::with_factory(move || completed(is_bash)).var(ASKED).bin(NAME).complete();
}

/// The command line as shells complete it. Options are offered where a hyphen is typed, else what stands without one.
fn completed(is_bash: bool) -> clap::Command {
    let pages = pages(&command_line::command());
    let whole = with_themes(hiding_options(command_line::command(), is_bash), is_bash);
    whole.mut_subcommand("man", |man| named(man.get_name()).subcommands(pages))
}

/// A command of which nothing but its name is completed.
fn named(name: &str) -> clap::Command {
    // Names of commands live as long as the program, which ends once it has answered.
    let name: &'static str = name.to_owned().leak();
    let command = clap::Command::new(name);
    command.disable_help_flag(true).disable_help_subcommand(true)
}

fn hiding_options(command: clap::Command, is_bash: bool) -> clap::Command {
    let hide = |arg: clap::Arg| {
        let is_option = !arg.is_positional();
        let is_path = arg.get_value_hint() == ValueHint::AnyPath;
        let arg = arg.hide(is_option);
        if is_path {
            arg.add(ArgValueCompleter::new(move |typed: &OsStr| paths(typed, is_bash)))
        } else {
            arg
        }
    };
    // What clap adds by itself is not hidden.
    let help = clap::Arg::new("help").short('h').long("help");
    let help = help.action(ArgAction::SetTrue).hide(true);
    let command = command.disable_help_flag(true).disable_version_flag(true);
    command.mut_args(hide).arg(help).mut_subcommands(|command| hiding_options(command, is_bash))
}

/// Files and folders, but for the folder itself that one is in.
fn paths(typed: &OsStr, is_bash: bool) -> Vec<CompletionCandidate> {
    let found = PathCompleter::any().complete(typed).into_iter();
    let found = found.filter(|one| one.get_value() != ".");
    if !is_bash {
        return found.collect();
    }
    let escaped = |one: CompletionCandidate| escaped(&one.get_value().to_string_lossy());
    found.map(escaped).map(CompletionCandidate::new).collect()
}

/// A path as it is typed in bash, which takes what it is answered as it stands.
fn escaped(path: &str) -> String {
    let sign = |one: char| {
        let is_special = " \t!\"#$&'()*;<>?[\\]`{|}".contains(one);
        is_special.then_some('\\').into_iter().chain([one])
    };
    path.chars().flat_map(sign).collect()
}

/// A theme is a bundled one, or a file.
fn with_themes(command: clap::Command, is_bash: bool) -> clap::Command {
    let themes = move |typed: &OsStr| {
        let begun = typed.to_string_lossy();
        let bundled = BUNDLED.iter().map(|(name, _)| *name);
        let bundled = bundled.filter(|name| name.starts_with(&*begun));
        let mut found: Vec<CompletionCandidate> = bundled.map(CompletionCandidate::new).collect();
        found.extend(paths(typed, is_bash));
        found
    };
    command.mut_arg(THEME, |theme| theme.add(ArgValueCompleter::new(themes)))
}

/// The words that name a manual page: subcommands, and behind them those of subcommands.
fn pages(command: &clap::Command) -> Vec<clap::Command> {
    let page = |one: &clap::Command| named(one.get_name()).subcommands(pages(one));
    command.get_subcommands().map(page).collect()
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut whole = command_line::command();
    whole.build();
    let mut command = &whole;
    for name in &args.subcommand {
        command = command.find_subcommand(name).ok_or_else(|| unknown(command, name, &whole))?;
    }
    say::put(page(command.clone())?)?;
    Ok(0)
}

/// That a command has no such subcommand; one that another has is named with it.
fn unknown(command: &clap::Command, name: &str, whole: &clap::Command) -> Error {
    let known = command.get_subcommands().map(clap::Command::get_name);
    let known: Vec<&str> = known.collect();
    let error = Error::new("man", format!("no subcommand is named {name}"))
        .expected(format!("one of {}", known.join(", ")));
    let mut others = whole.get_subcommands();
    match others.find(|one| one.find_subcommand(name).is_some()) {
        Some(one) => error.mend(format!("man {} {name}", one.get_name())),
        None => error.meaning(meant(name, &known)),
    }
}

fn page(mut command: clap::Command) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = write_page(&mut command, &mut bytes);
    written.map_err(|error| say::lost(&error))?;
    let text = String::from_utf8_lossy(&bytes);
    // Each section begins with what a page begins with.
    let start = text.find(".TH").unwrap_or_default();
    let (head, rest) = text.split_at(start);
    Ok(format!("{head}{}", rest.replace(head, "")).into_bytes())
}

fn write_page(command: &mut clap::Command, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let usage = command.render_usage().to_string();
    let source = concat!("itm-explore ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(source);
    page.render_title(bytes)?;
    page.render_name_section(bytes)?;
    // Every option by itself would tell neither which takes a value nor that files are many.
    let mut synopsis = Roff::new();
    synopsis.control("SH", ["SYNOPSIS"]);
    synopsis.text([roman(usage.trim_start_matches("Usage: "))]);
    synopsis.to_writer(bytes)?;
    page.render_description_section(bytes)?;
    if command.get_arguments().next().is_some() {
        page.render_options_section(bytes)?;
    }
    if command.has_subcommands() {
        page.render_subcommands_section(bytes)?;
    }
    if let Some(help) = command.get_after_long_help().or_else(|| command.get_after_help()) {
        below(&help.to_string()).to_writer(bytes)?;
    }
    Ok(())
}

/// What is said below the options, line by line: lists of values, and commands as they are typed.
fn below(help: &str) -> Roff {
    let lines: Vec<&str> = help.lines().collect();
    let is_heading = |line: &&str| line.starts_with("Example");
    let at = lines.iter().position(is_heading).unwrap_or(lines.len());
    let (details, commands) = lines.split_at(at);
    let mut roff = Roff::new();
    as_written(&mut roff, "DETAILS", details);
    as_written(&mut roff, "EXAMPLES", commands.get(1..).unwrap_or_default());
    roff
}

fn as_written(roff: &mut Roff, heading: &str, lines: &[&str]) {
    if lines.is_empty() {
        return;
    }
    roff.control("SH", [heading]);
    roff.control("nf", []);
    for line in lines {
        roff.text([roman(*line)]);
    }
    roff.control("fi", []);
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_page_has_a_name_its_source_and_examples() {
        let mut whole = command_line::command();
        whole.build();
        let words = String::from_utf8(page(whole.clone()).unwrap()).unwrap();
        assert!(words.contains(".SH NAME") && words.contains("eval"), "{words}");
        for one in whole.get_subcommands() {
            let words = String::from_utf8(page(one.clone()).unwrap()).unwrap();
            let usage = format!(".SH SYNOPSIS\nitm\\-explore {}", one.get_name());
            assert!(words.contains(&usage), "{words}");
            let is_example = words.contains(".SH EXAMPLES\n.nf\n");
            assert!(is_example || one.get_after_help().is_none(), "{words}");
            assert_eq!(words.matches(".el .ds Aq").count(), 1, "{words}");
        }
        let nested = whole.find_subcommand("truth").unwrap();
        let nested = nested.find_subcommand("mine").unwrap().clone();
        let words = String::from_utf8(page(nested).unwrap()).unwrap();
        let source = concat!(" \"itm-explore ", env!("CARGO_PKG_VERSION"), "\"");
        assert!(words.contains(source), "{words}");
    }

    #[test]
    fn every_shell_asks_the_program() {
        for &shell in Shell::value_variants() {
            let words = String::from_utf8(script(shell).unwrap()).unwrap();
            assert!(words.contains(ASKED) && words.contains(NAME), "{words}");
        }
    }
}
