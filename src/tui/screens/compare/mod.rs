//! The compare screen: which of two models is better, queries on which they disagree, and rankings of up to four models
//! side by side, with equal items linked.

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
use crate::tui::screen::{Hint, Reply, Screen, hints_now, list_hints};
use crate::tui::state::Model;
use crate::tui::state::items::NO_FURTHER;
use crate::tui::state::query_list::Pane;
use crate::tui::state::ranking::IndexedRanking;
use crate::tui::state::results::{Demand, RankingsOf};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::Scrolled;

/// Rankings of the compared models.
const RANKINGS: [ListId; 4] = ["ranking A", "ranking B", "ranking C", "ranking D"];
const FOREST: ListId = "forest";
const MODELS: ListId = "all models";

/// State of the screen; query, item and focused pane are selected in the model.
#[derive(Debug, Default)]
pub struct Compare {
    /// Scroll position of the queries.
    pub queries: Scrolled,
    /// Scroll position of all rankings.
    pub rankings: Scrolled,
    /// Index of the focused ranking.
    pub column: usize,
    /// Scroll position of the table of models.
    pub models: Scrolled,
    /// Whether the forest plot and the table of models have focus.
    pub on_models: bool,
    /// Whether the table of models is sorted by R@1, else by mAP@R.
    pub by_r1: bool,
    /// Index of the selected entry, in the order in which models were given.
    entry: Option<usize>,
    /// The last item linked here, and the column of the ranking that it was chosen in.
    chosen: Option<(u32, usize)>,
}

type Cx<'a> = Context<'a, Compare>;

impl<'a> Cx<'a> {
    fn areas(self) -> Areas {
        let body = self.ui.frame().body;
        let table = self.model.ranked_count().map_or(0, |count| (count + 3).min(MAX_TABLE_ROWS));
        let rows = [self.conclusion_lines(body.width).len(), self.forest().len() + 3, table];
        let of = LayoutInput {
            pane: self.model.selection.pane,
            column: self.column(),
            models: self.model.compared().len(),
            on_models: self.is_on_models(),
            rows: rows.map(|rows| rows as u16),
        };
        areas(body, of)
    }

    /// Whether the forest plot and the table of models have focus.
    fn is_on_models(self) -> bool {
        let is_alone = self.model.two().is_none() && self.model.ranked_count().is_some();
        is_alone || self.state.on_models && self.model.selection.pane == Pane::Queries
    }

    /// Index of the focused ranking.
    fn column(self) -> usize {
        self.state.column.min(self.model.compared().len().saturating_sub(1))
    }

    fn has_keys(self, column: usize) -> bool {
        self.model.selection.pane == Pane::Ranking && self.column() == column
    }

    fn ranking(self, column: usize) -> Option<&'a IndexedRanking> {
        self.model.ranking_by(*self.model.compared().get(column)?)
    }

    /// Position of the linked item in a ranking.
    fn place(self, column: usize) -> Option<usize> {
        let rank = self.ranking(column)?.rank(self.model.linked()?)?;
        Some(rank - 1)
    }

    /// The focused ranking, and the linked item's position in it.
    fn cursor(self) -> Option<(&'a [u32], usize)> {
        let ranked = self.ranking(self.column())?;
        Some((&ranked.ranking.order, self.place(self.column()).unwrap_or(0)))
    }

    /// Scroll position of all rankings, so that their tops are visible wherever a model ranks the linked item high: its
    /// position in the ranking it was chosen in, or the best visible one.
    fn followed(self, areas: &Areas) -> Option<usize> {
        let linked = self.model.linked()?;
        let sighted = areas.rankings.iter().map(|(column, _)| *column);
        let is_chosen = |&(item, column): &(u32, usize)| {
            item as usize == linked && sighted.clone().any(|of| of == column)
        };
        let is_first = self.model.selection.item == 0 && self.model.item_apart().is_none();
        match self.state.chosen.filter(is_chosen) {
            Some((_, column)) => self.place(column),
            None if is_first => Some(0),
            None => sighted.filter_map(|column| self.place(column)).min(),
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
        let on_models = self.cx(model, ui).is_on_models();
        let page = match model.selection.pane {
            Pane::Queries if on_models => self.models.page(),
            Pane::Queries => self.queries.page(),
            Pane::Ranking => self.rankings.page(),
        };
        match action {
            Action::NextPane | Action::Right => self.turn(model, ui, 1),
            Action::PreviousPane | Action::Left => self.turn(model, ui, -1),
            Action::NextPositive => self.positive(model, ui, true),
            Action::PreviousPositive => self.positive(model, ui, false),
            Action::Sort if on_models => self.by_r1 = !self.by_r1,
            Action::Sort => model.sort_by(model.order().next_disagreement()),
            Action::Detail if on_models => {
                model.attempt(|model| self.compare_with_selected(model));
            }
            movement => {
                if let Some(by) = movement.lines(page) {
                    self.step(model, ui, by);
                }
            }
        }
        Reply::Done
    }

    /// In the model table, [`Action::Detail`] compares with the selected model.
    fn overrides(&self, model: &Model, ui: &Ui, action: Action) -> bool {
        action == Action::Detail && self.cx(model, ui).is_on_models()
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        if model.two().is_none() {
            return hints_now([(true, Action::Browse, "queries")]);
        }
        let mut hints = list_hints(model);
        if self.cx(model, ui).is_on_models() {
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
        let (list, place) = match target {
            Target::Row(list, place) => (list, Some(place)),
            Target::List(list) => (list, None),
            _ => ("", None),
        };
        self.on_models = [FOREST, MODELS].contains(&list);
        if self.on_models {
            model.selection.pane = Pane::Queries;
            if let Some(place) = place.filter(|_| list == MODELS) {
                self.select_model(model, place);
                model.attempt(|model| self.compare_with_selected(model));
            }
            return;
        }
        let Some(column) = RANKINGS.iter().position(|of| *of == list) else {
            return queries::click(model, &target);
        };
        model.selection.pane = Pane::Ranking;
        self.column = column;
        let ranked = self.cx(model, ui).ranking(column);
        let item = ranked.zip(place).and_then(|(of, place)| of.ranking.order.get(place));
        if let Some(&item) = item {
            self.link(model, item);
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.click(model, ui, Target::List(list));
        self.step(model, ui, by);
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        if model.two().is_none() {
            let height = cx.conclusion_lines(body.width).len() as u16;
            let [answer, table] = body.layout(&Layout::vertical([Length(height), Fill(1)]));
            answer::draw_conclusion(cx, answer, buf);
            if model.ranked_count().is_some() {
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
    /// Links an item of the focused ranking. If already linked, nothing scrolls.
    fn link(&mut self, model: &mut Model, item: u32) {
        if model.linked() != Some(item as usize) {
            self.chosen = Some((item, self.column));
            model.link(item);
        }
    }

    /// Goes to the adjacent list, ranking or table, cyclically.
    fn turn(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let rankings = model.compared().len();
        let here = match model.selection.pane {
            Pane::Queries if cx.is_on_models() => rankings + 1,
            Pane::Queries => 0,
            Pane::Ranking => cx.column() + 1,
        };
        let panes = rankings + 2;
        let there = (here as isize + by).rem_euclid(panes as isize) as usize;
        self.on_models = there > rankings;
        let is_ranking = (1..=rankings).contains(&there);
        model.selection.pane = if is_ranking { Pane::Ranking } else { Pane::Queries };
        if is_ranking {
            self.column = there - 1;
        }
    }

    /// Moves the selection of the focused list or ranking.
    fn step(&mut self, model: &mut Model, ui: &Ui, by: isize) {
        if self.cx(model, ui).is_on_models() {
            return self.step_models(model, by);
        }
        if model.selection.pane == Pane::Queries {
            return model.move_query(by);
        }
        let Some((order, place)) = self.cx(model, ui).cursor() else {
            return;
        };
        let last = order.len().saturating_sub(1);
        if let Some(&item) = order.get(place.saturating_add_signed(by).min(last)) {
            self.link(model, item);
        }
    }

    /// Goes to the next or previous positive of any truth in the ranking.
    fn positive(&mut self, model: &mut Model, ui: &Ui, forward: bool) {
        let cursor = self.cx(model, ui).cursor();
        let (Some(query), Some((order, here))) = (model.selection.query(), cursor) else {
            return;
        };
        match model.positive_from(query, order, here, forward) {
            Some(place) => {
                let item = order[place];
                self.link(model, item);
                model.selection.pane = Pane::Ranking;
            }
            None => model.message = Some(NO_FURTHER.into()),
        }
    }
}
