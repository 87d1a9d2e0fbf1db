//! The ids of one side of a gallery.

use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

use super::Id;
use crate::data::gallery::fingerprint;

/// Ids in matrix order, with the way back from an id to its index.
#[derive(Debug, Clone, Default)]
pub struct IdList {
    ids: Arc<Vec<Id>>,
    /// Places of all ids but those that are their own place: a million counted ids need no index.
    index: HashTable<u32>,
    fingerprint: OnceLock<u64>,
}

impl IdList {
    /// Builds the list.
    ///
    /// # Errors
    /// The first id that stands twice, with both positions.
    pub fn new(ids: impl Into<Arc<Vec<Id>>>) -> Result<Self, (Id, usize, usize)> {
        let ids = ids.into();
        let far = |(at, id): &(u32, &Id)| at_home(&ids, id) != Some(*at);
        let count = (0..).zip(ids.iter()).filter(far).count();
        let mut index = HashTable::with_capacity(count);
        for (at, id) in (0..).zip(ids.iter()).filter(far) {
            let same = |&place: &u32| ids[place as usize] == *id;
            let before = at_home(&ids, id).or_else(|| {
                match index.entry(hash(id), same, |&place| hash(&ids[place as usize])) {
                    Entry::Occupied(before) => Some(*before.get()),
                    Entry::Vacant(free) => {
                        free.insert(at);
                        None
                    }
                }
            });
            if let Some(other) = before {
                let (first, second) = (at.min(other) as usize, at.max(other) as usize);
                return Err((id.clone(), first, second));
            }
        }
        Ok(IdList {
            ids,
            index,
            fingerprint: OnceLock::new(),
        })
    }

    /// Ids `0..n`: what holds where no file names any.
    pub fn counted(n: usize) -> Self {
        IdList {
            ids: Arc::new((0..n as i64).map(Id::Number).collect()),
            ..IdList::default()
        }
    }

    /// Whether the ids are plain indices, as where no file names any.
    pub fn is_counted(&self) -> bool {
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

    /// The matrix index of an id; the file name of a picture stands for the image's id.
    pub fn find(&self, id: &Id) -> Option<u32> {
        match id {
            Id::Number(_) => self.known(id),
            Id::Text(text) => self.find_text(text),
        }
    }

    /// The same of an id that is a text and no number.
    pub fn find_text(&self, text: &str) -> Option<u32> {
        let is_it =
            |&place: &u32| matches!(&self.ids[place as usize], Id::Text(id) if **id == *text);
        let known = self.index.find(hash_of_text(text), is_it).copied();
        known.or_else(|| self.known(&Id::of_name(text)?))
    }

    fn known(&self, id: &Id) -> Option<u32> {
        let is_it = |&place: &u32| self.ids[place as usize] == *id;
        at_home(&self.ids, id).or_else(|| self.index.find(hash(id), is_it).copied())
    }

    /// The [`fingerprint`] of the ids, computed once: a list never changes.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| fingerprint(&self.ids))
    }

    /// The [`fingerprint`] of the sorted ids: the same in every matrix order.
    pub fn sorted_fingerprint(&self) -> u64 {
        let mut ids = self.ids.to_vec();
        ids.sort_unstable();
        fingerprint(&ids)
    }

    /// All ids, in matrix order.
    pub fn as_slice(&self) -> &[Id] {
        &self.ids
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

/// The place of an id that is the number of its own place.
fn at_home(ids: &[Id], id: &Id) -> Option<u32> {
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
        assert_eq!(IdList::counted(3).find(&Id::Number(2)), Some(2));
        assert_eq!(IdList::counted(3).find(&Id::Number(3)), None);
        assert!(IdList::counted(3).is_counted());
        assert!(!IdList::new(vec![Id::Number(1)]).unwrap().is_counted());
    }

    #[test]
    fn a_file_name_finds_the_image() {
        let ids = IdList::new(vec![Id::Number(42), Id::Text("x.png".into())]).unwrap();
        assert_eq!(
            ids.find(&Id::parse("COCO_val2014_000000000042.jpg")),
            Some(0)
        );
        assert_eq!(ids.find(&Id::parse("x.png")), Some(1));
        assert_eq!(ids.find(&Id::parse("COCO_val2014_000000000043.jpg")), None);
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
