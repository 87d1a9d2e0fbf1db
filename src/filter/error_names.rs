//! Error types and other ready conditions by name within an expression: `near miss and words <= 8`.

use std::ops::Range;

use super::mistake::Mistake;
use super::ready::{fill, named};
use super::values::is_value;
use crate::data::near::nearest;
use crate::study::{Study, View};

/// What may stand between the words of a name.
const BETWEEN: [char; 3] = [' ', '-', '_'];

/// The bytes of each name in a text, with the condition that it stands for. Values, models and ground truths of the same
/// name come first, and what stands in quotes is no name.
pub(super) fn found(
    text: &str,
    study: &Study,
    view: View,
) -> Result<Vec<(Range<usize>, String)>, Mistake> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(start) = next_word(text, from) {
        from = start + word_length(&text[start..]);
        let matches = named().filter_map(|(name, expression)| {
            let end = start + matched(&text[start..], name)?;
            let of_study = study.models.iter().any(|model| model.name == text[start..end])
                || study.truth(&text[start..end]).is_some();
            let is_name = ends_word(&text[end..]) && !of_study && !is_value(&text[start..end]);
            is_name.then_some((end, expression))
        });
        let Some((end, expression)) = matches.max_by_key(|(end, _)| *end) else { continue };
        let filled = fill(expression, study, view).ok_or_else(|| {
            let needs = expression.replace(['{', '}'], "");
            let found = format!("{} compares what these files lack", &text[start..end]);
            Mistake::new(start..end, found).expected(format!("files that tell {needs}"))
        })?;
        all.push((start..end, filled));
        from = end;
    }
    Ok(all)
}

/// The name that somebody may mean who wrote the words at a place.
pub(super) fn near(text: &str, at: &Range<usize>) -> Option<&'static str> {
    let is_of_words = |c: char| c.is_alphanumeric() || BETWEEN.contains(&c);
    let start = text[..at.start].rfind(|c| !is_of_words(c)).map_or(0, |end| end + 1);
    let rest = &text[at.start..];
    let end = rest.find(|c| !is_of_words(c)).map_or(text.len(), |length| at.start + length);
    let words: Vec<&str> = text.get(start..end)?.split_whitespace().collect();
    let is_operator = |word: &&str| ["and", "or", "not"].contains(word);
    let mut parts = words.split(|word| is_operator(word));
    let names: Vec<&str> = named().map(|(name, _)| name).collect();
    parts.find_map(|part| {
        let written = part.join(" ");
        let near = nearest(&written, names.iter().copied())?;
        // Whoever wrote the name itself means a value of this name.
        (near != written).then_some(near)
    })
}

/// The start of the next word that is neither in quotes nor part of a longer name.
fn next_word(text: &str, from: usize) -> Option<usize> {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open && before != '\\' => quote = None,
            None if c == '"' || c == '`' => quote = Some(c),
            None if at >= from && c.is_alphanumeric() && !is_within(before) => return Some(at),
            _ => {}
        }
        before = c;
    }
    None
}

/// Whether a word that follows is part of what ends so.
fn is_within(before: char) -> bool {
    before.is_alphanumeric() || "_.:@".contains(before)
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())
}

/// Whether a name may end before this.
fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || "_.(:".contains(c))
}

/// How much of the text is a name, whatever its case and what stands between its words.
fn matched(text: &str, name: &str) -> Option<usize> {
    let mut rest = text;
    for letter in name.chars() {
        if BETWEEN.contains(&letter) {
            let after = rest.trim_start_matches(BETWEEN);
            if after.len() == rest.len() {
                return None;
            }
            rest = after;
            continue;
        }
        let first = rest.chars().next()?;
        if !first.eq_ignore_ascii_case(&letter) {
            return None;
        }
        rest = &rest[first.len_utf8()..];
    }
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};
    use crate::filter::Filter;
    use crate::study::demo;

    const VIEW: View =
        View { model: ModelIx::new(0), truth: TruthIx::new(1), direction: Direction::T2i };

    fn expanded(text: &str) -> String {
        let study = demo::open().unwrap();
        let mut out = text.to_owned();
        for (at, meant) in found(text, &study, VIEW).unwrap().into_iter().rev() {
            out.replace_range(at, &format!("({meant})"));
        }
        out
    }

    #[test]
    fn names_stand_for_conditions_whatever_their_case_and_signs() {
        for name in ["near miss", "near-miss", "Near  Miss", "near_miss"] {
            assert_eq!(expanded(name), "(r1 == 0 and r5 == 1)", "{name}");
        }
        assert_eq!(
            expanded("not far miss or words < 5"),
            "not (r1 == 0 and positives_in_top(100) == 0) or words < 5"
        );
        assert_eq!(expanded("missing label"), "(original.r1 == 0 and rich.r1 == 1)");
        assert_eq!(expanded("Non-GT positive"), "(extra_in_top(1) == 1)");
        for other in [
            "hub",
            "text ~ \"near miss\"",
            "`near miss`.r1",
            "near - 1",
            "failure.r1",
            "near misses",
        ] {
            assert_eq!(expanded(other), other);
        }
    }

    #[test]
    fn every_name_is_taken_or_says_what_is_lacking() {
        let study = demo::open().unwrap();
        for (name, _) in named() {
            if let Err(mistake) = Filter::parse(name, &study, VIEW) {
                assert!(mistake.advice()[0].is_some(), "{name}: {mistake}");
            }
        }
        let said = |text| Filter::parse(text, &study, VIEW).unwrap_err().to_string();
        assert!(said("near mis").contains("did you mean near miss?"), "{}", said("near mis"));
        let text = "r1 == 1 and mising label";
        assert!(said(text).contains("did you mean missing label?"), "{}", said(text));
        let said = said("semantically close miss");
        assert!(said.contains("lack"), "{said}");
    }
}
