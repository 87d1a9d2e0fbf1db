//! Error analysis: error types, hubs and words of every model.

mod model;
mod types;

use serde_json::{Map, Value, json};

use super::cell::Cell;
use super::list::{List, Section};
use super::{Json, Report, caption_text};
use crate::analysis::breakdown;
use crate::analysis::evidence::Evidence;
use crate::analysis::kinds;
use crate::analysis::survey::{Detail, Survey};
use crate::analysis::words::{LEVEL, Word, over_represented};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::{count, shown};
use crate::study::Study;

/// The result of `errors`: error types, hubs and words of every model.
pub struct Errors<'a> {
    /// Study, rankings and texts that the results are computed from.
    pub evidence: &'a Evidence<'a>,
    /// Error types, hubs and words.
    pub survey: &'a Survey,
    /// The tags of a person's session, with the number of tagged pairs.
    pub tags: Vec<(String, usize)>,
    /// Maximum number of hubs listed per model.
    pub hubs: usize,
    /// Maximum number of words listed per model.
    pub words: usize,
    /// Whether tables show every ground truth, hub and word (`--full`).
    pub is_full: bool,
}

impl Errors<'_> {
    /// The share of correct queries, the parts of the covered queries and the error types of each model; with `--full`
    /// also hubs and words.
    pub fn report(&self) -> Report<'_> {
        let details = &self.survey.details;
        let sentence = |detail: &Detail| {
            let (study, queries) = (self.study(), count(detail.breakdown.covered, "query"));
            let name = format!("{} ({queries})", self.truth(detail.view.truth));
            detail.breakdown.sentences(study, detail.view, &name).swap_remove(0) + "."
        };
        let conclusions: Vec<String> = details.iter().map(sentence).collect();
        let mut sections = vec![types::parts(self), types::kind_records(self)];
        if !self.is_full {
            sections.push(types::overlapping_types(self));
        }
        if !self.tags.is_empty() {
            sections.push(self.tags());
        }
        let mut models = Vec::new();
        for detail in details {
            let (lists, json) = model::sections(self, detail);
            models.push(json);
            if self.is_full {
                sections.push(types::by_truth(self, detail.view.model));
                sections.extend(lists);
            } else {
                sections.extend(lists.into_iter().map(Section::for_programs));
            }
        }
        Report {
            heading: conclusions.join("\n"),
            notes: if self.is_full { self.legend() } else { self.notes() },
            json: Json::tree(move || self.json(&models)),
            ..Report::from_sections(sections)
        }
    }

    /// The JSON of the report; `models` has the entry of each model.
    fn json(&self, models: &[Value]) -> Value {
        let view = self.survey.details.first().map(|detail| detail.view);
        let kinds = kinds::for_study(self.study()).iter().map(|kind| {
            let condition = view.and_then(|view| kind.expression(self.study(), view));
            (kind.key.to_owned(), json!({"meaning": kind.meaning, "where": condition}))
        });
        json!({
            "direction": self.evidence.direction.key(),
            // The name for `find --truth`.
            "conditions_under": view.map(|view| &self.study().truths[view.truth].name),
            "kinds": kinds.collect::<Map<String, Value>>(),
            "models": models,
            "tags": self.tags().records(),
        })
    }

    /// The tags of a person's session, each with its number of pairs.
    fn tags(&self) -> Section {
        List::new("tags", "tags of pairs", &self.tags)
            .column("tag", "tag", |(tag, _)| shown(tag))
            .column("pairs", "pairs", |(_, pairs)| *pairs)
            .section()
    }

    /// Notes on the hubs of each model and the significant words of its failures, and on where to find more.
    fn notes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for detail in &self.survey.details {
            let model = self.model(detail.view.model);
            let top1_count: usize = detail.hubs.iter().map(|hub| hub.top1_count).sum();
            let all = self.evidence.top_items(detail.view.model).top_items.queries.len();
            lines.push(format!(
                "{model}: {} % of all {} have a hub as top-1 ({})",
                percent(top1_count, all).text(),
                query_noun(self.evidence.direction),
                count(detail.hubs.len(), "hub")
            ));
            let words = self.failure_words(detail).filter(|word| word.is_significant());
            let words: Vec<&str> = words.map(|word| self.evidence.texts.word(word.word)).collect();
            lines.push(match &*words {
                [] => format!("{model}: no word is more common among failures (Holm)"),
                words => {
                    format!("{model}: more common among failures (Holm): {}", words.join(", "))
                }
            });
        }
        lines.push(
            "--full: every ground truth, hubs and words; what the types mean: docs/errors.md"
                .into(),
        );
        lines
    }

    /// Notes for `--full` that explain columns and error types.
    fn legend(&self) -> Vec<String> {
        let mut lines = vec![
            "types overlap; of: queries of which all is known that the type compares; ·: the study lacks it".to_owned(),
            format!(
                "words: z of Monroe et al. 2008; p two-sided, Holm over all words that occur, * below {LEVEL}. Method: docs/errors.md"
            ),
        ];
        let Some(view) = self.survey.details.first().map(|detail| detail.view) else {
            return lines;
        };
        lines.push(format!(
            "conditions under {}, as `find --where` takes them:",
            self.truth(view.truth)
        ));
        lines.extend(kinds::for_study(self.study()).iter().filter_map(|kind| {
            let condition = kind.expression(self.study(), view)?;
            Some(format!("{}: {condition}", kind.name))
        }));
        lines
    }

    fn study(&self) -> &Study {
        self.evidence.study
    }

    /// The name of a model.
    fn model(&self, model: ModelIx) -> &str {
        &self.study().models[model].name
    }

    /// The name of a ground truth, with judgments if they change it.
    fn truth(&self, truth: TruthIx) -> String {
        self.evidence.truth_name(truth)
    }

    /// Over-represented words of failures, up to the maximum.
    fn failure_words<'a>(&self, detail: &'a Detail) -> impl Iterator<Item = &'a Word> {
        over_represented(&detail.words).take(self.words)
    }

    /// An item's id.
    fn item_id(&self, item: u32) -> String {
        let items = self.study().gallery.items(self.evidence.direction);
        items[item as usize].to_string()
    }

    /// An item as text: the caption itself; an image's first caption, or its file name.
    fn item_text(&self, item: u32) -> String {
        let gallery = &self.study().gallery;
        match self.evidence.direction {
            Direction::I2t => caption_text(self.study(), item),
            Direction::T2i => {
                match self.study().original_items(Direction::I2t, item as usize).first() {
                    Some(caption) if !gallery.texts.is_empty() => {
                        caption_text(self.study(), caption)
                    }
                    _ => gallery.image(item as usize),
                }
            }
        }
    }
}

/// The share of a part in a whole, in percent with one decimal.
fn percent(part: usize, whole: usize) -> Cell {
    Cell::Number(breakdown::percent(part, whole), 1)
}

/// The noun for the queries of a direction.
fn query_noun(direction: Direction) -> &'static str {
    match direction {
        Direction::I2t => "images",
        Direction::T2i => "captions",
    }
}
