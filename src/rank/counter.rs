//! The ranks of whole truths, over the gallery or in a mask.

use std::sync::Arc;

use super::pass::CancelToken;
use super::targets::{self, Targets};
use super::{Ranks, count};
use crate::data::candidate_mask::{CandidateMask, Part};
use crate::data::gallery::Gallery;
use crate::data::parallel;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::truth::Truth;

/// Ranks by truth; `None` if the truth lacks the direction.
pub type TruthRanks = Vec<PerDirection<Option<Arc<Ranks>>>>;

/// Counts the ranks of models under the same truths.
pub struct Counter {
    truths: Vec<Truth>,
    field: Field,
}

/// The candidates.
enum Field {
    /// All.
    Whole(Targets),
    /// Parts, each by itself: the truths over its indices.
    Parts(Arc<CandidateMask>, Vec<(Vec<Truth>, Targets)>),
}

impl Counter {
    /// Over a gallery, or in a mask of it, with truths by [`Truth::among_candidates`].
    pub fn new(truths: &[Truth], gallery: &Gallery, mask: Option<&Arc<CandidateMask>>) -> Self {
        let field = match mask {
            None => Field::Whole(targets::targets(truths, gallery)),
            Some(mask) => {
                let of_part = |part: &Part| {
                    let within = |truth: &Truth| truth.within(part, gallery.sizes());
                    let truths: Vec<Truth> = truths.iter().map(within).collect();
                    let sizes = PerDirection::from_fn(|direction| part.queries(direction).len());
                    let targets = targets::over(&truths, sizes);
                    (truths, targets)
                };
                Field::Parts(mask.clone(), mask.parts().iter().map(of_part).collect())
            }
        };
        Counter { truths: truths.to_vec(), field }
    }

    /// The ranks of a model under all truths; `None` if cancelled.
    ///
    /// # Errors
    /// As [`count`].
    pub fn ranks(&self, model: &Model, token: &CancelToken) -> Result<Option<TruthRanks>> {
        match &self.field {
            Field::Whole(targets) => ranks(model, &self.truths, targets, token),
            Field::Parts(mask, _) => {
                self.ranks_in(|part| Ok(model.within(&mask.parts()[part])), token)
            }
        }
    }

    /// Like [`Counter::ranks`], with a model for each part, or for the gallery without parts: number 0.
    ///
    /// # Errors
    /// As [`count`], and those of `model`.
    pub fn ranks_in(
        &self,
        model: impl Fn(usize) -> Result<Model>,
        token: &CancelToken,
    ) -> Result<Option<TruthRanks>> {
        match &self.field {
            Field::Whole(targets) => ranks(&model(0)?, &self.truths, targets, token),
            Field::Parts(mask, fields) => {
                let mut of_parts = Vec::with_capacity(fields.len());
                for (part, (truths, targets)) in fields.iter().enumerate() {
                    let model = model(part)?;
                    let Some(ranks) = ranks(&model, truths, targets, token)? else {
                        return Ok(None);
                    };
                    of_parts.push(ranks);
                }
                Ok(self.together(mask, &of_parts, token))
            }
        }
    }

    /// The ranks of all parts, in the order of the truths; `None` if cancelled.
    fn together(
        &self,
        mask: &CandidateMask,
        of_parts: &[TruthRanks],
        token: &CancelToken,
    ) -> Option<TruthRanks> {
        let truths = self.truths.iter().enumerate();
        let of_truth = |(at, truth): (usize, &Truth)| {
            PerDirection::from_fn(|direction| {
                let relevance = truth.relevance[direction].as_ref()?;
                let of_part = |ranks: &TruthRanks| ranks[at][direction].clone();
                let parts: Option<Vec<Arc<Ranks>>> = of_parts.iter().map(of_part).collect();
                let part_of = |query| mask.part(direction, query);
                Ranks::of_parts(&parts?, relevance, part_of, token).map(Arc::new)
            })
        };
        let together = truths.map(of_truth).collect();
        (!token.is_cancelled()).then_some(together)
    }
}

fn ranks(
    model: &Model,
    truths: &[Truth],
    targets: &Targets,
    token: &CancelToken,
) -> Result<Option<TruthRanks>> {
    let counted = count(model, targets, None, token)?;
    Ok(counted.and_then(|counted| {
        let of = |truth: &Truth, direction: Direction| {
            let relevance = truth.relevance[direction].as_ref()?;
            let is_wanted = !token.is_cancelled();
            is_wanted.then(|| {
                Ranks::from_counts(relevance, &targets[direction], &counted[direction], None)
            })
        };
        let both = |truth| PerDirection::from_fn(|direction| of(truth, direction));
        let ranks = parallel::map(truths, both);
        (!token.is_cancelled()).then_some(ranks)
    }))
}
