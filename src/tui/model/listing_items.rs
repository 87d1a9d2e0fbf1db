//! The first items of queries, as a list of pairs.

use std::sync::Arc;

use super::Model;
use super::exports::one_line;
use super::listed_items::{self, Common, LeftList};
use super::selection::Pane;
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::PerDirection;
use crate::data::text::shell_word;
use crate::error::Error;
use crate::filter::{Marks, named};
use crate::jobs::{ItemsKey, ItemsOrder, ListedItems, ListedRows};
use crate::study::{Dials, View};

impl Model {
    /// The first items of these queries of a view, as deep as was last looked.
    pub(in crate::tui) fn items_key(&self, view: View, queries: &[u32]) -> ItemsKey {
        ItemsKey {
            ranks: self.known.error_analysis.ranks,
            view,
            queries: queries.into(),
            depth: self.items.depth,
            order: self.items.order,
        }
    }

    /// Gallery indices of the queries that the truth of a view judges; `None` where it has no such direction.
    pub(in crate::tui) fn judged_queries(&self, view: View) -> Option<Vec<u32>> {
        let relevance = self.study.truths[view.truth].relevance[view.direction].as_ref()?;
        let all = 0..self.study.gallery.queries(view.direction).len() as u32;
        Some(all.filter(|&query| relevance.place(query as usize).is_some()).collect())
    }

    /// The items, or why there are none; `None` while they are looked for.
    pub fn items_of(&self, key: &ItemsKey) -> Option<&Result<Arc<ListedItems>, Error>> {
        let (known, found) = self.known.items.as_ref()?;
        (known == key).then_some(found)
    }

    /// Where the list of these items was left: at its top unless they are those that were listed last. A verdict
    /// makes them no others.
    pub(in crate::tui) fn items_at(&self, key: &ItemsKey) -> (usize, usize) {
        let is_it = |last: &ItemsKey| {
            let of_last = (last.view, &last.queries, last.depth, last.order);
            of_last == (key.view, &key.queries, key.depth, key.order)
        };
        let place = self.items.place.as_ref().filter(|(last, _)| is_it(last));
        place.map_or((0, 0), |(_, at)| *at)
    }

    /// Keeps a list that is left for a pair, to come back to it.
    pub(in crate::tui) fn leave_items(&mut self, key: &ItemsKey, common: &Common) {
        self.items.way_back = Some(LeftList {
            view: key.view,
            queries: key.queries.clone(),
            common: common.clone(),
            from: self.looked_for(),
        });
    }

    /// The list that was left for a pair, unless something else is looked at since.
    pub(in crate::tui) fn left_items(&self) -> Option<LeftList> {
        let here = self.looked_for();
        let left = self.items.way_back.as_ref();
        let is_there = |left: &&LeftList| left.from == here && self.has_model(left.view.model);
        left.filter(is_there).cloned()
    }

    /// Which items can be listed.
    pub(in crate::tui) fn item_choices(&self) -> &'static [Which] {
        listed_items::choices(&self.study, &self.judgements.verdicts)
    }

    /// The rows of a list for a file, as they are listed.
    ///
    /// # Errors
    /// Why there are none.
    pub(in crate::tui) fn rows_of(
        &self,
        key: &ItemsKey,
        common: &Common,
    ) -> Result<ListedRows, String> {
        let ranking = "the items are still ranked: there is nothing to write yet";
        let items = self.items_of(key).ok_or(ranking)?;
        let items = items.clone().map_err(|error| one_line(&error))?;
        let which = self.items.which(self.item_choices(), Some(&items));
        if items.count(which) == 0 {
            return Err("no item is listed: there is nothing to write".into());
        }
        Ok(ListedRows {
            study: self.study.clone(),
            key: key.clone(),
            items,
            which,
            condition: self.expanded(common.expression.as_deref().unwrap_or_default()),
            sort: self.sort_of_items(key).map(str::to_owned),
            marks: Marks {
                verdicts: self.judgements.verdicts.clone(),
                picked: PerDirection::from_fn(|direction| self.picked(direction)),
            },
            has_verdicts: self.has_marks(),
            command: self.command_of_items(key, which, common),
        })
    }

    /// Whether the items are of the queries that are listed on the screen.
    pub(in crate::tui) fn is_of_list(&self, key: &ItemsKey) -> bool {
        key.view == self.view && *key.queries == *self.selection.queries
    }

    /// The number by which the queries of a list of items are sorted, as an expression.
    fn sort_of_items(&self, key: &ItemsKey) -> Option<&str> {
        let is_sorted = key.order == ItemsOrder::Queries && self.is_of_list(key);
        self.selection.sort.expression().filter(|_| is_sorted)
    }

    /// A condition with those that its names stand for.
    fn expanded(&self, condition: &str) -> String {
        let expanded = named::expanded(condition, self.memory.filters());
        expanded.map_or_else(|_| condition.to_owned(), |of| of.text().to_owned())
    }

    /// Whether a person made anything that a list may depend on.
    fn has_marks(&self) -> bool {
        !self.judgements.is_empty() || !self.session.picks().is_empty()
    }

    /// The command that lists the same, but for its format; `None` where none does: it knows no search, no mixture that
    /// was made here, each ground truth as it was loaded, and verdicts and picks of a file.
    fn command_of_items(&self, key: &ItemsKey, which: Which, common: &Common) -> Option<String> {
        let expression = common.expression.as_deref()?;
        let is_loaded = key.view.model.get() < self.base.models.len()
            && self.dials.numbers == Dials::default().numbers;
        let is_kept = self.session.path().is_some() || !self.has_marks();
        let files = self.files_as_given();
        let options = self.options_of_items(key, which, expression);
        (is_loaded && is_kept).then(|| format!("itm-explore find {files} --items {options}"))
    }

    fn options_of_items(&self, key: &ItemsKey, which: Which, expression: &str) -> String {
        let (study, view) = (&self.study, key.view);
        let (depth, pool) = (key.depth.to_string(), self.base.pool_name(self.dials.pool));
        let session = self.session.path().filter(|_| self.has_marks());
        let session = session.map_or(String::new(), |path| path.display().to_string());
        let options = [
            ("--which", which.word()),
            ("-k", &depth),
            ("--model", &study.models[view.model].name),
            ("--truth", &study.truths[view.truth].name),
            ("--direction", view.direction.key()),
            ("--pool", &pool),
            ("--where", expression),
            ("--sort", self.sort_of_items(key).unwrap_or_default()),
            ("--session", &session),
        ];
        let given = options.into_iter().filter(|(_, value)| !value.is_empty());
        let given = given.flat_map(|(option, value)| [option.to_owned(), shell_word(value)]);
        given.collect::<Vec<String>>().join(" ")
    }

    /// The files of the study as they are given on a command line.
    pub(in crate::tui) fn files_as_given(&self) -> String {
        let files = self.session.files.iter().map(|file| shell_word(file));
        let files: Vec<String> = files.collect();
        match &*files {
            [] if self.base.is_demo() => "--demo".into(),
            [] => "FILES".into(),
            files => files.join(" "),
        }
    }

    /// What is looked at, the filter and the search.
    fn looked_for(&self) -> (View, String, String) {
        let search = self.search.text().to_owned();
        (self.view, self.filter.text.clone(), search)
    }

    /// Looks at a query and selects an item of its ranking.
    pub(in crate::tui) fn look_at_item(&mut self, view: View, item: FirstItem) {
        let changes = self.look_for_told(view, item.query as usize);
        if !changes.is_empty() {
            self.message = Some(changes.join(", "));
        }
        self.selection.pane = Pane::Ranking;
        self.select_item((item.rank as usize).saturating_sub(1));
    }
}
