//! `itm-explore annotate hits`: turns a pool into HITs, as JSON and as HTML pages for a browser.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::annotate::hits::{Hit, make_hits};
use crate::annotate::page::{PageInputs, make_page};
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
    let hits = progress::with_spinner("making HITs", || make_hits(&study, &pool, args.seed))?;
    let pages = check_pages(args, &hits.hits)?;
    write_whole(&args.output, |file| file.write_all(json_text::pretty(&hits)?.as_bytes()))?;
    let pairs: usize = hits.hits.iter().map(|hit| hit.items.len()).sum();
    let (count, pairs) = (grouped(hits.hits.len()), grouped(pairs));
    say!("wrote {}: {count} HITs, {pairs} pairs", shown(&args.output.display().to_string()));
    for (golden, kind) in [(Judgment::Yes, "positive"), (Judgment::No, "negative")] {
        let count = hits.count_without(golden);
        if count > 0 {
            say!("warning: {} HITs are without a sure {kind}: none was found", grouped(count));
        }
    }
    write_pages(args, &study, &pages)?;
    Ok(())
}

/// Checks that the HTML files may be written; returns each path with its HITs, or an empty list without `--html`.
fn check_pages<'a>(args: &HitsArgs, hits: &'a [Hit]) -> Result<Vec<(PathBuf, &'a [Hit])>> {
    let Some(path) = &args.html else {
        return Ok(Vec::new());
    };
    let page_hits: Vec<&[Hit]> = hits.chunks(args.page_hits as usize).collect();
    let paths = page_paths(path, page_hits.len());
    paths.iter().try_for_each(|path| check_free(path, args.input.given.force))?;
    Ok(paths.into_iter().zip(page_hits).collect())
}

/// Writes the pages; warns if images have no file and are shown by their captions.
fn write_pages(args: &HitsArgs, study: &Study, pages: &[(PathBuf, &[Hit])]) -> Result<()> {
    let (mut without, mut images) = (0, 0);
    for (path, hits) in pages {
        let sheet = PageInputs { study, hits, follow_up: args.follow_up };
        let page = progress::with_spinner("embedding images", || make_page(sheet))?;
        write_whole(path, |file| file.write_all(page.html.as_bytes()))?;
        say::print_written([path]);
        without += page.without_file;
        images += page.images;
    }
    if without > 0 {
        let (without, all) = (grouped(without), grouped(images));
        say!(
            "warning: {without} of {all} images are shown by their captions: no image file was found; --images DIR names their folder"
        );
    }
    Ok(())
}

/// Paths of `count` pages: for one page `file`, for more `page-1.html` and so on.
fn page_paths(file: &Path, count: usize) -> Vec<PathBuf> {
    if count == 1 {
        return vec![file.to_owned()];
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
    let (ending, digits) = (ending.unwrap_or_default(), count.to_string().len());
    let path = |number: usize| file.with_file_name(format!("{name}-{number:0digits$}{ending}"));
    (1..=count).map(path).collect()
}
