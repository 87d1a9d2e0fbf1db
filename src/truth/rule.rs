//! Truths derived by a rule from a file about images or pairs.
//!
//! A rule is one file here and one line in [`RULES`]: flags, keys in `study.toml` and in sessions, and the explorer's
//! threshold follow from that.

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

/// A rule that derives a truth from a file, such as Plausible Match from object categories.
#[derive(Debug)]
pub struct Rule {
    /// The name of the truth and of its subcommand.
    pub name: &'static str,
    /// How the truth relates to the original annotation.
    pub kind: Kind,
    /// Content of its file, in one word.
    pub content: &'static str,
    /// Description of its file, after "made from".
    pub made_from: &'static str,
    /// The threshold.
    pub number: Threshold,
    /// An on/off flag, if any.
    pub switch: Option<Switch>,
    /// Formats the threshold as suffix of the truth's name.
    pub suffix: fn(f64) -> String,
    /// Threshold used in published results; `None` if nothing was published.
    pub published: Option<f64>,
    /// Whether its subcommand rebuilds a truth that other files list.
    pub can_rebuild: bool,
    /// Whether its file (not JSON) is skipped if only metrics are needed and other files list the truth.
    pub is_late: bool,
    /// Whether a threshold without a file is an error.
    pub needs_file: bool,
    /// Whether a file is this rule's, given the shape of its outermost value if it is JSON.
    pub accepts: fn(&Source, Option<Shape>) -> bool,
    /// Reads the file; malformed content is an error with its position.
    pub read: fn(&Source) -> Result<Box<dyn RuleInput>>,
    /// Note to show for a truth, whatever its source.
    pub note: fn(&Truth) -> Option<String>,
}

/// The threshold of a rule: its flag and its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Its flag, without leading dashes.
    pub flag: &'static str,
    /// Value name in the flag's help.
    pub value_name: &'static str,
    /// Help text of the flag.
    pub doc: &'static str,
    /// Noun for the threshold in messages, such as `a rating`.
    pub what: &'static str,
    /// Whether it is a whole number.
    pub is_whole: bool,
    /// Lowest and highest valid number.
    pub range: [f64; 2],
    /// Default threshold.
    pub default: f64,
    /// Change by one step in the explorer.
    pub step: f64,
    /// Highest threshold in the explorer; the lowest is `range[0]`.
    pub explorer_max: f64,
}

/// Key of a flag in `study.toml` and in sessions.
pub fn key(flag: &str) -> String {
    flag.replace('-', "_")
}

impl Threshold {
    /// Parses the value of the flag.
    ///
    /// # Errors
    /// Not a number, or out of range: the reason, as text.
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

    /// Whether a threshold is in range.
    pub fn allows(&self, number: f64) -> bool {
        (self.range[0]..=self.range[1]).contains(&number)
    }

    /// The threshold after one step up or down in the explorer.
    pub fn after_step(&self, now: f64, up: bool) -> f64 {
        let to = if up { now + self.step } else { now - self.step };
        to.clamp(self.range[0], self.explorer_max)
    }
}

/// An on/off flag of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// Its flag, without leading dashes.
    pub flag: &'static str,
    /// Help text of the flag.
    pub doc: &'static str,
}

/// Threshold and switch with which a rule derives a truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleSetting {
    /// The threshold.
    pub number: f64,
    /// Whether the switch is set.
    pub switch: bool,
}

/// The study so far, over which a rule derives a truth.
#[derive(Debug, Clone, Copy)]
pub struct RuleContext<'a> {
    /// The gallery.
    pub gallery: &'a Gallery,
    /// The truths so far.
    pub truths: &'a [Truth],
}

impl RuleContext<'_> {
    /// Whether the truths so far include one of this name: other files list it.
    pub fn has_truth(&self, name: &str) -> bool {
        self.truths.iter().any(|truth| truth.name == name)
    }
}

/// Parsed file of a rule, ids not looked up.
pub trait RuleInput: Debug + Send + Sync {
    /// Looks up the ids, and derives the truth unless other files list it. `file` is the path, for messages.
    ///
    /// # Errors
    /// Content that does not fit this gallery.
    fn make(&self, file: &str, context: RuleContext<'_>, setting: RuleSetting) -> Result<Derived>;
}

/// What a rule makes of its file once the ids are looked up in the gallery.
#[derive(Debug)]
pub struct Derived {
    /// Source of the truth, from which it is derived anew at another threshold.
    pub basis: Arc<dyn Basis>,
    /// The truth; `None` if other files list it.
    pub truth: Option<Truth>,
    /// Notes on the file.
    pub notes: Vec<String>,
}

/// Source from which a rule derives a truth, such as the object categories of the gallery's images.
pub trait Basis: Debug + Send + Sync {
    /// Derives the truth; `None` if it needs another truth that is missing.
    fn truth(&self, context: RuleContext<'_>, setting: RuleSetting) -> Option<Truth>;
    /// Ratings of pairs, if any: shown instead of a badge.
    fn ratings(&self) -> Option<&Ratings> {
        None
    }
    /// Names of the images' object categories, if any.
    fn categories(&self) -> Vec<&str> {
        Vec::new()
    }
    /// Whether an image has an object of the category at an index in [`Basis::categories`]; `None` if the categories of
    /// the image are unknown.
    fn has_category(&self, _image: &Id, _category: usize) -> Option<bool> {
        None
    }
}

/// All rules, sorted by the kind of their truths.
pub fn rules_by_kind() -> Vec<&'static Rule> {
    let mut rules = RULES.to_vec();
    rules.sort_by_key(|rule| rule.kind);
    rules
}

/// The rule that derives the truth of this name, if one does.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.name == name)
}

/// One value per rule, found by the rule's name.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PerRule<T>([T; RULES.len()]);

impl<T> Index<&str> for PerRule<T> {
    type Output = T;

    fn index(&self, name: &str) -> &T {
        &self.0[rule_index(name)]
    }
}

impl<T> IndexMut<&str> for PerRule<T> {
    fn index_mut(&mut self, name: &str) -> &mut T {
        &mut self.0[rule_index(name)]
    }
}

/// Index in [`RULES`] of the rule with this name; panics if there is none.
fn rule_index(name: &str) -> usize {
    let index = RULES.iter().position(|rule| rule.name == name);
    index.expect("the name of a rule")
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
            assert!(number.allows(number.default) && number.allows(number.explorer_max));
            assert_eq!(number.parse(&number.default.to_string()), Ok(number.default));
            assert!(number.after_step(number.explorer_max, true) <= number.explorer_max);
            assert!(number.parse("x").is_err() && number.parse("-1").is_err());
        }
    }

    #[test]
    fn what_stands_for_a_rule_is_found_by_name() {
        let mut numbers = PerRule::<Option<f64>>::default();
        numbers[pm::NAME] = Some(2.0);
        assert_eq!((numbers[pm::NAME], numbers[cxc::NAME]), (Some(2.0), None));
        assert_eq!(find(cxc::NAME).map(|rule| rule.name), Some(cxc::NAME));
        assert!(find("eccv").is_none());
    }

    /// A truth written by a rule has the same kind when read back.
    #[test]
    fn the_name_of_a_rule_tells_the_kind_of_its_truth() {
        for rule in RULES {
            assert_eq!(Kind::from_name(rule.name), rule.kind, "{}", rule.name);
        }
    }
}
