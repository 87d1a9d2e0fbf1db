//! What the browse screen makes of keys and the mouse.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Browse, NAMES, view};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::demand::{Demand, RankingsOf};
use crate::tui::model::items::NO_FURTHER;
use crate::tui::model::picks::Sighted;
use crate::tui::model::selection::Pane;
use crate::tui::pictures::Place;
use crate::tui::popup::Popup;
use crate::tui::popups::detail;
use crate::tui::screen::{Hint, Reply, Screen, list_hints};
use crate::tui::screens::layout::{follow, rows};
use crate::tui::ui::Ui;

impl Screen for Browse {
    fn shown_by(&self) -> Action {
        Action::Browse
    }

    fn title(&self) -> &'static str {
        "Browse"
    }

    fn demand(&self) -> Demand {
        Demand {
            rankings: RankingsOf::LookedAt,
            ..Demand::default()
        }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let page = self.cx(model, ui).page_lines();
        match action {
            Action::Copy => {
                let line = copied(model);
                return Reply::copy(model, line);
            }
            Action::Beside | Action::Plot => return Reply::Act(Action::Metrics),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                model.selection.pane = match model.selection.pane {
                    Pane::Queries => Pane::Ranking,
                    Pane::Ranking => Pane::Queries,
                };
            }
            Action::NextPositive => positive(model, true),
            Action::PreviousPositive => positive(model, false),
            Action::Sort => model.sort_by(model.selection.sort.next()),
            movement => {
                if let Some(by) = movement.lines(page) {
                    step(model, by);
                }
            }
        }
        self.follow(model, ui);
        Reply::Done
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        hints(model, ui)
    }

    fn click(&mut self, model: &mut Model, ui: &Ui, at: (u16, u16)) {
        self.click_at(model, ui, at);
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, at: (u16, u16), by: isize) {
        self.wheel_at(model, ui, at, by);
    }

    /// Scrolls both lists.
    fn follow(&mut self, model: &mut Model, ui: &Ui) {
        let cx = self.cx(model, ui);
        let (areas, items) = (cx.areas(), cx.items_in_sight());
        let selection = &mut model.selection;
        let shown = rows(areas.queries, NAMES);
        selection.offset = follow(selection.offset, selection.selected, shown);
        self.item_offset = follow(self.item_offset, selection.item, items);
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        view::draw(self.cx(model, ui), buf);
    }

    fn open(&self, model: &Model, ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        detail::opened(model, ui, action)
    }

    fn sighted(&self, model: &Model, _ui: &Ui) -> Option<Sighted> {
        model.sighted()
    }

    fn pictures(&self, model: &Model, ui: &Ui) -> Vec<Place> {
        self.cx(model, ui).pictures()
    }
}

/// Moves the selection of the list that keys go to.
pub(super) fn step(model: &mut Model, by: isize) {
    match model.selection.pane {
        Pane::Queries => model.move_query(by),
        Pane::Ranking => {
            let ranking = model.ranking();
            let last = ranking.map_or(0, |ranking| ranking.order.len().saturating_sub(1));
            let to = model.selection.item.saturating_add_signed(by);
            model.selection.item = to.min(last);
        }
    }
}

/// Goes to the next or previous item that any truth calls right.
fn positive(model: &mut Model, forward: bool) {
    let (Some(query), Some(ranking)) = (model.selection.query(), model.ranking()) else {
        return;
    };
    match model.positive_from(query, &ranking.order, model.selection.item, forward) {
        Some(place) => {
            model.selection.item = place;
            model.selection.pane = Pane::Ranking;
        }
        None => model.message = Some(NO_FURTHER.into()),
    }
}

/// The keys that matter, as far as they fit.
fn hints(model: &Model, ui: &Ui) -> Vec<Hint> {
    let mut hints = list_hints(model);
    hints.extend([
        (Action::Direction, "direction"),
        (Action::NextTruth, "truth"),
        (Action::NextModel, "model"),
        (Action::Search, "search"),
        (Action::Filter, "filter"),
        (Action::Sort, "sort"),
        (Action::Items, "items"),
    ]);
    if model.selection.pane == Pane::Ranking {
        hints.push((Action::NextPositive, "next positive"));
    }
    if model.dials.mix.is_some() {
        hints.push((Action::AlphaUp, "alpha"));
        hints.push((Action::Curve, "curve"));
    }
    if model.history.present() > 0 {
        hints.push((Action::Undo, "undo"));
    }
    hints.extend([
        (Action::VerdictYes, "relevant"),
        (Action::VerdictNo, "not relevant"),
    ]);
    if ui.picture_way().is_some() {
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

/// The selected line as text.
fn copied(model: &Model) -> Option<String> {
    let direction = model.view.direction;
    Some(match model.selection.pane {
        Pane::Queries => model.named(direction, model.selection.query()?),
        Pane::Ranking => model.named(direction.flipped(), model.item()?.item),
    })
}
