//! The search in the list of items.

use super::ItemList;
use crate::analysis::first_items::FirstItem;
use crate::data::text::grouped;
use crate::study::View;
use crate::tui::model::Model;
use crate::tui::signs;

impl ItemList {
    /// Goes to the next item that has all words of the search, from so many lines after the selected one on; `by` -1
    /// goes backwards.
    pub(super) fn find_item(&mut self, model: &mut Model, (by, from): (isize, isize)) {
        let wanted = self.search.text().to_lowercase();
        let which = self.which(model);
        let found = self.found(model).cloned();
        let count = found.as_ref().map_or(0, |found| found.count(which)) as isize;
        let has = |at: &usize| {
            let item = found.as_ref().and_then(|found| found.get(which, *at));
            let text = item.map(|item| copied(model, self.key.view, *item).to_lowercase());
            text.is_some_and(|text| wanted.split_whitespace().all(|word| text.contains(word)))
        };
        let places =
            (0..count).map(|step| (self.selected as isize + from + by * step).rem_euclid(count));
        let place = places.map(|place| place as usize).find(has);
        model.message = Some(match place.filter(|_| !wanted.trim().is_empty()) {
            Some(place) => {
                self.selected = place;
                format!("row {} of {}", grouped(place + 1), grouped(count as usize))
            }
            None => format!("no item has {wanted:?}"),
        });
    }
}

/// An item as text: ids of query and item, rank, score, what is known of the pair, both texts.
pub(super) fn copied(model: &Model, view: View, one: FirstItem) -> String {
    let (query, item) = (one.query as usize, one.item as usize);
    [
        model.named(view.direction, query),
        model.named(view.direction.flipped(), item),
        one.rank.to_string(),
        signs::score(one.score),
        one.badge.in_lists().to_owned(),
    ]
    .join("\t")
}
