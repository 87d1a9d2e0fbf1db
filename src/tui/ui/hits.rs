//! Click and wheel targets: drawing code registers its areas here.

use ratatui::layout::Rect;

use crate::tui::action::Action;

/// Name of a list or table in click targets.
pub type ListId = &'static str;

/// A click target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A click runs this action.
    Do(Action),
    /// An entry of a list, by index.
    Row(ListId, usize),
    /// A cell of a table: index of the entry, index of the column.
    Cell(ListId, usize, usize),
    /// An empty part of a list.
    List(ListId),
    /// A part of a popup that has no other target.
    Popup,
    /// The screen behind a popup.
    Behind,
}

/// Targets of one frame. If they overlap, the last one drawn wins.
#[derive(Debug, Default)]
pub struct Hits {
    /// Columns and rows of the terminal.
    size: (u16, u16),
    targets: Vec<(Rect, Target)>,
}

impl Hits {
    /// Clears all targets, for a frame of this size.
    pub fn clear(&mut self, size: (u16, u16)) {
        self.size = size;
        self.targets.clear();
    }

    /// Registers a target.
    pub fn push(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }

    /// The target at a column and row of a terminal of this size. `None` if there is none, or if the last frame had
    /// another size.
    pub fn target_at(&self, (column, row): (u16, u16), size: (u16, u16)) -> Option<Target> {
        let mut hits = self.targets.iter().rev();
        let hit = hits.find(|(area, _)| area.contains((column, row).into()));
        hit.filter(|_| self.size == size).map(|(_, target)| target.clone())
    }

    /// Area in which a target was drawn, the last one if there are several; `None` if it was not drawn.
    pub fn area(&self, target: &Target) -> Option<Rect> {
        let mut hits = self.targets.iter().rev();
        hits.find(|(_, other)| other == target).map(|(area, _)| *area)
    }
}
