//! Names of one's own for models.

use crate::data::scores::Model;
use crate::data::text::shown;
use crate::error::{Error, Result};

/// Gives models the names asked for, by their own name or their file.
///
/// # Errors
/// A model that is not there; a name that two models would have.
pub(super) fn rename(models: &mut [Model], names: &[(String, String)]) -> Result<()> {
    let known = models.iter().map(|model| model.name.clone());
    let known: Vec<String> = known.collect();
    for (which, name) in names {
        let is_it = |model: &Model| {
            let file = model.source.rsplit('/').next();
            model.name == *which || model.source == *which || file == Some(which)
        };
        let at = known.iter().position(|name| name == which);
        let at = at.or_else(|| models.iter().position(is_it));
        let at = at.ok_or_else(|| {
            Error::new("--name", format!("no model is named {which}"))
                .expected(format!("one of {}", known.join(", ")))
        })?;
        models[at].name = shown(name);
    }
    for (at, model) in models.iter().enumerate() {
        if models[..at].iter().any(|other| other.name == model.name) {
            let found = format!("two models would be named {}", model.name);
            return Err(Error::new("--name", found).expected("a name of its own for each"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn models_are_named_by_their_name_or_their_file() {
        let mut models = demo::open().unwrap().models;
        let names = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
                .collect()
        };
        rename(
            &mut models,
            &names(&[("broad.npy", "Ours"), ("careful", "broad")]),
        )
        .unwrap();
        let found: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        assert_eq!(found, ["broad", "Ours", "naive"]);
        let said = rename(&mut models, &names(&[("nobody", "x")]))
            .unwrap_err()
            .to_string();
        assert!(said.contains("broad, Ours, naive"), "{said}");
        assert!(rename(&mut models, &names(&[("naive", "Ours")])).is_err());
    }
}
