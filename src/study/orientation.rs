//! Whether the rows of a matrix are images or captions: by ids, by ground truths, by the original pairs.

use std::sync::Arc;

use super::agreement::Agreement;
use super::gallery::truths;
use super::inputs::{Inputs, Loaded};
use super::loaded_scores::LoadedScores;
use super::{Note, implied, queried};
use crate::data::Direction;
use crate::data::id::{Id, IdList};
use crate::data::scores::{ScoreMatrix, Scores};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::truth::relevance::Relevance;
use crate::truth::{Kind, Listed, Truth};

/// Scores of a square matrix that are compared with those on the other side of the diagonal, by row.
const COMPARED_ROWS: usize = 64;

/// The numbers of images and captions of the first model, where `known` tells those that files give ids
/// for, and what is said of them. `None` where the model tells none.
///
/// # Errors
/// An array that is no matrix; a matrix without ids that may be read both ways.
pub(super) fn sizes(
    loaded: &Loaded,
    known: [Option<usize>; 2],
    inputs: &Inputs,
) -> Result<Option<([usize; 2], Option<Note>)>> {
    let Some((_, first)) = loaded.models.first() else {
        return Ok(None);
    };
    let readings = first.readings(inputs.captions_first)?;
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
    let told: Vec<&Listed> = truths(loaded)
        .filter(|listed| indices(listed).is_some())
        .collect();
    if told.is_empty() {
        return Ok(Some((implied::turned(&readings, loaded, inputs), None)));
    }
    let fitting = readings
        .iter()
        .filter(|sizes| told.iter().all(|listed| fits(listed, **sizes)));
    let fitting: Vec<[usize; 2]> = fitting.copied().collect();
    let source = first.source();
    let files = told
        .iter()
        .map(|listed| listed.file.as_str())
        .collect::<Vec<_>>()
        .join(", ");
    match fitting[..] {
        [] => Ok(Some((usual, None))),
        [only] => {
            let note = || {
                let way = way(only, readings[0]);
                Note::fine(format!(
                    "{source}: {way}: the ids of {files} fit no other way"
                ))
            };
            let is_turned = only == [readings[0][1], readings[0][0]] && only != usual;
            Ok(Some((only, is_turned.then(note))))
        }
        [one, other, ..] => match first {
            LoadedScores::Matrix(matrix) if matrix.folded.is_none() => {
                let agree = |sizes: [usize; 2]| {
                    let matrix = ScoreMatrix::new(matrix.npy.clone(), sizes != readings[0])?;
                    let found = told.iter().filter_map(|listed| agreement(&matrix, listed));
                    Ok(found
                        .filter(|found| !found.is_chance())
                        .map(|found| found.described())
                        .next())
                };
                match [agree(one)?, agree(other)?] {
                    [None, Some(found)] => {
                        let way = way(other, readings[0]);
                        let note = Note::orientation(format!(
                            "{source}: {way}: only so do positives of {files} rank otherwise than by chance ({found})"
                        ));
                        Ok(Some((other, Some(note))))
                    }
                    // More captions than images: nobody has it the other way round.
                    [Some(_), None] => Ok(Some((one, None))),
                    _ if one[0] <= one[1] => Ok(Some((one, None))),
                    _ => Err(undecided(
                        &source,
                        one,
                        &format!("the ids of {files} fit both"),
                    )),
                }
            }
            _ => Ok(Some((one, None))),
        },
    }
}

/// The way round that gives these sizes.
fn way(sizes: [usize; 2], images_first: [usize; 2]) -> &'static str {
    if sizes == images_first {
        "images first"
    } else {
        "captions first"
    }
}

/// The largest index among the queries and among the items; `None` where ids are no indices.
fn indices(listed: &Listed) -> Option<[usize; 2]> {
    let largest = |ids: &[Id]| {
        ids.iter().try_fold(0, |largest, id| match id {
            Id::Number(number) => Some(largest.max(usize::try_from(*number).ok()?)),
            Id::Text(_) => None,
        })
    };
    let pairs = &listed.pairs;
    (!pairs.is_empty()).then_some([largest(pairs.keys())?, largest(pairs.values())?])
}

/// The directions that lists may have.
fn directions(listed: &Listed) -> impl Iterator<Item = Direction> {
    let told = listed
        .direction
        .or_else(|| queried::by_lists(&listed.pairs));
    let is_it = move |direction: &Direction| told.is_none_or(|told| told == *direction);
    Direction::BOTH.into_iter().filter(is_it)
}

/// Whether indices are those of so many images and captions.
fn fits(listed: &Listed, sizes: [usize; 2]) -> bool {
    indices(listed).is_none_or(|[query, item]| {
        directions(listed).any(|direction| {
            let [queries, items] =
                [direction, direction.flipped()].map(|side| sizes[side as usize]);
            query < queries && item < items
        })
    })
}

/// How well a matrix without ids agrees with lists of indices.
fn agreement(matrix: &ScoreMatrix, listed: &Listed) -> Option<Agreement> {
    let scores = Scores::Matrix(Arc::new(matrix.clone()));
    let of = |direction: Direction| {
        let ids =
            [direction, direction.flipped()].map(|side| IdList::counted(matrix.side_len(side)));
        let (relevance, _) = Relevance::resolve(&listed.pairs, &ids[0], &ids[1]);
        Agreement::sample(&scores, direction, &relevance)
    };
    directions(listed)
        .filter_map(of)
        .max_by(|a, b| a.percentile.total_cmp(&b.percentile))
}

/// A square matrix the way round that puts the original pairs first, and a note where that is not the
/// usual one. A symmetric one is the same either way.
///
/// # Errors
/// Pairs that rank alike either way, or no pairs.
pub(super) fn of_square(
    matrix: &ScoreMatrix,
    truths: &[Truth],
) -> Result<(ScoreMatrix, Option<Note>)> {
    let turned = ScoreMatrix::new(matrix.npy().clone(), !matrix.captions_first())?;
    if is_symmetric(matrix) {
        return Ok((matrix.clone(), None));
    }
    let agree = |matrix: &ScoreMatrix| {
        let direction = matrix.rows().direction();
        let scores = Scores::Matrix(Arc::new(matrix.clone()));
        let mut known = truths.iter().filter(|truth| truth.kind <= Kind::Rich);
        let relevance = known.find_map(|truth| truth.relevance[direction].as_ref())?;
        Agreement::sample(&scores, direction, relevance).filter(|found| !found.is_chance())
    };
    let source = matrix.npy().source().display();
    match [agree(matrix), agree(&turned)] {
        [Some(_), None] => Ok((matrix.clone(), None)),
        [None, Some(found)] => {
            let found = found.described();
            let line = format!(
                "{source}: captions first: only so do positives rank otherwise than by chance ({found})"
            );
            Ok((turned, Some(Note::orientation(line))))
        }
        [None, None] => Err(undecided(
            &source,
            [matrix.images(); 2],
            "known pairs rank by chance both ways, or are unknown",
        )),
        _ => Err(undecided(
            &source,
            [matrix.images(); 2],
            "the known pairs rank alike both ways",
        )),
    }
}

/// Whether a square matrix is its own transpose, as far as some rows tell.
fn is_symmetric(matrix: &ScoreMatrix) -> bool {
    let len = matrix.images();
    let compared = len.min(COMPARED_ROWS);
    (0..compared).map(|at| at * len / compared).all(|at| {
        let [row, column] = Direction::both(|direction| matrix.of_query(direction, at));
        let mut pairs = row.iter().zip(&column);
        pairs.all(|(a, b)| a.total_cmp(b).is_eq())
    })
}

fn undecided(source: &str, [images, captions]: [usize; 2], known: &str) -> Error {
    let [rows, columns] = [images, captions].map(grouped);
    let found =
        format!("a matrix of {rows} x {columns} whose rows may be images or captions: {known}");
    Error::new(source, found)
        .expected("ids or a ground truth that fit one way only")
        .mend("add --images-first if each row is an image, or --captions-first if each row is a caption")
}
