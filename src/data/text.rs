//! Untrusted text, made safe to show.
//!
//! Captions, ids and file names may hold escape sequences, bidirectional overrides or invisible
//! characters. [`shown`] replaces them, once at load, so that a terminal does not obey them. The raw text is
//! kept for export.

use std::borrow::Cow;
use std::path::Path;

use unicode_segmentation::UnicodeSegmentation;

/// A text in two forms: safe to show, and raw where it differs.
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

/// `text` on one line: tabs and line ends are a blank; control, bidirectional and invisible characters are U+FFFD, so
/// that they are seen and do nothing. Joiners and variation selectors stay where valid: between letters that are not
/// ASCII, and after symbols such as emoji.
pub fn shown(text: &str) -> String {
    clean(text).into_owned()
}

/// A shell-quoted word, for commands that people paste; `FILE` if it cannot be shown unchanged.
pub fn shell_word(word: &str) -> String {
    let is_unchanged =
        |quoted: &Cow<'_, str>| shown(quoted) == **quoted && !quoted.contains('\u{FFFD}');
    let quoted = shlex::try_quote(word).ok().filter(is_unchanged);
    quoted.map_or_else(|| "FILE".into(), Into::into)
}

/// A shell command that loads `file` as the array `a`, and saves the Python `expression` as `STEM-KIND.npy`. A file of
/// another format is first to be saved as `STEM.npy`.
pub fn numpy_command(expression: &str, file: &str, kind: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let saved = Path::new(file).with_extension("npy").to_string_lossy().into_owned();
    let first = if saved == file { "" } else { "save the scores as .npy, then " };
    let [from, to] = [saved, format!("{stem}-{kind}.npy")].map(|name| shell_word(&name));
    format!(
        "{first}python3 -c \"import sys, numpy as n; a = n.load(sys.argv[1]); b = {expression}; n.save(open(sys.argv[2], 'xb'), b)\" {from} {to}"
    )
}

/// [`shown`], without a copy if nothing changes.
fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|b| matches!(b, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => out.push(' '),
            c if is_hidden(c) && !is_joint(before, c, chars.peek().copied()) => {
                out.push('\u{FFFD}');
            }
            c => out.push(c),
        }
        before = c;
    }
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// Whether a character affects a terminal, or is invisible.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether the hidden character `c` belongs to an emoji or to a script that needs it, such as Persian.
fn is_joint(before: char, c: char, after: Option<char>) -> bool {
    match c {
        '\u{200C}' | '\u{200D}' => !before.is_ascii() && after.is_some_and(|c| !c.is_ascii()),
        '\u{FE0E}' | '\u{FE0F}' => {
            !before.is_ascii() && !before.is_alphanumeric() || after == Some('\u{20E3}')
        }
        _ => false,
    }
}

/// Characters kept at each end of a cut text.
const END_CHARS: usize = 80;

/// `text` if it has at most `max_bytes` bytes, else its first and its last 80 characters.
pub fn brief(text: String, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text;
    }
    let head: String = text.chars().take(END_CHARS).collect();
    let tail: Vec<char> = text.chars().rev().take(END_CHARS).collect();
    let tail: String = tail.into_iter().rev().collect();
    format!("{head}...{tail}")
}

/// Breaks `text` into lines for which `fits` holds: between words, and inside a word that is too long. A single letter
/// is a line even if it does not fit; a text without words is one empty line.
pub fn wrap_text(text: &str, mut fits: impl FnMut(&str) -> bool) -> Vec<String> {
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

/// A number with its noun, which is given in the singular: `1 query`, `1,332 queries`.
pub fn count(n: usize, noun: &str) -> String {
    let noun = match noun.strip_suffix('y') {
        _ if n == 1 => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    };
    format!("{} {noun}", grouped(n))
}

/// Formats 1234567 as `1,234,567`.
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

/// Formats a p-value to four decimals; values below 0.0001 as `< 0.0001`.
pub fn p_value(p: f64) -> String {
    if p < 1e-4 { "< 0.0001".into() } else { format!("{p:.4}") }
}

/// Stands for an undefined number. Not a dash, which marks unjudged items.
pub const UNDEFINED: &str = "·";

/// Formats a score in about six columns; [`UNDEFINED`] for NaN, which stands for no score.
pub fn score(score: f64) -> String {
    match score.abs() {
        _ if score.is_nan() => UNDEFINED.into(),
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
    fn bidirectional_and_invisible_characters_are_seen() {
        assert_eq!(shown("\u{202E}evil\u{200B}\u{FEFF}"), "\u{FFFD}evil\u{FFFD}\u{FFFD}");
        for hidden in
            ['\u{3164}', '\u{115F}', '\u{34F}', '\u{FE0F}', '\u{E0001}', '\u{200D}', '\u{AD}']
        {
            assert_eq!(shown(&format!("a{hidden}b")), "a\u{FFFD}b", "{}", hidden.escape_unicode());
        }
        for kept in ["👩\u{200D}🚀", "❤\u{FE0F}", "1\u{FE0F}\u{20E3}", "می\u{200C}خواهم", "un café"]
        {
            assert_eq!(shown(kept), kept);
        }
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
        assert_eq!(wrap_text("a dog runs far", six), ["a dog", "runs", "far"]);
        assert_eq!(wrap_text("a skateboard x", six), ["a", "skateb", "oard x"]);
        assert_eq!(wrap_text(" ", six), [""]);
        assert_eq!(wrap_text("ab", |_| false), ["a", "b"]);
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
            (f64::NAN, UNDEFINED),
        ] {
            assert_eq!(super::score(value), shown);
        }
    }
}
