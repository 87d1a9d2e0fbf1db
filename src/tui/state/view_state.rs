//! The view in a session file, restored at the next start.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Model;
use super::export::FigureChoices;
use super::judging_mode::Judging;
use super::query_list::Sought;
use crate::data::id::Id;
use crate::data::index::TruthIx;
use crate::data::{Direction, PerDirection};
use crate::study::View;
use crate::tui::sort::Sort;

/// The view in a session file. Thresholds, mixture and pool are not part of it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct ViewState {
    /// Title of the current screen; `App` restores it.
    screen: String,
    /// Name of the model.
    model: Option<String>,
    /// Name of the ground truth, if there are several.
    truth: Option<String>,
    direction: Option<Direction>,
    /// Condition of the filter.
    filter: String,
    /// Expression that queries are sorted by.
    sort_by: Option<String>,
    figure: FigureChoices,
    judging: Option<Judging>,
    /// The query last selected in each direction.
    selected: PerDirection<Option<Id>>,
    /// The selected item of the ranking.
    item: Option<Id>,
}

impl Model {
    /// Stores the view and the title of the current screen in the session.
    pub(crate) fn store_view(&mut self, screen: &str) {
        let (study, view) = (&self.study, self.view);
        let query = |direction: Direction| {
            let at = self.selection.last[direction]?;
            Some(study.gallery.queries(direction)[at as usize].clone())
        };
        let item = match self.selection.sought {
            Some(Sought::Item(item)) => Some(item.get()),
            _ => self.item().map(|item| item.item),
        };
        let has_choice = study.truths.len() > 1;
        let state = ViewState {
            screen: screen.to_owned(),
            model: Some(study.models[view.model].name.clone()),
            truth: has_choice.then(|| study.truths[view.truth].name.clone()),
            direction: Some(view.direction),
            filter: self.filter.text.clone(),
            sort_by: self.selection.sort.expression().map(str::to_owned),
            figure: self.figure,
            judging: Some(self.judging),
            selected: PerDirection::from_fn(query),
            item: item.map(|item| study.gallery.items(view.direction)[item].clone()),
        };
        if let Ok(Value::Object(view)) = serde_json::to_value(state) {
            self.session.set_view(view);
        }
    }

    /// Restores the view of a session, except for models, ground truths and items that no longer exist.
    pub(in crate::tui) fn restore_view(&mut self, view: Map<String, Value>) {
        let stored: ViewState = serde_json::from_value(Value::Object(view)).unwrap_or_default();
        let model = stored.model.and_then(|name| self.base.model_named(&name));
        let truths = &self.study.truths;
        let truth = stored.truth.and_then(|name| TruthIx::find(truths, |of| of.name == name));
        let selected = View {
            model: model.unwrap_or(self.view.model),
            truth: truth.unwrap_or(self.view.truth),
            direction: stored.direction.unwrap_or(self.view.direction),
        };
        if truths[selected.truth].relevance[selected.direction].is_some() {
            self.view = selected;
            self.show_texts_of_model();
        }
        if let Some(expression) = stored.sort_by {
            self.selection.sort = Sort::by(&expression);
        }
        self.figure = stored.figure;
        self.judging = stored.judging.map_or(self.judging, Judging::with_valid_depth);
        self.selection.last = PerDirection::from_fn(|direction| {
            self.study.gallery.queries(direction).find(stored.selected[direction].as_ref()?)
        });
        // In another model's ranking it may be anywhere.
        let item = stored.item.filter(|_| model.is_some());
        let item = item.and_then(|id| self.study.gallery.items(self.view.direction).find(&id));
        self.selection.sought = item.map(|item| Sought::Item(item.into()));
        // The condition may name a missing model.
        if self.find_queries(&stored.filter).is_ok() {
            self.filter.text = stored.filter;
            self.filter.is_restored = true;
        }
        // The list does not match the selected query yet.
        self.selection.listed = None;
    }
}
