//! Flags that name similarities of captions with images.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};

use crate::data::cider::{CiderOptions, Tokenisation};
use crate::study::{CIDER, PhiRule, Phis};

/// A name of a phi, and its file, if it has one.
type Named = (String, Option<PathBuf>);

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Similarity of captions")]
pub(super) struct PhiArgs {
    /// Add a similarity phi as a ground truth, for semantic recall and NCS: `cider` (CIDEr-D of the captions), or the
    /// scores in a file, such as SPICE; repeatable
    #[arg(long, value_name = "NAME[=FILE]", value_parser = named)]
    phi: Vec<Named>,
    /// How many of the most similar items are its positives
    #[arg(long, value_name = "M", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=30))]
    phi_m: u32,
    /// An item is semantically close from this share of the query's greatest phi on
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    phi_close: f64,
    /// Add a phi as a model too: what it would retrieve
    #[arg(long, value_name = "NAME")]
    phi_model: Vec<String>,
    /// What a word is in CIDEr-D: ptb (lower case, no punctuation) or ncs (lower case, split at blanks)
    #[arg(long, value_name = "HOW", default_value = Tokenisation::default().key(), value_parser = PossibleValuesParser::new(Tokenisation::ALL.map(Tokenisation::key)))]
    tokens: String,
    /// Leave a caption's own copy out of those that it is compared with
    #[arg(long)]
    drop_self: bool,
}

impl PhiArgs {
    pub(super) fn phis(&self) -> Phis {
        Phis {
            named: self.phi.clone(),
            models: self.phi_model.clone(),
            options: self.options(),
            rule: PhiRule {
                m: self.phi_m as usize,
                close: self.phi_close,
            },
        }
    }

    /// How captions are compared.
    pub(super) fn options(&self) -> CiderOptions {
        CiderOptions {
            tokenisation: Tokenisation::named(&self.tokens).unwrap_or_default(),
            drop_self: self.drop_self,
        }
    }
}

/// Reads a share such as `0.5` or `50%`.
fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (text, 1.0),
    };
    let share = number.trim().parse().map(|number: f64| number / unit);
    let share = share.ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "a share above 0, up to 1, is wanted, such as 0.5 or 50%".into())
}

/// Reads `cider` or `NAME=FILE`.
fn named(text: &str) -> Result<Named, String> {
    match text.split_once('=') {
        None if text == CIDER => Ok((CIDER.to_owned(), None)),
        Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => {
            Ok((name.trim().to_owned(), Some(file.into())))
        }
        _ => Err("cider or NAME=FILE is wanted, such as spice=spice.npy".into()),
    }
}
