//! Positives with half the gain: what a person judged right in part.

/// The positives of a query that have half the gain in graded metrics; all others have the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Halves {
    /// Known ranks, ascending.
    ranks: Vec<u32>,
    listed: u32,
}

impl Halves {
    /// The ranks of these positives in any order; `None` where the model does not rank one.
    pub fn new(ranks: &[Option<u32>]) -> Self {
        let mut known: Vec<u32> = ranks.iter().copied().flatten().collect();
        known.sort_unstable();
        Halves {
            ranks: known,
            listed: ranks.len() as u32,
        }
    }

    /// The same positives as a perfect model ranks them: behind those with the whole gain.
    pub(super) fn last_of(&self, positives: u32) -> Self {
        let first = positives.saturating_sub(self.listed) + 1;
        Halves {
            ranks: (first..=positives).collect(),
            listed: self.listed,
        }
    }

    /// Whether the positive at a rank is one of them.
    pub fn contains(&self, rank: u32) -> bool {
        self.ranks.binary_search(&rank).is_ok()
    }

    /// How many of R they are, those that are not ranked included.
    pub fn listed(&self) -> u32 {
        self.listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ranked_is_counted_and_a_perfect_model_ranks_halves_last() {
        let halves = Halves::new(&[Some(7), None, Some(2)]);
        assert_eq!(halves.listed(), 3);
        let ranks: Vec<u32> = (0..9).filter(|&rank| halves.contains(rank)).collect();
        assert_eq!(ranks, [2, 7]);
        let ideal = halves.last_of(5);
        let ranks: Vec<u32> = (0..9).filter(|&rank| ideal.contains(rank)).collect();
        assert_eq!((ranks, ideal.listed()), (vec![3, 4, 5], 3));
    }
}
