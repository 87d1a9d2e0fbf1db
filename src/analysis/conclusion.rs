//! Which of two models is better: the first sentence of `compare` and the Compare screen.

use crate::data::index::TruthIx;
use crate::metric::Spec;

/// Caution for ground truths changed by judgments.
pub const BIAS_CAUTION: &str = "judgments made on one model's rankings say more about that model";

/// Difference of two models by a metric under a ground truth: first minus second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Ground truth of both means.
    pub truth: TruthIx,
    /// Metric whose values per query are compared.
    pub spec: Spec,
    /// Difference of means; for shares from -1 to 1.
    pub mean: f64,
    /// 95 % CI; `None` if not tested, or with too few queries.
    pub interval: Option<[f64; 2]>,
    /// Whether the Holm-adjusted p-value is below 0.05; `None` if not tested.
    pub is_significant: Option<bool>,
    /// Another metric whose values are equal for every query, so that both are the same hypothesis.
    pub equal: Option<Spec>,
}

impl Difference {
    /// Index of the better model: 0 or 1; 0 if they are equal.
    pub fn better_model(&self) -> usize {
        usize::from(self.gain() < 0.0)
    }

    /// The mean difference, with the sign turned so that it is positive if the first model is better.
    fn gain(&self) -> f64 {
        self.spec.metric.unit().orient(self.mean)
    }

    /// Mean and interval of one model (0 or 1) minus the other: `+45.7 [42.6, 48.8]`.
    pub fn describe_for(&self, model: usize) -> String {
        let sign = if model == 0 { 1.0 } else { -1.0 };
        // + 0.0 avoids -0.0, which would print as +-0.00.
        let mean = self.mean * sign + 0.0;
        let mean = format!("{}{}", if mean < 0.0 { "" } else { "+" }, self.points(mean));
        match self.interval.map(|ends| ends.map(|end| end * sign)) {
            Some([one, other]) => {
                let [low, high] = [one.min(other), one.max(other)].map(|end| self.points(end));
                format!("{mean} [{low}, {high}]")
            }
            None if self.is_significant.is_none() => format!("{mean} [testing …]"),
            None => mean,
        }
    }

    /// A difference in the display unit of the metric, with two decimals if below 0.1.
    fn points(&self, value: f64) -> String {
        let value = self.spec.metric.unit().to_display(value);
        let decimals = if value.abs() < 0.1 { 2 } else { 1 };
        format!("{value:.decimals$}")
    }
}

/// The model indices 0 and 1, the better model first. The last difference decides: mAP@R if it is included.
pub fn better_first(differences: &[Difference]) -> [usize; 2] {
    let better = differences.last().map_or(0, Difference::better_model);
    [better, 1 - better]
}

/// Two sentences: which of two models is better under a ground truth, and the numbers. `differences` has one metric, or
/// R@1 and mAP@R; it is empty if a mean is undefined.
pub fn conclusion(names: [&str; 2], truth: &str, differences: &[Difference]) -> [String; 2] {
    let sides = better_first(differences);
    let [better, worse] = sides.map(|side| names[side]);
    let Some((first, second)) = differences.split_first().map(|(of, rest)| (of, rest.first()))
    else {
        let answer = format!("No conclusion on {better} and {worse}.");
        return [answer, format!("A mean is undefined under {truth}.")];
    };
    let is_tested = differences.iter().all(|of| of.is_significant.is_some());
    let significant = differences.iter().filter(|of| of.is_significant == Some(true));
    let significant: Vec<String> = significant.map(|of| of.spec.title()).collect();
    let holm = match significant.as_slice() {
        _ if !is_tested => String::new(),
        [] => ", neither significant (Holm)".into(),
        [_] if second.is_none() => ", significant (Holm)".into(),
        [one] => format!(", only {one} significant (Holm)"),
        _ => ", both significant (Holm)".into(),
    };
    if let Some(second) = second.filter(|of| of.gain() * first.gain() < 0.0) {
        let both = [first, second].map(|of| {
            let (title, side) = (of.spec.title(), of.better_model());
            format!("{title} prefers {} ({})", names[side], of.describe_for(side))
        });
        let titles = [first, second].map(|of| of.spec.title()).join(" and ");
        let answer = format!("{titles} disagree on {better} and {worse}.");
        return [answer, format!("{truth}: {}{holm}.", both.join(", "))];
    }
    let describe = |of: &Difference| format!("{} {}", of.spec.title(), of.describe_for(sides[0]));
    let numbers = second.into_iter().chain([first]).map(describe);
    let holm = if is_tested && significant.is_empty() { " (Holm)" } else { &holm };
    let numbers = format!("{truth} {}{holm}.", numbers.collect::<Vec<_>>().join(", "));
    let answer = match significant.as_slice() {
        _ if !is_tested => format!("{better} is ahead of {worse}."),
        [] => format!("No significant difference between {better} and {worse}."),
        [one] if second.is_some() => format!("{better} is better than {worse} by {one}."),
        _ => format!("{better} is better than {worse}."),
    };
    let title = first.spec.title();
    let rest = match (second, first.equal) {
        (Some(second), _) if significant.len() == 2 => {
            format!("{numbers} {title} and {} agree.", second.spec.title())
        }
        (None, Some(equal)) if is_tested => {
            format!("{numbers} {} equals {title} on every query.", equal.title())
        }
        _ => numbers,
    };
    [answer, rest]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::hit;
    use crate::metric::map_at_r::MapAtR;

    fn difference(spec: Spec, mean: f64, is_significant: Option<bool>) -> Difference {
        let interval = is_significant.map(|_| [mean - 0.01, mean + 0.01]);
        Difference { truth: TruthIx::new(0), spec, mean, interval, is_significant, equal: None }
    }

    fn sentences(r1: (f64, Option<bool>), map: (f64, Option<bool>)) -> String {
        let both = [
            difference(Spec::new(&hit::R1), r1.0, r1.1),
            difference(Spec::new(&MapAtR), map.0, map.1),
        ];
        conclusion(["lsa", "minilm"], "eccv", &both).join(" ")
    }

    #[test]
    fn the_better_model_comes_first_with_its_numbers() {
        assert_eq!(
            sentences((-0.457, Some(true)), (-0.227, Some(true))),
            "minilm is better than lsa. eccv mAP@R +22.7 [21.7, 23.7], R@1 +45.7 [44.7, 46.7], both \
             significant (Holm). R@1 and mAP@R agree."
        );
        assert_eq!(
            sentences((-0.457, None), (-0.227, None)),
            "minilm is ahead of lsa. eccv mAP@R +22.7 [testing …], R@1 +45.7 [testing …]."
        );
    }

    #[test]
    fn disagreement_and_missing_significance_come_first() {
        assert_eq!(
            sentences((-0.05, Some(true)), (0.02, Some(false))),
            "R@1 and mAP@R disagree on lsa and minilm. eccv: R@1 prefers minilm (+5.0 [4.0, 6.0]), mAP@R prefers \
             lsa (+2.0 [1.0, 3.0]), only R@1 significant (Holm)."
        );
        assert_eq!(
            sentences((0.001, Some(false)), (0.002, Some(false))),
            "No significant difference between lsa and minilm. eccv mAP@R +0.2 [-0.8, 1.2], R@1 +0.1 [-0.9, 1.1] (Holm)."
        );
        let one = sentences((0.05, Some(false)), (0.02, Some(true)));
        assert!(one.starts_with("lsa is better than minilm by mAP@R."), "{one}");
    }

    #[test]
    fn conclusion_from_one_metric() {
        let r1 = difference(Spec::new(&hit::R1), 0.0005, Some(true));
        let equal = Difference { equal: Some(Spec::new(&MapAtR)), ..r1 };
        assert_eq!(
            conclusion(["a", "b"], "original", &[equal]),
            [
                "a is better than b.",
                "original R@1 +0.05 [-0.9, 1.1], significant (Holm). mAP@R equals R@1 on every query."
            ]
        );
        let [_, rest] = conclusion(["a", "b"], "original", &[r1]);
        assert!(!rest.contains("equals"), "{rest}");
        assert_eq!(conclusion(["a", "b"], "rich", &[])[0], "No conclusion on a and b.");
    }
}
