//! Training steps of one model, and how a query is learned over them.

use super::Study;
use crate::data::index::ModelIx;
use crate::data::scores::Model;
use crate::data::text::count;
use crate::error::{Error, Result};

/// A training step: a model and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The last number in the model's name.
    pub number: u64,
    /// Index of the model.
    pub model: ModelIx,
}

/// How a query is learned over the training steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Learning {
    /// Correct at the last step, and for the first time before the last quarter of the steps.
    Learned,
    /// Correct at the last step, and for the first time in the last quarter of the steps; with two or three steps, at
    /// the last step only.
    Late,
    /// Correct at an earlier step but not the last.
    Forgotten,
    /// Correct at no step.
    Never,
}

impl Learning {
    /// All kinds, with their keys.
    pub const ALL: [(&'static str, Learning); 4] = [
        ("learned", Learning::Learned),
        ("late", Learning::Late),
        ("forgotten", Learning::Forgotten),
        ("never", Learning::Never),
    ];

    /// The kind of a query, from whether it is correct at each step.
    pub fn from_steps(correct: &[bool]) -> Learning {
        let Some(first) = first_step(correct) else {
            return Learning::Never;
        };
        if correct.last() != Some(&true) {
            Learning::Forgotten
        } else if 4 * first >= 3 * correct.len() || first + 1 == correct.len() {
            Learning::Late
        } else {
            Learning::Learned
        }
    }
}

/// Index of the first step at which a query is correct; `None` if it never is.
pub fn first_step(correct: &[bool]) -> Option<usize> {
    correct.iter().position(|&correct| correct)
}

impl Study {
    /// Sorts the models by the last number in each name, and makes each a step.
    ///
    /// # Errors
    /// A name without a number, or a duplicate number.
    pub(super) fn use_models_as_steps(&mut self) -> Result<()> {
        let numbers = self.models.iter().map(step_number).collect::<Result<Vec<u64>>>()?;
        let mut steps: Vec<(u64, Model)> = numbers.into_iter().zip(self.models.drain(..)).collect();
        steps.sort_by_key(|(number, _)| *number);
        let duplicate = steps.windows(2).find(|two| two[0].0 == two[1].0);
        if let Some([(_, one), (_, other)]) = duplicate {
            let [one, other] = [one, other].map(|model| &model.name);
            return Err(steps_error(format!("{one} and {other} have the same number")));
        }
        let step = |(at, (number, _)): (usize, &(u64, Model))| Step {
            number: *number,
            model: ModelIx::new(at),
        };
        self.steps = steps.iter().enumerate().map(step).collect();
        self.models = steps.into_iter().map(|(_, model)| model).collect();
        Ok(())
    }

    /// Checks that there are two or more steps.
    ///
    /// # Errors
    /// Fewer than two.
    pub fn require_steps(&self) -> Result<()> {
        match &*self.steps {
            [_, _, ..] => Ok(()),
            steps => Err(steps_error(count(steps.len(), "step"))),
        }
    }

    /// Index of a model's step in [`Study::steps`]; `None` for a mixture, or if models are not steps.
    pub fn step_index(&self, model: ModelIx) -> Option<usize> {
        self.steps.iter().position(|step| step.model == model)
    }
}

/// Error for models that cannot be steps of a training.
fn steps_error(found: String) -> Error {
    Error::new("steps of a training", found)
        .expected("two files or more of one model, whose names end in different numbers")
        .fix("name them step-000100.npy, step-000200.npy, or give names with --name FILE=NAME")
}

/// The last number in a model's name; an error if there is none.
fn step_number(model: &Model) -> Result<u64> {
    let name = &model.name;
    last_number(name).ok_or_else(|| steps_error(format!("{name} has no number")))
}

/// The last number in a name; `None` without one, or if it is too large.
fn last_number(name: &str) -> Option<u64> {
    let is_digit = |c: char| c.is_ascii_digit();
    let end = name.rfind(is_digit)? + 1;
    let start = name[..end]
        .rfind(|c| !is_digit(c))
        .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    name[start..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn steps_are_in_the_order_of_their_numbers() {
        let mut study = demo::open().unwrap();
        let named = |study: &mut Study, names: [&str; 3]| {
            for (model, name) in study.models.iter_mut().zip(names) {
                name.clone_into(&mut model.name);
            }
        };
        named(&mut study, ["run2-step-300", "run2-step-20", "run2-step-1e"]);
        study.use_models_as_steps().unwrap();
        let numbers: Vec<u64> = study.steps.iter().map(|step| step.number).collect();
        assert_eq!(numbers, [1, 20, 300]);
        let names = study.models.iter().map(|model| &*model.name);
        let names: Vec<&str> = names.collect();
        assert_eq!(names, ["run2-step-1e", "run2-step-20", "run2-step-300"]);
        assert_eq!(study.step_index(ModelIx::new(1)), Some(1));
        assert_eq!(study.step_index(ModelIx::new(3)), None);
        for (name, words) in [("last", "last has no number"), ("é300", "the same number")] {
            let mut study = demo::open().unwrap();
            named(&mut study, ["step-300", name, "step-20"]);
            let error = study.use_models_as_steps().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        study.models.truncate(1);
        study.use_models_as_steps().unwrap();
        let error = study.require_steps().unwrap_err().to_string();
        assert!(error.contains("1 step"), "{error}");
    }

    #[test]
    fn what_is_learned_late_forgotten_or_never() {
        let correct = |marks: &str| marks.chars().map(|c| c == '1').collect::<Vec<_>>();
        for (marks, kind) in [
            ("00001111", Learning::Learned),
            ("00000101", Learning::Learned),
            ("00000011", Learning::Late),
            ("11111110", Learning::Forgotten),
            ("00000000", Learning::Never),
            ("10", Learning::Forgotten),
            ("01", Learning::Late),
            ("001", Learning::Late),
            ("011", Learning::Learned),
        ] {
            assert_eq!(Learning::from_steps(&correct(marks)), kind, "{marks}");
        }
    }
}
