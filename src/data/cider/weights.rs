//! Weights of terms in the captions of each image.

use itm_explore_kernels::add_shares;

use super::ORDERS;
use super::candidates::Candidates;
use super::grams::Grams;

/// Twice the variance of the difference of two lengths.
const TWICE_VARIANCE: f64 = 72.0;
/// From this difference of lengths on, the penalty is 0 in 64 bits.
const NEGLIGIBLE_DIFFERENCE: usize = 234;

/// A term of one caption of an image.
#[derive(Debug, Clone, Copy)]
struct ImageTerm {
    term: u32,
    /// Number of bigrams of that caption.
    length: u32,
    /// idf^2 tf / |w|.
    weight: f64,
}

/// Weights of the captions of each image.
#[derive(Debug)]
pub(super) struct Weights {
    /// The captions of each image.
    own: Vec<Vec<u32>>,
    /// 1 / |w| of each caption, by order; 0 where |w| is 0.
    inverse: [Vec<f64>; ORDERS],
    /// Terms of the captions of all images: those of each image are sorted by term.
    terms: Vec<ImageTerm>,
    /// Start of each image in `terms`; one more at the end.
    starts: Vec<u32>,
    /// Order of each term, less one.
    orders: Vec<u8>,
    /// exp(-d^2 / 72) of a difference d.
    penalties: Vec<f64>,
}

impl Weights {
    /// `own` has the captions of each image to compare with. Document frequencies come from the images whose captions
    /// `counted` has.
    pub(super) fn new(grams: &Grams, own: &[Vec<u32>], counted: &[Vec<u32>]) -> Self {
        let idf = idf(grams, counted);
        let inverse = inverse_norms(grams, &idf);
        let mut weights = Weights {
            own: own.to_vec(),
            inverse,
            terms: Vec::new(),
            starts: vec![0],
            orders: (0..grams.term_count() as u32).map(|term| grams.order(term) as u8).collect(),
            penalties: (0..NEGLIGIBLE_DIFFERENCE).map(penalty).collect(),
        };
        let term_count = |&caption: &u32| grams.terms(caption as usize).len();
        let capacity = own.iter().flatten().map(term_count).sum();
        weights.terms.reserve_exact(capacity);
        for captions in own {
            weights.push(grams, &idf, captions);
        }
        weights
    }

    /// Adds an image with its captions.
    fn push(&mut self, grams: &Grams, idf: &[f64], captions: &[u32]) {
        let start = self.terms.len();
        for &caption in captions {
            let caption = caption as usize;
            let length = grams.length(caption);
            for (&term, &count) in grams.terms(caption).iter().zip(grams.counts(caption)) {
                let idf = idf[grams.gram(term)];
                let inverse = self.inverse[grams.order(term)][caption];
                let weight = idf * idf * f64::from(count) * inverse;
                if weight > 0.0 {
                    self.terms.push(ImageTerm { term, length, weight });
                }
            }
        }
        // Stable: the captions of a term keep their order.
        self.terms[start..].sort_by_key(|term| term.term);
        self.starts.push(self.terms.len() as u32);
    }

    /// Number of images.
    pub(super) fn image_count(&self) -> usize {
        self.own.len()
    }

    /// The captions of an image.
    pub(super) fn captions(&self, image: usize) -> &[u32] {
        &self.own[image]
    }

    /// 1 / |w| of a caption for n-grams of `order` + 1 words; 0 where |w| is 0.
    pub(super) fn inverse_norm(&self, order: usize, caption: usize) -> f64 {
        self.inverse[order][caption]
    }

    /// Number of orders in which a caption has a weight.
    pub(super) fn orders_with_weight(&self, caption: usize) -> usize {
        self.inverse.iter().filter(|inverse| inverse[caption] > 0.0).count()
    }

    /// Terms of the captions of an image, sorted by term.
    fn image_terms(&self, image: usize) -> &[ImageTerm] {
        &self.terms[self.starts[image] as usize..self.starts[image + 1] as usize]
    }

    /// Adds to `sums`, by position, the similarity of each candidate with an image's captions, summed over all orders.
    pub(super) fn add_similarities(&self, image: usize, candidates: &Candidates, sums: &mut [f64]) {
        let mut by_length = vec![0.0; candidates.lengths.len()];
        for run in self.image_terms(image).chunk_by(|one, other| one.term == other.term) {
            let positions = candidates.positions(run[0].term);
            let inverse = &candidates.inverse[usize::from(self.orders[run[0].term as usize])];
            if positions.len() > by_length.len() {
                for (share, &length) in by_length.iter_mut().zip(&candidates.lengths) {
                    *share = self.weight_sum(run, length);
                }
                if let Some(weights) = candidates.weights(run[0].term) {
                    add_shares(weights, &candidates.bounds, &by_length, sums);
                    continue;
                }
                for &at in positions {
                    let at = at as usize;
                    sums[at] += by_length[candidates.length_of[at] as usize] * inverse[at];
                }
            } else {
                for &at in positions {
                    let at = at as usize;
                    let length = candidates.lengths[candidates.length_of[at] as usize];
                    sums[at] += self.weight_sum(run, length) * inverse[at];
                }
            }
        }
    }

    /// Similarity of a caption with an image's captions, summed over all orders.
    pub(super) fn pair_sum(&self, grams: &Grams, caption: usize, image: usize) -> f64 {
        let length = grams.length(caption);
        let (terms, mut at) = (self.image_terms(image), 0);
        let mut sum = 0.0;
        for &term in grams.terms(caption) {
            at += terms[at..].iter().take_while(|own| own.term < term).count();
            let shared = terms[at..].iter().take_while(|own| own.term == term).count();
            let order = usize::from(self.orders[term as usize]);
            sum += self.weight_sum(&terms[at..at + shared], length) * self.inverse[order][caption];
        }
        sum
    }

    /// Sum of the weights of one term in an image's captions, `run`, for a caption of `length` bigrams.
    fn weight_sum(&self, run: &[ImageTerm], length: u32) -> f64 {
        let penalized = |term: &ImageTerm| {
            let difference = term.length.abs_diff(length) as usize;
            term.weight * self.penalties.get(difference).copied().unwrap_or(0.0)
        };
        run.iter().map(penalized).sum()
    }
}

/// Penalty of a difference of lengths.
fn penalty(difference: usize) -> f64 {
    (-(difference as f64).powi(2) / TWICE_VARIANCE).exp()
}

/// ln N - ln df of each n-gram, over images with the captions `own`.
fn idf(grams: &Grams, own: &[Vec<u32>]) -> Vec<f64> {
    let mut images = vec![0_u32; grams.gram_count()];
    let mut last = vec![u32::MAX; grams.gram_count()];
    for (image, captions) in (0..).zip(own) {
        for &caption in captions {
            let terms = grams.terms(caption as usize).iter().map(|&term| term as usize);
            for gram in terms.take_while(|&term| term < grams.gram_count()) {
                images[gram] += u32::from(last[gram] != image);
                last[gram] = image;
            }
        }
    }
    let with_captions = own.iter().filter(|captions| !captions.is_empty()).count();
    let log_images = (with_captions.max(1) as f64).ln();
    images.iter().map(|&df| log_images - f64::from(df.max(1)).ln()).collect()
}

/// 1 / |w| of each caption by order; 0 where |w| is 0.
fn inverse_norms(grams: &Grams, idf: &[f64]) -> [Vec<f64>; ORDERS] {
    let all_squares = (0..grams.caption_count()).map(|caption| squared_norms(grams, idf, caption));
    let all_squares: Vec<[f64; ORDERS]> = all_squares.collect();
    std::array::from_fn(|order| {
        let squares = all_squares.iter().map(|squares| squares[order]);
        squares.map(|square| if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 }).collect()
    })
}

/// |w|^2 of a caption by order.
fn squared_norms(grams: &Grams, idf: &[f64], caption: usize) -> [f64; ORDERS] {
    let mut squares = [0.0; ORDERS];
    let terms = grams.terms(caption).iter().zip(grams.counts(caption));
    for (&term, &count) in terms.take_while(|(term, _)| (**term as usize) < idf.len()) {
        squares[grams.order(term)] += (f64::from(count) * idf[term as usize]).powi(2);
    }
    squares
}
