//! The queries behind a number, to be looked at one by one.

use super::compare::ModelDifference;
use super::disagreement::{self, By};
use super::flips;
use super::paired::Outcome;
use super::similarity::Similarity;
use crate::error::{Error, Result};
use crate::metric::{Shortage, Unit};

/// Which queries are wanted, of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Those with an outcome for the first model.
    Outcome(Outcome),
    /// All, the greatest difference first.
    Deltas,
    /// Those on which the winner flips between two rows.
    Flips,
}

/// Queries of one direction in the order of a list, each with the numbers of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// What each number is.
    pub columns: Vec<Column>,
    /// Gallery index and numbers, in order.
    pub queries: Vec<(u32, Vec<f64>)>,
}

/// One number of each query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What it is of.
    pub what: Of,
    /// Key of the metric; of a measure of similarity its name.
    pub key: String,
    /// Its unit; `None` where it has none: from -1 to 1, of overlaps from 0 to 1.
    pub unit: Option<Unit>,
}

/// What a number of a [`Listing`] is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A model, by its place in the request.
    Model(usize),
    /// The first model less the second.
    Difference,
    /// Both models.
    Both,
}

/// The queries of a row, or of two rows where flips are wanted.
///
/// # Errors
/// More or fewer rows than that, all of them named; rankings that end too early.
pub fn of_rows(rows: &[ModelDifference], what: What) -> Result<Listing> {
    if let Some((row, shortage)) = rows.iter().find_map(short) {
        let found = format!("{} {} {shortage}", row.line.key, row.direction);
        return Err(Error::new("--list", found)
            .expected("rankings that go as far as the metric needs")
            .mend("--short-lists miss, where lists are complete for their source"));
    }
    match (what, rows) {
        (What::Flips, [one, other]) if is_same_question(one, other) => Ok(flipped([one, other])),
        (What::Outcome(_) | What::Deltas, [row]) => Ok(of_row(row, what)),
        _ => Err(wrong_number(rows, what)),
    }
}

/// Why a row has no values.
fn short(row: &ModelDifference) -> Option<(&ModelDifference, Shortage)> {
    let [first, second] = row.paired.shortage;
    Shortage::joined(first, second).map(|shortage| (row, shortage))
}

fn is_same_question(one: &ModelDifference, other: &ModelDifference) -> bool {
    (one.models, one.direction) == (other.models, other.direction)
}

fn wrong_number(rows: &[ModelDifference], what: What) -> Error {
    let keys = rows.iter().map(|row| format!("{} {}", row.line.key, row.direction));
    let mut keys: Vec<String> = keys.collect();
    keys.dedup();
    let expected = match what {
        What::Flips => {
            "two models in one direction, and two metrics or two ground truths to flip between"
        }
        What::Outcome(_) | What::Deltas => {
            "two models, and one metric under one ground truth in one direction"
        }
    };
    Error::new("--list", format!("{} rows: {}", rows.len(), keys.join(", ")))
        .expected(expected)
        .mend("choose with --models, --metrics, --truth and --direction")
}

/// The greatest difference first.
fn of_row(row: &ModelDifference, what: What) -> Listing {
    let wanted: Vec<u32> = row
        .paired
        .outcomes(row.unit())
        .filter(|(_, outcome)| what == What::Deltas || what == What::Outcome(*outcome))
        .map(|(query, _)| query)
        .collect();
    let wanted: rustc_hash::FxHashSet<u32> = wanted.into_iter().collect();
    let values = values(row);
    let queries = disagreement::of_values(&row.paired).into_iter();
    let queries = queries.filter(|(query, _)| wanted.contains(query));
    let numbers = |(query, difference)| {
        let [first, second] = values[&query];
        (query, vec![first, second, difference])
    };
    let mut columns = models(row).to_vec();
    columns.push(Column { what: Of::Difference, ..columns[0].clone() });
    Listing { columns, queries: queries.map(numbers).collect() }
}

fn flipped(rows: [&ModelDifference; 2]) -> Listing {
    let [one, other] = rows.map(|row| (&row.paired, row.unit()));
    let values = rows.map(values);
    let numbers = |flip: flips::Flip| {
        let of_query = values.iter().flat_map(|values| values[&flip.query]);
        (flip.query, of_query.collect())
    };
    Listing {
        columns: rows.into_iter().flat_map(models).collect(),
        queries: flips::flips(one, other).into_iter().map(numbers).collect(),
    }
}

/// Both models' columns of a row.
fn models(row: &ModelDifference) -> [Column; 2] {
    row.models.map(|model| Column {
        what: Of::Model(model),
        key: row.line.key.clone(),
        unit: Some(row.unit()),
    })
}

/// Both models' values by query.
fn values(row: &ModelDifference) -> rustc_hash::FxHashMap<u32, [f64; 2]> {
    let [first, second] = &row.paired.values;
    let both = first.iter().zip(second).map(|(&one, &other)| [one, other]);
    row.paired.queries.iter().copied().zip(both).collect()
}

/// All queries by how alike two models rank, the least first.
pub fn of_rankings(similarity: &Similarity, by: By) -> Listing {
    let (key, unit) = match by {
        By::Overlap(k) => (format!("overlap at {k}"), None),
        By::RankBiased => ("rank-biased overlap".to_owned(), None),
        By::Tau => ("tau-b".to_owned(), None),
    };
    let column = Column { what: Of::Both, key, unit };
    let queries = disagreement::of_rankings(similarity, by).into_iter();
    Listing {
        columns: vec![column],
        queries: queries.map(|(query, value)| (query, vec![value])).collect(),
    }
}
