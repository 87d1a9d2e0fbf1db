//! Error analysis: error types, hubs, words.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::breakdown::Breakdown;
use super::evidence::Evidence;
use super::kinds::{Count, KINDS, Kind, KindQueries};
use super::words::{self, Word};
use crate::data::index::TruthIx;
use crate::data::words::Contrast;
use crate::rank::hubs::Hub;
use crate::study::View;
use crate::truth::judgment::Pair;
use crate::truth::relevance::Relevance;

/// Number of queries by error type, for one model and truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Model, truth and direction.
    pub view: View,
    /// Name of the truth, with a suffix if judgments are applied.
    pub truth: String,
    /// Number of covered queries.
    pub covered: usize,
    /// Number of queries by error type, in the order of [`KINDS`]; `None` if the study lacks the data.
    pub counts: Vec<Option<Count>>,
}

/// Error analysis of one model under one truth: parts, hubs and words.
#[derive(Debug, Clone, PartialEq)]
pub struct Detail {
    /// Model, truth and direction.
    pub view: View,
    /// Partition of the covered queries.
    pub breakdown: Breakdown,
    /// Hubs, those with most misses first.
    pub hubs: Vec<Hub>,
    /// Words of failures, most over-represented first; all words, by z.
    pub words: Vec<Word>,
    /// Words that differ between top-1's caption and the nearest positive, over all failures.
    pub swapped: Vec<Word>,
}

/// The error analysis of a study in one direction: counts of every error type, hubs and words.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// For each model and truth, the tally as loaded, then a second tally with judgments if they change the truth.
    pub tallies: Vec<Tally>,
    /// One for each model, under the same truth.
    pub details: Vec<Detail>,
}

impl Survey {
    /// Builds the survey under these truths; the details are under `truth`.
    pub fn new(evidence: &Evidence<'_>, truths: &[TruthIx], truth: TruthIx) -> Self {
        let mut survey = Survey { tallies: Vec::new(), details: Vec::new() };
        for of in &evidence.models {
            let view = |truth| View { model: of.model, truth, direction: evidence.direction };
            let tallies = truths.iter().flat_map(|&truth| tallies(evidence, view(truth)));
            survey.tallies.extend(tallies);
            survey.details.push(detail(evidence, view(truth)));
        }
        survey
    }
}

/// The tally of a view under the truth as loaded, then one with judgments if they change the truth.
fn tallies(evidence: &Evidence<'_>, view: View) -> impl Iterator<Item = Tally> {
    let truth = &evidence.study.truths[view.truth];
    let kinds = all_kind_queries(evidence, view);
    let tally = |name: String, covered: usize, count: fn(&KindQueries) -> Count| Tally {
        view,
        truth: name,
        covered,
        counts: kinds.iter().map(|of| of.as_ref().map(count)).collect(),
    };
    let covered = truth.covered_queries(view.direction).unwrap_or(0);
    // A judgment may add or remove a query's only positive: the first type counts queries with positives.
    let with_positives = kinds.first().and_then(Option::as_ref).map_or(covered, |of| of.count().of);
    let name = evidence.truth_name(view.truth);
    let judged = (name != truth.name).then(|| tally(name, with_positives, KindQueries::count));
    let loaded = tally(truth.name.clone(), covered, |of| of.loaded);
    std::iter::once(loaded).chain(judged)
}

/// Queries of each error type, in the order of [`KINDS`]; `None` if the study lacks the data.
pub fn all_kind_queries(evidence: &Evidence<'_>, view: View) -> Vec<Option<KindQueries>> {
    let queries = |kind: &Kind| evidence.kind_queries(kind, view);
    KINDS.iter().map(queries).collect()
}

/// Computes the details of a view from collected evidence; no scores are read.
pub fn detail(evidence: &Evidence<'_>, view: View) -> Detail {
    let top_items = evidence.top_items(view.model);
    let relevance = evidence.relevance(view);
    let failures = evidence.kind_queries(&KINDS[0], view);
    let failures = failures.map_or_else(Vec::new, |failures| failures.queries);
    let queries = relevance.map_or(&[][..], Relevance::queries);
    // Without positives, top-1 is no failure.
    let has_positives =
        |place: usize| evidence.ranks(view).is_some_and(|ranks| ranks.query(place).listed > 0);
    let is_judged =
        |query: u32| relevance.and_then(|of| of.place(query as usize)).is_some_and(has_positives);
    let covered = queries.iter().filter(|&&query| is_judged(query)).count();
    let captions = |&query: &u32| {
        let is_failure = failures.binary_search(&query).is_ok();
        (is_failure, evidence.captions(query))
    };
    let texts: Vec<(bool, Vec<u32>)> = queries.iter().map(captions).collect();
    let texts = texts.iter().map(|(failed, of)| (*failed, of.as_slice()));
    let contrasts = failures.iter().filter_map(|&query| evidence.contrast(view, query));
    let contrasts: Vec<Contrast> = contrasts.collect();
    Detail {
        view,
        breakdown: Breakdown::new(evidence, view, covered),
        hubs: top_items.hubs(is_judged, &failures),
        words: words::failure_words(&evidence.texts, texts),
        swapped: words::swapped_words(&evidence.texts, &contrasts),
    }
}

/// Each tag with its number of pairs, most frequent first.
pub fn tag_counts(tags: &BTreeSet<(Pair, String)>) -> Vec<(String, usize)> {
    let mut pairs: BTreeMap<&String, usize> = BTreeMap::new();
    for (_, tag) in tags {
        *pairs.entry(tag).or_default() += 1;
    }
    let mut counts: Vec<_> = pairs.into_iter().map(|(tag, pairs)| (tag.clone(), pairs)).collect();
    counts.sort_by_key(|(_, pairs)| Reverse(*pairs));
    counts
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::data::Direction;
    use crate::data::index::ModelIx;
    use crate::filter::Marks;
    use crate::rank::pass::CancelToken;
    use crate::study::demo;

    static MARKS: LazyLock<Marks> = LazyLock::new(Marks::default);
    const VIEW: View =
        View { model: ModelIx::new(1), truth: TruthIx::new(1), direction: Direction::T2i };

    fn kind(key: &str) -> &'static Kind {
        KINDS.iter().find(|kind| kind.key == key).unwrap()
    }

    fn queries(evidence: &Evidence<'_>, key: &str, view: View) -> Vec<u32> {
        let found = evidence.kind_queries(kind(key), view);
        found.unwrap().queries
    }

    fn gather_evidence(study: &crate::study::Study, direction: Direction) -> Evidence<'_> {
        let token = CancelToken::default();
        let asked = (direction, &*MARKS);
        let (models, truths) = ([1, 2].map(ModelIx::new), [0, 1].map(TruthIx::new));
        let found = Evidence::gather(study, (&models, &truths), asked, &[5], &token);
        found.unwrap().unwrap()
    }

    #[test]
    fn error_types_match_their_definitions() {
        let study = demo::open().unwrap();
        for direction in Direction::BOTH {
            let evidence = gather_evidence(&study, direction);
            for (model, truth) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
                let view =
                    View { model: ModelIx::new(model), truth: TruthIx::new(truth), direction };
                let of = |key| queries(&evidence, key, view);
                let failures = of("failure");
                for key in ["near-miss", "far-miss", "near-duplicate", "hub", "coarse-query"] {
                    let inside = |query: &u32| failures.binary_search(query).is_ok();
                    assert!(of(key).iter().all(inside), "{key}");
                }
                let (near, far) = (of("near-miss"), of("far-miss"));
                assert!(!near.iter().any(|query| far.contains(query)));
            }
            let under = |truth| View { truth: TruthIx::new(truth), direction, ..VIEW };
            let missing = kind("missing-label");
            let found = [0, 1].map(|truth| evidence.kind_queries(missing, under(truth)).unwrap());
            let [one, other] = found.clone().map(|found| found.queries);
            let rich = study.truths[1].relevance[direction].as_ref().unwrap();
            let judged = |query: &&u32| rich.place(**query as usize).is_some();
            assert_eq!(one.iter().filter(judged).copied().collect::<Vec<_>>(), other);
            // Only queries covered by both truths could have a missing label.
            assert_eq!(found.map(|found| found.of), [rich.len(), rich.len()]);
        }
    }

    /// Parts are disjoint, cover all queries, and match the error types.
    #[test]
    fn parts_add_up_to_all_covered_queries() {
        let study = demo::open().unwrap();
        for direction in Direction::BOTH {
            let evidence = gather_evidence(&study, direction);
            for (model, truth) in [(1, 0), (1, 1), (2, 0), (2, 1)] {
                let view =
                    View { model: ModelIx::new(model), truth: TruthIx::new(truth), direction };
                let of = |key| evidence.kind_queries(kind(key), view).unwrap();
                let breakdown = detail(&evidence, view).breakdown;
                let mut all: Vec<u32> =
                    breakdown.parts.iter().flat_map(|part| part.queries.clone()).collect();
                all.sort_unstable();
                let mut covered = evidence.relevance(view).unwrap().queries().to_vec();
                covered.sort_unstable();
                assert_eq!((all, breakdown.covered), (covered, of("failure").of));
                assert_eq!(breakdown.failures, of("failure").count().met);
                let [correct, missing, near, far, other] =
                    [0, 1, 2, 3, 4].map(|at| breakdown.parts[at].queries.as_slice());
                assert_eq!(missing, of("missing-label").queries);
                let is_original = truth == 0;
                let uncovered = breakdown.parts.get(5).map_or(&[][..], |part| &part.queries);
                let wrong = [missing, near, far, other, uncovered].map(<[u32]>::len);
                let wrong = wrong.iter().sum::<usize>() - if is_original { 0 } else { wrong[0] };
                assert_eq!(wrong, breakdown.failures);
                let is_apart = |query: &u32| {
                    is_original && (missing.contains(query) || uncovered.contains(query))
                };
                for (part, key) in [(near, "near-miss"), (far, "far-miss")] {
                    let mut of_type = of(key).queries;
                    of_type.retain(|query| !is_apart(query));
                    assert_eq!(part, of_type, "{key}");
                }
                assert!(missing.len() <= breakdown.original_failures && !correct.is_empty());
                let first = |query: &u32| {
                    let place = evidence.relevance(view).unwrap().place(*query as usize).unwrap();
                    evidence.ranks(view).unwrap().query(place).first()
                };
                assert!(correct.iter().all(|query| first(query) == Some(1)));
                assert!(near.iter().all(|query| matches!(first(query), Some(2..=5))));
                assert!(other.iter().all(|query| matches!(first(query), Some(6..=100))));
            }
        }
    }

    #[test]
    fn types_without_data_are_not_counted() {
        let mut study = demo::open().unwrap();
        study.models.truncate(1);
        study.gallery.texts.clear();
        let found = Evidence::gather(
            &study,
            (&[ModelIx::default()], &[TruthIx::default()]),
            (Direction::I2t, &MARKS),
            &[5],
            &CancelToken::default(),
        );
        let evidence = found.unwrap().unwrap();
        let truth = TruthIx::default();
        let survey = Survey::new(&evidence, &[truth], truth);
        let of = |key: &str| {
            let at = KINDS.iter().position(|kind| kind.key == key).unwrap();
            survey.tallies[0].counts[at]
        };
        assert_eq!([of("coarse-query"), of("near-duplicate")], [None, None]);
        assert!(of("failure").is_some() && of("hub").is_some());
        assert!(survey.details[0].words.is_empty());
    }

    /// A caption equal to a positive one is wrong only by the list.
    #[test]
    fn a_caption_that_is_the_same_text_is_a_near_duplicate() {
        let mut study = demo::open().unwrap();
        let evidence = gather_evidence(&study, Direction::T2i);
        let failure = queries(&evidence, "failure", VIEW)[0];
        let item = evidence.top_items(VIEW.model).top_items.first(failure).unwrap();
        let own = study.original_items(Direction::I2t, item as usize).first().unwrap();
        let text = study.gallery.texts[failure as usize].raw().to_uppercase();
        assert!(!queries(&evidence, "near-duplicate", VIEW).contains(&failure));
        drop(evidence);
        study.gallery.texts[own as usize] = crate::data::text::Text::new(&format!("The {text}!"));
        let evidence = gather_evidence(&study, Direction::T2i);
        assert!(queries(&evidence, "near-duplicate", VIEW).contains(&failure));
        let contrast = evidence.contrast(VIEW, failure).unwrap();
        assert_eq!((contrast.retrieved, contrast.wanted), (own, failure));
        assert!(contrast.extra.is_empty() && contrast.missing.is_empty());
    }

    /// A top-1 that a richer ground truth lists is compared with the query or its own captions, not itself.
    #[test]
    fn a_missing_label_stands_beside_the_original_annotation() {
        let study = demo::open().unwrap();
        for direction in Direction::BOTH {
            let evidence = gather_evidence(&study, direction);
            let view = View { direction, ..VIEW };
            let missing = queries(&evidence, "missing-label", view);
            assert!(missing.len() > 3, "{direction}");
            for query in missing {
                let contrast = evidence.contrast(view, query).unwrap();
                assert!(evidence.captions(query).contains(&contrast.wanted), "{direction} {query}");
            }
        }
    }

    /// Any caption of a positive image will do, not only the query.
    #[test]
    fn a_sibling_of_the_query_is_a_right_caption_too() {
        let mut study = demo::open().unwrap();
        let evidence = gather_evidence(&study, Direction::T2i);
        let failure = queries(&evidence, "failure", VIEW)[0];
        let item = evidence.top_items(VIEW.model).top_items.first(failure).unwrap();
        drop(evidence);
        let captions = |image: u32| study.original_items(Direction::I2t, image as usize);
        let image = study.original_items(Direction::T2i, failure as usize).first().unwrap();
        let sibling = captions(image).iter().find(|&one| one != failure).unwrap();
        let own = captions(item).iter().last().unwrap();
        study.gallery.texts[own as usize] = study.gallery.texts[sibling as usize].clone();
        let evidence = gather_evidence(&study, Direction::T2i);
        assert!(queries(&evidence, "near-duplicate", VIEW).contains(&failure));
        let contrast = evidence.contrast(VIEW, failure).unwrap();
        assert_eq!((contrast.retrieved, contrast.wanted), (own, sibling));
    }

    #[test]
    fn the_most_frequent_tag_comes_first() {
        let pair = |image: u32, caption: u32| Pair { image: image.into(), caption: caption.into() };
        let tags = [(pair(1, 1), "a"), (pair(1, 1), "b"), (pair(1, 2), "b"), (pair(2, 2), "b")];
        let counts = tag_counts(&tags.map(|(pair, tag)| (pair, tag.to_owned())).into());
        assert_eq!(counts, [("b".to_owned(), 3), ("a".to_owned(), 1)]);
    }
}
