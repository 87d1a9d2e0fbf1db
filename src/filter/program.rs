//! An expression with all names looked up, and its value for a query.
//!
//! `None` is *unknown*: the truth does not judge the query, the metric is undefined, the ranking
//! ends too early.

use std::borrow::Cow;

use super::made::Made;
use super::syntax::{Arithmetic, Comparison};
use super::view::{Facts, Missing, Needs, View};
use crate::data::Direction;
use crate::data::id::Id;
use crate::metric::Spec;
use crate::metric::depth::Reads;
use crate::rank::QueryRanks;
use crate::rank::edited::Edited;

/// Numbers that are nearer to each other than this are equal: means of many terms differ in their
/// last digits from the fraction that a person writes.
pub const CLOSE: f64 = 1e-9;

/// A number of a query. Places are those in the list of views that the expression needs.
#[derive(Debug, Clone)]
pub(super) enum Number {
    Constant(f64),
    Metric(usize, Spec),
    Rank(usize),
    PositivesInTop(usize, u32),
    /// The rich truths, the original one, and the depth.
    ExtraInTop(Vec<usize>, usize, u32),
    /// R under a truth.
    Listed(usize),
    /// Whether a truth judges it.
    Judged(usize),
    Words,
    Picked,
    Verdicts,
    /// Whether a model's first item is a hub.
    Hub(usize),
    /// Whether a model's first item has the words of one that is right under a truth.
    NearDuplicate(usize, usize),
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
    FirstItem(usize),
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

/// What is looked up for the queries of a direction.
#[derive(Clone)]
pub(super) struct Source<'a> {
    facts: &'a dyn Facts,
    direction: Direction,
    /// The ranks of each view needed, and its truth.
    ranks: Vec<(&'a Edited, usize)>,
}

impl<'a> Source<'a> {
    /// Finds all that is needed; the first thing that is missing is the error.
    pub fn new(facts: &'a dyn Facts, direction: Direction, needs: &Needs) -> Result<Self, Missing> {
        let find = |&view: &View| {
            let ranks = facts.ranks(view).ok_or(Missing::Ranks(view))?;
            Ok((ranks, view.truth))
        };
        let ranks = needs.views.iter().map(find).collect::<Result<_, _>>()?;
        let lacks = |model: &&usize| facts.heads(**model).is_none();
        if let Some(&model) = needs.heads.iter().find(lacks) {
            return Err(Missing::Heads(model));
        }
        if needs.texts && facts.texts().is_none() {
            return Err(Missing::Texts);
        }
        Ok(Source {
            facts,
            direction,
            ranks,
        })
    }

    /// A query's ranks in a view; `None` where they do not cover it.
    pub fn query(&self, view: usize, query: usize) -> Option<QueryRanks<'a>> {
        let (ranks, truth) = self.ranks[view];
        let relevance = self.facts.truth(truth).relevance[self.direction].as_ref()?;
        let place = relevance.place(query)?;
        let queries = ranks.queries();
        if queries.get(place) == Some(&(query as u32)) {
            return Some(ranks.query(place));
        }
        // The ranks of a part of the gallery have some of the queries, in the same order.
        let by_place = |&other: &u32| relevance.place(other as usize).cmp(&Some(place));
        let found = queries.binary_search_by(by_place).ok()?;
        Some(ranks.query(found))
    }

    /// A query's text: of an image its first caption.
    pub fn text(&self, query: usize) -> Option<&'a str> {
        let study = self.facts.study();
        let caption = match self.direction {
            Direction::T2i => query,
            Direction::I2t => study.own(Direction::I2t, query).first()? as usize,
        };
        Some(study.gallery.texts.get(caption)?.shown())
    }

    fn id(&self, of: &Words, query: usize) -> Option<&'a Id> {
        let gallery = &self.facts.study().gallery;
        match of {
            Words::FirstItem(model) => {
                let first = self.first_item(*model, query)?;
                Some(&gallery.items(self.direction)[first as usize])
            }
            _ => Some(&gallery.queries(self.direction)[query]),
        }
    }

    fn first_item(&self, model: usize, query: usize) -> Option<u32> {
        self.facts.heads(model)?.retrieved.first(query as u32)
    }

    /// Whether the words of a model's first item are those of one that is right: of a caption
    /// themselves, of an image those of one of its captions. Unknown where the truth does not judge the
    /// query.
    fn near_duplicate(&self, (model, truth): (usize, usize), query: usize) -> Option<bool> {
        let first = self.first_item(model, query)?;
        let relevance = self.facts.truth(truth).relevance[self.direction].as_ref()?;
        let place = relevance.place(query)?;
        let texts = self.facts.texts()?;
        Some(match self.direction {
            Direction::I2t => {
                let nothing = Made::default();
                let made = self.facts.made().unwrap_or(&nothing);
                let mut right = made.right(relevance, place);
                right.any(|right| texts.is_same(first, right))
            }
            Direction::T2i => {
                let own = self.facts.study().own(Direction::I2t, first as usize);
                own.iter().any(|own| texts.is_same(own, query as u32))
            }
        })
    }
}

impl Number {
    /// Its value for a query.
    pub fn of(&self, source: &Source<'_>, query: usize) -> Option<f64> {
        let truth = |truth: usize| source.facts.truth(truth).relevance[source.direction].as_ref();
        let flag = |is: bool| Some(f64::from(u8::from(is)));
        let made = source.facts.made();
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
                flag(source.facts.heads(*model)?.hubness.is_hub(first))
            }
            Number::NearDuplicate(model, truth) => {
                flag(source.near_duplicate((*model, *truth), query)?)
            }
            Number::Negative(number) => Some(-number.of(source, query)?),
            Number::Arithmetic(how, left, right) => {
                let value = how.of(left.of(source, query)?, right.of(source, query)?);
                Some(value).filter(|value| value.is_finite())
            }
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
    rich: &[usize],
    original: usize,
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
    fn of(self, left: f64, right: f64) -> f64 {
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
        assert_eq!(
            compare_id(Comparison::Less, &Id::Number(2), 3.0),
            Some(true)
        );
    }
}
