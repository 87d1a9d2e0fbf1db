//! Embeddings as Parquet tables, a row for each image or caption.

use std::fmt::Write as _;
use std::sync::Arc;

use parquet::column::writer::ColumnWriter;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::*;

/// Writes ids, images of captions where there are any, and embeddings of two dimensions as lists.
fn table(files: &Files, name: &str, columns: &[(&str, Vec<i64>)], rows: &[[f32; 2]]) -> PathBuf {
    let mut fields = String::new();
    for (name, _) in columns {
        let _ = write!(fields, "required int64 {name}; ");
    }
    fields += "optional group embedding (LIST) { repeated group list { optional float element; } }";
    let schema = parse_message_type(&format!("message schema {{ {fields} }}")).unwrap();
    let path = files.path(name);
    let file = std::fs::File::create(&path).unwrap();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), properties).unwrap();
    let parts = [0..rows.len() / 2, rows.len() / 2..rows.len()];
    for part in parts {
        let mut group = writer.next_row_group().unwrap();
        for (_, cells) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            let ColumnWriter::Int64ColumnWriter(to) = column.untyped() else {
                panic!("ids are integers");
            };
            to.write_batch(&cells[part.clone()], None, None).unwrap();
            column.close().unwrap();
        }
        let cells = rows[part.clone()].concat();
        let levels: Vec<i16> = vec![3; cells.len()];
        let repeated: Vec<i16> = (0..cells.len()).map(|at| (at % 2) as i16).collect();
        let mut column = group.next_column().unwrap().unwrap();
        let ColumnWriter::FloatColumnWriter(to) = column.untyped() else {
            panic!("embeddings are floats");
        };
        to.write_batch(&cells, Some(&levels), Some(&repeated)).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
    path
}

fn direction(at: usize) -> [f32; 2] {
    let angle = at as f32;
    [angle.cos(), angle.sin()]
}

fn ids(first: i64, len: usize) -> Vec<i64> {
    (first..).take(len).collect()
}

fn opened(image_emb: PathBuf, text_emb: PathBuf) -> itm_explore::error::Result<Study> {
    let scores = ScoreInputs {
        image_emb: Some(image_emb),
        text_emb: Some(text_emb),
        ..ScoreInputs::default()
    };
    study::open(&Inputs { scores, ..Inputs::default() })
}

#[test]
fn tables_of_embeddings_tell_ids_and_the_pairing() {
    let files = Files::new();
    let rows: Vec<[f32; 2]> = (0..6).map(direction).collect();
    let images = table(&files, "i.parquet", &[("image_id", ids(70, 6))], &rows);
    let of: Vec<usize> = vec![3, 0, 5, 5, 1, 2, 4, 3];
    let rows: Vec<[f32; 2]> = of.iter().map(|&image| direction(image)).collect();
    let images_of = of.iter().map(|&image| 70 + image as i64).collect();
    let columns = [("caption_id", ids(900, 8)), ("image_id", images_of)];
    let captions = table(&files, "c.parquet", &columns, &rows);
    let study = opened(images.clone(), captions.clone()).unwrap();
    assert_eq!(study.gallery.images[0].to_string(), "70");
    assert_eq!(study.gallery.captions[7].to_string(), "907");
    let found = numbers(&study);
    let r1 = found.lines.iter().position(|line| line.key == "original_r1").unwrap();
    let Value::Each(values) = found.models[0].2[r1] else {
        panic!("one value for each direction");
    };
    assert_eq!(
        [values.i2t.unwrap().value.unwrap(), values.t2i.unwrap().value.unwrap()],
        [1.0, 1.0]
    );
    // A table without embeddings, and ids in another order than those of the gallery.
    let lists =
        ScoreInputs { image_emb: Some(images), text_emb: Some(captions), ..ScoreInputs::default() };
    let error = study::open(&Inputs {
        caption_ids: Some(files.write("ids.json", "[901, 900, 902, 903, 904, 905, 906, 907]")),
        scores: lists,
        ..Inputs::default()
    });
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the id 900 where the gallery has 901"), "{error}");
}

#[test]
fn damaged_tables_of_embeddings_are_refused() {
    let files = Files::new();
    let rows: Vec<[f32; 2]> = (0..6).map(direction).collect();
    let images = table(&files, "i.parquet", &[("image_id", ids(70, 6))], &rows);
    let flat = files.path("flat.parquet");
    let whole = std::fs::read(&images).unwrap();
    std::fs::write(&flat, &whole[..whole.len() / 2]).unwrap();
    let error = opened(images, flat).unwrap_err().to_string();
    assert!(error.contains("damaged Parquet data"), "{error}");
}
