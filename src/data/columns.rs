//! The columns of a table for query, item, rank and score.

use super::Direction;
use super::text::shell_word;
use crate::error::{Error, Result};

/// Names of the query column, [normalized](normalize), as are all below.
const QUERY: &[&str] = &["query", "queryid", "qid"];
const IMAGE: &[&str] = &["imageid"];
const CAPTION: &[&str] = &["captionid", "textid"];
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
/// Names of the item column if no other name fits: it may also number the rows.
const ID: &[&str] = &["id"];
const RANK: &[&str] = &["rank", "position"];
const SIMILARITY: &[&str] = &["score", "similarity", "sim"];
const DISTANCE: &[&str] = &["distance", "dist"];
/// The supported columns, for errors.
const EXPECTED: &str = "a query (query, query_id, qid, image_id, caption_id or text_id), an item (item, item_id, \
     doc_id, docno, candidate, neighbor, id, or the other side's image_id or caption_id), and a rank (rank or \
     position), a score (score, similarity or sim) or a distance (distance or dist)";

/// Names of the columns that are used.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    pub query: String,
    pub item: String,
    pub rank: Option<String>,
    /// The score column, and whether lower is better, as for distances.
    pub score: Option<(String, bool)>,
    /// The direction, if a column name gives it.
    pub direction: Option<Direction>,
}

/// A name in lower case, without separators.
fn normalize(name: &str) -> String {
    name.to_lowercase().replace(['_', '-', ' ', '.'], "")
}

/// The columns of `all` whose normalized name is in `known`.
fn columns_named<'a>(all: &[&'a str], known: &[&str]) -> Vec<&'a str> {
    all.iter().copied().filter(|name| known.contains(&normalize(name).as_str())).collect()
}

impl Columns {
    /// Whether a column or key of this name may be the query.
    pub(super) fn is_query(name: &str) -> bool {
        let name = &*normalize(name);
        [QUERY, IMAGE, CAPTION].iter().any(|names| names.contains(&name))
    }

    /// The columns of a table of pairs, with an image id and a caption id alone; `None` of other tables.
    pub(super) fn for_pairs(all: &[&str]) -> Option<Self> {
        let (images, captions) = (columns_named(all, IMAGE), columns_named(all, CAPTION));
        let ([item], [query], 2) = (&images[..], &captions[..], all.len()) else { return None };
        let [query, item] = [query, item].map(|name| (*name).to_owned());
        Some(Columns { query, item, rank: None, score: None, direction: Some(Direction::T2i) })
    }

    /// Finds the columns among the names `all`; a known direction decides which id is the query.
    ///
    /// # Errors
    /// No column, or several, for one role.
    pub(super) fn find(file: &str, all: &[&str], direction: Option<Direction>) -> Result<Self> {
        let error = |what: String| {
            let listed = if all.is_empty() { "none".into() } else { all.join(", ") };
            let fix = if what == UNKNOWN_DIRECTION {
                let file = shell_word(file);
                format!(
                    "name it as --run-i2t {file} or --run-t2i {file} (retrieved_i2t=, retrieved_t2i= in Python)"
                )
            } else {
                "rename the columns, for instance .rename({\"retrieved\": \"item\"}) with polars"
                    .into()
            };
            Error::new(file, format!("{what} among the columns of this table ({listed})"))
                .expected(EXPECTED)
                .fix(fix)
        };
        let single = |found: &[&str], what: &str| match found {
            [] => Ok(None),
            [name] => Ok(Some((*name).to_owned())),
            several => Err(error(format!("{} for {what}", several.join(" and ")))),
        };
        let (query, item, direction) = query_and_item(all, direction).map_err(error)?;
        let rank = single(&columns_named(all, RANK), "the rank")?;
        let score = single(&columns_named(all, &[SIMILARITY, DISTANCE].concat()), "the score")?;
        if rank.is_none() && score.is_none() {
            return Err(error("neither a rank nor a score".into()));
        }
        let less_is_better = !columns_named(all, DISTANCE).is_empty();
        let score = score.map(|name| (name, less_is_better));
        Ok(Columns { query, item, rank, score, direction })
    }
}

/// Error: a table with image and caption ids does not show whether images or captions are the queries.
const UNKNOWN_DIRECTION: &str = "both sides' ids and no word which is the query";

/// The columns of query and item, and the direction if their names give it; else the error.
fn query_and_item(
    all: &[&str],
    direction: Option<Direction>,
) -> std::result::Result<(String, String, Option<Direction>), String> {
    let queries = columns_named(all, QUERY);
    let mut items = columns_named(all, ITEM);
    let (images, captions) = (columns_named(all, IMAGE), columns_named(all, CAPTION));
    if items.is_empty() && (images.is_empty() || captions.is_empty()) {
        items = columns_named(all, ID);
    }
    let names = |query: &str, item: &str, direction| (query.to_owned(), item.to_owned(), direction);
    match (&queries[..], &items[..], &images[..], &captions[..]) {
        ([query], [item], ..) => Ok(names(query, item, None)),
        ([query], [], [image], []) => Ok(names(query, image, Some(Direction::T2i))),
        ([query], [], [], [caption]) => Ok(names(query, caption, Some(Direction::I2t))),
        ([], [item], [image], []) => Ok(names(image, item, Some(Direction::I2t))),
        ([], [item], [], [caption]) => Ok(names(caption, item, Some(Direction::T2i))),
        ([], [], [image], [caption]) => match direction {
            Some(Direction::I2t) => Ok(names(image, caption, direction)),
            Some(Direction::T2i) => Ok(names(caption, image, direction)),
            None => Err(UNKNOWN_DIRECTION.into()),
        },
        ([_, _, ..], ..) => Err(format!("{} for the query", queries.join(" and "))),
        (_, [_, _, ..], ..) => Err(format!("{} for the item", items.join(" and "))),
        ([], ..) if images.is_empty() && captions.is_empty() => Err("no query".into()),
        ([_], ..) => Err("no item".into()),
        _ => Err("no separate query and item".into()),
    }
}
