//! CIDEr-D of every caption against the captions of every image: the similarity phi.
//!
//! phi(c, i) = 10 x the mean over the captions r of image i, of the mean over n = 1 to 4, of
//!
//! ```text
//! sum over n-grams g of min(w_c(g), w_r(g)) w_r(g) / (|w_c| |w_r|) x exp(-(l_c - l_r)^2 / 72)
//! ```
//!
//! where w(g) = tf(g) (ln N - ln max(1, df(g))), N is the number of images that have captions, df(g) that of the
//! images whose captions hold g, and l the number of bigrams. A length |w| of 0 leaves its order out of the sum.
//! Source: Vedantam et al. 2015, arXiv:1411.5726, as `pycocoevalcap` computes it.
//!
//! # Cost
//!
//! Weights of a gram differ by tf alone, so that the lesser weight is idf times the lesser tf, and only shared n-grams
//! count. The k-th occurrence of a gram is a term of its own (`grams`): then the lesser tf is the number of terms
//! that both captions hold, and each adds `idf^2 tf_r / (|w_c| |w_r|)`. An image walks the terms of all its captions,
//! each over the captions that hold it. What a term adds depends on the other caption's length and `|w_c|` only: the
//! captions of one image that share it are summed up first, by length. On COCO 5K that is 3e8 additions for all
//! 125 million pairs.

mod candidates;
mod grams;
#[cfg(test)]
mod naive;
mod tokens;
mod weights;

use candidates::Candidates;
use grams::Grams;
pub use tokens::Tokenisation;
use weights::Weights;

/// Orders of n-grams.
const ORDERS: usize = 4;
/// What a phi is scaled by.
const SCALE: f64 = 10.0;

/// How captions are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CiderOptions {
    /// What a word is.
    pub tokenisation: Tokenisation,
    /// Whether a caption is not compared with itself, where it is one of the image's own.
    pub drop_self: bool,
}

/// The captions of a gallery, ready to be compared.
#[derive(Debug)]
pub struct Cider {
    options: CiderOptions,
    grams: Grams,
    weights: Weights,
    /// All captions.
    all: Candidates,
}

impl Cider {
    /// Indexes captions; `own` are the captions of each image. Captions of no image are compared with those of
    /// images all the same.
    pub fn new(texts: &[&str], own: &[Vec<u32>], options: CiderOptions) -> Self {
        let grams = Grams::of(texts, options.tokenisation);
        let weights = Weights::new(&grams, own);
        let everything: Vec<u32> = (0..texts.len() as u32).collect();
        Cider {
            all: Candidates::new(&grams, &weights, &everything),
            options,
            grams: grams.without_counts(),
            weights,
        }
    }

    /// Number of images.
    pub fn images(&self) -> usize {
        self.weights.images()
    }

    /// Number of captions.
    pub fn captions(&self) -> usize {
        self.all.len()
    }

    /// phi of all captions with some images: a row each, one after the other.
    pub fn of_images(&self, images: &[usize]) -> Vec<f64> {
        let mut rows = vec![0.0; images.len() * self.captions()];
        let rows_of = rows.chunks_exact_mut(self.captions().max(1));
        for (row, &image) in rows_of.zip(images) {
            self.weights.add_to(image, &self.all, row);
            for (caption, sum) in row.iter_mut().enumerate() {
                *sum = self.scaled(*sum, caption, image);
            }
        }
        rows
    }

    /// phi of all images with some captions: a row each, one after the other.
    pub fn of_captions(&self, captions: &[usize]) -> Vec<f64> {
        let wanted: Vec<u32> = captions.iter().map(|&caption| caption as u32).collect();
        let candidates = Candidates::new(&self.grams, &self.weights, &wanted);
        let mut column = vec![0.0; captions.len()];
        let mut rows = vec![0.0; captions.len() * self.images()];
        for image in 0..self.images() {
            column.fill(0.0);
            self.weights.add_to(image, &candidates, &mut column);
            for (at, (&sum, &caption)) in column.iter().zip(captions).enumerate() {
                rows[at * self.images() + image] = self.scaled(sum, caption, image);
            }
        }
        rows
    }

    /// phi of one caption with one image.
    pub fn of_pair(&self, caption: usize, image: usize) -> f64 {
        let sum = self.weights.of_pair(&self.grams, caption, image);
        self.scaled(sum, caption, image)
    }

    /// The mean over orders and captions of the image, from the sum over both.
    fn scaled(&self, sum: f64, caption: usize, image: usize) -> f64 {
        let own = self.weights.own(image);
        let is_left_out = self.options.drop_self && own.contains(&(caption as u32));
        let (sum, compared) = if is_left_out {
            let itself = self.weights.orders_with_weight(caption) as f64;
            ((sum - itself).max(0.0), own.len() - 1)
        } else {
            (sum, own.len())
        };
        sum * SCALE / (ORDERS * compared.max(1)) as f64
    }
}

#[cfg(test)]
mod tests;
