//! The compare screen: models side by side on the same queries.

use crate::common;

use common::{Harness, json, run, stdout, words};
use itm_explore::analysis::results;
use itm_explore::data::PerDirection;
use itm_explore::data::source::Source;
use itm_explore::filter::ready_conditions;
use itm_explore::metric::{Metric, Spec, hit, map_at_r::MapAtR};
use itm_explore::rank::ranking::Ranking;
use itm_explore::study::View;
use itm_explore::truth::standing::Standing;
use itm_explore::tui::event::Event;
use itm_explore::tui::screens::compare::Compare;
use itm_explore::tui::sort::Sort;
use itm_explore::tui::state::query_list::Pane;
use itm_explore::tui::ui::hits::Target;

#[test]
fn whole_screens() {
    for (name, (columns, rows), keys) in [
        ("two_models_on_a_small_terminal", (80, 24), "2j"),
        ("three_models_on_a_large_terminal", (140, 40), "2jj<Tab><Tab>j"),
        ("images_ask_captions", (120, 30), "2djs"),
        ("narrow_list", (50, 18), "2"),
        ("narrow_rankings", (50, 18), "2<Tab>"),
    ] {
        insta::assert_snapshot!(name, Harness::demo(columns, rows).keys(keys).screen());
    }
}

/// Names that begin and end alike are cut so that one tells whose numbers these are.
#[test]
fn long_names_of_models_are_told_apart() {
    let mut study = itm_explore::study::demo::open().unwrap();
    for (at, model) in study.models.iter_mut().enumerate() {
        model.name = format!("ours-seed-{at}-long-schedule");
    }
    let harness = Harness::new(study, 80, 24);
    let harness = ["2", "3", "4"].into_iter().fold(harness, |harness, key| {
        let harness = harness.keys(key);
        let screen = harness.screen();
        // The header names the first one.
        let body = screen.split_once('╭').unwrap().1;
        for told in ["-0", "-1"] {
            assert!(body.contains(told), "{told}: {screen}");
        }
        harness
    });
    harness.keys("2T").shows("A: ours-seed-0");
}

/// The demo with its first models only.
fn with_models(count: usize) -> Harness {
    let mut study = itm_explore::study::demo::open().unwrap();
    study.models.truncate(count);
    Harness::new(study, 100, 30)
}

/// Nothing there can be moved, sorted or tested.
#[test]
fn one_model_alone_is_told() {
    for keys in ["2", "2<Tab>jjls]sssT<Enter>"] {
        with_models(1).keys(keys).shows("One model alone").lacks("disagreement");
    }
}

/// Values of the queries as they are listed, by the first two models.
fn listed(harness: &Harness, metric: &'static dyn Metric) -> Vec<[f64; 2]> {
    let app = &harness.app;
    let two = app.model.model_pair().unwrap();
    let value = |&query: &u32| {
        two.map(|model| {
            let ranks = app.model.ranks_at(View { model, ..app.model.view }, query as usize);
            Spec::new(metric).per_query(ranks.unwrap()).unwrap()
        })
    };
    app.model.selection.queries.iter().map(value).collect()
}

#[test]
fn the_query_is_that_of_browse_and_the_item_is_linked() {
    let browse = Harness::demo(140, 40).keys("jjjj<Tab>jjj");
    let (query, item) = (browse.app.model.selection.query(), browse.app.model.item().unwrap().item);
    let compare = browse.keys("2");
    assert_eq!(compare.app.model.selection.query(), query);
    assert_eq!(compare.app.model.item().unwrap().item, item);
    // The second ranking is gone through by its own ranks; the item is selected in the first one, too.
    let second = compare.app.model.compared_models()[1];
    let moved = compare.keys("ljj");
    let linked = moved.app.model.item().unwrap();
    let here = moved.app.model.ranking_by(second).unwrap();
    let before = here.rank(item).unwrap();
    assert_eq!(here.rank(linked.item), Some(before + 2));
    let model = &moved.app.model.study.models[moved.app.model.view.model];
    let whole = Ranking::for_query(model, moved.app.model.view.direction, query.unwrap());
    assert_eq!(whole.order[linked.rank - 1] as usize, linked.item);
    let back = moved.keys("1");
    assert_eq!(back.app.model.item(), Some(linked));
}

#[test]
fn panes_go_round() {
    let mut harness = Harness::demo(140, 40).keys("2");
    for column in 0..3 {
        harness = harness.keys("<Tab>");
        assert_eq!(harness.app.model.selection.pane, Pane::Ranking);
        assert_eq!(harness.app.context::<Compare>().state.column, column);
    }
    let models = harness.keys("<Tab>");
    assert!(models.app.context::<Compare>().state.focuses_models);
    let list = models.keys("<Tab>");
    assert_eq!(list.app.model.selection.pane, Pane::Queries);
    assert!(!list.app.context::<Compare>().state.focuses_models);
    let last = list.keys("hh");
    assert_eq!(
        (last.app.model.selection.pane, last.app.context::<Compare>().state.column),
        (Pane::Ranking, 2)
    );
}

#[test]
fn sorted_by_disagreement_and_undone() {
    let by_ap = Harness::demo(140, 40).keys("2");
    let order = by_ap.app.model.selection.queries.clone();
    let apart = |harness: &Harness| -> Vec<f64> {
        let values = listed(harness, &MapAtR).into_iter();
        values.map(|[one, other]| (one - other).abs()).collect()
    };
    assert!(apart(&by_ap).is_sorted_by(|a, b| a >= b));
    let by_places = by_ap.keys("s");
    assert_eq!(by_places.app.model.selection.sort, Sort::RankDifference);
    let back = by_places.keys("u");
    assert_eq!(back.app.model.selection.queries, order);
}

/// An order that was chosen beside one ranking is told beside several, too.
#[test]
fn an_order_by_one_model_is_told_in_compare() {
    for (keys, words) in [("s2", ["by map_at_r", "AP@R ↑"]), ("sss2", ["by -rank", "rank ↓"])] {
        for (columns, rows) in [(80, 24), (160, 50)] {
            let screen = Harness::demo(columns, rows).keys(keys).screen();
            let frame = screen.lines().find(|line| line.contains("╭ queries")).unwrap();
            assert!(words.iter().any(|words| frame.contains(words)), "{screen}");
        }
    }
}

#[test]
fn keys_of_two_models_are_told_where_there_is_room() {
    let screen = Harness::demo(120, 40).keys("2").screen();
    assert!(screen.lines().last().unwrap().contains("T paired tests"), "{screen}");
}

/// The numbers of the conclusion and of the forest plot are those of `compare`, better less worse.
#[test]
fn the_conclusion_has_the_intervals_of_compare() {
    let screen = Harness::demo(120, 40).keys("2").screen();
    let args = ["compare", "--demo", "-q", "--models", "careful,broad", "--direction", "t2i"];
    let told = json(&[&args[..], &["--format", "json"]].concat());
    let points = |value: &serde_json::Value| value.as_f64().unwrap() * 100.0;
    let rows = told["comparisons"].as_array().unwrap();
    let is_shown = |row: &&serde_json::Value| {
        let metric = row["metric"].as_str().unwrap();
        metric.ends_with("r1") || metric.ends_with("map_at_r")
    };
    let mut checked = 0;
    for row in rows.iter().filter(is_shown) {
        let [low, high] = [points(&row["low"]), points(&row["high"])];
        let ends = [format!("[{low:.1}, {high:.1}]"), format!("[{:.1}, {:.1}]", -high, -low)];
        assert!(ends.iter().any(|ends| screen.contains(ends.as_str())), "{row}\n{screen}");
        checked += 1;
    }
    assert!(checked >= 5, "{told}");
    // Under one ground truth the sentence is the same, too.
    let printed = stdout(&run(&[&args[..], &["--truth", "rich"]].concat()));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let answer = words(printed.split("\n\n").next().unwrap());
    let sentence = answer.strip_prefix("t2i: ").unwrap();
    assert!(words(&screen).contains(sentence), "{sentence}\n{screen}");
}

/// The table orders all models by either metric; `Enter` or a click compares one of them with the model looked at.
#[test]
fn any_two_models_are_compared() {
    let table = Harness::demo(120, 40).keys("2<BackTab>");
    assert!(table.app.context::<Compare>().state.focuses_models);
    let third = table.app.model.compared_models()[2];
    table.shows("3 models by mAP@R");
    let other = table.keys("s");
    other.shows("3 models by R@1");
    let table = other.keys("s");
    let model = &table.app.model;
    let name = model.study.models[third].name.clone();
    let naive = table.keys("j<Enter>");
    let [first, second] = naive.app.model.model_pair().unwrap();
    assert_eq!((first.get(), second), (0, third), "{}", naive.screen());
    naive
        .shows("R@1 prefers careful (+")
        .shows("R@1 and mAP@R disagree on")
        .shows(&format!("Difference, {name} - careful"));
    let mut clicked = naive.keys("<Tab>");
    let area = clicked.app.ui.hits.borrow().area(&Target::Row("all models", 0)).unwrap();
    clicked.mouse(Event::Click(area.x, area.y));
    assert_ne!(clicked.app.model.model_pair().unwrap()[1], third);
    // Where rows are few the plot takes the place of the lists.
    let small = Harness::demo(80, 20).keys("2");
    small.lacks("Difference, ");
    assert!(small.keys("<BackTab>").screen().contains("Difference, "));
}

/// Values, ranks and letters of the table are those of `compare`, and so is the first sentence.
#[test]
fn many_models_are_ranked_as_by_compare() {
    let screen = Harness::demo(160, 40).keys("2").screen();
    let args = ["compare", "--demo", "-q", "--truth", "rich", "--direction", "t2i"];
    let answer = stdout(&run(&args)).split("\n\n").next().unwrap().replace('\n', " ");
    assert!(screen.contains(&answer), "{answer}\n{screen}");
    let told = json(&[&args[..], &["--format", "json"]].concat());
    let rows = told["ranks"].as_array().unwrap();
    for pair in rows.chunks(2) {
        let cells = |row: &serde_json::Value| {
            let value = row["value"].as_f64().unwrap() * 100.0;
            format!("{} {value:.2} {}", row["rank"], row["letters"].as_str().unwrap())
        };
        let name = pair[0]["model"].as_str().unwrap();
        let expected = format!("{name} {} {}", cells(&pair[0]), cells(&pair[1]));
        let is_it =
            |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").contains(&expected);
        assert!(screen.lines().any(is_it), "{expected}\n{screen}");
    }
    assert!(!with_models(2).keys("2").screen().contains("is best by"));
}

/// Models of earlier results are ranked among those with scores, and cannot be compared query by query.
#[test]
fn earlier_results_are_ranked_too() {
    let told = stdout(&run(&["eval", "--demo", "--format", "json"]));
    let source = Source::in_memory("earlier.json", told.into());
    let read = |direction| results::read(&source, &[direction]).unwrap().models;
    let with_results = || {
        let mut alone = with_models(1);
        alone.app.model.results = PerDirection::from_fn(read);
        alone
    };
    let screen = with_results().keys("2").screen();
    assert!(screen.contains("4 models by mAP@R"), "{screen}");
    // The same numbers, by whatever they were computed.
    let numbers = |line: &str| line.split("careful").nth(1).map(|rest| rest[..40].to_owned());
    let of_careful: Vec<String> = screen.lines().skip(8).filter_map(numbers).collect();
    assert_eq!(of_careful.len(), 2, "{screen}");
    assert_eq!(of_careful[0], of_careful[1], "{screen}");
    let refused = with_results().keys("2kkkk<Enter>");
    refused.shows("no rankings to compare");
    // Results do not know the judgments of a session.
    let judged = with_results().keys("<Tab>JUyjy2");
    assert!(judged.app.model.is_truth_edited(judged.app.model.view.truth));
    let values = judged.app.model.results.i2t[0].average("rich_r1");
    assert!(values.is_some() && judged.screen().contains("·"), "{}", judged.screen());
}

#[test]
fn winner_flips_are_ready_conditions() {
    Harness::demo(140, 50).keys("2f").shows("winner flips").shows("flips by truth");
    assert!(!with_models(1).keys("f").screen().contains("winner flips"));
    let open = Harness::demo(140, 50).keys("2");
    let ready = ready_conditions(&open.app.model.study, open.app.model.view);
    let at = ready.iter().position(|one| one.name == "winner flips");
    let downs = "<Down>".repeat(at.unwrap());
    let flipped = open.keys(&format!("f{downs}<Enter>"));
    assert!(!flipped.app.model.selection.queries.is_empty());
    let by_r1 = listed(&flipped, &hit::R1);
    let by_ap = listed(&flipped, &MapAtR);
    for ([r1, other_r1], [ap, other_ap]) in by_r1.into_iter().zip(by_ap) {
        assert!((r1 - other_r1) * (ap - other_ap) < 0.0);
    }
}

#[test]
fn wins_ties_and_losses_open_as_lists() {
    let tests = Harness::demo(120, 40).keys("2T");
    insta::assert_snapshot!(tests.screen());
    // Where a line has no room for all, the rest of it stands below.
    let small = Harness::demo(80, 24).keys("2T");
    insta::assert_snapshot!("paired_tests_80x24", small.screen());
    let end = small.keys("<End>").screen();
    for words in ["Student's t", "Holm-adjusted", "held fixed."] {
        assert!(end.contains(words) || !tests.screen().contains(words), "{end}");
    }
    let inside = |line: &str| line.chars().skip(2).take(76).collect::<String>();
    let mut popup = end.lines().filter(|line| line.chars().nth(2) == Some('│'));
    assert!(!popup.any(|line| inside(line).contains('…')), "{end}");
    let all = listed(&tests, &MapAtR);
    let losses = all.iter().filter(|[one, other]| one < other).count();
    let wins = all.iter().filter(|[one, other]| one > other).count();
    // R@1 has three cells, then come the wins by mAP@R of the better model.
    let won = tests.keys("jjj<Enter>");
    assert_eq!(won.app.model.selection.queries.len(), losses);
    assert_eq!(won.app.model.filter.text, "broad.map_at_r > careful.map_at_r");
    assert!(listed(&won, &MapAtR).iter().all(|[one, other]| one < other));
    let lost = won.keys("uT<End><Enter>");
    assert_eq!(lost.app.model.selection.queries.len(), wins);
    let all_again = lost.keys("u");
    assert_eq!(all_again.app.model.selection.queries.len(), all.len());
}

/// Captions of one image are one cluster, as in `compare`.
#[test]
fn tests_are_clustered_by_image() {
    let clustered = Harness::demo(120, 40).keys("2T");
    let by_image = clustered.screen();
    assert!(by_image.contains("clustered by image"), "{by_image}");
    let of = |more: &[&str]| {
        let compare = "compare --demo -q --models careful,broad --truth rich --direction t2i";
        let told = json(&[&words(compare)[..], &["--format", "json"], more].concat());
        let row = &told["comparisons"][0];
        // The popup is better minus worse: broad - careful.
        let ends = [&row["high"], &row["low"]].map(|end| end.as_f64().unwrap() * -100.0);
        format!("{:+.2} to {:+.2}", ends[0], ends[1])
    };
    let together = of(&[]);
    assert_ne!(together, of(&["--by-query"]));
    assert!(by_image.contains(&together), "{together}");
}

/// The 95 % CI beside both numbers: Student's t over images with a best and a worst one added. Those that a filter lets
/// through have their own.
#[test]
fn the_header_shows_how_sure_its_numbers_are() {
    let shown_intervals = |harness: &Harness| -> Vec<String> {
        let [_, numbers] = harness.header();
        let after = numbers.split('[').skip(1);
        after.map(|rest| rest.split(']').next().unwrap().to_owned()).collect()
    };
    let plain = Harness::demo(140, 40);
    assert!(shown_intervals(&plain).is_empty());
    let shown = plain.keys("%");
    let before = ["63.2, 86.5", "28.1, 42.0"];
    assert_eq!(shown_intervals(&shown), before);
    let filtered = shown.keys("frank >= 2<Enter>");
    assert_ne!(shown_intervals(&filtered), before);
    assert!(shown_intervals(&filtered.keys("%")).is_empty());
    // They have room on a small terminal, too.
    assert_eq!(shown_intervals(&Harness::demo(80, 24).keys("%")), before);
}

#[test]
fn a_judgment_counts_for_every_model() {
    let before = Harness::demo(140, 40).keys("2<Tab>");
    let model = &before.app.model;
    let (item, query) = (model.item().unwrap().item, model.selection.query().unwrap());
    let r = |harness: &Harness| {
        let model = &harness.app.model;
        let of = |of| model.ranks_at(View { model: of, ..model.view }, query).unwrap().listed;
        model.compared_models().into_iter().map(|at| i64::from(of(at))).collect::<Vec<_>>()
    };
    let standing = model.truth().standing(model.view.direction, query.into(), item.into());
    let (keys, change) = if standing == Standing::Positive { ("JUN", -1) } else { ("JUy", 1) };
    let wanted: Vec<i64> = r(&before).iter().map(|count| count + change).collect();
    assert_eq!(r(&before.keys(keys)), wanted);
}

/// Another ranking may have the linked item far down: it stands there on a line of its own, and nothing scrolls.
#[test]
fn rankings_stay_at_their_tops_from_one_to_the_next() {
    let mut harness = Harness::demo(120, 40).keys("2");
    let offset = |harness: &Harness| harness.app.context::<Compare>().state.rankings.offset();
    for _ in 0..12 {
        harness = harness.keys("j<Tab><Tab><Tab>");
        assert_eq!(offset(&harness), 0, "{}", harness.screen());
        harness = harness.keys("<Tab><Tab>");
    }
    let details = harness.keys("<Tab><Tab><Enter>").screen();
    for name in ["item at rank 1, score", "broad: rank", "naive: rank"] {
        assert!(details.contains(name), "{name}\n{details}");
    }
}

/// On a small terminal one ranking is in sight, with the ranks by the others and most of the line for the text.
#[test]
fn one_ranking_at_a_time_where_two_have_no_room() {
    let small = Harness::demo(80, 24).keys("2j<Tab>");
    let model = &small.app.model;
    let [first, second] = model.model_pair().unwrap().map(|of| model.ranking_by(of).unwrap());
    let ranks = |harness: &Harness| -> Vec<Vec<usize>> {
        let screen = harness.screen();
        let frame = |line: &&str| !line.contains("╭ queries");
        let rows = screen.lines().skip_while(frame).skip(2).take_while(|line| !line.contains('╰'));
        let numbers = |line: &str| -> Vec<usize> {
            let ranking: String = line.chars().skip(30).collect();
            let words = ranking.split(|c: char| !c.is_ascii_digit());
            words.filter_map(|word| word.parse().ok()).take(2).collect()
        };
        rows.map(numbers).collect()
    };
    let rows = ranks(&small).len();
    let order =
        |order: &[u32]| order.iter().take(rows).map(|&item| item as usize).collect::<Vec<_>>();
    let by_first: Vec<Vec<usize>> = order(&first.ranking.order)
        .into_iter()
        .map(|item| vec![first.rank(item).unwrap(), second.rank(item).unwrap()])
        .collect();
    assert_eq!(ranks(&small), by_first, "{}", small.screen());
    let by_second: Vec<Vec<usize>> = order(&second.ranking.order)
        .into_iter()
        .map(|item| vec![second.rank(item).unwrap(), first.rank(item).unwrap()])
        .collect();
    let other = small.keys("<Tab>");
    assert_eq!(ranks(&other), by_second, "{}", other.screen());
    other.shows("╭ B broad ─");
    // All models are gone through, then the list again.
    let list = other.keys("<Tab><Tab><Tab>");
    assert_eq!(list.app.model.selection.pane, Pane::Queries);
}

/// Going through the queries, a ranking that stands alone begins at its top, wherever it has the first item of the other.
#[test]
fn a_ranking_alone_begins_at_its_top_at_every_query() {
    let mut harness = Harness::demo(80, 24).keys("2<Tab><Tab><Tab><Tab><Tab>");
    let mut far = 0;
    for _ in 0..40 {
        harness = harness.keys("j");
        let screen = harness.screen();
        assert!(screen.contains("╭ C naive"), "{screen}");
        assert_eq!(harness.app.context::<Compare>().state.rankings.offset(), 0, "{screen}");
        let model = &harness.app.model;
        let linked = model.item().unwrap().item;
        let ranked = model.ranking_by(model.compared_models()[2]).unwrap();
        far += usize::from(ranked.rank(linked).unwrap() > 20);
    }
    assert!(far > 0);
    // The same from match to match while keys go to the ranking.
    harness = Harness::demo(80, 24).keys("/a<Enter>2<Tab><Tab>");
    for _ in 0..40 {
        harness = harness.keys("<Alt-n>");
        let screen = harness.screen();
        assert!(screen.contains("╭ B broad"), "{screen}");
        assert_eq!(harness.app.context::<Compare>().state.rankings.offset(), 0, "{screen}");
    }
    // Going from list to ranking keeps the item.
    let first = Harness::demo(80, 24).keys("2j<Tab><Tab>");
    let model = &first.app.model;
    let ranked = model.ranking_by(model.view.model).unwrap();
    assert_eq!(ranked.rank(model.item().unwrap().item), Some(1));
}

/// A ranking that comes in sight alone has the linked item in sight, wherever the one before was scrolled to.
#[test]
fn a_ranking_that_comes_in_sight_has_the_linked_item() {
    let deep = Harness::demo(80, 24).keys("2<Tab><Tab>jjjjjjjjjjjjjjjjjjjj");
    let offset = |harness: &Harness| harness.app.context::<Compare>().state.rankings.offset();
    assert!(offset(&deep) > 0);
    let back = deep.keys("<BackTab>");
    let place = back.app.model.selection.item;
    let page = back.app.context::<Compare>().state.rankings.page() as usize;
    let shown = offset(&back)..offset(&back) + page;
    assert!(shown.contains(&place), "{place}: {}", back.screen());
    assert_ne!(place, 20);
}

/// A click links an item in all rankings. One that stands there out of its place is linked already: nothing scrolls.
#[test]
fn the_mouse_links_items() {
    let mut harness = Harness::demo(120, 40).keys("2jjj");
    let click = |harness: &mut Harness, target| {
        let area = harness.app.ui.hits.borrow().area(&target).unwrap();
        harness.mouse(Event::Click(area.x, area.y));
    };
    let rank = |harness: &Harness| {
        let model = &harness.app.model;
        let [first, second] = model.model_pair().unwrap().map(|of| model.ranking_by(of).unwrap());
        let item = model.item().unwrap().item;
        [first, second].map(|of| of.rank(item).unwrap())
    };
    click(&mut harness, Target::Row("ranking B", 4));
    let [in_first, in_second] = rank(&harness);
    assert_eq!(in_second, 5);
    assert!(in_first > 40, "the item is out of its place in the first ranking");
    click(&mut harness, Target::Row("ranking A", in_first - 1));
    let compare = harness.app.context::<Compare>().state;
    assert_eq!((compare.column, compare.rankings.offset()), (0, 0));
    assert_eq!(rank(&harness), [in_first, 5]);
    let list = harness.app.ui.hits.borrow().area(&Target::Row("ranking B", 0)).unwrap();
    harness.mouse(Event::Wheel(list.x, list.y, 2));
    assert_eq!(rank(&harness)[1], 7);
    click(&mut harness, Target::Row("queries", 1));
    assert_eq!(harness.app.model.selection.selected, 1);
}

/// As many rankings stand side by side as leave their captions 30 columns, the first one among them; `Tab` shows the
/// others.
#[test]
fn rankings_that_have_no_room_come_with_tab() {
    let mut harness = Harness::demo(120, 40).keys("2");
    for letters in [['A', 'B'], ['A', 'B'], ['A', 'B'], ['A', 'C'], ['A', 'C']] {
        let screen = harness.screen();
        let frames = screen.lines().find(|line| line.contains("╭ queries")).unwrap();
        for letter in ['A', 'B', 'C'] {
            let is_framed = frames.contains(&format!("╭ {letter} "));
            assert_eq!(is_framed, letters.contains(&letter), "{screen}");
        }
        let lists = screen.lines().skip_while(|line| !line.contains("╭ queries"));
        let captions = lists.skip(2).take(5);
        for line in captions {
            let widths = line.split("││").skip(1).map(|part| part.chars().count());
            assert!(widths.into_iter().all(|width| width >= 41), "{line}");
        }
        harness = harness.keys("<Tab>");
    }
    Harness::demo(160, 50).keys("2").shows("╭ C naive");
}

/// A filter leaves the tests as they are, which they say.
#[test]
fn screens_whose_numbers_ignore_the_filter_are_of_all_queries() {
    let told = "All queries: ";
    for keys in ["2T", "2", "3", "4"] {
        assert!(!Harness::demo(120, 40).keys(keys).screen().contains(told), "{keys}");
        Harness::demo(120, 40).keys("fr1 == 0<Enter>").keys(keys).shows(told);
    }
}
