//! Judgments in the explorer, and the numbers that depend on them.

use crate::common;

use common::{Harness, reopened};
use itm_explore::annotate::pool::{
    self, EarlierAnswer, OtherAnnotators, Plan, Pool, PoolHead, gather_candidates,
};
use itm_explore::data::PerDirection;
use itm_explore::data::index::{ModelIx, TruthIx};
use itm_explore::jobs::ViewMetrics;
use itm_explore::metric::{Spec, map_at_r::MapAtR, ndcg::NdcgAtK};
use itm_explore::session::Session;
use itm_explore::study::demo;
use itm_explore::truth::judgment::{Judgment, Pair};
use itm_explore::truth::response::Response;
use itm_explore::truth::standing::Badge;
use itm_explore::tui::action::Action;
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::Key;
use itm_explore::tui::sort::Sort;
use itm_explore::tui::state::items::Top;
use itm_explore::tui::state::pool::PoolToJudge;

/// The graded metric, as the sheet of metrics has it.
const NDCG: Spec = Spec { metric: &NdcgAtK, k: 10 };

/// The two numbers, the queries they are over, and AP@R of each query: to the last bit.
type Digits = (Option<u64>, Option<u64>, usize, Vec<u64>);

fn digits(metrics: &ViewMetrics) -> Digits {
    (
        metrics.r1.value.map(f64::to_bits),
        metrics.map_at_r.value.map(f64::to_bits),
        metrics.map_at_r.judged,
        metrics.ap_at_r.iter().map(|value| value.to_bits()).collect(),
    )
}

/// The digits of what is looked at, under every truth.
fn all_digits(harness: &Harness) -> Vec<Option<Digits>> {
    let truths = TruthIx::all(&harness.app.model.study.truths);
    truths.map(|truth| harness.app.model.metrics_under(truth).map(digits)).collect()
}

/// Judgments of every kind on positives and others, in both directions.
const DECIDED: &str = "<Tab>JUyNjPnjy<Tab>jjj<Tab>NyP<Tab>d<Tab>jyNjN<Tab>j<Tab>yjPn";

/// The demo with these judgments, and the demo with truths that they changed.
fn both_ways() -> (Harness, Harness) {
    let judged = Harness::demo(120, 40).keys(DECIDED);
    let mut study = demo::open().unwrap();
    for truth in &mut study.truths {
        *truth = truth.with_judgments(&judged.app.model.judgments.decided);
    }
    (judged, Harness::new(study, 120, 40).keys("d"))
}

#[test]
fn numbers_are_those_of_the_changed_truths() {
    let (mut found, mut expected) = both_ways();
    assert_eq!(found.app.model.judgments.decided.len(), 14);
    for keys in ["", "d", "m", "d"] {
        (expected, found) = (expected.keys(keys), found.keys(keys));
        assert_eq!(expected.app.model.view, found.app.model.view);
        assert!(found.app.model.is_view_edited());
        assert_eq!(all_digits(&expected), all_digits(&found));
    }
}

#[test]
fn every_metric_follows_too() {
    let (found, expected) = both_ways();
    // But for the graded one: truths have no weights.
    let values = |harness: Harness| -> Vec<Option<f64>> {
        let harness = harness.keys("=");
        let all = harness.app.model.metrics().unwrap().metric_values().unwrap();
        let of_positives = all.iter().filter(|one| !one.spec.metric.needs_judgments());
        let plain = of_positives.filter(|one| one.spec != NDCG);
        plain.flat_map(|one| [one.summary.value, one.ceiling]).collect()
    };
    assert_eq!(values(found), values(expected));
}

/// nDCG@10 of what is looked at, from the sheet of metrics, with what is the best possible.
fn ndcg(harness: &Harness) -> (f64, f64) {
    let all = harness.app.model.metrics().unwrap().metric_values().unwrap();
    let one = all.iter().find(|one| one.spec == NDCG).unwrap();
    (one.summary.value.unwrap(), one.ceiling.unwrap())
}

/// On what the truth lists, and on what it does not; in both directions, for two models.
#[test]
fn a_partial_changes_ndcg_alone() {
    let plain = ndcg(&Harness::demo(120, 40).keys("="));
    // A query with several positives, among the first ten.
    let mut fresh = Harness::demo(120, 40);
    while !matches!(listed(&fresh)[..], [_, second, ..] if second <= 10) {
        fresh = fresh.keys("j");
    }
    let fresh = fresh.keys("<Tab>JU");
    let before = fresh.app.model.header_values().unwrap()[1].value;
    let right = listed(&fresh)[0];
    let wrong = (1..=20).find(|rank| !listed(&fresh).contains(rank)).unwrap();
    let listed_one = at(fresh, right).keys("P=");
    assert!(listed_one.app.model.is_view_edited());
    assert!((ndcg(&listed_one).0 - plain.0).abs() > 1e-6);
    // R@1 and mAP@R see no difference.
    assert_eq!(listed_one.app.model.header_values().unwrap()[1].value, before);
    let mut both = at(listed_one.keys("<Esc>"), wrong).keys("P=");
    for keys in ["", "<Esc>d=", "<Esc>m=", "<Esc>d="] {
        both = both.keys(keys);
        // A perfect model still gets what it got before.
        let (value, best) = ndcg(&both);
        assert!(value < best && (best - 1.0).abs() < 1e-3, "{value} {best}");
    }
    let undone = both.keys("<Esc>uuuuu=");
    assert!(undone.app.model.judgments.decided.is_empty());
    assert_eq!(ndcg(&undone), plain);
}

#[test]
fn undo_restores_the_very_digits() {
    let fresh = Harness::demo(120, 40);
    let before = all_digits(&fresh);
    let changed = fresh.keys("<Tab>JUyNjP");
    let after = all_digits(&changed);
    assert_ne!(before, after);
    let undone = changed.keys("uuu");
    assert_eq!(before, all_digits(&undone));
    assert!(undone.app.model.judgments.decided.is_empty());
    let again = undone.keys("<Ctrl-r><Ctrl-r><Ctrl-r>");
    assert_eq!(after, all_digits(&again));
    assert_eq!(again.app.model.history.steps().len(), 4);
}

#[test]
fn a_judgment_can_be_changed_and_cleared() {
    let harness = Harness::demo(120, 40);
    let before = all_digits(&harness);
    let harness = harness.keys("<Tab>JUjykPk");
    let query = harness.app.model.selection.query().unwrap();
    let item = harness.app.model.item().unwrap().item;
    assert_eq!(harness.app.model.judgment(query, item), Some(Judgment::Partial));
    let cleared = harness.keys("<Backspace>");
    assert_eq!(cleared.app.model.judgment(query, item), None);
    assert_eq!(before, all_digits(&cleared));
    let nothing = cleared.keys("<Backspace>");
    assert_eq!(nothing.message(), "no judgment to clear");
    assert_eq!(nothing.app.model.history.steps().len(), 4);
}

/// The four rankings of the ECCV Caption user study, R = 8, made from one query by judgments alone.
#[test]
fn the_example_of_the_user_study() {
    let rankings =
        [(vec![2, 3, 4, 5, 6, 7, 8], 66.0), (vec![1], 12.5), (vec![6, 7, 8], 10.3), (vec![5], 2.5)];
    for (right, expected) in rankings {
        let mut harness = Harness::demo(120, 40).keys("<Tab>JU");
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
        let ranks = harness.app.model.ranks_of(harness.app.model.view.truth, query);
        let value = Spec::new(&MapAtR).per_query(ranks.unwrap()).unwrap();
        assert!((100.0 * value - expected).abs() < 0.05, "{right:?}: {value}");
    }
}

/// The ranks of the positives of the selected query.
fn listed(harness: &Harness) -> Vec<u32> {
    let query = harness.app.model.selection.query().unwrap();
    let ranks = harness.app.model.ranks_of(harness.app.model.view.truth, query).unwrap();
    ranks.ranks.iter().collect()
}

/// Goes to a rank of the ranking.
fn at(harness: Harness, rank: u32) -> Harness {
    harness.keys("<Home>").keys(&"j".repeat(rank as usize - 1))
}

/// Place of the selected query in the list, and of the selected item in its ranking.
fn place(harness: &Harness) -> (usize, usize) {
    let selection = &harness.app.model.selection;
    (selection.selected, selection.item)
}

/// Response to the selected pair.
fn response(harness: &Harness) -> Option<Response> {
    let model = &harness.app.model;
    let (query, item) = (model.selection.query().unwrap(), model.item().unwrap());
    model.response(query, item.item)
}

#[test]
fn nothing_is_judged_outside_the_mode() {
    for key in ["y", "<Enter>y", "<Backspace>", "X", "}", ":judge-no<Enter>"] {
        let harness = Harness::demo(120, 40).keys("<Tab>").keys(key);
        assert_eq!(harness.message(), "J begins judging", "{key}");
        assert_eq!(harness.app.model.history.present(), 0, "{key}");
    }
    let searched = Harness::demo(120, 40).keys("/kite<Enter><Alt-n><Alt-n><Alt-N><Tab><Alt-n>");
    assert!(searched.app.model.judgments.is_empty());
    let none = Harness::demo(120, 40).keys("<Alt-n>");
    assert_eq!(none.message(), "no search: / begins one");
    for keys in ["J<Esc>", "JJ", "JyJ"] {
        let left = Harness::demo(120, 40).keys(keys);
        assert!(!left.app.model.judging.is_on, "{keys}");
        assert!(!left.screen().contains("JUDGING"));
    }
    // On a screen without rankings it begins where there are some.
    let begun = Harness::demo(120, 40).keys("3J");
    assert_eq!(begun.app.current_tab(), Action::Browse);
    assert!(begun.app.model.judging.is_on);
}

#[test]
fn n_and_its_capital_go_round_the_matches_of_a_search() {
    let found = Harness::demo(120, 40).keys("/kite<Enter>");
    let matched = found.app.model.selection.queries.clone();
    let end = matched.len() - 1;
    let mut harness = found.keys(&"<Alt-n>".repeat(end));
    assert_eq!(place(&harness).0, end);
    for (key, to) in [("<Alt-n>", 0), ("<Alt-N>", end)] {
        assert!(!harness.message().contains("wrapped") || to == end);
        harness = harness.keys(key);
        assert_eq!(place(&harness).0, to);
        assert!(harness.message().ends_with("of /kite, wrapped"), "{}", harness.message());
    }
    // The search ends; in the whole list its matches are still gone to, the best first unless the queries are sorted.
    for order in ["", "s"] {
        let found = Harness::demo(120, 40).keys(&format!("{order}/kite<Enter>"));
        let matched = found.app.model.selection.queries.clone();
        let mut whole = found.keys("<Esc>g");
        assert_eq!(whole.app.model.selection.queries.len(), 120);
        for _ in 0..matched.len() {
            whole = whole.keys("<Alt-n>");
            let query = whole.app.model.selection.query().unwrap() as u32;
            let number = matched.iter().position(|&of| of == query).unwrap() + 1;
            let words = format!("match {number} of {} of /kite", matched.len());
            assert!(whole.message().starts_with(&words), "{}", whole.message());
        }
        // Those of the other direction are none of it.
        assert!(whole.keys("d<Alt-n>").message().starts_with("no search"));
    }
}

#[test]
fn an_answer_goes_on_to_the_next_pair_without_one() {
    let mut harness = Harness::demo(120, 40).depth(5).keys("<Tab>JU");
    assert_eq!(harness.app.model.left_to_judge(), 5 * 120);
    for (keys, there, left) in [
        ("yPnN", (0, 4), 596),
        ("-", (1, 0), 595),
        // What is taken back is asked again, where it was asked.
        ("u", (0, 4), 596),
        ("u", (0, 3), 597),
        // An item that has an answer is skipped; a skipped one comes when the others are done.
        ("jy", (0, 3), 596),
        ("y", (1, 0), 595),
        // The answers are still there, and can be changed or cleared.
        ("<Tab>k<Tab>N", (1, 0), 595),
        ("<Tab>k<Tab>j<Backspace>", (0, 1), 596),
    ] {
        harness = harness.keys(keys);
        assert_eq!((place(&harness), response(&harness)), (there, None), "{keys}");
        assert_eq!(harness.app.model.left_to_judge(), left, "{keys}");
    }
}

/// Whether the ground truth looked at lists the selected item.
fn is_listed(harness: &Harness) -> bool {
    let model = &harness.app.model;
    let relevance = model.truth().relevance[model.view.direction].as_ref();
    let (query, item) = (model.selection.query(), model.item());
    let item = item.unwrap().item;
    relevance.unwrap().contains(query.unwrap().into(), item.into()) == Some(true)
}

#[test]
fn what_the_ground_truth_lists_is_asked_on_request_alone() {
    let begun = Harness::demo(120, 40).depth(5).keys("J");
    let model = &begun.app.model;
    let (truth, mut left) = (model.view.truth, 0);
    for &query in &model.selection.queries {
        let ranks = model.ranks_of(truth, query as usize).unwrap().ranks;
        left += 5 - ranks.iter().filter(|rank| *rank <= 5).count();
    }
    assert!(left < 5 * 120);
    assert_eq!(model.left_to_judge(), left);
    begun.shows(" unjudged pairs in the top 5");
    // It is not known before ranks are counted.
    let mut uncounted = Harness::unsettled(demo::open().unwrap(), 120, 40);
    for key in Key::sequence("J").unwrap() {
        uncounted.app.handle(Event::Key(key));
    }
    uncounted.shows("… unjudged pairs in the top");
    // One by one, the items that are not listed.
    let mut harness = begun;
    for more in 1..=12 {
        assert!(!is_listed(&harness));
        harness = harness.keys("N");
        assert_eq!(harness.app.model.left_to_judge(), left - more);
    }
    // An answer for a positive is none of these; the others are asked too where that is wanted.
    let listed = Harness::demo(120, 40).depth(5).keys("jj<Tab>J<Home>");
    assert!(is_listed(&listed));
    let answered = listed.keys("N");
    assert_eq!(answered.app.model.judgments.decided.len(), 1);
    assert_eq!(answered.app.model.left_to_judge(), left);
    let all = answered.keys("U");
    assert_eq!(all.message(), "asking about every item");
    assert_eq!(all.app.model.left_to_judge(), 5 * 120 - 1);
    let back = all.keys("U");
    assert_eq!(back.message(), "asking about items that rich does not list");
    assert_eq!(back.app.model.left_to_judge(), left);
}

#[test]
fn what_is_left_ends_with_the_list() {
    let listed = Harness::demo(120, 40).depth(5).keys("/red kite<Enter><Tab>JU");
    let queries = listed.app.model.selection.queries.len();
    assert_eq!(listed.app.model.left_to_judge(), 5 * queries);
    // From the last query on it goes to the first.
    let done = listed.keys("<Tab>G<Tab>").keys(&"y".repeat(5 * queries));
    // Then it asks about one more item of each.
    assert_eq!(done.app.model.judging.depth, 6);
    assert_eq!(done.app.model.left_to_judge(), queries);
    assert_eq!(done.app.model.judgments.decided.len(), 5 * queries);
    assert_eq!(place(&done), (0, 5));
}

#[test]
fn what_cannot_be_told_counts_as_nothing_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.itm.json");
    let open = || Harness::demo(120, 40).on_session(Session::open(&path).unwrap(), "mk");
    let before = open();
    let digits = all_digits(&before);
    let told = before.keys("<Tab>JU---");
    assert_eq!(digits, all_digits(&told));
    assert_eq!(told.app.model.judgments.decided.len(), 0);
    assert!(!told.app.model.is_view_edited());
    assert_eq!(place(&told), (0, 3));
    drop(told);
    let opened = reopened(&path);
    assert_eq!(opened.session.response_counts("mk")[1], 3);
    let gallery = demo::open().unwrap().gallery;
    assert!(opened.session.judgments_in(&gallery, "mk").0.is_empty());
    // It is not asked again, and gives way to a judgment.
    let again = Harness::demo(120, 40).on_session(opened, "mk").keys("J");
    assert_eq!(place(&again), (0, 3));
    let changed = again.keys("ky");
    assert_eq!(changed.app.model.judgments.decided.len(), 1);
    assert_eq!(place(&changed), (0, 3));
    assert_ne!(digits, all_digits(&changed.keys("d").keys("d")));
}

#[test]
fn blind_nothing_tells_how_an_item_stands() {
    let blind = Harness::demo(120, 40).keys("<Tab>JUyX");
    insta::assert_snapshot!("blind", blind.screen());
    for key in ["2", "3", "4", "5", "]", "[", "=", "T", "C", "%", "v", "e", "V", ":metrics<Enter>"]
    {
        let refused = Harness::demo(120, 40).keys("JX").keys(key);
        let said = refused.message();
        assert!(said.starts_with("blind: ") && said.contains("X shows"), "{said}");
        assert!(refused.app.popup.is_none(), "{key}");
    }
    blind.keys("<Enter>").lacks("score 0").lacks("rank 2");
    // Rows between those that are asked about tell what they are, unless all are.
    let begun = Harness::demo(120, 40).keys("JX");
    assert!(begun.message().ends_with("U asks about every item"));
    let screen = begun.screen();
    // Begun on a screen that shows ranks, it goes to the one that is judged on.
    let above = |screen: &str| screen.lines().take(39).collect::<String>();
    for keys in ["J2X", "2JX", "JX<Esc>2J"] {
        let led = Harness::demo(120, 40).keys(keys);
        assert_eq!(above(&led.screen()), above(&screen), "{keys}");
    }
    // Outside of the mode everything is shown, and in it again nothing.
    let left = begun.keys("<Esc>");
    left.shows("R@1 7");
    left.keys("J").shows("blind");
}

/// Where the ranking's frame cuts it, and where nothing else is told.
#[test]
fn the_query_is_read_in_full_while_one_judges() {
    let begun = Harness::demo(80, 24).keys("J");
    let model = &begun.app.model;
    let length = |at: &usize| {
        let query = model.selection.queries[*at] as usize;
        model.study.gallery.caption(query).len()
    };
    let longest = (0..model.selection.queries.len()).max_by_key(length);
    let longest = longest.unwrap();
    let long = begun.keys(&format!("<Tab><Home>{}<Tab>", "j".repeat(longest)));
    let model = &long.app.model;
    let text = model.study.gallery.caption(model.selection.query().unwrap());
    let has_end = |harness: &Harness| {
        let end = text.split(' ').next_back().unwrap();
        harness.screen().lines().skip(16).any(|line| line.contains(end))
    };
    assert!(has_end(&long), "{}", long.screen());
    assert!(has_end(&long.keys("X")));
    let blind = Harness::demo(80, 24).keys("djjJX");
    let name = blind.app.model.study.gallery.image(blind.app.model.selection.query().unwrap());
    blind.shows(&name);
}

#[test]
fn the_mode_is_on_the_screen_at_every_size() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.itm.json");
        let harness = Harness::demo(columns, rows);
        let harness = harness.on_session(Session::open(&path).unwrap(), "mk");
        let judged = harness.keys("<Tab>JUyPnN-");
        insta::assert_snapshot!(format!("judging_{columns}x{rows}"), judged.screen());
    }
    let low = Harness::demo(60, 10).keys("J");
    low.shows(" left");
}

/// Among the captions of its own image, the query itself would tell which image that is.
/// A condition may tell how items stand: blind, there is only that a filter is in force.
#[test]
fn blind_the_condition_of_a_filter_is_hidden() {
    for columns in [80, 120, 160] {
        let judged = Harness::demo(columns, 40).keys("frich.r1 == 0<Enter><Tab>JU");
        judged.shows("[rich.r1");
        let blind = judged.keys("X");
        let screen = blind.screen();
        assert!(!screen.contains("r1"), "{screen}");
        let header = screen.lines().next().unwrap();
        assert!(header.contains("  filter "), "{header}");
        assert!(blind.keys("X").screen().contains("[rich.r1"));
    }
}

#[test]
fn blind_an_image_is_not_told_by_the_query_itself() {
    let open = Harness::demo(120, 40).keys("jj<Tab>JU");
    let query = open.app.model.selection.query().unwrap();
    let text = open.app.model.study.gallery.caption(query);
    let start: String = text.chars().take(16).collect();
    let count = |harness: &Harness| harness.screen().matches(&start).count();
    let seen = count(&open);
    assert_eq!(open.app.model.top_1_status(query), Top::Known(Badge::Original));
    let blind = open.keys("X");
    // In the list of queries, over the ranking, and in full beside it.
    assert_eq!((seen > 2, count(&blind)), (true, 3), "{}", blind.screen());
}

/// The first items of two models of the demo, for two images and two captions.
fn pooled() -> Pool {
    let study = demo::open().unwrap();
    let plan = Plan {
        study: &study,
        models: ModelIx::all(&study.models).take(2).collect(),
        truths: vec![],
        queries: PerDirection { i2t: vec![0, 4], t2i: vec![7, 250] },
        top: 4,
    };
    let candidates = gather_candidates(&plan).unwrap();
    let head = PoolHead {
        format: pool::FORMAT.into(),
        top: 4,
        models: vec!["careful".into(), "broad".into()],
        truths: vec![],
        queries: PerDirection { i2t: 2, t2i: 2 },
        chosen: "listed".into(),
        order: "depth".into(),
        seed: 5,
        overlap: 1,
    };
    Pool::from_candidates(head, &candidates, &study.gallery)
}

/// The demo, where the pairs of the pool are judged.
fn on_pool(columns: u16, rows: u16, others: &OtherAnnotators) -> Harness {
    let mut harness = Harness::demo(columns, rows);
    harness.app.judge_pool(to_judge(others));
    harness.settled()
}

fn to_judge(others: &OtherAnnotators) -> PoolToJudge {
    PoolToJudge { pool: pooled(), others: others.clone(), file: None }
}

fn nobody_else() -> OtherAnnotators {
    OtherAnnotators { overlap: 1, ..OtherAnnotators::default() }
}

/// The selected pair.
fn at_hand(harness: &Harness) -> Pair {
    let model = &harness.app.model;
    let (query, item) = (model.selection.query().unwrap(), model.item().unwrap().item);
    Pair::from_query(model.view.direction, query.into(), item.into())
}

#[test]
fn every_pair_of_a_pool_is_asked_about_once_and_blind() {
    let mut harness = on_pool(120, 40, &nobody_else());
    let all = pooled().pairs.len();
    assert!(harness.app.model.judging.is_on && harness.app.model.is_blind());
    let mut asked = Vec::new();
    while harness.app.model.left_in_queue() > Some(0) {
        asked.push(at_hand(&harness));
        harness = harness.keys("n");
    }
    let mut once = asked.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((asked.len(), once.len()), (all, all));
    let study = demo::open().unwrap();
    let of_pool = pooled();
    let mut pairs = of_pool.pairs.iter();
    assert!(pairs.all(|one| {
        let pair = Pair::find(&study.gallery, &one.image, &one.caption).unwrap();
        asked.contains(&pair)
    }));
    assert!(harness.message().starts_with("nothing left: all"), "{}", harness.message());
    // Nothing but the answers is a step.
    assert_eq!(harness.app.model.history.present(), all);
}

/// Redo selects the pair of the judgment, as undo does.
#[test]
fn an_answer_that_is_redone_is_selected_again() {
    let judged = Harness::demo(120, 40).keys("<Tab>JUyNy");
    let digits = all_digits(&judged);
    let undone = judged.keys("u");
    let at = |harness: &Harness| {
        let selection = &harness.app.model.selection;
        (selection.query(), selection.item)
    };
    let answered = at(&undone);
    let again = undone.keys("<Ctrl-r>");
    assert!(again.message().starts_with("redone: yes"), "{}", again.message());
    assert_eq!((at(&again), all_digits(&again)), (answered, digits));
    // In a pool, too.
    let undone = on_pool(120, 40, &nobody_else()).keys("yNu");
    let answered = at_hand(&undone);
    assert_eq!(at_hand(&undone.keys("<Ctrl-r>")), answered);
}

#[test]
fn what_is_put_off_comes_again_and_an_answer_is_taken_back_where_it_was_given() {
    let harness = on_pool(120, 40, &nobody_else());
    let all = pooled().pairs.len();
    let first = at_hand(&harness);
    let harness = harness.keys(";");
    assert_ne!(at_hand(&harness), first);
    assert_eq!(harness.app.model.left_in_queue(), Some(all));
    let answered = harness.keys(&"N".repeat(all - 1));
    assert_eq!(at_hand(&answered), first);
    let done = answered.keys("y");
    assert_eq!(done.app.model.left_in_queue(), Some(0));
    // The queries of the other direction were judged meanwhile: the way back leads there.
    let back = done.keys(&"u".repeat(all));
    assert!(back.app.model.judgments.decided.is_empty());
    assert_eq!(back.app.model.left_in_queue(), Some(all));
    assert!(back.app.model.selected_position().is_some());
}

#[test]
fn what_others_answered_often_enough_is_neither_asked_nor_taken() {
    let first = at_hand(&on_pool(120, 40, &nobody_else()));
    let others = OtherAnnotators { answers: [(first, 1)].into_iter().collect(), ..nobody_else() };
    let harness = on_pool(120, 40, &others);
    assert!(harness.message().contains("1 pair not asked: others answered"));
    let all = pooled().pairs.len();
    assert_eq!(harness.app.model.left_in_queue(), Some(all - 1));
    let twice = OtherAnnotators { overlap: 2, ..others };
    let last = on_pool(120, 40, &twice).keys(&"n".repeat(all - 1));
    assert_eq!(at_hand(&last), first);
    // The keys that say what is asked where there is no pool say so.
    for key in ["}", "U"] {
        let said = on_pool(80, 24, &nobody_else()).keys(key);
        assert_eq!(said.message(), "the pool says which pairs are asked about");
    }
}

#[test]
fn the_pool_is_on_the_screen_at_every_size() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.itm.json");
        let mut harness = Harness::demo(columns, rows);
        harness = harness.on_session(Session::open(&path).unwrap(), "mk");
        harness.app.judge_pool(to_judge(&nobody_else()));
        let judged = harness.settled().keys("yPN;");
        insta::assert_snapshot!(format!("pool_{columns}x{rows}"), judged.screen());
    }
}

#[test]
fn what_people_answered_before_is_shown_to_who_settles_it_and_hidden_at_first() {
    let mut to_settle = to_judge(&nobody_else());
    let answers = [("anna", Judgment::Yes), ("bo", Judgment::No)];
    for pair in &mut to_settle.pool.pairs {
        pair.answers = answers
            .map(|(by, judgment)| EarlierAnswer {
                by: by.into(),
                answer: Response::Judgment(judgment),
            })
            .into();
    }
    let mut harness = Harness::demo(80, 24);
    harness.app.judge_pool(to_settle);
    let harness = harness.settled();
    assert!(!harness.screen().contains("answered before"));
    harness.keys("X").shows("answered before: anna yes, bo no");
}

#[test]
fn a_popup_without_the_pair_takes_no_answer() {
    for opened in ["JI", "JT"] {
        let open = Harness::demo(120, 40).keys(opened);
        for key in ["y", "P", "n", "N", "-", "<Backspace>", "U", "X"] {
            let pressed = Harness::demo(120, 40).keys(opened).keys(key);
            assert!(pressed.app.model.judgments.is_empty(), "{opened} {key}");
            assert!(pressed.app.popup.is_some(), "{opened} {key}");
            assert_eq!(pressed.app.model.judging, open.app.model.judging);
        }
    }
}

/// Whether the selected item is asked about and has no answer.
fn is_open(harness: &Harness) -> bool {
    !is_listed(harness) && response(harness).is_none()
}

#[test]
fn a_query_is_judged_from_its_first_item_that_is_asked_about() {
    let demo = || Harness::demo(120, 40);
    let model = demo().app.model;
    let query = model.selection.queries[7] as usize;
    let jump = format!("J#{}<Enter>", model.study.gallery.captions[query]);
    let far = format!("<Tab>{}J", "j".repeat(60));
    let others =
        "J <Tab>J J<Tab>j J<Tab>jjj J<Tab>G J/kite<Enter> J/kite<Enter>n Jd Jm Jr JUyU<Tab>j";
    for keys in others.split(' ').chain([&*far, &jump]) {
        let there = demo().keys(keys);
        assert!(is_open(&there), "{keys}");
        let model = &there.app.model;
        let (query, item) = (model.selection.query().unwrap(), model.item().unwrap().item);
        let pair = Pair::from_query(model.view.direction, query.into(), item.into());
        let answered = there.keys("y");
        let mut judged = answered.app.model.judgments.decided.iter();
        assert!(judged.any(|(judged, _)| judged == pair), "{keys}");
    }
    // What is selected on purpose is answered.
    assert!(is_listed(&demo().keys("jj<Tab>J<Home>")));
    // Where all have an answer, the first of these is selected.
    let done = demo().depth(5).keys("Jyyyyy<Tab>g");
    assert!(!is_listed(&done) && response(&done).is_some());
}

#[test]
fn answers_are_given_while_the_details_are_open() {
    let open = Harness::demo(80, 24).keys("J<Enter>");
    let first = open.app.model.item().unwrap().item;
    let name = |harness: &Harness, item: usize| {
        let id = &harness.app.model.study.gallery.images[item];
        harness.screen().contains(&format!("image {id}"))
    };
    assert!(name(&open, first));
    open.shows("y relevant").shows("Esc close");
    let answered = open.keys("N");
    let second = answered.app.model.item().unwrap().item;
    assert!(answered.app.popup.is_some() && second != first);
    assert!(name(&answered, second), "{}", answered.screen());
    // Further on in the next query, and back.
    let further = answered.depth(5).keys("NNNNNN");
    assert!(further.app.popup.is_some() && place(&further).0 > 0);
    let here = further.app.model.item().unwrap().item;
    assert!(name(&further, here), "{}", further.screen());
    let count = further.app.model.judgments.count();
    let back = further.keys("u");
    assert_eq!(back.app.model.judgments.count(), count - 1);
    assert!(back.app.popup.is_some());
    let closed = back.keys("<Esc>");
    assert!(closed.app.popup.is_none() && closed.app.model.judging.is_on);
}

#[test]
fn the_help_begins_with_the_keys_of_the_mode_that_is_on() {
    let at = |screen: &str, words: &str| screen.lines().position(|line| line.contains(words));
    let judging = Harness::demo(120, 40).keys("J?").screen();
    let answer = at(&judging, "the selected item is relevant");
    assert!(answer.is_some_and(|line| line < 8), "{judging}");
    assert!(answer < at(&judging, "on the screen Browse"), "{judging}");
    let other = Harness::demo(120, 40).keys("?").screen();
    assert!(at(&other, "on the screen Browse").is_some_and(|line| line < 8));
}

/// Whatever the width, answers and what is left are counted, beside the change of a judgment.
#[test]
fn what_must_be_known_is_given_up_last() {
    for (columns, keys, words) in [
        (160, "JyPnN--", [" unjudged pairs", "  6 judgments "]),
        (80, "JyPnN--", [" left", " 6 no session"]),
        (80, "JUyPnNyPnNyP-", [" left", " 11 no session"]),
        (80, "JUy", [" left", " vs "]),
        (80, "rJN", [" left", " vs "]),
        (80, "rJUy", [" left", " vs "]),
        (80, "dJUyy", [" left", " vs "]),
    ] {
        let [_, header] = Harness::demo(columns, 24).keys(keys).header();
        assert!(words.iter().all(|word| header.contains(word)), "{columns} {keys}: {header}");
    }
}

#[test]
fn undo_gives_back_an_answer_with_its_time() {
    let judgments = |harness: &Harness| harness.app.model.session.content().judgments().to_vec();
    let judged = Harness::demo(120, 40).keys("<Tab>JUy");
    let before = judgments(&judged);
    // The clock goes on.
    std::thread::sleep(std::time::Duration::from_millis(3));
    let changed = judged.keys("kN");
    let changed_once = judgments(&changed);
    assert_ne!(changed_once, before);
    let undone = changed.keys("u");
    assert_eq!(judgments(&undone), before);
    let again = undone.keys("<Ctrl-r>");
    assert_eq!(judgments(&again), changed_once);
}

/// Judgments are laid over the truth looked at, and the original annotation stays as loaded: a top-1 item that one
/// calls relevant is one that it lacks, and one that it has stays.
#[test]
fn what_one_calls_relevant_is_a_missing_label() {
    let missing = |harness: Harness| {
        let found = harness.keys("foriginal.r1 == 0 and rich.r1 == 1<Enter>");
        found.app.model.selection.queries.clone()
    };
    let before = missing(Harness::demo(120, 40));
    let judged = Harness::demo(120, 40).keys("fr1 == 0 and original.r1 == 0<Enter><Tab>J");
    let query = judged.app.model.selection.query().unwrap() as u32;
    assert_eq!(place(&judged).1, 0, "its top-1");
    let after = missing(judged.keys("y<Esc><Esc>"));
    assert!(!before.contains(&query) && after.contains(&query));
    assert_eq!(after.len(), before.len() + 1);
    let original = Harness::demo(120, 40).keys("rr");
    assert_eq!(original.app.model.truth().name, "original");
    let judged = original.keys("fr1 == 1 and rich.r1 == 1<Enter><Tab>JUN<Esc><Esc>");
    assert!(judged.app.model.is_view_edited());
    assert_eq!(missing(judged), before);
}

/// At the least width, too.
#[test]
fn the_counts_of_answers_in_a_pool_stay_in_sight() {
    for (keys, words) in [
        ("yPN;", ["28 pairs of the pool", " 3 judgments no session"]),
        ("yPN;X", ["28 left", " 3 no session"]),
    ] {
        let [_, header] = on_pool(80, 24, &nobody_else()).keys(keys).header();
        assert!(words.iter().all(|word| header.contains(word)), "{keys}: {header}");
    }
}

#[test]
fn blind_the_header_tells_nothing_of_answers() {
    let mut blind = Harness::demo(120, 40).keys("JUX");
    for key in ["y", "N", "y", "P", "n"] {
        blind = blind.keys(key);
        blind.shows("truth rich ").lacks("+mine");
    }
    assert!(blind.app.model.is_view_edited());
    blind.keys("X").shows("truth rich+mine ");
}

#[test]
fn the_last_line_has_answers_where_they_are_given() {
    for (keys, here) in [("J", true), ("J2", true), ("J3", false), ("J4", false), ("J 5", false)] {
        let screen = Harness::demo(120, 40).keys(keys).screen();
        let line = screen.lines().last().unwrap();
        assert_eq!(line.contains("y relevant"), here, "{keys}: {line}");
        assert_eq!(line.contains("1 judge on  Esc end judging"), !here, "{keys}: {line}");
    }
    // A key of the screen is its own there.
    let picks = Harness::demo(120, 40).keys("J 5");
    let depth = |harness: &Harness| harness.app.model.selected_pick().unwrap().depth;
    let before = depth(&picks);
    let fewer = picks.keys("_");
    assert_eq!(depth(&fewer), before - 1);
    assert!(fewer.app.model.judgments.is_empty());
}

/// Who begins to judge at an item that was gone to answers for that item, also where it has an answer.
#[test]
fn the_mode_begins_at_the_item_that_was_gone_to() {
    for keys in ["<Tab>JjjN<Esc>", "<Tab>JXjjN<Esc>"] {
        let answered = Harness::demo(120, 40).keys(keys);
        let pairs = |harness: &Harness| -> Vec<Pair> {
            let judgments = harness.app.model.judgments.decided.iter();
            judgments.map(|(pair, _)| pair).collect()
        };
        let judged = pairs(&answered);
        let back = answered.keys("g<Tab>gjjJ");
        assert_eq!(response(&back), Some(Response::Judgment(Judgment::No)));
        let changed = back.keys("y");
        assert_eq!(pairs(&changed), judged);
        let far = Harness::demo(120, 40).keys("<Tab>G");
        let item = far.app.model.selection.item;
        assert_eq!(far.keys("J").app.model.selection.item, item);
    }
}

/// Ranks of judged items are looked up after the numbers of a session that is opened are there: an order by these takes
/// them, of both models.
#[test]
fn an_opened_session_is_in_the_order_of_its_judgments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.itm.json");
    let open = || Harness::demo(120, 40).on_session(Session::open(&path).unwrap(), "mk");
    drop(open().keys("<Tab>JU").keys(&"y".repeat(12)).keys("<Esc>21s"));
    let again = Harness::demo(120, 40).on_session(reopened(&path), "mk");
    assert_eq!(again.app.model.judgments.decided.len(), 12);
    assert!(again.app.model.selection.sort == Sort::by("map_at_r"));
    let listed = again.app.model.selection.queries.clone();
    assert_eq!(listed, again.keys("ssss").app.model.selection.queries);
}
