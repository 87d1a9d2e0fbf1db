//! `itm-explore eval`: metrics of every model under every truth.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;

use super::InputArgs;
use super::format::FormatArgs;
use super::marks::{MarksArgs, with_mine};
use super::values::{DirectionArgs, above_zero, choices};
use crate::analysis::clusters::Clustering;
use crate::analysis::intervals;
use crate::analysis::per_query::{self, Values};
use crate::data::output::{check_free, write_whole};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::evaluate::evaluate_each;
use crate::evaluate::plan::{Choice, Line, Request};
use crate::evaluate::rank_sets::RankSets;
use crate::metric::spelling;
use crate::report::evaluation::{EvalReport, Intervals};
use crate::report::formats::Format;
use crate::report::per_query::{EXTENSIONS, PerQuery};
use crate::study::Study;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore eval lsa.npy minilm.npy coco5k/\n  \
                  itm-explore eval sims.npy eccv.json --metrics r1,map_at_r,ndcg_at_10 --format json\n  \
                  itm-explore eval sims.npy coco5k/ --ci --per-query values.csv")]
pub(super) struct EvalArgs {
    #[command(flatten)]
    format: FormatArgs,
    /// Metrics such as `R@1` or `eccv_map_at_r`, or `all`
    ///
    /// Names as papers write them (`R@1`, `Recall@1`, `mAP@R`, `nDCG@10`), as keys have them (`r1`, `ir_recall_at_k`), or
    /// whole keys. Without it: `R@1`, `R@5`, `R@10` and `RSUM` of COCO 5K, `R@1` of `CxC`, `mAP@R` and `R-P` of other
    /// ground truths; with --long and in JSON and CSV all that `eccv_caption` reports.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    metrics: Vec<String>,
    /// Print metrics as rows, all of them
    #[arg(long)]
    long: bool,
    /// Depths of metrics at K, separated by commas
    #[arg(long, short, value_delimiter = ',', default_values_t = DEPTHS, value_parser = above_zero)]
    k: Vec<u32>,
    /// Ground truths [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    /// Pools: all, folds, random1000s7, or of --pool-file
    ///
    /// `fold1` to `fold5` and `folds`, their mean, need the COCO test gallery; `random1000s7` has 1,000 images drawn with
    /// seed 7 and their captions.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pool: Vec<String>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Cap of R in PMRP (the PCME papers use 50)
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pmrp_cap: Option<u32>,
    /// Add alpha * A + (1 - alpha) * B as a model; repeatable
    ///
    /// A fourth part scales the scores first: raw or zscore.
    #[arg(long, value_name = "A,B,ALPHA")]
    mix: Vec<String>,
    /// Also print the maximum attainable values
    #[arg(long)]
    ceiling: bool,
    /// Add 95 % confidence intervals (--ci=query: not clustered by image)
    #[arg(long, value_name = "CLUSTERS", num_args = 0..=1, require_equals = true, default_missing_value = "image", value_parser = choices([("image", Clustering::ByImage), ("query", Clustering::ByQuery)]))]
    ci: Option<Clustering>,
    /// Also write the values of each query: OUT.csv or .json (-: print)
    #[arg(long, value_name = "OUT")]
    per_query: Option<PathBuf>,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Default depths of metrics at K.
pub(super) const DEPTHS: [u32; 3] = [1, 5, 10];

pub(super) fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let mut study = args.input.open(false)?;
    let mine = args.marks.add_mine(&mut study)?;
    study.require_models_and_truths()?;
    study.add_mixtures(&args.mix)?;
    let request = Request {
        metrics: metric_choice(&args.metrics),
        depths: args.k.clone(),
        truths: with_mine(&args.truth, &mine),
        pools: args.pool.iter().map(|name| study.pool_named(name)).collect::<Result<_>>()?,
        pmrp_cap: args.pmrp_cap,
        ceiling: args.ceiling,
    };
    let out = args.per_query.as_deref().filter(|out| *out != Path::new("-"));
    let is_printed = args.per_query.is_some() && out.is_none();
    let out = out.map(|out| per_query_format(args, out)).transpose()?;
    let mut results = EvalResults::new(&study, args.ci, args.per_query.is_some());
    let evaluation = super::progress::with_rank_bar(|token| {
        evaluate_each(&study, &request, token, |sets, lines| results.add_model(sets, lines))
    })?;
    super::say::warn(&evaluation.undefined);
    if is_printed {
        let values = results.take_per_query(&evaluation.lines, args.direction.list());
        args.format.print(|| values.report())?;
        return Ok(());
    }
    if let Some((out, format)) = out {
        let values = results.take_per_query(&evaluation.lines, args.direction.list());
        write_whole(out, |file| (format.write)(values.report(), file))?;
    }
    let is_default = args.metrics.is_empty();
    let (directions, intervals) = (args.direction.list(), results.intervals);
    let evaluated = EvalReport::new(&evaluation, directions, intervals, is_default);
    // Python reads numbers by key.
    let is_long = args.long || args.format.is_for_caller();
    Ok(args.format.print(|| evaluated.report(is_long))?)
}

/// Checks the file of `--per-query`, and returns it with the format of its extension.
fn per_query_format<'a>(args: &EvalArgs, out: &'a Path) -> Result<(&'a Path, &'static Format)> {
    let ending = out.extension().and_then(OsStr::to_str).unwrap_or_default();
    let known = EXTENSIONS.into_iter().find(|key| *key == ending);
    let format = known.and_then(Format::from_key).ok_or_else(|| {
        Error::new("--per-query", format!("{} has an unknown ending", out.display()))
            .expected(format!("OUT.{}", EXTENSIONS.join(", OUT.")))
    })?;
    check_free(out, args.input.given.force)?;
    Ok((out, format))
}

/// Confidence intervals and per-query values of an evaluation, added model by model.
pub(super) struct EvalResults<'a> {
    study: &'a Study,
    /// Image of each caption, if intervals are clustered by image.
    images: Option<Vec<u32>>,
    pub(super) intervals: Option<Intervals>,
    /// Per-query values by model, then by line with such values; `None` if not requested.
    values: Option<Vec<Vec<PerDirection<Option<Values>>>>>,
}

impl<'a> EvalResults<'a> {
    /// Collects intervals clustered by `ci`, if given, and per-query values if `has_values`.
    pub(super) fn new(study: &'a Study, ci: Option<Clustering>, has_values: bool) -> Self {
        // Without `ci` no image is needed, as for intervals that are clustered by query.
        let images = ci.unwrap_or(Clustering::ByQuery).images(study);
        let by_image = images.is_some();
        EvalResults {
            study,
            intervals: ci.map(|_| Intervals { of_models: Vec::new(), by_image }),
            images,
            values: has_values.then(Vec::new),
        }
    }

    /// Computes and adds the requested intervals and per-query values of the next model.
    pub(super) fn add_model(&mut self, sets: &RankSets, lines: &[Line]) {
        if let Some(intervals) = &mut self.intervals {
            let images = self.images.as_deref();
            intervals.of_models.push(intervals::intervals(self.study, images, sets, lines));
        }
        if let Some(values) = &mut self.values {
            let lines = lines.iter().filter(|line| per_query::spec(line).is_some());
            let compute = |line, direction| Values::for_line(self.study, sets, line, direction);
            let by_direction = |line| PerDirection::from_fn(|direction| compute(line, direction));
            values.push(lines.map(by_direction).collect());
        }
    }

    /// Moves out the per-query values of all models, with `directions` and those of `lines` that have per-query values.
    fn take_per_query(&mut self, lines: &[Line], directions: Vec<Direction>) -> PerQuery<'a> {
        let lines = lines.iter().filter(|line| per_query::spec(line).is_some());
        PerQuery {
            study: self.study,
            lines: lines.cloned().collect(),
            directions,
            of_models: self.values.take().unwrap_or_default(),
        }
    }
}

/// The key of a metric by its name in papers: `r1` for `R@1`. Other names are returned without the blanks around them.
pub(super) fn metric_key(name: &str) -> String {
    let name = name.trim();
    spelling::key(name).unwrap_or_else(|| name.to_owned())
}

/// The metrics with these names; without names, the default ones.
pub(super) fn metric_choice(metrics: &[String]) -> Choice {
    match metrics {
        [] => Choice::Default,
        names if names.iter().any(|name| name.trim() == "all") => Choice::All,
        names => Choice::Named(names.iter().map(|name| metric_key(name)).collect()),
    }
}
