//! `itm-explore completions`: shell completion.

use clap::Args;
use clap_complete::Shell;
use clap_complete::env::{CompleteEnv, Shells};

use super::{command_line, say};
use crate::error::{Error, Result};

/// Name of the program in completion scripts.
const NAME: &str = "itm-explore";
/// Environment variable that a shell sets to request completions.
const REQUEST_VARIABLE: &str = "ITM_EXPLORE_COMPLETE";

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

pub(super) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    say::print(script(args.shell)?)?;
    Ok(())
}

/// The completion script of a shell.
///
/// # Errors
/// A shell without completion.
fn script(shell: Shell) -> Result<Vec<u8>> {
    let (name, mut bytes) = (shell.to_string(), Vec::new());
    let shells = Shells::builtins();
    let unknown = || Error::new("completions", format!("no shell {name}"));
    let completer = shells.completer(&name).ok_or_else(unknown)?;
    let outcome = completer.write_registration(REQUEST_VARIABLE, NAME, NAME, NAME, &mut bytes);
    outcome.map_err(|error| say::stdout_error(&error))?;
    Ok(bytes)
}

/// Answers a shell's completion request and ends the program; returns if there is none.
pub(super) fn answer_shell() {
    let command = || with_hidden_options(command_line::command());
    CompleteEnv::with_factory(command).var(REQUEST_VARIABLE).bin(NAME).complete();
}

/// Hides options, so that shells offer them only after a hyphen.
fn with_hidden_options(command: clap::Command) -> clap::Command {
    let hide_option = |arg: clap::Arg| {
        let is_option = !arg.is_positional();
        arg.hide(is_option)
    };
    let command = command.disable_help_flag(true).disable_version_flag(true).mut_args(hide_option);
    command.mut_subcommands(with_hidden_options)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_asks_the_program() {
        for &shell in Shell::value_variants() {
            let words = String::from_utf8(script(shell).unwrap()).unwrap();
            assert!(words.contains(REQUEST_VARIABLE) && words.contains(NAME), "{words}");
        }
    }
}
