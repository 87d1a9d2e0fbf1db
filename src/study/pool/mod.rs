//! Candidate pools.

mod files;
mod random;

use std::sync::Arc;

use super::Study;
use crate::data::candidate_mask::{CandidateMask, Part};
use crate::data::gallery::{Fold, Folds};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::judgment::Pair;
use crate::truth::{Truth, original_images};
pub(super) use files::detect_side;
pub use random::RandomPool;

/// A subset of the gallery that competes. A query ranks only items of the pool, and R counts positives that compete and
/// those outside the gallery.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pool {
    /// All items.
    #[default]
    All,
    /// Every query in its own fold; metrics are means over folds.
    Folds,
    /// One fold; the first is 0.
    Fold(usize),
    /// The pool with this index in [`Study::pools`].
    Named(usize),
    /// Random images, and their captions.
    Random(RandomPool),
}

/// A pool with a custom name.
#[derive(Debug, Clone)]
pub struct NamedPool {
    /// Its name.
    pub name: String,
    /// Its images and captions.
    pub part: Part,
}

/// The name of the whole gallery, as a pool.
pub const ALL: &str = "all";
/// The name of [`Pool::Folds`].
const FOLDS: &str = "folds";
/// The name of the pool of images with captions, in a gallery that also has other images.
const ORIGINAL: &str = "original";
/// The name of the whole gallery, if it has images without captions.
const ENLARGED: &str = "enlarged";

impl Study {
    /// All pools but random ones, the whole gallery first.
    pub fn all_pools(&self) -> Vec<Pool> {
        let folds = Folds::for_gallery(&self.gallery);
        let of_folds = folds
            .iter()
            .flat_map(|folds| std::iter::once(Pool::Folds).chain((0..folds.count).map(Pool::Fold)));
        let named = (0..self.pools.len()).map(Pool::Named);
        std::iter::once(Pool::All).chain(of_folds).chain(named).collect()
    }

    /// Name of a pool: `all`, `folds`, `fold1`, `random1000s7` or custom.
    pub fn pool_name(&self, pool: Pool) -> String {
        match pool {
            Pool::All if self.pools.iter().any(|pool| pool.name == ORIGINAL) => ENLARGED.into(),
            Pool::All => ALL.into(),
            Pool::Folds => FOLDS.into(),
            Pool::Fold(fold) => format!("fold{}", fold + 1),
            Pool::Named(at) => self.pools[at].name.clone(),
            Pool::Random(random) => random.to_string(),
        }
    }

    /// Name of the study's pool; `None` for the whole gallery.
    pub fn own_pool_name(&self) -> Option<String> {
        (self.pool != Pool::All).then(|| self.pool_name(self.pool))
    }

    /// Label of the study's pool: `pool NAME`; `None` for the whole gallery.
    pub fn pool_label(&self) -> Option<String> {
        self.own_pool_name().map(|name| format!("pool {name}"))
    }

    /// The pool of this name.
    ///
    /// # Errors
    /// An unknown name: lists the known ones. A random pool larger than the gallery.
    pub fn pool_named(&self, name: &str) -> Result<Pool> {
        let known = self.all_pools();
        let found = known.iter().find(|&&pool| self.pool_name(pool) == name);
        let random = || RandomPool::parse(name).map(Pool::Random);
        let all = || (name == ALL).then_some(Pool::All);
        let found = found.copied().or_else(all).or_else(random);
        let pool = found.ok_or_else(|| {
            let names: Vec<String> = known.iter().map(|&pool| self.pool_name(pool)).collect();
            Error::new("--pool", format!("no pool named {name}"))
                .expected(format!(
                    "one of: {}; or random1000s7: 1,000 images drawn with seed 7",
                    names.join(", ")
                ))
                .fix("--pool-file NAME=FILE adds a pool, as [pools] in study.toml does")
        })?;
        if let Pool::Random(random) = pool {
            random.check(self)?;
        }
        Ok(pool)
    }

    /// The study restricted to a pool: truths cover its queries and list positives that compete. Models and gallery are
    /// unchanged: see [`Study::mask`].
    ///
    /// # Errors
    /// A random pool if the images of captions are unknown, or larger than the gallery.
    pub fn in_pool(&self, pool: Pool) -> Result<Study> {
        let mut study = self.clone();
        if let Some(mask) = self.pool_mask(pool)? {
            study.limit(pool, Arc::new(mask), &[]);
        }
        Ok(study)
    }

    /// Restricts the truths to a pool with this mask. `known` has truths over the whole gallery, each with its
    /// restriction to this pool, which is reused.
    pub(super) fn limit(&mut self, pool: Pool, mask: Arc<CandidateMask>, known: &[(Truth, Truth)]) {
        for truth in &mut self.truths {
            let known = known.iter().find(|(whole, _)| whole.is_same(truth));
            *truth =
                known.map_or_else(|| truth.among_candidates(&mask), |(_, inside)| inside.clone());
        }
        self.pool = pool;
        self.mask = Some(mask);
    }

    /// Which items compete for which queries in a pool; `None`: all.
    pub(super) fn pool_mask(&self, pool: Pool) -> Result<Option<CandidateMask>> {
        let folds = Folds::for_gallery(&self.gallery);
        let parts = match pool {
            Pool::All => return Ok(None),
            Pool::Folds => {
                let each =
                    folds.iter().flat_map(|&of| (0..of.count).map(move |at| Fold { at, of }));
                each.map(|fold| self.fold_part(fold)).collect()
            }
            Pool::Fold(at) => folds.iter().map(|&of| self.fold_part(Fold { at, of })).collect(),
            Pool::Named(at) => vec![self.pools[at].part.clone()],
            Pool::Random(random) => vec![random.draw(self)?],
        };
        Ok(Some(CandidateMask::new(parts, self.gallery.sizes())))
    }

    /// The images and captions of a fold.
    fn fold_part(&self, fold: Fold) -> Part {
        let sizes = self.gallery.sizes();
        let indices = |len: usize| {
            let range = fold.of.range(fold.at, len);
            (range.start as u32..range.end as u32).collect()
        };
        Part { images: indices(sizes.i2t), captions: indices(sizes.t2i) }
    }

    /// Number of images and captions in the study's pool.
    pub fn pool_sizes(&self) -> PerDirection<usize> {
        let whole = self.gallery.sizes();
        PerDirection::from_fn(|direction| {
            let mask = self.mask.as_ref();
            mask.map_or(whole[direction], |mask| mask.query_count(direction))
        })
    }

    /// Whether an image and a caption compete in the study's pool.
    pub fn competes(&self, pair: Pair) -> bool {
        let (query, item) = pair.query_and_item(Direction::I2t);
        let mask = self.mask.as_ref();
        mask.is_none_or(|mask| mask.competes(Direction::I2t, query, item))
    }

    /// The pool of these images and their captions, all as gallery indices; `owners` has the image of each caption.
    fn part_of_images(&self, images: Vec<u32>, owners: &[Option<u32>]) -> Part {
        let mut is_in = vec![false; self.gallery.images.len()];
        for &image in &images {
            is_in[image as usize] = true;
        }
        let is_of_images = |owner: &Option<u32>| owner.is_some_and(|image| is_in[image as usize]);
        let captions = (0..).zip(owners).filter(|(_, owner)| is_of_images(owner));
        Part { captions: captions.map(|(caption, _)| caption).collect(), images: images.into() }
    }

    /// Gallery index of the image that each caption was written for; `None` for a caption that no file lists.
    ///
    /// # Errors
    /// No file gives these.
    fn owners(&self) -> Result<Vec<Option<u32>>> {
        original_images(&self.truths, &self.gallery).ok_or_else(|| {
            Error::new("pools", "no file lists which image a caption was written for")
                .expected(
                    "an original ground truth (original_caption_to_image.json) or a captions file",
                )
                .fix("name one of them, or list images and captions of a pool in two files")
        })
    }
}
