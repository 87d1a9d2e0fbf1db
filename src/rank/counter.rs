//! The ranks of whole truths, over the gallery or in an arena.

use std::sync::Arc;

use rayon::prelude::*;

use super::pass::Watch;
use super::targets::{self, Targets};
use super::{Ranks, count};
use crate::data::arena::{Arena, Part};
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::truth::Truth;

/// Ranks by truth; `None` where the truth lacks the direction.
pub type TruthRanks = Vec<PerDirection<Option<Arc<Ranks>>>>;

/// Counts the ranks of models under the same truths.
pub struct Counter {
    truths: Vec<Truth>,
    field: Field,
}

/// Who competes.
enum Field {
    /// All.
    Whole(Targets),
    /// Parts, each by itself: the truths over its indices.
    Parts(Arc<Arena>, Vec<(Vec<Truth>, Targets)>),
}

impl Counter {
    /// Over a gallery, or in an arena of it, the truths of which are [`Truth::in_arena`] then.
    pub fn new(truths: &[Truth], gallery: &Gallery, arena: Option<&Arc<Arena>>) -> Self {
        let field = match arena {
            None => Field::Whole(targets::targets(truths, gallery)),
            Some(arena) => {
                let of_part = |part: &Part| {
                    let within = |truth: &Truth| truth.within(part, gallery.sizes());
                    let truths: Vec<Truth> = truths.iter().map(within).collect();
                    let sizes = PerDirection::from_fn(|direction| part.queries(direction).len());
                    let targets = targets::over(&truths, sizes);
                    (truths, targets)
                };
                Field::Parts(arena.clone(), arena.parts().iter().map(of_part).collect())
            }
        };
        Counter {
            truths: truths.to_vec(),
            field,
        }
    }

    /// The ranks of a model under all truths; `None` when it was cancelled.
    ///
    /// # Errors
    /// As [`count`].
    pub fn ranks(&self, model: &Model, watch: &Watch) -> Result<Option<TruthRanks>> {
        match &self.field {
            Field::Whole(targets) => ranks(model, &self.truths, targets, watch),
            Field::Parts(arena, fields) => {
                let mut of_parts = Vec::with_capacity(fields.len());
                for (part, (truths, targets)) in arena.parts().iter().zip(fields) {
                    let model = model.within(part);
                    let Some(ranks) = ranks(&model, truths, targets, watch)? else {
                        return Ok(None);
                    };
                    of_parts.push(ranks);
                }
                Ok(self.together(arena, &of_parts, watch))
            }
        }
    }

    /// The ranks of all parts, in the order of the truths; `None` when it was cancelled.
    fn together(
        &self,
        arena: &Arena,
        of_parts: &[TruthRanks],
        watch: &Watch,
    ) -> Option<TruthRanks> {
        let truths = self.truths.iter().enumerate();
        let of_truth = |(at, truth): (usize, &Truth)| {
            PerDirection::from_fn(|direction| {
                let relevance = truth.relevance[direction].as_ref()?;
                let of_part = |ranks: &TruthRanks| ranks[at][direction].clone();
                let parts: Option<Vec<Arc<Ranks>>> = of_parts.iter().map(of_part).collect();
                let part_of = |query| arena.part(direction, query);
                Ranks::of_parts(&parts?, relevance, part_of, watch).map(Arc::new)
            })
        };
        let together = truths.map(of_truth).collect();
        (!watch.is_cancelled()).then_some(together)
    }
}

fn ranks(
    model: &Model,
    truths: &[Truth],
    targets: &Targets,
    watch: &Watch,
) -> Result<Option<TruthRanks>> {
    let counted = count(model, targets, None, watch)?;
    Ok(counted.and_then(|counted| {
        let of = |truth: &Truth, direction: Direction| {
            let relevance = truth.relevance[direction].as_ref()?;
            let is_wanted = !watch.is_cancelled();
            is_wanted.then(|| Ranks::of(relevance, &targets[direction], &counted[direction], None))
        };
        let both = |truth| PerDirection::from_fn(|direction| of(truth, direction));
        let ranks = truths.par_iter().map(both).collect();
        (!watch.is_cancelled()).then_some(ranks)
    }))
}
