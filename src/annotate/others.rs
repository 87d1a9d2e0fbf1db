//! What others answered already: how many people answered for each pair.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::answers;
use super::claims::{self, Claim};
use super::pool::Others;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::output::folder_of;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::place::{file_name, sessions_of};
use crate::session::{ENDING, Place, Session, Timestamp};
use crate::truth::verdict::Pair;

/// The golden section: places that are multiples of it, less their whole part, lie far apart however many there are.
const GOLDEN: f64 = 0.618_033_988_749_895;

/// The session of an annotator over a pool: `pool.jsonl` has `pool.anna.itm.json`. Earlier versions wrote `_` for every
/// sign that a name of a file may not have.
pub fn session_of(pool: &Path, annotator: &str) -> Place {
    let of = |annotator: &str| pool.with_file_name(file_name(&stem(pool), annotator));
    let is_plain = |c: char| c.is_alphanumeric() || c == '-';
    let earlier = of(&annotator.replace(|c| !is_plain(c), "_"));
    let (path, session) = (of(annotator), Session::read(&earlier).ok());
    let is_mine = session.is_some_and(|(session, _)| session.annotators().contains(&annotator));
    Place::named(path, is_mine.then_some(earlier))
}

fn stem(pool: &Path) -> String {
    pool.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The sessions over a pool that lie beside it, in the order of their names.
pub fn sessions_beside(pool: &Path) -> Vec<PathBuf> {
    sessions_of(folder_of(pool), &stem(pool))
}

/// Where the answers of others are read.
#[derive(Debug, Clone)]
pub struct OthersFiles {
    /// The pool, beside which sessions lie.
    pub pool: PathBuf,
    /// Further files: sessions (`.itm.json`), and answers as the page saves them.
    pub named: Vec<PathBuf>,
    /// Whose answers are not those of others.
    pub me: String,
    /// How many people judge a pair at most.
    pub overlap: usize,
}

impl OthersFiles {
    fn all(&self) -> Vec<PathBuf> {
        let mut files = sessions_beside(&self.pool);
        files.extend(self.named.iter().cloned());
        files
    }

    /// How the files are: another number where any of them changed.
    pub fn state(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for path in self.all() {
            let facts = std::fs::metadata(&path).ok();
            (facts.map(|facts| (facts.len(), facts.modified().ok())), path).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What they say.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(&self, gallery: &Gallery) -> Result<Others> {
        let found = self.found(gallery)?;
        let before = found.names.iter().filter(|name| **name < self.me).count();
        let answers = found.by_pair.into_iter().map(|(pair, names)| (pair, names.len()));
        Ok(Others {
            answers: answers.collect(),
            overlap: self.overlap,
            start: (before as f64 * GOLDEN).fract(),
        })
    }

    fn found<'a>(&'a self, gallery: &'a Gallery) -> Result<Found<'a>> {
        let mut found =
            Found { me: &self.me, gallery, by_pair: FxHashMap::default(), names: BTreeSet::new() };
        for path in self.all() {
            found.read(&path)?;
        }
        Ok(found)
    }

    /// Claims a pair that the pool asks about, before it is answered: whether it is still free, also of those who answer
    /// at this moment.
    ///
    /// # Errors
    /// When the claim cannot be written beside the pool; where somebody else answers the pair at this moment, when the
    /// answers of others cannot be read.
    pub fn claim(&self, gallery: &Gallery, pair: Pair, at: Timestamp) -> Result<bool> {
        let (image, caption) =
            (&gallery.images[pair.image.get()], &gallery.captions[pair.caption.get()]);
        let claim =
            Claim { image: image.clone(), caption: caption.clone(), by: self.me.clone(), at };
        let file = claims::file_of(&self.pool);
        let just_now = claim.put(&file).map_err(|error| Error::io(&file, &error))?;
        if just_now.is_empty() {
            return Ok(true);
        }
        let mut found = self.found(gallery)?;
        for by in &just_now {
            found.add((by, image, caption));
        }
        Ok(found.by_pair.get(&pair).map_or(0, BTreeSet::len) < self.overlap)
    }
}

struct Found<'a> {
    me: &'a str,
    gallery: &'a Gallery,
    by_pair: FxHashMap<Pair, BTreeSet<String>>,
    names: BTreeSet<String>,
}

impl Found<'_> {
    fn read(&mut self, path: &Path) -> Result<()> {
        if !path.to_string_lossy().ends_with(ENDING) {
            let answers = answers::read(&Source::open(path)?)?;
            let all = answers.answers.iter();
            all.for_each(|one| self.add((&answers.annotator, &one.image, &one.caption)));
            return Ok(());
        }
        let (session, _) = Session::read(path)?;
        let judged = session.judgements().iter();
        judged.for_each(|one| self.add((&one.by, &one.image, &one.caption)));
        let untold = session.cant_tell().iter();
        untold.for_each(|one| self.add((&one.by, &one.image, &one.caption)));
        Ok(())
    }

    fn add(&mut self, (by, image, caption): (&String, &Id, &Id)) {
        let pair = Pair::find(self.gallery, image, caption).filter(|_| by != self.me);
        if let Some(pair) = pair {
            self.by_pair.entry(pair).or_default().insert(by.clone());
            self.names.insert(by.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::id::IdList;

    #[test]
    fn people_are_counted_once_a_pair_from_sessions_and_from_pages() {
        let folder = tempfile::tempdir().unwrap();
        let pool = folder.path().join("pool.jsonl");
        let [anna, bo] = ["anna", "b o/"].map(|name| session_of(&pool, name).path);
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
            images: IdList::counted(3),
            captions: IdList::counted(3),
            ..Gallery::default()
        };
        let mut files = OthersFiles { pool, named: vec![page], me: "mk".into(), overlap: 3 };
        let found = files.read(&gallery).unwrap();
        let pair = |image: u32| Pair::of(Direction::I2t, image.into(), 1u32.into());
        let expected = [(pair(0), 2), (pair(2), 1)];
        assert_eq!(found.answers, expected.into_iter().collect());
        assert_eq!(found.overlap, 3);
        // Two names come before mine.
        assert!((found.start - 2.0 * GOLDEN + 1.0).abs() < 1e-12);
        // Their files are read again when one of them changed.
        let state = files.state();
        assert_eq!(files.state(), state);
        std::fs::write(&anna, session(&[line(0, "anna")])).unwrap();
        assert_ne!(files.state(), state);
        assert_eq!(files.read(&gallery).unwrap().answers.len(), 1);
        files.named = vec![folder.path().join("none.json")];
        assert!(files.read(&gallery).is_err());
    }

    /// The files over a pool of which two people judge every pair.
    fn by_two(folder: &Path, me: &str) -> OthersFiles {
        OthersFiles { pool: folder.join("pool.jsonl"), named: vec![], me: me.into(), overlap: 2 }
    }

    #[test]
    fn of_those_who_answer_a_pair_at_once_as_many_are_taken_as_are_to_judge_it() {
        let folder = tempfile::tempdir().unwrap();
        let gallery = Gallery {
            images: IdList::counted(40),
            captions: IdList::counted(2),
            ..Gallery::default()
        };
        let pairs = || (0u32..40).map(|image| Pair::of(Direction::I2t, image.into(), 1u32.into()));
        let taken = |me: usize| {
            let files = by_two(folder.path(), &format!("p{me}"));
            let is_taken = |pair| files.claim(&gallery, pair, Timestamp::now()).unwrap();
            pairs().map(is_taken).collect::<Vec<bool>>()
        };
        let all: Vec<Vec<bool>> = std::thread::scope(|scope| {
            let people: Vec<_> = (0..5).map(|me| scope.spawn(move || taken(me))).collect();
            people.into_iter().map(|one| one.join().unwrap()).collect()
        });
        for pair in 0..40 {
            assert_eq!(all.iter().filter(|taken| taken[pair]).count(), 2, "pair {pair}");
        }
    }

    #[test]
    fn who_answered_and_is_saved_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let gallery = Gallery {
            images: IdList::counted(1),
            captions: IdList::counted(2),
            ..Gallery::default()
        };
        let files = |me: &str| by_two(folder.path(), me);
        let pair = Pair::of(Direction::I2t, 0u32.into(), 1u32.into());
        let claim = |me: &str| files(me).claim(&gallery, pair, Timestamp::now()).unwrap();
        assert!(claim("anna"));
        let session = r#"{"format": "itm-explore-session/1", "verdicts": [{"image": 0, "caption": 1, "verdict": "no", "at": "2026-11-22T10:00:00Z", "by": "anna"}]}"#;
        std::fs::write(session_of(&files("anna").pool, "anna").path, session).unwrap();
        assert!(claim("bo"));
        assert!(!claim("cy"));
    }
}
