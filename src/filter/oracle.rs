//! Values compared with naive computation: every ranking sorted, every item checked.

use std::sync::Arc;

use super::*;
use crate::data::Direction;
use crate::data::index::{ItemIx, ModelIx, TruthIx};
use crate::rank::pass::CancelToken;
use crate::rank::ranking::Ranking;
use crate::study::demo;
use crate::truth::standing::{Badge, Standing};

/// The demo with a second rich truth, shared by some of the queries.
pub(super) fn study() -> Study {
    let mut study = demo::open().unwrap();
    let mut further = study.truths[2].clone();
    "further".clone_into(&mut further.name);
    further.kind = crate::truth::Kind::Rich;
    study.truths.push(further);
    study
}

/// A study with its counts.
pub(super) struct Facts<'a> {
    pub study: &'a Study,
    pub counts: FilterInputs,
}

/// All views of one direction.
pub(super) fn counts(study: &Study, direction: Direction) -> Facts<'_> {
    let mut views = Vec::new();
    for model in ModelIx::all(&study.models) {
        let view = |truth| View { model, truth, direction };
        views.extend(TruthIx::all(&study.truths).map(view));
    }
    let needs = Needs { views, ..Needs::default() };
    let counts = FilterInputs::compute(study, direction, &needs, &CancelToken::default()).unwrap();
    Facts { study, counts }
}

fn number(facts: &Facts<'_>, view: View, text: &str, query: usize) -> Option<f64> {
    let key = Expression::number(text, facts.study, view);
    let key = key.unwrap_or_else(|mistake| panic!("{mistake}"));
    key.bind(facts.study, &facts.counts).unwrap().number(query)
}

pub(super) fn met(facts: &Facts<'_>, view: View, text: &str, query: usize) -> Option<bool> {
    let filter = Expression::condition(text, facts.study, view);
    let filter = filter.unwrap_or_else(|mistake| panic!("{mistake}"));
    filter.bind(facts.study, &facts.counts).unwrap().is_met(query)
}

#[test]
fn values_are_those_of_the_sorted_rankings() {
    let study = study();
    for direction in Direction::BOTH {
        let facts = counts(&study, direction);
        for model in ModelIx::all(&study.models) {
            for query in (0..study.gallery.queries(direction).len()).step_by(7) {
                let order = Ranking::for_query(&study.models[model], direction, query).order;
                compare_truths(&facts, model, direction, query, &order);
                compare_non_gt(&facts, model, direction, query, &order);
            }
        }
    }
}

fn compare_truths(
    facts: &Facts<'_>,
    model: ModelIx,
    direction: Direction,
    query: usize,
    order: &[u32],
) {
    for (at, truth) in TruthIx::enumerate(&facts.study.truths) {
        let view = View { model, truth: at, direction };
        let standing = |item: &u32| truth.standing(direction, query.into(), (*item).into());
        let judged = standing(&order[0]) != Standing::NotCovered;
        let right: Vec<bool> =
            order.iter().map(|item| standing(item) == Standing::Positive).collect();
        let first = right.iter().position(|right| *right);
        let first = first.filter(|_| judged).map(|at| at as f64 + 1.0);
        let top = |k: usize| right[..k].iter().filter(|right| **right).count() as f64;
        let value = |text: &str| number(facts, view, text, query);
        assert_eq!(value("rank"), first);
        assert_eq!(value("covered"), Some(f64::from(u8::from(judged))));
        for k in [1, 5, 30] {
            let text = format!("positives_in_top({k})");
            assert_eq!(value(&text), judged.then(|| top(k)), "{text}");
        }
        assert_eq!(value("r5"), judged.then(|| f64::from(u8::from(top(5) > 0.0))));
        compare_precision(facts, view, query, &right);
    }
}

/// R and AP@R; `right` is true for ranks with a positive.
fn compare_precision(facts: &Facts<'_>, view: View, query: usize, right: &[bool]) {
    let truth = &facts.study.truths[view.truth];
    let listed = truth.relevance[view.direction].as_ref().and_then(|relevance| {
        let place = relevance.place(query)?;
        Some(relevance.total_positives(place) as usize)
    });
    assert_eq!(number(facts, view, "r", query), listed.map(|listed| listed as f64));
    // A prefix acts as the view.
    let model = &facts.study.models[view.model].name;
    let elsewhere = View { model: ModelIx::new(0), truth: TruthIx::new(0), ..view };
    let named = format!("{}.{model}.ap_at_r", truth.name);
    let ap = number(facts, elsewhere, &named, query);
    let top = |k: usize| right[..k].iter().filter(|right| **right).count() as f64;
    let precisions = |listed: usize| {
        let hits = (1..=listed).filter(|&k| right.get(k - 1) == Some(&true));
        hits.map(|k| top(k) / k as f64).sum::<f64>() / listed as f64
    };
    let wanted = listed.filter(|&listed| listed > 0).map(precisions);
    assert_eq!(ap.is_some(), wanted.is_some());
    assert!((ap.unwrap_or_default() - wanted.unwrap_or_default()).abs() < 1e-12);
}

fn compare_non_gt(
    facts: &Facts<'_>,
    model: ModelIx,
    direction: Direction,
    query: usize,
    order: &[u32],
) {
    let study = facts.study;
    let view = View { model: ModelIx::new(0), truth: TruthIx::new(0), direction };
    let judged = [1, 3].iter().any(|&truth| {
        let standing = study.truths[truth].standing(direction, query.into(), ItemIx::default());
        standing != Standing::NotCovered
    });
    for k in [1, 5, 40] {
        let badge = |item: &&u32| study.badge(None, direction, query.into(), (**item).into());
        let non_gt = order[..k].iter().filter(|item| badge(item) == Badge::NonGt);
        let text = format!("non_gt_in_top({}, {k})", study.models[model].name);
        let wanted = judged.then(|| non_gt.count() as f64);
        assert_eq!(number(facts, view, &text, query), wanted, "{text} {query}");
    }
}

pub(super) const VIEW: View =
    View { model: ModelIx::new(0), truth: TruthIx::new(1), direction: Direction::T2i };

#[test]
fn what_is_unknown_stays_unknown_unless_the_other_side_decides() {
    let study = study();
    let facts = counts(&study, Direction::T2i);
    let rich = study.truths[1].relevance[Direction::T2i].as_ref().unwrap();
    let judged = rich.queries()[0] as usize;
    let other = (0..300).find(|&query| rich.place(query).is_none()).unwrap();
    for (text, wanted) in [
        ("r1 == 1", None),
        ("not r1 == 1", None),
        ("r1 or not r1", None),
        ("covered", Some(false)),
        ("not covered", Some(true)),
        ("r1 == 1 and covered", Some(false)),
        ("covered and r1 == 1", Some(false)),
        ("r1 == 1 or not covered", Some(true)),
        ("not covered or r1 == 1", Some(true)),
        ("r1 == 1 and not covered", None),
        ("1 / 0 > 0", None),
        ("original.covered and original.rank >= 1", Some(true)),
        ("picked or judgments > 0", Some(false)),
    ] {
        assert_eq!(met(&facts, VIEW, text, other), wanted, "{text}");
    }
    assert_eq!(met(&facts, VIEW, "covered and r >= 1", judged), Some(true));
}

#[test]
fn texts_and_ids() {
    let study = demo::open().unwrap();
    let both = |direction, query: usize, texts: &[(&str, bool)]| {
        let facts = counts(&study, direction);
        for (text, wanted) in texts {
            let view = View { direction, ..VIEW };
            assert_eq!(met(&facts, view, text, query), Some(*wanted), "{text}");
        }
    };
    let caption = study.gallery.texts[4].shown();
    let (some, count) = (caption[2..9].to_uppercase(), caption.split_whitespace().count());
    let id = &study.gallery.captions[4];
    both(
        Direction::T2i,
        4,
        &[
            (&format!("text ~ \"{some}\""), true),
            (&format!("text == \"{caption}\" and words == {count}"), true),
            (&format!("text != \"{some}\" and not text ~ \"xyz\""), true),
            (&format!("id == {id} and id == \"{id}\" and id <= {id} and {id} >= id"), true),
            (&format!("id != {id} or id > {id} or id ~ \"x\""), false),
        ],
    );
    let own = study.original_items(Direction::I2t, 2).first().unwrap() as usize;
    let caption = study.gallery.texts[own].shown();
    both(Direction::I2t, 2, &[(&format!("text == \"{caption}\""), true)]);
}

#[test]
fn sorted_by_a_number_with_the_unknown_last() {
    let study = demo::open().unwrap();
    let facts = counts(&study, Direction::T2i);
    let rich = study.truths[1].relevance[Direction::T2i].as_ref().unwrap();
    let mut queries: Vec<u32> = (0..300).collect();
    let key = Expression::number("-rank", &study, VIEW).unwrap();
    let sorted = key.bind(&study, &facts.counts).unwrap();
    sorted.sort(&mut queries);
    assert!(queries[rich.len()..].is_sorted());
    let ranks: Vec<Option<f64>> = queries.iter().map(|&q| sorted.number(q as usize)).collect();
    assert!(ranks[..rich.len()].iter().all(Option::is_some));
    assert!(ranks[..rich.len()].is_sorted_by(|a, b| a <= b));
}

/// Ranks of a part of the gallery have some of the queries.
#[test]
fn ranks_of_some_queries_are_found_too() {
    let study = demo::open().unwrap();
    let facts = counts(&study, Direction::T2i);
    let whole = facts.counts.ranks(VIEW).unwrap();
    let ranks = Arc::new(whole.to_ranks().filter_queries(|query| query % 3 == 1));
    let part = FilterInputs { ranks: vec![(VIEW, ranks.into())], ..FilterInputs::default() };
    let key = Expression::number("rank", &study, VIEW).unwrap();
    for &query in whole.queries() {
        let wanted = number(&facts, VIEW, "rank", query as usize);
        let wanted = wanted.filter(|_| query % 3 == 1);
        assert_eq!(key.bind(&study, &part).unwrap().number(query as usize), wanted);
    }
    let filter = Expression::condition("broad.r1 == 1", &study, VIEW).unwrap();
    let none = FilterInputs::compute(&study, Direction::T2i, &VIEW.into(), &CancelToken::default())
        .unwrap();
    assert!(filter.bind(&study, &none).is_none());
}
