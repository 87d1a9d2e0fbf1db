//! The conditions to choose from.

use crate::data::text::shown;
use crate::filter::ready;
use crate::tui::model::Model;

/// A condition to choose.
pub(super) struct Choice {
    /// What it is called; with the sign before it where the name is one's own.
    pub(super) name: String,
    /// What it finds, in one line.
    pub(super) meaning: String,
    /// The condition.
    pub(super) expression: String,
}

/// Those with a name of one's own, then those that are ready for this study.
pub(super) fn choices(model: &Model) -> Vec<Choice> {
    let own = model.memory.filters().map(|(name, expression)| Choice {
        name: format!("@{}", shown(name)),
        meaning: shown(expression),
        expression: expression.to_owned(),
    });
    let ready = ready(&model.study, model.view);
    let ready = ready.into_iter().map(|ready| Choice {
        name: ready.name.to_owned(),
        meaning: ready.meaning.to_owned(),
        expression: ready.expression,
    });
    own.chain(ready).collect()
}
