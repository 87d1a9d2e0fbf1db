//! Ground truths from similarities of captions, in addition to listed positives.
//!
//! A similarity phi scores every caption with every image, like a model. The ground truth of its name has the `m` most
//! similar items of each query as positives, for every metric; semantic recall is Recall@K under it, and NCS uses phi
//! of the retrieved items.

use crate::data::scores::Model;
use crate::data::sets::Sets;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::rank::similar::find_similar;
use crate::study::{Note, Study};
use crate::truth::relevance::{Builder, Relevance};
use crate::truth::{Kind, Truth};

/// Adds the missing ground truths of the study's similarities phi, each with a note; returns `false` if cancelled.
///
/// # Errors
/// A phi with missing scores, NaN or infinity.
pub fn add_truths(study: &mut Study, token: &CancelToken) -> Result<bool> {
    let Some(truths) = missing_truths(study, token)? else {
        return Ok(false);
    };
    for truth in truths {
        study.notes.push(truth_note(&truth, study.phi_rule.m));
        study.truths.push(truth);
    }
    Ok(true)
}

/// A ground truth for each phi of the study that has none yet; `None` if cancelled.
fn missing_truths(study: &Study, token: &CancelToken) -> Result<Option<Vec<Truth>>> {
    let mut truths = Vec::new();
    for phi in &study.phis {
        if study.truth(&phi.name).is_some() {
            continue;
        }
        let mut truth = Truth { kind: Kind::Similar, ..Truth::new(&phi.name) };
        for direction in Direction::BOTH {
            if let Some(error) = phi.scores.infinity_error(direction) {
                return Err(error);
            }
            let Some(relevance) = most_similar(study, phi, direction, token)? else {
                return Ok(None);
            };
            truth.relevance[direction] = Some(relevance.with_conventions(study.conventions));
        }
        truths.push(truth);
    }
    Ok(Some(truths))
}

/// The ground truth of a phi in one direction: the most similar items of each query are its positives. `None` if
/// cancelled.
fn most_similar(
    study: &Study,
    phi: &Model,
    direction: Direction,
    token: &CancelToken,
) -> Result<Option<Relevance>> {
    let m = study.phi_rule.m;
    let queries = study.gallery.queries(direction).len();
    let mut original = Sets::with_capacity(queries);
    for query in 0..queries {
        let items: Vec<u32> = study.original_items(direction, query).iter().collect();
        original.push(&items);
    }
    let Some((similar, positives)) = find_similar(phi, direction, original, m, token)? else {
        return Ok(None);
    };
    let mut builder = Builder::new(queries);
    for (query, mut items) in (0..).zip(positives) {
        items.sort_unstable();
        builder.push(query, &items, items.len() as u32);
    }
    Ok(Some(builder.finish_similar(similar)))
}

/// The note on a ground truth whose positives are the `m` most similar items.
fn truth_note(truth: &Truth, m: usize) -> Note {
    let pairs = PerDirection::from_fn(|direction| {
        truth.relevance[direction].as_ref().map_or(0, Relevance::pair_count)
    });
    Note::fact(format!(
        "ground truth {}: the {m} most similar items of each query are positives; i2t {}, t2i {} pairs with a similarity \
         above 0",
        truth.name,
        grouped(pairs.i2t),
        grouped(pairs.t2i)
    ))
}

#[cfg(test)]
mod tests;
