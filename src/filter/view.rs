//! What an expression is about, and who tells the facts.

use super::made::Made;
use crate::data::Direction;
use crate::data::words::Texts;
use crate::error::{Error, Result};
use crate::rank::edited::Edited;
use crate::rank::hubs::OfModel;
use crate::study::Study;
use crate::truth::{Kind, Truth};

/// One model under one truth in one direction: what values without a prefix mean, and what ranks an
/// expression needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct View {
    /// Index of the model.
    pub model: usize,
    /// Index of the truth.
    pub truth: usize,
    /// Who asks whom.
    pub direction: Direction,
}

/// What an expression needs to be known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// The views whose ranks, each once.
    pub views: Vec<View>,
    /// The models whose first items, each once.
    pub heads: Vec<usize>,
    /// Whether captions as words.
    pub texts: bool,
}

impl Needs {
    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Needs) -> Self {
        for &view in &other.views {
            self.view(view);
        }
        for &model in &other.heads {
            self.head(model);
        }
        self.texts |= other.texts;
        self
    }

    /// Adds a view; gives its place.
    pub(super) fn view(&mut self, view: View) -> usize {
        let known = self.views.iter().position(|other| *other == view);
        known.unwrap_or_else(|| {
            self.views.push(view);
            self.views.len() - 1
        })
    }

    /// Adds a model's first items.
    pub(super) fn head(&mut self, model: usize) {
        if !self.heads.contains(&model) {
            self.heads.push(model);
        }
    }
}

impl From<View> for Needs {
    fn from(view: View) -> Self {
        Needs {
            views: vec![view],
            ..Needs::default()
        }
    }
}

/// What an expression needs and nobody knows (yet).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The ranks of this view.
    Ranks(View),
    /// The first items of this model.
    Heads(usize),
    /// Captions as words.
    Texts,
}

/// What an expression looks up when it is evaluated.
pub trait Facts: Sync {
    /// The study that the expression was parsed for.
    fn study(&self) -> &Study;

    /// A truth of the study, perhaps as a person changed it.
    fn truth(&self, truth: usize) -> &Truth {
        &self.study().truths[truth]
    }

    /// The ranks of a view; `None` where they are not counted (yet).
    fn ranks(&self, view: View) -> Option<&Edited>;

    /// What a model retrieves first; `None` where that is not known (yet).
    fn heads(&self, _model: usize) -> Option<&OfModel> {
        None
    }

    /// The captions as words; `None` where these are not known (yet).
    fn texts(&self) -> Option<&Texts> {
        None
    }

    /// What a person made of the queries asked; `None` where that is nothing.
    fn made(&self) -> Option<&Made> {
        None
    }
}

impl View {
    /// The view of these names. Otherwise the first model, the richest truth, and captions as
    /// queries where they can be.
    ///
    /// # Errors
    /// Names that the study does not have (the known ones are listed), or a truth without lists in
    /// this direction.
    pub fn choose(
        study: &Study,
        model: Option<&str>,
        truth: Option<&str>,
        direction: Option<Direction>,
    ) -> Result<View> {
        study.require_models_and_truths()?;
        let model = model.map_or(Ok(0), |name| named_model(study, name))?;
        let truth = match truth {
            Some(name) => named_truth(study, name)?,
            None => richest(study, direction)?,
        };
        let given = &study.truths[truth];
        let wanted = direction.map_or(vec![Direction::T2i, Direction::I2t], |one| vec![one]);
        let has = |direction: &Direction| given.relevance[*direction].is_some();
        let Some(direction) = wanted.into_iter().find(has) else {
            let lacks = direction.map_or(String::new(), |one| format!(" {one}"));
            return Err(Error::new(
                "--direction",
                format!("truth {} has no{lacks} list", given.name),
            ));
        };
        Ok(View {
            model,
            truth,
            direction,
        })
    }
}

fn named_model(study: &Study, name: &str) -> Result<usize> {
    let at = study.models.iter().position(|model| model.name == name);
    at.ok_or_else(|| {
        let known: Vec<&str> = study.models.iter().map(|m| m.name.as_str()).collect();
        Error::new("--model", format!("no model named {name}"))
            .expected(format!("one of: {}", known.join(", ")))
    })
}

fn named_truth(study: &Study, name: &str) -> Result<usize> {
    let at = study.truths.iter().position(|truth| truth.name == name);
    at.ok_or_else(|| {
        let known: Vec<&str> = study.truths.iter().map(|t| t.name.as_str()).collect();
        Error::new("--truth", format!("no truth named {name}"))
            .expected(format!("one of: {}", known.join(", ")))
    })
}

/// The last rich truth with lists in the direction, else the first truth that has them.
fn richest(study: &Study, direction: Option<Direction>) -> Result<usize> {
    let usable = |truth: &Truth| direction.is_none_or(|one| truth.relevance[one].is_some());
    let is_rich = |truth: &Truth| truth.kind == Kind::Rich && usable(truth);
    let rich = study.truths.iter().rposition(is_rich);
    let any = || study.truths.iter().position(usable);
    let lacks = || {
        let lacks = direction.map_or(String::new(), |one| format!(" {one}"));
        Error::new("--direction", format!("no truth has a{lacks} list"))
    };
    rich.or_else(any).ok_or_else(lacks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::demo;

    #[test]
    fn the_first_model_and_the_richest_truth_unless_said() {
        let mut study = demo::open().unwrap();
        let view = |model, truth, direction| View {
            model,
            truth,
            direction,
        };
        let choose = View::choose;
        assert_eq!(
            choose(&study, None, None, None),
            Ok(view(0, 1, Direction::T2i))
        );
        assert_eq!(
            choose(&study, Some("hubby"), Some("pm"), Some(Direction::I2t)),
            Ok(view(2, 2, Direction::I2t))
        );
        let said = choose(&study, Some("hobby"), None, None).unwrap_err();
        assert!(said.to_string().contains("careful, broad, hubby"));
        study.truths[1].relevance[Direction::T2i] = None;
        assert_eq!(
            choose(&study, None, None, None),
            Ok(view(0, 1, Direction::I2t))
        );
        let t2i = Some(Direction::T2i);
        assert_eq!(
            choose(&study, None, None, t2i),
            Ok(view(0, 0, Direction::T2i))
        );
        let said = choose(&study, None, Some("rich"), t2i).unwrap_err();
        assert!(said.to_string().contains("rich has no t2i list"));
    }
}
