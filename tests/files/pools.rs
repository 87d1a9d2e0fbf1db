//! Pools: what competes in the explorer is what competes in `eval`, whatever else is changed there.

use crate::common;

use common::{Folder, Harness, demo_file, npy, scores, shared, stderr, stdout, svg_words};
use itm_explore::data::Direction;
use itm_explore::data::index::{ModelIx, TruthIx};
use itm_explore::evaluate::plan::{Choice, Request};
use itm_explore::evaluate::{self, Value};
use itm_explore::jobs::ViewMetrics;
use itm_explore::rank::pass::CancelToken;
use itm_explore::session::{Lock, Session};
use itm_explore::study::{Inputs, Pool, Study, StudySettings, demo, open};
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::Key;
use itm_explore::tui::state::history::Step;
use itm_explore::tui::state::view::Numbers;

/// The demo with two pools: every second image, by the names of their files; and some captions.
fn study(folder: &Folder) -> Study {
    let mut study = demo::open().unwrap();
    let names = study.gallery.images.as_slice().iter().step_by(2);
    let names: Vec<String> = names.map(|id| format!("images/{id}.png")).collect();
    let captions = study.gallery.captions.as_slice().iter().skip(40).step_by(3);
    let captions: Vec<String> = captions.map(ToString::to_string).collect();
    let write = |name: &str, lines: &[String]| {
        (name.into(), folder.write(&format!("{name}.txt"), lines.join("\n")))
    };
    let pools = [write("half", &names), write("some", &captions)];
    study.add_pools(&pools).unwrap();
    study
}

/// R@1 and mAP@R of a model in a pool, by truth and direction, as `eval` has them.
fn evaluated(study: &Study, model: usize, pool: Pool) -> Vec<Option<f64>> {
    let request = Request {
        metrics: Choice::Named(vec!["r1".into(), "map_at_r".into()]),
        pools: vec![pool],
        ..Request::default()
    };
    let evaluation = evaluate::evaluate(study, &request, &CancelToken::default()).unwrap();
    let values = evaluation.lines.iter().zip(&evaluation.models[model].2);
    values
        .filter(|(line, _)| !line.key.starts_with("coco_1k"))
        .flat_map(|(_, value)| match value {
            Value::Each(each) => [each.i2t, each.t2i].map(|summary| summary.unwrap().value),
            Value::Both(_) => panic!("neither metric is over both directions"),
        })
        .collect()
}

/// Values in the explorer.
fn shown(harness: &Harness) -> Vec<Option<f64>> {
    let app = &harness.app;
    let Numbers::Ready(scores) = &app.model.numbers[app.model.view.model] else {
        panic!("not counted");
    };
    let of = |truth: TruthIx, number: fn(&ViewMetrics) -> Option<f64>| {
        let number = move |direction| number(scores.get(truth, direction).unwrap());
        Direction::BOTH.map(number)
    };
    TruthIx::all(&app.model.study.truths)
        .flat_map(|truth| {
            let (r1, map) = (of(truth, |s| s.r1.value), of(truth, |s| s.map_at_r.value));
            [r1, map].concat()
        })
        .collect()
}

#[test]
fn the_explorer_has_the_numbers_of_eval() {
    let folder = Folder::new();
    let study = study(&folder);
    let pools = study.all_pools();
    let names: Vec<String> = pools.iter().map(|&pool| study.pool_name(pool)).collect();
    assert_eq!(names, ["all", "half", "some"]);
    let mut harness = Harness::new(study.clone(), 120, 40);
    let mut seen = Vec::new();
    for pool in pools {
        assert_eq!(harness.app.model.settings.pool, pool);
        assert_eq!(shown(&harness), evaluated(&study, 0, pool));
        seen.push(shown(&harness));
        harness = harness.keys("p");
    }
    assert_eq!(shown(&harness), seen[0], "round again");
    assert!(seen[0] != seen[1] && seen[1] != seen[2]);
    assert!(harness.keys("p").screen().contains("pool half"));
}

#[test]
fn a_ranking_holds_what_competes_and_ranks_are_of_it() {
    let folder = Folder::new();
    let harness = Harness::new(study(&folder), 120, 40).keys("pd");
    let app = &harness.app;
    assert_eq!(app.model.view.direction, Direction::I2t);
    let mask = app.model.study.mask.as_ref().unwrap();
    let ranking = app.model.ranking().unwrap();
    assert_eq!(ranking.order.len(), 150);
    let query = app.model.selection.query().unwrap();
    assert_eq!(query % 2, 0);
    for &item in &ranking.order {
        assert!(mask.competes(Direction::I2t, query.into(), item.into()));
    }
    let relevance = app.model.truth().relevance.i2t.as_ref().unwrap();
    let positives = relevance.positives(relevance.place(query).unwrap());
    let ranks: Vec<u32> = (1..)
        .zip(&ranking.order)
        .filter(|(_, item)| positives.contains(**item))
        .map(|(rank, _)| rank)
        .collect();
    let known = app.model.ranks_of(app.model.view.truth, query).unwrap().ranks;
    assert_eq!(ranks, known.iter().collect::<Vec<u32>>());
}

#[test]
fn judgments_in_a_pool_count_as_those_of_the_changed_truth() {
    let folder = Folder::new();
    let decided = "yNjPnjy<Tab>jjj<Tab>NyP<Tab>d<Tab>jyNjN";
    // Some before the pool is entered: their items may not compete there.
    let judged =
        Harness::new(study(&folder), 120, 40).keys(&format!("<Tab>JU{decided}dp{decided}"));
    let mut changed = study(&folder);
    for truth in &mut changed.truths {
        *truth = truth.with_judgments(&judged.app.model.judgments.decided);
    }
    let bits = |harness: &Harness| -> Vec<Option<[Option<u64>; 2]>> {
        let truths = TruthIx::all(&harness.app.model.study.truths);
        let numbers =
            |of: &ViewMetrics| [of.r1.value, of.map_at_r.value].map(|v| v.map(f64::to_bits));
        truths.map(|truth| harness.app.model.metrics_under(truth).map(numbers)).collect()
    };
    let (mut found, mut expected) = (judged, Harness::new(changed, 120, 40).keys("pd"));
    for keys in ["", "d", "m", "p", "d"] {
        (found, expected) = (found.keys(keys), expected.keys(keys));
        assert_eq!(found.app.model.view, expected.app.model.view, "{keys}");
        assert_eq!(bits(&found), bits(&expected), "{keys}");
        // The change is that of the step, not of the last rank that was looked up for it.
        let steps = found.app.model.history.steps();
        let map = |step: &Step| step.numbers.unwrap().values[1].value.unwrap();
        // Judgments in a row are compared with the step before all of them.
        let is_other = |step: &&Step| !step.name.contains(": image ");
        let (last, before) = (steps.last().unwrap(), steps.iter().rev().skip(1).find(is_other));
        let model = &found.app.model;
        let change = model.what_if_delta(model.history.present());
        let change = change.and_then(|change| change.values[1]);
        let wanted = matches!(keys, "" | "p").then(|| map(last) - map(before.unwrap()));
        assert_eq!(change, wanted, "{keys}");
    }
}

#[test]
fn a_pool_that_was_left_is_there_at_once_and_undo_goes_back() {
    let folder = Folder::new();
    let harness = Harness::new(study(&folder), 120, 40);
    let all = shown(&harness);
    let mut harness = harness.keys("p");
    let half = shown(&harness);
    assert!(harness.screen().contains("pool half"));
    for key in Key::sequence("u").unwrap() {
        harness.app.handle(Event::Key(key));
    }
    assert!(harness.app.model.message.as_deref().unwrap().contains("pool half"));
    let mut harness = harness.settled();
    assert_eq!((harness.app.model.settings.pool, shown(&harness)), (Pool::All, all));
    harness.app.handle(Event::Key(Key::sequence("<Ctrl-r>").unwrap()[0]));
    let harness = harness.settled();
    assert_eq!(shown(&harness), half);
    assert_eq!(harness.app.model.history.steps().last().unwrap().name, "pool half");
}

/// Thresholds, mixture and pool begin as the files have them.
#[test]
fn a_session_opens_with_its_model_in_the_whole_gallery() {
    let folder = Folder::new();
    let path = folder.path("demo.itm.json");
    let open = |path: &std::path::Path| {
        // The thread that saves ends a moment after the explorer does.
        let opened = loop {
            let opened = Session::open(path).unwrap();
            if matches!(opened.lock, Lock::Held(_)) {
                break opened;
            }
            std::thread::yield_now();
        };
        Harness::new(study(&folder), 120, 40).on_session(opened, "mk")
    };
    // A judgment makes the file; the view changes after it.
    let left = open(&path).keys("<Tab>JUyppm");
    let view = left.app.model.view;
    assert_eq!((view.model, left.app.model.settings.pool == Pool::All), (ModelIx::new(1), false));
    drop(left);
    let again = open(&path);
    assert_eq!((again.app.model.view, again.app.model.settings), (view, StudySettings::default()));
}

#[test]
fn mixtures_and_filters_are_of_the_pool() {
    let folder = Folder::new();
    let mut mixed = study(&folder);
    let (first, second) = (&mixed.models[0].name, &mixed.models[1].name);
    let mixture = format!("{first},{second},0.5,raw");
    mixed.add_mixtures(&[mixture]).unwrap();
    let half = mixed.pool_named("half").unwrap();
    let harness = Harness::new(study(&folder), 120, 40).keys("pa");
    assert_eq!(shown(&harness), evaluated(&mixed, 3, half));
    let harness = harness.keys("ap");
    assert_eq!(harness.app.model.base.pool_name(harness.app.model.settings.pool), "some");

    let condition = "r1 == 1 and 9 >= words";
    let keys = format!("f{condition}<Enter>");
    let harness = harness.keys(&keys);
    let met = harness.app.model.filtered_queries().unwrap().to_vec();
    let find = format!("find --demo --pool-file some=some.txt --pool some --where '{condition}'");
    let answer = folder.json(&format!("{find} -q"));
    assert!(!met.is_empty());
    assert_eq!(answer["matched"], met.len(), "{answer}");
    let none = Harness::new(study(&folder), 120, 40);
    let whole = none.keys(&keys);
    assert_ne!(whole.app.model.filtered_queries().unwrap(), met);
}

/// A gallery with images that no caption was written for, as in FG, described in a `study.toml`.
fn enlarged(folder: &Folder) -> Study {
    let demo = demo::open().unwrap();
    let ids = demo.gallery.images.as_slice().iter().map(ToString::to_string);
    let more = (0..40).map(|at| format!("further_{at}.jpg"));
    let names: Vec<String> = ids.map(|id| format!("{id}.png")).chain(more).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap();
    let text = |name: &String| {
        let mut cells: Vec<u32> = name.chars().map(u32::from).collect();
        cells.resize(width, 0);
        cells.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
    };
    let array = |name: &str, names: &[String]| {
        let data: Vec<u8> = names.iter().flat_map(text).collect();
        let shape = format!("({},)", names.len());
        folder.write(name, npy(&format!("'<U{width}'"), false, &shape, &data));
    };
    array("names.npy", &names);
    array("held.npy", &names[10..80]);
    let score = |at: usize| ((at * at) % 9_973) as f32 / 9_973.0;
    folder.matrix("model.npy", [100, 300], |image, caption| score(image * 300 + caption));
    let described = format!(
        "files = [\"model.npy\", \"{}\", \"{}\"]\nimage_ids = \"names.npy\"\n[pools]\nheld = \"held.npy\"\n",
        demo_file("captions.json"),
        demo_file("original_caption_to_image.json")
    );
    let toml = folder.write("study.toml", described);
    let inputs = Inputs { files: vec![toml], ..Inputs::default() };
    open(&inputs).unwrap()
}

#[test]
fn an_enlarged_gallery_has_its_original_and_pools_of_a_study_file() {
    let folder = Folder::new();
    let study = enlarged(&folder);
    let pools = study.all_pools();
    let names: Vec<String> = pools.iter().map(|&pool| study.pool_name(pool)).collect();
    assert_eq!(names, ["enlarged", "original", "held"]);
    assert_eq!(study.pool_named("all").unwrap(), Pool::All);
    let sizes = |pool| {
        let sizes = study.in_pool(pool).unwrap().pool_sizes();
        [sizes.i2t, sizes.t2i]
    };
    assert_eq!(
        pools.into_iter().map(sizes).collect::<Vec<_>>(),
        [[100, 300], [60, 300], [70, 250]]
    );
    let harness = Harness::new(study.clone(), 120, 40).keys("p");
    assert_eq!(shown(&harness), evaluated(&study, 0, Pool::Named(0)));
    let screen = harness.screen();
    assert!(screen.contains("pool original") && screen.contains("300 of 300 queries"), "{screen}");
}

#[test]
fn what_is_no_pool_is_told_by_name() {
    let folder = Folder::new();
    folder.write("strange.txt", "cat.jpg\ndog.jpg\n");
    for (line, parts) in [
        ("--pool fold1", &["no pool named fold1", "all"][..]),
        ("--pool-file mine=strange.txt", &["strange.txt", "nothing is in the gallery", "cat"]),
        ("--pool-file folds=strange.txt", &["\"folds\""]),
        ("--pool random61", &["1 to 60"]),
    ] {
        folder.refused(&format!("eval --demo -q {line}"), parts);
    }
    assert_eq!(folder.run("eval --demo --pool-file mine").status.code(), Some(2));
}

#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn folds_are_those_of_the_coco_protocol() {
    let inputs = Inputs { files: vec![scores("lsa"), shared("data/coco5k")], ..Inputs::default() };
    let study = open(&inputs).unwrap();
    let request =
        Request { metrics: Choice::Named(vec!["coco_1k_r1".into()]), ..Request::default() };
    let protocol = evaluate::evaluate(&study, &request, &CancelToken::default()).unwrap();
    let mut harness = Harness::new(study.clone(), 120, 40);
    for pool in study.all_pools() {
        assert_eq!(harness.app.model.settings.pool, pool);
        assert_eq!(shown(&harness), evaluated(&study, 0, pool), "{}", study.pool_name(pool));
        if pool == Pool::Folds {
            let Value::Each(each) = protocol.models[0].2[0] else {
                panic!("R@1 has two directions");
            };
            let expected = [each.i2t, each.t2i].map(|summary| summary.unwrap().value);
            assert_eq!(shown(&harness)[..2], expected);
        }
        harness = harness.keys("p");
    }
}

/// A folder with every second image of the demo as a pool of the command line, which is [`HELD`].
fn held() -> Folder {
    let folder = Folder::new();
    let study = demo::open().unwrap();
    let ids = study.gallery.images.as_slice().iter().step_by(2);
    folder.write("held.txt", ids.map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    folder
}

const HELD: &str = "--demo -q --pool held --pool-file held=held.txt";

#[test]
fn every_number_names_the_pool_that_it_is_of() {
    let folder = held();
    let study = demo::open().unwrap();
    let query = format!("--query {} --direction i2t", study.gallery.images.as_slice()[2]);
    let compare = "compare --models careful,broad --metrics r1 --truth original --direction i2t";
    for command in [
        "mix --models careful,broad --steps 0.5",
        "errors --model careful",
        "find --where 'r1 == 0'",
        "find --items --limit 2",
        "find --where 'r1 == 0' --pick 2",
        &format!("show {query}"),
        compare,
    ] {
        for format in ["table", "json", "latex", "markdown"] {
            let said = folder.printed(&format!("{command} {HELD} --format {format}"));
            assert!(said.contains("held"), "{command} {format}: {said}");
        }
    }
    for (line, part) in [
        (format!("figure {query}"), "held"),
        (format!("show {query}"), "pool: held"),
        ("plot models".into(), "mAP@R against R@1 of models (pool held)"),
    ] {
        let said = folder.printed(&format!("{line} {HELD}"));
        assert!(said.contains(part), "{line}: {said}");
    }
}

#[test]
fn picks_are_shown_in_the_pool_that_they_were_picked_in() {
    let folder = held();
    let found =
        folder.done(&format!("find {HELD} --where 'r1 == 0' --pick 2 --session s.itm.json"));
    assert!(stderr(&found).contains("pool held)."), "{}", stderr(&found));
    let ranks: Vec<String> = (stdout(&found).lines().skip(1))
        .filter_map(|line| line.split_whitespace().nth(1).map(str::to_owned))
        .filter(|rank| rank.parse::<u32>().is_ok())
        .collect();
    assert_eq!(ranks.len(), 2);
    let figure = "figure --session s.itm.json --demo -q --pool-file held=held.txt";
    let words = svg_words(&folder.printed(figure));
    let shown = words.split("first positive at rank ").skip(1);
    let shown: Vec<&str> = shown
        .map(|words| {
            let (rank, truth) = words.split_once(' ').unwrap();
            assert!(truth.starts_with("(rich, pool held)"), "{words}");
            rank
        })
        .collect();
    assert_eq!(shown, ranks);
    let said = stderr(&folder.run(&format!("{figure} --pool all")));
    assert!(said.contains("picked in the candidate pool held, shown in all"), "{said}");
}

/// Captions of one image are no independent evidence in a part of the gallery either, where no ground truth lists the
/// image of a caption that is not in it.
#[test]
fn tests_and_intervals_are_clustered_by_image_in_every_pool() {
    let folder = Folder::new();
    let tested = Harness::new(study(&folder), 120, 40).keys("p2T");
    let screen = tested.screen();
    let pool = "--demo -q --pool-file half=half.txt --pool half";
    let of = |more: &str| {
        let rows = "--models careful,broad --truth rich --direction t2i";
        let told = folder.json(&format!("compare {pool} {rows} {more}"));
        let row = &told["comparisons"][0];
        // The popup is better minus worse: broad - careful.
        let ends = [&row["high"], &row["low"]].map(|end| end.as_f64().unwrap() * -100.0);
        format!("{:+.2} to {:+.2}", ends[0], ends[1])
    };
    let (together, apart) = (of(""), of("--by-query"));
    assert_ne!(together, apart);
    assert!(
        screen.contains("clustered by image") && screen.contains(&together),
        "{together}\n{screen}"
    );
    let sure = Harness::new(study(&folder), 120, 40).keys("p%");
    let said = sure.screen().lines().nth(1).unwrap().to_owned();
    let rows = "--ci --truth rich --direction t2i --metrics r1";
    let told = folder.json(&format!("eval {pool} {rows}"));
    let [low, high] = [0, 1]
        .map(|end| told["models"][0]["intervals"]["rich@half_r1"]["t2i"][end].as_f64().unwrap());
    let ends = format!("[{:.1}, {:.1}]", low * 100.0, high * 100.0);
    assert!(said.contains(&ends), "{said}\n{told}");
}

/// Numbers of the pool that is left are never shown under the name of the one that is entered, nor is a list put in an
/// order that is not known yet.
#[test]
fn until_a_pool_is_counted_it_has_no_numbers() {
    let folder = Folder::new();
    let press = |harness: &mut Harness, key: &str| {
        let key = Key::sequence(key).unwrap()[0];
        harness.app.handle(Event::Key(key));
    };
    for size in [(80, 24), (120, 40)] {
        let mut harness = Harness::new(study(&folder), size.0, size.1).keys("s");
        let (before, known) = (harness.screen(), harness.app.model.header_values());
        let order = harness.app.model.selection.queries.clone();
        press(&mut harness, "p");
        let screen = harness.screen();
        assert!(screen.contains("pool half  ···"), "{screen}");
        assert!(known.is_some() && harness.app.model.header_values().is_none());
        assert!(screen.contains("R@1  ···"), "{screen}");
        assert_eq!(harness.app.model.selection.queries, order);
        press(&mut harness, "3");
        assert!(harness.screen().contains("···"), "{}", harness.screen());
        // Another ground truth is another question, whose numbers are not these.
        press(&mut harness, "r");
        assert!(harness.app.model.header_values().is_none());
        press(&mut harness, "u");
        press(&mut harness, "1");
        press(&mut harness, "u");
        assert_eq!(harness.app.model.header_values(), known);
        assert_eq!(harness.screen().lines().nth(3), before.lines().nth(3));
        let entered = harness.settled().keys("p");
        assert!(entered.app.model.header_values().is_some());
        assert_ne!(entered.app.model.selection.queries, order);
    }
}

/// The figure shows rankings of the pool that is entered: it says so of picks of another one.
#[test]
fn a_pick_of_another_pool_is_told_in_its_figure() {
    let folder = Folder::new();
    let picked = Harness::new(study(&folder), 140, 40).keys("p<Space>5");
    assert!(!picked.screen().contains("ranked in"), "{}", picked.screen());
    let other = picked.keys("p");
    assert!(other.screen().contains("ranked in pool some"), "{}", other.screen());
    let all = other.keys("p");
    assert!(all.screen().contains("ranked in pool all"), "{}", all.screen());
}
