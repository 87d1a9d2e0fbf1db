//! Correlation of labels, similarities and models with human ratings of pairs.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use crate::analysis::association::NAMES;
use crate::analysis::bootstrap::Draws;
use crate::analysis::ratings::{RatingComparison, RatingCorrelations};
use crate::data::text::grouped;

/// Correlations over all rated pairs, and over those that the original pairing does not list. `draws` is the resampling
/// of their intervals.
pub fn report(compared: &[RatingComparison], draws: Draws) -> Report<'_> {
    let sections = vec![
        section("all", "all rated pairs", compared, |one| &one.all),
        section("non_gt", "pairs that the original pairing does not list", compared, |one| {
            &one.others
        }),
    ];
    Report {
        notes: vec![
            "correlation with the ratings, 0 to 5, over pairs; Spearman of midranks, Kendall's tau-b; undefined where \
             one side does not vary"
                .into(),
            format!(
                "95 % CI: the central part of {} resamples of the images with all their pairs (seed {})",
                grouped(draws.resamples),
                draws.seed
            ),
        ],
        ..Report::from_sections(sections)
    }
}

/// A row for each source of scores, with the correlations that `correlations` selects.
fn section(
    key: &'static str,
    title: &str,
    compared: &[RatingComparison],
    correlations: fn(&RatingComparison) -> &RatingCorrelations,
) -> Section {
    let number = |value| Cell::Number(value, 3);
    let mut list = List::new(key, title, compared)
        .column("name", "name", |one| &one.name)
        .column("kind", "", |one| one.kind)
        .column("pairs", "pairs", move |one| correlations(one).pairs);
    for (at, name) in NAMES.into_iter().enumerate() {
        let field = name.to_lowercase();
        let ends = [format!("{field}_low"), format!("{field}_high")];
        list = list
            .column(field, name, move |one| correlations(one).value[at].map(number))
            .interval(ends, "95 % CI", move |one| correlations(one).interval[at], number);
    }
    list.section()
}
