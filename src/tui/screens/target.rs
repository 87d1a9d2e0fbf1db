//! Places that act as a key does when they are clicked.

use ratatui::layout::Rect;

use crate::tui::action::Action;

/// A place of the terminal, and the action of a click on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tui) struct Target {
    pub(super) area: Rect,
    pub(super) action: Action,
}

/// The action at a column and a row.
pub(in crate::tui) fn at(targets: &[Target], at: (u16, u16)) -> Option<Action> {
    let hit = targets.iter().find(|target| target.area.contains(at.into()));
    hit.map(|target| target.action)
}
