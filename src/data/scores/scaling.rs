//! Scaling of scores before two models are mixed, and names of mixtures.

use super::spread::Spread;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Scaling to make scores comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Scaling {
    /// No scaling.
    #[default]
    Raw,
    /// (score - mean) / deviation, over all cells of the model's matrix; the deviation is that of the
    /// population.
    ZScore,
}

impl Scaling {
    /// All scalings, the default first.
    pub const ALL: [Scaling; 2] = [Scaling::Raw, Scaling::ZScore];

    /// Name on the command line and in names of mixtures.
    pub fn key(self) -> &'static str {
        match self {
            Scaling::Raw => "raw",
            Scaling::ZScore => "zscore",
        }
    }

    /// The scaling with this key; `None` if there is none.
    pub fn from_key(key: &str) -> Option<Self> {
        Scaling::ALL.into_iter().find(|scaling| scaling.key() == key)
    }

    /// The name of a mixture, `0.30*A+0.70*B`, or `zscore 0.30*A+0.70*B` if scores are scaled. Alpha has two decimals,
    /// or as many as needed.
    pub fn mixture_name(self, alpha: f64, [first, second]: [&str; 2]) -> String {
        let shortest = alpha.to_string();
        let decimals = shortest.split_once('.').map_or(0, |(_, tail)| tail.len());
        let (digits, rest) = (decimals.max(2), 1.0 - alpha);
        let sum = format!("{alpha:.digits$}*{first}+{rest:.digits$}*{second}");
        match self {
            Scaling::Raw => sum,
            scaled @ Scaling::ZScore => format!("{} {sum}", scaled.key()),
        }
    }

    /// Offset to subtract from a score, and the scale to divide the difference by.
    ///
    /// # Errors
    /// Scores of the file `source` that cannot be scaled.
    pub(super) fn offset_and_scale(self, spread: &Spread, source: &str) -> Result<[f64; 2]> {
        let refusal = |found: &str, fix: &str| {
            Err(Error::new(source, found)
                .expected(format!("scores to scale by {}", self.key()))
                .fix(format!("{fix}, or mix raw scores")))
        };
        if self == Scaling::Raw {
            return Ok([0.0, 1.0]);
        }
        if spread.infinite > 0 {
            let count = grouped(spread.infinite);
            let found = format!("{count} infinite scores: there is no mean");
            return refusal(&found, "leave this model out of the mixture");
        }
        let [offset, scale] = [spread.mean, spread.deviation];
        // The deviation may not be 0 due to rounding.
        if spread.lowest >= spread.highest {
            let found = "all scores are equal, or there is none";
            return refusal(found, "leave this model out of the mixture");
        }
        if !(scale.is_finite() && offset.is_finite() && scale > 0.0) {
            let found = "scores too large, or too close to each other, for 64 bits";
            return refusal(found, "multiply them by a power of two");
        }
        Ok([offset, scale])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_weights_and_scaling() {
        let name = |alpha, scaling: Scaling| scaling.mixture_name(alpha, ["A", "B"]);
        assert_eq!(name(0.3, Scaling::Raw), "0.30*A+0.70*B");
        assert_eq!(name(0.125, Scaling::ZScore), "zscore 0.125*A+0.875*B");
    }
}
