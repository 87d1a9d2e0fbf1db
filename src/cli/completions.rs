//! `itm-explore completions` and `itm-explore man`: what shells complete, and manual pages.

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

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
    /// The page of this subcommand, such as find, or truth mine [default: that of the program]
    subcommand: Vec<String>,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    say::put(script(args.shell))?;
    Ok(0)
}

/// What a shell reads.
fn script(shell: Shell) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut asked::command(), NAME, &mut bytes);
    let script = String::from_utf8_lossy(&bytes).into_owned();
    match shell {
        Shell::Bash => for_bash(&script),
        _ => script,
    }
}

/// The script of `clap_complete` 4.6 as bash needs it. It writes a hyphen in the program's name in one way where it
/// looks for a subcommand, and in another way where it tells what completes it: none would be found. And for the first
/// word behind a subcommand it offers options alone, where files are wanted.
fn for_bash(script: &str) -> String {
    let script = script.replace(&NAME.replace('-', "__subcmd__"), &NAME.replace('-', "__"));
    let (mut takes_files, mut lines) = (false, Vec::new());
    for line in script.lines() {
        if let Some(words) = line.trim().strip_prefix("opts=") {
            let is_named = |word: &str| word.starts_with(|first: char| first.is_ascii_lowercase());
            let words = words.trim_matches('"');
            takes_files = !words.is_empty() && !words.split(' ').any(is_named);
        }
        let ends = line.find(" || ${COMP_CWORD} -eq ").filter(|_| takes_files);
        lines.push(match ends {
            Some(at) => format!("{} ]] ; then", &line[..at]),
            None => line.to_owned(),
        });
    }
    lines.join("\n") + "\n"
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut whole = asked::command();
    whole.build();
    let mut command = &whole;
    for name in &args.subcommand {
        command = command.find_subcommand(name).ok_or_else(|| {
            let known = command.get_subcommands().map(clap::Command::get_name);
            let known: Vec<&str> = known.collect();
            Error::new("man", format!("no subcommand is named {name}"))
                .expected(format!("one of {}", known.join(", ")))
        })?;
    }
    say::put(page(command.clone())?)?;
    Ok(0)
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
    let page = Man::new(command.clone());
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
    if let Some(help) = command.get_after_help() {
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
            let usage = format!(".SH SYNOPSIS\nitm\\-explore {}", one.get_name());
            assert!(words.contains(&usage), "{words}");
            let is_example = words.contains(".SH EXAMPLES\n.nf\n");
            assert!(is_example || one.get_after_help().is_none(), "{words}");
            assert_eq!(words.matches(".el .ds Aq").count(), 1, "{words}");
        }
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let words = script(shell);
            for word in ["captions-per-image", "correlate"] {
                assert!(words.contains(word), "{shell} lacks {word}");
            }
        }
    }

    /// What bash looks for, it finds.
    #[test]
    fn every_subcommand_that_bash_looks_for_has_its_words() {
        let script = script(Shell::Bash);
        let sought = script.lines().filter_map(|line| {
            let name = line.trim().strip_prefix("cmd=\"")?.strip_suffix('"')?;
            (!name.is_empty()).then(|| name.to_owned())
        });
        let sought: Vec<String> = sought.collect();
        assert!(sought.len() > 24, "{sought:?}");
        for name in sought {
            assert!(script.contains(&format!("\n        {name})\n")), "{name}");
        }
    }

    /// Where a subcommand takes files, bash offers these for its first word, and options for what begins like one.
    #[test]
    fn bash_offers_files_where_they_are_wanted() {
        let script = script(Shell::Bash);
        let offers_words = |name: &str| {
            let block = script.split_once(&format!("\n        itm__explore__subcmd__{name})\n"));
            let condition = block
                .unwrap()
                .1
                .lines()
                .find(|line| line.contains("${cur} == -*"));
            condition.unwrap().contains("COMP_CWORD")
        };
        for (name, expected) in [
            ("eval", false),
            ("compare", false),
            ("truth", true),
            ("completions", true),
        ] {
            assert_eq!(offers_words(name), expected, "{name}");
        }
    }
}
