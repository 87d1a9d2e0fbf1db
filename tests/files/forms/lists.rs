//! Ranked lists, whole and cut.

use std::path::{Path, PathBuf};

use super::*;

/// All items of each query, best first.
pub fn lists(depth: usize, of_images: bool) -> String {
    let (queries, items) = if of_images { (IMAGES, CAPTIONS) } else { (CAPTIONS, IMAGES) };
    let list = |query: usize| {
        let cell = |item: usize| {
            if of_images { score(query, item) } else { score(item, query) }
        };
        let mut order: Vec<usize> = (0..items).collect();
        order.sort_by(|&a, &b| cell(b).total_cmp(&cell(a)));
        order.truncate(depth);
        let (key, add) = if of_images { (query, 100) } else { (query + 100, 0) };
        let items: Vec<usize> = order.iter().map(|item| item + add).collect();
        format!("\"{key}\": {items:?}")
    };
    let lists: Vec<String> = (0..queries).map(list).collect();
    format!("{{{}}}", lists.join(", "))
}

#[test]
fn complete_lists_equal_the_matrix_and_short_ones_say_what_they_cannot_tell() {
    let files = Files::new();
    let both =
        |depth| format!("{{\"i2t\": {}, \"t2i\": {}}}", lists(depth, true), lists(depth, false));
    let run = |path: &Path| ScoreInputs { run: vec![path.to_owned()], ..ScoreInputs::default() };
    let whole = files.write("whole.json", both(CAPTIONS));
    assert_same(&files, &files.study(&[], run(&whole)).unwrap());
    let pair = ScoreInputs {
        run_i2t: Some(files.write("ours_i2t.json", lists(CAPTIONS, true))),
        run_t2i: Some(files.write("ours_t2i.json", lists(CAPTIONS, false))),
        ..ScoreInputs::default()
    };
    let study = files.study(&[], pair).unwrap();
    assert_eq!(study.models[0].name, "ours");
    assert_same(&files, &study);
    let short = files.write("short.json", both(1));
    assert_short(&files, &files.study(&[], run(&short)).unwrap());
}

#[test]
fn lists_that_do_not_fit_are_an_error() {
    let files = Files::new();
    let run = |name: &str, text: &str| ScoreInputs {
        run: vec![files.write(name, text)],
        ..ScoreInputs::default()
    };
    let run_i2t = Some(files.write("t.json", lists(3, false)));
    let i2t = Some(reranked(&files, "a.npy", 3, true, false));
    for (flags, told) in [
        (
            run("unknown.json", "{\"i2t\": {\"0\": [\"foo\", \"bar\"]}}"),
            "none of its items is in the gallery",
        ),
        (
            run("twice.json", "{\"i2t\": {\"0\": [100, 101, 100]}}"),
            "item 100 stands twice in the list of query 0",
        ),
        (ScoreInputs { i2t, ..ScoreInputs::default() }, "--t2i is missing"),
        (ScoreInputs { run_i2t, ..ScoreInputs::default() }, "lists of t2i queries, given as i2t"),
    ] {
        let error = files.study(&[], flags).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

/// The best `depth` cells of each query, the others at the fill value of two processes.
fn reranked(files: &Files, name: &str, depth: usize, of_images: bool, turned: bool) -> PathBuf {
    let (queries, items) = if of_images { (IMAGES, CAPTIONS) } else { (CAPTIONS, IMAGES) };
    let cell = |query: usize, item: usize| {
        let value = |item: usize| {
            if of_images { score(query, item) } else { score(item, query) }
        };
        let before = |&other: &usize| (value(other), item) > (value(item), other);
        if (0..items).filter(before).count() < depth { value(item) - 100.0 } else { -200.0 }
    };
    if turned {
        files.npy(name, "<f4", false, [items, queries], |item, query| cell(query, item))
    } else {
        files.npy(name, "<f4", false, [queries, items], cell)
    }
}

#[test]
fn two_matrices_equal_the_dense_one_as_far_as_they_go() {
    let files = Files::new();
    let expected = dense(&files);
    for turned in [false, true] {
        let flags = |i2t, t2i| ScoreInputs {
            i2t: Some(reranked(&files, "ours_i2t.npy", i2t, true, false)),
            t2i: Some(reranked(&files, "ours_t2i.npy", t2i, false, turned)),
            ..ScoreInputs::default()
        };
        assert_same(&files, &files.study(&[], flags(CAPTIONS, IMAGES)).unwrap());
        let study = files.study(&[], flags(7, 2)).unwrap();
        let notes: Vec<&str> = study.notes.iter().map(|note| note.text.as_str()).collect();
        let depth = |what: &str| notes.iter().any(|note| note.contains(what));
        assert!(depth("i2t: 7 items scored a query; cells of -200"), "{notes:?}");
        assert!(depth("t2i: 2 items scored a query"), "{notes:?}");
        let found = numbers(&study);
        assert!(found.undefined[0].contains("all positives ranked"), "{:?}", found.undefined);
        let mut defined = 0;
        for (value, whole) in found.models[0].2.iter().zip(&expected) {
            let (Value::Each(value), Value::Each(whole)) = (value, whole) else {
                continue;
            };
            for direction in itm_explore::data::Direction::BOTH {
                let value = value[direction].and_then(|summary| summary.value);
                let whole = whole[direction].and_then(|summary| summary.value);
                defined += usize::from(value.is_some());
                assert!(value.is_none() || value == whole);
            }
        }
        assert!(defined > 8, "{defined}");
    }
}
