//! Truths that a rule makes out of what a file says of images or pairs.
//!
//! A rule is one file here and one line in [`RULES`]: its flags, its keys in `study.toml` and in sessions,
//! its subcommand of `truth` and its dial in the explorer follow from that.

use std::fmt::Debug;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::cxc::Ratings;
use super::{Kind, Truth};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::json::Shape;
use crate::data::source::Source;
use crate::error::Result;

/// Every rule, in the order of its flags.
pub const RULES: &[&Rule] = &[&super::pm::RULE, &super::cxc::RULE];

/// A way of making a truth.
#[derive(Debug)]
pub struct Rule {
    /// The name of the truth and of its subcommand.
    pub name: &'static str,
    /// How the truth relates to the original annotation.
    pub kind: Kind,
    /// What its file holds, in one word.
    pub content: &'static str,
    /// Its file, in the words of a sentence that begins with "made from".
    pub made_from: &'static str,
    /// The number that decides.
    pub number: Number,
    /// What else can be said.
    pub switch: Option<Switch>,
    /// The number, as it is written behind the truth's name.
    pub words: fn(f64) -> String,
    /// The number under which published results are under this truth; `None` where they are under none.
    pub published: Option<f64>,
    /// Whether its subcommand makes the truth anew where other files list it.
    pub is_made_by_name: bool,
    /// Whether its file, none of JSON, is left unread where numbers alone are wanted and other files list the truth.
    pub is_late: bool,
    /// Whether the number without a file is refused.
    pub needs_file: bool,
    /// Whether a file is this rule's; the shape is its outer one where it is JSON.
    pub accepts: fn(&Source, Option<Shape>) -> bool,
    /// Reads the file; broken content or another structure is an error with its place.
    pub read: fn(&Source) -> Result<Box<dyn RuleInput>>,
    /// What has to be said of a truth, whoever made it.
    pub note: fn(&Truth) -> Option<String>,
}

/// The number that decides what is right under a rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its flag, without dashes before.
    pub flag: &'static str,
    /// What stands for it in the help of the flag.
    pub value_name: &'static str,
    /// The help of the flag.
    pub doc: &'static str,
    /// What one is, such as `a rating`.
    pub what: &'static str,
    /// Whether it is a whole number.
    pub is_whole: bool,
    /// The least and the greatest that may be given.
    pub range: [f64; 2],
    /// What it is where nothing is said.
    pub default: f64,
    /// One turn of the dial.
    pub step: f64,
    /// Where the dial ends, upwards; downwards it ends at the least.
    pub dial_end: f64,
}

/// The key of a flag in `study.toml` and in sessions.
pub fn key(flag: &str) -> String {
    flag.replace('-', "_")
}

impl Number {
    /// Reads the value of the flag.
    ///
    /// # Errors
    /// No number, or one out of range, in words.
    pub fn parse(&self, text: &str) -> std::result::Result<f64, String> {
        let [least, most] = self.range;
        if self.is_whole {
            let whole: i64 = text.parse().map_err(|e| format!("{e}"))?;
            let out = || format!("{whole} is not in {least}..={most}");
            return Some(whole as f64).filter(|n| self.allows(*n)).ok_or_else(out);
        }
        let number = text.parse().ok().filter(|number| self.allows(*number));
        number.ok_or_else(|| format!("{} is a number from {least} to {most}", self.what))
    }

    /// Whether it may be given.
    pub fn allows(&self, number: f64) -> bool {
        (self.range[0]..=self.range[1]).contains(&number)
    }

    /// The number after one turn of the dial.
    pub fn turned(&self, now: f64, up: bool) -> f64 {
        let to = if up { now + self.step } else { now - self.step };
        to.clamp(self.range[0], self.dial_end)
    }
}

/// What can be said besides the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Its flag, without dashes before.
    pub flag: &'static str,
    /// The help of the flag.
    pub doc: &'static str,
}

/// What is said of one rule.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Set {
    /// The number.
    pub number: f64,
    /// The switch.
    pub switch: bool,
}

/// What a truth is made over.
#[derive(Debug, Clone, Copy)]
pub struct Over<'a> {
    /// The gallery.
    pub gallery: &'a Gallery,
    /// The truths so far.
    pub truths: &'a [Truth],
}

impl Over<'_> {
    /// Whether other files list this truth.
    pub fn has(&self, name: &str) -> bool {
        self.truths.iter().any(|truth| truth.name == name)
    }
}

/// What a file gives a rule, ids not looked up.
pub trait RuleInput: Debug + Send + Sync {
    /// Looks up ids, and makes the truth unless other files list it.
    ///
    /// # Errors
    /// Content that fits no truth of this gallery.
    fn make(&self, file: &str, over: Over<'_>, set: Set) -> Result<Derived>;
}

/// What became of a file.
#[derive(Debug)]
pub struct Derived {
    /// What the truth is made of, whatever the number.
    pub basis: Arc<dyn Basis>,
    /// The truth; `None` where other files list it.
    pub truth: Option<Truth>,
    /// What was understood.
    pub notes: Vec<String>,
}

/// What a truth is made of over a gallery.
pub trait Basis: Debug + Send + Sync {
    /// The truth; `None` where something for it lacks.
    fn truth(&self, over: Over<'_>, set: Set) -> Option<Truth>;
    /// Ratings of pairs, where it has any: a pair's is shown in the place of a mark.
    fn ratings(&self) -> Option<&Ratings> {
        None
    }
    /// The names of the object categories of images, where it has any.
    fn categories(&self) -> Vec<&str> {
        Vec::new()
    }
    /// Whether an image has an object of the category at a place among them; `None` where no categories of it are known.
    fn has_category(&self, _image: &Id, _place: usize) -> Option<bool> {
        None
    }
}

/// The rules in the order in which truths stand.
pub fn in_order() -> Vec<&'static Rule> {
    let mut rules = RULES.to_vec();
    rules.sort_by_key(|rule| rule.kind);
    rules
}

/// The rule that makes a truth of this name.
pub fn named(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

/// One of something for each rule, found by the rule's name.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PerRule<T>([T; RULES.len()]);

impl<T> Index<&str> for PerRule<T> {
    type Output = T;

    fn index(&self, name: &str) -> &T {
        &self.0[place(name)]
    }
}

impl<T> IndexMut<&str> for PerRule<T> {
    fn index_mut(&mut self, name: &str) -> &mut T {
        &mut self.0[place(name)]
    }
}

fn place(name: &str) -> usize {
    let place = RULES.iter().position(|rule| rule.name == name);
    place.expect("the name of a rule")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::{cxc, pm};

    #[test]
    fn names_and_keys_stand_once_and_defaults_are_allowed() {
        let mut seen = std::collections::BTreeSet::new();
        for rule in RULES {
            let number = rule.number;
            let switch = rule.switch.map(|switch| switch.flag);
            for name in [rule.name, number.flag].into_iter().chain(switch) {
                assert!(seen.insert(name), "{name} stands twice");
            }
            assert!(number.allows(number.default) && number.allows(number.dial_end));
            assert_eq!(number.parse(&number.default.to_string()), Ok(number.default));
            assert!(number.turned(number.dial_end, true) <= number.dial_end);
            assert!(number.parse("x").is_err() && number.parse("-1").is_err());
        }
    }

    #[test]
    fn what_stands_for_a_rule_is_found_by_name() {
        let mut numbers = PerRule::<Option<f64>>::default();
        numbers[pm::NAME] = Some(2.0);
        assert_eq!((numbers[pm::NAME], numbers[cxc::NAME]), (Some(2.0), None));
        assert_eq!(named(cxc::NAME).map(|rule| rule.name), Some(cxc::NAME));
        assert!(named("eccv").is_none());
    }

    /// A truth that a rule made and wrote is of the same kind when its files are read.
    #[test]
    fn the_name_of_a_rule_tells_the_kind_of_its_truth() {
        for rule in RULES {
            assert_eq!(Kind::of(rule.name), rule.kind, "{}", rule.name);
        }
    }
}
