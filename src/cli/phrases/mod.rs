//! `itm-explore phrases`: phrases of Flickr30k Entities, counted and localised.

mod localize;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::format::FormatArgs;
use crate::cli::{progress, say};
use crate::data::text::grouped;
use crate::error::Result;
use crate::phrase::stats::Stats;
use crate::phrase::{Entities, read_split};
use crate::report;

subcommands! {
    pub(super) PhrasesCommand:
    /// Count phrases, chains and boxes
    Stats(StatsArgs) => count;
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

fn count(args: &StatsArgs) -> anyhow::Result<()> {
    let split = args.split.as_deref().map(|split| listed(&args.folder, split));
    let wanted = split.transpose()?.map(|ids| ids.into_iter().collect());
    let read = || Entities::read(&args.folder, wanted.as_ref());
    let entities = progress::waiting("reading", read)?;
    let stats = Stats::from_images(entities.images().into_iter().map(|(_, image)| image));
    say::warn_of_first(&entities.problems);
    let missing = wanted.map_or(0, |wanted| wanted.len() - stats.images);
    if missing > 0 {
        say!("warning: no sentences of {} images of the list", grouped(missing));
    }
    Ok(args.format.print(|| report::entities::report(&stats))?)
}

/// The list of this name: a file, or `test` and `test.txt` in the folder.
fn listed(folder: &Path, split: &Path) -> Result<Vec<crate::data::id::Id>> {
    let within = folder.join(split);
    let named = within.with_extension("txt");
    let mut known = [&within, &named].into_iter().filter(|path| path.is_file());
    match known.next().filter(|_| !split.is_file()) {
        Some(within) => read_split(within),
        None => read_split(split),
    }
}
