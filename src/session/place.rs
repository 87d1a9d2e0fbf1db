//! Where a session lies: one for each gallery and annotator, wherever the files of a study are.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Annotator, ENDING, Opened, Session};
use crate::data::gallery::{Gallery, fingerprint};
use crate::data::in_use;
use crate::data::output::folder_of;
use crate::data::text::shown;
use crate::error::Result;
use crate::study::{Inputs, Study};

/// The folder of the sessions of galleries, in that for the state of programs.
const FOLDER: &str = "sessions";

/// The file of a session, and those in which earlier versions kept it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, whether it exists or not.
    pub path: PathBuf,
    /// Files beside those of the study, which may be sessions of other galleries.
    earlier: Vec<PathBuf>,
}

impl Place {
    /// A file that somebody named; of those that were named in other ways before, the ones that exist are taken over.
    pub fn named(path: PathBuf, earlier: impl IntoIterator<Item = PathBuf>) -> Self {
        let is_earlier = |before: &PathBuf| *before != path && before.is_file();
        let earlier = earlier.into_iter().filter(is_earlier).collect();
        Place { path, earlier }
    }

    /// The session of a gallery and an annotator, or of the demo. Where nobody chose the annotator, the only session of the
    /// gallery is meant, whosever it is.
    pub fn find(inputs: &Inputs, study: &Study, annotator: &Annotator) -> Self {
        let folder = state_folder().unwrap_or_default();
        if inputs.demo {
            return Place::named(folder.join(format!("demo{ENDING}")), []);
        }
        let folder = folder.join(FOLDER);
        let gallery = gallery_name(inputs, study);
        let of = |annotator: &str| folder.join(file_name(&gallery, annotator));
        let files = inputs.positional_and_scores();
        let mut place = Place::named(of(&annotator.name), files.into_iter().map(beside));
        if annotator.is_chosen || place.path.exists() {
            return place;
        }
        let mut earlier = place.to_take_over(&study.gallery).flatten();
        let other = match &*sessions_of(&folder, &gallery) {
            [only] => Some(only.clone()),
            [] => earlier
                .next()
                .map(|(_, session)| of(annotator.in_session(&session))),
            _ => None,
        };
        drop(earlier);
        place.path = other.unwrap_or(place.path);
        place
    }

    /// The file of a session that there is, be it one of an earlier version.
    pub fn existing(self, gallery: &Gallery) -> Option<PathBuf> {
        if self.path.is_file() {
            return Some(self.path);
        }
        let mut earlier = self.to_take_over(gallery).flatten();
        earlier.next().map(|(path, _)| path.clone())
    }

    /// Opens the session. What earlier versions kept of the gallery is added to it.
    ///
    /// # Errors
    /// As [`Session::open`]; a session of another gallery.
    pub fn open(&self, gallery: &Gallery) -> Result<Opened> {
        if is_own(&self.path) {
            // Where there is no folder there is no lock either, until something is saved.
            let _ = fs::create_dir_all(folder_of(&self.path));
        }
        in_use::reads(&self.path)?;
        let mut opened = Session::open(&self.path)?;
        let session = &mut opened.session;
        session.require_of(&self.path, gallery)?;
        let mut names = Vec::new();
        for old in self.to_take_over(gallery) {
            let (path, old) = match old {
                Ok(old) => old,
                Err(error) => {
                    let note = format!("{}: {}", error.subject(), error.found());
                    opened.notes.push(note);
                    continue;
                }
            };
            let full = path.canonicalize().unwrap_or_else(|_| path.clone());
            let full = full.to_string_lossy().into_owned();
            if !session.taken_over.contains(&full) {
                session.add(old);
                session.taken_over.push(full);
                names.push(shown(&path.to_string_lossy()));
            }
        }
        if !names.is_empty() {
            let line = format!("taken over from {}, left as it was", names.join(", "));
            opened.taken_over = Some(line);
        }
        Ok(opened)
    }

    /// The sessions of earlier versions that are of a gallery, with their files.
    fn to_take_over(&self, gallery: &Gallery) -> impl Iterator<Item = Result<(&PathBuf, Session)>> {
        let all = self
            .earlier
            .iter()
            .map(|path| Ok((path, Session::read(path)?.0)));
        all.filter(|read| {
            !read
                .as_ref()
                .is_ok_and(|(_, session)| !session.is_of(gallery))
        })
    }
}

/// The gallery of a study in the name of a file: its sizes and the fingerprint of its ids. Plain indices are those of any
/// gallery, which is then known by its texts; without texts, by the folder of its scores.
fn gallery_name(inputs: &Inputs, study: &Study) -> String {
    let gallery = &study.gallery;
    let [images, captions] = [&gallery.images, &gallery.captions];
    let known = match gallery.text_fingerprint.filter(|_| gallery.is_indexed()) {
        Some(texts) => texts,
        None if gallery.is_indexed() => fingerprint(&[folder_of_scores(inputs, study).display()]),
        None => images.sorted_fingerprint().rotate_left(1) ^ captions.sorted_fingerprint(),
    };
    format!("{}x{}-{known:016x}", images.len(), captions.len())
}

/// The folder of the scores, the first by name; of the first file where no scores are named.
fn folder_of_scores(inputs: &Inputs, study: &Study) -> PathBuf {
    let files = inputs.positional_and_scores();
    let is_scores = |path: &&&Path| {
        let name = shown(&path.display().to_string());
        let mut models = study.models.iter();
        models.any(|model| model.source.starts_with(&name))
    };
    let full = |path: &&Path| {
        let folder = if path.is_dir() { path } else { folder_of(path) };
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    let scores = files.iter().filter(is_scores).map(full).min();
    scores
        .or_else(|| files.first().map(full))
        .unwrap_or_default()
}

/// The program's folder among those for the state of programs; `None` where nothing tells which that is.
pub(super) fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    state.map(|state| state.join("itm-explore"))
}

/// Whether the program chose where a session lies.
pub fn is_own(path: &Path) -> bool {
    state_folder().is_some_and(|folder| path.starts_with(folder))
}

/// The name of an annotator's session among those of one gallery or pool. No two annotators have the same.
pub fn file_name(stem: &str, annotator: &str) -> String {
    let mut name = format!("{stem}.");
    for sign in annotator.chars() {
        if sign.is_alphanumeric() || "-_".contains(sign) {
            name.push(sign);
        } else {
            for byte in sign.to_string().bytes() {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name + ENDING
}

/// The sessions in a folder that [`file_name`] gave their names, in the order of these.
pub fn sessions_of(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let start = format!("{stem}.");
    let is_session = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let annotator = name.strip_prefix(&start);
        annotator.is_some_and(|rest| rest.len() > ENDING.len() && rest.ends_with(ENDING))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(is_session)
        .collect();
    found.sort();
    found
}

/// Where earlier versions kept the session of the study whose first file this was: `lsa.npy` had `lsa.itm.json`. That
/// of a folder was inside, named as the folder, or as the description that it holds.
fn beside(path: &Path) -> PathBuf {
    if !path.is_dir() {
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        let stem = Path::new(stem);
        let packed = path.extension().is_some_and(|ending| ending == "gz");
        let stem = stem
            .file_stem()
            .filter(|_| packed)
            .unwrap_or(stem.as_os_str());
        return path.with_file_name(with_ending(stem));
    }
    if path.join("study.toml").is_file() {
        return path.join(with_ending(OsStr::new("study")));
    }
    // The name of `.` or `..` is that of the folder it stands for.
    let full = path.canonicalize().ok();
    let name = path.file_name().or_else(|| full.as_deref()?.file_name());
    path.join(with_ending(name.unwrap_or(OsStr::new("study"))))
}

fn with_ending(stem: &OsStr) -> OsString {
    let mut name = stem.to_owned();
    name.push(ENDING);
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::{Id, IdList};
    use crate::session::{Facts, Judgement, Lock, Timestamp};
    use crate::truth::verdict::Verdict;

    #[test]
    fn earlier_versions_kept_sessions_beside_the_first_file() {
        for (path, session) in [
            ("lsa.npy", "lsa.itm.json"),
            ("runs/7/ours.run.gz", "runs/7/ours.itm.json"),
            ("runs/v1.5/scores", "runs/v1.5/scores.itm.json"),
            ("study.toml", "study.itm.json"),
        ] {
            assert_eq!(beside(Path::new(path)), Path::new(session), "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        let coco = folder.path().join("coco5k");
        fs::create_dir(&coco).unwrap();
        assert_eq!(beside(&coco), coco.join("coco5k.itm.json"));
        assert_eq!(beside(&coco.join(".")), coco.join("./coco5k.itm.json"));
        fs::write(coco.join("study.toml"), "").unwrap();
        assert_eq!(beside(&coco), coco.join("study.itm.json"));
    }

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
        Gallery {
            images: ids(images),
            captions: ids(captions),
            ..Gallery::default()
        }
    }

    #[test]
    fn a_gallery_is_known_by_its_ids_in_any_order_and_without_ids_by_more() {
        let folder = tempfile::tempdir().unwrap();
        let name = |gallery: &Gallery, files: &[&str]| {
            let files = files.iter().map(|file| folder.path().join(file)).collect();
            let inputs = Inputs {
                files,
                ..Inputs::default()
            };
            let study = Study {
                gallery: gallery.clone(),
                ..Study::default()
            };
            gallery_name(&inputs, &study)
        };
        let first = name(&gallery(&[7, 9], &[3, 4]), &["a.npy"]);
        assert!(first.starts_with("2x2-"), "{first}");
        assert_eq!(first, name(&gallery(&[9, 7], &[4, 3]), &["x/b.npy"]));
        for (images, captions) in [([7, 8], [3, 4]), ([3, 4], [7, 9]), ([7, 9], [3, 5])] {
            assert_ne!(first, name(&gallery(&images, &captions), &["a.npy"]));
        }
        // Plain indices: by the texts, else by the folder.
        let mut plain = Gallery::indexed(2, 2);
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
        for &(image, caption, verdict, at) in lines {
            let verdict = Verdict::ALL
                .into_iter()
                .find(|known| known.key() == verdict);
            let at = Timestamp::of_seconds(at);
            session.set_verdict(&Id::Number(image), &Id::Number(caption), verdict, at, "mk");
        }
        (folder.join(name), session)
    }

    fn save((path, session): &(PathBuf, Session)) {
        match Session::open(path).unwrap().lock {
            Lock::Held(saver) => saver.save(session).unwrap(),
            Lock::Other { who } => panic!("held by {who}"),
        }
    }

    fn verdicts(session: &Session) -> Vec<String> {
        let line = |one: &Judgement| format!("{} {} {}", one.image, one.caption, one.verdict);
        session.judgements().iter().map(line).collect()
    }

    #[test]
    fn sessions_of_earlier_versions_are_taken_over_once_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let gallery = gallery(&[7, 9], &[3, 4]);
        let mut a = session(
            folder.path(),
            "a.itm.json",
            &[(7, 3, "yes", 1), (9, 3, "no", 1)],
        );
        // Earlier versions took fingerprints in matrix order.
        a.1.study = Some(Facts {
            image_ids: super::super::hex(gallery.images.fingerprint()),
            caption_ids: super::super::hex(gallery.captions.fingerprint()),
            ..Facts::of(Vec::new(), &gallery)
        });
        let b = session(
            folder.path(),
            "b.itm.json",
            &[(7, 3, "partial", 2), (7, 4, "no", 1)],
        );
        let mut other = session(folder.path(), "other.itm.json", &[(7, 3, "no", 9)]);
        other.1.study = Some(Facts::of(
            Vec::new(),
            &super::tests::gallery(&[7, 8], &[3, 4]),
        ));
        let broken = folder.path().join("broken.itm.json");
        for old in [&a, &b, &other] {
            save(old);
        }
        fs::write(&broken, "{").unwrap();
        let before = fs::read(&a.0).unwrap();
        let earlier = [&a.0, &b.0, &other.0, &broken].map(Clone::clone);
        let path = folder.path().join("new.itm.json");
        let place = Place::named(path.clone(), earlier);
        assert_eq!(place.clone().existing(&gallery), Some(a.0.clone()));
        let opened = place.open(&gallery).unwrap();
        assert_eq!(
            verdicts(&opened.session),
            ["7 3 partial", "9 3 no", "7 4 no"]
        );
        let said = opened.taken_over.clone().unwrap();
        assert!(
            said.contains("a.itm.json, ") && said.contains("b.itm.json"),
            "{said}"
        );
        assert!(!said.contains("other"), "{said}");
        assert!(opened.notes[0].contains("broken.itm.json: broken JSON"));
        assert_eq!(fs::read(&a.0).unwrap(), before);
        // What is taken back later does not come again.
        let mut kept = opened.session.clone();
        let (image, caption, at) = (Id::Number(9), Id::Number(3), Timestamp::of_seconds(3));
        kept.set_verdict(&image, &caption, None, at, "mk");
        drop(opened);
        save(&(path.clone(), kept.clone()));
        let again = place.open(&gallery).unwrap();
        assert_eq!((again.session, again.taken_over), (kept, None));
        assert_eq!(place.existing(&gallery), Some(path));
    }

    #[test]
    fn indices_are_of_no_gallery_with_ids_and_a_session_of_another_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (with_ids, plain) = (gallery(&[0, 9], &[1, 4]), Gallery::indexed(2, 2));
        let mut old = session(folder.path(), "a.itm.json", &[(0, 1, "yes", 1)]);
        old.1.study = Some(Facts::of(Vec::new(), &with_ids));
        assert!(old.1.is_of(&with_ids) && !old.1.is_of(&plain));
        let said = old.1.require_of(&old.0, &plain).unwrap_err().to_string();
        assert!(
            said.contains("a.itm.json") && said.contains("plain indices"),
            "{said}"
        );
        // The last gallery that it was opened with was another one than that of its verdicts.
        old.1.study = Some(Facts::of(Vec::new(), &plain));
        assert!(old.1.is_of(&with_ids));
        let foreign = session(folder.path(), "f.itm.json", &[(70, 1, "yes", 1)]);
        let said = foreign
            .1
            .require_of(&foreign.0, &with_ids)
            .unwrap_err()
            .to_string();
        assert!(
            said.contains("none of its 1 verdict is of this gallery"),
            "{said}"
        );
        // Some of it: that counts.
        let some = session(
            folder.path(),
            "s.itm.json",
            &[(70, 1, "yes", 1), (0, 1, "no", 1)],
        );
        assert!(some.1.require_of(&some.0, &with_ids).is_ok() && !some.1.is_of(&with_ids));
        assert!(
            Session::default()
                .require_of(Path::new("e"), &with_ids)
                .is_ok()
        );
    }
}
