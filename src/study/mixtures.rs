//! Mixtures given as text, as additional models.

use super::Study;
use crate::data::scores::{ModelPair, Scaling};
use crate::error::{Error, Result};

/// The format of a mixture.
const FORM: &str = "A,B,ALPHA or A,B,ALPHA,SCALING: two models, the weight of the first (0 to 1), and raw or zscore";

impl Study {
    /// Adds mixtures of models, given as `A,B,ALPHA`, optionally with `raw` (default) or `zscore` after it.
    ///
    /// # Errors
    /// Another format, unknown models, a duplicate mixture, and as [`ModelPair::new`] and [`ModelPair::model`].
    pub fn add_mixtures(&mut self, wanted: &[String]) -> Result<()> {
        let mut pairs: Vec<ModelPair> = Vec::new();
        for text in wanted {
            let (names, alpha, scaling) = self.parse_mixture(text)?;
            let known = pairs.iter().position(|pair| pair.names() == names);
            let at = known.unwrap_or(pairs.len());
            if known.is_none() {
                let [first, second] = names.map(|name| self.require_model(name));
                pairs.push(ModelPair::new(first?, second?)?);
            }
            let model = pairs[at].model(alpha, scaling)?;
            if self.models.iter().any(|other| other.name == model.name) {
                return Err(Error::new("--mix", format!("{text} is there twice"))
                    .expected("each mixture once"));
            }
            self.models.push(model);
        }
        Ok(())
    }

    /// Parses `A,B,ALPHA` or `A,B,ALPHA,SCALING` to the names of the models, alpha and scaling.
    fn parse_mixture<'a>(&self, text: &'a str) -> Result<([&'a str; 2], f64, Scaling)> {
        let wrong = || Error::new("--mix", text).expected(FORM);
        let (rest, last) = text.rsplit_once(',').ok_or_else(wrong)?;
        let (rest, alpha, scaling) = match Scaling::from_key(last.trim()) {
            Some(scaling) => {
                let (rest, alpha) = rest.rsplit_once(',').ok_or_else(wrong)?;
                (rest, alpha, scaling)
            }
            None => (rest, last, Scaling::default()),
        };
        let alpha: f64 = alpha.trim().parse().map_err(|_| wrong())?;
        if !(0.0..=1.0).contains(&alpha) {
            return Err(wrong());
        }
        Ok((self.split_names(rest).ok_or_else(wrong)?, alpha, scaling))
    }

    /// Splits `A,B` into the two names; known names may contain commas. `None` without a comma.
    fn split_names<'a>(&self, text: &'a str) -> Option<[&'a str; 2]> {
        let cuts = text.match_indices(',');
        let cuts: Vec<[&str; 2]> = cuts.map(|(at, _)| [&text[..at], &text[at + 1..]]).collect();
        let is_known = |names: &&[&str; 2]| names.iter().all(|n| self.require_model(n).is_ok());
        cuts.iter().find(is_known).or(cuts.first()).copied()
    }
}
