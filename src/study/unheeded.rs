//! Options that were given and change nothing, as what they are about is not there.

use super::{Inputs, Note, Study};
use crate::data::scores::{Model, Scores};

/// A line for each; `has_split` tells whether a file of several splits was read.
pub(super) fn notes(study: &Study, inputs: &Inputs, has_split: bool) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(split) = inputs.split.as_ref().filter(|_| !has_split) {
        let why = "no file of several splits is read, such as Karpathy's dataset_*.json";
        notes.push(nothing(&format!("--split {split}"), why));
    }
    let phis = &inputs.phis;
    let of_phi = [("--phi-m", phis.m.is_some()), ("--phi-close", phis.close.is_some())];
    let is_given = |(flag, is_given): (&'static str, bool)| is_given.then_some(flag);
    if study.phis.is_empty() {
        let given = of_phi.into_iter().filter_map(is_given);
        notes.extend(given.map(|flag| nothing(flag, "there is no --phi")));
    }
    let of_cider = [("--tokens", phis.tokenisation.is_some()), ("--drop-self", phis.drop_self)];
    let is_cider = |model: &Model| matches!(model.scores, Scores::Phi(_));
    if !study.phis.iter().chain(&study.models).any(is_cider) {
        let given = of_cider.into_iter().filter_map(is_given);
        notes.extend(given.map(|flag| nothing(flag, "there is no --phi cider")));
    }
    notes
}

/// That an option changes nothing.
pub(super) fn nothing(option: &str, why: &str) -> Note {
    Note::warning(format!("{option}: changes nothing, as {why}"))
}
