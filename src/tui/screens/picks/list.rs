//! The picks under their headings, or how to come to some.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};

use super::{Cx, PICKS, Pane};
use crate::data::text::{grouped, shown};
use crate::session::{Pick, groups};
use crate::tui::action::Action;
use crate::tui::screens::queries::{self, phrased_label};
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

/// What a filter means for picks.
const NOT_FILTERED: &str = "the filter leaves no pick out";

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let picks: Vec<&Pick> = cx.model.listed_picks().collect();
    let (picks, rows) = (&picks, &cx.rows());
    let selected = cx.model.selected_place();
    let focus = cx.state.pane == Pane::List;
    let title = format!("picks {}/{}", grouped(selected + 1), grouped(picks.len()));
    let inner = pane::frame(&title, "", focus, cx.theme, area, buf);
    queries::condition(cx, NOT_FILTERED, area, buf);
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

/// The query, its phrases in the colours of their chains; below it models, items and ground truth, or why the study
/// shows nothing of it, and the notes in the figure and on the query.
fn words(cx: Cx<'_>, pick: &Pick, room: usize) -> Text<'static> {
    let dim: Style = cx.theme.dim.into();
    let (query, how, look) = match cx.model.shown_by(pick) {
        Err(error) => {
            let query = text::fit(&format!("query {}", pick.query), room);
            (Line::styled(query, dim), shown(error.found()), cx.theme.warning.into())
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
            (Line::from(query), how, dim)
        }
    };
    let own = (!pick.note.is_empty()).then(|| shown(&pick.note));
    let on_query = cx.model.note_on_pick(pick).map(|note| format!("query: {note}"));
    let notes: Vec<String> = own.into_iter().chain(on_query).collect();
    if notes.is_empty() {
        return Text::from(vec![query, Line::styled(text::fit(&how, room), look)]);
    }
    // Long notes take half of the line.
    let (notes, room) = (notes.join("; "), room.saturating_sub(3));
    let how = text::fit(&how, room - text::width(&notes).min(room / 2));
    let notes = text::fit(&notes, room - text::width(&how));
    let sign = Span::styled(format!(" {} ", signs::NOTE), cx.theme.key);
    let below = Line::from(vec![Span::styled(how, look), sign, Span::raw(notes)]);
    Text::from(vec![query, below])
}

/// How to pick queries.
pub(super) fn draw_none(cx: Cx<'_>, body: Rect, buf: &mut Buffer) {
    let inner = pane::frame("picks", "", true, cx.theme, body, buf).inner(Margin::new(1, 1));
    queries::condition(cx, NOT_FILTERED, body, buf);
    let [pick, browse, compare, errors] =
        [Action::Pick, Action::Browse, Action::Compare, Action::Errors]
            .map(|action| cx.ui.keymap.hint(action));
    let paragraphs: [(Style, String); 3] = [
        (cx.theme.title.into(), "No query is picked yet.".into()),
        (
            cx.theme.base.into(),
            format!(
                "{pick} picks the query on Browse ({browse}) and Compare ({compare}), and the example on Errors \
                 ({errors}). Picks are ordered here, and become a figure for a paper. To draw some at random:"
            ),
        ),
        (
            cx.theme.key.into(),
            "itm-explore find FILES --where \"r1 == 0\" --pick 10 --seed 1 --session NAME.itm.json"
                .into(),
        ),
    ];
    let columns = usize::from(inner.width).min(96);
    let lines = paragraphs.into_iter().flat_map(|(look, words)| {
        let lines = text::wrap(&words, columns).into_iter().chain([String::new()]);
        lines.map(move |line| Line::styled(line, look))
    });
    pane::lines(&lines.collect::<Vec<_>>(), 0, inner, buf);
}
