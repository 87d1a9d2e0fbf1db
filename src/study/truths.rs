//! Ground truths of a study: lists from files, implied pairings, and rules.

use super::derived_truths::{self, Bases};
use super::files::Files;
use super::implied_pairing::{self, ImpliedPairing};
use super::inputs::Inputs;
use super::{Note, Topic, TruthRules, direction, gallery, original};
use crate::data::captions::CaptionFile;
use crate::data::gallery::Gallery;
use crate::data::text::{count, grouped};
use crate::data::{Direction, parallel};
use crate::error::{Error, Result};
use crate::truth::relevance::{Relevance, list_examples};
use crate::truth::rule::RULES;
use crate::truth::{Kind, Listed, Truth};

/// Ground truths over a gallery, the original first.
pub(super) struct Truths {
    /// Lists from files, with directions.
    pub listed: Vec<Listed>,
    pub truths: Vec<Truth>,
    pub bases: Bases,
    pub rules: TruthRules,
    /// The implied pairing, if no file lists one.
    pub implied: Option<ImpliedPairing>,
}

/// Builds the ground truths, and adds notes on them to `notes`; moves the lists out of `files`.
///
/// # Errors
/// Lists of another gallery; a pairing or a rule that does not fit.
pub(super) fn build(
    files: &mut Files,
    gallery: &Gallery,
    inputs: &Inputs,
    notes: &mut Vec<Note>,
) -> Result<Truths> {
    let order = [implied_pairing::can_be_implied(files), implied_pairing::is_in_order(files)];
    let mut listed = take_lists(files, gallery, notes)?;
    let mut implied = implied_pairing::pairing(&listed, gallery, order, inputs)?;
    if let Some(implied) = &mut implied {
        listed.append(&mut implied.lists);
        notes.push(implied.note.clone());
    }
    set_relevant_from(&mut listed, inputs.relevant_from, notes);
    notes.extend(listed.iter().filter_map(empty_note));
    notes.extend(derived_truths::drop_recomputed(&mut listed, inputs.rules, &files.rule_files));
    let mut truths = resolve(&listed, gallery)?;
    notes.extend(original::contradiction(&files.captions, &truths, gallery));
    let mut rules = inputs.rules;
    let bases = derived_truths::derive(&mut truths, &files.rule_files, gallery, &mut rules, notes)?;
    truths.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    for truth in truths.iter().filter(|truth| !truth.is_none_truth()) {
        add_truth_notes(truth, notes);
    }
    Ok(Truths { listed, truths, bases, rules, implied })
}

/// Moves the lists of truths out of `files`, and sets unknown directions. Adds the original pairing of a captions file
/// if no list has it, and the other direction of a one-directional pairing, with a note.
fn take_lists(files: &mut Files, gallery: &Gallery, notes: &mut Vec<Note>) -> Result<Vec<Listed>> {
    let parts = std::mem::take(&mut files.parts);
    let of_files = parts.into_iter().flat_map(|(_, parts)| parts.truths);
    let mut listed: Vec<Listed> = of_files.collect();
    if !listed.iter().any(gallery::is_original) {
        let has_images = |file: &&CaptionFile| file.captions.iter().any(|c| c.image.is_some());
        listed.extend(
            files.captions.iter().find(has_images).into_iter().flat_map(original::from_captions),
        );
    }
    for listed in &mut listed {
        listed.direction = Some(direction::detect(listed, gallery)?);
    }
    notes.extend(original::add_other_direction(&mut listed, gallery));
    Ok(listed)
}

/// Resolves all lists, whose directions are known, in the gallery; returns one ground truth per name.
///
/// # Errors
/// A ground truth without queries, and as [`Truth::add_direction`].
pub(super) fn resolve(listed: &[Listed], gallery: &Gallery) -> Result<Vec<Truth>> {
    let mut names: Vec<&str> = listed.iter().map(|listed| listed.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let mut truths = parallel::try_map(&names, |&name| {
        let mut truth = Truth::new(name);
        let of_truth = || listed.iter().filter(|listed| listed.name == name);
        for listed in of_truth().filter(|listed| !listed.pairs.keys().is_empty()) {
            truth.add_direction(listed, gallery)?;
        }
        match of_truth().next() {
            Some(listed) if !truth.has_lists() => Err(no_query_error(listed)),
            _ => Ok(truth),
        }
    })?;
    truths.sort_by_key(|truth| truth.kind);
    Ok(truths)
}

/// Error for a ground truth that covers no query in any direction.
fn no_query_error(listed: &Listed) -> Error {
    let found = format!("the ground truth {} covers no query", listed.name);
    Error::new(&listed.file, found)
        .expected("{query id: [ids of its positives]} in one direction at least")
        .fix("leave the file out")
}

/// Sets the lowest grade of a positive to `grade`, if given; adds notes on graded truths, and a warning if `grade` is
/// given but no truth is graded.
fn set_relevant_from(listed: &mut [Listed], grade: Option<u32>, notes: &mut Vec<Note>) {
    let mut is_graded = false;
    for listed in listed {
        let pairs = &mut listed.pairs;
        pairs.set_relevant_from(grade.unwrap_or(pairs.relevant_from()));
        if let (Some(greatest), Some(direction)) = (pairs.highest_grade(), listed.direction) {
            is_graded = true;
            notes.push(Note::fact(format!(
                "{}: ground truth {} {direction}: grades 0 to {greatest} kept for nDCG; positive from {}",
                listed.file,
                listed.name,
                pairs.relevant_from()
            )));
        }
    }
    if let (Some(grade), true) = (grade, !is_graded) {
        notes.push(Note::warning(format!(
            "--relevant-from {grade}: no ground truth has grades above 1"
        )));
    }
}

/// Note on a list without queries, whose direction is not covered; `None` for other lists.
fn empty_note(listed: &Listed) -> Option<Note> {
    let direction = listed.direction.filter(|_| listed.pairs.keys().is_empty())?;
    let (file, name) = (&listed.file, &listed.name);
    let line = format!("{file}: ground truth {name} {direction}: an empty list, not judged");
    Some(Note::fact(line))
}

/// Adds notes on a truth: its numbers of queries and positives, ids missing from the gallery, and lists that may be
/// rankings.
fn add_truth_notes(truth: &Truth, notes: &mut Vec<Note>) {
    for direction in Direction::BOTH {
        let Some(relevance) = &truth.relevance[direction] else {
            continue;
        };
        let outside = truth.unresolved[direction].items;
        let left = match outside {
            0 => String::new(),
            count => format!(", {} of them not in the gallery", grouped(count)),
        };
        notes.push(Note::fact(format!(
            "ground truth {} {direction}: {}, {}{left}",
            truth.name,
            count(relevance.len(), "query"),
            count(relevance.pair_count() + outside, "positive")
        )));
        if relevance.pair_count() == 0 {
            notes.push(Note::warning_about(
                Topic::NoPositive,
                format!("ground truth {} {direction}: no positive at all", truth.name),
            ));
        }
        notes.extend(missing_notes(truth, direction));
        if let Some(length) = length_of_rankings(truth, relevance) {
            notes.push(Note::warning(format!(
                "ground truth {} {direction}: every query has exactly {length} positives, as rankings have; --run FILE reads a file as ranked lists",
                truth.name
            )));
        }
    }
    notes.extend(RULES.iter().filter_map(|rule| (rule.note)(truth)).map(Note::fact));
}

/// Common length of all lists if they may be rankings: ten or more queries with equally many positives, ten or more.
/// `None` otherwise, and for the original pairing, where each image may have equally many captions.
fn length_of_rankings(truth: &Truth, relevance: &Relevance) -> Option<u32> {
    let mut lengths = (0..relevance.len()).map(|place| relevance.total_positives(place));
    let length = lengths.next()?;
    let is_long = length >= 10 && relevance.len() >= 10 && truth.kind != Kind::Original;
    (is_long && lengths.all(|other| other == length)).then_some(length)
}

/// Notes on a truth's missing ids.
fn missing_notes(truth: &Truth, direction: Direction) -> impl Iterator<Item = Note> {
    let unresolved = &truth.unresolved[direction];
    let both = [
        (unresolved.queries, &unresolved.query_examples, "queries that are excluded"),
        (unresolved.items, &unresolved.item_examples, "positives that still count in R"),
    ];
    let missing = both.into_iter().filter(|(count, ..)| *count > 0);
    missing.map(move |(count, examples, what)| {
        let text = format!(
            "ground truth {} {direction}: {} not in the gallery: {what} ({})",
            truth.name,
            self::count(count, "id"),
            list_examples(count, examples)
        );
        Note::warning_about(Topic::MissingIds, text)
    })
}
