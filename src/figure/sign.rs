//! The sign of an item in a figure: how it stands in the ground truths as loaded, or what a person said of it.

use super::scene::FigureItem;
use crate::truth::standing::Badge;
use crate::truth::verdict::Verdict;

/// What the frame and the sign of an item tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// How it stands in the ground truths as loaded.
    Standing(Badge),
    /// A verdict says that it is relevant, and no annotation does.
    MyYes,
    /// A verdict says that it is not relevant, and no annotation does.
    MyNo,
}

impl Sign {
    /// All signs, in the order of the legend.
    pub fn all() -> impl Iterator<Item = Sign> {
        let standings = Badge::ALL.into_iter().map(Sign::Standing);
        standings.chain([Sign::MyYes, Sign::MyNo])
    }

    /// Its character in text.
    pub fn glyph(self) -> &'static str {
        match self {
            Sign::Standing(badge) => badge.glyph(),
            Sign::MyYes => "⊕",
            Sign::MyNo => "⊗",
        }
    }

    /// One word for files that programs read.
    pub fn key(self) -> &'static str {
        match self {
            Sign::Standing(badge) => badge.key(),
            Sign::MyYes => "my-yes",
            Sign::MyNo => "my-no",
        }
    }

    /// The sign in words, for legends.
    pub fn words(self) -> &'static str {
        match self {
            Sign::Standing(badge) => badge.words(),
            Sign::MyYes => "verdict: relevant",
            Sign::MyNo => "verdict: not relevant",
        }
    }
}

impl FigureItem {
    /// Its sign: that of the verdict where the annotation says another thing, or nothing.
    pub fn sign(&self) -> Sign {
        let is_new = |is_positive: bool| {
            if is_positive { !self.badge.is_positive() } else { self.badge != Badge::NotRelevant }
        };
        let verdict = self.verdict.map(Verdict::is_positive);
        match verdict.filter(|is_positive| is_new(*is_positive)) {
            None => Sign::Standing(self.badge),
            Some(true) => Sign::MyYes,
            Some(false) => Sign::MyNo,
        }
    }
}
