//! Columns of custom tables of images or captions.

use std::path::PathBuf;

use super::files::Ids;
use super::pool::detect_side;
use super::{Note, Study};
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::source::Source;
use crate::data::text::{count, grouped, shown};
use crate::error::{Error, Result};

/// A column of a table of images or captions.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Whether it is of images (i2t) or captions (t2i).
    side: Direction,
    /// Value of each image or caption, by gallery index; `None` for empty cells and missing rows.
    values: Vec<Option<Id>>,
}

impl Column {
    /// The value of a query; for a caption query and a column of images, the value of its image. `None` if the cell is
    /// empty or missing, if the image is unknown, or for an image query and a column of captions.
    pub fn value(&self, study: &Study, direction: Direction, query: usize) -> Option<&Id> {
        let index = match (self.side, direction) {
            (Direction::I2t, Direction::T2i) => {
                study.original_items(direction, query).first()? as usize
            }
            (side, direction) if side == direction => query,
            _ => return None,
        };
        self.values[index].as_ref()
    }
}

/// The expected kind of file, for errors.
const EXPECTED: &str =
    "a CSV or TSV file: a first line of headings, ids of images or captions in the first column";

impl Study {
    /// Reads the columns of all tables; adds warnings on rows that are not in the gallery.
    ///
    /// # Errors
    /// Not a table, without ids of the gallery, or a duplicate heading or id.
    pub(super) fn add_columns(&mut self, tables: &[PathBuf]) -> Result<()> {
        let mut columns: Vec<Column> = Vec::new();
        for path in tables {
            let source = Source::open(path)?;
            let wrong = |found: String| Error::new(source.display(), found).expected(EXPECTED);
            let first = source.bytes().split(|&byte| byte == b'\n').next().unwrap_or_default();
            let delimiter = if first.contains(&b'\t') { b'\t' } else { b',' };
            let mut reader =
                csv::ReaderBuilder::new().delimiter(delimiter).from_reader(source.bytes());
            let head = reader.headers().map_err(|error| wrong(error.to_string()))?.clone();
            if head.len() < 2 {
                return Err(wrong(format!("{} in its first line", count(head.len(), "column"))));
            }
            let rows = reader.records().collect::<csv::Result<Vec<_>>>();
            let rows = rows.map_err(|error| wrong(error.to_string()))?;
            let ids = rows.iter().map(|row| Id::parse(row[0].trim())).collect();
            let ids = Ids::new(source.display(), ids);
            let side = detect_side(&ids, false, &self.gallery)?;
            let list = self.gallery.queries(side);
            let indices: Vec<Option<u32>> = ids.ids.iter().map(|id| list.find(id)).collect();
            let first_new = columns.len();
            for name in head.iter().skip(1).map(|name| shown(name.trim())) {
                if columns.iter().any(|known| known.name == name) {
                    return Err(wrong(format!("a second column named {name:?}"))
                        .fix("rename it in the first line of the file"));
                }
                columns.push(Column { name, side, values: vec![None; list.len()] });
            }
            let mut has_row = vec![false; list.len()];
            for (row, index) in rows.iter().zip(&indices) {
                let Some(index) = index.map(|index| index as usize) else { continue };
                if std::mem::replace(&mut has_row[index], true) {
                    return Err(wrong(format!("two rows of {}", shown(&row[0]))));
                }
                for (column, cell) in columns[first_new..].iter_mut().zip(row.iter().skip(1)) {
                    let cell = cell.trim();
                    column.values[index] = (!cell.is_empty()).then(|| Id::parse(cell));
                }
            }
            let missing = indices.iter().filter(|index| index.is_none()).count();
            if missing > 0 {
                let all = grouped(indices.len());
                let line = format!("{missing} of {all} rows are not in the gallery and excluded");
                self.notes.push(Note::warning(format!("{}: {line}", source.display())));
            }
        }
        self.columns = columns.into();
        Ok(())
    }

    /// The names of all columns.
    pub fn column_names(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn captions_have_what_a_table_says_of_their_image() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("places.csv");
        let mut study = demo::open().unwrap();
        let id = study.gallery.images[0].raw();
        let mut added = |text: String| {
            std::fs::write(&file, text).unwrap();
            study.add_columns(std::slice::from_ref(&file)).map(|()| study.columns.clone())
        };
        let columns = added(format!("image,place,year\n{id}, park ,2014\nnowhere,sea,\n")).unwrap();
        let twice = added(format!("image,place\n{id},park\n{id},sea\n")).unwrap_err();
        let same = added(format!("image,place,place\n{id},park,sea\n")).unwrap_err();
        let none = added("image,place\nx,y\n".to_owned()).unwrap_err();
        for (error, told) in [(twice, "two rows"), (same, "second column"), (none, "nothing is in")]
        {
            assert!(error.to_string().contains(told), "{error}");
        }
        let study = demo::open().unwrap();
        let caption = study.original_items(Direction::I2t, 0).first().unwrap() as usize;
        for (direction, query) in [(Direction::I2t, 0), (Direction::T2i, caption)] {
            assert_eq!(columns[0].value(&study, direction, query), Some(&Id::parse("park")));
            assert_eq!(columns[1].value(&study, direction, query), Some(&Id::Number(2014)));
        }
        assert_eq!(columns[0].value(&study, Direction::I2t, 1), None);
    }
}
