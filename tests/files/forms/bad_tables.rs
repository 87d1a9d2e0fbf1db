//! Parquet tables that are refused.

use itm_explore::data::Direction;
use parquet::basic::Compression;

use super::parquet_file::{Cells, parquet_bytes};
use super::tables::{Columns, plain, rows, scores, write};
use super::*;

fn error(files: &Files, columns: &[(&str, Cells)]) -> String {
    let path = write(files, "wrong.parquet", columns, Compression::UNCOMPRESSED);
    let error = files.study(&[path], ScoreInputs::default()).unwrap_err();
    error.to_string()
}

#[test]
fn columns_that_are_not_told_apart_are_refused() {
    let files = Files::new();
    let rows = rows(3, Direction::T2i);
    let refused = |change: &dyn Fn(&mut Columns), what: &str| {
        let mut columns = plain(&rows);
        change(&mut columns);
        let error = error(&files, &columns);
        assert!(error.contains(what), "{error}");
        assert!(error.contains("fix"), "{error}");
    };
    refused(
        &|columns| columns[1].0 = "retrieved",
        "no item among the columns of this table (query_id, retrieved, score)",
    );
    refused(&|columns| columns[0].0 = "asked", "no query among");
    refused(&|columns| drop(columns.pop()), "neither a rank nor a score");
    refused(&|columns| columns.push(("dist", scores(&rows))), "score and dist for the score");
    refused(
        &|columns| columns.push(("qid", Cells::DenseRanks(vec![1; rows.len()]))),
        "query_id and qid for the query",
    );
    refused(
        &|columns| (columns[0].0, columns[1].0) = ("text_id", "image_id"),
        "no word which is the query",
    );
    refused(
        &|columns| columns[1].1 = Cells::Double(vec![1.0; rows.len()]),
        "the column doc_id is of type DOUBLE",
    );
}

#[test]
fn cells_that_say_nothing_are_refused_with_their_row() {
    let files = Files::new();
    let rows = rows(3, Direction::T2i);
    let refused = |at: usize, cells: Cells, what: &str| {
        let mut columns = plain(&rows);
        columns[at].1 = cells;
        let error = error(&files, &columns);
        assert!(error.contains(what), "{error}");
    };
    let mut holed: Vec<Option<i64>> = rows.iter().map(|row| Some(row.1)).collect();
    holed[61] = None;
    refused(1, Cells::Holed(holed), "NULL in column doc_id, row 61");
    let mut nan: Vec<f32> = rows.iter().map(|row| row.3 as f32).collect();
    nan[70] = f32::NAN;
    refused(2, Cells::Single(nan), "NaN in column score, row 70");
    let mut twice: Vec<i64> = rows.iter().map(|row| row.1).collect();
    twice[1] = twice[0];
    refused(1, Cells::DenseRanks(twice), "stands twice in the list of query 100");
    let mut columns = plain(&rows);
    columns.push(("position", Cells::Narrow(vec![1; rows.len()])));
    let error = error(&files, &columns);
    assert!(error.contains("rank 1 stands twice in the list of query 100"), "{error}");
}

/// Cut and changed files end in an error or, where a change hits a value, in other lists.
#[test]
fn damaged_tables_never_panic() {
    let files = Files::new();
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
        let whole = parquet_bytes(&plain(&rows(4, Direction::T2i)), compression);
        let open = |bytes: &[u8]| {
            let path = files.write("damaged.parquet", bytes);
            files.study(&[path], ScoreInputs::default())
        };
        for len in (4..whole.len()).step_by(97) {
            let error = open(&whole[..len]).unwrap_err().to_string();
            assert!(error.contains("damaged Parquet data"), "{error}");
        }
        for at in 4..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            let _ = open(&bytes);
        }
    }
}
