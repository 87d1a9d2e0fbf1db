//! Scores of models from pairwise preferences of people.

use super::Report;
use super::cell::Cell;
use super::list::List;
use crate::annotate::preferences::PreferenceScore;

/// The score of each model, highest first.
pub fn report(all: &[PreferenceScore]) -> Report<'_> {
    let list = List::new("preferences", "preferences", all)
        .column("name", "name", |one| &one.name)
        .column("share", "score", |one| Cell::share(one.share))
        .interval(["low", "high"], "95 % CI", |one| Some(one.interval), Cell::share)
        .column("wins", "wins", |one| one.wins)
        .column("comparisons", "comparisons", |one| one.comparisons);
    Report {
        notes: vec![
            "Bradley-Terry scores of maximum likelihood, in percent of their sum; a tie counts as half a win for both"
                .into(),
            "95 % CI: of the logit of the score, by the observed information; comparisons are taken as independent".into(),
        ],
        ..Report::from_sections(vec![list.section()])
    }
}
