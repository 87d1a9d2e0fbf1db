//! What is found again at the next start: the view, which the session keeps, and what was typed and set.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Model;
use super::export::Shape;
use super::judging::Judging;
use super::query_list::Sought;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::scores::Scaling;
use crate::session::{Entry, Prompt, Remembered};
use crate::study::{Dials, Mix, Topic, View};
use crate::truth::rule::{PerRule, Rule, in_order, key};
use crate::truth::verdict::Pair;
use crate::tui::sort::Sort;
use crate::tui::ui::prompt::PromptLine;

impl Model {
    /// Has the session keep what is looked at, with what it keeps of the screens.
    pub(in crate::tui) fn store_view(&mut self, screens: Map<String, Value>) {
        let view = self.page(screens);
        self.session.set_view(view);
    }

    fn page(&self, screens: Map<String, Value>) -> Map<String, Value> {
        let View { model, truth, direction } = self.view;
        // A pairing that the shape implies was no choice where there was no other.
        let mut notes = self.study.notes.iter();
        let is_only = self.study.truths.len() == 1;
        let is_implied = is_only && notes.any(|note| note.topic == Topic::Assumed);
        let chosen = (!is_implied).then_some(&self.study.truths[truth].name);
        let mut view = json!({
            "model": self.study.models[model].name,
            "truth": self.known.awaited_truth.as_ref().or(chosen),
            "direction": direction.key(),
            "pool": self.base.pool_name(self.dials.pool),
            "mix": self.dials.mix.map(|mix| json!({
                "models": mix.models.map(|model| &self.base.models[model].name),
                "percent": mix.percent,
                "scaling": mix.scaling.key(),
            })),
        });
        for rule in in_order() {
            view[key(rule.number.flag)] = number_kept(rule, self.dials.numbers[rule.name]);
        }
        let rest = json!({
            "sort": self.selection.sort.words(),
            "compared_with": self.selection.rival,
            "filter": self.filter.text,
            "figure": self.figure,
            "judging": self.judging,
        });
        let parts = [screens.into(), view, rest, self.selection_words()];
        let maps = parts.into_iter().filter_map(|part| match part {
            Value::Object(map) => Some(map),
            _ => None,
        });
        maps.flatten().collect()
    }

    /// Which query, and which item of its ranking, is selected, by id.
    fn selection_words(&self) -> Value {
        let gallery = &self.study.gallery;
        let query = |direction: Direction| {
            let at = self.selection.last[direction]?;
            Some(json!({"id": gallery.queries(direction)[at as usize]}))
        };
        let item = match self.selection.sought {
            Some(Sought::Item(item)) => Some(item.get()),
            _ => self.item().map(|item| item.item),
        };
        let items = gallery.items(self.view.direction);
        json!({
            "queries": {"i2t": query(Direction::I2t), "t2i": query(Direction::T2i)},
            "item": item.map(|item| &items[item]),
            "search": self.search.text(),
        })
    }

    /// Selects what was selected when the session was saved, where the gallery has it.
    fn restore_selection(&mut self, view: &Map<String, Value>) {
        let id = |value: &Value| Id::deserialize(value).ok();
        let gallery = &self.study.gallery;
        for direction in Direction::BOTH {
            let kept = &view.get("queries").unwrap_or(&Value::Null)[direction.key()];
            let queries = gallery.queries(direction);
            self.selection.last[direction] = id(&kept["id"]).and_then(|id| queries.find(&id));
        }
        // In the ranking of another model it may stand anywhere.
        let model = view.get("model").and_then(Value::as_str);
        let is_known = model.is_some_and(|name| self.base.model_named(name).is_some());
        let item = view.get("item").filter(|_| is_known).and_then(id);
        let item = item.and_then(|id| gallery.items(self.view.direction).find(&id));
        self.selection.sought = item.map(|item| Sought::Item(item.into()));
        let (direction, query) = (self.view.direction, self.selection.last[self.view.direction]);
        let pair = query.zip(item);
        self.items.pair = pair.map(|(query, item)| Pair::of(direction, query.into(), item.into()));
        if let Some(text) = view.get("search").and_then(Value::as_str) {
            self.search.line = PromptLine::new(text.to_owned());
            self.search.resume();
        }
    }

    /// Looks at what was looked at when the session was saved, as far as it is there.
    pub(in crate::tui) fn restore_view(&mut self, view: &Map<String, Value>) {
        let word = |key: &str| view.get(key).and_then(Value::as_str);
        let model = word("model").and_then(|name| self.base.model_named(name));
        let truths = &self.study.truths;
        let truth = word("truth").and_then(|name| TruthIx::find(truths, |t| t.name == name));
        self.known.awaited_truth = word("truth")
            .filter(|name| truth.is_none() && self.base.phis.iter().any(|phi| phi.name == *name))
            .map(str::to_owned);
        let direction = word("direction").and_then(|key| {
            let mut both = Direction::BOTH.into_iter();
            both.find(|direction| direction.key() == key)
        });
        let selected = View {
            model: model.unwrap_or(self.view.model),
            truth: truth.unwrap_or(self.view.truth),
            direction: direction.unwrap_or(self.view.direction),
        };
        if truths[selected.truth].relevance[selected.direction].is_some() {
            self.view = selected;
            self.show_texts_of_model();
        }
        self.dials = self.dials_of(view);
        if self.dials.mix.is_some() {
            // The mixture comes later, and is looked at if no other model was.
            self.known.awaited_model = Some(model.unwrap_or(ModelIx::new(self.base.models.len())));
        }
        if let Some(sort) = word("sort").and_then(Sort::of_words) {
            self.selection.sort = sort;
        }
        self.selection.rival = word("compared_with").map(str::to_owned);
        self.restore_selection(view);
        if let Some(kept) = view.get("figure") {
            self.figure = Shape::deserialize(kept).unwrap_or_default();
        }
        if let Some(kept) = view.get("judging") {
            self.judging = Judging::from_session(kept);
        }
        // A condition may name a model that is not there now.
        let is_awaited = self.known.awaited_truth.is_some() || self.dials.mix.is_some();
        let filter = word("filter").filter(|text| is_awaited || self.queries_that(text).is_ok());
        self.filter.text = filter.unwrap_or_default().to_owned();
        // What is listed is not what was left: while a condition is still asked, no query stands for the one that was
        // selected, in whose ranking its item is.
        self.selection.listed = None;
    }

    fn dials_of(&self, view: &Map<String, Value>) -> Dials {
        let pool = view.get("pool").and_then(Value::as_str);
        let pool = pool.and_then(|name| self.base.pool_named(name).ok());
        let mut numbers = PerRule::default();
        for rule in in_order() {
            numbers[rule.name] = number_read(rule, view);
        }
        Dials {
            numbers,
            mix: view.get("mix").and_then(|mix| self.mix_of(mix)),
            pool: pool.unwrap_or_default(),
        }
    }

    fn mix_of(&self, words: &Value) -> Option<Mix> {
        let model = |at: usize| self.base.model_named(words["models"][at].as_str()?);
        let models = [model(0)?, model(1)?];
        let percent = u32::try_from(words["percent"].as_u64()?).ok()?;
        (models[0] != models[1] && percent <= 100).then_some(Mix {
            models,
            percent,
            scaling: Scaling::named(words["scaling"].as_str()?)?,
        })
    }
}

/// The number of a rule as a session keeps it: a whole one without a point.
fn number_kept(rule: &Rule, number: Option<f64>) -> Value {
    match number {
        Some(number) if rule.number.is_whole => json!(number as u64),
        number => json!(number),
    }
}

/// The number of a rule that a session has; `None` where it is none.
fn number_read(rule: &Rule, view: &Map<String, Value>) -> Option<f64> {
    let number = view.get(&key(rule.number.flag))?;
    if rule.number.is_whole {
        Some(f64::from(u32::try_from(number.as_u64()?).ok()?))
    } else {
        number.as_f64()
    }
}

/// What is remembered.
#[derive(Debug, Default)]
pub struct Memory {
    /// Of earlier runs and of this one.
    known: Remembered,
    /// What this run adds.
    pub(crate) entries: Vec<Entry>,
    /// The number of entries that were handed to the file.
    pub(crate) handed: usize,
}

impl Memory {
    /// Begins with what earlier runs left.
    pub fn new(known: Remembered) -> Self {
        Memory { known, ..Memory::default() }
    }

    /// What was typed into a prompt, the last text at the end.
    pub fn past(&self, prompt: Prompt) -> &[String] {
        self.known.typed(prompt)
    }

    /// Remembers something more.
    pub fn add(&mut self, entry: Entry) {
        self.known.add(entry.clone());
        self.entries.push(entry);
    }

    /// Remembers what was typed and used; an empty text is nothing.
    pub(in crate::tui) fn typed(&mut self, prompt: Prompt, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.add(Entry::Typed(prompt, text.to_owned()));
        }
    }
}
