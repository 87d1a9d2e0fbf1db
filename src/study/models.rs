//! The models of a study: given scores, fitted to the gallery.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::gallery::Assembled;
use super::inputs::Inputs;
use super::loaded_scores::{LoadedScores, OneMatrix};
use super::{Note, Phis, neighbours, runs};
use crate::data::captions::CaptionFile;
use crate::data::id::Id;
use crate::data::npy::Npy;
use crate::data::scores::{Embeddings, Model, REPEATS, ScoreMatrix, Scores, Side, fill};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// Fits all models to the gallery.
pub(super) fn models(
    given: &[(String, LoadedScores)],
    captions: &[(String, CaptionFile)],
    assembled: &Assembled,
    inputs: &Inputs,
    notes: &mut Vec<Note>,
) -> Result<Vec<Model>> {
    let mut models: Vec<Model> = Vec::new();
    for (stem, one) in given {
        let fitter = Fitter {
            assembled,
            inputs,
            first: &given[0].1,
            captions,
            is_dense: inputs.scores.dense || Phis::is_phi(stem),
        };
        let mut model_notes = Vec::new();
        let scores = fitter.scores(one, &mut model_notes)?;
        let mut name = stem.clone();
        let mut count = 1;
        while models.iter().any(|model| model.name == name) {
            count += 1;
            name = format!("{stem}-{count}");
        }
        let source = one.source();
        for (at, note) in model_notes.into_iter().enumerate() {
            let what = if at == 0 { "model " } else { "" };
            notes.push(Note {
                text: format!("{source}: {what}{name}, {}", note.text),
                ..note
            });
        }
        models.push(Model {
            name,
            source,
            scores,
        });
    }
    Ok(models)
}

/// Fits one model.
struct Fitter<'a> {
    assembled: &'a Assembled,
    inputs: &'a Inputs,
    /// What gave the sizes of the gallery where no ids did.
    first: &'a LoadedScores,
    /// Captions files: one may name the columns of a matrix with more captions than the gallery.
    captions: &'a [(String, CaptionFile)],
    /// Whether every cell is a score, also where most of a row holds its least value.
    is_dense: bool,
}

/// How much longer than another an embedding is where both are taken for as long: rounded to half precision, they
/// differ less.
const ALIKE: f64 = 1.01;

impl Fitter<'_> {
    fn scores(&self, given: &LoadedScores, notes: &mut Vec<Note>) -> Result<Scores> {
        match given {
            LoadedScores::Matrix(matrix) => {
                let matrix = self.fit_one(matrix, notes)?;
                let Some(fill) = self.fill(&matrix) else {
                    return Ok(Scores::Matrix(Arc::new(matrix)));
                };
                let side = |direction| Side::new(matrix.clone(), direction, Some(fill));
                Ok(sides(PerDirection::from_fn(side), notes))
            }
            LoadedScores::Two(files) => self.two(files, notes),
            LoadedScores::Embeddings {
                embeddings,
                described,
                ..
            } => {
                self.check_sizes(embeddings, given)?;
                notes.push(Note::fine(described.clone()));
                let [least, most] = embeddings.lengths();
                if most > least * ALIKE {
                    let found = format!("embeddings of lengths from {least:.3} to {most:.3}");
                    notes.push(Note::lengths(found));
                }
                Ok(Scores::Embeddings(embeddings.clone()))
            }
            LoadedScores::Knn(found) => {
                let lists = neighbours::resolve(found, &self.assembled.gallery, notes)?;
                Ok(Scores::Lists(Arc::new(lists)))
            }
            LoadedScores::Lists(_, files) => {
                let lists = runs::resolve(files, &self.assembled.gallery, notes)?;
                Ok(Scores::Lists(Arc::new(lists)))
            }
        }
    }

    /// A matrix for each direction.
    fn two(&self, files: &PerDirection<OneMatrix>, notes: &mut Vec<Note>) -> Result<Scores> {
        let flag = self.inputs.captions_first;
        let (i2t, of_i2t) = self.fit_or_folded(&files.i2t, flag)?;
        // Re-rankers write the queries first: where both ways fit, that decides.
        let turned = flag || files.t2i.npy.shape[0] == i2t.captions();
        let (t2i, of_t2i) = self.fit_or_folded(&files.t2i, turned)?;
        notes.push(Note::fine(format!(
            "one matrix a direction: i2t {of_i2t}; t2i {of_t2i}"
        )));
        let side = |matrix: ScoreMatrix, direction| {
            let fill = self.fill(&matrix);
            Side::new(matrix, direction, fill)
        };
        let both = PerDirection {
            i2t: side(i2t, Direction::I2t),
            t2i: side(t2i, Direction::T2i),
        };
        Ok(sides(both, notes))
    }

    fn check_sizes(&self, embeddings: &Embeddings, given: &LoadedScores) -> Result<()> {
        let sizes = Direction::both(|direction| embeddings.side_len(direction));
        let gallery = &self.assembled.gallery;
        if sizes == [gallery.images.len(), gallery.captions.len()] {
            return Ok(());
        }
        let [images, captions] = sizes.map(grouped);
        let found = format!("embeddings of {images} images and {captions} captions");
        let error = self.misfit(given.source(), found);
        Err(if sizes == [gallery.captions.len(), gallery.images.len()] {
            error.mend("exchange the files of --image-emb and --text-emb")
        } else {
            error
        })
    }

    fn fill(&self, matrix: &ScoreMatrix) -> Option<f64> {
        (!self.is_dense).then(|| fill::find(matrix))?
    }

    /// The matrix of both directions: as it is, with repeated images folded, or without the captions
    /// that the gallery lacks.
    fn fit_one(&self, given: &OneMatrix, notes: &mut Vec<Note>) -> Result<ScoreMatrix> {
        if let Some((matrix, note)) = self.without_extra_captions(&given.npy)? {
            notes.push(Note::fine(format!("{}; {note}", matrix.described())));
            return Ok(matrix);
        }
        let (matrix, described) = self.fit_or_folded(given, self.inputs.captions_first)?;
        notes.push(Note::fine(described));
        Ok(matrix)
    }

    /// The matrix with each image once, where that fits the gallery, else as it is; and what it is.
    fn fit_or_folded(
        &self,
        given: &OneMatrix,
        captions_first: bool,
    ) -> Result<(ScoreMatrix, String)> {
        let folded = match &given.folded {
            Some(folded) => Some(folded.clone()),
            None => self.folded(&given.npy, captions_first)?,
        };
        if let Some(folded) = folded.filter(|folded| self.fits(folded)) {
            let described = format!(
                "{}; each image stands {REPEATS} times in a row with equal scores and is taken once",
                folded.described()
            );
            return Ok((folded, described));
        }
        let matrix = self.fit(&given.npy, captions_first)?;
        let described = matrix.described();
        Ok((matrix, described))
    }

    /// The matrix with each image once, where the gallery has a fifth of its images.
    fn folded(&self, npy: &Npy, captions_first: bool) -> Result<Option<ScoreMatrix>> {
        let gallery = &self.assembled.gallery;
        let repeated = [gallery.images.len() * REPEATS, gallery.captions.len()];
        let turned = npy.shape == [repeated[1], repeated[0]];
        if npy.shape != repeated && !turned {
            return Ok(None);
        }
        let captions_first = captions_first || turned && npy.shape != repeated;
        Ok(ScoreMatrix::new(npy.clone(), captions_first)?.fold_repeated_images())
    }

    /// The matrix with the gallery's captions only, where a captions file names all of its columns.
    fn without_extra_captions(&self, npy: &Npy) -> Result<Option<(ScoreMatrix, String)>> {
        let gallery = &self.assembled.gallery;
        let (images, captions) = (gallery.images.len(), gallery.captions.len());
        for (file, listed) in self.captions {
            let all = listed.captions.len();
            let captions_first = npy.shape == [all, images];
            if all <= captions || !(captions_first || npy.shape == [images, all]) {
                continue;
            }
            let ids = listed.captions.iter().map(|caption| &caption.id);
            let place: FxHashMap<&Id, u32> = ids.zip(0..).collect();
            let wanted = gallery.captions.as_slice().iter();
            let Some(places) = wanted.map(|id| place.get(id).copied()).collect() else {
                continue;
            };
            let matrix = ScoreMatrix::new(npy.clone(), captions_first)?.with_captions(places);
            let note = format!(
                "{} of the {} captions in {file} are not in the gallery: their scores are left out",
                grouped(all - captions),
                grouped(all),
            );
            return Ok(Some((matrix, note)));
        }
        Ok(None)
    }

    fn fits(&self, matrix: &ScoreMatrix) -> bool {
        let gallery = &self.assembled.gallery;
        (matrix.images(), matrix.captions()) == (gallery.images.len(), gallery.captions.len())
    }

    /// The matrix the way round that fits the gallery; `captions_first` decides where both fit.
    fn fit(&self, npy: &Npy, captions_first: bool) -> Result<ScoreMatrix> {
        let gallery = &self.assembled.gallery;
        let (images, captions) = (gallery.images.len(), gallery.captions.len());
        let only_turned = npy.shape == [captions, images] && npy.shape != [images, captions];
        let scores = ScoreMatrix::new(npy.clone(), captions_first || only_turned)?;
        if self.fits(&scores) {
            return Ok(scores);
        }
        let mut found = format!(
            "a matrix of {} x {}",
            grouped(npy.shape[0]),
            grouped(npy.shape[1])
        );
        if captions_first && npy.shape == [images, captions] {
            found += ", read as captions x images because of --captions-first";
            let error = self.misfit(npy.source().display(), found);
            return Err(error.mend("leave out --captions-first"));
        }
        if (scores.images(), scores.captions()) == (images * REPEATS, captions) {
            found += ", as if each image stood five times in a row, but these rows differ";
        }
        let (rows, columns) = (npy.shape[0], npy.shape[1]);
        let are_rows = rows == images || rows == captions;
        // As many columns as the matrix that tells the gallery, as embeddings of the other side have.
        let is_like_first = self.assembled.captions_from.is_none() && columns == captions;
        // Of both more rows than columns, which scores with captions have not.
        let are_tall =
            self.assembled.captions_from.is_none() && captions < images && columns < rows;
        let error = self.misfit(npy.source().display(), found);
        Err(
            if are_rows && columns < images.min(captions) || is_like_first || are_tall {
                error.mend("if these are embeddings, a row for each: --image-emb FILE --text-emb FILE; else other ids or truths")
            } else {
                error
            },
        )
    }

    fn misfit(&self, subject: String, found: String) -> Error {
        let Assembled {
            gallery,
            images_from,
            captions_from,
            ..
        } = self.assembled;
        let from = |file: &Option<String>| file.clone().unwrap_or_else(|| self.first.source());
        let mend = "give the ids that belong to these scores with --image-ids and --caption-ids, or leave out the files of another gallery";
        let mend = match captions_from.as_ref().filter(|file| self.is_text(file)) {
            Some(file) => format!(
                "{file} was read as captions, one a line: leave it out if it is none; else {mend}"
            ),
            None => mend.to_owned(),
        };
        Error::new(subject, found)
            .expected(format!(
                "{} images (as in {}) x {} captions (as in {})",
                grouped(gallery.images.len()),
                from(images_from),
                grouped(gallery.captions.len()),
                from(captions_from),
            ))
            .mend(mend)
    }

    /// Whether a captions file tells texts alone, as any file of lines does.
    fn is_text(&self, file: &str) -> bool {
        let mut captions = self.captions.iter();
        captions.any(|(known, of)| {
            let tells_images = of.captions.iter().any(|caption| caption.image.is_some());
            known == file && of.images.is_empty() && !tells_images
        })
    }
}

/// Says how far the rankings go.
fn sides(sides: PerDirection<Side>, notes: &mut Vec<Note>) -> Scores {
    for direction in Direction::BOTH {
        notes.extend(depth_note(&sides[direction], direction));
    }
    Scores::Two(Arc::new(sides))
}

/// How far the rankings of a direction go.
fn depth_note(side: &Side, direction: Direction) -> Option<Note> {
    let (fill, depths) = (side.fill?, side.depths.as_ref()?);
    let (least, most) = (depths.iter().min()?, depths.iter().max()?);
    let depth = if least == most {
        format!("{least} items scored a query")
    } else {
        format!("{least} to {most} items scored a query")
    };
    Some(Note::fine(format!(
        "{direction}: {depth}; cells of {fill} are not scored and not ranked (--dense takes them as scores)"
    )))
}
