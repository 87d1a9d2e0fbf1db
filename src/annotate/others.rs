//! Responses of other annotators: their number per pair.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::import::Import;
use super::pool::OtherAnnotators;
use crate::data::gallery::Gallery;
use crate::data::output::folder_of;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::place::{file_name, session_paths};
use crate::truth::judgment::Pair;

/// Path of the session of an annotator over a pool: `pool.jsonl` has `pool.anna.itm.json`.
pub fn session_path(pool: &Path, annotator: &str) -> PathBuf {
    pool.with_file_name(file_name(&pool_stem(pool), annotator))
}

/// File name of a pool without extension.
fn pool_stem(pool: &Path) -> String {
    pool.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Paths of the sessions over a pool that are in its folder, sorted by name.
pub fn sessions_beside(pool: &Path) -> Vec<PathBuf> {
    session_paths(folder_of(pool), &pool_stem(pool))
}

impl OtherAnnotators {
    /// Reads the responses of annotators other than `me` to the pairs of a pool, from sessions in its folder and from
    /// `named` files in any form of [`Import::read`]. `overlap` is the maximum number of annotators per pair.
    ///
    /// # Errors
    /// An unreadable file, or an invalid response.
    pub fn read(
        pool: &Path,
        named: &[PathBuf],
        (me, overlap): (&str, usize),
        gallery: &Gallery,
    ) -> Result<Self> {
        let sessions = sessions_beside(pool);
        let mut by_pair: FxHashMap<Pair, BTreeSet<String>> = FxHashMap::default();
        let sources = sessions.iter().chain(named).map(|path| Source::open(path));
        let import = Import::read(&sources.collect::<Result<Vec<_>>>()?)?;
        if let Some(problem) = import.problems.first() {
            let place = import.describe(problem.place);
            return Err(
                Error::new(place, &problem.found).expected("an answer of another annotator")
            );
        }
        for one in import.answers.into_iter().map(|given| given.entry) {
            let pair = Pair::find(gallery, &one.image, &one.caption);
            if let Some(pair) = pair.filter(|_| one.by != me) {
                by_pair.entry(pair).or_default().insert(one.by);
            }
        }
        let name =
            |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let me = file_name(&pool_stem(pool), me);
        let mut people: BTreeSet<String> = sessions.iter().map(name).collect();
        people.remove(&me);
        let answers = by_pair.into_iter().map(|(pair, names)| (pair, names.len()));
        Ok(OtherAnnotators { answers: answers.collect(), overlap, me, people })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::id::IdList;

    #[test]
    fn annotators_count_once_per_pair_in_sessions_and_pages() {
        let folder = tempfile::tempdir().unwrap();
        let pool = folder.path().join("pool.jsonl");
        let [anna, bo] = ["anna", "b o/"].map(|name| session_path(&pool, name));
        assert_eq!(bo.file_name().unwrap(), "pool.b%20o%2F.itm.json");
        let line = |image: u32, by: &str| {
            format!(
                r#"{{"image": {image}, "caption": 1, "verdict": "no", "at": "2026-11-22T10:00:00Z", "by": "{by}"}}"#
            )
        };
        let session = |lines: &[String]| {
            format!(r#"{{"format": "itm-explore-session/1", "verdicts": [{}]}}"#, lines.join(","))
        };
        std::fs::write(&anna, session(&[line(0, "anna"), line(2, "anna"), line(77, "anna")]))
            .unwrap();
        std::fs::write(&bo, session(&[line(0, "bo"), line(0, "mk")])).unwrap();
        std::fs::write(folder.path().join("other.bo.itm.json"), "").unwrap();
        let page = folder.path().join("answers.json");
        let answers = r#"{"format":"itm-explore answers 1","annotator":"anna","answers":[{"image":"0","caption":"1","answer":"cant-tell","at":"2026-11-22T10:00:00Z"}]}"#;
        std::fs::write(&page, answers).unwrap();
        assert_eq!(sessions_beside(&pool), [anna.clone(), bo]);
        let gallery = Gallery {
            images: IdList::for_len(3),
            captions: IdList::for_len(3),
            ..Gallery::default()
        };
        let found = OtherAnnotators::read(&pool, &[page], ("mk", 3), &gallery).unwrap();
        let pair = |image: u32| Pair::from_query(Direction::I2t, image.into(), 1u32.into());
        let expected = [(pair(0), 2), (pair(2), 1)];
        assert_eq!(found.answers, expected.into_iter().collect());
        assert_eq!(found.overlap, 3);
        let people = ["pool.anna.itm.json", "pool.b%20o%2F.itm.json"].map(String::from);
        assert_eq!(found.people, people.into());
        let none = [folder.path().join("none.json")];
        assert!(OtherAnnotators::read(&pool, &none, ("mk", 3), &gallery).is_err());
    }
}
