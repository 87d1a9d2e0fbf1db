//! An expression with all names looked up, and its value for a query.
//!
//! `None` is *unknown*: the truth does not judge the query, the metric is undefined, the ranking
//! ends too early.

use std::borrow::Cow;

use super::facts::RanksOf;
use super::source::Source;
use super::syntax::{Arithmetic, Comparison};
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::metric::depth::Reads;
use crate::metric::{CLOSE, Spec};
use crate::rank::QueryRanks;
use crate::study::series::{Kind, first_step};

/// A number of a query.
#[derive(Debug, Clone)]
pub(super) enum Number {
    Constant(f64),
    Metric(RanksOf, Spec),
    Rank(RanksOf),
    PositivesInTop(RanksOf, u32),
    /// The rich truths, the original one, and the depth.
    ExtraInTop(Vec<RanksOf>, RanksOf, u32),
    /// phi of the first item.
    Phi(RanksOf),
    /// The greatest phi below a depth.
    MissedPhi(RanksOf, u32),
    /// R under a truth.
    Listed(TruthIx),
    /// Whether a truth judges it.
    Judged(TruthIx),
    Words,
    Picked,
    Verdicts,
    /// Whether a model's first item is a hub.
    Hub(ModelIx),
    /// Whether a model's first item has the words of one that is right under a truth.
    NearDuplicate(ModelIx, TruthIx),
    /// Phrases without counterpart in the pair of the query and a model's first item; or only those of which
    /// nothing has any type.
    Lacking(ModelIx, bool),
    /// Whether the caption is listed as one that says nothing of its image.
    Unrelated,
    /// Whether it is learned so over the steps of a training, each a view.
    Learning(Kind, Vec<RanksOf>),
    /// The number of the first step at which it is correct, of steps with their numbers.
    FirstRightStep(Vec<RanksOf>, Vec<u64>),
    Negative(Box<Number>),
    Arithmetic(Arithmetic, Box<Number>, Box<Number>),
}

/// A text of a query.
#[derive(Debug, Clone)]
pub(super) enum Words {
    Constant(String),
    Text,
    Id,
    /// The id of a model's first item.
    FirstItem(ModelIx),
}

impl Words {
    /// Whether it is an id: a number, or a text.
    pub fn is_id(&self) -> bool {
        matches!(self, Words::Id | Words::FirstItem(_))
    }
}

/// What a query meets or does not meet.
#[derive(Debug, Clone)]
pub(super) enum Condition {
    Flag(Number),
    Compare(Comparison, Number, Number),
    SameText(Words, Words),
    /// The words, in lower case, are part of the text.
    Like(Words, String),
    IsId(Words, Id),
    CompareId(Comparison, Words, Number),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Number {
    /// Its value for a query.
    pub fn of(&self, source: &Source<'_>, query: usize) -> Option<f64> {
        let truth = |truth: TruthIx| source.facts.truth(truth).relevance[source.direction].as_ref();
        let flag = |is: bool| Some(f64::from(u8::from(is)));
        let made = source.facts.user_marks();
        match self {
            Number::Constant(number) => Some(*number),
            Number::Metric(view, spec) => spec.per_query(source.query(*view, query)?),
            Number::Rank(view) => first(source.query(*view, query)?).map(f64::from),
            Number::PositivesInTop(view, k) => {
                let ranks = source.query(*view, query)?;
                let known = ranks.is_known_to(*k);
                known.then(|| ranks.ranks.count_to(*k) as f64)
            }
            Number::ExtraInTop(rich, original, k) => extra(source, query, rich, *original, *k),
            Number::Phi(view) => source.query(*view, query)?.similarity?.first(),
            Number::MissedPhi(view, k) => {
                let ranks = source.query(*view, query)?;
                let known = Reads::Items(*k).known_in(ranks);
                ranks.similarity.filter(|_| known)?.missed(*k)
            }
            Number::Listed(at) => {
                let relevance = truth(*at)?;
                let place = relevance.place(query)?;
                let listed = made.map(|made| made.listed(relevance, place));
                Some(f64::from(listed.unwrap_or_else(|| relevance.listed(place))))
            }
            Number::Judged(at) => flag(truth(*at)?.place(query).is_some()),
            Number::Words => Some(source.text(query)?.split_whitespace().count() as f64),
            Number::Picked => flag(made.is_some_and(|made| made.is_picked(query))),
            Number::Verdicts => Some(made.map_or(0, |made| made.verdicts(query)) as f64),
            Number::Hub(model) => {
                let first = source.first_item(*model, query)?;
                flag(source.facts.top_k(*model)?.hubness.is_hub(first))
            }
            Number::NearDuplicate(model, truth) => {
                flag(source.near_duplicate((*model, *truth), query)?)
            }
            Number::Lacking(model, is_by_type) => {
                let lacking = source.lacking(*model, query)?;
                let counted = lacking.iter().filter(|of| of.of_no_type || !is_by_type);
                Some(counted.count() as f64)
            }
            Number::Unrelated => flag(source.is_unrelated(query)?),
            Number::Learning(kind, steps) => {
                flag(Kind::of(&source.correct(steps, query)?) == *kind)
            }
            Number::FirstRightStep(steps, numbers) => {
                let first = first_step(&source.correct(steps, query)?)?;
                Some(numbers[first] as f64)
            }
            Number::Negative(number) => Some(-number.of(source, query)?),
            Number::Arithmetic(how, left, right) => {
                let value = how.of(left.of(source, query)?, right.of(source, query)?);
                Some(value).filter(|value| value.is_finite())
            }
        }
    }
}

impl Number {
    /// Whether its value is known for a query.
    fn is_known(&self, source: &Source<'_>, query: usize) -> bool {
        match self {
            Number::NearDuplicate(model, truth) => source.is_compared((*model, *truth), query),
            Number::Negative(number) => number.is_known(source, query),
            _ => self.of(source, query).is_some(),
        }
    }
}

/// The rank of the first positive, where the ranking goes as far.
pub(super) fn first(query: QueryRanks<'_>) -> Option<u32> {
    let known = Reads::First.known_in(query);
    query.first().filter(|_| known)
}

/// Positives of any rich truth among the first `k` items that the original truth does not list: an
/// item is known by its rank. Unknown where no rich truth, or not the original, judges the query.
fn extra(
    source: &Source<'_>,
    query: usize,
    rich: &[RanksOf],
    original: RanksOf,
    k: u32,
) -> Option<f64> {
    let original = source.query(original, query)?.ranks;
    let of_truths = || rich.iter().filter_map(|&view| source.query(view, query));
    let mut judged = false;
    let mut count = 0;
    for (at, ranks) in of_truths().enumerate() {
        if !ranks.is_known_to(k) {
            return None;
        }
        judged = true;
        let known = |rank| {
            let mut before = of_truths().take(at);
            original.contains(rank) || before.any(|other| other.ranks.contains(rank))
        };
        let top = ranks.ranks.iter().take_while(|&rank| rank <= k);
        count += top.filter(|&rank| !known(rank)).count();
    }
    judged.then_some(count as f64)
}

impl Arithmetic {
    pub(super) fn of(self, left: f64, right: f64) -> f64 {
        match self {
            Arithmetic::Plus => left + right,
            Arithmetic::Minus => left - right,
            Arithmetic::Times => left * right,
            Arithmetic::Over => left / right,
        }
    }
}

impl Comparison {
    fn of(self, left: f64, right: f64) -> bool {
        let same = (left - right).abs() < CLOSE;
        match self {
            Comparison::Equal => same,
            Comparison::Differs => !same,
            Comparison::Less => left < right && !same,
            Comparison::LessOrEqual => left < right || same,
            Comparison::More => left > right && !same,
            Comparison::MoreOrEqual => left > right || same,
        }
    }
}

impl Words {
    fn of<'a>(&'a self, source: &Source<'a>, query: usize) -> Option<Cow<'a, str>> {
        match self {
            Words::Constant(text) => Some(Cow::Borrowed(text)),
            Words::Text => source.text(query).map(Cow::Borrowed),
            id => Some(Cow::Owned(source.id(id, query)?.to_string())),
        }
    }
}

impl Condition {
    /// Whether a query meets it; `None` where that is unknown. What is known of the parts decides
    /// where it can: `false and unknown` is false.
    pub fn of<'a>(&'a self, source: &Source<'a>, query: usize) -> Option<bool> {
        match self {
            Condition::Flag(number) => Some(number.of(source, query)? > 0.0),
            Condition::Compare(how, left, right) => {
                Some(how.of(left.of(source, query)?, right.of(source, query)?))
            }
            Condition::SameText(left, right) => {
                Some(left.of(source, query)? == right.of(source, query)?)
            }
            Condition::Like(text, part) => {
                let text = text.of(source, query)?;
                Some(text.to_lowercase().contains(part.as_str()))
            }
            Condition::IsId(of, id) => Some(source.id(of, query)? == id),
            Condition::CompareId(how, of, number) => {
                compare_id(*how, source.id(of, query)?, number.of(source, query)?)
            }
            Condition::Not(inner) => Some(!inner.of(source, query)?),
            Condition::And(left, right) => match left.of(source, query) {
                Some(false) => Some(false),
                Some(true) => right.of(source, query),
                None => right.of(source, query).filter(|met| !met),
            },
            Condition::Or(left, right) => match left.of(source, query) {
                Some(true) => Some(true),
                Some(false) => right.of(source, query),
                None => right.of(source, query).filter(|met| *met),
            },
        }
    }
}

impl Condition {
    /// Whether all is known that it compares, also where a part decides it.
    pub fn is_told(&self, source: &Source<'_>, query: usize) -> bool {
        match self {
            Condition::Flag(number) => number.is_known(source, query),
            Condition::Compare(_, left, right) => {
                left.is_known(source, query) && right.is_known(source, query)
            }
            Condition::Not(inner) => inner.is_told(source, query),
            Condition::And(left, right) | Condition::Or(left, right) => {
                left.is_told(source, query) && right.is_told(source, query)
            }
            _ => self.of(source, query).is_some(),
        }
    }
}

/// An id that is a text differs from every number, and is neither more nor less.
fn compare_id(how: Comparison, id: &Id, number: f64) -> Option<bool> {
    match (id, how) {
        (Id::Number(id), _) => Some(how.of(*id as f64, number)),
        (Id::Text(_), Comparison::Equal) => Some(false),
        (Id::Text(_), Comparison::Differs) => Some(true),
        (Id::Text(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_numbers_are_equal_in_every_comparison() {
        let third: f64 = 1.0 - 2.0 / 3.0;
        assert!(Comparison::Equal.of(third, 1.0 / 3.0));
        assert!(!Comparison::Less.of(third, 1.0 / 3.0) && !Comparison::More.of(third, 1.0 / 3.0));
        assert!(
            Comparison::LessOrEqual.of(2.0, 3.0) && Comparison::MoreOrEqual.of(third, 1.0 / 3.0)
        );
        assert!(Comparison::Differs.of(0.1, 0.2));
    }

    #[test]
    fn an_id_that_is_a_text_is_no_number() {
        let text = Id::parse("a.jpg");
        assert_eq!(compare_id(Comparison::Differs, &text, 3.0), Some(true));
        assert_eq!(compare_id(Comparison::Less, &text, 3.0), None);
        assert_eq!(compare_id(Comparison::Less, &Id::Number(2), 3.0), Some(true));
    }
}
