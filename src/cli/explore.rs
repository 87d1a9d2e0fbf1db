//! `itm-explore [FILES]`: the explorer.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value};

use super::as_typed::AsTyped;
use super::config::Settings;
use super::pooled::PooledArgs;
use super::themes::{theme, theme_help};
use super::{InputArgs, recent};
use crate::data::in_use;
use crate::data::output::folder_of;
use crate::data::parallel;
use crate::data::text::shown;
use crate::data::{Direction, source};
use crate::error::{Error, Result};
use crate::session::{Entry, Lock, Place, RecentStudy, Remembered, StateFile};
use crate::study::{Inputs, Study, View, holds_whole_scores};
use crate::tui::event::terminal::{self, Colours};
use crate::tui::keymap::Keymap;
use crate::tui::phrases::Look;
use crate::tui::pictures::ImageMode;
use crate::tui::state::kept::Memory;
use crate::tui::{self, Options};

impl InputArgs {
    /// What rankings are looked at from, which takes no ground truth.
    pub(super) fn browsed(&self) -> Inputs {
        let inputs = self.inputs(true);
        Inputs { is_browsed: inputs.phis.named.is_empty(), ..inputs }
    }
}

/// What files are for here.
pub(super) const FILES: &str = "Scores, ground truths, captions, folders [default: the demo]";

/// Heading of these options in the help.
const EXPLORER: &str = "The explorer";

#[derive(Debug, Args)]
pub(super) struct ExploreArgs {
    #[command(flatten)]
    typed: AsTyped,
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
    #[arg(long, value_name = "NAME", help_heading = EXPLORER, help = "Bundled theme or theme file (.toml)", long_help = theme_help())]
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
    #[command(flatten)]
    pooled: PooledArgs,
    /// How to show images [default: `ITM_EXPLORE_PICTURES`, else auto]
    #[arg(long, value_name = "auto|kitty|iterm2|sixel|halfblocks|off", help_heading = EXPLORER)]
    pictures: Option<ImageMode>,
    /// Open a recent study (1: the last); without a number, list them
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, default_missing_value = "0", exclusive = true, help_heading = EXPLORER)]
    recent: Option<usize>,
    /// Start with a two-minute tour of the demo
    #[arg(long, conflicts_with_all = ["files", "i2t", "t2i", "image_emb", "text_emb", "run", "run_i2t", "run_t2i", "knn"], help_heading = EXPLORER)]
    tour: bool,
    /// Reload files that change, such as scores of a running training
    #[arg(long, help_heading = EXPLORER)]
    watch: bool,
    /// Leave the mouse to the terminal
    #[arg(long, help_heading = EXPLORER)]
    no_mouse: bool,
}

/// Opens the explorer; `study` is what is opened, as it can be opened again.
pub(super) fn run(args: &ExploreArgs, study: Option<RecentStudy>) -> anyhow::Result<u8> {
    match args.recent {
        Some(0) => recent::list(),
        Some(number) => recent::open(number),
        None => explore(args, study),
    }
}

fn explore(args: &ExploreArgs, recent: Option<RecentStudy>) -> anyhow::Result<u8> {
    for path in args.input.inputs(true).positional_and_scores() {
        source::require(path)?;
    }
    if let Some(session) = &args.session {
        source::require(folder_of(session))?;
    }
    if !terminal::is_interactive() {
        return Err(no_terminal("the explorer").mend(
            "`itm-explore eval FILES` prints the numbers; `itm-explore --help` lists what else prints",
        ).into());
    }
    if parallel::start() == 0 {
        return Err(Error::new("the explorer", "the system starts no further thread")
            .expected("a handful of threads")
            .mend("ulimit -u 4096; or `itm-explore eval FILES`, which works on one")
            .into());
    }
    let settings = Settings::read()?;
    let keymap = match &args.keys {
        Some(path) => keymap(Some(path))?,
        None => keymap_set(settings.keys.as_deref())?,
    };
    let (state, known, warning) = remembered();
    let theme = theme(args.theme.as_deref().or(settings.theme.as_deref()), known.theme())?;
    if args.watch && args.input.series {
        wait_for_steps(&args.input.inputs(true));
    }
    let study = args.input.open_at_once()?;
    study.require_models_and_truths()?;
    let annotator = settings.annotator(args.annotator.as_deref())?;
    let of_pool = args.pooled.session(&annotator.name);
    let is_in_use = args.session.is_some() || of_pool.is_some();
    let place = match &args.session {
        Some(path) => Place::named(path.clone(), []),
        None => {
            of_pool.unwrap_or_else(|| Place::find(&args.input.inputs(true), &study, &annotator))
        }
    };
    let mut session = place.open(&study.gallery)?;
    session.is_in_use |= is_in_use;
    if let (Lock::Other { who }, true) = (&session.lock, args.pooled.is_asked()) {
        let found = format!("{} judges this pool in another explorer ({who})", annotator.name);
        return Err(Error::new("--annotate", shown(&found))
            .mend("--annotator NAME, another one")
            .into());
    }
    let own = annotator.name.clone();
    let annotator = annotator.in_session(&session.session).to_owned();
    let of_another = (annotator != own).then(|| {
        let name = shown(&annotator);
        format!("you judge as {name}, as this file does: --annotator NAME judges as another")
    });
    settings.open_with(&mut session.session.view);
    look_at(args, &study, &mut session.session.view)?;
    let pool = args.pooled.open(&study, &annotator)?;
    let warning = warning.or_else(|| settings.misspelt(&study));
    let mut memory = Memory::new(known, settings.filters.clone());
    if let Some(study) = recent {
        memory.add(Entry::Opened(study));
    }
    let options = Options {
        memory,
        state,
        warning,
        header: settings.header().unwrap_or_default(),
        tour: args.tour,
        session,
        annotator,
        of_another,
        pool,
        files: args.typed.words().to_vec(),
        inputs: args.input.browsed(),
        watch: args.watch || settings.reload.unwrap_or(false),
        keymap,
        theme,
        pictures: super::pictures::image_mode(args.pictures, settings.pictures())?,
        colours: colours(),
        mouse: !args.no_mouse && settings.mouse.unwrap_or(true),
    };
    Ok(tui::run(study, options)?)
}

/// How long nothing is done between two looks for the first step.
const STEP_PERIOD: Duration = Duration::from_millis(500);

/// Waits for the first step of a training.
fn wait_for_steps(inputs: &Inputs) {
    let has_steps = || inputs.positional_and_scores().into_iter().any(holds_whole_scores);
    if has_steps() {
        return;
    }
    say!("waiting for the first step of the training (.npy or .npz)");
    while !has_steps() {
        thread::sleep(STEP_PERIOD);
    }
}

fn no_terminal(what: &str) -> Error {
    Error::new(what, "standard input and output are not a terminal")
        .expected("to run in a terminal")
}

/// Keys, theme, pictures and mouse as the user set them, for what is not the explorer itself.
pub(super) fn look() -> Result<Look> {
    if !terminal::is_interactive() {
        return Err(no_terminal("--browse").mend("--failures prints them, --figure draws them"));
    }
    let settings = Settings::read()?;
    let (_, known, _) = remembered();
    Ok(Look {
        keymap: keymap_set(settings.keys.as_deref())?,
        theme: theme(settings.theme.as_deref(), known.theme())?,
        colours: colours(),
        pictures: super::pictures::image_mode(None, settings.pictures())?,
        mouse: settings.mouse.unwrap_or(true),
    })
}

/// Puts what flags name into the view of a session, with what this keeps of the rest as far as it goes with them. Whoever
/// watches a training looks at its newest step.
fn look_at(args: &ExploreArgs, study: &Study, view: &mut Map<String, Value>) -> Result<()> {
    let newest = study.steps.last().filter(|_| args.watch);
    let newest = newest.map(|step| study.models[step.model].name.as_str());
    let model = args.model.as_deref().or(newest);
    let (truth, direction) = (args.truth.as_deref(), args.direction);
    if model.is_none() && truth.is_none() && direction.is_none() {
        return Ok(());
    }
    let kept = |key: &str| view.get(key).and_then(Value::as_str);
    let has = |name: &str, direction: Direction| {
        let truth = study.truth(name);
        truth.is_some_and(|truth| truth.relevance[direction].is_some())
    };
    let known = |name: &&str| match direction {
        Some(direction) => has(name, direction),
        None => study.truth(name).is_some(),
    };
    let truth = truth.or_else(|| kept("truth").filter(known));
    let kept = Direction::BOTH.into_iter().find(|one| kept("direction") == Some(one.key()));
    let fits = |one: &Direction| truth.is_none_or(|truth| has(truth, *one));
    let direction = direction.or_else(|| kept.filter(fits));
    let chosen = View::choose(study, model, truth, direction)?;
    let truth = study.truths[chosen.truth].name.clone();
    view.insert("truth".into(), truth.into());
    view.insert("direction".into(), chosen.direction.key().into());
    view.extend(model.map(|model| ("model".to_owned(), model.into())));
    Ok(())
}

/// The keys that `config.toml` names, which it does from its folder on.
fn keymap_set(own: Option<&Path>) -> Result<Keymap> {
    if let Some(path) = own.filter(|path| !path.exists()) {
        return Err(Error::new(path.display(), "no such file")
            .mend("check keys in config.toml: its path starts at the folder of config.toml"));
    }
    keymap(own)
}

fn keymap(own: Option<&Path>) -> Result<Keymap> {
    let path = match own {
        Some(path) => Some(path.to_owned()),
        None => super::config::folder()
            .map(|folder| folder.join("keys.toml"))
            .filter(|path| path.is_file()),
    };
    let Some(path) = path else {
        return Keymap::load(None);
    };
    in_use::reads(&path)?;
    let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, &e))?;
    Keymap::load(Some((&path.display().to_string(), &text)))
}

/// What earlier runs left, and the file to which more is added: none where it cannot be read, which is told.
fn remembered() -> (Option<StateFile>, Remembered, Option<String>) {
    let Some(file) = StateFile::of_user() else {
        return (None, Remembered::default(), None);
    };
    match file.read() {
        Ok(known) => (Some(file), known, None),
        Err(error) => {
            let warning = format!("{}: {}", error.subject(), error.found());
            (None, Remembered::default(), Some(warning))
        }
    }
}

/// 24-bit colours only where the terminal says that it has them.
pub(super) fn colours() -> Colours {
    let says = |name: &str, values: &[&str]| {
        std::env::var(name).is_ok_and(|value| values.iter().any(|known| value.contains(known)))
    };
    if says("COLORTERM", &["truecolor", "24bit"])
        || says("TERM", &["-direct", "kitty", "alacritty"])
    {
        Colours::All
    } else {
        Colours::Indexed
    }
}
