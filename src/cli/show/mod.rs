//! `itm-explore show`: one query and what ranks first for it, in the scrollback.

mod print;
mod text;

use std::io::{IsTerminal, stdin, stdout};
use std::sync::Arc;

use clap::{Args, builder::PossibleValue};

use super::InputArgs;
use super::format;
use super::marks::MarksArgs;
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::id::Id;
use crate::data::index::{ItemIx, ModelIx, QueryIx};
use crate::error::{Error, Result};
use crate::rank::ranking::{self, Ranking};
use crate::report::shown::{Entry, Ranked, RankedItem, Shown};
use crate::study::{Study, View};
use crate::truth::Truth;
use crate::truth::verdict::{Pair, Verdicts};
use crate::tui::pictures::ImageMode;
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
    #[arg(long, short, value_name = "N", default_value_t = 5, value_parser = crate::cli::depths::above_zero)]
    k: u32,
    /// Candidate pool, such as fold1, folds or random1000s7
    ///
    /// similar100:MODEL: for each query the 100 items that a model scores highest, and its positives; also those of --pool-file.
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// How to show images; sixel terminals get half-blocks here
    #[arg(long, value_name = "auto|kitty|iterm2|sixel|halfblocks|off")]
    pictures: Option<ImageMode>,
    /// No colours and no images, as in a pipe
    #[arg(long)]
    plain: bool,
    /// Columns, 36 or more [default: those of the terminal, else 80]
    #[arg(long, hide_short_help = true, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(i64::from(text::LEAST)..))]
    width: Option<u16>,
    /// Output format
    #[arg(long, default_value = TEXT, value_parser = words())]
    format: String,
    /// Print warnings only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// The usual format, which is of this subcommand alone: lines with pictures between them.
const TEXT: &str = "text";

fn words() -> Vec<PossibleValue> {
    let words = std::iter::once(PossibleValue::new(TEXT));
    words.chain(format::words()).collect()
}

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut study = InputArgs::open_with(&args.input.browsed())?;
    super::report_notes(&study, args.quiet);
    let marks = args.marks.read(&args.input, &study, args.quiet)?;
    args.marks.add(&marks, &mut study, args.quiet);
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let shown = gather(args, &study, &marks.verdicts)?;
    if args.format == TEXT {
        let width = args.width.unwrap_or_else(print::columns);
        let blocks = text::blocks(&shown, usize::from(width.max(text::LEAST)));
        print::print(&blocks, &study, style(args)?, width)?;
    } else {
        for (flag, is_named) in [("--width", args.width.is_some()), ("--plain", args.plain)] {
            if is_named {
                say!("warning: {flag}: changes nothing with --format {}", args.format);
            }
        }
        let models: Vec<ModelIx> =
            views(args, &study, shown.direction)?.iter().map(|view| view.model).collect();
        let report = shown.report().among(&study, study.pool, &models);
        format::put(report, &args.format)?;
    }
    Ok(0)
}

/// Colours and pictures, as far as they are wanted and can be seen.
fn style(args: &ShowArgs) -> Result<print::Style> {
    let is_seen = stdout().is_terminal() && !args.plain;
    let is_wanted = args.pictures.is_some_and(|wish| wish != ImageMode::Off);
    let coloured = is_seen && (!super::pictures::no_colour() || is_wanted);
    let wish = super::pictures::image_mode(args.pictures, None)?;
    if !coloured {
        return Ok(print::Style::PLAIN);
    }
    let asked = print::Style::of(wish, stdin().is_terminal());
    asked.map_err(|error| Error::new("the terminal", error))
}

fn gather(args: &ShowArgs, study: &Study, verdicts: &Verdicts) -> Result<Shown> {
    let (direction, query) = asked(args, study)?;
    let views = views(args, study, direction)?;
    for view in &views {
        ranking::check(&study.models[view.model], direction, &[query])?;
    }
    let truth = &study.truths[views[0].truth];
    Ok(Shown {
        direction,
        truth: truth.name.clone(),
        pool: study.pool_words(),
        has_verdicts: args.marks.path().is_some(),
        query: entry(study, views[0].model, direction, query),
        rankings: views
            .iter()
            .map(|&view| ranked((study, verdicts), view, query, args.k as usize))
            .collect(),
    })
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
        let what = match direction {
            Direction::I2t => "an image",
            Direction::T2i => "a caption",
        };
        Some(format!("the id of {what}, such as {first}"))
    };
    let examples: Vec<String> = both.iter().filter_map(example).collect();
    let other = Direction::BOTH.into_iter().find(|one| !both.contains(one));
    let other = other.filter(|&other| place(args, study, other).is_some());
    let found = match other {
        Some(Direction::I2t) => {
            format!("{} is an image, and --direction asks for a caption", args.query)
        }
        Some(Direction::T2i) => {
            format!("{} is a caption, and --direction asks for an image", args.query)
        }
        None => format!("{} is not in the gallery", args.query),
    };
    let error = Error::new("--query", found).expected(examples.join(", or "));
    match other {
        Some(other) => {
            error.mend(format!("it is a query of the other direction: --direction {other}"))
        }
        None if args.query.contains(',') => {
            error.mend("one id: `show` is of one query, `figure --query ID,ID` of several")
        }
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
