//! Answers that count: asked for, each once, of HITs whose golden items were answered as they must be.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Import, Imported, Problem, Trouble};
use crate::annotate::hits::Hits;
use crate::data::id::Id;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::session::agreement::Panel;
use crate::truth::verdict::Verdict;

#[cfg(test)]
mod tests;

/// What is asked of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Whether answers of HITs whose golden items were answered wrongly count all the same.
    pub keep_failed: bool,
    /// Whose answer decides alone, where there is one.
    pub adjudicator: Option<String>,
}

/// A golden item that was not answered as it must be: a person should look at the HIT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// The HIT.
    pub hit: String,
    /// The answer that is known.
    pub golden: Verdict,
    /// The answer that was given.
    pub given: Imported,
}

/// What one person answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// Answers that count, golden ones among them.
    pub answers: usize,
    /// Those of them that say that it cannot be told.
    pub cant_tell: usize,
    /// Golden items that were answered.
    pub golden: usize,
    /// Those of them that were answered as they must be.
    pub golden_right: usize,
    /// HITs that failed.
    pub failed_hits: usize,
    /// Pairs that others decide without this person.
    pub compared: usize,
    /// Those of them of which this person says the same: relevant or not.
    pub as_others: usize,
}

/// The answers of an import, checked.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The files' answers that count, without those to golden items.
    pub import: Import,
    /// All that is wrong with answers, in the order of the files.
    pub problems: Vec<Problem>,
    /// Who answered, in the order of their first answer.
    pub people: Vec<Person>,
    /// Golden items that were not answered as they must be, by person and HIT.
    pub failed: Vec<Failed>,
    /// Answers that were left out with the HITs that failed.
    pub left_out: usize,
    /// The verdicts that count, side by side; without golden items and without the adjudicator's.
    pub panel: Panel,
    /// The adjudicator's verdict on a pair, by the pair's place in the panel.
    pub adjudicated: BTreeMap<usize, Verdict>,
}

/// An answer that a HIT asked for, with the answer that is known.
#[derive(Clone, Copy)]
struct Met<'a> {
    given: &'a Imported,
    person: usize,
    hit: Option<&'a str>,
    golden: Option<Verdict>,
}

impl Checked {
    /// Checks answers against the HITs that asked for them, where those are known.
    pub fn of(mut import: Import, hits: Option<&Hits>, asked: &Asked) -> Self {
        let mut checked =
            Checked { problems: std::mem::take(&mut import.problems), ..Checked::default() };
        let met = checked.latest(&import, hits);
        let met = checked.without_failed(met, asked.keep_failed);
        checked.count(&met, asked);
        checked.compare();
        checked.problems.sort_by_key(|problem| problem.place);
        let counted = met.iter().filter(|one| one.golden.is_none());
        import.answers = counted.map(|one| one.given.clone()).collect();
        checked.import = import;
        checked
    }

    /// Checks that the HITs, which lie in `file`, asked for any of the answers.
    ///
    /// # Errors
    /// They asked for none: they are those of other answers.
    pub fn require_asked(&self, file: &str) -> Result<()> {
        let all: usize = self.import.files.iter().map(|file| file.answers).sum();
        let is_foreign = |problem: &&Problem| problem.trouble == Trouble::Foreign;
        let foreign: Vec<&Problem> = self.problems.iter().filter(is_foreign).collect();
        let Some(first) = foreign.first().filter(|_| foreign.len() == all) else {
            return Ok(());
        };
        let (count, first) = (grouped(all), &first.found);
        let found =
            format!("these HITs asked for none of the {count} answers (the first: {first})");
        Err(Error::new(file, found)
            .expected("the HITs that the answers were given to")
            .mend("name their file with --hits"))
    }

    /// Checks that the adjudicator answered anything.
    ///
    /// # Errors
    /// Nobody of that name: those that there are.
    pub fn require_adjudicator(&self, asked: &Asked) -> Result<()> {
        let Some(name) = &asked.adjudicator else {
            return Ok(());
        };
        if self.people.iter().any(|one| one.name == *name) {
            return Ok(());
        }
        let names: Vec<String> = self.people.iter().map(|one| shown(&one.name)).collect();
        Err(Error::new("--adjudicator", format!("nobody named {name} answered"))
            .expected(format!("one of: {}", names.join(", "))))
    }

    /// Of each person's answers to a pair that a HIT asked for the latest. A golden item is asked in many HITs, and
    /// checked in each.
    fn latest<'a>(&mut self, import: &'a Import, hits: Option<&'a Hits>) -> Vec<Met<'a>> {
        let index = hits.map(Index::of);
        let mut people: FxHashMap<&str, usize> = FxHashMap::default();
        let mut met: Vec<Met<'a>> = Vec::new();
        let mut places = FxHashMap::default();
        for given in &import.answers {
            let judgment = &given.judgment;
            let person = *people.entry(&judgment.by).or_insert_with(|| {
                self.people.push(Person { name: judgment.by.clone(), ..Person::default() });
                self.people.len() - 1
            });
            let (hit, golden) = match index.as_ref().map(|index| index.asked(given)) {
                None => (given.hit.as_deref(), None),
                Some(Ok((hit, golden))) => (Some(hit), golden),
                Some(Err(found)) => {
                    let trouble = Trouble::Foreign;
                    self.problems.push(Problem { trouble, place: given.place, found });
                    continue;
                }
            };
            let one = Met { given, person, hit, golden };
            let key = (person, &judgment.image, &judgment.caption, golden.and(hit));
            let place = *places.entry(key).or_insert(met.len());
            let Some(before) = met.get_mut(place) else {
                met.push(one);
                continue;
            };
            let other = &before.given.judgment;
            if other.verdict != judgment.verdict {
                let found = format!(
                    "{} says {} here and {} at {}: the latest counts",
                    judgment.by,
                    judgment.response(),
                    other.response(),
                    import.words(before.given.place)
                );
                let trouble = Trouble::Contradictory;
                self.problems.push(Problem { trouble, place: given.place, found });
                if judgment.at >= other.at {
                    *before = one;
                }
            }
        }
        met
    }

    /// The answers without those of HITs whose golden items were answered wrongly, which are kept where that is asked.
    fn without_failed<'a>(&mut self, mut met: Vec<Met<'a>>, keep_failed: bool) -> Vec<Met<'a>> {
        let mut hits: BTreeMap<(usize, &str), Vec<Failed>> = BTreeMap::new();
        for one in &met {
            let Some((golden, hit)) = one.golden.zip(one.hit) else {
                continue;
            };
            let person = &mut self.people[one.person];
            person.golden += 1;
            let said = one.given.judgment.verdict.map(Verdict::is_positive);
            if said == Some(golden.is_positive()) {
                person.golden_right += 1;
            } else {
                let failed = Failed { hit: hit.to_owned(), golden, given: one.given.clone() };
                hits.entry((one.person, hit)).or_default().push(failed);
            }
        }
        for (person, _) in hits.keys() {
            self.people[*person].failed_hits += 1;
        }
        let before = met.len();
        met.retain(|one| {
            keep_failed || one.hit.is_none_or(|hit| !hits.contains_key(&(one.person, hit)))
        });
        self.left_out = before - met.len();
        self.failed = hits.into_values().flatten().collect();
        met
    }

    /// Puts what is left side by side.
    fn count(&mut self, met: &[Met], asked: &Asked) {
        self.panel.annotators = self.people.iter().map(|one| one.name.clone()).collect();
        for one in met {
            let judgment = &one.given.judgment;
            let person = &mut self.people[one.person];
            person.answers += 1;
            person.cant_tell += usize::from(judgment.verdict.is_none());
            if one.golden.is_some() {
                continue;
            }
            if asked.adjudicator.as_ref() == Some(&judgment.by) {
                let place = self.panel.place(judgment);
                self.adjudicated.extend(judgment.verdict.map(|verdict| (place, verdict)));
            } else {
                self.panel.add(judgment);
            }
        }
    }

    /// Counts how often each person says what the others do.
    fn compare(&mut self) {
        for pair in &self.panel.pairs {
            let right = pair.verdicts.values().filter(|(verdict, _)| verdict.is_positive());
            let right = right.count();
            for (&person, (verdict, _)) in &pair.verdicts {
                let own = usize::from(verdict.is_positive());
                let (yes, no) = (right - own, pair.verdicts.len() - right - (1 - own));
                self.people[person].compared += usize::from(yes != no);
                let is_same = yes != no && verdict.is_positive() == (yes > no);
                self.people[person].as_others += usize::from(is_same);
            }
        }
    }
}

/// A pair of image and caption.
type Pair<'a> = (&'a Id, &'a Id);

/// The HITs, to be looked up.
#[derive(Default)]
struct Index<'a> {
    /// The items of each HIT, and the known answer of golden ones.
    items: FxHashMap<(&'a str, Pair<'a>), Option<Verdict>>,
    /// The first HIT that asks for a pair as a candidate, else any.
    of_pair: FxHashMap<Pair<'a>, &'a str>,
    names: BTreeSet<&'a str>,
}

impl<'a> Index<'a> {
    fn of(hits: &'a Hits) -> Self {
        let mut index = Index::default();
        for is_golden in [false, true] {
            for hit in &hits.hits {
                index.names.insert(&hit.hit);
                let items = hit.items.iter();
                for item in items.filter(|item| item.golden.is_some() == is_golden) {
                    let pair = (&item.image, &item.caption);
                    index.items.insert((&hit.hit, pair), item.golden);
                    index.of_pair.entry(pair).or_insert(&hit.hit);
                }
            }
        }
        index
    }

    /// The HIT of an answer, and the answer that is known; words where nobody asked.
    fn asked(
        &self,
        given: &'a Imported,
    ) -> std::result::Result<(&'a str, Option<Verdict>), String> {
        let pair = (&given.judgment.image, &given.judgment.caption);
        let named = given.hit.as_deref();
        let hit = named.or_else(|| self.of_pair.get(&pair).copied());
        let found = hit.and_then(|hit| Some((hit, *self.items.get(&(hit, pair))?)));
        found.ok_or_else(|| match named {
            Some(hit) if !self.names.contains(hit) => format!("no HIT is named {hit}"),
            Some(hit) => {
                format!("HIT {hit} does not ask for image {} and caption {}", pair.0, pair.1)
            }
            None => format!("no HIT asks for image {} and caption {}", pair.0, pair.1),
        })
    }
}
