//! The columns of the table of kinds: the same for drawing, keys and the mouse.

use ratatui::layout::Rect;

use super::Cx;
use super::layout::NAMES;
use crate::study::View;
use crate::tui::screens::layout::row_at;

/// Columns of the terminal for the names of kinds, for a count and for its share.
pub(super) const NAME: usize = 24;
pub(super) const COUNT: usize = 7;
pub(super) const SHARE: usize = 6;
/// A count with its share.
pub(super) const CELL: usize = COUNT + SHARE;

/// A model under a truth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    pub view: View,
    /// Whether it tells of the truth as it was loaded, beside the column with the verdicts that change it.
    pub is_loaded: bool,
}

/// The columns that an area shows: whole truths, or some models of one.
pub(super) struct Grid {
    /// The columns shown, those of a truth together.
    pub columns: Vec<Column>,
    /// How many there are.
    pub all: usize,
}

impl Grid {
    /// The part of the table that an area shows: what is around the selected column.
    pub fn of(cx: Cx<'_>, area: Rect) -> Self {
        let room = usize::from(area.width.saturating_sub(2)).saturating_sub(NAME) / CELL;
        let views = cx.columns();
        let of_truths = views.chunk_by(|one, other| one.truth == other.truth);
        let all: Vec<Column> = of_truths.flat_map(|views| of_truth(cx, views)).collect();
        let here = cx.view();
        let selected = Column { view: here, is_loaded: false };
        let at = all.iter().position(|one| *one == selected).unwrap_or(0);
        let of_truth = views.iter().filter(|view| view.truth == here.truth).count();
        // Truths stay whole where one of them fits.
        let unit = if of_truth <= room { of_truth.max(1) } else { 1 };
        let shown = (room / unit).max(1) * unit;
        let end = (at / unit + 1) * unit;
        let first = end.saturating_sub(shown);
        Grid { columns: all.iter().copied().skip(first).take(shown).collect(), all: all.len() }
    }

    /// The kind and the column at a place of the terminal, the column where the place is on one.
    pub fn at(&self, area: Rect, offset: usize, x: u16, y: u16) -> Option<(usize, Option<View>)> {
        let row = offset + row_at(area, NAMES, x, y)?;
        let within = usize::from(x - area.x - 1).checked_sub(NAME);
        let column = within.and_then(|within| self.columns.get(within / CELL));
        Some((row, column.map(|column| column.view)))
    }
}

/// The columns of a truth: with the verdicts, and before them as loaded where they change it.
fn of_truth(cx: Cx<'_>, views: &[View]) -> Vec<Column> {
    let column = |is_loaded: bool| move |&view: &View| Column { view, is_loaded };
    let loaded = views.iter().map(column(true));
    let loaded = loaded.filter(|of| cx.model.is_changed(of.view.truth));
    loaded.chain(views.iter().map(column(false))).collect()
}

impl Cx<'_> {
    /// Every column with the verdicts that there are: truth by truth, each model that has numbers.
    pub(super) fn columns(self) -> Vec<View> {
        let mut views = self.model.explained_views();
        views.sort_by_key(|view| (view.truth, view.model));
        views
    }
}
