//! The explorer over forms that rank only a part of the gallery, or compute their scores.

use super::common::Harness;
use super::lists::lists;
use super::*;

/// A list of three items for each query: what hangs on later ranks is a dash with its reason.
#[test]
fn short_lists_show_what_they_tell_and_why_not_more() {
    let files = Files::new();
    let text = format!("{{\"i2t\": {}, \"t2i\": {}}}", lists(3, true), lists(3, false));
    let flags =
        ScoreInputs { run: vec![files.write("short.json", text)], ..ScoreInputs::default() };
    let explorer = Harness::new(files.study(&[], flags).unwrap(), 120, 60).keys("d");
    let screen = explorer.screen();
    assert!(screen.contains("3 of 30 ranked"), "{screen}");
    let header = screen.lines().nth(1).unwrap();
    let (r1, map) = header.split_once("mAP@R").unwrap();
    assert!(!r1.contains(" - ") && map.contains(" ·"), "{header}");
    assert!(!screen.contains("···") && !screen.contains("NaN"), "{screen}");
    let sheet = explorer.keys("=jjj").screen();
    let reason = "undefined: needs depth 5: too short in 6 queries, the shortest has 3 ranked";
    assert!(sheet.contains(reason), "{sheet}");
}

/// A query without a list is neither right nor wrong.
#[test]
fn a_query_without_a_list_is_said_to_have_none() {
    let files = Files::new();
    let flags = ScoreInputs {
        run_i2t: Some(files.write("one.json", "{\"3\": [115, 116, 117, 118, 119]}")),
        ..ScoreInputs::default()
    };
    let study = files.study(&[], flags).unwrap();
    let explorer = Harness::new(study, 120, 40).keys("d");
    let screen = explorer.screen();
    assert!(screen.contains("this model ranks nothing for this query"), "{screen}");
    assert!(!screen.contains('✗') && !screen.contains("R@1 says"), "{screen}");
    let sorted = explorer.keys("s").screen();
    let first = sorted.lines().nth(4).unwrap();
    assert!(first.contains("100.00"), "known values come first: {sorted}");
}

/// A re-ranker's two matrices rank what is not the fill.
#[test]
fn a_reranker_ranks_what_it_scored() {
    let files = Files::new();
    let filled = |kept: bool, score: f64| if kept { score } else { -100.0 };
    let i2t = files
        .npy("r.i2t.npy", "<f4", false, [IMAGES, CAPTIONS], |i, c| filled(c / 5 == i, score(i, c)));
    let t2i = files.npy("r.t2i.npy", "<f4", false, [CAPTIONS, IMAGES], |c, i| {
        filled(c / 5 == i || c % 6 == i, score(i, c))
    });
    let flags = ScoreInputs { i2t: Some(i2t), t2i: Some(t2i), ..ScoreInputs::default() };
    let study = files.study(&[], flags).unwrap();
    let explorer = Harness::new(study, 120, 40);
    assert!(explorer.screen().contains(" of 6 ranked"));
    let images = explorer.keys("d");
    assert!(images.screen().contains("5 of 30 ranked"));
    assert_eq!(images.app.model.metrics().unwrap().map_at_r.value, Some(1.0));
    let last = images.keys("<Tab>jjjjjjj");
    assert_eq!(last.app.model.item().unwrap().rank, 5);
}

/// Products of embeddings look as their matrix does.
#[test]
fn embeddings_look_as_their_matrix() {
    let files = Files::new();
    let images = files
        .npy("image_emb.npy", "<f8", false, [IMAGES, IMAGES], |a, b| f64::from(u8::from(a == b)));
    let captions = files.npy("text_emb.npy", "<f8", false, [CAPTIONS, IMAGES], |c, i| score(i, c));
    let flags =
        ScoreInputs { image_emb: Some(images), text_emb: Some(captions), ..ScoreInputs::default() };
    let matrix = files.npy("dense.npy", "<f8", false, [IMAGES, CAPTIONS], score);
    let study = files.study(&[matrix], flags).unwrap();
    assert_eq!(study.models.len(), 2);
    let one = Harness::new(study.clone(), 120, 40);
    let other = Harness::new(study, 120, 40).keys("m");
    // Between header and footer: another model is a step that can be undone.
    let below = |screen: String| screen.lines().skip(2).take(37).collect::<Vec<_>>().join("\n");
    assert_eq!(below(one.screen()), below(other.screen()));
    assert_eq!(below(one.keys("djj").screen()), below(other.keys("djj").screen()));
}
