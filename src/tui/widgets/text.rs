//! Text cut and wrapped to columns of the terminal, by the width that it will take there.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

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
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("never empty");
        let gap = usize::from(!last.is_empty());
        if last.width() + gap + word.width() <= columns {
            if gap == 1 {
                last.push(' ');
            }
            last.push_str(word);
            continue;
        }
        if !last.is_empty() {
            lines.push(String::new());
        }
        for piece in word.graphemes(true) {
            let last = lines.last_mut().expect("never empty");
            if last.width() + piece.width() > columns && !last.is_empty() {
                lines.push(String::new());
            }
            lines.last_mut().expect("never empty").push_str(piece);
        }
    }
    lines
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
    fn wrapped_at_blanks_and_long_words_inside() {
        assert_eq!(wrap("a dog runs far", 6), ["a dog", "runs", "far"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
