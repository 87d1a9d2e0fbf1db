//! Storage of a table's columns.

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use crate::data::columns::Columns;
use crate::error::{Error, Result};

/// Type of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Signed,
    Unsigned,
    Text,
    Float,
}

impl Columns {
    /// Indices of the columns in a file, by [`Role`](super::Role); `None` for a column that is not used.
    ///
    /// # Errors
    /// A column that the file lacks, or of a type that is no id or no number.
    pub(super) fn column_indices(
        &self,
        file: &str,
        schema: &SchemaDescriptor,
    ) -> Result<[Option<usize>; 4]> {
        let index = |name: &str, is_id: bool| {
            let mut columns = schema.columns().iter().enumerate();
            let found = columns.find(|(_, column)| column.path().parts() == [name]);
            let (at, column) =
                found.ok_or_else(|| Error::new(file, format!("no column {name}")))?;
            let fits = |kind: &Kind| match kind {
                Kind::Signed | Kind::Unsigned => true,
                Kind::Text => is_id,
                Kind::Float => !is_id,
            };
            let kind = kind(column).filter(fits);
            kind.map(|_| Some(at)).ok_or_else(|| type_error(file, column, is_id))
        };
        let number_index = |name: Option<&String>| name.map_or(Ok(None), |name| index(name, false));
        Ok([
            index(&self.query, true)?,
            index(&self.item, true)?,
            number_index(self.rank.as_ref())?,
            number_index(self.score.as_ref().map(|(name, _)| name))?,
        ])
    }
}

/// The error of a column of an unsupported type, where ids (if `is_id`) or numbers (if not) are expected.
fn type_error(file: &str, column: &ColumnDescriptor, is_id: bool) -> Error {
    let stored = match column.logical_type_ref() {
        Some(logical) => format!("{logical:?}"),
        None => column.physical_type().to_string(),
    };
    let error = Error::new(file, format!("the column {} is of type {stored}", column.name()));
    if is_id {
        error
            .expected("ids: integers or text")
            .fix("change the type, for instance df[\"item\"].astype(\"int64\") with pandas")
    } else {
        error.expected("numbers: integers or floats")
    }
}

/// Storage type of a column; `None` if neither number nor text.
pub(super) fn kind(column: &ColumnDescriptor) -> Option<Kind> {
    let logical = column.logical_type_ref();
    match column.physical_type() {
        Type::FLOAT | Type::DOUBLE => Some(Kind::Float),
        Type::BYTE_ARRAY => {
            let is_text = matches!(logical, None | Some(LogicalType::String | LogicalType::Enum))
                && column.converted_type() != ConvertedType::DECIMAL;
            is_text.then_some(Kind::Text)
        }
        Type::INT32 | Type::INT64 => integer_kind(column),
        Type::INT96 | Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => None,
    }
}

/// Storage type of an integer column; `None` for dates, times and decimals.
fn integer_kind(column: &ColumnDescriptor) -> Option<Kind> {
    use ConvertedType as C;
    if !matches!(column.logical_type_ref(), None | Some(LogicalType::Integer(_))) {
        return None;
    }
    match column.converted_type() {
        C::NONE | C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 => Some(Kind::Signed),
        C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => Some(Kind::Unsigned),
        _ => None,
    }
}
