//! Models that rank alike, as copies of one file do.

use crate::data::index::ModelIx;
use crate::data::text::shown;
use crate::doctor;
use crate::study::Study;

/// Warns of models that rank as another one does, which may be its copy.
pub(super) fn tell(study: &Study, models: &[ModelIx]) {
    for [one, other] in doctor::alike(study, models) {
        let [one, other] = [one, other].map(|model| shown(&study.models[model].name));
        say!(
            "warning: {one} and {other} rank the captions of the images looked at alike: is one a copy of the other?"
        );
    }
}
