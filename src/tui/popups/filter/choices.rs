//! The conditions to choose from.

use crate::data::text::shown;
use crate::filter::{named, ready};
use crate::jobs::Quality;
use crate::tui::model::Model;

/// A condition to choose.
pub(super) struct Choice {
    /// What it is called; with the sign before it where the name is one's own.
    pub(super) name: String,
    /// What it finds, in one line.
    pub(super) meaning: String,
    /// The condition.
    pub(super) expression: String,
}

/// Those with a name of one's own, then those that are ready for this study.
pub(super) fn choices(model: &Model) -> Vec<Choice> {
    let own = model.memory.filters().map(|(name, expression)| Choice {
        name: format!("@{}", shown(name)),
        meaning: shown(expression),
        expression: expression.to_owned(),
    });
    let ready = ready(&model.study, model.view);
    let ready = ready.into_iter().map(|ready| Choice {
        name: ready.name.to_owned(),
        meaning: ready.meaning.to_owned(),
        expression: ready.expression,
    });
    own.chain(ready).collect()
}

/// The choices in the order in which they are listed.
pub(super) struct Listed {
    /// Places among the choices.
    pub(super) places: Vec<usize>,
    /// Whether the name of the first one has what is typed, which is long enough to mean it.
    pub(super) is_meant: bool,
}

/// What is typed that is so short begins many things.
const SHORT: usize = 3;

impl Listed {
    /// All of them.
    pub(super) fn all(choices: &[Choice]) -> Self {
        Listed { places: (0..choices.len()).collect(), is_meant: false }
    }

    /// Those whose name or meaning has what is typed, by the name first; all of them where none has it: then it is
    /// a condition.
    pub(super) fn with(choices: &[Choice], typed: &str) -> Self {
        let typed = typed.trim();
        let quality = |(place, choice): (usize, &Choice)| {
            let by_name = Quality::literal(&choice.name, typed);
            let both = format!("{} {}", choice.name, choice.meaning);
            let by_both = Quality::literal(&both, typed);
            Some((by_name.is_none(), by_name.or(by_both)?, place))
        };
        let mut found: Vec<_> = choices.iter().enumerate().filter_map(quality).collect();
        found.sort_unstable();
        let Some(&(is_by_meaning, ..)) = found.first().filter(|_| !typed.is_empty()) else {
            return Listed::all(choices);
        };
        Listed {
            places: found.into_iter().map(|(.., place)| place).collect(),
            // A name with its sign is part of a condition.
            is_meant: !is_by_meaning
                && typed.chars().count() >= SHORT
                && named::name(typed).is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(name: &str, meaning: &str) -> Choice {
        Choice { name: name.into(), meaning: meaning.into(), expression: String::new() }
    }

    #[test]
    fn names_come_before_meanings_and_a_condition_lists_all() {
        let choices = [
            choice("hub", "first for many, a label is missing"),
            choice("missing label", "top-1 is correct"),
            choice("top-1 correct", "top-1 is correct"),
        ];
        let of = |typed: &str| {
            let listed = Listed::with(&choices, typed);
            (listed.places, listed.is_meant)
        };
        assert_eq!(of("Missing"), (vec![1, 0], true));
        assert_eq!(of("label miss"), (vec![1, 0], true));
        assert_eq!(of("correct"), (vec![2, 1], true));
        assert_eq!(of("@missing"), (vec![0, 1, 2], false));
        assert_eq!(of("many"), (vec![0], false));
        assert_eq!(of("hu"), (vec![0], false));
        assert_eq!(of("  "), (vec![0, 1, 2], false));
        assert_eq!(of("rank <= 5"), (vec![0, 1, 2], false));
    }
}
