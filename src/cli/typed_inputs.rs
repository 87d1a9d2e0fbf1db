//! The input arguments of a subcommand as they were typed, for printing commands that a person can repeat.

use clap::error::Error;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::InputArgs;
use crate::data::text::shell_word;

/// Input arguments, as words of a command line. Among the fields of a subcommand it must precede [`InputArgs`], which
/// takes the values out of the matches.
#[derive(Debug, Clone, Default)]
pub(super) struct TypedInputs(Vec<String>);

impl TypedInputs {
    /// The arguments as words, without shell quotes.
    pub(super) fn arguments(&self) -> &[String] {
        &self.0
    }

    /// A command line for a shell: a subcommand with these inputs and further arguments.
    pub(super) fn command(&self, subcommand: &str, rest: &[&str]) -> String {
        let words = self.0.iter().map(String::as_str).chain(rest.iter().copied());
        let words: Vec<String> = words.map(shell_word).collect();
        format!("itm-explore {subcommand} {}", words.join(" "))
    }
}

impl Args for TypedInputs {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for TypedInputs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut words = Vec::new();
        for argument in InputArgs::augment_args(Command::new("")).get_arguments() {
            let id = argument.get_id().as_str();
            // Overwriting is about outputs.
            if id == "force" || matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let flag = argument.get_long().map(|long| format!("--{long}"));
            if !argument.get_action().takes_values() {
                words.extend(flag);
                continue;
            }
            for value in matches.get_raw(id).into_iter().flatten() {
                words.extend(flag.clone());
                words.push(value.to_string_lossy().into_owned());
            }
        }
        Ok(TypedInputs(words))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = TypedInputs::from_arg_matches(matches)?;
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
        typed: TypedInputs,
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
        assert_eq!((line.title.as_deref(), line.input.given.files.len()), (Some("T"), 2));
        let command = line.typed.command("plot models", &["-o", "models.svg"]);
        assert_eq!(
            command,
            "itm-explore plot models 'my sims.npy' coco5k/ --name \"a.npy=It's\" --series -o models.svg"
        );
    }
}
