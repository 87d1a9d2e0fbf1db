//! The explorer's state, and what each action makes of it. Nothing here draws or waits.

use std::path::PathBuf;
use std::sync::Arc;

use super::action::{Action, Group};
use super::curve::Traced;
use super::drag::Drag;
use super::error_analysis::AnalysisState;
use super::filter::ActiveFilter;
use super::history::{Change, History};
use super::intervals::Intervals;
use super::judgements::Judgements;
use super::keymap::Keymap;
use super::pictures::Pictures;
use super::pools::PoolCache;
use super::popups::{self, Popup};
use super::rankings::Rankings;
use super::screens::Screen;
use super::screens::browse::Browse;
use super::screens::compare::Compare;
use super::screens::errors::Errors;
use super::screens::metrics::Metrics;
use super::screens::picks::Picks;
use super::search::Search;
use super::selection::View;
use super::session_state::SessionState;
use super::theme::{self, Theme};
use super::trend::Trend;
use crate::analysis::clustering::Clustering;
use crate::data::index::{ModelIx, Per};
use crate::doctor::Finding;
use crate::engine::{ModelScores, Stamp};
use crate::error::Error;
use crate::study::{Dials, Study};
use crate::truth::Truth;

/// The numbers of a model, as far as they are known.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// Not counted yet.
    Waiting,
    /// Counted.
    Ready(Arc<ModelScores>),
    /// Counted before a dial was turned: being counted again.
    Stale(Arc<ModelScores>),
    /// There are none, and why.
    Failed(Error),
}

impl Per<ModelIx> for Numbers {}

/// What only the terminal's owner can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave once everything is saved, with this error if there is one.
    Quit(Option<Error>),
    /// Leave at once.
    Leave(Option<Error>),
    /// Put text on the clipboard.
    Copy(String),
    /// Give the terminal back to the shell until it says go on.
    Suspend,
    /// Draw everything anew.
    Redraw,
}

/// All state of the explorer.
pub struct App {
    /// What is explored: [`App::base`], its dials turned.
    pub study: Arc<Study>,
    /// The study as its files have it.
    pub base: Arc<Study>,
    /// How the dials are to stand, and how they stand in `study`.
    pub dials: Dials,
    pub(super) study_dials: Dials,
    /// A mixture that is to be looked at once it is made.
    pub(super) awaited_model: Option<ModelIx>,
    /// The state of the study: what is told of another one comes too late.
    pub(super) study_stamp: Stamp,
    /// The bindings.
    pub keymap: Keymap,
    /// The look.
    pub theme: Theme,
    /// Its name.
    pub theme_name: String,
    /// What is looked at.
    pub view: View,
    /// Numbers by model.
    pub numbers: Vec<Numbers>,
    /// Those in pools that were left.
    pub(super) pool_cache: PoolCache,
    /// What fills the terminal between header and footer.
    pub screen: Screen,
    /// The browse screen.
    pub browse: Browse,
    /// The metrics screen.
    pub metrics: Metrics,
    /// The compare screen.
    pub compare: Compare,
    /// The errors screen.
    pub errors: Errors,
    /// The screen of picks.
    pub picks: Picks,
    /// Why models fail, as far as it is known.
    pub error_analysis: AnalysisState,
    /// Rankings of the selected query.
    pub rankings: Rankings,
    /// What is open on top.
    pub popup: Option<Box<dyn Popup>>,
    /// Pictures, as far as they are painted.
    pub pictures: Pictures,
    /// The search over queries.
    pub search: Search,
    /// R@1 and mAP@R, their change and history.
    pub trend: Trend,
    /// Intervals of both numbers, where they are shown.
    pub intervals: Intervals,
    /// The filter over queries.
    pub filter: ActiveFilter,
    /// Verdicts, and the numbers as they change them.
    pub judgements: Judgements,
    /// The session.
    pub session: SessionState,
    /// Every change, with the way back.
    pub history: History,
    /// The curve over alpha, as far as it is computed.
    pub curve: Traced,
    /// The drag under way, if one is.
    pub drag: Option<Drag>,
    /// Why nothing else is shown any more: a file changed while it was open.
    pub changed: Option<Error>,
    /// Where the session was saved instead of in its own file.
    pub(super) saved_to: Option<PathBuf>,
    /// One line of news; the next key removes it.
    pub message: Option<String>,
    /// What the doctor found, once it has looked.
    pub findings: Option<Arc<[Finding]>>,
    /// Background jobs that ended by a panic, in their own words.
    pub faults: Vec<String>,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Share of the count under way, while one is.
    pub progress: Option<f64>,
    /// What an answer of the background asks of the terminal's owner.
    pub(super) effect: Option<Effect>,
}

impl App {
    /// A fresh explorer: first model, richest truth, captions as queries where they can be.
    pub fn new(
        study: Arc<Study>,
        keymap: Keymap,
        theme: (String, Theme),
        size: (u16, u16),
    ) -> Self {
        let numbers = vec![Numbers::Waiting; study.models.len()];
        let mut app = App {
            view: View::first(&study),
            base: study.clone(),
            study,
            dials: Dials::default(),
            study_dials: Dials::default(),
            awaited_model: None,
            study_stamp: Stamp::fresh(),
            keymap,
            theme: theme.1,
            theme_name: theme.0,
            numbers,
            pool_cache: PoolCache::default(),
            screen: Screen::default(),
            browse: Browse::default(),
            metrics: Metrics::default(),
            compare: Compare::default(),
            errors: Errors::default(),
            picks: Picks::default(),
            error_analysis: AnalysisState::default(),
            rankings: Rankings::default(),
            popup: None,
            pictures: Pictures::default(),
            search: Search::default(),
            trend: Trend::default(),
            intervals: Intervals::default(),
            filter: ActiveFilter::default(),
            judgements: Judgements::default(),
            session: SessionState::default(),
            history: History::default(),
            curve: Traced::default(),
            drag: None,
            changed: None,
            saved_to: None,
            message: None,
            findings: None,
            faults: Vec::new(),
            size,
            progress: None,
            effect: None,
        };
        app.browse_refresh();
        app
    }

    /// The truth looked at.
    pub fn truth(&self) -> &Truth {
        &self.study.truths[self.view.truth]
    }

    /// Takes an action.
    pub fn act(&mut self, action: Action) -> Option<Effect> {
        if self.popup.is_some() && self.popup_act(action) {
            return None;
        }
        match action {
            Action::Quit => return Some(Effect::Quit(None)),
            Action::Suspend => return Some(Effect::Suspend),
            Action::Redraw => return Some(Effect::Redraw),
            Action::Theme => self.next_theme(),
            Action::Pictures => self.toggle_pictures(),
            Action::Search => self.start_search(),
            Action::Close => self.close(),
            Action::Direction => self.flip_direction(),
            Action::NextTruth => self.step_truth(1),
            Action::PreviousTruth => self.step_truth(-1),
            Action::NextModel => self.step_model(1),
            Action::PreviousModel => self.step_model(-1),
            own if self.screen_takes(own) => return self.screen_act(own),
            of_item if of_item.is_of_item() && self.lacks_items() => {}
            of_picks if of_picks.group() == Group::Picks => self.picks_act(of_picks),
            Action::VerdictYes
            | Action::VerdictPartial
            | Action::VerdictMostlyNo
            | Action::VerdictNo
            | Action::VerdictClear => self.judge(action),
            Action::Pool => self.next_pool(),
            Action::RandomPool => self.random_pool(),
            Action::Mix => self.toggle_mix(),
            Action::AlphaUp => self.turn_alpha(5),
            Action::AlphaDown => self.turn_alpha(-5),
            Action::Scaling => self.next_scaling(),
            Action::DialUp => self.turn_dial(true),
            Action::DialDown => self.turn_dial(false),
            Action::Pick => self.toggle_pick(),
            Action::Note => self.start_note(),
            Action::Curve => self.open_curve(),
            Action::Intervals => self.toggle_intervals(),
            Action::Tests => self.open_tests(Clustering::ByImage),
            Action::WhatIf => self.open_what_if(),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            other => match popups::open(other, self) {
                Some(popup) => self.popup = Some(popup),
                None => return self.screen_act(other),
            },
        }
        None
    }

    /// Ends the search, or else the filter.
    fn close(&mut self) {
        if self.search.clear() {
            self.browse_refresh();
        } else if !self.filter.text.is_empty() {
            self.filter_by(String::new());
        }
    }

    /// Puts a condition in force; an empty one is none.
    pub(super) fn filter_by(&mut self, after: String) {
        let before = self.filter.text.clone();
        if before != after {
            self.browse_from_top();
            self.make(Change::Filter { before, after });
        }
    }

    fn next_theme(&mut self) {
        let at = theme::BUNDLED
            .iter()
            .position(|(name, _)| *name == self.theme_name);
        let (name, theme) = Theme::bundled(at.map_or(0, |at| at + 1));
        self.theme = theme;
        name.clone_into(&mut self.theme_name);
        self.message = Some(format!("theme {name}"));
    }

    /// Takes a new size of the terminal.
    pub fn resize(&mut self, size: (u16, u16)) {
        self.size = size;
        self.screen_follow();
        self.refresh_popup();
    }
}
