//! The screens by name, in the header: the same for drawing and for the mouse.

use super::numbers_view;
use crate::tui::action::Action;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// The names, each with its key, at the right end of the header's second line.
pub(in crate::tui) struct Tabs {
    /// The action that shows a screen, key and name; the name is empty where there is room for the key alone.
    pub(super) entries: Vec<(Action, String, &'static str)>,
    /// The action that shows the present screen.
    pub(super) shown: Action,
    /// Blanks after each entry.
    pub(super) gap: usize,
    /// The column where the first one begins.
    start: u16,
    row: u16,
}

/// Columns of the history of each number that names do not take away.
const TREND: usize = 5;
/// Blanks after each entry, where one has its name.
const GAP: usize = 2;

/// The entries that have their names.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    All,
    Present,
    None,
}

impl Tabs {
    /// All names where they fit beside the numbers, else the present screen's alone, else the keys; `None` where not
    /// even these fit. Screens are told by the actions that show them, with their names.
    pub(in crate::tui) fn of(
        cx: Context<'_>,
        titles: &[(Action, &'static str)],
        shown: Action,
    ) -> Option<Self> {
        let header = cx.ui.frame().header;
        if header.height < 2 {
            return None;
        }
        let width = usize::from(header.width);
        let numbers = numbers_view::needed(cx);
        let with = |named: Named| -> Option<Tabs> {
            let entry = |&(action, title): &(Action, &'static str)| {
                let is_named = named == Named::All || named == Named::Present && action == shown;
                let name = if is_named { title } else { "" };
                (action, cx.ui.keymap.hint(action), name)
            };
            let entries: Vec<_> = titles.iter().map(entry).collect();
            let gap = if named == Named::None { 1 } else { GAP };
            let taken: usize = entries.iter().map(|entry| columns(entry, gap)).sum();
            let past = if named == Named::All { 2 * TREND } else { 0 };
            (taken + numbers + past <= width).then(|| Tabs {
                entries,
                shown,
                gap,
                start: (width - taken) as u16,
                row: header.y + 1,
            })
        };
        [Named::All, Named::Present, Named::None].into_iter().find_map(with)
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
            end += columns(entry, self.gap) as u16;
            x < end
        });
        let is_here = y == self.row && x >= self.start;
        hit.filter(|_| is_here).map(|entry| entry.0)
    }
}

/// Columns of an entry with the blanks after it.
fn columns((_, key, name): &(Action, String, &str), gap: usize) -> usize {
    let between = usize::from(!key.is_empty() && !name.is_empty());
    text::width(key) + between + text::width(name) + gap
}
