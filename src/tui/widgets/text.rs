//! Text cut and wrapped to columns of the terminal, by the width that it will take there.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::data::text::wrapped;

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// `text` in at most `columns`, with an ellipsis where it was cut.
pub fn fit(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for piece in text.graphemes(true) {
        if used + piece.width() + 1 > columns {
            break;
        }
        used += piece.width();
        out.push_str(piece);
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// `text` in at most `columns`, with an ellipsis in the middle where it was cut.
pub fn fit_middle(text: &str, columns: usize) -> String {
    if text.width() <= columns || columns < 3 {
        return fit(text, columns);
    }
    let start = fit(text, columns / 2 + 1);
    format!(
        "{start}{}",
        after(text, text.width() - (columns - start.width()))
    )
}

/// The first of some ways to say the same that takes at most so many columns; where none does, the last one cut.
pub fn first_fitting(ways: impl IntoIterator<Item = String>, columns: usize) -> String {
    let mut shortest = String::new();
    for way in ways {
        if way.width() <= columns {
            return way;
        }
        shortest = way;
    }
    fit(&shortest, columns)
}

/// What of `text` comes after the first `columns`.
pub fn after(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let mut starts = text.grapheme_indices(true);
    let first = starts.find(|(_, piece)| {
        let is_after = used >= columns;
        used += piece.width();
        is_after
    });
    first.map_or("", |(at, _)| &text[at..])
}

/// `text` in exactly `columns`: cut, or filled up with blanks at the end.
pub fn pad(text: &str, columns: usize) -> String {
    let mut out = fit(text, columns);
    out.extend(std::iter::repeat_n(
        ' ',
        columns.saturating_sub(out.width()),
    ));
    out
}

/// `text` in exactly `columns`, at the right.
pub fn pad_left(text: &str, columns: usize) -> String {
    let fitted = fit(text, columns);
    format!(
        "{}{fitted}",
        " ".repeat(columns.saturating_sub(fitted.width()))
    )
}

/// `text` in lines of at most `columns`, broken at blanks where possible.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    wrapped(text, |line| line.width() <= columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_by_width_not_by_characters() {
        assert_eq!(fit("a dog runs", 10), "a dog runs");
        assert_eq!(fit("a dog runs", 6), "a dog…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(pad("日本語", 4), "日… ");
        assert_eq!(pad_left("7", 3), "  7");
    }

    #[test]
    fn cut_in_the_middle_and_at_the_start() {
        assert_eq!(fit_middle("0.50*careful+0.50*broad", 11), "0.50*…broad");
        assert_eq!(fit_middle("0.50*careful", 12), "0.50*careful");
        assert_eq!(fit_middle("careful", 4), "ca…l");
        assert_eq!(fit_middle("日本語日本", 7), "日…日本");
        assert_eq!(fit_middle("careful", 2), "c…");
        assert_eq!(after("careful", 4), "ful");
        assert_eq!(after("日本語", 3), "語");
        assert_eq!(after("日本語", 9), "");
    }

    #[test]
    fn fewer_words_before_words_are_cut() {
        let of = |columns| first_fitting(["all queries", "all"].map(String::from), columns);
        assert_eq!([of(11), of(10), of(2)], ["all queries", "all", "a…"]);
    }

    #[test]
    fn wrapped_at_blanks_and_long_words_inside() {
        assert_eq!(wrap("a dog runs far", 6), ["a dog", "runs", "far"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
