//! Style of items: hue, frame and sign each show the badge of an item, or the judgment on it.
//!
//! The hues are those of Okabe and Ito, *Color Universal Design* (2008), distinct in any colour vision.

use crate::truth::standing::Badge;

/// What the frame and the sign of an item show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Standing in the ground truths as loaded.
    Standing(Badge),
    /// Judged relevant, against or without an annotation.
    MyYes,
    /// Judged not relevant, against or without an annotation.
    MyNo,
}

impl Sign {
    /// All signs, in the order of the legend.
    pub fn all() -> impl Iterator<Item = Sign> {
        Badge::ALL.into_iter().map(Sign::Standing).chain([Sign::MyYes, Sign::MyNo])
    }

    /// The character for it, as in the explorer.
    pub fn glyph(self) -> &'static str {
        match self {
            Sign::Standing(badge) => badge.glyph(),
            Sign::MyYes => "⊕",
            Sign::MyNo => "⊗",
        }
    }

    /// Its meaning in words, for legends.
    pub fn label(self) -> &'static str {
        match self {
            Sign::Standing(badge) => badge.label(),
            Sign::MyYes => "judgment: relevant",
            Sign::MyNo => "judgment: not relevant",
        }
    }
}

/// Style of a line, such as the frame of an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// Colour, as `#rrggbb`.
    pub colour: &'static str,
    /// Width of the line, in points.
    pub width: f32,
    /// Lengths of dashes and gaps, in points; empty if solid.
    pub dashes: &'static [f32],
    /// Whether it has a second, thin line.
    pub double: bool,
}

/// Colour of text.
pub const INK: &str = "#1a1a1a";
/// Colour of the frame of an item judged not relevant.
pub const BLACK: &str = "#000000";
/// Colour of secondary text: ranks, scores, names.
pub const FAINT: &str = "#595959";
/// Colour of thin lines, around and between queries.
pub const RULE: &str = "#b3b3b3";
/// Colour behind an image that is narrower than its area, or missing.
pub const GROUND: &str = "#f2f2f2";

/// The frame of an item with this sign.
pub fn frame(sign: Sign) -> Frame {
    let solid = |colour, width| Frame { colour, width, dashes: &[], double: false };
    match sign {
        Sign::Standing(Badge::Original | Badge::Positive) => solid("#009e73", 1.6),
        Sign::Standing(Badge::NonGt) => Frame { double: true, ..solid("#0072b2", 1.2) },
        Sign::Standing(Badge::NotRelevant) => {
            Frame { dashes: &[4.0, 2.2], ..solid("#d55e00", 1.2) }
        }
        Sign::Standing(Badge::Unjudged) => solid("#595959", 1.0),
        Sign::Standing(Badge::NotCovered) => solid("#808080", 0.6),
        Sign::MyYes => Frame { dashes: &[5.0, 1.4], double: true, ..solid("#9a6700", 1.2) },
        Sign::MyNo => Frame { dashes: &[1.6, 1.6], ..solid(BLACK, 1.6) },
    }
}

/// Space for a frame on each side of an item, in points.
pub const FRAME_SPACE: f32 = 3.2;

/// The SVG path of a sign in the square from -1 to 1, and whether it is filled; if not, it is a line of width
/// [`SIGN_LINE`]. The shapes are those of [`Sign::glyph`].
pub fn sign_path(sign: Sign) -> (&'static str, bool) {
    const DISC: &str = "M-.75 0A.75 .75 0 1 1 .75 0A.75 .75 0 1 1 -.75 0Z";
    match sign {
        Sign::Standing(Badge::Original | Badge::Positive) => (DISC, true),
        Sign::Standing(Badge::NonGt) => (DISC, false),
        Sign::Standing(Badge::NotRelevant) => ("M-.65 -.7L.65 .7M.65 -.7L-.65 .7", false),
        Sign::Standing(Badge::Unjudged) => ("M-.6 0L.6 0", false),
        Sign::Standing(Badge::NotCovered) => {
            ("M-.48 -.42A.48 .46 0 1 1 .22 .02Q0 .14 0 .42M0 .8L0 .82", false)
        }
        Sign::MyYes => ("M-.8 0A.8 .8 0 1 1 .8 0A.8 .8 0 1 1 -.8 0ZM-.8 0L.8 0M0 -.8L0 .8", false),
        Sign::MyNo => (
            "M-.8 0A.8 .8 0 1 1 .8 0A.8 .8 0 1 1 -.8 0ZM-.56 -.56L.56 .56M.56 -.56L-.56 .56",
            false,
        ),
    }
}

/// Width of the line of a sign, in units of [`sign_path`].
pub const SIGN_LINE: f32 = 0.3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_hue_frame_and_sign_tells_how_an_item_stands() {
        for one in Sign::all() {
            let others = Sign::all();
            for other in others.filter(|other| other.glyph() != one.glyph()) {
                let (a, b) = (frame(one), frame(other));
                assert_ne!(a.colour, b.colour);
                assert_ne!(
                    (a.width, a.dashes, a.double),
                    (b.width, b.dashes, b.double),
                    "{one:?} {other:?}"
                );
                assert_ne!(sign_path(one), sign_path(other));
            }
        }
    }
}
