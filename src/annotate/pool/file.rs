//! A pool as a file: JSON Lines, first what the pool is, then a line for each pair, in the order in which pairs are best
//! judged.

use std::io::{self, Write};

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::annotate::answers::check_format;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::json_text;
use crate::data::own_files::{OwnFile, refuse_others};
use crate::data::source::Source;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::response::Response;
use crate::truth::verdict::Pair;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore pool 1";

/// The pairs that people are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// How it was made.
    pub head: PoolHead,
    /// The pairs, each once, in the order in which they are best judged.
    pub pairs: Vec<PooledPair>,
}

impl Pool {
    /// Checks that it is of a gallery.
    ///
    /// # Errors
    /// Names the file, where it has pairs and the gallery none of them.
    pub fn require_in(&self, gallery: &Gallery, file: impl std::fmt::Display) -> Result<()> {
        let is_known =
            |pair: &PooledPair| Pair::find(gallery, &pair.image, &pair.caption).is_some();
        if self.pairs.is_empty() || self.pairs.iter().any(is_known) {
            return Ok(());
        }
        Err(Error::new(file, "none of its pairs is in the gallery")
            .expected("the pool of the files that are named"))
    }
}

/// How a pool was made: the first line of its file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolHead {
    /// [`FORMAT`].
    pub format: String,
    /// How many items of each ranking were taken.
    pub top: usize,
    /// The models that proposed pairs.
    pub models: Vec<String>,
    /// The ground truths that proposed pairs, too.
    pub truths: Vec<String>,
    /// Number of queries of each direction.
    pub queries: PerDirection<usize>,
    /// How the queries were chosen, in words.
    pub chosen: String,
    /// The rule of the order: `disagreement`, `interval`, `depth` or `random`.
    pub order: String,
    /// The seed of all that is random.
    pub seed: u64,
    /// Number of people who judge each pair; 1 in files of earlier versions.
    #[serde(default = "one")]
    pub overlap: usize,
}

fn one() -> usize {
    1
}

/// One pair, and who proposed it: a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledPair {
    /// The direction in which it is asked: the query is the image (`i2t`) or the caption (`t2i`).
    pub query_direction: Direction,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// Who proposed it; never empty.
    pub proposals: Vec<Proposal>,
    /// What people answered before, where they differ and it is asked again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<EarlierAnswer>,
}

/// What one person answered before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierAnswer {
    /// The annotator.
    pub by: String,
    /// The answer.
    pub answer: Response,
}

/// That a model ranked a pair among its first, or that a ground truth lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Name of the model or ground truth.
    pub model: String,
    /// The direction of the query for which it was proposed.
    pub direction: Direction,
    /// Rank of the item, from 1; none from a ground truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
}

impl PooledPair {
    /// Id of the query in the direction in which the pair is asked.
    pub fn query(&self) -> &Id {
        match self.query_direction {
            Direction::I2t => &self.image,
            Direction::T2i => &self.caption,
        }
    }

    /// Names of those who proposed it, each once, in the order of the pool's models and ground truths.
    pub fn proposers(&self) -> IndexSet<&str> {
        self.proposals.iter().map(|one| one.model.as_str()).collect()
    }
}

/// Reads a pool.
///
/// # Errors
/// Broken JSON with its line, another structure or another format.
pub fn read(source: &Source) -> Result<Pool> {
    refuse_others((&source.display(), source.bytes()), &[OwnFile::Pool], EXPECTED)?;
    let lines = source.bytes().split(|byte| *byte == b'\n').zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    let first = lines.next();
    let (first, number) =
        first.ok_or_else(|| Error::new(source.display(), "an empty file").expected(EXPECTED))?;
    let head: PoolHead = record(source, first, number)?;
    check_format(source, &head.format, FORMAT)?;
    let pairs = lines.map(|(line, number)| record(source, line, number));
    Ok(Pool { head, pairs: pairs.collect::<Result<_>>()? })
}

/// What a pool is, where a file is none.
const EXPECTED: &str =
    "a file that `itm-explore annotate pool` wrote; of several files it comes first";

/// What one line holds.
fn record<'a, T: Deserialize<'a>>(source: &Source, line: &'a [u8], number: usize) -> Result<T> {
    serde_json::from_slice(line).map_err(|error| {
        let subject = format!("{}: line {number}", source.display());
        Error::json(subject, &error).expected(EXPECTED)
    })
}

/// Writes a pool.
///
/// # Errors
/// What the writer says.
pub fn write(pool: &Pool, mut to: impl Write) -> io::Result<()> {
    json_text::write(&mut to, &pool.head)?;
    to.write_all(b"\n")?;
    for pair in &pool.pairs {
        json_text::write(&mut to, pair)?;
        to.write_all(b"\n")?;
    }
    to.flush()
}

#[cfg(test)]
mod tests;
