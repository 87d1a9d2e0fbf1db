//! The picks under their headings, or how to come to some.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span, Text};

use super::{Cx, PICKS, Pane};
use crate::data::text::{grouped, shown};
use crate::session::{Pick, groups};
use crate::tui::action::Action;
use crate::tui::screens::filtered_view::{self, Of};
use crate::tui::screens::queries::phrased_label;
use crate::tui::signs;
use crate::tui::widgets::hits::Target;
use crate::tui::widgets::list::{Column, ListView};
use crate::tui::widgets::{pane, text};

impl Cx<'_> {
    /// The rows of the list: the place of a pick among the listed ones, `None` for a heading.
    pub(super) fn rows(self) -> Vec<Option<usize>> {
        let mut places = 0..;
        let mut rows = Vec::new();
        for group in groups(self.model.session.picks()) {
            rows.push(None);
            rows.extend(group.iter().map(|_| places.next()));
        }
        rows
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let picks: Vec<&Pick> = cx.model.listed_picks().collect();
    let (picks, rows) = (&picks, &cx.rows());
    let selected = cx.model.selected_place();
    let focus = cx.state.pane == Pane::List;
    let title = format!("picks {}/{}", grouped(selected + 1), grouped(picks.len()));
    let inner = pane::frame(&title, "", focus, cx.theme, area, buf);
    filtered_view::draw(cx, Of::None, area, buf);
    cx.ui.hit(area, Target::List(PICKS));
    let number = move |row: usize, _| {
        let place = rows[row].unwrap_or_default();
        Span::styled(format!("{:>4} {}", place + 1, picks[place].direction), cx.theme.dim)
    };
    let words = move |row: usize, room| words(cx, picks[rows[row].unwrap_or_default()], room);
    // Below a heading is the first pick of its group.
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
        rows: (2, 0),
        heading: Some(Box::new(heading)),
        ..ListView::default()
    };
    list.draw(&cx.state.list, cx.ui, inner, buf);
}

/// The query, its phrases in the colours of their chains; below it the notes in the figure and on the query, then
/// models, items and ground truth, or why the study shows nothing of it.
fn words(cx: Cx<'_>, pick: &Pick, room: usize) -> Text<'static> {
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
            let verdicts = &cx.model.judgements.verdicts;
            let truth = wanted.truth_in_force(&cx.model.study, verdicts);
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

/// How to pick queries.
pub(super) fn draw_none(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    let inner = pane::frame("picks", "", true, cx.theme, body, buf).inner(Margin::new(0, 1));
    let [pick, browse, compare, errors] =
        [Action::Pick, Action::Browse, Action::Compare, Action::Errors]
            .map(|action| cx.ui.keymap.hint(action));
    let how = format!(
        "{pick} picks the query on Browse ({browse}) and Compare ({compare}), and the example on Errors ({errors}). \
         Picks are ordered here, and become a figure for a paper. To draw some at random:"
    );
    let command =
        "itm-explore find FILES --where \"r1 == 0\" --pick 10 --seed 1 --session NAME.itm.json";
    let lines = [
        Line::styled("No query is picked yet.", cx.theme.title),
        Line::default(),
        Line::styled(how, cx.theme.base),
        Line::default(),
        Line::styled(command, cx.theme.key),
    ];
    pane::wrapped(lines.map(|line| (line, 0)), inner, buf);
}
