//! Captions that are compared with images, found by what they hold.

use super::ORDERS;
use super::grams::Grams;
use super::weights::Weights;

/// Some captions, by term.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Where the captions of each term begin; one more at the end.
    starts: Vec<u32>,
    /// Places of captions, term by term, ascending.
    holding: Vec<u32>,
    /// 1 / |w| of each caption, by order; 0 where |w| is 0.
    pub inverse: [Vec<f64>; ORDERS],
    /// The lengths that occur, ascending.
    pub lengths: Vec<u32>,
    /// Place of each caption's length among these.
    pub length_of: Vec<u32>,
}

impl Candidates {
    pub(super) fn new(grams: &Grams, weights: &Weights, captions: &[u32]) -> Self {
        let mut lengths: Vec<u32> = captions.iter().map(|&c| grams.length(c as usize)).collect();
        let of_each = lengths.clone();
        lengths.sort_unstable();
        lengths.dedup();
        let place = |length: &u32| lengths.partition_point(|one| one < length) as u32;
        let (starts, holding) = by_term(grams, captions);
        Candidates {
            starts,
            holding,
            inverse: std::array::from_fn(|order| {
                let of = |&caption: &u32| weights.inverse(order, caption as usize);
                captions.iter().map(of).collect()
            }),
            length_of: of_each.iter().map(place).collect(),
            lengths,
        }
    }

    /// Number of captions.
    pub(super) fn len(&self) -> usize {
        self.length_of.len()
    }

    /// Places of the captions that hold a term.
    pub(super) fn holding(&self, term: u32) -> &[u32] {
        let term = term as usize;
        &self.holding[self.starts[term] as usize..self.starts[term + 1] as usize]
    }
}

/// Where the captions of each term begin, and these.
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
