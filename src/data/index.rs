//! Typed indices that cannot be mixed up: of models, truths, queries, items.
//!
//! In hot loops, and in long lists, indices stay plain numbers; functions with two indices of different meaning take
//! these. A list with one element for each model is indexed by [`ModelIx`] only, if its elements implement [`Per`].

use std::fmt;
use std::ops::{Index, IndexMut};

/// Implemented by elements of lists that have one element for each `I`: `list[index]` then accepts an `I`.
pub trait Per<I> {}

/// Defines an index type by its name and documentation.
macro_rules! index {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(u32);

        impl $name {
            /// The index `at`, counted from 0.
            pub const fn new(at: usize) -> Self {
                $name(at as u32)
            }

            /// The plain number, counted from 0.
            pub const fn get(self) -> usize {
                self.0 as usize
            }

            /// The plain number, as stored in long lists.
            pub const fn raw(self) -> u32 {
                self.0
            }

            /// All indices of `list`.
            pub fn all<T: Per<Self>>(
                list: &[T],
            ) -> impl DoubleEndedIterator<Item = Self> + Clone + use<T> {
                (0..list.len()).map(Self::new)
            }

            /// The elements of `list` with their indices.
            pub fn enumerate<T: Per<Self>>(
                list: &[T],
            ) -> impl DoubleEndedIterator<Item = (Self, &T)> {
                list.iter().enumerate().map(|(at, element)| (Self::new(at), element))
            }

            /// The index of the first element of `list` for which `test` holds.
            pub fn find<T: Per<Self>>(list: &[T], test: impl FnMut(&T) -> bool) -> Option<Self> {
                list.iter().position(test).map(Self::new)
            }
        }

        impl From<usize> for $name {
            fn from(at: usize) -> Self {
                Self::new(at)
            }
        }

        impl From<u32> for $name {
            fn from(at: u32) -> Self {
                $name(at)
            }
        }

        impl From<$name> for usize {
            fn from(index: $name) -> Self {
                index.get()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl<T: Per<$name>> Index<$name> for [T] {
            type Output = T;

            fn index(&self, index: $name) -> &T {
                &self[index.get()]
            }
        }

        impl<T: Per<$name>> Index<$name> for Vec<T> {
            type Output = T;

            fn index(&self, index: $name) -> &T {
                &self[index.get()]
            }
        }

        impl<T: Per<$name>> IndexMut<$name> for [T] {
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.get()]
            }
        }

        impl<T: Per<$name>> IndexMut<$name> for Vec<T> {
            fn index_mut(&mut self, index: $name) -> &mut T {
                &mut self[index.get()]
            }
        }
    };
}

index!(ModelIx, "Index of a model of a study, in the order given.");
index!(TruthIx, "Index of a ground truth of a study; the original is the first.");
index!(PhiIx, "Index of a similarity phi of a study, in the order given.");
index!(ImageIx, "Index of an image of the gallery, in matrix order.");
index!(CaptionIx, "Index of a caption of the gallery, in matrix order.");
index!(QueryIx, "Index of a query of a direction: an image or a caption of the gallery.");
index!(ItemIx, "Index of an item of a direction: a caption or an image of the gallery.");

#[cfg(test)]
mod tests {
    use super::*;

    struct Score(f64);

    impl Per<ModelIx> for Score {}

    #[test]
    fn a_list_of_one_for_each_is_read_with_its_index() {
        let mut scores = vec![Score(0.5), Score(0.25)];
        let second = ModelIx::find(&scores, |score| score.0 < 0.5).unwrap();
        assert_eq!((second.get(), second.raw(), second.to_string()), (1, 1, "1".to_owned()));
        scores[second].0 = 0.75;
        let best = ModelIx::enumerate(&scores).max_by(|one, other| one.1.0.total_cmp(&other.1.0));
        assert_eq!(best.map(|(model, score)| (model, score.0)), Some((second, 0.75)));
        assert!(ModelIx::all(&scores).eq([0, 1].map(ModelIx::new)));
        assert!(ModelIx::find(&scores, |score| score.0 > 1.0).is_none());
    }
}
