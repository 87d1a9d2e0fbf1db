//! Statistics of Flickr30k Entities.

use super::Report;
use super::cell::Cell;
use super::list::List;
use crate::phrase::PhraseType;
use crate::phrase::stats::{Counts, Stats};

/// Counts of the whole set, and phrases, chains and boxes by type.
pub fn report(stats: &Stats) -> Report<'_> {
    let set = List::new("set", "the set", [stats])
        .column("images", "images", |of| of.images)
        .column("captions", "captions", |of| of.captions)
        .column("unrelated_captions", "unrelated", |of| of.unrelated)
        .column("not_visual", "phrases, not visual", |of| of.not_visual)
        .column("scene_chains", "chains, scene", |of| of.scene_chains)
        .column("boxes", "boxes", |of| of.boxes)
        .column("shared_boxes", "boxes of several chains", |of| of.shared_boxes);
    let names = PhraseType::VISUAL.map(PhraseType::name).into_iter();
    let types = names.zip(stats.by_type).chain([("all", stats.all)]);
    let mean = |mean: Option<f64>| mean.map(|mean| Cell::Number(mean, 2));
    let types = List::<(&str, Counts)>::new("types", "by type", types)
        .column("type", "type", |(name, _)| *name)
        .column("phrases", "phrases", |(_, of)| of.mentions)
        .column("phrases_with_box", "with box", |(_, of)| of.with_box)
        .column("chains", "chains", |(_, of)| of.chains)
        .column("chains_with_box", "with box", |(_, of)| of.chains_with_box)
        .column("boxes", "boxes", |(_, of)| of.boxes)
        .column("phrases_per_chain", "phrases a chain", move |(_, of)| {
            mean(of.per_chain(of.mentions))
        })
        .column("boxes_per_chain", "boxes a chain", move |(_, of)| mean(of.per_chain(of.boxes)));
    Report {
        notes: vec![
            "a phrase or chain of several types counts in each; a box counts once for each chain it shows"
                .to_owned(),
        ],
        ..Report::from_sections(vec![set.section(), types.section()])
    }
}
