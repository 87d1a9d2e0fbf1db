//! The list and table widget: columns, visible entries, scrolling, clicks.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Text};
use ratatui::widgets::Widget;

use super::hits::{ListId, Target};
use super::pane::{self, Scroll};
use super::text;
use crate::tui::context::Ui;
use crate::tui::theme::Theme;

/// Scroll position of a list or a text. Drawing scrolls only as far as needed to show the selection.
#[derive(Debug, Clone)]
pub struct Scrolled {
    offset: Cell<usize>,
    page: Cell<usize>,
    /// Maximum offset of a text.
    last: Cell<usize>,
}

/// Entries per page before the first drawing.
const PAGE: usize = 10;

impl Default for Scrolled {
    fn default() -> Self {
        Scrolled { offset: Cell::new(0), page: Cell::new(PAGE), last: Cell::new(0) }
    }
}

impl Scrolled {
    /// The first visible entry.
    pub fn offset(&self) -> usize {
        self.offset.get()
    }

    /// Entries per page.
    pub fn page(&self) -> isize {
        self.page.get() as isize
    }

    /// Scrolls as little as shows `selected` in a page of `page` of `total` entries; returns the first shown.
    pub fn follow(&self, selected: usize, page: usize, total: usize) -> usize {
        let page = page.max(1);
        let offset = self.offset.get().clamp((selected + 1).saturating_sub(page), selected);
        self.offset
            .set(offset.min(total.saturating_sub(page).max((selected + 1).saturating_sub(page))));
        self.page.set(page);
        self.offset.get()
    }

    /// Scrolls a text by lines.
    pub fn scroll(&self, by: isize) {
        self.offset.set(self.offset.get().saturating_add_signed(by).min(self.last.get()));
    }

    /// Scrolls a text to a line.
    pub fn scroll_to(&self, line: usize) {
        self.offset.set(line);
    }

    /// Draws the visible lines of a text.
    pub fn draw_text(&self, lines: &[Line<'_>], theme: &Theme, area: Rect, buf: &mut Buffer) {
        let shown = usize::from(area.height);
        self.last.set(lines.len().saturating_sub(shown));
        self.page.set(shown.max(1));
        self.scroll(0);
        let offset = self.offset.get();
        pane::lines(lines, offset, area, buf);
        pane::scrollbar(Scroll { offset, shown, total: lines.len() }, true, theme, area, buf);
    }
}

/// A column: title, width, and content.
pub struct Column<'a> {
    title: Line<'static>,
    /// Terminal columns; `None` for the rest.
    width: Option<usize>,
    is_right: bool,
    keep: u8,
    cell: Box<dyn Fn(usize, usize) -> Text<'static> + 'a>,
}

/// `keep` of a column that is never dropped.
const ALWAYS: u8 = u8::MAX;

impl<'a> Column<'a> {
    /// A column with a width. `cell` makes its content from an entry's index and the width.
    pub fn new<T: Into<Text<'static>>>(
        title: impl Into<Line<'static>>,
        width: usize,
        cell: impl Fn(usize, usize) -> T + 'a,
    ) -> Self {
        Column {
            title: title.into(),
            width: Some(width),
            is_right: false,
            keep: ALWAYS,
            cell: Box::new(move |at, room| cell(at, room).into()),
        }
    }

    /// A column that takes the remaining width; several share it.
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

    /// Dropped if the list is narrow: the column with the lowest `keep` first.
    #[must_use]
    pub fn keep(mut self, keep: u8) -> Self {
        self.keep = keep;
        self
    }

    /// Dropped the sooner, the farther from the selected column, which always stays.
    #[must_use]
    pub fn near(self, distance: usize) -> Self {
        self.keep(ALWAYS - distance.min(usize::from(ALWAYS)) as u8)
    }
}

/// A title above some columns, made from its maximum width.
pub type Group<'a> = (usize, Box<dyn Fn(usize) -> Line<'static> + 'a>);

/// Start and width of each column in terminal columns; `None` for a dropped one.
type Placed = [Option<(u16, u16)>];

/// A list to draw.
pub struct ListView<'a> {
    /// Its id for clicks.
    pub id: ListId,
    /// From left to right, separated by one blank.
    pub columns: Vec<Column<'a>>,
    /// Titles above neighbouring columns, each with its number of columns; the first column has none.
    pub groups: Vec<Group<'a>>,
    /// Number of entries.
    pub len: usize,
    /// Index of the selected entry.
    pub selected: Option<usize>,
    /// Whether it is focused.
    pub focus: bool,
    /// Rows per entry.
    pub rows: u16,
    /// Minimum width of the rest before columns are dropped.
    pub least: usize,
    /// Heading in place of an entry, not selectable.
    pub heading: Option<Box<dyn Fn(usize) -> Option<Line<'static>> + 'a>>,
    /// Whether cells are separate click targets.
    pub has_cells: bool,
    /// Column of the selected cell, highlighted in the selected row.
    pub cell: Option<usize>,
    /// Whether its scroll position is fixed; an invisible selected entry has the first or the last row.
    pub is_still: bool,
    /// Text whose words are marked in the rest column.
    pub found: &'a str,
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
            least: 8,
            heading: None,
            has_cells: false,
            cell: None,
            is_still: false,
            found: "",
            empty: String::new(),
        }
    }
}

impl ListView<'_> {
    /// Draws the visible entries below the titles, and registers click targets.
    pub fn draw(&self, scrolled: &Scrolled, ui: &Ui, area: Rect, buf: &mut Buffer) {
        ui.hit(area, Target::List(self.id));
        if area.area() == 0 {
            return;
        }
        let columns = self.columns_in(area);
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
        let offset = if self.is_still { scrolled.offset() } else { self.offset(scrolled, page) };
        if self.len == 0 {
            let room = usize::from(list.width).saturating_sub(2);
            for (words, y) in text::wrap(&self.empty, room).iter().zip(list.top()..list.bottom()) {
                buf.set_string(list.x + 1, y, words, ui.theme.dim);
            }
        }
        let selected = self.selected.filter(|&at| at < self.len);
        let places = pane::in_sight(offset, page, selected).into_iter().enumerate();
        for (row, at) in places.filter(|(_, at)| *at < self.len) {
            let y = list.y + row as u16 * height;
            let place = Rect { y, height, ..list }.intersection(list);
            if place.area() > 0 {
                self.draw_entry(at, place, &columns, ui, buf);
            }
        }
        let scroll = Scroll { offset, shown: page, total: self.len };
        pane::scrollbar(scroll, self.focus, &ui.theme, list, buf);
    }

    /// The first visible entry. Headings just above the selected entry, and those after the last entry of the list, are
    /// shown with it if there is room.
    fn offset(&self, scrolled: &Scrolled, page: usize) -> usize {
        if self.len == 0 {
            return scrolled.offset();
        }
        let selected = self.selected.unwrap_or(0).min(self.len - 1);
        let is_heading = |&at: &usize| self.heading_at(at).is_some();
        let above = (0..selected).rev().take(page - 1).take_while(is_heading).count();
        let below = (selected + 1..self.len).take(page - 1).take_while(is_heading).count();
        let ends = below > 0 && selected + 1 + below == self.len;
        let mut offset = scrolled.follow(selected, page, self.len).min(selected - above);
        if ends {
            offset = offset.max(self.len.saturating_sub(page)).min(selected);
        }
        scrolled.offset.set(offset);
        offset
    }

    fn heading_at(&self, at: usize) -> Option<Line<'static>> {
        self.heading.as_ref().and_then(|heading| heading(at))
    }

    fn columns_in(&self, area: Rect) -> Vec<Option<(u16, u16)>> {
        let mut x = area.x;
        let placed = self.fit(usize::from(area.width)).into_iter().map(|fit| {
            let width = (fit? as u16).min(area.right().saturating_sub(x));
            let start = x;
            x = (x + width + 1).min(area.right());
            Some((start, width))
        });
        placed.collect()
    }

    /// Width of each column in `room` terminal columns. If the rest has less than `least`, columns are dropped, lowest
    /// `keep` first.
    fn fit(&self, room: usize) -> Vec<Option<usize>> {
        let width = |column: &Column| Some(column.width.unwrap_or(0));
        let mut widths: Vec<Option<usize>> = self.columns.iter().map(width).collect();
        let used = |widths: &[Option<usize>]| {
            widths.iter().flatten().map(|width| width + 1).sum::<usize>().saturating_sub(1)
        };
        let has_rest = self.columns.iter().any(|column| column.width.is_none());
        let least = if has_rest { self.least } else { 0 };
        let mut order: Vec<usize> = (0..self.columns.len()).rev().collect();
        order.retain(|&at| self.columns[at].keep < ALWAYS);
        order.sort_by_key(|&at| self.columns[at].keep);
        for at in order {
            if used(&widths) + least <= room {
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

    /// Titles of groups, centred above their columns; at the left, the number of visible columns.
    fn draw_groups(&self, columns: &Placed, ui: &Ui, row: Rect, buf: &mut Buffer) {
        let mut rest = columns.get(1..).unwrap_or_default();
        for (count, title) in &self.groups {
            let (of_group, others) = rest.split_at(*count);
            rest = others;
            let shown = || of_group.iter().flatten();
            if let (Some((x, _)), Some((last, width))) = (shown().next(), shown().last()) {
                let place = Rect { x: *x, width: last + width - x, ..row };
                title(place.width.into()).centered().render(place, buf);
            }
        }
        let (shown, all) = (columns.iter().flatten().count(), columns.len());
        if shown < all {
            let words = format!(" {} of {} columns", shown - 1, all - 1);
            buf.set_string(row.x, row.y, words, ui.theme.dim);
        }
    }

    fn draw_titles(&self, columns: &Placed, ui: &Ui, area: Rect, buf: &mut Buffer) {
        for (column, place) in self.columns.iter().zip(columns) {
            let Some((x, width)) = *place else { continue };
            let place = Rect { x, width, y: area.y, height: 1 };
            let look = Style::from(ui.theme.dim).patch(column.title.style);
            let title = column.title.clone().patch_style(look);
            pane::draw_line(&title, column.is_right, place, buf);
        }
    }

    /// Draws the entry or heading at an index.
    fn draw_entry(&self, at: usize, place: Rect, columns: &Placed, ui: &Ui, buf: &mut Buffer) {
        if let Some(heading) = self.heading_at(at) {
            buf.set_line(place.x, place.bottom() - 1, &heading, place.width);
            return;
        }
        ui.hit(place, Target::Row(self.id, at));
        for (number, (column, placed)) in self.columns.iter().zip(columns).enumerate() {
            let Some((x, width)) = *placed else { continue };
            let cell = Rect { x, width, ..place };
            let content = (column.cell)(at, usize::from(width));
            for (line, y) in content.lines.iter().zip(place.top()..place.bottom()) {
                let marked;
                let line = if column.width.is_none() && !self.found.is_empty() {
                    marked = text::mark_words(line, self.found, ui.theme.found.into());
                    &marked
                } else {
                    line
                };
                pane::draw_line(line, column.is_right, Rect { y, height: 1, ..cell }, buf);
            }
            if self.has_cells {
                ui.hit(cell, Target::Cell(self.id, at, number));
            }
        }
        if self.selected == Some(at) {
            let cell = self.cell.map(|cell| columns.get(cell).copied().flatten());
            pane::mark(self.focus && cell.is_none(), &ui.theme, place, buf);
            if let Some(Some((x, width))) = cell {
                pane::mark(self.focus, &ui.theme, Rect { x, width, ..place }, buf);
            }
        }
    }
}
