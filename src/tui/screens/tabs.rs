//! The screens by name, in the header: the same for drawing and for the mouse.

use crate::tui::action::Action;
use crate::tui::ui::Ui;
use crate::tui::widgets::text;

/// The names, each with its key, at the right end of the header's second line.
pub(in crate::tui) struct Tabs {
    /// The action that shows a screen, key and name; the name is empty where there is room for the key alone.
    pub(super) entries: Vec<(Action, String, &'static str)>,
    /// The action that shows the present screen.
    pub(super) shown: Action,
    /// The column where the first one begins.
    start: u16,
    row: u16,
}

/// Columns that the two numbers take, with their changes.
pub(super) const NUMBERS: usize = 48;
/// Columns of the history of each number that names do not take away.
const TREND: usize = 5;
/// Blanks after each entry.
const GAP: usize = 2;

impl Tabs {
    /// All names where they fit beside the numbers, else the present screen's alone; `None` where not even
    /// that fits. Screens are told by the actions that show them, with their names.
    pub(in crate::tui) fn of(
        ui: &Ui,
        titles: &[(Action, &'static str)],
        shown: Action,
    ) -> Option<Self> {
        let header = ui.frame().header;
        if header.height < 2 {
            return None;
        }
        let width = usize::from(header.width);
        let entries = |all: bool| -> Vec<(Action, String, &'static str)> {
            let entry = |&(action, title): &(Action, &'static str)| {
                let is_named = all || action == shown;
                let name = if is_named { title } else { "" };
                (action, ui.keymap.hint(action), name)
            };
            titles.iter().map(entry).collect()
        };
        let long = Some(entries(true)).filter(|all| taken(all) + NUMBERS + 2 * TREND <= width);
        let entries = long.unwrap_or_else(|| entries(false));
        let left = width.checked_sub(taken(&entries))?;
        (left >= NUMBERS).then_some(Tabs {
            entries,
            shown,
            start: left as u16,
            row: header.y + 1,
        })
    }

    /// Columns that are left for the numbers.
    pub(super) fn before(&self) -> usize {
        usize::from(self.start)
    }

    /// The action that shows the screen whose name is at a place of the terminal.
    pub(in crate::tui) fn at(&self, x: u16, y: u16) -> Option<Action> {
        let mut end = self.start;
        let mut entries = self.entries.iter();
        let hit = entries.find(|entry| {
            end += columns(entry) as u16;
            x < end
        });
        let is_here = y == self.row && x >= self.start;
        hit.filter(|_| is_here).map(|entry| entry.0)
    }
}

/// Columns of an entry with the blanks after it.
fn columns((_, key, name): &(Action, String, &str)) -> usize {
    let between = usize::from(!key.is_empty() && !name.is_empty());
    text::width(key) + between + text::width(name) + GAP
}

fn taken(entries: &[(Action, String, &'static str)]) -> usize {
    entries.iter().map(columns).sum()
}
