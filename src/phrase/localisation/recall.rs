//! Quality of predicted boxes: overlap with the annotated ones, and recall.

use super::predictions::{Prediction, Predictions};
use super::protocol::{Protocol, THRESHOLD};
use super::targets::{Target, Targets};
use crate::data::parallel;
use crate::phrase::PhraseType;
use crate::phrase::rect::Rect;

/// Numbers of first boxes for which recall is computed.
pub const DEPTHS: [usize; 3] = [1, 5, 10];
/// Number of recall values: one for each of [`DEPTHS`], and one for all boxes.
pub const COLUMNS: usize = DEPTHS.len() + 1;
/// Index of the recall value of all boxes, an upper bound of recall.
pub const ALL: usize = DEPTHS.len();

/// Quality of the boxes of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Outcome {
    /// The highest intersection over union of the first boxes, by [`DEPTHS`], and of all.
    pub best: [f64; COLUMNS],
    /// Number of predicted boxes.
    pub boxes: usize,
    /// The first predicted box; `None` if there is none.
    pub first: Option<Rect>,
    /// Score of the first box, if the file has one.
    pub score: Option<f64>,
    /// The index from 0 of the first box that is a hit; `None` if none is.
    pub hit: Option<usize>,
}

impl Outcome {
    /// Whether one of the first boxes is a hit; `depth` is an index of [`DEPTHS`], or [`ALL`].
    pub fn is_hit(&self, depth: usize) -> bool {
        self.best[depth] >= THRESHOLD
    }
}

/// The outcomes of a model, phrase by phrase.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    /// The name of the model.
    pub name: String,
    /// Name of its file.
    pub source: String,
    /// Quality of the boxes of each phrase, in the order of [`Targets::phrases`].
    pub outcomes: Vec<Outcome>,
}

/// Compares a model's predictions with the annotated boxes of each phrase. A phrase without prediction is a miss.
pub fn evaluate(targets: &Targets, predictions: &Predictions, protocol: &Protocol) -> Outcomes {
    let outcome = |at: usize| {
        let compare =
            |prediction| phrase_outcome(targets, &targets.phrases[at], prediction, protocol);
        predictions.by_phrase[at].as_ref().map_or_else(Outcome::default, compare)
    };
    Outcomes {
        name: predictions.name.clone(),
        source: predictions.source.clone(),
        outcomes: parallel::map_indices(targets.phrases.len(), outcome),
    }
}

/// Quality of the predicted boxes of one phrase.
fn phrase_outcome(
    targets: &Targets,
    target: &Target,
    prediction: &Prediction,
    protocol: &Protocol,
) -> Outcome {
    let truth = protocol.reference_boxes(&targets.chain(target).boxes);
    let mut outcome = Outcome {
        boxes: prediction.boxes.len(),
        first: prediction.boxes.first().copied(),
        score: prediction.score,
        ..Outcome::default()
    };
    for (place, &rect) in prediction.boxes.iter().enumerate() {
        let iou = protocol.iou(rect, &truth);
        let depths = DEPTHS.into_iter().chain([usize::MAX]);
        for (best, _) in outcome.best.iter_mut().zip(depths).filter(|(_, depth)| place < *depth) {
            *best = best.max(iou);
        }
        outcome.hit = outcome.hit.or((iou >= THRESHOLD).then_some(place));
    }
    outcome
}

/// The recall of some phrases.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Recall {
    /// Number of phrases.
    pub phrases: usize,
    /// Number of phrases with a hit among the first boxes, for each of [`DEPTHS`], and among all.
    pub hits: [usize; COLUMNS],
}

impl Recall {
    /// Share of phrases with a hit; `depth` is an index of [`DEPTHS`], or [`ALL`]. `None` without phrases.
    pub fn share(&self, depth: usize) -> Option<f64> {
        (self.phrases > 0).then(|| self.hits[depth] as f64 / self.phrases as f64)
    }

    /// Recall of some phrases; a hit has an intersection over union of `threshold` or more.
    fn from_outcomes<'a>(outcomes: impl Iterator<Item = &'a Outcome>, threshold: f64) -> Self {
        let mut recall = Recall::default();
        for outcome in outcomes {
            recall.phrases += 1;
            for (hits, best) in recall.hits.iter_mut().zip(outcome.best) {
                *hits += usize::from(best >= threshold);
            }
        }
        recall
    }
}

impl Outcomes {
    /// Recall of all phrases; a hit has an intersection over union of `threshold` or more.
    pub fn recall_at(&self, threshold: f64) -> Recall {
        Recall::from_outcomes(self.outcomes.iter(), threshold)
    }

    /// Recall of the phrases of a type at [`THRESHOLD`]; a phrase with several types counts in each.
    pub fn recall_of_type(&self, targets: &Targets, kind: PhraseType) -> Recall {
        let each = targets.phrases.iter().zip(&self.outcomes);
        let of_type = each.filter(|(target, _)| target.types.contains(kind));
        Recall::from_outcomes(of_type.map(|(_, outcome)| outcome), THRESHOLD)
    }

    /// The mean and the highest number of predicted boxes per phrase.
    pub fn box_counts(&self) -> (f64, usize) {
        let all = self.outcomes.iter().map(|outcome| outcome.boxes);
        let sum: usize = all.clone().sum();
        let mean = sum as f64 / self.outcomes.len().max(1) as f64;
        (mean, all.max().unwrap_or(0))
    }

    /// The number of phrases without a predicted box.
    pub fn without_box_count(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.boxes == 0).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_entities;
    use super::*;
    use crate::data::source::Source;

    /// Image 7 has the boxes (11, 11, 20, 20) and (41, 11, 50, 20) of people, and (11, 41, 20, 50) of an animal;
    /// image 8 (1, 1, 100, 50) of people and vehicles.
    const BOXES: &str = r#"[
        {"image_id": 7, "sentence_id": 0, "boxes": [
            [[11, 11, 20, 20], [11, 11, 50, 20]],
            [[11, 11, 20, 20], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1], [11, 41, 20, 45]]]},
        {"image_id": 7, "sentence_id": 1, "boxes": [
            [[11, 11, 50, 15]],
            []]},
        {"image_id": 8, "sentence_id": 0, "boxes": [[[1, 1, 100, 25.5]]]}]"#;

    fn measured(protocol: &str) -> (Targets, Outcomes) {
        let targets = test_entities::targets();
        let protocol = Protocol::from_key(protocol).unwrap();
        let source = Source::in_memory("p.json", BOXES.as_bytes().to_vec());
        let read = Predictions::read(&source, &targets, false, protocol).unwrap();
        let measured = evaluate(&targets, &read, protocol);
        (targets, measured)
    }

    fn hits(protocol: &str) -> [usize; COLUMNS] {
        measured(protocol).1.recall_at(THRESHOLD).hits
    }

    /// The five phrases are two men, a dog, a man, another, a rider.
    #[test]
    fn the_same_boxes_under_every_protocol() {
        // Two men: the second box. A dog: the sixth, 5 of 10 rows. A man: 5 of 10 rows of both. A rider: 25.5 of 50
        // rows.
        assert_eq!(hits("plummer"), [2, 3, 4, 4]);
        // Two men: the first box. A dog: 4 of 9 rows. A man: none. A rider: 24.5 of 49 rows.
        assert_eq!(hits("mdetr-any"), [2, 2, 2, 2]);
        assert_eq!(hits("mdetr-merged"), [1, 2, 2, 2]);
        assert_eq!(hits("ban"), hits("mdetr-any"));
    }

    #[test]
    fn outcomes_by_hand() {
        let (targets, measured) = measured("plummer");
        let [men, dog, man, another, rider] = measured.outcomes[..] else { panic!("five phrases") };
        // 100 of 400 pixels, then all; 50 of 100; 200 of 400; nothing; 2,550 of 5,000.
        assert_eq!((men.best, men.hit), ([0.25, 1.0, 1.0, 1.0], Some(1)));
        assert_eq!((dog.best, dog.hit), ([0.0, 0.0, 0.5, 0.5], Some(5)));
        assert_eq!((man.best, man.hit), ([0.5; 4], Some(0)));
        assert_eq!(another, Outcome::default());
        assert!(rider.best.iter().all(|best| (best - 0.51).abs() < 1e-15));
        assert_eq!(measured.box_counts(), (2.0, 6));
        let people = measured.recall_of_type(&targets, PhraseType::People);
        assert_eq!((people.phrases, people.hits), (4, [2, 3, 3, 3]));
        let vehicles = measured.recall_of_type(&targets, PhraseType::Vehicles);
        assert_eq!((vehicles.phrases, vehicles.share(0)), (1, Some(1.0)));
        assert_eq!(measured.recall_of_type(&targets, PhraseType::Scene).share(0), None);
    }

    #[test]
    fn recall_falls_with_the_threshold() {
        let measured = measured("plummer").1;
        let r1: Vec<usize> =
            [0.1, 0.25, 0.3, 0.5, 0.51, 0.6].map(|at| measured.recall_at(at).hits[0]).to_vec();
        assert_eq!(r1, [3, 3, 2, 2, 1, 0]);
    }
}
