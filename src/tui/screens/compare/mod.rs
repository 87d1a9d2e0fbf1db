//! The compare screen: which of two models is better, the queries on which they disagree, and the rankings of up to
//! four models side by side, in all of which the selected item is marked (linked).

mod answer;
mod detail;
mod layout;
mod lists;
mod models;

use ratatui::buffer::Buffer;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};

use self::layout::{Areas, LayoutInput, MAX_TABLE_ROWS, areas};
use super::queries;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::screen::{Hint, Reply, Screen, enabled_hints, list_hints};
use crate::tui::state::Model;
use crate::tui::state::items::NO_OTHER_POSITIVE;
use crate::tui::state::query_list::Pane;
use crate::tui::state::ranking::IndexedRanking;
use crate::tui::state::results::{Demand, RankingsOf};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::ScrollState;

/// Ids of the rankings of the compared models.
const RANKINGS: [ListId; 4] = ["ranking A", "ranking B", "ranking C", "ranking D"];
/// Id of the forest plot.
const FOREST: ListId = "forest";
/// Id of the table of all ranked models.
const MODELS: ListId = "all models";

/// State of the screen; query, item and focused pane are selected in the model.
#[derive(Debug, Default)]
pub struct Compare {
    /// Scroll position of the queries.
    pub queries: ScrollState,
    /// Scroll position of all rankings.
    pub rankings: ScrollState,
    /// Index of the compared model whose ranking has focus.
    pub column: usize,
    /// Scroll position of the table of models.
    pub models: ScrollState,
    /// Whether the forest plot and the table of models, not the list of queries, have the focus of [`Pane::Queries`].
    pub focuses_models: bool,
    /// Whether the table of models is sorted by R@1, else by mAP@R.
    pub by_r1: bool,
    /// The selected row of the table of models, as an index in the order in which models were given.
    entry: Option<usize>,
    /// The item last linked on this screen, and the index of the ranking in which it was selected.
    chosen: Option<(u32, usize)>,
}

type Cx<'a> = Context<'a, Compare>;

impl<'a> Cx<'a> {
    /// Areas of the parts of the screen at the current size.
    fn areas(self) -> Areas {
        let body = self.ui.frame().body;
        let table = self.model.leaderboard_len().map_or(0, |count| (count + 3).min(MAX_TABLE_ROWS));
        let rows = [self.conclusion_lines(body.width).len(), self.forest_rows().len() + 3, table];
        let input = LayoutInput {
            pane: self.model.selection.pane,
            column: self.column(),
            models: self.model.compared_models().len(),
            focuses_models: self.focuses_models(),
            rows: rows.map(|rows| rows as u16),
        };
        areas(body, input)
    }

    /// Whether the forest plot and the table of models have focus.
    fn focuses_models(self) -> bool {
        let is_alone = self.model.model_pair().is_none() && self.model.leaderboard_len().is_some();
        is_alone || self.state.focuses_models && self.model.selection.pane == Pane::Queries
    }

    /// Index of the compared model whose ranking has or had focus.
    fn column(self) -> usize {
        self.state.column.min(self.model.compared_models().len().saturating_sub(1))
    }

    /// The ranking of the compared model at an index; `None` until it is computed.
    fn ranking(self, column: usize) -> Option<&'a IndexedRanking> {
        self.model.ranking_by(*self.model.compared_models().get(column)?)
    }

    /// Index of the linked item in the ranking of the compared model at an index; `None` if no item is linked, or the
    /// ranking lacks it or is not computed yet.
    fn linked_position(self, column: usize) -> Option<usize> {
        let rank = self.ranking(column)?.rank(self.model.linked_item()?)?;
        Some(rank - 1)
    }

    /// The items of the focused ranking, best first, and the index of the linked item among them, 0 if none is linked.
    /// `None` until the ranking is computed.
    fn cursor(self) -> Option<(&'a [u32], usize)> {
        let ranking = self.ranking(self.column())?;
        Some((&ranking.ranking.order, self.linked_position(self.column()).unwrap_or(0)))
    }

    /// Index of the row to which all rankings scroll: the linked item's row in the ranking where it was selected. If
    /// that ranking is not visible, or the item was not selected on this screen: the first row if model A's top item is
    /// linked, else the lowest index of the item's row in a visible ranking. `None` if no item is linked or ranked.
    fn common_position(self, areas: &Areas) -> Option<usize> {
        let linked = self.model.linked_item()?;
        let visible = areas.rankings.iter().map(|(column, _)| *column);
        let is_chosen = |&(item, column): &(u32, usize)| {
            item as usize == linked && visible.clone().any(|shown| shown == column)
        };
        let is_first = self.model.selection.item == 0 && self.model.unranked_item().is_none();
        match self.state.chosen.filter(is_chosen) {
            Some((_, column)) => self.linked_position(column),
            None if is_first => Some(0),
            None => visible.filter_map(|column| self.linked_position(column)).min(),
        }
    }
}

impl Screen for Compare {
    fn tab(&self) -> Hint {
        (Action::Compare, "Compare")
    }

    fn demand(&self) -> Demand {
        Demand {
            rankings: RankingsOf::Compared,
            // Judgments change numbers of each compared model.
            all_views: true,
            ..Demand::default()
        }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let focuses_models = self.cx(model, ui).focuses_models();
        let page = match model.selection.pane {
            Pane::Queries if focuses_models => self.models.page(),
            Pane::Queries => self.queries.page(),
            Pane::Ranking => self.rankings.page(),
        };
        match action {
            Action::NextPane | Action::Right => self.step_pane(model, ui, 1),
            Action::PreviousPane | Action::Left => self.step_pane(model, ui, -1),
            Action::NextPositive => self.select_positive(model, ui, true),
            Action::PreviousPositive => self.select_positive(model, ui, false),
            Action::Sort if focuses_models => self.by_r1 = !self.by_r1,
            Action::Sort => model.sort_by(model.order().next_disagreement()),
            Action::Detail if focuses_models => {
                model.attempt(|model| self.compare_with_selected(model));
            }
            movement => {
                if let Some(by) = movement.lines(page) {
                    self.move_selection(model, ui, by);
                }
            }
        }
        Reply::Done
    }

    /// In the model table, [`Action::Detail`] compares with the selected model.
    fn overrides(&self, model: &Model, ui: &Ui, action: Action) -> bool {
        action == Action::Detail && self.cx(model, ui).focuses_models()
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        if model.model_pair().is_none() {
            return enabled_hints([(true, Action::Browse, "queries")]);
        }
        let mut hints = list_hints(model);
        if self.cx(model, ui).focuses_models() {
            hints.extend([(Action::Detail, "compare with A"), (Action::Sort, "other metric")]);
        } else {
            hints.push((Action::Sort, "sort by disagreement"));
        }
        hints.extend([
            (Action::NextModel, "model"),
            (Action::Direction, "direction"),
            (Action::NextTruth, "truth"),
            (Action::Filter, "filter"),
            (Action::Tests, "paired tests"),
            (Action::NextPositive, "next positive"),
            (Action::Mix, "mix"),
            (Action::Search, "search"),
            (Action::Detail, "detail"),
        ]);
        hints
    }

    fn click(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        let (list, row) = match target {
            Target::Row(list, row) => (list, Some(row)),
            Target::List(list) => (list, None),
            _ => ("", None),
        };
        self.focuses_models = [FOREST, MODELS].contains(&list);
        if self.focuses_models {
            model.selection.pane = Pane::Queries;
            if let Some(row) = row.filter(|_| list == MODELS) {
                self.select_model(model, row);
                model.attempt(|model| self.compare_with_selected(model));
            }
            return;
        }
        let Some(column) = RANKINGS.iter().position(|id| *id == list) else {
            return queries::click(model, &target);
        };
        model.selection.pane = Pane::Ranking;
        self.column = column;
        let ranking = self.cx(model, ui).ranking(column);
        let item = ranking.zip(row).and_then(|(ranking, row)| ranking.ranking.order.get(row));
        if let Some(&item) = item {
            self.link(model, item);
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.click(model, ui, Target::List(list));
        self.move_selection(model, ui, by);
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        if model.model_pair().is_none() {
            let height = cx.conclusion_lines(body.width).len() as u16;
            let [answer, table] = body.layout(&Layout::vertical([Length(height), Fill(1)]));
            answer::draw_conclusion(cx, answer, buf);
            if model.leaderboard_len().is_some() {
                models::draw(cx, table, buf);
            }
            return;
        }
        let areas = cx.areas();
        answer::draw_conclusion(cx, areas.conclusion, buf);
        answer::draw_forest(cx, areas.forest, buf);
        models::draw(cx, areas.models, buf);
        lists::draw(cx, &areas, buf);
        detail::draw_table(cx, areas.table, buf);
    }
}

impl Compare {
    /// Links an item of the focused ranking. If it is already linked, nothing scrolls.
    fn link(&mut self, model: &mut Model, item: u32) {
        if model.linked_item() != Some(item as usize) {
            self.chosen = Some((item, self.column));
            model.select_linked(item);
        }
    }

    /// Moves the focus to the next or previous pane, cyclically: the queries, each ranking, the table of models.
    fn step_pane(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let rankings = model.compared_models().len();
        let focused = match model.selection.pane {
            Pane::Queries if cx.focuses_models() => rankings + 1,
            Pane::Queries => 0,
            Pane::Ranking => cx.column() + 1,
        };
        let panes = rankings + 2;
        let next = (focused as isize + by).rem_euclid(panes as isize) as usize;
        self.focuses_models = next > rankings;
        let is_ranking = (1..=rankings).contains(&next);
        model.selection.pane = if is_ranking { Pane::Ranking } else { Pane::Queries };
        if is_ranking {
            self.column = next - 1;
        }
    }

    /// Moves the selection of the focused list, ranking or table by a number of entries.
    fn move_selection(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        if self.cx(model, ui).focuses_models() {
            return self.step_models(model, by);
        }
        if model.selection.pane == Pane::Queries {
            return model.move_query(by);
        }
        let Some((items, position)) = self.cx(model, ui).cursor() else {
            return;
        };
        let last = items.len().saturating_sub(1);
        if let Some(&item) = items.get(position.saturating_add_signed(by).min(last)) {
            self.link(model, item);
        }
    }

    /// Selects the next or previous positive of any ground truth in the focused ranking.
    fn select_positive(&mut self, model: &mut Model, ui: &Ui, forward: bool) {
        let cursor = self.cx(model, ui).cursor();
        let (Some(query), Some((items, position))) = (model.selection.query(), cursor) else {
            return;
        };
        match model.positive_from(query, items, position, forward) {
            Some(index) => {
                let item = items[index];
                self.link(model, item);
                model.selection.pane = Pane::Ranking;
            }
            None => model.message = Some(NO_OTHER_POSITIVE.into()),
        }
    }
}
