//! Two metrics of the mixtures of two models over alpha: R@1 and mAP@R by default.

use std::sync::Arc;

use super::parts::QueryParts;
use crate::data::candidate_mask::{CandidateMask, Part};
use crate::data::index::TruthIx;
use crate::data::scores::{ModelPair, Scaling};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::metric::{Metric, Spec, Summary, Unit, hit, map_at_r};
use crate::rank::Ranks;
use crate::rank::counter::Counter;
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::relevance::Relevance;

/// Default step of alpha.
pub const STEP: f64 = 0.05;
/// Tolerance of 1 / step being an integer.
const TOLERANCE: f64 = 1e-9;
/// Maximum number of alphas; more is a typo.
const MAX_STEPS: f64 = 10_000.0;

/// The metrics of one mixture under one truth; `None` for a missing direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Weight of the first model, 0 to 1.
    pub alpha: f64,
    /// Each metric over all covered queries.
    pub numbers: [PerDirection<Option<Summary>>; 2],
}

/// R@1 and mAP@R.
pub fn main_specs() -> [Spec; 2] {
    let metrics: [&'static dyn Metric; 2] = [&hit::R1, &map_at_r::MapAtR];
    metrics.map(Spec::new)
}

/// Metrics of the mixtures of two models as a function of alpha, to be computed.
#[derive(Debug, Clone, Copy)]
pub struct AlphaCurve<'a> {
    /// Gallery and truths.
    pub study: &'a Study,
    /// The models.
    pub pair: &'a ModelPair,
    /// Scaling of their scores.
    pub scaling: Scaling,
    /// Index of the truth; only its positives are used.
    pub truth: TruthIx,
    /// The metrics.
    pub specs: [Spec; 2],
}

/// Alphas from 0 to 1, inclusive, at this step.
///
/// # Errors
/// A step that does not divide 1.
pub fn alphas(step: f64) -> Result<Vec<f64>> {
    let parts = (1.0 / step).round();
    let divides = (1.0..=MAX_STEPS).contains(&parts) && (parts * step - 1.0).abs() < TOLERANCE;
    if !divides {
        return Err(Error::new("step of alpha", step)
            .expected("a number that divides 1, such as 0.05 (21 mixtures), 0.1 or 0.25"));
    }
    // Not a sum of steps: 3 / 20 is 0.15, 3 * 0.05 is not.
    Ok((0..=parts as u32).map(|at| f64::from(at) / parts).collect())
}

impl AlphaCurve<'_> {
    /// Computes the metrics at each alpha, in the order given, and calls `each` with them and the ranks as soon as they
    /// are ready; `None` if cancelled. `token` reports the progress of the current alpha.
    ///
    /// # Errors
    /// As [`ModelPair::model`] and [`Counter::ranks`].
    pub fn run(
        &self,
        alphas: &[f64],
        token: &CancelToken,
        mut each: impl FnMut(Point, &PerDirection<Option<Arc<Ranks>>>),
    ) -> Result<Option<()>> {
        let truth = &self.study.truths[self.truth];
        let (gallery, mask) = (&self.study.gallery, self.study.mask.as_ref());
        let counter = Counter::new(std::slice::from_ref(truth), gallery, mask);
        let mut covered: Option<Vec<(Counter, ModelPair)>> = None;
        let parts = PerDirection::from_fn(|d| QueryParts::for_truth(self.study, self.truth, d));
        for &alpha in alphas {
            // At the ends the scores are those of a file: all of it is read, which finds any NaN.
            let is_mixed = 0.0 < alpha && alpha < 1.0;
            if is_mixed && covered.is_none() {
                covered = Some(self.covered_models()?);
            }
            let covered = covered.as_deref().filter(|covered| is_mixed && !covered.is_empty());
            let found = match covered {
                None => vec![counter.ranks(&self.pair.model(alpha, self.scaling)?, token)?],
                Some(covered) => {
                    let count = |(counter, pair): &(Counter, ModelPair)| {
                        counter.ranks_from_parts(|_| pair.model(alpha, self.scaling), token)
                    };
                    covered.iter().map(count).collect::<Result<_>>()?
                }
            };
            let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else {
                return Ok(None);
            };
            let first = |direction| found.iter().find_map(|ranks| ranks[0][direction].clone());
            let ranks = PerDirection::from_fn(first);
            let summaries = |spec: Spec| {
                let only = spec.metric.only_under();
                let is_defined = only.is_none_or(|only| only == truth.name);
                let summary = |direction: Direction| {
                    let ranks = ranks[direction].as_ref().filter(|_| is_defined)?;
                    let parts = parts[direction].as_ref();
                    Some(spec.summary_in(parts, ranks.iter().enumerate()))
                };
                PerDirection::from_fn(summary)
            };
            let point = Point { alpha, numbers: self.specs.map(summaries) };
            each(point, &ranks);
        }
        Ok(Some(()))
    }

    /// For each direction, the two models restricted to the covered queries, with a counter of ranks, so that no other
    /// scores are mixed. Empty if all scores are needed anyway, and in candidate pools.
    fn covered_models(&self) -> Result<Vec<(Counter, ModelPair)>> {
        let truth = &self.study.truths[self.truth];
        let sizes = self.study.gallery.sizes();
        let relevance = |direction: Direction| truth.relevance[direction].as_ref();
        let len = |direction| relevance(direction).map_or(0, Relevance::len);
        let needed = len(Direction::I2t) * sizes.t2i + len(Direction::T2i) * sizes.i2t;
        if self.study.mask.is_some() || needed >= sizes.i2t * sizes.t2i {
            return Ok(Vec::new());
        }
        let both = Direction::BOTH.into_iter();
        let part = |direction: Direction| {
            let mut covered = relevance(direction)?.queries().to_vec();
            covered.sort_unstable();
            let items = (0..sizes[direction.flipped()] as u32).collect();
            Some((direction, Part::new(direction, covered.into(), items)))
        };
        let with_counter = |(direction, part): (Direction, Part)| {
            let pair = self.pair.within(&part, self.scaling)?;
            let mut one = Truth::new(&truth.name);
            one.relevance[direction].clone_from(&truth.relevance[direction]);
            let mask = Arc::new(CandidateMask::new(vec![part], sizes));
            Ok((Counter::new(&[one], &self.study.gallery, Some(&mask)), pair))
        };
        both.filter_map(part).map(with_counter).collect()
    }
}

/// The point with the best `number`, in `unit`; the first of equal ones. `None` if the number is undefined everywhere.
pub fn best_point(
    points: &[Point],
    unit: Unit,
    number: impl Fn(&Point) -> Option<f64>,
) -> Option<&Point> {
    let defined = points.iter().filter_map(|point| Some((point, unit.orient(number(point)?))));
    let greater = |best: (_, f64), next: (_, f64)| if next.1 > best.1 { next } else { best };
    defined.reduce(greater).map(|(point, _)| point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::plan::{Choice, Request};
    use crate::evaluate::{Value, evaluate};
    use crate::study::demo;

    #[test]
    fn steps_are_parts_of_one() {
        assert_eq!(alphas(0.25).unwrap(), [0.0, 0.25, 0.5, 0.75, 1.0]);
        let fine = alphas(0.05).unwrap();
        assert_eq!((fine.len(), fine[3], fine[20]), (21, 0.15, 1.0));
        for step in [0.3, 0.0, -0.5, 2.0, f64::NAN, f64::INFINITY, 1e-9] {
            let message = alphas(step).unwrap_err().to_string();
            assert!(message.contains("a number that divides 1"), "{message}");
        }
    }

    #[test]
    fn a_curve_ends_at_the_two_models_and_stops_when_told() {
        let study = demo::open().unwrap();
        let pair = ModelPair::new(&study.models[0], &study.models[1]).unwrap();
        let truth = study.richest().unwrap();
        for scaling in Scaling::ALL {
            let curve =
                AlphaCurve { study: &study, pair: &pair, scaling, truth, specs: main_specs() };
            let mut points = Vec::new();
            let token = CancelToken::default();
            curve.run(&[0.0, 0.5, 1.0], &token, |point, _| points.push(point)).unwrap();
            for (point, model) in [(points[2], 0), (points[0], 1)] {
                let keys = ["r1", "map_at_r"].map(str::to_owned);
                let request = Request {
                    metrics: Choice::Named(keys.to_vec()),
                    truths: vec![study.truths[truth].name.clone()],
                    ..Request::default()
                };
                let whole = evaluate(&study, &request, &CancelToken::default()).unwrap();
                let alone = point.numbers.map(Value::Each);
                assert_eq!(whole.models[model].2, alone);
            }
            let mut seen = 0;
            let ended = curve.run(&[0.0, 0.5, 1.0], &token, |_, _| {
                seen += 1;
                token.cancel();
            });
            assert_eq!((ended.unwrap(), seen), (None, 1));
        }
    }
}
