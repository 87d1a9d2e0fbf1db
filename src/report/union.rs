//! Union of ground truths: its parts, and its effect on the metrics of models.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::analysis::inference::DIFFERENCE_METHOD;
use crate::annotate::effect::Effect;
use crate::data::text::{grouped, shown};
use crate::data::{Direction, PerDirection};
use crate::truth::union::UnionCounts;

/// The union `name` of `truths` with its `counts`, and `effects` on the metrics of each model, from the truth `base` to
/// the union.
pub fn report<'a>(
    name: &str,
    truths: &[String],
    counts: &PerDirection<Option<UnionCounts>>,
    (base, effects): (&str, &'a [Effect]),
) -> Report<'a> {
    let directions = || Direction::BOTH.into_iter();
    let all_counts = || directions().filter_map(|one| Some((one, counts[one].as_ref()?)));
    let title = format!("{}: {} united", shown(name), grouped(truths.len()));
    let union = List::new("union", title, all_counts())
        .column("direction", "", |(direction, _)| *direction)
        .column("queries", "queries", |(_, counts)| counts.queries)
        .column("positives", "positives", |(_, counts)| counts.positives)
        .column("disagreed", "disagreed", |(_, counts)| counts.disagreed)
        .column("nonrelevant", "not relevant", |(_, counts)| counts.nonrelevant)
        .column("pooled", "unjudged", |(_, counts)| counts.pooled);
    let parts = truths.iter().enumerate();
    let parts =
        parts.flat_map(|(part, truth)| all_counts().map(move |(at, one)| (truth, part, at, one)));
    let parts = List::new("parts", "positives of each ground truth", parts)
        .column("truth", "truth", |(truth, ..)| shown(truth))
        .column("direction", "", |(_, _, direction, _)| *direction)
        .column("positives", "listed", |(_, part, _, counts)| counts.of_parts[*part])
        .column("alone", "by it alone", |(_, part, _, counts)| counts.alone[*part]);
    let title = format!("models under {} and under {}", shown(base), shown(name));
    let changes = metric_changes(title, [base, name], effects);
    let mut notes = vec!["disagreed: positives that another part judges not relevant".to_owned()];
    if !effects.is_empty() {
        notes.push(method_note());
    }
    Report { notes, ..Report::from_sections(vec![union.section(), parts.section(), changes]) }
}

/// The note on how the intervals and p-values of [`metric_changes`] are computed.
pub(super) fn method_note() -> String {
    format!(
        "over the queries that have a value under both, captions clustered by image; 95 % CI and p, two-sided and not adjusted \
         for several: {DIFFERENCE_METHOD}"
    )
}

/// Metrics of models under two ground truths, named by `heads`, with tests of the changes.
pub(super) fn metric_changes(title: String, heads: [&str; 2], effects: &[Effect]) -> Section {
    let [before, after] = heads.map(shown);
    let value = |effect: &Effect, at: usize| {
        effect.means.map(|means| Cell::Value(means[at], effect.metric.metric.unit()))
    };
    let change = |effect: &Effect, value| Cell::Difference(value, effect.metric.metric.unit());
    List::new("changes", title, effects)
        .column("model", "model", |effect| shown(&effect.model))
        .column("direction", "", |effect| effect.direction)
        .display("metric", |effect| effect.metric.title())
        .data("metric", |effect| effect.metric.to_string())
        .column("queries", "queries", |effect| effect.queries)
        .column("before", before, move |effect| value(effect, 0))
        .column("after", after, move |effect| value(effect, 1))
        .column("change", "change", move |effect| {
            effect.means.map(|[one, other]| change(effect, other - one))
        })
        .interval_cells(["low", "high"], "95 % CI", move |effect| {
            effect.estimate.map(|estimate| estimate.interval().map(|end| change(effect, end)))
        })
        .column("p", "p", |effect| effect.estimate.map(|effect| Cell::P(effect.p())))
        .column("left_out", "excluded", |effect| effect.left_out)
        .section()
}
