//! Phrases that images of failures lack.

use serde_json::{Value, json};

use super::Errors;
use crate::analysis::lacking::LackingHead;
use crate::analysis::survey::Detail;
use crate::report::Table;
use crate::report::cell::row;

/// Their head words, the most frequent first; `None` without annotated phrases.
pub(super) fn lacking<'a>(errors: &'a Errors<'_>, detail: &'a Detail) -> Option<Table<'a>> {
    let title = format!(
        "phrases of failures under {} without counterpart: of the caption, not in the image, of query and first item",
        errors.truth(detail.view.truth)
    );
    let head = ["head word", "types", "failures", "none of these types"];
    let row = |of: &LackingHead| row![&of.head, of.types.names(), of.failures, of.of_no_type];
    let told = detail.lacking.iter().take(errors.words);
    Table::new(title, head, 2, told.map(row)).if_any()
}

/// The same for programs.
pub(super) fn json(errors: &Errors<'_>, detail: &Detail) -> Value {
    let told = detail.lacking.iter().take(errors.words);
    let told = told.map(|of| {
        json!({"head": of.head, "types": of.types.names().split('/').collect::<Vec<_>>(),
               "failures": of.failures, "of_no_type": of.of_no_type})
    });
    told.collect()
}
