//! Captions that are compared with images, indexed by term.

use rustc_hash::FxHashMap;

use super::ORDERS;
use super::grams::Grams;
use super::weights::Weights;

/// A term is frequent if at least one caption in this many has it.
const MAX_CAPTIONS_PER_FREQUENT: usize = 8;
/// Below this number of captions, no term is frequent.
const MIN_CAPTIONS: usize = 64;

/// Captions indexed by term. Positions are sorted by length: captions of one length, for which an image's captions
/// weigh the same, are consecutive.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Position of each caption, in the order of input.
    pub places: Vec<u32>,
    /// Start of each term in `with_term`; one more at the end.
    starts: Vec<u32>,
    /// Positions of captions by term, ascending.
    with_term: Vec<u32>,
    /// 1 / |w| by order, then by position; 0 where |w| is 0.
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
    /// Indexes the captions with these indices.
    pub(super) fn new(grams: &Grams, weights: &Weights, captions: &[u32]) -> Self {
        let (sorted, places) = sort_by_length(grams, captions);
        let all_lengths: Vec<u32> = sorted.iter().map(|&c| grams.length(c as usize)).collect();
        let mut lengths = all_lengths.clone();
        lengths.dedup();
        let bound = |length: &u32| all_lengths.partition_point(|other| other < length) as u32;
        let bounds = lengths.iter().map(bound).chain([sorted.len() as u32]);
        let (starts, with_term) = index_by_term(grams, &sorted);
        let mut candidates = Candidates {
            places,
            starts,
            with_term,
            inverse: std::array::from_fn(|order| {
                let inverse = |&caption: &u32| weights.inverse_norm(order, caption as usize);
                sorted.iter().map(inverse).collect()
            }),
            frequent: FxHashMap::default(),
            bounds: bounds.collect(),
            length_of: ranks(&all_lengths),
            lengths,
        };
        let terms = (0..grams.term_count() as u32)
            .filter(|&term| candidates.is_frequent(candidates.positions(term)));
        candidates.frequent =
            terms.map(|term| (term, candidates.term_weights(term, grams.order(term)))).collect();
        candidates
    }

    /// Number of captions.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Positions of the captions with a term.
    pub(super) fn positions(&self, term: u32) -> &[u32] {
        let term = term as usize;
        &self.with_term[self.starts[term] as usize..self.starts[term + 1] as usize]
    }

    /// 1 / |w| of the captions with a term, by position, and 0 of all others; `None` for a rare term.
    pub(super) fn weights(&self, term: u32) -> Option<&[f64]> {
        let is_frequent = self.is_frequent(self.positions(term));
        is_frequent.then(|| self.frequent[&term].as_slice())
    }

    /// Whether a term with captions at these positions is frequent.
    fn is_frequent(&self, with_term: &[u32]) -> bool {
        with_term.len() >= MIN_CAPTIONS && with_term.len() * MAX_CAPTIONS_PER_FREQUENT >= self.len()
    }

    /// 1 / |w| of the captions with a term of `order` + 1 words, by position, and 0 of all others.
    fn term_weights(&self, term: u32, order: usize) -> Vec<f64> {
        let mut weights = vec![0.0; self.len()];
        for &at in self.positions(term) {
            weights[at as usize] = self.inverse[order][at as usize];
        }
        weights
    }
}

/// Captions sorted by length, and the position of each input caption among them.
fn sort_by_length(grams: &Grams, captions: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut inputs: Vec<u32> = (0..captions.len() as u32).collect();
    inputs.sort_by_key(|&input| grams.length(captions[input as usize] as usize));
    let mut places = vec![0; captions.len()];
    for (place, &input) in (0..).zip(&inputs) {
        places[input as usize] = place;
    }
    let sorted = inputs.iter().map(|&input| captions[input as usize]).collect();
    (sorted, places)
}

/// Dense rank of each number of an ascending list, from 0.
fn ranks(ascending: &[u32]) -> Vec<u32> {
    let runs = (0..).zip(ascending.chunk_by(|one, other| one == other));
    runs.flat_map(|(rank, run)| std::iter::repeat_n(rank, run.len())).collect()
}

/// Start of each term in the second list; and the positions in `captions` of those with each term, ascending.
fn index_by_term(grams: &Grams, captions: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; grams.term_count() + 2];
    let terms = || {
        let terms_of_caption = |(at, &caption): (usize, &u32)| {
            let terms = grams.terms(caption as usize).iter();
            terms.map(move |&term| (term as usize, at as u32))
        };
        captions.iter().enumerate().flat_map(terms_of_caption)
    };
    terms().for_each(|(term, _)| starts[term + 2] += 1);
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let mut with_term = vec![0; starts[starts.len() - 1] as usize];
    for (term, at) in terms() {
        with_term[starts[term + 1] as usize] = at;
        starts[term + 1] += 1;
    }
    starts.pop();
    (starts, with_term)
}
