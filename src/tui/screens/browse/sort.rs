//! Which queries are listed, and in which order.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::Direction;
use crate::data::text::shown;
use crate::filter::Key;
use crate::tui::app::App;
use crate::tui::history::Change;

/// The order of the queries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sort {
    /// As the gallery has them.
    #[default]
    Gallery,
    /// Worst AP@R first.
    Worst,
    /// Best AP@R first.
    Best,
    /// Latest first positive first.
    Latest,
    /// By a number of each query, as [`Key::parse`] reads it, the least first.
    By(Arc<str>),
    /// Greatest difference of AP@R between two models first.
    Difference,
    /// Greatest difference of the first positive's rank first.
    Places,
    /// Least overlap of the first items first.
    Overlap,
    /// Least rank-biased overlap first.
    RankBiased,
}

/// What stands before a number that queries are sorted by.
const BY: &str = "by ";

impl Sort {
    /// The order that comes after this one.
    #[must_use]
    pub fn next(&self) -> Self {
        match self {
            Sort::Gallery => Sort::Worst,
            Sort::Worst => Sort::Best,
            Sort::Best => Sort::Latest,
            _ => Sort::Gallery,
        }
    }

    /// The order by disagreement of two models that comes after this one.
    #[must_use]
    pub fn next_disagreement(&self) -> Self {
        match self {
            Sort::Difference => Sort::Places,
            Sort::Places => Sort::Overlap,
            Sort::Overlap => Sort::RankBiased,
            Sort::RankBiased => Sort::Gallery,
            _ => Sort::Difference,
        }
    }

    /// Whether it is by disagreement of two models.
    pub fn is_of_two(&self) -> bool {
        self.is_of_top_k() || matches!(self, Sort::Difference | Sort::Places)
    }

    /// Whether it takes the first items of all queries.
    pub fn is_of_top_k(&self) -> bool {
        matches!(self, Sort::Overlap | Sort::RankBiased)
    }

    /// In words, for the list's frame; nothing for the order of the gallery.
    pub fn words(&self) -> Cow<'static, str> {
        match self {
            Sort::Gallery => "".into(),
            Sort::Worst => "worst AP@R first".into(),
            Sort::Best => "best AP@R first".into(),
            Sort::Latest => "latest positive first".into(),
            Sort::Difference => "greatest Δ AP@R".into(),
            Sort::Places => "greatest Δ of first rank".into(),
            Sort::Overlap => "least overlap at 10".into(),
            Sort::RankBiased => "least rank-biased overlap".into(),
            Sort::By(number) => format!("{BY}{}", shown(number)).into(),
        }
    }
}

impl Sort {
    /// The number of each query that it is by, if it is by one.
    pub(in crate::tui) fn number(&self) -> Option<&str> {
        match self {
            Sort::By(number) => Some(number),
            _ => None,
        }
    }

    /// The order of these words.
    pub fn of_words(words: &str) -> Option<Sort> {
        let all = [
            Sort::Gallery,
            Sort::Worst,
            Sort::Best,
            Sort::Latest,
            Sort::Difference,
            Sort::Places,
            Sort::Overlap,
            Sort::RankBiased,
        ];
        let by = || Some(Sort::By(words.strip_prefix(BY)?.into()));
        all.into_iter()
            .find(|sort| sort.words() == words)
            .or_else(by)
    }
}

impl App {
    /// Sorts by a number of each query; while what it needs is counted, or where it means nothing here,
    /// they stay as they are.
    fn sort_by_number(&self, queries: &mut [u32], number: &str) {
        let Ok(key) = Key::parse(number, &self.study, self.view) else {
            return;
        };
        if let Some(counts) = self.counts_of(key.needs())
            && let Ok(key) = key.over(&counts)
        {
            key.sort(queries);
        }
    }

    /// Puts the queries in an order.
    pub(in crate::tui) fn sort_by(&mut self, after: Sort) {
        let before = self.browse.sort.clone();
        if before != after {
            self.browse_from_top();
            self.make(Change::Sort { before, after });
        }
    }

    /// Forgets which query is selected: the next list is looked at from its top.
    pub(in crate::tui) fn browse_from_top(&mut self) {
        self.browse.last[self.view.direction] = None;
    }

    /// Lists the queries anew. While a condition is asked, the list stays as it was.
    pub(in crate::tui) fn browse_refresh(&mut self) {
        if self.study.truths.is_empty() {
            return;
        }
        let direction = self.view.direction;
        self.apply_filter();
        if self.browse.listed != Some(direction) || !self.is_filtering() {
            self.browse_list();
        }
    }

    /// Lists the queries that are known to meet what is asked, keeping the selected one if it is still
    /// there.
    pub(in crate::tui) fn browse_list(&mut self) {
        let direction = self.view.direction;
        let queries = self.listed_queries(direction);
        let browse = &mut self.browse;
        browse.queries = queries;
        browse.listed = Some(direction);
        let wanted = browse.last[direction];
        let at = wanted.and_then(|query| browse.queries.iter().position(|&q| q == query));
        browse.selected = at.unwrap_or(0);
        let selected = browse.queries.get(browse.selected).copied();
        if selected != wanted {
            browse.item = 0;
            browse.item_offset = 0;
        }
        browse.last[direction] = selected.or(wanted);
        self.browse_follow();
    }

    /// The queries that the truth covers, the search matches and the filter lets through, in order;
    /// none while it is not known which the filter lets through.
    fn listed_queries(&self, direction: Direction) -> Vec<u32> {
        let Some(relevance) = &self.truth().relevance[direction] else {
            return Vec::new();
        };
        if self.is_filtering() {
            return Vec::new();
        }
        let covered =
            |query: &u32| relevance.place(*query as usize).is_some() && self.passes(*query);
        if let Some(found) = self.search.found(direction) {
            return found.queries.iter().copied().filter(covered).collect();
        }
        let count = self.study.gallery.queries(direction).len() as u32;
        let mut queries: Vec<u32> = match self.filtered() {
            Some(met) => met.to_vec(),
            None => (0..count).filter(covered).collect(),
        };
        let Some(scored) = self.scored() else {
            return queries;
        };
        let place = |query: u32| {
            let place = relevance.place(query as usize);
            place.expect("listed queries are covered")
        };
        // Queries without a value come last in both orders.
        let ap = |&query: &u32| {
            let value = scored.ap_at_r[place(query)];
            (value.is_nan(), Ordered(value))
        };
        match &self.browse.sort {
            Sort::Gallery => {}
            Sort::By(number) => self.sort_by_number(&mut queries, number),
            Sort::Worst => queries.sort_by_cached_key(ap),
            Sort::Best => queries.sort_by_cached_key(|query| {
                let (unknown, value) = ap(query);
                (unknown, std::cmp::Reverse(value))
            }),
            Sort::Latest => queries.sort_by_cached_key(|&query| {
                let first = scored.ranks.query(place(query)).first();
                std::cmp::Reverse(first.unwrap_or(u32::MAX))
            }),
            of_two => queries.sort_by_cached_key(|&query| {
                let agreement = self.agreement(of_two, query as usize);
                (agreement.is_none(), Ordered(agreement.unwrap_or_default()))
            }),
        }
        queries
    }
}

/// A number that is never NaN, in order.
#[derive(PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
