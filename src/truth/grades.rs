//! Grades of items: what graded metrics see of a truth beyond its positives.
//!
//! Of a truth with grades, such as TREC qrels from 0 to 3, an item is a positive from a grade on; every
//! item with a grade above 0 has a gain, positive or not.

use rustc_hash::FxHashMap;

/// The gain of a positive without a grade. Gains are counted in halves, of which a grade of 1 has two: a
/// verdict may halve a grade.
pub const WHOLE: u32 = 2;

/// The grades of one truth in one direction, over the gallery's indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grades {
    /// Behind the last item of each covered query.
    ends: Vec<usize>,
    /// Items with a grade above 0, ascending within a query.
    items: Vec<u32>,
    grades: Vec<u32>,
    /// Grades of items that the gallery lacks, by the place of the few queries that have any.
    outside: FxHashMap<usize, Vec<u32>>,
    greatest: u32,
    from: u32,
}

impl Grades {
    /// Those of no query yet: the greatest grade of the file, and the least of a positive.
    pub fn new(greatest: u32, from: u32) -> Self {
        Grades { greatest, from, ..Grades::default() }
    }

    /// Those of no query yet, under the same rule.
    #[must_use]
    pub fn without_queries(&self) -> Self {
        Grades::new(self.greatest, self.from)
    }

    /// Appends a query: items with their grades, all above 0, ascending; the grades of others outside the
    /// gallery.
    pub fn push(&mut self, graded: &[(u32, u32)], outside: &[u32]) {
        let place = self.ends.len();
        self.items.extend(graded.iter().map(|(item, _)| item));
        self.grades.extend(graded.iter().map(|(_, grade)| grade));
        self.ends.push(self.items.len());
        if !outside.is_empty() {
            self.outside.insert(place, outside.to_vec());
        }
    }

    fn range(&self, place: usize) -> std::ops::Range<usize> {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[place]
    }

    /// The items of the query at `place` that have a grade above 0, ascending.
    pub fn items(&self, place: usize) -> &[u32] {
        &self.items[self.range(place)]
    }

    /// The same with their grades.
    pub fn of_query(&self, place: usize) -> impl Iterator<Item = (u32, u32)> + '_ {
        let grades = self.grades[self.range(place)].iter().copied();
        self.items(place).iter().copied().zip(grades)
    }

    /// The grade of an item, 0 where it has none.
    pub fn of(&self, place: usize, item: u32) -> u32 {
        let found = self.items(place).binary_search(&item);
        found.map_or(0, |at| self.grades[self.range(place)][at])
    }

    /// The grades of items outside the gallery.
    pub fn outside(&self, place: usize) -> &[u32] {
        self.outside.get(&place).map_or(&[], Vec::as_slice)
    }

    /// The greatest grade of the file.
    pub fn greatest(&self) -> u32 {
        self.greatest
    }

    /// The least grade of a positive.
    pub fn from(&self) -> u32 {
        self.from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_grades_of_each_query() {
        let mut grades = Grades::new(3, 2);
        grades.push(&[(4, 1), (7, 3)], &[]);
        grades.push(&[], &[2]);
        grades.push(&[(0, 2)], &[]);
        assert_eq!(grades.items(0), [4, 7]);
        assert_eq!([4, 5, 7].map(|item| grades.of(0, item)), [1, 0, 3]);
        assert_eq!((grades.items(1), grades.outside(1)), (&[][..], &[2][..]));
        assert_eq!(grades.of_query(2).collect::<Vec<_>>(), [(0, 2)]);
        assert_eq!((grades.greatest(), grades.from()), (3, 2));
    }
}
