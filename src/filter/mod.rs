//! Conditions over queries: a small expression language.
//!
//! ```text
//! broad.r1 == 0 and careful.rich.map_at_r > 50% and non_gt_in_top(careful, 5) >= 2 and words <= 12
//! ```
//!
//! | what | how |
//! |---|---|
//! | comparisons | `== != < <= > >=`; numbers nearer than 1e-9 are equal |
//! | conditions | `and or not`, brackets |
//! | numbers | `3`, `0.5`, `50%`, with `+ - * /`; comparisons that no query can meet are refused |
//! | text | `text ~ "red bus"`: the text contains the words, in any case; `==` and `!=` |
//! | names | `model.value`, `truth.value`, both in either order; in backticks or double quotes if not plain words |
//! | error types | their printed names stand for their conditions: `near miss`, `missing label and words <= 8` |
//! | a model and a truth of one name | `model:NAME.value`, `truth:NAME.value` |
//!
//! A value is that of the [`View`] unless names say otherwise; [`values()`] lists all of them. `r1`,
//! `r5`, `r10`, `judged` and `picked` are 0 or 1 and conditions by themselves.
//!
//! # Unknown values
//!
//! A query that the truth does not cover has no rank, a metric may be undefined, a ranking may end too early: such a
//! value is *unknown*, and so is every comparison with it and the `not` of that. One operand may decide `and` and `or`:
//! `false and unknown` is false, `true or unknown` true. A query meets a condition only if the whole is true; so
//! neither `r1 == 1` nor `not r1 == 1` finds a query that is not covered.
//!
//! # Cost
//!
//! [`Expression::condition`] looks up names once. To evaluate it, [`FilterInputs`] must have the [`Ranks`] of a few
//! views. No ranking is sorted: positives at the same rank are the same item, so extra positives are counted by rank.
//! Only values about top-1 itself (`top_1`, `hub`, `near_duplicate`) need the top items of a model.
//!
//! [`Ranks`]: crate::rank::Ranks

mod column;
mod inputs;
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
pub use inputs::{FilterInputs, Needs, find_top_items};
pub use matches::{FilterMatches, Marks, MatchedQuery, QuerySearch, find_queries};
pub use mistake::Mistake;
pub use names::{value_of_model, value_of_truth};
pub use ready::{ReadyCondition, literal, ready_condition, ready_conditions, top_1_condition};
pub use user_marks::UserMarks;
pub use values::values;

use std::ops::Range;

use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;
use parser::{AcceptedKinds, CONDITION, NUMBER, Parser};
use source::Source;
use syntax::Node;

/// A condition or a number, parsed for the queries of one direction.
#[derive(Debug, Clone)]
pub struct Expression {
    root: Node,
    needs: Needs,
    view: View,
}

/// The queries that meet a condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterAnswer {
    /// Gallery indices of the queries that meet it, ascending.
    pub queries: Vec<u32>,
    /// Number of queries with an unknown result.
    pub unknown: usize,
}

/// Default condition, met by every query that the ground truth covers.
pub const ALL_COVERED: &str = "covered";

/// Queries per parallel task: one thread evaluates them in a few milliseconds.
pub const QUERIES_PER_TASK: usize = 1 << 16;

/// Number of queries evaluated between two checks for cancellation.
const QUERIES_PER_CHECK: usize = QUERIES_PER_TASK << 3;

impl Expression {
    /// Parses a condition; values without names are those of `view`.
    ///
    /// # Errors
    /// Invalid syntax, an unknown name, or no condition, with its position.
    pub fn condition(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        Self::parse(text, study, view, CONDITION)
    }

    /// Parses a number, like [`Expression::condition`].
    ///
    /// # Errors
    /// Invalid syntax, an unknown name, or no number, with its position.
    pub fn number(text: &str, study: &Study, view: View) -> Result<Self, Mistake> {
        Self::parse(text, study, view, NUMBER)
    }

    /// Parses an expression of one of the accepted kinds; adds a fix to a mistake in a similar or unquoted name.
    fn parse(text: &str, study: &Study, view: View, kinds: AcceptedKinds) -> Result<Self, Mistake> {
        let parsed = Parser::new(text, study, view)
            .and_then(|mut parser| Ok((parser.parse_all(kinds)?, parser.needs)));
        let (root, needs) = parsed.map_err(|mistake| {
            let at = mistake.byte_range();
            let similar = ready::similar_name(&text[at.start..]);
            let did_you_mean = similar.map(|name| format!("did you mean {name}?"));
            let unquoted = || names::find_unquoted(study, text, &at);
            let quote = |name| format!("a name that is no plain word: {name}");
            match did_you_mean.or_else(|| unquoted().map(quote)) {
                Some(fix) => mistake.fix(fix).moved_to(text, at),
                None => mistake.moved_to(text, at),
            }
        })?;
        Ok(Expression { root, needs, view })
    }

    /// Inputs that the expression needs.
    pub fn needs(&self) -> &Needs {
        &self.needs
    }

    /// The model of the expression's view, then the other models whose ranks it uses.
    pub fn models(&self) -> Vec<ModelIx> {
        let mut models = vec![self.view.model];
        for need in &self.needs.views {
            inputs::index_or_push(&mut models, need.model);
        }
        models
    }

    /// Binds the expression to its inputs; `None` if one is missing.
    pub fn bind<'a>(&'a self, study: &'a Study, inputs: &'a FilterInputs) -> Option<Bound<'a>> {
        let source = Source::new(study, inputs, self.view, &self.needs)?;
        Some(Bound { root: &self.root, source })
    }

    /// The queries that meet the condition, among those that the truth of its view covers; `None` if inputs are missing
    /// or `is_cancelled` returns true.
    pub fn answer(
        &self,
        study: &Study,
        inputs: &FilterInputs,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Option<FilterAnswer> {
        let bound = self.bind(study, inputs)?;
        let mut answer = FilterAnswer::default();
        for block in self.covered_queries(study).chunks(QUERIES_PER_CHECK) {
            if is_cancelled() {
                return None;
            }
            let answer_range = |range: Range<usize>| bound.answer(&block[range]);
            for part in parallel::map_ranges(block.len(), QUERIES_PER_TASK, answer_range) {
                answer.queries.extend(part.queries);
                answer.unknown += part.unknown;
            }
        }
        answer.queries.sort_unstable();
        Some(answer)
    }

    /// Number of queries that the truth of its view covers and for which all values of the condition are known: the
    /// denominator of the share of matches. If the condition has values of two truths, both must cover a query. `None`
    /// if inputs are missing.
    pub fn count_known(&self, study: &Study, inputs: &FilterInputs) -> Option<usize> {
        let Bound { root, source } = self.bind(study, inputs)?;
        let queries = self.covered_queries(study);
        let is_known = |query: &&u32| root.is_known(&source, **query as usize);
        let count_range = |range: Range<usize>| queries[range].iter().filter(is_known).count();
        Some(parallel::map_ranges(queries.len(), QUERIES_PER_TASK, count_range).into_iter().sum())
    }

    /// Gallery indices of the queries that the truth of its view covers.
    fn covered_queries<'a>(&self, study: &'a Study) -> &'a [u32] {
        let relevance = study.truths[self.view.truth].relevance[self.view.direction].as_ref();
        relevance.map_or(&[], Relevance::queries)
    }
}

/// An [`Expression`] bound to its inputs, which can be evaluated.
pub struct Bound<'a> {
    root: &'a Node,
    source: Source<'a>,
}

impl Bound<'_> {
    /// The value of the expression for a query, by gallery index; a condition is 1 or 0. `None` if unknown.
    pub fn number(&self, query: usize) -> Option<f64> {
        self.root.number(&self.source, query)
    }

    /// Whether a query, by gallery index, meets the condition; `None` if unknown.
    pub fn is_met(&self, query: usize) -> Option<bool> {
        self.root.is_met(&self.source, query)
    }

    /// Evaluates the condition for each of these queries, given by gallery index.
    fn answer(&self, queries: &[u32]) -> FilterAnswer {
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

    /// Sorts queries by value, lowest first and unknown last; stable.
    pub fn sort(&self, queries: &mut Vec<u32>) {
        let with_value = queries.iter().map(|&query| (self.number(query as usize), query));
        let mut with_value: Vec<(Option<f64>, u32)> = with_value.collect();
        with_value.sort_by(|(one, _), (other, _)| match (one, other) {
            (Some(one), Some(other)) => one.total_cmp(other),
            _ => one.is_none().cmp(&other.is_none()),
        });
        *queries = with_value.into_iter().map(|(_, query)| query).collect();
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
