//! Differences of the two compared models under each ground truth, and their paired tests.

use std::sync::Arc;

use super::Model;
use super::results::PopupNeeds;
use crate::analysis::conclusion::{Difference, better_first};
use crate::analysis::inference::LEVEL;
use crate::analysis::leaderboard::{Entry, Leaderboard, RankedMetric};
use crate::analysis::published_models::published;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::parts::QueryParts;
use crate::evaluate::plan;
use crate::jobs::{GroupInputs, GroupKey, MetricTest, PairedTest, TestInputs, compared_metrics};
use crate::metric::{Spec, Summary};
use crate::study::View;

impl Model {
    /// R@1 and mAP@R of the current model minus the rival under a ground truth, in the current direction; only R@1 if
    /// both metrics are equal. Empty while ranks are computed, or if a mean is undefined.
    pub fn differences(&self, truth: TruthIx) -> Vec<Difference> {
        let tests = self.tests(truth);
        if !tests.is_empty() {
            let distinct = tests.iter().copied().filter(|of| !of.equals_r1);
            let equal = tests.iter().find(|of| of.equals_r1).map(|of| of.spec);
            let difference = |test: &MetricTest| {
                let [first, second] = test.means?;
                Some(Difference {
                    truth,
                    spec: test.spec,
                    mean: first - second,
                    interval: test.interval,
                    is_significant: Some(test.p_holm.is_some_and(|p| p < LEVEL)),
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
        let means = [[first.r1, second.r1], [first.map_at_r, second.map_at_r]];
        let difference = |(spec, [first, second]): (Spec, [Summary; 2])| {
            let (mean, interval) = (first.value? - second.value?, None);
            Some(Difference { truth, spec, mean, interval, is_significant: None, equal: None })
        };
        compared_metrics().into_iter().zip(means).filter_map(difference).collect()
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

    /// Paired tests of the compared models under a ground truth, in the direction of the view; empty until they have run.
    pub fn tests(&self, truth: TruthIx) -> Vec<&MetricTest> {
        let tests = self.model_pair().and_then(|two| self.known.error_analysis.tests.get(&two));
        let is_of_view =
            |of: &&MetricTest| of.truth == truth && of.direction == self.view.direction;
        tests.into_iter().flatten().filter(is_of_view).collect()
    }

    /// Models whose paired tests are on screen and have not run.
    pub(crate) fn wanted_tests(&self) -> Option<[ModelIx; 2]> {
        let is_shown = self.is_comparing() || matches!(self.demand.popup, PopupNeeds::Tests);
        let models = self.model_pair().filter(|_| is_shown)?;
        (!self.known.error_analysis.tests.contains_key(&models)).then_some(models)
    }

    /// Input of the paired tests; `None` while ranks are computed.
    pub(crate) fn test_inputs(&self) -> Option<TestInputs> {
        let models = self.model_pair()?;
        let views = Direction::BOTH.into_iter().flat_map(|direction| {
            TruthIx::all(&self.study.truths)
                .filter(move |&truth| self.study.truths[truth].relevance[direction].is_some())
                .map(move |truth| (truth, direction))
        });
        let test = |(truth, direction)| {
            let [first, second] =
                models.map(|model| self.edited_ranks(View { model, truth, direction }));
            Some(PairedTest {
                truth,
                direction,
                ranks: [first?, second?],
                parts: QueryParts::for_truth(&self.study, truth, direction),
            })
        };
        let images: Option<Arc<[u32]>> = self.image_of_caption().map(Into::into);
        Some(TestInputs { images, tests: views.map(test).collect::<Option<_>>()? })
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
        let metrics = compared_metrics().map(metric).to_vec();
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
            images: self.image_of_caption().map(Into::into),
            image_count: self.study.gallery.images.len(),
            ranks: ranks.collect::<Option<_>>()?,
            parts: QueryParts::for_truth(&self.study, truth, direction),
        })
    }
}
