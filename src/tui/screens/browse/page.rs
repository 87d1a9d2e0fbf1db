//! What the browse screen makes of keys and the mouse.

use super::Pane;
use crate::data::Direction;
use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::screens::{Hint, Page, Screen, list_hints};

/// The browse screen.
pub struct Browsing;

impl Page for Browsing {
    fn act(&self, app: &mut App, action: Action) -> Option<Effect> {
        match action {
            Action::Copy => return app.browse_copy().map(Effect::Copy),
            Action::Detail => app.open_detail(),
            Action::Beside | Action::Plot => app.show(Screen::Metrics),
            movement => app.browse_act(movement),
        }
        None
    }

    fn hints(&self, app: &App) -> Vec<Hint> {
        hints(app)
    }

    fn click(&self, app: &mut App, x: u16, y: u16) {
        app.browse_click(x, y);
    }

    fn wheel(&self, app: &mut App, x: u16, y: u16, by: isize) {
        app.browse_wheel(x, y, by);
    }

    fn follow(&self, app: &mut App) {
        app.browse_follow();
    }

    fn has_items(&self) -> bool {
        true
    }
}

/// The keys that matter, as far as they fit.
fn hints(app: &App) -> Vec<Hint> {
    let mut hints = list_hints(app);
    hints.extend([
        (Action::Direction, "direction"),
        (Action::NextTruth, "truth"),
        (Action::NextModel, "model"),
        (Action::Search, "search"),
        (Action::Filter, "filter"),
        (Action::Sort, "sort"),
    ]);
    if app.browse.pane == Pane::Ranking {
        hints.push((Action::NextPositive, "next positive"));
    }
    if app.dials.mix.is_some() {
        hints.push((Action::AlphaUp, "alpha"));
        hints.push((Action::Curve, "curve"));
    }
    if app.history.present() > 0 {
        hints.push((Action::Undo, "undo"));
    }
    hints.extend([
        (Action::VerdictYes, "relevant"),
        (Action::VerdictNo, "not relevant"),
    ]);
    if app.picture_way().is_some() {
        hints.push((Action::Pictures, "pictures"));
    }
    hints.extend([
        (Action::Detail, "detail"),
        (Action::Define, "metrics"),
        (Action::Palette, "actions"),
        (Action::Theme, "theme"),
    ]);
    hints
}

impl App {
    /// The selected line as text for the clipboard.
    fn browse_copy(&mut self) -> Option<String> {
        let direction = self.view.direction;
        let line = match self.browse.pane {
            Pane::Queries => self.named(direction, self.browse.query()?),
            Pane::Ranking => self.named(direction.flipped(), self.item()?.item),
        };
        Some(self.copied(line))
    }

    /// Id and words of a query of a direction.
    pub(in crate::tui) fn named(&self, direction: Direction, index: usize) -> String {
        let gallery = &self.study.gallery;
        let id = &gallery.queries(direction)[index];
        let words = match direction {
            Direction::I2t => gallery.image(index),
            Direction::T2i => gallery.caption(index),
        };
        format!("{id}\t{words}")
    }

    /// Says what is copied.
    pub(in crate::tui) fn copied(&mut self, line: String) -> String {
        self.message = Some(format!("copied: {}", line.replace('\t', "  ")));
        line
    }
}
