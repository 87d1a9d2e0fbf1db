//! `itm-explore annotate hits`: a pool as HITs, as JSON and as a page for a browser.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::annotate::hits::{Hit, make};
use crate::annotate::page::{Sheet, page};
use crate::annotate::pool;
use crate::cli::values::above_zero;
use crate::cli::{InputArgs, progress, say};
use crate::data::json_text;
use crate::data::output::{check_free, write_whole};
use crate::data::source::Source;
use crate::data::text::{grouped, shown};
use crate::error::Result;
use crate::study::Study;
use crate::truth::judgment::Judgment;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate hits pool.jsonl a.npy b.npy coco5k/ -o hits.json\n  \
                  itm-explore annotate hits pool.jsonl a.npy b.npy coco5k/ -o hits.json --html page.html\n  \
                  itm-explore annotate hits pool.jsonl a.npy coco5k/ -o hits.json --html page.html --images val2014/",
    after_long_help = "A HIT has up to 18 candidates of one query, a sure positive and a sure negative, shuffled. The page is one\n\
                       self-contained file: send it to annotators, who send back the file that it saves. More than --page-hits HITs\n\
                       make several pages: page-1.html, page-2.html and so on."
)]
pub(in crate::cli) struct HitsArgs {
    /// Pool from `annotate pool`; then the files it was made from
    #[arg(value_name = "POOL.jsonl")]
    pool: PathBuf,
    /// HITs to write
    #[arg(long, short, value_name = "HITS.json")]
    output: PathBuf,
    /// Also write an HTML page, with the images of --images or captions
    #[arg(long, value_name = "PAGE.html")]
    html: Option<PathBuf>,
    /// Maximum number of HITs per page
    #[arg(long, value_name = "N", default_value_t = 25, requires = "html", value_parser = above_zero)]
    page_hits: u32,
    /// Ask what falls short if the answer is partial or mostly no
    #[arg(long, requires = "html")]
    follow_up: bool,
    /// Random seed of golden pairs and order
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &HitsArgs) -> anyhow::Result<()> {
    check_free(&args.output, args.input.given.force)?;
    let pool = pool::read(&Source::open(&args.pool)?)?;
    let study = args.input.open(true)?;
    let made = progress::waiting("making HITs", || make(&study, &pool, args.seed))?;
    let pages = pages(args, &made.hits)?;
    write_whole(&args.output, |file| file.write_all(json_text::pretty(&made)?.as_bytes()))?;
    let pairs: usize = made.hits.iter().map(|hit| hit.items.len()).sum();
    let (hits, pairs) = (grouped(made.hits.len()), grouped(pairs));
    say!("wrote {}: {hits} HITs, {pairs} pairs", shown(&args.output.display().to_string()));
    for (golden, what) in [(Judgment::Yes, "positive"), (Judgment::No, "negative")] {
        let count = made.lacking(golden);
        if count > 0 {
            say!("warning: {} HITs are without a sure {what}: none was found", grouped(count));
        }
    }
    write_pages(args, &study, &pages)?;
    Ok(())
}

/// The pages, and the HITs of each.
fn pages<'a>(args: &HitsArgs, hits: &'a [Hit]) -> Result<Vec<(PathBuf, &'a [Hit])>> {
    let Some(path) = &args.html else {
        return Ok(Vec::new());
    };
    let parts: Vec<&[Hit]> = hits.chunks(args.page_hits as usize).collect();
    let paths = numbered(path, parts.len());
    paths.iter().try_for_each(|path| check_free(path, args.input.given.force))?;
    Ok(paths.into_iter().zip(parts).collect())
}

/// Writes the pages; reports how many images they show without a file.
fn write_pages(args: &HitsArgs, study: &Study, pages: &[(PathBuf, &[Hit])]) -> Result<()> {
    let (mut without, mut images) = (0, 0);
    for (path, hits) in pages {
        let sheet = Sheet { study, hits, follow_up: args.follow_up };
        let made = progress::waiting("embedding images", || page(sheet))?;
        write_whole(path, |file| file.write_all(made.html.as_bytes()))?;
        say::wrote([path]);
        without += made.without_file;
        images += made.images;
    }
    if without > 0 {
        let (without, all) = (grouped(without), grouped(images));
        say!(
            "warning: {without} of {all} images are shown by their captions: no image file was found; --images DIR names their folder"
        );
    }
    Ok(())
}

/// The file; with several, `page.html` becomes `page-1.html` and so on, in order.
fn numbered(file: &Path, count: usize) -> Vec<PathBuf> {
    if count == 1 {
        return vec![file.to_owned()];
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
    let (ending, digits) = (ending.unwrap_or_default(), count.to_string().len());
    let one = |at: usize| file.with_file_name(format!("{name}-{at:0digits$}{ending}"));
    (1..=count).map(one).collect()
}
