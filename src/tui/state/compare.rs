//! The compared models: their agreement, and the steps of a training.

use super::Model;
use super::changes::Dirty;
use super::query_list::UnrankedItem;
use super::results::RankingsOf;
use super::view::Numbers;
use crate::analysis::paired_values::Outcome;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::filter::{Expression, value_of_model};
use crate::metric::Spec;
use crate::metric::map_at_r::MapAtR;
use crate::rank::QueryRanks;
use crate::study::View;
use crate::tui::sort::Sort;

/// Message if the models are not steps of a training.
pub const NO_STEPS: &str = "the models are no steps of a training: start with --series";

/// Maximum number of models that are compared on screen.
const MAX_MODELS: usize = 4;

impl Model {
    /// Up to four models: the current one, the rival, both models of the mixture if it is current, and the following
    /// ones, cyclically. Models that cannot be ranked are excluded.
    pub fn compared_models(&self) -> Vec<ModelIx> {
        let count = self.numbers.len();
        let here = self.view.model;
        let mix = self.applied_settings.mix;
        let mixed = mix.filter(|_| here.get() == self.base.models.len());
        let mixed = mixed.map_or(Vec::new(), |mix| mix.models.to_vec());
        let following = (1..count).map(|step| ModelIx::new((here.get() + step) % count));
        let chosen = self.selection.rival.as_ref();
        let chosen =
            chosen.and_then(|name| self.study.models.iter().position(|of| of.name == *name));
        let mut all = vec![here];
        for model in chosen.map(ModelIx::new).into_iter().chain(mixed).chain(following) {
            if !all.contains(&model) && model.get() < count {
                all.push(model);
            }
        }
        all.into_iter().filter(|&model| self.is_usable(model)).take(MAX_MODELS).collect()
    }

    /// Compares the current model with this one from now on; only shows a message if both are the same.
    pub(in crate::tui) fn set_rival(&mut self, model: ModelIx) {
        if model == self.view.model {
            self.message = Some("this is A; choose another model to compare it with".into());
            return;
        }
        self.selection.rival = Some(self.study.models[model].name.clone());
        self.dirty |= Dirty::ROWS;
    }

    /// Order of the queries. While two models are compared, disagreement replaces gallery order.
    pub fn order(&self) -> &Sort {
        let has_pair = || self.is_comparing() && self.model_pair().is_some();
        match &self.selection.sort {
            Sort::Gallery if has_pair() => &Sort::Difference,
            sort => sort,
        }
    }

    /// Whether models are shown side by side.
    pub(super) fn is_comparing(&self) -> bool {
        self.demand.rankings == RankingsOf::Compared && !self.demand.items
    }

    /// All models except those that cannot be ranked.
    pub(in crate::tui) fn usable_models(&self) -> impl Iterator<Item = ModelIx> + '_ {
        ModelIx::all(&self.numbers).filter(|&model| self.is_usable(model))
    }

    /// Whether the ranks of a model are computed.
    pub(in crate::tui) fn has_ranks(&self, model: ModelIx) -> bool {
        matches!(self.numbers[model], Numbers::Ready(_))
    }

    /// Whether the ranks of a model are computed, or can be.
    fn is_usable(&self, model: ModelIx) -> bool {
        !matches!(self.numbers[model], Numbers::Failed(_))
    }

    /// The first two of [`Model::compared_models`]: the current model and the rival; `None` with one model.
    pub fn model_pair(&self) -> Option<[ModelIx; 2]> {
        match *self.compared_models() {
            [first, second, ..] => Some([first, second]),
            _ => None,
        }
    }

    /// Models whose rankings are on screen, the current one first.
    pub(in crate::tui) fn shown_models(&self) -> Vec<ModelIx> {
        match self.demand.rankings {
            RankingsOf::Compared => self.compared_models(),
            RankingsOf::Nothing | RankingsOf::Current => vec![self.view.model],
        }
    }

    /// [`Model::ranks_at`] by a model, under the current truth and direction.
    pub(in crate::tui) fn ranks_by(&self, model: ModelIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { model, ..self.view }, query)
    }

    /// AP@R of a query by a model, from 0 to 1; `None` if it is undefined or not computed.
    pub fn ap_by(&self, model: ModelIx, query: usize) -> Option<f64> {
        Spec::new(&MapAtR).per_query(self.ranks_by(model, query)?)
    }

    /// Gallery index of the selected item if the current model does not rank it; else `None`.
    pub(in crate::tui) fn unranked_item(&self) -> Option<u32> {
        let unranked = self.selection.unranked?;
        let (key, index) = unranked.at;
        let is_selected = self.demand.rankings == RankingsOf::Compared
            && self.wanted_ranking() == Some(key)
            && self.selection.item == index;
        is_selected.then_some(unranked.item)
    }

    /// Gallery index of the item that is selected in all rankings.
    pub(in crate::tui) fn linked_item(&self) -> Option<usize> {
        let ranked = || Some(self.item_at(self.selection.item)?.item);
        self.unranked_item().map(|item| item as usize).or_else(ranked)
    }

    /// Change of an item's rank, from the ranking by the current model to `rank` in another ranking; `None` until the
    /// current model's ranking is computed.
    pub(in crate::tui) fn rank_shift(&self, item: usize, rank: usize) -> Option<RankShift> {
        let first = self.ranking_by(self.view.model)?;
        Some(RankShift::between(first.rank(item), rank))
    }

    /// Selects an item in all rankings, even if the current model does not rank it.
    pub(in crate::tui) fn select_linked(&mut self, item: u32) {
        let first = self.ranking_by(self.view.model);
        let rank = first.and_then(|ranked| ranked.rank(item as usize));
        self.selection.unranked = None;
        match (rank, self.wanted_ranking()) {
            (Some(rank), _) => self.selection.item = rank - 1,
            (None, Some(key)) => {
                let at = (key, self.selection.item);
                self.selection.unranked = Some(UnrankedItem { at, item });
            }
            (None, None) => {}
        }
    }
}

/// Rank change of an item from its rank by the first model to that by another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankShift {
    /// At the same rank.
    Same,
    /// Higher by this many ranks.
    Up(usize),
    /// Lower by this many ranks.
    Down(usize),
    /// The first model does not rank it.
    New,
}

impl RankShift {
    /// Change from the rank by the first model (`None` if unranked) to that by the other.
    pub fn between(first: Option<usize>, other: usize) -> Self {
        match first {
            None => RankShift::New,
            Some(first) if first > other => RankShift::Up(first - other),
            Some(first) if first < other => RankShift::Down(other - first),
            Some(_) => RankShift::Same,
        }
    }
}

impl Model {
    /// Negative absolute difference of the compared pair on a query: of the ranks of the first positive for
    /// [`Sort::RankDifference`], else of AP@R. `None` if it is undefined, or not known yet.
    pub(in crate::tui) fn agreement(&self, sort: &Sort, query: usize) -> Option<f64> {
        let two = self.model_pair()?;
        let [one, other] = two.map(|model| {
            if *sort == Sort::RankDifference {
                return Some(f64::from(self.ranks_by(model, query)?.first()?));
            }
            self.ap_by(model, query)
        });
        Some(-(one? - other?).abs())
    }

    /// Whether sorting the queries needs ranks by a model.
    pub(in crate::tui) fn is_ordered_by(&self, model: ModelIx) -> bool {
        match self.order() {
            Sort::By(text) => Expression::number(text, &self.study, self.view).is_ok_and(|key| {
                let needs = key.needs();
                let mut views = needs.views.iter();
                needs.top_k.contains(&model) || views.any(|view| view.model == model)
            }),
            by => by.is_disagreement() && self.model_pair().is_some_and(|two| two.contains(&model)),
        }
    }

    /// Filters the queries by an outcome of a paired test: a win, tie or loss of the first of `models` by `metric`.
    pub(in crate::tui) fn filter_by_outcome(
        &mut self,
        models: [ModelIx; 2],
        metric: &str,
        outcome: Outcome,
    ) {
        let sign = match outcome {
            Outcome::Win => ">",
            Outcome::Tie => "==",
            Outcome::Loss => "<",
        };
        let [first, second] = models.map(|model| value_of_model(&self.study, model, metric));
        self.filter_by(format!("{first} {sign} {second}"));
    }

    /// The training step of the current model, in words; `None` if it is no step of a training, or a mixture.
    pub fn step_label(&self) -> Option<String> {
        let steps = &self.study.steps;
        let index = self.study.step_index(self.view.model)?;
        let number = grouped(steps[index].number as usize);
        Some(format!("step {number} ({}/{})", index + 1, steps.len()))
    }
}
