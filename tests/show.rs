//! `itm-explore show`: one query and what ranks first for it.

mod common;

use common::{assert_error, run, stdout};
use serde_json::{Value, json};

fn shown(more: &[&str]) -> String {
    let output = run(&[&["show", "--demo", "--quiet"], more].concat());
    assert!(output.status.success(), "{}", common::stderr(&output));
    stdout(&output)
}

#[test]
fn plain_text_in_a_pipe() {
    let caption = ["--query", "55293", "--k", "3", "--width", "70"];
    insta::assert_snapshot!("show_caption", shown(&caption));
    let image = [
        "--query",
        "demo_006879.png",
        "--k",
        "2",
        "--model",
        "careful,broad",
    ];
    insta::assert_snapshot!("show_image", shown(&image));
    assert!(!shown(&caption).contains('\x1b'), "no colours in a pipe");
    let loud = [&caption[..], &["--pictures", "halfblocks"]].concat();
    assert_eq!(shown(&loud), shown(&caption), "no pictures either");
}

#[test]
fn markdown_and_json_say_the_same() {
    let args = ["--query", "55293", "--k", "3", "--format"];
    insta::assert_snapshot!("show_markdown", shown(&[&args[..], &["markdown"]].concat()));
    let whole: Value = serde_json::from_str(&shown(&[&args[..], &["json"]].concat())).unwrap();
    assert_eq!(whole["query"]["id"], json!(55293));
    assert_eq!(whole["direction"], json!("t2i"));
    let model = &whole["models"][0];
    assert_eq!(model["first_positive"], json!(50));
    let top = model["top"].as_array().unwrap();
    assert_eq!(top.len(), 3);
    assert_eq!(top[0]["item"]["image"], json!("demo_003478.png"));
    assert_eq!(
        top[0]["truths"],
        json!({"original": false, "rich": false, "pm": false})
    );
}

/// A pool changes which items compete, and with it the ranks.
#[test]
fn in_a_pool_others_compete() {
    let pool = ["--pool", "random20s1"];
    let find = [
        "find",
        "--demo",
        "--where",
        "words > 0",
        "--format",
        "json",
        "--limit",
        "1",
    ];
    let found: Value = serde_json::from_slice(&run(&[&find[..], &pool].concat()).stdout).unwrap();
    let inside = found["queries"][0]["id"].to_string();
    let ranked = |pool: &[&str]| {
        let args = [&["--query", &inside, "--format", "json"], pool].concat();
        let whole: Value = serde_json::from_str(&shown(&args)).unwrap();
        whole["models"][0]["ranked"].as_u64().unwrap()
    };
    assert_eq!((ranked(&[]), ranked(&pool)), (60, 20));
    let outside = [&["show", "--demo", "--query", "55293"][..], &pool].concat();
    assert_error(
        1,
        &outside,
        &["55293 is not in the pool random20s1", "--pool all"],
    );
}

#[test]
fn what_is_not_there_is_said() {
    let wrong = |more: &[&str], parts: &[&str]| {
        assert_error(1, &[&["show", "--demo", "--quiet"], more].concat(), parts);
    };
    wrong(
        &["--query", "nobody"],
        &["nobody is not in the gallery", "28446", "6879"],
    );
    wrong(
        &["--query", "6879", "--direction", "t2i"],
        &["the id of a caption", "--direction i2t"],
    );
    wrong(&["--query", "55293,6879"], &["`show` is of one query"]);
    wrong(
        &["--query", "55293", "--model", "x"],
        &["no model named x", "careful"],
    );
    wrong(
        &["--query", "55293", "--truth", "x"],
        &["no ground truth named x"],
    );
    assert_error(
        2,
        &["show", "--demo", "--query", "1", "--pictures", "ascii"],
        &["halfblocks"],
    );
}
