//! The command line: types for clap, and one file per subcommand. No work beyond wiring.

/// As `eprintln!`, which panics where standard error cannot be written.
macro_rules! say {
    ($($words:tt)*) => { $crate::cli::say::line(format_args!($($words)*)) };
}

/// Commands: a row each with description, arguments, and the function that runs it.
macro_rules! subcommands {
    ($visibility:vis $of:ident: $($(#[$attribute:meta])* $name:ident($args:ty) => $run:path;)*) => {
        #[derive(Debug, clap::Subcommand)]
        $visibility enum $of {
            $($(#[$attribute])* $name($args),)*
        }

        impl $of {
            pub(in crate::cli) fn run(&self) -> anyhow::Result<u8> {
                match self {
                    $($of::$name(args) => $run(args),)*
                }
            }
        }
    };
}

mod annotate;
mod as_typed;
mod command_line;
mod compare;
mod completions;
mod condition;
mod config;
mod conventions;
mod convert;
mod correlate;
mod depths;
mod direction;
mod doctor;
mod draw;
mod drawn;
mod errors;
mod eval;
mod explore;
mod fg;
mod figure;
mod find;
mod format;
pub mod library;
mod look;
mod marks;
mod mix;
mod names;
mod phi;
mod phrases;
mod pictures;
mod plot;
mod pooled;
mod pools;
mod progress;
mod recent;
mod report;
mod resampling;
mod rules;
mod say;
mod scores;
mod semantic;
mod series;
mod show;
mod themes;
mod truth;

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::thread;

use clap::{Args, Parser};

use self::say::report_notes;
use crate::data::in_use::Run;
use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::rank::pass::CancelToken;
use crate::session::RecentStudy;
use crate::study::{Inputs, PoolFiles, Study};

/// Browse, compare and explain image-text retrieval.
#[derive(Debug, Parser)]
#[command(
    name = "itm-explore",
    version,
    args_conflicts_with_subcommands = true,
    mut_arg("files", |files| files.help(explore::FILES)),
    after_help = "Examples:\n  itm-explore                            open the demo\n  \
                  itm-explore sims.npy coco5k/           explore your model\n  \
                  itm-explore eval a.npy b.npy coco5k/   print metrics\n\n\
                  Options of the explorer: `itm-explore --help`. Inputs: `itm-explore help inputs`"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    explore: explore::ExploreArgs,
}

subcommands! {
    Command:
    /// Show one query and its top results
    Show(show::ShowArgs) => show::run;
    /// List the queries or items that meet a condition
    Find(find::FindArgs) => find::run;
    /// Print metrics of every model under every ground truth
    Eval(eval::EvalArgs) => eval::run;
    /// Compare models query by query, with intervals and paired tests
    Compare(compare::CompareArgs) => compare::run;
    /// Show why a model fails: error types, hubs, words
    Errors(errors::ErrorsArgs) => errors::run;
    /// Mix two models: R@1 and mAP@R for every weight
    Mix(mix::MixArgs) => mix::run;
    /// Follow one model over its training steps
    Series(series::SeriesArgs) => series::run;
    /// Correlate metrics over models, also with 25 published models
    Correlate(correlate::CorrelateArgs) => correlate::run;
    /// Draw queries and rankings as a figure for a paper
    Figure(figure::FigureArgs) => figure::run;
    /// Draw one chart, such as mAP@R against R@1
    Plot(plot::PlotArgs) => plot::run;
    /// Write metrics, comparison, errors and examples as one HTML page
    Report(report::ReportArgs) => report::run;
    /// Check inputs for mistakes that would corrupt the metrics
    Doctor(doctor::DoctorArgs) => doctor::run;
    /// Write ground truths as one bundle, JSON lists or TREC qrels
    Convert(convert::ConvertArgs) => convert::run;
    /// Count, compare, make and merge ground truths
    #[command(subcommand)]
    Truth(truth::TruthCommand) => truth::TruthCommand::run;
    /// Annotate pairs and turn the judgments into a ground truth
    #[command(subcommand)]
    Annotate(annotate::AnnotateCommand) => annotate::AnnotateCommand::run;
    /// Count and localize phrases of Flickr30k Entities
    #[command(subcommand)]
    Phrases(phrases::PhrasesCommand) => phrases::PhrasesCommand::run;
    /// Fine-grained: refined captions, larger pools, hard negatives
    #[command(subcommand)]
    Fg(fg::FgCommand) => fg::FgCommand::run;
    /// CIDEr-D of captions, and semantic recall
    #[command(subcommand)]
    Semantic(semantic::SemanticCommand) => semantic::SemanticCommand::run;
    /// Print a shell's completion script
    Completions(completions::CompletionsArgs) => completions::completions;
    /// Print a manual page
    Man(completions::ManArgs) => completions::man;
}

/// The inputs of every subcommand. They stand at the end of its arguments: its own come first in the help.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Inputs")]
struct InputArgs {
    /// Scores, ground truths, captions, ids, folders; recognised by content
    #[arg(help_heading = None)]
    files: Vec<PathBuf>,
    /// Use the built-in demo, plus any files given
    #[arg(long, conflicts_with_all = ["i2t", "t2i", "image_emb", "text_emb", "run", "run_i2t", "run_t2i", "knn"])]
    demo: bool,
    /// Image ids in matrix order (.npy, JSON list, or one per line)
    #[arg(long, value_name = "FILE")]
    image_ids: Option<PathBuf>,
    /// Caption ids in matrix order (.npy, JSON list, or one per line)
    #[arg(long, value_name = "FILE")]
    caption_ids: Option<PathBuf>,
    /// Name a model in all results, by its file or name; repeatable
    #[arg(long, value_name = "FILE=NAME", value_parser = renamed)]
    name: Vec<(String, String)>,
    /// Treat models as training steps, by the last number in each name
    ///
    /// A folder stands for all matrices in it.
    #[arg(long)]
    series: bool,
    /// Folder of the image files, found by file name or COCO id
    ///
    /// Subfolders are searched, too.
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// Folder of Flickr30k Entities, with Sentences/ and Annotations/
    #[arg(long, value_name = "DIR")]
    entities: Option<PathBuf>,
    /// Consecutive captions per image without a ground truth (0: unpaired)
    ///
    /// [default: as the sizes imply]
    #[arg(long, value_name = "K")]
    captions_per_image: Option<u32>,
    /// Split of a Karpathy file (dataset_*.json) [default: test]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Add a candidate pool: a list of images or captions; repeatable
    ///
    /// Images by id or file name, captions by id (.npy, JSON list, or one per line).
    #[arg(long, value_name = "NAME=FILE", value_parser = pools::file)]
    pool_file: Vec<PoolFiles>,
    /// Add other texts of the captions, such as refined ones; repeatable
    #[arg(long, value_name = "NAME=FILE", value_parser = text_set)]
    texts: Vec<(String, PathBuf)>,
    /// Which of --texts a model was given; repeatable
    #[arg(long, value_name = "MODEL=NAME", value_parser = captions_of)]
    captions_of: Vec<(String, String)>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    conventions: conventions::ConventionArgs,
    #[command(flatten)]
    rules: rules::RuleArgs,
    #[command(flatten)]
    scores: scores::ScoreArgs,
    #[command(flatten)]
    phi: phi::PhiArgs,
}

/// Reads `FILE=NAME`.
fn renamed(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((file, name)) if !file.is_empty() && !name.trim().is_empty() => {
            Ok((file.to_owned(), name.trim().to_owned()))
        }
        _ => Err("FILE=NAME is wanted, such as sims.npy=Ours".into()),
    }
}

/// Reads `NAME=FILE`.
fn text_set(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !file.is_empty() && !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), file.into()))
        }
        _ => Err("NAME=FILE is wanted, such as refined=MSCOCO_FG_ann.json".into()),
    }
}

/// Reads `MODEL=NAME`.
fn captions_of(text: &str) -> Result<(String, String), String> {
    match text.rsplit_once('=') {
        Some((model, name)) if !model.is_empty() && !name.trim().is_empty() => {
            Ok((model.to_owned(), name.trim().to_owned()))
        }
        _ => Err("MODEL=NAME is wanted, such as clip_fg=refined".into()),
    }
}

impl InputArgs {
    fn inputs(&self, texts: bool) -> Inputs {
        let scores = self.scores.inputs();
        let phis = self.phi.phis();
        Inputs {
            files: self.files.clone(),
            image_ids: self.image_ids.clone(),
            caption_ids: self.caption_ids.clone(),
            captions_per_image: self.captions_per_image,
            demo: self.demo || (self.files.is_empty() && scores.is_empty()),
            force: self.force,
            series: self.series,
            names: self.name.clone(),
            captions_first: self.scores.captions_first(),
            scores,
            texts: texts || phis.need_texts() || self.entities.is_some(),
            phis,
            split: self.split.clone(),
            rules: self.rules.rules(),
            pools: pools::merged(&self.pool_file),
            images: self.images.clone(),
            text_sets: self.texts.clone(),
            captions_of: self.captions_of.clone(),
            entities: self.entities.clone(),
            no_positives: self.conventions.no_positives,
            short_lists: self.conventions.short_lists,
            ..Inputs::default()
        }
    }

    /// The study that the arguments name.
    fn open(&self, texts: bool) -> crate::error::Result<Study> {
        Self::open_with(&self.inputs(texts))
    }

    /// The study that the arguments name, as soon as its files are read: the truths of similarities are found later,
    /// unless there are no others.
    fn open_at_once(&self) -> crate::error::Result<Study> {
        progress::waiting("reading", || {
            let mut study = crate::study::open(&self.browsed())?;
            if study.truths.is_empty() {
                crate::semantic::add_truths(&mut study, &CancelToken::default())?;
            }
            Ok(study)
        })
    }

    fn open_with(inputs: &Inputs) -> crate::error::Result<Study> {
        progress::waiting("reading", || {
            let mut study = crate::study::open(inputs)?;
            crate::semantic::add_truths(&mut study, &CancelToken::default())?;
            Ok(study)
        })
    }
}

impl Cli {
    /// Reads the command line; on a mistake, or where help is asked for, prints it and ends the program.
    pub fn read() -> Self {
        completions::answer();
        command_line::read(std::env::args_os()).unwrap_or_else(|told| {
            if told.use_stderr() {
                say!("{}", told.to_string().trim_end());
                std::process::exit(told.exit_code())
            }
            match told.print() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    report(&say::lost(&error));
                    std::process::exit(1)
                }
                _ => std::process::exit(told.exit_code()),
            }
        })
    }

    /// Carries out what was asked for; the value is the exit code.
    ///
    /// # Errors
    /// Anything that went wrong, in words for the user.
    pub fn run(self) -> anyhow::Result<u8> {
        // A call from a program has threads of its own.
        if !library::is_heard() {
            let threads = parallel::start();
            if thread::available_parallelism().is_ok_and(|cores| threads < cores.get()) {
                say!(
                    "warning: the system starts only {threads} more threads (see `ulimit -u`): slower"
                );
            }
        }
        let done = self.done();
        // Whatever went wrong, a file that changed meanwhile is why.
        done.map_err(|error| say::unchanged().err().map_or(error, Into::into))
    }

    /// Opens a study again, as it was opened before.
    fn explore_again(&self, study: RecentStudy) -> anyhow::Result<u8> {
        explore::run(&self.explore, Some(study))
    }

    fn done(&self) -> anyhow::Result<u8> {
        let _run = Run::start(self.command.is_none());
        match &self.command {
            None => explore::run(&self.explore, recent::of_this()),
            Some(command) => command.run(),
        }
    }
}

/// Says on standard error what went wrong, if that can be written.
pub fn report(error: &impl Display) {
    say!("error: {error}");
}

/// The study with the texts that a model was given, the first where none is named.
fn with_texts_of(study: Study, model: Option<&str>) -> Study {
    // Who looks for the model itself tells that there is none.
    let model = model.map_or(Ok(ModelIx::default()), |name| study.model_place(name));
    let other = model.ok().and_then(|model| study.with_texts_of(model));
    other.unwrap_or(study)
}

/// Quietly ends when the reader of standard output goes away, as other filters do.
#[expect(unsafe_code, reason = "the standard library offers no other way")]
fn end_on_closed_pipe() {
    // The action of a signal is the calling program's own.
    if library::is_heard() {
        return;
    }
    // SAFETY: sets the default action of a signal, before any thread is started.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}
