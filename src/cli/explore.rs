//! `itm-explore [FILES]`: the explorer.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value};

use super::appearance::{colours, image_mode, keymap, theme};
use super::compare::require_same_gallery;
use super::config::Settings;
use super::correlate::{read_results, split_results, with_free_names};
use super::typed_inputs::TypedInputs;
use super::{Code, InputArgs, command_line, progress};
use crate::analysis::results::ModelValues;
use crate::annotate::others::session_path;
use crate::annotate::pool::{self, OtherAnnotators};
use crate::data::output::folder_of;
use crate::data::source::Source;
use crate::data::{Direction, PerDirection, parallel, source};
use crate::error::{Error, Result};
use crate::rank::pass::CancelToken;
use crate::session::{Lock, place};
use crate::study::{Inputs, Study, View, holds_whole_scores};
use crate::tui::event::terminal;
use crate::tui::state::pool::PoolToJudge;
use crate::tui::thumbnails::ImageMode;
use crate::tui::{self, Options};

/// Heading of the explorer's options in the help.
const EXPLORER: &str = "The explorer";
/// Heading of the options for judging a pool.
const JUDGING: &str = "Judging a pool";

#[derive(Debug, Args)]
pub(super) struct ExploreArgs {
    #[command(flatten)]
    typed: TypedInputs,
    #[command(flatten)]
    input: InputArgs,
    /// First model [default: from the session, else the first]
    #[arg(long, value_name = "NAME", help_heading = EXPLORER)]
    model: Option<String>,
    /// First ground truth [default: session, config.toml, or the richest]
    #[arg(long, value_name = "NAME", help_heading = EXPLORER)]
    truth: Option<String>,
    /// First direction [default: session, config.toml, or t2i]
    #[arg(long, value_enum, help_heading = EXPLORER)]
    direction: Option<Direction>,
    /// Theme, such as dark, light or nord, or a theme file (.toml)
    ///
    /// [default: `theme` in config.toml, else the one last chosen]
    #[arg(long, value_name = "NAME", help_heading = EXPLORER)]
    theme: Option<String>,
    /// Key bindings [default: keys.toml in the configuration folder]
    #[arg(long, value_name = "FILE", help_heading = EXPLORER)]
    keys: Option<PathBuf>,
    /// Session file [default: one per gallery, in the state folder]
    #[arg(long, value_name = "FILE", help_heading = EXPLORER)]
    session: Option<PathBuf>,
    /// Annotator name [default: from config.toml, else the user]
    #[arg(long, value_name = "NAME", help_heading = EXPLORER)]
    annotator: Option<String>,
    /// Judge the pairs of a pool from `annotate pool`, one by one, blind
    ///
    /// Judgments go to POOL.NAME.itm.json beside it, where NAME is the annotator, or to --session.
    #[arg(long, value_name = "POOL.jsonl", conflicts_with = "tour", help_heading = JUDGING)]
    annotate: Option<PathBuf>,
    /// Other annotators' judgments besides those near the pool; repeatable
    #[arg(long, value_name = "FILE", requires = "annotate", help_heading = JUDGING)]
    others: Vec<PathBuf>,
    /// How to show images [default: `ITM_EXPLORE_THUMBNAILS`, else auto]
    #[arg(long, value_name = "auto|kitty|iterm2|sixel|halfblocks|off", help_heading = EXPLORER)]
    thumbnails: Option<ImageMode>,
    /// Start with a two-minute tour of the demo
    #[arg(long, conflicts_with_all = command_line::SCORES, conflicts_with = "files", help_heading = EXPLORER)]
    tour: bool,
    /// Reload files that change, such as scores of a running training
    #[arg(long, help_heading = EXPLORER)]
    watch: bool,
    /// Leave the mouse to the terminal
    #[arg(long, help_heading = EXPLORER)]
    no_mouse: bool,
}

/// Opens the explorer.
pub(super) fn run(args: &ExploreArgs) -> anyhow::Result<Code> {
    let (results, input) = split_results(&args.input);
    let inputs = input.inputs(true);
    if let Some(first) = results.first().filter(|_| inputs.demo && !input.given.demo) {
        return Err(Error::new(first.display(), "results of earlier runs, without score files")
            .fix("`itm-explore compare RESULTS` ranks them; the explorer adds them to score files")
            .into());
    }
    for path in inputs.positional_and_scores() {
        source::require_exists(path)?;
    }
    if let Some(session) = &args.session {
        source::require_exists(folder_of(session))?;
    }
    if !terminal::is_interactive() {
        let fix = "`itm-explore eval FILES` prints the numbers; `itm-explore --help` lists what else prints";
        return Err(Error::new("the explorer", "standard input and output are not a terminal")
            .expected("to run in a terminal")
            .fix(fix)
            .into());
    }
    if parallel::start() == 0 {
        return Err(Error::new("the explorer", "the system starts no further thread")
            .expected("a handful of threads")
            .fix("ulimit -u 4096; or `itm-explore eval FILES`, which works on one")
            .into());
    }
    let settings = Settings::read()?;
    let keymap = keymap(args.keys.as_deref().or(settings.keys.as_deref()))?;
    let theme = theme(args.theme.as_deref().or(settings.theme.as_deref()))?;
    if args.watch && inputs.series {
        wait_for_steps(&inputs);
    }
    // A job of the explorer adds ground truths from caption similarities; here only if there are no others.
    let mut study = progress::with_spinner("reading", || crate::study::open(&input.browsing()))?;
    if study.truths.is_empty() {
        crate::semantic::add_truths(&mut study, &CancelToken::default())?;
    }
    study.require_models_and_truths()?;
    let results = read_models(&results, &study)?;
    let annotator = settings.annotator(args.annotator.as_deref())?;
    let pool = args.annotate.as_ref();
    let pool_session = pool.map(|pool| session_path(pool, &annotator.name));
    let path = args.session.clone().or(pool_session);
    let is_chosen = path.is_some();
    let path = path.unwrap_or_else(|| place::path_for(&inputs, &study, &annotator));
    let mut session = place::open(&path, &study.gallery)?;
    session.saves_view_alone |= is_chosen;
    if let (Lock::Other { who }, true) = (&session.lock, pool.is_some()) {
        let found = format!("{} judges this pool in another explorer ({who})", annotator.name);
        return Err(Error::new("--annotate", found).fix("--annotator NAME, another one").into());
    }
    let annotator = annotator.in_session(&session.session).to_owned();
    set_view(args, &study, &mut session.session.view)?;
    let pool = open_pool(args, &study, &annotator)?;
    let options = Options {
        tour: args.tour,
        session,
        annotator,
        pool,
        files: args.typed.arguments().to_vec(),
        inputs: input.browsing(),
        results,
        watch: args.watch || settings.reload.unwrap_or(false),
        keymap,
        theme,
        thumbnails: image_mode(args.thumbnails, settings.thumbnails)?,
        colours: colours(),
        mouse: !args.no_mouse && settings.mouse.unwrap_or(true),
    };
    Ok(Code(tui::run(study, options)?))
}

/// The models of result files, with their metrics in each direction.
fn read_models(files: &[PathBuf], study: &Study) -> Result<PerDirection<Vec<ModelValues>>> {
    let read = |direction| -> Result<Vec<ModelValues>> {
        let (models, galleries) = read_results(files, &[direction])?;
        require_same_gallery(study, galleries)?;
        Ok(with_free_names(models, study))
    };
    Ok(PerDirection { i2t: read(Direction::I2t)?, t2i: read(Direction::T2i)? })
}

/// Interval between two checks for the first step of a training.
const CHECK_PERIOD: Duration = Duration::from_millis(500);

/// Returns when the scores of a training's first step are there, waiting for them if necessary.
fn wait_for_steps(inputs: &Inputs) {
    let has_steps = || inputs.positional_and_scores().into_iter().any(holds_whole_scores);
    if has_steps() {
        return;
    }
    say!("waiting for the first step of the training (.npy or .npz)");
    while !has_steps() {
        thread::sleep(CHECK_PERIOD);
    }
}

/// Sets the view of a session to the model, ground truth and direction of the options. Without an option, the session's
/// value stays if ground truth and direction fit each other. With `--watch` of a training, the default model is the
/// newest step. Without any of these, nothing changes.
fn set_view(args: &ExploreArgs, study: &Study, view: &mut Map<String, Value>) -> Result<()> {
    let newest = study.steps.last().filter(|_| args.watch);
    let newest = newest.map(|step| study.models[step.model].name.as_str());
    let model = args.model.as_deref().or(newest);
    let (truth, direction) = (args.truth.as_deref(), args.direction);
    if model.is_none() && truth.is_none() && direction.is_none() {
        return Ok(());
    }
    let in_session = |key: &str| view.get(key).and_then(Value::as_str);
    let has_lists = |name: &str, direction: Direction| {
        let truth = study.truth(name);
        truth.is_some_and(|truth| truth.relevance[direction].is_some())
    };
    let is_usable = |name: &&str| match direction {
        Some(direction) => has_lists(name, direction),
        None => study.truth(name).is_some(),
    };
    let truth = truth.or_else(|| in_session("truth").filter(is_usable));
    let former = Direction::BOTH.into_iter().find(|one| in_session("direction") == Some(one.key()));
    let is_listed = |one: &Direction| truth.is_none_or(|truth| has_lists(truth, *one));
    let direction = direction.or_else(|| former.filter(is_listed));
    let chosen = View::choose(study, model, truth, direction)?;
    let truth = study.truths[chosen.truth].name.clone();
    view.insert("truth".into(), truth.into());
    view.insert("direction".into(), chosen.direction.key().into());
    view.extend(model.map(|model| ("model".to_owned(), model.into())));
    Ok(())
}

/// The pool of `--annotate` and the judgments of its other annotators; `None` without `--annotate`.
///
/// # Errors
/// A file that cannot be read.
fn open_pool(args: &ExploreArgs, study: &Study, annotator: &str) -> Result<Option<PoolToJudge>> {
    let Some(path) = &args.annotate else {
        return Ok(None);
    };
    let source = Source::open(path)?;
    let pool = pool::read(&source)?;
    pool.require_gallery(&study.gallery, source.display())?;
    let judging = (annotator, pool.head.overlap);
    let others = OtherAnnotators::read(path, &args.others, judging, &study.gallery)?;
    Ok(Some(PoolToJudge { pool, others, file: Some(path.clone()) }))
}
