//! The state of the explorer: the study, the view, numbers, judgments, history and session. It knows nothing of screens,
//! popups or drawing: what they want of it stands in [`Demand`].
//!
//! A method changes facts and marks in [`Dirty`] what changed; `Model::recompute` brings the rest up to date after every
//! event. What a person can take back changes by `Model::change` alone.

pub mod changes;
pub mod compare;
pub mod differences;
pub mod export;
pub mod files;
pub mod filter;
pub mod history;
pub mod item_list;
pub mod items;
pub mod judging;
pub mod judgments;
pub mod metrics_table;
pub mod picks;
pub mod pool;
pub mod query_list;
pub mod ranking;
pub mod results;
pub mod search;
pub mod session;
mod tags;
pub mod view;
mod view_state;
pub mod what_if;

use std::sync::Arc;

use crate::analysis::results::ModelValues;
use crate::annotate::pool::Queue;
use crate::data::PerDirection;
use crate::error::Error;
use crate::jobs::Export;
use crate::study::{Dials, Study, View};
use crate::truth::Truth;

use crate::tui::ui::prompt::PromptHistory;
use changes::Dirty;
use export::Shape;
use files::Files;
use filter::ActiveFilter;
use history::History;
use item_list::ItemsState;
use judging::Judging;
use judgments::Judgements;
use pool::JudgedPool;
use query_list::Selection;
use results::{Demand, Known};
use search::Search;
use session::SessionState;
use view::Numbers;

/// Why something is not done, in words for the status line.
pub type Refusal = String;

/// The state of the explorer below its screens.
pub struct Model {
    /// What is explored: [`Model::base`], its dials turned.
    pub study: Arc<Study>,
    /// The study as its files have it.
    pub base: Arc<Study>,
    /// Models of earlier results, ranked among those of the study; a list for each direction.
    pub results: PerDirection<Vec<ModelValues>>,
    /// How the dials are to stand, and how they stand in `study`.
    pub dials: Dials,
    study_dials: Dials,
    /// What is known of it.
    pub known: Known,
    /// What became of its files.
    pub files: Files,
    /// What is looked at.
    pub view: View,
    /// The queries that are listed, and what is selected.
    pub selection: Selection,
    /// Numbers by model.
    pub numbers: Vec<Numbers>,
    /// The search over queries.
    pub search: Search,
    /// Whether the header shows how sure both are.
    pub shows_intervals: bool,
    /// History of the prompts.
    pub prompts: PromptHistory,
    /// The filter over queries.
    pub filter: ActiveFilter,
    /// What the Items screen lists, and the selected row.
    pub items: ItemsState,
    /// Verdicts.
    pub judgements: Judgements,
    /// The judging mode.
    pub judging: Judging,
    /// The pairs that it asks about, where a pool says which.
    pub queue: Option<Queue>,
    /// The pool that these are of.
    pub(crate) judged_pool: JudgedPool,
    /// The session.
    pub session: SessionState,
    /// Every change, with the way back.
    pub history: History,
    /// Place of the selected pick, group by group.
    pub pick: usize,
    /// How the figure of picks looks.
    pub figure: Shape,
    /// What is being written to a file.
    pub exporting: Option<Arc<Export>>,
    /// Why the last file could not be written.
    pub lost_export: Option<Error>,
    /// One line of news; the next key removes it.
    pub message: Option<String>,
    /// Background jobs that ended by a panic, in their own words.
    pub faults: Vec<String>,
    /// Why there is nothing left to explore.
    pub ended: Option<Error>,
    /// What is asked of it by what is on show.
    pub demand: Demand,
    /// What changed since the last `Model::recompute`.
    pub dirty: Dirty,
}

impl Model {
    /// A fresh model: first model, richest truth, captions as queries where they can be.
    pub fn new(study: Arc<Study>) -> Self {
        let mut model = Model {
            view: View::first(&study),
            numbers: vec![Numbers::Waiting; study.models.len()],
            history: History::new(View::first(&study)),
            base: study.clone(),
            study,
            results: PerDirection::default(),
            dials: Dials::default(),
            study_dials: Dials::default(),
            known: Known::default(),
            files: Files::default(),
            selection: Selection::default(),
            search: Search::default(),
            shows_intervals: false,
            prompts: PromptHistory::default(),
            filter: ActiveFilter::default(),
            items: ItemsState::default(),
            judgements: Judgements::default(),
            judging: Judging::default(),
            queue: None,
            judged_pool: JudgedPool::default(),
            session: SessionState::default(),
            pick: 0,
            figure: Shape::default(),
            exporting: None,
            lost_export: None,
            message: None,
            faults: Vec::new(),
            ended: None,
            demand: Demand::default(),
            dirty: Dirty::STUDY,
        };
        model.recompute();
        model
    }

    /// Does something unless it is refused, and says why where it is.
    pub(in crate::tui) fn attempt<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Option<T> {
        act(self).map_err(|why| self.message = Some(why)).ok()
    }

    /// Adds to the status line.
    pub(in crate::tui) fn append_message(&mut self, words: &str) {
        let said = self.message.take().map_or(String::new(), |said| said + "; ");
        self.message = Some(said + words);
    }

    /// The truth looked at.
    pub fn truth(&self) -> &Truth {
        &self.study.truths[self.view.truth]
    }
}
