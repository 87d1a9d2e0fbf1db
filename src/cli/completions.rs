//! `itm-explore completions` and `itm-explore man`: what shells complete, and manual pages.

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;

use super::{asked, say};
use crate::error::{Error, Result};

/// The name that shells know.
const NAME: &str = "itm-explore";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore completions bash > ~/.local/share/bash-completion/completions/itm-explore\n  \
                  itm-explore completions zsh > ~/.zfunc/_itm-explore\n  \
                  itm-explore completions fish > ~/.config/fish/completions/itm-explore.fish"
)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore man > ~/.local/share/man/man1/itm-explore.1\n  \
                  itm-explore man find | man -l -"
)]
pub(super) struct ManArgs {
    /// The page of this subcommand [default: that of the program]
    subcommand: Option<String>,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut asked::command(), NAME, &mut bytes);
    say::put(bytes)?;
    Ok(0)
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut whole = asked::command();
    whole.build();
    let command = match &args.subcommand {
        None => &whole,
        Some(name) => whole.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = whole
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            Error::new("man", format!("no subcommand is named {name}"))
                .expected(format!("one of {}", known.join(", ")))
        })?,
    };
    say::put(page(command.clone())?)?;
    Ok(0)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = Man::new(command).render(&mut bytes);
    written.map_err(|error| say::lost(&error))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_name_and_every_shell_its_words() {
        let mut whole = asked::command();
        whole.build();
        let words = String::from_utf8(page(whole.clone()).unwrap()).unwrap();
        assert!(
            words.contains(".SH NAME") && words.contains("eval"),
            "{words}"
        );
        for one in whole.get_subcommands() {
            let words = String::from_utf8(page(one.clone()).unwrap()).unwrap();
            assert!(words.contains(".SH SYNOPSIS"), "{words}");
        }
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut bytes = Vec::new();
            clap_complete::generate(shell, &mut asked::command(), NAME, &mut bytes);
            let words = String::from_utf8(bytes).unwrap();
            for word in ["captions-per-image", "correlate"] {
                assert!(words.contains(word), "{shell} lacks {word}");
            }
        }
    }
}
