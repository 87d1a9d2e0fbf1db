//! Captions that are compared with images, indexed by term.

use rustc_hash::FxHashMap;

use super::ORDERS;
use super::grams::Grams;
use super::weights::Weights;

/// Frequent: one caption in this many. Added to all of them at once.
const FREQUENT: usize = 8;
/// Below this number of captions, no term is frequent.
const MIN_CAPTIONS: usize = 64;

/// Captions indexed by term. Positions are sorted by length: captions of one length, for which an image's captions
/// weigh the same, are consecutive.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Position of each caption, in input order.
    pub places: Vec<u32>,
    /// Start of each term in `holding`; one more at the end.
    starts: Vec<u32>,
    /// Positions of captions by term, ascending.
    holding: Vec<u32>,
    /// 1 / |w| by position, order; 0 where |w| is 0.
    pub inverse: [Vec<f64>; ORDERS],
    /// 1 / |w| by position, for each frequent term, in its order; 0 of captions without the term.
    frequent: FxHashMap<u32, Vec<f64>>,
    /// The lengths that occur, ascending.
    pub lengths: Vec<u32>,
    /// First position of each length; one more at the end.
    pub bounds: Vec<u32>,
    /// Index in `lengths` of each position.
    pub length_of: Vec<u32>,
}

impl Candidates {
    pub(super) fn new(grams: &Grams, weights: &Weights, captions: &[u32]) -> Self {
        let (order, places) = by_length(grams, captions);
        let of_each: Vec<u32> = order.iter().map(|&c| grams.length(c as usize)).collect();
        let mut lengths = of_each.clone();
        lengths.dedup();
        let bound = |length: &u32| of_each.partition_point(|one| one < length) as u32;
        let bounds = lengths.iter().map(bound).chain([order.len() as u32]);
        let (starts, holding) = by_term(grams, &order);
        let mut candidates = Candidates {
            places,
            starts,
            holding,
            inverse: std::array::from_fn(|of| {
                let of = |&caption: &u32| weights.inverse(of, caption as usize);
                order.iter().map(of).collect()
            }),
            frequent: FxHashMap::default(),
            bounds: bounds.collect(),
            length_of: ranks(&of_each),
            lengths,
        };
        let terms = (0..grams.term_count() as u32)
            .filter(|&term| candidates.is_frequent(candidates.holding(term)));
        candidates.frequent =
            terms.map(|term| (term, candidates.spread(term, grams.order(term)))).collect();
        candidates
    }

    /// Number of captions.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Positions of the captions with a term.
    pub(super) fn holding(&self, term: u32) -> &[u32] {
        let term = term as usize;
        &self.holding[self.starts[term] as usize..self.starts[term + 1] as usize]
    }

    /// 1 / |w| of the captions with a term, by position, and 0 of all others; `None` for a rare term.
    pub(super) fn weights(&self, term: u32) -> Option<&[f64]> {
        let is_frequent = self.is_frequent(self.holding(term));
        is_frequent.then(|| self.frequent[&term].as_slice())
    }

    fn is_frequent(&self, holding: &[u32]) -> bool {
        holding.len() >= MIN_CAPTIONS && holding.len() * FREQUENT >= self.len()
    }

    fn spread(&self, term: u32, order: usize) -> Vec<f64> {
        let mut weights = vec![0.0; self.len()];
        for &at in self.holding(term) {
            weights[at as usize] = self.inverse[order][at as usize];
        }
        weights
    }
}

/// Captions by length, and the position of each input among them.
fn by_length(grams: &Grams, captions: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<u32> = (0..captions.len() as u32).collect();
    order.sort_by_key(|&at| grams.length(captions[at as usize] as usize));
    let mut places = vec![0; captions.len()];
    for (place, &at) in (0..).zip(&order) {
        places[at as usize] = place;
    }
    let order = order.iter().map(|&at| captions[at as usize]).collect();
    (order, places)
}

/// Dense rank of each number, from 0.
fn ranks(ascending: &[u32]) -> Vec<u32> {
    let runs = (0..).zip(ascending.chunk_by(|one, other| one == other));
    runs.flat_map(|(rank, run)| std::iter::repeat_n(rank, run.len())).collect()
}

/// Start of each term, and the captions with it.
fn by_term(grams: &Grams, captions: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; grams.term_count() + 2];
    let terms = || {
        let of = |(at, &caption): (usize, &u32)| {
            let terms = grams.terms(caption as usize).iter();
            terms.map(move |&term| (term as usize, at as u32))
        };
        captions.iter().enumerate().flat_map(of)
    };
    terms().for_each(|(term, _)| starts[term + 2] += 1);
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut holding = vec![0; starts[starts.len() - 1] as usize];
    for (term, at) in terms() {
        holding[starts[term + 1] as usize] = at;
        starts[term + 1] += 1;
    }
    starts.pop();
    (starts, holding)
}
