//! The command line: types for clap, and one file per subcommand. No work beyond wiring.

/// Like `eprintln!`, which panics if standard error cannot be written.
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
            pub(in crate::cli) fn run(&self) -> anyhow::Result<$crate::cli::Code> {
                match self {
                    $($of::$name(args) => Ok($run(args)?.into()),)*
                }
            }
        }
    };
}

mod annotate;
mod appearance;
mod command_line;
mod compare;
mod completions;
mod config;
mod convert;
mod correlate;
mod doctor;
mod draw;
mod errors;
mod eval;
mod explore;
mod fg;
mod figure;
mod find;
mod format;
mod inputs;
pub mod library;
mod marks;
mod mix;
mod phrases;
mod plot;
mod progress;
mod report;
mod say;
mod semantic;
mod series;
mod show;
mod slices;
mod truth;
mod typed_inputs;
mod values;

use std::fmt::Display;
use std::io::ErrorKind;
use std::thread;

use clap::Parser;

use self::inputs::InputArgs;
use crate::data::in_use::Run;
use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::error::Result;
use crate::study::Study;

/// Browse, compare and explain image-text retrieval.
#[derive(Debug, Parser)]
#[command(
    name = "itm-explore",
    version,
    args_conflicts_with_subcommands = true,
    mut_arg("files", |files| files.help("Scores, ground truths, captions, folders [default: the demo]")),
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
    /// Accepted by scripts of earlier versions: only warnings are printed
    #[arg(long, short, global = true, hide = true)]
    quiet: bool,
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
    /// Show on which queries models differ most: words, categories, length
    Slices(slices::SlicesArgs) => slices::run;
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
}

/// Exit code of a command.
#[derive(Debug)]
struct Code(u8);

impl From<()> for Code {
    fn from((): ()) -> Self {
        Code(0)
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
        if !library::is_capturing() {
            let threads = parallel::start();
            if thread::available_parallelism().is_ok_and(|cores| threads < cores.get()) {
                say!(
                    "warning: the system starts only {threads} more threads (see `ulimit -u`): slower"
                );
            }
        }
        let done = self.done();
        // A file that changed meanwhile explains any error.
        done.map(|code| code.0).map_err(|error| say::unchanged().err().map_or(error, Into::into))
    }

    fn done(&self) -> anyhow::Result<Code> {
        let _run = Run::start(self.command.is_none());
        match &self.command {
            None => explore::run(&self.explore),
            Some(command) => {
                // Files are written to their end, whoever listens.
                let only_writes = match command {
                    Command::Convert(_) => true,
                    Command::Truth(truth) => !matches!(truth, truth::TruthCommand::Stats(_)),
                    _ => false,
                };
                if !only_writes {
                    end_on_closed_pipe();
                }
                command.run()
            }
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

/// The models of these names; without names all.
fn model_places(study: &Study, names: &[String]) -> Result<Vec<ModelIx>> {
    if names.is_empty() {
        return Ok(ModelIx::all(&study.models).collect());
    }
    names.iter().map(|name| study.model_place(name)).collect()
}

/// Quietly ends when the reader of standard output goes away, as other filters do.
#[expect(unsafe_code, reason = "the standard library offers no other way")]
fn end_on_closed_pipe() {
    // The action of a signal is the calling program's own.
    if library::is_capturing() {
        return;
    }
    // SAFETY: sets the default action of a signal, before any thread is started.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}
