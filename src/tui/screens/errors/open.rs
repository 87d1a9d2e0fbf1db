//! What is opened and copied: lists of queries, lines of text.

use super::{Cx, Errors, Pane};
use crate::filter::first_is;
use crate::metric::Unit;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::items::Common;
use crate::tui::popups::items::ItemList;
use crate::tui::screen::Reply;
use crate::tui::ui::Ui;

/// The view of some queries, what they have in common, and their gallery indices, once they are counted.
type Counted<'a> = (View, Common, Option<&'a [u32]>);

impl<'a> Cx<'a> {
    /// The queries whose first place the selected hub takes, or those of the error type under the cursor.
    fn counted(self) -> Result<Counted<'a>, String> {
        let study = &self.model.study;
        if self.state.pane == Pane::Hubs {
            let hub = self.hub().ok_or("no hub is selected")?;
            let (view, item) = (self.model.view, hub.item as usize);
            let is_first = first_is(study, view.direction, item);
            let words = format!("top-1 misses of {}", self.item(item));
            let common = Common { words, expression: Some(format!("r1 == 0 and {is_first}")) };
            return Ok((view, common, Some(&hub.taken)));
        }
        let (kind, view) = (self.kind(), self.view());
        let lacking = || format!("no file of the study tells of {}: {}", kind.name, kind.meaning);
        let condition = kind.expression(study, view).ok_or_else(lacking)?;
        let words = format!("error type {}", kind.name);
        Ok((view, Common { words, expression: Some(condition) }, self.list()))
    }

    /// An item of the view that is looked at, in words.
    fn item(self, item: usize) -> String {
        self.model.label(self.model.view.direction.flipped(), item, usize::MAX)
    }

    /// The selected entry of the list that keys go to as text; of rescaled scores all.
    pub(super) fn copied(self) -> Option<String> {
        let at = self.selected(self.state.pane);
        match self.state.pane {
            Pane::Kinds => {
                let mut cells = vec![self.kind().name.to_owned()];
                for view in self.columns() {
                    let model = &self.model.study.models[view.model].name;
                    let truth = &self.model.study.truths[view.truth].name;
                    cells.push(format!("{truth} {model}"));
                    cells.extend(self.counted_as(view, at));
                }
                Some(cells.join("\t"))
            }
            Pane::Hubs => {
                let (hub, view) = (self.hub()?, self.model.view);
                let hubness = &self.model.top_k_of(view.model, view.direction)?.hubness;
                let mut cells = vec![self.item(hub.item as usize)];
                let counts = hubness.depths.iter().zip(&hub.occurrences);
                cells.extend(counts.map(|(depth, n)| format!("N_{} {n}", depth.k)));
                cells.push(format!("top-1 misses {} of {} judged", hub.taken.len(), hub.judged));
                Some(cells.join("\t"))
            }
            Pane::Words => {
                let of = *self.words().get(at)?;
                let (word, failures) = (self.model.texts()?.word(of.word), of.failures);
                Some(format!("{word}\tfailures {failures}\tothers {}\tz {:.2}", of.others, of.z))
            }
            Pane::Swapped => {
                let of = self.swapped().get(at).copied()?;
                let word = self.model.texts()?.word(of.word);
                Some(format!("{word}\tadded {}\tlacked {}", of.extra, of.missing))
            }
            Pane::WhatIf => {
                let lines = self.rescaled().into_iter().map(|of| {
                    let [r1, map_at_r] = of.numbers.map(|number| Unit::Share.shown(number));
                    format!("{} {}\tR@1 {r1}\tmAP@R {map_at_r}", of.direction, of.name)
                });
                Some(lines.collect::<Vec<_>>().join("\n")).filter(|lines| !lines.is_empty())
            }
        }
    }
}

impl Errors {
    /// Lists the queries that the cursor is on.
    pub(super) fn open_queries(&self, model: &mut Model, ui: &Ui) -> Reply {
        model.message = Some(match self.pane {
            Pane::WhatIf => {
                model.ask_what_if();
                return Reply::Done;
            }
            Pane::Words | Pane::Swapped => {
                let search = ui.keymap.hint(Action::Search);
                format!("a word lists no queries: {search} searches for it")
            }
            Pane::Kinds | Pane::Hubs => match self.cx(model, ui).counted() {
                Err(why) => why,
                Ok((_, _, Some([]))) => "no query is of this kind".into(),
                Ok((view, common, _)) => {
                    model.list_by(view, common.expression.unwrap_or_default());
                    return Reply::Act(Action::Browse);
                }
            },
        });
        Reply::Done
    }

    /// Lists the first items of the queries that the cursor is on.
    pub(super) fn open_items(&self, model: &mut Model, ui: &Ui) -> Reply {
        let why = match self.cx(model, ui).counted() {
            Ok((view, common, Some(queries))) => {
                return Reply::Open(Box::new(ItemList::new(model, view, queries, common)));
            }
            Ok(_) => "these queries are not counted yet".into(),
            Err(why) => why,
        };
        model.message = Some(why);
        Reply::Done
    }
}
