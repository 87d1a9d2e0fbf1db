//! Names of models where there is little room.

use crate::data::index::ModelIx;
use crate::data::scores::Scores;
use crate::study::Study;
use crate::tui::widgets::text;

/// What the only mixture is called where its name, which is an expression, has no room: cut, it would be another one.
const MIXTURE: &str = "mixture";

/// The name of a model in at most so many columns, with the part that tells it from the other models.
pub fn model(study: &Study, model: ModelIx, columns: usize) -> String {
    let all = study.models.iter().map(|one| one.name.as_str());
    let all: Vec<&str> = all.collect();
    let is_mixture = |at: ModelIx| matches!(study.models[at].scores, Scores::Mixture(_));
    let mixtures = ModelIx::all(&study.models).filter(|&at| is_mixture(at));
    let is_cut = columns < text::width(&study.models[model].name);
    if is_cut && is_mixture(model) && mixtures.count() == 1 {
        return text::fit(MIXTURE, columns);
    }
    text::fit_apart(&study.models[model].name, &all, columns)
}
