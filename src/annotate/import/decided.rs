//! What the answers of several people come to, and the ground truth that it makes.

use rustc_hash::FxHashSet;

use super::Checked;
use crate::annotate::hits::Hits;
use crate::annotate::pool::Pool;
use crate::data::id::Id;
use crate::data::{Direction, PerDirection};
use crate::session::agreement::Judged;
use crate::truth::pairs::Pairs;
use crate::truth::verdict::Verdict;

/// How several answers become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// What most say: first relevant or not, then the grade among those who say so.
    Majority,
    /// What all say: a pair is relevant, or not, where nobody says otherwise.
    Strict,
}

impl Rule {
    /// Each rule with its word.
    pub const ALL: [(Rule, &'static str); 2] =
        [(Rule::Majority, "majority"), (Rule::Strict, "strict")];

    fn verdict(self, judged: &Judged) -> Option<Verdict> {
        judged.majority().filter(|_| self == Rule::Majority || !judged.differs())
    }
}

/// A pair that people answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// What was decided; `None` where it is open.
    pub verdict: Option<Verdict>,
}

/// How many pairs came out as what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Decision {
    /// Pairs of each verdict, in the order of [`Verdict::ALL`].
    pub verdicts: [usize; 4],
    /// Pairs that are open: as many say relevant as not, not all say the same, or nobody could tell.
    pub open: usize,
}

impl Decision {
    /// Counts pairs.
    pub fn of(decided: &[Decided]) -> Self {
        let mut counts = Decision::default();
        for one in decided {
            match one.verdict {
                Some(verdict) => counts.verdicts[verdict as usize] += 1,
                None => counts.open += 1,
            }
        }
        counts
    }
}

impl Checked {
    /// Every pair that was answered, and what was decided: by the adjudicator, else by the rule.
    pub fn decided(&self, rule: Rule) -> Vec<Decided> {
        let one = |judged: &Judged| {
            let pair = (judged.image.clone(), judged.caption.clone());
            let verdict = self.adjudicated.get(&pair).copied();
            Decided {
                verdict: verdict.or_else(|| rule.verdict(judged)),
                image: pair.0,
                caption: pair.1,
            }
        };
        self.panel.pairs.iter().map(one).collect()
    }
}

/// A ground truth of what was decided, in both directions; `None` where nothing was asked in one.
///
/// Queries are those that HITs asked for in this direction, and those for which the pool proposed anything; without
/// either, every image and caption of a pair. A pair counts in both directions. What HITs and the pool have and nobody
/// decided is pooled. A yes is a positive, and with `partial` a partial too: these have the grades 2 and 1 then.
/// Everything else that was decided is judged not relevant.
pub fn truth(
    decided: &[Decided],
    (hits, pool): (Option<&Hits>, Option<&Pool>),
    partial: bool,
) -> PerDirection<Option<Pairs>> {
    let hits = || hits.into_iter().flat_map(|hits| &hits.hits);
    let pooled = || pool.into_iter().flat_map(|pool| &pool.pairs);
    PerDirection::from_fn(|direction| {
        let mut lists = Lists::default();
        let of_direction = hits().filter(|hit| hit.direction == direction);
        of_direction.for_each(|hit| lists.ask(&hit.query));
        for pair in pooled() {
            let mut proposals = pair.proposals.iter();
            if proposals.any(|one| one.direction == direction) {
                lists.ask(asked(direction, &pair.image, &pair.caption).0);
            }
        }
        let is_all = hits().next().is_none() && pool.is_none();
        for one in decided {
            let (query, item) = asked(direction, &one.image, &one.caption);
            lists.add(query, item, one.verdict, is_all);
        }
        let candidates = hits().flat_map(|hit| &hit.items);
        let candidates = candidates.filter(|item| item.golden.is_none());
        let candidates = candidates.map(|item| (&item.image, &item.caption));
        let open = candidates.chain(pooled().map(|pair| (&pair.image, &pair.caption)));
        for (image, caption) in open {
            let (query, item) = asked(direction, image, caption);
            lists.add(query, item, None, false);
        }
        (!lists.queries.is_empty()).then(|| lists.pairs(partial))
    })
}

fn asked<'a>(direction: Direction, image: &'a Id, caption: &'a Id) -> (&'a Id, &'a Id) {
    match direction {
        Direction::I2t => (image, caption),
        Direction::T2i => (caption, image),
    }
}

/// Lists by query, in the order in which queries were met.
#[derive(Default)]
struct Lists<'a> {
    queries: Vec<&'a Id>,
    places: rustc_hash::FxHashMap<&'a Id, usize>,
    items: Vec<Vec<(&'a Id, Option<Verdict>)>>,
    met: FxHashSet<(&'a Id, &'a Id)>,
}

impl<'a> Lists<'a> {
    fn ask(&mut self, query: &'a Id) {
        self.places.entry(query).or_insert_with(|| {
            self.queries.push(query);
            self.items.push(Vec::new());
            self.queries.len() - 1
        });
    }

    /// Adds an item, unless it was met before; of a query that nobody asked for only where `is_asked`.
    fn add(&mut self, query: &'a Id, item: &'a Id, verdict: Option<Verdict>, is_asked: bool) {
        if is_asked {
            self.ask(query);
        }
        if let Some(&place) = self.places.get(query)
            && self.met.insert((query, item))
        {
            self.items[place].push((item, verdict));
        }
    }

    /// What of each item stands in a list, by query.
    fn lists<T>(&self, of: impl Fn(&Id, Option<Verdict>) -> Option<T>) -> Vec<(Id, Vec<T>)> {
        let lists = self.queries.iter().zip(&self.items).map(|(query, items)| {
            let kept = items.iter().filter_map(|(id, verdict)| of(id, *verdict));
            ((*query).clone(), kept.collect())
        });
        lists.collect()
    }

    fn ids(&self, is_kept: impl Fn(Option<Verdict>) -> bool) -> Pairs {
        let lists = self.lists(|id, verdict| is_kept(verdict).then(|| id.clone()));
        lists.into_iter().collect()
    }

    /// With `partial`, a yes has grade 2 and a partial 1.
    fn pairs(&self, partial: bool) -> Pairs {
        let grade = |verdict| match verdict {
            Verdict::Yes => Some(2),
            Verdict::Partial if partial => Some(1),
            _ => None,
        };
        let is_positive = |verdict: Verdict| grade(verdict).is_some();
        let positives = if partial {
            Pairs::with_grades(self.lists(|id, verdict| Some((id.clone(), grade(verdict?)?))), 1)
        } else {
            self.ids(|verdict| verdict.is_some_and(is_positive))
        };
        positives
            .beside(self.ids(|verdict| verdict.is_some_and(|verdict| !is_positive(verdict))))
            .with_pooled(self.ids(|verdict| verdict.is_none()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Timestamp;

    fn judged(verdicts: &[Verdict]) -> Judged {
        let given = verdicts.iter().map(|&verdict| (verdict, Timestamp::of_seconds(1)));
        Judged {
            image: Id::Number(1),
            caption: Id::Number(2),
            verdicts: given.enumerate().collect(),
        }
    }

    #[test]
    fn the_strict_rule_asks_all() {
        use Verdict::{No, Partial, Yes};
        let of = |rule: Rule, verdicts: &[Verdict]| rule.verdict(&judged(verdicts));
        assert_eq!(of(Rule::Majority, &[Yes, Yes, No]), Some(Yes));
        assert_eq!(of(Rule::Strict, &[Yes, Yes, No]), None);
        assert_eq!(of(Rule::Strict, &[Yes, Partial]), Some(Partial));
        assert_eq!(of(Rule::Strict, &[]), None);
    }

    #[test]
    fn what_is_decided_stands_in_both_directions() {
        let pair = |image, caption, verdict| Decided {
            image: Id::Number(image),
            caption: Id::Number(caption),
            verdict,
        };
        let decided = [
            pair(9, 3, Some(Verdict::Yes)),
            pair(9, 4, Some(Verdict::Partial)),
            pair(8, 3, Some(Verdict::No)),
            pair(8, 4, None),
        ];
        let text = |pairs: &Pairs| serde_json::to_string(pairs).unwrap();
        let both = |partial| {
            let truth = truth(&decided, (None, None), partial);
            [truth.i2t.unwrap(), truth.t2i.unwrap()]
        };
        let [i2t, t2i] = both(false);
        assert_eq!(text(&i2t), r#"{"9":[3],"8":[]}"#);
        assert_eq!(text(&t2i), r#"{"3":[9],"4":[]}"#);
        assert_eq!(text(t2i.nonrelevant().unwrap()), r#"{"3":[8],"4":[9]}"#);
        assert_eq!(text(i2t.pooled().unwrap()), r#"{"9":[],"8":[4]}"#);
        let [partial, _] = both(true);
        assert_eq!(text(&partial), r#"{"9":[3,4],"8":[]}"#);
        assert_eq!(partial.grades(0), Some(&[2, 1][..]));
    }
}
