//! Metrics over disjoint parts of the gallery: the mean of the parts' own values, as in the COCO 1K protocol.

use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::metric::{Shortage, Spec, Summary, mean};
use crate::rank::QueryRanks;
use crate::study::Study;

/// The part of each query of a truth, in the truth's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryParts {
    /// Part of each query.
    parts: Vec<usize>,
    /// Number of parts.
    count: usize,
}

impl QueryParts {
    /// The parts of a truth's queries in the study's pool; `None` if the pool has one part, or the truth lacks the
    /// direction.
    pub fn for_truth(study: &Study, truth: TruthIx, direction: Direction) -> Option<Self> {
        let mask = study.mask.as_ref().filter(|mask| mask.parts().len() > 1)?;
        let relevance = study.truths[truth].relevance[direction].as_ref()?;
        let queries = relevance.queries().iter();
        let part = |&query: &u32| mask.part_index(direction, query as usize);
        Some(Self { parts: queries.map(part).collect::<Option<_>>()?, count: mask.parts().len() })
    }

    /// The part of the query at this index in the truth's order.
    pub fn part_of(&self, place: usize) -> usize {
        self.parts[place]
    }

    /// The mean of the metric's values in the parts. `queries` are pairs of the index in the truth's order and the
    /// ranks.
    pub fn summary<'a>(
        &self,
        spec: Spec,
        queries: impl Iterator<Item = (usize, QueryRanks<'a>)>,
    ) -> Summary {
        let mut of_parts: Vec<Vec<QueryRanks<'a>>> = vec![Vec::new(); self.count];
        for (place, query) in queries {
            of_parts[self.parts[place]].push(query);
        }
        let with_queries = of_parts.into_iter().filter(|queries| !queries.is_empty());
        mean_of(with_queries.map(|queries| spec.summary_over(queries.into_iter())))
    }
}

impl Spec {
    /// The value over these queries, or the mean over `parts`; every query comes with its index in the truth's order.
    pub fn summary_in<'a>(
        self,
        parts: Option<&QueryParts>,
        queries: impl Iterator<Item = (usize, QueryRanks<'a>)>,
    ) -> Summary {
        match parts {
            None => self.summary_over(queries.map(|(_, query)| query)),
            Some(parts) => parts.summary(self, queries),
        }
    }
}

/// The mean of summaries, with the sum of their `judged`; its value is `None` if one of theirs is, or if there are
/// none.
pub(super) fn mean_of(summaries: impl Iterator<Item = Summary>) -> Summary {
    let mut means = Vec::new();
    let mut whole = Summary::default();
    let mut is_defined = true;
    for summary in summaries {
        is_defined &= summary.value.is_some();
        means.extend(summary.value);
        whole.judged += summary.judged;
        whole.shortage = Shortage::join(whole.shortage, summary.shortage);
    }
    whole.value = (is_defined && !means.is_empty()).then(|| mean::pairwise(&means));
    whole
}
