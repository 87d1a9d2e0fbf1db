//! What is explored and looked at: the study, the selection, numbers, verdicts, history, session, and the one
//! path on which they change. It knows nothing of screens, popups or drawing: what they ask of it stands in
//! [`Demand`], what they have to follow in [`Due`].
//!
//! A file holds either a part of the state, which names no [`Model`], or what the model does with it.

pub mod analysis;
pub mod annotated;
pub mod answers;
mod causes;
pub mod cells;
mod changes;
mod charts;
pub mod compared;
mod counting;
pub mod curve;
pub mod demand;
pub mod dials;
mod disagreement;
mod drag;
pub mod exports;
pub mod figure;
pub mod files;
pub mod filter;
mod filtering;
mod findings;
pub mod header;
pub mod history;
mod in_force;
pub mod intervals;
pub mod items;
pub mod job;
pub mod judgements;
pub mod judging;
mod jumping;
mod kept;
pub mod known;
mod labelling;
pub mod listed_items;
mod listing;
mod looked_at;
pub mod marked;
mod marking;
pub mod measures;
pub mod memory;
pub mod moved;
mod names;
mod notes;
pub mod numbers;
mod page;
mod paired_tests;
mod passing;
pub mod phi;
pub mod picked;
pub mod picks;
pub mod places;
mod pooling;
pub mod pools;
pub mod queued;
mod ranked;
pub mod rankings;
mod reloading;
mod remembering;
mod saving;
pub mod search;
pub mod searching;
pub mod selection;
pub mod session;
pub mod similarities;
pub mod sort;
pub mod step_change;
pub mod steps;
mod texts;
mod tracing;
pub mod trend;
mod uncertainty;
mod verdicts;
use std::path::PathBuf;
use std::sync::Arc;

use crate::annotate::pool::Queue;
use crate::engine::{Export, Passing, Scratch};
use crate::error::Error;
use crate::study::{Dials, Study, View};
use crate::truth::Truth;
use demand::{Demand, Due};
use figure::Shape;
use files::Files;
use filter::ActiveFilter;
use header::HeaderMetrics;
use history::History;
use judgements::Judgements;
use judging::Judging;
use known::Known;
use listed_items::ItemsState;
use marked::Marked;
use memory::Memory;
use numbers::Numbers;
use queued::JudgedPool;
use search::Search;
use selection::Selection;
use session::SessionState;
use similarities::Arrangement;
use trend::Trend;

/// The state of the explorer below its screens.
pub struct Model {
    /// What is explored: [`Model::base`], its dials turned.
    pub study: Arc<Study>,
    /// The study as its files have it.
    pub base: Arc<Study>,
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
    /// In which order the ranking is listed.
    pub arrangement: Arrangement,
    /// The lines that are marked.
    pub marked: Marked,
    /// The search over queries.
    pub search: Search,
    /// The two metrics of the header.
    pub header: HeaderMetrics,
    /// Both numbers of the header, their change and history.
    pub trend: Trend,
    /// Whether the header shows how sure both are.
    pub shows_intervals: bool,
    /// What is remembered from one run to the next.
    pub memory: Memory,
    /// The filter over queries.
    pub filter: ActiveFilter,
    /// The list of items, and where it was left.
    pub items: ItemsState,
    /// Verdicts.
    pub judgements: Judgements,
    /// The judging mode.
    pub judging: Judging,
    /// The pairs that it asks about, where a pool says which.
    pub queue: Option<Queue>,
    /// The pool that these are of.
    pub(in crate::tui::model) judged_pool: JudgedPool,
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
    /// The picture whose file is being passed on.
    passing: Option<Passing>,
    /// Where pictures are put that are no files, for the viewer.
    scratch: Arc<Scratch>,
    /// What a job found for the clipboard.
    pub to_copy: Option<String>,
    /// Why the last file could not be written.
    pub lost_export: Option<Error>,
    /// Where the session was saved instead of in its own file.
    pub saved_to: Option<PathBuf>,
    /// One line of news; the next key removes it.
    pub message: Option<String>,
    /// Background jobs that ended by a panic, in their own words.
    pub faults: Vec<String>,
    /// Why there is nothing left to explore.
    pub ended: Option<Error>,
    /// What is asked of it by what is on show.
    pub demand: Demand,
    /// What is on show has to follow this.
    pub due: Due,
}

impl Model {
    /// A fresh model: first model, richest truth, captions as queries where they can be.
    pub fn new(study: Arc<Study>) -> Self {
        let mut model = Model {
            view: View::first(&study),
            numbers: vec![Numbers::Waiting; study.models.len()],
            base: study.clone(),
            study,
            dials: Dials::default(),
            study_dials: Dials::default(),
            known: Known::default(),
            files: Files::default(),
            selection: Selection::default(),
            arrangement: Arrangement::default(),
            marked: Marked::default(),
            search: Search::default(),
            header: HeaderMetrics::default(),
            trend: Trend::default(),
            shows_intervals: false,
            memory: Memory::default(),
            filter: ActiveFilter::default(),
            items: ItemsState::default(),
            judgements: Judgements::default(),
            judging: Judging::default(),
            queue: None,
            judged_pool: JudgedPool::default(),
            session: SessionState::default(),
            history: History::default(),
            pick: 0,
            figure: Shape::default(),
            exporting: None,
            passing: None,
            scratch: Arc::default(),
            to_copy: None,
            lost_export: None,
            saved_to: None,
            message: None,
            faults: Vec::new(),
            ended: None,
            demand: Demand::default(),
            due: Due::default(),
        };
        model.follow_texts();
        model.refresh_list();
        model
    }

    /// The truth looked at.
    pub fn truth(&self) -> &Truth {
        &self.study.truths[self.view.truth]
    }
}
