//! Conditions with names: `@hard` stands for the condition that is kept under `hard`.

use std::borrow::Cow;

use super::Mistake;
use crate::data::near::nearest;

/// What stands before the name of a condition.
const SIGN: char = '@';

/// The name that an expression is, if it is one: `@hard` is `hard`.
pub fn name(text: &str) -> Option<&str> {
    text.trim().strip_prefix(SIGN).map(str::trim)
}

/// The condition that a text stands for: itself, or the one of that name.
///
/// # Errors
/// A name that no condition has.
pub fn expression<'a>(
    text: &'a str,
    known: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<&'a str, Mistake> {
    let Some(wanted) = name(text) else {
        return Ok(text);
    };
    let known: Vec<(&str, &str)> = known.collect();
    if let Some((_, expression)) = known.iter().find(|(name, _)| *name == wanted) {
        return Ok(expression);
    }
    let names = || known.iter().map(|(name, _)| *name);
    let mistake = Mistake::new(0..text.len(), format!("no filter is named {wanted:?}"));
    let mistake = mistake.expected(match names().collect::<Vec<_>>().join(", ") {
        names if names.is_empty() => {
            Cow::from("a name that a filter was kept under; there is none yet")
        }
        names => Cow::from(format!("one of {names}")),
    });
    let mistake = match nearest(wanted, names()) {
        _ if wanted.contains(char::is_whitespace) => {
            mistake.mend("a name is a whole condition: it stands alone")
        }
        Some(near) => mistake.mend(format!("did you mean {SIGN}{near}?")),
        None => mistake,
    };
    Err(mistake.within(text))
}

/// Whether a name can stand behind the sign: letters, digits, dashes, underscores.
pub fn is_name(name: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || "-_".contains(c);
    !name.is_empty() && name.chars().all(is_of_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [(&str, &str); 2] = [("hard", "r10 == 0"), ("short", "words <= 8")];

    fn of(text: &str) -> Result<&str, Mistake> {
        expression(text, KNOWN.into_iter())
    }

    #[test]
    fn a_name_stands_for_its_condition() {
        assert_eq!(of(" @hard ").unwrap(), "r10 == 0");
        assert_eq!(of("r1 == 0").unwrap(), "r1 == 0");
        let told = of("@harp").unwrap_err().to_string();
        for part in ["no filter is named \"harp\"", "hard, short", "@hard?"] {
            assert!(told.contains(part), "{told}");
        }
        let none = expression("@a", std::iter::empty()).unwrap_err();
        assert!(none.to_string().contains("there is none yet"), "{none}");
    }

    #[test]
    fn names_are_words() {
        assert!(is_name("near-miss_2"));
        assert!(!is_name("near miss") && !is_name("") && !is_name("a=b"));
    }
}
