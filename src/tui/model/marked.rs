//! Lines that are marked: queries of a direction, and items of the ranking of one query.

use std::collections::BTreeSet;

use crate::data::Direction;

/// What is marked. Marks are of what they were made on: elsewhere there are none.
#[derive(Debug, Default)]
pub struct Marked {
    queries: Option<(Direction, BTreeSet<u32>)>,
    items: Option<((Direction, u32), BTreeSet<u32>)>,
}

impl Marked {
    /// The marked queries of a direction, by gallery index.
    pub fn queries(&self, direction: Direction) -> Option<&BTreeSet<u32>> {
        marks(self.queries.as_ref(), &direction)
    }

    /// The marked items of a query, by gallery index.
    pub fn items(&self, of: (Direction, u32)) -> Option<&BTreeSet<u32>> {
        marks(self.items.as_ref(), &of)
    }

    /// Marks a query, or removes the mark.
    pub(in crate::tui::model) fn query(
        &mut self,
        direction: Direction,
        query: u32,
        is_marked: bool,
    ) {
        set(&mut self.queries, direction, query, is_marked);
    }

    /// Marks an item of a query, or removes the mark.
    pub(in crate::tui::model) fn item(&mut self, of: (Direction, u32), item: u32, is_marked: bool) {
        set(&mut self.items, of, item, is_marked);
    }
}

fn marks<'a, C: PartialEq>(
    known: Option<&'a (C, BTreeSet<u32>)>,
    of: &C,
) -> Option<&'a BTreeSet<u32>> {
    let (context, marks) = known?;
    (context == of && !marks.is_empty()).then_some(marks)
}

fn set<C: PartialEq>(known: &mut Option<(C, BTreeSet<u32>)>, of: C, entry: u32, is_marked: bool) {
    let (_, marks) = match known {
        Some(known) if known.0 == of => known,
        other => other.insert((of, BTreeSet::new())),
    };
    if is_marked {
        marks.insert(entry);
    } else {
        marks.remove(&entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_of_what_they_were_made_on() {
        let mut marked = Marked::default();
        marked.item((Direction::I2t, 3), 7, true);
        marked.item((Direction::I2t, 3), 5, true);
        let items = marked.items((Direction::I2t, 3)).unwrap();
        assert_eq!(items.iter().copied().collect::<Vec<_>>(), [5, 7]);
        assert_eq!(marked.items((Direction::I2t, 4)), None);
        marked.item((Direction::I2t, 4), 1, true);
        assert_eq!(marked.items((Direction::I2t, 3)), None);
        marked.item((Direction::I2t, 4), 1, false);
        assert_eq!(marked.items((Direction::I2t, 4)), None, "none is left");
        assert_eq!(marked.queries(Direction::I2t), None);
    }
}
