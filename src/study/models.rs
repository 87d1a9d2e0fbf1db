//! The models of a study: scores fitted to the gallery.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::files::Files;
use super::gallery::Assembled;
use super::inputs::Inputs;
use super::loaded_scores::{LoadedForm, LoadedScores, OneMatrix};
use super::{Note, Phis, Topic, neighbours, orientation, runs};
use crate::data::id::Id;
use crate::data::npy::Npy;
use crate::data::scores::{Embeddings, Model, ScoreMatrix, Scores, Side, fill};
use crate::data::text::{count, grouped, shell_word, shown};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::Truth;

/// Fits all models to the gallery, and gives them unique names; adds notes.
///
/// # Errors
/// Scores of another gallery; an ambiguous square matrix.
pub(super) fn fit_models(
    loaded: &Files,
    assembled: &Assembled,
    truths: &[Truth],
    inputs: &Inputs,
    notes: &mut Vec<Note>,
) -> Result<Vec<Model>> {
    let mut models: Vec<Model> = Vec::new();
    for given in &loaded.models {
        let source = &given.source;
        let stem = &full_stem(given, &loaded.models);
        // Most pairs have no phi above 0, which is a score all the same.
        let is_dense = inputs.scores.dense || Phis::is_phi(&given.name);
        let fitter = Fitter { assembled, truths, inputs, loaded, is_dense };
        let mut model_notes = Vec::new();
        let scores = fitter.fit_scores(given, &mut model_notes)?;
        let is_taken = |name: &String| models.iter().any(|model| model.name == *name);
        let numbered = (2..).map(|count| format!("{stem}-{count}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        let name = names.find(|name| !is_taken(name)).expect("the numbers do not end");
        for (at, note) in model_notes.into_iter().enumerate() {
            let what = if at == 0 { "model " } else { "" };
            notes.push(Note { text: format!("{source}: {what}{name}, {}", note.text), ..note });
        }
        models.push(Model { name, source: source.clone(), scores });
    }
    Ok(models)
}

/// The name of a model's file; after that of its folder if several of `all` share it, but for phi, which go by name.
fn full_stem(model: &LoadedScores, all: &[LoadedScores]) -> String {
    let name = model.name.clone();
    let is_shared = all.iter().filter(|other| other.name == name).count() > 1;
    let folder = Path::new(&model.source).parent().and_then(Path::file_name);
    let folder = folder.filter(|_| is_shared && !Phis::is_phi(&name));
    let folder = folder.map(|folder| shown(&folder.to_string_lossy()));
    folder.map(|folder| format!("{folder}/{name}")).unwrap_or(name)
}

/// Fits the scores of one model to the gallery.
struct Fitter<'a> {
    assembled: &'a Assembled,
    inputs: &'a Inputs,
    /// Truths by which square matrices are oriented.
    truths: &'a [Truth],
    loaded: &'a Files,
    /// Whether every cell is a score, even if most of a row is its minimum.
    is_dense: bool,
}

/// Maximum ratio of the lengths of embeddings that count as equal: half precision rounds by less.
const MAX_LENGTH_RATIO: f64 = 1.01;

impl Fitter<'_> {
    /// The scores over the gallery; adds notes, the first of which describes the model.
    fn fit_scores(&self, given: &LoadedScores, notes: &mut Vec<Note>) -> Result<Scores> {
        match &given.form {
            LoadedForm::Matrix(matrix) => {
                let matrix = self.fit_matrix(matrix, notes)?;
                let Some(fill) = self.fill(&matrix) else {
                    return Ok(Scores::Matrix(Arc::new(matrix)));
                };
                let side = |direction| Side::new(matrix.clone(), direction, Some(fill));
                Ok(scores_per_direction(PerDirection::from_fn(side), notes))
            }
            LoadedForm::Two(files) => self.fit_pair(files, notes),
            LoadedForm::Embeddings { embeddings, description } => {
                self.check_sizes(embeddings, &given.source)?;
                notes.push(Note::fact(description.clone()));
                let [least, most] = embeddings.lengths();
                if most > least * MAX_LENGTH_RATIO {
                    let [least, most] = [least, most].map(|length| match length {
                        1e-3..1e6 => format!("{length:.3}"),
                        _ => format!("{length:.1e}"),
                    });
                    let found = format!("embeddings of lengths from {least} to {most}");
                    notes.push(Note::warning_about(Topic::Lengths, found));
                }
                Ok(Scores::Embeddings(embeddings.clone()))
            }
            LoadedForm::Knn(found) => {
                let lists = neighbours::resolve(found, &self.assembled.gallery, notes)?;
                Ok(Scores::Lists(Arc::new(lists)))
            }
            LoadedForm::Lists(files) => {
                let lists = runs::resolve(files, &self.assembled.gallery, notes)?;
                Ok(Scores::Lists(Arc::new(lists)))
            }
        }
    }

    /// The scores of one matrix per direction. If both orientations fit, queries are rows, as re-rankers write.
    fn fit_pair(&self, files: &PerDirection<OneMatrix>, notes: &mut Vec<Note>) -> Result<Scores> {
        let (i2t, i2t_note) = self.fold_or_orient(&files.i2t, false)?;
        let (t2i, t2i_note) = self.fold_or_orient(&files.t2i, true)?;
        notes.push(Note::fact(format!("one matrix a direction: i2t {i2t_note}; t2i {t2i_note}")));
        let side = |matrix: ScoreMatrix, direction| {
            let fill = self.fill(&matrix);
            Side::new(matrix, direction, fill)
        };
        let both = PerDirection { i2t: side(i2t, Direction::I2t), t2i: side(t2i, Direction::T2i) };
        Ok(scores_per_direction(both, notes))
    }

    /// Checks that embeddings are as many as images and captions.
    fn check_sizes(&self, embeddings: &Embeddings, source: &str) -> Result<()> {
        let sizes = Direction::both(|direction| embeddings.side_len(direction));
        let gallery = &self.assembled.gallery;
        if sizes == [gallery.images.len(), gallery.captions.len()] {
            return Ok(());
        }
        let [images, captions] = sizes.map(grouped);
        let found = format!("embeddings of {images} images and {captions} captions");
        let error = self.misfit(source.to_owned(), found);
        Err(if sizes == [gallery.captions.len(), gallery.images.len()] {
            error.fix("exchange the files of --image-emb and --text-emb")
        } else {
            error
        })
    }

    /// The value of cells without a score; `None` if every cell is a score.
    fn fill(&self, matrix: &ScoreMatrix) -> Option<f64> {
        (!self.is_dense).then(|| fill::find(matrix))?
    }

    /// The matrix of both directions: as is, with repeated images folded, or without captions missing from the gallery;
    /// adds notes.
    fn fit_matrix(&self, given: &OneMatrix, notes: &mut Vec<Note>) -> Result<ScoreMatrix> {
        if let Some((matrix, note)) = self.without_extra_captions(&given.npy)? {
            notes.push(Note::fact(format!("{}; {note}", matrix.describe())));
            return Ok(matrix);
        }
        let (matrix, description) = self.fold_or_orient(given, false)?;
        let is_oriented = matrix.images() != matrix.captions() || matrix.image_repeats().is_some();
        if is_oriented || self.inputs.captions_first.is_some() {
            notes.push(Note::fact(description));
            return Ok(matrix);
        }
        let (matrix, evidence) = orientation::orient_square(&matrix, self.truths)?;
        notes.push(Note::fact(matrix.describe()));
        notes.extend(evidence);
        Ok(matrix)
    }

    /// The matrix with repeated images folded, if that fits the gallery, else from [`Fitter::orient`]; and a
    /// description for notes.
    fn fold_or_orient(
        &self,
        given: &OneMatrix,
        captions_first: bool,
    ) -> Result<(ScoreMatrix, String)> {
        let folded = given.folded.as_ref().filter(|folded| self.fits(folded));
        if let Some((folded, times)) = folded.and_then(|one| Some((one, one.image_repeats()?))) {
            let description = format!(
                "{}; each image stands {times} times in a row and is taken once",
                folded.describe()
            );
            return Ok((folded.clone(), description));
        }
        let matrix = self.orient(&given.npy, captions_first)?;
        let description = matrix.describe();
        Ok((matrix, description))
    }

    /// The matrix without captions missing from the gallery, and a note. `None` if no captions file lists the captions
    /// of the matrix, or if none of them is missing.
    fn without_extra_captions(&self, npy: &Npy) -> Result<Option<(ScoreMatrix, String)>> {
        let gallery = &self.assembled.gallery;
        let (images, captions) = (gallery.images.len(), gallery.captions.len());
        for listed in &self.loaded.captions {
            let all = listed.captions.len();
            let captions_first = npy.shape == [all, images];
            if all <= captions || !(captions_first || npy.shape == [images, all]) {
                continue;
            }
            let ids = listed.captions.iter().map(|caption| &caption.id);
            let column_of: FxHashMap<&Id, u32> = ids.zip(0..).collect();
            let wanted = gallery.captions.as_slice().iter();
            let Some(columns) = wanted.map(|id| column_of.get(id).copied()).collect() else {
                continue;
            };
            let matrix = ScoreMatrix::new(npy.clone(), captions_first)?.with_captions(columns);
            let note = format!(
                "{} of the {} captions in {} are not in the gallery: their scores are excluded",
                grouped(all - captions),
                grouped(all),
                listed.file,
            );
            return Ok(Some((matrix, note)));
        }
        Ok(None)
    }

    /// Whether the matrix has the sizes of the gallery.
    fn fits(&self, matrix: &ScoreMatrix) -> bool {
        let gallery = &self.assembled.gallery;
        (matrix.images(), matrix.captions()) == (gallery.images.len(), gallery.captions.len())
    }

    /// The matrix in the orientation that fits the gallery. If both fit, a flag decides; without a flag, rows are
    /// captions if `captions_first`, else images. An error if the orientation of the flag does not fit, or none does.
    fn orient(&self, npy: &Npy, captions_first: bool) -> Result<ScoreMatrix> {
        let read = |captions_first| ScoreMatrix::new(npy.clone(), captions_first);
        let readings = [read(captions_first)?, read(!captions_first)?];
        let flag = self.inputs.captions_first;
        let is_allowed =
            |matrix: &&ScoreMatrix| flag.is_none_or(|flag| matrix.captions_first() == flag);
        let mut fitting = readings.iter().filter(|matrix| self.fits(matrix));
        if let Some(matrix) = fitting.clone().find(is_allowed) {
            return Ok(matrix.clone());
        }
        let (rows, columns) = (npy.shape[0], npy.shape[1]);
        let found = format!("a matrix of {} x {}", grouped(rows), grouped(columns));
        let subject = npy.source().display();
        if fitting.next().is_none() {
            return Err(self.misfit(subject, found));
        }
        let (read, flag) = match flag {
            Some(true) => ("captions x images", "--captions-first"),
            _ => ("images x captions", "--images-first"),
        };
        let found = format!("{found}, read as {read} because of {flag}");
        Err(self.misfit(subject, found).fix(format!("drop {flag}")))
    }

    /// The files of the only two models if they may be embeddings: matrices with equally many columns; else `None`. The
    /// file with fewer rows is first, as there are fewer images than captions.
    fn possible_embeddings(&self) -> Option<[String; 2]> {
        let [one, other] = &self.loaded.models[..] else { return None };
        let (LoadedForm::Matrix(one), LoadedForm::Matrix(other)) = (&one.form, &other.form) else {
            return None;
        };
        let mut both = [&one.npy, &other.npy];
        both.sort_by_key(|npy| npy.shape[0]);
        let is_alike = both[0].shape[1] == both[1].shape[1];
        is_alike.then(|| both.map(|npy| shell_word(&npy.source().display())))
    }

    /// Error for scores of other sizes than the gallery. If the length of an id list fits no model, the error is about
    /// that list.
    fn misfit(&self, subject: String, found: String) -> Error {
        let Assembled { gallery, images_from, captions_from, .. } = self.assembled;
        let first = &self.loaded.models[0].source;
        let lists = [("caption", &self.loaded.caption_ids), ("image", &self.loaded.image_ids)];
        let sizes: Vec<[usize; 2]> =
            self.loaded.models.iter().filter_map(LoadedScores::sizes).collect();
        for (item, ids) in lists.into_iter().filter(|_| subject == *first) {
            if let Some(ids) = ids.as_ref().filter(|ids| !sizes.concat().contains(&ids.ids.len())) {
                return Error::new(&ids.file, count(ids.ids.len(), "id"))
                    .expected(format!("one for each {item} of {subject}, {found}"));
            }
        }
        let fix = match self.possible_embeddings() {
            Some([images, captions]) => format!(
                "if these are embeddings, in their place: --image-emb {images} --text-emb {captions}; else other ids or \
                 ground truths"
            ),
            None => "give the ids that belong to these scores with --image-ids and --caption-ids, or drop the files of \
                     another gallery"
                .to_owned(),
        };
        let from = |file: &Option<String>| file.as_ref().unwrap_or(first).clone();
        Error::new(subject, found)
            .expected(format!(
                "{} images (as in {}) x {} captions (as in {})",
                grouped(gallery.images.len()),
                from(images_from),
                grouped(gallery.captions.len()),
                from(captions_from),
            ))
            .fix(fix)
    }
}

/// Scores with different cells in each direction; adds notes on how many of them are scored.
fn scores_per_direction(sides: PerDirection<Side>, notes: &mut Vec<Note>) -> Scores {
    for direction in Direction::BOTH {
        notes.extend(depth_note(&sides[direction], direction));
    }
    Scores::Two(Arc::new(sides))
}

/// Note on the number of scored items per query of a direction; `None` if all items are scored.
fn depth_note(side: &Side, direction: Direction) -> Option<Note> {
    let (fill, depths) = (side.fill?, side.depths.as_ref()?);
    let (least, most) = (depths.iter().min()?, depths.iter().max()?);
    let depth = if least == most {
        format!("{least} items scored a query")
    } else {
        format!("{least} to {most} items scored a query")
    };
    Some(Note::fact(format!(
        "{direction}: {depth}; cells of {fill} are not scored and not ranked (--dense takes them as scores)"
    )))
}
