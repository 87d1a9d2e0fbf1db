//! Answers that count: asked for, each once, of HITs whose golden items were answered as they must be.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Import, Imported, Problem, Trouble};
use crate::annotate::hits::Hits;
use crate::data::id::Id;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::session::agreement::{Judged, Panel};
use crate::truth::response::Response;
use crate::truth::verdict::Verdict;

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
    /// Who answered, by place in [`Checked::people`].
    pub person: usize,
    /// The HIT.
    pub hit: String,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The answer that is known.
    pub golden: Verdict,
    /// The answer that was given.
    pub response: Response,
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
    /// What was read.
    pub import: Import,
    /// All that is wrong with answers, in the order of the files.
    pub problems: Vec<Problem>,
    /// Who answered, in the order of their first answer.
    pub people: Vec<Person>,
    /// Golden items that were not answered as they must be, by person and HIT.
    pub failed: Vec<Failed>,
    /// Answers that were left out with the HITs that failed.
    pub left_out: usize,
    /// The verdicts that count, side by side; without golden items and without the adjudicator.
    pub panel: Panel,
    /// What the adjudicator says.
    pub adjudicated: FxHashMap<(Id, Id), Verdict>,
    /// Places in `import.answers` of the answers that count, golden items left out.
    counted: Vec<usize>,
    /// Places of those that say the same again, of another proposal or in another HIT.
    again: Vec<usize>,
}

/// A pair of image and caption.
type Pair<'a> = (&'a Id, &'a Id);

/// An answer while others are compared with it.
#[derive(Clone, Copy)]
struct Met<'a> {
    /// Its place.
    at: usize,
    person: usize,
    hit: Option<&'a str>,
    golden: Option<Verdict>,
}

impl Checked {
    /// Checks answers against the HITs that asked for them, where those are known.
    pub fn of(mut import: Import, hits: Option<&Hits>, asked: &Asked) -> Self {
        let mut checked =
            Checked { problems: std::mem::take(&mut import.problems), ..Checked::default() };
        let met = checked.without_strangers(&import, hits);
        let met = checked.without_repeats(&import, met);
        let met = checked.without_failed(&import, met, asked.keep_failed);
        checked.count(&import, &met, asked);
        checked.problems.sort_by_key(|problem| problem.place);
        checked.import = import;
        checked
    }

    /// Checks that the HITs, which lie in `file`, asked for any of the answers.
    ///
    /// # Errors
    /// They asked for none: they are those of other answers.
    pub fn require_asked(&self, file: &str) -> Result<()> {
        let is_foreign = |problem: &&Problem| problem.trouble == Trouble::Foreign;
        let foreign: Vec<&Problem> = self.problems.iter().filter(is_foreign).collect();
        let Some(first) = foreign.first().filter(|_| foreign.len() >= self.import.answers.len())
        else {
            return Ok(());
        };
        let (count, first) = (grouped(foreign.len()), &first.found);
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

    /// The answers that count, golden items left out, and those that say the same again.
    pub fn counted(&self) -> impl Iterator<Item = &Imported> {
        let places = self.counted.iter().chain(&self.again);
        places.map(|&at| &self.import.answers[at])
    }

    fn tell(&mut self, given: &Imported, trouble: Trouble, found: String) {
        self.problems.push(Problem { trouble, place: given.place, found });
    }

    /// The answers that somebody asked for.
    fn without_strangers<'a>(
        &mut self,
        import: &'a Import,
        hits: Option<&'a Hits>,
    ) -> Vec<Met<'a>> {
        let index = hits.map(Index::of);
        let mut people: FxHashMap<&str, usize> = FxHashMap::default();
        let mut met = Vec::with_capacity(import.answers.len());
        for (at, given) in import.answers.iter().enumerate() {
            let person = *people.entry(&given.annotator).or_insert_with(|| {
                let name = given.annotator.clone();
                self.people.push(Person { name, ..Person::default() });
                self.people.len() - 1
            });
            let (hit, golden) = match index.as_ref().map(|index| index.asked(given)) {
                None => (given.hit.as_deref(), None),
                Some(Ok((hit, golden))) => (Some(hit), golden),
                Some(Err(found)) => {
                    self.tell(given, Trouble::Foreign, found);
                    continue;
                }
            };
            met.push(Met { at, person, hit, golden });
        }
        met
    }

    /// Each person's answers to a pair once: the latest. That a pair was asked again in another HIT and answered
    /// alike, or that several models proposed it, is no trouble.
    fn without_repeats<'a>(&mut self, import: &'a Import, met: Vec<Met<'a>>) -> Vec<Met<'a>> {
        let mut kept: Vec<Met<'a>> = Vec::with_capacity(met.len());
        let mut places: FxHashMap<(usize, Pair<'a>, Option<&str>), usize> = FxHashMap::default();
        for one in met {
            let given = &import.answers[one.at];
            // A golden item is asked in many HITs, and checked in each.
            let hit = one.golden.and(one.hit);
            let key = (one.person, (&given.image, &given.caption), hit);
            let Some(&place) = places.get(&key) else {
                places.insert(key, kept.len());
                kept.push(one);
                continue;
            };
            let before = kept[place];
            let other = &import.answers[before.at];
            let (name, there) = (&given.annotator, import.words(other.place));
            if other.response == given.response {
                if before.hit == one.hit && other.proposal == given.proposal {
                    let found = format!("{name} answered the same at {there}");
                    self.tell(given, Trouble::Duplicate, found);
                } else {
                    self.again.push(one.at);
                }
                continue;
            }
            let is_later = given.at >= other.at;
            let found = format!(
                "{name} says {} here and {} at {there}: the latest counts",
                given.response, other.response
            );
            self.tell(given, Trouble::Contradictory, found);
            if is_later {
                kept[place] = one;
            }
        }
        kept
    }

    /// The answers without those of HITs whose golden items were answered wrongly, which are noted.
    fn without_failed<'a>(
        &mut self,
        import: &'a Import,
        met: Vec<Met<'a>>,
        keep_failed: bool,
    ) -> Vec<Met<'a>> {
        let mut failed: BTreeMap<(usize, &str), Vec<Failed>> = BTreeMap::new();
        for one in &met {
            let (Some(golden), Some(hit)) = (one.golden, one.hit) else {
                continue;
            };
            let given = &import.answers[one.at];
            let person = &mut self.people[one.person];
            person.golden += 1;
            let said = given.response.verdict().map(Verdict::is_positive);
            if said == Some(golden.is_positive()) {
                person.golden_right += 1;
                continue;
            }
            failed.entry((one.person, hit)).or_default().push(Failed {
                person: one.person,
                hit: hit.to_owned(),
                image: given.image.clone(),
                caption: given.caption.clone(),
                golden,
                response: given.response,
            });
        }
        for (person, _) in failed.keys() {
            self.people[*person].failed_hits += 1;
        }
        let is_left = |one: &Met| {
            keep_failed || one.hit.is_none_or(|hit| !failed.contains_key(&(one.person, hit)))
        };
        let before = met.len();
        let left: Vec<Met> = met.into_iter().filter(is_left).collect();
        self.left_out = before - left.len();
        self.failed = failed.into_values().flatten().collect();
        left
    }

    /// Puts what is left side by side.
    fn count(&mut self, import: &Import, met: &[Met], asked: &Asked) {
        self.panel.annotators = self.people.iter().map(|one| one.name.clone()).collect();
        let mut places: FxHashMap<Pair, usize> = FxHashMap::default();
        for one in met {
            let given = &import.answers[one.at];
            let person = &mut self.people[one.person];
            person.answers += 1;
            person.cant_tell += usize::from(given.response == Response::CantTell);
            if one.golden.is_some() {
                continue;
            }
            self.counted.push(one.at);
            let place = *places.entry((&given.image, &given.caption)).or_insert_with(|| {
                self.panel.pairs.push(Judged {
                    image: given.image.clone(),
                    caption: given.caption.clone(),
                    verdicts: BTreeMap::new(),
                });
                self.panel.pairs.len() - 1
            });
            let Some(verdict) = given.response.verdict() else {
                continue;
            };
            if asked.adjudicator.as_deref() == Some(&given.annotator) {
                let pair = (given.image.clone(), given.caption.clone());
                self.adjudicated.insert(pair, verdict);
            } else {
                let said = (verdict, given.at);
                self.panel.pairs[place].verdicts.insert(one.person, said);
            }
        }
        self.compare();
    }

    /// Counts how often each person says what the others do.
    fn compare(&mut self) {
        for pair in &self.panel.pairs {
            if pair.verdicts.len() < 2 {
                continue;
            }
            let right = pair.verdicts.values().filter(|(verdict, _)| verdict.is_positive());
            let right = right.count();
            for (&person, (verdict, _)) in &pair.verdicts {
                let own = usize::from(verdict.is_positive());
                let (yes, no) = (right - own, pair.verdicts.len() - right - (1 - own));
                if yes != no {
                    self.people[person].compared += 1;
                    self.people[person].as_others +=
                        usize::from(verdict.is_positive() == (yes > no));
                }
            }
        }
    }
}

/// The HITs, to be looked up.
#[derive(Default)]
struct Index<'a> {
    /// The items of each HIT, and the known answer of golden ones.
    items: FxHashMap<(&'a str, Pair<'a>), Option<Verdict>>,
    /// The first HIT that asks for a pair as a candidate, else any.
    of_pair: FxHashMap<Pair<'a>, &'a str>,
    names: FxHashSet<&'a str>,
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
        let pair = (&given.image, &given.caption);
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
