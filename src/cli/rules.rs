//! Flags that say how truths are made by rules: those of every rule in [`RULES`].

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::study::TruthRules;
use crate::truth::rule::RULES;

/// The rules of truths that are made, for every subcommand.
#[derive(Debug, Clone, Args)]
pub(super) struct RuleArgs {
    #[command(flatten)]
    of_rules: OfRules,
    /// Lowest grade of a positive in graded ground truths [default: 1]
    ///
    /// nDCG uses all grades.
    #[arg(long, value_name = "GRADE", value_parser = crate::cli::depths::above_zero)]
    relevant_from: Option<u32>,
}

/// The number and the switch of each rule.
#[derive(Debug, Clone)]
struct OfRules(TruthRules);

impl Args for OfRules {
    fn augment_args(mut command: Command) -> Command {
        for rule in RULES {
            let number = rule.number();
            let arg = Arg::new(number.flag).long(number.flag);
            let arg = arg.value_name(number.value_name).help(number.doc);
            command = command.arg(arg.value_parser(move |text: &str| number.parse(text)));
            if let Some(switch) = rule.switch() {
                let arg = Arg::new(switch.flag).long(switch.flag);
                command = command.arg(arg.help(switch.doc).action(ArgAction::SetTrue));
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OfRules {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut rules = OfRules(TruthRules::default());
        rules.update_from_arg_matches(matches)?;
        Ok(rules)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for rule in RULES {
            self.0.numbers[rule.name()] = matches.get_one(rule.number().flag).copied();
            let switch = rule.switch().map(|switch| matches.get_flag(switch.flag));
            self.0.switches[rule.name()] = switch.unwrap_or_default();
        }
        Ok(())
    }
}

impl RuleArgs {
    /// Gives a rule its own number where none is given: its truth is made, whatever other files list.
    pub(super) fn take(&mut self, rule: &str, default: f64) {
        self.of_rules.0.numbers[rule].get_or_insert(default);
    }

    pub(super) fn rules(&self) -> TruthRules {
        TruthRules { relevant_from: self.relevant_from, ..self.of_rules.0 }
    }
}
