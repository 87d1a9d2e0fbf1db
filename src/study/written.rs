//! Writes truths of a study to files of their own.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::inputs::Inputs;
use super::{Study, description, load, pack};
use crate::data::{Direction, output};
use crate::error::{Error, Result};
use crate::truth::Truth;
use crate::truth::output::Output;

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
    let (study, mut listed) = load::build(inputs)?;
    let truths: Vec<&Truth> = if names.is_empty() {
        study.truths.iter().collect()
    } else {
        let truth = |name: &String| study.require_truth(name);
        names.iter().map(truth).collect::<Result<_>>()?
    };
    if truths.is_empty() {
        return Err(Error::new(
            folder.display(),
            "nothing to write: no truth among the files",
        )
        .expected("files of a truth, or what one is made of: instances, ratings, captions"));
    }
    for truth in &truths {
        for direction in Direction::BOTH {
            inputs.spare(&folder.join(file_name(how, truth, direction)?))?;
        }
    }
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
    let mut written = Vec::new();
    for truth in truths {
        for direction in Direction::BOTH {
            let Some(pairs) = pack::pairs(&study, &mut listed, truth, direction) else {
                continue;
            };
            let path = folder.join(file_name(how, truth, direction)?);
            output::write_whole(&path, |file| how.write(BufWriter::new(file), &pairs))?;
            written.push(path);
        }
    }
    Ok((study, written))
}

fn file_name(how: &Output, truth: &Truth, direction: Direction) -> Result<String> {
    if truth.name.contains(['/', '\\', '\0']) || truth.name.starts_with('.') {
        return Err(Error::new(
            "--truth",
            format!("{:?} cannot be the name of a file", truth.name),
        )
        .expected("a name without slashes that does not begin with a dot"));
    }
    Ok(how.file_name(&truth.name, direction))
}
