//! What a change is called.

use super::Model;
use super::history::Change;
use super::sort::Sort;
use crate::data::text::shown;
use crate::study::View;
use crate::truth::rule::in_order;

impl Model {
    /// What is looked at now and was not before.
    fn name_of_look(&self, before: View, after: View) -> String {
        let mut names = Vec::new();
        if before.model != after.model {
            let model = self.study.models.get(after.model.get());
            names.push(format!("model {}", model.map_or("mixture", |model| &*model.name)));
        }
        if before.truth != after.truth {
            names.push(format!("ground truth {}", self.study.truths[after.truth].name));
        }
        if before.direction != after.direction {
            names.push(format!("direction {}", after.direction));
        }
        names.join(", ")
    }

    /// What a change is called.
    pub(in crate::tui) fn name_of(&self, change: &Change) -> String {
        match change {
            Change::Verdict { pair, after, .. } => {
                let caption = self.study.gallery.caption(pair.caption.get());
                let image = &self.study.gallery.images[pair.image.get()];
                let said = after.map_or("cleared", |said| said.response.key());
                format!("{said}: image {image}, {caption}")
            }
            Change::View { before, after } => self.name_of_look(*before, *after),
            Change::Dials { before, after } if before.mix != after.mix => match after.mix {
                Some(mix) => {
                    let names = mix.models.map(|model| &*self.base.models[model].name);
                    mix.scaling.name(f64::from(mix.percent) / 100.0, names)
                }
                None => "no mixture".into(),
            },
            Change::Dials { before, after } if before.pool != after.pool => {
                format!("pool {}", self.base.pool_name(after.pool))
            }
            Change::Dials { before, after } => {
                let is_turned = |name| before.numbers[name] != after.numbers[name];
                let mut turned = in_order().into_iter().filter(|rule| is_turned(rule.name()));
                turned.next().map_or(String::new(), |rule| {
                    let number = after.numbers[rule.name()].unwrap_or(rule.number().default);
                    format!("{} {}", rule.name(), rule.words(number))
                })
            }
            Change::Picks { what, .. } | Change::Together { what, .. } => what.clone(),
            Change::Note { after, .. } => match after {
                Some(note) => format!("note: {}", shown(&note.text)),
                None => "note removed".into(),
            },
            Change::Filter { after, .. } if after.is_empty() => "no filter".into(),
            Change::Filter { after, .. } => format!("filter {after}"),
            Change::List { before, after } if before.0 == after.0 => format!("filter {}", after.1),
            Change::List { before, after } => {
                format!("{}, filter {}", self.name_of_look(before.0, after.0), after.1)
            }
            Change::Sort { after: Sort::Gallery, .. } => "sorted as in the gallery".into(),
            Change::Sort { after, .. } => format!("sorted, {}", after.words()),
        }
    }
}
