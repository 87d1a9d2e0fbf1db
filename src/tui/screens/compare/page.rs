//! What the compare screen makes of keys and the mouse.

use crate::data::index::ModelIx;
use crate::metric::Unit;
use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::screens::browse::Pane;
use crate::tui::screens::{Hint, Page, list_hints};

/// The compare screen.
pub struct Comparing;

impl Page for Comparing {
    fn act(&self, app: &mut App, action: Action) -> Option<Effect> {
        match action {
            Action::Copy => return app.compare_copy().map(Effect::Copy),
            Action::Detail => app.open_detail(),
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

impl App {
    /// The selected query, or the item that is linked, with what each model makes of it: rank of the
    /// first positive and AP@R, or the item's rank.
    fn compare_copy(&mut self) -> Option<String> {
        let direction = self.view.direction;
        let query = self.browse.query()?;
        let item = self.linked().filter(|_| self.browse.pane == Pane::Ranking);
        let line = match item {
            None => self.named(direction, query),
            Some(item) => self.named(direction.flipped(), item),
        };
        let of_model = |model: ModelIx| {
            let name = &self.study.models[model].name;
            let rank = match item {
                None => self.ranks_by(model, query).and_then(|ranks| ranks.first()),
                Some(item) => self
                    .ranked_by(model)
                    .and_then(|of| Some(of.rank(item)? as u32)),
            };
            let rank = rank.map_or("-".into(), |rank| format!("#{rank}"));
            let ap = item
                .is_none()
                .then(|| Unit::Share.shown(self.ap_by(model, query)));
            let ap = ap.map_or(String::new(), |ap| format!(" AP@R {ap}"));
            format!("\t{name} {rank}{ap}")
        };
        let models: String = self.compared().into_iter().map(of_model).collect();
        Some(self.copied(line + &models))
    }
}
