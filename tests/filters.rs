//! The explorer's filter: which queries are listed, and what the numbers are over.

mod common;

use common::Harness;
use itm_explore::metric::{Spec, hit, map_at_r::MapAtR};

/// R@1 of the queries that are listed, one by one.
fn listed_r1(harness: &Harness) -> Vec<f64> {
    let truth = harness.app.look.truth;
    let listed = harness.app.browse.queries.iter();
    let ranks = listed.map(|&query| harness.app.ranks_of(truth, query as usize).unwrap());
    ranks
        .map(|ranks| Spec::new(&hit::R1).per_query(ranks).unwrap())
        .collect()
}

#[test]
fn queries_and_numbers_are_those_of_the_condition() {
    let all = Harness::demo(120, 40);
    let wrong = listed_r1(&all).iter().filter(|&&r1| r1 == 0.0).count();
    let count = all.app.browse.queries.len();
    let filtered = all.keys("fr1 == 0<Enter>");
    assert_eq!(filtered.app.browse.queries.len(), wrong);
    assert!(listed_r1(&filtered).iter().all(|&r1| r1 == 0.0));
    let shown = filtered.app.trend.r1().unwrap();
    assert_eq!(shown.value, Some(0.0));
    let truth = filtered.app.look.truth;
    let values: Vec<f64> = filtered
        .app
        .browse
        .queries
        .iter()
        .filter_map(|&query| {
            let ranks = filtered.app.ranks_of(truth, query as usize).unwrap();
            Spec::new(&MapAtR).per_query(ranks)
        })
        .collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let shown = filtered.app.trend.map_at_r().unwrap().value.unwrap();
    assert!((shown - mean).abs() < 1e-12);
    assert!(
        filtered
            .screen()
            .contains(&format!("filter {wrong} of {count}"))
    );
    // The condition stays when what is looked at changes, and is one step of the history.
    let other = filtered.keys("m");
    assert!(listed_r1(&other).iter().all(|&r1| r1 == 0.0));
    let back = other.keys("uu");
    assert_eq!(back.app.browse.queries.len(), count);
    let again = back.keys("<Ctrl-r><Esc>");
    assert_eq!(again.app.browse.queries.len(), count);
}

#[test]
fn a_ready_condition_is_chosen_and_a_mistake_stays_in_the_line() {
    let menu = Harness::demo(110, 30).keys("f<Down>");
    insta::assert_snapshot!("ready_conditions", menu.screen());
    let missing = menu.keys("<Enter>");
    assert!(!missing.app.browse.queries.is_empty());
    assert!(missing.app.sieve.text.contains("original.r1 == 0"));
    let mistaken = Harness::demo(110, 30).keys("fr1 == 0 and rnak > 3<Enter>");
    insta::assert_snapshot!("mistaken_condition", mistaken.screen());
    let left = mistaken.keys("<Esc>");
    assert_eq!(left.app.sieve.text, "");
}

#[test]
fn verdicts_count_in_conditions() {
    let judged = Harness::demo(120, 40).keys("<Tab>jyjN<Tab>");
    let query = judged.app.browse.queries[0];
    let found = judged.keys("fverdicts == 2<Enter>");
    assert_eq!(found.app.browse.queries, [query]);
    // Another model's numbers follow verdicts, too.
    let truth = found.app.look.truth;
    let found = found.keys("<Esc>m");
    let changed = found.app.scored_by(truth).unwrap().ap_at_r.clone();
    let back = found.keys("Mfbroad.map_at_r > 0.3<Enter>");
    let met = back.app.sifted().unwrap();
    let relevance = back.app.truth().relevance[back.app.look.direction].as_ref();
    let relevance = relevance.unwrap();
    let expected = (0..300).filter(|&query| {
        let place = relevance.place(query);
        place.is_some_and(|place| changed[place] > 0.3)
    });
    assert!(met.iter().map(|&query| query as usize).eq(expected));
}
