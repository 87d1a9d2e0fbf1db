//! Ground truths with a person's judgments applied, next to those of files.

use super::Study;
use crate::data::Direction;
use crate::truth::judgment::{Judgment, Judgments, Pair, is_mine, name_with_mine};
use crate::truth::{Kind, Truth};

impl Study {
    /// Adds `TRUTH+mine` after every ground truth that judgments change; returns the names of both. The original ones
    /// are unchanged.
    pub fn add_mine(&mut self, judgments: &Judgments) -> Vec<[String; 2]> {
        let judged = self.truths.iter().map(|truth| self.with_judgments(truth, judgments));
        let judged: Vec<Option<Truth>> = judged.collect();
        let loaded = std::mem::take(&mut self.truths);
        let mut added = Vec::new();
        for (truth, mine) in loaded.into_iter().zip(judged) {
            added.extend(mine.iter().map(|mine| [&truth, mine].map(|one| one.name.clone())));
            self.truths.push(truth);
            self.truths.extend(mine);
        }
        added
    }

    /// Marks truths as having pairs judged not relevant, in each direction where a negative judgment is on a covered
    /// query.
    pub fn mark_not_relevant(&mut self, judgments: &Judgments) {
        let truths = std::mem::take(&mut self.truths).into_iter();
        self.truths = truths.map(|truth| truth.flag_nonrelevant(judgments)).collect();
    }

    /// Name of a ground truth with a session's judgments: `TRUTH+mine`, or `TRUTH+judgments` if a ground truth is
    /// called `TRUTH+mine` already.
    pub fn name_with_judgments(&self, truth: &str) -> String {
        let mine = name_with_mine(truth);
        if is_mine(truth) || self.truth(&mine).is_some() {
            format!("{truth}+judgments")
        } else {
            mine
        }
    }

    /// Name of a ground truth after judgments: its own if they change nothing.
    pub fn name_after_judgments(&self, truth: &Truth, judgments: &Judgments) -> String {
        if is_changed(truth, judgments) {
            self.name_with_judgments(&truth.name)
        } else {
            truth.name.clone()
        }
    }

    /// A truth with judgments applied; `None` if unchanged. A changed original annotation is no longer original.
    fn with_judgments(&self, truth: &Truth, judgments: &Judgments) -> Option<Truth> {
        let kind = match truth.kind {
            Kind::Original => Kind::Rich,
            kind => kind,
        };
        is_changed(truth, judgments).then(|| Truth {
            name: self.name_with_judgments(&truth.name),
            kind,
            ..truth.with_judgments(judgments)
        })
    }
}

/// Whether any judgment changes a pair of a truth.
fn is_changed(truth: &Truth, judgments: &Judgments) -> bool {
    let mut judgments = judgments.iter();
    judgments.any(|(pair, judgment)| changes_truth(truth, pair, judgment))
}

/// Whether a judgment changes a pair in a truth that covers it, in any direction: positive or not, gain, or judged not
/// relevant.
fn changes_truth(truth: &Truth, pair: Pair, judgment: Judgment) -> bool {
    Direction::BOTH.into_iter().any(|direction| {
        let Some(relevance) = &truth.relevance[direction] else { return false };
        let (query, item) = pair.query_and_item(direction);
        let Some(place) = relevance.place(query.get()) else { return false };
        let (is_yes, index) = (judgment.is_positive(), item.raw());
        relevance.positives(place).contains(index) != is_yes
            || relevance.gain(place, index) != relevance.gain_after(judgment, place, index)
            || !is_yes && !relevance.is_nonrelevant(query, item)
    })
}

#[cfg(test)]
mod tests {
    use super::super::demo;
    use super::*;
    #[test]
    fn what_judgments_change_stands_beside_the_ground_truths_of_the_files() {
        let mut study = demo::open().unwrap();
        let rich = study.richest().unwrap();
        let query = study.truths[rich].relevance.t2i.as_ref().unwrap().queries()[0];
        let own = study.original_items(Direction::T2i, query as usize).iter().next();
        let pair = Pair::from_query(Direction::T2i, query.into(), own.unwrap().into());
        let mut judgments = Judgments::default();
        assert!(study.add_mine(&judgments).is_empty());
        judgments.set(pair, Some(Judgment::Yes));
        assert!(study.add_mine(&judgments).is_empty(), "a positive already");
        judgments.set(pair, Some(Judgment::No));
        let before: Vec<u64> = study.truths.iter().map(pairs).collect();
        let added = study.add_mine(&judgments);
        let of = |truth: &str| [truth.to_owned(), format!("{truth}+mine")];
        assert_eq!(added, ["original", "rich", "pm"].map(of));
        let names: Vec<&str> = study.truths.iter().map(|truth| &*truth.name).collect();
        let all = ["original", "original+mine", "rich", "rich+mine", "pm", "pm+mine"];
        assert_eq!(names, all);
        for (at, before) in before.into_iter().enumerate() {
            let [loaded, mine] = [2 * at, 2 * at + 1].map(|at| pairs(&study.truths[at]));
            // One pair less in each direction that covers the query.
            let covers = |direction: &Direction| {
                let (query, _) = pair.query_and_item(*direction);
                let relevance = study.truths[2 * at].relevance[*direction].as_ref();
                relevance.unwrap().place(query.get()).is_some()
            };
            let fewer = Direction::BOTH.iter().filter(|direction| covers(direction)).count();
            assert_eq!((loaded, mine), (before, before - fewer as u64));
        }
        assert_eq!(study.truths[study.richest().unwrap()].name, "rich+mine");
    }

    /// An earlier output of `truth mine` next to its session: both have their own name.
    #[test]
    fn a_written_ground_truth_and_the_judgments_have_two_names() {
        let mut study = demo::open().unwrap();
        let relevance = study.truth("rich").unwrap().relevance.t2i.as_ref();
        let query = relevance.unwrap().queries()[0];
        let item = study.original_items(Direction::T2i, query as usize).iter().next();
        let pair = Pair::from_query(Direction::T2i, query.into(), item.unwrap().into());
        let one = |said| {
            let mut judgments = Judgments::default();
            judgments.set(pair, Some(said));
            judgments
        };
        let [no, yes] = [Judgment::No, Judgment::Yes].map(one);
        study.add_mine(&no);
        let added = study.add_mine(&no);
        let named = |[truth, name]: &[String; 2]| *name == format!("{truth}+judgments");
        assert!(!added.is_empty() && added.iter().all(named), "{added:?}");
        let rich = study.truth("rich").unwrap();
        assert_eq!(study.name_after_judgments(rich, &yes), "rich");
        assert_eq!(study.name_after_judgments(rich, &no), "rich+judgments");
        let written = study.truth("rich+mine").unwrap();
        assert_eq!(study.name_after_judgments(written, &no), "rich+mine");
        assert_eq!(study.name_after_judgments(written, &yes), "rich+mine+judgments");
    }

    fn pairs(truth: &Truth) -> u64 {
        let of = |direction| truth.relevance[direction].as_ref().unwrap().pair_count() as u64;
        of(Direction::I2t) + of(Direction::T2i)
    }
}
