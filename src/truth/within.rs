//! Truths over part of the gallery.

use super::Truth;
use crate::data::candidate_mask::{CandidateMask, Part, part_positions};
use crate::data::index::QueryIx;
use crate::data::{Direction, PerDirection};

impl Truth {
    /// This truth with only the queries in a part of `mask`, each with only the items that compete for it. Gallery
    /// indices stay the same; positives outside the gallery still count in R.
    #[must_use]
    pub fn among_candidates(&self, mask: &CandidateMask) -> Truth {
        self.map(|relevance, direction| {
            let if_kept = |index: u32, is_kept: bool| is_kept.then_some(index);
            relevance.restrict(
                relevance.query_count(),
                |query| if_kept(query, mask.part_index(direction, query as usize).is_some()),
                |query, item| {
                    let competes = mask.competes(direction, query, item.into());
                    if_kept(item, competes)
                },
                true,
            )
        })
    }

    /// This truth over one part of the gallery: new indices are positions in the part. `sizes`: number of images (i2t)
    /// and captions (t2i) of the whole gallery.
    #[must_use]
    pub fn within(&self, part: &Part, sizes: PerDirection<usize>) -> Truth {
        self.map(|relevance, direction| {
            let positions = |direction| part_positions(part.queries(direction), sizes[direction]);
            let (queries, items) = (positions(direction), positions(direction.flipped()));
            relevance.restrict(
                part.queries(direction).len(),
                |query| queries[query as usize],
                |_, item| items[item as usize],
                true,
            )
        })
    }

    /// This truth with only the pairs, positive or not, that `keep` accepts, given direction and gallery indices of
    /// query and item. R loses excluded positives and, if `keeps_outside` is false, positives outside the gallery.
    #[must_use]
    pub fn filter_pairs(
        &self,
        keep: impl Fn(Direction, u32, u32) -> bool,
        keeps_outside: bool,
    ) -> Truth {
        self.map(|relevance, direction| {
            let kept = |query: QueryIx, item| keep(direction, query.raw(), item).then_some(item);
            relevance.restrict(relevance.query_count(), Some, kept, keeps_outside)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::relevance::Builder;

    #[test]
    fn positives_that_do_not_compete_leave_r_and_those_of_no_gallery_stay() {
        let mut builder = Builder::new(4);
        builder.push(2, &[0, 1, 3], 4);
        builder.push(1, &[2], 1);
        builder.push(0, &[3], 1);
        let mut truth = Truth::new("rich");
        truth.relevance.t2i = Some(builder.finish());
        let parts = vec![Part { images: [1, 3].into(), captions: [0, 2].into() }];
        let sizes = PerDirection { i2t: 4, t2i: 4 };
        let mask = CandidateMask::new(parts, sizes);
        let list = |truth: &Truth| {
            let relevance = truth.relevance.t2i.as_ref().unwrap();
            let of = |(place, &query): (usize, &u32)| {
                let positives: Vec<u32> = relevance.positives(place).iter().collect();
                (query, positives, relevance.total_positives(place))
            };
            relevance.queries().iter().enumerate().map(of).collect::<Vec<_>>()
        };
        let inside = truth.among_candidates(&mask);
        assert_eq!(list(&inside), [(2, vec![1, 3], 3), (0, vec![3], 1)]);
        assert!(inside.relevance.i2t.is_none());
        let kept = truth.filter_pairs(|_, query, item| query + item > 2, true);
        assert_eq!(list(&kept), [(2, vec![1, 3], 3), (1, vec![2], 1), (0, vec![3], 1)]);
        let of_gallery = truth.filter_pairs(|_, _, _| true, false);
        assert_eq!(list(&of_gallery), [(2, vec![0, 1, 3], 3), (1, vec![2], 1), (0, vec![3], 1)]);
        let part = truth.within(&mask.parts()[0], sizes);
        assert_eq!(list(&part), [(1, vec![0, 1], 3), (0, vec![1], 1)]);
    }
}
