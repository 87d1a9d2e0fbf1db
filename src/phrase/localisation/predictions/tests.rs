use super::super::testing;
use super::*;

fn read_with(text: &str, reading: Reading, protocol: &str) -> Predictions {
    let source = Source::in_memory("p.json", text.as_bytes().to_vec());
    let protocol = Protocol::named(protocol).unwrap();
    Predictions::read(&source, &testing::targets(), reading, protocol).unwrap()
}

fn read(text: &str) -> Predictions {
    read_with(text, Reading::default(), "mdetr-any")
}

fn firsts(read: &Predictions) -> Vec<Option<f64>> {
    let first = |of: &Option<Prediction>| Some(of.as_ref()?.boxes.first()?.0[0]);
    read.of.iter().map(first).collect()
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
    assert_eq!(read.problems.count(Kind::Missing), 2);
}

#[test]
fn every_mistake_is_told_once_and_the_rest_counts() {
    let read = read(
        "{\"image\": 99, \"sentence\": 0, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 5, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 1, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"chain\": 3, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 0, \"boxes\": [[9, 0, 1, 9], [1, 0, 9, 9]], \"scores\": [0.5, NaN]}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 0, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 0, \"phrase\": 2, \"boxes\": []}\n\
         {\"image\": 7, \"sentence\": 1, \"boxes\": [[]]}\n\
         {\"image\": 8, \"sentence\": 0, \"phrase\": 0, \"boxes\": [[1, 0, 9, 9], [2, 0, 9, 9]], \"scores\": [0.1, 0.2]}\n\
         no record\n",
    );
    let told = messages(&read);
    let wanted = [
        "p.json, line 10: broken JSON",
        "p.json: 1 record of an image that is not in the split: 99\n  fix: left out; another --split",
        "1 record of a sentence that the image lacks: image 7, sentence 5\n  fix: left out; sentences are counted from 0",
        "2 records of phrases without box, or that their sentences lack, the first: image 7, sentence 0, phrase 1\n",
        "1 sentence without a list for each phrase that has a box: image 7, sentence 1, 1 for 2\n",
        "1 phrase predicted twice: image 7, sentence 0, phrase 0\n  fix: the first counts",
        "1 box that ends before it begins, or lacks a number: image 7, sentence 0, phrase 0, [9.0, 0.0, 1.0, 9.0]\n",
        "1 score that is no number: image 7, sentence 0, phrase 0\n",
        "1 phrase whose scores ascend, though its best box stands first: image 8, sentence 0, phrase 0\n",
        "1 phrase with an empty list: image 7, sentence 0, phrase 2\n  fix: counted as a miss",
    ];
    for (told, wanted) in told.iter().zip(wanted) {
        assert!(told.contains(wanted), "{told}\n{wanted}");
    }
    assert_eq!(told.len(), wanted.len());
    // The misses of the sentence with a wrong number of lists are told with it.
    assert_eq!(read.problems.count(Kind::Missing), 0);
    assert_eq!(firsts(&read), [Some(9.0), None, None, None, Some(1.0)]);
}

#[test]
fn of_many_records_that_cannot_be_read_the_first_are_told() {
    let told = messages(&read(&format!("{{}}\n{}", "{x\n".repeat(9))));
    assert!(told[4].contains("line 5"), "{told:?}");
    assert_eq!(told[5], "p.json: 5 more records that cannot be read");
}

/// Three boxes, the second nearly the first.
const THREE: &str = r#"{"image": 8, "sentence": 0, "phrase": 0,
    "boxes": [[1, 0, 10, 10], [2, 0, 10, 10], [30, 0, 10, 10]], "scores": [0.1, null, 0.3]}"#;

fn edges(text: &str, reading: Reading, protocol: &str) -> Vec<[f64; 4]> {
    let read = read_with(&text.replace('\n', " "), reading, protocol);
    let of = read.of[4].as_ref().unwrap();
    of.boxes.iter().map(|rect| rect.0).collect()
}

#[test]
fn sides_scores_and_suppression_on_request() {
    let sides = Reading { is_xywh: true, ..Reading::default() };
    assert_eq!(edges(THREE, sides, "mdetr-any")[2..], [[30.0, 0.0, 40.0, 10.0]]);
    assert_eq!(edges(THREE, sides, "plummer")[2..], [[30.0, 0.0, 39.0, 9.0]]);
    let sorted = Reading { by_score: true, ..sides };
    let firsts: Vec<f64> = edges(THREE, sorted, "ban").iter().map(|edges| edges[0]).collect();
    assert_eq!(firsts, [30.0, 1.0, 2.0]);
    let apart = Reading { nms: Some(0.5), ..sides };
    assert_eq!(edges(THREE, apart, "ban").len(), 2);
}

#[test]
fn a_protocol_may_take_the_first_boxes_alone() {
    let boxes = vec!["[1, 2, 3, 4]"; 120].join(", ");
    let line = format!("{{\"image\": 8, \"sentence\": 0, \"phrase\": 0, \"boxes\": [{boxes}]}}");
    assert_eq!(edges(&line, Reading::default(), "ban").len(), 100);
    assert_eq!(edges(&line, Reading::default(), "mdetr-any").len(), 120);
}

#[test]
fn boxes_that_are_no_pixels_are_told() {
    let of = |edges: [f64; 4]| {
        read(&format!("{{\"image\": 7, \"sentence\": 0, \"phrase\": 0, \"boxes\": [{edges:?}]}}"))
    };
    let counts =
        |edges| [Kind::Normalised, Kind::Beyond].map(|kind| of(edges).problems.count(kind));
    assert_eq!(counts([0.1, 0.2, 0.5, 1.0]), [1, 0]);
    assert_eq!(counts([1.0, 2.0, 105.0, 80.0]), [0, 0]);
    assert_eq!(counts([100.0, 200.0, 500.0, 900.0]), [0, 1]);
}
