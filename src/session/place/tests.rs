use super::*;
use crate::data::id::{Id, IdList};
use crate::session::{StudyFacts, Timestamp};
use crate::truth::judgment::Judgment;

#[test]
fn no_two_annotators_share_a_file() {
    let names = ["a/b", "a_b", "a b", "a.b", "a%2Fb", "ä", "a-b"];
    let files: Vec<String> = names.map(|name| file_name("pool", name)).to_vec();
    assert_eq!(files[..2], ["pool.a%2Fb.itm.json", "pool.a_b.itm.json"]);
    let mut different = files.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), names.len(), "{files:?}");
}

fn ids(ids: &[i64]) -> IdList {
    IdList::new(ids.iter().copied().map(Id::Number).collect::<Vec<Id>>()).unwrap()
}

fn gallery(images: &[i64], captions: &[i64]) -> Gallery {
    Gallery { images: ids(images), captions: ids(captions), ..Gallery::default() }
}

#[test]
fn a_gallery_is_known_by_its_ids_in_any_order_and_without_ids_by_more() {
    let folder = tempfile::tempdir().unwrap();
    let demo = crate::study::demo::open().unwrap();
    let name = |gallery: &Gallery, files: &[&str]| {
        let model = |(at, file): (usize, &&str)| {
            let mut model = demo.models[at].clone();
            model.source = folder.path().join(file).display().to_string();
            model
        };
        gallery_name(&Study {
            gallery: gallery.clone(),
            models: files.iter().enumerate().map(model).collect(),
            ..Study::default()
        })
    };
    let first = name(&gallery(&[7, 9], &[3, 4]), &["a.npy"]);
    assert!(first.starts_with("2x2-"), "{first}");
    assert_eq!(first, name(&gallery(&[9, 7], &[4, 3]), &["x/b.npy"]));
    for (images, captions) in [([7, 8], [3, 4]), ([3, 4], [7, 9]), ([7, 9], [3, 5])] {
        assert_ne!(first, name(&gallery(&images, &captions), &["a.npy"]));
    }
    // Plain indices: by texts, else by folder.
    let mut plain = Gallery::from_sizes(2, 2);
    let of_folder = name(&plain, &["a.npy"]);
    assert_eq!(of_folder, name(&plain, &["b.npy", "a.npy"]));
    fs::create_dir(folder.path().join("x")).unwrap();
    assert_ne!(of_folder, name(&plain, &["x/a.npy"]));
    plain.text_fingerprint = Some(5);
    assert_ne!(of_folder, name(&plain, &["a.npy"]));
    assert_eq!(name(&plain, &["a.npy"]), name(&plain, &["x/a.npy"]));
}

fn session(folder: &Path, name: &str, lines: &[(i64, i64, &str, i64)]) -> (PathBuf, Session) {
    let mut session = Session::default();
    for &(image, caption, judgment, at) in lines {
        let judgment = Judgment::ALL.into_iter().find(|known| known.key() == judgment);
        let at = Timestamp::from_seconds(at);
        session.set_response(&Id::Number(image), &Id::Number(caption), judgment, at, "mk");
    }
    (folder.join(name), session)
}

#[test]
fn indices_are_of_no_gallery_with_ids_and_a_session_of_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (with_ids, plain) = (gallery(&[0, 9], &[1, 4]), Gallery::from_sizes(2, 2));
    let mut old = session(folder.path(), "a.itm.json", &[(0, 1, "yes", 1)]);
    old.1.study = Some(StudyFacts::new(Vec::new(), &with_ids));
    assert!(old.1.require_gallery(&old.0, &with_ids).is_ok());
    let said = old.1.require_gallery(&old.0, &plain).unwrap_err().to_string();
    assert!(said.contains("a.itm.json: none of its 1 judgment is of"), "{said}");
    // Last opened with another gallery than that of its judgments.
    old.1.study = Some(StudyFacts::new(Vec::new(), &plain));
    assert!(old.1.require_gallery(&old.0, &with_ids).is_ok());
    let foreign = session(folder.path(), "f.itm.json", &[(70, 1, "yes", 1)]);
    let said = foreign.1.require_gallery(&foreign.0, &with_ids).unwrap_err().to_string();
    assert!(said.contains("none of its 1 judgment is of this gallery"), "{said}");
    // Some ids match.
    let some = session(folder.path(), "s.itm.json", &[(70, 1, "yes", 1), (0, 1, "no", 1)]);
    assert!(some.1.require_gallery(&some.0, &with_ids).is_ok());
    assert!(Session::default().require_gallery(Path::new("e"), &with_ids).is_ok());
}
