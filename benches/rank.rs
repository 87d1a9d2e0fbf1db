//! Counting ranks: the pass over a matrix, the ranks of one truth, the ranking of one query.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod synthetic;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

use itm_explore::data::Direction;
use itm_explore::rank::pass::CancelToken;
use itm_explore::rank::ranking::Ranking;
use itm_explore::rank::{self, Ranks, targets};

fn pass(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("count");
    group.throughput(Throughput::Bytes(
        4 * (synthetic::IMAGES * synthetic::CAPTIONS) as u64,
    ));
    for (name, captions_first) in [("images first", false), ("captions first", true)] {
        let study = synthetic::study(captions_first);
        let targets = targets::targets(&study.truths, &study.gallery);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                rank::count(&study.models[0], &targets, None, &CancelToken::default()).unwrap()
            });
        });
    }
    group.finish();
}

fn ranks(criterion: &mut Criterion) {
    let study = synthetic::study(false);
    let targets = targets::targets(&study.truths, &study.gallery);
    let counted = rank::count(&study.models[0], &targets, None, &CancelToken::default());
    let counted = counted
        .expect("no NaN in the matrix")
        .expect("never cancelled");
    for direction in Direction::BOTH {
        let relevance = study.truths[1].relevance[direction].as_ref().unwrap();
        let (targets, counted) = (&targets[direction], &counted[direction]);
        criterion.bench_function(&format!("Ranks::of {direction}"), |bencher| {
            bencher.iter(|| Ranks::of(relevance, targets, counted, None));
        });
        criterion.bench_function(&format!("Ranking::of {direction}"), |bencher| {
            bencher.iter(|| Ranking::of(&study.models[0], direction, black_box(17)));
        });
    }
}

/// Few samples: these show orders of magnitude, and must end in seconds.
fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(500))
}

criterion_group! { name = benches; config = settings(); targets = pass, ranks }
criterion_main!(benches);
