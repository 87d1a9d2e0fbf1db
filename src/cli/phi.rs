//! Flags that name similarities of captions with images.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};

use crate::data::cider::Tokenisation;
use crate::study::Phis;

/// A name of a phi, and its file, if it has one.
type Named = (String, Option<PathBuf>);

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Similarity of captions")]
pub(super) struct PhiArgs {
    /// Add a similarity phi as a ground truth, for semantic recall and NCS: `cider` (CIDEr-D of the captions), or the
    /// scores in a file, such as SPICE; repeatable
    #[arg(long, value_name = "NAME[=FILE]", value_parser = Phis::named)]
    phi: Vec<Named>,
    /// How many of the most similar items are its positives [default: 5]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=30))]
    phi_m: Option<u32>,
    /// An item is semantically close from this share of the query's greatest phi on [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = Phis::share)]
    phi_close: Option<f64>,
    /// Add a phi as a model too: what it would retrieve
    #[arg(long, value_name = "NAME")]
    phi_model: Vec<String>,
    /// What a word is in CIDEr-D: ptb (lower case, no punctuation) or ncs (lower case, split at blanks) [default: ptb]
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Tokenisation::ALL.map(Tokenisation::key)))]
    tokens: Option<String>,
    /// Leave a caption's own copy out of those that it is compared with
    #[arg(long)]
    drop_self: bool,
}

impl PhiArgs {
    pub(super) fn phis(&self) -> Phis {
        Phis {
            named: self.phi.clone(),
            models: self.phi_model.clone(),
            tokenisation: self.tokens.as_deref().and_then(Tokenisation::named),
            drop_self: self.drop_self,
            m: self.phi_m.map(|m| m as usize),
            close: self.phi_close,
        }
    }
}
