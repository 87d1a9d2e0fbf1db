//! Flags that say how truths are made from object categories and ratings.

use clap::Args;

use crate::data::ratings::BEST;
use crate::study::TruthRules;
use crate::truth::cxc::THRESHOLD;

/// The rules of truths that are made, for every subcommand.
#[derive(Debug, Clone, Args)]
pub(super) struct RuleArgs {
    /// Categories in which Plausible Match lets two images differ (with a COCO instances file); images without
    /// categories, and their captions, are not judged [default: 0]
    #[arg(long, value_name = "N")]
    pm_zeta: Option<u32>,
    /// Leave an image and its own captions out of Plausible Match
    #[arg(long)]
    omit_own: bool,
    /// The least rating of a positive in Crisscrossed Captions (sits_*.csv), 0 to 5 [default: 3]
    #[arg(long, value_name = "RATING", value_parser = rating)]
    cxc_threshold: Option<f64>,
    /// The least grade of a positive in truths with grades, such as TREC qrels from 0 to 3; nDCG sees all
    /// grades [default: 1]
    #[arg(long, value_name = "GRADE", value_parser = clap::value_parser!(u32).range(1..))]
    relevant_from: Option<u32>,
}

fn rating(text: &str) -> Result<f64, String> {
    let rating = text
        .parse()
        .ok()
        .filter(|rating| (0.0..=BEST).contains(rating));
    rating.ok_or_else(|| format!("a rating is a number from 0 to {BEST}"))
}

impl RuleArgs {
    /// Asks for the truth of the ratings, whatever other files list.
    pub(super) fn take_ratings(&mut self) {
        self.cxc_threshold.get_or_insert(THRESHOLD);
    }

    pub(super) fn rules(&self) -> TruthRules {
        TruthRules {
            pm_zeta: self.pm_zeta,
            omit_own: self.omit_own,
            cxc_threshold: self.cxc_threshold,
            relevant_from: self.relevant_from,
        }
    }
}
