//! Ranks counted for an expression: those that it needs and no others.

use super::view::{Facts, View};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::rank::edited::Edited;
use crate::rank::pass::Watch;
use crate::study::Study;
use crate::truth::Truth;

/// The ranks of some views of a study.
pub struct Counts<'a> {
    study: &'a Study,
    ranks: Vec<(View, Edited)>,
}

impl<'a> Counts<'a> {
    /// Counts the ranks of these views, all in one direction, reading each model once. Cancelled,
    /// views are missing.
    ///
    /// # Errors
    /// As [`Counter::ranks`].
    pub fn of(
        study: &'a Study,
        direction: Direction,
        views: &[View],
        watch: &Watch,
    ) -> Result<Self> {
        let mut counts = Counts {
            study,
            ranks: Vec::new(),
        };
        for (model, scores) in study.models.iter().enumerate() {
            let views: Vec<View> = views.iter().filter(|v| v.model == model).copied().collect();
            if views.is_empty() {
                continue;
            }
            let truths: Vec<Truth> = views
                .iter()
                .map(|view| only(&study.truths[view.truth], direction))
                .collect();
            let counter = Counter::new(&truths, &study.gallery, study.arena.as_ref());
            let Some(ranks) = counter.ranks(scores, watch)? else {
                break;
            };
            let of_views = views.into_iter().zip(&ranks);
            let known =
                of_views.filter_map(|(view, of)| Some((view, of[direction].clone()?.into())));
            counts.ranks.extend(known);
        }
        Ok(counts)
    }
}

/// A truth without its other direction.
fn only(truth: &Truth, direction: Direction) -> Truth {
    let kept = |one| truth.relevance[one].clone().filter(|_| one == direction);
    Truth {
        relevance: PerDirection::from_fn(kept),
        ..Truth::new(&truth.name)
    }
}

impl Facts for Counts<'_> {
    fn study(&self) -> &Study {
        self.study
    }

    fn ranks(&self, view: View) -> Option<&Edited> {
        let found = self.ranks.iter().find(|(of, _)| *of == view);
        found.map(|(_, ranks)| ranks)
    }
}
