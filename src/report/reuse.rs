//! Whether a pooled ground truth can be used for other models: see [`crate::annotate::reuse`].

use super::Report;
use super::cell::{Cell, share};
use super::list::{List, Section};
use super::union::{method_note, metric_changes};
use crate::annotate::effect::Effect;
use crate::annotate::proposers::ProposalCounts;
use crate::annotate::reuse::{DEPTHS, ModelReuse};
use crate::data::Direction;
use crate::data::text::shown;

/// The share of unjudged items, proposals, and the metrics of each model without its own proposals; `losses` has the
/// [`ModelReuse::losses`] of all models.
pub fn report<'a>(truth: &str, models: &'a [ModelReuse], losses: &'a [Effect]) -> Report<'a> {
    let proposals = models.iter().flat_map(|one| {
        let record =
            |direction| Some((&*one.model, direction, one.proposals.as_ref()?[direction]?));
        Direction::BOTH.into_iter().filter_map(record)
    });
    let title =
        format!("{}, and without the positives that the model alone proposed", shown(truth));
    let losses = metric_changes(title, ["whole", "without"], losses);
    let notes = [
        "unjudged: items that neither the pool has, nor the ground truth, nor --base; over the queries of the pool"
            .to_owned(),
        format!("whole and without: {}", method_note()),
    ];
    let sections = vec![unjudged_shares(models), proposer_section(proposals), losses];
    Report { notes: notes.into(), ..Report::from_sections(sections) }
}

/// The share of unjudged items at each depth.
fn unjudged_shares(models: &[ModelReuse]) -> Section {
    let records = models.iter().flat_map(|one| {
        let record = |direction| Some((&one.model, direction, one.unjudged[direction]?));
        Direction::BOTH.into_iter().filter_map(record)
    });
    let mut list = List::new("unjudged", "unjudged, %", records)
        .column("model", "model", |(model, ..)| shown(model))
        .column("direction", "", |(_, direction, _)| *direction);
    for (at, k) in DEPTHS.into_iter().enumerate() {
        list = list.column(format!("unjudged_at_{k}"), format!("top {k}"), move |(.., shares)| {
            shares[at].map(Cell::share)
        });
    }
    list.section()
}

/// How many positives each model proposed, and how many only it did.
pub(super) fn proposer_section<'a>(
    counts: impl Iterator<Item = (&'a str, Direction, ProposalCounts)>,
) -> Section {
    List::new("proposers", "who proposed the positives", counts)
        .column("model", "model", |(name, ..)| shown(name))
        .column("direction", "", |(_, direction, _)| *direction)
        .column("positives", "positives", |(.., proposals)| proposals.positives)
        .column("proposed", "it proposed", |(.., proposals)| proposals.proposed)
        .column("alone", "it alone", |(.., proposals)| proposals.alone)
        .display("%", |(.., one)| share(one.alone, one.positives))
        .section()
}
