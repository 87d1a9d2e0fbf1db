//! The orders of queries.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::text::shown;

/// The order of the queries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sort {
    /// Gallery order.
    #[default]
    Gallery,
    /// By a number of each query, as [`crate::filter::Expression::number`] reads it, lowest first.
    By(Arc<str>),
    /// Largest AP@R difference between two models first.
    Difference,
    /// Largest difference of the first positive's rank first.
    Places,
}

/// The negated expression: `rank` of `-rank`; `None` for any other expression.
pub(in crate::tui) fn negated(number: &str) -> Option<&str> {
    let rest = number.strip_prefix('-')?.trim();
    let is_plain = |c: char| c.is_alphanumeric() || "._`@()".contains(c);
    (!rest.is_empty() && rest.chars().all(is_plain)).then_some(rest)
}

/// Signs of an order: lowest first, highest first.
pub(in crate::tui) const SIGNS: [&str; 2] = ["↑", "↓"];

impl Sort {
    /// By a number of each query, lowest first.
    pub fn by(number: &str) -> Self {
        Sort::By(number.into())
    }

    /// The next common order: lowest AP@R first, highest first, worst first positive first, gallery order.
    #[must_use]
    pub fn next(&self) -> Self {
        let [worst, best, latest] = ["map_at_r", "-map_at_r", "-rank"].map(Sort::by);
        let orders = [Sort::Gallery, worst, best, latest];
        let at = orders.iter().position(|order| order == self);
        orders[at.map_or(0, |at| (at + 1) % orders.len())].clone()
    }

    /// The next order by disagreement of two models.
    #[must_use]
    pub fn next_disagreement(&self) -> Self {
        match self {
            Sort::Difference => Sort::Places,
            Sort::Places => Sort::Gallery,
            _ => Sort::Difference,
        }
    }

    /// Whether it is by disagreement of two models.
    pub fn is_of_two(&self) -> bool {
        matches!(self, Sort::Difference | Sort::Places)
    }

    /// Description: the sort key, and which values come first.
    pub fn description(&self) -> Cow<'static, str> {
        match self {
            Sort::By(number) => {
                let first = if negated(number).is_some() { "highest" } else { "lowest" };
                let of = shown(negated(number).unwrap_or(number));
                format!("by {of}, {first} first").into()
            }
            Sort::Gallery => "as in the gallery".into(),
            Sort::Difference => "greatest |Δ| AP@R".into(),
            Sort::Places => "greatest |Δ| of first rank".into(),
        }
    }

    /// Sign of the order in its column heading: `↑` lowest first, `↓` highest first; empty in gallery order.
    pub fn sign(&self) -> &'static str {
        match self {
            Sort::Gallery => "",
            Sort::By(number) if negated(number).is_some() => SIGNS[1],
            Sort::Difference | Sort::Places => SIGNS[1],
            Sort::By(_) => SIGNS[0],
        }
    }

    /// Heading of the sort key, if there is a single one.
    pub fn heading(&self) -> Option<Cow<'_, str>> {
        match self {
            Sort::By(_) if self.is_by("map_at_r") => Some("AP@R".into()),
            Sort::By(number) => Some(shown(negated(number).unwrap_or(number)).into()),
            Sort::Places => Some("|Δ| rank".into()),
            Sort::Gallery | Sort::Difference => None,
        }
    }

    /// Whether it sorts by `value`, lowest or highest first.
    pub fn is_by(&self, value: &str) -> bool {
        self.number().is_some_and(|number| negated(number).unwrap_or(number) == value)
    }

    /// The sort key of each query, if any.
    pub(in crate::tui) fn number(&self) -> Option<&str> {
        match self {
            Sort::By(number) => Some(number),
            _ => None,
        }
    }
}
