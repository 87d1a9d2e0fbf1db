//! Standing of pairs in a study, including ratings and a person's judgments.

use super::Study;
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::judgment::{Judgment, is_mine};
use crate::truth::rule;
use crate::truth::standing::{Badge, Standing};
use crate::truth::{Kind, Truth};

impl Study {
    /// Standing of a pair in a truth. A pair that the truth does not list is judged not relevant if its rating is below
    /// the threshold of the truth.
    pub fn standing(
        &self,
        truth: &Truth,
        direction: Direction,
        query: QueryIx,
        item: ItemIx,
    ) -> Standing {
        match truth.standing(direction, query, item) {
            Standing::NotListed | Standing::NotCovered
                if self.is_rated_low(truth, direction, query, item) =>
            {
                Standing::NotRelevant
            }
            standing => standing,
        }
    }

    /// Whether a truth is based on ratings, and this pair is rated below its threshold.
    fn is_rated_low(
        &self,
        truth: &Truth,
        direction: Direction,
        query: QueryIx,
        item: ItemIx,
    ) -> bool {
        let Some(rule) = rule::find(&truth.name).filter(|_| self.is_rated(truth)) else {
            return false;
        };
        let threshold = self.rules.numbers[rule.name].unwrap_or(rule.number.default);
        let rating = self.rating(direction, query, item);
        rating.is_some_and(|rating| rating < threshold)
    }

    /// Whether there are truths richer than the original pairing, not made by judgments, and none covers the query.
    fn is_uncovered_by_rich(&self, direction: Direction, query: QueryIx, item: ItemIx) -> bool {
        let is_richer = |truth: &&Truth| truth.kind == Kind::Rich && !is_mine(&truth.name);
        let mut richer = self.truths.iter().filter(is_richer).peekable();
        let is_uncovered =
            |truth| self.standing(truth, direction, query, item) == Standing::NotCovered;
        richer.peek().is_some() && richer.all(is_uncovered)
    }

    /// Badge of a pair, from its standing in all truths and a person's judgment: the only definition.
    pub fn badge(
        &self,
        judgment: Option<Judgment>,
        direction: Direction,
        query: QueryIx,
        item: ItemIx,
    ) -> Badge {
        let is_in_any = |wanted: Standing, kind: Option<Kind>| {
            let mut truths =
                self.truths.iter().filter(|truth| kind.is_none_or(|kind| truth.kind == kind));
            truths.any(|truth| self.standing(truth, direction, query, item) == wanted)
        };
        let is_original = |truth: &Truth| truth.kind == Kind::Original && !truth.is_none_truth();
        let accepted = judgment.map(Judgment::is_positive);
        // A person's no overrides any ground truth, in the session and in exported files.
        let is_no_in_file = || {
            let mut mine = self.truths.iter().filter(|truth| is_mine(&truth.name));
            mine.any(|truth| self.standing(truth, direction, query, item) == Standing::NotRelevant)
        };
        if accepted == Some(false) || accepted.is_none() && is_no_in_file() {
            Badge::NotRelevant
        } else if is_in_any(Standing::Positive, Some(Kind::Original)) {
            Badge::Original
        } else if accepted == Some(true) || is_in_any(Standing::Positive, Some(Kind::Rich)) {
            if self.truths.iter().any(is_original) { Badge::NonGt } else { Badge::Positive }
        } else if is_in_any(Standing::NotRelevant, None) {
            Badge::NotRelevant
        } else if self.is_uncovered_by_rich(direction, query, item) {
            Badge::NotCovered
        } else {
            Badge::Unjudged
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::gallery::Gallery;
    use crate::data::id::{Id, IdList};
    use crate::data::source::Source;
    use crate::truth::Listed;
    use crate::truth::pairs::Pairs;
    use crate::truth::qrels::QRELS;

    fn gallery() -> Gallery {
        Gallery { images: IdList::for_len(3), captions: IdList::for_len(6), ..Gallery::default() }
    }

    fn truth(name: &str, positives: &[(i64, &[i64])]) -> Truth {
        let of_query = |&(query, items): &(i64, &[i64])| {
            let items: Vec<Id> = items.iter().map(|&i| Id::Number(i)).collect();
            (Id::Number(query), items)
        };
        let pairs: Pairs = positives.iter().map(of_query).collect();
        added(&Listed {
            name: name.into(),
            direction: Some(Direction::I2t),
            pairs,
            file: "t".into(),
        })
    }

    fn added(listed: &Listed) -> Truth {
        let mut truth = Truth::new(&listed.name);
        truth.add_direction(listed, &gallery()).unwrap();
        truth
    }

    fn study(truths: Vec<Truth>) -> Study {
        Study { gallery: gallery(), truths, ..Study::default() }
    }

    fn badge(study: &Study, judgment: Option<Judgment>, query: u32, item: u32) -> Badge {
        study.badge(judgment, Direction::I2t, query.into(), item.into())
    }

    #[test]
    fn the_strongest_claim_gives_the_badge() {
        let study = study(vec![
            truth("original", &[(0, &[0]), (1, &[1])]),
            truth("eccv", &[(0, &[0, 2])]),
            truth("pm", &[(0, &[0, 2, 3]), (1, &[4])]),
        ]);
        let of = |query, item| badge(&study, None, query, item);
        assert_eq!(of(0, 0), Badge::Original);
        assert_eq!(of(0, 2), Badge::NonGt);
        assert_eq!(of(0, 3), Badge::Unjudged);
        assert_eq!(of(0, 5), Badge::Unjudged);
        assert_eq!(of(1, 4), Badge::NotCovered);
        assert_eq!(of(1, 5), Badge::NotCovered);
        assert_eq!(of(2, 0), Badge::NotCovered);
    }

    #[test]
    fn a_judgment_is_the_strongest_claim() {
        let study = study(vec![truth("original", &[(0, &[0])]), truth("eccv", &[(0, &[0, 2])])]);
        for (judgment, item, wanted) in [
            (Judgment::No, 0, Badge::NotRelevant),
            (Judgment::MostlyNo, 5, Badge::NotRelevant),
            (Judgment::Yes, 0, Badge::Original),
            (Judgment::Partial, 5, Badge::NonGt),
        ] {
            assert_eq!(badge(&study, Some(judgment), 0, item), wanted, "{judgment}");
        }
    }

    /// Without original pairing nothing is non-GT; only a rich truth can lack a query.
    #[test]
    fn a_single_truth_has_positives_and_only_a_rich_one_lacks_queries() {
        for (name, positive, uncovered) in [
            ("original", Badge::Original, Badge::Unjudged),
            ("eccv", Badge::Positive, Badge::NotCovered),
            ("pm", Badge::Unjudged, Badge::Unjudged),
        ] {
            let study = study(vec![truth(name, &[(0, &[0])])]);
            let of = |query, item| badge(&study, None, query, item);
            let wanted = [positive, Badge::Unjudged, uncovered];
            assert_eq!([of(0, 0), of(0, 1), of(1, 1)], wanted, "{name}");
        }
    }

    /// The original pairing with judgments is not a rich truth.
    #[test]
    fn judgments_of_the_original_pairing_do_not_make_it_rich() {
        let study =
            study(vec![truth("original", &[(0, &[0])]), truth("original+mine", &[(0, &[0, 2])])]);
        let of = |item| badge(&study, None, 0, item);
        assert_eq!([of(0), of(2)], [Badge::Original, Badge::NonGt]);
        assert_eq!(of(3), Badge::Unjudged);
    }

    #[test]
    fn a_no_of_mine_in_a_file_is_a_judgment() {
        let lines = b"0 0 0 0\n0 0 3 1\n".to_vec();
        let read = (QRELS.read)(&Source::in_memory("mine_i2t.qrels", lines));
        let listed = read.unwrap().truths.into_iter().next().unwrap();
        let study = study(vec![truth("original", &[(0, &[0])]), added(&listed)]);
        let of = |item| badge(&study, None, 0, item);
        assert_eq!([of(0), of(3)], [Badge::NotRelevant, Badge::NonGt]);
        let yes = badge(&study, Some(Judgment::Yes), 0, 0);
        assert_eq!(yes, Badge::Original, "today's judgment goes first");
    }

    #[test]
    fn a_grade_of_zero_is_a_judgment() {
        let lines = b"0 0 0 2\n0 0 1 0\n0 0 2 1\n1 0 3 0\n".to_vec();
        let read = (QRELS.read)(&Source::in_memory("graded_i2t.qrels", lines)).unwrap();
        let mut listed = read.truths.into_iter().next().unwrap();
        listed.pairs.set_relevant_from(2);
        let study = study(vec![truth("original", &[(0, &[4])]), added(&listed)]);
        let of = |query, item| badge(&study, None, query, item);
        assert_eq!([of(0, 0), of(0, 4)], [Badge::NonGt, Badge::Original]);
        // Zero; a grade below that of a positive; zero of a query without positives.
        assert_eq!([of(0, 1), of(0, 2), of(1, 3)], [Badge::NotRelevant; 3]);
        assert_eq!([of(0, 5), of(1, 5)], [Badge::Unjudged; 2]);
    }
}
