//! `itm-explore show`: one query and what ranks first for it.

use crate::common;

use common::{assert_error, printed, words};
use serde_json::Value;

fn shown(more: &[&str]) -> String {
    printed(&[&["show", "--demo", "--quiet"], more].concat())
}

fn json(more: &[&str]) -> Value {
    serde_json::from_str(&shown(&[more, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn plain_text_in_a_pipe() {
    let caption = ["--query", "55293", "--k", "3"];
    insta::assert_snapshot!("show_caption", shown(&caption));
    let image = ["--query", "demo_006879.png", "--k", "2", "--model", "careful,broad"];
    insta::assert_snapshot!("show_image", shown(&image));
    assert!(!shown(&caption).contains('\x1b'), "no colours in a pipe");
    let loud = [&caption[..], &["--thumbnails", "halfblocks"]].concat();
    assert_eq!(shown(&loud), shown(&caption), "no images either");
}

#[test]
fn what_is_nearest_is_told_for_a_caption_an_image_and_a_text() {
    let all = [&["--nearest", "55293"][..], &["--nearest", "demo_003478.png", "-k", "3"]];
    let all = all.map(shown).join("\n");
    let text = shown(&["--nearest", "A brown dog runs", "-k", "2"]);
    insta::assert_snapshot!("show_nearest", format!("{all}\n{text}"));
    let told = json(&["--nearest", "55293", "-k", "2"]);
    assert_eq!(told["to"]["id"], 55293);
    assert_eq!(told["nearest"].as_array().unwrap().len(), 2);
    assert_error(1, &["show", "--demo", "--nearest", "zzz"], &["no caption shares a word"]);
    assert_error(2, &["show", "--demo", "--nearest", "1", "--query", "2"], &["--nearest"]);
}

#[test]
fn markdown_and_json_say_the_same() {
    let args = ["--query", "55293", "--k", "3"];
    insta::assert_snapshot!(
        "show_markdown",
        shown(&[&args[..], &["--format", "markdown"]].concat())
    );
    let whole = json(&args);
    assert_eq!(whole["query"]["id"], 55293);
    assert_eq!(whole["direction"], "t2i");
    assert_eq!(whole["rankings"][0]["first_positive"], 50);
    let top = whole["items"].as_array().unwrap();
    assert_eq!(top.len(), 3);
    assert_eq!(top[0]["image"], "demo_003478.png");
    for truth in ["original", "rich", "pm"] {
        assert_eq!(top[0][format!("standing_{truth}")], "not-listed");
    }
}

/// A judgment of the session stands at its pair in every format; without one nothing is said of it.
#[test]
fn a_judgment_stands_at_its_item() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.itm.json");
    let judgment = r#"{"image": 3478, "caption": 55293, "verdict": "partial", "at": "2026-01-01T00:00:00Z", "by": "mk"}"#;
    let text = format!(r#"{{"format": "itm-explore-session/1", "verdicts": [{judgment}]}}"#);
    std::fs::write(&path, text).unwrap();
    let args = ["--query", "55293", "--k", "2"];
    let own = [&args[..], &["--session", path.to_str().unwrap()]].concat();
    let text = shown(&own);
    assert_eq!(text.matches("  partial").count(), 1, "{text}");
    assert!(!shown(&args).contains("judgment"));
    let top = &json(&own)["items"];
    assert_eq!((&top[0]["judgment"], &top[1]["judgment"]), (&"partial".into(), &Value::Null));
    assert_eq!(json(&args)["items"][0].get("judgment"), None);
    let csv = shown(&[&own[..], &["--format", "csv"]].concat());
    let cells: Vec<&str> = csv.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(cells, ["judgment", "", "partial", ""]);
}

/// A pool changes which items compete, and with it the ranks.
#[test]
fn in_a_pool_others_compete() {
    let pool = ["--pool", "random20s1"];
    let find = words("find --demo --where 'words > 0' --format json --limit 1 --pool random20s1");
    let inside = common::json(&find)["queries"][0]["id"].to_string();
    let ranked = |pool: &[&str]| {
        let whole = json(&[&["--query", &inside], pool].concat());
        whole["rankings"][0]["ranked"].as_u64().unwrap()
    };
    assert_eq!((ranked(&[]), ranked(&pool)), (60, 20));
    let outside = [&["show", "--demo", "--query", "55293"][..], &pool].concat();
    assert_error(1, &outside, &["55293 is not in the pool random20s1", "--pool all"]);
}

#[test]
fn what_is_not_there_is_said() {
    for (args, parts) in [
        ("nobody", &["no caption has the id nobody"][..]),
        ("6879 --direction t2i", &["no caption has the id 6879", "--direction i2t"]),
        ("55293 --model x", &["no model is named x", "careful"]),
        ("55293 --truth x", &["no ground truth is named x"]),
    ] {
        assert_error(1, &words(&format!("show --demo --quiet --query {args}")), parts);
    }
    assert_error(2, &["show", "--demo", "--query", "1", "--thumbnails", "ascii"], &["halfblocks"]);
}
