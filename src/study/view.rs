//! The view: one model under one truth in one direction.

use super::Study;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::one_of;
use crate::error::{Error, Result};
use crate::truth::{Kind, Truth};

/// One model under one truth in one direction, in the study's pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    /// Index of the model.
    pub model: ModelIx,
    /// Index of the truth.
    pub truth: TruthIx,
    /// Direction of retrieval.
    pub direction: Direction,
}

impl View {
    /// The view with these names. Defaults: first model, richest truth, and caption queries if truth and model have
    /// them.
    ///
    /// # Errors
    /// Unknown names (lists the known ones), or a truth without lists in this direction.
    pub fn choose(
        study: &Study,
        model: Option<&str>,
        truth: Option<&str>,
        direction: Option<Direction>,
    ) -> Result<View> {
        study.require_models_and_truths()?;
        let model = model.map_or(Ok(ModelIx::default()), |name| study.model_index(name))?;
        let truth = match truth {
            Some(name) => study.truth_index(name)?,
            None => study.richest_in(direction).ok_or_else(|| {
                let wanted = direction.map_or(String::new(), |one| format!(" {one}"));
                Error::new("--direction", format!("no ground truth has a{wanted} list"))
            })?,
        };
        let scores = &study.models[model].scores;
        let mut usual = vec![Direction::T2i, Direction::I2t];
        usual.sort_by_key(|one| !scores.ranks_any(*one));
        let candidates = direction.map_or(usual, |one| vec![one]);
        let has_lists = |one: &Direction| study.truths[truth].relevance[*one].is_some();
        let Some(direction) = candidates.into_iter().find(has_lists) else {
            let wanted = direction.map_or(String::new(), |one| format!(" {one}"));
            let has_wanted =
                |truth: &&Truth| direction.is_some_and(|one| truth.relevance[one].is_some());
            let others = study.truths.iter().filter(has_wanted).map(|truth| truth.name.as_str());
            let others: Vec<&str> = others.collect();
            let found = format!("ground truth {} has no{wanted} list", study.truths[truth].name);
            return Err(Error::new("--truth", found)
                .expected(one_of(&others, "a ground truth with such lists: there is none")));
        };
        Ok(View { model, truth, direction })
    }

    /// Index of the truth of this kind that has lists in the view's direction: the view's own, else the last one;
    /// `None` without any.
    pub fn truth_of_kind(self, study: &Study, kind: Kind) -> Option<TruthIx> {
        let of_kind = TruthIx::enumerate(&study.truths)
            .filter(|(_, truth)| truth.kind == kind && truth.relevance[self.direction].is_some());
        of_kind.map(|(at, _)| at).max_by_key(|&at| (at == self.truth, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn the_first_model_and_the_richest_truth_unless_said() {
        let mut study = demo::open().unwrap();
        let view = |model, truth, direction| View {
            model: ModelIx::new(model),
            truth: TruthIx::new(truth),
            direction,
        };
        let choose = View::choose;
        assert_eq!(choose(&study, None, None, None), Ok(view(0, 1, Direction::T2i)));
        assert_eq!(
            choose(&study, Some("naive"), Some("pm"), Some(Direction::I2t)),
            Ok(view(2, 2, Direction::I2t))
        );
        let said = choose(&study, Some("hobby"), None, None).unwrap_err();
        assert!(said.to_string().contains("careful, broad, naive"));
        study.truths[1].relevance[Direction::T2i] = None;
        assert_eq!(choose(&study, None, None, None), Ok(view(0, 1, Direction::I2t)));
        let t2i = Some(Direction::T2i);
        assert_eq!(choose(&study, None, None, t2i), Ok(view(0, 0, Direction::T2i)));
        let said = choose(&study, None, Some("rich"), t2i).unwrap_err();
        assert!(said.to_string().contains("rich has no t2i list"));
    }
}
