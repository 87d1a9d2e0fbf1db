//! The readers, and what is asserted of what they make of a file.

use std::fs;
use std::path::{Path, PathBuf};

use itm_explore::analysis::right_wrong::accuracies;
use itm_explore::data::Direction;
use itm_explore::data::cider::CiderOptions;
use itm_explore::data::id::Id;
use itm_explore::data::index::{ModelIx, TruthIx};
use itm_explore::data::source::Source;
use itm_explore::data::text_pairs;
use itm_explore::error::Error;
use itm_explore::filter::Expression;
use itm_explore::image_file::{self, ImageLimits};
use itm_explore::phrase::Entities;
use itm_explore::phrase::localisation::{PROTOCOLS, Predictions, Targets, evaluate};
use itm_explore::phrase::stats::PhraseStats;
use itm_explore::session::Session;
use itm_explore::study::{self, Inputs, Neighbours, ScoreInputs, Study, View, demo};
use itm_explore::tui::event::Event;
use itm_explore::tui::keymap::{Code, Key};

use super::common::Harness;
use super::hostile::{Random, Seed};
use super::seeds;

/// A reader under attack.
pub struct Target {
    /// As its test is called.
    pub name: &'static str,
    /// Good files; writes what else is needed into the folder.
    pub seeds: fn(&Path) -> Vec<Seed>,
    /// Reads the file of a case and asserts what is promised.
    pub read: fn(&Path, &Path),
}

macro_rules! targets {
    ($($(#[$when:meta])? $name:ident $seeds:ident $read:ident)*) => {
        /// Every reader.
        pub const TARGETS: &[Target] = &[$(
            $(#[$when])?
            Target { name: stringify!($name), seeds: seeds::$seeds, read: $read }
        ),*];
    };
}

targets! {
    npy matrices as_file
    npz archives as_file
    ids ids as_ids
    json json as_file
    text text as_file
    description description as_description
    parquet tables as_run
    neighbours neighbours as_neighbours
    session sessions as_session
    pools pools as_pool
    image_file image_files as_image_file
    expression expressions as_expression
    keys keys as_keys
    sentences sentences as_entities
    annotations annotations as_entities
    predictions predictions as_predictions
    text_pairs text_pairs as_text_pairs
    tensors tensors as_file
}

/// A study of the gallery's files and these inputs.
fn inputs(folder: &Path, more: Inputs) -> Inputs {
    let mut files =
        vec![folder.join("own_image_to_caption.json"), folder.join("own_caption_to_image.json")];
    files.extend(more.files);
    Inputs {
        files,
        caption_ids: more.caption_ids.or_else(|| Some(folder.join("order.txt"))),
        texts: true,
        ..more
    }
}

/// Asserts that a text has no control or invisible characters.
fn assert_clean(text: &str) {
    let is_harmful = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(is_harmful), "{text:?}");
}

/// One error that says which file it is about, and not the whole of it.
fn assert_told(error: &Error, path: &Path) {
    let text = error.to_string();
    assert_clean(&text);
    // A path may have four kilobytes, and the same one may be named twice.
    assert!(text.len() < 10_000, "{} bytes: {text:.300}", text.len());
    // It may be about a file beside, which it makes impossible.
    let folder = path.parent().unwrap().display().to_string();
    let names_file = text.contains(&folder) || text.starts_with("pools:");
    assert!(names_file, "of no file: {text}");
}

fn assert_study(opened: Result<Study, Error>, path: &Path) {
    match opened {
        Err(error) => assert_told(&error, path),
        Ok(study) => {
            study.notes.iter().for_each(|note| assert_clean(&note.text));
            assert_similarities(&study);
            if study.require_models_and_truths().is_ok() {
                assert_shown(&Harness::new(study, 80, 24));
            }
        }
    }
}

/// CIDEr-D of whatever the captions are is a number for every pair.
fn assert_similarities(study: &Study) {
    let Ok(phi) = study.cider(CiderOptions::default()) else {
        return;
    };
    for direction in Direction::BOTH {
        for query in 0..study.gallery.queries(direction).len().min(3) {
            let scores = phi.scores.by_query(direction).scores(query);
            assert!(scores.iter().all(|score| (0.0..=10.0 + 1e-9).contains(score)));
        }
    }
}

fn assert_shown(harness: &Harness) {
    for cell in &harness.buffer().content {
        assert_clean(cell.symbol());
    }
}

fn as_file(folder: &Path, path: &Path) {
    let mut files = vec![path.to_owned()];
    let is_matrix = path.extension().is_some_and(|ending| ending != "json");
    if !is_matrix {
        files.push(folder.join("plain.npy"));
    }
    let more = Inputs { files, ..Inputs::default() };
    assert_study(study::open(&inputs(folder, more)), path);
}

fn as_ids(folder: &Path, path: &Path) {
    let more = Inputs {
        files: vec![folder.join("plain.npy")],
        caption_ids: Some(path.to_owned()),
        ..Inputs::default()
    };
    assert_study(study::open(&inputs(folder, more)), path);
}

fn as_description(_: &Path, path: &Path) {
    let more = Inputs { files: vec![path.to_owned()], ..Inputs::default() };
    assert_study(study::open(&more), path);
}

fn with_scores(folder: &Path, path: &Path, scores: ScoreInputs) {
    let more = Inputs { scores, ..Inputs::default() };
    assert_study(study::open(&inputs(folder, more)), path);
}

fn as_run(folder: &Path, path: &Path) {
    let scores = ScoreInputs { run_i2t: Some(path.to_owned()), ..ScoreInputs::default() };
    with_scores(folder, path, scores);
}

fn as_neighbours(folder: &Path, path: &Path) {
    let neighbours =
        Neighbours { direction: Some(Direction::I2t), indices: path.to_owned(), values: None };
    let scores = ScoreInputs { knn: vec![neighbours], ..ScoreInputs::default() };
    with_scores(folder, path, scores);
}

fn as_session(folder: &Path, path: &Path) {
    let before = fs::read(path).unwrap();
    match Session::open(path) {
        Err(error) => {
            assert_told(&error, path);
            assert_eq!(fs::read(path).unwrap(), before, "left as it is");
        }
        Ok(opened) => {
            opened.notes.iter().for_each(|note| assert_clean(note));
            let more = Inputs { files: vec![folder.join("plain.npy")], ..Inputs::default() };
            let study = study::open(&inputs(folder, more)).unwrap();
            assert_shown(&Harness::new(study, 80, 24).on_session(opened, "eve").keys("5"));
        }
    }
}

fn as_pool(folder: &Path, path: &Path) {
    let pool = ("case".into(), PathBuf::from(path));
    let more =
        Inputs { files: vec![folder.join("plain.npy")], pools: vec![pool], ..Inputs::default() };
    assert_study(study::open(&inputs(folder, more)), path);
}

fn as_image_file(_: &Path, path: &Path) {
    let limits = ImageLimits { decoded: 100 << 20, ..ImageLimits::default() };
    match image_file::load(&image_file::ImageFile::File(path.to_owned()), limits) {
        Ok(pixels) => assert!(image_file::scale_to_fit(&pixels, (40, 40)).width() <= 40),
        Err(why) => assert_clean(&why.to_string()),
    }
}

fn as_expression(_: &Path, path: &Path) {
    let study = demo::open().unwrap();
    let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
    let view =
        View { model: ModelIx::default(), truth: TruthIx::default(), direction: Direction::T2i };
    let told = [
        Expression::condition(&text, &study, view).err(),
        Expression::number(&text, &study, view).err(),
    ];
    for mistake in told.into_iter().flatten() {
        assert_clean(mistake.found());
        assert!(mistake.column() <= text.chars().count() + 1);
    }
}

/// Keys, pastes, the mouse and sizes, drawn after each few; work in the background comes when it comes.
fn as_keys(_: &Path, path: &Path) {
    let bytes = fs::read(path).unwrap();
    let text: String = String::from_utf8_lossy(&bytes).chars().take(200).collect();
    let mut random = Random::for_case(&text, bytes.len());
    let mut harness = Harness::demo(80, 24);
    for (at, c) in text.chars().enumerate() {
        let event = match random.below(30) {
            0 => Event::Paste(text.clone()),
            1 => Event::Click(random.below(90) as u16, random.below(30) as u16),
            2 => Event::Wheel(random.below(90) as u16, random.below(30) as u16, 3),
            3 => Event::Resize(random.below(200) as u16, random.below(60) as u16),
            _ => Event::Key(key(c, &mut random)),
        };
        harness = harness.takes(event);
        if at % 8 == 0 {
            assert_shown(&harness);
        }
    }
    assert_shown(&harness.settled());
}

fn key(c: char, random: &mut Random) -> Key {
    const NAMED: [&str; 10] =
        ["Enter", "Esc", "Tab", "BackTab", "Backspace", "Left", "Right", "Up", "Down", "PageDown"];
    let code = match c {
        '\r' => Code::Named("Enter"),
        '\t' => Code::Named("Tab"),
        '\x1b' => Code::Named("Esc"),
        _ if random.below(6) == 0 => Code::Named(NAMED[random.below(NAMED.len())]),
        c => Code::Char(c),
    };
    Key { code, ctrl: random.below(12) == 0, alt: false }
}

/// Whatever one file of an image is, all else is read, and what is wrong with it is told.
fn as_entities(folder: &Path, _: &Path) {
    let entities = Entities::read(folder, None).unwrap();
    for problem in &entities.problems {
        assert_told(problem, &folder.join("5"));
    }
    let images = entities.images();
    assert!(images.iter().any(|(id, _)| **id == Id::Number(5)));
    let stats = PhraseStats::from_images(images.iter().map(|(_, image)| *image));
    assert!(stats.images >= 1);
    for (_, image) in images {
        for outline in image.outlines() {
            assert!(outline.edges.iter().all(|edge| (0.0..=1.0).contains(edge)));
        }
    }
}

/// Recall is a share of all phrases, whatever is predicted.
fn as_predictions(folder: &Path, path: &Path) {
    let entities = Entities::read(folder, None).unwrap();
    let targets = Targets::for_images(&entities, &[Id::Number(5)]);
    for protocol in PROTOCOLS {
        let source = Source::open(path).unwrap();
        match Predictions::read(&source, &targets, false, protocol) {
            Err(error) => assert_told(&error, path),
            Ok(read) => {
                for problem in read.messages() {
                    assert_told(&problem, path);
                }
                let recall = evaluate(&targets, &read, protocol).recall_at(0.5);
                assert_eq!(recall.phrases, targets.phrases.len());
                assert!(recall.hits.is_sorted());
            }
        }
    }
}

fn as_text_pairs(_: &Path, path: &Path) {
    match text_pairs::read(&Source::open(path).unwrap()) {
        Err(error) => assert_told(&error, path),
        Ok(pairs) => {
            for of in accuracies(&pairs) {
                assert!((0.0..=1.0).contains(&of.share()));
            }
        }
    }
}
