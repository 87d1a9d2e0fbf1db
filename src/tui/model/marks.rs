//! Marked lines: queries of a direction, and items of one ranking.

use std::collections::BTreeSet;

use super::Model;
use super::query_list::{Item, Pane};
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
    pub(super) fn query(&mut self, direction: Direction, query: u32, is_marked: bool) {
        set(&mut self.queries, direction, query, is_marked);
    }

    /// Marks an item of a query, or removes the mark.
    pub(super) fn item(&mut self, of: (Direction, u32), item: u32, is_marked: bool) {
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

impl Model {
    /// What the items on screen are ranked for.
    fn ranked_for(&self) -> Option<(Direction, u32)> {
        let query = self.selection.query()? as u32;
        Some((self.view.direction, query))
    }

    /// The number of marked queries, and of marked items of the selected query.
    pub fn marked_counts(&self) -> [usize; 2] {
        let queries = self.marked.queries(self.view.direction);
        let items = self.ranked_for().and_then(|of| self.marked.items(of));
        [queries, items].map(|marks| marks.map_or(0, std::collections::BTreeSet::len))
    }

    /// Whether a query is marked.
    pub fn is_query_marked(&self, query: usize) -> bool {
        let marks = self.marked.queries(self.view.direction);
        marks.is_some_and(|marks| marks.contains(&(query as u32)))
    }

    /// Whether an item of the selected query is marked.
    pub fn is_item_marked(&self, item: usize) -> bool {
        let marks = self.ranked_for().and_then(|of| self.marked.items(of));
        marks.is_some_and(|marks| marks.contains(&(item as u32)))
    }

    /// Marks the selected line of the list that keys go to, or removes its mark.
    pub(in crate::tui) fn toggle_mark(&mut self) {
        let is_marked = match self.selection.pane {
            Pane::Queries => self.selection.query().map(|query| self.is_query_marked(query)),
            Pane::Ranking => self.item().map(|item| self.is_item_marked(item.item)),
        };
        match is_marked {
            Some(is_marked) => self.mark(!is_marked),
            None => self.message = Some("nothing is selected".into()),
        }
    }

    /// Marks the selected line, or removes its mark.
    pub(in crate::tui) fn mark(&mut self, is_marked: bool) {
        let Some(of) = self.ranked_for() else {
            return;
        };
        match self.selection.pane {
            Pane::Queries => self.marked.query(of.0, of.1, is_marked),
            Pane::Ranking => {
                if let Some(item) = self.item() {
                    self.marked.item(of, item.item as u32, is_marked);
                }
            }
        }
    }

    /// Whether the judging mode is what ends next: marks and the search go before it.
    pub(in crate::tui) fn ends_judging(&self) -> bool {
        self.judging.is_on && self.marked_counts() == [0, 0] && !self.is_searched()
    }

    /// Removes all marks; whether there were any here.
    pub(in crate::tui) fn clear_marks(&mut self) -> bool {
        let were_any = self.marked_counts() != [0, 0];
        self.marked = Marked::default();
        were_any
    }

    /// The items that a verdict is about: those that are marked, else the selected one.
    pub(in crate::tui) fn items_to_judge(&self) -> Vec<Item> {
        let marks = self.ranked_for().and_then(|of| self.marked.items(of));
        let (Some(marks), Some(ranking)) = (marks, self.ranking()) else {
            return Vec::from_iter(self.item());
        };
        let is_marked = |&place: &usize| marks.contains(&ranking.order[place]);
        let places = (0..ranking.order.len()).filter(is_marked);
        places.filter_map(|place| self.item_at(place)).collect()
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
