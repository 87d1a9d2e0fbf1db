//! What lists leave out where they are narrow: the first layout that leaves enough to the text is taken.

/// Of a list's columns, so many in a hundred are for the text.
const TEXT: usize = 58;
/// The same where numbers are compared side by side.
const TEXT_BESIDE: usize = 45;

/// How much a list leaves to its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// Most of the columns.
    Most,
    /// Nearly half of them: what stands before it is what the list is for.
    Half,
}

impl Text {
    /// Whether so many columns of `width` are enough.
    fn has_enough(self, columns: usize, width: usize) -> bool {
        let share = match self {
            Text::Most => TEXT,
            Text::Half => TEXT_BESIDE,
        };
        columns * 100 >= width * share
    }
}

/// The first of some layouts that leaves enough of `width` to the text, or the last one; `text` gives the
/// columns that a layout leaves to it.
pub fn fitting<T: Copy>(
    layouts: &[T],
    wanted: Text,
    width: usize,
    text: impl Fn(T) -> usize,
) -> Option<T> {
    let fits = |layout: &T| wanted.has_enough(text(*layout), width);
    let found = layouts.iter().copied().find(fits);
    found.or(layouts.last().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_leaves_enough_or_the_last() {
        let layouts = [70, 40, 10];
        let text = |taken: usize| 100 - taken;
        assert_eq!(fitting(&layouts, Text::Most, 100, text), Some(40));
        assert_eq!(fitting(&layouts, Text::Half, 150, text), Some(10));
        assert_eq!(fitting(&layouts[..1], Text::Most, 100, text), Some(70));
    }
}
