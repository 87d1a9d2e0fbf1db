//! `itm-explore truth NAME`, for every rule that makes a truth.

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::cli::convert::{WriteArgs, write};
use crate::truth::rule::{RULES, Rule};

const EXAMPLES: &str = "Examples:
  itm-explore truth pm coco5k/ instances_val2014.json --pm-zeta 1 -o pm/
  itm-explore truth cxc coco5k/ sits_test.csv --cxc-threshold 3 -o cxc/
  itm-explore truth cxc coco5k/ sits_test.csv -o cxc.json";

/// Writes the truth that a rule makes.
#[derive(Debug)]
pub(in crate::cli) struct DerivedCommand {
    rule: &'static dyn Rule,
    args: WriteArgs,
}

impl Subcommand for DerivedCommand {
    fn augment_subcommands(command: Command) -> Command {
        let of_rule = |rule: &&'static dyn Rule| {
            WriteArgs::augment_args(Command::new(rule.name()))
                .about(rule.doc())
                .after_help(EXAMPLES)
        };
        command.subcommands(RULES.iter().map(of_rule))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        RULES.iter().any(|rule| rule.name() == name)
    }
}

impl FromArgMatches for DerivedCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let named = matches.subcommand().and_then(|(name, matches)| {
            let rule = RULES.iter().find(|rule| rule.name() == name)?;
            Some((*rule, matches))
        });
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (rule, matches) = named.ok_or_else(missing)?;
        let args = WriteArgs::from_arg_matches(matches)?;
        Ok(DerivedCommand { rule, args })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

pub(super) fn run(command: &DerivedCommand) -> anyhow::Result<u8> {
    let DerivedCommand { rule, args } = command;
    let mut args = args.clone();
    if rule.is_made_by_name() {
        args.input.rules.take(rule.name(), rule.number().default);
    }
    write(&args, &[rule.name().to_owned()])
}
