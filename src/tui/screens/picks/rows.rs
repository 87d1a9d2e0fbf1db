//! The lines of the list: a heading for each group, two lines for each pick, a third one where its query has a note.

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
    /// The third line: the note on the query, where there is one.
    Noted(usize),
}

impl Row {
    /// The pick that it belongs to.
    pub fn place(self) -> usize {
        match self {
            Row::Heading(place) | Row::Query(place) | Row::Shown(place) | Row::Noted(place) => {
                place
            }
        }
    }
}

impl Cx<'_> {
    /// All lines of the list.
    pub(super) fn pick_rows(self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut place = 0;
        let picks = self.model.session.picks();
        for group in groups(picks) {
            rows.push(Row::Heading(place));
            for at in group {
                rows.extend([Row::Query(place), Row::Shown(place)]);
                rows.extend(self.model.note_on_pick(&picks[at]).map(|_| Row::Noted(place)));
                place += 1;
            }
        }
        rows
    }
}
