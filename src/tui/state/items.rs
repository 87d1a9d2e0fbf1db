//! Items of rankings: badges, ranks, labels, and phrase annotation of the selected pair.

use super::Model;
use super::query_list::{Item, Pane};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::jobs::PairRankKey;
use crate::phrase::Phrases;
use crate::rank::QueryRanks;
use crate::study::View;
use crate::truth::standing::Badge;

/// Minimum width of a label, in columns, that shows an id beside the text.
const MIN_COLUMNS_WITH_ID: usize = 40;

/// Status of a query's top-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Top {
    /// Nothing is ranked.
    Unranked,
    /// Top-1 is not known yet.
    Unknown,
    /// Badge of top-1.
    Known(Badge),
}

/// Message if no positive follows in a ranking.
pub(in crate::tui) const NO_OTHER_POSITIVE: &str = "no further positive in this direction";

impl Model {
    /// The item at a ranking index.
    pub fn item_at(&self, index: usize) -> Option<Item> {
        let ranking = self.ranking()?;
        let item = *ranking.order.get(index)? as usize;
        Some(Item { item, rank: index + 1, score: ranking.scores[item] })
    }

    /// The selected item of the ranking; `None` if it is not ranked, or the ranking is not computed yet.
    pub fn item(&self) -> Option<Item> {
        let is_ranked = self.unranked_item().is_none();
        self.item_at(self.selection.item).filter(|_| is_ranked)
    }

    /// [`Model::ranks_at`] for the current model and direction under a truth.
    pub fn ranks_of(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { truth, ..self.view }, query)
    }

    /// Ranks of the positives of a query in a view, after judgments; `None` if the truth does not cover the query, or
    /// ranks are not computed yet.
    pub fn ranks_at(&self, view: View, query: usize) -> Option<QueryRanks<'_>> {
        let index = self.index_in_truth(view.truth, query)?;
        Some(self.metrics_at(view)?.ranks.query(index))
    }

    /// Ranks of the positives of a query under a truth, before judgments; `None` if the truth does not cover the query,
    /// or ranks are not computed yet.
    pub fn ranks_before_judgments(&self, truth: TruthIx, query: usize) -> Option<QueryRanks<'_>> {
        let index = self.index_in_truth(truth, query)?;
        Some(self.unedited_metrics(View { truth, ..self.view })?.ranks.query(index))
    }

    /// Index of a query in the order of a truth; `None` if the truth does not cover it.
    fn index_in_truth(&self, truth: TruthIx, query: usize) -> Option<usize> {
        let relevance = self.study.truths[truth].relevance[self.view.direction].as_ref();
        relevance?.place(query)
    }

    /// Badge of an item from all truths and this session's judgment.
    pub fn badge(&self, query: usize, item: usize) -> Badge {
        let judgment = self.judgment(query, item);
        let direction = self.view.direction;
        self.study.badge(judgment, direction, query.into(), item.into())
    }

    /// Status of a query's top-1.
    pub fn top_1_status(&self, query: usize) -> Top {
        if self.metrics().is_none() {
            return Top::Unranked;
        }
        if let Some(item) = self.top_1_item(query) {
            return Top::Known(self.badge(query, item as usize));
        }
        let ranks = self.ranks_before_judgments(self.view.truth, query);
        let is_ranked = ranks.is_none_or(|ranks| ranks.depth != Some(0));
        if is_ranked { Top::Unknown } else { Top::Unranked }
    }

    /// Gallery index of a query's top-1, if known: from the top items of all queries, or because it was judged.
    fn top_1_item(&self, query: usize) -> Option<u32> {
        let (model, direction) = (self.view.model, self.view.direction);
        let found = self.top_k_of(model, direction);
        let found = found.and_then(|of| of.top_items.first(query as u32));
        found.or_else(|| {
            let judgments = self.judgments.decided.iter();
            let mut judged = judgments.filter_map(|(pair, _)| {
                let (judged_query, item) = pair.query_and_item(direction);
                let key = PairRankKey::for_pair(model, direction, pair);
                let is_first = || self.known.judged.ranks.get(&key) == Some(&Some(1));
                (judged_query.get() == query && is_first()).then_some(item.raw())
            });
            judged.next()
        })
    }

    /// Selects the query at a list index, and its top-1.
    pub(in crate::tui) fn select_query(&mut self, index: usize) {
        if index != self.selection.selected {
            self.selection.selected = index;
            self.selection.item = 0;
            self.selection.sought = None;
            self.selection.last[self.view.direction] = self.selection.queries.get(index).copied();
        }
    }

    /// Moves the query selection by `by` list entries.
    pub(in crate::tui) fn move_query(&mut self, by: isize) {
        let last = self.selection.queries.len().saturating_sub(1);
        let to = self.selection.selected.saturating_add_signed(by);
        self.select_query(to.min(last));
    }

    /// Index in `order`, a ranking, of the next positive after index `here`; if not `forward`, of the last one before
    /// it. `None` if there is none. Positives of any truth count.
    pub(in crate::tui) fn positive_from(
        &self,
        query: usize,
        order: &[u32],
        here: usize,
        forward: bool,
    ) -> Option<usize> {
        let is_hit = |&index: &usize| {
            let item = order[index] as usize;
            self.badge(query, item).is_positive()
        };
        if forward { (here + 1..order.len()).find(is_hit) } else { (0..here).rev().find(is_hit) }
    }

    /// A query of a direction in one line: a caption's text; for an image its first original caption, with the image's
    /// id if `columns` leave room for it, or its file name if captions have no text.
    pub(in crate::tui) fn label(
        &self,
        direction: Direction,
        query: usize,
        columns: usize,
    ) -> String {
        self.label_by(self.view.model, direction, query, columns)
    }

    /// [`Model::label`] with the texts given to a model.
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
        match self.shown_captions(query).first() {
            Some(&caption) if !gallery.texts.is_empty() => {
                let words = self.study.caption_of(model, caption as usize);
                if columns < MIN_COLUMNS_WITH_ID || self.is_blind() {
                    return words;
                }
                format!("[{}] {words}", gallery.images[query])
            }
            _ => gallery.image(query),
        }
    }

    /// Gallery indices of the original captions of an image. While judging blind, one is excluded: the caption of the
    /// selected pair, else the last of several. Then neither captions nor their number reveal that a pair belongs
    /// together.
    pub(in crate::tui) fn shown_captions(&self, image: usize) -> Vec<u32> {
        let mut own: Vec<u32> = self.study.original_items(Direction::I2t, image).iter().collect();
        if self.is_blind() {
            let selected = match self.view.direction {
                Direction::T2i => self.selection.query(),
                Direction::I2t => self.item().map(|item| item.item),
            };
            let hidden = own.iter().position(|own| Some(*own as usize) == selected);
            let hidden = hidden.or((own.len() > 1).then(|| own.len() - 1));
            hidden.map(|at| own.remove(at));
        }
        own
    }

    /// Id and text of a query of a direction by its gallery index, with a tab between; the text of an image is its file
    /// name.
    pub(in crate::tui) fn id_and_text(&self, direction: Direction, index: usize) -> String {
        let gallery = &self.study.gallery;
        let id = &gallery.queries(direction)[index];
        let words = match direction {
            Direction::I2t => gallery.image(index),
            Direction::T2i => gallery.caption(index),
        };
        format!("{id}\t{words}")
    }

    /// Id and text of the selected entry of the focused list, with a tab between.
    pub(in crate::tui) fn selected_line(&self) -> Option<String> {
        let direction = self.view.direction;
        Some(match self.selection.pane {
            Pane::Queries => self.id_and_text(direction, self.selection.query()?),
            Pane::Ranking => self.id_and_text(direction.flipped(), self.linked_item()?),
        })
    }

    /// Gallery index of the image of the selected pair.
    pub fn selected_image(&self) -> Option<usize> {
        match self.view.direction {
            Direction::T2i => Some(self.item()?.item),
            Direction::I2t => self.selection.query(),
        }
    }

    /// Whether the selected pair's caption is annotated as unrelated to its image.
    pub(in crate::tui) fn is_unrelated(&self) -> bool {
        let phrases: Option<&Phrases> = self.study.phrases.as_deref();
        let caption = self.selected_pair().and_then(|pair| phrases?.caption(pair.caption.get()));
        caption.is_some_and(|caption| caption.sentence.is_unrelated)
    }
}
