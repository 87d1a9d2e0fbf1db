//! The compared models: their agreement, and the steps of a training.

use super::Model;
use super::changes::Dirty;
use super::query_list::Apart;
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

/// Maximum models on screen.
const MAX_MODELS: usize = 4;

impl Model {
    /// The compared models: the current one, the chosen one, the two models of a mixture in order, and the following
    /// ones, cyclically. Models without scores are excluded.
    pub fn compared(&self) -> Vec<ModelIx> {
        let count = self.numbers.len();
        let here = self.view.model;
        let mix = self.study_dials.mix;
        let mixed = mix.filter(|_| here.get() == self.base.models.len());
        let mixed = mixed.map_or(Vec::new(), |mix| mix.models.to_vec());
        let round = (1..count).map(|step| ModelIx::new((here.get() + step) % count));
        let chosen = self.selection.rival.as_ref();
        let chosen =
            chosen.and_then(|name| self.study.models.iter().position(|of| of.name == *name));
        let mut all = vec![here];
        for model in chosen.map(ModelIx::new).into_iter().chain(mixed).chain(round) {
            if !all.contains(&model) && model.get() < count {
                all.push(model);
            }
        }
        all.into_iter().filter(|&model| self.has_numbers(model)).take(MAX_MODELS).collect()
    }

    /// Compares the current model with another one.
    pub(in crate::tui) fn compare_with(&mut self, model: ModelIx) {
        if model == self.view.model {
            self.message = Some("this is A; choose another model to compare it with".into());
            return;
        }
        self.selection.rival = Some(self.study.models[model].name.clone());
        self.dirty |= Dirty::ROWS;
    }

    /// Order of the queries. With two models, disagreement replaces gallery order.
    pub fn order(&self) -> &Sort {
        match &self.selection.sort {
            Sort::Gallery if self.is_comparing() && self.two().is_some() => &Sort::Difference,
            sort => sort,
        }
    }

    /// Whether models are shown side by side.
    pub(super) fn is_comparing(&self) -> bool {
        self.demand.rankings == RankingsOf::Compared && !self.demand.items
    }

    /// All comparable models.
    pub(in crate::tui) fn comparable(&self) -> impl Iterator<Item = ModelIx> + '_ {
        ModelIx::all(&self.numbers).filter(|&model| self.has_numbers(model))
    }

    /// Whether the ranks of a model are computed.
    pub(in crate::tui) fn is_counted(&self, model: ModelIx) -> bool {
        matches!(self.numbers[model], Numbers::Ready(_))
    }

    fn has_numbers(&self, model: ModelIx) -> bool {
        !matches!(self.numbers[model], Numbers::Failed(_))
    }

    /// The two compared models; `None` with one model.
    pub fn two(&self) -> Option<[ModelIx; 2]> {
        match *self.compared() {
            [first, second, ..] => Some([first, second]),
            _ => None,
        }
    }

    /// Models whose rankings are on screen, the current one first.
    pub(in crate::tui) fn shown_models(&self) -> Vec<ModelIx> {
        match self.demand.rankings {
            RankingsOf::Compared => self.compared(),
            RankingsOf::Nothing | RankingsOf::LookedAt => vec![self.view.model],
        }
    }

    /// Ranks of a query by a model, under the current truth.
    pub(in crate::tui) fn ranks_by(&self, model: ModelIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { model, ..self.view }, query)
    }

    /// AP@R of a query by a model.
    pub fn ap_by(&self, model: ModelIx, query: usize) -> Option<f64> {
        Spec::new(&MapAtR).per_query(self.ranks_by(model, query)?)
    }

    /// The selected item, if the current model does not rank it.
    pub(in crate::tui) fn item_apart(&self) -> Option<u32> {
        let apart = self.selection.apart?;
        let (key, place) = apart.at;
        let is_here = self.demand.rankings == RankingsOf::Compared
            && self.wanted_ranking() == Some(key)
            && self.selection.item == place;
        is_here.then_some(apart.item)
    }

    /// The item linked in all rankings.
    pub(in crate::tui) fn linked(&self) -> Option<usize> {
        let ranked = || Some(self.item_at(self.selection.item)?.item);
        self.item_apart().map(|item| item as usize).or_else(ranked)
    }

    /// Rank change of an item against the first model; `None` until that is there.
    pub(in crate::tui) fn change_of(&self, item: usize, rank: usize) -> Option<Moved> {
        let first = self.ranking_by(self.view.model)?;
        Some(Moved::between(first.rank(item), rank))
    }

    /// Selects an item in all rankings.
    pub(in crate::tui) fn link(&mut self, item: u32) {
        let first = self.ranking_by(self.view.model);
        let rank = first.and_then(|ranked| ranked.rank(item as usize));
        self.selection.apart = None;
        match (rank, self.wanted_ranking()) {
            (Some(rank), _) => self.selection.item = rank - 1,
            (None, Some(key)) => {
                let at = (key, self.selection.item);
                self.selection.apart = Some(Apart { at, item });
            }
            (None, None) => {}
        }
    }
}

/// Rank change of an item against the first model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// At the same rank.
    Same,
    /// Higher, in ranks.
    Up(usize),
    /// Lower, in ranks.
    Down(usize),
    /// The first model does not rank it.
    New,
}

impl Moved {
    /// From the first model's rank to this one.
    pub fn between(first: Option<usize>, here: usize) -> Self {
        match first {
            None => Moved::New,
            Some(first) if first > here => Moved::Up(first - here),
            Some(first) if first < here => Moved::Down(here - first),
            Some(_) => Moved::Same,
        }
    }
}

impl Model {
    /// Agreement of the first two models on a query, for an order by disagreement: lowest first. `None` if it is
    /// undefined, or not known yet.
    pub(in crate::tui) fn agreement(&self, sort: &Sort, query: usize) -> Option<f64> {
        let two = self.two()?;
        let [one, other] = two.map(|model| {
            if *sort == Sort::Places {
                return Some(f64::from(self.ranks_by(model, query)?.first()?));
            }
            self.ap_by(model, query)
        });
        Some(-(one? - other?).abs())
    }

    /// Whether the sort key of the queries needs ranks of a model.
    pub(in crate::tui) fn is_ordered_by(&self, model: ModelIx) -> bool {
        match self.order() {
            Sort::By(number) => {
                Expression::number(number, &self.study, self.view).is_ok_and(|key| {
                    let needs = key.needs();
                    let mut views = needs.views.iter();
                    needs.top_k.contains(&model) || views.any(|view| view.model == model)
                })
            }
            sort => sort.is_of_two() && self.two().is_some_and(|two| two.contains(&model)),
        }
    }

    /// Lists the queries behind an outcome of the tests, by a condition.
    pub(in crate::tui) fn list_outcome(
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
}

/// Message if models are no steps.
pub const NO_STEPS: &str = "the models are no steps of a training: start with --series";

impl Model {
    /// The current step in words; `None` if models are no steps, and for a mixture of two.
    pub fn step_words(&self) -> Option<String> {
        let steps = &self.study.steps;
        let place = self.study.step_of(self.view.model)?;
        let number = grouped(steps[place].number as usize);
        Some(format!("step {number} ({}/{})", place + 1, steps.len()))
    }
}
