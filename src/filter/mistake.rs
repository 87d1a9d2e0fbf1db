//! A mistake in an expression: position, cause, what was expected, and the fix.

use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::data::text::shown;

/// Why an expression is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The expression.
    text: String,
    /// Byte range of the mistake.
    at: Range<usize>,
    found: String,
    expected: String,
    fix: Option<String>,
}

impl Mistake {
    /// A mistake in the byte range `at`: the cause, and what was expected there.
    pub(super) fn new(
        at: Range<usize>,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Self {
        let [found, expected] = [found.to_string(), expected.to_string()].map(|text| shown(&text));
        Mistake { text: String::new(), at, found, expected, fix: None }
    }

    /// Adds the fix: a similar name, or another way to write it.
    #[must_use]
    pub(super) fn fix(mut self, fix: impl fmt::Display) -> Self {
        self.fix = Some(shown(&fix.to_string()));
        self
    }

    /// The same mistake in the byte range `at` of the expression `text`.
    #[must_use]
    pub(super) fn moved_to(self, text: &str, at: Range<usize>) -> Self {
        Mistake { text: text.to_owned(), at, ..self }
    }

    /// The byte range of the mistake in the expression; empty if something is missing at the end.
    pub fn byte_range(&self) -> Range<usize> {
        self.at.clone()
    }

    /// The first character of the mistake, counted from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at.start].chars().count() + 1
    }

    /// Width of the text before the mistake in columns of a screen, as [`shown`] prints it.
    pub fn indent(&self) -> usize {
        shown(&self.text[..self.at.start]).width()
    }

    /// The cause, without the fix.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// The cause and the fix, if any, in one line.
    pub fn in_one_line(&self) -> String {
        self.fix.as_ref().map_or(self.found.clone(), |fix| format!("{}: {fix}", self.found))
    }

    /// The fix, if any, and what was expected, in one line.
    pub fn advice(&self) -> String {
        let fix = self.fix.as_ref().map_or(String::new(), |fix| format!("{fix}  "));
        format!("{fix}expected: {}", self.expected)
    }
}

impl fmt::Display for Mistake {
    /// Column and cause, the expression with carets below the mistake, what was expected, and the fix.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.indent();
        let carets = shown(&self.text[self.at.clone()]).width().max(1);
        writeln!(f, "column {}: {}", self.column(), self.found)?;
        writeln!(f, "    {}", shown(&self.text))?;
        writeln!(f, "    {:before$}{}", "", "^".repeat(carets))?;
        write!(f, "  expected: {}", self.expected)?;
        match &self.fix {
            Some(fix) => write!(f, "\n  fix: {fix}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mistake {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_below_the_place_however_wide_the_text_before() {
        let text = "text ~ \"日本\" & r1";
        let at = text.find('&').unwrap();
        let mistake = Mistake::new(0..0, "\"&\"", "and").moved_to(text, at..at + 1);
        assert_eq!(mistake.column(), 13);
        assert_eq!(
            mistake.to_string(),
            "column 13: \"&\"\n    text ~ \"日本\" & r1\n                  ^\n  expected: and"
        );
    }

    #[test]
    fn control_characters_are_shown() {
        let text = "r1 \x1b[2J";
        let said = Mistake::new(0..0, "\x1b", "").moved_to(text, 3..4).to_string();
        assert!(!said.contains('\x1b'), "{said}");
    }
}
