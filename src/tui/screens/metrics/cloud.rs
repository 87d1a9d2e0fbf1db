//! The points of the chart.

use super::chart::CUT;
use super::{Cx, Side};
use crate::analysis::published::published;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::figure::chart::Chart;
use crate::figure::charts::models::Models;
use crate::jobs::Scored;
use crate::metric::{CLOSE, Spec, map_at_r};
use crate::study::View;
use crate::truth::Kind;
use crate::tui::model::metrics_table::{Measure, Row};

/// Queries by their AP@R in two views.
#[derive(Debug, Clone, PartialEq)]
pub struct Cloud {
    /// AP@R in both views, of each query that has both.
    pub points: Vec<(f64, f64)>,
    /// How many there are at the left and the right, each at the bottom and the top.
    counts: [[usize; 2]; 2],
    /// How many there are above the diagonal, where the second view has the greater value, and below it.
    pub beside: [usize; 2],
}

impl Cloud {
    /// How many queries are in a quadrant.
    pub fn count(&self, [x, y]: [Side; 2]) -> usize {
        self.counts[x as usize][y as usize]
    }
}

/// The value of the query at a place; NaN where it is undefined.
fn value(scored: &Scored, spec: Spec, place: usize) -> f64 {
    if spec == Spec::new(&map_at_r::MapAtR) {
        return scored.ap_at_r[place];
    }
    let value = spec.per_query(scored.ranks.query(place));
    value.unwrap_or(f64::NAN)
}

/// The side of the cut, as the condition of a quadrant has it.
fn side(value: f64) -> Side {
    if value - CUT > CLOSE { Side::High } else { Side::Low }
}

/// Models by the header's two metrics, each the mean of both directions.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The loaded models with both numbers: index, the first, the second.
    pub loaded: Vec<(ModelIx, f64, f64)>,
    /// The published ones, where they are of this gallery and these truths.
    pub published: Vec<[f64; 2]>,
    /// The rows that the numbers are of.
    pub rows: [Row; 2],
}

impl Field {
    /// It as a chart for a file; `None` while numbers are missing.
    pub(super) fn chart(&self, cx: Cx<'_>) -> Option<Chart> {
        let loaded = self.loaded.iter().map(|&(model, x, y)| (model, [x, y]));
        let models = Models {
            study: &cx.model.study,
            loaded: loaded.collect(),
            published: self.published.clone(),
            specs: cx.field_specs(),
            truths: self.rows.map(|row| cx.model.study.truths[row.truth].name.clone()),
            directions: &Direction::BOTH,
        };
        models.chart()
    }
}

impl<'a> Cx<'a> {
    /// The queries that the filter lets through; `None` where numbers are missing, or where the chart is
    /// of models.
    pub fn cloud(self) -> Option<Cloud> {
        if self.model.is_filtering() {
            return None;
        }
        let [first, second] = self.axes()?;
        let (x, y) = (self.scored(first)?, self.scored(second)?);
        let relevance =
            |truth: TruthIx| self.model.study.truths[truth].relevance[first.direction].as_ref();
        let (judged, other) = (relevance(first.truth)?, relevance(second.truth)?);
        let is_same = first.truth == second.truth;
        let mut cloud =
            Cloud { points: Vec::with_capacity(judged.len()), counts: [[0; 2]; 2], beside: [0; 2] };
        for (place, &query) in judged.queries().iter().enumerate() {
            let there = if is_same { Some(place) } else { other.place(query as usize) };
            let Some(there) = there.filter(|_| self.model.passes(query)) else {
                continue;
            };
            let point =
                (value(x, self.spec_of(first), place), value(y, self.spec_of(second), there));
            if !point.0.is_nan() && !point.1.is_nan() {
                cloud.counts[side(point.0) as usize][side(point.1) as usize] += 1;
                cloud.beside[0] += usize::from(point.1 - point.0 > CLOSE);
                cloud.beside[1] += usize::from(point.0 - point.1 > CLOSE);
                cloud.points.push(point);
            }
        }
        Some(cloud)
    }

    /// The numbers of an axis, as the conditions have them that list its queries: verdicts are laid over the truth
    /// looked at, another one is as loaded.
    fn scored(self, view: View) -> Option<&'a Scored> {
        if view.truth == self.model.view.truth {
            self.model.scored_at(view)
        } else {
            self.model.counted_at(view)
        }
    }

    /// What models are shown by, across and up.
    pub fn field_specs(self) -> [Spec; 2] {
        let [first, second] = self.model.header.specs();
        let view = self.model.view;
        if self.model.study.truths[view.truth].is_by_similarity() {
            [first, self.spec_of(view)]
        } else {
            [first, second]
        }
    }

    /// Models by the header's first metric under the original truth and the second under the truth looked at: R@1
    /// and mAP@R, unless the settings say otherwise, and NCS under the truth of a similarity.
    pub fn field(self) -> Field {
        let truths = &self.model.study.truths;
        let original = TruthIx::find(truths, |truth| truth.kind == Kind::Original);
        let looked_at = self.model.view.truth;
        let [first, second] = self.field_specs();
        let row = |spec, truth| Row { truth, is_mine: false, measure: Measure::Of(spec) };
        let rows = [row(first, original.unwrap_or(looked_at)), row(second, looked_at)];
        let loaded = ModelIx::all(&self.model.numbers).filter_map(|model| {
            let (x, y) = (self.model.average(rows[0], model)?, self.model.average(rows[1], model)?);
            Some((model, x, y))
        });
        let keys = rows.map(|row| self.model.published_key(row));
        let published = match keys {
            [Some(x), Some(y)] => published().both([&x, &y], &Direction::BOTH),
            _ => Vec::new(),
        };
        Field { loaded: loaded.collect(), published, rows }
    }
}
