//! Names of models where there is little room.

use crate::data::index::ModelIx;
use crate::study::Study;
use crate::tui::widgets::text;

/// The name of a model in at most so many columns, with the part that tells it from the other models.
pub fn model(study: &Study, model: ModelIx, columns: usize) -> String {
    let all = study.models.iter().map(|one| one.name.as_str());
    let all: Vec<&str> = all.collect();
    text::fit_apart(&study.models[model].name, &all, columns)
}
