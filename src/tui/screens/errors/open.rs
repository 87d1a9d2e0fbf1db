//! What is opened and copied: lists of queries, lines of text.

use super::Pane;
use crate::analysis::kinds::KINDS;
use crate::data::text::grouped;
use crate::filter::first_is;
use crate::study::View;
use crate::tui::app::App;
use crate::tui::history::Change;
use crate::tui::screens::Screen;

impl App {
    /// Lists the queries that the cursor is on.
    pub(super) fn open_errors(&mut self) {
        match self.errors.pane {
            Pane::Kinds => self.open_kind(),
            Pane::Hubs => self.open_hub(),
            Pane::WhatIf => self.ask_what_if(),
            Pane::Words | Pane::Swapped => {}
        }
    }

    /// Looks at the model and the truth under the cursor, and lists the queries of the kind.
    fn open_kind(&mut self) {
        let view = self.errors_view();
        match self.errors_kind().expression(&self.study, view) {
            Some(condition) => self.list_queries(view, condition),
            None => self.message = Some("the study lacks what this kind is about".into()),
        }
    }

    /// Lists the queries whose first place the selected hub takes.
    fn open_hub(&mut self) {
        let Some(item) = self.errors_hub().map(|hub| hub.item) else {
            self.message = Some("no hub is selected".into());
            return;
        };
        let is_first = first_is(&self.study, self.view.direction, item as usize);
        self.list_queries(self.view, format!("r1 == 0 and {is_first}"));
    }

    /// Looks at a view and lists the queries that meet a condition there, as one step.
    fn list_queries(&mut self, view: View, condition: String) {
        self.search.clear();
        let before = (self.view, self.filter.text.clone());
        let after = (view, condition);
        if before != after {
            self.browse_from_top();
            self.make(Change::List { before, after });
        }
        self.show(Screen::Browse);
    }

    /// The selected line as text.
    pub(super) fn copy_errors(&mut self) -> Option<String> {
        let line = match self.errors.pane {
            Pane::Kinds => Some(self.kind_line()),
            Pane::Hubs => self.hub_line(),
            Pane::Words => self.word_line(),
            Pane::Swapped => self.swapped_line(),
            Pane::WhatIf => self.rescaled_line(),
        };
        let Some(line) = line else {
            self.message = Some("there is nothing to copy".into());
            return None;
        };
        Some(self.copied(line))
    }

    fn selected(&self, pane: Pane) -> usize {
        self.errors.place(pane).selected
    }

    /// The kind, then truth, model and count of every column.
    fn kind_line(&self) -> String {
        let at = self.errors_kind_place();
        let mut cells = vec![KINDS[at].name.to_owned()];
        for view in self.errors_columns() {
            let model = &self.study.models[view.model].name;
            let truth = &self.study.truths[view.truth].name;
            let count = match self.lists_of(view).map(|lists| &lists[at]) {
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

    fn hub_line(&self) -> Option<String> {
        let hub = self.errors_hub()?;
        let depths = &self
            .top_k_of(self.view.model, self.view.direction)?
            .hubness
            .depths;
        let words = self.item_words(self.view.direction, hub.item as usize);
        let counts = depths.iter().zip(&hub.occurrences);
        let mut cells = vec![words];
        cells.extend(counts.map(|(depth, n)| format!("N_{} {n}", depth.k)));
        cells.push(format!("false top-1 {}", hub.taken.len()));
        Some(cells.join("\t"))
    }

    fn word_line(&self) -> Option<String> {
        let words = self.errors_words();
        let of = words.get(self.selected(Pane::Words))?;
        let word = self.texts()?.word(of.word);
        let (failures, others, z) = (of.failures, of.others, of.z);
        Some(format!(
            "{word}\tfailures {failures}\tothers {others}\tz {z:.2}"
        ))
    }

    fn swapped_line(&self) -> Option<String> {
        let swapped = self.errors_swapped();
        let of = swapped.get(self.selected(Pane::Swapped))?;
        let word = self.texts()?.word(of.word);
        Some(format!("{word}\tadded {}\tlacked {}", of.extra, of.missing))
    }

    /// R@1 and mAP@R of both directions, as they are and rescaled.
    fn rescaled_line(&self) -> Option<String> {
        let found = self.what_if()?.as_ref().ok()?;
        let lines = found.iter().flat_map(super::rescale_view::lines);
        let line = |line: super::rescale_view::Line| {
            let [r1, map_at_r] = [line.quality.r1, line.quality.map_at_r]
                .map(|of| crate::metric::Unit::Share.shown(of.value));
            format!(
                "{} {}\tR@1 {r1}\tmAP@R {map_at_r}",
                line.direction, line.name
            )
        };
        let lines: Vec<String> = lines.map(line).collect();
        Some(lines.join("\n"))
    }
}
