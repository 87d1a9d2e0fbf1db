//! Nearest neighbours of an item, or of a text.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::nearest::{Nearest, NearestTo};
use crate::error::Error;
use crate::study::{Study, View};
use crate::tui::app::App;
use crate::tui::state::results::PopupNeeds;

/// Maximum number of neighbours that are listed.
pub const MAX_NEAREST: usize = 10;

/// Study stamp, view, and the item or text whose neighbours are listed.
pub type NearestKey = (Stamp, View, NearestTo);

/// Finds the nearest items of an item or a text.
pub struct FindNearest;

impl Job for FindNearest {
    type Key = NearestKey;
    type Part = ();
    type Input = Arc<Study>;
    type Output = Result<Nearest, Error>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (_, view, to) = run.key;
        run.send(Nearest::new(run.input, *view, to, MAX_NEAREST));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let PopupNeeds::Nearest(to) = &model.demand.popup else { return None };
        let parts = if model.nearest_to(to).is_some() { vec![] } else { vec![()] };
        Some(Wanted::with_parts(model.nearest_key(to), parts, || model.study.clone()))
    }

    fn apply(app: &mut App, key: NearestKey, found: Self::Output) {
        app.model.known.nearest = Some((key, found));
    }
}
