//! Whether a pooled ground truth can be used for other models: see [`crate::annotate::reuse`].

use super::Report;
use super::cell::{Cell, share};
use super::list::{List, Section};
use super::union::{changes, legend};
use crate::annotate::effect::Effect;
use crate::annotate::proposers::Share;
use crate::annotate::reuse::{DEPTHS, Reused};
use crate::data::Direction;
use crate::data::text::shown;

/// Unjudged items, and each model's loss without its own proposals.
pub fn report<'a>(truth: &str, models: &'a [Reused], losses: &'a [Effect]) -> Report<'a> {
    let of_pool = models.iter().flat_map(|one| {
        let of = |direction| Some((&*one.model, direction, one.shares.as_ref()?[direction]?));
        Direction::BOTH.into_iter().filter_map(of)
    });
    let title =
        format!("{}, and without the positives that the model alone proposed", shown(truth));
    let losses = changes(title, ["whole", "without"], losses);
    let notes = [
        "unjudged: items that neither the pool has, nor the ground truth, nor --base; over the queries of the pool"
            .to_owned(),
        format!("whole and without: {}", legend()),
    ];
    let sections = vec![unjudged(models), proposers(of_pool), losses];
    Report { notes: notes.into(), ..Report::from_sections(sections) }
}

fn unjudged(models: &[Reused]) -> Section {
    let each = models.iter().flat_map(|one| {
        let of = |direction| Some((&one.model, direction, one.unjudged[direction]?));
        Direction::BOTH.into_iter().filter_map(of)
    });
    let mut list = List::new("unjudged", "unjudged, %", each)
        .column("model", "model", |(model, ..)| shown(model))
        .column("direction", "", |(_, direction, _)| *direction);
    for (at, k) in DEPTHS.into_iter().enumerate() {
        list = list.column(format!("unjudged_at_{k}"), format!("top {k}"), move |(.., shares)| {
            shares[at].map(Cell::share)
        });
    }
    list.section()
}

/// Positives proposed by each, and by it alone.
pub(super) fn proposers<'a>(all: impl Iterator<Item = (&'a str, Direction, Share)>) -> Section {
    List::new("proposers", "who proposed the positives", all)
        .column("model", "model", |(name, ..)| shown(name))
        .column("direction", "", |(_, direction, _)| *direction)
        .column("positives", "positives", |(.., of)| of.positives)
        .column("proposed", "it proposed", |(.., of)| of.proposed)
        .column("alone", "it alone", |(.., of)| of.alone)
        .shown("%", |(.., of)| share(of.alone, of.positives))
        .section()
}
