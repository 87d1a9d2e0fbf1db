//! Conditions with names: `@hard` stands for the condition that is kept under `hard`, alone or within another one.

use std::borrow::Cow;
use std::ops::Range;

use super::Mistake;
use crate::data::near::nearest;

/// What stands before the name of a condition.
const SIGN: char = '@';
/// The longest condition that names may stand for, in bytes: names of names of names grow fast.
const LONGEST: usize = 20_000;

/// A condition as it was typed, and with what its names stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded<'a> {
    typed: &'a str,
    text: Cow<'a, str>,
    /// The bytes that each name takes as typed, and those of its condition.
    names: Vec<[Range<usize>; 2]>,
}

impl<'a> Expanded<'a> {
    /// The text with these bytes of it replaced by conditions.
    pub(super) fn new(typed: &'a str, names: Vec<(Range<usize>, String)>) -> Self {
        let mut expanded = Expanded { typed, text: typed.into(), names: Vec::new() };
        if names.is_empty() {
            return expanded;
        }
        let mut out = String::new();
        let mut from = 0;
        for (at, meant) in names {
            let around = if is_all(typed, &at) { ["", ""] } else { ["(", ")"] };
            out += &typed[from..at.start];
            out += around[0];
            let start = out.len();
            out += &meant;
            from = at.end;
            expanded.names.push([at, start..out.len()]);
            out += around[1];
        }
        out += &typed[from..];
        expanded.text = out.into();
        expanded
    }

    /// The condition without names.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A mistake in the condition without names, at its place in what was typed.
    #[must_use]
    pub fn placed(&self, mistake: Mistake) -> Mistake {
        let at = mistake.at();
        let mut shift = 0;
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
            // A bracket stands before and behind what a name stands for.
            shift = meant.end as isize - typed.end as isize + self.brackets() as isize;
        }
        let place = |at: usize| at.saturating_add_signed(-shift).min(self.typed.len());
        mistake.moved_to(self.typed, place(at.start)..place(at.end))
    }

    /// Characters that stand around what a name stands for, on each side.
    fn brackets(&self) -> usize {
        let is_alone = matches!(&self.names[..], [[typed, _]] if is_all(self.typed, typed));
        usize::from(!is_alone)
    }
}

/// Whether a name is all that was typed.
fn is_all(text: &str, name: &Range<usize>) -> bool {
    text.trim().len() == name.len()
}

/// The name that an expression is, if it is one: `@hard` is `hard`.
pub fn name(text: &str) -> Option<&str> {
    let name = text.trim().strip_prefix(SIGN).map(str::trim)?;
    is_name(name).then_some(name)
}

/// Whether a condition has a name in it.
pub fn has_names(text: &str) -> bool {
    names(text).next().is_some()
}

/// The condition that a text stands for: names give way to what was kept under them, in brackets.
///
/// # Errors
/// A name that no condition has, names that stand for themselves, and what becomes too long.
pub fn expanded<'a, 'b>(
    text: &'a str,
    known: impl Iterator<Item = (&'b str, &'b str)>,
) -> Result<Expanded<'a>, Mistake> {
    let known = Known(known.collect());
    let meant = names(text).map(|typed| {
        let meant = known.meant(&text[typed.clone()], &mut Vec::new());
        let meant = meant.map_err(|mistake| mistake.moved_to(text, typed.clone()))?;
        Ok((typed, meant))
    });
    Ok(Expanded::new(text, meant.collect::<Result<_, _>>()?))
}

/// The bytes of the names in a text, each with its sign; what stands in quotes is none.
fn names(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut quote = None;
        let mut chars = text[at..].char_indices();
        while let Some((place, c)) = chars.next() {
            match (quote, c) {
                (Some(_), '\\') => drop(chars.next()),
                (Some(open), c) if c == open => quote = None,
                (None, '"' | '`') => quote = Some(c),
                (None, SIGN) => {
                    let start = at + place;
                    let rest = &text[start + 1..];
                    let length = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
                    // R@1 is a metric.
                    let is_metric = text[..start].ends_with(is_of_name);
                    at = start + 1 + length;
                    if is_metric {
                        chars = text[at..].char_indices();
                        continue;
                    }
                    return Some(start..at);
                }
                _ => {}
            }
        }
        None
    })
}

/// The conditions that have a name.
struct Known<'a>(Vec<(&'a str, &'a str)>);

impl Known<'_> {
    /// What a name stands for, itself without names; `open` are those that it stands in.
    fn meant(&self, name: &str, open: &mut Vec<String>) -> Result<String, Mistake> {
        let name = name.trim_start_matches(SIGN);
        if open.iter().any(|of| of == name) {
            let round = open.iter().map(String::as_str).chain([name]);
            let round: Vec<String> = round.map(|name| format!("{SIGN}{name}")).collect();
            let found = format!("{} stands for itself", round.join(" in "));
            return Err(Mistake::new(0..0, found).expected("filters that do not name each other"));
        }
        let Some((_, expression)) = self.0.iter().find(|(known, _)| *known == name) else {
            return Err(self.unknown(name));
        };
        open.push(name.to_owned());
        let mut out = String::new();
        let mut from = 0;
        for at in names(expression) {
            let inner = self.meant(&expression[at.clone()], open)?;
            out += &[&expression[from..at.start], "(", &inner, ")"].concat();
            from = at.end;
            if out.len() > LONGEST {
                let found = format!("{SIGN}{name} stands for more than {LONGEST} characters");
                return Err(Mistake::new(0..0, found).expected("a shorter condition"));
            }
        }
        out += &expression[from..];
        open.pop();
        Ok(out)
    }

    fn unknown(&self, name: &str) -> Mistake {
        let names = || self.0.iter().map(|(name, _)| *name);
        let mistake = Mistake::new(0..0, format!("no filter is named {name:?}"));
        let mistake = mistake.expected(match names().collect::<Vec<_>>().join(", ") {
            names if names.is_empty() => {
                Cow::from("a name that a filter was kept under; there is none yet")
            }
            names => Cow::from(format!("one of {names}")),
        });
        match nearest(name, names()) {
            Some(near) => mistake.mend(format!("did you mean {SIGN}{near}?")),
            None => mistake,
        }
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
