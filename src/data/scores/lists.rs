//! Ranked lists: the first items of each query, without the rest of the gallery.

use super::Knn;

/// The lists of one direction's queries. A query without a list has an empty one.
#[derive(Debug, Clone)]
pub struct Lists {
    store: Store,
    /// Size of the other side of the gallery.
    item_count: usize,
    /// Length of the shortest and of the longest list that is not empty.
    lengths: Option<(usize, usize)>,
}

#[derive(Debug, Clone)]
enum Store {
    Owned {
        starts: Vec<usize>,
        /// Gallery indices, best first, query after query.
        items: Vec<u32>,
        /// A score for each of `items`; empty where the file has none.
        scores: Vec<f64>,
    },
    Mapped(Knn),
}

impl Lists {
    /// Takes one list for each query of the gallery: items below `item_count`, best first, each at
    /// most once, and as many scores or none.
    pub fn new<'a>(item_count: usize, lists: impl Iterator<Item = (&'a [u32], &'a [f64])>) -> Self {
        let (mut starts, mut items, mut scores) = (vec![0], Vec::new(), Vec::new());
        let mut lengths: Option<(usize, usize)> = None;
        for (of_query, their_scores) in lists {
            items.extend_from_slice(of_query);
            scores.extend_from_slice(their_scores);
            starts.push(items.len());
            let len = of_query.len();
            if len > 0 {
                lengths = lengths.map_or(Some((len, len)), |(least, most)| {
                    Some((least.min(len), most.max(len)))
                });
            }
        }
        let store = Store::Owned {
            starts,
            items,
            scores,
        };
        Lists {
            store,
            item_count,
            lengths,
        }
    }

    /// Empty lists for all queries of a direction.
    pub fn none(queries: usize, item_count: usize) -> Self {
        let empty = (&[][..], &[][..]);
        Lists::new(item_count, std::iter::repeat_n(empty, queries))
    }

    /// Lists that stay in their file, checked.
    pub(super) fn mapped(knn: Knn, item_count: usize, lengths: Option<(usize, usize)>) -> Self {
        Lists {
            store: Store::Mapped(knn),
            item_count,
            lengths,
        }
    }

    /// Number of items that the lists are from.
    pub fn item_count(&self) -> usize {
        self.item_count
    }

    /// The items of a query, best first: `buffer`, filled where the file has them otherwise.
    pub fn items<'a>(&'a self, query: usize, buffer: &'a mut Vec<u32>) -> &'a [u32] {
        match &self.store {
            Store::Owned { starts, items, .. } => &items[starts[query]..starts[query + 1]],
            Store::Mapped(knn) => knn.items(query, buffer),
        }
    }

    /// A score for each of [`Lists::items`], not ascending; `None` where the file has none.
    pub fn scores(&self, query: usize) -> Option<Vec<f64>> {
        match &self.store {
            Store::Owned { starts, scores, .. } => {
                let of_query = scores.get(starts[query]..starts[query + 1]);
                of_query.filter(|_| !scores.is_empty()).map(<[f64]>::to_vec)
            }
            Store::Mapped(knn) => knn.scores(query),
        }
    }

    /// Length of the shortest and of the longest list, empty ones left out.
    pub fn lengths(&self) -> Option<(usize, usize)> {
        self.lengths
    }
}
