//! The files and models of a description, from its folder on.

use std::path::{Path, PathBuf};

use super::{ModelTable, NamedModel};
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::study::keys::NamedFile;
use crate::study::score_inputs::{Neighbours, ScoreInputs};

/// Where a description stands: its paths start there.
pub(super) struct DescriptionPaths<'a> {
    pub path: &'a Path,
    /// The files that it names, so far.
    pub named: Vec<NamedFile>,
}

impl DescriptionPaths<'_> {
    /// The path of a file that a key names.
    pub(super) fn of(&mut self, file: &Path, key: &str) -> PathBuf {
        let path = self.path.parent().unwrap_or(Path::new("")).join(file);
        self.named.push(NamedFile {
            path: path.clone(),
            key: format!("{key} in {}", self.path.display()),
        });
        path
    }

    pub(super) fn maybe(&mut self, file: Option<PathBuf>, key: &str) -> Option<PathBuf> {
        file.map(|file| self.of(&file, key))
    }

    pub(super) fn model(
        &mut self,
        table: ModelTable,
        key: &str,
        file_key: &str,
    ) -> Result<NamedModel> {
        let mut knn = Vec::new();
        for (at, named) in table.knn.iter().enumerate() {
            let named = Neighbours::parse(named);
            let key = format!("{key}.knn[{at}]");
            knn.push(Neighbours {
                indices: self.of(&named.indices, &key),
                values: self.maybe(named.values, &key),
                ..named
            });
        }
        let file = self.maybe(table.scores, file_key);
        let mut of = |field: &str, file| self.maybe(file, &format!("{key}.{field}"));
        let scores = ScoreInputs {
            i2t: of("i2t", table.i2t),
            t2i: of("t2i", table.t2i),
            image_emb: of("image_emb", table.image_emb),
            text_emb: of("text_emb", table.text_emb),
            cosine: table.cosine,
            save_scores: of("save_scores", table.save_scores),
            runs: of("run", table.run).into_iter().collect(),
            run_i2t: of("run_i2t", table.run_i2t),
            run_t2i: of("run_t2i", table.run_t2i),
            knn,
            dense: false,
        };
        let model =
            NamedModel { name: shown(&table.name), file, source: self.path.to_owned(), scores };
        self.check(&model, key)?;
        Ok(model)
    }

    /// Checks that a model has its scores in one form.
    fn check(&self, model: &NamedModel, key: &str) -> Result<()> {
        let of_embeddings = model.scores.cosine || model.scores.save_scores.is_some();
        let name = &model.name;
        let fail = |what: String| Error::new(self.path.display(), format!("{key}{what}"));
        if of_embeddings && model.scores.image_emb.is_none() {
            return Err(fail(format!(": cosine or save_scores in the model {name:?}"))
                .expected("both go with image_emb and text_emb"));
        }
        if let Some((missing, beside)) = model.scores.missing() {
            return Err(
                fail(format!(".{missing}: missing")).expected(format!("a file beside {beside}"))
            );
        }
        if model.file.is_some() != model.scores.is_empty() {
            return Err(fail(format!(": the model {name:?} has not one form of scores"))
                .expected("scores = FILE; or i2t and t2i; or image_emb and text_emb; or run, run_i2t, run_t2i, knn"));
        }
        Ok(())
    }

    /// The files that a key names: one or several.
    pub(super) fn files(&mut self, key: &str, files: toml::Value) -> Result<Vec<PathBuf>> {
        let (listed, is_list) = match files {
            toml::Value::String(one) => (Some(vec![one]), false),
            toml::Value::Array(many) => {
                let text = |file: toml::Value| Some(file.as_str()?.to_owned());
                (many.into_iter().map(text).collect(), true)
            }
            _ => (None, false),
        };
        let files = listed.filter(|files| !files.is_empty()).ok_or_else(|| {
            let name = key.rsplit('.').next().unwrap_or(key);
            Error::new(self.path.display(), format!("{key} names no files"))
                .expected(format!("{name} = FILE, or {name} = [FILE, FILE]"))
        })?;
        let path = |(at, file): (usize, &String)| {
            let key = if is_list { format!("{key}[{at}]") } else { key.to_owned() };
            self.of(Path::new(file), &key)
        };
        Ok(files.iter().enumerate().map(path).collect())
    }
}
