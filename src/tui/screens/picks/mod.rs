//! The screen of picks: all picks under headings, and a preview of their figure.

mod figure;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span, Text};

use crate::data::text::{grouped, shown};
use crate::error::Error;
use crate::jobs::{Draft, Drafted};
use crate::session::{Pick, groups};
use crate::tui::action::{Action, Group};
use crate::tui::context::{Context, Ui};
use crate::tui::popups::export::ExportPrompt;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::{Hint, Reply, Screen, hints_now};
use crate::tui::screens::queries::{self, phrased_label};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::{pane, text};

/// The picks.
const PICKS: ListId = "picks";
/// Their figure.
const FIGURE: ListId = "figure";

/// Focused pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Pane {
    #[default]
    List,
    Figure,
}

/// A drawn figure, or why there is none.
type Drawn = (Arc<Draft>, Result<Drafted, Error>);

/// State of the screen; the selected pick and the figure's options are in the model.
#[derive(Debug, Default)]
pub struct Picks {
    pane: Pane,
    list: Scrolled,
    /// Scroll position of the figure in text.
    pub figure: Scrolled,
    /// Whether it was scrolled; else it starts at the selected pick.
    is_scrolled: bool,
    /// The figure, once it is drawn.
    pub(crate) drawn: Option<Drawn>,
}

type Cx<'a> = Context<'a, Picks>;

/// Narrower screens show one part at a time.
const SIDE_BY_SIDE: u16 = 80;

/// The list, the figure, and the line above them in a body; a part of no size is not shown.
fn areas(body: Rect, pane: Pane) -> [Rect; 3] {
    let [line, body] = body.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
    let list = (body.width * 3 / 8).clamp(34, 48);
    let [list, figure] = body.layout(&Layout::horizontal(match pane {
        _ if body.width >= SIDE_BY_SIDE => [Constraint::Length(list), Constraint::Fill(1)],
        Pane::List => [Constraint::Fill(1), Constraint::Length(0)],
        Pane::Figure => [Constraint::Length(0), Constraint::Fill(1)],
    }));
    [list, figure, line]
}

impl Cx<'_> {
    fn areas(self) -> [Rect; 3] {
        areas(self.ui.frame().body, self.state.pane)
    }

    /// Rows of the list: index of a listed pick, `None` for a heading.
    fn rows(self) -> Vec<Option<usize>> {
        let mut places = 0..;
        let mut rows = Vec::new();
        for group in groups(self.model.session.picks()) {
            rows.push(None);
            rows.extend(group.iter().map(|_| places.next()));
        }
        rows
    }
}

impl Picks {
    /// Selects another pick, or scrolls the figure.
    fn step(&mut self, model: &mut Model, by: isize) {
        match self.pane {
            Pane::List => {
                let last = model.session.picks().len().saturating_sub(1);
                let to = model.selected_place().saturating_add_signed(by).min(last);
                self.select(model, to);
            }
            Pane::Figure => {
                self.is_scrolled = true;
                self.figure.scroll(by);
            }
        }
    }

    fn select(&mut self, model: &mut Model, place: usize) {
        if place != model.pick {
            model.pick = place;
            self.is_scrolled = false;
        }
    }
}

impl Screen for Picks {
    fn tab(&self) -> Hint {
        (Action::Picks, "Picks")
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        use Action::{Columns, DialDown, DialUp, Layout, Models, Scope};
        match action {
            Columns | DialDown | DialUp | Layout | Models | Scope
                if model.attempt(|model| model.check_pick()).is_none() => {}
            Action::Pick | Action::JudgeClear => {
                if let Some(what) = model.remove_pick() {
                    let key = ui.keymap.hint(Action::Undo);
                    model.message = Some(format!("{what}; {key} undoes"));
                }
            }
            Action::Note => return Reply::open(PromptPopup::pick_note(model)),
            Action::Heading => return Reply::open(PromptPopup::pick_heading(model)),
            Action::Export => return Reply::open(ExportPrompt::of_picks(model)),
            DialUp => model.turn_depth(1),
            DialDown => model.turn_depth(-1),
            Action::MoveDown => model.move_pick(1),
            Action::MoveUp => model.move_pick(-1),
            Models => model.next_models(),
            Action::Detail => {
                let models = model.selected_pick().map_or(0, |pick| pick.models.len());
                if model.attempt(Model::look_at_pick).is_some() {
                    let is_one = models <= 1;
                    return Reply::Act(if is_one { Action::Browse } else { Action::Compare });
                }
            }
            Scope | Layout | Columns => self.reshape(model, ui, action),
            Action::NextPane | Action::PreviousPane | Action::Left | Action::Right => {
                self.pane = match self.pane {
                    Pane::List => Pane::Figure,
                    Pane::Figure => Pane::List,
                };
            }
            other => {
                let page = match self.pane {
                    Pane::List => self.list.page(),
                    Pane::Figure => self.figure.page(),
                };
                match other.lines(page) {
                    Some(by) => self.step(model, by),
                    None => return Reply::Idle,
                }
            }
        }
        Reply::Done
    }

    fn overrides(&self, _model: &Model, _ui: &Ui, action: Action) -> bool {
        use Action::{DialDown, DialUp, JudgeClear, Note, Pick};
        matches!(action, Pick | Note | JudgeClear | DialUp | DialDown)
    }

    fn calls(&self, action: Action) -> bool {
        action.group() == Group::Picks
    }

    fn hints(&self, model: &Model, _ui: &Ui) -> Vec<Hint> {
        if model.session.picks().is_empty() {
            return hints_now([(true, Action::Browse, "queries")]);
        }
        hints_now([
            (true, Action::NextPane, "pane"),
            (true, Action::Export, "export"),
            (true, Action::Scope, "pick, group, all"),
            (true, Action::Layout, "layout"),
            (true, Action::Columns, "columns"),
            (true, Action::DialUp, "items"),
            (true, Action::Models, "models"),
            (true, Action::MoveDown, "move"),
            (true, Action::Note, "note"),
            (true, Action::Heading, "heading"),
            (true, Action::JudgeClear, "remove"),
            (true, Action::Detail, "open"),
            (true, Action::Undo, "undo"),
        ])
    }

    fn click(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        match target {
            Target::List(FIGURE) => self.pane = Pane::Figure,
            Target::Row(PICKS, row) => {
                self.pane = Pane::List;
                let rows = self.cx(model, ui).rows();
                if let Some(place) = rows.get(row).copied().flatten() {
                    self.select(model, place);
                }
            }
            _ => self.pane = Pane::List,
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.click(model, ui, Target::List(list));
        self.step(model, if list == PICKS { by.signum() } else { by });
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        if model.session.picks().is_empty() {
            draw_none(cx, body, buf);
            return;
        }
        let [list, figure, line] = cx.areas();
        let summary = Line::styled(format!(" {}", figure::summary(cx)), ui.theme.title);
        pane::draw_line(&summary, false, line, buf);
        if list.area() > 0 {
            draw_list(cx, list, buf);
        }
        if figure.area() > 0 {
            figure::draw(cx, figure, buf);
        }
    }
}

fn draw_list(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let picks: Vec<&Pick> = cx.model.listed_picks().collect();
    let (picks, rows) = (&picks, &cx.rows());
    let selected = cx.model.selected_place();
    let focus = cx.state.pane == Pane::List;
    let title = format!("picks {}/{}", grouped(selected + 1), grouped(picks.len()));
    let inner = pane::frame(title, "", focus, cx.theme, area, buf);
    queries::condition(cx, "the filter leaves no pick out", area, buf);
    cx.ui.hit(area, Target::List(PICKS));
    let number = move |row: usize, _| {
        let place = rows[row].unwrap_or_default();
        Span::styled(format!("{:>4} {}", place + 1, picks[place].direction), cx.theme.dim)
    };
    let words = move |row: usize, room| pick_words(cx, picks[rows[row].unwrap_or_default()], room);
    // A heading precedes the first pick of its group.
    let heading = move |row: usize| match rows.get(row + 1) {
        Some(Some(first)) if rows[row].is_none() => {
            Some(Line::styled(format!(" {}", picks[*first].heading()), cx.theme.title))
        }
        _ => None,
    };
    let list = ListView {
        id: PICKS,
        columns: vec![Column::new("", 8, number), Column::rest("", words)],
        len: rows.len(),
        selected: rows.iter().position(|row| *row == Some(selected)),
        focus,
        rows: 2,
        heading: Some(Box::new(heading)),
        ..ListView::default()
    };
    list.draw(&cx.state.list, cx.ui, inner, buf);
}

/// The query with coloured phrases; below it the notes in the figure and on the query, then models, items and ground
/// truth, or why the study cannot show it.
fn pick_words(cx: Cx<'_>, pick: &Pick, room: usize) -> Text<'static> {
    let (query, how) = match cx.model.shown_by(pick) {
        Err(error) => {
            let query = Line::styled(format!("query {}", pick.query), cx.theme.dim);
            (query, Span::styled(shown(error.found()), cx.theme.warning))
        }
        Ok(wanted) => {
            let of = (wanted.direction, wanted.query);
            let label = text::fit(&cx.model.label(of.0, of.1, room), room);
            let query = phrased_label(cx, of, &label, cx.theme.base.into()).line(&label);
            let models = wanted.models.iter().map(|&at| &*cx.model.study.models[at].name);
            let models = models.collect::<Vec<_>>().join(", ");
            let judgments = &cx.model.judgments.decided;
            let truth = wanted.truth_in_force(&cx.model.study, judgments);
            let items = if pick.depth == 1 { "item" } else { "items" };
            let how = shown(&format!("{models} · {} {items} · {truth}", pick.depth));
            (Line::from(query), Span::styled(how, cx.theme.dim))
        }
    };
    let own = (!pick.note.is_empty()).then(|| shown(&pick.note));
    let on_query = cx.model.note_on_pick(pick).map(|note| format!("query: {note}"));
    let notes: Vec<String> = own.into_iter().chain(on_query).collect();
    let mut below = Line::default();
    if !notes.is_empty() {
        below.push_span(Span::styled(format!("{} ", signs::NOTE), cx.theme.key));
        below.push_span(notes.join("; ") + "  ");
    }
    below.push_span(how);
    Text::from(vec![query, below])
}

fn draw_none(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    let inner = pane::frame("picks", "", true, cx.theme, body, buf).inner(Margin::new(0, 1));
    let pick = cx.ui.keymap.hint(Action::Pick);
    let words = format!(
        "No query is picked yet. {pick} picks the query on Browse and Compare, and the example on Errors; \
         `itm-explore find --pick` draws some at random. Picks are ordered here, and become a figure for a paper."
    );
    pane::wrapped([(Line::styled(words, cx.theme.base), 0)], inner, buf);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts fill the body, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 79, 80, 120, 160, 400] {
            for height in [8, 12, 24, 40, 90] {
                for pane in [Pane::List, Pane::Figure] {
                    let body = frame((width, height)).body;
                    let [list, figure, line] = areas(body, pane);
                    let area = list.area() + figure.area() + line.area();
                    assert_eq!(area, body.area(), "{width}x{height}");
                    assert!(!list.intersects(figure), "{width}x{height}");
                }
            }
        }
    }
}
