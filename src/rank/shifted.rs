//! Ranks where a number of its own is taken from all scores of an item.
//!
//! That is what becomes of rankings when scores are made comparable over items: what is subtracted
//! from all scores of a query changes no order, what is subtracted from those of an item does. No
//! second matrix is written: each item's scores are brought together once for its number, each
//! query's once for the ranks. Memory: one number an item, and the block of a task.

use std::sync::Arc;

use super::pass::{CancelToken, in_tasks};
use super::{Ranks, many};
use crate::data::candidate_mask::CandidateMask;
use crate::data::scores::{Model, Queries, Scores, Source};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::Truth;
use crate::truth::relevance::Relevance;

/// What is taken from the scores of an item, made of its scores for all queries.
pub type Offset<'a> = &'a (dyn Fn(&[f64]) -> f64 + Sync);

/// The largest offset: it can be taken from any score without leaving 64 bits.
const LARGEST: f64 = f64::MAX * (f64::EPSILON / 4.0);

/// The candidates: the sizes of the gallery, and a mask of it, the truths of which are
/// [`Truth::among_candidates`] then.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Number of queries of each direction.
    pub sizes: PerDirection<usize>,
    /// The parts that keep to themselves; `None` where all items compete.
    pub mask: Option<&'a CandidateMask>,
}

/// Ranks the positives of a truth in one direction; `None` when it was cancelled, or where the truth
/// lacks the direction. In a mask, offsets are made of each part's scores alone.
///
/// # Errors
/// Re-rankers and ranked lists, which lack most scores; offsets that are infinite, no numbers or too large.
pub fn ranks(
    model: &Model,
    truth: &Truth,
    direction: Direction,
    field: Field<'_>,
    offset: Offset<'_>,
    token: &CancelToken,
) -> Result<Option<Arc<Ranks>>> {
    let Some(relevance) = &truth.relevance[direction] else {
        return Ok(None);
    };
    token.begin();
    let sizes = field.sizes;
    token.announce(
        field.mask.map_or(sizes.i2t + sizes.t2i, |mask| {
            mask.len(Direction::I2t) + mask.len(Direction::T2i)
        }),
    );
    let Some(mask) = field.mask else {
        let items = sizes[direction.flipped()];
        return over(model, relevance, direction, items, offset, token);
    };
    let mut of_parts = Vec::with_capacity(mask.parts().len());
    for (at, part) in mask.parts().iter().enumerate() {
        let inside = truth.within(part, sizes);
        let Some(relevance) = &inside.relevance[direction] else {
            return Ok(None);
        };
        let model = mask.model(model, at)?;
        let items = part.items(direction).len();
        let Some(ranks) = over(&model, relevance, direction, items, offset, token)? else {
            return Ok(None);
        };
        of_parts.push(ranks);
    }
    let part_of = |query| mask.part(direction, query);
    let whole = Ranks::of_parts(&of_parts, relevance, part_of, token);
    Ok(whole.map(Arc::new))
}

/// Ranks where all items compete, so many.
fn over(
    model: &Model,
    relevance: &Relevance,
    direction: Direction,
    items: usize,
    offset: Offset<'_>,
    token: &CancelToken,
) -> Result<Option<Arc<Ranks>>> {
    model.require_whole("to make them comparable over items")?;
    let plain = Shifted { scores: &model.scores, offsets: &[] };
    let scores = Queries { source: &plain, direction: direction.flipped() };
    let parts = in_tasks(items, scores.step(), token, |range| {
        let mut offsets = Vec::with_capacity(range.len());
        scores.visit(range, |_, scores| offsets.push(offset(scores)))?;
        Ok(Some(offsets))
    })?;
    let Some(offsets) = parts.map(|parts| parts.concat()) else {
        return Ok(None);
    };
    let fits = |offset: &f64| offset.abs() <= LARGEST;
    if let Some(item) = offsets.iter().position(|offset| !fits(offset)) {
        let scores = model.scores.by_query(direction.flipped()).scores(item);
        let is_infinite = scores.iter().any(|score| score.is_infinite());
        return Err(unfit(model, direction, item, is_infinite));
    }
    let shifted = Shifted { scores: &model.scores, offsets: &offsets };
    let ranked = many::count_made(Queries { source: &shifted, direction }, relevance, token)?;
    Ok(ranked.map(|wide| wide.ranks(None, relevance.query_count())))
}

/// Why nothing can be taken from the scores of an item.
fn unfit(model: &Model, direction: Direction, item: usize, is_infinite: bool) -> Error {
    let source = format!("model {} ({})", model.name, model.source);
    let of = format!("scores of {direction} item {}", grouped(item));
    if is_infinite {
        return Error::new(source, format!("infinite {of}"))
            .expected("finite scores, to make them comparable over items")
            .mend("numpy.clip(scores, least, most) makes them finite");
    }
    let found = format!("{of} so large that sums of them exceed what a 64-bit float holds");
    Error::new(source, found)
        .expected(format!("scores below {LARGEST:.0e}, to make them comparable over items"))
        .mend("divide them by a power of two")
}

/// Scores in 64 bits, less the offsets of the items; without offsets as they are.
struct Shifted<'a> {
    scores: &'a Scores,
    offsets: &'a [f64],
}

impl Source<f64> for Shifted<'_> {
    fn side_len(&self, direction: Direction) -> usize {
        self.scores.by_query(direction).query_count()
    }

    fn block(&self, direction: Direction, queries: &[usize], block: &mut [f64]) {
        self.scores.by_query(direction).block(queries, block);
        let width = self.side_len(direction.flipped());
        for row in block.chunks_exact_mut(width.max(1)) {
            for (score, offset) in row.iter_mut().zip(self.offsets) {
                *score -= offset;
            }
        }
    }

    fn nan_error(&self, direction: Direction, queries: &[usize]) -> Option<Error> {
        self.scores.nan_error_of(direction, queries)
    }
}
