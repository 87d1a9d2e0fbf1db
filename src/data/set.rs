//! A set of small numbers, as a list or as bits.

use std::iter::Copied;
use std::ops::Range;
use std::slice;

/// Bits of a word.
pub(super) const BITS: u32 = u32::BITS;

/// A set of gallery indices, borrowed from [`Sets`](super::sets::Sets).
#[derive(Debug, Clone, Copy, Default)]
pub struct Set<'a> {
    /// The members, ascending, or their bits, if that is fewer words.
    pub(super) words: &'a [u32],
    pub(super) len: u32,
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
    pub fn iter(self) -> Members<'a> {
        if self.is_list() {
            Members(Form::List(self.words.iter().copied()))
        } else {
            Members::of_bits(self)
        }
    }

    /// The least member; `None` of an empty set.
    pub fn first(&self) -> Option<u32> {
        self.iter().next()
    }

    /// Whether the set has `member`.
    pub fn contains(&self, member: u32) -> bool {
        if self.is_list() {
            return self.words.binary_search(&member).is_ok();
        }
        let word = self.words.get((member / BITS) as usize);
        word.is_some_and(|word| word >> (member % BITS) & 1 == 1)
    }

    /// Number of members up to `most`, itself included.
    pub fn count_to(&self, most: u32) -> usize {
        self.count_below((most as usize).saturating_add(1))
    }

    /// Number of members in a range.
    pub fn count_in(&self, range: Range<usize>) -> usize {
        self.count_below(range.end) - self.count_below(range.start)
    }

    fn count_below(&self, end: usize) -> usize {
        if self.is_list() {
            return self.words.partition_point(|&member| (member as usize) < end);
        }
        let (whole, rest) = (end / BITS as usize, end % BITS as usize);
        let whole = &self.words[..whole.min(self.words.len())];
        let last = self.words.get(whole.len()).filter(|_| rest > 0);
        let below = |sum: u32, word: &u32| sum + word.count_ones();
        let last = last.map_or(0, |word| (word << (BITS as usize - rest)).count_ones());
        whole.iter().fold(last, below) as usize
    }

    /// The array that holds the set: equal for equal sets out of [`super::sets::Sets`].
    pub fn words(&self) -> &'a [u32] {
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
    /// Words to come.
    words: slice::Iter<'a, u32>,
    /// Members of the present word to come.
    word: u32,
    /// What the next word's first bit stands for.
    next: u32,
    /// How many members are to come.
    left: usize,
}

impl<'a> Members<'a> {
    pub(super) fn of_bits(set: Set<'a>) -> Self {
        Members(Form::Bits(Bits { words: set.words.iter(), word: 0, next: 0, left: set.len() }))
    }
}

impl Iterator for Bits<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            self.word = *self.words.next()?;
            self.next += BITS;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        self.left -= 1;
        Some(self.next - BITS + bit)
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
