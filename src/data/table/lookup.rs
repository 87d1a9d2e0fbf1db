//! From the cells of an id column to gallery indices, a hundred million times.

use super::cells::Key;
use crate::data::id::{Id, IdList, plain_number};

/// Index of an id that the gallery lacks.
pub(super) const MISSING: u32 = u32::MAX;
/// Close numbers are looked up in an array, with at most this many cells for each.
const SPREAD: usize = 16;
/// Array size that is always allowed.
const FEW: usize = 1 << 20;

/// Finds the gallery index of an id, by a table if numeric ids are close together.
pub(super) struct Lookup<'a> {
    ids: &'a IdList,
    /// Index of each number from `least` on; empty if they are not close.
    near: Vec<u32>,
    least: i64,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(ids: &'a IdList) -> Self {
        let numbers = || {
            (0..).zip(ids.as_slice()).filter_map(|(at, id)| match id {
                Id::Number(number) => Some((*number, at)),
                Id::Text(_) => None,
            })
        };
        let least = numbers().map(|(number, _)| number).min().unwrap_or(0);
        let most = numbers().map(|(number, _)| number).max().unwrap_or(0);
        let places = (i128::from(most) - i128::from(least) + 1) as u128;
        let mut near = Vec::new();
        if places <= (numbers().count() * SPREAD).max(FEW) as u128 {
            near = vec![MISSING; places as usize];
            for (number, at) in numbers() {
                near[(number - least) as usize] = at;
            }
        }
        Lookup { ids, near, least }
    }

    /// The index of an id, or [`MISSING`].
    #[inline]
    pub(super) fn find(&self, key: Key) -> u32 {
        match key {
            Key::Number(number) => self.number(number),
            Key::Text(text) => match plain_number(text) {
                Some(number) => self.number(number),
                None => self.ids.find_text(text).unwrap_or(MISSING),
            },
        }
    }

    #[inline]
    fn number(&self, number: i64) -> u32 {
        if self.near.is_empty() {
            self.ids.find(&Id::Number(number)).unwrap_or(MISSING)
        } else {
            let place = number.wrapping_sub(self.least) as u64 as usize;
            match self.near.get(place).copied().unwrap_or(MISSING) {
                MISSING => self.ids.find(&Id::Number(number)).unwrap_or(MISSING),
                found => found,
            }
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
            assert_eq!(lookup.find(Key::Text("05")), lookup.find(Key::Number(5)));
        }
    }
}
