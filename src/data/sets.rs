//! Sets of small numbers, many of them in one array.
//!
//! A set is stored as a list or as bits, whichever is shorter: a set of numbers below n never takes more than n bits.
//! Plausible Match lists a fifth of the gallery for every query: 106 MB a direction as lists, 15 MB as bits.

use std::iter::Copied;
use std::ops::Range;
use std::slice;

/// Many sets, in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sets {
    words: Vec<u32>,
    spans: Vec<Span>,
}

/// Range in `words` of a set, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
    len: u32,
}

impl Sets {
    /// No sets yet, with room for `count` sets of one member each.
    pub fn with_capacity(count: usize) -> Self {
        Sets { words: Vec::with_capacity(count), spans: Vec::with_capacity(count) }
    }

    /// Adds a set from its members, ascending, each once.
    pub fn push(&mut self, members: &[u32]) {
        let start = self.words.len();
        let bits = members.last().map_or(0, |last| (last / WORD_BITS) as usize + 1);
        if bits < members.len() {
            self.words.resize(start + bits, 0);
            set_bits(&mut self.words[start..], members);
        } else {
            self.words.extend_from_slice(members);
        }
        self.push_span(start, members.len());
    }

    /// Adds a set from members in any order, perhaps with duplicates; `members` may be sorted on the way.
    pub fn push_unsorted(&mut self, members: &mut Vec<u32>) {
        let largest = members.iter().max();
        let bits = largest.map_or(0, |largest| (largest / WORD_BITS) as usize + 1);
        if bits < members.len() {
            let mut bits = vec![0; bits];
            set_bits(&mut bits, members);
            self.push_bits(&bits);
        } else {
            members.sort_unstable();
            members.dedup();
            self.push(members);
        }
    }

    /// Adds a set from bits: bit `n % 32` of word `n / 32` is set if n is a member.
    pub fn push_bits(&mut self, words: &[u32]) {
        let start = self.words.len();
        let len: u32 = words.iter().map(|word| word.count_ones()).sum();
        let bits = words.iter().rposition(|&word| word != 0);
        let words = &words[..bits.map_or(0, |last| last + 1)];
        let set = Set { words, len };
        if words.len() < len as usize {
            self.words.extend_from_slice(words);
        } else {
            self.words.extend(Members::from_bits(set));
        }
        self.push_span(start, len as usize);
    }

    /// Adds a copy of a set.
    pub fn push_set(&mut self, set: Set<'_>) {
        let start = self.words.len();
        self.words.extend_from_slice(set.words);
        self.push_span(start, set.len());
    }

    /// Makes the last set share the words of the set at index `equal`, which equals it.
    pub fn share_last(&mut self, equal: usize) {
        debug_assert_eq!(self.get(equal), self.get(self.len() - 1));
        let equal = self.spans[equal];
        let last = self.spans.last_mut().expect("two sets are equal");
        self.words.truncate(last.start as usize);
        *last = equal;
    }

    /// Adds the set of `len` members that is stored in the words from `start` on.
    fn push_span(&mut self, start: usize, len: usize) {
        self.spans.push(Span {
            start: start as u32,
            end: self.words.len() as u32,
            len: len as u32,
        });
    }

    /// The set at an index, in the order of adding.
    #[inline]
    pub fn get(&self, index: usize) -> Set<'_> {
        let Span { start, end, len } = self.spans[index];
        Set { words: &self.words[start as usize..end as usize], len }
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no set.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Frees unused capacity.
    pub fn shrink_to_fit(&mut self) {
        self.words.shrink_to_fit();
        self.spans.shrink_to_fit();
    }
}

/// Sets the bit of each member.
fn set_bits(words: &mut [u32], members: &[u32]) {
    for member in members {
        words[(member / WORD_BITS) as usize] |= 1 << (member % WORD_BITS);
    }
}

/// Bits per word.
const WORD_BITS: u32 = u32::BITS;

/// A set of gallery indices, borrowed from [`Sets`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Set<'a> {
    /// The members, ascending, or their bits if these take fewer words.
    words: &'a [u32],
    len: u32,
}

impl<'a> From<&'a [u32]> for Set<'a> {
    /// A set of these members, ascending, each once.
    fn from(members: &'a [u32]) -> Self {
        Set { words: members, len: members.len() as u32 }
    }
}

impl PartialEq for Set<'_> {
    fn eq(&self, other: &Self) -> bool {
        if self.is_list() == other.is_list() {
            self.len == other.len && self.words == other.words
        } else {
            self.iter().eq(other.iter())
        }
    }
}

impl Eq for Set<'_> {}

impl<'a> IntoIterator for Set<'a> {
    type Item = u32;
    type IntoIter = Members<'a>;

    fn into_iter(self) -> Members<'a> {
        self.iter()
    }
}

impl<'a> Set<'a> {
    /// Whether the words are the members, not their bits.
    fn is_list(&self) -> bool {
        self.words.len() == self.len as usize
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the set has no member.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The members, ascending.
    #[inline]
    pub fn iter(self) -> Members<'a> {
        if self.is_list() {
            Members(Form::List(self.words.iter().copied()))
        } else {
            Members::from_bits(self)
        }
    }

    /// The smallest member; `None` if the set is empty.
    #[inline]
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// Whether the set has `member`.
    pub fn contains(&self, member: u32) -> bool {
        if self.is_list() {
            return self.words.binary_search(&member).is_ok();
        }
        let word = self.words.get((member / WORD_BITS) as usize);
        word.is_some_and(|word| word >> (member % WORD_BITS) & 1 == 1)
    }

    /// Number of members up to and including `last`.
    pub fn count_to(&self, last: u32) -> usize {
        self.count_below((last as usize).saturating_add(1))
    }

    /// Number of members in a range.
    pub fn count_in(&self, range: Range<usize>) -> usize {
        self.count_below(range.end) - self.count_below(range.start)
    }

    /// Number of members below `end`.
    fn count_below(&self, end: usize) -> usize {
        if self.is_list() {
            return self.words.partition_point(|&member| (member as usize) < end);
        }
        let (whole, rest) = (end / WORD_BITS as usize, end % WORD_BITS as usize);
        let whole = &self.words[..whole.min(self.words.len())];
        let last = self.words.get(whole.len()).filter(|_| rest > 0);
        let below = |sum: u32, word: &u32| sum + word.count_ones();
        let last = last.map_or(0, |word| (word << (WORD_BITS as usize - rest)).count_ones());
        whole.iter().fold(last, below) as usize
    }

    /// The words that store the set, as members or as bits. Equal sets of [`Sets`] have equal words.
    pub fn encoding(&self) -> &'a [u32] {
        self.words
    }
}

/// The members of a set, ascending.
#[derive(Debug, Clone)]
pub struct Members<'a>(Form<'a>);

#[derive(Debug, Clone)]
enum Form<'a> {
    List(Copied<slice::Iter<'a, u32>>),
    Bits(Bits<'a>),
}

#[derive(Debug, Clone)]
struct Bits<'a> {
    /// Words that follow.
    words: slice::Iter<'a, u32>,
    /// Bits of the current word that are still to be read.
    word: u32,
    /// Number that the first bit of the next word stands for.
    next: u32,
    /// Number of members still to be read.
    left: usize,
}

impl<'a> Members<'a> {
    /// The members of a set that is stored as bits.
    fn from_bits(set: Set<'a>) -> Self {
        Members(Form::Bits(Bits { words: set.words.iter(), word: 0, next: 0, left: set.len() }))
    }
}

impl Iterator for Bits<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            self.word = *self.words.next()?;
            self.next += WORD_BITS;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        self.left -= 1;
        Some(self.next - WORD_BITS + bit)
    }
}

impl Iterator for Members<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match &mut self.0 {
            Form::List(list) => list.next(),
            Form::Bits(bits) => bits.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Form::List(list) => list.len(),
            Form::Bits(bits) => bits.left,
        };
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both forms of a set behave like its list.
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
            sets.push_unsorted(&mut twice);
            prop_assert_eq!(sets.get(0).encoding(), sets.get(1).encoding());
            prop_assert_eq!(sets.get(0).encoding(), sets.get(2).encoding());
            prop_assert_eq!(sets.get(0).encoding(), sets.get(3).encoding());
            let (set, list) = (sets.get(0), Set::from(members.as_slice()));
            prop_assert!(set.encoding().len() <= members.len().min(flags.len().div_ceil(32)));
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
