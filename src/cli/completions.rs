//! `itm-explore completions` and `itm-explore man`: what shells complete, and manual pages.

use std::ffi::OsString;

use clap::Args;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};
use clap_mangen::Man;

use super::{command_line, say};
use crate::error::{Error, Result};

/// The name that shells know.
const NAME: &str = "itm-explore";
/// The variable by which a shell asks.
const ASKED: &str = "ITM_EXPLORE_COMPLETE";

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
    let command = || without_options(command_line::command());
    CompleteEnv::with_factory(command).var(ASKED).bin(NAME).complete();
}

/// Hides options: they are offered once a hyphen is typed.
fn without_options(command: clap::Command) -> clap::Command {
    let hide = |arg: clap::Arg| {
        let is_option = !arg.is_positional();
        arg.hide(is_option)
    };
    let command = command.disable_help_flag(true).disable_version_flag(true).mut_args(hide);
    command.mut_subcommands(without_options)
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<u8> {
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
