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
//! Weights of a gram differ by tf alone, so that the lower weight is idf times the lower tf, and only shared n-grams
//! count. The k-th occurrence of a gram is a term of its own (`grams`): then the lower tf is the number of terms that
//! both captions have, and each adds `idf^2 tf_r / (|w_c| |w_r|)`. An image walks the terms of all its captions, each
//! over the captions with that term. The summand depends on the other caption's length and `|w_c|` only: the captions
//! of one image that share the term are summed first, by length. On COCO 5K that is 3e8 additions for all 125 million
//! pairs, most of them for a few frequent terms ("a", "on"): those are added to all captions at once, sorted by length.

mod candidates;
mod grams;
#[cfg(test)]
mod naive;
mod ptb;
mod weights;

use serde::Deserialize;

use candidates::Candidates;
use grams::Grams;
use weights::Weights;

use super::parallel;

/// Orders of n-grams: 1 to 4 words.
const ORDERS: usize = 4;
/// Factor of phi in its definition.
const SCALE: f64 = 10.0;

/// How texts are split into words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenisation {
    /// The words of the Penn Treebank tokeniser of `pycocoevalcap`, without punctuation.
    #[default]
    Ptb,
    /// As in the code of NCS: split at blanks.
    Ncs,
}

impl Tokenisation {
    /// All tokenisations, the default first.
    pub const ALL: [Tokenisation; 2] = [Tokenisation::Ptb, Tokenisation::Ncs];

    /// Name on the command line and in results.
    pub fn key(self) -> &'static str {
        match self {
            Tokenisation::Ptb => "ptb",
            Tokenisation::Ncs => "ncs",
        }
    }

    /// Description for help.
    pub fn doc(self) -> &'static str {
        match self {
            Tokenisation::Ptb => "words in lower case without punctuation, as captioning has them",
            Tokenisation::Ncs => "words in lower case split at blanks, as the code of NCS has them",
        }
    }

    /// Calls `each` with every word of a text, in order.
    pub fn for_each_word(self, text: &str, mut each: impl FnMut(&str)) {
        match self {
            Tokenisation::Ncs => text.to_lowercase().split_whitespace().for_each(each),
            Tokenisation::Ptb => ptb::for_each_word(text, &mut each),
        }
    }
}

/// How captions are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CiderOptions {
    /// How texts are split into words.
    pub tokenisation: Tokenisation,
    /// Whether a caption of an image is compared only with the other captions of that image.
    pub drop_self: bool,
}

/// The captions of a gallery, ready to be compared.
#[derive(Debug)]
pub struct Cider {
    options: CiderOptions,
    grams: Grams,
    weights: Weights,
    /// All captions, to be compared with an image.
    all: Candidates,
}

impl Cider {
    /// Indexes the captions `texts`; `own` has the indices of each image's captions. Captions without an image are
    /// compared, too.
    pub fn new(texts: &[&str], own: &[Vec<u32>], options: CiderOptions) -> Self {
        let grams = Grams::from_texts(texts, options.tokenisation);
        let weights = Weights::new(&grams, own, own);
        let everything: Vec<u32> = (0..texts.len() as u32).collect();
        Cider {
            all: Candidates::new(&grams, &weights, &everything),
            options,
            grams: grams.without_counts(),
            weights,
        }
    }

    /// Number of images.
    pub fn image_count(&self) -> usize {
        self.weights.image_count()
    }

    /// Number of captions.
    pub fn caption_count(&self) -> usize {
        self.all.len()
    }

    /// phi of some images with all captions: a row for each image.
    pub fn rows_of_images(&self, images: &[usize]) -> Vec<f64> {
        let mut sums = vec![0.0; self.caption_count()];
        let mut rows = Vec::with_capacity(images.len() * self.caption_count());
        for &image in images {
            let own = self.weights.captions(image).iter();
            let own = own.map(|&caption| (caption, self.all.places[caption as usize]));
            self.compute_phis(image, &self.all, own, &mut sums);
            rows.extend(self.all.places.iter().map(|&place| sums[place as usize]));
        }
        rows
    }

    /// phi of some captions with all images: a row for each caption.
    pub fn rows_of_captions(&self, captions: &[usize]) -> Vec<f64> {
        let indices: Vec<u32> = captions.iter().map(|&caption| caption as u32).collect();
        let candidates = Candidates::new(&self.grams, &self.weights, &indices);
        let mut sums = vec![0.0; captions.len()];
        let mut rows = vec![0.0; captions.len() * self.image_count()];
        for image in 0..self.image_count() {
            let own = self.weights.captions(image);
            let placed = indices.iter().copied().zip(candidates.places.iter().copied());
            let own = placed.filter(|(caption, _)| own.contains(caption));
            self.compute_phis(image, &candidates, own, &mut sums);
            for (at, &place) in candidates.places.iter().enumerate() {
                rows[at * self.image_count() + image] = sums[place as usize];
            }
        }
        rows
    }

    /// Writes phi of an image with `candidates` to `phis`, by position. `own` has caption and position of the
    /// candidates that are captions of the image: with `drop_self`, phi does not compare them with themselves.
    fn compute_phis(
        &self,
        image: usize,
        candidates: &Candidates,
        own: impl Iterator<Item = (u32, u32)>,
        phis: &mut [f64],
    ) {
        phis.fill(0.0);
        self.weights.add_similarities(image, candidates, phis);
        let own_phi = |(caption, place): (u32, u32)| {
            let place = place as usize;
            (place, self.phi_from_sum(phis[place], caption as usize, image))
        };
        let own_phis: Vec<(usize, f64)> =
            if self.options.drop_self { own.map(own_phi).collect() } else { Vec::new() };
        itm_explore_kernels::scale(phis, SCALE, divisor(self.weights.captions(image).len()));
        for (place, phi) in own_phis {
            phis[place] = phi;
        }
    }

    /// phi of one caption with one image.
    pub fn phi(&self, caption: usize, image: usize) -> f64 {
        let sum = self.weights.pair_sum(&self.grams, caption, image);
        self.phi_from_sum(sum, caption, image)
    }

    /// phi from the sum over orders and captions of the image. With `drop_self`, the caption itself is taken out.
    fn phi_from_sum(&self, sum: f64, caption: usize, image: usize) -> f64 {
        let own = self.weights.captions(image);
        let has_self = self.options.drop_self && own.contains(&(caption as u32));
        let (sum, captions) = if has_self {
            let itself = self.weights.orders_with_weight(caption) as f64;
            ((sum - itself).max(0.0), own.len() - 1)
        } else {
            (sum, own.len())
        };
        sum * SCALE / divisor(captions)
    }
}

/// phi of each of `captions` with a further image whose captions are `image_captions`. Document frequencies are those
/// of the gallery, whose images have the captions `own`.
pub fn phi_with_texts(captions: &[&str], own: &[Vec<u32>], image_captions: &[&str]) -> Vec<f64> {
    let grams = Grams::from_texts(&[captions, image_captions].concat(), Tokenisation::default());
    let places = (captions.len()..captions.len() + image_captions.len()).map(|place| place as u32);
    let weights = Weights::new(&grams, &[places.collect()], own);
    let divisor = divisor(image_captions.len());
    parallel::map_indices(captions.len(), |caption| {
        weights.pair_sum(&grams, caption, 0) * SCALE / divisor
    })
}

/// Divisor for the mean over orders and captions: orders times the number of captions, which counts as 1 if it is 0.
fn divisor(captions: usize) -> f64 {
    (ORDERS * captions.max(1)) as f64
}

#[cfg(test)]
mod tests;
