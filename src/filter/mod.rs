//! Conditions over queries: a small expression language.
//!
//! ```text
//! broad.r1 == 0 and careful.rich.map_at_r > 50% and extra_in_top(careful, 5) >= 2 and words <= 12
//! ```
//!
//! | what | how |
//! |---|---|
//! | comparisons | `== != < <= > >=`; numbers nearer than 1e-9 are equal |
//! | conditions | `and or not`, brackets |
//! | numbers | `3`, `0.5`, `50%`, with `+ - * /`; no value is compared with one that it never has |
//! | text | `text ~ "red bus"`: the words are part of it, in any case; `==` and `!=` |
//! | names | `model.value`, `truth.value`, both in either order; in backticks or double quotes where they are no plain words |
//! | error types | as they are printed stand for their conditions: `near miss`, `missing label and words <= 8` |
//! | a name of both | `model:NAME.value`, `truth:NAME.value` |
//!
//! A value is that of the [`View`] unless names say otherwise; [`values()`] lists all of them. `r1`,
//! `r5`, `r10`, `judged` and `picked` are 0 or 1 and conditions by themselves.
//!
//! # Unknown values
//!
//! A query that the truth does not judge has no rank, a metric may be undefined, a ranking may end
//! too early: such a value is *unknown*, and so is every comparison with it and the `not` of that.
//! `and` and `or` know what one side decides: `false and unknown` is false, `true or unknown` true. A
//! query meets a condition only where the whole is true; so neither `r1 == 1` nor `not r1 == 1` finds
//! a query that is not judged.
//!
//! # Cost
//!
//! Names are looked up once, by [`Filter::parse`]. What is then needed are the [`Ranks`] of a few
//! views, from whoever has them: [`Facts`]. No ranking is sorted: positives at the same rank are the
//! same item, so extra positives are counted by rank. Only values about the first item itself
//! (`first_item`, `hub`, `near_duplicate`) have the first items of a model looked up.
//!
//! [`Ranks`]: crate::rank::Ranks

mod checks;
mod column;
mod counts;
mod error_names;
mod facts;
mod found;
mod lexer;
mod mistake;
pub mod named;
mod names;
mod parser;
mod program;
mod range;
mod ready;
mod resolve;
mod source;
mod syntax;
mod user_marks;
mod values;

pub use column::Column;
pub use counts::{Counts, of_model};
pub use facts::{Facts, Missing, Needs};
pub use found::{FilterMatches, Marks, MatchedQuery, Question, find};
pub use mistake::Mistake;
pub use names::{value_of_model, value_of_truth};
pub use ready::{Ready, between, first_is, ready, ready_named};
pub use user_marks::UserMarks;
pub use values::values;

use std::ops::Range;

use crate::data::index::{ModelIx, TruthIx};
use crate::data::parallel;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;
use program::{Condition, Number};
use resolve::Resolver;
use source::Source;
use syntax::Node;

/// A condition, ready to be asked of the queries of one direction.
#[derive(Debug, Clone)]
pub struct Filter {
    condition: Condition,
    needs: Needs,
    view: View,
}

/// What a condition found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterAnswer {
    /// Gallery indices of the queries that meet it, ascending.
    pub queries: Vec<u32>,
    /// Queries that have no value to compare: it is not known whether they meet it.
    pub unknown: usize,
}

/// A number of each query, to sort by.
#[derive(Debug, Clone)]
pub struct Key {
    number: Number,
    needs: Needs,
    view: View,
}

impl Filter {
    /// Reads a condition; values without names are those of `view`.
    ///
    /// # Errors
    /// What is no expression, names nothing known, or is no condition, with its place.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method's own path is of one lifetime"
    )]
    pub fn parse(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        let (condition, needs) = parse(text, study, view, |of, node| of.condition(node))?;
        Ok(Filter { condition, needs, view })
    }

    /// What it needs to be known.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The model of its view, then the others that it names.
    pub fn models(&self) -> Vec<ModelIx> {
        let mut models = vec![self.view.model];
        for need in &self.needs.views {
            if !models.contains(&need.model) {
                models.push(need.model);
            }
        }
        models
    }

    /// Which of the queries that a truth judges meet it; `None` where ranks are missing, or where `give_up` says so
    /// meanwhile.
    pub fn answer(
        &self,
        facts: &dyn Facts,
        truth: TruthIx,
        give_up: &dyn Fn() -> bool,
    ) -> Option<FilterAnswer> {
        let asked = self.over(facts).ok()?;
        let judged = facts.truth(truth).relevance[self.view.direction].as_ref();
        let queries = judged.map_or(&[][..], Relevance::queries);
        let mut answer = asked.among(queries, give_up)?;
        answer.queries.sort_unstable();
        Some(answer)
    }

    /// Of how many of the queries that a truth judges all is known that the condition compares: what a
    /// share of those that meet it is a share of. Where values of two truths are compared, these are the
    /// queries that both judge. `None` where ranks are missing.
    pub fn told_of(&self, facts: &dyn Facts, truth: TruthIx) -> Option<usize> {
        let asked = self.over(facts).ok()?;
        let judged = facts.truth(truth).relevance[self.view.direction].as_ref();
        let queries = judged.map_or(&[][..], Relevance::queries);
        Some(count(queries, |query| asked.is_told(query)))
    }

    /// The condition with the facts at hand.
    ///
    /// # Errors
    /// The first thing that is missing.
    pub fn over<'a>(&'a self, facts: &'a dyn Facts) -> Result<BoundFilter<'a>, Missing> {
        Ok(BoundFilter {
            condition: &self.condition,
            source: Source::new(facts, self.view, &self.needs)?,
        })
    }
}

/// Of how many queries, by gallery index, something is so.
fn count(queries: &[u32], is_so: impl Fn(usize) -> bool + Sync) -> usize {
    let is_so = |query: &&u32| is_so(**query as usize);
    let of_range = |range: Range<usize>| queries[range].iter().filter(is_so).count();
    let counts = parallel::map_ranges(queries.len(), AT_ONCE, of_range);
    counts.into_iter().sum()
}

impl Key {
    /// Reads a number, as [`Filter::parse`] reads a condition.
    ///
    /// # Errors
    /// What is no expression, names nothing known, or is no number, with its place.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method's own path is of one lifetime"
    )]
    pub fn parse(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        let (number, needs) = parse(text, study, view, |of, node| of.number(node))?;
        Ok(Key { number, needs, view })
    }

    /// What it needs to be known.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The key with the facts at hand.
    ///
    /// # Errors
    /// The first thing that is missing.
    pub fn over<'a>(&'a self, facts: &'a dyn Facts) -> Result<BoundKey<'a>, Missing> {
        Ok(BoundKey { number: &self.number, source: Source::new(facts, self.view, &self.needs)? })
    }
}

/// The condition of whoever gives none: that the ground truth judges the query.
pub const ALL: &str = "judged";

/// Queries that are asked in a few milliseconds, without any other thread.
pub const AT_ONCE: usize = 1 << 16;

/// A [`Filter`] that can be asked.
pub struct BoundFilter<'a> {
    condition: &'a Condition,
    source: Source<'a>,
}

impl BoundFilter<'_> {
    /// Whether a query, by gallery index, meets the condition; `None` where that is unknown.
    pub fn of(&self, query: usize) -> Option<bool> {
        self.condition.of(&self.source, query)
    }

    /// Whether all is known of a query that the condition compares, also where a part decides it.
    fn is_told(&self, query: usize) -> bool {
        self.condition.is_told(&self.source, query)
    }

    /// Which of these queries meet it, in their order; `None` where `give_up` says so meanwhile.
    fn among(&self, queries: &[u32], give_up: &dyn Fn() -> bool) -> Option<FilterAnswer> {
        if queries.len() <= AT_ONCE {
            return Some(self.one_by_one(queries));
        }
        let mut answer = FilterAnswer::default();
        for block in queries.chunks(AT_ONCE) {
            if give_up() {
                return None;
            }
            let of_range = |range: Range<usize>| self.one_by_one(&block[range]);
            let parts = parallel::map_ranges(block.len(), parallel::step(block.len()), of_range);
            for part in parts {
                answer.queries.extend(part.queries);
                answer.unknown += part.unknown;
            }
        }
        Some(answer)
    }

    fn one_by_one(&self, queries: &[u32]) -> FilterAnswer {
        let mut answer = FilterAnswer::default();
        for &query in queries {
            match self.of(query as usize) {
                Some(true) => answer.queries.push(query),
                Some(false) => {}
                None => answer.unknown += 1,
            }
        }
        answer
    }
}

/// A [`Key`] that can be asked.
pub struct BoundKey<'a> {
    number: &'a Number,
    source: Source<'a>,
}

impl BoundKey<'_> {
    /// The number of a query, by gallery index; `None` where it is unknown.
    pub fn of(&self, query: usize) -> Option<f64> {
        self.number.of(&self.source, query)
    }

    /// Puts queries in the order of their numbers, the least first and the unknown last; equal ones
    /// stay as they are.
    pub fn sort(&self, queries: &mut [u32]) {
        queries.sort_by_cached_key(|&query| Order(self.of(query as usize)));
    }
}

/// Numbers in order, the unknown last.
struct Order(Option<f64>);

impl Ord for Order {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let unknown = self.0.is_none().cmp(&other.0.is_none());
        let number = |order: &Order| order.0.unwrap_or_default();
        unknown.then(number(self).total_cmp(&number(other)))
    }
}

impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Order {}

/// Checks that a text is an expression, whatever its names stand for; one with a name that is not known here may be
/// whole elsewhere.
///
/// # Errors
/// What is none, with its place.
pub fn check_syntax<'a>(
    text: &str,
    known: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<(), Mistake> {
    let Ok(expanded) = named::expanded(text, known) else {
        return Ok(());
    };
    let whole = expanded.text();
    let read = parser::parse(whole).map_err(|mistake| expanded.placed(mistake.within(whole)));
    read.map(drop)
}

/// Reads an expression, and looks up its names; also gives what it needs.
fn parse<T>(
    typed: &str,
    study: &Study,
    view: View,
    root: impl FnOnce(&mut Resolver<'_>, &Node) -> Result<T, Mistake>,
) -> Result<(T, Needs), Mistake> {
    let names = error_names::found(typed, study, view).map_err(|mistake| mistake.within(typed))?;
    let expanded = named::Expanded::new(typed, names);
    let text = expanded.text();
    let mut resolver = Resolver { text, study, view, needs: Needs::default() };
    let found = parser::parse(text).and_then(|node| root(&mut resolver, &node));
    found.map(|root| (root, resolver.needs)).map_err(|mistake| {
        let mistake = match names::unquoted(study, text, &mistake.at()) {
            Some(written) => mistake.mend(format!("a name that is no plain word: {written}")),
            None => mistake,
        };
        let mistake = expanded.placed(mistake.within(text));
        match error_names::near(typed, &mistake.at()) {
            Some(name) => mistake.mend(format!("did you mean {name}?")),
            None => mistake,
        }
    })
}

#[cfg(test)]
mod firsts_oracle;
#[cfg(test)]
mod known;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod printed;
#[cfg(test)]
mod steps_oracle;
