//! Opens a study in five stages: files, gallery, ground truths, models, and the rest.

use super::files::Files;
use super::implied_pairing;
use super::inputs::Inputs;
use super::truths::{self, Truths};
use super::{Note, Study, Topic, demo, description, gallery, model_names, models, text_sets};
use crate::data::file_states::Recording;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;
use crate::truth::Listed;

/// Opens the files of `inputs`.
///
/// # Errors
/// A file that is missing, broken or of an unknown kind; sizes or ids that do not match.
pub fn open(inputs: &Inputs) -> Result<Study> {
    Ok(open_with_lists(inputs)?.0)
}

/// Opens the files of `inputs`; returns also the ground-truth lists as in the files, each with its direction.
pub(super) fn open_with_lists(inputs: &Inputs) -> Result<(Study, Vec<Listed>)> {
    let recording = Recording::start();
    let inputs = &description::expand(inputs)?;
    let mut files = Files::read(inputs)?;
    let assembled = gallery::assemble(&mut files, inputs)?;
    let gallery = &assembled.gallery;
    let (text_sets, text_notes) = text_sets::read(&files, gallery, inputs)?;
    let mut notes = std::mem::take(&mut files.notes);
    notes.extend(text_notes);
    notes.push(assembled.describe());
    notes.extend(assembled.notes.iter().cloned());
    let mut made = truths::build(&mut files, gallery, inputs, &mut notes)?;
    let mut models = models::fit_models(&files, &assembled, &made.truths, inputs, &mut notes)?;
    drop_contradicted_pairing(&mut made, gallery, &models, inputs, &mut notes)?;
    let renamed = model_names::rename(&mut models, &inputs.names)?;
    let Truths { listed, truths, bases, rules, implied } = made;
    let demo = inputs.demo.then(|| demo::CAVEAT.to_owned());
    let mut study = Study {
        gallery: assembled.gallery,
        models,
        renamed: renamed.into(),
        truths,
        bases,
        rules,
        notes,
        text_sets: text_sets.into(),
        caveat: implied.and_then(|implied| implied.caveat).or(demo),
        image_files: inputs.demo.then(demo::image_files),
        ..Study::default()
    };
    study.add_phrases(inputs.entities.as_deref(), files.entities)?;
    study.add_columns(&inputs.tables)?;
    study.separate_phis(inputs)?;
    if inputs.series {
        study.use_models_as_steps()?;
    }
    if !inputs.texts {
        study.gallery.texts = Vec::new();
    }
    study.assign_text_sets(&inputs.captions_of)?;
    study.set_conventions(inputs.conventions());
    study.add_pools(&inputs.pools)?;
    study.add_image_files(inputs.images.as_deref())?;
    study.files = recording.files().into();
    Ok((study, listed))
}

/// Replaces an assumed pairing by an empty truth if its positives rank at chance level in all models.
///
/// # Errors
/// A pairing at chance level, if metrics are requested: they would be meaningless.
fn drop_contradicted_pairing(
    made: &mut Truths,
    gallery: &Gallery,
    models: &[Model],
    inputs: &Inputs,
    notes: &mut Vec<Note>,
) -> Result<()> {
    let implied = made.implied.as_ref();
    let Some(error) = implied_pairing::contradiction(implied, gallery, models, &made.truths) else {
        return Ok(());
    };
    if !inputs.is_browsed {
        return Err(error);
    }
    let empty = made.implied.insert(implied_pairing::empty_truth(gallery));
    made.listed = std::mem::take(&mut empty.lists);
    made.truths = truths::resolve(&made.listed, gallery)?;
    notes.retain(|note| note.topic != Topic::Assumed);
    notes.push(empty.note.clone());
    Ok(())
}
