//! The browse screen: the list of queries, and the ranking of the selected one with its item and ground truths.

mod detail;
mod lists;
mod standing;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::card_view::{self, CardGrid};
use super::queries;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::screen::{Hint, Reply, Screen, enabled_hints, list_hints};
use crate::tui::state::Model;
use crate::tui::state::items::NO_OTHER_POSITIVE;
use crate::tui::state::query_list::Pane;
use crate::tui::state::results::{Demand, RankingsOf};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::ScrollState;

/// Id of the ranking of the selected query.
const RANKING: ListId = "ranking";

/// Minimum width of the texts, in percent of the list of queries.
const MIN_TEXT_PERCENT: usize = 58;

/// State of the screen; queries and items are selected in the model.
#[derive(Debug, Default)]
pub struct Browse {
    /// Scroll position of the queries.
    pub queries: ScrollState,
    /// Scroll position of the ranking.
    pub ranking: ScrollState,
    /// Whether the ranking is shown as cards.
    pub as_cards: bool,
}

type Cx<'a> = Context<'a, Browse>;

/// Areas of the parts of the screen; those of no size are not shown.
#[derive(Debug, Clone, Copy, Default)]
struct Areas {
    queries: Rect,
    ranking: Rect,
    detail: Rect,
    standing: Rect,
}

/// Minimum columns of the screen for queries and ranking side by side.
const MIN_LISTS_WIDTH: u16 = 72;
/// Minimum columns of the screen for queries and cards side by side.
const MIN_CARDS_WIDTH: u16 = 100;
/// Minimum rows of the screen for details.
const MIN_DETAILS_HEIGHT: u16 = 15;

/// Areas of the parts of the screen in `body`. Cards also take the rows of the details. On a narrow screen only the list
/// in `pane` is shown.
fn areas(body: Rect, pane: Pane, as_cards: bool) -> Areas {
    let has_details = body.height >= MIN_DETAILS_HEIGHT && !as_cards;
    let below = if has_details { (body.height * 3 / 8).clamp(7, 16) } else { 0 };
    let [lists, details] =
        body.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]));
    let is_wide = body.width >= if as_cards { MIN_CARDS_WIDTH } else { MIN_LISTS_WIDTH };
    let split = |area: Rect, left: u16| {
        let parts = match pane {
            _ if is_wide => [Constraint::Length(left), Constraint::Fill(1)],
            Pane::Queries => [Constraint::Fill(1), Constraint::Length(0)],
            Pane::Ranking => [Constraint::Length(0), Constraint::Fill(1)],
        };
        area.layout(&Layout::horizontal(parts))
    };
    let [queries, ranking] = split(lists, (body.width * 36 / 100).clamp(30, 64));
    // On a narrow screen each list has the details of its selected entry below.
    let [mut detail, mut standing] = split(details, body.width / 2);
    if !is_wide {
        std::mem::swap(&mut detail, &mut standing);
    }
    Areas { queries, ranking, detail, standing }
}

impl Cx<'_> {
    /// Areas of the parts of the screen at the current size.
    fn areas(self) -> Areas {
        areas(self.ui.frame().body, self.model.selection.pane, self.shows_cards())
    }

    /// The grid of cards of the ranking; `None` if it is a list.
    fn cards(self) -> Option<CardGrid> {
        let inner = card_view::inner_area(self.areas().ranking);
        self.shows_cards().then(|| CardGrid::new(inner, self.ui, self.model.view.direction))
    }

    /// Whether the ranking is shown as cards; not while judging blind, as they reveal what it hides.
    fn shows_cards(self) -> bool {
        self.state.as_cards && !self.model.is_blind()
    }
}

impl Browse {
    /// Whether the ranking is shown as cards and has focus.
    fn is_on_cards(&self, model: &Model) -> bool {
        self.as_cards && !model.is_blind() && model.selection.pane == Pane::Ranking
    }

    /// Number of entries per line and per page of the focused list.
    fn line_and_page(&self, model: &Model, ui: &Ui) -> (isize, isize) {
        match (model.selection.pane, self.cx(model, ui).cards()) {
            (Pane::Queries, _) => (1, self.queries.page()),
            (Pane::Ranking, None) => (1, self.ranking.page()),
            (Pane::Ranking, Some(cards)) => (cards.columns as isize, cards.count() as isize),
        }
    }
}

impl Screen for Browse {
    fn tab(&self) -> Hint {
        (Action::Browse, "Browse")
    }

    fn demand(&self) -> Demand {
        Demand { rankings: RankingsOf::Current, ..Demand::default() }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let (line, page) = self.line_and_page(model, ui);
        match action {
            Action::Plot => {
                self.as_cards = !self.as_cards;
                model.selection.pane = Pane::Ranking;
            }
            Action::Close => self.as_cards = false,
            Action::Left if self.is_on_cards(model) => move_selection(model, -1),
            Action::Right if self.is_on_cards(model) => move_selection(model, 1),
            // No row above the first.
            Action::Up
                if self.is_on_cards(model)
                    && model.selected_position() < Some(line.unsigned_abs()) => {}
            Action::Down => move_selection(model, line),
            Action::Up => move_selection(model, -line),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                model.selection.pane = match model.selection.pane {
                    Pane::Queries => Pane::Ranking,
                    Pane::Ranking => Pane::Queries,
                };
            }
            Action::NextPositive => select_positive(model, true),
            Action::PreviousPositive => select_positive(model, false),
            Action::Sort => model.sort_by(model.selection.sort.next()),
            movement => {
                if let Some(by) = movement.lines(page) {
                    move_selection(model, by);
                }
            }
        }
        Reply::Done
    }

    /// [`Action::Close`] closes the contact sheet.
    fn overrides(&self, model: &Model, _ui: &Ui, action: Action) -> bool {
        action == Action::Close && self.is_on_cards(model)
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        let is_on_ranking = model.selection.pane == Pane::Ranking;
        let has_steps = !model.study.steps.is_empty();
        let mut hints = list_hints(model);
        hints.extend(enabled_hints([
            (true, Action::Direction, "direction"),
            (true, Action::NextTruth, "ground truth"),
            (true, Action::NextModel, if has_steps { "step" } else { "model" }),
            (model.settings.mix.is_some(), Action::AlphaUp, "alpha"),
            (true, Action::Search, "search"),
            (true, Action::Filter, "filter"),
            (true, Action::Judge, "judge"),
            (true, Action::Sort, "sort"),
            (true, Action::Plot, if self.as_cards { "list" } else { "contact sheet" }),
            (true, Action::Detail, "detail"),
            (is_on_ranking, Action::NextPositive, "next positive"),
            (has_steps, Action::Steps, "over steps"),
            (ui.image_protocol().is_some(), Action::Thumbnails, "images"),
        ]));
        hints
    }

    fn click(&mut self, model: &mut Model, _ui: &Ui, target: Target) {
        match target {
            Target::Row(RANKING, row) => {
                model.selection.pane = Pane::Ranking;
                if model.listed_item(row).is_some() {
                    model.select_listed(row);
                }
            }
            Target::List(RANKING) => model.selection.pane = Pane::Ranking,
            other => queries::click(model, &other),
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.click(model, ui, Target::List(list));
        let (line, _) = self.line_and_page(model, ui);
        move_selection(model, if line > 1 { by.signum() * line } else { by });
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let areas = cx.areas();
        let queries = (MIN_TEXT_PERCENT, &self.queries, model.selection.pane == Pane::Queries);
        queries::draw(cx, lists::query_columns(cx), queries, "", areas.queries, buf);
        match cx.cards() {
            Some(cards) => lists::draw_cards(cx, cards, areas.ranking, buf),
            None => lists::draw_ranking(cx, areas.ranking, buf),
        }
        detail::draw(cx, areas.detail, buf);
        standing::draw(cx, areas.standing, buf);
    }
}

/// Moves the selection of the focused list by a number of entries.
fn move_selection(model: &mut Model, by: isize) {
    match model.selection.pane {
        Pane::Queries => model.move_query(by),
        Pane::Ranking => {
            let last = model.listed_items().map_or(0, |listed| listed.len().saturating_sub(1));
            let selected = model.selected_position().unwrap_or(0);
            model.select_listed(selected.saturating_add_signed(by).min(last));
        }
    }
}

/// Selects the next or previous positive of any ground truth in the ranking.
fn select_positive(model: &mut Model, forward: bool) {
    let (Some(query), Some(listed)) = (model.selection.query(), model.listed_items()) else {
        return;
    };
    let selected = model.selected_position().unwrap_or(0);
    match model.positive_from(query, listed, selected, forward) {
        Some(index) => {
            model.select_listed(index);
            model.selection.pane = Pane::Ranking;
        }
        None => model.message = Some(NO_OTHER_POSITIVE.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts lie inside the body, do not overlap, and fill it.
    #[test]
    fn the_parts_tile_the_screen() {
        for (width, height) in
            [40, 71, 72, 80, 120, 200, 500].into_iter().zip([8, 11, 12, 18, 24, 60, 200].repeat(3))
        {
            for pane in [Pane::Queries, Pane::Ranking] {
                for as_cards in [false, true] {
                    let body = frame((width, height)).body;
                    let of = areas(body, pane, as_cards);
                    let parts = [of.queries, of.ranking, of.detail, of.standing];
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(covered, body.area(), "{width}x{height}");
                    for (at, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(body).area(), part.area());
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        assert!(clear || part.area() == 0, "{width}x{height}: {part:?}");
                    }
                }
            }
        }
    }
}
