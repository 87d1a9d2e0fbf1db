//! Similarities of captions through the program itself: CIDEr-D as a file, as a ground truth and as a model; NCS and
//! semantic recall; human ratings.

use crate::common;

use std::fmt::Write;
use std::fs;

use common::{Folder, Harness, assert_error, demo_file, scores, shared, stderr};
use itm_explore::data::Direction;
use itm_explore::data::candidate_mask::Part;
use itm_explore::data::cider::CiderOptions;
use itm_explore::data::scores::{Model, ModelPair, Scaling};
use itm_explore::figure::charts::CHARTS;
use itm_explore::rank::ranking::Ranking;
use itm_explore::study::{NamedPool, Study, demo};
use itm_explore::tui::screens::metrics::Metrics;
use itm_explore::tui::state::metrics_table::Cell;
use serde_json::{Value, json};

/// The number of a key and a direction of the first model.
fn value(found: &Value, key: &str, direction: &str) -> f64 {
    let value = &found["models"][0]["metrics"][key][direction];
    value.as_f64().unwrap_or_else(|| panic!("{key} {direction}: {found}"))
}

/// Writes CIDEr-D of the demo.
const CIDER: &str = "semantic cider demo/captions.json -o cider.npy --dtype f8";

#[test]
fn phi_is_the_same_computed_and_from_its_file() {
    let folder = Folder::new();
    let wrote = stderr(&folder.done(CIDER));
    assert!(wrote.contains("60 images x 300 captions, f8"), "{wrote}");
    folder.refused(CIDER, &["there already", "--force"]);
    folder.done(&format!("{CIDER} --force"));
    let eval = "eval demo/broad.npy demo/captions.json -q --k 1,5,10";
    let phis = "--phi cider --phi again=cider.npy --phi-model cider";
    let metrics = "--metrics ncs_at_k,ncs_n_at_k,sr_at_k,nsum,nsum_n";
    let found = folder.json(&format!("{eval} {phis} {metrics}"));
    let mut sum = 0.0;
    for direction in ["i2t", "t2i"] {
        for stem in ["ncs_at", "ncs_n_at", "sr_at"] {
            for k in [1, 5, 10] {
                let of = |phi: &str| value(&found, &format!("{phi}_{stem}_{k}"), direction);
                assert!((of("cider") - of("again")).abs() < 1e-12, "{stem} {k} {direction}");
                assert!((0.0..=1.0 + 1e-12).contains(&of("cider")));
                sum += if stem == "ncs_at" { of("cider") } else { 0.0 };
            }
        }
        // The model of phi retrieves what is most similar.
        let of_phi = &found["models"][1]["metrics"]["cider_ncs_at_10"][direction];
        assert!((of_phi.as_f64().unwrap() - 1.0).abs() < 1e-12);
    }
    let nsum = found["models"][0]["metrics"]["cider_nsum"]["both"].as_f64().unwrap();
    assert!((nsum - 100.0 * sum).abs() < 1e-9, "{nsum} {sum}");
}

/// A mixture takes phi as any other model: computed, and from the file that `cider` writes, it gives the same numbers
/// under every truth, in a pool, and alpha by alpha.
#[test]
fn phi_in_a_mixture_is_the_same_computed_and_from_its_file() {
    let folder = Folder::new();
    folder.done(CIDER);
    let files = "demo/broad.npy demo/captions.json demo/original_image_to_caption.json \
                 demo/rich_image_to_caption.json";
    let mixes = "--mix broad,cider,0.3 --mix cider,broad,0.4,zscore --mix broad,cider,0.9,zscore \
                 --mix cider,broad,1,zscore";
    let [computed, read] = ["--phi-model cider", "cider.npy --dense"].map(|way| {
        let eval = format!("eval -q --pool random30s7 --pool all {files} {way} {mixes}");
        let evaluated = folder.json(&eval);
        let models = evaluated["models"].as_array().unwrap().iter();
        let metrics = models.map(|model| (model["name"].clone(), model["metrics"].clone()));
        let mix = "mix -q --models broad,cider --steps 0.25 --scaling zscore";
        let curve = folder.json(&format!("{mix} {files} {way}"))["curve"].clone();
        (metrics.collect::<Vec<_>>(), curve)
    });
    assert_eq!(computed.0.len(), 2 + 4);
    assert_ne!(computed.0[2].1, computed.0[0].1);
    assert_eq!(computed.0[5].1, computed.0[1].1);
    assert_eq!(computed, read);
}

/// The dial of alpha takes phi, and the ranking beside it is that of the mixture.
#[test]
fn phi_is_mixed_in_the_explorer() {
    let mut study = study_with_phi();
    study.models.truncate(1);
    study.models.push(study.phis[0].clone());
    let alone = study.models.clone();
    let harness = Harness::new(study, 120, 40).keys("aA...");
    let of_app = &harness.app.model.study.models;
    assert_eq!(of_app.len(), 3);
    assert_eq!(of_app[2].name, "zscore 0.65*careful+0.35*cider");
    let mixed = ModelPair::new(&alone[0], &alone[1]).unwrap();
    let mixed = mixed.model(0.65, Scaling::ZScore).unwrap();
    for direction in Direction::BOTH {
        let of = |model: &Model| Ranking::for_query(model, direction, 7);
        assert_eq!(of(&of_app[2]), of(&mixed));
    }
    let screen = harness.screen();
    assert!(screen.contains("zscore careful 0.65+cider"), "{screen}");
}

#[test]
fn one_phi_is_named_in_brackets_and_expressions() {
    let folder = Folder::new();
    let one = folder.json("eval --demo -q --phi cider --metrics 'ncs[cider]_at_7'");
    assert!(value(&one, "cider_ncs_at_7", "t2i") > 0.0);
    let condition = "--where 'cider.ncs_at_10 > 0.5 and cider.sr_at_10 > 0.2' --limit 2";
    let found = folder.printed(&format!("find --demo -q --phi cider {condition}"));
    assert!(found.contains("cider.ncs_at_10"));
    let compare = "compare --demo -q --phi cider --truth cider --metrics ncs_at_10";
    let compared = folder.printed(compare);
    assert!(compared.contains("NCS@10") && compared.contains("by cider"), "{compared}");
}

/// The demo in the explorer with CIDEr-D, whose truth is found once it is open.
fn explorer(columns: u16, rows: u16) -> Harness {
    Harness::new(study_with_phi(), columns, rows)
}

fn study_with_phi() -> Study {
    let mut study = demo::open().unwrap();
    study.phis = vec![study.cider(CiderOptions::default()).unwrap()];
    study
}

#[test]
fn phi_stands_beside_every_item() {
    for (columns, rows) in [(80, 24), (120, 40), (160, 50)] {
        let harness = explorer(columns, rows);
        let model = &harness.app.model;
        assert!(model.study.has_phi_truths() && model.base.has_phi_truths());
        let screen = harness.screen();
        assert!(screen.contains("cider"), "{screen}");
        insta::assert_snapshot!(format!("phi_{columns}x{rows}"), screen);
    }
    // The truth of phi is looked at like any other, and every metric is there.
    let compared = explorer(160, 50).keys("2");
    let model = &compared.app.model;
    let (item, phi) = (model.item().unwrap(), model.phi_in_force().unwrap());
    let (number, _) = model.format_phi(phi, item.item);
    assert!(compared.screen().contains(&format!(" {number}")), "{}", compared.screen());
    let metrics = explorer(160, 50).keys("3");
    let model = &metrics.app.model;
    let keys = model.metrics_rows().into_iter().filter_map(|row| model.metrics_key(row));
    let keys: Vec<String> = keys.collect();
    for key in ["cider_sr_at_1", "cider_ncs_at_30", "cider_ncs_n_at_20", "cider_nsum_n"] {
        assert!(keys.iter().any(|known| known == key), "{key}: {keys:?}");
    }
    assert!(!keys.iter().any(|key| key.starts_with("rich_ncs") || key == "rich_nsum"));
    for row in model.metrics_rows() {
        for column in metrics.app.context::<Metrics>().columns() {
            assert!(!matches!(model.cell(row, column), Cell::Waiting), "{row:?}");
        }
    }
}

#[test]
fn what_is_missed_and_what_is_close_are_lists_and_error_types() {
    let list = explorer(120, 40).keys("E<BackTab>").screen();
    assert!(list.contains("338 most similar items not in the top 10 of 120 queries"), "{list}");
    insta::assert_snapshot!("missed", list);
    assert!(!Harness::demo(120, 40).keys("E").screen().contains("missed"));
    let folder = Folder::new();
    let find = "find --demo -q --phi cider --model naive --format csv";
    let missed = "--where 'rank >= 1' --items --which missed --limit 30";
    let found = folder.printed(&format!("{find} {missed}"));
    assert!(found.lines().count() > 5 && found.contains(",phi"), "{found}");
    let close = |share: &str| {
        let close = format!("--phi-close {share} --where 'semantically close miss'");
        folder.printed(&format!("{find} {close}")).lines().count()
    };
    let (low, high) = (close("20%"), close("0.9"));
    assert!(low > high && high > 0, "{low} {high}");
    folder.refused("errors --demo --phi cider --phi-close 0", &["a share above 0"]);
}

/// The explorer where it looks at the truth of phi.
fn harness_at_cider() -> Harness {
    let mut harness = explorer(120, 40);
    for _ in 0..harness.app.model.study.truths.len() {
        if harness.app.model.truth().name == "cider" {
            break;
        }
        harness = harness.keys("r");
    }
    harness
}

#[test]
fn charts_take_metrics_of_phi() {
    let charts = harness_at_cider().keys("3vv");
    let title = "NCS@10";
    assert!(charts.screen().contains(title), "{}", charts.screen());
}

/// The next charts, until the one of this word is shown.
fn until(mut metrics: Harness, key: &str) -> Harness {
    for _ in 0..CHARTS.len() + 4 {
        if metrics.app.context::<Metrics>().chart_key() == key {
            return metrics;
        }
        metrics = metrics.keys("v");
    }
    panic!("no chart {key}: {}", metrics.screen())
}

/// Where a chart is the same file as that of a subcommand.
fn assert_exports(chart: Harness, folder: &Folder, like: &str) -> Harness {
    let shown = folder.path("shown.svg");
    let written = chart.keys(&format!("e<Ctrl-u>{}<Enter>", shown.display()));
    let told = written.app.model.message.clone().unwrap();
    assert!(told.starts_with("wrote ") && told.contains("shown.svg"), "{told}");
    folder.done(&format!("{like} -q -o printed.svg --force"));
    let is_same = folder.read("shown.svg") == folder.read("printed.svg");
    assert!(is_same, "the explorer draws another chart");
    fs::remove_file(shown).unwrap();
    written
}

#[test]
fn semantic_recall_over_m_is_a_chart_and_the_file_of_sr() {
    for (columns, rows) in [(80, 24), (120, 40), (160, 50)] {
        // Where there is room for one part, the first key shows the charts.
        let keys = if columns == 80 { "3v" } else { "3" };
        let chart = until(explorer(columns, rows).keys(keys), "semantic-recall");
        insta::assert_snapshot!(format!("sr_{columns}x{rows}"), chart.screen());
    }
    let folder = Folder::new();
    let chart = until(explorer(120, 40).keys("3"), "semantic-recall");
    assert!(chart.screen().contains("careful cider t2i"), "{}", chart.screen());
    let plot = "plot semantic-recall --demo --phi cider --direction";
    let chart = assert_exports(chart, &folder, &format!("{plot} t2i"));
    // As is the other direction.
    let chart = assert_exports(chart.keys("d"), &folder, &format!("{plot} i2t"));
    let refused = chart.keys("e<Ctrl-u>a.gif<Enter>").screen();
    assert!(refused.contains(".gif: known are .svg, .png, .pdf"), "{refused}");
    // In a pool the most similar items are others.
    let mut study = study_with_phi();
    let part = Part::new(Direction::I2t, (0..30).collect(), (0..150).collect());
    study.pools.push(NamedPool { name: "half".into(), part });
    let pool = until(Harness::new(study, 120, 40).keys("3"), "semantic-recall");
    let pool = pool.keys("p").screen();
    for words in ["SR over m: a candidate pool", "(half", "expected: the whole"] {
        assert!(pool.contains(words), "{pool}");
    }
}

/// NCS is of the whole gallery: where pools alone are asked for, that is said.
#[test]
fn ncs_in_a_pool_is_refused_by_name() {
    let folder = Folder::new();
    let eval = "eval --demo -q --phi cider --metrics";
    for name in ["ncs_at_10", "ncs_n_at_k", "nsum"] {
        let told = [&format!("{name} in a candidate pool"), "leave --pool out"];
        folder.refused(&format!("{eval} {name} --pool random20"), &told);
    }
    for asked in ["ncs_at_10,sr_at_10 --pool all,random20", "sr_at_10 --pool random20"] {
        let told = folder.printed(&format!("{eval} {asked} --long"));
        assert!(told.contains("cider@random20s0_sr_at_10"), "{told}");
    }
}

/// Without a similarity and ratings there are neither of these charts.
#[test]
fn charts_that_a_study_has_nothing_for_are_passed_over() {
    let mut chart = Harness::demo(120, 40).keys("3");
    let mut seen = Vec::new();
    for _ in 0..CHARTS.len() + 4 {
        seen.push(chart.app.context::<Metrics>().chart_key());
        chart = chart.keys("v");
    }
    assert!(seen.contains(&"over-alpha"), "{seen:?}");
    for lacking in ["semantic-recall", "ratings"] {
        assert!(!seen.contains(&lacking), "{seen:?}");
    }
}

#[test]
fn a_description_names_similarities() {
    let folder = Folder::new();
    folder.done(CIDER);
    let describe = |phi: &str| {
        let files = ["broad.npy", "captions.json"].map(demo_file);
        folder.write("study.toml", format!("files = {files:?}\n{phi}"));
    };
    let metrics = "-q --metrics ncs_at_10,sr_at_10";
    describe("phi = [\"cider\", \"again=cider.npy\"]\nphi_m = 3\ndrop_self = true\n");
    let found = folder.json(&format!("eval study.toml {metrics}"));
    let flags = "demo/broad.npy demo/captions.json --phi cider --phi-m 3 --drop-self";
    let expected = folder.json(&format!("eval {flags} {metrics}"));
    for key in ["cider_ncs_at_10", "cider_sr_at_10"] {
        for direction in ["i2t", "t2i"] {
            let of = |found| value(found, key, direction);
            assert!((of(&found) - of(&expected)).abs() < 1e-12, "{key}");
        }
    }
    assert!(value(&found, "again_ncs_at_10", "t2i") > 0.0);
    for (written, parts) in [
        ("phi = [\"spice\"]", ["phi = ", "NAME=FILE"]),
        ("phi = [\"x=missing.npy\"]", ["missing.npy", "no such file"]),
        ("phi_m = 31", ["--phi-m: 31", "1 to 30"]),
        ("phi_close = 1.5", ["--phi-close: 1.5", "up to 1"]),
        ("tokens = \"x\"", ["`ptb`", "`ncs`"]),
    ] {
        describe(written);
        folder.refused("eval study.toml", &parts);
    }
}

/// One that has no number for a pair makes no truth: the explorer says so, and goes on without it.
#[test]
fn a_phi_with_nan_is_told_in_the_explorer() {
    use itm_explore::study::{Inputs, open};
    let folder = Folder::new();
    let nan = |image, caption| if (image, caption) == (2, 177) { f32::NAN } else { 1.0 };
    let file = folder.matrix("spice.npy", [60, 300], nan);
    let mut inputs = Inputs {
        files: ["broad.npy", "captions.json"].map(|name| demo_file(name).into()).to_vec(),
        texts: true,
        ..Inputs::default()
    };
    inputs.phis.named = vec![("spice".into(), Some(file))];
    let harness = Harness::new(open(&inputs).unwrap(), 120, 40);
    let model = &harness.app.model;
    let told = model.message.as_deref().unwrap();
    assert!(told.contains("NaN") && told.contains("spice.npy"), "{told}");
    assert!(model.phi_in_force().is_none() && model.study.truth("spice").is_none());
    folder.matrix("spice.npy", [60, 299], |_, _| 1.0);
    let told = open(&inputs).unwrap_err().to_string();
    assert!(told.contains("spice.npy") && told.contains("299"), "{told}");
}

#[test]
fn a_phi_that_cannot_be_is_refused() {
    let folder = Folder::new();
    folder.write("lists.json", r#"{"i2t": {"8434": [55293]}, "t2i": {"55293": [8434]}}"#);
    assert_error(2, &["eval", "--demo", "--phi", "spice"], &["cider or NAME=FILE"]);
    for (line, part) in [
        ("eval --demo --phi x=missing.npy", "missing.npy"),
        ("eval --demo --phi cider --phi-model spice", "no phi is named spice"),
        ("eval --demo --phi x=lists.json", "lists.json"),
        ("semantic cider demo/broad.npy -o phi.npy", "no caption has a text"),
    ] {
        folder.refused(line, &[part]);
    }
    for (value, word) in [(f32::INFINITY, "+infinity"), (f32::NEG_INFINITY, "-infinity")] {
        let cell = |image, caption| if (image, caption) == (1, 1) { value } else { 0.5 };
        folder.matrix("spice.npy", [60, 300], cell);
        let told = format!("{word} at image 1, caption 1 ");
        folder.refused("eval --demo --phi spice=spice.npy", &[&told, "finite"]);
    }
}

/// Captions without words, of one word and of ten thousand; and a gallery of one image.
#[test]
fn numbers_are_numbers_whatever_the_captions() {
    let folder = Folder::new();
    let long = "dog cat ".repeat(5_000);
    let texts = ["", "dog", &long, "...", "a dog", "a dog"];
    for images in [1, 3] {
        let entry = |(at, text): (usize, &&str)| json!({"id": 10 + at, "image_id": at % images, "caption": text});
        let entries: Vec<Value> = texts.iter().enumerate().map(entry).collect();
        let named: Vec<Value> =
            (0..images).map(|id| json!({"id": id, "file_name": format!("{id}.jpg")})).collect();
        let captions = json!({"images": named, "annotations": entries}).to_string();
        folder.write("captions.json", captions);
        folder.matrix("m.npy", [images, texts.len()], |i, c| (i * texts.len() + c) as f32);
        let eval = "eval captions.json m.npy -q --phi cider --drop-self --metrics all --format csv";
        let printed = folder.printed(eval);
        assert!(!printed.contains("NaN") && !printed.contains("inf"), "{printed}");
        assert!(printed.contains("cider_ncs_at_1"), "{printed}");
    }
}

/// A matrix of the other orientation is the same phi; at m = 5 the table has what `eval` has.
#[test]
fn semantic_recall_is_told_and_drawn_over_m() {
    let folder = Folder::new();
    let by_m = folder.json("semantic recall --k 1,10 --demo -q --phi cider");
    let evaluated = folder.json("eval --metrics sr_at_k --k 1,10 --demo -q --phi cider");
    let all = by_m["recall"].as_array().unwrap();
    assert_eq!(all.len(), 3 * 2 * 2 * 30);
    for one in all.iter().filter(|one| one["model"] == "careful" && one["m"] == 5) {
        let key = format!("cider_sr_at_{}", one["k"]);
        let direction = one["direction"].as_str().unwrap();
        assert_eq!(one["sr"], value(&evaluated, &key, direction), "{key}");
    }
    let drawn = folder.printed("plot semantic-recall --demo -q --phi cider");
    assert!(drawn.contains("Semantic recall SR@10") && drawn.contains("naive cider t2i"));
    folder.refused("semantic recall --demo", &["no similarity is named", "cider"]);
}

#[test]
fn a_transposed_phi_is_the_same_and_one_of_another_gallery_is_refused() {
    let folder = Folder::new();
    let cell = |image: usize, caption: usize| ((image * 31 + caption * 17) % 97) as f32;
    folder.matrix("one.npy", [60, 300], cell);
    folder.matrix("turned.npy", [300, 60], |caption, image| cell(image, caption));
    folder.matrix("other.npy", [299, 60], |caption, image| cell(image, caption));
    let [one, turned] = ["one.npy", "turned.npy"].map(|phi| {
        let eval = "eval --demo -q --metrics ncs_at_5,sr_at_5 --phi";
        folder.json(&format!("{eval} spice={phi}"))["models"].clone()
    });
    assert_eq!(one, turned);
    let told = ["other.npy", "a matrix of 299 x 60", "60 images"];
    folder.refused("eval --demo --phi spice=other.npy", &told);
}

/// phi of the 30 most similar items is known: deeper, NCS is refused where it is named, and excluded elsewhere.
#[test]
fn ncs_has_a_greatest_depth() {
    let folder = Folder::new();
    let eval = "eval --demo -q --phi cider --metrics";
    for metrics in ["ncs_at_31", "cider_ncs_n_at_50", "ncs_at_k --k 31"] {
        let name = metrics.split(' ').next().unwrap();
        folder.refused(&format!("{eval} {metrics}"), &[name, "depth of 30"]);
    }
    let both = folder.printed(&format!("{eval} ncs_at_k,sr_at_k --k 5,40 --long"));
    assert!(both.contains("cider_ncs_at_5") && both.contains("cider_sr_at_40"), "{both}");
    assert!(!both.contains("cider_ncs_at_40"), "{both}");
}

#[test]
fn ratings_are_correlated_with_labels_phi_and_models() {
    let folder = Folder::new();
    let captions = fs::read_to_string(demo_file("captions.json")).unwrap();
    let captions: Value = serde_json::from_str(&captions).unwrap();
    let mut ratings = "caption,image,agg_score,sampling_method\n".to_owned();
    let entries = captions["annotations"].as_array().unwrap();
    for (at, entry) in entries.iter().enumerate().take(100) {
        let other = &entries[(at * 7 + 20) % entries.len()]["image_id"];
        let (caption, own) = (&entry["id"], &entry["image_id"]);
        let rated = [(own, 4.0 + (at % 2) as f64), (other, (at % 5) as f64 / 2.0)];
        for (image, rating) in rated.into_iter().take(if own == other { 1 } else { 2 }) {
            let image = image.as_u64().unwrap();
            let rated = format!("x:sentid:{caption},COCO_val2014_{image:012}.jpg");
            writeln!(ratings, "{rated},{rating},x").unwrap();
        }
    }
    let file = folder.write("sits_demo.csv", ratings);
    let inputs = "demo/broad.npy demo/captions.json sits_demo.csv --phi cider";
    let rated = format!("truth ratings {inputs} --resamples 200");
    let found = folder.json(&rated);
    let names: Vec<&str> =
        found["all"].as_array().unwrap().iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["original", "cider", "broad"]);
    for (at, name) in names.iter().enumerate() {
        let of = |key: &str| found["all"][at][key].as_f64().unwrap();
        assert!(of("kendall") > 0.4, "{name}: {found}");
        assert!(
            of("kendall_low") <= of("kendall") && of("kendall") <= of("kendall_high"),
            "{name}"
        );
    }
    let of_labels = &found["non_gt"][0];
    assert!(of_labels["pairs"].as_u64().unwrap() > 90 && of_labels["pearson"].is_null());
    assert_eq!(folder.json(&rated), found, "the same seed, the same numbers");
    let plot = format!("plot ratings {inputs}");
    folder.done(&format!("{plot} -o ratings.svg"));
    let drawn = folder.read("ratings.svg");
    for words in ["Scores of pairs by their rating", ">cider<", ">broad<"] {
        assert!(drawn.contains(words), "{words}: {drawn}");
    }
    let [model, captions] = ["broad.npy", "captions.json"].map(|name| demo_file(name).into());
    let inputs = itm_explore::study::Inputs {
        files: vec![model, captions, file],
        texts: true,
        ..Default::default()
    };
    let mut study = itm_explore::study::open(&inputs).unwrap();
    study.phis = vec![study.cider(CiderOptions::default()).unwrap()];
    let shown = until(Harness::new(study, 120, 40).keys("3"), "ratings");
    insta::assert_snapshot!("ratings", shown.screen());
    assert_exports(shown, &folder, &plot);
    folder.refused(&format!("{plot} -o ratings.svg"), &["ratings.svg", "--force"]);
    let none = ["no ratings of pairs", "sits_*.csv"];
    folder.refused("truth ratings demo/broad.npy demo/captions.json", &none);
}

/// The public code of NCS on the first 200 images: their numbers lie between those of both orders of equal scores.
#[test]
#[ignore = "needs ../shared and its 5K matrices"]
fn ncs_equals_the_public_code() {
    let folder = Folder::new();
    let whole = fs::read(scores("lsa")).unwrap();
    let cells = &whole[whole.len() - 5_000 * 25_000 * 4..];
    folder.matrix("lsa.npy", [200, 1_000], |image, caption| {
        let at = 4 * (image * 25_000 + caption);
        f32::from_le_bytes(cells[at..at + 4].try_into().unwrap())
    });
    let all = fs::read_to_string(shared("data/coco5k/captions_test5k.json")).unwrap();
    let mut all: Value = serde_json::from_str(&all).unwrap();
    all["images"].as_array_mut().unwrap().truncate(200);
    all["annotations"].as_array_mut().unwrap().truncate(1_000);
    folder.write("captions.json", all.to_string());
    let metrics = "--phi cider --tokens ncs --metrics ncs_at_k,ncs_n_at_k";
    let found = folder.json(&format!("eval lsa.npy captions.json -q {metrics}"));
    let oracle = fs::read_to_string(shared("oracles/ncs_lsa_200.json")).unwrap();
    let oracle: Value = serde_json::from_str(&oracle).unwrap();
    for (set, stem) in [("include_gt", "ncs_at"), ("exclude_gt", "ncs_n_at")] {
        for direction in ["i2t", "t2i"] {
            for k in [1, 5, 10] {
                let expected =
                    oracle["scores"][set][direction][format!("ncs_at{k}")].as_f64().unwrap();
                let value = value(&found, &format!("cider_{stem}_{k}"), direction);
                // Two captions have equal scores at ranks 5 and 6, which numpy's sort leaves in no order.
                let is_tied = (set, direction, k) == ("exclude_gt", "t2i", 5);
                let close = if is_tied { 1e-4 } else { 1e-9 };
                assert!(
                    (value - expected).abs() < close,
                    "{set} {direction} {k}: {value}, not {expected}"
                );
            }
        }
    }
}
