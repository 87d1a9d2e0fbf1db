//! Which columns of a table are the query, the item, the rank and the score.

use super::Direction;
use super::text::shell_word;
use crate::error::{Error, Result};

const QUERY: &[&str] = &["query", "queryid", "qid"];
pub(super) const IMAGE: &[&str] = &["imageid"];
pub(super) const CAPTION: &[&str] = &["captionid", "textid"];
/// The text of a caption.
pub(super) const TEXT: &[&str] = &["caption", "text", "sentence"];
const ITEM: &[&str] = &[
    "item",
    "itemid",
    "doc",
    "docid",
    "docno",
    "document",
    "documentid",
    "corpusid",
    "passageid",
    "candidate",
    "candidateid",
    "neighbor",
    "neighborid",
    "neighbour",
    "neighbourid",
];
/// Counts as the item only where nothing else does: it may also number the rows.
pub(super) const ID: &[&str] = &["id"];
const RANK: &[&str] = &["rank", "position"];
const SIMILARITY: &[&str] = &["score", "similarity", "sim"];
const DISTANCE: &[&str] = &["distance", "dist"];
const EXPECTED: &str = "a query (query, query_id, qid, image_id, caption_id or text_id), an item (item, item_id, \
     doc_id, docno, candidate, neighbor, id, or the other side's image_id or caption_id), and a rank (rank or \
     position), a score (score, similarity or sim) or a distance (distance or dist)";

/// Names of the columns that are read.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    pub query: String,
    pub item: String,
    pub rank: Option<String>,
    /// What orders the items where no rank does, and whether less of it is better.
    pub score: Option<(String, bool)>,
    /// The direction, where the name of a column tells it.
    pub direction: Option<Direction>,
}

/// The names that stand for one thing.
struct Names<'a>(&'a [&'a str]);

/// A name without capitals and signs between its words.
pub(super) fn bare(name: &str) -> String {
    name.to_lowercase().replace(['_', '-', ' ', '.'], "")
}

impl<'a> Names<'a> {
    /// The columns that have one of some names, however these are written.
    fn named(&self, known: &[&str]) -> Vec<&'a str> {
        let names = self.0.iter().copied();
        names.filter(|name| known.contains(&bare(name).as_str())).collect()
    }
}

impl Columns {
    /// Whether a column or key of this name may be the query.
    pub(super) fn is_query(name: &str) -> bool {
        let name = &*bare(name);
        [QUERY, IMAGE, CAPTION].iter().any(|names| names.contains(&name))
    }

    /// Finds the columns by name; a known direction tells which of two ids is the query.
    ///
    /// # Errors
    /// No column, or several, for one thing.
    pub(super) fn find(file: &str, all: &[&str], direction: Option<Direction>) -> Result<Self> {
        let names = Names(all);
        let wrong = |what: &str| {
            let listed = if all.is_empty() { "none".into() } else { all.join(", ") };
            Error::new(file, format!("{what} among the columns of this table ({listed})"))
                .expected(EXPECTED)
        };
        let rename = |error: Error| {
            error.mend(
                "rename the columns, for instance .rename({\"retrieved\": \"item\"}) with polars",
            )
        };
        let one = |found: &[&str], what: &str| match found {
            [] => Ok(None),
            [name] => Ok(Some((*name).to_owned())),
            several => Err(rename(wrong(&format!("{} for {what}", several.join(" and "))))),
        };
        let (query, item, told) = ids(&names, direction).map_err(|what| {
            let error = wrong(&what);
            if what == EITHER {
                let file = shell_word(file);
                error.mend(format!(
                    "name it as --run-i2t {file} or --run-t2i {file} (retrieved_i2t=, retrieved_t2i= in Python)"
                ))
            } else {
                rename(error)
            }
        })?;
        let rank = one(&names.named(RANK), "the rank")?;
        let scores = names.named(&[SIMILARITY, DISTANCE].concat());
        let score = one(&scores, "the score")?;
        if rank.is_none() && score.is_none() {
            return Err(rename(wrong("neither a rank nor a score")));
        }
        let score = score.map(|name| {
            let less_is_better = !names.named(DISTANCE).is_empty();
            (name, less_is_better)
        });
        Ok(Columns { query, item, rank, score, direction: told })
    }
}

const EITHER: &str = "both sides' ids and no word which is the query";

/// The query's and the item's column, and the direction that their names tell; else what is wrong.
fn ids(
    names: &Names,
    direction: Option<Direction>,
) -> std::result::Result<(String, String, Option<Direction>), String> {
    let queries = names.named(QUERY);
    let mut items = names.named(ITEM);
    let (images, captions) = (names.named(IMAGE), names.named(CAPTION));
    if items.is_empty() && (images.is_empty() || captions.is_empty()) {
        items = names.named(ID);
    }
    let told = |query: &str, item: &str, direction| (query.to_owned(), item.to_owned(), direction);
    match (&queries[..], &items[..], &images[..], &captions[..]) {
        ([query], [item], ..) => Ok(told(query, item, None)),
        ([query], [], [image], []) => Ok(told(query, image, Some(Direction::T2i))),
        ([query], [], [], [caption]) => Ok(told(query, caption, Some(Direction::I2t))),
        ([], [item], [image], []) => Ok(told(image, item, Some(Direction::I2t))),
        ([], [item], [], [caption]) => Ok(told(caption, item, Some(Direction::T2i))),
        ([], [], [image], [caption]) => match direction {
            Some(Direction::I2t) => Ok(told(image, caption, direction)),
            Some(Direction::T2i) => Ok(told(caption, image, direction)),
            None => Err(EITHER.into()),
        },
        ([_, _, ..], ..) => Err(format!("{} for the query", queries.join(" and "))),
        (_, [_, _, ..], ..) => Err(format!("{} for the item", items.join(" and "))),
        ([], ..) if images.is_empty() && captions.is_empty() => Err("no query".into()),
        ([_], ..) => Err("no item".into()),
        _ => Err("no query and item that are told apart".into()),
    }
}
