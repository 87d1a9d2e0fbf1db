//! Sets of small numbers, many of them in one array.
//!
//! A set is kept as a list or as bits, whichever is shorter: a set of numbers below n never takes
//! more than n bits. Plausible Match lists a fifth of the gallery for every query, and that is
//! 106 MB a direction as lists and 15 MB as bits.

pub use super::set::Set;
use super::set::{BITS, Members};

/// Many sets, in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sets {
    words: Vec<u32>,
    spans: Vec<Span>,
}

/// Where in `words` a set stands, and how many members it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
    len: u32,
}

impl Sets {
    /// Without sets, with room for so many of one member each.
    pub fn with_capacity(count: usize) -> Self {
        Sets { words: Vec::with_capacity(count), spans: Vec::with_capacity(count) }
    }

    /// Adds a set: its members, ascending, each once.
    pub fn push(&mut self, members: &[u32]) {
        let start = self.words.len();
        let bits = members.last().map_or(0, |last| (last / BITS) as usize + 1);
        if bits < members.len() {
            self.words.resize(start + bits, 0);
            mark(&mut self.words[start..], members);
        } else {
            self.words.extend_from_slice(members);
        }
        self.end(start, members.len());
    }

    /// Adds a set from its members in any order, some of them perhaps more than once.
    pub fn push_any(&mut self, members: &mut Vec<u32>) {
        let most = members.iter().max();
        let bits = most.map_or(0, |most| (most / BITS) as usize + 1);
        if bits < members.len() {
            let mut bits = vec![0; bits];
            mark(&mut bits, members);
            self.push_bits(&bits);
        } else {
            members.sort_unstable();
            members.dedup();
            self.push(members);
        }
    }

    /// Adds a set: bit `n % 32` of word `n / 32` tells whether n is a member.
    pub fn push_bits(&mut self, words: &[u32]) {
        let start = self.words.len();
        let len: u32 = words.iter().map(|word| word.count_ones()).sum();
        let bits = words.iter().rposition(|&word| word != 0);
        let words = &words[..bits.map_or(0, |last| last + 1)];
        let set = Set { words, len };
        if words.len() < len as usize {
            self.words.extend_from_slice(words);
        } else {
            self.words.extend(Members::of_bits(set));
        }
        self.end(start, len as usize);
    }

    /// Adds a set once more.
    pub fn push_set(&mut self, set: Set<'_>) {
        let start = self.words.len();
        self.words.extend_from_slice(set.words);
        self.end(start, set.len());
    }

    /// Makes the last set share the words of an equal one before it.
    pub fn share_last(&mut self, with: usize) {
        debug_assert_eq!(self.get(with), self.get(self.len() - 1));
        let with = self.spans[with];
        let last = self.spans.last_mut().expect("two sets are equal");
        self.words.truncate(last.start as usize);
        *last = with;
    }

    fn end(&mut self, start: usize, len: usize) {
        self.spans.push(Span {
            start: start as u32,
            end: self.words.len() as u32,
            len: len as u32,
        });
    }

    /// The set that was pushed as the `place`-th, counted from 0.
    pub fn get(&self, place: usize) -> Set<'_> {
        let Span { start, end, len } = self.spans[place];
        Set { words: &self.words[start as usize..end as usize], len }
    }

    /// Number of sets that were pushed.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Gives back memory that further sets would have used.
    pub fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
        self.spans.shrink_to_fit();
    }
}

/// Sets the bit of each member.
fn mark(words: &mut [u32], members: &[u32]) {
    for member in members {
        words[(member / BITS) as usize] |= 1 << (member % BITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever form a set takes, it answers as its list does.
        #[test]
        fn both_forms_answer_alike(flags in proptest::collection::vec(any::<bool>(), 0..200), share in 1usize..40) {
            let is = |&n: &usize| flags[n] && (n % share == 0 || share < 4);
            let members: Vec<u32> = (0..flags.len()).filter(is).map(|n| n as u32).collect();
            let mut bits = vec![0; flags.len() / 32 + 2];
            for &member in &members {
                bits[member as usize / 32] |= 1 << (member % 32);
            }
            let mut sets = Sets::default();
            sets.push(&members);
            sets.push_bits(&bits);
            sets.push_set(sets.clone().get(0));
            let mut twice = [members.clone(), members.clone()].concat();
            sets.push_any(&mut twice);
            prop_assert_eq!(sets.get(0).words(), sets.get(1).words());
            prop_assert_eq!(sets.get(0).words(), sets.get(2).words());
            prop_assert_eq!(sets.get(0).words(), sets.get(3).words());
            let (set, list) = (sets.get(0), Set::from(members.as_slice()));
            prop_assert!(set.words().len() <= members.len().min(flags.len().div_ceil(32)));
            prop_assert_eq!((set, set.len(), set.first()), (list, list.len(), list.first()));
            prop_assert_eq!(set.iter().len(), members.len());
            prop_assert!(set.iter().eq(members.iter().copied()));
            for n in (7..300).chain([u32::MAX]) {
                prop_assert_eq!(set.contains(n), list.contains(n));
                prop_assert_eq!(set.count_to(n), list.count_to(n));
                prop_assert_eq!(set.count_in(7..n as usize), list.count_in(7..n as usize));
            }
        }
    }

    #[test]
    fn equal_sets_can_share_their_words() {
        let mut sets = Sets::default();
        for members in [&[3, 99][..], &[4], &[3, 99]] {
            sets.push(members);
        }
        sets.share_last(0);
        assert_eq!((sets.len(), sets.words.len()), (3, 3));
        assert_eq!((sets.get(0), sets.get(1).first()), (sets.get(2), Some(4)));
    }
}
