//! Values of top-1 checked by whole rankings.

use super::oracle::{Facts, VIEW, counts, met, study};
use super::*;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::Text;
use crate::rank::pass::CancelToken;
use crate::rank::ranking::Ranking;

/// First items of whole rankings; hubs and equal texts recounted.
#[test]
fn top_items_are_those_of_the_sorted_rankings() {
    let mut study = study();
    // Captions with the same words, but for some of the first image: these share them by siblings.
    study.gallery.texts[3..20].fill(Text::new("THE same, words!"));
    for direction in Direction::BOTH {
        let needs = Needs { views: vec![], top_k: [0, 2].map(ModelIx::new).to_vec(), texts: true };
        let counts =
            FilterInputs::compute(&study, direction, &needs, &CancelToken::default()).unwrap();
        let facts = Facts { study: &study, counts };
        for model in needs.top_k {
            compare(&facts, View { model, truth: TruthIx::new(1), direction });
        }
    }
    let none = counts(&study, Direction::T2i);
    let filter = Expression::condition("hub", &study, VIEW).unwrap();
    assert!(filter.bind(&study, &none.counts).is_none());
}

fn compare(facts: &Facts<'_>, view: View) {
    let (study, direction) = (facts.study, view.direction);
    let items = study.gallery.items(direction);
    let queries = 0..study.gallery.queries(direction).len();
    let first = |query| Ranking::for_query(&study.models[view.model], direction, query).order[0];
    let firsts: Vec<u32> = queries.clone().map(first).collect();
    let count = |item: u32| firsts.iter().filter(|&&first| first == item).count();
    let counts: Vec<usize> = (0..items.len() as u32).map(count).collect();
    let mean = queries.len() as f64 / items.len() as f64;
    let spread: f64 = counts.iter().map(|&n| (n as f64 - mean).powi(2)).sum();
    let bar = mean + 2.0 * (spread / items.len() as f64).sqrt();
    let mut equal = 0;
    for (query, &first) in firsts.iter().enumerate() {
        let is = |text: &str| met(facts, view, text, query);
        let id = format!("top_1 == \"{}\"", items[first as usize]);
        assert_eq!(is(&id), Some(true));
        let n = counts[first as usize];
        assert_eq!(is("hub"), Some(n >= 3 && n as f64 > bar));
        let same = same_text(study, view, query, first);
        assert_eq!(is("near_duplicate"), same, "{query}");
        equal += usize::from(same == Some(true));
    }
    assert!(equal > 0, "{view:?}");
}

/// Whether top-1 has the text of a positive, by the letters of the texts.
fn same_text(study: &Study, view: View, query: usize, first: u32) -> Option<bool> {
    let letters = |caption: u32| {
        let text = study.gallery.texts[caption as usize].raw().to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
        let told = words.filter(|word| !["", "a", "an", "the"].contains(word));
        told.collect::<Vec<_>>().join(" ").replace('\'', "")
    };
    let relevance = study.truths[view.truth].relevance[view.direction].as_ref()?;
    let right = relevance.positives(relevance.place(query)?);
    Some(match view.direction {
        Direction::I2t => right.iter().any(|other| letters(other) == letters(first)),
        Direction::T2i => {
            let captions = |image| study.original_items(Direction::I2t, image as usize).iter();
            let mut right = right.iter().flat_map(captions).collect::<Vec<u32>>();
            right.push(query as u32);
            let same = |own| right.iter().any(|&other| letters(own) == letters(other));
            captions(first).any(same)
        }
    })
}
