//! Ranked lists and judgments as the field writes them: every form gives the same numbers, and ids that match nothing
//! give none.

use super::*;

/// A row: query, item, rank from 1 on, score.
type Row = (usize, usize, usize, f64);

/// Complete lists of a direction, the best items first; of equal ones the first.
fn rows(of_images: bool) -> Vec<Row> {
    let sizes = if of_images { [IMAGES, CAPTIONS] } else { [CAPTIONS, IMAGES] };
    let cell = |query: usize, item: usize| {
        if of_images { score(query, item) } else { score(item, query) }
    };
    let [of_queries, of_items] = if of_images { [0, 100] } else { [100, 0] };
    let list = |query: usize| {
        let mut items: Vec<usize> = (0..sizes[1]).collect();
        items.sort_by(|&a, &b| cell(query, b).total_cmp(&cell(query, a)));
        let ranked = (1..).zip(items);
        ranked
            .map(move |(rank, item)| (query + of_queries, item + of_items, rank, cell(query, item)))
    };
    (0..sizes[0]).flat_map(list).collect()
}

fn lines(rows: &[Row], of: impl Fn(&Row) -> String) -> String {
    rows.iter().map(of).collect::<Vec<_>>().join("\n") + "\n"
}

/// The rows of each query, and what a query's become.
fn by_query(rows: &[Row], of: impl Fn(usize, &[Row]) -> String) -> Vec<String> {
    rows.chunk_by(|a, b| a.0 == b.0).map(|list| of(list[0].0, list)).collect()
}

/// Rows in every format, by file extension.
fn forms(rows: &[Row]) -> Vec<(&'static str, String)> {
    let joined = |list: &[Row], of: &dyn Fn(&Row) -> String| {
        list.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let item = |(_, item, ..): &Row| format!("\"{item}\"");
    vec![
        (
            "csv",
            "query,item,score\n".to_owned() + &lines(rows, |(q, i, _, s)| format!("{q},{i},{s}")),
        ),
        (
            "tsv",
            "query_id\tdoc_id\tscore\trank\n".to_owned()
                + &lines(rows, |(q, i, r, s)| format!("{q}\t{i}\t{s}\t{r}")),
        ),
        (
            "json",
            format!(
                "{{{}}}",
                by_query(rows, |q, list| {
                    let scored = |row: &Row| format!("{}: {}", item(row), row.3);
                    format!("\"{q}\": {{{}}}", joined(list, &scored))
                })
                .join(", ")
            ),
        ),
    ]
}

fn both(files: &Files, name: &str, contents: [&str; 2]) -> ScoreInputs {
    let [i2t, t2i] = contents;
    ScoreInputs {
        run_i2t: Some(files.write(&format!("ours_i2t.{name}"), i2t)),
        run_t2i: Some(files.write(&format!("ours_t2i.{name}"), t2i)),
        ..ScoreInputs::default()
    }
}

/// The value of the first model for caption queries.
fn t2i(study: &Study, key: &str) -> Option<f64> {
    let all = numbers(study);
    let at = all.lines.iter().position(|line| line.key == key).unwrap();
    match &all.models[0].2[at] {
        Value::Each(each) => each.t2i?.value,
        Value::Both(both) => *both,
    }
}

#[test]
fn every_form_of_a_run_gives_the_numbers_of_the_matrix() {
    let files = Files::new();
    let [i2t, t2i] = [true, false].map(|of_images| forms(&rows(of_images)));
    for ((ending, i2t), (_, t2i)) in i2t.iter().zip(&t2i) {
        let flags = both(&files, ending, [i2t, t2i]);
        assert_same(&files, &files.study(&[], flags.clone()).unwrap());
        // Where a header or scores with fractions tell what it is, no option is needed.
        if !i2t.starts_with('0') {
            let named = [flags.run_i2t.unwrap(), flags.run_t2i.unwrap()];
            assert_same(&files, &files.study(&named, ScoreInputs::default()).unwrap());
        }
    }
}

#[test]
fn ids_match_however_they_are_written() {
    let files = Files::new();
    let rows = rows(false);
    let dense = files.npy("dense.npy", "<f8", false, [IMAGES, CAPTIONS], score);
    let spellings: [fn(usize) -> String; 4] = [
        |id| format!("{id:012}"),
        |id| format!("{id:012}.jpg"),
        |id| format!("val2014/COCO_val2014_{id:012}.jpg"),
        |id| format!("{id}.jpg"),
    ];
    for spelling in spellings {
        let text = lines(&rows, |(q, i, _, s)| format!("{q:06}\t{}\t{s}", spelling(*i)));
        let run = files.write("ours.tsv", format!("query\titem\tscore\n{text}"));
        let flags = ScoreInputs { run_t2i: Some(run), ..ScoreInputs::default() };
        // With ids that a file names, and with those that the lists have alone.
        for caption_ids in [Some(files.path("ids.txt")), None] {
            let study = study::open(&Inputs {
                files: vec![files.path("original_image_to_caption.json")],
                caption_ids,
                scores: flags.clone(),
                ..Inputs::default()
            });
            let study = study.unwrap();
            assert_eq!(study.gallery.images.len(), IMAGES);
            assert_eq!(study.gallery.captions.len(), CAPTIONS);
            let expected = t2i(
                &files.study(std::slice::from_ref(&dense), ScoreInputs::default()).unwrap(),
                "original_r1",
            );
            assert_eq!(t2i(&study, "original_r1"), expected, "{}", spelling(7));
        }
    }
}

#[test]
fn ids_that_match_nothing_are_an_error_with_one_of_each_file() {
    let files = Files::new();
    let text = lines(&rows(false), |(q, i, _, s)| format!("{q},image-{i},{s}"));
    let run = files.write("ours.csv", format!("query,item,score\n{text}"));
    let error = study::open(&Inputs {
        files: vec![files.path("original_image_to_caption.json")],
        scores: ScoreInputs { run_t2i: Some(run), ..ScoreInputs::default() },
        ..Inputs::default()
    });
    let error = error.unwrap_err().to_string();
    for part in ["ours.csv", "image-", "original_image_to_caption.json", "--image-ids"] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn judgments_with_a_header_or_as_objects_are_a_ground_truth() {
    let files = Files::new();
    let scores = files.npy("dense.npy", "<f8", false, [IMAGES, CAPTIONS], score);
    let own = |caption: usize| (caption + 100, caption / 5);
    let pairs: Vec<(usize, usize)> = (0..CAPTIONS).map(own).collect();
    let of = |line: fn(&(usize, usize)) -> String| pairs.iter().map(line).collect::<Vec<_>>();
    let contents = [
        (
            "own_t2i.tsv",
            format!(
                "query-id\tcorpus-id\tscore\n{}\n",
                of(|(q, i)| format!("{q}\t{i}\t1")).join("\n")
            ),
        ),
        ("own_t2i.qrels", of(|(q, i)| format!("{q} 0 {i} 1.0")).join("\n")),
        (
            "own_t2i.json",
            format!("{{{}}}", of(|(q, i)| format!("\"{q}\": {{\"{i}\": 1}}")).join(", ")),
        ),
    ];
    for (name, content) in contents {
        let truth = files.write(name, content);
        let study = files.study(&[scores.clone(), truth], ScoreInputs::default()).unwrap();
        let value = |key: &str| t2i(&study, key);
        assert_eq!(value("own_r1"), value("original_r1"), "{name}");
        assert!(value("own_r1").is_some());
    }
}

#[test]
fn whole_numbers_that_may_be_scores_or_grades_are_refused() {
    let files = Files::new();
    let unclear = files.write("unclear.json", r#"{"100": {"0": 80, "1": 79}}"#);
    let error = files.study(&[unclear], ScoreInputs::default()).unwrap_err().to_string();
    assert!(error.contains("--run ") && error.contains("grade"), "{error}");
}

#[test]
fn indices_are_named_as_neighbours_and_no_scores() {
    let files = Files::new();
    let rows = rows(true);
    let cells: Vec<u8> = rows.iter().flat_map(|row| (row.1 as i64 - 100).to_le_bytes()).collect();
    let shape = format!("({IMAGES}, {CAPTIONS})");
    let indices = files.write("order.npy", common::npy("'<i8'", false, &shape, &cells));
    let error = files.study(&[indices], ScoreInputs::default()).unwrap_err().to_string();
    assert!(error.contains("--knn i2t:") && error.contains("order.npy"), "{error}");
}
