//! The screen of picks: the list of picks under headings, and a preview of their figure.

mod figure;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span, Text};

use crate::data::text::{grouped, shown};
use crate::error::Error;
use crate::jobs::{Draft, DraftPreview};
use crate::session::{Pick, groups};
use crate::tui::action::{Action, Group};
use crate::tui::context::{Context, Ui};
use crate::tui::popups::export::ExportPrompt;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::{Hint, Reply, Screen, enabled_hints};
use crate::tui::screens::queries::{self, label_colours};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::{pane, text};

/// Id of the list of picks.
const PICKS: ListId = "picks";
/// Id of the figure.
const FIGURE: ListId = "figure";

/// Focused pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Pane {
    #[default]
    List,
    Figure,
}

/// The draft of a figure, and its preview or why it cannot be drawn.
type DraftResult = (Arc<Draft>, Result<DraftPreview, Error>);

/// State of the screen; the selected pick and the figure's options are in the model.
#[derive(Debug, Default)]
pub struct Picks {
    pane: Pane,
    /// Scroll position of the list.
    list: ScrollState,
    /// Scroll position of the figure in text.
    pub figure: ScrollState,
    /// Whether the figure in text was scrolled by hand; else it starts at the selected pick.
    is_scrolled: bool,
    /// The last drawn preview of the figure, which may be out of date; `None` until one is drawn.
    pub(crate) preview: Option<DraftResult>,
}

type Cx<'a> = Context<'a, Picks>;

/// Minimum columns of the screen for list and figure side by side; else one of them is shown.
const MIN_WIDTH_BESIDE: u16 = 80;

/// Areas of the list, the figure, and the line above them; those of no size are not shown.
fn areas(body: Rect, pane: Pane) -> [Rect; 3] {
    let [line, body] = body.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
    let list = (body.width * 3 / 8).clamp(34, 48);
    let [list, figure] = body.layout(&Layout::horizontal(match pane {
        _ if body.width >= MIN_WIDTH_BESIDE => [Constraint::Length(list), Constraint::Fill(1)],
        Pane::List => [Constraint::Fill(1), Constraint::Length(0)],
        Pane::Figure => [Constraint::Length(0), Constraint::Fill(1)],
    }));
    [list, figure, line]
}

impl Cx<'_> {
    /// Areas of the list, the figure, and the line above them at the current size.
    fn areas(self) -> [Rect; 3] {
        areas(self.ui.frame().body, self.state.pane)
    }

    /// For each row of the list, the index of the pick; `None` for a heading.
    fn rows(self) -> Vec<Option<usize>> {
        let mut indices = 0..;
        let mut rows = Vec::new();
        for group in groups(self.model.session.picks()) {
            rows.push(None);
            rows.extend(group.iter().map(|_| indices.next()));
        }
        rows
    }
}

impl Picks {
    /// Selects the pick `by` places further, or scrolls the figure by lines, depending on the focused pane.
    fn move_selection(&mut self, model: &mut Model, by: isize) {
        match self.pane {
            Pane::List => {
                let last = model.session.picks().len().saturating_sub(1);
                let index = model.selected_pick_index().saturating_add_signed(by).min(last);
                self.select(model, index);
            }
            Pane::Figure => {
                self.is_scrolled = true;
                self.figure.scroll_by(by);
            }
        }
    }

    /// Selects the pick at an index of the list.
    fn select(&mut self, model: &mut Model, index: usize) {
        if index != model.pick {
            model.pick = index;
            self.is_scrolled = false;
        }
    }
}

impl Screen for Picks {
    fn tab(&self) -> Hint {
        (Action::Picks, "Picks")
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        use Action::{Columns, Layout, Less, Models, More, Scope};
        match action {
            Columns | Less | More | Layout | Models | Scope
                if model.attempt(|model| model.check_pick()).is_none() => {}
            Action::Pick | Action::JudgeClear => {
                if let Some(what) = model.remove_pick() {
                    let key = ui.keymap.hint(Action::Undo);
                    model.message = Some(format!("{what}; {key} undoes"));
                }
            }
            Action::Note => return Reply::open(PromptPopup::for_pick_note(model)),
            Action::Heading => return Reply::open(PromptPopup::for_pick_heading(model)),
            Action::Export => return Reply::open(ExportPrompt::for_picks(model)),
            More => model.step_pick_depth(1),
            Less => model.step_pick_depth(-1),
            Action::MoveDown => model.move_pick(1),
            Action::MoveUp => model.move_pick(-1),
            Models => model.next_pick_models(),
            Action::Detail => {
                let models = model.selected_pick().map_or(0, |pick| pick.models.len());
                if model.attempt(Model::show_pick).is_some() {
                    let is_one = models <= 1;
                    return Reply::Act(if is_one { Action::Browse } else { Action::Compare });
                }
            }
            Scope | Layout | Columns => self.change_options(model, ui, action),
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
                    Some(by) => self.move_selection(model, by),
                    None => return Reply::Idle,
                }
            }
        }
        Reply::Done
    }

    fn overrides(&self, _model: &Model, _ui: &Ui, action: Action) -> bool {
        use Action::{JudgeClear, Less, More, Note, Pick};
        matches!(action, Pick | Note | JudgeClear | More | Less)
    }

    fn owns(&self, action: Action) -> bool {
        action.group() == Group::Picks
    }

    fn hints(&self, model: &Model, _ui: &Ui) -> Vec<Hint> {
        if model.session.picks().is_empty() {
            return enabled_hints([(true, Action::Browse, "queries")]);
        }
        enabled_hints([
            (true, Action::NextPane, "pane"),
            (true, Action::Export, "export"),
            (true, Action::Scope, "pick, group, all"),
            (true, Action::Layout, "layout"),
            (true, Action::Columns, "columns"),
            (true, Action::More, "items"),
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
                if let Some(index) = rows.get(row).copied().flatten() {
                    self.select(model, index);
                }
            }
            _ => self.pane = Pane::List,
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.click(model, ui, Target::List(list));
        self.move_selection(model, if list == PICKS { by.signum() } else { by });
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        if model.session.picks().is_empty() {
            draw_no_picks(cx, body, buf);
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

/// Draws the list of picks.
fn draw_list(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let picks: Vec<&Pick> = cx.model.listed_picks().collect();
    let (picks, rows) = (&picks, &cx.rows());
    let selected = cx.model.selected_pick_index();
    let focus = cx.state.pane == Pane::List;
    let title = format!("picks {}/{}", grouped(selected + 1), grouped(picks.len()));
    let inner = pane::draw_frame(title, "", focus, cx.theme, area, buf);
    queries::draw_condition(cx, "the filter leaves no pick out", area, buf);
    cx.ui.add_target(area, Target::List(PICKS));
    let number = move |row: usize, _| {
        let index = rows[row].unwrap_or_default();
        Span::styled(format!("{:>4} {}", index + 1, picks[index].direction), cx.theme.dim)
    };
    let text = move |row: usize, room| pick_text(cx, picks[rows[row].unwrap_or_default()], room);
    // A heading precedes the first pick of its group.
    let heading = move |row: usize| match rows.get(row + 1) {
        Some(Some(first)) if rows[row].is_none() => {
            Some(Line::styled(format!(" {}", picks[*first].heading()), cx.theme.title))
        }
        _ => None,
    };
    let list = ListView {
        id: PICKS,
        columns: vec![Column::new("", 8, number), Column::rest("", text)],
        len: rows.len(),
        selected: rows.iter().position(|row| *row == Some(selected)),
        focus,
        rows: 2,
        heading: Some(Box::new(heading)),
        ..ListView::default()
    };
    list.draw(&cx.state.list, cx.ui, inner, buf);
}

/// Two lines for a pick: the query with coloured phrases; the notes in the figure and on the query, then models, items
/// and ground truth, or why the study cannot show the pick.
fn pick_text(cx: Cx<'_>, pick: &Pick, room: usize) -> Text<'static> {
    let (query, description) = match cx.model.resolve_pick(pick) {
        Err(error) => {
            let query = Line::styled(format!("query {}", pick.query), cx.theme.dim);
            (query, Span::styled(shown(error.found()), cx.theme.warning))
        }
        Ok(resolved) => {
            let query = (resolved.direction, resolved.query);
            let label = text::fit(&cx.model.label(query.0, query.1, room), room);
            let query = label_colours(cx, query, &label, cx.theme.base.into()).line(&label);
            let models = resolved.models.iter().map(|&at| &*cx.model.study.models[at].name);
            let models = models.collect::<Vec<_>>().join(", ");
            let judgments = &cx.model.judgments.decided;
            let truth = resolved.effective_truth_name(&cx.model.study, judgments);
            let items = if pick.depth == 1 { "item" } else { "items" };
            let words = shown(&format!("{models} · {} {items} · {truth}", pick.depth));
            (Line::from(query), Span::styled(words, cx.theme.dim))
        }
    };
    let in_figure = (!pick.note.is_empty()).then(|| shown(&pick.note));
    let on_query = cx.model.pick_query_note(pick).map(|note| format!("query: {note}"));
    let notes: Vec<String> = in_figure.into_iter().chain(on_query).collect();
    let mut below = Line::default();
    if !notes.is_empty() {
        below.push_span(Span::styled(format!("{} ", signs::NOTE), cx.theme.key));
        below.push_span(notes.join("; ") + "  ");
    }
    below.push_span(description);
    Text::from(vec![query, below])
}

/// Draws how to pick queries.
fn draw_no_picks(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    let inner = pane::draw_frame("picks", "", true, cx.theme, body, buf).inner(Margin::new(0, 1));
    let pick = cx.ui.keymap.hint(Action::Pick);
    let words = format!(
        "No query is picked yet. {pick} picks the query on Browse and Compare, and the example on Errors; \
         `itm-explore find --pick` draws some at random. Picks are ordered here, and become a figure for a paper."
    );
    pane::draw_wrapped([(Line::styled(words, cx.theme.base), 0)], inner, buf);
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
