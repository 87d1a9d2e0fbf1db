//! Confidence intervals of one model's means.

use super::clusters::{Groups, labels, query_clusters};
use super::inference::Estimate;
use super::per_query::{Values, mean_in_parts, part_ranges};
use crate::data::{Direction, PerDirection};
use crate::evaluate::plan::{Line, Rule};
use crate::evaluate::rank_sets::{RankSets, sum_lines};
use crate::metric::Unit;
use crate::study::Study;

/// The 95 % CI of a line's value; `None` if undefined, and for medians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LineInterval {
    /// One per direction.
    Each(PerDirection<Option<[f64; 2]>>),
    /// One for a sum over both.
    Both(Option<[f64; 2]>),
}

/// Intervals of all lines of a model. `images` has the image of each caption, if captions of one image form a cluster.
pub fn intervals(
    study: &Study,
    images: Option<&[u32]>,
    sets: &RankSets,
    lines: &[Line],
) -> Vec<LineInterval> {
    let of_line = |line: &Line| match line.rule {
        Rule::Sum(of, pool) => {
            let groups = groups(study, images, sets, &sum_lines(of, pool, line.truth));
            let estimate = groups.and_then(|of| Estimate::of_mean(&of, Unit::Sum.range()));
            LineInterval::Both(estimate.map(Estimate::interval))
        }
        Rule::Metric(..) => LineInterval::Each(PerDirection::from_fn(|direction| {
            let values = Values::for_line(study, sets, line, direction)?;
            values.interval(line.unit(), query_clusters(images, direction))
        })),
    };
    lines.iter().map(of_line).collect()
}

/// One value per image; the mean of all values is the sum of the metrics of `rows` over both directions. A value is
/// that sum, plus the number of images times the contributions ([`centre`]) of the image's queries. Without `images`
/// there is one value per query. `None` if a metric has no mean.
fn groups(study: &Study, images: Option<&[u32]>, sets: &RankSets, rows: &[Line]) -> Option<Groups> {
    let image_count = study.gallery.images.len() as u32;
    let (mut values, mut clusters, mut sum) = (Vec::new(), Vec::new(), 0.0);
    for direction in Direction::BOTH {
        for part in rows {
            let of = Values::for_line(study, sets, part, direction)?;
            let (queries, mut each, ends) = of.defined();
            if of.shortage.is_some() {
                return None;
            }
            sum += 100.0 * mean_in_parts(&each, &ends)?;
            centre(&mut each, &ends);
            values.extend(each);
            clusters.extend(match (direction, query_clusters(images, direction)) {
                (Direction::I2t, _) => queries,
                (_, Some(images)) => labels(&queries, images),
                (_, None) => queries.iter().map(|query| image_count + query).collect(),
            });
        }
    }
    let moves = Groups::labelled(&values, &clusters).sums;
    let count = moves.len() as f64;
    let each = moves.iter().map(|moved| sum + 100.0 * count * moved);
    Some(Groups::single(each.collect()))
}

/// Replaces each value by its contribution to the mean of part means: the deviation from its part's mean, divided by
/// the size of the part and the number of parts.
fn centre(values: &mut [f64], ends: &[usize]) {
    for part in part_ranges(ends) {
        let part = &mut values[part];
        let weight = 1.0 / (part.len() as f64 * ends.len() as f64);
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        for value in part {
            *value = (*value - mean) * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::clusters::Clustering;
    use crate::evaluate::plan::{Choice, Request};
    use crate::evaluate::{Value, evaluate_each};
    use crate::rank::pass::CancelToken;
    use crate::study::demo;

    /// Every value is in its interval; clustered captions have wider intervals; the interval of RSUM is about the
    /// computed sum.
    #[test]
    fn intervals_contain_the_values_of_the_evaluation() {
        let study = demo::open().unwrap();
        let images = Clustering::ByImage.images(&study).unwrap();
        let request = Request { metrics: Choice::All, depths: vec![5], ..Request::default() };
        let of = |images: Option<&[u32]>| {
            let mut all = Vec::new();
            let each = |sets: &RankSets, lines: &[Line]| {
                all.push(intervals(&study, images, sets, lines));
            };
            let evaluation =
                evaluate_each(&study, &request, &CancelToken::default(), each).unwrap();
            (evaluation, all)
        };
        let (evaluation, clustered) = of(Some(&images));
        let apart = of(None).1;
        let width = |[low, high]: [f64; 2]| high - low;
        let mut wider = 0;
        for (model, (_, _, values)) in evaluation.models.iter().enumerate() {
            for (at, line) in evaluation.lines.iter().enumerate() {
                let is_median = line.key.ends_with("median_rank");
                match (values[at], clustered[model][at], apart[model][at]) {
                    (Value::Each(values), LineInterval::Each(found), LineInterval::Each(apart)) => {
                        for direction in Direction::BOTH {
                            let Some(found) = found[direction] else {
                                assert!(is_median, "{}", line.key);
                                continue;
                            };
                            let value = values[direction].unwrap().value.unwrap();
                            assert!(found[0] <= value && value <= found[1], "{}", line.key);
                            let apart = apart[direction].unwrap();
                            wider += usize::from(width(found) > 1.05 * width(apart));
                        }
                    }
                    (Value::Both(sum), LineInterval::Both(found), _) => {
                        let (sum, found) = (sum.unwrap(), found.unwrap());
                        assert!(
                            (f64::midpoint(found[0], found[1]) - sum).abs() < width(found) / 4.0
                        );
                    }
                    _ => panic!("{}", line.key),
                }
            }
        }
        assert!(wider > 10, "{wider}");
    }
}
