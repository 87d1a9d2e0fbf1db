//! Text wrapped to a width, in the real font.

use unicode_segmentation::UnicodeSegmentation;

use super::fonts::{Fonts, Run};
use crate::data::text::wrap_text;

/// Size, weight and colour of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextStyle {
    /// Size in points.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// As `#rrggbb`.
    pub colour: &'static str,
}

impl TextStyle {
    /// Line spacing, in points.
    pub fn leading(self) -> f32 {
        self.size * 1.2
    }

    /// Distance from the top of a line to its baseline.
    pub fn ascent(self) -> f32 {
        self.size * 0.92
    }
}

/// A line of text, split into runs of one font each.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The runs, from left to right.
    pub runs: Vec<Run>,
    /// Its width, in points.
    pub width: f32,
}

/// Breaks text into lines of at most `width` points, between words and within a word that is too wide; only a single
/// letter may be wider. After `max` lines, an ellipsis replaces the rest.
pub fn wrap(fonts: &mut Fonts, text: &str, look: TextStyle, width: f32, max: usize) -> Vec<Line> {
    let text = split_long_names(text, &mut |word| fonts.line(word, look).width <= width);
    let mut lines = wrap_text(&text, |line| fonts.line(line, look).width <= width);
    lines.retain(|line| !line.is_empty());
    if lines.len() > max {
        lines.truncate(max);
        if let Some(last) = lines.last_mut() {
            shorten(last, &mut |line| fonts.line(line, look).width <= width);
        }
    }
    lines.iter().map(|line| fonts.line(line, look)).collect()
}

/// The width of the widest word of a text, in points; file names count as words split at separators.
pub fn widest_word(fonts: &mut Fonts, text: &str, look: TextStyle) -> f32 {
    let words = text.split_whitespace().flat_map(split_at_separators);
    words.map(|word| fonts.line(&word, look).width).fold(0.0, f32::max)
}

/// Inserts blanks into words that are too wide for a line, after `_`, `-`, `.` and `/`, so that file names are broken
/// there. A word with a piece that is too wide stays whole.
fn split_long_names(text: &str, fits: &mut dyn FnMut(&str) -> bool) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let pieces = split_at_separators(word);
        if fits(word) || !pieces.iter().all(|piece| fits(piece)) {
            words.push(word.to_owned());
            continue;
        }
        let mut line = String::new();
        for piece in pieces {
            if !line.is_empty() && !fits(&format!("{line}{piece}")) {
                words.push(std::mem::take(&mut line));
            }
            line += &piece;
        }
        words.push(line);
    }
    words.join(" ")
}

/// Splits a word after each separator, unless a combining mark follows the separator.
fn split_at_separators(word: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in word.graphemes(true) {
        let last = pieces.len() - 1;
        pieces[last] += letter;
        if matches!(letter, "_" | "-" | "." | "/") {
            pieces.push(String::new());
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Ends a line with an ellipsis, and removes letters before it until the line fits.
fn shorten(line: &mut String, fits: &mut dyn FnMut(&str) -> bool) {
    loop {
        let shortened = format!("{}…", line.trim_end());
        if line.is_empty() || fits(&shortened) {
            *line = shortened;
            return;
        }
        let last = line.grapheme_indices(true).next_back();
        line.truncate(last.map_or(0, |(at, _)| at));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LOOK: TextStyle = TextStyle { size: 8.0, bold: false, colour: "#000000" };

    fn texts(text: &str, width: f32, most: usize) -> Vec<String> {
        let mut fonts = Fonts::new(None).unwrap();
        let lines = wrap(&mut fonts, text, LOOK, width, most);
        let text = |line: Line| line.runs.into_iter().map(|run| run.text).collect();
        lines.into_iter().map(text).collect()
    }

    #[test]
    fn lines_break_between_words_and_in_long_ones() {
        assert_eq!(texts("a man riding a wave", 40.0, 9), ["a man", "riding a", "wave"]);
        assert_eq!(texts("", 40.0, 9), Vec::<String>::new());
        assert_eq!(
            texts("COCO_val2014_000000391895.jpg", 58.0, 9),
            ["COCO_", "val2014_", "000000391895.", "jpg"]
        );
        let long = texts("x Donaudampfschifffahrtsgesellschaft", 40.0, 99);
        assert_eq!(long[1..].concat(), "Donaudampfschifffahrtsgesellschaft");
        assert_eq!(texts("a man riding a wave", 40.0, 2), ["a man", "riding a…"]);
    }

    #[test]
    fn as_wide_as_its_widest_word_a_text_is_broken_between_words() {
        let mut fonts = Fonts::new(None).unwrap();
        let text = "a photograph of motorcycles";
        let width = widest_word(&mut fonts, text, LOOK);
        let whole: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let is_whole = |line: &String| line.split(' ').all(|word| whole.contains(&word.to_owned()));
        assert!(texts(text, width + 0.01, 9).iter().all(is_whole));
        assert!(!texts(text, width - 1.0, 9).iter().all(is_whole));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_line_is_too_wide_and_nothing_is_lost(text in "\\PC{0,60}", width in 20.0f32..200.0, bold: bool) {
            let mut fonts = Fonts::new(None).unwrap();
            let look = TextStyle { bold, ..LOOK };
            let lines = wrap(&mut fonts, &text, look, width, usize::MAX);
            let mut joined = String::new();
            for line in &lines {
                let runs = &line.runs;
                let letters: String = runs.iter().map(|run| run.text.as_str()).collect();
                // One letter cannot be broken.
                prop_assert!(line.width <= width || letters.graphemes(true).count() == 1, "{letters:?}");
                joined += &letters;
            }
            let bare = |text: &str| -> String { text.split_whitespace().collect() };
            // Blanks that no font has would be replaced like letters.
            let words = text.split_whitespace().flat_map(|word| fonts.runs(word, bold));
            let whole = words.map(|run| run.text).collect::<String>();
            prop_assert_eq!(bare(&joined), bare(&whole));
        }
    }
}
