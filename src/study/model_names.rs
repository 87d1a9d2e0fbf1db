//! Custom names of models.

use std::path::{Path, PathBuf};

use crate::data::near::unknown;
use crate::data::scores::Model;
use crate::data::text::shown;
use crate::error::{Error, Result};

/// Whether a model was read from a file of this name, or by this path.
pub(super) fn is_of_file(model: &Model, file: &str) -> bool {
    model.source == file || model.source.rsplit('/').next() == Some(file)
}

/// Renames models, given by name or file, also through a symbolic link; returns pairs of old and new names.
///
/// # Errors
/// An unknown model; two names for one model; a name used twice.
pub(super) fn rename(
    models: &mut [Model],
    names: &[(String, String)],
) -> Result<Vec<(String, String)>> {
    let known: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
    let mut given: Vec<Option<&str>> = vec![None; models.len()];
    for (which, name) in names {
        let at = place(models, &known, which).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            unknown("--name", "model", which, &known)
        })?;
        if let Some(before) = given[at].replace(which) {
            let found = format!("{before} and {which} are one model, {}", models[at].source);
            return Err(Error::new("--name", found).expected("one name for each model"));
        }
        models[at].name = shown(name);
    }
    for (at, model) in models.iter().enumerate() {
        if models[..at].iter().any(|other| other.name == model.name) {
            let found = format!("two models would be named {}", model.name);
            return Err(Error::new("--name", found).expected("a name of its own for each"));
        }
    }
    let renamed = known.into_iter().zip(models.iter());
    let renamed = renamed.map(|(before, model)| (before, model.name.clone()));
    Ok(renamed.filter(|(before, now)| before != now).collect())
}

/// The model of this name or file.
fn place(models: &[Model], known: &[String], which: &str) -> Option<usize> {
    let is_named = |model: &Model| is_of_file(model, which);
    // Links to the same file match too.
    let whole = |path: &str| Path::new(path).canonicalize().ok();
    let file = || whole(which);
    let is_linked = |file: &PathBuf| {
        let of_model = |model: &Model| whole(&model.source).as_ref() == Some(file);
        models.iter().position(of_model)
    };
    let of_name = known.iter().position(|name| name == which);
    let of_file = || models.iter().position(is_named);
    of_name.or_else(of_file).or_else(|| is_linked(&file()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn models_are_named_by_their_name_or_their_file() {
        let mut models = demo::open().unwrap().models;
        let names = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
        };
        let renamed =
            rename(&mut models, &names(&[("broad.npy", "Ours"), ("careful", "broad")])).unwrap();
        assert_eq!(renamed, names(&[("careful", "broad"), ("broad", "Ours")]));
        let found: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(found, ["broad", "Ours", "naive"]);
        let said = rename(&mut models, &names(&[("nobody", "x")])).unwrap_err().to_string();
        assert!(said.contains("broad, Ours, naive"), "{said}");
        assert!(rename(&mut models, &names(&[("naive", "Ours")])).is_err());
        let twice = names(&[("naive", "one"), ("naive.npy", "other")]);
        let mut models = demo::open().unwrap().models;
        let said = rename(&mut models, &twice).unwrap_err().to_string();
        assert!(said.contains("naive and naive.npy are one model"), "{said}");
        let said = rename(&mut [], &names(&[("a", "b")])).unwrap_err().to_string();
        assert!(said.contains("there is none"), "{said}");
    }
}
