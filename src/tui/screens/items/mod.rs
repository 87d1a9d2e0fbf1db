//! The items screen: a row for each query and one of its top items, with both sides of the selected pair in full.

mod lists;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::figure::scene::{DEPTH, MAX_DEPTH};
use crate::jobs::ExportContent;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::popups::export::ExportPrompt;
use crate::tui::screen::{Hint, Reply, Screen, enabled_hints};
use crate::tui::state::Model;
use crate::tui::state::picks::PickTarget;
use crate::tui::state::results::{Demand, RankingsOf};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::ScrollState;
use crate::tui::ui::pane;

/// Id of the list of items.
const ITEMS: ListId = "items";
/// Id of the kinds of items, which are in the frame of the list.
const KINDS: ListId = "kinds";

/// Minimum columns of the screen for the preview beside the list; else it is below.
const MIN_WIDTH_BESIDE: u16 = 100;
/// Minimum rows of the screen for the preview below the list.
const MIN_HEIGHT_BELOW: u16 = 16;

/// State of the screen; the row is selected in the model.
#[derive(Debug, Default)]
pub struct Items {
    scrolled: ScrollState,
}

type Cx<'a> = Context<'a, Items>;

/// Areas of the line with the sentence, the list and the preview.
fn areas(body: Rect) -> [Rect; 3] {
    let [sentence, rest] =
        body.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
    let [list, preview] = if body.width >= MIN_WIDTH_BESIDE {
        let width = Constraint::Length((body.width * 2 / 5).min(72));
        rest.layout(&Layout::horizontal([Constraint::Fill(1), width]))
    } else {
        let has_preview = body.height >= MIN_HEIGHT_BELOW;
        let height = Constraint::Length(if has_preview { rest.height / 2 } else { 0 });
        rest.layout(&Layout::vertical([Constraint::Fill(1), height]))
    };
    [sentence, list, preview]
}

impl Items {
    /// Lists the items of the next or previous kind, cyclically.
    fn step_kind(&self, model: &mut Model, ui: &Ui, by: isize) {
        let (current, choices) = (self.cx(model, ui).listed_kind(), model.item_choices());
        let at = choices.iter().position(|which| *which == current).unwrap_or(0);
        let next = (at as isize + by).rem_euclid(choices.len() as isize) as usize;
        model.change_item_list(|items| items.chosen = Some(choices[next]));
    }

    /// Opens the prompt that exports the rows.
    fn open_export(&self, model: &mut Model, ui: &Ui) -> Reply {
        let [title, ..] = self.cx(model, ui).sentence();
        let rows = model.attempt(|model| model.rows_to_write()).map(ExportContent::Rows);
        Reply::open(rows.and_then(|rows| ExportPrompt::new(model, rows, "items", title)))
    }
}

impl Screen for Items {
    fn tab(&self) -> Hint {
        (Action::Items, "Items")
    }

    fn demand(&self) -> Demand {
        Demand { rankings: RankingsOf::Compared, items: true, ..Demand::default() }
    }

    fn sync(&mut self, model: &mut Model, _ui: &Ui) {
        model.sync_item_row();
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        match action {
            Action::PreviousMatch => model.move_item_row(-1),
            Action::NextMatch | Action::PutOff => model.move_item_row(1),
            Action::NextPane | Action::Right => self.step_kind(model, ui, 1),
            Action::PreviousPane | Action::Left => self.step_kind(model, ui, -1),
            Action::More => model.change_item_list(|items| items.step_depth(1)),
            Action::Less => model.change_item_list(|items| items.step_depth(-1)),
            Action::Sort => model.change_item_list(|items| items.order = items.order.next()),
            Action::Export => return self.open_export(model, ui),
            // Browse selects the pair, too.
            Action::Detail => return Reply::Act(Action::Browse),
            judgment if judgment.needs_judging() => {
                model.attempt(|model| model.respond_in_items(judgment.response()));
            }
            movement => {
                if let Some(by) = movement.lines(self.scrolled.page()) {
                    model.move_item_row(by);
                }
            }
        }
        Reply::Done
    }

    fn overrides(&self, model: &Model, _ui: &Ui, action: Action) -> bool {
        match action {
            Action::Export | Action::More | Action::Less => true,
            Action::JudgeClear | Action::PutOff => model.judging.is_on,
            other if other.is_search_step() => model.is_searched(),
            other => model.judging.is_on && other.response().is_some(),
        }
    }

    fn hints(&self, model: &Model, _ui: &Ui) -> Vec<Hint> {
        let is_searched = !model.search.text().is_empty();
        enabled_hints([
            (true, Action::Down, "move"),
            (is_searched, Action::Close, "end search"),
            (true, Action::NextPane, "kind"),
            (true, Action::Judge, "judge"),
            (true, Action::Pick, "pick"),
            (true, Action::Export, "export"),
            (true, Action::Detail, "open"),
            (true, Action::Sort, "sort"),
            (true, Action::More, "deeper"),
            (true, Action::Less, "less deep"),
            (true, Action::Search, "search"),
            (true, Action::Direction, "direction"),
            (true, Action::NextTruth, "truth"),
            (true, Action::NextModel, "model"),
            (model.history.present() > 0, Action::Undo, "undo"),
        ])
    }

    fn click(&mut self, model: &mut Model, _ui: &Ui, target: Target) {
        match target {
            Target::Row(ITEMS, row) => {
                model.select_item_row(row);
                model.sync_item_row();
            }
            Target::Row(KINDS, at) => {
                let which = model.item_choices().get(at).copied();
                model.change_item_list(|items| items.chosen = which);
            }
            _ => {}
        }
    }

    fn wheel(&mut self, model: &mut Model, _ui: &Ui, _list: ListId, by: isize) {
        model.move_item_row(by);
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let [sentence, list, preview] = areas(body);
        cx.sentence_line().draw(sentence, ui, buf);
        let inner = pane::draw_frame("", "", true, cx.theme, list, buf);
        cx.kind_labels().draw(Rect { x: list.x + 1, width: inner.width, ..list }, ui, buf);
        ui.add_target(inner, Target::List(ITEMS));
        cx.draw_list(inner, buf);
        if preview.area() > 0 {
            cx.draw_preview(preview, buf);
        }
    }

    fn pick_target(&self, model: &Model, _ui: &Ui) -> Option<PickTarget> {
        let (row, view) = (model.item_row()?, model.view);
        let depth = row.rank.clamp(DEPTH, MAX_DEPTH);
        Some(PickTarget { query: row.query as usize, view, models: vec![view.model], depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts fill the body, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 99, 100, 160, 400] {
            for height in [8, 12, 24, 29, 30, 50] {
                let body = frame((width, height)).body;
                let parts = areas(body);
                let covered: u32 = parts.iter().map(|part| part.area()).sum();
                assert_eq!(covered, body.area(), "{width}x{height}");
                assert!(!parts[1].intersects(parts[2]) && parts[1].area() > 0);
                assert_eq!(parts[2].area() > 0, width >= 100 || height >= 24);
            }
        }
    }
}
