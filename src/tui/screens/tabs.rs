//! The screens by name, in the header: the same for drawing and for the mouse.

use super::Screen;
use crate::tui::app::App;
use crate::tui::widgets::text;

/// The names, each with its key, at the right end of the header's second line.
pub(in crate::tui) struct Tabs {
    /// Screen, key and name; the name is empty where there is room for the key alone.
    pub(super) entries: Vec<(Screen, String, &'static str)>,
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
    /// All names where they fit beside the numbers, else the present screen's alone; `None` where not
    /// even that fits.
    fn of(app: &App, width: usize, row: u16) -> Option<Self> {
        let entries = |all: bool| -> Vec<(Screen, String, &'static str)> {
            let entry = |&screen: &Screen| {
                let is_named = all || screen == app.screen;
                let name = if is_named { screen.name() } else { "" };
                (screen, app.keymap.hint(screen.shown_by()), name)
            };
            Screen::ALL.iter().map(entry).collect()
        };
        let long = Some(entries(true)).filter(|all| taken(all) + NUMBERS + 2 * TREND <= width);
        let entries = long.unwrap_or_else(|| entries(false));
        let left = width.checked_sub(taken(&entries))?;
        (left >= NUMBERS).then_some(Tabs {
            entries,
            start: left as u16,
            row,
        })
    }

    /// Columns that are left for the numbers.
    pub(super) fn before(&self) -> usize {
        usize::from(self.start)
    }

    /// The screen whose name is at a place of the terminal.
    pub(in crate::tui) fn at(&self, x: u16, y: u16) -> Option<Screen> {
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
fn columns((_, key, name): &(Screen, String, &str)) -> usize {
    let between = usize::from(!key.is_empty() && !name.is_empty());
    text::width(key) + between + text::width(name) + GAP
}

fn taken(entries: &[(Screen, String, &'static str)]) -> usize {
    entries.iter().map(columns).sum()
}

impl App {
    /// The names of the screens in the header; `None` where it has no room for them.
    pub(in crate::tui) fn tabs(&self) -> Option<Tabs> {
        let header = self.frame().header;
        let has_row = header.height > 1;
        has_row
            .then(|| Tabs::of(self, usize::from(header.width), header.y + 1))
            .flatten()
    }
}
