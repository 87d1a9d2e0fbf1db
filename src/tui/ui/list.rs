//! The list and table widget: columns, visible entries, scrolling, clicks.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::Widget;

use super::hits::{ListId, Target};
use super::pane::{self, Viewport};
use super::text;
use crate::tui::context::Ui;
use crate::tui::theme::Theme;

/// Scroll position of a list or a text, in entries or lines. Drawing scrolls only as far as needed to show the
/// selection.
#[derive(Debug, Clone)]
pub struct ScrollState {
    /// Index of the first visible entry.
    offset: Cell<usize>,
    /// Number of visible entries.
    page: Cell<usize>,
    /// Maximum offset of a text.
    max_offset: Cell<usize>,
}

/// Entries per page before the first drawing.
const INITIAL_PAGE: usize = 10;

impl Default for ScrollState {
    fn default() -> Self {
        let page = Cell::new(INITIAL_PAGE);
        ScrollState { offset: Cell::new(0), page, max_offset: Cell::new(0) }
    }
}

impl ScrollState {
    /// Index of the first visible entry.
    pub fn offset(&self) -> usize {
        self.offset.get()
    }

    /// Number of entries that were visible when last drawn.
    pub fn page(&self) -> isize {
        self.page.get() as isize
    }

    /// Scrolls as little as possible to show the entry at index `selected` of `total` entries; `page` entries fit on
    /// screen. Returns the index of the first visible entry.
    pub fn reveal(&self, selected: usize, page: usize, total: usize) -> usize {
        let page = page.max(1);
        let lowest = (selected + 1).saturating_sub(page);
        let offset = self.offset.get().clamp(lowest, selected);
        self.offset.set(offset.min(total.saturating_sub(page).max(lowest)));
        self.page.set(page);
        self.offset.get()
    }

    /// Scrolls a text down by lines, or up if negative.
    pub fn scroll_by(&self, by: isize) {
        self.offset.set(self.offset.get().saturating_add_signed(by).min(self.max_offset.get()));
    }

    /// Makes an entry, or a line of a text, the first visible one.
    pub fn scroll_to(&self, first: usize) {
        self.offset.set(first);
    }

    /// Draws the visible lines of a text and the scroll bar.
    pub fn draw_text(&self, lines: &[Line<'_>], theme: &Theme, area: Rect, buf: &mut Buffer) {
        let shown = usize::from(area.height);
        self.max_offset.set(lines.len().saturating_sub(shown));
        self.page.set(shown.max(1));
        self.scroll_by(0);
        let view = Viewport { offset: self.offset.get(), shown, total: lines.len() };
        pane::draw_lines(lines, view.offset, area, buf);
        pane::draw_scrollbar(view, true, theme, area, buf);
    }
}

/// A column: title, width, and content.
pub struct Column<'a> {
    title: Line<'static>,
    /// Width in terminal columns; `None` if it takes the remaining width.
    width: Option<usize>,
    /// Whether title and cells are right-aligned.
    is_right: bool,
    /// Priority in a narrow list: the columns with the lowest one are dropped first.
    keep: u8,
    /// Content of the cell of an entry, by the index of the entry and the width of the column.
    cell: Box<dyn Fn(usize, usize) -> Text<'static> + 'a>,
}

/// `keep` of a column that is never dropped.
const KEEP_ALWAYS: u8 = u8::MAX;

impl<'a> Column<'a> {
    /// A column of fixed width. `cell` makes the content from the index of an entry and the width.
    pub fn new<T: Into<Text<'static>>>(
        title: impl Into<Line<'static>>,
        width: usize,
        cell: impl Fn(usize, usize) -> T + 'a,
    ) -> Self {
        Column {
            title: title.into(),
            width: Some(width),
            is_right: false,
            keep: KEEP_ALWAYS,
            cell: Box::new(move |at, room| cell(at, room).into()),
        }
    }

    /// A column that takes the remaining width; several share it equally. `cell` makes the content from the index of an
    /// entry and the width.
    pub fn rest<T: Into<Text<'static>>>(
        title: impl Into<Line<'static>>,
        cell: impl Fn(usize, usize) -> T + 'a,
    ) -> Self {
        Column { width: None, ..Column::new(title, 0, cell) }
    }

    /// Right-aligns title and cells.
    #[must_use]
    pub fn right(mut self) -> Self {
        self.is_right = true;
        self
    }

    /// Sets the priority in a narrow list, where the column with the lowest one is dropped first.
    #[must_use]
    pub fn keep(mut self, keep: u8) -> Self {
        self.keep = keep;
        self
    }

    /// Sets the priority by the distance from the selected column: the farthest is dropped first, and the selected one
    /// is never dropped.
    #[must_use]
    pub fn keep_near(self, distance: usize) -> Self {
        self.keep(KEEP_ALWAYS - distance.min(usize::from(KEEP_ALWAYS)) as u8)
    }
}

/// Number of neighbouring columns, and the title above them for a maximum width.
pub type ColumnGroup<'a> = (usize, Box<dyn Fn(usize) -> Line<'static> + 'a>);

/// Start and width of each column in terminal columns; `None` if it is dropped.
type ColumnSpans = [Option<(u16, u16)>];

/// A list or table to draw.
pub struct ListView<'a> {
    /// Id of the list in click targets.
    pub id: ListId,
    /// Columns from left to right, separated by one blank.
    pub columns: Vec<Column<'a>>,
    /// Titles above the columns after the first.
    pub groups: Vec<ColumnGroup<'a>>,
    /// Number of entries.
    pub len: usize,
    /// Index of the selected entry.
    pub selected: Option<usize>,
    /// Whether the list has focus.
    pub focus: bool,
    /// Rows per entry.
    pub rows: u16,
    /// Minimum width of the [`Column::rest`] columns together; columns are dropped to reach it.
    pub min_rest: usize,
    /// Heading that replaces the entry at an index, if any; not selectable.
    pub heading: Option<Box<dyn Fn(usize) -> Option<Line<'static>> + 'a>>,
    /// Whether cells are separate click targets.
    pub has_cells: bool,
    /// Index of the column whose cell is highlighted in the selected row.
    pub cell: Option<usize>,
    /// Whether drawing does not scroll; a selected entry outside of the page then takes its first or last row.
    pub is_fixed: bool,
    /// Text whose words are highlighted in the [`Column::rest`] columns.
    pub highlight: &'a str,
    /// Text of an empty list.
    pub empty: String,
}

impl Default for ListView<'_> {
    fn default() -> Self {
        ListView {
            id: "",
            columns: Vec::new(),
            groups: Vec::new(),
            len: 0,
            selected: None,
            focus: true,
            rows: 1,
            min_rest: 8,
            heading: None,
            has_cells: false,
            cell: None,
            is_fixed: false,
            highlight: "",
            empty: String::new(),
        }
    }
}

impl ListView<'_> {
    /// Draws the visible entries below the titles, and registers click targets.
    pub fn draw(&self, scrolled: &ScrollState, ui: &Ui, area: Rect, buf: &mut Buffer) {
        ui.add_target(area, Target::List(self.id));
        if area.area() == 0 {
            return;
        }
        let columns = self.column_spans(area);
        let mut list = area;
        if !self.groups.is_empty() {
            self.draw_groups(&columns, ui, Rect { height: 1, ..area }, buf);
            list = Rect { y: list.y + 1, height: list.height - 1, ..list };
        }
        if self.columns.iter().any(|column| column.title.width() > 0) {
            self.draw_titles(&columns, ui, list, buf);
            list = Rect { y: list.y + 1, height: list.height.saturating_sub(1), ..list };
        }
        let height = self.rows;
        let page = usize::from(list.height / height).max(1);
        let offset = if self.is_fixed { scrolled.offset() } else { self.scroll(scrolled, page) };
        if self.len == 0 {
            let room = usize::from(list.width).saturating_sub(2);
            for (words, y) in text::wrap(&self.empty, room).iter().zip(list.top()..list.bottom()) {
                buf.set_string(list.x + 1, y, words, ui.theme.dim);
            }
        }
        let selected = self.selected.filter(|&at| at < self.len);
        let entries = pane::visible_entries(offset, page, selected).into_iter().enumerate();
        for (row, at) in entries.filter(|(_, at)| *at < self.len) {
            let y = list.y + row as u16 * height;
            let area = Rect { y, height, ..list }.intersection(list);
            if area.area() > 0 {
                self.draw_entry(at, area, &columns, ui, buf);
            }
        }
        let view = Viewport { offset, shown: page, total: self.len };
        pane::draw_scrollbar(view, self.focus, &ui.theme, list, buf);
    }

    /// Scrolls to the selected entry. If there is room, the headings just above it are visible, too, and headings at
    /// the end of the list just below it. Returns the index of the first visible entry.
    fn scroll(&self, scrolled: &ScrollState, page: usize) -> usize {
        if self.len == 0 {
            return scrolled.offset();
        }
        let selected = self.selected.unwrap_or(0).min(self.len - 1);
        let is_heading = |&at: &usize| self.heading_at(at).is_some();
        let above = (0..selected).rev().take(page - 1).take_while(is_heading).count();
        let below = (selected + 1..self.len).take(page - 1).take_while(is_heading).count();
        let mut offset = scrolled.reveal(selected, page, self.len).min(selected - above);
        if below > 0 && selected + 1 + below == self.len {
            offset = offset.max(self.len.saturating_sub(page)).min(selected);
        }
        scrolled.offset.set(offset);
        offset
    }

    /// The heading that replaces the entry at an index, if any.
    fn heading_at(&self, at: usize) -> Option<Line<'static>> {
        self.heading.as_ref().and_then(|heading| heading(at))
    }

    /// Start and width of each column in `area`; `None` if it is dropped.
    fn column_spans(&self, area: Rect) -> Vec<Option<(u16, u16)>> {
        let mut x = area.x;
        let spans = self.column_widths(usize::from(area.width)).into_iter().map(|width| {
            let width = (width? as u16).min(area.right().saturating_sub(x));
            let start = x;
            x = (x + width + 1).min(area.right());
            Some((start, width))
        });
        spans.collect()
    }

    /// Width of each column in `room` terminal columns; `None` if it is dropped.
    fn column_widths(&self, room: usize) -> Vec<Option<usize>> {
        let width = |column: &Column| Some(column.width.unwrap_or(0));
        let mut widths: Vec<Option<usize>> = self.columns.iter().map(width).collect();
        let used = |widths: &[Option<usize>]| {
            widths.iter().flatten().map(|width| width + 1).sum::<usize>().saturating_sub(1)
        };
        let has_rest = self.columns.iter().any(|column| column.width.is_none());
        let min_rest = if has_rest { self.min_rest } else { 0 };
        let mut order: Vec<usize> = (0..self.columns.len()).rev().collect();
        order.retain(|&at| self.columns[at].keep < KEEP_ALWAYS);
        order.sort_by_key(|&at| self.columns[at].keep);
        for at in order {
            if used(&widths) + min_rest <= room {
                break;
            }
            widths[at] = None;
        }
        let mut left = room.saturating_sub(used(&widths));
        let mut rests = self.columns.iter().filter(|column| column.width.is_none()).count();
        for (column, width) in self.columns.iter().zip(&mut widths) {
            if column.width.is_none() {
                *width = Some(left / rests);
                (left, rests) = (left - left / rests, rests - 1);
            }
        }
        widths
    }

    /// Draws the titles of groups, centred above their columns; at the left, the number of visible columns if any are
    /// dropped.
    fn draw_groups(&self, columns: &ColumnSpans, ui: &Ui, row: Rect, buf: &mut Buffer) {
        let mut rest = columns.get(1..).unwrap_or_default();
        for (count, title) in &self.groups {
            let (group, after) = rest.split_at(*count);
            rest = after;
            let shown = || group.iter().flatten();
            if let (Some((x, _)), Some((last, width))) = (shown().next(), shown().last()) {
                let area = Rect { x: *x, width: last + width - x, ..row };
                title(area.width.into()).centered().render(area, buf);
            }
        }
        let (shown, all) = (columns.iter().flatten().count(), columns.len());
        if shown < all {
            let words = format!(" {} of {} columns", shown - 1, all - 1);
            buf.set_string(row.x, row.y, words, ui.theme.dim);
        }
    }

    /// Draws the titles of the visible columns in the first row of an area.
    fn draw_titles(&self, columns: &ColumnSpans, ui: &Ui, area: Rect, buf: &mut Buffer) {
        for (column, span) in self.columns.iter().zip(columns) {
            let Some((x, width)) = *span else { continue };
            let cell = Rect { x, width, y: area.y, height: 1 };
            let look = Style::from(ui.theme.dim).patch(column.title.style);
            let title = column.title.clone().patch_style(look);
            pane::draw_line(&title, column.is_right, cell, buf);
        }
    }

    /// Draws the entry or heading at an index.
    fn draw_entry(&self, at: usize, area: Rect, columns: &ColumnSpans, ui: &Ui, buf: &mut Buffer) {
        if let Some(heading) = self.heading_at(at) {
            buf.set_line(area.x, area.bottom() - 1, &heading, area.width);
            return;
        }
        ui.add_target(area, Target::Row(self.id, at));
        for (index, (column, span)) in self.columns.iter().zip(columns).enumerate() {
            let Some((x, width)) = *span else { continue };
            let cell = Rect { x, width, ..area };
            let content = (column.cell)(at, usize::from(width));
            for (line, y) in content.lines.iter().zip(area.top()..area.bottom()) {
                let marked;
                let line = if column.width.is_none() && !self.highlight.is_empty() {
                    marked = text::mark_words(line, self.highlight, ui.theme.found.into());
                    &marked
                } else {
                    line
                };
                pane::draw_line(line, column.is_right, Rect { y, height: 1, ..cell }, buf);
            }
            if self.has_cells {
                ui.add_target(cell, Target::Cell(self.id, at, index));
            }
        }
        if self.selected == Some(at) {
            let cell = self.cell.map(|cell| columns.get(cell).copied().flatten());
            pane::mark_row(self.focus && cell.is_none(), &ui.theme, area, buf);
            if let Some(Some((x, width))) = cell {
                pane::mark_row(self.focus, &ui.theme, Rect { x, width, ..area }, buf);
            }
        }
    }
}
