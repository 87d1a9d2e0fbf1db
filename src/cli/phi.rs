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
    /// Add a similarity as ground truth: `cider`, or NAME=FILE; repeatable
    ///
    /// For semantic recall and NCS. `cider` is CIDEr-D of the captions; a file holds other scores, such as SPICE.
    #[arg(long, value_name = "NAME[=FILE]", value_parser = Phis::named)]
    phi: Vec<Named>,
    /// Most similar items that count as positives [default: 5]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=30))]
    phi_m: Option<u32>,
    /// Share of the greatest phi at which an item is close [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = Phis::share)]
    phi_close: Option<f64>,
    /// Also add a phi as a model; repeatable
    #[arg(long, value_name = "NAME")]
    phi_model: Vec<String>,
    /// Tokens of CIDEr-D: ptb (no punctuation) or ncs (split at blanks)
    ///
    /// [default: ptb]
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(Tokenisation::ALL.map(Tokenisation::key)))]
    tokens: Option<String>,
    /// Exclude a caption's own copy from its references
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
