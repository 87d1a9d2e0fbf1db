//! The lines of the list: a heading for each group, two lines for each pick.

use super::Cx;
use crate::session::groups;

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// The heading above the pick of this place among the listed ones.
    Heading(usize),
    /// The first line of the pick of this place: the query.
    Query(usize),
    /// The second line: how it is shown.
    Shown(usize),
}

impl Row {
    /// The pick that it belongs to.
    pub fn place(self) -> usize {
        match self {
            Row::Heading(place) | Row::Query(place) | Row::Shown(place) => place,
        }
    }
}

impl Cx<'_> {
    /// All lines of the list.
    pub(super) fn pick_rows(self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut place = 0;
        for group in groups(self.model.session.picks()) {
            rows.push(Row::Heading(place));
            for _ in group {
                rows.extend([Row::Query(place), Row::Shown(place)]);
                place += 1;
            }
        }
        rows
    }
}
