//! Writes ground truths to files. Ids outside the gallery stay in the lists, so that R stays the same.

use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::open::open_with_lists;
use super::{Note, Study};
use crate::data::gallery::Gallery;
use crate::data::text::{Text, shell_word};
use crate::data::{Direction, PerDirection, json_text, output};
use crate::error::{Error, Result};
use crate::truth::bundle::{BundleFile, FORMAT, Truths};
use crate::truth::judgment::{Judgments, name_with_mine};
use crate::truth::output::Output;
use crate::truth::pairs::{NOT_RELEVANT, Pairs};
use crate::truth::{Listed, Truth};

/// The files that ground truths are written to.
#[derive(Clone, Copy)]
pub enum Export<'a> {
    /// A folder with one file per ground truth and direction, in this format.
    Lists(&'a Output),
    /// One file with all ground truths and the gallery.
    Bundle,
}

/// The pairs of one ground truth, and its name.
#[derive(Debug)]
pub struct NamedPairs {
    /// Its name.
    pub name: String,
    /// The pairs of each covered direction.
    pub pairs: PerDirection<Option<Pairs>>,
}

/// Writes ground truths to `out`, a folder of lists or a bundle, which includes the gallery if given; returns the
/// files. Each file is written atomically. `force`: overwrites existing files.
///
/// # Errors
/// An invalid file name; a file that exists and `force` is false; a file that cannot be written.
pub fn write_pairs(
    gallery: Option<&Gallery>,
    truths: Vec<NamedPairs>,
    (form, out): (Export<'_>, &Path),
    force: bool,
) -> Result<Vec<PathBuf>> {
    let Export::Lists(format) = form else {
        if out.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(Error::new(out.display(), "a folder, but a bundle is one file")
                .fix(format!("-o {}", out.with_extension("json").display())));
        }
        output::check_free(out, force)?;
        write_bundle(gallery, truths, out)?;
        return Ok(vec![out.to_owned()]);
    };
    let mut files = Vec::new();
    for NamedPairs { name, pairs } in &truths {
        check_file_name(name, format)?;
        for direction in Direction::BOTH {
            if let Some(pairs) = &pairs[direction] {
                let file = out.join(format.file_name(name, direction));
                output::check_new(&file, force)?;
                files.push((file, pairs));
            }
        }
    }
    make_folder(out)?;
    let write = |(file, pairs): (PathBuf, &Pairs)| {
        output::write_whole(&file, |writer| format.write(writer, pairs))?;
        Ok(file)
    };
    files.into_iter().map(write).collect()
}

/// Writes the ground truths of `inputs` that `names` lists, or all if it is empty; returns the study and the files.
///
/// # Errors
/// As [`super::open()`] and [`write_pairs`]; an unknown name; no ground truth at all.
pub fn write_truths(
    inputs: &Inputs,
    names: &[String],
    (form, out): (Export<'_>, &Path),
) -> Result<(Study, Vec<PathBuf>)> {
    // Do not export an assumed pairing as ground truth.
    let captions_per_image = inputs.captions_per_image.or(Some(0));
    let inputs = Inputs { captions_per_image, ..inputs.clone() };
    let (mut study, mut listed) = open_with_lists(&inputs)?;
    names.iter().try_for_each(|name| study.require_truth(name).map(drop))?;
    if study.truths.is_empty() {
        return Err(Error::new(out.display(), "nothing to write: no ground truth among the files")
            .expected("files of a ground truth, COCO captions, categories or ratings"));
    }
    let is_named = |truth: &&Truth| names.is_empty() || names.contains(&truth.name);
    let truths: Vec<&Truth> = study.truths.iter().filter(is_named).collect();
    let lost = lost_grade_notes(form, &truths, &listed);
    let named = |truth: &&Truth| NamedPairs {
        name: truth.name.clone(),
        pairs: PerDirection::from_fn(|direction| take_pairs(&study, &mut listed, truth, direction)),
    };
    let named = truths.iter().map(named).collect();
    let written = write_pairs(Some(&study.gallery), named, (form, out), inputs.force)?;
    study.notes.extend(lost);
    Ok((study, written))
}

/// Writes one ground truth of `inputs` with judgments applied; `choose` returns its name and the judgments. Returns the
/// study and the files.
///
/// # Errors
/// As [`super::open()`], `choose` and [`write_pairs`]; an unknown name.
pub fn write_judged(
    inputs: &Inputs,
    choose: impl FnOnce(&Study) -> Result<(String, Judgments)>,
    (form, out): (Export<'_>, &Path),
) -> Result<(Study, Vec<PathBuf>)> {
    let (mut study, mut listed) = open_with_lists(inputs)?;
    let (name, judgments) = choose(&study)?;
    let truth = study.require_truth(&name)?;
    let lost = lost_grade_notes(form, &[truth], &listed);
    let judged = truth.with_judgments(&judgments);
    let gallery = &study.gallery;
    let pairs = PerDirection::from_fn(|direction| {
        let relevance = judged.relevance[direction].as_ref()?;
        let before = take_pairs(&study, &mut listed, truth, direction)?;
        Some(before.regraded_by(relevance, gallery.queries(direction), gallery.items(direction)))
    });
    let named = vec![NamedPairs { name: name_with_mine(&name), pairs }];
    let written = write_pairs(Some(gallery), named, (form, out), inputs.force)?;
    study.notes.extend(lost);
    Ok((study, written))
}

/// Pairs of a truth in one direction: as in its file, moved out of `listed`, or those that a rule derived. `None`
/// without lists.
pub(super) fn take_pairs(
    study: &Study,
    listed: &mut Vec<Listed>,
    truth: &Truth,
    direction: Direction,
) -> Option<Pairs> {
    let is_wanted = |one: &Listed| one.name == truth.name && one.direction == Some(direction);
    if let Some(place) = listed.iter().position(is_wanted) {
        return Some(listed.swap_remove(place).pairs);
    }
    let relevance = truth.relevance[direction].as_ref()?;
    let gallery = &study.gallery;
    Some(Pairs::from_relevance(relevance, gallery.queries(direction), gallery.items(direction)))
}

/// A note on each of these truths with grades or pairs judged not relevant, if the format drops them.
fn lost_grade_notes(form: Export<'_>, truths: &[&Truth], listed: &[Listed]) -> Vec<Note> {
    if matches!(form, Export::Bundle | Export::Lists(Output { keeps_grades: true, .. })) {
        return Vec::new();
    }
    let loses = |truth: &&&Truth| {
        let mut lists = listed.iter().filter(|listed| listed.name == truth.name);
        lists.any(|one| {
            one.pairs.highest_grade().is_some() || one.pairs.filter_grade(NOT_RELEVANT).is_some()
        })
    };
    let note = |truth: &&Truth| {
        let name = &truth.name;
        Note::warning(format!(
            "ground truth {name}: written without grades and pairs judged not relevant, which --format qrels and a bundle keep"
        ))
    };
    truths.iter().filter(loses).map(note).collect()
}

/// Writes ground truths, and the gallery if given, to one file.
fn write_bundle(gallery: Option<&Gallery>, truths: Vec<NamedPairs>, out: &Path) -> Result<()> {
    let texts = |texts: &[Text]| {
        (!texts.is_empty()).then(|| texts.iter().map(|text| text.raw().to_owned()).collect())
    };
    let bundle = BundleFile {
        format: Some(FORMAT.to_owned()),
        image_ids: gallery.map(|gallery| gallery.images.as_slice().to_vec()),
        caption_ids: gallery.map(|gallery| gallery.captions.as_slice().to_vec()),
        captions: gallery.and_then(|gallery| texts(&gallery.texts)),
        file_names: gallery.and_then(|gallery| texts(&gallery.file_names)),
        truths: Truths(truths.into_iter().map(|truth| (truth.name, truth.pairs)).collect()),
        ..BundleFile::default()
    };
    output::write_whole(out, |file| json_text::write(file, &bundle))
}

/// Checks that the name of a truth can be that of a file.
fn check_file_name(truth: &str, format: &Output) -> Result<()> {
    if !truth.contains(['/', '\\', '\0']) && !truth.starts_with('.') {
        return Ok(());
    }
    Err(Error::new("ground truth", format!("{truth:?} cannot be the name of a file"))
        .expected("a name without slashes that does not begin with a dot")
        .fix(format!(
            "`truth merge --truth {} --as-name NAME --as {} -o DIR/` writes it by another name",
            shell_word(truth),
            format.key
        )))
}

/// Creates the folder for lists; an error if the path is that of a file or looks like one.
fn make_folder(folder: &Path) -> Result<()> {
    let is_file = folder.exists() && !folder.is_dir();
    let is_named_as_file = !folder.exists() && folder.extension().is_some_and(|end| end == "json");
    if is_file || is_named_as_file {
        return Err(Error::new(folder.display(), "a file, but several are written")
            .expected(format!("a folder, as {}/", folder.with_extension("").display()))
            .fix("name a folder; --format bundle writes one file"));
    }
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))
}
