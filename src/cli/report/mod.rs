//! `itm-explore report`: one HTML page, for co-authors without a terminal.
//!
//! The conclusion of `compare` comes first. Each section is the report of a subcommand about the same study, in brief;
//! its full form is folded under the details.

mod charts;
mod sections;

use std::path::{Path, PathBuf};

use clap::Args;

use self::sections::Page;
use super::InputArgs;
use super::typed_inputs::TypedInputs;
use crate::data::output::{check_free, write_whole};
use crate::data::text::shown;
use crate::error::{Error, Result};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore report sims.npy coco5k/ -o report.html\n  \
                  itm-explore report ours.npy baseline.npy coco5k/ captions_val2014.json -o report.html\n  \
                  itm-explore report sims.npy coco5k/ --images val2014/ --examples 5 --seed 7 -o report.html")]
pub(super) struct ReportArgs {
    /// Page to write (.html)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Title [default: the names of the models]
    #[arg(long, value_name = "WORDS")]
    title: Option<String>,
    /// Random example queries per kind
    #[arg(long, value_name = "N", default_value_t = 2)]
    examples: u32,
    /// Random seed of examples, and of the items for Kendall's tau
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    typed: TypedInputs,
    #[command(flatten)]
    input: InputArgs,
}

impl ReportArgs {
    /// The command line that writes the same page.
    fn command(&self) -> String {
        let [examples, seed] =
            [u64::from(self.examples), self.seed].map(|number| number.to_string());
        let output = self.output.to_string_lossy();
        let mut options = vec!["--examples", &*examples, "--seed", &*seed];
        options.extend(self.title.iter().flat_map(|title| ["--title", title.as_str()]));
        options.extend(["-o", &*output]);
        self.typed.command("report", &options)
    }
}

/// Rejects an extension other than `.html` or `.htm`: programs would open the page as another kind of file.
fn require_html(out: &Path) -> Result<()> {
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        None | Some("html" | "htm") => Ok(()),
        Some(other) => Err(Error::new(out.display(), format!("a page is no .{other}"))
            .expected("a name with .html")
            .fix("a browser prints the page as PDF")),
    }
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<()> {
    require_html(&args.output)?;
    check_free(&args.output, args.input.given.force)?;
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let html = Page::new(args, &study).html()?;
    write_whole(&args.output, |file| std::io::Write::write_all(file, html.as_bytes()))?;
    say!("wrote {}", shown(&args.output.display().to_string()));
    Ok(())
}
