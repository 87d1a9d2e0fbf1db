//! Places among the published models: of numbers on the same gallery under the same truths.

use super::Model;
use super::measures::{Column, Measure, Row};
use crate::analysis::published::{PublishedRank, published};
use crate::data::index::ModelIx;
use crate::data::{Direction, PerDirection};
use crate::metric::{Spec, hit, map_at_r, rsum};
use crate::tui::signs::ordinal;

/// The keys whose places are told of every model: the metric that most papers report, and the one that
/// people agree with most.
const TOLD: [(&str, &str); 2] = [("coco_5k_r1", "COCO 5K R@1"), ("eccv_map_at_r", "ECCV mAP@R")];

/// A place in words: the model itself is one more.
pub(in crate::tui) fn words(place: PublishedRank) -> String {
    let shared = if place.ties > 0 { ", shared" } else { "" };
    format!("{} of {}{shared}", ordinal(place.rank), place.of + 1)
}

impl Model {
    /// The key of a row, where published numbers are of the same gallery and the same truth.
    pub(in crate::tui) fn published_key(&self, row: Row) -> Option<String> {
        let name = match row.measure {
            Measure::Of(spec) => spec.to_string(),
            Measure::Sum(sum) => sum.key().to_owned(),
        };
        let key = self.metrics_key(row).filter(|_| !row.is_mine)?;
        published().key(&self.study, row.truth, &key, &name)
    }

    /// The place of a model's own number, without verdicts, in one direction or on average over both;
    /// `None` where nothing of the kind was published, or the number is not known.
    pub fn place(
        &self,
        row: Row,
        model: ModelIx,
        direction: Option<Direction>,
    ) -> Option<PublishedRank> {
        let key = self.published_key(row)?;
        let value = match direction {
            Some(direction) => self.own_value(row, Column { model, direction })?,
            None => self.average(row, model)?,
        };
        published().place(&key, direction, value)
    }

    /// The mean of a model's own numbers in both directions, as published averages are.
    pub(in crate::tui) fn average(&self, row: Row, model: ModelIx) -> Option<f64> {
        let [i2t, t2i] = Direction::both(|direction| Column { model, direction });
        Some(f64::midpoint(self.own_value(row, i2t)?, self.own_value(row, t2i)?))
    }

    /// A value without verdicts: published numbers know none.
    fn own_value(&self, row: Row, column: Column) -> Option<f64> {
        match row.measure {
            Measure::Of(spec) => self.own_value_of(spec, row, column),
            Measure::Sum(sum) => {
                let of = |direction| {
                    let column = Column { direction, ..column };
                    sum.parts().map(|spec| self.own_value_of(spec, row, column))
                };
                rsum::rsum(&PerDirection::from_fn(of))
            }
        }
    }

    fn own_value_of(&self, spec: Spec, row: Row, column: Column) -> Option<f64> {
        let scored = self.counted_at(row.view(column))?;
        if spec == Spec::new(&hit::R1) {
            return scored.r1.value;
        }
        if spec == Spec::new(&map_at_r::MapAtR) {
            return scored.map_at_r.value;
        }
        let mut measured = scored.measured()?.iter();
        measured.find(|one| one.spec == spec)?.summary.value
    }

    /// The models whose places are told.
    pub(in crate::tui) fn placed_models(&self) -> impl Iterator<Item = ModelIx> {
        let is_told = self.told_rows().next().is_some();
        ModelIx::all(&self.numbers).filter(move |_| is_told)
    }

    /// Where a model stands under the metrics that are told of every model.
    pub fn place_words(&self, model: ModelIx) -> String {
        let place = |(row, name): (Row, &str)| {
            let place = self.place(row, model, None);
            let place = place.map_or("···".into(), words);
            format!("{place} by {name}")
        };
        let places: Vec<String> = self.told_rows().map(place).collect();
        places.join(", ")
    }

    fn told_rows(&self) -> impl Iterator<Item = (Row, &'static str)> {
        let rows = self.metrics_rows().into_iter();
        rows.filter_map(|row| {
            let key = self.published_key(row)?;
            let (_, name) = TOLD.iter().find(|(told, _)| *told == key)?;
            Some((row, *name))
        })
    }
}
