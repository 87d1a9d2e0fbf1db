//! The ids of one side of a gallery.

use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::Id;
use crate::data::gallery::fingerprint;
use crate::data::parallel;

/// Ids in matrix order, with the index of each id.
#[derive(Debug, Clone, Default)]
pub struct IdList {
    ids: Arc<Vec<Id>>,
    /// Indices of all ids but those that equal their index: a million plain indices need no table.
    index: IdTable,
    fingerprint: OnceLock<u64>,
    sorted_fingerprint: OnceLock<u64>,
    /// Index of each id that has another spelling, by that spelling.
    others: OnceLock<FxHashMap<Id, u32>>,
}

impl IdList {
    /// Builds the list.
    ///
    /// # Errors
    /// The first duplicate id, with both positions.
    pub fn new(ids: impl Into<Arc<Vec<Id>>>) -> Result<Self, (Id, usize, usize)> {
        let ids = ids.into();
        let needs_table = |(at, id): &(u32, &Id)| plain_index(&ids, id) != Some(*at);
        let count = (0..).zip(ids.iter()).filter(needs_table).count();
        let mut index = IdTable(HashTable::with_capacity(count));
        for (at, id) in (0..).zip(ids.iter()).filter(needs_table) {
            let before = plain_index(&ids, id).or_else(|| index.insert(&ids, id, at));
            if let Some(other) = before {
                let (first, second) = (at.min(other) as usize, at.max(other) as usize);
                return Err((id.clone(), first, second));
            }
        }
        Ok(IdList { ids, index, ..IdList::default() })
    }

    /// Ids `0..n`, for files without ids.
    pub fn for_len(n: usize) -> Self {
        IdList { ids: Arc::new((0..n as i64).map(Id::Number).collect()), ..IdList::default() }
    }

    /// Whether the ids are plain indices, as for files without ids.
    pub fn is_indexed(&self) -> bool {
        let is_place = |(at, id): (i64, &Id)| *id == Id::Number(at);
        (0..).zip(self.ids.iter()).all(is_place)
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether the list has no id.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The matrix index of an id, else of the only listed id that is another spelling of it: `000000391895` and
    /// `COCO_val2014_000000391895.jpg` are spellings of `391895`. `None` if no other id is, or several are.
    pub fn find(&self, id: &Id) -> Option<u32> {
        match id {
            Id::Number(_) => self.find_raw(id).or_else(|| self.other_spellings().get(id).copied()),
            Id::Text(text) => self.find_text(text),
        }
    }

    /// The matrix index of each of the distinct `ids`; `None` if not found. No two get the same index: among several
    /// spellings of a listed id it goes to the listed one, or without it to the first.
    pub fn find_all(&self, ids: &[Id]) -> Vec<Option<u32>> {
        // Most files list ids in gallery order.
        let mut next = 0;
        let find = |id| {
            let is_next = self.ids.get(next as usize) == Some(id);
            let place = if is_next { Some(next) } else { self.find(id) };
            next = place.map_or(next, |place| place + 1);
            place
        };
        let mut found: Vec<Option<u32>> = ids.iter().map(find).collect();
        let is_plain = |(id, place): (&Id, Option<u32>)| {
            place.is_some_and(|place| self[place as usize] == *id)
        };
        let respelt = |at: &usize| found[*at].is_some() && !is_plain((&ids[*at], found[*at]));
        let respelt: Vec<usize> = (0..ids.len()).filter(respelt).collect();
        if respelt.is_empty() {
            return found;
        }
        let places = ids.iter().zip(found.iter().copied());
        let mut taken: FxHashSet<u32> =
            places.filter(|one| is_plain(*one)).filter_map(|(_, place)| place).collect();
        for at in respelt {
            found[at] = found[at].filter(|place| taken.insert(*place));
        }
        found
    }

    /// The other spellings of all ids, except ambiguous ones.
    fn other_spellings(&self) -> &FxHashMap<Id, u32> {
        self.others.get_or_init(|| {
            let mut others: FxHashMap<Id, Option<u32>> = FxHashMap::default();
            for (place, id) in (0..).zip(self.ids.iter()) {
                if let Id::Text(text) = id
                    && let Some(other) = Id::other_spelling(text)
                {
                    let places = others.entry(other).or_insert(Some(place));
                    if *places != Some(place) {
                        *places = None;
                    }
                }
            }
            let only = others.into_iter().filter_map(|(id, place)| Some((id, place?)));
            only.collect()
        })
    }

    /// [`IdList::find`] of an id that is no plain number, without making an [`Id`]; `None` if it is not found.
    pub fn find_text(&self, text: &str) -> Option<u32> {
        let is_id =
            |&place: &u32| matches!(&self.ids[place as usize], Id::Text(id) if **id == *text);
        let known = self.index.0.find(hash_of_text(text), is_id).copied();
        known.or_else(|| {
            let other = Id::other_spelling(text)?;
            let plain = self.find_raw(&other);
            plain.or_else(|| self.other_spellings().get(&other).copied())
        })
    }

    /// The matrix index of an id in exactly this spelling.
    pub fn find_raw(&self, id: &Id) -> Option<u32> {
        let is_id = |&place: &u32| self.ids[place as usize] == *id;
        plain_index(&self.ids, id).or_else(|| self.index.0.find(hash(id), is_id).copied())
    }

    /// The [`fingerprint`] of the ids, computed once: a list never changes.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| fingerprint(&self.ids))
    }

    /// The [`fingerprint`] of the sorted ids: the same in any matrix order.
    pub fn sorted_fingerprint(&self) -> u64 {
        *self.sorted_fingerprint.get_or_init(|| {
            let mut ids: Vec<&Id> = self.ids.iter().collect();
            parallel::sort_unstable_by_key(&mut ids, |id| *id);
            fingerprint(&ids)
        })
    }

    /// All ids, in matrix order.
    pub fn as_slice(&self) -> &[Id] {
        &self.ids
    }
}

/// The ids of one side from several files, each once in any spelling.
#[derive(Debug, Default)]
pub struct IdUnion {
    ids: Vec<Id>,
    seen: FxHashSet<Id>,
    /// The file that first had each shared spelling.
    files: FxHashMap<Id, usize>,
    /// Number of files so far.
    file: usize,
}

impl IdUnion {
    /// Adds the ids of a file that no earlier file has in any spelling. Two spellings in one file stay two ids.
    pub fn add(&mut self, ids: &[Id]) {
        self.file += 1;
        for id in ids.iter().filter(|id| !self.seen.contains(id)).cloned().collect::<Vec<_>>() {
            let other = match &id {
                Id::Text(text) => Id::other_spelling(text),
                Id::Number(_) => None,
            };
            let file = *self.files.entry(other.unwrap_or_else(|| id.clone())).or_insert(self.file);
            if self.seen.insert(id.clone()) && file == self.file {
                self.ids.push(id);
            }
        }
    }

    /// All ids, in the order they were added.
    pub fn into_ids(self) -> Vec<Id> {
        self.ids
    }
}

/// Ids, each once, in the order they were added.
#[derive(Debug, Default)]
pub struct DistinctIds {
    /// All ids so far.
    pub ids: Vec<Id>,
    /// A bit for each number below [`MAX_BITS`]: it stays in the cache, which the table does not.
    bits: Vec<u64>,
    table: IdTable,
}

/// Numbers that have a bit: image and caption ids of COCO.
const MAX_BITS: usize = 1 << 20;

impl DistinctIds {
    /// Adds an id, unless it was added before.
    pub fn push(&mut self, id: Id) {
        let is_known = match id {
            Id::Number(number) if (number as u64) < MAX_BITS as u64 => {
                self.bits.resize(MAX_BITS / 64, 0);
                let (word, bit) = (&mut self.bits[number as usize / 64], 1 << (number % 64));
                std::mem::replace(word, *word | bit) & bit != 0
            }
            _ => self.table.insert(&self.ids, &id, self.ids.len() as u32).is_some(),
        };
        if !is_known {
            self.ids.push(id);
        }
    }
}

/// Places of ids in an array, which the caller keeps.
#[derive(Debug, Clone, Default)]
pub struct IdTable(HashTable<u32>);

impl IdTable {
    /// Whether no id was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds `id`, whose place in `ids` is `place`; if the table has it, returns its place there instead. All ids
    /// added before must be in `ids`.
    pub fn insert(&mut self, ids: &[Id], id: &Id, place: u32) -> Option<u32> {
        let same = |&known: &u32| ids[known as usize] == *id;
        match self.0.entry(hash(id), same, |&known| hash(&ids[known as usize])) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(free) => {
                free.insert(place);
                None
            }
        }
    }
}

fn hash(id: &Id) -> u64 {
    match id {
        Id::Number(number) => FxBuildHasher.hash_one(number),
        Id::Text(text) => hash_of_text(text),
    }
}

fn hash_of_text(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

/// The index of an id that equals its index; `None` of any other.
fn plain_index(ids: &[Id], id: &Id) -> Option<u32> {
    let &Id::Number(number) = id else {
        return None;
    };
    let place = u32::try_from(number).ok()?;
    (ids.get(place as usize) == Some(id)).then_some(place)
}

impl std::ops::Index<usize> for IdList {
    type Output = Id;

    fn index(&self, at: usize) -> &Id {
        &self.ids[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_found_at_its_place() {
        let ids = [3, 1, 0, -1, 7].map(Id::Number).to_vec();
        let list = IdList::new(ids.clone()).unwrap();
        for (at, id) in (0..).zip(&ids) {
            assert_eq!(list.find(id), Some(at), "{id}");
        }
        for other in [2, 4, 5] {
            assert_eq!(list.find(&Id::Number(other)), None);
        }
        assert_eq!(IdList::for_len(3).find(&Id::Number(2)), Some(2));
        assert_eq!(IdList::for_len(3).find(&Id::Number(3)), None);
        assert!(IdList::for_len(3).is_indexed());
        assert!(!IdList::new(vec![Id::Number(1)]).unwrap().is_indexed());
    }

    #[test]
    fn a_file_name_finds_the_image() {
        let ids = IdList::new(vec![Id::Number(42), Id::Text("x.png".into())]).unwrap();
        assert_eq!(ids.find(&Id::parse("COCO_val2014_000000000042.jpg")), Some(0));
        assert_eq!(ids.find(&Id::parse("x.png")), Some(1));
        assert_eq!(ids.find(&Id::parse("COCO_val2014_000000000043.jpg")), None);
    }

    #[test]
    fn an_id_is_found_however_it_is_written() {
        let written = [
            "391895",
            "000000391895",
            "391895.jpg",
            "COCO_val2014_000000391895.jpg",
            "val2014/000000391895.png",
        ];
        for known in written {
            let ids = IdList::new(vec![Id::parse("7"), Id::parse(known)]).unwrap();
            for other in written {
                assert_eq!(ids.find(&Id::parse(other)), Some(1), "{other} in {known}");
            }
            assert_eq!(ids.find(&Id::parse("391896")), None);
        }
    }

    #[test]
    fn files_that_write_ids_otherwise_have_the_same_ids() {
        let list = |ids: &[&str]| ids.iter().map(|id| Id::parse(id)).collect::<Vec<_>>();
        let mut union = IdUnion::default();
        union.add(&list(&["0038", "0039", "x"]));
        union.add(&list(&["38", "39.jpg", "40", "x"]));
        union.add(&list(&["40", "040", "41"]));
        assert_eq!(union.into_ids(), list(&["0038", "0039", "x", "40", "41"]));
    }

    #[test]
    fn two_ids_of_a_file_are_never_one() {
        let list = |ids: &[&str]| ids.iter().map(|id| Id::parse(id)).collect::<Vec<_>>();
        let both = IdList::new(list(&["38", "038"])).unwrap();
        assert_eq!(both.find_all(&list(&["038", "38", "0038"])), [Some(1), Some(0), None]);
        let padded = IdList::new(list(&["038", "0038"])).unwrap();
        assert_eq!(padded.find(&Id::Number(38)), None);
        let one = IdList::new(list(&["38"])).unwrap();
        assert_eq!(one.find_all(&list(&["038", "38.jpg"])), [Some(0), None]);
        assert_eq!(one.find_all(&list(&["038", "38"])), [None, Some(0)]);
    }

    #[test]
    fn a_repeated_id_is_named_with_both_places() {
        let twice = vec![Id::Number(5), Id::Number(6), Id::Number(5)];
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(5), 0, 2));
        let twice = [2, 0, 2, 3].map(Id::Number).to_vec();
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(2), 0, 2));
        let twice = [9, 1, 1].map(Id::Number).to_vec();
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(1), 1, 2));
    }
}
