//! Ground truths as a person's verdicts change them, beside those of the files.

use super::Study;
use crate::data::Direction;
use crate::truth::relevance::Relevance;
use crate::truth::verdict::{Pair, Verdict, Verdicts, is_mine, with_mine};
use crate::truth::{Kind, Truth};

impl Study {
    /// Puts `TRUTH+mine` after every ground truth that verdicts change; gives the names that were added. The ground
    /// truths of the files stay as they are, one with such a name too.
    pub fn add_mine(&mut self, verdicts: &Verdicts) -> Vec<String> {
        let loaded = std::mem::take(&mut self.truths);
        let names: Vec<String> = loaded.iter().map(|truth| truth.name.clone()).collect();
        let mut added = Vec::new();
        for truth in loaded {
            let mine = changed(&truth, verdicts).filter(|mine| !names.contains(&mine.name));
            added.extend(mine.iter().map(|mine| mine.name.clone()));
            self.truths.push(truth);
            self.truths.extend(mine);
        }
        added
    }
}

/// A truth with verdicts laid over it; `None` where they change nothing, and of a truth that a person made. The
/// original annotation is no longer that one.
fn changed(truth: &Truth, verdicts: &Verdicts) -> Option<Truth> {
    let kind = match truth.kind {
        Kind::Original => Kind::Rich,
        kind => kind,
    };
    let is_changed = !is_mine(&truth.name)
        && verdicts
            .iter()
            .any(|(pair, said)| changes(truth, pair, said));
    is_changed.then(|| Truth {
        name: with_mine(&truth.name),
        kind,
        ..truth.with(verdicts)
    })
}

/// Whether a verdict makes another thing of a pair than a truth that judges it, in any direction: a positive or
/// none, or another grade.
fn changes(truth: &Truth, pair: Pair, said: Verdict) -> bool {
    Direction::BOTH.into_iter().any(|direction| {
        let (query, item) = pair.asked(direction);
        let relevance = truth.relevance[direction].as_ref();
        let listed = |of: &Relevance| Some((of.contains(query, item)?, of.grades().is_some()));
        let listed = relevance.and_then(listed);
        listed
            .is_some_and(|(is_positive, is_graded)| is_graded || is_positive != said.is_positive())
    })
}

#[cfg(test)]
mod tests {
    use super::super::demo;
    use super::*;
    #[test]
    fn what_verdicts_change_stands_beside_the_ground_truths_of_the_files() {
        let mut study = demo::open().unwrap();
        let rich = study.richest().unwrap();
        let query = study.truths[rich].relevance.t2i.as_ref().unwrap().queries()[0];
        let own = study.own(Direction::T2i, query as usize).iter().next();
        let pair = Pair::of(Direction::T2i, query.into(), own.unwrap().into());
        let mut verdicts = Verdicts::default();
        assert!(study.add_mine(&verdicts).is_empty());
        verdicts.set(pair, Some(Verdict::Yes));
        assert!(study.add_mine(&verdicts).is_empty(), "a positive already");
        verdicts.set(pair, Some(Verdict::No));
        let before: Vec<u64> = study.truths.iter().map(pairs).collect();
        let added = study.add_mine(&verdicts);
        assert_eq!(added, ["original+mine", "rich+mine", "pm+mine"]);
        let names: Vec<&str> = study.truths.iter().map(|truth| &*truth.name).collect();
        let all = [
            "original",
            "original+mine",
            "rich",
            "rich+mine",
            "pm",
            "pm+mine",
        ];
        assert_eq!(names, all);
        for (at, before) in before.into_iter().enumerate() {
            let [loaded, mine] = [2 * at, 2 * at + 1].map(|at| pairs(&study.truths[at]));
            // A pair less in each direction in which the ground truth judges the query.
            let judges = |direction: &Direction| {
                let (query, _) = pair.asked(*direction);
                let relevance = study.truths[2 * at].relevance[*direction].as_ref();
                relevance.unwrap().place(query.get()).is_some()
            };
            let fewer = Direction::BOTH
                .iter()
                .filter(|direction| judges(direction))
                .count();
            assert_eq!((loaded, mine), (before, before - fewer as u64));
        }
        assert_eq!(study.truths[study.richest().unwrap()].name, "rich+mine");
        assert!(study.add_mine(&verdicts).is_empty(), "the names are taken");
    }

    /// Pairs of both directions.
    fn pairs(truth: &Truth) -> u64 {
        let of = |direction| truth.relevance[direction].as_ref().unwrap().pair_count() as u64;
        of(Direction::I2t) + of(Direction::T2i)
    }
}
