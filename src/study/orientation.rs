//! Whether the rows of a matrix are images or captions: by ids, by ground truths, by the original pairs.

use std::sync::Arc;

use super::files::Files;
use super::inputs::Inputs;
use super::loaded_scores::{LoadedForm, OneMatrix};
use super::percentile::Percentile;
use super::{Note, Topic, direction, implied_pairing};
use crate::data::Direction;
use crate::data::id::{Id, IdList};
use crate::data::scores::{ScoreMatrix, Scores};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::truth::relevance::Relevance;
use crate::truth::{Kind, Listed, Truth};

/// Maximum number of rows of a square matrix that are compared with its columns.
const MAX_COMPARED_ROWS: usize = 64;

/// Numbers of images and captions of the first model, and a note if its captions come first. `known` are the numbers of
/// ids in files, `None` without ids. The result is `None` without a model, or if its files have no sizes.
///
/// # Errors
/// An array that is not a matrix; an ambiguous matrix without ids.
pub(super) fn sizes(
    loaded: &Files,
    known: [Option<usize>; 2],
    inputs: &Inputs,
) -> Result<Option<([usize; 2], Option<Note>)>> {
    let Some(first) = loaded.models.first() else {
        return Ok(None);
    };
    let mut readings = first.readings(inputs.captions_first)?;
    let Some(&usual) = readings.first() else {
        return Ok(None);
    };
    if known != [None, None] {
        let fits = |sizes: &&[usize; 2]| {
            let mut sides = sizes.iter().zip(known);
            sides.all(|(size, known)| known.is_none_or(|known| known == *size))
        };
        return Ok(Some((*readings.iter().find(fits).unwrap_or(&usual), None)));
    }
    let indexed = loaded.truths().filter(|listed| largest_indices(listed).is_some());
    let indexed: Vec<&Listed> = indexed.collect();
    if indexed.is_empty() {
        return Ok(Some((implied_pairing::choose_sizes(&readings, loaded, inputs), None)));
    }
    readings.retain(|sizes| indexed.iter().all(|listed| fits(listed, *sizes)));
    Ok(Some(match (&first.form, &readings[..]) {
        (_, []) => (usual, None),
        (LoadedForm::Matrix(matrix), [_, _]) if matrix.folded.is_none() => {
            sizes_by_scores(matrix, &indexed)?
        }
        (_, &[one, ..]) => {
            let is_transposed = one != usual && one == [usual[1], usual[0]];
            let line = || {
                let (source, file) = (&first.source, &indexed[0].file);
                format!("{source}: captions first: the ids of {file} fit no other way")
            };
            (one, is_transposed.then(|| Note::fact(line())))
        }
    }))
}

/// Numbers of images and captions of a matrix if the indices in truths fit both orientations, and a note if captions
/// come first. Returns the orientation in which positives score high. If this does not decide, returns the usual one,
/// or an error if that has more images than captions.
fn sizes_by_scores(matrix: &OneMatrix, indexed: &[&Listed]) -> Result<([usize; 2], Option<Note>)> {
    let read = |captions_first| ScoreMatrix::new(matrix.npy.clone(), captions_first);
    let both = [read(false)?, read(true)?];
    let evidence = |matrix: &ScoreMatrix| {
        let mut found = indexed.iter().filter_map(|listed| best_percentile(matrix, listed));
        found.find(|found| !found.is_chance())
    };
    let [usual, transposed] = both.each_ref().map(|one| [one.images(), one.captions()]);
    let source = matrix.npy.source().display();
    match both.each_ref().map(evidence) {
        [None, Some(found)] => Ok((transposed, Some(captions_first_note(&source, found)))),
        [Some(_), None] => Ok((usual, None)),
        _ if usual[0] <= usual[1] => Ok((usual, None)),
        _ => Err(ambiguous(&source, usual, "indices fit both ways")),
    }
}

/// Note that a matrix has captions first, judging by its scores.
fn captions_first_note(source: &str, found: Percentile) -> Note {
    let found = found.describe();
    Note::warning_about(
        Topic::Orientation,
        format!("{source}: captions first: positives stand out only that way ({found})"),
    )
}

/// The largest query and item index of a truth's lists; `None` if they are empty, or their ids are not indices.
fn largest_indices(listed: &Listed) -> Option<[usize; 2]> {
    let largest = |ids: &[Id]| {
        ids.iter().try_fold(0, |largest, id| match id {
            Id::Number(number) => Some(largest.max(usize::try_from(*number).ok()?)),
            Id::Text(_) => None,
        })
    };
    let pairs = listed.pairs.listed();
    (!pairs.is_empty()).then_some([largest(pairs.keys())?, largest(pairs.values())?])
}

/// Possible directions of a truth's lists.
fn directions(listed: &Listed) -> impl Iterator<Item = Direction> {
    let known = listed.direction.or_else(|| direction::from_lists(&listed.pairs.listed()));
    let is_possible = move |direction: &Direction| known.is_none_or(|known| known == *direction);
    Direction::BOTH.into_iter().filter(is_possible)
}

/// Whether the indices of a truth's lists fit these numbers of images and captions; true if its ids are not indices.
fn fits(listed: &Listed, sizes: [usize; 2]) -> bool {
    largest_indices(listed).is_none_or(|[query, item]| {
        directions(listed).any(|direction| {
            let [queries, items] =
                [direction, direction.flipped()].map(|side| sizes[side as usize]);
            query < queries && item < items
        })
    })
}

/// Percentile of the positives that a truth lists by index, in the possible direction where it is highest; `None` if no
/// direction has enough queries.
fn best_percentile(matrix: &ScoreMatrix, listed: &Listed) -> Option<Percentile> {
    let scores = Scores::Matrix(Arc::new(matrix.clone()));
    let percentile = |direction: Direction| {
        let ids =
            [direction, direction.flipped()].map(|side| IdList::for_len(matrix.side_len(side)));
        let (relevance, _) = Relevance::resolve(&listed.pairs, &ids[0], &ids[1]);
        Percentile::sample(&scores, direction, &relevance)
    };
    directions(listed).filter_map(percentile).max_by(|a, b| a.mean.total_cmp(&b.mean))
}

/// A square matrix in the orientation that ranks original pairs first, with a note if it is not the usual one.
/// Symmetric ones are unchanged.
///
/// # Errors
/// Pairs rank alike both ways, or no pairs.
pub(super) fn orient_square(
    matrix: &ScoreMatrix,
    truths: &[Truth],
) -> Result<(ScoreMatrix, Option<Note>)> {
    let transposed = ScoreMatrix::new(matrix.npy().clone(), !matrix.captions_first())?;
    if is_symmetric(matrix) {
        return Ok((matrix.clone(), None));
    }
    let evidence = |matrix: &ScoreMatrix| {
        let direction = matrix.rows();
        let scores = Scores::Matrix(Arc::new(matrix.clone()));
        let mut known = truths.iter().filter(|truth| truth.kind <= Kind::Rich);
        let relevance = known.find_map(|truth| truth.relevance[direction].as_ref())?;
        Percentile::sample(&scores, direction, relevance).filter(|found| !found.is_chance())
    };
    let source = matrix.npy().source().display();
    match [evidence(matrix), evidence(&transposed)] {
        [Some(_), None] => Ok((matrix.clone(), None)),
        [None, Some(found)] => Ok((transposed, Some(captions_first_note(&source, found)))),
        [None, None] => {
            Err(ambiguous(&source, [matrix.images(); 2], "known pairs rank by chance both ways"))
        }
        _ => Err(ambiguous(&source, [matrix.images(); 2], "known pairs rank alike both ways")),
    }
}

/// Whether a square matrix is symmetric, from a sample of rows.
fn is_symmetric(matrix: &ScoreMatrix) -> bool {
    let len = matrix.images();
    let compared = len.min(MAX_COMPARED_ROWS);
    (0..compared).map(|at| at * len / compared).all(|at| {
        let [row, column] = Direction::both(|direction| matrix.query_scores(direction, at));
        let mut pairs = row.iter().zip(&column);
        pairs.all(|(a, b)| a.total_cmp(b).is_eq())
    })
}

/// Error for a matrix of this size whose orientation is unknown for this reason.
fn ambiguous(source: &str, [images, captions]: [usize; 2], reason: &str) -> Error {
    let [rows, columns] = [images, captions].map(grouped);
    let found =
        format!("a matrix of {rows} x {columns} whose rows may be images or captions: {reason}");
    Error::new(source, found).expected("ids or a ground truth that fit one way only").fix(
        "add --images-first if each row is an image, or --captions-first if each row is a caption",
    )
}
