//! Writes truths of a study to files of their own.

use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::{Note, Study, description, load, pack};
use crate::data::text::shell_word;
use crate::data::{Direction, output};
use crate::error::{Error, Result};
use crate::truth::output::Output;
use crate::truth::pairs::Pairs;
use crate::truth::rule::{RULES, Rule};
use crate::truth::{Listed, Truth};

/// Writes the truths of `inputs` that `names` lists (all, if it is empty) into `folder`, which is
/// made if need be: a file for each direction, which appears whole or not at all. Ids that the
/// gallery lacks stay in the lists, so that R stays the same.
///
/// # Errors
/// As [`load::open`]; a name that no truth has, or that cannot be a file's; when a file cannot be
/// written.
pub fn write_truths(
    inputs: &Inputs,
    names: &[String],
    how: &Output,
    folder: &Path,
) -> Result<(Study, Vec<PathBuf>)> {
    let inputs = &description::expanded(inputs)?;
    let (mut study, mut listed) = load::build(inputs)?;
    let truths: Vec<&Truth> = if names.is_empty() {
        study.truths.iter().collect()
    } else {
        let truth = |name: &String| study.require_truth(name);
        names.iter().map(truth).collect::<Result<_>>()?
    };
    if truths.is_empty() {
        return Err(Error::new(
            folder.display(),
            "nothing to write: no ground truth among the files",
        )
        .expected(format!(
            "files of a ground truth, or what one is made of: {}captions",
            contents()
        )));
    }
    for truth in &truths {
        check_name("ground truth", &truth.name)
            .map_err(|error| error.mend(renaming(&truth.name, how)))?;
        for direction in Direction::BOTH {
            inputs.spare_inside(&folder.join(how.file_name(&truth.name, direction)))?;
        }
    }
    make_folder(folder)?;
    let is_written = |listed: &&Listed| truths.iter().any(|truth| truth.name == listed.name);
    let flat = without_grades(how, listed.iter().filter(is_written));
    let mut written = Vec::new();
    for truth in truths {
        for direction in Direction::BOTH {
            let Some(pairs) = pack::pairs(&study, &mut listed, truth, direction) else {
                continue;
            };
            written.push(write_list(how, &truth.name, direction, &pairs, folder)?);
        }
    }
    study.notes.extend(flat);
    Ok((study, written))
}

/// How a truth is written by another name.
fn renaming(truth: &str, how: &Output) -> String {
    let (form, truth) = (how.key, shell_word(truth));
    format!(
        "`truth merge --truth {truth} --as-name NAME --as {form} -o DIR/` writes it by another name"
    )
}

/// What rules make truths of, each with a comma behind it.
fn contents() -> String {
    let add = |contents: String, rule: &&dyn Rule| contents + rule.content() + ", ";
    RULES.iter().fold(String::new(), add)
}

/// What a format without grades loses of these lists: grades, and pairs judged not relevant.
pub(super) fn without_grades<'a>(
    how: &Output,
    listed: impl Iterator<Item = &'a Listed>,
) -> Vec<Note> {
    let line = |listed: &Listed| {
        let lost = match (listed.pairs.greatest(), listed.pairs.nonrelevant()) {
            _ if how.keeps_grades => None,
            (Some(_), _) => Some("its grades"),
            (None, Some(_)) => Some("its pairs judged not relevant"),
            (None, None) => None,
        };
        let name = &listed.name;
        let line = |lost: &str| {
            format!(
                "ground truth {name}: written without {lost}, which --format qrels and a bundle keep"
            )
        };
        lost.map(|lost| Note::warning(line(lost)))
    };
    let mut notes: Vec<Note> = listed.filter_map(line).collect();
    notes.dedup();
    notes
}

/// Writes one direction of a truth into a folder; gives the file.
pub(super) fn write_list(
    how: &Output,
    truth: &str,
    direction: Direction,
    pairs: &Pairs,
    folder: &Path,
) -> Result<PathBuf> {
    let path = folder.join(how.file_name(truth, direction));
    output::write_whole(&path, |file| how.write(file, pairs))?;
    Ok(path)
}

/// Checks that files can be named after a truth, whose name `option` gave.
///
/// # Errors
/// A name that cannot be a file's.
pub(super) fn check_name(option: &str, truth: &str) -> Result<()> {
    if truth.contains(['/', '\\', '\0']) || truth.starts_with('.') {
        let found = format!("{truth:?} cannot be the name of a file");
        return Err(Error::new(option, found)
            .expected("a name without slashes that does not begin with a dot"));
    }
    Ok(())
}

/// Checks that what is to be one file is not named as a folder.
///
/// # Errors
/// A name that ends with a slash; a folder.
pub(super) fn check_one_file(out: &Path) -> Result<()> {
    let name = out.as_os_str().as_encoded_bytes();
    let is_folder = name.ends_with(b"/") || out.is_dir();
    if !is_folder {
        return Ok(());
    }
    let file = out.with_extension("json");
    Err(Error::new(out.display(), "named as a folder, but a bundle is one file")
        .expected("the name of a file")
        .mend(format!("-o {}", file.display())))
}

/// Makes the folder that lists are written to. A new one named as a file is not what was meant.
///
/// # Errors
/// A folder that cannot be made, or whose name ends as that of a file.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    if folder.exists() && !folder.is_dir() {
        let found = "a file is there, and several are written";
        return Err(Error::new(folder.display(), found).expected("the name of a folder"));
    }
    if !folder.exists() && folder.extension().is_some_and(|ending| ending == "json") {
        let named = folder.with_extension("");
        return Err(Error::new(folder.display(), "named as a file, but several are written")
            .expected(format!("a folder, as {}/", named.display()))
            .mend("name a folder; --format bundle writes one file"));
    }
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))
}
