//! The first items of queries as a list of pairs: what it shows, where it was left, and its rows for a file.

use std::sync::Arc;

use super::Model;
use super::export::one_line;
use super::query_list::Pane;
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::PerDirection;
use crate::data::text::shell_word;
use crate::error::Error;
use crate::filter::{Marks, named};
use crate::jobs::{ItemsKey, ItemsOrder, ListedItems, ListedRows};
use crate::study::{Dials, View};

/// Choices in the order of the key that goes from one to the next: the most wanted first.
const CHOICES: [Which; Which::ALL.len()] =
    [Which::Extra, Which::Positive, Which::NotListed, Which::JudgedNo, Which::All, Which::Missed];

/// Depths that can be looked at.
const DEPTHS: [usize; 6] = [1, 3, 5, 10, 20, 50];

/// What the list of items shows, and where it was left.
#[derive(Debug)]
pub struct ItemsState {
    /// Which items are listed, once one chose; before that the first choice that takes any.
    pub chosen: Option<Which>,
    /// How many items of each query are looked at.
    pub depth: usize,
    /// In which order they are listed.
    pub order: ItemsOrder,
    /// The list that was open last.
    pub last: Option<LastList>,
}

/// A list as it was left.
#[derive(Debug, Clone)]
pub struct LastList {
    /// Whose first items it lists.
    pub key: ItemsKey,
    /// What the queries have in common.
    pub common: Common,
    /// The selected line.
    pub selected: usize,
    /// What was looked at, the filter and the search when it was left for a pair: it is gone back to as long as these
    /// are the same.
    pub from: Option<(View, String, String)>,
}

/// What queries have in common whose items are listed.
#[derive(Debug, Clone, Default)]
pub struct Common {
    /// In words; nothing where they are all that are judged.
    pub words: String,
    /// The condition that lists them, as `find --where` takes it, empty where they are all that are judged; `None` where
    /// no condition does.
    pub expression: Option<String>,
}

impl Default for ItemsState {
    fn default() -> Self {
        ItemsState { chosen: None, depth: 10, order: ItemsOrder::default(), last: None }
    }
}

impl ItemsState {
    /// Looks at more items of each query, or at fewer.
    pub(in crate::tui) fn step_depth(&mut self, by: isize) {
        let at = DEPTHS.iter().position(|depth| *depth == self.depth);
        let to = at.unwrap_or(0).saturating_add_signed(by);
        self.depth = DEPTHS[to.min(DEPTHS.len() - 1)];
    }
}

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

    /// The line at which the list of these items was left: the first unless they are those that were listed last. A
    /// verdict makes them no others.
    pub(in crate::tui) fn items_line(&self, key: &ItemsKey) -> usize {
        let is_it = |of: &ItemsKey| ItemsKey { ranks: key.ranks, ..of.clone() } == *key;
        let last = self.items.last.as_ref().filter(|last| is_it(&last.key));
        last.map_or(0, |last| last.selected)
    }

    /// The list that was left for a pair, unless something else is looked at since.
    pub(in crate::tui) fn left_items(&self) -> Option<LastList> {
        let is_there = |last: &&LastList| {
            let is_same = last.from.as_ref().is_some_and(|from| *from == self.looked_for());
            is_same && self.has_model(last.key.view.model)
        };
        self.items.last.as_ref().filter(is_there).cloned()
    }

    /// Which items can be listed: what is extra takes a second ground truth, of which a person's yes is one; what is
    /// missed a similarity.
    pub(in crate::tui) fn item_choices(&self) -> &'static [Which] {
        let is_yes = || self.judgements.verdicts.iter().any(|(_, verdict)| verdict.is_positive());
        let has_extra = self.study.truths.len() > 1 || is_yes();
        let end = CHOICES.len() - usize::from(self.study.phis.is_empty());
        &CHOICES[usize::from(!has_extra)..end]
    }

    /// Which of these items are listed.
    pub(in crate::tui) fn listed_which(&self, found: Option<&ListedItems>) -> Which {
        let choices = self.item_choices();
        let chosen = self.items.chosen.filter(|which| choices.contains(which));
        let is_any = |which: &&Which| found.is_some_and(|found| found.count(**which) > 0);
        let first = || choices.iter().find(is_any).copied();
        chosen.or_else(first).unwrap_or(choices[0])
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
        let which = self.listed_which(Some(&items));
        if items.count(which) == 0 {
            return Err("no item is listed: there is nothing to write".into());
        }
        // The condition with those that its names stand for.
        let condition = common.expression.as_deref().unwrap_or_default();
        let expanded = named::expanded(condition, self.memory.filters());
        Ok(ListedRows {
            study: self.study.clone(),
            key: key.clone(),
            items,
            which,
            condition: expanded.map_or_else(|_| condition.to_owned(), |of| of.text().to_owned()),
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
        self.selection.sort.number().filter(|_| is_sorted)
    }

    /// Whether a person made anything that a list may depend on.
    fn has_marks(&self) -> bool {
        !self.judgements.is_empty() || !self.session.picks().is_empty()
    }

    /// The command that lists the same, but for its format; `None` where none does: it knows no search, no mixture that
    /// was made here, each ground truth as it was loaded, and verdicts and picks of a file.
    fn command_of_items(&self, key: &ItemsKey, which: Which, common: &Common) -> Option<String> {
        let expression = common.expression.as_deref()?;
        let (study, view) = (&self.study, key.view);
        let is_loaded = view.model.get() < self.base.models.len()
            && self.dials.numbers == Dials::default().numbers;
        if !is_loaded || self.has_marks() && self.session.path().is_none() {
            return None;
        }
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
        let given = given.map(|(option, value)| format!(" {option} {}", shell_word(value)));
        let (files, options) = (self.files_as_given(), given.collect::<String>());
        Some(format!("itm-explore find {files} --items{options}"))
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
    pub(in crate::tui) fn looked_for(&self) -> (View, String, String) {
        (self.view, self.filter.text.clone(), self.search.text().to_owned())
    }

    /// Looks at a query and selects an item of its ranking.
    pub(in crate::tui) fn look_at_item(&mut self, view: View, item: FirstItem) {
        self.look_for(view, item.query as usize);
        self.selection.pane = Pane::Ranking;
        self.select_item((item.rank as usize).saturating_sub(1));
    }
}
