//! Parts of a union of ground truths, and its effect on models.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::analysis::inference::OF_DIFFERENCES;
use crate::annotate::effect::Effect;
use crate::data::text::{grouped, shown};
use crate::data::{Direction, PerDirection};
use crate::truth::union::UnionCounts;

/// The union of these truths under a name, and each model before (under `base`) and after.
pub fn report<'a>(
    name: &str,
    truths: &[String],
    counts: &PerDirection<Option<UnionCounts>>,
    (base, effects): (&str, &'a [Effect]),
) -> Report<'a> {
    let directions = || Direction::BOTH.into_iter();
    let each = || directions().filter_map(|one| Some((one, counts[one].as_ref()?)));
    let title = format!("{}: {} united", shown(name), grouped(truths.len()));
    let union = List::new("union", title, each())
        .column("direction", "", |(direction, _)| *direction)
        .column("queries", "queries", |(_, of)| of.queries)
        .column("positives", "positives", |(_, of)| of.positives)
        .column("disagreed", "disagreed", |(_, of)| of.disagreed)
        .column("nonrelevant", "not relevant", |(_, of)| of.nonrelevant)
        .column("pooled", "unjudged", |(_, of)| of.pooled);
    let parts = truths.iter().enumerate();
    let parts = parts.flat_map(|(part, truth)| each().map(move |(at, of)| (truth, part, at, of)));
    let parts = List::new("parts", "positives of each ground truth", parts)
        .column("truth", "truth", |(truth, ..)| shown(truth))
        .column("direction", "", |(_, _, direction, _)| *direction)
        .column("positives", "listed", |(_, part, _, of)| of.of_parts[*part])
        .column("alone", "by it alone", |(_, part, _, of)| of.alone[*part]);
    let title = format!("models under {} and under {}", shown(base), shown(name));
    let changes = changes(title, [base, name], effects);
    let mut notes = vec!["disagreed: positives that another part judges not relevant".to_owned()];
    if !effects.is_empty() {
        notes.push(legend());
    }
    Report { notes, ..Report::from_sections(vec![union.section(), parts.section(), changes]) }
}

/// How the intervals and p-values of changes are computed.
pub(super) fn legend() -> String {
    format!(
        "over the queries that have a value under both, captions clustered by image; 95 % CI and p, two-sided and not adjusted \
         for several: {OF_DIFFERENCES}"
    )
}

/// Models under two ground truths.
pub(super) fn changes(title: String, heads: [&str; 2], effects: &[Effect]) -> Section {
    let [before, after] = heads.map(shown);
    let value = |of: &Effect, at: usize| {
        of.means.map(|means| Cell::Value(means[at], of.metric.metric.unit()))
    };
    let change = |of: &Effect, value| Cell::Difference(value, of.metric.metric.unit());
    List::new("changes", title, effects)
        .column("model", "model", |of| shown(&of.model))
        .column("direction", "", |of| of.direction)
        .shown("metric", |of| of.metric.title())
        .data("metric", |of| of.metric.to_string())
        .column("queries", "queries", |of| of.queries)
        .column("before", before, move |of| value(of, 0))
        .column("after", after, move |of| value(of, 1))
        .column("change", "change", move |of| of.means.map(|[one, other]| change(of, other - one)))
        .ends(["low", "high"], "95 % CI", move |of| {
            of.estimate.map(|estimate| estimate.interval().map(|end| change(of, end)))
        })
        .column("p", "p", |of| of.estimate.map(|of| Cell::P(of.p())))
        .column("left_out", "excluded", |of| of.left_out)
        .section()
}
