//! A mistake in an expression: where, what was found, what was expected.

use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use crate::data::text::shown;

/// Why an expression cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    text: String,
    at: Range<usize>,
    found: String,
    expected: Option<String>,
    mend: Option<String>,
}

impl Mistake {
    /// What was found at these bytes of the expression.
    pub(super) fn new(at: Range<usize>, found: impl fmt::Display) -> Self {
        Mistake {
            text: String::new(),
            at,
            found: shown(&found.to_string()),
            expected: None,
            mend: None,
        }
    }

    /// Adds what was expected instead.
    #[must_use]
    pub(super) fn expected(mut self, expected: impl fmt::Display) -> Self {
        self.expected = Some(shown(&expected.to_string()));
        self
    }

    /// Adds the fix: a name that may be meant, or another way to write it.
    #[must_use]
    pub(super) fn mend(mut self, mend: impl fmt::Display) -> Self {
        self.mend = Some(shown(&mend.to_string()));
        self
    }

    /// Adds the expression that it is about.
    #[must_use]
    pub(super) fn within(mut self, text: &str) -> Self {
        text.clone_into(&mut self.text);
        self
    }

    /// The same at a place of another text.
    #[must_use]
    pub(super) fn moved_to(self, text: &str, at: Range<usize>) -> Self {
        Mistake { text: text.to_owned(), at, ..self }
    }

    /// The same in other words.
    #[must_use]
    pub(super) fn told_as(self, found: String) -> Self {
        Mistake { found, ..self }
    }

    /// The bytes of the expression that it is about; empty at its end.
    pub fn at(&self) -> Range<usize> {
        self.at.clone()
    }

    /// The first of its characters, counted from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at.start].chars().count() + 1
    }

    /// Columns of a screen before it, where the expression is written as [`shown`] gives it.
    pub fn indent(&self) -> usize {
        shown(&self.text[..self.at.start]).width()
    }

    /// What was found wrong in the expression.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// What was found, and the fix where there is one, in one line.
    pub fn in_one_line(&self) -> String {
        let fix = self.mend.iter().map(String::as_str);
        let told: Vec<&str> = std::iter::once(self.found()).chain(fix).collect();
        told.join(": ")
    }

    /// What was expected instead, and the fix, where this is known.
    pub fn advice(&self) -> [Option<&str>; 2] {
        [self.expected.as_deref(), self.mend.as_deref()]
    }
}

impl fmt::Display for Mistake {
    /// The column, the expression, and carets below the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.indent();
        let carets = shown(&self.text[self.at.clone()]).width().max(1);
        writeln!(f, "column {}: {}", self.column(), self.found)?;
        writeln!(f, "    {}", shown(&self.text))?;
        write!(f, "    {:before$}{}", "", "^".repeat(carets))?;
        if let Some(expected) = &self.expected {
            write!(f, "\n  expected: {expected}")?;
        }
        if let Some(mend) = &self.mend {
            write!(f, "\n  fix: {mend}")?;
        }
        Ok(())
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
        let mistake = Mistake::new(at..at + 1, "\"&\"").expected("and").within(text);
        assert_eq!(mistake.column(), 13);
        assert_eq!(
            mistake.to_string(),
            "column 13: \"&\"\n    text ~ \"日本\" & r1\n                  ^\n  expected: and"
        );
    }

    #[test]
    fn control_characters_are_shown() {
        let text = "r1 \x1b[2J";
        let said = Mistake::new(3..4, "\x1b").within(text).to_string();
        assert!(!said.contains('\x1b'), "{said}");
    }
}
