//! Similarities of captions with images: computed from texts, or read from score files.

use std::path::{Path, PathBuf};

use clap::Args;

use super::inputs::Inputs;
use super::options::choices;
use super::{NamedModel, Note, ScoreInputs, Study};
use crate::data::cider::{Cider, CiderOptions, Tokenisation, phi_with_texts};
use crate::data::near::unknown_error;
use crate::data::scores::{Model, Phi, Scores};
use crate::data::text::{Text, grouped};
use crate::error::{Error, Result};
use crate::truth::original_images;

/// Name of CIDEr-D, the phi without a file.
pub const CIDER: &str = "cider";
/// Name prefix of phis that are still among the models.
const PREFIX: &str = "phi ";

/// Flags that add similarities of captions.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Similarity of captions")]
pub struct Phis {
    /// Add a similarity as ground truth: `cider`, or NAME=FILE; repeatable
    ///
    /// For semantic recall and NCS. `cider` is CIDEr-D of the captions; a file holds other scores, such as SPICE.
    #[arg(long = "phi", id = "phi", value_name = "NAME[=FILE]", value_parser = Phis::parse)]
    pub named: Vec<(String, Option<PathBuf>)>,
    /// Most similar items that count as positives [default: 5]
    #[arg(long = "phi-m", id = "phi_m", requires = "phi", value_name = "M")]
    pub m: Option<u32>,
    /// Share of the greatest phi at which an item is close [default: 0.5]
    #[arg(long = "phi-close", id = "phi_close", requires = "phi", value_name = "SHARE", value_parser = Phis::parse_share)]
    pub close: Option<f64>,
    /// Also add a phi as a model; repeatable
    #[arg(long = "phi-model", id = "phi_model", value_name = "NAME")]
    pub models: Vec<String>,
    /// Tokens of CIDEr-D: ptb (no punctuation) or ncs (split at blanks)
    ///
    /// [default: ptb]
    #[arg(long, value_name = "HOW", value_parser = choices(Tokenisation::ALL.map(|one| (one.key(), one))))]
    pub tokens: Option<Tokenisation>,
    /// Exclude a caption's own copy from its references
    #[arg(long)]
    pub drop_self: bool,
}

/// Settings of truths and metrics by phi, the similarity of captions with images.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhiRule {
    /// Number of most similar items that are positives.
    pub m: usize,
    /// Share of a query's highest phi from which items count as close.
    pub close: f64,
}

impl Default for PhiRule {
    fn default() -> Self {
        PhiRule { m: 5, close: 0.5 }
    }
}

impl Phis {
    /// Parses `cider` or `NAME=FILE` to the name and the file.
    ///
    /// # Errors
    /// The expected form, as text.
    pub fn parse(text: &str) -> std::result::Result<(String, Option<PathBuf>), String> {
        match text.split_once('=') {
            None if text == CIDER => Ok((CIDER.to_owned(), None)),
            Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => {
                Ok((name.trim().to_owned(), Some(file.into())))
            }
            _ => Err("cider or NAME=FILE is wanted, such as spice=spice.npy".into()),
        }
    }

    /// Parses a share such as `0.5` or `50%`.
    ///
    /// # Errors
    /// The expected form, as text.
    pub fn parse_share(text: &str) -> std::result::Result<f64, String> {
        let (number, unit) = match text.strip_suffix('%') {
            Some(percent) => (percent, 100.0),
            None => (text, 1.0),
        };
        let share = number.trim().parse().map(|number: f64| number / unit);
        share.map_err(|_| "a share such as 0.5 or 50% is wanted".into())
    }

    /// Options of CIDEr-D that the flags give.
    pub fn options(&self) -> CiderOptions {
        CiderOptions { tokenisation: self.tokens.unwrap_or_default(), drop_self: self.drop_self }
    }

    /// The settings that the flags give.
    ///
    /// # Errors
    /// A value out of range.
    fn rule(&self) -> Result<PhiRule> {
        let usual = PhiRule::default();
        let m = self.m.map_or(usual.m, |m| m as usize);
        let close = self.close.unwrap_or(usual.close);
        if !(1..=30).contains(&m) {
            return Err(Error::new("--phi-m", m).expected("1 to 30"));
        }
        if !(close > 0.0 && close <= 1.0) {
            return Err(Error::new("--phi-close", close).expected("a share above 0, up to 1"));
        }
        Ok(PhiRule { m, close })
    }

    /// Whether caption texts are needed.
    pub fn needs_texts(&self) -> bool {
        self.has_cider() || self.models.iter().any(|name| name == CIDER)
    }

    /// Whether CIDEr-D is one of the phis.
    fn has_cider(&self) -> bool {
        self.named.iter().any(|(_, file)| file.is_none())
    }

    /// The phis with files, as models with prefixed names.
    pub(super) fn as_models(&self) -> impl Iterator<Item = NamedModel> {
        self.named.iter().filter_map(|(name, file)| {
            Some(NamedModel {
                name: format!("{PREFIX}{name}"),
                source: file.clone()?,
                file: file.clone(),
                scores: ScoreInputs::default(),
            })
        })
    }

    /// Whether a model of this name is a phi.
    pub(super) fn is_phi(name: &str) -> bool {
        name.starts_with(PREFIX)
    }

    /// Paths of all given files.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.named.iter().filter_map(|(_, file)| file.as_deref())
    }
}

impl Study {
    /// A model whose scores are CIDEr-D of every caption with every image.
    ///
    /// Captions are indexed on first use.
    ///
    /// # Errors
    /// Captions without texts or without known images.
    pub fn cider(&self, options: CiderOptions) -> Result<Model> {
        let texts: Vec<String> = self.raw_texts()?.into_iter().map(str::to_owned).collect();
        let owners = original_images(&self.truths, &self.gallery).ok_or_else(|| {
            Error::new("cider", "no file lists which image a caption was written for")
                .expected("captions with image ids, or an original truth")
                .fix("--captions-per-image 5, where each image has five captions in a row")
        })?;
        let captions_of = captions_by_image(&owners, self.gallery.images.len());
        let sides = [captions_of.len(), texts.len()];
        let index = move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            Cider::new(&texts, &captions_of, options)
        };
        Ok(Model {
            name: CIDER.to_owned(),
            source: format!("CIDEr-D of {}", options.tokenisation.doc()),
            scores: Scores::Phi(Phi::new(sides, index).into()),
        })
    }

    /// CIDEr-D of every caption of the gallery, by index, with an image whose only captions are `captions`. Documents
    /// are the images of the gallery, or its captions if their images are unknown.
    ///
    /// # Errors
    /// Captions without texts.
    pub fn cider_with_texts(&self, captions: &[&str]) -> Result<Vec<f64>> {
        let texts = self.raw_texts()?;
        let documents = match original_images(&self.truths, &self.gallery) {
            Some(owners) => captions_by_image(&owners, self.gallery.images.len()),
            None => (0..texts.len() as u32).map(|caption| vec![caption]).collect(),
        };
        Ok(phi_with_texts(&texts, &documents, captions))
    }

    /// Texts of all captions, as in the files; an error if all are empty.
    fn raw_texts(&self) -> Result<Vec<&str>> {
        let texts: Vec<&str> = self.gallery.texts.iter().map(Text::raw).collect();
        if texts.iter().all(|text| text.is_empty()) {
            return Err(Error::new("cider", "no caption has a text").expected(
                "a file of captions: COCO captions_*.json, a Karpathy split, or one a line",
            ));
        }
        Ok(texts)
    }

    /// Warning if all captions are of one image, as each word then has weight 0 under CIDEr-D; `None` otherwise.
    pub fn cider_warning(&self) -> Option<Note> {
        let owners = original_images(&self.truths, &self.gallery)?;
        let mut images = owners.into_iter().flatten();
        let first = images.next()?;
        images.all(|image| image == first).then(|| {
            Note::warning("CIDEr-D of the captions of one image is 0 everywhere: every inverse document frequency is 0".into())
        })
    }

    /// Moves phis from the models to [`Study::phis`], adds CIDEr-D and models by phi if requested, and adds notes.
    pub(super) fn separate_phis(&mut self, inputs: &Inputs) -> Result<()> {
        let Phis { named, models, .. } = &inputs.phis;
        let options = inputs.phis.options();
        let cider = inputs.phis.needs_texts().then(|| self.cider(options)).transpose()?;
        if let Some(cider) = &cider {
            self.notes.push(self.cider_note(cider, options));
            self.notes.extend(self.cider_warning());
        }
        let (phis, others) = std::mem::take(&mut self.models)
            .into_iter()
            .partition(|model| Phis::is_phi(&model.name));
        self.models = others;
        self.phi_rule = inputs.phis.rule()?;
        self.phis = Vec::from_iter(cider.clone().filter(|_| inputs.phis.has_cider()));
        self.phis.extend(
            phis.into_iter()
                .map(|phi: Model| Model { name: phi.name[PREFIX.len()..].to_owned(), ..phi }),
        );
        let mut names = self.phis.iter().map(|phi| &phi.name).enumerate();
        let is_taken = |&(at, name): &(usize, &String)| {
            self.truth(name).is_some() || self.phis[..at].iter().any(|phi| phi.name == *name)
        };
        if let Some((_, name)) = names.find(is_taken) {
            let found = format!("{name} is a ground truth already");
            return Err(Error::new("--phi", found).fix("NAME=FILE gives it another name"));
        }
        for name in models {
            let phi = self.phis.iter().chain(&cider).find(|phi| phi.name == *name);
            let phi = phi.cloned().ok_or_else(|| {
                let names = named.iter().map(|(name, _)| name.as_str());
                unknown_error("--phi-model", "phi", name, &names.chain([CIDER]).collect::<Vec<_>>())
            })?;
            self.models.push(phi);
        }
        Ok(())
    }

    /// Note on how CIDEr-D was computed.
    fn cider_note(&self, cider: &Model, options: CiderOptions) -> Note {
        let [images, captions] = [&self.gallery.images, &self.gallery.captions];
        Note::fact(format!(
            "phi {}: {} ({}{}); document frequencies over {} images, {} captions",
            cider.name,
            cider.source,
            options.tokenisation.key(),
            if options.drop_self { ", a caption's own copy excluded" } else { "" },
            grouped(images.len()),
            grouped(captions.len()),
        ))
    }
}

/// The captions of each image, by gallery index, given the image of each caption and the number of images.
fn captions_by_image(owners: &[Option<u32>], images: usize) -> Vec<Vec<u32>> {
    let mut captions_of = vec![Vec::new(); images];
    for (caption, owner) in (0..).zip(owners) {
        if let Some(captions) = owner.and_then(|image| captions_of.get_mut(image as usize)) {
            captions.push(caption);
        }
    }
    captions_of
}
