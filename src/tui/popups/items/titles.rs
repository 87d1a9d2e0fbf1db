//! What a list of items says of itself.

use super::ItemList;
use crate::analysis::first_items::Which;
use crate::data::text::grouped;
use crate::study::View;
use crate::tui::model::Model;

/// What is listed, after how many they are, and whose, in ever fewer words.
pub(super) fn titles(list: &ItemList, of: &Model, count: &str) -> [String; 7] {
    let View { model, truth, direction } = list.key.view;
    let which = list.which(of);
    let condition = match &*list.common.words {
        "" if !of.has_filter() => String::new(),
        "" => "; without the filter".to_owned(),
        words if !of.has_filter() || words.contains("filter ") => format!("; {words}"),
        words => format!("; without the filter; {words}"),
    };
    let top = match which {
        Which::Missed => "not in the top",
        _ => "in the top",
    };
    let (items, depth) =
        (which.words_of(count.trim() == "1", of.study.truths.len() > 1), list.key.depth);
    let queries = grouped(list.key.queries.len());
    let name = &of.study.models[model].name;
    let truth = of.name_in_force(truth) + &of.other_dials();
    let found = format!("{count}{items} {top} {depth}");
    let of_view = format!("{name} {direction}, {truth}");
    let short = match which {
        Which::All => "items".to_owned(),
        which => which.word().replace('-', " "),
    };
    let short = format!("{count}{short} {top} {depth}");
    let told = format!("{found} of {queries} queries, {name} {direction}");
    [
        format!("{told}, ground truth {truth}{condition}"),
        format!("{told}, truth {truth}{condition}"),
        format!("{found} of {queries} queries, {of_view}{condition}"),
        format!("{} of {queries} queries, {of_view}{condition}", found.replace(" (non-GT)", "")),
        format!("{found}, {of_view}{condition}"),
        format!("{short}, {of_view}{condition}"),
        format!("{short}{condition}"),
    ]
}
