//! Valid responses: requested, unique, and from HITs with correct golden items.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Import, ParsedAnswer, Problem, ProblemKind};
use crate::annotate::hits::Hits;
use crate::data::id::Id;
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};
use crate::session::agreement::Panel;
use crate::truth::judgment::Judgment;

#[cfg(test)]
mod tests;

/// Options of [`CheckedImport::from_import`]: which responses to keep, and who decides disputes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// Whether to keep responses of HITs with wrong golden items.
    pub keep_failed: bool,
    /// Annotator who overrides all others, if any.
    pub adjudicator: Option<String>,
}

/// A golden item with a wrong response: its HIT needs a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedGolden {
    /// Name of the HIT.
    pub hit: String,
    /// Judgment known before annotation.
    pub golden: Judgment,
    /// The response given.
    pub given: ParsedAnswer,
}

/// An annotator, with counts of valid responses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotator {
    /// Name of the annotator.
    pub name: String,
    /// Number of valid responses, including those to golden items.
    pub answers: usize,
    /// Number of can't-tell responses among them.
    pub cant_tell: usize,
    /// Number of golden items with a response.
    pub golden: usize,
    /// Number of golden items with a correct response.
    pub golden_right: usize,
    /// Number of HITs with a wrong golden item.
    pub failed_hits: usize,
    /// Number of pairs on which the others have a majority, relevant or not.
    pub compared: usize,
    /// Number of these pairs on which this annotator agrees with that majority.
    pub as_others: usize,
}

/// Checked responses of an import.
#[derive(Debug, Clone, Default)]
pub struct CheckedImport {
    /// The files' valid responses, without golden items.
    pub import: Import,
    /// All problems, in the order of the files.
    pub problems: Vec<Problem>,
    /// Annotators, by first response.
    pub people: Vec<Annotator>,
    /// Golden items with wrong responses, sorted by annotator and HIT.
    pub failed: Vec<FailedGolden>,
    /// Number of responses excluded with failed HITs.
    pub left_out: usize,
    /// Valid judgments of all annotators, without golden items and the adjudicator.
    pub panel: Panel,
    /// The adjudicator's judgments, by index of the pair in the panel.
    pub adjudicated: BTreeMap<usize, Judgment>,
}

/// A response to a pair of a HIT, if HITs are known.
#[derive(Clone, Copy)]
struct HitResponse<'a> {
    given: &'a ParsedAnswer,
    /// Index of the annotator.
    person: usize,
    /// Name of the HIT.
    hit: Option<&'a str>,
    /// Known judgment of a golden item.
    golden: Option<Judgment>,
}

impl CheckedImport {
    /// Checks the responses of an import, against their HITs if known.
    pub fn from_import(mut import: Import, hits: Option<&Hits>, options: &CheckOptions) -> Self {
        let mut checked =
            Self { problems: std::mem::take(&mut import.problems), ..Self::default() };
        let mut responses = checked.validate(&import, hits);
        checked.drop_failed(&mut responses, options.keep_failed);
        checked.fill_panel(&responses, options);
        checked.count_agreement();
        checked.problems.sort_by_key(|problem| problem.place);
        let counted = responses.iter().filter(|one| one.golden.is_none());
        import.answers = counted.map(|one| one.given.clone()).collect();
        checked.import = import;
        checked
    }

    /// Checks that the HITs in `file` asked for any of the responses.
    ///
    /// # Errors
    /// They asked for none: responses are from other HITs.
    pub fn require_asked(&self, file: &str) -> Result<()> {
        let all: usize = self.import.files.iter().map(|file| file.answers).sum();
        let is_foreign = |problem: &&Problem| problem.kind == ProblemKind::Foreign;
        let foreign: Vec<&Problem> = self.problems.iter().filter(is_foreign).collect();
        let Some(first) = foreign.first().filter(|_| foreign.len() == all) else {
            return Ok(());
        };
        let (count, first) = (grouped(all), &first.found);
        let found =
            format!("these HITs asked for none of the {count} answers (the first: {first})");
        Err(Error::new(file, found)
            .expected("the HITs that the answers were given to")
            .fix("name their file with --hits"))
    }

    /// Checks that the adjudicator, if there is one, responded.
    ///
    /// # Errors
    /// Nobody of that name; lists the annotators.
    pub fn require_adjudicator(&self, options: &CheckOptions) -> Result<()> {
        let Some(name) = &options.adjudicator else {
            return Ok(());
        };
        if self.people.iter().any(|one| one.name == *name) {
            return Ok(());
        }
        let names: Vec<String> = self.people.iter().map(|one| shown(&one.name)).collect();
        Err(Error::new("--adjudicator", format!("nobody named {name} answered"))
            .expected(format!("one of: {}", names.join(", "))))
    }

    /// Returns each annotator's latest response to each pair; golden items have one response per HIT. Adds the
    /// annotators to `people`, and foreign and contradictory responses to `problems`.
    fn validate<'a>(&mut self, import: &'a Import, hits: Option<&'a Hits>) -> Vec<HitResponse<'a>> {
        let index = hits.map(HitIndex::from_hits);
        let mut people: FxHashMap<&str, usize> = FxHashMap::default();
        let mut responses: Vec<HitResponse<'a>> = Vec::new();
        let mut places = FxHashMap::default();
        for given in &import.answers {
            let entry = &given.entry;
            let person = *people.entry(&entry.by).or_insert_with(|| {
                self.people.push(Annotator { name: entry.by.clone(), ..Annotator::default() });
                self.people.len() - 1
            });
            let (hit, golden) = match index.as_ref().map(|index| index.find_hit(given)) {
                None => (given.hit.as_deref(), None),
                Some(Ok((hit, golden))) => (Some(hit), golden),
                Some(Err(found)) => {
                    let kind = ProblemKind::Foreign;
                    self.problems.push(Problem { kind, place: given.place, found });
                    continue;
                }
            };
            let one = HitResponse { given, person, hit, golden };
            let key = (person, &entry.image, &entry.caption, golden.and(hit));
            let place = *places.entry(key).or_insert(responses.len());
            let Some(before) = responses.get_mut(place) else {
                responses.push(one);
                continue;
            };
            let other = &before.given.entry;
            if other.judgment != entry.judgment {
                let found = format!(
                    "{} says {} here and {} at {}: the latest counts",
                    entry.by,
                    entry.response(),
                    other.response(),
                    import.describe(before.given.place)
                );
                let kind = ProblemKind::Contradictory;
                self.problems.push(Problem { kind, place: given.place, found });
                if entry.at >= other.at {
                    *before = one;
                }
            }
        }
        responses
    }

    /// Counts golden items and failed HITs, and drops the responses of failed HITs unless `keep_failed`.
    fn drop_failed(&mut self, responses: &mut Vec<HitResponse<'_>>, keep_failed: bool) {
        let mut hits: BTreeMap<(usize, &str), Vec<FailedGolden>> = BTreeMap::new();
        for one in &*responses {
            let Some((golden, hit)) = one.golden.zip(one.hit) else {
                continue;
            };
            let person = &mut self.people[one.person];
            person.golden += 1;
            let is_positive = one.given.entry.judgment.map(Judgment::is_positive);
            if is_positive == Some(golden.is_positive()) {
                person.golden_right += 1;
            } else {
                let failed = FailedGolden { hit: hit.to_owned(), golden, given: one.given.clone() };
                hits.entry((one.person, hit)).or_default().push(failed);
            }
        }
        for (person, _) in hits.keys() {
            self.people[*person].failed_hits += 1;
        }
        let before = responses.len();
        responses.retain(|one| {
            keep_failed || one.hit.is_none_or(|hit| !hits.contains_key(&(one.person, hit)))
        });
        self.left_out = before - responses.len();
        self.failed = hits.into_values().flatten().collect();
    }

    /// Adds the responses to candidates to the panel, and counts the responses of each annotator.
    fn fill_panel(&mut self, responses: &[HitResponse], options: &CheckOptions) {
        self.panel.annotators = self.people.iter().map(|one| one.name.clone()).collect();
        for one in responses {
            let entry = &one.given.entry;
            let person = &mut self.people[one.person];
            person.answers += 1;
            person.cant_tell += usize::from(entry.judgment.is_none());
            if one.golden.is_some() {
                continue;
            }
            if options.adjudicator.as_ref() == Some(&entry.by) {
                let place = self.panel.find_or_add_pair(entry);
                self.adjudicated.extend(entry.judgment.map(|judgment| (place, judgment)));
            } else {
                self.panel.add_judgment(entry);
            }
        }
    }

    /// Counts how often each annotator agrees with the majority of the others: sets `compared` and `as_others`.
    fn count_agreement(&mut self) {
        for pair in &self.panel.pairs {
            let right = pair.judgments.values().filter(|(judgment, _)| judgment.is_positive());
            let right = right.count();
            for (&person, (judgment, _)) in &pair.judgments {
                let own = usize::from(judgment.is_positive());
                let (yes, no) = (right - own, pair.judgments.len() - right - (1 - own));
                self.people[person].compared += usize::from(yes != no);
                let is_same = yes != no && judgment.is_positive() == (yes > no);
                self.people[person].as_others += usize::from(is_same);
            }
        }
    }
}

/// Ids of image and caption.
type PairIds<'a> = (&'a Id, &'a Id);

/// Look-up of HITs by pair.
#[derive(Default)]
struct HitIndex<'a> {
    /// Items of each HIT, with the known judgment of golden ones.
    items: FxHashMap<(&'a str, PairIds<'a>), Option<Judgment>>,
    /// The first HIT with the pair as a candidate, else any.
    of_pair: FxHashMap<PairIds<'a>, &'a str>,
    /// Names of all HITs.
    names: BTreeSet<&'a str>,
}

impl<'a> HitIndex<'a> {
    /// Indexes the items of all HITs.
    fn from_hits(hits: &'a Hits) -> Self {
        let mut index = HitIndex::default();
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

    /// The HIT of a response, and the known judgment of a golden item; an error text if no HIT asks for it.
    fn find_hit(
        &self,
        given: &'a ParsedAnswer,
    ) -> std::result::Result<(&'a str, Option<Judgment>), String> {
        let pair = (&given.entry.image, &given.entry.caption);
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
