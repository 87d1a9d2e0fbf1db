//! `itm-explore doctor`: problems of input files, with fixes.

use clap::Args;

use super::format::FormatArgs;
use super::{Code, InputArgs};
use crate::doctor::{self, CHECKS, Severity};
use crate::report::findings;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore doctor sims.npy coco5k/\n  \
                  itm-explore doctor sims.npy eccv.json captions_val2014.json\n  \
                  itm-explore doctor sims.npy eccv.json --format json",
    after_long_help = checks_help()
)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Code> {
    let (findings, notes) = match InputArgs::read(&args.input.inputs(true)) {
        Ok(study) => {
            let findings = super::progress::with_spinner("checking", || doctor::examine(&study));
            (findings, study.notes)
        }
        Err(error) => (vec![doctor::open_failure(&error)], Vec::new()),
    };
    // Warnings are among the findings.
    let facts = notes.into_iter().filter(|note| !note.warning);
    let facts: Vec<String> = facts.map(|note| note.text).collect();
    args.format.print(|| findings::report(&findings, &facts))?;
    let has_problem = findings.iter().any(|finding| finding.severity == Severity::Problem);
    Ok(Code(u8::from(has_problem)))
}

/// Help text: every check and what it finds, and the exit codes.
fn checks_help() -> String {
    let lines = CHECKS.iter().map(|check| format!("  {:<12} {}\n", check.name, check.title));
    format!(
        "Checks:\n{}\nExit code 1 if a number would be wrong, 0 if there are only notes.",
        lines.collect::<String>()
    )
}
