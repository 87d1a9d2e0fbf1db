//! `itm-explore annotate pool`: pools the top items of several models as pairs to judge, each pair once.

use std::path::PathBuf;

use clap::Args;

use crate::analysis::draw::sample_at_random;
use crate::annotate::pool::{self, Candidate, Order, Plan, Pool, PoolHead, gather_candidates};
use crate::cli::draw;
use crate::cli::format::FormatArgs;
use crate::cli::values::{DirectionArgs, above_zero, choices, positive_number};
use crate::cli::{InputArgs, model_indices, progress, say};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::output::{check_free, write_whole};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::filter::Marks;
use crate::report::pool::{Effort, report};
use crate::study::{Study, View};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate pool a.npy b.npy coco5k/ -o pool.jsonl\n  \
                  itm-explore annotate pool a.npy b.npy coco5k/ --sample 200 --seed 7 --unlisted -o pool.jsonl\n  \
                  itm-explore annotate pool a.npy b.npy coco5k/ --where \"a.r1 != b.r1\" -o pool.jsonl"
)]
pub(in crate::cli) struct PoolArgs {
    /// Items per ranking
    #[arg(long, value_name = "K", default_value_t = 25, value_parser = above_zero)]
    top: u32,
    /// Models that propose pairs [default: all]
    #[arg(long, alias = "model", value_delimiter = ',', value_name = "A,B")]
    models: Vec<String>,
    /// Also propose the positives of a ground truth; repeatable
    #[arg(long, value_name = "NAME")]
    add_truth: Vec<String>,
    /// List of query ids or file names; once per direction
    #[arg(long, value_name = "FILE", conflicts_with = "condition")]
    queries: Vec<PathBuf>,
    /// Queries that meet a condition, as in `find` [default: all covered]
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    condition: Option<String>,
    /// Sample N of these queries per direction
    #[arg(long, value_name = "N", value_parser = above_zero)]
    sample: Option<u32>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Ground truth with queries and known positives [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Exclude pairs that this ground truth lists as positives
    #[arg(long)]
    unlisted: bool,
    /// Order of judging
    #[arg(long, value_name = "RULE", default_value = Order::ALL[0].0, value_parser = choices(Order::ALL.map(|one| (one.0, one))))]
    order: (&'static str, Order),
    /// Judgments per minute, to estimate the cost
    #[arg(long, value_name = "N", default_value_t = 12.0, value_parser = positive_number)]
    pace: f64,
    /// Annotators per pair
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = above_zero)]
    overlap: u32,
    /// Pool to write (JSON Lines) [default: print the counts only]
    #[arg(long, short, value_name = "POOL.jsonl")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &PoolArgs) -> anyhow::Result<()> {
    if let Some(out) = &args.output {
        check_free(out, args.input.given.force)?;
    }
    let mut study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let listed = study.listed_queries(&args.queries)?;
    let richest = study.richest().unwrap_or_default();
    let truth = args.truth.as_ref().map_or(Ok(richest), |name| study.truth_index(name))?;
    let (pool, positives) = PoolRequest { args, study: &study, truth, listed }.make_pool()?;
    let truth = &study.truths[truth].name;
    if let Some(out) = &args.output {
        write_whole(out, |file| pool::write(&pool, file))?;
        say::print_written([out]);
    }
    let effort = Effort { pace: args.pace, people: args.overlap as usize, listed: positives };
    Ok(args.format.print(|| report(&pool, truth, effort))?)
}

/// The arguments, with the study, ground truth and queries that they name.
struct PoolRequest<'a> {
    args: &'a PoolArgs,
    study: &'a Study,
    /// Ground truth with queries and known positives.
    truth: TruthIx,
    /// Queries in the files of `--queries`; `None` for a direction without a file.
    listed: PerDirection<Option<Vec<u32>>>,
}

impl PoolRequest<'_> {
    /// The pool, and how many of its pairs are positives of the ground truth.
    fn make_pool(&self) -> anyhow::Result<(Pool, usize)> {
        let plan = self.plan()?;
        let mut positives = 0;
        let make = || -> Result<Vec<Candidate>> {
            let mut all = gather_candidates(&plan)?;
            if self.args.unlisted {
                all.retain(|pair| !self.is_positive(pair));
            }
            positives = all.iter().filter(|pair| self.is_positive(pair)).count();
            pool::sort(&mut all, self.args.order.1, plan.models.len(), self.args.seed);
            Ok(all)
        };
        let candidates = progress::with_spinner("gathering", make)?;
        if candidates.is_empty() {
            return Err(Error::new("the pool", "no pair in it")
                .expected("queries for which a model ranks something that is asked about")
                .into());
        }
        let pool = Pool::from_candidates(self.head(&plan), &candidates, &self.study.gallery);
        Ok((pool, positives))
    }

    /// Whether the ground truth lists the pair as a positive.
    fn is_positive(&self, candidate: &Candidate) -> bool {
        let (query, item) = candidate.pair.query_and_item(candidate.direction);
        let relevance = self.study.truths[self.truth].relevance[candidate.direction].as_ref();
        relevance.and_then(|relevance| relevance.contains(query, item)) == Some(true)
    }

    /// The models, ground truths and queries to pool, and the depth of the rankings.
    fn plan(&self) -> anyhow::Result<Plan<'_>> {
        let models = model_indices(self.study, &self.args.models)?;
        if self.args.order.1 == Order::Disagreement && models.len() < 2 {
            let found = "one model, which disagrees with nobody";
            return Err(Error::new("--order disagreement", found)
                .expected("at least two models")
                .fix("--order depth or random")
                .into());
        }
        let truths = self.args.add_truth.iter().map(|name| self.study.truth_index(name));
        let mut queries = PerDirection::default();
        for direction in self.directions() {
            queries[direction] = self.queries(direction)?;
        }
        let pooled = Direction::BOTH.into_iter().filter(|one| !queries[*one].is_empty());
        let max_depth = pooled.map(|direction| self.study.gallery.items(direction).len()).max();
        Ok(Plan {
            study: self.study,
            models,
            truths: truths.collect::<Result<_>>()?,
            top: (self.args.top as usize).min(max_depth.unwrap_or(usize::MAX)),
            queries,
        })
    }

    /// The directions of `--direction`; with `--queries` only those with a file.
    fn directions(&self) -> Vec<Direction> {
        let mut all = self.args.direction.list();
        all.retain(|&direction| self.args.queries.is_empty() || self.listed[direction].is_some());
        all
    }

    /// Gallery indices of the queries to pool in a direction, sampled with `--sample`.
    fn queries(&self, direction: Direction) -> anyhow::Result<Vec<u32>> {
        let all = match &self.listed[direction] {
            Some(listed) => listed.clone(),
            None => self.matching_queries(direction)?,
        };
        Ok(match self.args.sample {
            None => all,
            Some(count) => {
                let mut drawn = sample_at_random(&all, count as usize, self.args.seed);
                drawn.sort_unstable();
                drawn
            }
        })
    }

    /// Covered queries that meet the condition of `--where`; without it all covered queries. Empty if the ground truth
    /// lacks the direction.
    fn matching_queries(&self, direction: Direction) -> anyhow::Result<Vec<u32>> {
        let Some(relevance) = &self.study.truths[self.truth].relevance[direction] else {
            return Ok(Vec::new());
        };
        let Some(condition) = &self.args.condition else {
            return Ok(relevance.queries().to_vec());
        };
        let view = View { model: ModelIx::default(), truth: self.truth, direction };
        let matches = draw::find_matches(condition, self.study, view, &Marks::default())?;
        Ok(matches.queries.iter().map(|matched| matched.query).collect())
    }

    /// The first line of the pool's file: how the pool was made.
    fn head(&self, plan: &Plan<'_>) -> PoolHead {
        let names = plan.models.iter().map(|&model| self.study.models[model].name.clone());
        let truths = plan.truths.iter().map(|&truth| self.study.truths[truth].name.clone());
        PoolHead {
            format: pool::FORMAT.to_owned(),
            top: plan.top,
            models: names.collect(),
            truths: truths.collect(),
            queries: PerDirection::from_fn(|direction| plan.queries[direction].len()),
            chosen: self.describe_queries(&plan.queries),
            order: self.args.order.0.to_owned(),
            seed: self.args.seed,
            overlap: self.args.overlap as usize,
        }
    }

    /// How the queries were chosen, in words.
    fn describe_queries(&self, queries: &PerDirection<Vec<u32>>) -> String {
        let truth = &self.study.truths[self.truth].name;
        let condition = match (&self.args.condition, self.args.queries.as_slice()) {
            (Some(condition), _) => format!("where {condition}"),
            (None, []) => format!("judged by {truth}"),
            (None, _) => "listed".to_owned(),
        };
        let mut words = vec![condition];
        if self.args.sample.is_some() {
            let count = |one: Direction| format!("{} {one}", queries[one].len());
            let counts: Vec<String> = self.directions().into_iter().map(count).collect();
            let counts = counts.join(" and ");
            words.push(format!(", {counts} drawn at random, seed {}", self.args.seed));
        }
        if self.args.unlisted {
            words.push(format!("; without positives of {truth}"));
        }
        words.concat()
    }
}
