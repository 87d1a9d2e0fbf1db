//! Custom names of models.

use std::path::Path;

use crate::data::near::unknown_error;
use crate::data::scores::Model;
use crate::data::text::shown;
use crate::error::{Error, Result};

/// Whether a model was read from a file of this name, or by this path.
pub(super) fn is_of_file(model: &Model, file: &str) -> bool {
    model.source == file || model.source.rsplit('/').next() == Some(file)
}

/// Renames models by pairs of an old name or a file and a new name; returns the old and new names that differ.
///
/// # Errors
/// An unknown model; two names for one model; a name used twice.
pub(super) fn rename(
    models: &mut [Model],
    names: &[(String, String)],
) -> Result<Vec<(String, String)>> {
    let old_names: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
    let mut given: Vec<Option<&str>> = vec![None; models.len()];
    for (old_name, name) in names {
        let at = find_model(models, &old_names, old_name).ok_or_else(|| {
            let known: Vec<&str> = old_names.iter().map(String::as_str).collect();
            unknown_error("--name", "model", old_name, &known)
        })?;
        if let Some(before) = given[at].replace(old_name) {
            let found = format!("{before} and {old_name} are one model, {}", models[at].source);
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
    let renamed = old_names.into_iter().zip(models.iter());
    let renamed = renamed.map(|(old, model)| (old, model.name.clone()));
    Ok(renamed.filter(|(old, new)| old != new).collect())
}

/// Index of the model that has this name in `names`, or was read from this file or from a link to it; `None` if there
/// is none.
fn find_model(models: &[Model], names: &[String], name_or_file: &str) -> Option<usize> {
    let canonical = |path: &str| Path::new(path).canonicalize().ok();
    let by_file = || models.iter().position(|model| is_of_file(model, name_or_file));
    let by_link = || {
        let file = canonical(name_or_file)?;
        models.iter().position(|model| canonical(&model.source).as_ref() == Some(&file))
    };
    let by_name = names.iter().position(|name| name == name_or_file);
    by_name.or_else(by_file).or_else(by_link)
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
