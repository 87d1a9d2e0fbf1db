//! Truths derived by rules from other files: see [`RULES`].

use std::sync::Arc;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::Note;
use crate::data::gallery::Gallery;
use crate::error::{Error, Result};
use crate::truth::rule::{self, Basis, PerRule, RULES, RuleContext, RuleInput, RuleSetting};
use crate::truth::{Listed, Truth};

/// Settings of the rules that derive truths.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TruthRules {
    /// Threshold of each rule; `None`: its default, unless a file lists the pairs of the truth.
    pub numbers: PerRule<Option<f64>>,
    /// Whether the switch of each rule is set.
    pub switches: PerRule<bool>,
}

impl Args for TruthRules {
    fn augment_args(mut command: Command) -> Command {
        for rule in RULES {
            let number = rule.number;
            let arg = Arg::new(number.flag).long(number.flag);
            let arg = arg.value_name(number.value_name).help(number.doc);
            command = command.arg(arg.value_parser(move |text: &str| number.parse(text)));
            if let Some(switch) = rule.switch {
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

impl FromArgMatches for TruthRules {
    fn from_arg_matches(matches: &ArgMatches) -> std::result::Result<Self, clap::Error> {
        let mut rules = TruthRules::default();
        rules.update_from_arg_matches(matches)?;
        Ok(rules)
    }

    fn update_from_arg_matches(
        &mut self,
        matches: &ArgMatches,
    ) -> std::result::Result<(), clap::Error> {
        for rule in RULES {
            self.numbers[rule.name] = matches.get_one(rule.number.flag).copied();
            let switch = rule.switch.map(|switch| matches.get_flag(switch.flag));
            self.switches[rule.name] = switch.unwrap_or_default();
        }
        Ok(())
    }
}

/// The data from which each rule derives its truth; `None` without a file.
pub(super) type Bases = PerRule<Option<Arc<dyn Basis>>>;

/// A file that a rule derives a truth from.
#[derive(Debug)]
pub(super) struct RuleFile {
    /// The name of the rule.
    pub rule: &'static str,
    /// The file, for messages.
    pub file: String,
    /// Its content.
    pub input: Box<dyn RuleInput>,
}

/// Adds the truths of all rules that have a file; sets the thresholds used in `rules`, and returns the rules' data.
///
/// # Errors
/// Two files of one rule, one that does not fit this gallery, or none where a rule requires it.
pub(super) fn derive(
    truths: &mut Vec<Truth>,
    files: &[RuleFile],
    gallery: &Gallery,
    rules: &mut TruthRules,
    notes: &mut Vec<Note>,
) -> Result<Bases> {
    let mut bases = Bases::default();
    for rule in rule::rules_by_kind() {
        let (name, number) = (rule.name, &mut rules.numbers[rule.name]);
        let Some(rule_file) = only_file(files, name, rule.content)? else {
            if number.take().is_some() && rule.needs_file {
                let found = format!("no {} to make the ground truth {name} from", rule.content);
                return Err(Error::new("inputs", found)
                    .expected(format!("{} among the files", rule.made_from)));
            }
            continue;
        };
        let threshold = number.unwrap_or(rule.number.default);
        let setting = RuleSetting { number: threshold, switch: rules.switches[name] };
        let context = RuleContext { gallery, truths };
        let made = rule_file.input.make(&rule_file.file, context, setting)?;
        *number = made.truth.as_ref().map(|_| threshold);
        truths.extend(made.truth);
        notes.extend(made.notes.into_iter().map(Note::fact));
        bases[name] = Some(made.basis);
    }
    Ok(bases)
}

/// The file of a rule; `None` without any, an error if there are several. `what` names the content of such files.
fn only_file<'a>(files: &'a [RuleFile], rule: &str, what: &str) -> Result<Option<&'a RuleFile>> {
    let mut files = files.iter().filter(|file| file.rule == rule);
    match (files.next(), files.next()) {
        (one, None) => Ok(one),
        (_, Some(second)) => {
            Err(Error::new(&second.file, format!("a second file of {what}"))
                .expected("one of them"))
        }
    }
}

/// Drops listed truths that flags of their rules ask to recompute; returns a note on each.
pub(super) fn drop_recomputed(
    listed: &mut Vec<Listed>,
    rules: TruthRules,
    files: &[RuleFile],
) -> Vec<Note> {
    let is_recomputed = |listed: &Listed| {
        let name = &*listed.name;
        rule::find(name).is_some() && {
            let is_set = rules.numbers[name].is_some() || rules.switches[name];
            is_set && files.iter().any(|file| file.rule == name)
        }
    };
    let (replaced, kept): (Vec<_>, Vec<_>) =
        std::mem::take(listed).into_iter().partition(is_recomputed);
    *listed = kept;
    let line = |listed: &Listed| {
        let (file, name) = (&listed.file, &listed.name);
        Note::fact(format!("{file}: not used, the ground truth {name} is made anew"))
    };
    replaced.iter().map(line).collect()
}
