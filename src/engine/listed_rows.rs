//! The rows of a list of items for a file, as `find --items` writes them.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{ItemsKey, ItemsOrder, ListedItems};
use crate::analysis::first_items::Which;
use crate::data::index::ModelIx;
use crate::data::output::write_whole;
use crate::error::{Error, Result};
use crate::filter::{self, Column, Filter, FilterMatches, Marks, MatchedQuery, Question};
use crate::rank::pass::CancelToken;
use crate::report::formats::{FileFormat, OF_ROWS};
use crate::report::items::{Found, Items, OfDirection};
use crate::study::Study;

/// The rows of a list of items, as they are listed.
#[derive(Debug)]
pub struct ListedRows {
    /// The study that they are of.
    pub study: Arc<Study>,
    /// Whose items they are, how deep and in which order.
    pub key: ItemsKey,
    /// All items that were found.
    pub items: Arc<ListedItems>,
    /// Which of them are listed.
    pub which: Which,
    /// The condition that their queries meet, whose values are columns; empty where there is none.
    pub condition: String,
    /// The number that their queries are sorted by, whose values are columns too.
    pub sort: Option<String>,
    /// What a person made.
    pub marks: Marks,
    /// Whether the verdicts are a column.
    pub has_verdicts: bool,
    /// The command that lists the same, but for its format; `None` where none does.
    pub command: Option<String>,
}

/// What is told of the queries of rows.
struct OfQueries {
    /// The queries in the order of the list; none where no column is of them.
    found: FilterMatches,
    columns: Vec<Column>,
    /// The models that the rows speak of.
    models: Vec<ModelIx>,
}

impl ListedRows {
    /// The endings of files that they are written to, each with what it is.
    pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
        OF_ROWS.iter().map(|format| (format.ending, format.doc))
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.items.count(self.which)
    }

    /// The command that writes the same rows to a file of this format; `None` where none does.
    pub fn command_for(&self, file: &Path) -> Option<String> {
        let FileFormat { ending, format, .. } = FileFormat::of(file).ok()?;
        let command = self.command.as_ref()?;
        let word = format.key;
        Some(format!("{command} --format {word} > items.{ending}"))
    }

    /// Whether they stand in the order of that command: query by query, as sorted or as in the gallery.
    pub fn is_in_order_of_command(&self) -> bool {
        let is_sorted = self.sort.is_some() || self.key.queries.is_sorted();
        self.key.order == ItemsOrder::Queries && is_sorted
    }

    /// Writes them to a file, which appears whole or not at all.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let format = FileFormat::of(file)?.format;
        // Captions are those that the model was given.
        let with_texts = self.study.with_texts_of(self.key.view.model);
        let study = with_texts.as_ref().unwrap_or(&self.study);
        let asked = self.asked(study)?;
        let items = self.items(study, &asked);
        let report = items.report().among(study, study.pool, &asked.models);
        write_whole(file, |out| (format.write)(report, out))
    }

    fn items<'a>(&'a self, study: &'a Study, asked: &'a OfQueries) -> Items<'a> {
        let view = self.key.view;
        Items {
            study,
            condition: &self.condition,
            model: &study.models[view.model].name,
            truth: &study.truths[view.truth].name,
            which: self.which,
            depth: self.key.depth as u32,
            columns: asked.columns.iter().map(|one| one.text.as_str()).collect(),
            verdicts: self.has_verdicts.then_some(&self.marks.verdicts),
            directions: vec![OfDirection {
                direction: view.direction,
                found: &asked.found,
                drawn: None,
                items: Found::listed(self.items.all(self.which)),
            }],
        }
    }

    /// Asks what the columns of the condition and of the order are.
    fn asked(&self, study: &Study) -> Result<OfQueries> {
        let view = self.key.view;
        let condition = match &*self.condition {
            "" => filter::ALL,
            condition => condition,
        };
        let filter = Filter::parse(condition, study, view).ok();
        let named =
            filter.as_ref().map_or([None; 2], |_| [Some(&*self.condition), self.sort.as_deref()]);
        let columns = Column::each_once((named, true), [], (study, view));
        let models = filter.as_ref().map(Filter::models);
        let found = match &filter {
            Some(filter) if !columns.is_empty() => self.values(study, filter, &columns)?,
            _ => FilterMatches {
                queries: Vec::new(),
                met: self.key.queries.len(),
                of: self.key.queries.len(),
                unknown: 0,
            },
        };
        Ok(OfQueries { found, columns, models: models.unwrap_or_else(|| vec![view.model]) })
    }

    /// The values of all queries, in the order in which these are listed.
    fn values(&self, study: &Study, filter: &Filter, columns: &[Column]) -> Result<FilterMatches> {
        let question =
            Question { filter, key: None, columns, limit: usize::MAX, marks: &self.marks };
        let found = filter::find(study, self.key.view, question, &CancelToken::default())?;
        let of_query = found.queries.into_iter().map(|one| (one.query, one));
        let mut by_query: FxHashMap<u32, MatchedQuery> = of_query.collect();
        let queries = self.key.queries.iter().map(|query| by_query.remove(query));
        let queries: Option<Vec<MatchedQuery>> = queries.collect();
        let changed = || {
            Error::new("items", "queries that do not meet the condition any more")
                .mend("open the list again")
        };
        Ok(FilterMatches { queries: queries.ok_or_else(changed)?, ..found })
    }
}
