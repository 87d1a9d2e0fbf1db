//! The inputs of a subcommand as they were typed, for commands that others repeat.

use clap::error::Error;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::InputArgs;
use crate::data::text::shell_word;

/// The words that name the inputs, each fit for a shell. Among the fields of a subcommand it stands before
/// [`InputArgs`], which takes the values away.
#[derive(Debug, Clone, Default)]
pub(super) struct AsTyped(String);

impl AsTyped {
    /// The command that does something with the same inputs: a subcommand, these, and what else it takes.
    pub(super) fn command(&self, subcommand: &str, rest: &[&str]) -> String {
        let rest = rest.iter().map(|word| format!(" {}", shell_word(word)));
        let rest: String = rest.collect();
        format!("itm-explore {subcommand}{}{rest}", self.0)
    }
}

impl Args for AsTyped {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for AsTyped {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut words = String::new();
        for argument in InputArgs::augment_args(Command::new("")).get_arguments() {
            let id = argument.get_id().as_str();
            // What is written is no matter of the inputs.
            let is_of_output = ["force", "save_scores"].contains(&id);
            if is_of_output || matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let flag = argument.get_long().map(|long| format!(" --{long}"));
            let flag = flag.unwrap_or_default();
            if !argument.get_action().takes_values() {
                words += &flag;
                continue;
            }
            let delimiter = argument
                .get_value_delimiter()
                .map_or_else(|| " ".into(), String::from);
            for values in matches.get_raw_occurrences(id).into_iter().flatten() {
                let values = values.map(|value| shell_word(&value.to_string_lossy()));
                let values: Vec<String> = values.collect();
                words.extend([&*flag, " ", &*values.join(&delimiter)]);
            }
        }
        Ok(AsTyped(words))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = AsTyped::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        typed: AsTyped,
        #[arg(long)]
        title: Option<String>,
        #[command(flatten)]
        input: InputArgs,
    }

    #[test]
    fn inputs_come_back_as_they_were_typed() {
        let line = [
            "itm",
            "my sims.npy",
            "--title",
            "T",
            "coco5k/",
            "--series",
            "--force",
            "--name",
            "a.npy=It's",
        ];
        let line = Line::try_parse_from(line).unwrap();
        assert_eq!(
            (line.title.as_deref(), line.input.files.len()),
            (Some("T"), 2)
        );
        let command = line.typed.command("plot models", &["-o", "models.svg"]);
        assert_eq!(
            command,
            "itm-explore plot models 'my sims.npy' coco5k/ --name \"a.npy=It's\" --series -o models.svg"
        );
    }
}
