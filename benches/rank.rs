//! Counting ranks: the pass over a matrix, the ranks of one truth, the ranking of one query; the pool of what is
//! similar to each query; CIDEr-D.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod synthetic;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

use itm_explore::data::Direction;
use itm_explore::data::cider::{Cider, CiderOptions};
use itm_explore::rank::pass::CancelToken;
use itm_explore::rank::ranking::Ranking;
use itm_explore::rank::{self, Ranks, targets};

fn pass(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("count");
    group.throughput(Throughput::Bytes(4 * (synthetic::IMAGES * synthetic::CAPTIONS) as u64));
    for (name, captions_first) in [("images first", false), ("captions first", true)] {
        let study = synthetic::study(captions_first);
        let targets = targets::targets(&study.truths, &study.gallery);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                rank::rank_targets(&study.models[0], &targets, None, &CancelToken::default())
                    .unwrap()
            });
        });
    }
    group.finish();
}

fn ranks(criterion: &mut Criterion) {
    let study = synthetic::study(false);
    let targets = targets::targets(&study.truths, &study.gallery);
    let counted = rank::rank_targets(&study.models[0], &targets, None, &CancelToken::default());
    let counted = counted.expect("no NaN in the matrix").expect("never cancelled");
    for direction in Direction::BOTH {
        let relevance = study.truths[1].relevance[direction].as_ref().unwrap();
        let (targets, counted) = (&targets[direction], &counted[direction]);
        criterion.bench_function(&format!("Ranks::from_counts {direction}"), |bencher| {
            bencher.iter(|| Ranks::from_counts(relevance, targets, counted, None));
        });
        criterion.bench_function(&format!("Ranking::for_query {direction}"), |bencher| {
            bencher.iter(|| Ranking::for_query(&study.models[0], direction, black_box(17)));
        });
    }
}

/// A caption of ten words. A few words are in many captions, most words in few.
fn text(caption: u32) -> String {
    let word = |at: u32| {
        let hash = (10 * caption + at).wrapping_mul(2_654_435_761);
        let number = 2_000_f64.powf(f64::from(hash) / f64::from(u32::MAX));
        format!("w{}", number as u32)
    };
    (0..10).map(word).collect::<Vec<String>>().join(" ")
}

/// CIDEr-D of all captions with some images, and of all images with some captions.
fn phi(criterion: &mut Criterion) {
    let texts: Vec<String> = (0..synthetic::CAPTIONS as u32).map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let own: Vec<Vec<u32>> =
        (0..texts.len() as u32).collect::<Vec<u32>>().chunks(5).map(<[u32]>::to_vec).collect();
    let options = CiderOptions::default();
    criterion.bench_function("Cider::new", |bencher| {
        bencher.iter(|| Cider::new(&texts, &own, options));
    });
    let cider = Cider::new(&texts, &own, options);
    let some: Vec<usize> = (0..100).collect();
    criterion.bench_function("Cider::rows_of_images", |bencher| {
        bencher.iter(|| cider.rows_of_images(&some));
    });
    criterion.bench_function("Cider::rows_of_captions", |bencher| {
        bencher.iter(|| cider.rows_of_captions(&some));
    });
}

/// Few samples: these show orders of magnitude, and must end in seconds.
fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(500))
}

criterion_group! { name = benches; config = settings(); targets = pass, ranks, phi }
criterion_main!(benches);
