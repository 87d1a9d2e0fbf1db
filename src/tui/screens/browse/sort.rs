//! Which queries are listed, and in which order.

use crate::data::Direction;
use crate::tui::app::App;

/// The order of the queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
}

impl Sort {
    /// The order that comes after this one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Sort::Gallery => Sort::Worst,
            Sort::Worst => Sort::Best,
            Sort::Best => Sort::Latest,
            Sort::Latest => Sort::Gallery,
        }
    }

    /// In words, for the list's frame; nothing for the order of the gallery.
    pub fn words(self) -> &'static str {
        match self {
            Sort::Gallery => "",
            Sort::Worst => "worst AP@R first",
            Sort::Best => "best AP@R first",
            Sort::Latest => "latest positive first",
        }
    }
}

impl Sort {
    /// The order of these words.
    pub fn of_words(words: &str) -> Option<Sort> {
        let all = [Sort::Gallery, Sort::Worst, Sort::Best, Sort::Latest];
        all.into_iter().find(|sort| sort.words() == words)
    }
}

impl App {
    /// The queries that the truth covers, the search matches and the filter lets through, in order.
    pub(super) fn listed_queries(&self, direction: Direction) -> Vec<u32> {
        let Some(relevance) = &self.truth().relevance[direction] else {
            return Vec::new();
        };
        let covered =
            |query: &u32| relevance.place(*query as usize).is_some() && self.passes(*query);
        if let Some(found) = self.search.found(direction) {
            return found.queries.iter().copied().filter(covered).collect();
        }
        let count = self.study.gallery.queries(direction).len() as u32;
        let mut queries: Vec<u32> = (0..count).filter(covered).collect();
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
        match self.browse.sort {
            Sort::Gallery => {}
            Sort::Worst => queries.sort_by_cached_key(ap),
            Sort::Best => queries.sort_by_cached_key(|query| {
                let (unknown, value) = ap(query);
                (unknown, std::cmp::Reverse(value))
            }),
            Sort::Latest => queries.sort_by_cached_key(|&query| {
                let first = scored.ranks.query(place(query)).first();
                std::cmp::Reverse(first.unwrap_or(u32::MAX))
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
