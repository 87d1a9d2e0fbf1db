//! The ranks of whole truths, over the gallery or in a mask.

use std::sync::Arc;

use super::pass::CancelToken;
use super::targets::{self, Targets};
use super::{Ranks, rank_targets};
use crate::data::candidate_mask::{CandidateMask, Part};
use crate::data::gallery::Gallery;
use crate::data::parallel;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::truth::Truth;

/// Ranks by truth; `None` if the truth lacks the direction.
pub type TruthRanks = Vec<PerDirection<Option<Arc<Ranks>>>>;

/// Counts the ranks of models under the same truths and among the same candidates.
pub struct Counter {
    truths: Vec<Truth>,
    candidates: Candidates,
}

/// The items that compete, with the targets whose ranks are counted.
enum Candidates {
    /// The whole gallery.
    Whole(Targets),
    /// The parts of a mask, each ranked by itself, with the truths over the indices of the part.
    Parts(Arc<CandidateMask>, Vec<(Vec<Truth>, Targets)>),
}

impl Counter {
    /// Counts over a gallery, or in a mask of it. With a mask, truths come from [`Truth::among_candidates`].
    pub fn new(truths: &[Truth], gallery: &Gallery, mask: Option<&Arc<CandidateMask>>) -> Self {
        let candidates = match mask {
            None => Candidates::Whole(targets::targets(truths, gallery)),
            Some(mask) => {
                let part_targets = |part: &Part| {
                    let restrict = |truth: &Truth| truth.within(part, gallery.sizes());
                    let truths: Vec<Truth> = truths.iter().map(restrict).collect();
                    let sizes = PerDirection::from_fn(|direction| part.queries(direction).len());
                    let targets = targets::targets_for_sizes(&truths, sizes);
                    (truths, targets)
                };
                Candidates::Parts(mask.clone(), mask.parts().iter().map(part_targets).collect())
            }
        };
        Counter { truths: truths.to_vec(), candidates }
    }

    /// The ranks of a model under all truths; `None` if cancelled.
    ///
    /// # Errors
    /// As [`rank_targets`].
    pub fn ranks(&self, model: &Model, token: &CancelToken) -> Result<Option<TruthRanks>> {
        match &self.candidates {
            Candidates::Whole(targets) => count_ranks(model, &self.truths, targets, token),
            Candidates::Parts(mask, _) => {
                self.ranks_from_parts(|part| Ok(model.within(&mask.parts()[part])), token)
            }
        }
    }

    /// The ranks under all truths, with other scores for each part; `None` if cancelled. `model` gives the scores of
    /// the part at an index of the mask. Without a mask, it is called with 0 for the whole gallery.
    ///
    /// # Errors
    /// As [`rank_targets`], and those of `model`.
    pub fn ranks_from_parts(
        &self,
        model: impl Fn(usize) -> Result<Model>,
        token: &CancelToken,
    ) -> Result<Option<TruthRanks>> {
        match &self.candidates {
            Candidates::Whole(targets) => count_ranks(&model(0)?, &self.truths, targets, token),
            Candidates::Parts(mask, parts) => {
                let mut of_parts = Vec::with_capacity(parts.len());
                for (part, (truths, targets)) in parts.iter().enumerate() {
                    let model = model(part)?;
                    let Some(ranks) = count_ranks(&model, truths, targets, token)? else {
                        return Ok(None);
                    };
                    of_parts.push(ranks);
                }
                Ok(self.merge_parts(mask, &of_parts, token))
            }
        }
    }

    /// Merges the ranks in each part of a mask: by truth, in the order of its queries. `None` if cancelled.
    fn merge_parts(
        &self,
        mask: &CandidateMask,
        of_parts: &[TruthRanks],
        token: &CancelToken,
    ) -> Option<TruthRanks> {
        let truths = self.truths.iter().enumerate();
        let merge_truth = |(at, truth): (usize, &Truth)| {
            PerDirection::from_fn(|direction| {
                let relevance = truth.relevance[direction].as_ref()?;
                let of_part = |ranks: &TruthRanks| ranks[at][direction].clone();
                let parts: Option<Vec<Arc<Ranks>>> = of_parts.iter().map(of_part).collect();
                let part_of = |query| mask.part_index(direction, query);
                Ranks::from_parts(&parts?, relevance, part_of, token).map(Arc::new)
            })
        };
        let merged = truths.map(merge_truth).collect();
        (!token.is_cancelled()).then_some(merged)
    }
}

/// The ranks of a model under all truths over one gallery; `None` if cancelled.
fn count_ranks(
    model: &Model,
    truths: &[Truth],
    targets: &Targets,
    token: &CancelToken,
) -> Result<Option<TruthRanks>> {
    let counted = rank_targets(model, targets, None, token)?;
    Ok(counted.and_then(|counted| {
        let truth_ranks = |truth: &Truth, direction: Direction| {
            let relevance = truth.relevance[direction].as_ref()?;
            let is_wanted = !token.is_cancelled();
            is_wanted.then(|| {
                Ranks::from_counts(relevance, &targets[direction], &counted[direction], None)
            })
        };
        let by_direction = |truth| PerDirection::from_fn(|direction| truth_ranks(truth, direction));
        let ranks = parallel::map(truths, by_direction);
        (!token.is_cancelled()).then_some(ranks)
    }))
}
