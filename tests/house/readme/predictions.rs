//! Predicted boxes of the phrases of the demo: true ones, moved.

use std::path::Path;

use itm_explore::phrase::Entities;
use itm_explore::phrase::localisation::{Target, Targets};
use serde_json::{Value, json};

/// How far the first box of a phrase is moved, in pixels.
const MOVED: [f64; 5] = [0.0, 3.0, 8.0, 0.0, 40.0];

/// The phrases of the demo.
pub fn targets(folder: &str) -> Targets {
    let entities = Entities::read(Path::new(folder), None).unwrap();
    let images: Vec<_> = entities.images().into_iter().map(|(id, _)| id.clone()).collect();
    Targets::for_images(&entities, &images)
}

fn boxes(targets: &Targets, target: &Target, moved: f64) -> Vec<[f64; 4]> {
    let truth = &targets.chain(target).boxes;
    let at = |edges: [f64; 4], by: f64| [edges[0] + by, edges[1], edges[2] + by, edges[3]];
    let (width, height) = targets.images[target.image].size;
    let whole = [1.0, 1.0, f64::from(width), f64::from(height)];
    vec![at(truth[0].0, moved), at(truth[truth.len() - 1].0, moved / 4.0), whole]
}

/// One phrase a line, with scores.
pub fn lines(targets: &Targets) -> String {
    let line = |(at, target): (usize, &Target)| {
        let boxes = boxes(targets, target, MOVED[at % MOVED.len()]);
        let image = &targets.images[target.image].id;
        let line = json!({"image": image, "sentence": target.sentence, "phrase": target.phrase,
                          "boxes": boxes, "scores": [0.9, 0.5, 0.1]});
        format!("{line}\n")
    };
    targets.phrases.iter().enumerate().map(line).collect()
}

/// A list of sentences, as MDETR writes it.
pub fn list(targets: &Targets) -> String {
    let mut sentences = Vec::new();
    for (image, of) in targets.images.iter().enumerate() {
        for sentence in 0.. {
            let Some(range) = targets.phrase_range(image, sentence) else {
                break;
            };
            let phrases = targets.phrases[range.clone()].iter().zip(range);
            let boxes = phrases.map(|(target, at)| boxes(targets, target, MOVED[(at + 1) % 3]));
            let boxes: Vec<_> = boxes.collect();
            sentences.push(json!({"image_id": of.id, "sentence_id": sentence, "boxes": boxes}));
        }
    }
    Value::Array(sentences).to_string()
}
