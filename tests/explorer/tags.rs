//! Tags of pairs: given, completed, undone, saved, found by conditions and counted.

use crate::common;

use common::Harness;
use itm_explore::session::Session;
use itm_explore::truth::judgment::Pair;

/// The selected pair.
fn pair(harness: &Harness) -> Pair {
    let model = &harness.app.model;
    let (query, item) = (model.selection.query().unwrap(), model.item().unwrap().item);
    Pair::from_query(model.view.direction, query.into(), item.into())
}

fn tagged(harness: &Harness) -> Option<String> {
    harness.app.model.format_tags(pair(harness))
}

#[test]
fn a_tag_is_a_step_that_is_completed_undone_saved_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo.itm.json");
    let on = |by| Harness::demo(120, 40).on_session(Session::open(&path).unwrap(), by);
    let first = on("mk").keys("jlwcounting, wrong colour<Enter>");
    assert_eq!(tagged(&first).as_deref(), Some("counting, wrong colour"));
    first.shows("# counting, wrong colour");
    let typing = first.keys("jwwcl");
    typing.shows(" tag wcl").shows("Tab: wrong colour");
    let second = typing.keys("<Tab><Enter>");
    assert_eq!(tagged(&second).as_deref(), Some("wrong colour"));
    // The same again removes it; several are undone in one step.
    let removed = second.keys("kwcounting<Enter>");
    assert_eq!(tagged(&removed).as_deref(), Some("wrong colour"));
    assert_eq!(removed.message(), "tag removed");
    let back = removed.keys("u");
    assert_eq!(tagged(&back).as_deref(), Some("counting, wrong colour"));
    assert_eq!(tagged(&back.keys("uu")), None);
    let (saved, _) = Session::read(&path).unwrap();
    assert_eq!(saved.tags, []);
    // Another one sees whose they are, but not blind; conditions and counts are of all.
    drop(on("mk").keys("<Home>jlwcounting<Enter>"));
    let other = on("bo").keys("<Home>jlwcolour<Enter>");
    assert_eq!(tagged(&other).as_deref(), Some("counting (mk), colour"));
    let of = pair(&other);
    let blind = other.keys("JX");
    assert_eq!(blind.app.model.format_tags(of).as_deref(), Some("colour"));
    let found = blind.keys("X<Esc>f<Ctrl-u>tag == \"counting\"<Enter>");
    assert_eq!(found.app.model.selection.queries.len(), 1);
    let none = found.keys("f<Ctrl-u>tag == \"count\"<Enter>");
    assert_eq!(none.app.model.selection.queries.len(), 0);
    none.keys("f<Ctrl-u>tag ~ \"count\"<Enter>4<Tab>").shows("tagged pairs: colour 1, counting 1");
    let nowhere = Harness::demo(120, 40).keys("4w");
    assert!(nowhere.app.popup.is_none(), "{}", nowhere.screen());
}
