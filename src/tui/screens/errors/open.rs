//! What is opened and copied: lists of queries, lines of text.

use super::{Cx, Errors, Pane};
use crate::analysis::kinds::{KINDS, Kind};
use crate::data::text::grouped;
use crate::filter::first_is;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::item_list::Common;
use crate::tui::popups::items::ItemList;
use crate::tui::screen::Reply;
use crate::tui::ui::Ui;

impl Cx<'_> {
    fn selected(self, pane: Pane) -> usize {
        self.state.place(pane).selected
    }

    /// The kind, then truth, model and count of every column.
    fn kind_line(self) -> String {
        let at = self.kind_place();
        let mut cells = vec![KINDS[at].name.to_owned()];
        for view in self.columns() {
            let model = &self.model.study.models[view.model].name;
            let truth = &self.model.study.truths[view.truth].name;
            let count = match self.model.lists_of(view).map(|lists| &lists[at]) {
                Some(Some(of_kind)) => {
                    let count = of_kind.count();
                    format!("{} of {}", grouped(count.met), grouped(count.of))
                }
                Some(None) => "-".into(),
                None => "…".into(),
            };
            cells.extend([format!("{truth} {model}"), count]);
        }
        cells.join("\t")
    }

    /// The view under the cursor, the queries of the kind there, and what they have in common.
    fn queries_of_kind(self) -> Option<(View, Vec<u32>, Common)> {
        let view = self.view();
        let of_kind = self.model.lists_of(view)?[self.kind_place()].as_ref()?;
        let common = Common {
            words: format!("error type {}", self.kind().name),
            expression: self.kind().expression(&self.model.study, view),
        };
        Some((view, of_kind.queries.clone(), common))
    }

    fn hub_line(self) -> Option<String> {
        let hub = self.hub()?;
        let depths =
            &self.model.top_k_of(self.model.view.model, self.model.view.direction)?.hubness.depths;
        let words = self.item_words(self.model.view.direction, hub.item as usize);
        let counts = depths.iter().zip(&hub.occurrences);
        let mut cells = vec![words];
        cells.extend(counts.map(|(depth, n)| format!("N_{} {n}", depth.k)));
        cells.push(format!("top-1 misses {} of {} judged", hub.taken.len(), hub.judged));
        Some(cells.join("\t"))
    }

    fn word_line(self) -> Option<String> {
        let words = self.words();
        let of = words.get(self.selected(Pane::Words))?;
        let word = self.model.texts()?.word(of.word);
        let (failures, others, z) = (of.failures, of.others, of.z);
        Some(format!("{word}\tfailures {failures}\tothers {others}\tz {z:.2}"))
    }

    fn swapped_line(self) -> Option<String> {
        let swapped = self.swapped();
        let of = swapped.get(self.selected(Pane::Swapped))?;
        let word = self.model.texts()?.word(of.word);
        Some(format!("{word}\tadded {}\tlacked {}", of.extra, of.missing))
    }

    /// R@1 and mAP@R of both directions, as they are and rescaled.
    fn rescaled_line(self) -> Option<String> {
        let found = self.model.what_if()?.as_ref().ok()?;
        let lines = found.iter().flat_map(super::rescale_view::lines);
        let line = |line: super::rescale_view::Line| {
            let [r1, map_at_r] = [line.quality.r1, line.quality.map_at_r]
                .map(|of| crate::metric::Unit::Share.shown(of.value));
            format!("{} {}\tR@1 {r1}\tmAP@R {map_at_r}", line.direction, line.name)
        };
        let lines: Vec<String> = lines.map(line).collect();
        Some(lines.join("\n"))
    }
}

/// The condition of the queries whose first place an item takes that is no positive of them.
fn takes_first(model: &Model, item: u32) -> String {
    let is_first = first_is(&model.study, model.view.direction, item as usize);
    format!("r1 == 0 and {is_first}")
}

/// What is said where there are no queries to list.
fn lacking(kind: &Kind) -> String {
    format!("no file of the study tells of {}: {}", kind.name, kind.meaning)
}
const NO_HUB: &str = "no hub is selected";

impl Errors {
    /// Lists the queries that the cursor is on.
    pub(super) fn open_list(&self, model: &mut Model, ui: &Ui) -> Reply {
        match self.pane {
            Pane::Kinds => self.open_kind(model, ui),
            Pane::Hubs => self.open_hub(model, ui),
            Pane::WhatIf => {
                model.ask_what_if();
                Reply::Done
            }
            Pane::Words | Pane::Swapped => {
                let search = ui.keymap.hint(Action::Search);
                model.message = Some(format!("a word lists no queries: {search} searches for it"));
                Reply::Done
            }
        }
    }

    /// Looks at the model and the truth under the cursor, and lists the queries of the kind.
    fn open_kind(&self, model: &mut Model, ui: &Ui) -> Reply {
        let cx = self.cx(model, ui);
        let view = cx.view();
        let lists = model.lists_of(view);
        let of_kind = lists.and_then(|lists| lists[self.place(Pane::Kinds).selected].as_ref());
        if of_kind.is_some_and(|of| of.queries.is_empty()) {
            model.message = Some("no query is of this kind".into());
            return Reply::Done;
        }
        if let Some(condition) = cx.kind().expression(&model.study, view) {
            model.list_by(view, condition);
            Reply::Act(Action::Browse)
        } else {
            model.message = Some(lacking(cx.kind()));
            Reply::Done
        }
    }

    /// Lists the first items of the queries that the cursor is on.
    pub(super) fn open_items(&self, model: &mut Model, ui: &Ui) -> Reply {
        let cx = self.cx(model, ui);
        let counted = match self.pane {
            Pane::Hubs => cx.hub().map(|hub| {
                let item = cx.item_words(model.view.direction, hub.item as usize);
                let common = Common {
                    words: format!("top-1 misses of {item}"),
                    expression: Some(takes_first(model, hub.item)),
                };
                (model.view, hub.taken.clone(), common)
            }),
            _ => cx.queries_of_kind(),
        };
        let Some((view, queries, common)) = counted else {
            let is_lacking = cx.kind().expression(&model.study, cx.view()).is_none();
            let why = match self.pane {
                Pane::Hubs => NO_HUB.to_owned(),
                _ if is_lacking => lacking(cx.kind()),
                _ => "these queries are not counted yet".to_owned(),
            };
            model.message = Some(why);
            return Reply::Done;
        };
        Reply::Open(Box::new(ItemList::new(model, view, &queries, common)))
    }

    /// Lists the queries whose first place the selected hub takes.
    fn open_hub(&self, model: &mut Model, ui: &Ui) -> Reply {
        let Some(item) = self.cx(model, ui).hub().map(|hub| hub.item) else {
            model.message = Some(NO_HUB.into());
            return Reply::Done;
        };
        model.list_by(model.view, takes_first(model, item));
        Reply::Act(Action::Browse)
    }

    /// Copies the selected line.
    pub(super) fn copy(&self, model: &mut Model, ui: &Ui) -> Reply {
        let cx = self.cx(model, ui);
        let line = match self.pane {
            Pane::Kinds => Some(cx.kind_line()),
            Pane::Hubs => cx.hub_line(),
            Pane::Words => cx.word_line(),
            Pane::Swapped => cx.swapped_line(),
            Pane::WhatIf => cx.rescaled_line(),
        };
        if line.is_none() {
            model.message = Some("there is nothing to copy".into());
        }
        Reply::copy(model, line)
    }
}
