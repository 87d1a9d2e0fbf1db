//! `itm-explore show`: one query and its top results.

use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

use clap::Args;

use super::InputArgs;
use super::appearance::{colours, image_mode};
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::values::above_zero;
use crate::analysis::nearest::{Nearest, NearestTo};
use crate::cli::say;
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::id::Id;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::figure::find_query;
use crate::image_file::{ImageLimits, load, shrink_to_fit};
use crate::rank::ranking::{self, Ranking};
use crate::report::nearest::NearestItems;
use crate::report::top_results::{Entry, TopResults};
use crate::study::{Study, View};
use crate::tui::event::terminal::{self, Colours};
use crate::tui::signs;
use crate::tui::thumbnails::{ImageMode, ProtocolType};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore show --demo --query 55293\n  \
                  itm-explore show a.npy b.npy coco5k/ --query 658185 --model a,b --k 3\n  \
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
    #[arg(long, value_name = "auto|kitty|iterm2|sixel|halfblocks|off")]
    thumbnails: Option<ImageMode>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<()> {
    let mut study = InputArgs::open_inputs(&args.input.browsing())?;
    let marks = args.marks.read(&study)?;
    study.add_mine(&marks.judgments);
    if let Some(target) = &args.nearest {
        let nearest = find_nearest(args, &study, target)?;
        args.format.print(|| nearest.report())?;
        return Ok(());
    }
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let name = args.query.as_deref().unwrap_or_default();
    let (direction, query) = locate_query(&study, name, args.direction)?;
    require_in_pool(args, &study, direction, query)?;
    let views = views(args, &study, direction)?;
    for view in &views {
        ranking::check_scores(&study.models[view.model], direction, &[query])?;
    }
    let rankings = views.into_iter().map(|view| {
        let model = &study.models[view.model];
        (view, Ranking::in_pool(model, study.mask.as_deref(), direction, query))
    });
    let results = TopResults {
        study: &study,
        query,
        depth: args.k as usize,
        judgments: args.marks.path().map(|_| &marks.judgments),
        sign: signs::standing,
        rankings: rankings.collect(),
    };
    args.format.print(|| results.report().with_pool(&study))?;
    if args.format.is_table() && stdout().is_terminal() && study.image_files.is_some() {
        print_images(&results, direction, image_mode(args.thumbnails, None)?)?;
    }
    Ok(())
}

/// The items nearest to the image or caption with this id or file name, else to `name` as a text.
fn find_nearest(args: &ShowArgs, study: &Study, name: &str) -> Result<NearestItems> {
    let item = locate_query(study, name, args.direction).ok();
    let view = views(args, study, item.map_or(Direction::T2i, |(side, _)| side))?[0];
    let to = item.map_or(NearestTo::Text(name.to_owned()), |(side, at)| NearestTo::Item(side, at));
    let Nearest { by, items } = Nearest::new(study, view, &to, args.k as usize)?;
    if items.is_empty() && item.is_none() {
        let found =
            format!("no image or caption has the id {name}, and no caption shares a word with it");
        return Err(Error::new("--nearest", found).expected("an id of the gallery, or a text"));
    }
    let entry = |index| Entry::new(study, view.model, to.side(), index);
    Ok(NearestItems {
        side: to.side(),
        truth: study.truths[view.truth].name.clone(),
        to: match to {
            NearestTo::Item(_, at) => entry(at),
            NearestTo::Text(_) => Entry {
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

/// A view of each model that `--model` names, else of the first model, under the ground truth of `--truth`.
fn views(args: &ShowArgs, study: &Study, direction: Direction) -> Result<Vec<View>> {
    let choose =
        |model: Option<&str>| View::choose(study, model, args.truth.as_deref(), Some(direction));
    match args.model.as_slice() {
        [] => Ok(vec![choose(None)?]),
        names => names.iter().map(|name| choose(Some(name))).collect(),
    }
}

/// The direction and index of the query with this id or image file name; without `direction`, captions are searched
/// before images.
///
/// # Errors
/// No such query.
pub(super) fn locate_query(
    study: &Study,
    name: &str,
    direction: Option<Direction>,
) -> Result<(Direction, usize)> {
    let searched = direction.map_or_else(|| vec![Direction::T2i, Direction::I2t], |one| vec![one]);
    let id = Id::parse(name);
    let find_id = |&direction: &Direction| Ok((direction, find_query(study, direction, &id)?));
    let find_file = || {
        let image = study.gallery.file_names.iter().position(|file| file.raw() == name)?;
        searched.contains(&Direction::I2t).then_some((Direction::I2t, image))
    };
    let found = searched.iter().find_map(|direction| find_id(direction).ok());
    found.or_else(find_file).map_or_else(|| find_id(&searched[0]), Ok)
}

/// Checks that a query has an item to rank in the pool of `--pool`.
fn require_in_pool(
    args: &ShowArgs,
    study: &Study,
    direction: Direction,
    query: usize,
) -> Result<()> {
    let mut items = 0..study.gallery.items(direction).len();
    let has_item = |mask: &Arc<CandidateMask>| {
        items.any(|item| mask.competes(direction, query.into(), item.into()))
    };
    if study.mask.as_ref().is_none_or(has_item) {
        return Ok(());
    }
    let found =
        format!("{} is not in the pool {}", study.gallery.queries(direction)[query], args.pool);
    Err(Error::new("--query", found).expected("a query of the pool, or --pool all"))
}

/// Maximum width of an image, in columns of the terminal.
const MAX_COLUMNS: u16 = 36;
/// Maximum height of an image, in rows of the terminal.
const MAX_ROWS: u16 = 13;
/// Maximum width and height of an image in pixels, enough for these columns and rows.
const MAX_PIXELS: (u32, u32) = (800, 600);

/// Prints the image of an image query, or the images of the top results, each below its name.
fn print_images(results: &TopResults, direction: Direction, mode: ImageMode) -> anyhow::Result<()> {
    let protocol = image_protocol(mode).map_err(|error| Error::new("the terminal", error))?;
    let Some(protocol) = protocol else {
        return Ok(());
    };
    let study = results.study;
    if direction == Direction::I2t {
        return print_image(&study.gallery.image(results.query), study, results.query, protocol);
    }
    for (view, ranking) in &results.rankings {
        for (rank, &image) in (1..).zip(&ranking.order).take(results.depth) {
            let (image, model) = (image as usize, &study.models[view.model].name);
            let name = format!("{rank}. {} ({model})", study.gallery.image(image));
            print_image(&name, study, image, protocol)?;
        }
    }
    Ok(())
}

/// Protocol to print images with: for auto, kitty and iterm2 the detected one if standard input is a terminal, else
/// half-blocks; `None` if images are off.
fn image_protocol(mode: ImageMode) -> std::io::Result<Option<ProtocolType>> {
    match mode {
        ImageMode::Off => Ok(None),
        // The detected protocol, even if `--thumbnails` names another: the printer for kitty would query the terminal
        // again and wait forever for an answer.
        ImageMode::Auto | ImageMode::Only(ProtocolType::Kitty | ProtocolType::Iterm2)
            if stdin().is_terminal() =>
        {
            terminal::detect_protocol()
        }
        ImageMode::Auto | ImageMode::Only(_) => Ok(Some(ProtocolType::Halfblocks)),
    }
}

/// Prints an image below its name, or beside the name the reason why there is none.
fn print_image(name: &str, study: &Study, image: usize, kind: ProtocolType) -> anyhow::Result<()> {
    let name = shown(name);
    let file = study.image_file(image);
    let pixels = match file.and_then(|source| load(&source, ImageLimits::default())) {
        Ok(pixels) => shrink_to_fit(pixels, MAX_PIXELS),
        Err(why) => return Ok(say::print(format!("{name}  [{why}]\n"))?),
    };
    say::print(format!("{name}\n"))?;
    let columns = MAX_COLUMNS.min(viuer::terminal_size().0).max(1);
    // A cell is twice as high as wide. One side is given: the other follows from the aspect ratio.
    let is_wide = pixels.width() * u32::from(MAX_ROWS) * 2 > pixels.height() * u32::from(columns);
    let config = viuer::Config {
        absolute_offset: false,
        width: is_wide.then_some(u32::from(columns)),
        height: (!is_wide).then_some(u32::from(MAX_ROWS)),
        truecolor: colours() == Colours::All,
        use_kitty: kind == ProtocolType::Kitty,
        use_iterm: kind == ProtocolType::Iterm2,
        ..viuer::Config::default()
    };
    viuer::print(&pixels, &config)?;
    Ok(())
}
