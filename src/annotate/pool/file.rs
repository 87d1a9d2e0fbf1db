//! Pool files: JSON Lines, first the head, then one line per pair, in recommended order.

use std::io::{self, Write};

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::annotate::answers::check_format;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::json_text;
use crate::data::own_files::{OwnFile, refuse_other_kinds};
use crate::data::source::Source;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::judgment::Pair;
use crate::truth::response::Response;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore pool 1";

/// A pool of pairs to be judged, as in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pool {
    /// Settings of the pool.
    pub head: PoolHead,
    /// The pairs, without duplicates, in recommended order.
    pub pairs: Vec<PooledPair>,
}

impl Pool {
    /// Checks that a non-empty pool belongs to a gallery; errors name `file`.
    ///
    /// # Errors
    /// None of its pairs is in the gallery.
    pub fn require_gallery(&self, gallery: &Gallery, file: impl std::fmt::Display) -> Result<()> {
        let is_known =
            |pair: &PooledPair| Pair::find(gallery, &pair.image, &pair.caption).is_some();
        if self.pairs.is_empty() || self.pairs.iter().any(is_known) {
            return Ok(());
        }
        Err(Error::new(file, "none of its pairs is in the gallery")
            .expected("the pool of the files that are named"))
    }
}

/// Settings of a pool: the first line of its file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolHead {
    /// Format and version of the file: [`FORMAT`].
    pub format: String,
    /// Number of top items proposed per query and model.
    pub top: usize,
    /// The models that proposed pairs.
    pub models: Vec<String>,
    /// The ground truths that proposed pairs, too.
    pub truths: Vec<String>,
    /// Number of queries of each direction.
    pub queries: PerDirection<usize>,
    /// How queries were chosen, as text.
    pub chosen: String,
    /// Key of the order: `disagreement`, `interval`, `depth` or `random`.
    pub order: String,
    /// Random seed.
    pub seed: u64,
    /// Annotators per pair; 1 in files of earlier versions.
    #[serde(default = "default_overlap")]
    pub overlap: usize,
}

/// [`PoolHead::overlap`] of files of earlier versions, which do not have it.
fn default_overlap() -> usize {
    1
}

/// One pair with its proposers: a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledPair {
    /// The direction in which annotators judge it: the query is the image (`i2t`) or the caption (`t2i`).
    pub query_direction: Direction,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// Its proposers; never empty.
    pub proposals: Vec<Proposal>,
    /// Earlier responses, if they differ and the pair is repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<EarlierAnswer>,
}

/// One person's earlier response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierAnswer {
    /// The annotator.
    pub by: String,
    /// Response.
    pub answer: Response,
}

/// A proposal by a model, as top item, or by a ground truth, as positive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Name of the model or ground truth.
    pub model: String,
    /// Direction of the query of the proposal.
    pub direction: Direction,
    /// Rank of the item, from 1; `None` for a ground truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
}

impl PooledPair {
    /// Id of the query in the direction in which annotators judge the pair.
    pub fn query(&self) -> &Id {
        match self.query_direction {
            Direction::I2t => &self.image,
            Direction::T2i => &self.caption,
        }
    }

    /// Names of its proposers, without duplicates, in the order of the pool's models and ground truths.
    pub fn proposers(&self) -> IndexSet<&str> {
        self.proposals.iter().map(|one| one.model.as_str()).collect()
    }
}

/// Reads a pool.
///
/// # Errors
/// Broken JSON with its line, unexpected content or another format.
pub fn read(source: &Source) -> Result<Pool> {
    refuse_other_kinds((&source.display(), source.bytes()), &[OwnFile::Pool], EXPECTED)?;
    let lines = source.bytes().split(|byte| *byte == b'\n').zip(1..);
    let mut lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
    let first = lines.next();
    let (first, number) =
        first.ok_or_else(|| Error::new(source.display(), "an empty file").expected(EXPECTED))?;
    let head: PoolHead = parse_line(source, first, number)?;
    check_format(source, &head.format, FORMAT)?;
    let pairs = lines.map(|(line, number)| parse_line(source, line, number));
    Ok(Pool { head, pairs: pairs.collect::<Result<_>>()? })
}

/// Expected file, for errors.
const EXPECTED: &str =
    "a file that `itm-explore annotate pool` wrote; of several files it comes first";

/// Parses one line of a pool file; `number` is that of the line, for errors.
fn parse_line<'a, T: Deserialize<'a>>(source: &Source, line: &'a [u8], number: usize) -> Result<T> {
    serde_json::from_slice(line).map_err(|error| {
        let subject = format!("{}: line {number}", source.display());
        Error::json(subject, &error).expected(EXPECTED)
    })
}

/// Writes a pool.
///
/// # Errors
/// I/O errors.
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
mod tests {
    use super::*;

    const SAVED: &str = r#"{"format":"itm-explore pool 1","top":25,"models":["a"],"truths":["cxc"],"queries":{"i2t":1,"t2i":0},"chosen":"all queries","order":"depth","seed":1,"overlap":1}
{"query_direction":"i2t","image":9,"caption":"x","proposals":[{"model":"a","direction":"i2t","rank":3},{"model":"cxc","direction":"i2t"}]}
{"query_direction":"t2i","image":9,"caption":3,"proposals":[{"model":"a","direction":"t2i","rank":1}],"answers":[{"by":"anna","answer":"cant-tell"}]}
"#;

    #[test]
    fn a_pool_reads_back() {
        let pool = read(&Source::in_memory("pool.jsonl", SAVED.into())).unwrap();
        assert!(pool.pairs[0].proposers().iter().eq(&["a", "cxc"]));
        assert_eq!(pool.pairs[0].query(), &Id::Number(9));
        let mut text = Vec::new();
        write(&pool, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), SAVED);
    }

    #[test]
    fn broken_pools_are_refused() {
        for (text, said) in [
            (String::new(), "an empty file"),
            (SAVED.replace("pool 1", "pool 2"), "the format \"itm-explore pool 2\""),
            (SAVED.replace("\"rank\":3", "\"rank\":-3"), "p.jsonl: line 2: "),
            (SAVED.replace("\"top\":25,", ""), "missing field `top`"),
        ] {
            let error = read(&Source::in_memory("p.jsonl", text.into())).unwrap_err();
            assert!(error.to_string().contains(said), "{said}: {error}");
        }
    }
}
