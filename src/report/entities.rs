//! Statistics of Flickr30k Entities.

use super::Report;
use super::cell::Cell;
use super::list::List;
use crate::phrase::PhraseType;
use crate::phrase::stats::{Counts, PhraseStats};

/// Counts of the whole set, and of phrases, chains and boxes by type.
pub fn report(stats: &PhraseStats) -> Report<'_> {
    let set = List::new("set", "the set", [stats])
        .column("images", "images", |stats| stats.images)
        .column("captions", "captions", |stats| stats.captions)
        .column("unrelated_captions", "unrelated", |stats| stats.unrelated)
        .column("not_visual", "phrases, not visual", |stats| stats.not_visual)
        .column("scene_chains", "chains, scene", |stats| stats.scene_chains)
        .column("boxes", "boxes", |stats| stats.boxes)
        .column("shared_boxes", "boxes of several chains", |stats| stats.shared_boxes);
    let names = PhraseType::VISUAL.map(PhraseType::name).into_iter();
    let types = names.zip(stats.by_type).chain([("all", stats.all)]);
    let number = |mean: Option<f64>| mean.map(|mean| Cell::Number(mean, 2));
    let types = List::<(&str, Counts)>::new("types", "by type", types)
        .column("type", "type", |(name, _)| *name)
        .column("phrases", "phrases", |(_, counts)| counts.mentions)
        .column("phrases_with_box", "with box", |(_, counts)| counts.with_box)
        .column("chains", "chains", |(_, counts)| counts.chains)
        .column("chains_with_box", "with box", |(_, counts)| counts.chains_with_box)
        .column("boxes", "boxes", |(_, counts)| counts.boxes)
        .column("phrases_per_chain", "phrases a chain", move |(_, counts)| {
            number(counts.per_chain(counts.mentions))
        })
        .column("boxes_per_chain", "boxes a chain", move |(_, one)| {
            number(one.per_chain(one.boxes))
        });
    Report {
        notes: vec![
            "a phrase or chain of several types counts in each; a box counts once for each chain it shows"
                .to_owned(),
        ],
        ..Report::from_sections(vec![set.section(), types.section()])
    }
}
