//! AP@R of every query of one model: under one truth against another.

use super::scatter::{Scatter, usual};
use super::{Asked, StudyChart, Takes};
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::error::{Error, Result};
use crate::figure::chart::Chart;
use crate::rank::pass::CancelToken;
use crate::study::Study;
use crate::truth::Kind;

/// A dot for each query that both truths judge.
pub const CHART: StudyChart = StudyChart {
    key: "ap-truths",
    title: "AP@R of each query under two ground truths, of the first model",
    takes: &[Takes::OneModel, Takes::Truths, Takes::Metrics, Takes::OneDirection, Takes::Pool],
    is_held: true,
    check: |study| {
        study.require_models_and_truths()?;
        let has_two = Direction::BOTH.iter().any(|&direction| {
            let has = |at: &TruthIx| study.truths[*at].relevance[direction].is_some();
            TruthIx::all(&study.truths).filter(has).count() > 1
        });
        if has_two {
            return Ok(());
        }
        Err(Error::new("truths", "1 ground truth")
            .expected("two, such as the original and an extended one"))
    },
    make,
};

fn make(asked: &Asked<'_>, token: &CancelToken) -> Result<Option<Chart>> {
    let study = asked.study();
    let model = asked.models[0];
    let asked = Asked { models: vec![model], ..asked.clone() };
    let view = asked.view()?;
    let truths = match asked.truths[..] {
        [_, _, _, ..] => {
            let found = format!("{} ground truths", asked.truths.len());
            return Err(Error::new("--truth", found).expected("two at most: one across, one up"));
        }
        [first, second] => [first, second],
        _ => [view.truth, other(study, view.truth, view.direction)?],
    };
    let specs = if asked.metrics.is_empty() {
        truths.map(|truth| usual(&study.truths[truth]))
    } else {
        [asked.specs(&["map_at_r"])?[0]; 2]
    };
    if asked.count(&truths, token)?.is_none() {
        return Ok(None);
    }
    let lists = truths.map(|truth| study.truths[truth].relevance[view.direction].as_ref());
    let ranks = truths.map(|truth| asked.ranks(model, truth, view.direction));
    let ([Some(judged), Some(also)], [Some(x), Some(y)]) = (lists, ranks) else {
        let names = truths.map(|truth| study.truths[truth].name.as_str());
        return Err(Error::new("--truth", names.join(", "))
            .expected(format!("two that have {} lists", view.direction)));
    };
    let point = |(place, &query): (usize, &u32)| {
        let there = also.place(query as usize)?;
        Some([specs[0].per_query(x.query(place))?, specs[1].per_query(y.query(there))?])
    };
    let points = judged.queries().iter().enumerate().filter_map(point);
    let mut context = format!("{} {}", asked.name(model), view.direction);
    context.extend(asked.study().pool_words().map(|pool| format!(", {pool}")));
    let names = truths.map(|truth| study.name_with_rule(&study.truths[truth]));
    let of = Scatter {
        points: &points.collect::<Vec<_>>(),
        names: names.each_ref().map(String::as_str),
        specs,
        context: &context,
    };
    Ok(Some(of.chart()))
}

/// What a truth is seen against: the original one, else the first other that has lists in the direction.
fn other(study: &Study, truth: TruthIx, direction: Direction) -> Result<TruthIx> {
    let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
    let mut all = original.into_iter().chain(TruthIx::all(&study.truths));
    let is_other = |at: &TruthIx| *at != truth && study.truths[*at].relevance[direction].is_some();
    all.find(is_other).ok_or_else(|| {
        Error::new("truths", format!("1 ground truth with {direction} lists"))
            .expected("two, such as the original and an extended one")
    })
}
