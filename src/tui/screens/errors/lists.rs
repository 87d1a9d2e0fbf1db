//! The tabs with lists of error types, hubs and words.

use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::{Cx, Tab, slices};
use crate::analysis::kinds::{self, Kind, KindQueries};
use crate::analysis::survey::{self, Detail};
use crate::analysis::words::{LEVEL, Word, over_represented};
use crate::data::text::{grouped, p_value, shown};
use crate::rank::hubs::{DEPTHS, Hub};
use crate::study::View;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::theme::ThemeStyle;
use crate::tui::ui::list::{Column, ListView};
use crate::tui::ui::{pane, text};

/// Minimum terminal columns of the name of an error type.
const MIN_NAME_COLUMNS: usize = 24;
/// Terminal columns of a count with its share.
const CELL_COLUMNS: usize = 12;
/// Terminal columns of the share in a cell.
const SHARE_COLUMNS: usize = 6;

/// A row of the list of words: the counts of a word, or a heading.
#[derive(Default)]
pub(super) struct WordRow {
    pub(super) heading: Option<String>,
    /// Two counts, the Holm-adjusted p-value, and the word.
    cells: [Span<'static>; 4],
}

impl<'a> Cx<'a> {
    /// The selected error type.
    pub(super) fn selected_kind(self) -> &'static Kind {
        &kinds::for_study(&self.model.study)[self.selected(Tab::Types)]
    }

    /// Queries of the selected error type; `None` until they are computed, or if the study lacks the data for the type.
    pub(super) fn kind_queries(self) -> Option<&'a KindQueries> {
        self.model.error_lists(self.model.view)?[self.selected(Tab::Types)].as_ref()
    }

    /// Breakdown, hubs and words of the view; `None` until they are computed.
    fn detail(self) -> Option<&'a Detail> {
        self.model.error_details(self.model.view).map(AsRef::as_ref)
    }

    /// Number of entries in the list of a tab, without headings.
    pub(super) fn len(self, tab: Tab) -> usize {
        match (tab, self.detail()) {
            (Tab::Types, _) => kinds::for_study(&self.model.study).len(),
            (Tab::Slices, _) => self.slices().map_or(0, |slices| slices.rows.len()),
            (Tab::Examples, _) | (_, None) => 0,
            (Tab::Hubs, Some(detail)) => detail.hubs.len(),
            (Tab::Words, Some(_)) => {
                self.word_rows().iter().filter(|row| row.heading.is_none()).count()
            }
        }
    }

    /// The hubs of the view, most top-1 misses first; empty until they are computed.
    pub fn hubs(self) -> &'a [Hub] {
        self.detail().map_or(&[], |detail| &detail.hubs)
    }

    /// The selected hub; `None` if there are no hubs, or until they are computed.
    pub(super) fn selected_hub(self) -> Option<&'a Hub> {
        self.hubs().get(self.selected(Tab::Hubs))
    }

    /// Rows of the words that are significantly more frequent in failures, then of those that separate top-1 from the
    /// nearest positive, each under a heading. Empty until they are computed.
    pub(super) fn word_rows(self) -> Vec<WordRow> {
        let Some((detail, texts)) = self.detail().zip(self.model.texts()) else {
            return Vec::new();
        };
        let row = |word: &Word, first: Span<'static>, second: Span<'static>| {
            let p = Span::styled(p_value(word.p_holm), self.theme.dim);
            let cells = [first, second, p, texts.word(word.word).to_owned().into()];
            WordRow { heading: None, cells }
        };
        let count = |sign: &str, count: u32, look: ThemeStyle| {
            Span::styled(format!("{sign}{}", grouped(count as usize)), look)
        };
        let frequent = over_represented(&detail.words).filter(|word| word.is_significant());
        let frequent = frequent.map(|word| {
            let all = count("of ", word.counts[0] + word.counts[1], self.theme.dim);
            row(word, count("", word.counts[0], self.theme.down), all)
        });
        let differing = detail.swapped.iter().filter(|word| word.is_significant()).map(|word| {
            let missing = count("−", word.counts[1], self.theme.up);
            row(word, count("+", word.counts[0], self.theme.down), missing)
        });
        let mut rows = Vec::new();
        for (words, title, claim) in [
            (
                frequent.collect::<Vec<WordRow>>(),
                "more frequent in failures: failures with the word, of all queries with it",
                "is significantly more frequent in failures",
            ),
            (
                differing.collect(),
                "top-1 against the nearest positive: failures that add the word, that lack it",
                "significantly separates top-1 from the nearest positive",
            ),
        ] {
            let none = format!("No word {claim} (Holm, {:.0} %).", 100.0 * LEVEL);
            let heading = if words.is_empty() { none } else { title.into() };
            rows.push(WordRow { heading: Some(heading), ..WordRow::default() });
            rows.extend(words);
        }
        rows
    }

    /// Title and list of the current tab.
    fn list(self) -> (String, ListView<'a>) {
        let tab = self.state.tab;
        let (title, columns) = match tab {
            Tab::Examples | Tab::Types => return self.type_list(),
            Tab::Hubs => self.hub_columns(),
            Tab::Words => return self.word_list(),
            Tab::Slices => return self.slice_list(),
        };
        let list = ListView {
            id: tab.list_id(),
            columns,
            len: self.len(tab),
            selected: Some(self.selected(tab)),
            min_rest: 14,
            empty: if self.detail().is_some() { "none".into() } else { "…".into() },
            ..ListView::default()
        };
        (title, list)
    }

    /// Texts of a cell of the table of error types: number of queries, and their share in percent. `kind` is an index
    /// in [`kinds::for_study`]. The number is `…` until computed, and [`signs::UNDEFINED`] if the study lacks the data.
    fn count_and_share(self, view: View, kind: usize) -> [String; 2] {
        match self.model.error_lists(view).map(|lists| &lists[kind]) {
            None => ["…".into(), String::new()],
            Some(None) => [signs::UNDEFINED.into(), String::new()],
            Some(Some(list)) => [grouped(list.count().met), list.count().percent()],
        }
    }

    /// Title and list of the error types, with a column per explained model.
    fn type_list(self) -> (String, ListView<'a>) {
        let kinds = kinds::for_study(&self.model.study);
        let mut columns = vec![Column::rest("", |at, _| format!(" {}", kinds[at].name))];
        let mut views = self.model.error_views();
        views.sort_by_key(|view| view.model);
        let current = views.iter().position(|view| *view == self.model.view).unwrap_or(0);
        columns.extend(views.into_iter().enumerate().map(|(at, view)| {
            let look = if at == current { self.theme.key } else { self.theme.dim };
            let name = signs::model_name(&self.model.study, view.model, CELL_COLUMNS);
            let cell = move |kind: usize, _| {
                let [count, share] = self.count_and_share(view, kind);
                let share = Span::styled(text::pad_left(&share, SHARE_COLUMNS), self.theme.dim);
                Line::from_iter([Span::raw(count), share])
            };
            let column = Column::new(Span::styled(name, look), CELL_COLUMNS, cell);
            column.right().keep_near(at.abs_diff(current))
        }));
        let list = ListView {
            id: Tab::Types.list_id(),
            columns,
            len: kinds.len(),
            selected: Some(self.selected(Tab::Types)),
            min_rest: MIN_NAME_COLUMNS,
            ..ListView::default()
        };
        let direction = self.model.view.direction;
        let truth = self.model.truth_label(self.model.view.truth);
        (format!("error types, {direction}, {truth}: count, % of applicable queries"), list)
    }

    /// Title of the tab of hubs, and the columns of its list.
    fn hub_columns(self) -> (String, Vec<Column<'a>>) {
        let (view, hubs) = (self.model.view, self.hubs());
        let mut title = format!("hubs of {}", self.model.study.models[view.model].name);
        let top_k = self.model.top_k_of(view.model, view.direction);
        if let Some(top_k) = top_k.filter(|_| self.detail().is_some()) {
            let threshold = top_k.hubness.first().threshold();
            title = format!("{title}: {} with N_1 ≥ {threshold}", grouped(hubs.len()));
        }
        let titles = [("miss/of", 11), ("N_1", 6), ("N_5", 6), ("N_10", 6), ("item", 0)];
        let columns = columns(titles, move |at, room| {
            let hub = &hubs[at];
            let misses = format!("{}/{}", grouped(hub.misses.len()), grouped(hub.covered));
            let [n_1, n_5, n_10] = [0, 1, 2].map(|at| grouped(hub.occurrences[at] as usize).into());
            let label = self.model.label(view.direction.flipped(), hub.item as usize, room);
            let misses = Span::styled(misses, self.theme.title);
            [misses, n_1, n_5, n_10, label.into()]
        });
        let keep = |(at, column): (usize, Column<'a>)| match at {
            1..=3 => column.keep(0),
            _ => column,
        };
        (title, columns.into_iter().enumerate().map(keep).collect())
    }

    /// Title and list of the words, with headings.
    fn word_list(self) -> (String, ListView<'a>) {
        let rows = Rc::new(self.word_rows());
        let cell_rows = rows.clone();
        let titles = [("", 8), ("", 8), ("p (Holm)", 9), ("word", 0)];
        let mut words = (0..rows.len()).filter(|&at| rows[at].heading.is_none());
        let list = ListView {
            id: Tab::Words.list_id(),
            columns: columns(titles, move |at, _| cell_rows[at].cells.clone()),
            len: rows.len(),
            selected: words.nth(self.selected(Tab::Words)),
            empty: if rows.is_empty() { "…".into() } else { String::new() },
            heading: Some(Box::new(move |at| {
                let heading = rows[at].heading.as_ref()?;
                Some(Line::styled(format!(" {heading}"), self.theme.title))
            })),
            ..ListView::default()
        };
        ("words of failures".into(), list)
    }
}

/// Columns from their titles and widths, where 0 takes the remaining width. `row` makes all cells of an entry from its
/// index and the width of the column.
fn columns<'a, const N: usize>(
    titles: [(&'static str, usize); N],
    row: impl Fn(usize, usize) -> [Span<'static>; N] + 'a,
) -> Vec<Column<'a>> {
    let row = Rc::new(row);
    let column = |(index, (title, width)): (usize, (&'static str, usize))| {
        let row = row.clone();
        let cell = move |at: usize, room: usize| row(at, room)[index].clone();
        match width {
            0 => Column::rest(title, cell),
            _ => Column::new(title, width, cell).right(),
        }
    };
    titles.into_iter().enumerate().map(column).collect()
}

/// Draws the current tab with its list.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let tab = cx.state.tab;
    let (title, list) = cx.list();
    let order = if tab == Tab::Slices { slices::ORDERS[cx.state.order] } else { "" };
    let mut inner = pane::draw_frame(title, order, true, cx.theme, area, buf);
    queries::draw_condition(cx, queries::UNFILTERED, area, buf);
    let tags = survey::tag_counts(&cx.model.tags());
    if tab == Tab::Types && !tags.is_empty() {
        let words = tags.iter().map(|(tag, pairs)| format!("{} {}", shown(tag), grouped(*pairs)));
        let words = format!(" tagged pairs: {}", words.collect::<Vec<_>>().join(", "));
        let [list, below] =
            inner.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]));
        pane::draw_lines(&[Line::styled(words, cx.theme.key)], 0, below, buf);
        inner = list;
    }
    if tab == Tab::Hubs {
        let [hubness, hubs] = inner.layout(&Layout::vertical([
            Constraint::Length(DEPTHS.len() as u16 + 2),
            Constraint::Fill(1),
        ]));
        draw_hubness(cx, hubness, buf);
        inner = hubs;
    }
    if tab == Tab::Slices {
        inner = slices::draw_answer(cx, inner, buf);
    }
    list.draw(&cx.state.scrolled[tab as usize], cx.ui, inner, buf);
}

/// Draws a line per depth k with the hubness of the view: skewness, highest `N_k`, and items never retrieved.
fn draw_hubness(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let view = cx.model.view;
    let mut lines = vec![Line::styled("        skew   most   never retrieved", cx.theme.dim)];
    let top_k = cx.model.top_k_of(view.model, view.direction);
    for hubness in top_k.iter().flat_map(|top_k| &top_k.hubness.depths) {
        let skew = hubness.skewness.map_or(signs::UNDEFINED.into(), |skew| format!("{skew:.2}"));
        let (highest, never) = (grouped(hubness.highest() as usize), grouped(hubness.never));
        let share = 100.0 * hubness.never as f64 / hubness.items.max(1) as f64;
        lines.push(Line::from_iter([
            Span::styled(format!(" N_{:<3}", hubness.k), cx.theme.dim),
            Span::raw(format!("{skew:>6}{highest:>7}{never:>9} {share:>5.1}%")),
        ]));
    }
    pane::draw_lines(&lines, 0, area, buf);
}
