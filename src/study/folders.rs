//! Expands paths on the command line: files of folders, and partner files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Note;
use super::recognise::SESSION;
use crate::data::file_states;
use crate::data::gallery::TEST_IDS;
use crate::data::parallel;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::truth::{FORMATS, id_map};

/// Opens all files once: folders are replaced by their files (scores only if `with_scores`, for training steps), and a
/// file of one direction brings the file of the other; adds notes.
///
/// # Errors
/// A file or a folder that cannot be read.
pub(super) fn open_sources(
    files: &[&PathBuf],
    with_scores: bool,
    notes: &mut Vec<Note>,
) -> Result<Vec<Arc<Source>>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in files {
        if path.is_dir() {
            paths.extend(files_of_folder(path, files, with_scores, notes)?);
        } else {
            paths.push((*path).clone());
            paths.extend(partner(path).filter(|partner| !files.contains(&partner)));
        }
    }
    let mut seen = std::collections::HashSet::new();
    paths.retain(|path| {
        let is_new = seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
        if !is_new {
            notes.push(Note::warning(format!("{}: named twice, read once", path.display())));
        }
        is_new
    });
    parallel::try_map(&paths, |path| Source::open(path).map(Arc::new))
}

/// Whether a path is a score file or a folder with score files, by name, and no matrix in it is still being written.
pub fn holds_whole_scores(path: &Path) -> bool {
    let holds = match entries(path) {
        Ok(files) => files.iter().any(|file| is_scores(file)),
        Err(_) => is_scores(path),
    };
    holds && file_states::is_whole(path)
}

/// Paths of everything in a folder, sorted.
///
/// # Errors
/// A folder that cannot be read.
fn entries(path: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(path).map_err(|e| Error::io(path, &e))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Files of a folder that belong to a study, by name; scores only if `with_scores`. Skips the `named` files, which are
/// read anyway, and adds a note on unused files.
///
/// # Errors
/// A folder that cannot be read, or has no truths and, if `with_scores`, no scores.
fn files_of_folder(
    path: &Path,
    named: &[&PathBuf],
    with_scores: bool,
    notes: &mut Vec<Note>,
) -> Result<Vec<PathBuf>> {
    if with_scores {
        // Files added before the folder is read count as new again, which is better than missing them.
        file_states::record_folder(path);
    }
    let is_file = |path: &PathBuf| {
        let name = path.file_name();
        // Reading a pipe would block.
        let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        // Exclude sessions and their locks.
        path.is_file() && !name.starts_with('.') && !name.contains(SESSION)
    };
    let (used, unused): (Vec<_>, Vec<_>) = entries(path)?
        .into_iter()
        .filter(is_file)
        .partition(|path| is_study_file(path) || with_scores && is_scores(path));
    let has_truth = |path: &PathBuf| {
        ending(path).is_some_and(is_truth_ending)
            || stem(path).is_some_and(|s| id_map::partner_stem(&s).is_some())
    };
    if !used.iter().any(|path| has_truth(path) || is_scores(path)) {
        if with_scores {
            return Err(Error::new(path.display(), "a folder without matrices and ground truths")
                .expected("the steps of a training, such as step-000100.npy")
                .fix("--series --watch of the explorer waits for the first step"));
        }
        let error = Error::new(path.display(), "a folder without ground truths")
            .expected("files named NAME_image_to_caption.json and NAME_caption_to_image.json");
        return Err(error.fix(if unused.iter().any(|path| is_scores(path)) {
            "name the matrices themselves, or take all of them as the steps of a training with --series"
        } else {
            "name the files themselves instead of the directory"
        }));
    }
    let is_named = |path: &PathBuf| named.contains(&path);
    let unused: Vec<PathBuf> = unused.into_iter().filter(|path| !is_named(path)).collect();
    if !unused.is_empty() {
        notes.push(Note::fact(describe_unused(path, &unused)));
    }
    Ok(used.into_iter().filter(|path| !is_named(path)).collect())
}

/// Text of the note on skipped files of a folder. Instances are skipped, because ranks for Plausible Match cost several
/// times as much as those for all other truths.
fn describe_unused(folder: &Path, unused: &[PathBuf]) -> String {
    let name = |path: &PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    let names: Vec<String> = unused.iter().filter_map(name).collect();
    let instances = names.iter().position(|name| name.starts_with("instances"));
    let hint = instances.map_or(String::new(), |at| {
        format!(" (name {} itself for the ground truth pm)", unused[at].display())
    });
    format!("{}: not used: {}{hint}", folder.display(), names.join(", "))
}

/// Whether the name is that of a matrix, which may have the scores of a training step.
fn is_scores(path: &Path) -> bool {
    file_states::is_matrix(path) && stem(path).is_some_and(|stem| stem != TEST_IDS)
}

/// Whether the name is that of a ground truth, captions, ratings or ids.
fn is_study_file(path: &Path) -> bool {
    let Some(stem) = stem(path) else { return false };
    match ending(path) {
        Some("json") => id_map::partner_stem(&stem).is_some() || stem.starts_with("captions"),
        Some("npy") => stem == TEST_IDS,
        Some("csv") => stem.contains("sits"),
        Some(ending) => is_truth_ending(ending),
        None => false,
    }
}

/// The other direction's file next to `path`, if any.
fn partner(path: &Path) -> Option<PathBuf> {
    let ending = ending(path).filter(|ending| *ending == "json" || is_truth_ending(ending))?;
    let other = format!("{}.{ending}", id_map::partner_stem(&stem(path)?)?);
    let other = path.with_file_name(other);
    other.is_file().then_some(other)
}

/// Whether files with this ending are always ground truths.
fn is_truth_ending(ending: &str) -> bool {
    let mut endings = FORMATS.iter().filter_map(|format| format.ending);
    endings.any(|known| known == ending)
}

/// File name ending, without the dot.
fn ending(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// File name without ending.
fn stem(path: &Path) -> Option<String> {
    Some(path.file_stem()?.to_str()?.to_owned())
}
