//! Decisions from several people's responses, and the ground truth made of them.

use indexmap::IndexMap;

use super::CheckedImport;
use crate::annotate::hits::Hits;
use crate::annotate::pool::Pool;
use crate::data::PerDirection;
use crate::data::id::Id;
use crate::session::agreement::JudgedPair;
use crate::truth::judgment::Judgment;
use crate::truth::pairs::{NOT_RELEVANT, POOLED, Pairs};

/// Rule that combines the responses to a pair into a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionRule {
    /// Majority: first relevant or not, then the grade among that side.
    Majority,
    /// Unanimity: a pair is relevant, or not, if nobody disagrees.
    Strict,
}

impl DecisionRule {
    /// Rules and their names.
    pub const ALL: [(DecisionRule, &'static str); 2] =
        [(DecisionRule::Majority, "majority"), (DecisionRule::Strict, "strict")];

    /// The decision on a pair by its judgments; `None` if it is open.
    fn judgment(self, judged: &JudgedPair) -> Option<Judgment> {
        judged.majority().filter(|_| self == Self::Majority || !judged.is_relevance_disputed())
    }
}

/// The decision on a pair with responses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairDecision {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The decision; `None` if open.
    pub judgment: Option<Judgment>,
}

/// Number of pairs by decision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DecisionCounts {
    /// Number of pairs of each judgment, in the order of [`Judgment::ALL`].
    pub judgments: [usize; 4],
    /// Number of open pairs: a tie, no unanimity, or only can't tell.
    pub open: usize,
}

impl DecisionCounts {
    /// Counts the decisions on pairs.
    pub fn from_pairs(decided: &[PairDecision]) -> Self {
        let mut counts = DecisionCounts::default();
        for one in decided {
            match one.judgment {
                Some(judgment) => counts.judgments[judgment as usize] += 1,
                None => counts.open += 1,
            }
        }
        counts
    }
}

impl CheckedImport {
    /// Every pair with responses, and its decision: by the adjudicator, else by the rule.
    pub fn decide(&self, rule: DecisionRule) -> Vec<PairDecision> {
        let decision = |(place, judged): (usize, &JudgedPair)| PairDecision {
            image: judged.image.clone(),
            caption: judged.caption.clone(),
            judgment: self.adjudicated.get(&place).copied().or_else(|| rule.judgment(judged)),
        };
        self.panel.pairs.iter().enumerate().map(decision).collect()
    }
}

/// Ground truth of decisions, in both directions; `None` for a direction without pairs.
///
/// The queries of a direction are those of its HITs and of the pool's proposals in it; without HITs and pool, every
/// image or caption of a decided pair. A pair counts in both directions. Undecided pairs of HITs and pool are pooled. A
/// yes is a positive. With `partial`, a yes has grade 2, and a partial is a positive of grade 1. Any other decision is
/// judged not relevant.
pub fn decided_truth(
    decided: &[PairDecision],
    (hits, pool): (Option<&Hits>, Option<&Pool>),
    partial: bool,
) -> PerDirection<Option<Pairs>> {
    let asks_all = hits.is_none() && pool.is_none();
    let hits = || hits.into_iter().flat_map(|hits| &hits.hits);
    let pooled = || pool.into_iter().flat_map(|pool| &pool.pairs);
    PerDirection::from_fn(|direction| {
        let mut lists = Lists::new();
        for hit in hits().filter(|hit| hit.direction == direction) {
            lists.entry(&hit.query).or_default();
        }
        for pair in pooled() {
            if pair.proposals.iter().any(|one| one.direction == direction) {
                let (query, _) = direction.query_and_item(&pair.image, &pair.caption);
                lists.entry(query).or_default();
            }
        }
        let candidates = hits().flat_map(|hit| &hit.items).filter(|item| item.golden.is_none());
        let open = candidates.map(|item| (&item.image, &item.caption));
        let open = open.chain(pooled().map(|pair| (&pair.image, &pair.caption)));
        let decided = decided.iter().map(|one| (&one.image, &one.caption, one.judgment));
        for (image, caption, judgment) in decided.chain(open.map(|(of, with)| (of, with, None))) {
            let (query, item) = direction.query_and_item(image, caption);
            if asks_all {
                lists.entry(query).or_default();
            }
            if let Some(items) = lists.get_mut(query) {
                items.entry(item).or_insert(judgment);
            }
        }
        (!lists.is_empty()).then(|| graded_pairs(&lists, partial))
    })
}

/// Judgments of items by query, in order of first occurrence; `None` if not decided.
type Lists<'a> = IndexMap<&'a Id, IndexMap<&'a Id, Option<Judgment>>>;

/// Judged pairs, by query. With `partial`, a yes has grade 2 and a partial 1; else a yes has grade 1.
fn graded_pairs(lists: &Lists, partial: bool) -> Pairs {
    let grade = |judgment: Option<Judgment>| match judgment {
        None => POOLED,
        Some(Judgment::Yes) => 1 + i64::from(partial),
        Some(Judgment::Partial) if partial => 1,
        Some(_) => NOT_RELEVANT,
    };
    let graded = lists.iter().map(|(query, items)| {
        let graded = items.iter().map(|(id, judgment)| ((*id).clone(), grade(*judgment)));
        ((*query).clone(), graded.collect::<Vec<_>>())
    });
    Pairs::with_grades(graded, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Timestamp;

    fn judged(judgments: &[Judgment]) -> JudgedPair {
        let given = judgments.iter().map(|&judgment| (judgment, Timestamp::from_seconds(1)));
        JudgedPair {
            image: Id::Number(1),
            caption: Id::Number(2),
            judgments: given.enumerate().collect(),
        }
    }

    #[test]
    fn the_strict_rule_needs_unanimity() {
        use Judgment::{No, Partial, Yes};
        let of = |rule: DecisionRule, judgments: &[Judgment]| rule.judgment(&judged(judgments));
        assert_eq!(of(DecisionRule::Majority, &[Yes, Yes, No]), Some(Yes));
        assert_eq!(of(DecisionRule::Strict, &[Yes, Yes, No]), None);
        assert_eq!(of(DecisionRule::Strict, &[Yes, Partial]), Some(Partial));
        assert_eq!(of(DecisionRule::Strict, &[]), None);
    }

    #[test]
    fn decisions_count_in_both_directions() {
        let pair = |image, caption, judgment| PairDecision {
            image: Id::Number(image),
            caption: Id::Number(caption),
            judgment,
        };
        let decided = [
            pair(9, 3, Some(Judgment::Yes)),
            pair(9, 4, Some(Judgment::Partial)),
            pair(8, 3, Some(Judgment::No)),
            pair(8, 4, None),
        ];
        let text = |pairs: &Pairs| serde_json::to_string(pairs).unwrap();
        let both = |partial| {
            let truth = decided_truth(&decided, (None, None), partial);
            [truth.i2t.unwrap(), truth.t2i.unwrap()]
        };
        let [i2t, t2i] = both(false);
        assert_eq!(text(&i2t), r#"{"9":[3],"8":[]}"#);
        assert_eq!(text(&t2i), r#"{"3":[9],"4":[]}"#);
        assert_eq!(text(&t2i.filter_grade(NOT_RELEVANT).unwrap()), r#"{"3":[8],"4":[9]}"#);
        assert_eq!(text(&i2t.filter_grade(POOLED).unwrap()), r#"{"8":[4]}"#);
        let [partial, _] = both(true);
        assert_eq!(text(&partial), r#"{"9":[3,4],"8":[]}"#);
        assert_eq!(partial.highest_grade(), Some(2));
    }
}
