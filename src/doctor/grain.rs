//! How finely scores are told apart: what became of them before they were written.

use crate::data::npy::Element;
use crate::data::scores::ScoreMatrix;

/// What is known of how scores were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// The file has 16 bits a score, of this type.
    File16(&'static str),
    /// Every score fits 16 bits with 10 of them for digits (float16), though the file has more.
    Half,
    /// Every score fits 16 bits with 7 of them for digits (bfloat16), though the file has more.
    Brain,
    /// Every score has so many decimals.
    Decimals(u32),
    /// None of these.
    Fine,
}

/// Decimals that scores are rounded to, at most: with more, few are equal.
const DECIMALS: std::ops::RangeInclusive<u32> = 0..=5;
/// Bits that a float32 has and a float16 or a bfloat16 lacks.
const LACKING: [(u32, Grain); 2] = [(0xFFFF, Grain::Brain), (0x1FFF, Grain::Half)];

impl Grain {
    /// Of a matrix, some of whose scores these are.
    pub fn of(matrix: &ScoreMatrix, scores: &[f64]) -> Self {
        match matrix.npy().element {
            Element::Float(2) => return Grain::File16("float16"),
            Element::BFloat16 => return Grain::File16("bfloat16"),
            _ => {}
        }
        let finite = || scores.iter().copied().filter(|score| score.is_finite());
        let mut decimals = DECIMALS.filter(|&decimals| finite().all(|score| has(score, decimals)));
        if let Some(decimals) = decimals.next() {
            return Grain::Decimals(decimals);
        }
        let fits = |bits: u32| finite().all(|score| is_short(score, bits));
        let short = LACKING.into_iter().find(|(bits, _)| fits(*bits));
        short.map_or(Grain::Fine, |(_, grain)| grain)
    }

    /// What to do about equal scores.
    pub fn mend(self) -> String {
        match self {
            Grain::File16(kind) => {
                format!("the file is {kind}: compute the scores in float32 and save them so")
            }
            Grain::Half => computed_in("float16"),
            Grain::Brain => computed_in("bfloat16"),
            Grain::Decimals(decimals) => format!(
                "the scores have {decimals} decimals: save them as they are computed, not rounded"
            ),
            Grain::Fine => {
                "the scores are not rounded; what else makes them equal: captions of equal text (left out here once a \
                 captions file is named), clipping, a sigmoid or a softmax at its end, equal embeddings"
                    .into()
            }
        }
    }
}

fn computed_in(short: &str) -> String {
    format!(
        "the scores went through {short} before they were saved with more bits: compute the products in float32 \
         (no autocast there)"
    )
}

/// Whether a score has no more decimals than these, as far as float32 can tell.
fn has(score: f64, decimals: u32) -> bool {
    let scaled = score * 10_f64.powi(decimals as i32);
    (scaled - scaled.round()).abs() <= scaled.abs() * f64::from(f32::EPSILON)
}

/// Whether a score is a float32 whose last bits, these, are zero.
fn is_short(score: f64, bits: u32) -> bool {
    let short = score as f32;
    f64::from(short).to_bits() == score.to_bits() && short.to_bits() & bits == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::testing::matrix;

    #[test]
    fn what_scores_went_through_is_seen_in_their_digits() {
        let fine: Vec<f64> =
            (1..200).map(|at| f64::from((f64::from(at) * 0.737).sin() as f32)).collect();
        let of = |scores: &[f64]| Grain::of(&matrix([1, scores.len()], scores), scores);
        let cut = |bits: u32| -> Vec<f64> {
            let cut = |score: &f64| f64::from(f32::from_bits((*score as f32).to_bits() & !bits));
            fine.iter().map(cut).collect()
        };
        assert_eq!(of(&fine), Grain::Fine);
        assert_eq!(of(&cut(0x1FFF)), Grain::Half);
        assert_eq!(of(&cut(0xFFFF)), Grain::Brain);
        let rounded = |by: f64| -> Vec<f64> {
            fine.iter().map(|score| f64::from(((score * by).round() / by) as f32)).collect()
        };
        assert_eq!(of(&rounded(100.0)), Grain::Decimals(2));
        assert_eq!(of(&rounded(10_000.0)), Grain::Decimals(4));
        assert!(Grain::Decimals(2).mend().contains("have 2 decimals"));
    }
}
