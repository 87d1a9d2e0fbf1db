//! How often models prefer the correct text of an image to a wrong one.

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::paired_test;
use crate::analysis::holm::Tested;
use crate::analysis::right_wrong::{Accuracy, PairScores, TwoModels};
use crate::data::text::shown;
use crate::data::text_pairs::TextPair;
use crate::metric::{Unit, best};

/// Models on the same correct and wrong texts.
#[derive(Debug)]
pub struct RightWrong<'a> {
    /// The models.
    pub models: &'a [PairScores],
    /// Accuracies of each, over all pairs first.
    pub accuracies: &'a [Vec<Accuracy>],
    /// Every two models.
    pub compared: &'a [Tested<TwoModels>],
    /// Maximum failures listed per model.
    pub failures: usize,
}

impl RightWrong<'_> {
    /// Accuracies, tests and failures.
    pub fn report(&self) -> Report<'_> {
        let accuracy = "accuracy: pairs whose right text has the higher score, in percent; a tie is no success";
        Report {
            notes: vec![accuracy.to_owned(), paired_test::note(!self.compared.is_empty())],
            best: (self.models.len() > 1).then_some("best model"),
            ..Report::from_sections(vec![self.accuracies(), self.tests(), self.failures()])
        }
    }

    /// One kind after another, model by model.
    fn accuracies(&self) -> Section {
        let kinds = self.accuracies.first().map_or(0, Vec::len);
        let records = (0..kinds).flat_map(|kind| {
            let of_kind = self.accuracies.iter().map(move |of| &of[kind]);
            let shares: Vec<_> = of_kind.clone().map(|of| Some(of.share())).collect();
            let marks = best::marks(&shares, Unit::Share);
            self.models.iter().zip(of_kind.zip(marks))
        });
        List::new("accuracies", "right text above the wrong one", records)
            .column("kind", "kind", |(_, (of, _))| kind(of.kind.as_ref()))
            .column("model", "model", |(model, _)| &model.name)
            .data("source", |(model, _)| &model.source)
            .column("pairs", "pairs", |(_, (of, _))| of.pairs)
            .column("images", "images", |(_, (of, _))| of.images)
            .column("right", "right", |(_, (of, _))| of.right)
            .column("ties", "ties", |(_, (of, _))| of.ties)
            .column("accuracy", "accuracy", |(_, (of, is_best))| {
                Cell::share(of.share()).marked(*is_best)
            })
            .interval(["low", "high"], "95 % CI", |(_, (of, _))| Some(of.interval), Cell::share)
            .section()
    }

    fn tests(&self) -> Section {
        let name = |of: &Tested<TwoModels>, at: usize| &self.models[of.key.1[at]].name;
        List::new("tests", "A - B, paired tests", self.compared)
            .column("kind", "kind", |of| kind(of.key.0.as_ref()))
            .column("first", "A", move |of| name(of, 0))
            .column("second", "B", move |of| name(of, 1))
            .paired_test(|of| *of)
            .section()
    }

    /// The failures of each model, the widest margin first.
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

/// A kind, or the word for all of them.
fn kind(kind: Option<&String>) -> String {
    kind.map_or_else(|| "all".to_owned(), |kind| shown(kind))
}

fn margin(pair: &TextPair) -> f64 {
    pair.right - pair.wrong
}
