//! Where the pictures of the browse screen are.

use ratatui::layout::Rect;

use super::{Cx, NAMES};
use crate::tui::model::query_list::Pane;
use crate::tui::pictures::{Place, Way};
use crate::tui::screens::card_view;
use crate::tui::screens::cards::columns;
use crate::tui::screens::layout::rows;

/// Narrower lists have no pictures.
const LEAST_COLUMNS: u16 = 44;
/// Rows of a picture at most.
const MOST_ROWS: u16 = 8;
/// Free rows between two pictures.
const GAP: u16 = 1;

impl Cx<'_> {
    /// Rows of the pictures in the ranking; 0 where there are none.
    pub(super) fn thumb_rows(self) -> u16 {
        let list = self.areas().ranking;
        let room = rows(list, NAMES) as u16;
        // Half-blocks have few pixels, and need more cells: how many items a list has at least, how many
        // rows a picture, and from how many rows on a list has pictures.
        let (items, least, low) =
            if self.ui.picture_way().is_some_and(Way::is_text) { (4, 4, 14) } else { (5, 3, 8) };
        if !self.ui.ranks_pictures(self.model.view.direction)
            || room < low
            || list.width < LEAST_COLUMNS
        {
            return 0;
        }
        ((room + GAP) / items).saturating_sub(GAP).clamp(least, MOST_ROWS)
    }

    /// Rows from one item of the ranking to the next.
    pub(super) fn item_rows(self) -> u16 {
        match self.thumb_rows() {
            0 => 1,
            rows => rows + GAP,
        }
    }

    /// Items of the ranking in sight.
    pub(super) fn items_in_sight(self) -> usize {
        if let Some(cards) = self.cards() {
            return cards.count();
        }
        let room = rows(self.areas().ranking, NAMES);
        match usize::from(self.thumb_rows()) {
            0 => room.max(1),
            // Below the last one no row has to be left free.
            of_item => ((room + usize::from(GAP)) / (of_item + usize::from(GAP))).max(1),
        }
    }

    /// Columns of a picture in the ranking; 0 where there are none.
    pub(super) fn thumb_columns(self) -> u16 {
        columns(self.thumb_rows()).min(self.areas().ranking.width / 3)
    }

    /// Where the picture of the n-th item in sight is.
    pub(super) fn thumb(self, at: usize) -> Rect {
        let list = self.areas().ranking;
        Rect {
            x: list.x + 1 + self.columns().before() as u16,
            y: list.y + 1 + NAMES + at as u16 * self.item_rows(),
            width: self.thumb_columns(),
            height: self.thumb_rows(),
        }
    }

    /// Where the picture of the selected pair is, at the right of the details; empty where there is no
    /// room.
    pub(super) fn pair_picture(self) -> Rect {
        let area = self.areas().detail;
        let (width, rows) = (area.width.saturating_sub(2), area.height.saturating_sub(2));
        let columns = columns(rows).min(width / 2);
        let lacks = self.ui.lacking(self.model.selected_image()).is_some();
        let is_low = rows < 4 || width < LEAST_COLUMNS / 2;
        if self.ui.picture_way().is_none() || lacks || is_low {
            return Rect::default();
        }
        Rect { x: area.right() - 1 - columns, y: area.y + 1, width: columns, height: rows }
    }

    /// Every picture in sight: the selected one first, then those of the ranking, from the selected one
    /// on; none where a terminal would draw them over what is open on top.
    pub(super) fn pictures(self) -> Vec<Place> {
        if self.ui.picture_way().is_none() || self.ui.hides_pictures() {
            return Vec::new();
        }
        let mut places = Vec::new();
        let area = self.pair_picture();
        if let Some(image) = self.model.selected_image().filter(|_| area.area() > 0) {
            places.push(Place { area, image });
        }
        if self.thumb_columns() == 0 && self.cards().is_none() {
            return places;
        }
        let offset = self.state.item_offset;
        let mut seen: Vec<usize> = (0..self.items_in_sight()).collect();
        seen.sort_by_key(|at| (offset + at).abs_diff(self.model.listed_place().unwrap_or(0)));
        places.extend(seen.into_iter().filter_map(|at| {
            let item = self.model.listed_item(offset + at)?.item;
            self.picture_of(at, item)
        }));
        places
    }

    /// Where the picture of an item is, the n-th in sight; `None` where it has none.
    fn picture_of(self, at: usize, image: usize) -> Option<Place> {
        if let Some(cards) = self.cards() {
            return card_view::place(self, image, cards.card(at));
        }
        let area = self.thumb(at);
        self.ui.pictures.lacks(image).is_none().then_some(Place { area, image })
    }

    /// Items from one line of the ranking to the next.
    pub(super) fn items_a_line(self) -> usize {
        self.cards().map_or(1, |cards| usize::from(cards.columns))
    }

    /// The list that keys go to moves by so many items a line.
    pub(super) fn line_items(self) -> isize {
        match self.model.selection.pane {
            Pane::Queries => 1,
            Pane::Ranking => self.items_a_line() as isize,
        }
    }

    /// The list that keys go to moves by so many items a page.
    pub(super) fn page_items(self) -> isize {
        let lines = match self.model.selection.pane {
            Pane::Queries => rows(self.areas().queries, NAMES).max(1),
            Pane::Ranking => self.items_in_sight(),
        };
        lines as isize
    }
}
