//! Which columns of a table are the query, the item, the rank and the score.

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use crate::data::Direction;
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

/// How the cells of a column are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Signed,
    Unsigned,
    Text,
    Float,
    Half,
}

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

/// A name without signs and capitals.
pub(super) fn bare(name: &str) -> String {
    name.to_lowercase().replace(['_', '-', ' ', '.'], "")
}

/// The names that stand for one thing.
struct Names<'a>(&'a [&'a str]);

impl<'a> Names<'a> {
    /// The columns that have one of some names, however these are written.
    fn named(&self, known: &[&str]) -> Vec<&'a str> {
        let names = self.0.iter().copied();
        names
            .filter(|name| known.contains(&bare(name).as_str()))
            .collect()
    }
}

impl Columns {
    /// Finds the columns by name; a known direction tells which of two ids is the query.
    ///
    /// # Errors
    /// No column, or several, for one thing.
    pub(super) fn find(
        file: &str,
        schema: &SchemaDescriptor,
        direction: Option<Direction>,
    ) -> Result<Self> {
        let flat = schema
            .columns()
            .iter()
            .filter(|column| column.path().parts().len() == 1);
        let all: Vec<&str> = flat.map(|column| column.name()).collect();
        let names = Names(&all);
        let wrong = |what: &str| {
            let listed = if all.is_empty() {
                "none".into()
            } else {
                all.join(", ")
            };
            Error::new(
                file,
                format!("{what} among the columns of this table ({listed})"),
            )
            .expected(EXPECTED)
        };
        let has_lists = schema
            .columns()
            .iter()
            .any(|column| column.max_rep_level() > 0);
        let rename = |error: Error| {
            error.mend(if has_lists {
                "if these are embeddings: --image-emb FILE --text-emb FILE"
            } else {
                "rename the columns, for instance .rename({\"retrieved\": \"item\"}) with polars"
            })
        };
        let one = |found: &[&str], what: &str| match found {
            [] => Ok(None),
            [name] => Ok(Some((*name).to_owned())),
            several => Err(rename(wrong(&format!(
                "{} for {what}",
                several.join(" and ")
            )))),
        };
        let (query, item, told) = ids(&names, direction).map_err(|what| {
            let error = wrong(&what);
            if what == EITHER {
                error.mend("name it as --run-i2t FILE or --run-t2i FILE (retrieved_i2t=, retrieved_t2i= in Python)")
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
        Ok(Columns {
            query,
            item,
            rank,
            score,
            direction: told,
        })
    }
}

impl Columns {
    /// Where a file has the columns, by [`Role`](super::Role), and how it stores them.
    ///
    /// # Errors
    /// A column that the file lacks, or of a type that is no id or no number.
    pub(super) fn places(
        &self,
        file: &str,
        schema: &SchemaDescriptor,
    ) -> Result<[Option<(usize, Kind)>; 4]> {
        let place = |name: &str, is_id: bool| {
            let mut columns = schema.columns().iter().enumerate();
            let found = columns.find(|(_, column)| column.path().parts() == [name]);
            let (at, column) = found.ok_or_else(|| {
                Error::new(file, format!("no column {name}"))
                    .expected("the columns of the other parts of this table")
            })?;
            let fits = |kind: &Kind| match kind {
                Kind::Signed | Kind::Unsigned => true,
                Kind::Text => is_id,
                Kind::Float | Kind::Half => !is_id,
            };
            let kind = kind(column)
                .filter(fits)
                .ok_or_else(|| wrong_type(file, column, is_id))?;
            Ok(Some((at, kind)))
        };
        let number = |name: Option<&String>| name.map_or(Ok(None), |name| place(name, false));
        Ok([
            place(&self.query, true)?,
            place(&self.item, true)?,
            number(self.rank.as_ref())?,
            number(self.score.as_ref().map(|(name, _)| name))?,
        ])
    }
}

fn wrong_type(file: &str, column: &ColumnDescriptor, is_id: bool) -> Error {
    let stored = match column.logical_type_ref() {
        Some(logical) => format!("{logical:?}"),
        None => column.physical_type().to_string(),
    };
    let error = Error::new(
        file,
        format!("the column {} is of type {stored}", column.name()),
    );
    if is_id {
        error
            .expected("ids: integers or text")
            .mend("change the type, for instance df[\"item\"].astype(\"int64\") with pandas")
    } else {
        error.expected("numbers: integers or floats")
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

/// How a column is stored; `None` for what is neither number nor text.
pub(super) fn kind(column: &ColumnDescriptor) -> Option<Kind> {
    let logical = column.logical_type_ref();
    match column.physical_type() {
        Type::FLOAT | Type::DOUBLE => Some(Kind::Float),
        Type::FIXED_LEN_BYTE_ARRAY => (matches!(logical, Some(LogicalType::Float16))
            && column.type_length() == 2)
            .then_some(Kind::Half),
        Type::BYTE_ARRAY => {
            let is_text = matches!(
                logical,
                None | Some(LogicalType::String | LogicalType::Enum)
            ) && column.converted_type() != ConvertedType::DECIMAL;
            is_text.then_some(Kind::Text)
        }
        Type::INT32 | Type::INT64 => integer(column),
        Type::INT96 | Type::BOOLEAN => None,
    }
}

/// An integer, if it is no date, time or decimal.
fn integer(column: &ColumnDescriptor) -> Option<Kind> {
    use ConvertedType as C;
    if !matches!(
        column.logical_type_ref(),
        None | Some(LogicalType::Integer(_))
    ) {
        return None;
    }
    match column.converted_type() {
        C::NONE | C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 => Some(Kind::Signed),
        C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => Some(Kind::Unsigned),
        _ => None,
    }
}
