//! Text that strangers wrote, made safe to show.
//!
//! Captions, ids and file names may hold escape sequences, bidirectional overrides or invisible
//! characters. They are shown, never obeyed: cleaned once at load, by [`shown`]. The raw text is
//! kept for export.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

/// A text in two forms: what is shown, and the raw form where it differs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    shown: Box<str>,
    raw: Option<Box<str>>,
}

impl Text {
    /// Keeps `raw` and cleans it for display.
    pub fn new(raw: &str) -> Self {
        match clean(raw) {
            Cow::Borrowed(same) => Text { shown: same.into(), raw: None },
            Cow::Owned(shown) => Text { shown: shown.into(), raw: Some(raw.into()) },
        }
    }

    /// The form that is safe to draw and print.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The text as the file has it.
    pub fn raw(&self) -> &str {
        self.raw.as_deref().unwrap_or(&self.shown)
    }
}

/// `text` on one line without control, bidirectional or invisible characters.
///
/// Tabs and line ends become a blank, other control characters U+FFFD, so that an escape sequence
/// is seen as text. A zero-width joiner stays only between two non-ASCII characters (emoji).
pub fn shown(text: &str) -> String {
    clean(text).into_owned()
}

/// A word as a shell takes it, for commands that people paste; `FILE` where it cannot be shown as it is.
pub fn shell_word(word: &str) -> String {
    let quoted = shlex::try_quote(word).ok().filter(|quoted| shown(quoted) == **quoted);
    quoted.map_or_else(|| "FILE".into(), Into::into)
}

fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| matches!(c, ' '..='~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if c.is_control() => out.push('\u{FFFD}'),
            '\u{200D}' if before.is_ascii() || chars.peek().is_none_or(char::is_ascii) => {}
            c if is_invisible(c) => {}
            c => out.push(c),
        }
        before = c;
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Whether a character does something to a terminal, or is not seen there.
pub fn is_hidden(c: char) -> bool {
    let is_other =
        matches!(c, '\u{180E}' | '\u{200D}' | '\u{2028}' | '\u{2029}' | '\u{E0000}'..='\u{E007F}');
    c.is_control() || is_invisible(c) || is_other
}

fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{200B}' | '\u{200C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FEFF}' | '\u{061C}')
}

/// What is left of either end of a text that is cut.
const END: usize = 80;

/// A text of at most so many bytes, or both its ends.
pub fn brief(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let head: String = text.chars().take(END).collect();
    let tail: Vec<char> = text.chars().rev().take(END).collect();
    let tail: String = tail.into_iter().rev().collect();
    format!("{head}...{tail}")
}

/// `text` in lines that fit: broken between words, and within a word that alone does not. One letter stands on a
/// line even where it does not fit; a text without letters is one empty line.
pub fn wrapped(text: &str, mut fits: impl FnMut(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let end = line.len();
        if end > 0 {
            line.push(' ');
        }
        line.push_str(word);
        if fits(&line) {
            continue;
        }
        line.truncate(end);
        if end > 0 {
            lines.push(std::mem::take(&mut line));
        }
        for letter in word.graphemes(true) {
            let end = line.len();
            line.push_str(letter);
            if end > 0 && !fits(&line) {
                line.truncate(end);
                lines.push(std::mem::replace(&mut line, letter.to_owned()));
            }
        }
    }
    lines.push(line);
    lines
}

/// So many of something, whose name for one of them is given: `1 query`, `1,332 queries`.
pub fn count(n: usize, one: &str) -> String {
    let several = match one.strip_suffix('y') {
        _ if n == 1 => one.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{one}s"),
    };
    format!("{} {several}", grouped(n))
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A p-value for people: 1 of 10,001 draws is less than the least that is shown.
pub fn p_value(p: f64) -> String {
    if p < 1e-4 { "< 0.0001".into() } else { format!("{p:.4}") }
}

/// A score in six columns or so; a dash where the model tells none.
pub fn score(score: f64) -> String {
    match score.abs() {
        _ if score.is_nan() => "-".into(),
        _ if !score.is_finite() => score.to_string(),
        size if size != 0.0 && !(1e-3..1e4).contains(&size) => format!("{score:.2e}"),
        size if size >= 100.0 => format!("{score:.1}"),
        _ => format!("{score:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_as_one() {
        let told = [0, 1, 1332].map(|n| [count(n, "query"), count(n, "image")].join(", "));
        assert_eq!(
            told,
            ["0 queries, 0 images", "1 query, 1 image", "1,332 queries, 1,332 images"]
        );
    }

    #[test]
    fn escape_sequences_are_shown_not_obeyed() {
        assert_eq!(shown("a\x1b[2Jb\u{9b}c"), "a\u{FFFD}[2Jb\u{FFFD}c");
        assert_eq!(shown("tab\tand\nline\r"), "tab and line ");
    }

    #[test]
    fn bidirectional_and_invisible_characters_go() {
        assert_eq!(shown("\u{202E}evil\u{200B}\u{FEFF}"), "evil");
        assert_eq!(shown("a\u{200D}b"), "ab");
        assert_eq!(shown("👩\u{200D}🚀"), "👩\u{200D}🚀");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(brief("short".into(), 5), "short");
        let cut = brief("ä".repeat(1_000), 400);
        assert_eq!(cut, format!("{0}...{0}", "ä".repeat(80)));
    }

    #[test]
    fn lines_break_between_words_and_in_long_ones() {
        let six = |line: &str| line.chars().count() <= 6;
        assert_eq!(wrapped("a dog runs far", six), ["a dog", "runs", "far"]);
        assert_eq!(wrapped("a skateboard x", six), ["a", "skateb", "oard x"]);
        assert_eq!(wrapped(" ", six), [""]);
        assert_eq!(wrapped("ab", |_| false), ["a", "b"]);
    }

    #[test]
    fn raw_text_is_kept_for_export() {
        let text = Text::new("a\x07b");
        assert_eq!((text.shown(), text.raw()), ("a\u{FFFD}b", "a\x07b"));
        let same = Text::new("un café, s'il vous plaît");
        assert_eq!(same.shown(), same.raw());
    }

    #[test]
    fn scores_of_every_size_stay_short() {
        for (value, shown) in [
            (0.8123, "0.8123"),
            (-0.05, "-0.0500"),
            (27.4561, "27.4561"),
            (-1234.5, "-1234.5"),
            (1.5e-7, "1.50e-7"),
            (3.2e9, "3.20e9"),
            (0.0, "0.0000"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(super::score(value), shown);
        }
    }
}
