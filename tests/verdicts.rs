//! What a person decides in the explorer, and the numbers that follow.

mod common;

use common::Harness;
use itm_explore::data::index::TruthIx;
use itm_explore::engine::Scored;
use itm_explore::metric::{Spec, map_at_r::MapAtR, ndcg::NdcgAtK};
use itm_explore::rank::ranking::Ranking;
use itm_explore::study::demo;
use itm_explore::truth::verdict::Verdict;

/// The graded metric, as the sheet of metrics has it.
const NDCG: Spec = Spec {
    metric: &NdcgAtK,
    k: 10,
};

/// The two numbers, the queries they are over, and AP@R of each query: to the last bit.
type Digits = (Option<u64>, Option<u64>, usize, Vec<u64>);

fn digits(scored: &Scored) -> Digits {
    (
        scored.r1.value.map(f64::to_bits),
        scored.map_at_r.value.map(f64::to_bits),
        scored.map_at_r.judged,
        scored.ap_at_r.iter().map(|value| value.to_bits()).collect(),
    )
}

/// The digits of what is looked at, under every truth.
fn all_digits(harness: &Harness) -> Vec<Option<Digits>> {
    let truths = TruthIx::all(&harness.app.model.study.truths);
    truths
        .map(|truth| harness.app.model.scored_by(truth).map(digits))
        .collect()
}

/// Verdicts of every kind on positives and others, in both directions.
const DECIDED: &str = "JyNjPnjy<Tab>jjj<Tab>NyP<Tab>d<Tab>jyNjN<Tab>j<Tab>yjPn";

/// The demo with these verdicts, and the demo with truths that they changed.
fn both_ways() -> (Harness, Harness) {
    let judged = Harness::demo(120, 40).keys(DECIDED);
    let mut study = demo::open().unwrap();
    for truth in &mut study.truths {
        *truth = truth.with(&judged.app.model.judgements.verdicts);
    }
    (judged, Harness::new(study, 120, 40).keys("d"))
}

#[test]
fn numbers_are_those_of_the_changed_truths() {
    let (mut found, mut expected) = both_ways();
    assert_eq!(found.app.model.judgements.verdicts.len(), 14);
    for keys in ["", "d", "m", "d"] {
        (expected, found) = (expected.keys(keys), found.keys(keys));
        assert_eq!(expected.app.model.view, found.app.model.view);
        assert!(found.app.model.is_judged());
        assert_eq!(all_digits(&expected), all_digits(&found));
    }
}

#[test]
fn every_metric_follows_too() {
    let (found, expected) = both_ways();
    // But for the graded one: truths have no weights.
    let values = |harness: Harness| -> Vec<Option<f64>> {
        let harness = harness.keys("=");
        let measured = harness.app.model.scored().unwrap().measured().unwrap();
        let plain = measured.iter().filter(|one| one.spec != NDCG);
        plain
            .flat_map(|one| [one.summary.value, one.ceiling])
            .collect()
    };
    assert_eq!(values(found), values(expected));
}

/// nDCG@10 of what is looked at, from the sheet of metrics, with what is the best possible.
fn ndcg(harness: &Harness) -> (f64, f64) {
    let measured = harness.app.model.scored().unwrap().measured().unwrap();
    let one = measured.iter().find(|one| one.spec == NDCG).unwrap();
    (one.summary.value.unwrap(), one.ceiling.unwrap())
}

/// The same from the ranking of each query, an item at a time.
fn ndcg_by_items(harness: &Harness) -> f64 {
    let app = &harness.app;
    let view = app.model.view;
    let relevance = app.model.truth().relevance[view.direction]
        .as_ref()
        .unwrap();
    let discounted = |gains: &[f64]| -> f64 {
        let top = gains.iter().zip(2..12);
        top.map(|(gain, at)| gain / f64::from(at).log2()).sum()
    };
    let mut values = Vec::new();
    for (place, &query) in relevance.queries().iter().enumerate() {
        let query = query as usize;
        let ranking = Ranking::of(&app.model.study.models[view.model], view.direction, query);
        let gain = |&item: &u32| match app.model.verdict(query, item as usize) {
            Some(verdict) => verdict.weight(),
            None => f64::from(u8::from(relevance.positives(place).contains(item))),
        };
        let gains: Vec<f64> = ranking.order.iter().map(gain).collect();
        let outside = relevance.listed(place) as usize - relevance.positives(place).len();
        let mut best = gains.clone();
        best.extend(vec![1.0; outside]);
        best.sort_by(|a, b| b.total_cmp(a));
        if best[0] > 0.0 {
            values.push(discounted(&gains) / discounted(&best));
        }
    }
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn a_partial_has_half_the_gain() {
    // On what the truth lists, and on what it does not; in both directions, for two models.
    let plain = ndcg(&Harness::demo(120, 40).keys("="));
    // A query with several positives, among the first ten.
    let mut fresh = Harness::demo(120, 40);
    while !matches!(listed(&fresh)[..], [_, second, ..] if second <= 10) {
        fresh = fresh.keys("j");
    }
    let fresh = fresh.keys("J");
    let right = listed(&fresh)[0];
    let wrong = (1..=20)
        .find(|rank| !listed(&fresh).contains(rank))
        .unwrap();
    let listed_one = at(fresh, right).keys("P=");
    assert!(listed_one.app.model.is_judged());
    let (value, _) = ndcg(&listed_one);
    assert!((value - plain.0).abs() > 1e-6);
    assert!((value - ndcg_by_items(&listed_one)).abs() < 1e-12);
    // R@1 and mAP@R see no difference.
    assert_eq!(
        listed_one.app.model.trend.map_at_r().unwrap().value,
        Harness::demo(120, 40)
            .app
            .model
            .trend
            .map_at_r()
            .unwrap()
            .value
    );
    let mut both = at(listed_one.keys("<Esc>"), wrong).keys("P=");
    for keys in ["", "<Esc>d=", "<Esc>m=", "<Esc>d="] {
        both = both.keys(keys);
        let (value, best) = ndcg(&both);
        assert!((value - ndcg_by_items(&both)).abs() < 1e-12);
        // A perfect model still gets what it got before.
        assert!((best - 1.0).abs() < 1e-3, "{best}");
    }
    let undone = both.keys("<Esc>uuuuu=");
    assert!(undone.app.model.judgements.verdicts.is_empty());
    assert_eq!(ndcg(&undone), plain);
}

#[test]
fn undo_restores_the_very_digits() {
    let fresh = Harness::demo(120, 40);
    let before = all_digits(&fresh);
    let changed = fresh.keys("JyNjP");
    let after = all_digits(&changed);
    assert_ne!(before, after);
    let undone = changed.keys("uuu");
    assert_eq!(before, all_digits(&undone));
    assert!(undone.app.model.judgements.verdicts.is_empty());
    let again = undone.keys("<Ctrl-r><Ctrl-r><Ctrl-r>");
    assert_eq!(after, all_digits(&again));
    // The history: back to the start, and from there to the last step.
    let start = again.keys("H<Home><Enter>");
    assert_eq!(before, all_digits(&start));
    let end = start.keys("<End><Enter><Esc>");
    assert_eq!(after, all_digits(&end));
    assert_eq!(end.app.model.history.steps().len(), 4);
}

#[test]
fn a_verdict_can_be_changed_and_cleared() {
    let harness = Harness::demo(120, 40);
    let before = all_digits(&harness);
    let harness = harness.keys("JjykPk");
    let query = harness.app.model.selection.query().unwrap();
    let item = harness.app.model.item().unwrap().item;
    assert_eq!(
        harness.app.model.verdict(query, item),
        Some(Verdict::Partial)
    );
    let cleared = harness.keys("<Backspace>");
    assert_eq!(cleared.app.model.verdict(query, item), None);
    assert_eq!(before, all_digits(&cleared));
    let nothing = cleared.keys("<Backspace>");
    assert_eq!(
        nothing.app.model.message.as_deref(),
        Some("no verdict to clear")
    );
    assert_eq!(nothing.app.model.history.steps().len(), 4);
}

/// The four rankings of the ECCV Caption user study, R = 8, made from one query by verdicts alone.
#[test]
fn the_example_of_the_user_study() {
    let rankings = [
        (vec![2, 3, 4, 5, 6, 7, 8], 66.0),
        (vec![1], 12.5),
        (vec![6, 7, 8], 10.3),
        (vec![5], 2.5),
    ];
    for (right, expected) in rankings {
        let mut harness = Harness::demo(120, 40).keys("J");
        // What the truth lists is taken away first, wherever it is; then eight items are right, those
        // beyond the first eight ranks counting in R alone.
        while let Some(rank) = listed(&harness).first().copied() {
            harness = at(harness, rank).keys("N");
        }
        let beyond = (9..).take(8 - right.len());
        for rank in right.iter().copied().chain(beyond) {
            harness = at(harness, rank).keys("y");
        }
        assert_eq!(listed(&harness).len(), 8);
        let query = harness.app.model.selection.query().unwrap();
        let ranks = harness
            .app
            .model
            .ranks_of(harness.app.model.view.truth, query);
        let value = Spec::new(&MapAtR).per_query(ranks.unwrap()).unwrap();
        assert!(
            (100.0 * value - expected).abs() < 0.05,
            "{right:?}: {value}"
        );
    }
}

/// The ranks of the positives of the selected query.
fn listed(harness: &Harness) -> Vec<u32> {
    let query = harness.app.model.selection.query().unwrap();
    let ranks = harness
        .app
        .model
        .ranks_of(harness.app.model.view.truth, query)
        .unwrap();
    ranks.ranks.iter().collect()
}

/// Goes to a rank of the ranking.
fn at(harness: Harness, rank: u32) -> Harness {
    harness.keys("<Home>").keys(&"j".repeat(rank as usize - 1))
}

#[test]
fn verdicts_and_history_are_on_the_screen() {
    let judged = Harness::demo(120, 40).keys("JyNjPn");
    insta::assert_snapshot!("judged", judged.screen());
    let steps = Harness::demo(100, 30).keys("JyNrmuH");
    insta::assert_snapshot!("history", steps.screen());
}
