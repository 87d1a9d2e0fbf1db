//! Queries in the order of how much two models disagree on them.

use super::Model;
use super::sort::Sort;
use crate::analysis::overlap::Overlaps;
use crate::data::index::ModelIx;

use crate::jobs::PairKey;

impl Model {
    /// How much the first two models agree on a query, in the sense of an order by disagreement: the
    /// least comes first. `None` where it is undefined, or not known yet.
    pub(in crate::tui) fn agreement(&self, sort: &Sort, query: usize) -> Option<f64> {
        let two = self.two()?;
        match sort {
            Sort::Overlap => self.overlaps()?.first[query],
            Sort::RankBiased => self.overlaps()?.rank_biased[query],
            Sort::Places => {
                let first = |model| Some(f64::from(self.ranks_by(model, query)?.first()?));
                let [one, other] = two.map(first);
                Some(-(one? - other?).abs())
            }
            _ => {
                let [one, other] = two.map(|model| self.ap_by(model, query));
                Some(-(one? - other?).abs())
            }
        }
    }

    /// Whether the order of the queries takes the numbers of a model.
    pub(in crate::tui) fn is_ordered_by(&self, model: ModelIx) -> bool {
        let sort = &self.selection.sort;
        let is_of = |two: [ModelIx; 2]| two.contains(&model);
        matches!(sort, Sort::By(_)) || sort.is_of_two() && self.two().is_some_and(is_of)
    }

    /// The order of the queries in words; while it is not known yet, what is under way.
    pub(in crate::tui) fn order_words(&self) -> String {
        match self.wanted_overlaps() {
            Some(_) => "comparing rankings …".into(),
            None => self.selection.sort.description().into_owned(),
        }
    }

    /// What the order of the queries takes and is not there yet.
    pub fn wanted_overlaps(&self) -> Option<PairKey> {
        let key = self.pair_key().filter(|_| self.selection.sort.is_of_top_k())?;
        (!self.known.overlaps.contains_key(&key)).then_some(key)
    }

    pub(crate) fn pair_key(&self) -> Option<PairKey> {
        Some(PairKey { models: self.two()?, direction: self.view.direction })
    }

    fn overlaps(&self) -> Option<&Overlaps> {
        Some(self.known.overlaps.get(&self.pair_key()?)?)
    }
}
