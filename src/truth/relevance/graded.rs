//! Grades of a truth while its ids are looked up.

use crate::truth::grades::Grades;
use crate::truth::pairs::Pairs;

/// Grades while ids are looked up.
pub(super) struct Graded<'a> {
    pairs: &'a Pairs,
    /// Those found so far, where the truth has any.
    pub grades: Option<Grades>,
    /// Of the query at hand: items with their grades, and grades of items outside the gallery.
    items: Vec<(u32, u32)>,
    outside: Vec<u32>,
}

impl<'a> Graded<'a> {
    pub(super) fn of(pairs: &'a Pairs) -> Self {
        let grades = pairs.greatest();
        Graded {
            pairs,
            grades: grades.map(|greatest| Grades::new(greatest, pairs.relevant_from())),
            items: Vec::new(),
            outside: Vec::new(),
        }
    }

    /// Whether the nth item of a query is a positive; its grade is kept.
    pub(super) fn is_positive(&mut self, query: usize, nth: usize, item: Option<u32>) -> bool {
        let Some(grades) = self.pairs.grades(query) else {
            return true;
        };
        match item {
            Some(item) => self.items.push((item, grades[nth])),
            None => self.outside.push(grades[nth]),
        }
        grades[nth] >= self.pairs.relevant_from()
    }

    /// Ends a query.
    pub(super) fn end(&mut self) {
        if let Some(grades) = &mut self.grades {
            self.items.sort_unstable();
            grades.push(&self.items, &self.outside);
            self.items.clear();
            self.outside.clear();
        }
    }
}
