//! Metrics over the ranks of one truth, and a whole evaluation.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod synthetic;

use criterion::{Criterion, criterion_group, criterion_main};

use itm_explore::data::Direction;
use itm_explore::evaluate::evaluate;
use itm_explore::evaluate::plan::{Choice, Request};
use itm_explore::metric::{METRICS, Spec};
use itm_explore::rank::pass::CancelToken;
use itm_explore::rank::{self, Ranks, targets};

fn each_metric(criterion: &mut Criterion) {
    let study = synthetic::study(false);
    let targets = targets::targets(&study.truths, &study.gallery);
    let counted = rank::rank_targets(&study.models[0], &targets, None, &CancelToken::default());
    let counted = counted.expect("no NaN in the matrix").expect("never cancelled");
    let direction = Direction::T2i;
    let relevance = study.truths[1].relevance[direction].as_ref().unwrap();
    let (targets, counted) = (&targets[direction], &counted[direction]);
    let ranks = Ranks::from_counts(relevance, targets, counted, None);
    let mut group = criterion.benchmark_group("metric");
    for &metric in METRICS {
        let spec = Spec { metric, k: 10 };
        group.bench_function(metric.key(), |bencher| {
            bencher.iter(|| spec.summary(&ranks));
        });
    }
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let study = synthetic::study(false);
    let request = Request { metrics: Choice::All, depths: vec![1, 5, 10], ..Request::default() };
    criterion.bench_function("evaluate", |bencher| {
        bencher.iter(|| evaluate(&study, &request, &CancelToken::default()).unwrap());
    });
}

/// Few samples: these show orders of magnitude, and must end in seconds.
fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(500))
}

criterion_group! { name = benches; config = settings(); targets = each_metric, evaluation }
criterion_main!(benches);
