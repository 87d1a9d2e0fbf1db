//! The state of the explorer: the study, the view, scores, judgments, history and session. It knows nothing of screens,
//! popups or drawing: their needs are in [`Demand`].
//!
//! A method changes facts and marks changes in [`Dirty`]; `Model::recompute` updates the rest after every event.
//! Undoable state changes only by `Model::change`.

pub mod changes;
pub mod compare;
pub mod differences;
pub mod export;
pub mod files;
pub mod filter;
pub mod history;
pub mod item_list;
pub mod items;
pub mod judging_mode;
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
use crate::study::{Study, StudySettings, View};
use crate::truth::Truth;

use crate::tui::ui::prompt::PromptHistory;
use changes::Dirty;
use export::FigureChoices;
use files::Files;
use filter::ActiveFilter;
use history::History;
use item_list::ItemsState;
use judging_mode::Judging;
use judgments::JudgmentSet;
use pool::JudgedPool;
use query_list::Selection;
use results::{Demand, ResultCache};
use search::Search;
use session::SessionState;
use view::Numbers;

/// Why an action is refused, for the status line.
pub type Refusal = String;

/// The state of the explorer below its screens.
pub struct Model {
    /// The study with current thresholds and mixture.
    pub study: Arc<Study>,
    /// The study as loaded.
    pub base: Arc<Study>,
    /// Models of earlier results, ranked among those of the study, by direction.
    pub results: PerDirection<Vec<ModelValues>>,
    /// Requested thresholds, mixture and pool.
    pub settings: StudySettings,
    /// Thresholds, mixture and pool of `study`.
    applied_settings: StudySettings,
    /// Results of jobs, and what is derived from them.
    pub known: ResultCache,
    /// Changes and reloads of the study's files.
    pub files: Files,
    /// Current model, ground truth and direction.
    pub view: View,
    /// The listed queries, and the selection.
    pub selection: Selection,
    /// Ranks by each model, as far as computed.
    pub numbers: Vec<Numbers>,
    /// The search over queries.
    pub search: Search,
    /// Whether the header shows intervals.
    pub shows_intervals: bool,
    /// Texts entered earlier in prompts.
    pub prompts: PromptHistory,
    /// The filter over queries.
    pub filter: ActiveFilter,
    /// List and selection of the Items screen.
    pub items: ItemsState,
    /// Judgments of the annotator.
    pub judgments: JudgmentSet,
    /// The judging mode.
    pub judging: Judging,
    /// Pairs to judge, if an annotation pool chooses them.
    pub queue: Option<Queue>,
    /// The annotation pool behind `queue`.
    pub(crate) judged_pool: JudgedPool,
    /// The session.
    pub session: SessionState,
    /// Changes that can be undone or redone.
    pub history: History,
    /// Index of the selected pick among [`Model::listed_picks`]; may be past the end.
    pub pick: usize,
    /// Choices for the figure of picks.
    pub figure: FigureChoices,
    /// The export in progress.
    pub exporting: Option<Arc<Export>>,
    /// Why the last export failed.
    pub lost_export: Option<Error>,
    /// Status message, cleared by the next key.
    pub message: Option<String>,
    /// Panic messages of background jobs.
    pub panics: Vec<String>,
    /// Why the explorer must end: no model has ranks.
    pub ended: Option<Error>,
    /// Results that the screen and popup need.
    pub demand: Demand,
    /// Changes since the last `Model::recompute`.
    pub dirty: Dirty,
}

impl Model {
    /// The state after a study was opened: first model, richest ground truth, captions as queries if possible.
    pub fn new(study: Arc<Study>) -> Self {
        let mut model = Model {
            view: View::first(&study),
            numbers: vec![Numbers::Waiting; study.models.len()],
            history: History::new(View::first(&study)),
            base: study.clone(),
            study,
            results: PerDirection::default(),
            settings: StudySettings::default(),
            applied_settings: StudySettings::default(),
            known: ResultCache::default(),
            files: Files::default(),
            selection: Selection::default(),
            search: Search::default(),
            shows_intervals: false,
            prompts: PromptHistory::default(),
            filter: ActiveFilter::default(),
            items: ItemsState::default(),
            judgments: JudgmentSet::default(),
            judging: Judging::default(),
            queue: None,
            judged_pool: JudgedPool::default(),
            session: SessionState::default(),
            pick: 0,
            figure: FigureChoices::default(),
            exporting: None,
            lost_export: None,
            message: None,
            panics: Vec::new(),
            ended: None,
            demand: Demand::default(),
            dirty: Dirty::STUDY,
        };
        model.recompute();
        model
    }

    /// Runs `act` and returns its result; if it is refused, shows the reason and returns `None`.
    pub(in crate::tui) fn attempt<T>(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<T, Refusal>,
    ) -> Option<T> {
        act(self).map_err(|why| self.message = Some(why)).ok()
    }

    /// Appends a sentence to the status message.
    pub(in crate::tui) fn append_message(&mut self, words: &str) {
        let before = self.message.take().map_or(String::new(), |before| before + "; ");
        self.message = Some(before + words);
    }

    /// The current truth.
    pub fn truth(&self) -> &Truth {
        &self.study.truths[self.view.truth]
    }
}
