//! TREC qrels: `qid 0 docno rel`, one line per judged pair; also as a table with a header (BEIR) or as `{query: {item:
//! grade}}`.
//!
//! A pair is positive if rel is above 0, or reaches a given threshold; if any rel is above 1, grades are kept. A query
//! with any line is covered, even without positives (like `trec_eval`). Pairs of rel 0 are judged not relevant, those
//! of rel -1 pooled but not judged; lower values are ignored.

use rustc_hash::FxHashSet;

use super::id_map::name_and_direction;
use super::pairs::{POOLED, Pairs};
use super::{Format, Listed, TruthFile};
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::json::Shape;
use crate::data::rows::{self, Meaning, Row, Rows};
use crate::data::source::Source;
use crate::data::trec;
use crate::error::{Error, Result};

/// The format of qrels, one direction per file; both of a table of pairs.
pub static QRELS: Format = Format { accepts, ending: Some("qrels"), read };

/// Whether a file lists judged pairs: TREC qrels, or a table or object of grades or of positive pairs.
fn accepts(source: &Source, shape: Option<Shape>) -> bool {
    if shape.is_none() && trec::are_qrels(source) {
        return true;
    }
    let is_table = match shape {
        None => rows::has_header(source),
        Some(shape) => shape == Shape::Scored,
    };
    let are_grades = |rows: Rows| rows.meaning() == Meaning::Grades;
    is_table && rows::read(source, None).is_ok_and(are_grades)
}

/// Reads qrels, or a table or object of grades.
fn read(source: &Source) -> Result<TruthFile> {
    let (name, direction) = name_and_direction(&source.stem());
    let rows = if trec::are_qrels(source) {
        trec::read_qrels(source)?
    } else {
        rows::read(source, direction)?
    };
    let direction = rows.direction.or(direction);
    let are_pairs = rows.are_pairs();
    let pairs = pairs_from_rows(source, rows)?;
    let file = source.display();
    let transposed =
        are_pairs.then(|| Listed::new(&name, Direction::I2t, pairs.transposed(), &file));
    let mut truths = vec![Listed { name, direction, pairs, file }];
    truths.extend(transposed);
    Ok(TruthFile { truths, ..TruthFile::default() })
}

/// Placeholder item of a covered query without items: see [`super::output`].
pub(super) const NO_ITEM: &str = "-";

/// Higher grades are clamped to this.
const MAX_GRADE: f64 = (1 << 30) as f64;

/// The pairs of rows and their grades.
///
/// # Errors
/// A pair with two rows, or a number that is not whole.
fn pairs_from_rows(source: &Source, rows: Rows) -> Result<Pairs> {
    let mut queries: Vec<(Id, Vec<(Id, i64)>)> = Vec::new();
    let no_item = Id::Text(NO_ITEM.into());
    for (query, rows) in rows.queries {
        let mut seen = FxHashSet::default();
        let mut judged = Vec::new();
        for Row { item, number, .. } in rows {
            let wrong = |found: String| Error::new(source.display(), found);
            if !seen.insert(item.clone()) {
                let found = format!("item {item} is judged for query {query} twice");
                return Err(wrong(found).expected("every pair once"));
            }
            if number.fract() != 0.0 || number.is_infinite() {
                let found = format!("grade {number} of item {item} for query {query}");
                return Err(wrong(found).expected("whole grades"));
            }
            let grade = number.clamp(-2.0, MAX_GRADE) as i64;
            if grade > 0 || grade >= POOLED && item != no_item {
                judged.push((item, grade));
            }
        }
        queries.push((query, judged));
    }
    Ok(Pairs::with_grades(queries, 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::pairs::NOT_RELEVANT;

    fn source(text: &str) -> Source {
        Source::in_memory("mine_t2i.qrels", text.as_bytes().to_vec())
    }

    #[test]
    fn positives_are_above_zero_and_queries_without_any_are_judged() {
        let file = source("\n7 0 3 1\r\n9 0 x.jpg 0\n7 0 4 2\n7 0 5 0\n7 0 6 -1\n7 0 8 -2\n");
        assert!((QRELS.accepts)(&file, None));
        let parts = read(&file).unwrap();
        let [listed] = &parts.truths[..] else { panic!() };
        assert_eq!((&listed.name[..], listed.direction), ("mine", Some(Direction::T2i)));
        let text = serde_json::to_string(&listed.pairs).unwrap();
        assert_eq!(text, r#"{"7":[3,4],"9":[]}"#);
        let grades: Vec<i64> =
            listed.pairs.iter_coded().flat_map(|(_, of)| of.map(|one| one.1)).collect();
        assert_eq!(grades, [1, 2, 0, -1, 0]);
        let nonrelevant =
            serde_json::to_string(&listed.pairs.filter_grade(NOT_RELEVANT).unwrap()).unwrap();
        assert_eq!(nonrelevant, r#"{"7":[5],"9":["x.jpg"]}"#);
        let pooled = serde_json::to_string(&listed.pairs.filter_grade(POOLED).unwrap()).unwrap();
        assert_eq!(pooled, r#"{"7":[6]}"#);
        let plain = read(&source("7 0 3 1\n7 0 4 0\n")).unwrap();
        assert_eq!(plain.truths[0].pairs.highest_grade(), None);
    }

    #[test]
    fn tables_with_a_header_and_objects_of_grades_are_the_same() {
        let trec = read(&source("q 0 a 1.0\nq 0 b 0\nr 0 a 2\n")).unwrap();
        for text in [
            "query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t0.0\nr\ta\t2\n",
            "query,item,grade\nq,a,1\nq,b,0\nr,a,2\n",
            r#"{"q": {"a": 1, "b": 0}, "r": {"a": 2.0}}"#,
        ] {
            let file = source(text);
            let shape = text.starts_with('{').then_some(Shape::Scored);
            assert!((QRELS.accepts)(&file, shape), "{text}");
            let read = read(&file).unwrap();
            assert_eq!(read.truths[0].pairs, trec.truths[0].pairs, "{text}");
        }
        let run = source("query,item,score\nq,a,0.5\n");
        assert!(!(QRELS.accepts)(&run, None));
    }

    #[test]
    fn a_table_of_pairs_has_both_directions() {
        let file = source("image_id,caption_id\n1,7\n1,8\n2,8\n");
        assert!((QRELS.accepts)(&file, None));
        let truths = read(&file).unwrap().truths;
        let texts: Vec<_> =
            truths.iter().map(|one| serde_json::to_string(&one.pairs).unwrap()).collect();
        assert_eq!(texts, [r#"{"7":[1],"8":[1,2]}"#, r#"{"1":[7,8],"2":[8]}"#]);
        let directions: Vec<_> = truths.iter().map(|one| one.direction.unwrap()).collect();
        assert_eq!(directions, [Direction::T2i, Direction::I2t]);
    }

    #[test]
    fn what_is_none_of_qrels_is_told_with_its_line() {
        for other in ["", "1 Q0 5 1 0.5 tag", "a dog runs 4", "1 0 5 x"] {
            assert!(!(QRELS.accepts)(&source(other), None), "{other}");
        }
        for (text, told) in [
            ("1 0 5 1\n1 0 6\n", "line 2 is none"),
            ("1 0 5 1\n1 0 5 0", "item 5 is judged for query 1 twice"),
            ("1 0 5 1.5", "grade 1.5 of item 5"),
        ] {
            let error = read(&source(text)).err().unwrap().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
