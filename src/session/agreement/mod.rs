//! Judgments of several annotators: majority and agreement.

mod alpha;
mod measure;

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

use super::{JudgmentEntry, Timestamp, image_key};
use crate::data::id::Id;
use crate::data::text::shown;
use crate::truth::judgment::Judgment;

use alpha::{Coincidences, Scale, alpha};

pub use alpha::Alpha;
use measure::equal_share;
pub use measure::{Kappa, Weights};

/// A panel of annotators, and all their judgments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Panel {
    /// The annotators, in the order of their first judgment.
    pub annotators: Vec<String>,
    /// Every pair with a judgment, in the order of the first one.
    pub pairs: Vec<JudgedPair>,
    /// Index in `pairs` by the ids of image and caption.
    pair_indices: HashMap<(Id, Id), usize>,
}

/// A pair with all its judgments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedPair {
    /// Id of the image, as the first judgment writes it.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// Each judgment and when it was given, by index of the annotator in [`Panel::annotators`].
    pub judgments: BTreeMap<usize, (Judgment, Timestamp)>,
}

impl JudgedPair {
    /// Majority judgment: first relevant (yes, partial) or not (mostly-no, no), then the more frequent judgment of that
    /// side; if both are equally frequent, the middle one: partial, mostly-no. `None` if as many say relevant as not.
    pub fn majority(&self) -> Option<Judgment> {
        use Judgment::{MostlyNo, No, Partial, Yes};
        let votes =
            |wanted: Judgment| self.judgments.values().filter(|(one, _)| *one == wanted).count();
        let side = |extreme, middle| votes(extreme) + votes(middle);
        let (extreme, middle) = match side(Yes, Partial).cmp(&side(No, MostlyNo)) {
            Ordering::Greater => (Yes, Partial),
            Ordering::Less => (No, MostlyNo),
            Ordering::Equal => return None,
        };
        Some(if votes(extreme) > votes(middle) { extreme } else { middle })
    }

    /// Whether some annotators judged it relevant, and others not.
    pub fn is_relevance_disputed(&self) -> bool {
        are_mixed(self.judgments.values().map(|(judgment, _)| judgment.is_positive()))
    }

    /// Whether annotators gave different judgments.
    pub fn is_disputed(&self) -> bool {
        are_mixed(self.judgments.values().map(|(judgment, _)| judgment))
    }
}

/// Agreement of two annotators on the pairs that both judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// Indices of both in [`Panel::annotators`].
    pub annotators: [usize; 2],
    /// Number of pairs that both judged.
    pub pairs: u64,
    /// Key of a scale, share of pairs in the same class (`None` for weighted scales), and kappa (`None` if undefined).
    /// The scales: the four judgments unweighted, then with linear and with quadratic weights in the order yes,
    /// partial, mostly-no, no; last, relevant or not.
    pub scales: [(&'static str, Option<f64>, Option<Kappa>); 4],
}

impl Panel {
    /// Index in `pairs` of the pair of an entry; adds the pair if it is new.
    pub fn find_or_add_pair(&mut self, entry: &JudgmentEntry) -> usize {
        let key = (image_key(&entry.image).into_owned(), entry.caption.clone());
        let index = *self.pair_indices.entry(key).or_insert(self.pairs.len());
        if index == self.pairs.len() {
            self.pairs.push(JudgedPair {
                image: entry.image.clone(),
                caption: entry.caption.clone(),
                judgments: BTreeMap::new(),
            });
        }
        index
    }

    /// Adds a judgment, which replaces an earlier one of the same annotator on the pair; can't tell adds only the pair.
    pub fn add_judgment(&mut self, entry: &JudgmentEntry) {
        let pair = self.find_or_add_pair(entry);
        let Some(judgment) = entry.judgment else { return };
        let known = self.annotators.iter().position(|name| *name == entry.by);
        let annotator = known.unwrap_or_else(|| {
            self.annotators.push(entry.by.clone());
            self.annotators.len() - 1
        });
        let given = (judgment, entry.at);
        let kept = self.pairs[pair].judgments.entry(annotator).or_insert(given);
        if kept.1 <= entry.at {
            *kept = given;
        }
    }

    /// The name of an annotator, by index in [`Panel::annotators`], safe to show.
    pub fn name(&self, annotator: usize) -> String {
        shown(&self.annotators[annotator])
    }

    /// Number of pairs with two or more judgments.
    pub fn judged_by_several(&self) -> usize {
        self.pairs.iter().filter(|pair| pair.judgments.len() > 1).count()
    }

    /// The pairs to which annotators gave different judgments.
    pub fn disputed(&self) -> impl Iterator<Item = &JudgedPair> {
        self.pairs.iter().filter(|pair| pair.is_disputed())
    }

    /// Agreement of every two annotators with pairs in common.
    pub fn agreements(&self) -> Vec<Agreement> {
        let mut tables: BTreeMap<[usize; 2], [[u64; 4]; 4]> = BTreeMap::new();
        for pair in &self.pairs {
            for (&first, (row, _)) in &pair.judgments {
                for (&second, (column, _)) in pair.judgments.range(first + 1..) {
                    tables.entry([first, second]).or_default()[*row as usize][*column as usize] +=
                        1;
                }
            }
        }
        let agreement = |(annotators, table): ([usize; 2], [[u64; 4]; 4])| {
            let (yes_no, kappa) = (fold(&table), |weights| Kappa::from_table(&table, weights));
            Agreement {
                annotators,
                pairs: table.iter().flatten().sum(),
                scales: [
                    ("judgments", equal_share(&table), kappa(Weights::Plain)),
                    ("linear", None, kappa(Weights::Linear)),
                    ("quadratic", None, kappa(Weights::Quadratic)),
                    ("yes_no", equal_share(&yes_no), Kappa::from_table(&yes_no, Weights::Plain)),
                ],
            }
        };
        tables.into_iter().map(agreement).collect()
    }

    /// Key of a scale, and Krippendorff's alpha over pairs with two or more judgments, `None` if undefined: nominal and
    /// ordinal over the four judgments, then relevant or not.
    pub fn alphas(&self) -> [(&'static str, Option<Alpha>); 3] {
        let classes = |pair: &JudgedPair| {
            let judgments = pair.judgments.values();
            judgments.map(|(judgment, _)| *judgment as usize).collect()
        };
        let units: Vec<Vec<usize>> = self.pairs.iter().map(classes).collect();
        let [nominal, ordinal, yes_no] = Alpha::with_intervals::<4, 3>(&units, |all| {
            let yes_no: Vec<Coincidences<2>> = all.iter().map(fold).collect();
            [alpha(all, Scale::Nominal), alpha(all, Scale::Ordinal), alpha(&yes_no, Scale::Nominal)]
        });
        [("nominal", nominal), ("ordinal", ordinal), ("yes_no", yes_no)]
    }
}

/// Whether not all are equal.
fn are_mixed<T: PartialEq>(mut all: impl Iterator<Item = T>) -> bool {
    let first = all.next();
    all.any(|other| Some(other) != first)
}

/// Sums a table of the four judgments up to one of relevant and not relevant.
fn fold<T: Copy + Default + AddAssign>(table: &[[T; 4]; 4]) -> [[T; 2]; 2] {
    let side = |class: usize| usize::from(!Judgment::ALL[class].is_positive());
    let mut sums = [[T::default(); 2]; 2];
    for (row, counts) in table.iter().enumerate() {
        for (column, &count) in counts.iter().enumerate() {
            sums[side(row)][side(column)] += count;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caption, judgment, time and annotator.
    fn panel(lines: &[(i64, Judgment, i64, &str)]) -> Panel {
        let mut panel = Panel::default();
        for &(caption, judgment, at, by) in lines {
            let (caption, at) = (Id::Number(caption), Timestamp::from_seconds(at));
            panel.add_judgment(&JudgmentEntry::new(Id::Number(1), caption, Some(judgment), at, by));
        }
        panel
    }

    #[test]
    fn the_majority_decides_and_ties_are_left_open() {
        use Judgment::{No, Partial, Yes};
        let a = [(1, Yes, 1, "a"), (2, Yes, 1, "a"), (3, No, 1, "a"), (4, Yes, 5, "a")];
        let b = [(1, Yes, 9, "b"), (2, No, 1, "b"), (3, Partial, 1, "b")];
        let c = [(1, No, 2, "c"), (4, No, 4, "a"), (3, Yes, 1, "c")];
        let panel = panel(&[&a[..], &b, &c].concat());
        assert_eq!(panel.annotators, ["a", "b", "c"]);
        let majorities: Vec<_> = panel.pairs.iter().map(JudgedPair::majority).collect();
        assert_eq!(majorities, [Some(Yes), None, Some(Partial), Some(Yes)]);
        assert_eq!((panel.judged_by_several(), panel.disputed().count()), (3, 3));
    }

    /// Relevant or not is decided first: two grades of relevant outvote one "no".
    #[test]
    fn sides_are_settled_before_grades() {
        use Judgment::{MostlyNo, No, Partial, Yes};
        let settled = |judgments: &[Judgment]| {
            let given = judgments.iter().map(|&v| (v, Timestamp::from_seconds(1)));
            JudgedPair {
                image: Id::Number(1),
                caption: Id::Number(1),
                judgments: given.enumerate().collect(),
            }
            .majority()
        };
        for (judgments, expected) in [
            (&[Yes, Partial, No][..], Some(Partial)),
            (&[No, No, Yes, Yes, Partial], Some(Yes)),
            (&[No, MostlyNo, Yes], Some(MostlyNo)),
            (&[No, No, MostlyNo], Some(No)),
            (&[Yes, Partial], Some(Partial)),
            (&[Yes, Yes, No, MostlyNo], None),
            (&[No], Some(No)),
        ] {
            assert_eq!(settled(judgments), expected, "{judgments:?}");
        }
    }

    #[test]
    fn agreement_is_over_the_pairs_that_both_judged() {
        use Judgment::{MostlyNo, No, Partial, Yes};
        let panel = panel(&[
            (1, Yes, 1, "a"),
            (2, No, 1, "a"),
            (3, No, 1, "a"),
            (7, Yes, 1, "a"),
            (1, Partial, 1, "b"),
            (2, No, 1, "b"),
            (3, MostlyNo, 1, "b"),
            (8, No, 1, "b"),
        ]);
        let [found] = &panel.agreements()[..] else { panic!() };
        assert_eq!((found.annotators, found.pairs), ([0, 1], 3));
        // Classes: 1 of 3 alike, e = (1 * 0 + 0 * 1 + 0 * 1 + 2 * 1) / 9.
        for (at, expected) in [(0, [1.0 / 3.0, 1.0 / 7.0]), (3, [1.0, 1.0])] {
            let (_, observed, kappa) = found.scales[at];
            assert_eq!(observed, Some(expected[0]));
            assert!((kappa.unwrap().value - expected[1]).abs() < 1e-15);
        }
    }
}
