//! The filter over queries: a condition typed or chosen, and the queries that meet it.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::app::{App, Numbers};
use crate::data::Direction;
use crate::engine::Scored;
use crate::filter::{Facts, Filter, Mistake, View};
use crate::metric::{Spec, Summary, hit, map_at_r::MapAtR};
use crate::rank::edited::Edited;
use crate::study::Study;

/// The condition in force, and what it finds.
#[derive(Debug, Default)]
pub struct Sieve {
    /// The condition as it was written; empty for none.
    pub text: String,
    /// Gallery indices of the queries that meet it, ascending; `None` without a condition, or while
    /// what it needs is counted.
    met: Option<Vec<u32>>,
    /// Why it does not apply to what is looked at.
    pub mistake: Option<Mistake>,
}

impl App {
    /// The queries that meet a condition, ascending; `None` while what it needs is counted.
    ///
    /// # Errors
    /// What is no condition over this study.
    pub fn queries_that(&self, text: &str) -> Result<Option<Vec<u32>>, Mistake> {
        let view = self.look;
        let filter = Filter::parse(text, &self.study, view)?;
        let facts = Known::new(self, filter.needs());
        let Ok(asked) = filter.over(&facts) else {
            return Ok(None);
        };
        let judged = self.truth().relevance[view.direction].as_ref();
        let mut met = judged.map_or(Vec::new(), |relevance| relevance.queries().to_vec());
        met.retain(|&query| asked.is_met(query as usize));
        met.sort_unstable();
        Ok(Some(met))
    }

    /// Asks the condition in force again: what is looked at, or what is known, changed.
    pub(super) fn sift(&mut self) {
        let text = std::mem::take(&mut self.sieve.text);
        let found = if text.is_empty() {
            Ok(None)
        } else {
            self.queries_that(&text)
        };
        let (met, mistake) = match found {
            Ok(met) => (met, None),
            Err(mistake) => (None, Some(mistake)),
        };
        if let Some(mistake) = &mistake {
            self.message = Some(format!("the filter does not apply: {}", mistake.found()));
        }
        self.sieve = Sieve { text, met, mistake };
    }

    /// The queries that meet the condition in force; `None` without one.
    pub fn sifted(&self) -> Option<&[u32]> {
        self.sieve.met.as_deref()
    }

    /// Whether a query is listed.
    pub(super) fn passes(&self, query: u32) -> bool {
        self.sifted()
            .is_none_or(|met| met.binary_search(&query).is_ok())
    }

    /// R@1 and mAP@R over the queries that the condition lets through.
    pub(super) fn sifted_numbers(&self, scored: &Scored) -> (Summary, Summary) {
        let relevance = self.truth().relevance[self.look.direction].as_ref();
        let (Some(met), Some(relevance)) = (self.sifted(), relevance) else {
            return (scored.r1, scored.map_at_r);
        };
        // In the truth's order, as means over all queries are taken.
        let mut places: Vec<usize> = met
            .iter()
            .filter_map(|&query| relevance.place(query as usize))
            .collect();
        places.sort_unstable();
        let of = |spec: Spec| scored.summary_at(spec, &places);
        (of(Spec::new(&hit::R1)), of(Spec::new(&MapAtR)))
    }
}

/// What the explorer knows, verdicts included.
struct Known<'a> {
    app: &'a App,
    /// Numbers that verdicts change, of other models than the one looked at.
    judged: FxHashMap<View, Arc<Scored>>,
}

impl<'a> Known<'a> {
    fn new(app: &'a App, needs: &[View]) -> Self {
        let judged = |&view: &View| Some((view, app.judged_at(view)?));
        Known {
            app,
            judged: needs.iter().filter_map(judged).collect(),
        }
    }
}

impl Facts for Known<'_> {
    fn study(&self) -> &Study {
        &self.app.study
    }

    fn ranks(&self, view: View) -> Option<&Edited> {
        if let Some(scored) = self.judged.get(&view) {
            return Some(&scored.ranks);
        }
        match &self.app.numbers[view.model] {
            Numbers::Ready(scores) => Some(&scores.get(view.truth, view.direction)?.ranks),
            _ => None,
        }
    }

    fn picked(&self, direction: Direction, query: usize) -> bool {
        self.app.is_picked(direction, query)
    }

    fn verdicts(&self, direction: Direction, query: usize) -> usize {
        let asked = |pair: crate::truth::verdict::Pair| pair.asked(direction).0 as usize == query;
        let verdicts = self.app.judge.verdicts.iter();
        verdicts.filter(|(pair, _)| asked(*pair)).count()
    }
}
