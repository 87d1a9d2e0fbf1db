//! How often models score the right text of an image above a wrong one.

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::inference::{Estimate, LEVEL, OF_DIFFERENCES, OF_MEANS};
use crate::analysis::right_wrong::{Accuracy, PairScores, PairedAccuracy};
use crate::data::text::{grouped, shown};
use crate::data::text_pairs::TextPair;
use crate::metric::{Unit, best};

/// Models on the same pairs of a right and a wrong text.
#[derive(Debug)]
pub struct RightWrong<'a> {
    /// The models.
    pub models: &'a [PairScores],
    /// The accuracies of each, of all pairs first.
    pub accuracies: &'a [Vec<Accuracy>],
    /// Every two models.
    pub compared: &'a [PairedAccuracy],
    /// The most failures of a model to list.
    pub failures: usize,
}

/// What stands for all pairs among the kinds.
const ALL: &str = "all";

impl RightWrong<'_> {
    /// Accuracies, tests and failures.
    pub fn report(&self) -> Report<'_> {
        let mut tables = vec![self.accuracy()];
        tables.extend(self.tests());
        tables.extend(self.models.iter().filter_map(|model| self.failed(model)));
        let mut notes = vec![
            "accuracy: pairs whose right text has the higher score, in percent; a tie is no success".to_owned(),
            format!("95 % CI, clustered by image: of accuracies {OF_MEANS}"),
        ];
        if !self.compared.is_empty() {
            notes.push(format!(
                "of differences and p, two-sided: {OF_DIFFERENCES}; Holm-adjusted over all rows, * below {LEVEL}"
            ));
        }
        Report {
            notes,
            best: (self.models.len() > 1).then_some("best model"),
            ..Report::new(tables, self.data(), Json::tree(|| self.json()))
        }
    }

    /// The accuracies of one kind after another, model by model.
    fn each(&self) -> impl Iterator<Item = (&PairScores, &Accuracy)> {
        let kinds = self.accuracies.first().map_or(0, Vec::len);
        let of_kind = |kind: usize| {
            let models = self.models.iter().zip(self.accuracies);
            models.map(move |(model, of)| (model, &of[kind]))
        };
        (0..kinds).flat_map(of_kind)
    }

    /// For each of [`Self::each`], whether it is the best of its kind.
    fn best(&self) -> impl Iterator<Item = bool> {
        let kinds = self.accuracies.first().map_or(0, Vec::len);
        (0..kinds).flat_map(|kind| {
            let shares = self.accuracies.iter().map(|of| Some(of[kind].share()));
            best::marks(&shares.collect::<Vec<_>>(), Unit::Share)
        })
    }

    fn accuracy(&self) -> Table<'_> {
        let row = |((model, one), is_best): ((&PairScores, &Accuracy), bool)| {
            let share = Cell::Value(one.share(), Unit::Share).marked(is_best);
            let interval = Cell::interval(one.interval, |end| Cell::Value(end, Unit::Share));
            let [pairs, images, ties] = [one.pairs, one.images, one.ties];
            row![kind(one.kind.as_ref()), &model.name, pairs, images, share, interval, ties]
        };
        let head = ["kind", "model", "pairs", "images", "accuracy", "95 % CI", "ties"];
        Table::new("right text above the wrong one", head, 2, self.each().zip(self.best()).map(row))
    }

    fn tests(&self) -> Option<Table<'_>> {
        let row = |one: &PairedAccuracy| {
            let [first, second] = one.models.map(|at| &self.models[at].name);
            let mean = one.paired.means().map(|[a, b]| difference(a - b));
            let interval = one.estimate.map(|of| Cell::interval(of.interval(), difference));
            let [wins, _, losses] = one.paired.counts(Unit::Share);
            row![
                kind(one.kind.as_ref()),
                format!("{first} - {second}"),
                mean,
                interval.unwrap_or(Cell::Undefined),
                wins,
                losses,
                one.estimate.map(|of| Cell::P(of.p())),
                one.adjusted.map(Cell::corrected)
            ]
        };
        let head = [
            "kind",
            "models",
            "difference",
            "95 % CI",
            "only first right",
            "only second right",
            "p",
            "Holm-adjusted p",
        ];
        Table::new("paired tests", head, 2, self.compared.iter().map(row)).if_any()
    }

    /// The failures of a model, the widest first.
    fn worst<'a>(&self, model: &'a PairScores) -> Vec<&'a TextPair> {
        let mut failures: Vec<&TextPair> =
            model.pairs.iter().filter(|pair| !pair.is_right()).collect();
        failures.sort_by(|a, b| margin(a).total_cmp(&margin(b)));
        failures.truncate(self.failures);
        failures
    }

    fn failed<'a>(&self, model: &'a PairScores) -> Option<Table<'a>> {
        let all = model.pairs.iter().filter(|pair| !pair.is_right()).count();
        let worst = self.worst(model);
        let listed = if worst.len() < all {
            format!(", the {} with the widest margin", grouped(worst.len()))
        } else {
            String::new()
        };
        let title = format!("{}: {} pairs not scored correctly{listed}", model.name, grouped(all));
        let row = |pair: &TextPair| {
            let texts = [&pair.caption, &pair.negative_caption];
            let texts = texts.map(|one| text(one.as_ref()));
            let [right, wrong] = texts;
            row![
                Cell::Id(pair.image.to_string()),
                pair.kind.as_deref().map_or(Cell::Empty, |kind| shown(kind).into()),
                number(pair.right),
                number(pair.wrong),
                number(margin(pair)),
                right,
                wrong
            ]
        };
        let head = ["image", "kind", "right", "wrong", "margin", "right text", "wrong text"];
        let rows: Vec<Vec<Cell>> = worst.into_iter().map(row).collect();
        Table::new(title, head, 2, rows).with_numbers(2..5).if_any()
    }

    fn data(&self) -> Table<'_> {
        let row = |(model, one): (&PairScores, &Accuracy)| {
            let [low, high] = one.interval;
            let [pairs, images, right, ties] = [one.pairs, one.images, one.right, one.ties];
            row![
                &model.name,
                kind(one.kind.as_ref()),
                pairs,
                images,
                right,
                ties,
                one.share(),
                low,
                high
            ]
        };
        let head = ["model", "kind", "pairs", "images", "right", "ties", "accuracy", "low", "high"];
        Table::new("", head, 2, self.each().map(row))
    }

    fn json(&self) -> Value {
        let model = |(model, of): (&PairScores, &Vec<Accuracy>)| {
            let failures = self.worst(model).into_iter().map(failure);
            json!({
                "name": model.name,
                "source": model.source,
                "accuracies": of.iter().map(accuracy).collect::<Value>(),
                "failures": failures.collect::<Value>(),
            })
        };
        let models = self.models.iter().zip(self.accuracies).map(model);
        let tests = self.compared.iter().map(|one| self.test(one));
        json!({"models": models.collect::<Value>(), "tests": tests.collect::<Value>()})
    }

    fn test(&self, one: &PairedAccuracy) -> Value {
        let [wins, _, losses] = one.paired.counts(Unit::Share);
        json!({
            "models": one.models.map(|at| &self.models[at].name),
            "kind": one.kind.as_deref().map(shown),
            "difference": one.paired.means().map(|[a, b]| a - b),
            "interval": one.estimate.map(Estimate::interval),
            "only_first": wins,
            "only_second": losses,
            "p": one.estimate.map(Estimate::p),
            "p_holm": one.adjusted,
        })
    }
}

fn kind(kind: Option<&String>) -> String {
    kind.map_or_else(|| ALL.to_owned(), |kind| shown(kind))
}

fn margin(pair: &TextPair) -> f64 {
    pair.right - pair.wrong
}

fn number(value: f64) -> Cell {
    Cell::Number(value, 4)
}

fn difference(value: f64) -> Cell {
    Cell::Difference(value, Unit::Share)
}

fn text(text: Option<&String>) -> Cell {
    text.map_or(Cell::Empty, |text| shown(text).into())
}

fn accuracy(one: &Accuracy) -> Value {
    json!({
        "kind": one.kind.as_deref().map(shown),
        "pairs": one.pairs,
        "images": one.images,
        "right": one.right,
        "ties": one.ties,
        "accuracy": one.share(),
        "interval": one.interval,
    })
}

fn failure(pair: &TextPair) -> Value {
    json!({
        "image": super::cell::id(&pair.image.to_string()),
        "kind": pair.kind.as_deref().map(shown),
        "right": pair.right,
        "wrong": pair.wrong,
        "caption": pair.caption.as_deref().map(shown),
        "negative_caption": pair.negative_caption.as_deref().map(shown),
    })
}
