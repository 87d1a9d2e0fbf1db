//! Where the items of a row of pictures are, and which these are.

use ratatui::layout::Rect;

use super::{Cx, NAMES};
use crate::data::index::ModelIx;
use crate::tui::pictures::Place;
use crate::tui::screens::card_view;
use crate::tui::screens::cards::{Cards, Shown};
use crate::tui::screens::layout::{follow, rows, stack};

/// An item in a row of pictures.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sighted {
    /// Gallery index.
    pub item: usize,
    /// Its rank by the row's model, from 1.
    pub rank: usize,
    /// Its card.
    pub card: Rect,
}

/// Rows of the model's name.
const NAME: u16 = 1;

impl Cx<'_> {
    /// The cards below a model's name: of a contact sheet as many as fit, above lists one row of pictures.
    fn cards(self, strip: Rect) -> Cards {
        let (_, below) = stack(strip, strip.height.saturating_sub(NAME));
        if self.shows_cards() {
            Cards::of(below, Shown::of(self.ui, self.model.view.direction))
        } else {
            Cards::strip(below)
        }
    }

    /// The items in sight of a row of pictures, from the first one in sight of the list below on. The linked
    /// item stands first or last where its own place is out of sight.
    pub(super) fn in_strip(self, model: ModelIx, strip: Rect) -> Vec<Sighted> {
        let Some(ranked) = self.model.ranked_by(model) else {
            return Vec::new();
        };
        let cards = self.cards(strip);
        let here = self.cursor().map_or(0, |(_, place)| place);
        // One that stands below its list on a line of its own has a card of its own too: nothing scrolls.
        let offset = self.state.offset;
        let listed = offset..offset + self.items_in_sight();
        let first =
            if listed.contains(&here) { follow(offset, here, cards.count()) } else { offset };
        let linked = self.model.linked().and_then(|item| ranked.rank(item));
        let places = shown(first, cards.count(), linked.map(|rank| rank - 1));
        let sighted = |(at, place): (usize, usize)| {
            let item = *ranked.ranking.order.get(place)? as usize;
            Some(Sighted { item, rank: place + 1, card: cards.card(at) })
        };
        places.into_iter().enumerate().filter_map(sighted).collect()
    }

    /// The cards of the ranking at a place.
    pub(super) fn cards_of(self, column: usize) -> Vec<Sighted> {
        let strip = self.areas().strips.get(column).copied();
        let of_model = self.model.compared().get(column).copied().zip(strip);
        of_model.map_or(Vec::new(), |(model, strip)| self.in_strip(model, strip))
    }

    /// How many items of a ranking are in sight: lines, or cards where there are no lines.
    pub(super) fn items_in_sight(self) -> usize {
        let areas = self.areas();
        let strips = areas.strips.iter().copied();
        match strips.max_by_key(|strip| strip.area()) {
            Some(strip) if self.shows_cards() => self.cards(strip).count(),
            _ => rows(areas.ranking(), NAMES),
        }
    }

    /// Every picture in sight, the linked item's first; none where a terminal would draw them over what is
    /// open on top.
    pub(super) fn pictures(self) -> Vec<Place> {
        if self.ui.hides_pictures() {
            return Vec::new();
        }
        let strips = self.areas().strips;
        let rows = self.model.compared().into_iter().zip(strips);
        let all = rows.flat_map(|(model, strip)| self.in_strip(model, strip));
        let mut sighted: Vec<Sighted> = all.filter(|one| one.card.area() > 0).collect();
        let linked = self.model.linked();
        sighted.sort_by_key(|one| (Some(one.item) != linked, one.rank));
        let place = |one: Sighted| card_view::place(self, one.item, one.card);
        sighted.into_iter().filter_map(place).collect()
    }

    /// The model and the item of the card at a column and a row of the terminal.
    pub(super) fn card_at(self, x: u16, y: u16) -> Option<(usize, u32)> {
        let rows = self.model.compared().into_iter().zip(self.areas().strips);
        let mut cards = rows.enumerate().flat_map(|(at, (model, strip))| {
            self.in_strip(model, strip).into_iter().map(move |one| (at, one))
        });
        let (column, one) = cards.find(|(_, one)| one.card.contains((x, y).into()))?;
        Some((column, one.item as u32))
    }
}

/// So many places from `first` on; that of the linked item in the place of the nearest one, where it is none
/// of them.
fn shown(first: usize, count: usize, linked: Option<usize>) -> Vec<usize> {
    let mut places: Vec<usize> = (first..first + count).collect();
    match (linked, places.as_mut_slice()) {
        (Some(linked), [nearest, ..]) if linked < first => *nearest = linked,
        (Some(linked), [.., nearest]) if linked >= first + count => *nearest = linked,
        _ => {}
    }
    places
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn the_linked_item_is_always_in_sight() {
        assert_eq!(shown(2, 3, Some(3)), [2, 3, 4]);
        assert_eq!(shown(2, 3, Some(0)), [0, 3, 4]);
        assert_eq!(shown(2, 3, Some(9)), [2, 3, 9]);
        assert_eq!(shown(2, 3, None), [2, 3, 4]);
    }
}
