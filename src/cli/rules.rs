//! Flags that say how truths are made from object categories.

use clap::Args;

use crate::study::TruthRules;
use crate::truth::pm;

/// The rules of truths that are made, for every subcommand.
#[derive(Debug, Clone, Args)]
pub(super) struct RuleArgs {
    /// Categories in which Plausible Match lets two images differ (with a COCO instances file)
    #[arg(long, value_name = "N", default_value_t = 0)]
    pm_zeta: u32,
    /// Leave an image and its own captions out of Plausible Match
    #[arg(long)]
    omit_own: bool,
}

impl RuleArgs {
    pub(super) fn rules(&self) -> TruthRules {
        TruthRules {
            pm: pm::Rule {
                zeta: self.pm_zeta,
                omit_own: self.omit_own,
            },
        }
    }
}
