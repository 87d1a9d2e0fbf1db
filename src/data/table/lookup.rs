//! Looks up gallery indices of ids, fast enough for the cells of a hundred million rows.

use super::cells::Key;
use crate::data::id::{Id, IdList, plain_number};

/// Index of an id that the gallery lacks.
pub(super) const MISSING: u32 = u32::MAX;
/// Maximum elements of the array per number in it.
const MAX_ELEMENTS_PER_NUMBER: usize = 16;
/// Elements of the array that are always allowed.
const ALWAYS_ALLOWED: usize = 1 << 20;

/// Finds the gallery index of an id; in an array if the numeric ids are close together.
pub(super) struct Lookup<'a> {
    ids: &'a IdList,
    /// Gallery index of each number from `lowest` on; empty if they are not close together, or are indices.
    by_number: Vec<u32>,
    lowest: i64,
    /// Numbers below this one are gallery indices.
    indices: u64,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(ids: &'a IdList) -> Self {
        let numbers = || {
            (0..).zip(ids.as_slice()).filter_map(|(at, id)| match id {
                Id::Number(number) => Some((*number, at)),
                Id::Text(_) => None,
            })
        };
        let lowest = numbers().map(|(number, _)| number).min().unwrap_or(0);
        let highest = numbers().map(|(number, _)| number).max().unwrap_or(0);
        let elements = (i128::from(highest) - i128::from(lowest) + 1) as u128;
        let mut by_number = Vec::new();
        let indices = if ids.is_indexed() { ids.len() as u64 } else { 0 };
        let allowed = (numbers().count() * MAX_ELEMENTS_PER_NUMBER).max(ALWAYS_ALLOWED);
        if indices == 0 && elements <= allowed as u128 {
            by_number = vec![MISSING; elements as usize];
            for (number, at) in numbers() {
                by_number[(number - lowest) as usize] = at;
            }
        }
        Lookup { ids, by_number, lowest, indices }
    }

    /// The index of an id, or [`MISSING`].
    #[inline]
    pub(super) fn find(&self, key: Key) -> u32 {
        match key {
            Key::Number(number) => self.find_number(number),
            Key::Text(text) => match plain_number(text) {
                Some(number) => self.find_number(number),
                None => self.ids.find_text(text).unwrap_or(MISSING),
            },
        }
    }

    #[inline]
    fn find_number(&self, number: i64) -> u32 {
        if (number as u64) < self.indices {
            return number as u32;
        }
        let element = number.wrapping_sub(self.lowest) as u64 as usize;
        match self.by_number.get(element) {
            Some(&index) if index != MISSING => index,
            _ => self.ids.find(&Id::Number(number)).unwrap_or(MISSING),
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
