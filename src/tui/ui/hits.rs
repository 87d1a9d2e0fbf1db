//! What a click or the wheel meets: whoever draws something registers its place here.

use ratatui::layout::Rect;

use crate::tui::action::Action;

/// A list or table, by a name of its own.
pub type ListId = &'static str;

/// What is drawn at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A click does what the key of this action does.
    Do(Action),
    /// An entry of a list, by its place from 0 on.
    Row(ListId, usize),
    /// A cell of a table: the entry's place, the column's place among all columns of the table.
    Cell(ListId, usize, usize),
    /// A list where it has no entry.
    List(ListId),
    /// A popup where it has nothing to click on.
    Popup,
    /// The screen behind a popup.
    Behind,
}

/// The targets of one frame. Of those that overlap the last one drawn is met.
#[derive(Debug, Default)]
pub struct Hits {
    size: (u16, u16),
    targets: Vec<(Rect, Target)>,
}

impl Hits {
    /// Forgets all targets, for a frame of this size.
    pub fn clear(&mut self, size: (u16, u16)) {
        self.size = size;
        self.targets.clear();
    }

    /// Registers what is drawn at a place.
    pub fn push(&mut self, area: Rect, target: Target) {
        self.targets.push((area, target));
    }

    /// What was drawn at a column and a row of a terminal of this size. Nothing while the terminal has
    /// another size than the last frame.
    pub fn at(&self, at: (u16, u16), size: (u16, u16)) -> Option<Target> {
        let mut hits = self.targets.iter().rev();
        let hit = hits.find(|(area, _)| area.contains(at.into()));
        hit.filter(|_| self.size == size).map(|(_, target)| target.clone())
    }

    /// Where a target was drawn last.
    pub fn of(&self, target: &Target) -> Option<Rect> {
        let mut hits = self.targets.iter().rev();
        hits.find(|(_, other)| other == target).map(|(area, _)| *area)
    }
}
