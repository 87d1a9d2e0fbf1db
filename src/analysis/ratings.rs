//! Correlation of labels, similarities and model scores with human ratings.

use super::association::{Association, Series};
use super::bootstrap::{self, Draws, quantile};
use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::Model;
use crate::data::stream::{Stream, Use};
use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;
use crate::rank::ranking;
use crate::study::Study;
use crate::truth::cxc::{self, Ratings};

/// Minimum images for an interval.
const MIN_IMAGES: usize = 4;

/// Correlations of one source of values with the ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingComparison {
    /// Name of the source.
    pub name: String,
    /// Kind of the source: labels of the original pairing, a similarity or a model.
    pub kind: &'static str,
    /// Over all rated pairs.
    pub all: RatingCorrelations,
    /// Over pairs outside the original pairing.
    pub others: RatingCorrelations,
}

/// Correlations with the ratings over some pairs; undefined for constant values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RatingCorrelations {
    /// Pairs with a value.
    pub pairs: usize,
    /// The correlations.
    pub value: Association,
    /// 95 % CI of each, by resampling images; `None` for fewer than four images.
    pub interval: [Option<[f64; 2]>; 3],
}

/// A pair with its human rating, and whether the original pairing has it.
struct RatedPair {
    image: u32,
    caption: u32,
    rating: f64,
    is_original: bool,
}

/// Name, kind and value of each rated pair, `None` if missing.
type PairValues = (String, &'static str, Vec<Option<f64>>);

/// Correlates labels, similarities and models with the ratings of a study.
///
/// # Errors
/// No ratings; scores that are not numbers.
pub fn compare_with_ratings(study: &Study, draws: Draws) -> Result<Vec<RatingComparison>> {
    let pairs = rated_pairs(study)?;
    let binary = pairs.iter().map(|pair| Some(f64::from(u8::from(pair.is_original))));
    let mut sources = vec![("original".to_owned(), "binary relevance", binary.collect())];
    sources.extend(pair_values(study, &pairs, &CancelToken::default())?);
    let compared = sources.into_iter().map(|(name, kind, values)| RatingComparison {
        name,
        kind,
        all: correlate(&pairs, &values, |_| true, draws),
        others: correlate(&pairs, &values, |pair| !pair.is_original, draws),
    });
    Ok(compared.collect())
}

/// Scores of the rated pairs by every similarity and model; incomplete if cancelled.
fn pair_values(study: &Study, pairs: &[RatedPair], token: &CancelToken) -> Result<Vec<PairValues>> {
    let phis = study.phis.iter().map(|phi| (phi, "phi"));
    let models = study.models.iter().map(|model| (model, "model"));
    let values = |(model, kind): (&Model, _)| Ok((model.name.clone(), kind, scores(model, pairs)?));
    let scored = phis.chain(models).take_while(|_| !token.is_cancelled());
    scored.map(values).collect()
}

/// Number of bins of ratings from 0 to 5, one unit each; the last includes both ends.
pub const BINS: usize = 5;
/// Quantiles reported per bin.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The spread of one similarity's or model's scores, by bin of ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingBins {
    /// Name of the similarity or model.
    pub name: String,
    /// Spread of each bin of ratings; `None` without pairs.
    pub bins: [Option<ScoreSpread>; BINS],
}

/// Spread of the scores of some pairs. Models have different scales: a score is converted to the percentage of all
/// rated pairs with a lower one, ties counting half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSpread {
    /// Number of pairs.
    pub pairs: usize,
    /// The 5th, 25th, 50th, 75th and 95th percentile.
    pub quantiles: [f64; 5],
}

/// The spread of the scores of each similarity and model, by bin of ratings; `None` if cancelled.
///
/// # Errors
/// No ratings; scores that are not numbers.
pub fn scores_by_rating(study: &Study, token: &CancelToken) -> Result<Option<Vec<RatingBins>>> {
    let pairs = rated_pairs(study)?;
    let bins = |(name, _, values): PairValues| RatingBins { name, bins: spreads(&pairs, &values) };
    let found = pair_values(study, &pairs, token)?.into_iter().map(bins);
    Ok((!token.is_cancelled()).then(|| found.collect()))
}

/// Spread of the values in each bin of ratings, as percentages of all rated pairs with a lower value.
fn spreads(pairs: &[RatedPair], values: &[Option<f64>]) -> [Option<ScoreSpread>; BINS] {
    let mut sorted: Vec<f64> = values.iter().flatten().copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let percentage = |value: f64| {
        let below = sorted.partition_point(|one| *one < value);
        let not_above = sorted.partition_point(|one| *one <= value);
        50.0 * (below + not_above) as f64 / sorted.len() as f64
    };
    let mut by_bin: [Vec<f64>; BINS] = Default::default();
    for (pair, value) in pairs.iter().zip(values) {
        let bin = (pair.rating.max(0.0) as usize).min(BINS - 1);
        by_bin[bin].extend(value.map(percentage));
    }
    by_bin.map(|mut values| {
        values.sort_unstable_by(f64::total_cmp);
        (!values.is_empty()).then(|| ScoreSpread {
            pairs: values.len(),
            quantiles: QUANTILES.map(|share| quantile(&values, share)),
        })
    })
}

/// Rated pairs of a study, sorted by image.
fn rated_pairs(study: &Study) -> Result<Vec<RatedPair>> {
    let ratings = study.bases[cxc::NAME].as_ref().and_then(|basis| basis.ratings());
    let rated = ratings.map(Ratings::pairs).unwrap_or_default();
    if rated.is_empty() {
        return Err(Error::new("inputs", "no ratings of pairs")
            .expected("CxC's sits_*.csv among the files"));
    }
    let pair = |&(image, caption, rating): &(u32, u32, f64)| RatedPair {
        image,
        caption,
        rating,
        is_original: study.original_items(Direction::T2i, caption as usize).contains(image),
    };
    let mut pairs: Vec<RatedPair> = rated.iter().map(pair).collect();
    pairs.sort_by_key(|pair| (pair.image, pair.caption));
    Ok(pairs)
}

/// Score of each pair, `None` if the model has none.
fn scores(model: &Model, pairs: &[RatedPair]) -> Result<Vec<Option<f64>>> {
    let images: Vec<&[RatedPair]> = pairs.chunk_by(|a, b| a.image == b.image).collect();
    let queries: Vec<usize> = images.iter().map(|of| of[0].image as usize).collect();
    ranking::check_scores(model, Direction::I2t, &queries)?;
    let read = |of: &&[RatedPair]| {
        let scores = model.scores.by_query(Direction::I2t).scores(of[0].image as usize);
        let score = |pair: &RatedPair| scores[pair.caption as usize];
        of.iter().map(|pair| Some(score(pair)).filter(|score| !score.is_nan())).collect()
    };
    let scores: Vec<Vec<Option<f64>>> = parallel::map(&images, read);
    Ok(scores.concat())
}

/// Correlations of values with the ratings over the pairs that `is_in` selects.
fn correlate(
    pairs: &[RatedPair],
    values: &[Option<f64>],
    is_in: impl Fn(&RatedPair) -> bool,
    draws: Draws,
) -> RatingCorrelations {
    let selected = pairs.iter().zip(values).filter(|(pair, _)| is_in(pair));
    let known = selected.filter_map(|(pair, value)| Some((pair, (*value)?)));
    let (pairs, values): (Vec<&RatedPair>, Vec<f64>) = known.unzip();
    let ratings: Vec<f64> = pairs.iter().map(|pair| pair.rating).collect();
    let series = Series::new(&values, &ratings);
    let images = pairs.chunk_by(|a, b| a.image == b.image).enumerate();
    let images: Vec<usize> = images.flat_map(|(at, of)| vec![at; of.len()]).collect();
    let once = vec![1; pairs.len()];
    RatingCorrelations {
        pairs: pairs.len(),
        value: series.association(&once),
        interval: intervals(&series, &images, draws),
    }
}

/// Central 95 % of each correlation over resampled images; `images` has the image of each pair.
fn intervals(series: &Series, images: &[usize], draws: Draws) -> [Option<[f64; 2]>; 3] {
    if bootstrap::group_count(images) < MIN_IMAGES {
        return [None; 3];
    }
    let resample = |resample| {
        let stream = Stream::new(draws.seed, Use::Ratings, resample);
        series.association(&bootstrap::resample(images, stream))
    };
    let drawn: Vec<Association> = parallel::map_indices(draws.resamples, resample);
    std::array::from_fn(|at| bootstrap::central_95(drawn.iter().filter_map(|of| of[at]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six pairs, one without a score: rating 5 is in the last bin, ties count half.
    #[test]
    fn each_bin_of_ratings_has_the_spread_of_its_scores() {
        let pair = |rating| RatedPair { image: 0, caption: 0, rating, is_original: false };
        let pairs = [0.0, 0.9, 1.0, 4.2, 5.0, 3.0].map(pair);
        let values = [Some(1.0), Some(2.0), Some(2.0), Some(4.0), Some(9.0), None];
        let found = spreads(&pairs, &values);
        let middle = found.map(|spread| spread.map(|spread| (spread.pairs, spread.quantiles[2])));
        let expected = [Some((2, 25.0)), Some((1, 40.0)), None, None, Some((2, 80.0))];
        assert_eq!(middle, expected);
        assert!(found[4].unwrap().quantiles.is_sorted());
    }
}
