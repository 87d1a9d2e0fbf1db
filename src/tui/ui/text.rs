//! Cuts and wraps text by its display width in terminal columns, and styles words, letters and phrases in it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::data::text::wrap_text;
use crate::phrase::{Phrases, Run, Runs};
use crate::tui::theme::Theme;

/// Display width of a text in terminal columns.
pub fn width(text: &str) -> usize {
    text.width()
}

/// `text` in at most `columns`, with an ellipsis if it is cut.
pub fn fit(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let Some(room) = columns.checked_sub(1) else {
        return String::new();
    };
    let mut used = 0;
    let mut pieces = text.grapheme_indices(true).filter(|(_, piece)| {
        used += piece.width();
        used > room
    });
    // ASCII letters take one column, which saves splitting into graphemes.
    let end = if text.is_ascii() { room } else { pieces.next().map_or(text.len(), |(at, _)| at) };
    format!("{}…", &text[..end])
}

/// `text` in at most `columns`, with an ellipsis in the middle if it is cut.
pub fn fit_middle(text: &str, columns: usize) -> String {
    if text.width() <= columns || columns < 3 {
        return fit(text, columns);
    }
    let start = fit(text, columns / 2 + 1);
    format!("{start}{}", skip_columns(text, text.width() - (columns - start.width())))
}

/// `text` in at most `columns`, cut by [`fit_middle`]. If another text in `all` would be cut to the same result, `text`
/// is cut around the part in which it differs.
pub fn fit_distinct(text: &str, all: &[&str], columns: usize) -> String {
    let cut = fit_middle(text, columns);
    let is_alike = |other: &&&str| **other != text && fit_middle(other, columns) == cut;
    let alike: Vec<&str> = all.iter().filter(is_alike).copied().collect();
    if alike.is_empty() {
        return cut;
    }
    let own: Vec<&str> = text.graphemes(true).collect();
    let (start, end) = differing_range(&own, &alike);
    let width = |pieces: &[&str]| pieces.concat().width();
    if width(&own[..end]) < columns {
        return fit(text, columns);
    }
    if width(&own[start..]) < columns {
        return format!("…{}", skip_columns(text, text.width() - (columns - 1)));
    }
    let differing = own[start..end].concat();
    let left = columns.saturating_sub(differing.width() + 2);
    let before = own[..start].concat();
    let before = skip_columns(&before, before.width() - left.min(before.width()));
    fit(&format!("…{before}{}", own[start..].concat()), columns)
}

/// Start and end of the part of `own`, in graphemes, between its common prefix and its common suffix with all of
/// `others`.
fn differing_range(own: &[&str], others: &[&str]) -> (usize, usize) {
    let (mut start, mut end) = (own.len(), own.len());
    for other in others {
        let other: Vec<&str> = other.graphemes(true).collect();
        let pairs = own.iter().zip(&other);
        start = start.min(pairs.take_while(|(one, other)| one == other).count());
        let pairs = own.iter().rev().zip(other.iter().rev());
        end = end.min(pairs.take_while(|(one, other)| one == other).count());
    }
    (start, (own.len() - end).max(start))
}

/// The first variant of a text that takes at most `columns`; if none does, the last one, cut.
pub fn first_fit(variants: impl IntoIterator<Item = String>, columns: usize) -> String {
    let mut best = String::new();
    for variant in variants {
        best = variant;
        if best.width() <= columns {
            break;
        }
    }
    fit(&best, columns)
}

/// Rest of `text` after its first `columns` terminal columns.
pub fn skip_columns(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let mut starts = text.grapheme_indices(true);
    let first = starts.find(|(_, piece)| {
        let is_after = used >= columns;
        used += piece.width();
        is_after
    });
    first.map_or("", |(at, _)| &text[at..])
}

/// `text` in exactly `columns`: cut, or padded at the end.
pub fn pad(text: &str, columns: usize) -> String {
    let mut out = fit(text, columns);
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(out.width())));
    out
}

/// `text` in exactly `columns`: cut, or padded at the start.
pub fn pad_left(text: &str, columns: usize) -> String {
    let fitted = fit(text, columns);
    format!("{}{fitted}", " ".repeat(columns.saturating_sub(fitted.width())))
}

/// A line in which all occurrences of the words of `search` have `style`, ignoring case.
pub fn mark_words(line: &Line<'_>, search: &str, style: Style) -> Line<'static> {
    let search = search.to_lowercase();
    let words: Vec<&str> = search.split_whitespace().map(|word| word.trim_matches('\'')).collect();
    let letters: Vec<(char, Style)> = line
        .spans
        .iter()
        .flat_map(|span| span.content.chars().map(|letter| (letter, span.style)))
        .collect();
    let lower: Vec<char> =
        letters.iter().map(|(letter, _)| letter.to_lowercase().next().unwrap_or(*letter)).collect();
    let mut is_marked = vec![false; letters.len()];
    for word in words.iter().filter(|word| !word.is_empty()) {
        let word: Vec<char> = word.chars().collect();
        for (at, _) in lower.windows(word.len()).enumerate().filter(|(_, part)| **part == *word) {
            is_marked[at..at + word.len()].fill(true);
        }
    }
    let letters = letters.into_iter().zip(is_marked);
    let styled = letters
        .map(|((letter, own), is_marked)| (letter, if is_marked { own.patch(style) } else { own }));
    Line::from(letter_spans(styled)).style(line.style)
}

/// The spans of each wrapped line, with `style` for marked letters. `marks` has one entry per non-blank letter of all
/// lines: whether it is marked. Blanks between marked letters are marked, too.
pub fn mark_letters(lines: &[String], marks: &[bool], style: Style) -> Vec<Vec<Span<'static>>> {
    let mut marks = marks.iter().copied();
    let line = |line: &String| {
        let letters: Vec<char> = line.chars().collect();
        let mut is_marked: Vec<bool> = Vec::new();
        for letter in &letters {
            let before = is_marked.last().copied();
            let mark = if letter.is_whitespace() { before } else { marks.next() };
            is_marked.push(mark.unwrap_or_default());
        }
        let mut is_marked_after = false;
        for (letter, mark) in letters.iter().zip(&mut is_marked).rev() {
            if letter.is_whitespace() {
                *mark &= is_marked_after;
            }
            is_marked_after = *mark;
        }
        let look = |is_marked| if is_marked { style } else { Style::default() };
        letter_spans(letters.into_iter().zip(is_marked.into_iter().map(look)))
    };
    lines.iter().map(line).collect()
}

/// Letters with their styles as spans, one per run of equal style.
fn letter_spans(letters: impl Iterator<Item = (char, Style)>) -> Vec<Span<'static>> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (letter, look) in letters {
        match spans.last_mut() {
            Some(last) if last.style == look => last.content.to_mut().push(letter),
            _ => spans.push(Span::styled(letter.to_string(), look)),
        }
    }
    spans
}

/// Colours the phrases of a caption by their coreference chains.
pub struct PhraseColours<'a> {
    /// Phrases and other text of the caption in turn; `None` without annotation.
    runs: Option<Runs<'a>>,
    theme: &'a Theme,
    /// Style of text outside of phrases.
    look: Style,
}

impl<'a> PhraseColours<'a> {
    /// Colours for a caption by its gallery index; `None` colours nothing. `prefix`: text before the caption, or empty.
    /// `look`: style of text outside of phrases.
    pub fn new(
        phrases: Option<&'a Phrases>,
        (caption, prefix): (Option<usize>, &str),
        theme: &'a Theme,
        look: Style,
    ) -> Self {
        let caption = phrases.zip(caption).and_then(|(phrases, at)| phrases.caption(at));
        PhraseColours { runs: caption.map(|caption| caption.runs(prefix)), theme, look }
    }

    /// The coloured spans of each of `lines`: the prefix and the caption, wrapped.
    pub fn lines(self, lines: &[String]) -> Vec<Vec<Span<'static>>> {
        let Some(mut runs) = self.runs else {
            let plain = |line: &String| vec![Span::styled(line.clone(), self.look)];
            return lines.iter().map(plain).collect();
        };
        let span = |run: Run| {
            let colour = run.chain.map(|(_, at)| self.theme.phrase(at));
            Span::styled(run.text, colour.unwrap_or(self.look))
        };
        lines.iter().map(|line| runs.cut_line(line).into_iter().map(span).collect()).collect()
    }

    /// The coloured spans of the caption with its prefix in one line, which may be cut.
    pub fn line(self, line: &str) -> Vec<Span<'static>> {
        self.lines(&[line.to_owned()]).concat()
    }
}

/// `text` in lines of at most `columns`, broken at blanks where possible.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    wrap_text(text, |line| line.width() <= columns)
}

/// `line` in lines of at most `columns`, broken at blanks where possible; those after the first are indented by `hang`
/// blanks.
pub fn wrap_line(line: &Line<'_>, columns: usize, hang: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut current = Line::default();
    let mut used = 0;
    let room = columns.saturating_sub(hang).max(1);
    for span in &line.spans {
        for piece in span.content.split_inclusive(' ') {
            let is_long = piece.trim_end().width() > room;
            let parts = if is_long { wrap(piece, room) } else { vec![piece.to_owned()] };
            for part in parts {
                if used > hang && used + part.trim_end().width() > columns {
                    let next = Line::from(" ".repeat(hang));
                    lines.push(std::mem::replace(&mut current, next).style(line.style));
                    used = hang;
                }
                // Drop the blank at a line's end.
                let fits = used + part.width() <= columns;
                let part = if fits { part } else { part.trim_end().to_owned() };
                used += part.width();
                current.push_span(Span::styled(part, span.style));
            }
        }
    }
    lines.push(current.style(line.style));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_by_width_not_by_characters() {
        assert_eq!(fit("a dog runs", 10), "a dog runs");
        assert_eq!(fit("a dog runs", 6), "a dog…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(pad("日本語", 4), "日… ");
        assert_eq!(pad_left("7", 3), "  7");
    }

    #[test]
    fn text_is_cut_in_the_middle_and_at_the_start() {
        assert_eq!(fit_middle("0.50*careful+0.50*broad", 11), "0.50*…broad");
        assert_eq!(fit_middle("0.50*careful", 12), "0.50*careful");
        assert_eq!(fit_middle("careful", 4), "ca…l");
        assert_eq!(fit_middle("日本語日本", 7), "日…日本");
        assert_eq!(fit_middle("careful", 2), "c…");
        assert_eq!(skip_columns("careful", 4), "ful");
        assert_eq!(skip_columns("日本語", 3), "語");
        assert_eq!(skip_columns("日本語", 9), "");
    }

    #[test]
    fn cut_names_keep_their_differing_part() {
        let seeds = ["ours-seed-1-long-schedule", "ours-seed-2-long-schedule"];
        let both = |columns| seeds.map(|name| fit_distinct(name, &seeds, columns));
        assert_eq!(both(30), seeds);
        assert_eq!(both(16), ["ours-seed-1-lon…", "ours-seed-2-lon…"]);
        assert_eq!(both(10), ["…s-seed-1…", "…s-seed-2…"]);
        assert_eq!(both(4), ["…-1…", "…-2…"]);
        let ends = ["careful-training-a", "careful-training-b"];
        assert_eq!(fit_distinct(ends[0], &ends, 9), "care…ng-a");
        let others = ["a-long-beginning-x-of-all", "a-long-beginning-yy-of-all", "lsa"];
        let cut = others.map(|name| fit_distinct(name, &others, 12));
        assert_eq!(cut, ["…ng-x-of-all", "…g-yy-of-all", "lsa"]);
        let more = ["ours-seed-1-long-schedule", "ours-seed-12-long-schedule"];
        let cut = more.map(|name| fit_distinct(name, &more, 12));
        assert_eq!(cut, ["ours-seed-1…", "…rs-seed-12…"]);
    }

    #[test]
    fn marks_continue_in_the_next_line() {
        let wrapped = ["a big red".to_owned(), "bus runs".to_owned()];
        let marks: Vec<bool> =
            (0.."abigredbusruns".len()).map(|at| (1..10).contains(&at)).collect();
        let (plain, look) = (Style::default(), Style::new().reversed());
        assert_eq!(
            mark_letters(&wrapped, &marks, look),
            [
                [Span::styled("a ", plain), Span::styled("big red", look)],
                [Span::styled("bus", look), Span::styled(" runs", plain)],
            ]
        );
        assert_eq!(mark_letters(&wrapped[..1], &[], look), [[Span::styled("a big red", plain)]]);
    }

    #[test]
    fn a_shorter_variant_comes_before_a_cut_one() {
        let of = |columns| first_fit(["all queries", "all"].map(String::from), columns);
        assert_eq!([of(11), of(10), of(2)], ["all queries", "all", "a…"]);
    }

    #[test]
    fn text_is_wrapped_at_blanks_and_inside_long_words() {
        assert_eq!(wrap("a dog runs far", 6), ["a dog", "runs", "far"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("", 5), [""]);
    }

    #[test]
    fn a_line_is_wrapped_with_its_styles_and_hanging_indent() {
        let dim = Style::new().dim();
        let line = Line::from_iter([Span::raw("note "), Span::styled("a dog runs farther", dim)]);
        let wrapped = wrap_line(&line, 10, 5);
        let words: Vec<String> = wrapped.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["note a dog", "     runs ", "     farth", "     er"]);
        assert_eq!(wrapped[1].spans[1].style, dim);
    }
}
