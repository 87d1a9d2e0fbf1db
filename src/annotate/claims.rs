//! What is being answered just now: a line for each answer in a file beside the pool, before the answer is in anybody's
//! session, so that two people cannot answer a pair at once that one of them is to answer.
//!
//! Lines are appended and never changed; where several people answer a pair, the order of their lines decides. Sessions
//! hold the answers: a line counts for [`RECENT`] seconds, until the session of its person is saved and read.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::data::id::Id;
use crate::session::Timestamp;

/// For how many seconds a line counts.
const RECENT: i64 = 30;
/// How much of the end of the file is read: hundreds of lines, which nobody writes in that time.
const END: u64 = 64 << 10;

/// That somebody answers a pair: a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claim {
    pub image: Id,
    pub caption: Id,
    pub by: String,
    pub at: Timestamp,
}

impl Claim {
    /// Appends it to the file, and tells who else answered the pair just before.
    ///
    /// # Errors
    /// When the file cannot be written or read.
    pub(super) fn put(&self, file: &Path) -> io::Result<BTreeSet<String>> {
        let mut options = OpenOptions::new();
        let mut file = options.create(true).append(true).read(true).open(file)?;
        let line = format!("{}\n", serde_json::to_string(self)?);
        // In one piece: lines of several people do not mix.
        file.write_all(line.as_bytes())?;
        let end = end_of(&mut file)?;
        let lines = end.split(|byte| *byte == b'\n');
        let claims = lines.filter_map(|line| serde_json::from_slice::<Claim>(line).ok());
        let before = claims.take_while(|other| other != self);
        let of_pair = before.filter(|other| self.meets(other));
        Ok(of_pair.map(|other| other.by).collect())
    }

    /// Whether another person answers the same pair at the same time.
    fn meets(&self, other: &Claim) -> bool {
        let is_pair = (&self.image, &self.caption) == (&other.image, &other.caption);
        // Clocks of two machines differ.
        is_pair && self.by != other.by && self.at.seconds_since(other.at).abs() < RECENT
    }
}

/// The last bytes of a file; what they begin in the middle of is no line.
fn end_of(file: &mut File) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
    let mut end = Vec::new();
    file.take(2 * END).read_to_end(&mut end)?;
    Ok(end)
}

/// The file of a pool: `pool.jsonl` has `pool.claims.jsonl`.
pub(super) fn file_of(pool: &Path) -> PathBuf {
    pool.with_extension("claims.jsonl")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(image: i64, by: &str, second: i64) -> Claim {
        Claim {
            image: Id::Number(image),
            caption: Id::Number(1),
            by: by.to_owned(),
            at: Timestamp::of_seconds(second),
        }
    }

    #[test]
    fn who_answers_a_pair_just_before_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = file_of(&folder.path().join("pool.jsonl"));
        let put = |claim: Claim| claim.put(&file).unwrap().into_iter().collect::<Vec<_>>();
        assert!(put(claim(7, "anna", 1000)).is_empty());
        assert_eq!(put(claim(7, "bo", 1002)), ["anna"]);
        assert!(put(claim(8, "bo", 1003)).is_empty());
        assert_eq!(put(claim(7, "cy", 1031)), ["bo"]);
        assert_eq!(put(claim(7, "anna", 1040)), ["cy"]);
        std::fs::write(&file, "broken\n").unwrap();
        assert!(put(claim(7, "bo", 1041)).is_empty());
    }

    #[test]
    fn only_the_end_of_a_long_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("long.jsonl");
        std::fs::write(&file, "x".repeat(3 * END as usize) + "\n").unwrap();
        assert!(claim(7, "anna", 1).put(&file).unwrap().is_empty());
        assert_eq!(claim(7, "bo", 1).put(&file).unwrap().len(), 1);
    }
}
