//! The judging mode: whether it is on, how far down the rankings it goes, and which items it asks about.

use serde_json::{Value, json};

/// The judging mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judging {
    /// Whether one key answers.
    pub is_on: bool,
    /// Whether scores, ranks, marks and badges are hidden in it.
    pub hides: bool,
    /// Items of each ranking that are to be judged, from its top.
    pub depth: usize,
    /// Whether it asks about the positives of the ground truth too: else only whether what this does not list is
    /// relevant.
    pub asks_listed: bool,
}

impl Default for Judging {
    fn default() -> Self {
        Judging { is_on: false, hides: false, depth: 25, asks_listed: false }
    }
}

/// The items that are asked about, as settings name them: whether positives of the ground truth are among them.
pub const ASKED: [(&str, bool); 2] = [("unlisted", false), ("all", true)];

/// What a session keeps of the items that are asked about.
pub const LISTED: &str = "listed";

/// The least and the most items of a ranking that are to be judged.
const DEPTHS: std::ops::RangeInclusive<usize> = 5..=1_000;
/// Items that one key makes it more or fewer.
const STEP: isize = 5;

impl Judging {
    /// Goes one step deeper down the rankings, or less deep.
    pub(in crate::tui::model) fn deepen(&mut self, deeper: bool) {
        let by = if deeper { STEP } else { -STEP };
        let depth = self.depth.saturating_add_signed(by);
        self.depth = depth.clamp(*DEPTHS.start(), *DEPTHS.end());
    }

    /// What a session keeps of it: not whether it is on, which is to be asked for.
    pub(in crate::tui::model) fn words(&self) -> Value {
        json!({ "depth": self.depth, "blind": self.hides, LISTED: self.asks_listed })
    }

    /// The mode as a session kept it, as far as it did.
    pub(in crate::tui::model) fn of_words(words: &Value) -> Self {
        let depth = words["depth"].as_u64();
        let depth = depth.and_then(|depth| usize::try_from(depth).ok());
        let depth = depth.filter(|depth| DEPTHS.contains(depth));
        let new = Judging::default();
        Judging {
            depth: depth.unwrap_or(new.depth),
            hides: words["blind"].as_bool().unwrap_or(new.hides),
            asks_listed: words[LISTED].as_bool().unwrap_or(new.asks_listed),
            ..new
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_keeps_all_but_that_it_is_on() {
        let mut judging =
            Judging { is_on: true, hides: true, asks_listed: true, ..Judging::default() };
        judging.deepen(true);
        let back = Judging::of_words(&judging.words());
        assert_eq!((back.is_on, back.hides, back.depth), (false, true, 30));
        assert!(back.asks_listed);
        for wrong in [json!(null), json!({"depth": -3}), json!({"depth": 0})] {
            assert_eq!(Judging::of_words(&wrong), Judging::default());
        }
    }

    #[test]
    fn the_depth_has_its_bounds() {
        let mut judging = Judging::default();
        for _ in 0..9 {
            judging.deepen(false);
        }
        assert_eq!(judging.depth, *DEPTHS.start());
        for _ in 0..500 {
            judging.deepen(true);
        }
        assert_eq!(judging.depth, *DEPTHS.end());
    }
}
