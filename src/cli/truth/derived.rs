//! `itm-explore truth pm` and `truth cxc`: ground truths that rules make.

use crate::cli::convert::{WriteArgs, write};
use crate::truth::rule::RULES;

pub(super) fn pm(args: &WriteArgs) -> anyhow::Result<u8> {
    write_derived(args, "pm")
}

pub(super) fn cxc(args: &WriteArgs) -> anyhow::Result<u8> {
    write_derived(args, "cxc")
}

fn write_derived(args: &WriteArgs, name: &str) -> anyhow::Result<u8> {
    let mut args = args.clone();
    let rule = RULES.iter().find(|rule| rule.name() == name && rule.is_made_by_name());
    if let Some(rule) = rule {
        args.input.rules.take(name, rule.number().default);
    }
    write(&args, &[name.to_owned()])
}
