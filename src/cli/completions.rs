//! `itm-explore completions` and `itm-explore man`: what shells complete, and manual pages.

use std::ffi::{OsStr, OsString};

use clap::{ArgAction, Args, ValueHint};
use clap_complete::Shell;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};
use clap_mangen::Man;

use super::{command_line, say};
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
    let words: Vec<OsString> = args.subcommand.iter().map(OsString::from).collect();
    let commands: Vec<_> = command_line::subcommands(&words, &whole).collect();
    if let Some(name) = args.subcommand.get(commands.len()) {
        let of = commands.last().copied().unwrap_or(&whole);
        let known: Vec<&str> = of.get_subcommands().map(clap::Command::get_name).collect();
        let error = Error::new("man", format!("no command is named {name}"));
        return Err(error.expected(format!("one of {}", known.join(", "))).into());
    }
    let command = commands.last().copied().unwrap_or(&whole);
    say::put(page(command.clone())?)?;
    Ok(0)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let source = concat!("itm-explore ", env!("CARGO_PKG_VERSION"));
    let mut bytes = Vec::new();
    let written = Man::new(command).source(source).render(&mut bytes);
    written.map_err(|error| say::lost(&error))?;
    Ok(bytes)
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
            let heading = format!(".SH NAME\nitm\\-explore\\-{}", one.get_name());
            let has_example = words.contains(&format!("itm\\-explore {}", one.get_name()));
            assert!(words.contains(&heading), "{words}");
            assert!(has_example || one.has_subcommands(), "{words}");
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
