//! Layout of ECCV Caption's published raw annotations: CSV with
//! `model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2`, annotation from 1 (yes) to 4 (no).
//!
//! It has no names: the annotator is the file name. A pair has one line per model that proposed it.

use csv::StringRecord;

use super::{EXPECTED, NumberedEntry, ParsedAnswer, parse_response};
use crate::data::id::Id;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::{JudgmentEntry, Timestamp};

/// Columns used: caption, image, response.
const COLUMNS: [&str; 3] = ["cid", "iid", "annotation"];

/// Reads the annotations, numbered by line.
pub(super) fn read(source: &Source) -> Result<Vec<NumberedEntry>> {
    source.require_text(EXPECTED)?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(source.bytes());
    let broken = |error: csv::Error| Error::new(source.display(), error);
    let columns = Columns::from_header(reader.headers().map_err(broken)?, source)?;
    let annotator = source.stem();
    let mut found = Vec::new();
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line() as usize;
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(found),
            Ok(true) => {
                let line = record.position().map_or(line, |at| at.line() as usize);
                found.push((line, columns.parse(&record, &annotator)));
            }
            Err(error) => found.push((line, Err(error.to_string()))),
        }
    }
}

/// Index of each of [`COLUMNS`] in the file.
struct Columns([usize; 3]);

impl Columns {
    /// Finds the columns in the header line.
    fn from_header(head: &StringRecord, source: &Source) -> Result<Self> {
        let place = |name: &str| head.iter().position(|column| column.trim() == name);
        if let [Some(caption), Some(image), Some(answer)] = COLUMNS.map(place) {
            return Ok(Columns([caption, image, answer]));
        }
        let missing = COLUMNS.into_iter().filter(|name| place(name).is_none());
        let found = if head.iter().all(|column| column.trim().is_empty()) {
            "empty".to_owned()
        } else {
            format!("no column {}", missing.collect::<Vec<_>>().join(", "))
        };
        Err(Error::new(source.display(), found).expected(EXPECTED))
    }

    /// Parses a line, by the annotator `by`; an error text if it is no valid response.
    fn parse(&self, record: &StringRecord, by: &str) -> std::result::Result<ParsedAnswer, String> {
        let field = |at: usize| record.get(self.0[at]).unwrap_or_default().trim();
        let id = |at: usize| match field(at) {
            "" => Err(format!("no {}", COLUMNS[at])),
            text => Ok(Id::parse(text)),
        };
        let (caption, image) = (id(0)?, id(1)?);
        // Tables written by a data frame have 1.0.
        let word = field(2).strip_suffix(".0").unwrap_or(field(2));
        let (judgment, at) = (parse_response(word)?.judgment(), Timestamp::from_seconds(0));
        Ok(JudgmentEntry::new(image, caption, judgment, at, by).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::import::{CheckedImport, Import};

    const RAW: &str = "model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2\n\
                       pcme,1,0.5,30,9,1,,\nvsrn,4,0.2,30,9,1,,\npcme,2,0.4,31,9,3,number,other\n";

    fn import(text: &str) -> Import {
        let source = Source::in_memory("raw/first.csv", text.into());
        Import::read(&[source]).unwrap()
    }

    #[test]
    fn a_line_for_each_model_is_one_answer() {
        let import = import(RAW);
        assert_eq!((import.files[0].layout, import.answers.len()), ("published annotations", 3));
        assert_eq!(import.answers[0].entry.by, "first");
        let checked = CheckedImport::from_import(
            import,
            None,
            &crate::annotate::import::CheckOptions::default(),
        );
        assert_eq!((checked.problems.len(), checked.panel.pairs.len()), (0, 2));
    }

    #[test]
    fn broken_lines_are_reported_with_their_number() {
        let import = import("cid,iid,annotation\n30,9,1.0\n31,9,5\n,9,1\n32\n");
        let told: Vec<(usize, &str)> =
            import.problems.iter().map(|one| (one.place.nth, &one.found[..])).collect();
        assert_eq!(import.answers.len(), 1);
        assert_eq!(told[0].0, 3);
        assert!(told[0].1.starts_with("\"5\" is no answer"));
        assert_eq!(told[1..], [(4, "no cid"), (5, "no iid")]);
        let error =
            Import::read(&[Source::in_memory("x.csv", b"a,b\n1,2\n".to_vec())]).unwrap_err();
        assert!(error.to_string().contains("no column cid, iid, annotation"), "{error}");
    }
}
