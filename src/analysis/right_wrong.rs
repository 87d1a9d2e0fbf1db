//! How often models prefer the correct caption to a hard negative.
//!
//! A tie is a failure, and ties are counted: a model that cannot distinguish two texts has not chosen correctly.

use indexmap::IndexSet;
use rustc_hash::FxHashMap;

use super::holm::{self, HolmTest};
use super::paired_values::{Paired, all_pairs};
use super::per_query::Values;
use crate::data::id::Id;
use crate::data::text::grouped;
use crate::data::text_pairs::TextPair;
use crate::error::{Error, Result};
use crate::metric::Unit;

/// One model's scores of all pairs.
#[derive(Debug, Clone)]
pub struct PairScores {
    /// Name of the model.
    pub name: String,
    /// Name of the file of scores.
    pub source: String,
    /// The pairs; in the same order for all compared models.
    pub pairs: Vec<TextPair>,
}

/// Accuracy of a model over pairs of one kind, or all.
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// The kind of change; `None` over all pairs.
    pub kind: Option<String>,
    /// Number of pairs.
    pub pairs: usize,
    /// Number of images of these pairs.
    pub images: usize,
    /// Number of pairs whose correct text scores higher.
    pub right: usize,
    /// Number of pairs whose two texts score the same.
    pub ties: usize,
    /// 95 % CI of the accuracy.
    pub interval: [f64; 2],
}

/// Kind of change of the compared pairs (`None`: all pairs), and indices of the two models.
pub type TwoModels = (Option<String>, [usize; 2]);

/// The kinds of change to report: `None` for all pairs, then each kind in order of appearance if there are several.
pub fn change_kinds(pairs: &[TextPair]) -> Vec<Option<String>> {
    let mut kinds: IndexSet<&String> = pairs.iter().filter_map(|pair| pair.kind.as_ref()).collect();
    if kinds.len() == 1 {
        kinds.clear();
    }
    std::iter::once(None).chain(kinds.into_iter().cloned().map(Some)).collect()
}

/// Indices of the pairs of a kind of change, or of all pairs.
fn pair_indices(pairs: &[TextPair], kind: Option<&String>) -> Vec<u32> {
    let all = (0..).zip(pairs);
    all.filter(|(_, pair)| kind.is_none() || pair.kind.as_ref() == kind)
        .map(|(index, _)| index)
        .collect()
}

/// Value of each of these pairs: 1 if the correct text scores higher, else 0.
fn correctness(pairs: &[TextPair], indices: &[u32]) -> Values {
    let is_right = |&index: &u32| Some(f64::from(u8::from(pairs[index as usize].is_right())));
    Values::new(indices, indices.iter().map(is_right).collect())
}

/// Image of each pair, numbered in order of appearance.
fn image_indices(pairs: &[TextPair]) -> Vec<u32> {
    let mut known: IndexSet<&Id> = IndexSet::new();
    pairs.iter().map(|pair| known.insert_full(&pair.image).0 as u32).collect()
}

/// Accuracy over all pairs, then by each kind of change if there are several.
pub fn accuracies(pairs: &[TextPair]) -> Vec<Accuracy> {
    let images = image_indices(pairs);
    let accuracy = |kind: Option<String>| {
        let indices = pair_indices(pairs, kind.as_ref());
        let selected = || indices.iter().map(|&index| &pairs[index as usize]);
        let values = correctness(pairs, &indices);
        Accuracy {
            kind,
            pairs: indices.len(),
            images: values.groups(Some(&images)).len(),
            right: selected().filter(|pair| pair.is_right()).count(),
            ties: selected().filter(|pair| pair.is_tie()).count(),
            interval: values.interval(Unit::Share, Some(&images)).unwrap_or(Unit::Share.range()),
        }
    };
    change_kinds(pairs).into_iter().map(accuracy).collect()
}

impl Accuracy {
    /// Share of pairs whose correct text scores higher.
    pub fn share(&self) -> f64 {
        self.right as f64 / self.pairs as f64
    }
}

/// Identity of a pair: all but its scores.
type PairKey<'a> = (&'a Id, [Option<&'a str>; 3]);

/// Image, kind and both texts of a pair.
fn pair_key(pair: &TextPair) -> PairKey<'_> {
    let texts = [&pair.kind, &pair.caption, &pair.negative_caption];
    (&pair.image, texts.map(Option::as_deref))
}

/// Sorts the pairs of `other` in the order of `first`; duplicates of a pair keep their order.
///
/// # Errors
/// A pair that only one of them has.
pub fn align(first: &PairScores, other: &mut PairScores) -> Result<()> {
    let mut indices: FxHashMap<PairKey<'_>, Vec<usize>> = FxHashMap::default();
    for (index, pair) in other.pairs.iter().enumerate().rev() {
        indices.entry(pair_key(pair)).or_default().push(index);
    }
    let mut next_index = |pair| indices.get_mut(&pair_key(pair)).and_then(Vec::pop);
    let found: Vec<Option<usize>> = first.pairs.iter().map(&mut next_index).collect();
    let mismatch = |found: String| {
        Error::new(&other.source, found)
            .expected("the same pairs: image, kind, caption and negative_caption")
    };
    let of_first = &first.source;
    if let Some(at) = found.iter().position(Option::is_none) {
        let image = &first.pairs[at].image;
        return Err(mismatch(format!("lacks the pair {} of {of_first} (image {image})", at + 1)));
    }
    let [count, of_other] = [first, &*other].map(|model| grouped(model.pairs.len()));
    if count != of_other {
        return Err(mismatch(format!("{of_other} pairs, {of_first} has {count}")));
    }
    let pairs = found.into_iter().flatten();
    other.pairs = pairs.map(|index| other.pairs[index].clone()).collect();
    Ok(())
}

/// Tests the accuracy of every two models, over all pairs and by kind of change.
pub fn test_models(models: &[PairScores]) -> Vec<HolmTest<TwoModels>> {
    let Some(first) = models.first() else {
        return Vec::new();
    };
    let images = image_indices(&first.pairs);
    let keys = change_kinds(&first.pairs).into_iter();
    let keys = keys.flat_map(|kind| all_pairs(models.len()).map(move |two| (kind.clone(), two)));
    let pair = |key: TwoModels| {
        let indices = pair_indices(&first.pairs, key.0.as_ref());
        let values = key.1.map(|model| correctness(&models[model].pairs, &indices));
        (key, Paired::from_values(values.each_ref()))
    };
    holm::test_family(keys.map(pair), |_| (Unit::Share, Some(&images)), |_, _| false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(image: i64, right: f64, wrong: f64, kind: &str) -> TextPair {
        TextPair {
            image: Id::Number(image),
            right,
            wrong,
            kind: Some(kind.to_owned()),
            caption: None,
            negative_caption: None,
        }
    }

    fn model(name: &str, pairs: Vec<TextPair>) -> PairScores {
        PairScores { name: name.to_owned(), source: format!("{name}.jsonl"), pairs }
    }

    #[test]
    fn accuracy_by_kind_counts_ties_separately() {
        let pairs = [
            pair(1, 0.5, 0.4, "colour"),
            pair(2, 0.5, 0.5, "colour"),
            pair(3, 0.1, 0.4, "count"),
            pair(3, 0.9, 0.4, "count"),
        ];
        let found = accuracies(&pairs);
        let told: Vec<_> = found
            .iter()
            .map(|one| (one.kind.as_deref(), one.pairs, one.images, one.right, one.ties))
            .collect();
        assert_eq!(
            told,
            [(None, 4, 3, 2, 1), (Some("colour"), 2, 2, 1, 1), (Some("count"), 2, 1, 1, 0)]
        );
        let [low, high] = found[1].interval;
        assert!((low + high - 1.0).abs() < 1e-12, "one of two: {low} {high}");
        assert!((found[0].share() - 0.5).abs() < 1e-12);
        assert_eq!(change_kinds(&pairs[..2]), [None], "one kind is all");
    }

    #[test]
    fn two_models_are_paired_whatever_the_order_of_their_files() {
        let first = model("a", vec![pair(1, 1.0, 0.0, "x"), pair(2, 1.0, 0.0, "y")]);
        let mut second = model("b", vec![pair(2, 0.0, 1.0, "y"), pair(1, 1.0, 0.0, "x")]);
        align(&first, &mut second).unwrap();
        assert_eq!(second.pairs[0].image, Id::Number(1));
        let found = test_models(&[first.clone(), second]);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].paired.means(), Some([1.0, 0.5]));
        assert!(found[0].estimate.unwrap().p() > 0.3);
        let mut other = model("c", vec![pair(1, 1.0, 0.0, "x"), pair(3, 1.0, 0.0, "y")]);
        let error = align(&first, &mut other).unwrap_err().to_string();
        assert!(error.contains("lacks the pair 2 of a.jsonl (image 2)"), "{error}");
    }
}
