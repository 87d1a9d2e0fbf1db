//! Two models that can be mixed: alpha * first + (1 - alpha) * second, for any alpha and scaling.
//!
//! A weighted sum of scores is the usual way to combine rankings (Vogt and Cottrell, *Fusion via a linear combination
//! of scores*, Inf. Retr. 1 (1999), <https://doi.org/10.1023/A:1009980820262>); scores of different models are
//! normalised first (Montague and Aslam, *Relevance score normalization for metasearch*, CIKM 2001,
//! <https://doi.org/10.1145/502585.502657>).

use itm_explore_kernels::Term;
use std::sync::{Arc, OnceLock};

use super::mixture::{MixedModel, Mixture};
use super::spread::Spread;
use super::{Form, Model, Scaling, Scores};
use crate::data::Direction;
use crate::data::candidate_mask::Part;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Two models. The spread of each is computed once, so that changing alpha costs nothing.
#[derive(Debug)]
pub struct ModelPair {
    sides: [PairSide; 2],
}

/// One of the two models.
#[derive(Debug, Clone)]
struct PairSide {
    name: String,
    source: String,
    scores: Scores,
    /// Computed when scaling first needs it.
    spread: OnceLock<Result<Spread>>,
}

impl ModelPair {
    /// From two models of one gallery. Nothing is read.
    ///
    /// # Errors
    /// One model twice, mixtures, and models without a score for some items.
    pub fn new(first: &Model, second: &Model) -> Result<Self> {
        if first.name == second.name {
            return Err(Error::new(&first.name, "a mixture of a model with itself")
                .expected("two models of different names"));
        }
        let sides = [pair_side(first)?, pair_side(second)?];
        let [one, other] = sides.each_ref().map(|side| {
            let size = |direction| grouped(side.scores.by_query(direction).query_count());
            format!("{} x {}", size(Direction::I2t), size(Direction::T2i))
        });
        if one != other {
            return Err(Error::new(&second.source, format!("scores of {other}"))
                .expected(format!("{one} images x captions, as in {}", first.source)));
        }
        Ok(ModelPair { sides })
    }

    /// The pair over a part of the gallery, scaled as over the whole. Small scattered matrices are copied.
    ///
    /// # Errors
    /// Those of [`ModelPair::model`].
    pub fn within(&self, part: &Part, scaling: Scaling) -> Result<Self> {
        let side = |side: &PairSide| {
            // Computes the spread over the whole gallery; the clone keeps it.
            side.mixed_model(1.0, scaling)?;
            Ok(PairSide { scores: side.scores.within(part).compact(), ..side.clone() })
        };
        Ok(ModelPair { sides: [side(&self.sides[0])?, side(&self.sides[1])?] })
    }

    /// The names of the two models; alpha is the weight of the first.
    pub fn names(&self) -> [&str; 2] {
        [&self.sides[0].name, &self.sides[1].name]
    }

    /// The mixture as a model: `alpha` times the first and `1 - alpha` times the second, both scaled. The first time
    /// that a scaling needs it, each file is read once, and computed scores are computed once, with the threads of the
    /// current `rayon` pool.
    ///
    /// At alpha 1 and 0 the scores are the unscaled ones of a single model: scaling keeps their order, but its rounding
    /// could make ties. An infinite score of the other model has no effect.
    ///
    /// # Errors
    /// Alpha outside of 0 to 1; NaN, equal or infinite scores if they are scaled. Opposite infinities are found when
    /// ranks are computed.
    pub fn model(&self, alpha: f64, scaling: Scaling) -> Result<Model> {
        if !(0.0..=1.0).contains(&alpha) {
            return Err(Error::new("alpha", alpha).expected("a weight of the first model, 0 to 1"));
        }
        // No sign before zero.
        let alpha = alpha.abs();
        let [first, second] = &self.sides;
        let parts = [first.mixed_model(alpha, scaling)?, second.mixed_model(1.0 - alpha, scaling)?];
        // Comparisons are exact: alpha is not computed.
        let scores = if alpha >= 1.0 {
            first.scores.clone()
        } else if alpha <= 0.0 {
            second.scores.clone()
        } else {
            Scores::Mixture(Arc::new(Mixture { parts }))
        };
        Ok(Model {
            name: scaling.mixture_name(alpha, self.names()),
            source: format!("{} + {}", first.source, second.source),
            scores,
        })
    }
}

/// A model as part of a pair; an error if it cannot be mixed.
fn pair_side(model: &Model) -> Result<PairSide> {
    let to_mix = "to mix it with another";
    if let Scores::Mixture(_) = model.scores {
        return Err(model.scores_error("a mixture itself", to_mix).fix("name another model"));
    }
    model.require_all_scores(to_mix)?;
    Ok(PairSide {
        name: model.name.clone(),
        source: model.source.clone(),
        scores: model.scores.clone(),
        spread: OnceLock::new(),
    })
}

impl Model {
    /// Checks that a model has a score for every item; `purpose` says in the message what for.
    ///
    /// # Errors
    /// A re-ranker, or ranked lists.
    pub fn require_all_scores(&self, purpose: &str) -> Result<()> {
        let [found, fix] = match &self.scores {
            Scores::Two(_) => [
                "a re-ranker, which has no score for some items",
                "name matrices that were computed whole (--dense takes every cell of one file as a score)",
            ],
            Scores::Lists(_) => {
                ["ranked lists, which have no score for most items", "name another model"]
            }
            _ => return Ok(()),
        };
        Err(self.scores_error(found, purpose).fix(fix))
    }

    /// The error of a model without a score for some items, or with scores that cannot be used.
    fn scores_error(&self, found: &str, purpose: &str) -> Error {
        Error::new(format!("model {} ({})", self.name, self.source), found)
            .expected(format!("a score for every item, {purpose}"))
    }
}

impl PairSide {
    /// The model as a part of a mixture, with its weight and scaling. Computes the spread when it is first needed.
    fn mixed_model(&self, weight: f64, scaling: Scaling) -> Result<MixedModel> {
        let scaled = if scaling == Scaling::Raw {
            None
        } else {
            let spread =
                self.spread.get_or_init(|| match self.scores.by_query(Direction::I2t).form {
                    Form::Single(all) => Spread::from_source(all.source),
                    Form::Double(all) => Spread::from_source(all.source),
                    Form::Lists(_) => unreachable!("lists are not mixed"),
                });
            Some(scaling.offset_and_scale(&spread.clone()?, &self.source)?)
        };
        let term = Term { weight, scaled };
        Ok(MixedModel { scores: self.scores.clone(), source: self.source.clone(), term })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::PerDirection;
    use crate::data::npy::Npy;
    use crate::data::scores::{Lists, ScoreMatrix};

    fn model(name: &str, cells: [f64; 4]) -> Model {
        let npy = Npy::in_memory(&format!("{name}.npy"), [2, 2], cells.into_iter());
        Model {
            name: name.into(),
            source: format!("{name}.npy"),
            scores: Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap())),
        }
    }

    fn good(name: &str) -> Model {
        model(name, [0.0, 1.0, 2.0, 3.0])
    }

    #[test]
    fn what_cannot_be_scaled_is_refused_by_name() {
        let error_text = |other: Model, scaling| {
            let pair = ModelPair::new(&good("A"), &other).unwrap();
            pair.model(0.5, scaling).unwrap_err().to_string()
        };
        let constant = model("B", [0.1; 4]);
        assert!(error_text(constant, Scaling::ZScore).contains("B.npy: all scores are equal"));
        let infinite = model("B", [f64::INFINITY, 0.0, 1.0, 2.0]);
        assert!(error_text(infinite.clone(), Scaling::ZScore).contains("1 infinite score"));
        let huge = model("B", [1e308, -1e308, 1.0, 2.0]);
        assert!(error_text(huge, Scaling::ZScore).contains("too large"));
        let pair = ModelPair::new(&good("A"), &infinite).unwrap();
        assert!(pair.model(0.5, Scaling::Raw).is_ok());
        for alpha in [-0.1, 1.1, f64::NAN] {
            let error = pair.model(alpha, Scaling::Raw).unwrap_err();
            assert!(error.to_string().contains("0 to 1"));
        }
    }

    #[test]
    fn only_models_that_score_every_item_are_mixed() {
        let error_text = |scores: Scores| {
            let other = Model { scores, ..good("B") };
            ModelPair::new(&good("A"), &other).unwrap_err().to_string()
        };
        let lists = || Lists::new(2, [(&[0][..], &[][..])].into_iter());
        let lists = PerDirection::from_fn(|_| lists());
        assert!(
            error_text(Scores::Lists(Arc::new(lists))).contains("model B (B.npy): ranked lists")
        );
        let mixed = ModelPair::new(&good("A"), &good("C")).unwrap();
        let mixed = mixed.model(0.5, Scaling::Raw).unwrap();
        assert!(error_text(mixed.scores).contains("a mixture itself"));
        let twice = ModelPair::new(&good("A"), &good("A")).unwrap_err();
        assert!(twice.to_string().contains("with itself"));
        let wide = Npy::in_memory("wide.npy", [1, 3], [0.0; 3].into_iter());
        let wide = Scores::Matrix(Arc::new(ScoreMatrix::new(wide, false).unwrap()));
        assert!(error_text(wide).contains("2 x 2 images x captions, as in A.npy"));
    }
}
