//! The command line: types for clap, and one file per subcommand. No work beyond wiring.

/// As `eprintln!`, which panics where standard error cannot be written.
macro_rules! say {
    ($($words:tt)*) => { $crate::cli::say::line(format_args!($($words)*)) };
}

mod annotate;
mod as_typed;
mod asked;
mod cider;
mod compare;
mod completions;
mod condition;
mod config;
mod conventions;
mod correlate;
mod depths;
mod direction;
mod doctor;
mod draw;
mod drawn;
mod entities;
mod errors;
mod eval;
mod explore;
mod fg;
mod figure;
mod find;
mod format;
pub mod library;
mod localize;
mod look;
mod marks;
mod mix;
mod names;
mod pack;
mod pairs;
mod phi;
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
mod series;
mod show;
mod sr;
mod themes;
mod truth;

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::thread;

use clap::{Args, Parser, Subcommand};

use self::say::report_notes;
use crate::data::in_use::Run;
use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::rank::pass::CancelToken;
use crate::semantic;
use crate::session::RecentStudy;
use crate::study::{Inputs, PoolFiles, Study};

/// Browse, compare and explain image-text retrieval.
#[derive(Debug, Parser)]
#[command(
    name = "itm-explore",
    version,
    args_conflicts_with_subcommands = true,
    mut_arg("files", |files| files.help(explore::FILES)),
    after_help = "Examples:\n  itm-explore                                the built-in demo\n  \
                  itm-explore sims.npy eccv.json             explore a model under a bundle of ground truths\n  \
                  itm-explore eval a.npy b.npy truths/       the numbers, as a table"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    explore: explore::ExploreArgs,
}

/// One row a subcommand: its line in the help, its arguments, and what carries it out.
macro_rules! subcommands {
    ($($(#[$($said:tt)*])* $name:ident($args:ty) => $run:path;)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$($said)*])* $name($args),)*
        }

        impl Command {
            fn run(&self) -> anyhow::Result<u8> {
                match self {
                    $(Command::$name(args) => $run(args),)*
                }
            }
        }
    };
}

subcommands! {
    /// Print metrics of every model under every ground truth
    Eval(eval::EvalArgs) => eval::run;
    /// Compare models query by query: paired tests, wins and losses, similarity of rankings
    Compare(compare::CompareArgs) => compare::run;
    /// Show one model over the steps of its training: metrics, best steps, what is learned and forgotten
    Series(series::SeriesArgs) => series::run;
    /// Correlate metrics over models, from the results of `eval` and of the ECCV Caption paper
    Correlate(correlate::CorrelateArgs) => correlate::run;
    /// List the queries that meet a condition
    Find(find::FindArgs) => find::run;
    /// Write metrics, comparison, error types and examples as one page for a browser
    Report(report::ReportArgs) => report::run;
    /// Draw queries and rankings as a figure for a paper
    Figure(figure::FigureArgs) => figure::run;
    /// Draw one chart of a study, such as mAP@R against R@1 of models
    Plot(plot::PlotArgs) => plot::run;
    /// Print one query and what ranks first for it, with pictures
    Show(show::ShowArgs) => show::run;
    /// Show why a model fails: error types, hubs, words
    Errors(errors::ErrorsArgs) => errors::run;
    /// Count phrases, chains and boxes of Flickr30k Entities
    Entities(entities::EntitiesArgs) => entities::run;
    /// Mix two models: R@1 and mAP@R for every weight
    Mix(mix::MixArgs) => mix::run;
    /// Tell how often models score the right text of an image above a wrong one
    Pairs(pairs::PairsArgs) => pairs::run;
    /// Compare original with refined captions, and original with enlarged candidate pools
    Fg(fg::FgArgs) => fg::run;
    /// Measure how well phrases of captions are localised (Flickr30k Entities)
    Localize(localize::LocalizeArgs) => localize::run;
    /// Check files before any number is believed
    Doctor(doctor::DoctorArgs) => doctor::run;
    /// Tell what of the m most similar items is retrieved, for m from 1 to 30
    Sr(sr::SrArgs) => sr::run;
    /// Write CIDEr-D of every caption with every image, as a matrix
    Cider(cider::CiderArgs) => cider::run;
    /// Write ids, captions and ground truths as one bundle
    Pack(pack::PackArgs) => pack::run;
    /// Count, compare, make and write ground truths
    #[command(subcommand)]
    Truth(truth::TruthCommand) => truth::run;
    /// Annotate pairs, and use what people answered
    #[command(subcommand)]
    Annotate(annotate::AnnotateCommand) => annotate::run;
    /// Print what a shell needs to complete subcommands and options
    Completions(completions::CompletionsArgs) => completions::completions;
    /// Print a manual page
    Man(completions::ManArgs) => completions::man;
}

impl Command {
    /// The inputs of the subcommands that a page is made of.
    fn input_mut(&mut self) -> Option<&mut InputArgs> {
        match self {
            Command::Eval(args) => Some(&mut args.input),
            Command::Compare(args) => Some(&mut args.input),
            Command::Errors(args) => Some(&mut args.input),
            Command::Doctor(args) => Some(&mut args.input),
            Command::Figure(args) => Some(&mut args.input),
            _ => None,
        }
    }
}

/// The inputs of every subcommand. They stand at the end of its arguments: its own come first in the help.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Inputs")]
struct InputArgs {
    /// Score matrices, ground truths, captions, ids, folders: in any order, recognised by content
    #[arg(help_heading = None)]
    files: Vec<PathBuf>,
    /// Open the built-in demo, and with it the files that are named, such as ground truths of one's own
    #[arg(long, conflicts_with_all = ["i2t", "t2i", "image_emb", "text_emb", "run", "run_i2t", "run_t2i", "knn"])]
    demo: bool,
    /// Image ids in matrix order (.npy, JSON list, or one a line)
    #[arg(long, value_name = "FILE")]
    image_ids: Option<PathBuf>,
    /// Caption ids in matrix order (.npy, JSON list, or one a line)
    #[arg(long, value_name = "FILE")]
    caption_ids: Option<PathBuf>,
    /// Name a model, by its file or its own name, in every result; repeatable
    #[arg(long, value_name = "FILE=NAME", value_parser = renamed)]
    name: Vec<(String, String)>,
    /// Take models as steps of one training, by the last number in each name; of a folder, all matrices
    #[arg(long)]
    series: bool,
    /// The folder of the pictures, which are found by file name or COCO id in subfolders, too
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// The folder of Flickr30k Entities: phrases of captions, boxes of pictures (Sentences/, Annotations/)
    #[arg(long, value_name = "DIR")]
    entities: Option<PathBuf>,
    /// Captions of each image, in a row, where no file tells the original pairing; 0: none [default: as the
    /// sizes imply, where no file holds a ground truth]
    #[arg(long, value_name = "K")]
    captions_per_image: Option<u32>,
    /// The split that is taken of a Karpathy file (dataset_*.json) [default: test]
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Add a pool: a list of images (ids or file names) or of captions (.npy, JSON list, one a line);
    /// repeatable
    #[arg(long, value_name = "NAME=FILE", value_parser = pools::file)]
    pool_file: Vec<PoolFiles>,
    /// Add other texts of the captions, such as refined ones: a captions file; repeatable
    #[arg(long, value_name = "NAME=FILE", value_parser = text_set)]
    texts: Vec<(String, PathBuf)>,
    /// Say which of these texts a model was given; the captions shown are those of the model looked at; repeatable
    #[arg(long, value_name = "MODEL=NAME", value_parser = captions_of)]
    captions_of: Vec<(String, String)>,
    /// Write over files that are there
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
                semantic::add_truths(&mut study, &CancelToken::default())?;
            }
            Ok(study)
        })
    }

    fn open_with(inputs: &Inputs) -> crate::error::Result<Study> {
        progress::waiting("reading", || {
            let mut study = crate::study::open(inputs)?;
            semantic::add_truths(&mut study, &CancelToken::default())?;
            Ok(study)
        })
    }
}

impl Cli {
    /// Reads the command line; on a mistake, or where help is asked for, prints it and ends the program.
    pub fn read() -> Self {
        completions::answer();
        asked::read(std::env::args_os()).unwrap_or_else(|told| {
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
