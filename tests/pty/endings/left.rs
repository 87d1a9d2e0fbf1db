//! A session opens where it was left, and says whose judgments it holds.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::terminal::{BIN, Tui};

fn start(session: &Path) -> Tui {
    let session = session.to_str().unwrap();
    Tui::start(&[BIN, "--session", session, "--annotator", "mk"], 30, 140, &[])
}

fn open(session: &Path) -> Tui {
    let tui = start(session);
    tui.wait_ready();
    tui
}

fn leave(tui: Tui) {
    tui.quit();
}

fn read(session: &Path) -> Value {
    serde_json::from_slice(&fs::read(session).unwrap()).unwrap()
}

#[test]
fn view_filter_order_query_item_and_screen_are_those_that_were_left() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let mut tui = open(&session);
    // A pick, so that there is a session; what comes after it is a look alone.
    tui.press(" ", "★");
    tui.press("dmr", "i2t");
    tui.press("frank <= 3\rs", "AP@R↑");
    tui.press("jjj", "queries 4/");
    // The ranking of this query has arrived.
    tui.wait_text("rank 1, score 0.4195");
    tui.press("\tjj", "item at rank 3");
    leave(tui);
    let view = read(&session)["view"].clone();
    assert_eq!(view["direction"], "i2t");
    assert_eq!(view["filter"], "rank <= 3");
    let mut tui = start(&session);
    tui.wait_text("queries 4/");
    tui.wait_text("item at rank 3");
    let text = tui.text();
    let kept = [view["model"].as_str().unwrap(), "i2t", "rank <= 3", "AP@R↑"];
    assert!(kept.iter().all(|word| text.contains(word)), "{text}");
    tui.press("3", "╭ metrics ");
    leave(tui);
    let tui = start(&session);
    tui.wait_text("╭ metrics ");
    leave(tui);
    // Nothing but the view changed.
    assert_eq!(read(&session)["picks"].as_array().unwrap().len(), 1);
}

#[test]
fn judgments_of_others_are_announced_and_none_of_mine() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let line = |image: u32, caption: u32, by: &str| json!({"image": image, "caption": caption, "verdict": "no", "at": "2026-11-21T10:00:00Z", "by": by});
    let captions = [47_740, 41_953, 69_912, 41_077, 41_207];
    let mut lines: Vec<Value> = captions.map(|caption| line(213, caption, "ann")).into();
    lines.push(line(213, 47_740, "mk"));
    let kept = json!({"format": "itm-explore-session/1", "verdicts": lines});
    fs::write(&session, kept.to_string()).unwrap();
    let mut tui = open(&session);
    tui.wait_text("not counted: 5 judgments of ann");
    tui.press("I", "5 judgments of ann");
    tui.send("I");
    leave(tui);
    let theirs = |session: &Path| {
        let lines = read(session)["verdicts"].clone();
        lines.as_array().unwrap().iter().filter(|line| line["by"] == "ann").count()
    };
    assert_eq!(theirs(&session), 5);
}

/// A look alone is kept where somebody named the session, and nobody is asked about it where it cannot be written.
#[test]
fn a_view_is_kept_where_a_session_is_in_use_and_is_nothing_to_ask_about() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.itm.json");
    let mut tui = open(&session);
    tui.press("jj", "queries 3/");
    leave(tui);
    let tui = open(&session);
    tui.wait_text("queries 3/");
    leave(tui);
    let removed = folder.path().join("removed");
    fs::create_dir(&removed).unwrap();
    let mut tui = open(&removed.join("s.itm.json"));
    fs::remove_dir_all(&removed).unwrap();
    tui.press("jj", "queries 3/");
    leave(tui);
}
