//! `itm-explore phrases`: statistics and localisation of the phrases of Flickr30k Entities.

mod localize;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::format::FormatArgs;
use crate::cli::progress::with_spinner;
use crate::cli::say;
use crate::data::text::grouped;
use crate::error::Result;
use crate::phrase::stats::PhraseStats;
use crate::phrase::{Entities, read_split};
use crate::report;

subcommands! {
    pub(super) PhrasesCommand:
    /// Count phrases, chains and boxes
    Stats(StatsArgs) => print_stats;
    /// Measure how well a model localizes phrases
    Localize(localize::LocalizeArgs) => localize::run;
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore phrases stats flickr30k_entities/\n  \
                  itm-explore phrases stats flickr30k_entities/ --split test\n  \
                  itm-explore phrases stats flickr30k_entities/ --split test.txt --format json")]
pub(in crate::cli) struct StatsArgs {
    /// Folder of Flickr30k Entities, with Sentences/ and Annotations/
    folder: PathBuf,
    /// Count only these images: a list of ids, or its name in the folder
    #[arg(long, value_name = "FILE")]
    split: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

/// Prints counts of phrases, chains and boxes.
fn print_stats(args: &StatsArgs) -> anyhow::Result<()> {
    let split = args.split.as_deref().map(|split| read_named_split(&args.folder, split));
    let images = split.transpose()?.map(|ids| ids.into_iter().collect());
    let entities = with_spinner("reading", || Entities::read(&args.folder, images.as_ref()))?;
    let stats = PhraseStats::from_images(entities.images().into_iter().map(|(_, image)| image));
    say::warn_alike(&entities.problems);
    let missing = images.map_or(0, |images| images.len() - stats.images);
    if missing > 0 {
        say!("warning: no sentences of {} images of the list", grouped(missing));
    }
    Ok(args.format.print(|| report::entities::report(&stats))?)
}

/// Reads the image ids of a split from the file `split`, else from `split` or `split.txt` in the folder.
fn read_named_split(folder: &Path, split: &Path) -> Result<Vec<crate::data::id::Id>> {
    let in_folder = folder.join(split);
    let text_file = in_folder.with_extension("txt");
    let mut files = [split, &in_folder, &text_file].into_iter().filter(|path| path.is_file());
    read_split(files.next().unwrap_or(split))
}
