//! `itm-explore figure`: draws queries and rankings as a figure for a paper.

use std::path::{Path, PathBuf};

use clap::Args;

mod queries;

use super::InputArgs;
use super::draw::DrawArgs;
use super::marks::MarksArgs;
use super::plot::LayoutArgs;
use super::say::{self, warn};
use super::values::choices;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::output::check_free;
use crate::error::{Error, Result};
use crate::figure::{self, FORMATS, Figure, FigureQuery, Hidden, Layout, Options, Scene, Sign};
use crate::rank::ranking;
use crate::session::{Pick, Session};
use crate::study::{Study, WHOLE_GALLERY};
use crate::truth::judgment::Judgments;

/// Heading of the layout options in the help.
const LAYOUT: &str = "Layout";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore figure a.npy b.npy coco5k/ --images val2014/ --session a.itm.json -o figure.pdf\n  \
                  itm-explore figure a.npy b.npy coco5k/ --query 658185,646646 --model a,b --columns 2 -o figure.tex\n  \
                  itm-explore figure a.npy coco5k/ --where \"r1 == 0\" --pick 3 --seed 7 -o figure.svg",
    after_long_help = formats_help()
)]
pub(super) struct FigureArgs {
    #[command(flatten)]
    marks: MarksArgs,
    /// Ids of the queries [default: the session's picks]
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', conflicts_with = "condition")]
    query: Vec<String>,
    /// Draw queries that meet a condition, as in `find`; with --pick
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true, requires = "pick")]
    condition: Option<String>,
    /// Direction of retrieval [default: that of the picks or ids, else t2i]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Models, in this order [default: those of the picks, else the first]
    #[arg(long, alias = "models", value_name = "A,B", value_delimiter = ',')]
    model: Vec<String>,
    /// Ground truth [default: that of the picks, else the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME")]
    pool: Option<String>,
    /// Items per ranking [default: that of the picks, else 5]
    #[arg(short, long, value_name = "N")]
    k: Option<u32>,
    /// Omit scores
    #[arg(long)]
    no_scores: bool,
    /// Omit ids and file names
    #[arg(long, hide_short_help = true)]
    no_ids: bool,
    /// Omit remarks, and how queries were chosen
    #[arg(long, hide_short_help = true)]
    no_note: bool,
    /// Layout [default: grid for t2i, captions for i2t]
    #[arg(long, help_heading = LAYOUT, value_parser = choices(Layout::ALL))]
    layout: Option<Layout>,
    /// Maximum height in millimetres [default: one page, 193 or 225.4]
    #[arg(long, value_name = "MM", help_heading = LAYOUT)]
    max_height: Option<f32>,
    /// File to write (.svg, .png, .pdf or .tex) [default: SVG to stdout]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    draw: DrawArgs,
    #[command(flatten)]
    look: LayoutArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &FigureArgs) -> anyhow::Result<()> {
    options(args).check()?;
    let format = args.output.as_deref().map_or(Ok(&FORMATS[0]), figure::format_of)?;
    if let Some(file) = &args.output {
        check_free(file, args.input.given.force)?;
    }
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let marks = args.marks.read(&study)?;
    let session = args.marks.path().filter(|_| args.query.is_empty() && args.condition.is_none());
    let picks = session.map(|path| read_picks(args, path)).transpose()?;
    let pool = choose_pool(args, picks.as_deref())?;
    let study = study.in_pool(study.pool_named(&pool)?)?;
    let queries = queries::requested_queries(args, (&study, &marks), picks.as_deref())?;
    check_scores(&study, &queries)?;
    let max_height = args.max_height.unwrap_or(figure::page_height(args.look.columns));
    let draw = |queries: &[FigureQuery]| draw_queries(args, &study, queries, &marks.judgments);
    let (pages, message) = figure::fit_to_pages(&queries, max_height, format, draw)?;
    if let Some(message) = message {
        say!("{message}");
    }
    Ok(say::write_figure(&pages, args.output.as_deref(), args.input.given.force)?)
}

/// Draws queries as one figure, in the layout of the options.
fn draw_queries(
    args: &FigureArgs,
    study: &Study,
    queries: &[FigureQuery],
    judgments: &Judgments,
) -> Result<Figure> {
    let hidden = Hidden { scores: args.no_scores, ids: args.no_ids, notes: args.no_note };
    let scene = Scene::new(study, queries, judgments)?.hide(hidden);
    Figure::new(study, scene, options(args))
}

/// Draws queries in the default layout as SVG of any height. Their scores must not be NaN.
pub(super) fn draw_svg(study: &Study, queries: &[FigureQuery]) -> Result<String> {
    let scene = Scene::new(study, queries, &Judgments::default())?;
    Ok(figure::svg(&Figure::new(study, scene, Options::for_columns(1))?.drawing, true))
}

/// The figure options of the arguments.
fn options(args: &FigureArgs) -> Options {
    Options { layout: args.layout, ..args.look.options() }
}

/// Rejects NaN in the scores of each model that queries are drawn with.
fn check_scores(study: &Study, queries: &[FigureQuery]) -> Result<()> {
    for direction in Direction::BOTH {
        for (at, model) in ModelIx::enumerate(&study.models) {
            let drawn = queries.iter().filter(|one| one.direction == direction);
            let drawn = drawn.filter(|one| one.models.contains(&at)).map(|one| one.query);
            let drawn: Vec<usize> = drawn.collect();
            if !drawn.is_empty() {
                ranking::check_scores(model, direction, &drawn)?;
            }
        }
    }
    Ok(())
}

/// The picks of a session in the direction of `--direction`, at least one.
fn read_picks(args: &FigureArgs, path: &Path) -> Result<Vec<Pick>> {
    let mut session = Session::read(path)?.0;
    session.picks.retain(|pick| args.direction.is_none_or(|one| one == pick.direction));
    if session.picks.is_empty() {
        let which = args.direction.map_or(String::new(), |direction| format!(" of {direction}"));
        return Err(Error::new(path.display(), format!("no pick{which}"))
            .expected("at least one")
            .fix("pick queries in the explorer with b, or name them with --query ID,ID"));
    }
    Ok(session.picks)
}

/// Name of the figure's candidate pool: `--pool`, else the pool of all picks, else the whole gallery. Warns of picks in
/// another pool.
///
/// # Errors
/// Picks of several pools without `--pool`.
fn choose_pool(args: &FigureArgs, picks: Option<&[Pick]>) -> Result<String> {
    let pool = |pick: &Pick| pick.pool.clone().unwrap_or_else(|| WHOLE_GALLERY.to_owned());
    let mut pools: Vec<String> = picks.unwrap_or_default().iter().map(pool).collect();
    pools.sort_unstable();
    pools.dedup();
    match (&args.pool, pools.as_slice()) {
        (None, []) => Ok(WHOLE_GALLERY.to_owned()),
        (None, [one]) => Ok(one.clone()),
        (None, several) => {
            let found = format!("picks of several candidate pools: {}", several.join(", "));
            Err(Error::new("--session", found)
                .expected("one pool for a figure")
                .fix("--pool NAME shows all of them in one"))
        }
        (Some(requested), _) => {
            pools.retain(|pool| pool != requested && pool != WHOLE_GALLERY);
            if !pools.is_empty() {
                let pools = pools.join(", ");
                warn([format!("picked in the candidate pool {pools}, shown in {requested}")]);
            }
            Ok(requested.clone())
        }
    }
}

/// Help text: formats and signs of figures.
fn formats_help() -> String {
    let lines = FORMATS.iter().map(|format| format!("  {:<5} {}\n", format.key, format.doc));
    let signs = Sign::all().map(|sign| format!("{} {}", sign.glyph(), sign.label()));
    let signs: Vec<String> = signs.collect();
    format!(
        "Formats:\n{}\nFrames and signs show the status of an item: {}.",
        lines.collect::<String>(),
        signs.join(", ")
    )
}
