//! Ranked lists as Parquet tables, as engines and data frames write them.

use std::path::PathBuf;
use std::sync::Arc;

use itm_explore::data::Direction;
use itm_explore::data::scores::Scores;
use itm_explore::rank::ranking::Ranking;
use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::*;

/// A column: its name and its cells.
enum Cells {
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
    Texts(Vec<String>),
    Single(Vec<f32>),
    Double(Vec<f64>),
    /// Integers, some of them NULL.
    Holed(Vec<Option<i64>>),
}

impl Cells {
    fn declared(&self, name: &str) -> String {
        let kind = match self {
            Cells::Narrow(_) => "required int32",
            Cells::Wide(_) => "required int64",
            Cells::Texts(_) => return format!("required binary {name} (UTF8);"),
            Cells::Single(_) => "required float",
            Cells::Double(_) => "required double",
            Cells::Holed(_) => "optional int64",
        };
        format!("{kind} {name};")
    }

    fn len(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
            Cells::Texts(cells) => cells.len(),
            Cells::Single(cells) => cells.len(),
            Cells::Double(cells) => cells.len(),
            Cells::Holed(cells) => cells.len(),
        }
    }

    fn write(&self, rows: std::ops::Range<usize>, into: &mut ColumnWriter) {
        let texts = |cells: &[String]| -> Vec<ByteArray> {
            cells.iter().map(|cell| cell.as_str().into()).collect()
        };
        let written = match (self, into) {
            (Cells::Narrow(cells), ColumnWriter::Int32ColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Wide(cells), ColumnWriter::Int64ColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Single(cells), ColumnWriter::FloatColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Double(cells), ColumnWriter::DoubleColumnWriter(to)) => {
                to.write_batch(&cells[rows], None, None)
            }
            (Cells::Texts(cells), ColumnWriter::ByteArrayColumnWriter(to)) => {
                to.write_batch(&texts(&cells[rows]), None, None)
            }
            (Cells::Holed(cells), ColumnWriter::Int64ColumnWriter(to)) => {
                let levels: Vec<i16> = cells[rows.clone()]
                    .iter()
                    .map(|cell| cell.is_some().into())
                    .collect();
                let known: Vec<i64> = cells[rows].iter().copied().flatten().collect();
                to.write_batch(&known, Some(&levels), None)
            }
            _ => panic!("a column of another type"),
        };
        written.unwrap();
    }
}

/// The bytes of a table, 50 rows in a group.
fn parquet_bytes(columns: &[(&str, Cells)], compression: Compression) -> Vec<u8> {
    let declared: Vec<String> = columns
        .iter()
        .map(|(name, cells)| cells.declared(name))
        .collect();
    let schema = parse_message_type(&format!("message m {{ {} }}", declared.join(" "))).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .build();
    let mut file =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)).unwrap();
    let rows = columns[0].1.len();
    for start in (0..rows).step_by(50) {
        let mut group = file.next_row_group().unwrap();
        for (_, cells) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            cells.write(start..rows.min(start + 50), column.untyped());
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    file.into_inner().unwrap()
}

/// A row: query id, item id, rank from 1 on, score.
type Row = (i64, i64, i64, f64);

/// The best `depth` items of each query.
fn rows(depth: usize, direction: Direction) -> Vec<Row> {
    let (queries, items) = match direction {
        Direction::I2t => (IMAGES, CAPTIONS),
        Direction::T2i => (CAPTIONS, IMAGES),
    };
    let mut rows = Vec::new();
    for query in 0..queries {
        let cell = |item: usize| match direction {
            Direction::I2t => score(query, item),
            Direction::T2i => score(item, query),
        };
        let mut order: Vec<usize> = (0..items).collect();
        order.sort_by(|&a, &b| cell(b).total_cmp(&cell(a)));
        for (rank, &item) in (1..).zip(&order[..depth.min(items)]) {
            let ids = match direction {
                Direction::I2t => (query as i64, item as i64 + 100),
                Direction::T2i => (query as i64 + 100, item as i64),
            };
            rows.push((ids.0, ids.1, rank, cell(item)));
        }
    }
    rows
}

/// The same rows in another order.
fn shuffled(mut rows: Vec<Row>) -> Vec<Row> {
    let place = |row: &Row| (row.0 * 7919 + row.1 * 104_729) % 1009;
    rows.sort_by_key(place);
    rows
}

fn ids(rows: &[Row]) -> [Cells; 2] {
    let wide = |id: fn(&Row) -> i64| Cells::Wide(rows.iter().map(id).collect());
    [wide(|row| row.0), wide(|row| row.1)]
}

fn scores(rows: &[Row]) -> Cells {
    Cells::Single(rows.iter().map(|row| row.3 as f32).collect())
}

/// Query, item and score, as most write them.
fn plain(rows: &[Row]) -> Vec<(&'static str, Cells)> {
    let [queries, items] = ids(rows);
    vec![
        ("query_id", queries),
        ("doc_id", items),
        ("score", scores(rows)),
    ]
}

fn write(
    files: &Files,
    name: &str,
    columns: &[(&str, Cells)],
    compression: Compression,
) -> PathBuf {
    files.write(name, parquet_bytes(columns, compression))
}

/// A file for each direction, made from its rows.
fn both(
    files: &Files,
    name: &str,
    compression: Compression,
    columns: impl Fn(Vec<Row>) -> Vec<(&'static str, Cells)>,
) -> Vec<PathBuf> {
    let one = |direction: Direction| {
        let name = format!("{name}_{direction}.parquet");
        write(
            files,
            &name,
            &columns(rows(CAPTIONS, direction)),
            compression,
        )
    };
    Direction::BOTH.map(one).to_vec()
}

fn error(files: &Files, columns: &[(&str, Cells)]) -> String {
    let path = write(files, "wrong.parquet", columns, Compression::UNCOMPRESSED);
    let error = files.study(&[path], ScoreInputs::default()).unwrap_err();
    error.to_string()
}

#[test]
fn tables_in_every_form_equal_the_matrix() {
    let files = Files::new();
    let text = |ids: Cells| match ids {
        Cells::Wide(ids) => Cells::Texts(ids.iter().map(i64::to_string).collect()),
        other => other,
    };
    let paths = [
        both(&files, "plain", Compression::SNAPPY, |rows| plain(&rows)),
        both(&files, "shuffled", Compression::UNCOMPRESSED, |rows| {
            plain(&shuffled(rows))
        }),
        both(
            &files,
            "texts",
            Compression::GZIP(Default::default()),
            |rows| {
                let [queries, items] = ids(&rows).map(text);
                let distances = rows.iter().map(|row| 20.0 - row.3).collect();
                vec![
                    ("distance", Cells::Double(distances)),
                    ("Item", items),
                    ("qid", queries),
                ]
            },
        ),
        both(&files, "ranks", Compression::LZ4_RAW, |rows| {
            let rows = shuffled(rows);
            let narrow = |cell: fn(&Row) -> i64| {
                Cells::Narrow(rows.iter().map(|row| cell(row) as i32).collect())
            };
            vec![
                ("query", narrow(|row| row.0)),
                ("neighbor", narrow(|row| row.1)),
                ("rank", narrow(|row| row.2 - 1)),
            ]
        }),
        both(&files, "sides", Compression::LZ4, |rows| {
            let [queries, items] = ids(&rows);
            let (query, item) = if rows[0].0 == 0 {
                ("image_id", "caption_id")
            } else {
                ("caption_id", "image_id")
            };
            vec![
                (item, items),
                (query, queries),
                ("similarity", scores(&rows)),
            ]
        }),
    ];
    let study = files
        .study(&paths.concat(), ScoreInputs::default())
        .unwrap();
    let names: Vec<&str> = study
        .models
        .iter()
        .map(|model| model.name.as_str())
        .collect();
    assert_eq!(names, ["plain", "shuffled", "texts", "ranks", "sides"]);
    assert_same(&files, &study);
}

#[test]
fn short_tables_tell_what_they_hold() {
    let files = Files::new();
    let flag = |direction| {
        let name = format!("short_{direction}.parquet");
        write(
            &files,
            &name,
            &plain(&rows(1, direction)),
            Compression::SNAPPY,
        )
    };
    let flags = ScoreInputs {
        run_i2t: Some(flag(Direction::I2t)),
        run_t2i: Some(flag(Direction::T2i)),
        ..ScoreInputs::default()
    };
    let found = numbers(&files.study(&[], flags).unwrap());
    assert!(
        found.undefined[0].contains("original_map_at_r"),
        "{:?}",
        found.undefined
    );
    let r1 = found
        .lines
        .iter()
        .position(|line| line.key == "original_r1")
        .unwrap();
    assert_eq!(found.models[0].2[r1], dense(&files)[r1]);
}

#[test]
fn scores_are_read_when_a_list_is_looked_at() {
    let files = Files::new();
    for (name, rows) in [
        ("a", rows(5, Direction::T2i)),
        ("b", shuffled(rows(5, Direction::T2i))),
    ] {
        for with_ranks in [false, true] {
            let mut columns = plain(&rows);
            if with_ranks {
                columns.push(("rank", Cells::Wide(rows.iter().map(|row| row.2).collect())));
            }
            // An item that the gallery lacks leaves no gap.
            let Cells::Wide(items) = &mut columns[1].1 else {
                panic!()
            };
            items[1] = if with_ranks { 4711 } else { items[1] };
            let path = write(
                &files,
                &format!("{name}.parquet"),
                &columns,
                Compression::SNAPPY,
            );
            let model = files
                .study(&[path], ScoreInputs::default())
                .unwrap()
                .models
                .remove(0);
            assert!(matches!(model.scores, Scores::Lists(_)));
            for query in 0..CAPTIONS {
                let ranking = Ranking::of(&model, Direction::T2i, query);
                for &image in &ranking.order {
                    let expected = score(image as usize, query);
                    assert_eq!(ranking.scores[image as usize], expected, "{name}, {query}");
                }
            }
        }
    }
}

#[test]
fn a_folder_of_parts_is_one_model() {
    let files = Files::new();
    let folder = files.path("ours.parquet");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("_SUCCESS"), "").unwrap();
    let rows = rows(CAPTIONS, Direction::T2i);
    for (part, rows) in rows.chunks(77).enumerate() {
        let bytes = parquet_bytes(&plain(rows), Compression::SNAPPY);
        std::fs::write(
            folder.join(format!("part-{part:05}-c000.snappy.parquet")),
            bytes,
        )
        .unwrap();
    }
    let empty = parquet_bytes(&plain(&[]), Compression::SNAPPY);
    std::fs::write(folder.join("part-99999-c000.snappy.parquet"), empty).unwrap();
    let whole = write(&files, "whole.parquet", &plain(&rows), Compression::SNAPPY);
    let study = files
        .study(&[folder.clone(), whole], ScoreInputs::default())
        .unwrap();
    let found = numbers(&study).models;
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].2, found[1].2);
    let flags = ScoreInputs {
        run_t2i: Some(folder),
        ..ScoreInputs::default()
    };
    assert_eq!(
        numbers(&files.study(&[], flags).unwrap()).models[0].2,
        found[0].2
    );
}

#[test]
fn columns_that_are_not_told_apart_are_refused() {
    let files = Files::new();
    let rows = rows(3, Direction::T2i);
    let refused = |change: &dyn Fn(&mut Vec<(&'static str, Cells)>), what: &str| {
        let mut columns = plain(&rows);
        change(&mut columns);
        let error = error(&files, &columns);
        assert!(error.contains(what), "{error}");
        assert!(error.contains("to mend it"), "{error}");
    };
    refused(
        &|columns| columns[1].0 = "retrieved",
        "no item among the columns of this Parquet table (query_id, retrieved, score)",
    );
    refused(&|columns| columns[0].0 = "asked", "no query among");
    refused(&|columns| drop(columns.pop()), "neither a rank nor a score");
    refused(
        &|columns| columns.push(("dist", scores(&rows))),
        "score and dist for the score",
    );
    refused(
        &|columns| columns.push(("qid", Cells::Wide(vec![1; rows.len()]))),
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
    refused(
        1,
        Cells::Wide(twice),
        "stands twice in the list of query 100",
    );
    let mut columns = plain(&rows);
    columns.push(("position", Cells::Narrow(vec![1; rows.len()])));
    let error = error(&files, &columns);
    assert!(
        error.contains("rank 1 stands twice in the list of query 100"),
        "{error}"
    );
}

/// Cut and changed files end in an error or, where a change hits a value, in other lists.
#[test]
fn damaged_tables_never_panic() {
    let files = Files::new();
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::LZ4_RAW,
    ] {
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
