//! `itm-explore mix`: mixtures of two models by alpha.

use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;

use super::InputArgs;
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::values::choices;
use crate::analysis::held_out::AlphaTuner;
use crate::data::index::TruthIx;
use crate::data::scores::{Model, ModelPair, Scaling};
use crate::data::text::count;
use crate::error::{Error, Result};
use crate::evaluate::curve::{self, AlphaCurve, Point};
use crate::rank::pass::CancelToken;
use crate::report::curve::MixtureReport;
use crate::study::Study;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore mix lsa.npy minilm.npy coco5k/\n  \
                  itm-explore mix lsa.npy minilm.npy coco5k/ --scaling zscore --steps 0.05\n  \
                  itm-explore mix a.npy b.npy c.npy coco5k/ --models a,c --truth eccv --format json")]
pub(super) struct MixArgs {
    /// The two models; alpha is the weight of the first
    #[arg(long, alias = "model", value_delimiter = ',', value_name = "A,B")]
    models: Vec<String>,
    /// Scaling of both models' scores
    #[arg(long, default_value = Scaling::default().key(), value_parser = choices(Scaling::ALL.map(|one| (one.key(), one))))]
    scaling: Scaling,
    /// Alpha step; must divide 1
    #[arg(long, default_value_t = curve::STEP, value_name = "STEP")]
    steps: f64,
    /// Ground truth; with --session as judged [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Random seed of the split of images for the held-out estimate
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &MixArgs) -> anyhow::Result<()> {
    let alphas = curve::alphas(args.steps)?;
    let mut study = args.input.open(false)?;
    let mine = args.marks.add_mine(&mut study)?;
    study.require_models_and_truths()?;
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let [first, second] = mixed_models(args, &study)?;
    let curve = AlphaCurve {
        study: &study,
        pair: &ModelPair::new(first, second)?,
        scaling: args.scaling,
        specs: curve::main_specs(),
        truth: choose_truth(args, &study, &mine)?,
    };
    let mut tuner = AlphaTuner::new(&study, args.seed);
    let points = curve_points(&curve, &alphas, &mut tuner)?;
    let held_out = &tuner.results();
    let mixed = MixtureReport { curve: &curve, points: &points, held_out, seed: args.seed };
    Ok(args.format.print(|| mixed.report().with_pool(&study))?)
}

/// The ground truth to evaluate mixtures under, with judgments if they change it. `mine` has the names of each ground
/// truth before and after judgments.
fn choose_truth(args: &MixArgs, study: &Study, mine: &[[String; 2]]) -> Result<TruthIx> {
    let index = match &args.truth {
        Some(name) => study.truth_index(name)?,
        None => study.richest().unwrap_or_default(),
    };
    let name = &study.truths[index].name;
    let changed = mine.iter().find(|[before, _]| before == name);
    changed.map_or(Ok(index), |[_, after]| study.truth_index(after))
}

/// The two models that `--models` names, or the only two.
fn mixed_models<'a>(args: &MixArgs, study: &'a Study) -> Result<[&'a Model; 2]> {
    match (args.models.as_slice(), study.models.as_slice()) {
        ([], [first, second]) => Ok([first, second]),
        ([first, second], _) => Ok([study.require_model(first)?, study.require_model(second)?]),
        (names, models) => {
            let known: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
            let given = if names.is_empty() { models.len() } else { names.len() };
            let found = format!("{} given, two are mixed", count(given, "model"));
            Err(Error::new("--models", found).expected(format!("A,B, two of {}", known.join(", "))))
        }
    }
}

/// Points of the curve at all alphas, computed with one progress bar; also passes each with its ranks to the tuner.
fn curve_points(curve: &AlphaCurve, alphas: &[f64], tuner: &mut AlphaTuner) -> Result<Vec<Point>> {
    let (token, done) = (CancelToken::default(), AtomicUsize::new(0));
    let progress = || {
        let finished = done.load(Ordering::Relaxed) as f64;
        ((finished + token.progress()) / alphas.len() as f64).min(1.0)
    };
    let mut points = Vec::with_capacity(alphas.len());
    super::progress::with_bar("counting ranks", progress, || {
        curve.run(alphas, &token, |point, ranks| {
            tuner.add(point.alpha, ranks);
            points.push(point);
            done.fetch_add(1, Ordering::Relaxed);
        })
    })?;
    Ok(points)
}
