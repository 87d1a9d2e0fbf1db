//! Captions in every form name the same gallery.

use super::*;
use itm_explore::data::Direction;

/// COCO-like names: image `i` has the id `i + 1`.
fn file_name(image: usize) -> String {
    format!("COCO_val2014_{:012}.jpg", image + 1)
}

fn text(caption: usize) -> String {
    format!("caption number {caption} of image {}", caption / 5)
}

/// A list of texts for each image; image 2 has a sixth one where `extra` is set.
fn texts(image: usize, extra: bool) -> Vec<String> {
    let mut texts: Vec<String> = (5 * image..5 * image + 5).map(text).collect();
    if extra && image == 2 {
        texts.push("one caption too many".into());
    }
    texts
}

fn blip(extra: bool) -> String {
    let entry = |image| serde_json::json!({"image": format!("val2014/{}", file_name(image)), "caption": texts(image, extra)});
    serde_json::to_string(&(0..IMAGES).map(entry).collect::<Vec<_>>()).unwrap()
}

fn map() -> String {
    // Another order than the matrix: last image first.
    let entries = (0..IMAGES).rev().map(|image| {
        let key = file_name(image).replace(".jpg", "");
        format!("{key:?}: {}", serde_json::to_string(&texts(image, false)).unwrap())
    });
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

fn karpathy() -> String {
    let image = |image: usize| {
        let sentence = |(at, raw)| serde_json::json!({"raw": raw, "tokens": [], "sentid": sentence_id(image, at)});
        let sentences: Vec<_> = texts(image, true).into_iter().enumerate().map(sentence).collect();
        serde_json::json!({"filename": file_name(image), "split": "test", "cocoid": image + 1, "sentences": sentences})
    };
    let mut images: Vec<serde_json::Value> = (0..IMAGES).map(image).collect();
    images.insert(
        3,
        serde_json::json!({"filename": "x.jpg", "split": "val", "cocoid": 99,
        "sentences": [{"raw": "a val", "sentid": 7}]}),
    );
    serde_json::json!({"images": images, "dataset": "coco"}).to_string()
}

fn sentence_id(image: usize, at: usize) -> usize {
    if at < 5 { 1000 + 5 * image + at } else { 5000 + image }
}

/// `cxc`-like pairs by the ids of [`karpathy`]: each image's own captions.
fn pairs() -> [(String, String); 2] {
    let ids = |image: usize| (0..5).map(move |at| sentence_id(image, at));
    let i2t: Vec<String> =
        (0..IMAGES).map(|i| format!("\"{}\": {:?}", i + 1, ids(i).collect::<Vec<_>>())).collect();
    let t2i: Vec<String> =
        (0..IMAGES).flat_map(|i| ids(i).map(move |id| format!("\"{id}\": [{}]", i + 1))).collect();
    [
        ("coco_image_to_caption.json".into(), format!("{{{}}}", i2t.join(", "))),
        ("coco_caption_to_image.json".into(), format!("{{{}}}", t2i.join(", "))),
    ]
}

fn ids() -> String {
    let ids = (0..CAPTIONS).map(|c| sentence_id(c / 5, c % 5).to_string());
    ids.collect::<Vec<_>>().join("\n")
}

/// Opens files with the 6 x 30 matrix; `ids` are the caption ids, if any.
fn open(files: &Files, names: &[&str], with_ids: bool) -> itm_explore::error::Result<Study> {
    let mut paths = vec![files.npy("m.npy", "<f4", false, [IMAGES, CAPTIONS], score)];
    paths.extend(names.iter().map(|name| files.path(name)));
    let caption_ids = with_ids.then(|| files.write("caption_ids.txt", ids()));
    study::open(&Inputs { files: paths, caption_ids, texts: true, ..Inputs::default() })
}

fn assert_named(study: &Study) {
    let gallery = &study.gallery;
    assert_eq!((gallery.images.len(), gallery.captions.len()), (IMAGES, CAPTIONS));
    for caption in 0..CAPTIONS {
        assert_eq!(gallery.caption(caption), text(caption));
    }
    assert_same_numbers(study);
}

fn assert_same_numbers(study: &Study) {
    let files = Files::new();
    let expected = dense(&files);
    let found = numbers(study);
    assert_eq!(found.models[0].2, expected);
}

#[test]
fn a_karpathy_split_names_everything() {
    let files = Files::new();
    files.write("dataset.json", karpathy());
    let study = open(&files, &["dataset.json"], false).unwrap();
    assert_named(&study);
    assert_eq!(study.gallery.image(2), file_name(2));
    let said: Vec<&str> = study.notes.iter().map(|note| note.text.as_str()).collect();
    assert!(
        said.iter()
            .any(|note| note.ends_with("1 captions beyond the fifth of their image are excluded")),
        "{said:?}"
    );
}

#[test]
fn captions_with_another_image_than_in_the_original_pairing_are_warned_of() {
    for (shift, is_warned) in [(0, false), (1, true)] {
        let files = Files::new();
        let row = |c: usize| {
            format!("{},{},{}\n", sentence_id(c / 5, c % 5), (c / 5 + shift) % IMAGES + 1, text(c))
        };
        let rows: String = (0..CAPTIONS).map(row).collect();
        files.write("caps.csv", format!("caption_id,image_id,caption\n{rows}"));
        let pairs = pairs().map(|(name, content)| files.write(&name, content));
        let names = pairs.each_ref().map(|path| path.file_name().unwrap().to_str().unwrap());
        let study = open(&files, &[&["caps.csv"][..], &names].concat(), false).unwrap();
        let mut notes = study.notes.iter();
        assert_eq!(
            notes.any(|note| note.warning && note.text.contains("another image")),
            is_warned
        );
    }
}

#[test]
fn lists_without_ids_are_in_matrix_order() {
    let files = Files::new();
    files.write("blip.json", blip(true));
    let lines: Vec<String> = (0..CAPTIONS).map(text).collect();
    files.write("caps.txt", lines.join("\n") + "\n");
    for name in ["blip.json", "caps.txt"] {
        assert_named(&open(&files, &[name], false).unwrap());
    }
}

#[test]
fn lists_without_ids_find_the_known_ones_by_image() {
    let files = Files::new();
    files.write("blip.json", blip(true));
    files.write("refined.json", map());
    for (name, content) in pairs() {
        files.write(&name, content);
    }
    for name in ["blip.json", "refined.json"] {
        let study = open(&files, &[name, "coco_image_to_caption.json"], true).unwrap();
        assert_named(&study);
        assert_eq!(study.gallery.captions[3].to_string(), "1003");
    }
}

#[test]
fn a_matrix_with_every_caption_loses_the_extra_column() {
    let files = Files::new();
    files.write("blip.json", blip(true));
    files.write("dataset.json", karpathy());
    for (name, content) in pairs() {
        files.write(&name, content);
    }
    // The sixth caption of image 2 stands in column 15.
    let at = |image: usize, column: usize| match column {
        15 => 99.0,
        column => score(image, column - usize::from(column > 15)),
    };
    let wide = files.npy("wide.npy", "<f4", false, [IMAGES, CAPTIONS + 1], at);
    files.write("study.toml", "[[models]]\nname = \"wide\"\nscores = \"wide.npy\"");
    for captions in ["blip.json", "dataset.json"] {
        for scores in [&wide, &files.path("study.toml")] {
            let study = study::open(&Inputs {
                files: vec![
                    scores.clone(),
                    files.path(captions),
                    files.path("coco_image_to_caption.json"),
                ],
                caption_ids: Some(files.write("caption_ids.txt", ids())),
                ..Inputs::default()
            });
            assert_same_numbers(&study.unwrap());
        }
    }
}

#[test]
fn captions_that_do_not_fit_are_told() {
    let files = Files::new();
    files.write("short.txt", "a b\nc d\n");
    files.write("dataset.json", karpathy());
    let error = open(&files, &["short.txt", "dataset.json"], true).unwrap_err().to_string();
    assert!(
        error.contains("2 lines of text, taken for captions") && error.contains("30"),
        "{error}"
    );
    let split = study::open(&Inputs {
        files: vec![files.path("dataset.json")],
        split: Some("dev".into()),
        ..Inputs::default()
    });
    let error = split.unwrap_err().to_string();
    assert!(error.contains("test (6 images), val (1 images)"), "{error}");
}

#[test]
fn files_without_a_caption_are_told() {
    let files = Files::new();
    let karpathy: serde_json::Value = serde_json::from_str(&karpathy()).unwrap();
    let mut bare = karpathy.clone();
    for image in bare["images"].as_array_mut().unwrap() {
        image["sentences"] = serde_json::json!([]);
    }
    files.write("dataset.json", bare.to_string());
    let blip = r#"[{"image": "val2014/COCO_val2014_000000000001.jpg", "caption": []}]"#;
    files.write("blip.json", blip);
    for (name, with_ids) in [("dataset.json", true), ("blip.json", false)] {
        let error = open(&files, &[name], with_ids).unwrap_err().to_string();
        assert!(error.contains("images without any caption"), "{error}");
    }
}

#[test]
fn captions_of_an_image_that_stand_apart_are_a_warning() {
    let files = Files::new();
    let caption =
        |at: usize| serde_json::json!({"id": at, "image_id": at % IMAGES, "caption": text(at)});
    let annotations: Vec<_> = (0..CAPTIONS).map(caption).collect();
    let coco = serde_json::json!({"images": [], "annotations": annotations});
    files.write("captions.json", coco.to_string());
    let study = open(&files, &["captions.json"], false).unwrap();
    let warned = |note: &itm_explore::study::Note| {
        note.warning && note.text.contains("do not stand side by side")
    };
    assert!(study.notes.iter().any(warned), "{:?}", study.notes);
}

#[test]
fn image_ids_may_be_file_names() {
    let files = Files::new();
    for (name, content) in pairs() {
        files.write(&name, content);
    }
    let names: Vec<String> = (0..IMAGES).map(file_name).collect();
    let study = study::open(&Inputs {
        files: vec![
            files.npy("m.npy", "<f4", false, [IMAGES, CAPTIONS], score),
            files.path("coco_image_to_caption.json"),
        ],
        image_ids: Some(files.write("images.txt", names.join("\n"))),
        caption_ids: Some(files.write("caption_ids.txt", ids())),
        ..Inputs::default()
    });
    let study = study.unwrap();
    assert_eq!(study.gallery.images[4].to_string(), "5");
    assert_eq!(study.gallery.image(4), file_name(4));
    let truth = study.truth("coco").unwrap();
    assert_eq!(truth.relevance[Direction::I2t].as_ref().unwrap().len(), IMAGES);
}

/// The id of an image of a gallery as that of Flickr30k.
fn flickr_id(image: usize) -> usize {
    7_000_000 - 13 * image
}

/// Sentences and annotations of so many images, of which the first 1,000 are the split.
fn flickr(files: &Files, images: usize) -> PathBuf {
    let folder = files.path("entities");
    for name in ["Sentences", "Annotations"] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
    }
    let size = "<size><width>9</width><height>9</height></size>";
    for image in 0..images {
        let (id, chain) = (flickr_id(image), image + 1);
        let line = |n| format!("[/EN#{chain}/people Person {n}] of image {id} .\n");
        let object = format!("<object><name>{chain}</name><scene>1</scene></object>");
        let xml = format!("<annotation>{size}{object}</annotation>");
        let lines: String = (0..5).map(line).collect();
        std::fs::write(folder.join(format!("Sentences/{id}.txt")), lines).unwrap();
        std::fs::write(folder.join(format!("Annotations/{id}.xml")), xml).unwrap();
    }
    let ids: Vec<String> = (0..1_000).map(|image| flickr_id(image).to_string()).collect();
    std::fs::write(folder.join("test.txt"), ids.join("\n")).unwrap();
    folder
}

/// The Flickr30k protocol: 1,000 images with five captions each, named by nothing but the sentences and the list
/// of the split, whose order is that of the matrix.
#[test]
fn entities_alone_name_a_flickr30k_gallery() {
    let files = Files::new();
    let folder = flickr(&files, 1_000);
    let id = flickr_id;
    // A fourth of the captions have the image after their own first.
    let at = |image: usize, caption: usize| match (caption / 5, caption / 5 % 4) {
        (own, 0) if own == image => 1.0,
        (own, 0) if own + 1 == image => 1.5,
        (own, _) if own == image => 2.0,
        _ => 0.0,
    };
    let sims = files.npy("flickr.npy", "<f2", false, [1_000, 5_000], at);
    let inputs =
        Inputs { files: vec![sims], entities: Some(folder), texts: true, ..Inputs::default() };
    let study = study::open(&inputs).unwrap();
    let gallery = &study.gallery;
    assert_eq!((gallery.images.len(), gallery.captions.len()), (1_000, 5_000));
    assert_eq!(gallery.images[999].to_string(), id(999).to_string());
    assert_eq!(gallery.captions[7].to_string(), format!("{}#2", id(1)));
    assert_eq!(gallery.caption(7), format!("Person 2 of image {} .", id(1)));
    assert_eq!(gallery.image(3), format!("{}.jpg", id(3)));
    assert_eq!(study.phrases.as_ref().unwrap().counts(), [1_000, 5_000]);
    assert!(study.notes.iter().all(|note| !note.warning), "{:?}", study.notes);
    let r1 = |direction: Direction| {
        let relevance = study.truth("original").unwrap().relevance[direction].as_ref();
        relevance.map(|relevance| (relevance.len(), relevance.pair_count()))
    };
    assert_eq!(r1(Direction::I2t), Some((1_000, 5_000)));
    assert_eq!(r1(Direction::T2i), Some((5_000, 5_000)));
    let sims = inputs.files[0].display().to_string();
    let folder = inputs.entities.unwrap().display().to_string();
    let output = common::run(&["eval", &sims, "--entities", &folder, "--format", "json", "-q"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let told = &told["models"][0]["metrics"]["original_r1"];
    assert_eq!((told["i2t"].as_f64(), told["t2i"].as_f64()), (Some(1.0), Some(0.75)));
}

/// Flickr30K-FG on the same: more images, named as its list names them, and refined captions by image.
#[test]
fn a_flickr30k_gallery_is_enlarged_and_refined() {
    let files = Files::new();
    let folder = flickr(&files, 1_010);
    let names = (0..1_010).flat_map(|image| {
        let name = format!("{}.jpg", flickr_id(image));
        let letters: Vec<u32> = name.chars().map(u32::from).collect();
        let blanks = std::iter::repeat_n(0, 16 - letters.len());
        letters.into_iter().chain(blanks).flat_map(u32::to_le_bytes)
    });
    let names = common::npy("'<U16'", false, "(1010,)", &names.collect::<Vec<u8>>());
    std::fs::write(files.path("Flickr30K_FG_img_filenames.npy"), names).unwrap();
    // In another order, as it is published.
    let refined = (0..1_000).rev().map(|image| {
        let id = flickr_id(image);
        let texts: Vec<String> = (0..5).map(|n| format!("tall person {n} of image {id}")).collect();
        format!("\"{id}\": {texts:?}")
    });
    let refined = format!("{{{}}}", refined.collect::<Vec<_>>().join(", "));
    files.write("Flickr30K_FG_ann.json", refined);
    // A further image comes first for every second caption.
    let at = |image: usize, caption: usize| match (image, caption % 2) {
        (1_000, 0) => 2.0,
        (image, _) if image == caption / 5 => 1.0,
        _ => 0.0,
    };
    let scores = files.npy("flickr.npy", "<f2", false, [1_010, 5_000], at);
    let study = study::open(&Inputs {
        files: vec![scores],
        image_ids: Some(files.path("Flickr30K_FG_img_filenames.npy")),
        entities: Some(folder),
        texts: true,
        text_sets: vec![("refined".into(), files.path("Flickr30K_FG_ann.json"))],
        captions_of: vec![("flickr".into(), "refined".into())],
        ..Inputs::default()
    })
    .unwrap();
    let gallery = &study.gallery;
    assert_eq!((gallery.images.len(), gallery.captions.len()), (1_010, 5_000));
    let id = flickr_id(1);
    assert_eq!(gallery.captions[7].to_string(), format!("{id}#2"));
    let text = |set: usize| study.text_sets[set].texts[7].shown().to_owned();
    assert_eq!(text(0), format!("Person 2 of image {id} ."));
    assert_eq!(text(1), format!("tall person 2 of image {id}"));
    let names: Vec<String> =
        study.all_pools().into_iter().map(|pool| study.pool_name(pool)).collect();
    assert_eq!(names, ["enlarged", "original"]);
    let r1 = |pool: &str| {
        let request = Request {
            metrics: Choice::Named(vec!["r1".into()]),
            pools: vec![study.pool_named(pool).unwrap()],
            ..Request::default()
        };
        let found = evaluate(&study, &request, &CancelToken::default()).unwrap();
        let Value::Each(each) = &found.models[0].2[0] else { panic!("R@1 is of each direction") };
        each.t2i.unwrap().value
    };
    assert_eq!([r1("enlarged"), r1("original")], [0.5, 1.0].map(Some));
}

#[test]
fn the_token_file_of_flickr30k_has_ids_names_and_texts_apart() {
    let files = Files::new();
    let line =
        |caption: usize| format!("{}.jpg#{}\ta dog {caption}\n", 7000 + caption / 5, caption % 5);
    let captions = files.write("results.token", (0..CAPTIONS).map(line).collect::<String>());
    let scores = files.npy("dense.npy", "<f8", false, [IMAGES, CAPTIONS], score);
    let study =
        study::open(&Inputs { files: vec![scores, captions], texts: true, ..Inputs::default() });
    let gallery = study.unwrap().gallery;
    assert_eq!(gallery.images[1].to_string(), "7001");
    assert_eq!(gallery.file_names[1].raw(), "7001.jpg");
    assert_eq!(gallery.texts[6].raw(), "a dog 6");
}

#[test]
fn cider_of_one_image_is_said_to_be_zero() {
    let files = Files::new();
    let entry =
        |image: usize| format!(r#"{{"image": "{image}.jpg", "caption": ["a dog", "one dog"]}}"#);
    let warned = |images: usize| {
        let entries: Vec<String> = (0..images).map(entry).collect();
        let captions = files.write("captions.json", format!("[{}]", entries.join(", ")));
        let study = study::open(&Inputs {
            files: vec![captions],
            texts: true,
            any_order: true,
            ..Inputs::default()
        });
        study.unwrap().cider_warning().is_some()
    };
    assert_eq!([1, 2].map(warned), [true, false]);
}
