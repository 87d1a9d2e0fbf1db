//! Differences of the two compared models under each ground truth, and their paired tests.

use std::sync::Arc;

use super::results::PopupNeeds;
use super::{Model, Refusal};
use crate::analysis::conclusion::{Difference, better_first};
use crate::analysis::inference::LEVEL;
use crate::analysis::leaderboard::{Entry, Leaderboard, RankedMetric};
use crate::analysis::published_models::published;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::parts::QueryParts;
use crate::evaluate::plan;
use crate::jobs::{
    GroupInputs, GroupKey, MetricTest, PairedTest, TestKey, TestResult, tested_metrics,
};
use crate::metric::map_at_r::MapAtR;
use crate::metric::{Spec, Summary, hit};
use crate::study::View;

/// Metrics by which models are ranked: R@1 and mAP@R.
fn ranked_specs() -> [Spec; 2] {
    [Spec::new(&hit::R1), Spec::new(&MapAtR)]
}

impl Model {
    /// R@1 and mAP@R of the current model minus the rival under a ground truth, in the current direction; only R@1 if
    /// both metrics are equal. Empty while ranks are computed, or if a mean is undefined.
    pub fn differences(&self, truth: TruthIx) -> Vec<Difference> {
        if let Some(result) = self.test_result(truth) {
            let metrics = || result.metrics.iter().take(2);
            let distinct = metrics().filter(|of| of.corrected.same_as.is_none());
            let equal = metrics().find(|of| of.corrected.same_as.is_some()).map(|of| of.spec);
            let difference = |test: &MetricTest| {
                let [first, second] = test.means?;
                Some(Difference {
                    truth,
                    spec: test.spec,
                    mean: first - second,
                    interval: test.interval,
                    is_significant: Some(test.corrected.holm.is_some_and(|p| p < LEVEL)),
                    equal,
                })
            };
            return distinct.filter_map(difference).collect();
        }
        let of_model = |model| self.metrics_at(View { model, truth, ..self.view });
        let pair = self.model_pair().map(|two| two.map(of_model));
        let Some([Some(first), Some(second)]) = pair else {
            return Vec::new();
        };
        let is_same = [first, second].iter().all(|of| of.r1 == of.map_at_r);
        let means = [[first.r1, second.r1], [first.map_at_r, second.map_at_r]];
        let metrics = tested_metrics(self.truth()).into_iter().zip(means);
        let difference = |(spec, [first, second]): (Spec, [Summary; 2])| {
            let mean = first.value? - second.value?;
            let equal = is_same.then(|| Spec::new(&MapAtR));
            Some(Difference { truth, spec, mean, interval: None, is_significant: None, equal })
        };
        metrics.take(if is_same { 1 } else { 2 }).filter_map(difference).collect()
    }

    /// Indices into [`Model::model_pair`], 0 and 1, the better model by mAP@R under the current ground truth first.
    pub(in crate::tui) fn better_first(&self) -> [usize; 2] {
        better_first(&self.differences(self.view.truth))
    }

    /// Ground truths that cover queries of the current direction.
    pub fn covering_truths(&self) -> impl Iterator<Item = TruthIx> + '_ {
        let truths = TruthIx::all(&self.study.truths);
        truths.filter(|&at| self.study.truths[at].relevance[self.view.direction].is_some())
    }

    /// Paired tests of the two models under a ground truth; `None` while they run, or with one model.
    pub fn test_result(&self, truth: TruthIx) -> Option<&TestResult> {
        self.known.error_analysis.tests.get(&self.test_key(truth)?)
    }

    /// Key of the paired tests under a ground truth; `None` with one model.
    fn test_key(&self, truth: TruthIx) -> Option<TestKey> {
        let direction = self.view.direction;
        Some(TestKey { models: self.model_pair()?, truth, direction })
    }

    /// Tests on screen that have not run and whose ranks are known, those of the current truth first; `None` if no test
    /// is on screen.
    pub(crate) fn wanted_tests(&self) -> Option<Vec<TestKey>> {
        let here = self.view.truth;
        let mut keys = Vec::new();
        if matches!(self.demand.popup, PopupNeeds::Tests) {
            keys.extend(self.test_key(here));
        }
        if self.is_comparing() {
            let others = self.covering_truths().filter(|truth| *truth != here);
            let truths = std::iter::once(here).chain(others);
            keys.extend(truths.filter_map(|truth| self.test_key(truth)));
        }
        if keys.is_empty() {
            return None;
        }
        let has_ranks = |key: &TestKey| {
            let TestKey { truth, direction, .. } = *key;
            let view = |model| View { model, truth, direction };
            key.models.into_iter().all(|model| self.unedited_metrics(view(model)).is_some())
        };
        let tests = &self.known.error_analysis.tests;
        keys.retain(|key| !tests.contains_key(key) && has_ranks(key));
        Some(keys)
    }

    /// Inputs of the tests with these keys; without tests whose ranks are not known yet.
    pub(crate) fn paired_tests(&self, keys: &[TestKey]) -> Vec<PairedTest> {
        let images: Option<Arc<[u32]>> = self.image_of_caption().map(Into::into);
        let test = |&key: &TestKey| {
            let TestKey { models, truth, direction } = key;
            let [first, second] =
                models.map(|model| self.edited_ranks(View { model, truth, direction }));
            Some(PairedTest {
                key,
                specs: tested_metrics(&self.study.truths[truth]),
                images: images.clone(),
                ranks: [first?, second?],
                parts: QueryParts::for_truth(&self.study, truth, direction),
            })
        };
        keys.iter().filter_map(test).collect()
    }

    /// All models that can be compared in this view, best first by R@1 (`by` = 0) or mAP@R (1).
    pub(in crate::tui) fn leaderboard(&self, by: usize) -> Leaderboard {
        let View { truth, direction, .. } = self.view;
        let letters = self.known.error_analysis.letters.get(&(truth, direction));
        let entry = |(place, model): (usize, ModelIx)| {
            let metrics = self.metrics_at(View { model, ..self.view });
            let summaries = [metrics.map(|known| known.r1), metrics.map(|known| known.map_at_r)];
            let letters =
                letters.map(|two| two.each_ref().map(|each| each.get(place).cloned().flatten()));
            Entry {
                name: self.study.models[model].name.clone(),
                values: summaries.map(|summary| summary?.value).to_vec(),
                letters: letters.unwrap_or_default().to_vec(),
                ..Entry::default()
            }
        };
        // Results and published numbers do not include this session's judgments.
        let key = |spec| {
            let key = plan::key(&self.study, truth, self.study.pool, spec);
            key.filter(|_| !self.is_truth_edited(truth))
        };
        let metric = |spec: Spec| {
            let key = key(spec).unwrap_or_default();
            let published = published().find_key(&self.study, truth, &key, &spec.to_string());
            RankedMetric {
                is_published: published.is_some(),
                key: published.unwrap_or(key),
                title: spec.title(),
                unit: spec.metric.unit(),
            }
        };
        let metrics = ranked_specs().map(metric).to_vec();
        let mut entries: Vec<Entry> = self.usable_models().enumerate().map(entry).collect();
        let keys = metrics.iter().map(|metric| &*metric.key).collect::<Vec<_>>();
        entries.extend(self.results[direction].iter().map(|of| of.entry(&keys)));
        let truth = self.truth_label(truth);
        let mut board = Leaderboard::new(&truth, &[direction], metrics, entries);
        board.sort_by(by);
        board
    }

    /// Number of entries of the leaderboard; `None` if it is not shown: at most two models, and no earlier results.
    pub(in crate::tui) fn leaderboard_len(&self) -> Option<usize> {
        let (models, results) =
            (self.usable_models().count(), self.results[self.view.direction].len());
        (models > 2 || results > 0).then_some(models + results)
    }

    /// Key of the groups of models without a significant difference, if they are on screen and not known yet. Only more
    /// than two models are grouped.
    pub(crate) fn wanted_groups(&self) -> Option<GroupKey> {
        let key = (self.view.truth, self.view.direction);
        let is_known = self.known.error_analysis.letters.contains_key(&key);
        (self.is_comparing() && !is_known && self.usable_models().count() > 2).then_some(key)
    }

    /// Input of the job that groups models without a significant difference; `None` while ranks are computed.
    pub(crate) fn group_inputs(&self) -> Option<GroupInputs> {
        let View { truth, direction, .. } = self.view;
        let ranks =
            self.usable_models().map(|model| self.edited_ranks(View { model, ..self.view }));
        Some(GroupInputs {
            specs: ranked_specs(),
            images: self.image_of_caption().map(Into::into),
            image_count: self.study.gallery.images.len(),
            ranks: ranks.collect::<Option<_>>()?,
            parts: QueryParts::for_truth(&self.study, truth, direction),
        })
    }

    /// Refuses paired tests if there is one model, ranks are not known yet, or no query has a positive.
    pub(in crate::tui) fn check_tests(&self) -> Result<(), Refusal> {
        let models = self.model_pair().ok_or("paired tests take two models")?;
        let counted = models.map(|model| self.edited_ranks(View { model, ..self.view }));
        let [Some(first), Some(_)] = counted else {
            return Err("counting: paired tests take the numbers of both models".into());
        };
        if first.iter().all(|query| query.listed == 0) {
            return Err(
                "no query has a positive: paired tests take a ground truth, or judgments".into()
            );
        }
        Ok(())
    }
}
