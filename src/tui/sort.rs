//! Orders of the query list.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::text::shown;

/// The order of the queries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sort {
    /// Gallery order.
    #[default]
    Gallery,
    /// By the value of an expression for each query, as [`crate::filter::Expression::number`] reads it, lowest first.
    By(Arc<str>),
    /// Largest AP@R difference between two models first.
    Difference,
    /// Largest difference of the rank of the first positive between two models first.
    RankDifference,
}

/// The value behind the minus of an expression: `rank` for `-rank`; `None` for any other expression.
pub(in crate::tui) fn negated(expression: &str) -> Option<&str> {
    let rest = expression.strip_prefix('-')?.trim();
    let is_plain = |c: char| c.is_alphanumeric() || "._`@()".contains(c);
    (!rest.is_empty() && rest.chars().all(is_plain)).then_some(rest)
}

/// Signs of the order of values: lowest first, highest first.
pub(in crate::tui) const SIGNS: [&str; 2] = ["↑", "↓"];

impl Sort {
    /// By the value of an expression for each query, lowest first.
    pub fn by(expression: &str) -> Self {
        Sort::By(expression.into())
    }

    /// The next of four common orders: gallery order, lowest AP@R first, highest AP@R first, worst rank of the first
    /// positive first.
    #[must_use]
    pub fn next(&self) -> Self {
        let [low_ap, high_ap, late_rank] = ["map_at_r", "-map_at_r", "-rank"].map(Sort::by);
        let orders = [Sort::Gallery, low_ap, high_ap, late_rank];
        let at = orders.iter().position(|order| order == self);
        orders[at.map_or(0, |at| (at + 1) % orders.len())].clone()
    }

    /// The next order by disagreement of two models.
    #[must_use]
    pub fn next_disagreement(&self) -> Self {
        match self {
            Sort::Difference => Sort::RankDifference,
            Sort::RankDifference => Sort::Gallery,
            _ => Sort::Difference,
        }
    }

    /// Whether it sorts by the disagreement of two models.
    pub fn is_disagreement(&self) -> bool {
        matches!(self, Sort::Difference | Sort::RankDifference)
    }

    /// Description: the sort key, and which values come first.
    pub fn description(&self) -> Cow<'static, str> {
        match self {
            Sort::By(expression) => {
                let first = if negated(expression).is_some() { "highest" } else { "lowest" };
                let value = shown(negated(expression).unwrap_or(expression));
                format!("by {value}, {first} first").into()
            }
            Sort::Gallery => "as in the gallery".into(),
            Sort::Difference => "greatest |Δ| AP@R".into(),
            Sort::RankDifference => "greatest |Δ| of first rank".into(),
        }
    }

    /// Sign of the order in its column heading: `↑` lowest first, `↓` highest first; empty in gallery order.
    pub fn sign(&self) -> &'static str {
        match self {
            Sort::Gallery => "",
            Sort::By(expression) if negated(expression).is_some() => SIGNS[1],
            Sort::Difference | Sort::RankDifference => SIGNS[1],
            Sort::By(_) => SIGNS[0],
        }
    }

    /// Heading of the column with the sort keys; `None` for orders without a column.
    pub fn heading(&self) -> Option<Cow<'_, str>> {
        match self {
            Sort::By(_) if self.is_by("map_at_r") => Some("AP@R".into()),
            Sort::By(expression) => Some(shown(negated(expression).unwrap_or(expression)).into()),
            Sort::RankDifference => Some("|Δ| rank".into()),
            Sort::Gallery | Sort::Difference => None,
        }
    }

    /// Whether it sorts by `value`, lowest or highest first.
    pub fn is_by(&self, value: &str) -> bool {
        self.expression().is_some_and(|own| negated(own).unwrap_or(own) == value)
    }

    /// The expression whose value is the sort key of each query; `None` for other orders.
    pub(in crate::tui) fn expression(&self) -> Option<&str> {
        match self {
            Sort::By(expression) => Some(expression),
            _ => None,
        }
    }
}
