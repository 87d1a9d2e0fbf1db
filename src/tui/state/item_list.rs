//! The list of the Items screen: listed items, the selected pair, and its rows as a file.

use std::sync::Arc;

use super::export::one_line;
use super::query_list::Pane;
use super::{Model, Refusal};
use crate::analysis::listed_items::{ListedItem, Which};
use crate::data::text::shell_word;
use crate::error::Error;
use crate::jobs::{ItemChoices, ItemsKey, ItemsOrder, ListedRows};
use crate::truth::judgment::Pair;
use crate::truth::response::Response;

/// Choices of items, in the order in which a key cycles through them.
const CHOICES: [Which; Which::ALL.len()] =
    [Which::NonGt, Which::Positive, Which::Unjudged, Which::NotRelevant, Which::All, Which::Missed];

/// Selectable numbers of top items per query.
const DEPTHS: [usize; 6] = [1, 3, 5, 10, 20, 50];

/// State of the items screen: list and selected pair.
#[derive(Debug)]
pub struct ItemsState {
    /// Which items are listed; `None`: the first choice that has any.
    pub chosen: Option<Which>,
    /// Number of top items per query.
    pub depth: usize,
    /// Sort order.
    pub order: ItemsOrder,
    /// The selected row.
    pub row: usize,
    /// The selected pair, which stays selected when its row changes; `None` at the top of a new list.
    pub pair: Option<Pair>,
}

impl Default for ItemsState {
    fn default() -> Self {
        ItemsState { chosen: None, depth: 10, order: ItemsOrder::default(), row: 0, pair: None }
    }
}

impl ItemsState {
    /// Moves `by` entries along the selectable numbers of items per query.
    pub(in crate::tui) fn step_depth(&mut self, by: isize) {
        let at = DEPTHS.iter().position(|depth| *depth == self.depth);
        let to = at.unwrap_or(0).saturating_add_signed(by);
        self.depth = DEPTHS[to.min(DEPTHS.len() - 1)];
    }
}

/// The rows of a list of items.
#[derive(Debug, Clone, Copy)]
pub struct ItemRows<'a> {
    /// All items that were found.
    pub found: &'a Arc<ItemChoices>,
    /// Which of them are listed.
    pub which: Which,
}

impl ItemRows<'_> {
    /// Number of rows.
    pub fn count(self) -> usize {
        self.found.count(self.which)
    }

    /// The item of a row.
    pub fn get(self, row: usize) -> Option<ListedItem> {
        self.found.get(self.which, row).copied()
    }
}

impl Model {
    /// Cache key of the top items of the listed queries, with the current settings of the list.
    pub(crate) fn items_key(&self) -> ItemsKey {
        ItemsKey {
            study: self.known.study_stamp,
            view: self.view,
            queries: self.selection.queries.as_slice().into(),
            depth: self.items.depth,
            order: self.items.order,
            judgments: self.judgments.decided.clone(),
        }
    }

    /// Items of the listed queries, or why there are none; `None` until they are found. Badges may lack the latest
    /// judgments.
    pub fn items_result(&self) -> Option<&Result<Arc<ItemChoices>, Error>> {
        let (key, found) = self.known.items.as_ref()?;
        let is_listed = (key.study, key.view, key.depth, key.order)
            == (self.known.study_stamp, self.view, self.items.depth, self.items.order)
            && *key.queries == *self.selection.queries;
        is_listed.then_some(found)
    }

    /// Whether the items are found, and have the latest judgments.
    pub(crate) fn has_current_items(&self) -> bool {
        let is_current = |(key, _): &(ItemsKey, _)| key.judgments == self.judgments.decided;
        self.items_result().is_some() && self.known.items.as_ref().is_some_and(is_current)
    }

    /// Rows of the items screen, once they are found.
    pub fn item_rows(&self) -> Option<ItemRows<'_>> {
        let found = self.items_result()?.as_ref().ok()?;
        Some(ItemRows { found, which: self.listed_kind(Some(found)) })
    }

    /// The item in the selected row.
    pub fn item_row(&self) -> Option<ListedItem> {
        self.item_rows()?.get(self.items.row)
    }

    /// Changes the settings of the list by `change`, and selects its first row. The listed choice stays unless `change`
    /// sets another.
    pub(in crate::tui) fn change_item_list(&mut self, change: impl FnOnce(&mut ItemsState)) {
        self.items.chosen = self.item_rows().map(|rows| rows.which).or(self.items.chosen);
        (self.items.row, self.items.pair) = (0, None);
        change(&mut self.items);
    }

    /// The pair of the query and the item of a row.
    pub(super) fn row_pair(&self, row: ListedItem) -> Pair {
        Pair::from_query(self.view.direction, row.query.into(), row.item.into())
    }

    /// Selects a row of the items and its pair.
    pub(in crate::tui) fn select_item_row(&mut self, row: usize) {
        if let Some(item) = self.item_rows().and_then(|rows| rows.get(row)) {
            (self.items.row, self.items.pair) = (row, Some(self.row_pair(item)));
        }
    }

    /// Moves the row selection by `by` rows.
    pub(in crate::tui) fn move_item_row(&mut self, by: isize) {
        let last = self.item_rows().map_or(0, ItemRows::count).saturating_sub(1);
        self.select_item_row(self.items.row.saturating_add_signed(by).min(last));
        self.sync_item_row();
    }

    /// Finds the row of the selected pair, and selects its query and item in the view, to which judgments, picks, notes
    /// and details apply.
    pub(in crate::tui) fn sync_item_row(&mut self) {
        let Some(rows) = self.item_rows() else {
            return;
        };
        let is_pair = |row: &usize| rows.get(*row).map(|row| self.row_pair(row)) == self.items.pair;
        if !is_pair(&self.items.row) {
            match (0..rows.count()).find(is_pair) {
                Some(row) => self.items.row = row,
                // The pair of an undone judgment is listed again once the items are current.
                None if !self.has_current_items() => return,
                // The next row is now in its place.
                None => self.select_item_row(self.items.row.min(rows.count().saturating_sub(1))),
            }
        }
        let Some(row) = self.item_row() else {
            return;
        };
        let is_other_query = self.selection.query() != Some(row.query as usize);
        self.select_query(row.at);
        self.selection.pane = Pane::Ranking;
        self.selection.unranked = None;
        match (row.rank as usize).checked_sub(1) {
            Some(index) if is_other_query || self.is_seeking() || self.selection.item != index => {
                self.select_item(index);
            }
            Some(_) => {}
            None => self.select_linked(row.item),
        }
    }

    /// Judges the item of the selected row, then selects the next unjudged row; `None` only clears the judgment.
    pub(in crate::tui) fn respond_in_items(
        &mut self,
        response: Option<Response>,
    ) -> Result<(), Refusal> {
        let row = self.item_row().ok_or("no item is listed")?;
        let is_ranked = self.item().map(|item| item.item as u32) == Some(row.item);
        if !is_ranked {
            return Err("this item has no rank, or not yet: it cannot be judged here".into());
        }
        let next = self.next_unjudged_pair();
        self.respond(response)?;
        if response.is_some() {
            self.items.pair = next.or(self.items.pair);
        }
        Ok(())
    }

    /// The pair of the next unjudged row, cyclically.
    fn next_unjudged_pair(&self) -> Option<Pair> {
        let (rows, here) = (self.item_rows()?, self.items.row);
        let mut others = (here + 1..rows.count()).chain(0..here);
        others.find_map(|row| {
            let pair = self.row_pair(rows.get(row)?);
            self.judgments.response(pair).is_none().then_some(pair)
        })
    }

    /// Number of unjudged rows; `None` until the items are found.
    pub(in crate::tui) fn unjudged_rows(&self) -> Option<usize> {
        let rows = self.item_rows()?;
        let pairs = (0..rows.count()).filter_map(|row| Some(self.row_pair(rows.get(row)?)));
        Some(pairs.filter(|pair| self.judgments.response(*pair).is_none()).count())
    }

    /// Choices that can list items: non-GT positives need a second ground truth or a judgment, missed items need a
    /// similarity.
    pub(in crate::tui) fn item_choices(&self) -> &'static [Which] {
        let is_yes = || self.judgments.decided.iter().any(|(_, judgment)| judgment.is_positive());
        let has_extra = self.study.truths.len() > 1 || is_yes();
        let end = CHOICES.len() - usize::from(self.study.phis.is_empty());
        &CHOICES[usize::from(!has_extra)..end]
    }

    /// Which items are listed: the chosen kind if the study offers it, else the first offered kind with any item in
    /// `found`, else the first offered kind.
    pub(in crate::tui) fn listed_kind(&self, found: Option<&ItemChoices>) -> Which {
        let choices = self.item_choices();
        let chosen = self.items.chosen.filter(|which| choices.contains(which));
        let has_items = |which: &&Which| found.is_some_and(|found| found.count(**which) > 0);
        let first = || choices.iter().find(has_items).copied();
        chosen.or_else(first).unwrap_or(choices[0])
    }

    /// The listed rows, for export.
    ///
    /// # Errors
    /// Why there are none.
    pub(in crate::tui) fn rows_to_write(&self) -> Result<ListedRows, Refusal> {
        if self.is_filtering() || !self.has_current_items() {
            return Err("the items are still ranked: there is nothing to write yet".into());
        }
        let found = self.items_result().cloned().ok_or("no item is listed")?;
        let items = found.map_err(|error| one_line(&error))?;
        let which = self.listed_kind(Some(&items));
        if items.count(which) == 0 {
            return Err("no item is listed: there is nothing to write".into());
        }
        Ok(ListedRows {
            study: self.study.clone(),
            key: self.items_key(),
            items,
            which,
            condition: self.items_condition().unwrap_or_default().to_owned(),
            sort: self.sort_of_items().map(str::to_owned),
            marks: self.marks(),
            has_marks: self.has_marks(),
        })
    }

    /// The condition whose queries are listed, empty if all covered queries are; `None` if a search or an annotation
    /// pool selects them.
    fn items_condition(&self) -> Option<&str> {
        let is_condition = self.search.text().is_empty() && self.queue_in_force().is_none();
        is_condition.then_some(&*self.filter.text)
    }

    /// The expression that the rows are sorted by, query by query; `None` if they are not.
    fn sort_of_items(&self) -> Option<&str> {
        let is_by_query = self.items.order == ItemsOrder::Queries;
        self.selection.sort.expression().filter(|_| is_by_query)
    }

    /// Whether the person has judged, picked or tagged anything.
    fn has_marks(&self) -> bool {
        let session = self.session.content();
        !(self.judgments.is_empty() && session.picks.is_empty() && session.tags.is_empty())
    }

    /// The files of the study as command-line arguments, `FILES` if unknown.
    pub(in crate::tui) fn files_as_given(&self) -> String {
        let files = self.session.files.iter().map(|file| shell_word(file));
        let files: Vec<String> = files.collect();
        match &*files {
            [] if self.base.is_demo() => "--demo".into(),
            [] => "FILES".into(),
            files => files.join(" "),
        }
    }
}
