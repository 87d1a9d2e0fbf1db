//! `itm-explore annotate import`: checks judgments and writes their ground truth.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::annotate::hits::{self, Hits};
use crate::annotate::import::{
    self, CheckOptions, CheckedImport, DecisionCounts, DecisionRule, Import, PairDecision,
    disputed_pool,
};
use crate::annotate::pool::{self, Pool};
use crate::cli::convert::{form, form_parser};
use crate::cli::correlate::require_distinct;
use crate::cli::format::FormatArgs;
use crate::cli::say;
use crate::cli::values::choices;
use crate::data::output::{check_free, write_whole};
use crate::data::source::Source;
use crate::data::text::count;
use crate::error::Result;
use crate::report;
use crate::study::{self, NamedPairs};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate import anna.json bo.json cy.json --hits hits.json -o human/\n  \
                  itm-explore annotate import *.json --hits hits.json --rule strict --disputed disputed.jsonl\n  \
                  itm-explore annotate import *.json --hits hits.json --adjudicator judge -o human/",
    after_long_help = "ANSWERS are files saved by the page of `annotate hits`, sessions of the explorer, JSON exports of Label Studio,\n\
                       or CSV with the columns of ECCV Caption's raw annotations:\n  \
                       model,ranking,score,cid,iid,annotation,shortcoming,shortcoming2"
)]
pub(in crate::cli) struct ImportArgs {
    /// Judgments: pages' files, sessions, CSV, Label Studio
    #[arg(required = true, value_name = "ANSWERS")]
    answers: Vec<PathBuf>,
    /// HITs that were judged; checks golden pairs and foreign answers
    #[arg(long, value_name = "HITS.json")]
    hits: Option<PathBuf>,
    /// majority, or strict: only what all agree on
    #[arg(long, default_value = "majority", value_parser = choices(DecisionRule::ALL.map(|(rule, word)| (word, rule))))]
    rule: DecisionRule,
    /// Annotator whose judgments decide alone
    #[arg(long, value_name = "NAME")]
    adjudicator: Option<String>,
    /// Also count HITs with wrong answers to golden pairs
    #[arg(long)]
    keep_failed: bool,
    /// Count partial as a positive: grade 1, yes is 2
    #[arg(long)]
    partial: bool,
    /// Write the ground truth: a folder, or the bundle
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Form: json, qrels or bundle
    #[arg(long = "as", default_value = "qrels", value_name = "FORM", value_parser = form_parser())]
    form: String,
    /// Name of the ground truth
    #[arg(long, default_value = "human")]
    name: String,
    /// Write pairs that annotators disagree on as a new pool
    #[arg(long, value_name = "POOL.jsonl")]
    disputed: Option<PathBuf>,
    /// Pool of the HITs, with its queries and who proposed a pair
    #[arg(long, value_name = "POOL.jsonl")]
    pool: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(args: &ImportArgs) -> anyhow::Result<()> {
    if let Some(out) = &args.disputed {
        check_free(out, args.force)?;
    }
    require_distinct(&args.answers)?;
    // A shell pattern like *.json also matches the files of `--hits` and `--pool`.
    let others = [&args.hits, &args.pool];
    let is_other = |path: &&PathBuf| others.iter().any(|other| other.as_ref() == Some(*path));
    let answers = args.answers.iter().filter(|path| !is_other(path));
    let sources = answers.map(|path| Source::open(path));
    let sources: Vec<Source> = sources.collect::<Result<_>>()?;
    let hits = args.hits.as_ref().map(|path| hits::read(&Source::open(path)?)).transpose()?;
    let options =
        CheckOptions { keep_failed: args.keep_failed, adjudicator: args.adjudicator.clone() };
    let import = Import::read(&sources)?;
    let checked = CheckedImport::from_import(import, hits.as_ref(), &options);
    if let Some(path) = &args.hits {
        checked.require_asked(&path.display().to_string())?;
    }
    if hits.is_none() && checked.import.answers.iter().any(|answer| answer.hit.is_some()) {
        say::warn([
            "answers of HITs without --hits FILE: golden pairs count in agreement and ground truth",
        ]);
    }
    checked.require_adjudicator(&options)?;
    let pool = |path: &PathBuf| read_pool(path, (&checked.import, hits.as_ref()));
    let pool = args.pool.as_ref().map(pool).transpose()?;
    let decided = checked.decide(args.rule);
    write_files(args, &checked, &decided, (hits.as_ref(), pool.as_ref()))?;
    let decision = DecisionCounts::from_pairs(&decided);
    Ok(args.format.print(|| report::import::report(&checked, &decision))?)
}

/// Reads the pool of `--pool`; drops pairs of queries that no HIT asks about, with a warning. `answers`: the imported
/// judgments, and the HITs.
fn read_pool(path: &Path, answers: (&Import, Option<&Hits>)) -> Result<Pool> {
    let source = Source::open(path)?;
    let mut pool = pool::read(&source)?;
    let foreign = import::drop_foreign_pairs(&mut pool, &source.display(), answers)?;
    if foreign > 0 {
        let (source, pairs) = (source.display(), count(foreign, "pair"));
        say!("warning: {source}: excluded {pairs} of queries that no HIT asks");
    }
    Ok(pool)
}

/// Writes the files of `--disputed` and `--output`.
fn write_files(
    args: &ImportArgs,
    checked: &CheckedImport,
    decided: &[PairDecision],
    (hits, pool): (Option<&Hits>, Option<&Pool>),
) -> Result<()> {
    if let Some(out) = &args.disputed {
        let disputed = disputed_pool(checked, checked.open_pairs(decided), hits, pool);
        write_whole(out, |file| pool::write(&disputed, file))?;
        say::print_written([out]);
    }
    let Some(out) = &args.output else {
        return Ok(());
    };
    let truth = import::decided_truth(decided, (hits, pool), args.partial);
    if args.form == "json" {
        say::warn(["lists do not hold what was judged not relevant: --as qrels and bundle do"]);
    }
    let written = study::write_pairs(
        None,
        vec![NamedPairs { name: args.name.clone(), pairs: truth }],
        (form(&args.form), out),
        args.force,
    )?;
    say::print_written(&written);
    Ok(())
}
