use super::super::test_entities;
use super::*;

fn read_with(text: &str, is_xywh: bool, protocol: &str) -> Predictions {
    let source = Source::in_memory("p.json", text.as_bytes().to_vec());
    let protocol = Protocol::from_key(protocol).unwrap();
    Predictions::read(&source, &test_entities::targets(), is_xywh, protocol).unwrap()
}

fn read(text: &str) -> Predictions {
    read_with(text, false, "mdetr-any")
}

fn firsts(read: &Predictions) -> Vec<Option<f64>> {
    let first = |of: &Option<Prediction>| Some(of.as_ref()?.boxes.first()?.0[0]);
    read.by_phrase.iter().map(first).collect()
}

fn messages(read: &Predictions) -> Vec<String> {
    read.messages().iter().map(Error::to_string).collect()
}

/// Two sentences of image 7 with two phrases each, one of image 8 with one.
const MDETR: &str = r#"[
    {"image_id": 7, "sentence_id": 0, "boxes": [[[1, 0, 9, 9]], [[2, 0, 9, 9]]]},
    {"image_id": 7, "sentence_id": 1, "boxes": [[[3, 0, 9, 9]], [[4, 0, 9, 9]]]},
    {"image_id": 8, "sentence_id": 0, "boxes": [[[5, 0, 9, 9]]]}]"#;

#[test]
fn lists_go_to_the_phrases_that_have_a_box_in_their_order() {
    let read = read(MDETR);
    assert_eq!(firsts(&read), [1.0, 2.0, 3.0, 4.0, 5.0].map(Some));
    assert_eq!((read.name.as_str(), messages(&read)), ("p", vec![]));
}

#[test]
fn phrases_by_their_place_among_all_and_chains_in_the_whole_sentence() {
    let read = read(
        "{\"image\": 7, \"sentence\": 0, \"phrase\": 2, \"boxes\": [[1, 0, 9, 9]]}\n\
         {\"image\": 7, \"sentence\": 1, \"chain\": 1, \"boxes\": [[2, 0, 9, 9]]}\n",
    );
    assert_eq!(firsts(&read), [None, Some(1.0), Some(2.0), Some(2.0), None]);
    assert_eq!(read.problems.count(problem::MISSING), 2);
}

#[test]
fn every_mistake_is_told_once_and_the_rest_counts() {
    let read = read(
        "{\"image\": 99, \"sentence\": 0, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 5, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 1, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"chain\": 3, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 0, \"boxes\": [[9, 0, 1, 9], [1, 0, 9, 9]], \"scores\": [0.5, 0.4]}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 0, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 2, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 1, \"boxes\": [[]]}\n\
         {\"image\": 8, \"sentence\": 0, \"phrase\": 0, \"boxes\": [[1, 0, 9, 9], [2, 0, 9, 9]], \"scores\": [0.1, 0.2]}\n\
",
    );
    let told = messages(&read);
    let wanted = [
        "p.json: records of images that are not in the split: 1 (first: 99)\n  fix: excluded; another --split",
        "records of sentences that their images lack: 1 (first: image 7, sentence 5)\n  fix: excluded; sentences are counted",
        "records of phrases without box, or that their sentences lack: 2 (first: image 7, sentence 0)\n",
        "boxes that end before they begin: 1 (first: image 7, sentence 0, phrase 0, [9.0, 0.0, 1.0, 9.0])\n",
        "phrases predicted twice: 1 (first: image 7, sentence 0, phrase 0)\n  fix: the first counts",
        "sentences without a list for each phrase that has a box: 1 (first: image 7, sentence 1, 1 for 2)\n",
        "phrases with an empty list: 1 (first: image 7, sentence 0, phrase 2)\n  fix: counted as a miss",
        "phrases without prediction: 2 (first: image 7, sentence 1, phrase 0)\n",
    ];
    for (told, wanted) in told.iter().zip(wanted) {
        assert!(told.contains(wanted), "{told}\n{wanted}");
    }
    assert_eq!(told.len(), wanted.len());
    assert_eq!(firsts(&read), [Some(9.0), None, None, None, Some(2.0)]);
}

/// Three boxes, the second nearly the first.
const THREE: &str = r#"{"image": 8, "sentence": 0, "phrase": 0,
    "boxes": [[1, 0, 10, 10], [2, 0, 10, 10], [30, 0, 10, 10]], "scores": [0.1, 0.0, 0.3]}"#;

fn edges(text: &str, is_xywh: bool, protocol: &str) -> Vec<[f64; 4]> {
    let read = read_with(&text.replace('\n', " "), is_xywh, protocol);
    let of = read.by_phrase[4].as_ref().unwrap();
    of.boxes.iter().map(|rect| rect.0).collect()
}

#[test]
fn scores_order_boxes_and_sides_are_taken_on_request() {
    assert_eq!(edges(THREE, true, "mdetr-any")[..1], [[30.0, 0.0, 40.0, 10.0]]);
    assert_eq!(edges(THREE, true, "plummer")[..1], [[30.0, 0.0, 39.0, 9.0]]);
    let firsts: Vec<f64> = edges(THREE, false, "ban").iter().map(|edges| edges[0]).collect();
    assert_eq!(firsts, [30.0, 1.0, 2.0]);
}

#[test]
fn a_protocol_may_take_the_first_boxes_alone() {
    let boxes = vec!["[1, 2, 3, 4]"; 120].join(", ");
    let line = format!("{{\"image\": 8, \"sentence\": 0, \"phrase\": 0, \"boxes\": [{boxes}]}}");
    assert_eq!(edges(&line, false, "ban").len(), 100);
    assert_eq!(edges(&line, false, "mdetr-any").len(), 120);
}

#[test]
fn boxes_that_are_no_pixels_are_told() {
    let of = |edges: [f64; 4]| {
        read(&format!("{{\"image\": 7, \"sentence\": 0, \"phrase\": 0, \"boxes\": [{edges:?}]}}"))
    };
    let counts =
        |edges| [problem::NORMALISED, problem::BEYOND].map(|kind| of(edges).problems.count(kind));
    assert_eq!(counts([0.1, 0.2, 0.5, 1.0]), [1, 0]);
    assert_eq!(counts([1.0, 2.0, 105.0, 80.0]), [0, 0]);
    assert_eq!(counts([100.0, 200.0, 500.0, 900.0]), [0, 1]);
}
