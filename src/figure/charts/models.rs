//! Models by two metrics: mAP@R under the current truth against R@1 under the original one, with published models.

use super::{ANY, ChartRequest, Limits, StudyChart, axis_suffix};
use crate::analysis::published_models::published;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::evaluate::plan;
use crate::figure::chart::{Axis, Chart, Curve, Shape, hue_and_dashes, min_max};
use crate::metric::Spec;
use crate::rank::pass::CancelToken;
use crate::study::{Step, Study};
use crate::truth::Kind;

/// Chart with a dot for each model.
pub const CHART: StudyChart = StudyChart {
    key: "models",
    title: "mAP@R against R@1 of models, among the published ones",
    limits: Limits { models: ANY, truths: 1, metrics: 2, directions: 2, pools: 1, ..Limits::NONE },
    check: Study::require_models_and_truths,
    compute_chart,
};

/// Models by two metrics: the content of the chart.
#[derive(Debug)]
pub struct Models<'a> {
    /// The study with the loaded models.
    pub study: &'a Study,
    /// Loaded models, each with its values by both metrics, in the units of the metrics.
    pub loaded: Vec<(ModelIx, [f64; 2])>,
    /// Values of published models by both metrics.
    pub published: Vec<[f64; 2]>,
    /// The metrics of the x and the y axis.
    pub specs: [Spec; 2],
    /// The name of the truth of each metric.
    pub truths: [String; 2],
    /// Directions over which the values are means.
    pub directions: &'a [Direction],
}

fn compute_chart(request: &ChartRequest<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = request.study();
    let truth = request.truth()?;
    let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
    let truths = [original.unwrap_or(truth), truth];
    let specs = request.two_specs(truth)?;
    let [first, mut directions] = truths.map(|truth| request.directions_of(truth));
    directions.retain(|direction| first.contains(direction));
    if request.compute_ranks(&truths, token)?.is_none() {
        return Ok(None);
    }
    let value =
        |model: ModelIx, at: usize| request.mean(specs[at], (model, truths[at]), &directions);
    let mut loaded = Vec::new();
    for &model in &request.models {
        let (Some(x), Some(y)) = (value(model, 0), value(model, 1)) else {
            let [first, second] = specs.map(|spec| spec.title());
            let found = format!("no {first} or {second} in every direction");
            return Err(Error::new(format!("model {}", request.name(model)), found)
                .expected("rankings of every query, as deep as the metrics look, and ground truths that have the directions")
                .fix("--direction or --metrics where it has numbers, or other models with --model; eval says what it lacks"));
        };
        loaded.push((model, [x, y]));
    }
    let models = Models {
        study,
        loaded,
        published: published_points(study, truths, specs, &directions),
        specs,
        truths: truths.map(|truth| study.name_with_rule(&study.truths[truth])),
        directions: &directions,
    };
    Ok(models.chart())
}

/// A point for each published model: x and y are its means over `directions` by the first and second metric and truth;
/// empty if none were published for this gallery and these truths.
fn published_points(
    study: &Study,
    truths: [TruthIx; 2],
    specs: [Spec; 2],
    directions: &[Direction],
) -> Vec<[f64; 2]> {
    let key = |at: usize| {
        let key = plan::key(study, truths[at], study.pool, specs[at])?;
        published().find_key(study, truths[at], &key, &specs[at].to_string())
    };
    let [Some(x), Some(y)] = [key(0), key(1)] else {
        return Vec::new();
    };
    published().value_pairs([&x, &y], directions)
}

impl Models<'_> {
    /// A dot for each model, or a line if the models are steps of one training; `None` without models.
    pub fn chart(&self) -> Option<Chart> {
        let to_display = |[x, y]: [f64; 2]| {
            let units = self.specs.map(|spec| spec.metric.unit());
            [units[0].to_display(x), units[1].to_display(y)]
        };
        let loaded = self.loaded.iter();
        let loaded: Vec<(ModelIx, [f64; 2])> =
            loaded.map(|&(model, values)| (model, to_display(values))).collect();
        let published: Vec<[f64; 2]> = self.published.iter().copied().map(to_display).collect();
        let axis = |at: usize| {
            let points = loaded.iter().map(|(_, point)| point).chain(&published);
            let unit = axis_suffix(self.specs[at].metric.unit());
            let title = format!("{} under {}{unit}", self.specs[at].title(), self.truths[at]);
            Some(Axis::for_range(title, min_max(points.map(|point| point[at]))?))
        };
        let (x_axis, y_axis) = (axis(0)?, axis(1)?);
        let mut lines = Vec::new();
        if !published.is_empty() {
            let name = format!("{} published models", published.len());
            lines.push(Curve::background(Shape::Dots, name, published));
        }
        if self.study.steps.is_empty() {
            let dot = |(index, (model, point)): (usize, &(ModelIx, [f64; 2]))| {
                let name = &*self.study.models[*model].name;
                Curve::new(Shape::Dots, name, hue_and_dashes(index), vec![*point])
            };
            lines.extend(loaded.iter().enumerate().map(dot));
        } else {
            lines.extend(self.training_lines(&loaded));
        }
        let [x, y] = self.specs.map(|spec| spec.title());
        let mut note = match self.directions {
            [direction] => format!("Of {direction}."),
            _ => "Means of i2t and t2i.".to_owned(),
        };
        if !self.published.is_empty() {
            note += " Published: Chun et al. 2022, arXiv:2204.03359.";
        }
        let pool = self.study.pool_label();
        let pool = pool.map_or(String::new(), |pool| format!(" ({pool})"));
        let title = format!("{y} against {x} of models{pool}");
        Some(Chart { title, x: x_axis, y: y_axis, lines, note })
    }

    /// A line through the steps of a training, with a dot for each, the last in another hue. `loaded` has the points.
    fn training_lines(&self, loaded: &[(ModelIx, [f64; 2])]) -> Vec<Curve> {
        let step = |step: &Step| {
            let (_, point) = loaded.iter().find(|(model, _)| *model == step.model)?;
            Some((step.number, *point))
        };
        let steps: Vec<(u64, [f64; 2])> = self.study.steps.iter().filter_map(step).collect();
        let (Some((first, _)), Some((last, last_point))) = (steps.first(), steps.last()) else {
            return Vec::new();
        };
        let [start, end] = [first, last].map(|number| grouped(*number as usize));
        let points: Vec<[f64; 2]> = steps.iter().map(|(_, point)| *point).collect();
        vec![
            Curve::line(format!("steps {start} to {end}"), [0, 0], points.clone()),
            Curve::new(Shape::Dots, "", [0, 0], points),
            Curve::new(Shape::Dots, format!("step {end}"), [1, 0], vec![*last_point]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::charts::RankCache;
    use crate::metric::{hit, map_at_r};
    use crate::study::demo;

    #[test]
    fn values_are_means_over_the_directions() {
        let study = demo::open().unwrap();
        let cache = RankCache::new(&study);
        let token = CancelToken::default();
        let both = compute_chart(&ChartRequest::all(&cache), &token).unwrap().unwrap();
        let alone = Direction::both(|direction| {
            let request = ChartRequest { directions: vec![direction], ..ChartRequest::all(&cache) };
            compute_chart(&request, &token).unwrap().unwrap()
        });
        assert_eq!(both.lines.len(), study.models.len());
        for (at, line) in both.lines.iter().enumerate() {
            let mean = |axis: usize| {
                f64::midpoint(
                    alone[0].lines[at].points[0][axis],
                    alone[1].lines[at].points[0][axis],
                )
            };
            for axis in [0, 1] {
                assert!((line.points[0][axis] - mean(axis)).abs() < 1e-9, "{}", line.name);
            }
        }
        assert!(alone[1].note.contains("Of t2i."));
    }

    #[test]
    fn published_models_are_in_the_background_and_a_training_is_a_line() {
        let mut study = demo::open().unwrap();
        study.steps = ModelIx::all(&study.models)
            .map(|model| Step { number: 10 * (1 + u64::from(model.raw())), model })
            .collect();
        let models = Models {
            study: &study,
            loaded: ModelIx::all(&study.models)
                .map(|model| (model, [0.1 * model.get() as f64, 0.5]))
                .collect(),
            published: vec![[0.2, 0.3]],
            specs: [Spec::new(&hit::R1), Spec::new(&map_at_r::MapAtR)],
            truths: ["coco", "eccv"].map(str::to_owned),
            directions: &Direction::BOTH,
        };
        let chart = models.chart().unwrap();
        let names: Vec<&str> = chart.lines.iter().map(|line| &*line.name).collect();
        assert_eq!(names, ["1 published models", "steps 10 to 30", "", "step 30"]);
        assert!(chart.lines[0].is_background);
        assert!(chart.note.contains("arXiv:2204.03359"));
        assert_eq!(chart.y.title, "mAP@R under eccv in percent");
    }
}
