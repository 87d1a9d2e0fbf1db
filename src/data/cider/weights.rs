//! Weights of terms in the captions of each image.

use multiversion::multiversion;

use super::ORDERS;
use super::candidates::Candidates;
use super::grams::Grams;

/// Twice the variance of the difference of two lengths.
const TWICE_VARIANCE: f64 = 72.0;
/// From this difference on, the penalty is 0 in 64 bits.
const FAR: usize = 234;

/// A term of one caption of an image.
#[derive(Debug, Clone, Copy)]
struct Held {
    term: u32,
    /// Bigrams of that caption.
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
    /// Terms of the captions of all images, those of each by term.
    held: Vec<Held>,
    /// Start of each image; one more at the end.
    starts: Vec<u32>,
    /// Order of each term, less one.
    orders: Vec<u8>,
    /// exp(-d^2 / 72) of a difference d.
    penalties: Vec<f64>,
}

impl Weights {
    /// `own` are the captions of each image, `counted` those that document frequencies are computed from.
    pub(super) fn new(grams: &Grams, own: &[Vec<u32>], counted: &[Vec<u32>]) -> Self {
        let idf = idf(grams, counted);
        let inverse = inverse(grams, &idf);
        let mut weights = Weights {
            own: own.to_vec(),
            inverse,
            held: Vec::new(),
            starts: vec![0],
            orders: (0..grams.term_count() as u32).map(|term| grams.order(term) as u8).collect(),
            penalties: (0..FAR).map(penalty).collect(),
        };
        let terms = |&caption: &u32| grams.terms(caption as usize).len();
        let most = own.iter().flatten().map(terms).sum();
        weights.held.reserve_exact(most);
        for captions in own {
            weights.push(grams, &idf, captions);
        }
        weights
    }

    fn push(&mut self, grams: &Grams, idf: &[f64], captions: &[u32]) {
        let start = self.held.len();
        for &caption in captions {
            let caption = caption as usize;
            let length = grams.length(caption);
            for (&term, &count) in grams.terms(caption).iter().zip(grams.counts(caption)) {
                let idf = idf[grams.gram(term)];
                let inverse = self.inverse[grams.order(term)][caption];
                let weight = idf * idf * f64::from(count) * inverse;
                if weight > 0.0 {
                    self.held.push(Held { term, length, weight });
                }
            }
        }
        // Stable: the captions of a term keep their order.
        self.held[start..].sort_by_key(|held| held.term);
        self.starts.push(self.held.len() as u32);
    }

    /// Number of images.
    pub(super) fn images(&self) -> usize {
        self.own.len()
    }

    /// The captions of an image.
    pub(super) fn captions(&self, image: usize) -> &[u32] {
        &self.own[image]
    }

    /// 1 / |w| of a caption; 0 where |w| is 0.
    pub(super) fn inverse(&self, order: usize, caption: usize) -> f64 {
        self.inverse[order][caption]
    }

    /// Number of orders in which it has a weight.
    pub(super) fn orders_with_weight(&self, caption: usize) -> usize {
        self.inverse.iter().filter(|of| of[caption] > 0.0).count()
    }

    fn held(&self, image: usize) -> &[Held] {
        &self.held[self.starts[image] as usize..self.starts[image + 1] as usize]
    }

    /// Adds the similarity of each caption with an image's captions, over all orders, to its sum.
    pub(super) fn add_to(&self, image: usize, candidates: &Candidates, sums: &mut [f64]) {
        let mut by_length = vec![0.0; candidates.lengths.len()];
        for run in self.held(image).chunk_by(|one, other| one.term == other.term) {
            let holding = candidates.holding(run[0].term);
            let inverse = &candidates.inverse[usize::from(self.orders[run[0].term as usize])];
            if holding.len() > by_length.len() {
                for (share, &length) in by_length.iter_mut().zip(&candidates.lengths) {
                    *share = self.share(run, length);
                }
                if let Some(weights) = candidates.weights(run[0].term) {
                    add_all(weights, &candidates.bounds, &by_length, sums);
                    continue;
                }
                for &at in holding {
                    let at = at as usize;
                    sums[at] += by_length[candidates.length_of[at] as usize] * inverse[at];
                }
            } else {
                for &at in holding {
                    let at = at as usize;
                    let length = candidates.lengths[candidates.length_of[at] as usize];
                    sums[at] += self.share(run, length) * inverse[at];
                }
            }
        }
    }

    /// Similarity of a caption and an image.
    pub(super) fn of_pair(&self, grams: &Grams, caption: usize, image: usize) -> f64 {
        let length = grams.length(caption);
        let (held, mut at) = (self.held(image), 0);
        let mut sum = 0.0;
        for &term in grams.terms(caption) {
            at += held[at..].iter().take_while(|one| one.term < term).count();
            let shared = held[at..].iter().take_while(|one| one.term == term).count();
            let order = usize::from(self.orders[term as usize]);
            sum += self.share(&held[at..at + shared], length) * self.inverse[order][caption];
        }
        sum
    }

    /// Weight of an image's captions for a caption of a length.
    fn share(&self, run: &[Held], length: u32) -> f64 {
        let of = |held: &Held| {
            let apart = held.length.abs_diff(length) as usize;
            held.weight * self.penalties.get(apart).copied().unwrap_or(0.0)
        };
        run.iter().map(of).sum()
    }
}

/// Adds weights times the share of their length to all sums; `bounds` are the starts of each length. A weight of 0 adds
/// nothing.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn add_all(weights: &[f64], bounds: &[u32], shares: &[f64], sums: &mut [f64]) {
    for (bounds, &share) in bounds.windows(2).zip(shares) {
        let places = bounds[0] as usize..bounds[1] as usize;
        let weights = &weights[places.clone()];
        for (sum, &weight) in sums[places].iter_mut().zip(weights) {
            *sum += share * weight;
        }
    }
}

/// Multiplies all sums, then divides them.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub(super) fn scale(sums: &mut [f64], by: f64, divisor: f64) {
    for sum in sums {
        *sum = *sum * by / divisor;
    }
}

fn penalty(apart: usize) -> f64 {
    (-(apart as f64).powi(2) / TWICE_VARIANCE).exp()
}

/// ln N - ln df of each n-gram.
fn idf(grams: &Grams, own: &[Vec<u32>]) -> Vec<f64> {
    let mut images = vec![0_u32; grams.distinct()];
    let mut last = vec![u32::MAX; grams.distinct()];
    for (image, captions) in (0..).zip(own) {
        for &caption in captions {
            let terms = grams.terms(caption as usize).iter().map(|&term| term as usize);
            for gram in terms.take_while(|&term| term < grams.distinct()) {
                images[gram] += u32::from(last[gram] != image);
                last[gram] = image;
            }
        }
    }
    let with_captions = own.iter().filter(|captions| !captions.is_empty()).count();
    let all = (with_captions.max(1) as f64).ln();
    images.iter().map(|&df| all - f64::from(df.max(1)).ln()).collect()
}

/// 1 / |w| of each caption by order; 0 where |w| is 0.
fn inverse(grams: &Grams, idf: &[f64]) -> [Vec<f64>; ORDERS] {
    let of_captions = (0..grams.captions()).map(|caption| squares(grams, idf, caption));
    let of_captions: Vec<[f64; ORDERS]> = of_captions.collect();
    std::array::from_fn(|order| {
        let squares = of_captions.iter().map(|squares| squares[order]);
        squares.map(|square| if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 }).collect()
    })
}

/// |w|^2 of a caption by order.
fn squares(grams: &Grams, idf: &[f64], caption: usize) -> [f64; ORDERS] {
    let mut squares = [0.0; ORDERS];
    let terms = grams.terms(caption).iter().zip(grams.counts(caption));
    for (&term, &count) in terms.take_while(|(term, _)| (**term as usize) < idf.len()) {
        squares[grams.order(term)] += (f64::from(count) * idf[term as usize]).powi(2);
    }
    squares
}
