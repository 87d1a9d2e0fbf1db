//! Order of a pool's pairs for one annotator.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{EarlierAnswer, Pool};
use crate::analysis::draw::shuffle;
use crate::data::Direction;
use crate::data::gallery::{Gallery, fingerprint};
use crate::data::index::QueryIx;
use crate::data::stream::{Stream, Use};
use crate::truth::judgment::Pair;

/// Other annotators' responses, and the annotators who share a pool's queries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OtherAnnotators {
    /// Number of the other annotators' responses per pair.
    pub answers: FxHashMap<Pair, usize>,
    /// Maximum annotators per pair.
    pub overlap: usize,
    /// Name of this annotator.
    pub me: String,
    /// Names of the other annotators, who share the queries.
    pub people: BTreeSet<String>,
}

impl OtherAnnotators {
    /// Number of the others' responses to a pair.
    fn responses(&self, pair: Pair) -> usize {
        self.answers.get(&pair).copied().unwrap_or(0)
    }

    /// Sort key of a query, given by index in the pool; `None` if it is in this annotator's own part of the pool. A
    /// query belongs to the `overlap` annotators with the highest random numbers, seeded by name and query: all
    /// annotators compute the same parts, and a new annotator only takes over queries.
    fn foreign_sort_key(&self, query: usize) -> Option<usize> {
        let number = |name: &str| {
            Stream::new(fingerprint(&[name]), Use::Parts, query).index(u32::MAX as usize)
        };
        let mine = (number(&self.me), &self.me);
        let higher = self.people.iter().filter(|name| (number(name), *name) > mine);
        (higher.count() >= self.overlap).then_some(mine.0)
    }
}

/// Pairs of a pool that are in a gallery, by query; the same for all annotators.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PoolPairs {
    /// Each pair after the index of its query in the pool and its direction.
    pairs: Vec<(usize, Direction, Pair)>,
    /// Earlier responses to repeated pairs.
    earlier: FxHashMap<Pair, Vec<EarlierAnswer>>,
    /// Number of pairs that are missing from the gallery, or whose query cannot be shown.
    pub missing: usize,
}

impl PoolPairs {
    /// The pairs of a pool that are in a gallery, if `is_shown` says that their query can be shown. Items of a query
    /// are shuffled by the pool's seed.
    pub fn new(
        pool: &Pool,
        gallery: &Gallery,
        is_shown: impl Fn(Direction, QueryIx) -> bool,
    ) -> Self {
        let mut all = PoolPairs::default();
        for (nth, ((direction, _), pairs)) in pool.by_query().into_iter().enumerate() {
            let mut found: Vec<Pair> = Vec::new();
            for one in &pairs {
                let pair = Pair::find(gallery, &one.image, &one.caption);
                let earlier = Some(&one.answers).filter(|answers| !answers.is_empty());
                all.earlier.extend(pair.zip(earlier.cloned()));
                found.extend(pair);
            }
            found.retain(|pair| is_shown(direction, pair.query_and_item(direction).0));
            all.missing += pairs.len() - found.len();
            shuffle(&mut found, &mut Stream::new(pool.head.seed, Use::Queue, nth));
            all.pairs.extend(found.into_iter().map(|pair| (nth, direction, pair)));
        }
        all
    }

    /// Earlier responses to a pair, by annotator.
    pub fn earlier_answers(&self, pair: Pair) -> &[EarlierAnswer] {
        self.earlier.get(&pair).map_or(&[], Vec::as_slice)
    }

    /// Queue of the pairs with fewer than `overlap` responses by others: those of the annotator's own part first, then
    /// those with the fewest responses.
    pub fn queue(&self, others: &OtherAnnotators) -> Queue {
        let is_open =
            |(_, _, pair): &&(usize, Direction, Pair)| others.responses(*pair) < others.overlap;
        let mut open: Vec<_> = self.pairs.iter().filter(is_open).collect();
        let mut queue = Queue { closed: self.pairs.len() - open.len(), ..Queue::default() };
        for (_, direction, pair) in &open {
            let (query, item) = pair.query_and_item(*direction);
            queue.items.entry((*direction, query.raw())).or_default().push(item.raw());
        }
        open.sort_by_cached_key(|(query, _, pair)| {
            let foreign_key = others.foreign_sort_key(*query);
            (foreign_key.is_some(), others.responses(*pair), foreign_key)
        });
        queue.order = open.into_iter().map(|(_, direction, pair)| (*direction, *pair)).collect();
        queue.indices = queue.order.iter().map(|(_, pair)| *pair).zip(0..).collect();
        queue
    }
}

/// Pairs of a pool for one annotator.
#[derive(Debug, Clone, Default)]
pub struct Queue {
    /// Pairs that need responses, in the order asked.
    order: Vec<(Direction, Pair)>,
    /// Index of each pair in `order`.
    indices: FxHashMap<Pair, usize>,
    /// Items of each query, in an order independent of ranks.
    items: FxHashMap<(Direction, u32), Vec<u32>>,
    /// Skipped pairs, in order.
    skipped: Vec<Pair>,
    /// Number of pairs excluded because others gave enough responses.
    pub closed: usize,
}

impl Queue {
    /// The next pair without a response: one not skipped, else the first skipped one, which is then no longer skipped.
    /// `None` if every pair has a response.
    pub fn next(&mut self, is_answered: impl Fn(Pair) -> bool) -> Option<(Direction, Pair)> {
        self.skipped.retain(|pair| !is_answered(*pair));
        let is_next =
            |(_, pair): &&(Direction, Pair)| !is_answered(*pair) && !self.skipped.contains(pair);
        if let Some(found) = self.order.iter().find(is_next) {
            return Some(*found);
        }
        let pair = (!self.skipped.is_empty()).then(|| self.skipped.remove(0))?;
        self.indices.get(&pair).map(|&index| self.order[index])
    }

    /// Skips a pair: it comes again after all other pairs have responses. No effect if it is not in the queue.
    pub fn skip(&mut self, pair: Pair) {
        self.skipped.retain(|known| *known != pair);
        if self.indices.contains_key(&pair) {
            self.skipped.push(pair);
        }
    }

    /// Whether a pair is in the queue.
    pub fn contains(&self, pair: Pair) -> bool {
        self.indices.contains_key(&pair)
    }

    /// Direction of a pair; `None` if it is not in the queue.
    pub fn direction(&self, pair: Pair) -> Option<Direction> {
        self.indices.get(&pair).map(|&index| self.order[index].0)
    }

    /// Number of pairs, with or without responses.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether the queue has no pair.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Gallery indices of a query's items in the queue; empty if the query is not in the queue.
    pub fn items(&self, direction: Direction, query: u32) -> &[u32] {
        self.items.get(&(direction, query)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::pool::read;
    use crate::data::id::IdList;
    use crate::data::source::Source;

    /// Two captions with three images each, and a pair outside the gallery.
    fn pool() -> Pool {
        let mut text = r#"{"format":"itm-explore pool 1","top":3,"models":["a"],"truths":[],"queries":{"i2t":0,"t2i":2},"chosen":"","order":"depth","seed":1}"#.to_owned();
        for (caption, image) in [(4, 0), (4, 1), (4, 2), (2, 1), (2, 5), (2, 3), (2, 99)] {
            let line = format!(
                "\n{{\"query_direction\":\"t2i\",\"image\":{image},\"caption\":{caption},\"proposals\":[{{\"model\":\"a\",\"direction\":\"t2i\",\"rank\":1}}]}}"
            );
            text.push_str(&line);
        }
        read(&Source::in_memory("pool.jsonl", text.into())).unwrap()
    }

    fn pairs() -> PoolPairs {
        let gallery = Gallery {
            images: IdList::for_len(6),
            captions: IdList::for_len(6),
            ..Gallery::default()
        };
        PoolPairs::new(&pool(), &gallery, |_, _| true)
    }

    fn queue(others: &OtherAnnotators) -> Queue {
        pairs().queue(others)
    }

    fn alone() -> OtherAnnotators {
        OtherAnnotators { overlap: 1, ..OtherAnnotators::default() }
    }

    /// Answers all pairs; returns caption and image of each.
    fn drain(queue: &mut Queue) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        while let Some((_, pair)) = queue.next(|pair| all.contains(&pair)) {
            all.push(pair);
        }
        all.iter().map(|pair| (pair.caption.raw(), pair.image.raw())).collect()
    }

    #[test]
    fn every_pair_is_asked_once_query_by_query() {
        let mut queue = queue(&alone());
        assert_eq!((queue.len(), pairs().missing, queue.closed), (6, 1, 0));
        let all = drain(&mut queue);
        let captions: Vec<u32> = all.iter().map(|(caption, _)| *caption).collect();
        assert_eq!(captions, [4, 4, 4, 2, 2, 2]);
        let listed: Vec<u32> = all[..3].iter().map(|(_, image)| *image).collect();
        assert_eq!(listed, queue.items(Direction::T2i, 4));
        assert!(queue.items(Direction::I2t, 4).is_empty());
    }

    #[test]
    fn pairs_with_fewest_answers_come_first_and_closed_ones_are_dropped() {
        let pair = |caption: u32, image: u32| {
            Pair::from_query(Direction::T2i, caption.into(), image.into())
        };
        let answers = [(pair(4, 0), 1), (pair(4, 1), 2), (pair(2, 5), 1)];
        let mut others =
            OtherAnnotators { answers: answers.into_iter().collect(), overlap: 2, ..alone() };
        let mut twice = queue(&others);
        let all = drain(&mut twice);
        assert_eq!((all[0], all.len(), twice.closed), ((4, 2), 5, 1));
        assert_eq!(all[3..], [(4, 0), (2, 5)]);
        assert!(!twice.contains(pair(4, 1)) && twice.items(Direction::T2i, 4).len() == 2);
        others.overlap = 1;
        let mut once = queue(&others);
        assert_eq!((drain(&mut once).len(), once.closed), (3, 3));
    }

    #[test]
    fn skipped_pairs_come_again_at_the_end() {
        let mut queue = queue(&alone());
        let (direction, first) = queue.next(|_| false).unwrap();
        assert_eq!(queue.direction(first), Some(direction));
        queue.skip(first);
        assert_ne!(queue.next(|_| false), Some((direction, first)));
        let is_other = |pair: Pair| pair != first;
        assert_eq!((queue.skipped.len(), queue.next(is_other)), (1, Some((direction, first))));
        assert_eq!(queue.skipped.len(), 0);
        queue.skip(first);
        assert_eq!(queue.next(|_| true), None);
    }

    /// An annotator's own part of 40 queries shared by `people`.
    fn part(me: &str, people: &[&str], overlap: usize) -> Vec<usize> {
        let others = people.iter().filter(|name| **name != me).map(|name| (*name).to_owned());
        let others =
            OtherAnnotators { overlap, me: me.into(), people: others.collect(), ..alone() };
        (0..40).filter(|query| others.foreign_sort_key(*query).is_none()).collect()
    }

    #[test]
    fn own_parts_cover_each_query_overlap_times() {
        let people = ["anna", "bo", "cy"];
        for overlap in 1..4 {
            let parts = people.map(|me| part(me, &people, overlap));
            for query in 0..40 {
                let of = parts.iter().filter(|part| part.contains(&query));
                assert_eq!(of.count(), overlap, "{query}: {parts:?}");
            }
            assert!(parts.iter().all(|part| part.len() > 5 * overlap), "{parts:?}");
        }
        // Queries kept when somebody joins were there before.
        let (before, after) = (part("bo", &people[..2], 1), part("bo", &people, 1));
        assert!(after.iter().all(|query| before.contains(query)), "{before:?} {after:?}");
    }

    #[test]
    fn own_queries_come_before_those_of_others() {
        let people = BTreeSet::from(["bo".to_owned()]);
        let share = OtherAnnotators { me: "anna".into(), people, ..alone() };
        let first = drain(&mut queue(&share))[0].0;
        let is_mine = |caption: u32| share.foreign_sort_key(usize::from(caption == 2)).is_none();
        assert!(is_mine(first) || !is_mine(4) && !is_mine(2));
        assert_eq!(queue(&share).len(), 6);
    }
}
