//! `itm-explore completions`: shell completion.

use clap::Args;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};

use super::{command_line, say};
use crate::error::{Error, Result};

/// Program name for shells.
const NAME: &str = "itm-explore";
/// The variable that a shell sets.
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

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    say::print(script(args.shell)?)?;
    Ok(())
}

/// The completion script of a shell.
///
/// # Errors
/// An unknown shell.
fn script(shell: Shell) -> Result<Vec<u8>> {
    let (name, mut bytes) = (shell.to_string(), Vec::new());
    let shells = Shells::builtins();
    let known = shells.completer(&name);
    let known = known.ok_or_else(|| Error::new("completions", format!("no shell {name}")))?;
    let written = known.write_registration(ASKED, NAME, NAME, NAME, &mut bytes);
    written.map_err(|error| say::lost(&error))?;
    Ok(bytes)
}

/// Answers a shell's completion request and ends the program; returns if there is none.
pub(super) fn answer() {
    let command = || without_options(command_line::command());
    CompleteEnv::with_factory(command).var(ASKED).bin(NAME).complete();
}

/// Hides options: they are offered after a hyphen.
fn without_options(command: clap::Command) -> clap::Command {
    let hide = |arg: clap::Arg| {
        let is_option = !arg.is_positional();
        arg.hide(is_option)
    };
    let command = command.disable_help_flag(true).disable_version_flag(true).mut_args(hide);
    command.mut_subcommands(without_options)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_asks_the_program() {
        for &shell in Shell::value_variants() {
            let words = String::from_utf8(script(shell).unwrap()).unwrap();
            assert!(words.contains(ASKED) && words.contains(NAME), "{words}");
        }
    }
}
