//! Items of rankings: badges, ranks, labels, and what the annotation of phrases says of the selected pair.

use std::sync::Arc;

use super::export::one_line;
use super::query_list::{Item, Pane};
use super::{Model, Refusal};
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::{shell_word, shown};
use crate::data::{Direction, PerDirection};
use crate::error::Error;
use crate::filter::{Marks, named};
use crate::jobs::{ItemsKey, ItemsOrder, ListedItems, ListedRows, PlaceKey};
use crate::phrase::Phrases;
use crate::rank::QueryRanks;
use crate::study::{Dials, View};
use crate::truth::response::Response;
use crate::truth::standing::Badge;
use crate::truth::verdict::Pair;

/// In fewer columns words tell more than an id.
const WITH_ID: usize = 40;

/// How the item stands that comes first for a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Top {
    /// Nothing is ranked.
    Unranked,
    /// Which item that is is not known yet.
    Unknown,
    /// What is known of it.
    Known(Badge),
}

pub(in crate::tui) const NO_FURTHER: &str = "no further positive in this direction";

impl Model {
    /// The item at a place of the ranking.
    pub fn item_at(&self, place: usize) -> Option<Item> {
        let ranking = self.ranking()?;
        let item = *ranking.order.get(place)? as usize;
        Some(Item { item, rank: place + 1, score: ranking.scores[item] })
    }

    /// The selected item of the ranking.
    pub fn item(&self) -> Option<Item> {
        let is_ranked = self.item_apart().is_none();
        self.item_at(self.selection.item).filter(|_| is_ranked)
    }

    /// The ranks of a query under a truth, with verdicts.
    pub fn ranks_of(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { truth, ..self.view }, query)
    }

    /// The ranks of a query of a view, with verdicts.
    pub fn ranks_at(&self, view: View, query: usize) -> Option<QueryRanks<'_>> {
        let place = self.place_of(view.truth, query)?;
        Some(self.scored_at(view)?.ranks.query(place))
    }

    /// The same as [`Model::ranks_of`] under the truth as loaded.
    pub fn counted_ranks(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        let place = self.place_of(truth, query)?;
        Some(self.counted_at(View { truth, ..self.view })?.ranks.query(place))
    }

    fn place_of(&self, truth: TruthIx, query: usize) -> Option<usize> {
        let relevance = self.study.truths[truth].relevance[self.view.direction].as_ref();
        relevance?.place(query)
    }

    /// What all truths and the verdict of this session say of an item of a query.
    pub fn badge(&self, query: usize, item: usize) -> Badge {
        let verdict = self.verdict(query, item);
        let direction = self.view.direction;
        self.study.badge(verdict, direction, query.into(), item.into())
    }

    /// How the item that comes first for a query stands.
    pub fn top(&self, query: usize) -> Top {
        if self.scored().is_none() {
            return Top::Unranked;
        }
        if let Some(item) = self.first_item(query) {
            return Top::Known(self.badge(query, item as usize));
        }
        let ranks = self.counted_ranks(self.view.truth, query);
        let is_ranked = ranks.is_none_or(|ranks| ranks.depth != Some(0));
        if is_ranked { Top::Unknown } else { Top::Unranked }
    }

    /// The item that comes first for a query, where the first items of all queries are known or a verdict
    /// is about it.
    fn first_item(&self, query: usize) -> Option<u32> {
        let (model, direction) = (self.view.model, self.view.direction);
        let found = self.top_k_of(model, direction);
        let found = found.and_then(|of| of.retrieved.first(query as u32));
        found.or_else(|| {
            let verdicts = self.judgements.verdicts.iter();
            let mut asked = verdicts.filter_map(|(pair, _)| {
                let (of, item) = pair.asked(direction);
                let key = PlaceKey::of(model, direction, pair);
                let is_first = || self.known.judged.ranks.get(&key) == Some(&Some(1));
                (of.get() == query && is_first()).then_some(item.raw())
            });
            asked.next()
        })
    }

    /// Selects a query by its place in the list.
    pub(in crate::tui) fn select_query(&mut self, place: usize) {
        if place != self.selection.selected {
            self.selection.selected = place;
            self.selection.item = 0;
            self.selection.sought = None;
            self.selection.last[self.view.direction] = self.selection.queries.get(place).copied();
        }
    }

    /// Selects the query so many places further in the list.
    pub(in crate::tui) fn move_query(&mut self, by: isize) {
        let last = self.selection.queries.len().saturating_sub(1);
        let to = self.selection.selected.saturating_add_signed(by);
        self.select_query(to.min(last));
    }

    /// The place of the next or previous item of a ranking that any truth calls right.
    pub(in crate::tui) fn positive_from(
        &self,
        query: usize,
        order: &[u32],
        here: usize,
        forward: bool,
    ) -> Option<usize> {
        let right = |&place: &usize| {
            let item = order[place] as usize;
            self.badge(query, item).is_positive()
        };
        if forward { (here + 1..order.len()).find(right) } else { (0..here).rev().find(right) }
    }

    /// A query of a direction in one line of so many columns: a caption's text; of an image what its first own
    /// caption says, with the image's id where there is room for it, else its file name.
    pub(in crate::tui) fn label(
        &self,
        direction: Direction,
        query: usize,
        columns: usize,
    ) -> String {
        self.label_by(self.view.model, direction, query, columns)
    }

    /// [`Model::label`] with the texts that a model was given.
    pub(in crate::tui) fn label_by(
        &self,
        model: ModelIx,
        direction: Direction,
        query: usize,
        columns: usize,
    ) -> String {
        let gallery = &self.study.gallery;
        if direction == Direction::T2i {
            return self.study.caption_of(model, query);
        }
        match self.captions_of(query).first() {
            Some(&caption) if !gallery.texts.is_empty() => {
                let words = self.study.caption_of(model, caption as usize);
                if columns < WITH_ID || self.is_blind() {
                    return words;
                }
                format!("[{}] {words}", gallery.images[query])
            }
            _ => gallery.image(query),
        }
    }

    /// The captions written for an image; while one judges blind, without that of the pair, which would tell that
    /// both belong together, and of any other image that has several without the last, so that their number tells
    /// nothing.
    pub(in crate::tui) fn captions_of(&self, image: usize) -> Vec<u32> {
        let mut own: Vec<u32> = self.study.own(Direction::I2t, image).iter().collect();
        if self.is_blind() {
            let of_pair = match self.view.direction {
                Direction::T2i => self.selection.query(),
                Direction::I2t => self.item().map(|item| item.item),
            };
            let hidden = own.iter().position(|own| Some(*own as usize) == of_pair);
            let hidden = hidden.or((own.len() > 1).then(|| own.len() - 1));
            hidden.map(|at| own.remove(at));
        }
        own
    }

    /// Id and words of a query of a direction.
    pub(in crate::tui) fn named(&self, direction: Direction, index: usize) -> String {
        let gallery = &self.study.gallery;
        let id = &gallery.queries(direction)[index];
        let words = match direction {
            Direction::I2t => gallery.image(index),
            Direction::T2i => gallery.caption(index),
        };
        format!("{id}\t{words}")
    }

    /// The image that the selected pair has: the item that a caption ranks, or the image that asks.
    pub fn selected_image(&self) -> Option<usize> {
        match self.view.direction {
            Direction::T2i => Some(self.item()?.item),
            Direction::I2t => self.selection.query(),
        }
    }
}

impl Model {
    /// The phrases of the selected pair's caption that its image has no counterpart of, with their types; `None` where
    /// the pair is a positive, or one of both is not annotated.
    fn lacked_phrases(&self) -> Option<Vec<String>> {
        let (query, item) = (self.selection.query()?, self.item()?.item);
        let Pair { image, caption } = self.pair_at_hand()?;
        let phrases = self.study.phrases.as_ref()?;
        if self.badge(query, item).is_positive() {
            return None;
        }
        let sentence = phrases.caption(caption.get())?.sentence;
        let lacking = phrases.lacking(caption.get(), image.get())?.into_iter();
        let named = lacking.map(|of| {
            let phrase = &sentence.phrases[of.phrase];
            let also = if of.of_no_type { ": none of this type" } else { "" };
            format!("{} ({}{also})", shown(sentence.words_of(phrase)), phrase.types.names())
        });
        Some(named.collect())
    }

    /// Whether the caption of the selected pair is listed as one that says nothing of its image.
    fn is_unrelated(&self) -> bool {
        let phrases: Option<&Phrases> = self.study.phrases.as_deref();
        let caption = self.pair_at_hand().and_then(|pair| phrases?.caption(pair.caption.get()));
        caption.is_some_and(|caption| caption.sentence.is_unrelated)
    }

    /// Both in words; `None` where there is nothing to say.
    pub(in crate::tui) fn annotated(&self) -> Option<String> {
        let lacked = self.lacked_phrases().unwrap_or_default();
        let mut said = Vec::new();
        if !lacked.is_empty() {
            said.push(format!("without counterpart in the image: {}", lacked.join(", ")));
        }
        if self.is_unrelated() {
            said.push(UNRELATED.to_owned());
        }
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// What is said of a caption that is listed so.
const UNRELATED: &str = "UNRELATED_CAPTIONS: the caption says nothing of its original image";

/// Choices in the order of the key that goes from one to the next: the most wanted first.
const CHOICES: [Which; Which::ALL.len()] =
    [Which::Extra, Which::Positive, Which::NotListed, Which::JudgedNo, Which::All, Which::Missed];

/// Depths that can be looked at.
const DEPTHS: [usize; 6] = [1, 3, 5, 10, 20, 50];

/// What the screen of items lists, and which pair is selected there.
#[derive(Debug)]
pub struct ItemsState {
    /// Which items are listed, once one chose; before that the first choice that takes any.
    pub chosen: Option<Which>,
    /// How many items of each query are looked at.
    pub depth: usize,
    /// In which order they are listed.
    pub order: ItemsOrder,
    /// The selected row.
    pub row: usize,
    /// The selected pair, whose row another list may have elsewhere; `None` at the top of a new list.
    pub pair: Option<Pair>,
}

impl Default for ItemsState {
    fn default() -> Self {
        ItemsState { chosen: None, depth: 10, order: ItemsOrder::default(), row: 0, pair: None }
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

/// The rows of a list of items.
#[derive(Debug, Clone, Copy)]
pub struct ItemRows<'a> {
    /// All items that were found.
    pub found: &'a Arc<ListedItems>,
    /// Which of them are listed.
    pub which: Which,
}

impl ItemRows<'_> {
    /// How many rows there are.
    pub fn len(self) -> usize {
        self.found.count(self.which)
    }

    /// The item of a row.
    pub fn get(self, row: usize) -> Option<FirstItem> {
        self.found.get(self.which, row).copied()
    }
}

impl Model {
    /// The first items of the queries listed, as deep and in the order that is asked for.
    pub(crate) fn items_key(&self) -> ItemsKey {
        ItemsKey {
            study: self.known.study_stamp,
            view: self.view,
            queries: self.selection.queries.as_slice().into(),
            depth: self.items.depth,
            order: self.items.order,
            verdicts: self.judgements.verdicts.clone(),
        }
    }

    /// What was found of the queries listed, or why nothing was; `None` while it is looked for. Verdicts may be newer.
    pub fn items_found(&self) -> Option<&Result<Arc<ListedItems>, Error>> {
        let (key, found) = self.known.items.as_ref()?;
        let is_here = (key.study, key.view, key.depth, key.order)
            == (self.known.study_stamp, self.view, self.items.depth, self.items.order)
            && *key.queries == *self.selection.queries;
        is_here.then_some(found)
    }

    /// Whether that is known, with every verdict.
    pub(crate) fn has_current_items(&self) -> bool {
        let is_current = |(key, _): &(ItemsKey, _)| key.verdicts == self.judgements.verdicts;
        self.items_found().is_some() && self.known.items.as_ref().is_some_and(is_current)
    }

    /// The rows that the screen of items lists, once they are found.
    pub fn item_rows(&self) -> Option<ItemRows<'_>> {
        let found = self.items_found()?.as_ref().ok()?;
        Some(ItemRows { found, which: self.listed_which(Some(found)) })
    }

    /// The selected row's item.
    pub fn item_row(&self) -> Option<FirstItem> {
        self.item_rows()?.get(self.items.row)
    }

    /// Lists other items, from the top. What is listed stays the choice, though another one may take more then.
    pub(in crate::tui) fn list_items(&mut self, change: impl FnOnce(&mut ItemsState)) {
        self.items.chosen = self.item_rows().map(|rows| rows.which).or(self.items.chosen);
        (self.items.row, self.items.pair) = (0, None);
        change(&mut self.items);
    }

    /// The pair of an item of the view.
    fn pair_of(&self, one: FirstItem) -> Pair {
        Pair::of(self.view.direction, one.query.into(), one.item.into())
    }

    /// Selects a row of the items and its pair.
    pub(in crate::tui) fn select_item_row(&mut self, row: usize) {
        if let Some(one) = self.item_rows().and_then(|rows| rows.get(row)) {
            (self.items.row, self.items.pair) = (row, Some(self.pair_of(one)));
        }
    }

    /// Selects the row so many rows further down.
    pub(in crate::tui) fn move_item_row(&mut self, by: isize) {
        let last = self.item_rows().map_or(0, ItemRows::len).saturating_sub(1);
        self.select_item_row(self.items.row.saturating_add_signed(by).min(last));
        self.follow_items();
    }

    /// Has the selected row follow its pair, and selects query and item of it: judgments, picks, notes and details are
    /// about these.
    pub(in crate::tui) fn follow_items(&mut self) {
        let Some(rows) = self.item_rows() else {
            return;
        };
        let is_pair = |row: &usize| rows.get(*row).map(|one| self.pair_of(one)) == self.items.pair;
        if !is_pair(&self.items.row) {
            match (0..rows.len()).find(is_pair) {
                Some(row) => self.items.row = row,
                // A judgment that was undone lists it again.
                None if !self.has_current_items() => return,
                None => self.select_item_row(0),
            }
        }
        let Some(one) = self.item_row() else {
            return;
        };
        let is_other = self.selection.query() != Some(one.query as usize);
        self.select_query(one.at);
        self.selection.pane = Pane::Ranking;
        self.selection.apart = None;
        match (one.rank as usize).checked_sub(1) {
            Some(place) if is_other || self.seeks() || self.selection.item != place => {
                self.select_item(place);
            }
            Some(_) => {}
            None => self.link(one.item),
        }
    }

    /// Answers for the selected row, or for the items marked, and goes to the next row without an answer.
    pub(in crate::tui) fn respond_in_items(
        &mut self,
        response: Option<Response>,
    ) -> Result<(), Refusal> {
        let one = self.item_row().ok_or("no item is listed")?;
        if self.item().map(|item| item.item as u32) != Some(one.item) {
            return Err("this item has no rank, or not yet: it cannot be judged here".into());
        }
        let next = self.next_unanswered_pair();
        self.respond(response)?;
        if response.is_some() {
            self.items.pair = next.or(self.items.pair);
        }
        Ok(())
    }

    /// The pair of the next row without an answer; after the last row come the first ones.
    pub(super) fn next_unanswered_pair(&self) -> Option<Pair> {
        let (rows, here) = (self.item_rows()?, self.items.row);
        let mut others = (here + 1..rows.len()).chain(0..here);
        others.find_map(|row| {
            let pair = self.pair_of(rows.get(row)?);
            self.judgements.response(pair).is_none().then_some(pair)
        })
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

    /// The rows for a file, as they are listed.
    ///
    /// # Errors
    /// Why there are none.
    pub(in crate::tui) fn rows_to_write(&self) -> Result<ListedRows, Refusal> {
        if self.is_filtering() || !self.has_current_items() {
            return Err("the items are still ranked: there is nothing to write yet".into());
        }
        let found = self.items_found().cloned().ok_or("no item is listed")?;
        let items = found.map_err(|error| one_line(&error))?;
        let which = self.listed_which(Some(&items));
        if items.count(which) == 0 {
            return Err("no item is listed: there is nothing to write".into());
        }
        // The condition with those that its names stand for.
        let condition = self.items_condition().unwrap_or_default();
        let expanded = named::expanded(condition, self.memory.filters());
        Ok(ListedRows {
            study: self.study.clone(),
            key: self.items_key(),
            items,
            which,
            condition: expanded.map_or_else(|_| condition.to_owned(), |of| of.text().to_owned()),
            sort: self.sort_of_items().map(str::to_owned),
            marks: Marks {
                verdicts: self.judgements.verdicts.clone(),
                picked: PerDirection::from_fn(|direction| self.picked(direction)),
            },
            has_verdicts: self.has_marks(),
            command: self.command_of_items(which),
        })
    }

    /// The condition that lists the queries, empty where they are all that are judged; `None` where no condition does.
    fn items_condition(&self) -> Option<&str> {
        let is_condition = self.search.text().is_empty() && self.queue_in_force().is_none();
        is_condition.then_some(&*self.filter.text)
    }

    /// The number by which the queries of the list are sorted, as an expression.
    fn sort_of_items(&self) -> Option<&str> {
        let is_sorted = self.items.order == ItemsOrder::Queries;
        self.selection.sort.number().filter(|_| is_sorted)
    }

    /// Whether a person made anything that a list may depend on.
    fn has_marks(&self) -> bool {
        !self.judgements.is_empty() || !self.session.picks().is_empty()
    }

    /// The command that lists the same, but for its format; `None` where none does: it knows no search, no mixture that
    /// was made here, each ground truth as it was loaded, and verdicts and picks of a file.
    fn command_of_items(&self, which: Which) -> Option<String> {
        let expression = self.items_condition()?;
        let (study, view) = (&self.study, self.view);
        let is_loaded = view.model.get() < self.base.models.len()
            && self.dials.numbers == Dials::default().numbers;
        if !is_loaded || self.has_marks() && self.session.path().is_none() {
            return None;
        }
        let (depth, pool) = (self.items.depth.to_string(), self.base.pool_name(self.dials.pool));
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
            ("--sort", self.sort_of_items().unwrap_or_default()),
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
}
