//! Conditions of options such as `--where`.

use super::progress;
use crate::filter::{self, Expression, FilterMatches, Marks, Question};
use crate::study::{Study, View};

/// The queries of a view that meet a condition.
pub(super) fn matches(
    condition: &str,
    study: &Study,
    view: View,
    marks: &Marks,
) -> anyhow::Result<FilterMatches> {
    let filter = Expression::condition(condition, study, view);
    let filter = filter.map_err(|mistake| anyhow::anyhow!("--where, {mistake}"))?;
    let question = Question { filter: &filter, key: None, columns: &[], limit: usize::MAX, marks };
    Ok(progress::counting(|token| filter::find(study, view, question, token))?)
}
