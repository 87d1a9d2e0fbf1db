//! Ranked lists: the first items of each query, without the rest of the gallery.

/// The lists of one direction's queries. A query without a list has an empty one.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    starts: Vec<usize>,
    /// Gallery indices, best first, query after query.
    items: Vec<u32>,
    /// A score for each of `items`; empty where the file has none.
    scores: Vec<f64>,
    /// Size of the other side of the gallery.
    item_count: usize,
}

impl Lists {
    /// Takes one list for each query of the gallery: items below `item_count`, best first, each at
    /// most once, and as many scores or none.
    pub fn new<'a>(item_count: usize, lists: impl Iterator<Item = (&'a [u32], &'a [f64])>) -> Self {
        let mut whole = Lists {
            starts: vec![0],
            item_count,
            ..Lists::default()
        };
        for (items, scores) in lists {
            whole.items.extend_from_slice(items);
            whole.scores.extend_from_slice(scores);
            whole.starts.push(whole.items.len());
        }
        whole
    }

    /// Empty lists for all queries of a direction.
    pub fn none(queries: usize, item_count: usize) -> Self {
        Lists {
            starts: vec![0; queries + 1],
            item_count,
            ..Lists::default()
        }
    }

    /// Number of items that the lists are from.
    pub fn item_count(&self) -> usize {
        self.item_count
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no query.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of a query, best first: `buffer`, filled where the file has them otherwise.
    pub fn items<'a>(&'a self, query: usize, _buffer: &'a mut Vec<u32>) -> &'a [u32] {
        &self.items[self.starts[query]..self.starts[query + 1]]
    }

    /// A score for each of [`Lists::items`], not ascending. Where the file has none, the negated
    /// rank stands for it.
    pub fn scores(&self, query: usize) -> Vec<f64> {
        let range = self.starts[query]..self.starts[query + 1];
        match self.scores.get(range.clone()) {
            Some(scores) if !self.scores.is_empty() => scores.to_vec(),
            _ => (1..=range.len()).map(|rank| -(rank as f64)).collect(),
        }
    }

    /// Length of the shortest and of the longest list, empty ones left out.
    pub fn lengths(&self) -> Option<(usize, usize)> {
        let lengths = || {
            let spans = self.starts.windows(2).map(|span| span[1] - span[0]);
            spans.filter(|&len| len > 0)
        };
        Some((lengths().min()?, lengths().max()?))
    }
}
