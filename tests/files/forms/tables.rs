//! Ranked lists as Parquet tables, as engines and data frames write them.

use std::path::PathBuf;

use itm_explore::data::Direction;
use itm_explore::data::scores::Scores;
use itm_explore::rank::ranking::Ranking;
use parquet::basic::{Compression, GzipLevel};

use super::parquet_file::{Cells, parquet_bytes};
use super::*;

/// Names of columns, and their cells.
pub type Columns = Vec<(&'static str, Cells)>;

/// A row: query id, item id, rank from 1 on, score.
pub type Row = (i64, i64, i64, f64);

/// The best `depth` items of each query.
pub fn rows(depth: usize, direction: Direction) -> Vec<Row> {
    let (queries, items) = direction.query_and_item(IMAGES, CAPTIONS);
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

fn shuffled(mut rows: Vec<Row>) -> Vec<Row> {
    let place = |row: &Row| (row.0 * 7919 + row.1 * 104_729) % 1009;
    rows.sort_by_key(place);
    rows
}

fn ids(rows: &[Row]) -> [Cells; 2] {
    let wide = |id: fn(&Row) -> i64| Cells::DenseRanks(rows.iter().map(id).collect());
    [wide(|row| row.0), wide(|row| row.1)]
}

pub fn scores(rows: &[Row]) -> Cells {
    Cells::Single(rows.iter().map(|row| row.3 as f32).collect())
}

/// Query, item and score, as most write them.
pub fn plain(rows: &[Row]) -> Columns {
    let [queries, items] = ids(rows);
    vec![("query_id", queries), ("doc_id", items), ("score", scores(rows))]
}

pub fn write(
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
    columns: impl Fn(Vec<Row>) -> Columns,
) -> Vec<PathBuf> {
    let one = |direction: Direction| {
        let name = format!("{name}_{direction}.parquet");
        write(files, &name, &columns(rows(CAPTIONS, direction)), compression)
    };
    Direction::BOTH.map(one).to_vec()
}

#[test]
fn tables_in_every_form_equal_the_matrix() {
    let files = Files::new();
    let text = |ids: Cells| match ids {
        Cells::DenseRanks(ids) => Cells::Texts(ids.iter().map(i64::to_string).collect()),
        other => other,
    };
    let paths = [
        both(&files, "plain", Compression::SNAPPY, |rows| plain(&rows)),
        both(&files, "shuffled", Compression::UNCOMPRESSED, |rows| plain(&shuffled(rows))),
        both(&files, "texts", Compression::GZIP(GzipLevel::default()), |rows| {
            let [queries, items] = ids(&rows).map(text);
            let distances = rows.iter().map(|row| 20.0 - row.3).collect();
            vec![("distance", Cells::Double(distances)), ("Item", items), ("qid", queries)]
        }),
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
        both(&files, "sides", Compression::LZ4_RAW, |rows| {
            let [queries, items] = ids(&rows);
            let (query, item) = if rows[0].0 == 0 {
                ("image_id", "caption_id")
            } else {
                ("caption_id", "image_id")
            };
            vec![(item, items), (query, queries), ("similarity", scores(&rows))]
        }),
    ];
    let study = files.study(&paths.concat(), ScoreInputs::default()).unwrap();
    let names: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["plain", "shuffled", "texts", "ranks", "sides"]);
    assert_same(&files, &study);
}

#[test]
fn short_tables_tell_what_they_hold() {
    let files = Files::new();
    let flag = |direction| {
        let name = format!("short_{direction}.parquet");
        write(&files, &name, &plain(&rows(1, direction)), Compression::SNAPPY)
    };
    let flags = ScoreInputs {
        run_i2t: Some(flag(Direction::I2t)),
        run_t2i: Some(flag(Direction::T2i)),
        ..ScoreInputs::default()
    };
    assert_short(&files, &files.study(&[], flags).unwrap());
}

#[test]
fn scores_are_read_when_a_list_is_looked_at() {
    let files = Files::new();
    for (name, rows) in [("a", rows(5, Direction::T2i)), ("b", shuffled(rows(5, Direction::T2i)))] {
        for with_ranks in [false, true] {
            let mut columns = plain(&rows);
            if with_ranks {
                columns.push(("rank", Cells::DenseRanks(rows.iter().map(|row| row.2).collect())));
            }
            // An item that the gallery lacks leaves no gap.
            let Cells::DenseRanks(items) = &mut columns[1].1 else { panic!() };
            items[1] = if with_ranks { 4711 } else { items[1] };
            let path = write(&files, &format!("{name}.parquet"), &columns, Compression::SNAPPY);
            let model = files.study(&[path], ScoreInputs::default()).unwrap().models.remove(0);
            assert!(matches!(model.scores, Scores::Lists(_)));
            for query in 0..CAPTIONS {
                let ranking = Ranking::for_query(&model, Direction::T2i, query);
                for &image in &ranking.order {
                    let expected = score(image as usize, query);
                    let found = ranking.scores[image as usize];
                    assert!(found.total_cmp(&expected).is_eq(), "{name}, {query}");
                }
            }
        }
    }
}
