//! From the cells of an id column to gallery indices, a hundred million times.

use rustc_hash::FxHashMap;

use super::cells::Key;
use crate::data::id::{Id, IdList, plain_number};

/// Stands for an id that the gallery lacks.
pub(super) const MISSING: u32 = u32::MAX;
/// Numbers so close to each other are looked up in an array: at most so many places for each.
const SPREAD: usize = 16;
/// Places that an array may always have.
const FEW: usize = 1 << 20;

/// The indices of ids.
pub(super) struct Lookup<'a> {
    /// Index of each number from `least` on.
    near: Vec<u32>,
    least: i64,
    /// Numbers, where they are far from each other.
    far: FxHashMap<i64, u32>,
    texts: FxHashMap<&'a str, u32>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(ids: &'a IdList) -> Self {
        let (mut numbers, mut texts) = (Vec::new(), FxHashMap::default());
        for (id, at) in ids.as_slice().iter().zip(0..) {
            match id {
                Id::Number(number) => numbers.push((*number, at)),
                Id::Text(text) => {
                    texts.insert(&**text, at);
                }
            }
        }
        let mut lookup = Lookup {
            near: Vec::new(),
            least: numbers.iter().map(|&(number, _)| number).min().unwrap_or(0),
            far: FxHashMap::default(),
            texts,
        };
        let most = numbers.iter().map(|&(number, _)| number).max().unwrap_or(0);
        let places = (i128::from(most) - i128::from(lookup.least) + 1) as u128;
        if places <= (numbers.len() * SPREAD).max(FEW) as u128 {
            lookup.near = vec![MISSING; places as usize];
            for (number, at) in numbers {
                lookup.near[(number - lookup.least) as usize] = at;
            }
        } else {
            lookup.far = numbers.into_iter().collect();
        }
        lookup
    }

    /// The index of an id, or [`MISSING`].
    #[inline]
    pub(super) fn find(&self, key: Key) -> u32 {
        match key {
            Key::Number(number) => self.number(number),
            Key::Text(text) => match plain_number(text) {
                Some(number) => self.number(number),
                None => self
                    .texts
                    .get(text)
                    .copied()
                    .unwrap_or_else(|| self.file(text)),
            },
        }
    }

    /// The image that a file name stands for, as everywhere.
    #[cold]
    fn file(&self, text: &str) -> u32 {
        match Id::of_name(text) {
            Some(Id::Number(number)) => self.number(number),
            Some(Id::Text(text)) => self.texts.get(&*text).copied().unwrap_or(MISSING),
            None => MISSING,
        }
    }

    #[inline]
    fn number(&self, number: i64) -> u32 {
        if self.far.is_empty() {
            let place = number.wrapping_sub(self.least) as u64 as usize;
            self.near.get(place).copied().unwrap_or(MISSING)
        } else {
            self.far.get(&number).copied().unwrap_or(MISSING)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_however_far_they_lie() {
        for numbers in [vec![5, -3, 90], vec![i64::MIN, i64::MAX, 0, -7]] {
            let mut ids: Vec<Id> = numbers.iter().copied().map(Id::Number).collect();
            ids.push(Id::parse("COCO_5.jpg"));
            let list = IdList::new(ids.clone()).unwrap();
            let lookup = Lookup::new(&list);
            for (id, at) in ids.iter().zip(0..) {
                let text = match id {
                    Id::Number(number) => {
                        assert_eq!(lookup.find(Key::Number(*number)), at);
                        number.to_string()
                    }
                    Id::Text(text) => text.to_string(),
                };
                assert_eq!(lookup.find(Key::Text(&text)), at);
            }
            assert_eq!(lookup.find(Key::Number(4)), MISSING);
            assert_eq!(lookup.find(Key::Text("05")), MISSING);
        }
    }
}
