//! What the compare screen makes of keys and the mouse.

use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::overlay::Overlay;
use crate::tui::screens::browse::Pane;
use crate::tui::screens::{Hint, Page, list_hints};

/// The compare screen.
pub struct Comparing;

impl Page for Comparing {
    fn act(&self, app: &mut App, action: Action) -> Option<Effect> {
        match action {
            Action::Detail => app.overlay = Overlay::open(action, app),
            movement => app.compare_act(movement),
        }
        None
    }

    fn hints(&self, app: &App) -> Vec<Hint> {
        hints(app)
    }

    fn click(&self, app: &mut App, x: u16, y: u16) {
        app.compare_click(x, y);
    }

    fn wheel(&self, app: &mut App, x: u16, y: u16, by: isize) {
        app.compare_wheel(x, y, by);
    }

    fn follow(&self, app: &mut App) {
        app.compare_follow();
    }

    fn has_items(&self) -> bool {
        true
    }

    /// Verdicts change the numbers of each model compared.
    fn shows_all(&self) -> bool {
        true
    }
}

/// The keys that matter, as far as they fit.
fn hints(app: &App) -> Vec<Hint> {
    let mut hints = list_hints(app);
    hints.extend([
        (Action::Sort, "sort by disagreement"),
        (Action::NextModel, "model"),
        (Action::Direction, "direction"),
        (Action::NextTruth, "truth"),
        (Action::Filter, "filter"),
    ]);
    if app.browse.pane == Pane::Ranking {
        hints.push((Action::NextPositive, "next positive"));
    }
    hints.extend([
        (Action::Search, "search"),
        (Action::Detail, "detail"),
        (Action::Palette, "actions"),
    ]);
    hints
}
