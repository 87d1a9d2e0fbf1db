//! Output formats for one direction of a truth. A format is one line in [`OUTPUTS`].

use std::io::{self, Write};

use super::pairs::{NOT_RELEVANT, Pairs};
use super::qrels::NO_ITEM;
use crate::data::id::Id;
use crate::data::{Direction, json_text};

/// A file format in which one direction of a truth is written.
pub struct Output {
    /// Value of `--format`.
    pub key: &'static str,
    /// File name suffix after the truth's name, by direction: i2t, t2i.
    endings: [&'static str; 2],
    /// Whether grades are kept.
    pub keeps_grades: bool,
    /// Writes the pairs.
    write: fn(&mut dyn Write, &Pairs) -> io::Result<()>,
}

/// All output formats.
pub const OUTPUTS: &[Output] = &[
    Output {
        key: "json",
        endings: ["_image_to_caption.json", "_caption_to_image.json"],
        keeps_grades: false,
        write: write_json,
    },
    Output {
        key: "qrels",
        endings: ["_i2t.qrels", "_t2i.qrels"],
        keeps_grades: true,
        write: write_qrels,
    },
];

impl Output {
    /// File name for a truth and a direction; readers recover both from it.
    pub fn file_name(&self, truth: &str, direction: Direction) -> String {
        let ending = self.endings[usize::from(direction == Direction::T2i)];
        format!("{truth}{ending}")
    }

    /// Writes the pairs in their order.
    ///
    /// # Errors
    /// I/O errors of `out`; for qrels, an empty id or one with a space.
    pub fn write(&self, mut out: impl Write, pairs: &Pairs) -> io::Result<()> {
        (self.write)(&mut out, pairs)?;
        out.flush()
    }
}

/// Writes `{query id: [ids of its positives]}`.
fn write_json(out: &mut dyn Write, pairs: &Pairs) -> io::Result<()> {
    json_text::write(&mut *out, pairs)?;
    writeln!(out)
}

/// Writes TREC qrels. Pairs judged not relevant have grade 0, pooled unjudged pairs -1. A query with neither positives
/// nor pairs of grade 0 gets one line with a placeholder item, to record that it is covered.
fn write_qrels(out: &mut dyn Write, pairs: &Pairs) -> io::Result<()> {
    for (query, items) in pairs.iter_graded() {
        if items.clone().all(|(_, grade)| grade < NOT_RELEVANT) {
            writeln!(out, "{} 0 {NO_ITEM} 0", qrels_field(query)?)?;
        }
        for (item, grade) in items {
            writeln!(out, "{} 0 {} {grade}", qrels_field(query)?, qrels_field(item)?)?;
        }
    }
    Ok(())
}

/// An id as a field of qrels, which cannot be empty or have a space.
fn qrels_field(id: &Id) -> io::Result<String> {
    let word = id.raw();
    if word.is_empty() || word.contains(char::is_whitespace) {
        let found =
            format!("the id {word:?} cannot stand in qrels, whose fields are parted by blanks");
        return Err(io::Error::new(io::ErrorKind::InvalidData, found));
    }
    Ok(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::source::Source;
    use crate::truth::FORMATS;
    use crate::truth::pairs::{GradesById, POOLED};

    fn pairs() -> Pairs {
        serde_json::from_str(r#"{"9":[3,1],"x":["y.jpg"],"7":[]}"#).unwrap()
    }

    #[test]
    fn what_is_written_is_read_again() {
        for output in OUTPUTS {
            let mut bytes = Vec::new();
            output.write(&mut bytes, &pairs()).unwrap();
            let name = output.file_name("mine", Direction::T2i);
            let source = Source::in_memory(&name, bytes);
            let shape = (output.key == "json").then(|| crate::data::json::shape(&source).unwrap());
            let format = FORMATS.iter().find(|format| (format.accepts)(&source, shape));
            let parts = (format.unwrap().read)(&source).unwrap();
            assert_eq!(parts.truths[0].name, "mine");
            assert_eq!(parts.truths[0].direction, Some(Direction::T2i));
            assert_eq!(parts.truths[0].pairs, pairs(), "{name}");
        }
    }

    #[test]
    fn grades_stand_in_qrels() {
        let graded = vec![(Id::Number(3), 2), (Id::Number(1), 1)];
        let pairs = Pairs::with_grades([(Id::Number(9), graded)], 1);
        let mut bytes = Vec::new();
        OUTPUTS[1].write(&mut bytes, &pairs).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "9 0 3 2\n9 0 1 1\n");
    }

    #[test]
    fn judgments_of_nonrelevant_stand_in_qrels() {
        let lists = |text: &str| serde_json::from_str::<Pairs>(text).unwrap();
        let [zeros, pooled] = [r#"{"9":[4],"7":[2]}"#, r#"{"9":[5]}"#].map(lists);
        let judged =
            pairs().add_grades(&GradesById::new(), 1, [(&zeros, NOT_RELEVANT), (&pooled, POOLED)]);
        let mut bytes = Vec::new();
        OUTPUTS[1].write(&mut bytes, &judged).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains("7 0 2 0") && !text.contains("7 0 - 0"), "{text}");
        let source = Source::in_memory("mine_t2i.qrels", bytes);
        let format = FORMATS.iter().find(|format| (format.accepts)(&source, None));
        let parts = (format.unwrap().read)(&source).unwrap();
        assert_eq!(parts.truths[0].pairs, judged);
    }

    #[test]
    fn ids_with_blanks_are_no_words() {
        let pairs: Pairs = serde_json::from_str(r#"{"a b":[3]}"#).unwrap();
        let error = OUTPUTS[1].write(Vec::new(), &pairs).unwrap_err();
        assert!(error.to_string().contains("\"a b\""), "{error}");
    }
}
