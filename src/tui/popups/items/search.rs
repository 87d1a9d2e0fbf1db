//! The search in the list of items.

use super::ItemList;
use crate::analysis::first_items::FirstItem;
use crate::data::text::grouped;
use crate::study::View;
use crate::tui::model::Model;
use crate::tui::signs;

/// Words before and after one that is found.
const AROUND: usize = 3;

impl ItemList {
    /// Goes to the next item that has all words of the search, from the selected one on, or after it; or to one before.
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
        let place = |step: isize| (self.selected as isize + from + by * step).rem_euclid(count);
        let place = (0..count).map(|step| place(step) as usize).find(has);
        match place.filter(|_| !wanted.trim().is_empty()) {
            Some(place) => {
                self.selected = place;
                let text = found.and_then(|found| found.get(which, place).copied());
                let text = text.map(|item| copied(model, self.key.view, item));
                let words = text.map_or(String::new(), |text| around(&text, &wanted));
                let place = [place + 1, count as usize].map(grouped);
                model.message = Some(format!("row {} of {}: {words}", place[0], place[1]));
            }
            None => model.message = Some(format!("no item listed has {wanted:?}")),
        }
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

/// The first word that is looked for, with those around it: a row cuts the texts.
fn around(text: &str, wanted: &str) -> String {
    let wanted = wanted.split_whitespace().next().unwrap_or_default();
    let has = |word: &&str| word.to_lowercase().contains(wanted);
    for piece in text.split('\t') {
        let words: Vec<&str> = piece.split_whitespace().collect();
        if let Some(at) = words.iter().position(has) {
            let (from, to) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(words.len()));
            let before = if from > 0 { "… " } else { "" };
            let after = if to < words.len() { " …" } else { "" };
            return format!("{before}{}{after}", words[from..to].join(" "));
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_stands_among_its_words() {
        let text = "A dog runs\t[7] Three people near a Baby elephant in the tall grass\t1";
        assert_eq!(around(text, "baby eleph"), "… people near a Baby elephant in the …");
        assert_eq!(around(text, "dog"), "A dog runs");
        assert_eq!(around(text, "cat"), "");
    }
}
