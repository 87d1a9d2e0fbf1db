//! CIDEr-D as `pycocoevalcap` defines it, pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use super::{CiderOptions, ORDERS};

type Counts = BTreeMap<Vec<String>, f64>;

struct Caption {
    weights: [Counts; ORDERS],
    norms: [f64; ORDERS],
    length: f64,
}

/// phi of every caption with every image: a row for each image.
pub(super) fn all(texts: &[&str], own: &[Vec<u32>], options: CiderOptions) -> Vec<Vec<f64>> {
    let words = |text: &&str| {
        let mut words = Vec::new();
        options.tokenisation.for_each_word(text, |word| words.push(word.to_owned()));
        words
    };
    let words: Vec<Vec<String>> = texts.iter().map(words).collect();
    let mut images_with_gram: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
    for (image, captions) in own.iter().enumerate() {
        for &caption in captions {
            for gram in grams(&words[caption as usize]).into_keys() {
                images_with_gram.entry(gram).or_default().insert(image);
            }
        }
    }
    let images = own.iter().filter(|captions| !captions.is_empty()).count() as f64;
    let idf = |gram: &Vec<String>| {
        let df = images_with_gram.get(gram).map_or(0, BTreeSet::len);
        images.max(1.0).ln() - (df as f64).max(1.0).ln()
    };
    let captions: Vec<Caption> = words.iter().map(|words| caption(words, idf)).collect();
    let phi = |captions_of: &Vec<u32>, candidate: usize| {
        let compared = captions_of.iter().map(|&own| own as usize);
        let compared: Vec<usize> =
            compared.filter(|&own| !(options.drop_self && own == candidate)).collect();
        let sims = compared.iter().map(|&own| similarity(&captions[candidate], &captions[own]));
        10.0 * sims.sum::<f64>() / compared.len().max(1) as f64
    };
    own.iter().map(|own| (0..texts.len()).map(|candidate| phi(own, candidate)).collect()).collect()
}

fn grams(words: &[String]) -> Counts {
    let mut counts = Counts::new();
    for order in 1..=ORDERS {
        for gram in words.windows(order) {
            *counts.entry(gram.to_vec()).or_default() += 1.0;
        }
    }
    counts
}

fn caption(words: &[String], idf: impl Fn(&Vec<String>) -> f64) -> Caption {
    let mut weights: [Counts; ORDERS] = Default::default();
    for (gram, count) in grams(words) {
        let weight = count * idf(&gram);
        weights[gram.len() - 1].insert(gram, weight);
    }
    let norm = |counts: &Counts| counts.values().map(|weight| weight * weight).sum::<f64>().sqrt();
    Caption {
        norms: weights.each_ref().map(norm),
        weights,
        length: words.len().saturating_sub(1) as f64,
    }
}

fn similarity(candidate: &Caption, own: &Caption) -> f64 {
    let gap = candidate.length - own.length;
    let mut sum = 0.0;
    for order in 0..ORDERS {
        let mut value = 0.0;
        for (gram, &weight) in &candidate.weights[order] {
            let other = own.weights[order].get(gram).copied().unwrap_or(0.0);
            value += weight.min(other) * other;
        }
        let norms = candidate.norms[order] * own.norms[order];
        sum += if norms > 0.0 { value / norms } else { value } * (-(gap * gap) / 72.0).exp();
    }
    sum / ORDERS as f64
}
