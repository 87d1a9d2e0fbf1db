//! Conditions with names: `@hard` stands for the condition that is kept under `hard`, alone or within another one.

use std::ops::Range;

use super::{Expression, Mistake};
use crate::data::near::{nearest, one_of};
use crate::study::{Study, View};

/// What stands before the name of a condition.
const SIGN: char = '@';
/// The longest condition that names may stand for, in bytes: names of names of names grow fast.
const LONGEST: usize = 20_000;

/// The name that an expression is, if it is one: `@hard` is `hard`.
pub fn name(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix(SIGN).map(str::trim)?;
    is_name(name).then_some(name)
}

/// Whether a condition has a name in it.
pub fn has_names(text: &str) -> bool {
    next_name(text, 0).is_some()
}

/// Reads a condition in which names may stand for others; without any name it is of `view`.
///
/// # Errors
/// As [`expanded`] and [`Expression::condition`].
pub fn condition<'a>(
    typed: &str,
    known: impl Iterator<Item = (&'a str, &'a str)>,
    study: &Study,
    view: View,
) -> Result<Expression, Mistake> {
    let text = expanded(typed, known)?;
    let told = |mistake: Mistake| {
        if text == typed { mistake } else { mistake.moved_to(typed, 0..typed.len()) }
    };
    Expression::condition(&text, study, view).map_err(told)
}

/// The condition that a text stands for: names give way to what was kept under them, in brackets.
///
/// # Errors
/// A name that no condition has, names that stand for themselves, and what becomes too long.
pub fn expanded<'a>(
    typed: &str,
    known: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<String, Mistake> {
    expanded_in(typed, &known.collect::<Vec<_>>(), &mut Vec::new())
}

/// Expands a text within the conditions of names that are `open`.
fn expanded_in<'a>(
    typed: &str,
    known: &[(&'a str, &'a str)],
    open: &mut Vec<&'a str>,
) -> Result<String, Mistake> {
    let (mut expanded, mut from) = (String::new(), 0);
    while let Some(at) = next_name(typed, from) {
        let name = &typed[at.start + 1..at.end];
        let here = |mistake: Mistake| mistake.moved_to(typed, at.clone());
        let found = known.iter().find(|(known, _)| *known == name);
        let &(name, condition) = found.ok_or_else(|| here(unknown(name, known)))?;
        if open.contains(&name) {
            let round: Vec<String> =
                open.iter().chain([&name]).map(|of| format!("@{of}")).collect();
            let found = format!("{} stands for itself", round.join(" in "));
            return Err(here(Mistake::new(0..0, found, "filters that do not name each other")));
        }
        open.push(name);
        let inner = expanded_in(condition, known, open).map_err(here)?;
        open.pop();
        let is_alone = open.is_empty() && typed.trim().len() == at.len();
        let [before, behind] = if is_alone { ["", ""] } else { ["(", ")"] };
        expanded += &[&typed[from..at.start], before, &inner, behind].concat();
        from = at.end;
        if expanded.len() > LONGEST && !open.is_empty() {
            let found = format!("@{name} stands for more than {LONGEST} characters");
            return Err(here(Mistake::new(0..0, found, "a shorter condition")));
        }
    }
    Ok(expanded + &typed[from..])
}

/// The bytes of the first name from a place on, with its sign; what stands in quotes is none, and R@1 is a metric.
fn next_name(text: &str, from: usize) -> Option<Range<usize>> {
    let mut quote = None;
    let mut chars = text.char_indices().skip_while(|(at, _)| *at < from);
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(chars.next()),
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, SIGN) if !text[..at].ends_with(is_of_name) => {
                let rest = &text[at + 1..];
                let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
                return Some(at..at + 1 + length);
            }
            _ => {}
        }
    }
    None
}

fn unknown(name: &str, known: &[(&str, &str)]) -> Mistake {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let none = "a name that a filter was kept under; there is none yet";
    let found = format!("no filter is named {name:?}");
    let mistake = Mistake::new(0..0, found, one_of(&names, none));
    match nearest(name, names) {
        Some(near) => mistake.fix(format!("did you mean @{near}?")),
        None => mistake,
    }
}

/// Whether a name can stand behind the sign: letters, digits, dashes, underscores.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_of_name)
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "-_".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [(&str, &str); 6] = [
        ("hard", "r10 == 0"),
        ("short", "words <= 8"),
        ("both", "@hard or @short"),
        ("a", "@b and r1"),
        ("b", "not @a"),
        ("far", "r1 and @gone"),
    ];

    fn of(text: &str) -> Result<String, Mistake> {
        expanded(text, KNOWN.into_iter())
    }

    #[test]
    fn a_name_stands_for_its_condition() {
        let text = |typed| of(typed).unwrap();
        assert_eq!(text(" @hard "), " r10 == 0 ");
        assert_eq!(text("r1 == 0"), "r1 == 0");
        assert_eq!(text("not @hard and R@1 == 0"), "not (r10 == 0) and R@1 == 0");
        assert_eq!(text("@both and (@hard)"), "((r10 == 0) or (words <= 8)) and ((r10 == 0))");
        let quoted = "text ~ \"a \\\" @hard\" and `@hard`.r1";
        assert_eq!(text(quoted), quoted);
        assert!(!has_names(quoted) && has_names("r1 and @x"));
    }

    #[test]
    fn unknown_names_and_rounds_are_told_at_their_place() {
        let told = |typed: &str| of(typed).unwrap_err();
        let mistake = told("r1 and @harp");
        assert_eq!(mistake.at(), 7..12);
        for part in ["no filter is named \"harp\"", "hard, short", "@hard?"] {
            assert!(mistake.to_string().contains(part), "{mistake}");
        }
        assert_eq!(told("r1 and @far").at(), 7..11);
        let round = told("r1 and @a").to_string();
        assert!(round.contains("@a in @b in @a stands for itself"), "{round}");
        let none = expanded("@a", std::iter::empty()).unwrap_err();
        assert!(none.to_string().contains("there is none yet"), "{none}");
    }

    #[test]
    fn what_grows_without_end_is_refused() {
        let long = "x".repeat(LONGEST);
        let known = [("long", long.as_str()), ("more", "@long or @long")];
        let told = expanded("@more", known.into_iter()).unwrap_err();
        assert!(told.found().contains("more than"), "{told}");
    }

    #[test]
    fn mistakes_of_an_expanded_condition_are_told_of_all_that_was_typed() {
        let study = crate::study::demo::open().unwrap();
        let at = |typed: &str| {
            let known = [("bad", "r1 & r5"), ("good", "r1")].into_iter();
            condition(typed, known, &study, crate::filter::oracle::VIEW).unwrap_err().at()
        };
        assert_eq!(at("r1 & r5"), 3..4);
        assert_eq!(at("not @bad"), 0..8);
        assert_eq!(at("@good & r1"), 0..10);
    }

    #[test]
    fn names_are_words() {
        assert!(is_name("near-miss_2"));
        assert!(!is_name("near miss") && !is_name("") && !is_name("a=b"));
        assert_eq!(name(" @hard "), Some("hard"));
        assert_eq!(name("@hard and r1"), None);
    }
}
