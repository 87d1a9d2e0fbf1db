//! What people are asked at a time: pairs of one query, among them two whose answer is known.

mod golden;
mod make;

pub use make::make;

use serde::{Deserialize, Serialize};

use super::answers::check_format;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::json;
use crate::data::own_files::{OwnFile, refuse_others};
use crate::data::source::Source;
use crate::error::Result;
use crate::truth::verdict::Verdict;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore hits 1";

/// Candidates of one HIT at most: with two golden pairs these are twenty.
pub const MOST: usize = 18;

/// The number of HITs for so many candidates of a query.
pub fn hits_of(candidates: usize) -> usize {
    candidates.div_ceil(MOST)
}

/// HITs as a file holds them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    /// [`FORMAT`].
    pub format: String,
    /// The seed by which golden items were chosen and items shuffled.
    pub seed: u64,
    /// The HITs, in the order in which they are best answered.
    pub hits: Vec<Hit>,
}

impl Hits {
    /// How many HITs are without a golden pair of this verdict.
    pub fn lacking(&self, golden: Verdict) -> usize {
        let lacks = |hit: &&Hit| hit.items.iter().all(|item| item.golden != Some(golden));
        self.hits.iter().filter(lacks).count()
    }
}

/// What a person is asked at a time (a human intelligence task): items of one query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Its name, which no other HIT of the file has.
    pub hit: String,
    /// Direction of the query.
    pub direction: Direction,
    /// Id of the query.
    pub query: Id,
    /// The pairs, shuffled.
    pub items: Vec<HitItem>,
}

/// One pair of a HIT.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitItem {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The answer that is known, in a golden item; `None` in a candidate.
    pub golden: Option<Verdict>,
}

/// Reads a file of HITs.
///
/// # Errors
/// Broken JSON with its place, another structure or another format.
pub fn read(source: &Source) -> Result<Hits> {
    let expected = "a file that `itm-explore annotate hits` wrote";
    refuse_others((&source.display(), source.bytes()), &[OwnFile::Hits], expected)?;
    let hits: Hits = json::parse(source).map_err(|error| error.expected(expected))?;
    check_format(source, &hits.format, FORMAT)?;
    Ok(hits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVED: &str = r#"{"format":"itm-explore hits 1","seed":7,"hits":[{"hit":"t2i-3-1","direction":"t2i","query":3,"items":[{"image":9,"caption":3,"golden":null},{"image":1,"caption":3,"golden":"yes"}]}]}"#;

    #[test]
    fn hits_read_back() {
        let hits = read(&Source::in_memory("hits.json", SAVED.into())).unwrap();
        assert_eq!(hits.hits[0].items[1].golden, Some(Verdict::Yes));
        assert_eq!(serde_json::to_string(&hits).unwrap(), SAVED);
    }

    #[test]
    fn another_format_is_said() {
        let text = SAVED.replace("hits 1", "hits 9");
        let error = read(&Source::in_memory("hits.json", text.into())).unwrap_err();
        assert!(error.to_string().contains("\"itm-explore hits 9\""), "{error}");
    }
}
