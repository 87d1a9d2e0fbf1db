use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::data::Direction;
use crate::data::id::Id;
use crate::session::merge::sorted_by_key;
use crate::session::{Note, Pick, StudyFacts, Timestamp};
use crate::truth::judgment::Judgment;

fn with_judgment(caption: i64) -> Session {
    let mut session = Session::default();
    let (image, caption) = (Id::Number(1), Id::Number(caption));
    let at = Timestamp::from_seconds(caption.raw().len() as i64);
    session.set_response(&image, &caption, Some(Judgment::Yes), at, "mk");
    session
}

fn held(path: &Path) -> (Session, Saver) {
    let opened = Session::open(path).unwrap();
    match opened.lock {
        Lock::Held(saver) => (opened.session, saver),
        Lock::Other { who } => panic!("held by {who}"),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_second_one_may_look_but_not_save() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.itm.json");
    let (empty, saver) = held(&path);
    assert_eq!(empty, Session::default());
    assert!(!path.exists(), "nothing is written before there is anything");
    saver.save(&with_judgment(7)).unwrap();
    let second = Session::open(&path).unwrap();
    assert_eq!(second.session, with_judgment(7));
    let me = format!("process {}", std::process::id());
    assert!(matches!(second.lock, Lock::Other { who } if who == me));
    drop(saver);
    held(&path);
    assert_eq!(names(folder.path()), ["s.itm.json"]);
}

#[test]
fn the_longest_name_can_be_saved_and_a_longer_one_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |length: usize| folder.path().join("n".repeat(length));
    let (_, saver) = held(&path(MAX_NAME_BYTES));
    saver.save(&with_judgment(7)).unwrap();
    let error = Session::open(&path(MAX_NAME_BYTES + 1)).unwrap_err();
    assert!(error.to_string().contains("a name of 244 bytes"), "{error}");
    drop(saver);
    assert_eq!(names(folder.path()), ["n".repeat(MAX_NAME_BYTES)]);
}

#[test]
fn links_are_refused_and_permissions_stay() {
    let folder = tempfile::tempdir().unwrap();
    let [path, link] = ["s.itm.json", "link"].map(|name| folder.path().join(name));
    symlink("s.itm.json", &link).unwrap();
    let error = Session::open(&link).unwrap_err().to_string();
    assert!(error.contains("symbolic link") && error.contains("s.itm.json"), "{error}");
    let (_, saver) = held(&path);
    saver.save(&with_judgment(1)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
    saver.save(&with_judgment(2)).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(Session::read(&path).unwrap().0, with_judgment(2));
    // Created meanwhile.
    fs::rename(&path, folder.path().join("moved")).unwrap();
    symlink("moved", &path).unwrap();
    assert!(saver.save(&with_judgment(3)).unwrap_err().to_string().contains("symbolic link"));
    assert_eq!(Session::read(&folder.path().join("moved")).unwrap().0, with_judgment(2));
}

#[test]
fn a_damaged_or_newer_file_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.itm.json");
    held(&path).1.save(&with_judgment(3)).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    let cut = &whole[..whole.len() - 30];
    for (text, told) in [
        (cut, "broken JSON at line"),
        ("{\"format\": \"itm-explore-session/2\", \"verdicts\": {}}", "of version 2"),
    ] {
        fs::write(&path, text).unwrap();
        let error = Session::open(&path).unwrap_err().to_string();
        assert!(error.contains(told) && error.contains("rename it"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert!(Session::open(folder.path()).is_err(), "a folder");
}

#[test]
fn what_others_wrote_meanwhile_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.itm.json");
    let (_, saver) = held(&path);
    saver.save(&with_judgment(3)).unwrap();
    let mut text = fs::read_to_string(&path).unwrap();
    text.push(' ');
    fs::write(&path, &text).unwrap();
    let error = saver.save(&with_judgment(4)).unwrap_err().to_string();
    assert!(error.contains("another program"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::remove_file(&path).unwrap();
    saver.save(&with_judgment(4)).unwrap();
    assert_eq!(Session::read(&path).unwrap().0, with_judgment(4));
}

#[test]
fn a_folder_comes_with_the_first_save_and_where_none_can_be_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/er/demo.itm.json");
    let [first, second] = [&path, &path].map(|path| held(path).1);
    assert!(!folder.path().join("new").exists());
    first.save(&with_judgment(1)).unwrap();
    let error = second.save(&with_judgment(2)).unwrap_err().to_string();
    assert!(error.contains("open elsewhere (process"), "{error}");
    drop(first);
    let error = second.save(&with_judgment(2)).unwrap_err().to_string();
    assert!(error.contains("another program"), "{error}");
    let (_, nowhere) = held(Path::new("/proc/none.itm.json"));
    let error = nowhere.save(&with_judgment(2)).unwrap_err().to_string();
    assert!(error.contains("not saved") && error.contains("--session FILE"), "{error}");
}

fn id() -> impl Strategy<Value = Id> {
    prop_oneof![any::<i64>().prop_map(Id::Number), ".{0,6}".prop_map(|text| Id::parse(&text))]
}

fn other() -> impl Strategy<Value = serde_json::Map<String, Value>> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(|n| json!({"deep": [n, null]})),
        ".{0,8}".prop_map(Value::String)
    ];
    // Field names not used by this version.
    prop::collection::vec(("later_.{0,4}", value), 0..3)
        .prop_map(|fields| fields.into_iter().collect())
}

fn at() -> impl Strategy<Value = Timestamp> {
    any::<i32>().prop_map(|seconds| Timestamp::from_seconds(seconds.into()))
}

fn pick() -> impl Strategy<Value = Pick> {
    let named = (prop::collection::vec(".{0,6}", 0..3), ".{0,6}", any::<u32>());
    (id(), any::<bool>(), named, ".{0,12}", at(), other()).prop_map(
        |(query, images, (models, truth, depth), note, at, other)| Pick {
            query,
            direction: Direction::BOTH[usize::from(images)],
            models,
            by: note.clone(),
            pool: Some(truth.clone()),
            truth,
            depth,
            note,
            at,
            sampled: None,
            group: None,
            other,
        },
    )
}

fn session() -> impl Strategy<Value = Session> {
    let judgment = (id(), id(), 0..4_usize, at(), "[a-cé\\PC]{0,3}");
    let study = (prop::collection::vec(".{0,6}", 0..3), any::<usize>(), other());
    let lists = (prop::collection::vec(judgment, 0..12), prop::collection::vec(pick(), 0..4));
    (lists, prop::option::of(study), other(), other()).prop_map(
        |((judgments, picks), study, view, unknown)| {
            let notes = picks.iter().map(|pick| Note {
                query: pick.query.clone(),
                direction: pick.direction,
                text: pick.note.clone(),
                at: pick.at,
                by: pick.by.clone(),
                other: pick.other.clone(),
            });
            let mut session = Session {
                notes: notes.collect(),
                picks,
                study: study.map(|(files, images, other)| StudyFacts {
                    files,
                    images,
                    other,
                    ..StudyFacts::default()
                }),
                view,
                other: unknown,
                ..Session::default()
            };
            for (image, caption, which, at, by) in &judgments {
                session.set_response(image, caption, Some(Judgment::ALL[*which]), *at, by);
            }
            session
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_saved_is_opened_again(mut session in session()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.itm.json");
        held(&path).1.save(&session).unwrap();
        let (again, saver) = held(&path);
        session.judgments = sorted_by_key(session.judgments.iter()).into_iter().cloned().collect();
        session.notes = sorted_by_key(session.notes.iter()).into_iter().cloned().collect();
        prop_assert_eq!(&again, &session);
        saver.save(&again).unwrap();
    }
}
