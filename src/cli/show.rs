//! `itm-explore show`: one query and what ranks first for it, in the scrollback.

use std::fmt::Write as _;
use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::appearance::{image_mode, no_colour};
use super::marks::MarksArgs;
use super::values::above_zero;
use super::{InputArgs, format};
use crate::cli::appearance::colours;
use crate::cli::say;
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::id::Id;
use crate::data::index::{ItemIx, ModelIx, QueryIx};
use crate::error::{Error, Result};
use crate::picture::{Limits, load, shrunk};
use crate::rank::ranking::{self, Ranking};
use crate::report::shown::{Entry, Ranked, RankedItem, Shown};
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::standing::Badge;
use crate::truth::verdict::{Pair, Verdicts};
use crate::tui::event::terminal::{self, Colours};
use crate::tui::pictures::{ImageMode, Way};
use crate::tui::signs;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore show --demo --query 55293\n  \
                  itm-explore show sims.npy coco5k/ --images val2014 --query 391895 --direction i2t\n  \
                  itm-explore show a.npy b.npy coco5k/ --query 770337 --model a,b --k 3 --plain")]
pub(super) struct ShowArgs {
    /// Id of the query, a caption or an image
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    query: String,
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
    /// Candidate pool, such as fold1, folds or random1000s7
    ///
    /// similar100:MODEL: for each query the 100 items that a model scores highest, and its positives; also those of --pool-file.
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// How to show images; sixel terminals get half-blocks here
    #[arg(long, value_name = "auto|kitty|iterm2|sixel|halfblocks|off")]
    pictures: Option<ImageMode>,
    /// Output format
    #[arg(long, default_value = TEXT, value_parser = PossibleValuesParser::new(format::words().chain([TEXT])))]
    format: String,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// The usual format, which is of this subcommand alone: lines with pictures between them.
const TEXT: &str = "text";

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<u8> {
    let mut study = args.input.open_with(&args.input.browsed())?;
    let marks = args.marks.read(&study, args.input.quiet)?;
    study.add_mine(&marks.verdicts);
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let (direction, query) = asked(args, &study)?;
    let views = views(args, &study, direction)?;
    let models: Vec<ModelIx> = views.iter().map(|view| view.model).collect();
    for &model in &models {
        ranking::check(&study.models[model], direction, &[query])?;
    }
    let of = (&study, &marks.verdicts);
    let rankings = views.iter().map(|&view| ranked(of, view, query, args.k as usize));
    let shown = Shown {
        direction,
        truth: study.truths[views[0].truth].name.clone(),
        pool: study.pool_words(),
        has_verdicts: args.marks.path().is_some(),
        query: entry(&study, models[0], direction, query),
        rankings: rankings.collect(),
    };
    if args.format == TEXT {
        print(&shown, &study, style(args)?)?;
    } else {
        format::put(shown.report().among(&study, study.pool, &models), &args.format)?;
    }
    Ok(0)
}

/// Colours and pictures, as far as they are wanted and can be seen.
fn style(args: &ShowArgs) -> Result<Style> {
    let coloured = stdout().is_terminal() && !no_colour();
    let wish = if coloured { image_mode(args.pictures, None)? } else { ImageMode::Off };
    let pictures = way(wish, stdin().is_terminal());
    let pictures = pictures.map_err(|error| Error::new("the terminal", error))?;
    Ok(Style { coloured, pictures })
}

/// The models that are asked for, else the first, under the ground truth.
fn views(args: &ShowArgs, study: &Study, direction: Direction) -> Result<Vec<View>> {
    let choose =
        |model: Option<&str>| View::choose(study, model, args.truth.as_deref(), Some(direction));
    match args.model.as_slice() {
        [] => Ok(vec![choose(None)?]),
        names => names.iter().map(|name| choose(Some(name))).collect(),
    }
}

/// The query of the id or the file name, in the direction wanted, or in the one that has it.
fn asked(args: &ShowArgs, study: &Study) -> Result<(Direction, usize)> {
    let both = match args.direction {
        Some(one) => vec![one],
        None => vec![Direction::T2i, Direction::I2t],
    };
    let found =
        both.iter().find_map(|&direction| Some((direction, place(args, study, direction)?)));
    let Some((direction, query)) = found else {
        return Err(unknown(args, study, &both));
    };
    let items = 0..study.gallery.items(direction).len();
    let competes = |mask: &Arc<CandidateMask>| {
        items.clone().any(|item| mask.competes(direction, query.into(), item.into()))
    };
    if !study.mask.as_ref().is_none_or(competes) {
        let found = format!("{} is not in the pool {}", args.query, args.pool);
        return Err(Error::new("--query", found).expected("a query of the pool, or --pool all"));
    }
    Ok((direction, query))
}

fn place(args: &ShowArgs, study: &Study, direction: Direction) -> Option<usize> {
    let gallery = &study.gallery;
    let known = gallery.queries(direction).find(&Id::parse(&args.query));
    known.map(|place| place as usize).or_else(|| {
        let mut names = gallery.file_names.iter();
        let named = names.position(|name| name.raw() == args.query);
        named.filter(|_| direction == Direction::I2t)
    })
}

fn unknown(args: &ShowArgs, study: &Study, both: &[Direction]) -> Error {
    let example = |direction: &Direction| {
        let first = study.gallery.queries(*direction).as_slice().first()?;
        let what = if *direction == Direction::I2t { "an image" } else { "a caption" };
        Some(format!("the id of {what}, such as {first}"))
    };
    let examples: Vec<String> = both.iter().filter_map(example).collect();
    let error = Error::new("--query", format!("{} is not in the gallery", args.query));
    let error = error.expected(examples.join(", or "));
    let other = Direction::BOTH.into_iter().find(|one| !both.contains(one));
    match other.filter(|&other| place(args, study, other).is_some()) {
        Some(other) => error.mend(format!("--direction {other}, of which it is a query")),
        None => error,
    }
}

fn ranked((study, verdicts): (&Study, &Verdicts), view: View, query: usize, most: usize) -> Ranked {
    let View { model, truth, direction } = view;
    let ranking = Ranking::among(&study.models[model], study.mask.as_deref(), direction, query);
    // Without any ground truth nobody says how many positives there are.
    let judging = Some(&study.truths[truth]).filter(|truth| !truth.lists_nothing());
    let relevance = judging.and_then(|truth| truth.relevance[direction].as_ref());
    let judged = relevance.and_then(|relevance| Some((relevance, relevance.place(query)?)));
    let listed = judged.map(|(relevance, place)| relevance.listed(place));
    let is_right = |item: u32| judged.is_some_and(|(r, place)| r.positives(place).contains(item));
    let top = ranking.order.iter().take(listed.unwrap_or(0) as usize);
    let item = |(at, &item): (usize, &u32)| {
        let score = ranking.scores[item as usize];
        let ranked = (at + 1, item.into(), score);
        self::item((study, verdicts), view, query.into(), ranked)
    };
    Ranked {
        model: study.models[model].name.clone(),
        listed,
        hits: top.filter(|&&item| is_right(item)).count(),
        first: ranking.order.iter().position(|&item| is_right(item)).map(|at| at + 1),
        of: ranking.order.len(),
        items: ranking.order.iter().enumerate().take(most).map(item).collect(),
    }
}

/// An item with its rank and score.
fn item(
    (study, verdicts): (&Study, &Verdicts),
    view: View,
    query: QueryIx,
    ranked: (usize, ItemIx, f64),
) -> RankedItem {
    let (rank, item, score) = ranked;
    let direction = view.direction;
    let badge = study.badge(None, direction, query, item);
    let standing = |truth: &Truth| {
        let standing = study.standing(truth, direction, query, item);
        (truth.name.clone(), standing)
    };
    RankedItem {
        rank,
        score,
        badge,
        sign: signs::badge(badge),
        standings: study.truths.iter().map(standing).collect(),
        verdict: verdicts.get(Pair::of(direction, query, item)),
        entry: entry(study, view.model, direction.flipped(), item.get()),
    }
}

/// An image (`I2t`: it would be the query), or a caption, with the texts that a model was given.
fn entry(study: &Study, model: ModelIx, as_query: Direction, index: usize) -> Entry {
    let gallery = &study.gallery;
    match as_query {
        Direction::I2t => Entry {
            id: gallery.images[index].to_string(),
            name: gallery.image(index),
            captions: study
                .own(as_query, index)
                .iter()
                .map(|caption| study.caption_of(model, caption as usize))
                .collect(),
            image: Some(index),
        },
        Direction::T2i => Entry {
            id: gallery.captions[index].to_string(),
            name: study.caption_of(model, index),
            captions: Vec::new(),
            image: None,
        },
    }
}

/// What the terminal is given.
#[derive(Debug, Clone, Copy)]
struct Style {
    coloured: bool,
    pictures: Option<Way>,
}

/// Columns and rows of an image.
const COLUMNS: u16 = 36;
const ROWS: u16 = 13;
/// Pixels that are enough for these.
const PIXELS: (u32, u32) = (800, 600);
const INDENT: &str = "    ";
/// Codes of colours that every terminal has, so that they go with its background.
const STRONG: &str = "1";
const DIM: &str = "2";

/// How a terminal shows images; one that cannot be asked gets half-blocks.
fn way(wish: ImageMode, can_ask: bool) -> std::io::Result<Option<Way>> {
    match wish {
        ImageMode::Off => Ok(None),
        // Only what the terminal says that it has: kitty's printer asks it again, and waits for the answer without
        // end.
        ImageMode::Auto | ImageMode::Way(Way::Kitty | Way::Iterm2) if can_ask => terminal::way(),
        ImageMode::Auto | ImageMode::Way(_) => Ok(Some(Way::Halfblocks)),
    }
}

/// Prints lines, and images as soon as the lines before them are written.
struct Printer<'a> {
    study: &'a Study,
    style: Style,
    text: String,
}

fn print(shown: &Shown, study: &Study, style: Style) -> anyhow::Result<()> {
    let mut out = Printer { study, style, text: String::new() };
    let Shown { direction, truth, query, .. } = shown;
    let pool = shown.pool.as_ref().map(|pool| format!("  {pool}")).unwrap_or_default();
    out.line(DIM, &format!("{direction}  id {}  ground truth {truth}{pool}", query.id));
    out.line(STRONG, &query.name);
    out.entry(query)?;
    for ranked in &shown.rankings {
        out.text.push('\n');
        out.line(STRONG, &format!("{}: {}", ranked.model, ranked.words()));
        if ranked.items.is_empty() {
            out.line(DIM, "this model ranks nothing for this query");
        }
        ranked.items.iter().try_for_each(|item| out.item(item))?;
    }
    Ok(out.flush()?)
}

impl Printer<'_> {
    fn piece(&mut self, code: &str, text: &str) {
        let coloured = self.style.coloured && !code.is_empty();
        let [before, after] =
            if coloured { [format!("\x1b[{code}m"), "\x1b[0m".into()] } else { <_>::default() };
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{before}{text}{after}");
    }

    fn line(&mut self, code: &str, text: &str) {
        self.piece(code, text);
        self.text.push('\n');
    }

    fn item(&mut self, item: &RankedItem) -> anyhow::Result<()> {
        self.piece(DIM, &format!("{:>3}  {:>8}  ", item.rank, signs::score(item.score)));
        self.piece(code(item.badge), &format!("{} {}", item.sign, item.badge.words()));
        let standing =
            |(truth, standing): &(String, _)| format!("  {truth} {}", signs::standing(*standing));
        let mut marks: String = item.standings.iter().map(standing).collect();
        marks.extend(item.verdict.map(|verdict| format!("  verdict {verdict}")));
        self.line(DIM, &format!(" {marks}"));
        let kind = if item.entry.image.is_some() { "image" } else { "caption" };
        self.line("", &format!("{INDENT}{} ({kind} {})", item.entry.name, item.entry.id));
        self.entry(&item.entry)
    }

    /// The image, and the captions written for it.
    fn entry(&mut self, entry: &Entry) -> anyhow::Result<()> {
        if let (Some(image), Some(way), Some(_)) =
            (entry.image, self.style.pictures, &self.study.pictures)
        {
            self.picture(image, way)?;
        }
        for caption in &entry.captions {
            self.line(DIM, &format!("{INDENT}- {caption}"));
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        say::put(std::mem::take(&mut self.text))
    }

    /// An image between the lines, or the reason why there is none.
    fn picture(&mut self, image: usize, way: Way) -> anyhow::Result<()> {
        let found = self.study.picture(image);
        let picture = match found.and_then(|source| load(&source, Limits::default())) {
            Ok(picture) => shrunk(picture, PIXELS),
            Err(why) => {
                self.line(DIM, &format!("{INDENT}[{why}]"));
                return Ok(());
            }
        };
        self.flush()?;
        let left = viuer::terminal_size().0.saturating_sub(INDENT.len() as u16);
        let columns = COLUMNS.min(left).max(1);
        // A cell is twice as high as wide. One side is given: the other follows from the picture's shape.
        let is_wide = picture.width() * u32::from(ROWS) * 2 > picture.height() * u32::from(columns);
        let config = viuer::Config {
            absolute_offset: false,
            x: INDENT.len() as u16,
            width: is_wide.then_some(u32::from(columns)),
            height: (!is_wide).then_some(u32::from(ROWS)),
            truecolor: colours() == Colours::All,
            use_kitty: way == Way::Kitty,
            use_iterm: way == Way::Iterm2,
            ..viuer::Config::default()
        };
        viuer::print(&picture, &config)?;
        Ok(())
    }
}

fn code(badge: Badge) -> &'static str {
    match badge {
        Badge::NotListed | Badge::NotJudged => DIM,
        Badge::Original | Badge::Positive => "32",
        Badge::Extra => "33",
        Badge::NotRelevant => "31",
    }
}
