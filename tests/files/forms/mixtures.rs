//! Mixtures on the command line: further models of `eval`, and the curve of `mix`.

use itm_explore::doctor;
use serde_json::Value;

use super::common::Folder;
use super::{CAPTIONS, Files, IMAGES, score};

#[test]
fn a_mixture_is_a_model_beside_the_others() {
    let mixes = "--mix broad,careful,1 --mix broad,careful,0,zscore --mix careful,broad,0.3,zscore";
    let found = Folder::new().json(&format!("eval -q --demo {mixes}"));
    let models = found["models"].as_array().unwrap();
    let of = |name: &str| {
        let model = models.iter().find(|model| model["name"] == name);
        model.unwrap_or_else(|| panic!("no {name} in {found:#}"))["metrics"].clone()
    };
    assert_eq!(of("1.00*broad+0.00*careful"), of("broad"));
    assert_eq!(of("zscore 0.00*broad+1.00*careful"), of("careful"));
    assert_ne!(of("zscore 0.30*careful+0.70*broad"), of("broad"));
}

/// A matrix, and half of it plus half of the same in another order of axes and element.
#[test]
fn files_in_any_order_and_element_are_mixed() {
    let files = Files::new();
    let first = files.npy("one.npy", ">f4", false, [IMAGES, CAPTIONS], score);
    let turned = files.npy("two.npy", "<f2", false, [CAPTIONS, IMAGES], |c, i| score(i, c));
    let truth = files.path("original_image_to_caption.json");
    let inputs = [first, turned, truth].map(|path| path.display().to_string()).join(" ");
    let ids = files.path("ids.txt");
    let mixes = "--mix one,two,0.25 --mix two,one,0.5,zscore";
    let eval = format!("eval -q {inputs} --caption-ids {} {mixes}", ids.display());
    let found = Folder::new().json(&eval);
    let models = found["models"].as_array().unwrap();
    assert_eq!(models.len(), 4);
    for model in models {
        assert_eq!(model["metrics"], models[0]["metrics"], "{}", model["name"]);
    }
}

#[test]
fn the_curve_has_the_single_models_at_its_ends() {
    let folder = Folder::new();
    let mix = "mix --demo -q --models broad,careful --truth rich --scaling zscore";
    let found = folder.json(&format!("{mix} --steps 0.25"));
    let curve = found["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 5);
    let single = folder.json("eval -q --demo --truth rich --metrics r1,map_at_r");
    let single = single["models"].as_array().unwrap();
    for (at, name) in [(4, "broad"), (0, "careful")] {
        let model = single.iter().find(|model| model["name"] == name).unwrap();
        for metric in ["r1", "map_at_r"] {
            for direction in ["i2t", "t2i"] {
                let value = &model["metrics"][format!("rich_{metric}")][direction];
                assert_eq!(&curve[at][format!("{metric}_{direction}")], value);
            }
        }
    }
    let best = best_of(&found, "map_at_r", "t2i");
    let values = curve.iter().map(|point| point["map_at_r_t2i"].as_f64().unwrap());
    assert_eq!(best["value"].as_f64(), values.reduce(f64::max));
    let text = folder.printed(mix);
    let table = text.split("\n\nevery alpha\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(table.lines().count(), 1 + 21, "{text}");
    assert!(text.contains("0.15") && text.matches('*').count() >= 4 + 3, "{text}");
    let csv = folder.printed(&format!("{mix} --format csv"));
    assert_eq!(csv.lines().count(), 1 + 4 + 21);
}

fn best_of<'a>(found: &'a Value, metric: &str, direction: &str) -> &'a Value {
    let mut best = found["best"].as_array().unwrap().iter();
    best.find(|of| of["metric"] == metric && of["direction"] == direction).unwrap()
}

/// The best alpha of all queries is chosen for these; what is held out says what it is worth on others.
#[test]
fn alpha_is_chosen_on_one_half_of_the_images_and_told_on_the_other() {
    let folder = Folder::new();
    let mix = "mix --demo -q --models broad,careful --truth rich --steps 0.25";
    let found = |seed| folder.json(&format!("{mix} --seed {seed}"));
    let first = found("0");
    assert_eq!(first["seed"], 0);
    for metric in ["r1", "map_at_r"] {
        for direction in ["i2t", "t2i"] {
            let of = best_of(&first, metric, direction);
            let number = |key: &str| of[key].as_f64().unwrap();
            assert!(number("queries") < number("judged"));
            let delta = number("mixture") - number("single_value");
            assert!((number("delta") - delta).abs() < 1e-12);
            assert!(number("low") <= delta && delta <= number("high"), "{of}");
            assert!(of["single"] == "broad" || of["single"] == "careful");
        }
    }
    assert_eq!(found("0"), first);
    assert_eq!(found("1")["curve"], first["curve"]);
    assert_ne!(found("1")["best"], first["best"]);
    let text = folder.printed(mix);
    assert!(text.contains("* best alpha for these same queries"), "{text}");
    assert!(text.contains("on held-out images"), "{text}");
}

/// The files of a mixture are examined once, as models of their own.
#[test]
fn the_doctor_finds_nothing_new_in_a_mixture() {
    let mut study = itm_explore::study::demo::open().unwrap();
    let before = doctor::examine(&study);
    let wanted = ["broad,careful,0.5".to_owned(), "naive,broad,0.2,zscore".to_owned()];
    study.add_mixtures(&wanted).unwrap();
    assert_eq!(doctor::examine(&study).len(), before.len());
}

#[test]
fn what_cannot_be_mixed_is_told_once_and_clearly() {
    for (line, parts) in [
        ("eval --mix broad,ours,0.5", ["no model is named ours", "careful, broad, naive"]),
        ("eval --mix broad,broad,0.5", ["broad", "a model with itself"]),
        ("eval --mix broad,careful,1.5", ["--mix: broad,careful,1.5", "0 to 1"]),
        ("eval --mix broad,careful", ["--mix: broad,careful", "A,B,ALPHA"]),
        ("eval --mix broad,careful,half", ["--mix", "A,B,ALPHA"]),
        ("eval --mix broad,careful,0.5 --mix broad,careful,0.50", ["--mix", "is there twice"]),
        ("mix --models broad", ["1 model given", "careful, broad"]),
        ("mix", ["two of", "careful"]),
        ("mix --steps 0.3", ["0.3", "a number that divides 1"]),
    ] {
        Folder::new().refused(&format!("{line} --demo -q"), &parts);
    }
}

#[test]
fn embeddings_are_mixed_as_their_matrix_is() {
    let files = Files::new();
    let emb = files.npy("e.npy", "<f4", false, [IMAGES, 3], |i, d| (i + d) as f64);
    let of_texts = files.npy("t.npy", "<f4", false, [CAPTIONS, 3], |c, d| (c * d) as f64);
    let whole = files.npy("one.npy", "<f4", true, [IMAGES, CAPTIONS], score);
    // (i + d) times c d, summed over the three dimensions.
    let product = |i, c| (c * (3 * i + 5)) as f64;
    let saved = files.npy("saved.npy", "<f4", false, [IMAGES, CAPTIONS], product);
    let [whole, emb, of_texts, saved, truth, ids] = [
        whole,
        emb,
        of_texts,
        saved,
        files.path("original_image_to_caption.json"),
        files.path("ids.txt"),
    ]
    .map(|path| path.display().to_string());
    let mixed = |inputs: &str, name: &str| {
        let mix = |scaling: &str| {
            format!("--mix one,{name},0.3,{scaling} --mix {name},one,0.6,{scaling}")
        };
        let given = format!("{whole} {truth} --caption-ids {ids} {inputs}");
        let eval = format!("eval -q {given} {} {}", mix("raw"), mix("zscore"));
        let models = Folder::new().json(&eval)["models"].as_array().unwrap().clone();
        assert_eq!(models.len(), 6);
        models.iter().map(|model| model["metrics"].clone()).collect::<Vec<_>>()
    };
    let embeddings = format!("--image-emb {emb} --text-emb {of_texts}");
    assert_eq!(mixed(&embeddings, "e+t"), mixed(&saved, "saved"));
}
