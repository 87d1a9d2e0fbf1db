use std::process::Command;

use super::*;
use crate::data::id::Id;
use crate::session::Timestamp;
use crate::truth::judgment::Judgment;

const SAVED: &str = r#"{
  "format": "itm-explore-session/1",
  "study": {"files": ["a.npy"], "images": 2, "captions": 3, "image_ids": "0a", "caption_ids": "0b", "disk": 7},
  "verdicts": [
    {"image": 391895, "caption": 770337, "verdict": "yes", "at": "2026-11-21T10:00:00Z", "by": "mk", "sure": [1, 2.5]}
   ,{"image": "x y", "caption": 4, "verdict": "mostly-no", "at": "2026-11-21T10:00:01Z", "by": "mk"}
  ],
  "cant_tell": [
  ],
  "picks": [
    {"query": 4, "direction": "t2i", "models": ["a", "b"], "truth": "eccv", "depth": 5, "note": "", "at": "2026-11-21T10:00:02Z", "by": "mk", "star": true}
  ],
  "notes": [
  ],
  "tags": [
    {"image": 391895, "caption": 770337, "tag": "counting", "at": "2026-11-21T10:00:03Z", "by": "bo"}

   ,{"image": 391895, "caption": 770337, "tag": "colour", "at": "2026-11-21T10:00:04Z", "by": "mk", "sure": 1}
   ,{"image": 391895, "caption": 770337, "tag": "counting", "at": "2026-11-21T10:00:03Z", "by": "mk"}
  ],
  "view": {
    "truth": "eccv"
   ,"sort": {"by": "rank"}
  },
  "later": {"a": null}
}
"#;

fn read_text(text: &str) -> Result<(Session, Vec<String>)> {
    parse(Path::new("s.itm.json"), text.as_bytes())
}

#[test]
fn what_was_read_is_written_again_and_a_judgment_more_is_a_line_more() {
    let (mut session, notes) = read_text(SAVED).unwrap();
    assert_eq!(notes, Vec::<String>::new());
    assert_eq!(text(&session).unwrap(), SAVED);
    let added = r#"   ,{"image": 400000, "caption": 2, "verdict": "no", "at": "2026-11-22T00:00:00Z", "by": "mk"}"#;
    session.judgments.push(serde_json::from_str(&added[4..]).unwrap());
    let after = text(&session).unwrap();
    let old: Vec<&str> = SAVED.lines().collect();
    let new: Vec<&str> = after.lines().filter(|line| *line != added).collect();
    assert_eq!(new, old);
    assert_eq!(after.lines().count(), old.len() + 1);
}

#[test]
fn what_could_not_be_told_stands_apart_unless_a_judgment_was_given_too() {
    let line = r#"{"image": 5, "caption": 6, "at": "2026-11-21T10:00:00Z", "by": "mk"}"#;
    let told =
        line.replace("\"image\": 5, \"caption\": 6", "\"image\": 391895, \"caption\": 770337");
    let saved = SAVED.replace("cant_tell\": [", &format!("cant_tell\": [\n    {line}"));
    let both = saved.replace(line, &format!("{line}\n   ,{told}"));
    let (session, _) = read_text(&both).unwrap();
    assert_eq!((session.response_counts("mk"), session.judgments.len()), ([2, 1], 3));
    assert_eq!(text(&session).unwrap(), saved);
}

#[test]
fn fields_stand_in_any_order_and_lists_may_be_absent() {
    let (session, _) =
        read_text("\u{feff}{\"picks\": [], \"format\": \"itm-explore-session/1\"}").unwrap();
    assert_eq!(session, Session::default());
}

#[test]
fn what_is_no_session_is_told_with_its_place() {
    let line = SAVED.find("770337").unwrap();
    for (text, told) in [
        (&SAVED[..line], "broken JSON at line 5"),
        ("", "empty, where JSON is expected"),
        (&SAVED.replace("\"yes\"", "\"maybe\""), "at line 5, column"),
        (&SAVED.replace("\"verdict\": \"yes\", ", ""), "entry 1 has no \"verdict\""),
        (&SAVED.replace("770337", "7.5"), "at line 5, column"),
        (&SAVED.replace("\"depth\": 5", "\"depth\": \"5\""), "at line 11, column"),
        (&SAVED.replace("2026-11-21T10:00:01Z", "yesterday"), "is no time such as"),
        (&SAVED.replace("\"t2i\"", "\"up\""), "unknown variant `up`"),
        (&SAVED.replace(", \"by\": \"mk\"}", "}"), "missing field `by`"),
        ("{}", "it has no format"),
        ("[1]", "no session"),
        (r#"{"format": "itm-explore/1"}"#, "the format \"itm-explore/1\""),
        (&SAVED.replace("  \"notes\"", "<<<<<<< HEAD\n  \"notes\""), "a merge conflict at line 13"),
        (r#"{"verdicts": 3, "format": "itm-explore-session/2"}"#, "of version 2"),
    ] {
        let error = read_text(text).unwrap_err().to_string();
        let is_mended = error.contains("rename it") || error.contains("annotate merge ours theirs");
        assert!(error.contains(told) && is_mended, "{told}: {error}");
    }
}

#[test]
fn of_a_pair_that_stands_twice_the_latest_counts() {
    let line = |judgment: &str, image: &str, second: u32| {
        format!(
            r#"{{"image": {image}, "caption": 1, "verdict": "{judgment}", "at": "2026-11-21T10:00:0{second}Z", "by": "mk"}}"#
        )
    };
    let lines = [
        line("no", "9", 4),
        line("yes", "3", 0),
        line("partial", "\"000000000009.jpg\"", 3),
        line("partial", "3", 0),
    ];
    let text =
        format!(r#"{{"format": "itm-explore-session/1", "verdicts": [{}]}}"#, lines.join(","));
    let (session, notes) = read_text(&text).unwrap();
    let left: Vec<&str> = session.judgments.iter().map(|one| one.response().name()).collect();
    assert_eq!(left, ["no", "partial"]);
    assert!(notes[0].starts_with("2 lines of a pair"), "{notes:?}");
}

/// Two people continue from one file, in any order.
#[test]
fn git_merges_what_two_people_added() {
    let folder = tempfile::tempdir().unwrap();
    let judged = |text: &str, lines: &[(i64, i64, &str)]| {
        let (mut session, _) = read_text(text).unwrap();
        for &(image, caption, by) in lines {
            let at = Timestamp::from_seconds(1_000_000_000 + image);
            let (image, caption) = (Id::Number(image), Id::Number(caption));
            session.set_response(&image, &caption, Some(Judgment::No), at, by);
        }
        super::text(&session).unwrap()
    };
    let base = judged(SAVED, &[(20, 1, "anna"), (10, 1, "anna"), (30, 1, "bo")]);
    let ours = judged(&base, &[(25, 1, "anna"), (15, 2, "anna"), (15, 1, "anna")]);
    let theirs = judged(&base, &[(40, 1, "bo"), (15, 1, "bo"), (10, 1, "bo"), (50, 1, "bo")]);
    let wanted = judged(&ours, &[(10, 1, "bo"), (15, 1, "bo"), (50, 1, "bo"), (40, 1, "bo")]);
    let [ours, base, theirs] =
        [("ours", ours), ("base", base), ("theirs", theirs)].map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        });
    let merged = Command::new("git").args(["merge-file", "-p"]).args([ours, base, theirs]).output();
    // Skipped without git.
    let Ok(merged) = merged else { return };
    assert_eq!(String::from_utf8_lossy(&merged.stdout), wanted);
    assert!(merged.status.success());
}
