//! HITs: pairs of one query, two of them golden.

mod golden;
mod make;

pub use make::make_hits;

use serde::{Deserialize, Serialize};

use super::answers::check_format;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::json;
use crate::data::own_files::{OwnFile, refuse_other_kinds};
use crate::data::source::Source;
use crate::error::Result;
use crate::truth::judgment::Judgment;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore hits 1";

/// Maximum candidates per HIT: twenty with two golden pairs.
pub const MAX_CANDIDATES: usize = 18;

/// Number of HITs for a number of candidates of one query.
pub fn hit_count(candidates: usize) -> usize {
    candidates.div_ceil(MAX_CANDIDATES)
}

/// HITs as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    /// [`FORMAT`].
    pub format: String,
    /// Random seed of golden items and shuffling.
    pub seed: u64,
    /// The HITs, in recommended order.
    pub hits: Vec<Hit>,
}

impl Hits {
    /// Number of HITs without a golden pair of this judgment.
    pub fn count_without(&self, golden: Judgment) -> usize {
        let lacks = |hit: &&Hit| hit.items.iter().all(|item| item.golden != Some(golden));
        self.hits.iter().filter(lacks).count()
    }
}

/// A human intelligence task: items of one query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hit {
    /// Name of the HIT, unique in the file.
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
    /// The known judgment of a golden item; `None` for candidates.
    pub golden: Option<Judgment>,
}

/// Reads a file of HITs.
///
/// # Errors
/// Broken JSON with position, another structure or another format.
pub fn read(source: &Source) -> Result<Hits> {
    let expected = "a file that `itm-explore annotate hits` wrote";
    refuse_other_kinds((&source.display(), source.bytes()), &[OwnFile::Hits], expected)?;
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
        assert_eq!(hits.hits[0].items[1].golden, Some(Judgment::Yes));
        assert_eq!(serde_json::to_string(&hits).unwrap(), SAVED);
    }

    #[test]
    fn another_format_is_refused() {
        let text = SAVED.replace("hits 1", "hits 9");
        let error = read(&Source::in_memory("hits.json", text.into())).unwrap_err();
        assert!(error.to_string().contains("\"itm-explore hits 9\""), "{error}");
    }
}
