//! `itm-explore show`: one query and its top results.

use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

use clap::Args;

use super::InputArgs;
use super::appearance::{colours, image_mode};
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::values::above_zero;
use crate::analysis::nearest::{Nearest, To};
use crate::cli::say;
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::id::Id;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::figure::query_named;
use crate::image_file::{Limits, load, shrunk};
use crate::rank::ranking::{self, Ranking};
use crate::report::nearest::NearestItems;
use crate::report::top_results::{Entry, Shown};
use crate::study::{Study, View};
use crate::tui::event::terminal::{self, Colours};
use crate::tui::signs;
use crate::tui::thumbnails::{ImageMode, Way};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore show --demo --query 55293\n  \
                  itm-explore show a.npy b.npy coco5k/ --query 770337 --model a,b --k 3 --plain\n  \
                  itm-explore show sims.npy coco5k/ --nearest \"a man rides a wave\"")]
pub(super) struct ShowArgs {
    /// Id of the query, a caption or an image
    #[arg(
        long,
        value_name = "ID",
        allow_hyphen_values = true,
        required_unless_present = "nearest"
    )]
    query: Option<String>,
    /// List the captions or images nearest to one, or to a text
    ///
    /// By the cosine of the model's embeddings, otherwise by CIDEr-D of the captions. Each row says whether both share a positive.
    #[arg(long, value_name = "ID|TEXT", conflicts_with_all = ["query", "pool"])]
    nearest: Option<String>,
    /// Models, one ranking each [default: the first]
    #[arg(long, alias = "models", value_name = "NAMES", value_delimiter = ',')]
    model: Vec<String>,
    /// Ground truth [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Direction of retrieval [default: t2i if a caption has the id]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Number of items
    #[arg(long, short, value_name = "N", default_value_t = 5, value_parser = above_zero)]
    k: u32,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// How to show images; sixel terminals get half-blocks here
    #[arg(long, alias = "pictures", value_name = "auto|kitty|iterm2|sixel|halfblocks|off")]
    thumbnails: Option<ImageMode>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<()> {
    let mut study = InputArgs::open_with(&args.input.browsed())?;
    let marks = args.marks.read(&study)?;
    study.add_mine(&marks.judgments);
    if let Some(to) = &args.nearest {
        let near = nearest(args, &study, to)?;
        args.format.print(|| near.report())?;
        return Ok(());
    }
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let name = args.query.as_deref().unwrap_or_default();
    let (direction, query) = place_of(&study, name, args.direction)?;
    require_in_pool(args, &study, direction, query)?;
    let views = views(args, &study, direction)?;
    for view in &views {
        ranking::check(&study.models[view.model], direction, &[query])?;
    }
    let rankings = views.into_iter().map(|view| {
        let model = &study.models[view.model];
        (view, Ranking::among(model, study.mask.as_deref(), direction, query))
    });
    let shown = Shown {
        study: &study,
        query,
        depth: args.k as usize,
        judgments: args.marks.path().map(|_| &marks.judgments),
        sign: signs::standing,
        rankings: rankings.collect(),
    };
    args.format.print(|| shown.report().among(&study))?;
    if args.format.is_table() && stdout().is_terminal() && study.image_files.is_some() {
        print_images(&shown, direction, image_mode(args.thumbnails, None)?)?;
    }
    Ok(())
}

/// The nearest items to that of an id or of a file name, or else to a text.
fn nearest(args: &ShowArgs, study: &Study, name: &str) -> Result<NearestItems> {
    let found = place_of(study, name, args.direction).ok();
    let view = views(args, study, found.map_or(Direction::T2i, |(side, _)| side))?[0];
    let to = found.map_or(To::Text(name.to_owned()), |(side, at)| To::Item(side, at));
    let Nearest { by, items } = Nearest::new(study, view, &to, args.k as usize)?;
    if items.is_empty() && found.is_none() {
        let found =
            format!("no image or caption has the id {name}, and no caption shares a word with it");
        return Err(Error::new("--nearest", found).expected("an id of the gallery, or a text"));
    }
    let entry = |index| Entry::new(study, view.model, to.side(), index);
    Ok(NearestItems {
        side: to.side(),
        truth: study.truths[view.truth].name.clone(),
        to: match to {
            To::Item(_, at) => entry(at),
            To::Text(_) => Entry {
                id: String::new(),
                name: name.to_owned(),
                captions: vec![],
                is_image: false,
            },
        },
        by,
        items: items.into_iter().map(|near| (near, entry(near.index))).collect(),
    })
}

/// The requested models, else the first, under the ground truth.
fn views(args: &ShowArgs, study: &Study, direction: Direction) -> Result<Vec<View>> {
    let choose =
        |model: Option<&str>| View::choose(study, model, args.truth.as_deref(), Some(direction));
    match args.model.as_slice() {
        [] => Ok(vec![choose(None)?]),
        names => names.iter().map(|name| choose(Some(name))).collect(),
    }
}

/// The query of an id or file name, in the requested direction, or in the one that has it.
pub(super) fn place_of(
    study: &Study,
    name: &str,
    wanted: Option<Direction>,
) -> Result<(Direction, usize)> {
    let both = wanted.map_or_else(|| vec![Direction::T2i, Direction::I2t], |one| vec![one]);
    let id = Id::parse(name);
    let place = |&direction: &Direction| Ok((direction, query_named(study, direction, &id)?));
    let of_file = || {
        let place = study.gallery.file_names.iter().position(|file| file.raw() == name)?;
        both.contains(&Direction::I2t).then_some((Direction::I2t, place))
    };
    let found = both.iter().find_map(|direction| place(direction).ok());
    found.or_else(of_file).map_or_else(|| place(&both[0]), Ok)
}

fn require_in_pool(
    args: &ShowArgs,
    study: &Study,
    direction: Direction,
    query: usize,
) -> Result<()> {
    let mut items = 0..study.gallery.items(direction).len();
    let competes = |mask: &Arc<CandidateMask>| {
        items.any(|item| mask.competes(direction, query.into(), item.into()))
    };
    if study.mask.as_ref().is_none_or(competes) {
        return Ok(());
    }
    let found =
        format!("{} is not in the pool {}", study.gallery.queries(direction)[query], args.pool);
    Err(Error::new("--query", found).expected("a query of the pool, or --pool all"))
}

/// Columns and rows of an image.
const COLUMNS: u16 = 36;
const ROWS: u16 = 13;
/// Sufficient pixels for these.
const PIXELS: (u32, u32) = (800, 600);

/// Prints the image of the query, or those of the items, each below its name.
fn print_images(shown: &Shown, direction: Direction, wish: ImageMode) -> anyhow::Result<()> {
    let way = way(wish).map_err(|error| Error::new("the terminal", error))?;
    let Some(way) = way else {
        return Ok(());
    };
    let study = shown.study;
    if direction == Direction::I2t {
        return print_image(&study.gallery.image(shown.query), study, shown.query, way);
    }
    for (view, ranking) in &shown.rankings {
        for (rank, &image) in (1..).zip(&ranking.order).take(shown.depth) {
            let (image, model) = (image as usize, &study.models[view.model].name);
            let name = format!("{rank}. {} ({model})", study.gallery.image(image));
            print_image(&name, study, image, way)?;
        }
    }
    Ok(())
}

/// How a terminal shows images; half-blocks if it cannot be queried.
fn way(wish: ImageMode) -> std::io::Result<Option<Way>> {
    match wish {
        ImageMode::Off => Ok(None),
        // Only what the terminal declares: kitty's printer queries it again, and waits for the answer without end.
        ImageMode::Auto | ImageMode::Way(Way::Kitty | Way::Iterm2) if stdin().is_terminal() => {
            terminal::way()
        }
        ImageMode::Auto | ImageMode::Way(_) => Ok(Some(Way::Halfblocks)),
    }
}

/// Prints an image below a line, or the reason why there is none.
fn print_image(line: &str, study: &Study, image: usize, way: Way) -> anyhow::Result<()> {
    let line = shown(line);
    let found = study.image_file(image);
    let pixels = match found.and_then(|source| load(&source, Limits::default())) {
        Ok(pixels) => shrunk(pixels, PIXELS),
        Err(why) => return Ok(say::print(format!("{line}  [{why}]\n"))?),
    };
    say::print(format!("{line}\n"))?;
    let columns = COLUMNS.min(viuer::terminal_size().0).max(1);
    // A cell is twice as high as wide. One side is given: the other follows from the aspect ratio.
    let is_wide = pixels.width() * u32::from(ROWS) * 2 > pixels.height() * u32::from(columns);
    let config = viuer::Config {
        absolute_offset: false,
        width: is_wide.then_some(u32::from(columns)),
        height: (!is_wide).then_some(u32::from(ROWS)),
        truecolor: colours() == Colours::All,
        use_kitty: way == Way::Kitty,
        use_iterm: way == Way::Iterm2,
        ..viuer::Config::default()
    };
    viuer::print(&pixels, &config)?;
    Ok(())
}
