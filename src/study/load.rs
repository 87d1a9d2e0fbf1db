//! Opens a study: files in, everything checked once.

use std::cell::{Cell, OnceCell};

use super::equal_lists;
use super::gallery::{self, Assembled};
use super::implied::{Caveat, Implied};
use super::inputs::{Inputs, Loaded};
use super::loaded_scores::LoadedScores;
use super::models::models;
use super::{
    Note, Study, demo, derived_truths, description, flagged, implied, keys, naming, original,
    queried, renamed, text_sets, unheeded,
};
use crate::data::Direction;
use crate::data::captions::CaptionFile;
use crate::data::gallery::Gallery;
use crate::data::opened::Recording;
use crate::data::parallel;
use crate::data::text::{count, grouped};
use crate::error::{Error, Result};
use crate::truth::relevance::in_words;
use crate::truth::rule::RULES;
use crate::truth::{Listed, Parts, Truth};

/// Opens the files of `inputs`.
///
/// # Errors
/// A file that is missing, broken or of an unknown kind; sizes or ids that do not fit each other.
pub fn open(inputs: &Inputs) -> Result<Study> {
    Ok(build(inputs)?.0)
}

/// The study, and the lists of its truths as the files have them, every direction known.
pub(super) fn build(inputs: &Inputs) -> Result<(Study, Vec<Listed>)> {
    let recording = Recording::start();
    let mut inputs = description::expanded(inputs)?;
    inputs.models.extend(inputs.phis.as_models().collect::<Vec<_>>());
    let loaded = inputs.note_reads().and_then(|()| inputs.load());
    let built = loaded.and_then(|loaded| put_together(loaded, &inputs));
    let (mut study, listed) = built.map_err(|error| keys::located(error, &inputs.named))?;
    study.files = recording.files().into();
    Ok((study, listed))
}

fn put_together(mut loaded: Loaded, inputs: &Inputs) -> Result<(Study, Vec<Listed>)> {
    naming::name(&mut loaded)?;
    original::add_indexed(&mut loaded)?;
    let is_wanted = implied::is_wanted(&loaded);
    let assembled = gallery::assemble(&loaded, inputs)?;
    let gallery = &assembled.gallery;
    let (text_sets, said) = text_sets::read(&loaded, gallery, inputs)?;
    let mut notes = std::mem::take(&mut loaded.notes);
    notes.extend(said);
    notes.push(Note::fine(described(&assembled)));
    notes.extend(assembled.notes.iter().cloned());
    let has_split = loaded.captions.iter().any(|(_, file)| file.is_split);
    let parts = Cell::new(std::mem::take(&mut loaded.parts));
    let found = OnceCell::new();
    // Sizes that do not fit are told before ids that do not, though a square matrix needs its pairs.
    let known = || {
        if found.get().is_none() {
            let made = Known::new(parts.take(), &loaded, gallery, inputs, is_wanted)?;
            found.get_or_init(|| made);
        }
        Ok(&found.get().expect("it was made just now").truths[..])
    };
    let mut models = models(&loaded, &assembled, &known, inputs, &mut notes)?;
    known()?;
    let Known { mut listed, notes: of_lists, mut implied, mut truths } =
        found.into_inner().expect("it was made just now");
    if let Some(contrary) = implied::contradicted(implied.as_ref(), gallery, &models, &truths) {
        if !inputs.is_browsed {
            return Err(contrary);
        }
        let nothing = implied.insert(implied::nothing(gallery));
        listed = nothing.lists.drain(..).collect();
        truths = self::truths(&listed, gallery)?;
    }
    let renamed = renamed::rename(&mut models, &inputs.names)?;
    let mut caveat = inputs.demo.then(|| Caveat::whole(demo::CAVEAT));
    if let Some(implied) = implied {
        notes.push(implied.note);
        caveat = implied.caveat.or(caveat);
    }
    notes.extend(of_lists);
    let mut rules = inputs.rules;
    let bases = derived_truths::add(&mut truths, &loaded.bases, gallery, &mut rules, &mut notes)?;
    truths.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    for truth in truths.iter().filter(|truth| !truth.lists_nothing()) {
        notes.extend(truth_notes(truth));
    }
    save(&loaded.models, inputs)?;
    let Assembled { gallery, .. } = assembled;
    let mut study = Study {
        gallery,
        models,
        renamed: renamed.into(),
        truths,
        bases,
        rules,
        notes,
        text_sets: text_sets.into(),
        caveat,
        pictures: inputs.demo.then(demo::pictures),
        ..Study::default()
    };
    study.add_phrases(inputs.entities.as_deref(), loaded.entities)?;
    study.take_phis(inputs)?;
    let unheeded = unheeded::notes(&study, inputs, has_split);
    study.notes.extend(unheeded);
    if inputs.series {
        study.take_steps()?;
    }
    if !inputs.texts {
        study.gallery.texts = Vec::new();
    }
    study.give_texts(&inputs.captions_of)?;
    study.set_conventions(inputs.conventions());
    study.add_pools(&inputs.pools)?;
    study.add_pictures(inputs.images.as_deref())?;
    Ok((study, listed))
}

/// What tells which pairs belong together.
struct Known {
    /// The lists as the files have them, every direction known.
    listed: Vec<Listed>,
    notes: Vec<Note>,
    implied: Option<Implied>,
    truths: Vec<Truth>,
}

impl Known {
    fn new(
        parts: Vec<(String, Parts)>,
        loaded: &Loaded,
        gallery: &Gallery,
        inputs: &Inputs,
        is_wanted: bool,
    ) -> Result<Self> {
        let (mut listed, mut notes) = listed(parts, loaded, gallery)?;
        let mut implied = implied::pairing(&listed, gallery, is_wanted, inputs)?;
        listed.extend(implied.iter_mut().flat_map(|implied| implied.lists.drain(..)));
        notes.extend(graded(&mut listed, inputs.rules.relevant_from));
        notes.extend(listed.iter().filter_map(empty));
        notes.extend(derived_truths::anew(&mut listed, inputs.rules, &loaded.bases));
        let truths = truths(&listed, gallery)?;
        Ok(Known { listed, notes, implied, truths })
    }
}

/// The truths of the files, every direction known, the original pairing where only a captions file tells
/// it, and both directions of a pairing that a file lists one of.
fn listed(
    parts: Vec<(String, Parts)>,
    loaded: &Loaded,
    gallery: &Gallery,
) -> Result<(Vec<Listed>, Vec<Note>)> {
    let ids = [&loaded.image_ids, &loaded.caption_ids];
    let sides = || {
        let both = Direction::BOTH.into_iter().zip(ids);
        both.filter_map(|(side, ids)| Some((side, ids.as_ref()?.file.as_str())))
    };
    let of_files = parts.into_iter().flat_map(|(_, parts)| parts.truths);
    let mut listed: Vec<Listed> = of_files.collect();
    for side in sides() {
        queried::check_side(listed.iter(), gallery, side)?;
    }
    if !listed.iter().any(gallery::is_original) {
        let told =
            |(_, file): &&(String, CaptionFile)| file.captions.iter().any(|c| c.image.is_some());
        let file = loaded.captions.iter().find(told).into_iter();
        listed.extend(file.flat_map(|(file, captions)| original::of(file, captions)));
    }
    for listed in &mut listed {
        listed.direction = Some(queried::direction(listed, gallery)?);
    }
    for side in sides() {
        queried::check_side(listed.iter(), gallery, side)?;
    }
    let notes = original::complete(&mut listed, gallery);
    Ok((listed, notes))
}

/// Writes the scores of embeddings where that is asked for.
fn save(models: &[(String, LoadedScores)], inputs: &Inputs) -> Result<()> {
    for (_, given) in models {
        if let LoadedScores::Embeddings { embeddings, save: Some(out), .. } = given {
            inputs.spare(out)?;
            flagged::save(embeddings, out)?;
        }
    }
    Ok(())
}

fn described(assembled: &Assembled) -> String {
    let side = |n: usize, what: &str, from: &Option<String>| match from {
        Some(file) => format!("{} (ids from {file})", count(n, what)),
        None => format!("{} (ids are indices)", count(n, what)),
    };
    let Assembled { gallery, images_from, captions_from, .. } = assembled;
    let texts = gallery.texts.iter().filter(|text| !text.raw().is_empty()).count();
    let texts = if texts == 0 { String::new() } else { format!(", {} with text", grouped(texts)) };
    format!(
        "gallery: {}, {}{texts}",
        side(gallery.images.len(), "image", images_from),
        side(gallery.captions.len(), "caption", captions_from)
    )
}

fn truths(listed: &[Listed], gallery: &Gallery) -> Result<Vec<Truth>> {
    let mut names: Vec<&str> = listed.iter().map(|listed| listed.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut truths = parallel::try_map(&names, |&name| {
        let mut truth = Truth::new(name);
        let of_truth = || listed.iter().filter(|listed| listed.name == name);
        for listed in of_truth().filter(|listed| !listed.pairs.keys().is_empty()) {
            truth.add(listed, gallery)?;
        }
        match of_truth().next() {
            Some(listed) if !truth.judges_any() => Err(judges_nothing(listed)),
            _ => Ok(truth),
        }
    })?;
    truths.sort_by_key(|truth| truth.kind);
    Ok(truths)
}

fn judges_nothing(listed: &Listed) -> Error {
    let found = format!("the ground truth {} judges no query", listed.name);
    Error::new(&listed.file, found)
        .expected("{query id: [ids of its positives]} in one direction at least")
        .mend("leave the file out")
}

/// Lets positives begin at a grade, and says so of every truth with grades.
fn graded(listed: &mut [Listed], from: Option<u32>) -> Vec<Note> {
    let mut notes = Vec::new();
    for listed in listed {
        let pairs = &mut listed.pairs;
        pairs.set_relevant_from(from.unwrap_or(pairs.relevant_from()));
        if let (Some(greatest), Some(direction)) = (pairs.greatest(), listed.direction) {
            notes.push(Note::fine(format!(
                "{}: ground truth {} {direction}: grades 0 to {greatest} kept for nDCG; positive from {}",
                listed.file,
                listed.name,
                pairs.relevant_from()
            )));
        }
    }
    if let (Some(from), true) = (from, notes.is_empty()) {
        notes.push(Note::warning(format!(
            "--relevant-from {from}: no ground truth has grades above 1"
        )));
    }
    notes
}

/// Lists without any query: their direction is not judged.
fn empty(listed: &Listed) -> Option<Note> {
    let direction = listed.direction.filter(|_| listed.pairs.keys().is_empty())?;
    let (file, name) = (&listed.file, &listed.name);
    let line = format!("{file}: ground truth {name} {direction}: an empty list, not judged");
    Some(Note::fine(line))
}

fn truth_notes(truth: &Truth) -> Vec<Note> {
    let mut notes = Vec::new();
    for direction in Direction::BOTH {
        let Some(relevance) = &truth.relevance[direction] else {
            continue;
        };
        let outside = truth.unresolved[direction].items;
        let left = match outside {
            0 => String::new(),
            count => format!(", {} of them not in the gallery", grouped(count)),
        };
        notes.push(Note::fine(format!(
            "ground truth {} {direction}: {}, {}{left}",
            truth.name,
            count(relevance.len(), "query"),
            count(relevance.pair_count() + outside, "positive")
        )));
        if relevance.pair_count() == 0 {
            notes.push(Note::no_positive(format!(
                "ground truth {} {direction}: no positive at all",
                truth.name
            )));
        }
        notes.extend(missing(truth, direction));
        notes.extend(equal_lists::note(truth, direction));
    }
    notes.extend(RULES.iter().filter_map(|rule| rule.note(truth)).map(Note::fine));
    notes
}

/// What the gallery lacks of a truth.
fn missing(truth: &Truth, direction: Direction) -> impl Iterator<Item = Note> {
    let unresolved = &truth.unresolved[direction];
    let both = [
        (unresolved.queries, &unresolved.query_examples, "queries that are left out"),
        (unresolved.items, &unresolved.item_examples, "positives that still count in R"),
    ];
    let missing = both.into_iter().filter(|(count, ..)| *count > 0);
    missing.map(move |(count, examples, what)| {
        let text = format!(
            "ground truth {} {direction}: {} not in the gallery: {what} ({})",
            truth.name,
            self::count(count, "id"),
            in_words(count, examples)
        );
        Note::missing_ids(text)
    })
}
