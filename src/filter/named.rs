//! Conditions with names: `@hard` stands for the condition that is kept under `hard`, alone or within another one.

use std::ops::Range;

use super::Mistake;
use crate::data::near::{nearest, one_of};

/// What stands before the name of a condition.
const SIGN: char = '@';
/// The longest condition that names may stand for, in bytes: names of names of names grow fast.
const LONGEST: usize = 20_000;

/// A condition as it was typed, and with what its names stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded<'a> {
    typed: &'a str,
    text: String,
    /// The bytes that each name takes as typed, and those of its condition without brackets.
    names: Vec<[Range<usize>; 2]>,
}

impl Expanded<'_> {
    /// The condition without names.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A mistake in the condition without names, at its place in what was typed.
    #[must_use]
    pub fn placed(&self, mistake: Mistake) -> Mistake {
        let at = mistake.at();
        // Where the text that both have before the place ends in either.
        let mut ends = [0, 0];
        for [typed, meant] in &self.names {
            if at.start < meant.start {
                break;
            }
            if at.start < meant.end {
                let column = self.text[meant.start..at.start].chars().count() + 1;
                let name = &self.typed[typed.clone()];
                let found = format!("{name}: column {column}: {}", mistake.found());
                return mistake.moved_to(self.typed, typed.clone()).told_as(found);
            }
            let bracket = usize::from(self.text[meant.end..].starts_with(')'));
            ends = [typed.end, meant.end + bracket];
        }
        let place = |at: usize| (at + ends[0]).saturating_sub(ends[1]).min(self.typed.len());
        mistake.moved_to(self.typed, place(at.start)..place(at.end))
    }
}

/// The name that an expression is, if it is one: `@hard` is `hard`.
pub fn name(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix(SIGN).map(str::trim)?;
    is_name(name).then_some(name)
}

/// Whether a condition has a name in it.
pub fn has_names(text: &str) -> bool {
    next_name(text, 0).is_some()
}

/// The condition that a text stands for: names give way to what was kept under them, in brackets.
///
/// # Errors
/// A name that no condition has, names that stand for themselves, and what becomes too long.
pub fn expanded<'a, 'b>(
    typed: &'a str,
    known: impl Iterator<Item = (&'b str, &'b str)>,
) -> Result<Expanded<'a>, Mistake> {
    expanded_in(typed, &known.collect::<Vec<_>>(), &mut Vec::new())
}

/// The same within the conditions of names that are `open`.
fn expanded_in<'a, 'b>(
    typed: &'a str,
    known: &[(&'b str, &'b str)],
    open: &mut Vec<&'b str>,
) -> Result<Expanded<'a>, Mistake> {
    let mut expanded = Expanded { typed, text: String::new(), names: Vec::new() };
    let mut from = 0;
    while let Some(at) = next_name(typed, from) {
        let name = &typed[at.start + 1..at.end];
        let mistake = |found: String| Mistake::new(at.clone(), found);
        let Some((name, condition)) = known.iter().find(|(known, _)| *known == name) else {
            return Err(unknown(name, known).moved_to(typed, at));
        };
        if open.contains(name) {
            let round: Vec<String> = open.iter().chain([name]).map(|of| format!("@{of}")).collect();
            let found = format!("{} stands for itself", round.join(" in "));
            return Err(mistake(found).expected("filters that do not name each other"));
        }
        open.push(name);
        let inner = expanded_in(condition, known, open);
        let inner = inner.map_err(|mistake| mistake.moved_to(typed, at.clone()))?.text;
        open.pop();
        let is_alone = open.is_empty() && typed.trim().len() == at.len();
        let [before, behind] = if is_alone { ["", ""] } else { ["(", ")"] };
        expanded.text += &[&typed[from..at.start], before].concat();
        let start = expanded.text.len();
        expanded.text += &inner;
        expanded.names.push([at.clone(), start..expanded.text.len()]);
        expanded.text += behind;
        from = at.end;
        if expanded.text.len() > LONGEST && !open.is_empty() {
            let found = format!("@{name} stands for more than {LONGEST} characters");
            return Err(mistake(found).expected("a shorter condition"));
        }
    }
    expanded.text += &typed[from..];
    Ok(expanded)
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
    let mistake =
        Mistake::new(0..0, format!("no filter is named {name:?}")).expected(one_of(&names, none));
    match nearest(name, names) {
        Some(near) => mistake.mend(format!("did you mean @{near}?")),
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

    fn of(text: &str) -> Result<Expanded<'_>, Mistake> {
        expanded(text, KNOWN.into_iter())
    }

    #[test]
    fn a_name_stands_for_its_condition() {
        let text = |typed| of(typed).unwrap().text().to_owned();
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
    fn mistakes_are_told_at_their_place_in_what_was_typed() {
        let known = [("bad", "r1 & r5"), ("good", "r1")];
        let told = |typed: &'static str, at: usize| {
            let of = expanded(typed, known.into_iter()).unwrap();
            let mistake = Mistake::new(at..at + 1, "\"&\"").within(of.text());
            let told = of.placed(mistake);
            (told.at(), told.found().to_owned())
        };
        // Of the text itself, before and behind a name.
        assert_eq!(told("r1 & @good", 3), (3..4, "\"&\"".into()));
        assert_eq!(told("@good & r1", 5), (6..7, "\"&\"".into()));
        assert_eq!(told("not @bad", 8), (4..8, "@bad: column 4: \"&\"".into()));
        assert_eq!(told("@bad", 3), (0..4, "@bad: column 4: \"&\"".into()));
    }

    #[test]
    fn names_are_words() {
        assert!(is_name("near-miss_2"));
        assert!(!is_name("near miss") && !is_name("") && !is_name("a=b"));
        assert_eq!(name(" @hard "), Some("hard"));
        assert_eq!(name("@hard and r1"), None);
    }
}
