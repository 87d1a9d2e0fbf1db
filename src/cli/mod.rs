//! The command line: types for clap, and one file per subcommand. No work beyond wiring.

/// Like `eprintln!`, but ignores it if standard error cannot be written.
macro_rules! say {
    ($($text:tt)*) => { $crate::cli::say::print_message(format_args!($($text)*)) };
}

/// Defines an enum of subcommands. Each row has the help, name and arguments of one, and the function that runs it.
macro_rules! subcommands {
    ($visibility:vis $commands:ident: $($(#[$attribute:meta])* $name:ident($args:ty) => $run:expr;)*) => {
        #[derive(Debug, clap::Subcommand)]
        $visibility enum $commands {
            $($(#[$attribute])* $name($args),)*
        }

        impl $commands {
            pub(in crate::cli) fn run(&self) -> anyhow::Result<$crate::cli::Code> {
                match self {
                    $($commands::$name(args) => Ok(($run)(args)?.into()),)*
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
struct Cli {
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
    Completions(completions::CompletionsArgs) => completions::run;
}

/// Runs the command line of this process, and returns the exit code. Usage errors, help and version end the process.
///
/// # Errors
/// Any failure of the command, as a message for the user.
pub fn run() -> anyhow::Result<u8> {
    let cli = Cli::read();
    let threads = parallel::start();
    if thread::available_parallelism().is_ok_and(|cores| threads < cores.get()) {
        say!("warning: the system starts only {threads} more threads (see `ulimit -u`): slower");
    }
    let Some(command) = cli.command else {
        let _run = Run::start(true);
        return exit_code(explore::run(&cli.explore));
    };
    // Commands that only write files complete them even if nobody reads their messages.
    let only_writes = match &command {
        Command::Convert(_) => true,
        Command::Truth(truth) => !matches!(truth, truth::TruthCommand::Stats(_)),
        _ => false,
    };
    if !only_writes {
        end_on_closed_pipe();
    }
    command.execute()
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
    /// Parses the command line. Prints usage errors, help and version, and exits.
    fn read() -> Self {
        completions::answer_shell();
        command_line::read(std::env::args_os()).unwrap_or_else(|message| {
            if message.use_stderr() {
                say!("{}", message.to_string().trim_end());
                std::process::exit(message.exit_code())
            }
            match message.print() {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    print_error(&say::stdout_error(&error));
                    std::process::exit(1)
                }
                _ => std::process::exit(message.exit_code()),
            }
        })
    }
}

impl Command {
    /// Runs the subcommand and returns the exit code.
    fn execute(&self) -> anyhow::Result<u8> {
        let _run = Run::start(false);
        exit_code(self.run())
    }
}

/// The exit code of a finished command; an input file that changed meanwhile replaces any error.
fn exit_code(outcome: anyhow::Result<Code>) -> anyhow::Result<u8> {
    let cause = |error: anyhow::Error| say::require_unchanged().err().map_or(error, Into::into);
    outcome.map(|code| code.0).map_err(cause)
}

/// Prints an error on standard error, if that can be written.
pub fn print_error(error: &impl Display) {
    say!("error: {error}");
}

/// The study with the caption texts of the model named `model`, or of the first model without a name. Unchanged if no
/// model has the name.
fn with_texts_of(study: Study, model: Option<&str>) -> Study {
    // An unknown name is reported where the model itself is looked up.
    let model = model.map_or(Ok(ModelIx::default()), |name| study.model_index(name));
    model.ok().and_then(|model| study.with_texts_of(model)).unwrap_or(study)
}

/// Indices of the models with these names; without names, of all models.
fn model_indices(study: &Study, names: &[String]) -> Result<Vec<ModelIx>> {
    if names.is_empty() {
        return Ok(ModelIx::all(&study.models).collect());
    }
    names.iter().map(|name| study.model_index(name)).collect()
}

/// From now on, a closed pipe at standard output ends the program without a message, as in other Unix filters.
#[expect(unsafe_code, reason = "the standard library offers no other way")]
fn end_on_closed_pipe() {
    // SAFETY: sets the default action of a signal.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}
