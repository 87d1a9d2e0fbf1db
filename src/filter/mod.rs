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
//! A query that the truth does not cover has no rank, a metric may be undefined, a ranking may end too early: such a
//! value is *unknown*, and so is every comparison with it and the `not` of that. One side may decide `and` and `or`:
//! `false and unknown` is false, `true or unknown` true. A query meets a condition only if the whole is true; so
//! neither `r1 == 1` nor `not r1 == 1` finds a query that is not covered.
//!
//! # Cost
//!
//! Names are looked up once, by [`Expression::condition`]. Then the [`Ranks`] of a few views are needed, from any
//! source: [`Counts`]. No ranking is sorted: positives at the same rank are the same item, so extra positives are
//! counted by rank. Only values about top-1 itself (`first_item`, `hub`, `near_duplicate`) need the top items of a
//! model.
//!
//! [`Ranks`]: crate::rank::Ranks

mod column;
mod counts;
mod lexer;
mod matches;
mod mistake;
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
pub use counts::{Counts, Needs, find_top_items};
pub use matches::{FilterMatches, Marks, MatchedQuery, Question, find};
pub use mistake::Mistake;
pub use names::{value_of_model, value_of_truth};
pub use ready::{Ready, first_is, quoted, ready, ready_named};
pub use user_marks::UserMarks;
pub use values::values;

use std::ops::Range;

use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;
use parser::{CONDITION, NUMBER, Parser, Wanted};
use source::Source;
use syntax::Node;

/// A condition or a number, parsed for the queries of one direction.
#[derive(Debug, Clone)]
pub struct Expression {
    root: Node,
    needs: Needs,
    view: View,
}

/// Result of a condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterAnswer {
    /// Gallery indices of the queries that meet it, ascending.
    pub queries: Vec<u32>,
    /// Number of queries with an unknown result.
    pub unknown: usize,
}

/// Default condition: the ground truth covers the query.
pub const ALL: &str = "judged";

/// Queries per parallel task: one thread evaluates them in a few milliseconds.
pub const QUERIES_PER_TASK: usize = 1 << 16;

/// Queries that are evaluated between two checks for cancellation.
const BLOCK: usize = QUERIES_PER_TASK << 3;

impl Expression {
    /// Reads a condition; values without names are those of `view`.
    ///
    /// # Errors
    /// Invalid syntax, an unknown name, or no condition, with its position.
    pub fn condition(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        Self::parse(text, study, view, CONDITION)
    }

    /// Parses a number, as [`Expression::condition`] a condition.
    ///
    /// # Errors
    /// Invalid syntax, an unknown name, or no number, with its position.
    pub fn number(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        Self::parse(text, study, view, NUMBER)
    }

    /// Parses an expression of a kind.
    fn parse(text: &str, study: &Study, view: View, wanted: Wanted) -> Result<Self, Mistake> {
        let parsed = Parser::new(text, study, view)
            .and_then(|mut parser| Ok((parser.whole(wanted)?, parser.needs)));
        let (root, needs) = parsed.map_err(|mistake| {
            let at = mistake.at();
            let near = ready::near(&text[at.start..]).map(|name| format!("did you mean {name}?"));
            let unquoted = || names::unquoted(study, text, &at);
            let plain = |written| format!("a name that is no plain word: {written}");
            match near.or_else(|| unquoted().map(plain)) {
                Some(fix) => mistake.fix(fix).moved_to(text, at),
                None => mistake.moved_to(text, at),
            }
        })?;
        Ok(Expression { root, needs, view })
    }

    /// Inputs of the expression.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The model of its view, then the others that it names.
    pub fn models(&self) -> Vec<ModelIx> {
        let mut models = vec![self.view.model];
        for need in &self.needs.views {
            counts::place_of(&mut models, need.model);
        }
        models
    }

    /// Binds the expression to its inputs; `None` if one is missing.
    pub fn over<'a>(&'a self, study: &'a Study, counts: &'a Counts) -> Option<Bound<'a>> {
        let source = Source::new(study, counts, self.view, &self.needs)?;
        Some(Bound { root: &self.root, source })
    }

    /// The queries covered by the truth of its view that meet the condition; `None` if ranks are missing, or if
    /// `give_up` returns true.
    pub fn answer(
        &self,
        study: &Study,
        counts: &Counts,
        give_up: &dyn Fn() -> bool,
    ) -> Option<FilterAnswer> {
        let bound = self.over(study, counts)?;
        let mut answer = FilterAnswer::default();
        for block in self.judged(study).chunks(BLOCK) {
            if give_up() {
                return None;
            }
            let of_range = |range: Range<usize>| bound.one_by_one(&block[range]);
            for part in parallel::map_ranges(block.len(), QUERIES_PER_TASK, of_range) {
                answer.queries.extend(part.queries);
                answer.unknown += part.unknown;
            }
        }
        answer.queries.sort_unstable();
        Some(answer)
    }

    /// Number of queries covered by the truth of its view with all values of the condition known: the denominator of a
    /// share of matches. With values of two truths, these are the queries that both cover. `None` if ranks are missing.
    pub fn told_of(&self, study: &Study, counts: &Counts) -> Option<usize> {
        let Bound { root, source } = self.over(study, counts)?;
        let queries = self.judged(study);
        let is_told = |query: &&u32| root.is_told(&source, **query as usize);
        let of_range = |range: Range<usize>| queries[range].iter().filter(is_told).count();
        Some(parallel::map_ranges(queries.len(), QUERIES_PER_TASK, of_range).into_iter().sum())
    }

    /// The queries covered by the truth of its view.
    fn judged<'a>(&self, study: &'a Study) -> &'a [u32] {
        let judged = study.truths[self.view.truth].relevance[self.view.direction].as_ref();
        judged.map_or(&[], Relevance::queries)
    }
}

/// An [`Expression`] with its inputs.
pub struct Bound<'a> {
    root: &'a Node,
    source: Source<'a>,
}

impl Bound<'_> {
    /// Its value for a query, by gallery index, of a condition 1 or 0; `None` if unknown.
    pub fn number(&self, query: usize) -> Option<f64> {
        self.root.number(&self.source, query)
    }

    /// Whether a query, by gallery index, meets the condition; `None` if unknown.
    pub fn is_met(&self, query: usize) -> Option<bool> {
        self.root.is_met(&self.source, query)
    }

    fn one_by_one(&self, queries: &[u32]) -> FilterAnswer {
        let mut answer = FilterAnswer::default();
        for &query in queries {
            match self.is_met(query as usize) {
                Some(true) => answer.queries.push(query),
                Some(false) => {}
                None => answer.unknown += 1,
            }
        }
        answer
    }

    /// Sorts queries by value, ascending and the unknown last; stable.
    pub fn sort(&self, queries: &mut Vec<u32>) {
        let numbered = queries.iter().map(|&query| (self.number(query as usize), query));
        let mut numbered: Vec<(Option<f64>, u32)> = numbered.collect();
        numbered.sort_by(|(one, _), (other, _)| match (one, other) {
            (Some(one), Some(other)) => one.total_cmp(other),
            _ => one.is_none().cmp(&other.is_none()),
        });
        *queries = numbered.into_iter().map(|(_, query)| query).collect();
    }
}

#[cfg(test)]
mod brackets;
#[cfg(test)]
mod firsts_oracle;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod steps_oracle;
