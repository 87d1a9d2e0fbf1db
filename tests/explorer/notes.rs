//! Notes on queries: written, undone, saved, opened again.

use crate::common;

use std::path::Path;

use common::Harness;
use itm_explore::session::{Lock, Session};
use itm_explore::study::demo;
use itm_explore::tui::event::Event;

/// The demo on a session of this file.
fn on(path: &Path, by: &str) -> Harness {
    Harness::demo(120, 40).on_session(Session::open(path).unwrap(), by)
}

/// The note on the selected query, as it is shown.
fn noted(harness: &Harness) -> Option<String> {
    let app = &harness.app;
    app.model.format_note(app.model.view.direction, app.model.selection.query().unwrap())
}

/// How many queries in sight have the sign of a note.
fn signs(screen: &str) -> usize {
    screen.matches(" ✎│").count() + screen.matches(" ✎┃").count()
}

#[test]
fn a_note_is_a_step_that_is_undone_saved_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    let first = on(&path, "mk").keys("jjoa  waves, not surfers<Esc>");
    assert_eq!((noted(&first), path.exists()), (None, false));
    let noted_once = first.keys("oa wave<Enter>");
    assert_eq!(noted(&noted_once).as_deref(), Some("a wave"));
    let longer = noted_once.keys("o, not a surfer<Enter>");
    assert_eq!(noted(&longer).as_deref(), Some("a wave, not a surfer"));
    // The same again is no change; neither is Esc.
    let same = longer.keys("o<Enter>o and more<Esc>");
    let names: Vec<&str> = same.app.model.history.steps().iter().map(|s| &*s.name).collect();
    assert_eq!(names, ["start", "note: a wave", "note: a wave, not a surfer"]);
    let undone = same.keys("u");
    assert_eq!(noted(&undone).as_deref(), Some("a wave"));
    let gone = undone.keys("u");
    assert_eq!(noted(&gone), None);
    let again = gone.keys("<Ctrl-r><Ctrl-r>");
    assert_eq!(noted(&again).as_deref(), Some("a wave, not a surfer"));
    let removed = again.keys("o<Ctrl-u>  <Enter>");
    assert_eq!(noted(&removed), None);
    let back = removed.keys("u");
    assert_eq!(noted(&back).as_deref(), Some("a wave, not a surfer"));
    // It belongs to the query, not to its place, and not to the other direction.
    assert_eq!(noted(&back.keys("kdd")), None);
    let saved = Session::read(&path).unwrap().0;
    let texts: Vec<(&str, &str)> = saved.notes.iter().map(|n| (&*n.text, &*n.by)).collect();
    assert_eq!(texts, [("a wave, not a surfer", "mk")]);
    let opened = on(&path, "mk").keys("<Home>jj");
    assert_eq!(noted(&opened).as_deref(), Some("a wave, not a surfer"));
    let screen = opened.screen();
    assert!(screen.contains("this query ─"), "{screen}");
    assert!(screen.contains("✎ a wave, not a surfer"), "{screen}");
    assert_eq!(signs(&screen), 1, "{screen}");
    opened.keys("<Enter>").shows("│   ✎ a wave, not a surfer");
}

#[test]
fn a_session_open_elsewhere_takes_no_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    let first = on(&path, "mk").keys("omine<Enter>");
    let opened = Session::open(&path).unwrap();
    assert!(matches!(opened.lock, Lock::Other { .. }));
    let second = Harness::demo(120, 40).on_session(opened, "mk").keys("oyou");
    assert!(second.app.popup.is_none());
    let refused = on(&path, "mk").keys("o");
    let said = refused.app.model.message.unwrap();
    assert!(said.starts_with("read-only"), "{said}");
    assert_eq!(noted(&second).as_deref(), Some("mine"));
    assert_eq!(noted(&first).as_deref(), Some("mine"));
}

#[test]
fn notes_of_others_are_shown_with_their_name_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    drop(on(&path, "anna").keys("oa dog<Enter>"));
    let mine = on(&path, "mk");
    assert_eq!(noted(&mine).as_deref(), Some("anna: a dog"));
    let mine = mine.keys("oa cat<Enter>");
    assert_eq!(noted(&mine).as_deref(), Some("a cat"));
    let saved = Session::read(&path).unwrap().0;
    let texts: Vec<&str> = saved.notes.iter().map(|n| &*n.text).collect();
    assert_eq!(texts, ["a dog", "a cat"]);
    let removed = mine.keys("o<Ctrl-u><Enter>");
    assert_eq!(noted(&removed).as_deref(), Some("anna: a dog"));
}

#[test]
fn what_is_pasted_or_saved_is_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    let mut harness = on(&path, "mk").keys("osee ");
    harness.app.handle(Event::Paste("a\u{1b}[2Jb\nc\u{202e}".into()));
    // A click does not lose what is typed.
    harness.mouse(Event::Click(10, 10));
    let kept = harness.settled().keys("<Enter>");
    assert_eq!(noted(&kept).as_deref(), Some("see a\u{fffd}[2Jb c\u{fffd}"));
    drop(kept);
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("see a", "bell \\u0007\\u001b[2J a");
    std::fs::write(&path, text).unwrap();
    let opened = on(&path, "mk");
    let shown = noted(&opened).unwrap();
    assert!(shown.starts_with("bell \u{fffd}\u{fffd}[2J a"), "{shown}");
    let typing = opened.keys("o");
    let screen = typing.screen();
    assert_eq!(screen.matches("bell \u{fffd}\u{fffd}[2J a").count(), 2, "{screen}");
    assert!(!screen.contains(['\u{1b}', '\u{7}']));
    // Unchanged, it stays what it was.
    let left = typing.keys("<Enter>");
    assert_eq!(left.app.model.history.steps().len(), 1);
}

#[test]
fn the_line_and_the_sign_at_every_width() {
    let long = "a note that is a good deal longer than any pane of a small terminal is wide";
    for columns in [40, 72, 120] {
        let harness = Harness::demo(columns, 24).keys("o").keys(long);
        let typing = harness.screen();
        let last = typing.lines().last().unwrap();
        assert!(last.starts_with(" note"), "{last}");
        assert!(last.contains("is wide"), "{last}");
        let kept = harness.keys("<Enter>").screen();
        assert_eq!(signs(&kept), 1, "{kept}");
        assert!(kept.contains("✎ a note"), "{kept}");
        // Nothing else gives way.
        for truth in demo::open().unwrap().truths {
            assert!(columns < 72 || kept.contains(&format!(" {} ", truth.name)), "{kept}");
        }
    }
    let kept = Harness::demo(80, 24).keys("jo").keys(long);
    insta::assert_snapshot!("typing", kept.screen());
    insta::assert_snapshot!("noted", kept.keys("<Enter> ").screen());
}

/// The sign in the list of Compare, the text beside the numbers there and below the pick.
#[test]
fn a_note_is_seen_where_its_query_is_listed() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let compared = Harness::demo(columns, rows).keys("2jowhy B?<Enter>j");
        assert_eq!(signs(&compared.screen()), 1, "{}", compared.screen());
        // The pane of the selected query has no room beside the lists of a small terminal.
        let back = compared.keys(if rows < 30 { "k1" } else { "k" });
        back.shows("✎ why B?");
        back.keys(" 5").shows("✎ query: why B?");
    }
    Harness::demo(160, 50)
        .keys("2owhy B?<Enter> 5oa figure<Enter>")
        .shows("✎ a figure; query: why B?");
}

#[test]
fn a_pick_with_a_note_on_its_query_is_scrolled_to_as_a_whole() {
    let mut harness = Harness::demo(80, 14);
    for _ in 0..8 {
        harness = harness.keys(" oa note<Enter>j");
    }
    let last = harness.keys("5G").screen();
    let at = |words: &str| last.lines().position(|line| line.contains(words));
    let query = at("   8 t2i").expect(&last);
    assert!(last.lines().nth(query + 1).unwrap().contains("query: a note"), "{last}");
}
