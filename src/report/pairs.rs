//! How often models prefer the correct text of an image to a wrong one.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::paired_test;
use crate::analysis::holm::HolmTest;
use crate::analysis::right_wrong::{Accuracy, PairScores, TwoModels};
use crate::data::text::shown;
use crate::data::text_pairs::TextPair;
use crate::metric::{Unit, best};

/// The result of `fg` for pairs of a right and a wrong text of an image.
#[derive(Debug)]
pub struct RightWrong<'a> {
    /// The scores of each model on all pairs.
    pub models: &'a [PairScores],
    /// Accuracies of each model: over all pairs, then over those of each kind.
    pub accuracies: &'a [Vec<Accuracy>],
    /// Tests of each two models.
    pub tests: &'a [HolmTest<TwoModels>],
    /// Maximum number of failures listed per model.
    pub failures: usize,
}

impl RightWrong<'_> {
    /// Accuracies, tests of each two models, and failures.
    pub fn report(&self) -> Report<'_> {
        let accuracy = "accuracy: pairs whose right text has the higher score, in percent; a tie is no success";
        Report {
            notes: vec![accuracy.to_owned(), paired_test::note(!self.tests.is_empty())],
            best: (self.models.len() > 1).then_some("best model"),
            ..Report::from_sections(vec![self.accuracies(), self.tests(), self.failures()])
        }
    }

    /// A row for each kind and model, ordered by kind.
    fn accuracies(&self) -> Section {
        let kinds = self.accuracies.first().map_or(0, Vec::len);
        let records = (0..kinds).flat_map(|kind| {
            let accuracies = self.accuracies.iter().map(move |of_model| &of_model[kind]);
            let shares: Vec<_> = accuracies.clone().map(|one| Some(one.share())).collect();
            let marks = best::marks(&shares, Unit::Share);
            self.models.iter().zip(accuracies.zip(marks))
        });
        List::new("accuracies", "right text above the wrong one", records)
            .column("kind", "kind", |(_, (one, _))| kind_name(one.kind.as_ref()))
            .column("model", "model", |(model, _)| &model.name)
            .data("source", |(model, _)| &model.source)
            .column("pairs", "pairs", |(_, (one, _))| one.pairs)
            .column("images", "images", |(_, (one, _))| one.images)
            .column("right", "right", |(_, (one, _))| one.right)
            .column("ties", "ties", |(_, (one, _))| one.ties)
            .column("accuracy", "accuracy", |(_, (one, is_best))| {
                Cell::share(one.share()).mark_best(*is_best)
            })
            .interval(["low", "high"], "95 % CI", |(_, (one, _))| Some(one.interval), Cell::share)
            .section()
    }

    /// Paired tests of each two models.
    fn tests(&self) -> Section {
        let name = |test: &HolmTest<TwoModels>, at: usize| &self.models[test.key.1[at]].name;
        List::new("tests", "A - B, paired tests", self.tests)
            .column("kind", "kind", |test| kind_name(test.key.0.as_ref()))
            .column("first", "A", move |test| name(test, 0))
            .column("second", "B", move |test| name(test, 1))
            .paired_test(|test| *test)
            .section()
    }

    /// The failures of each model, those with the widest margin first.
    fn failures(&self) -> Section {
        let worst = |model: &'_ PairScores| {
            let mut failures: Vec<TextPair> =
                model.pairs.iter().filter(|pair| !pair.is_right()).cloned().collect();
            failures.sort_by(|a, b| margin(a).total_cmp(&margin(b)));
            failures.truncate(self.failures);
            failures
        };
        let records = self
            .models
            .iter()
            .flat_map(|model| worst(model).into_iter().map(move |pair| (&model.name, pair)));
        let number = |value| Cell::Number(value, 4);
        let text =
            |text: &Option<String>| text.as_deref().map_or(Cell::Empty, |text| shown(text).into());
        List::new("failures", "pairs not scored correctly, widest margin first", records)
            .column("model", "model", |(model, _)| *model)
            .column("image", "image", |(_, pair)| Cell::Id(pair.image.to_string()))
            .column("kind", "kind", move |(_, pair)| text(&pair.kind))
            .column("right", "right", move |(_, pair)| number(pair.right))
            .column("wrong", "wrong", move |(_, pair)| number(pair.wrong))
            .column("margin", "margin", move |(_, pair)| number(margin(pair)))
            .column("caption", "right text", move |(_, pair)| text(&pair.caption))
            .column("negative_caption", "wrong text", move |(_, pair)| text(&pair.negative_caption))
            .section()
    }
}

/// The name of a kind, or `all`.
fn kind_name(kind: Option<&String>) -> String {
    kind.map_or_else(|| "all".to_owned(), |kind| shown(kind))
}

/// The score of the right text minus that of the wrong one.
fn margin(pair: &TextPair) -> f64 {
    pair.right - pair.wrong
}
