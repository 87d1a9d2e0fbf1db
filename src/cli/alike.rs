//! Models with the same scores, as copies of one file have.

use crate::data::index::ModelIx;
use crate::data::text::shown;
use crate::doctor;
use crate::study::Study;

/// Warns of models with the scores of another one, which may be its copy.
pub(super) fn tell(study: &Study, models: &[ModelIx]) {
    for [one, other] in doctor::alike(study, models) {
        let [one, other] = [one, other].map(|model| shown(&study.models[model].name));
        say!(
            "warning: {one} and {other} have the same scores for the images looked at: is one a copy of the other?"
        );
    }
}
