//! `itm-explore report`: one page for co-authors without a terminal.
//!
//! Each section is what a subcommand prints, with the files of the report.

mod charts;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::as_typed::AsTyped;
use super::{Command, InputArgs, command_line, library};
use crate::analysis::kinds::KINDS;
use crate::data::html_text::escaped;
use crate::data::output::write_whole;
use crate::data::text::shown;
use crate::doctor;
use crate::error::{Error, Result};
use crate::metric::METRICS;
use crate::study::{Study, View};

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
    /// Random example queries per error type
    #[arg(long, value_name = "N", default_value_t = 2)]
    examples: usize,
    /// Random seed of examples, and of the items for Kendall's tau
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::resampling::seed)]
    seed: u64,
    /// Print warnings only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    typed: AsTyped,
    #[command(flatten)]
    input: InputArgs,
}

impl ReportArgs {
    /// The command that makes the same page.
    fn command(&self) -> String {
        let [examples, seed] = [self.examples as u64, self.seed].map(|number| number.to_string());
        let output = self.output.to_string_lossy();
        let mut words = vec!["--examples", &*examples, "--seed", &*seed];
        words.extend(self.title.iter().flat_map(|title| ["--title", title.as_str()]));
        words.extend(["-o", &*output]);
        self.typed.command("report", &words)
    }
}

/// Error types that have examples, by key.
const SHOWN: [&str; 4] = ["missing-label", "near-miss", "far-miss", "hub"];

/// Refuses the ending of another kind of file than a page: nobody could open it.
fn require_page(out: &Path) -> Result<()> {
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        None | Some("html" | "htm") => Ok(()),
        Some(other) => Err(Error::new(out.display(), format!("a page is no .{other}"))
            .expected("a name with .html")
            .mend("a browser prints the page as PDF")),
    }
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    require_page(&args.output)?;
    args.input.inputs(true).spare(&args.output)?;
    let study = args.input.open(true)?;
    super::report_notes(&study, args.quiet);
    study.require_models_and_truths()?;
    let names: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    let title = args.title.clone().unwrap_or_else(|| names.join(", "));
    let mut page = Page { args, html: String::new(), said: Vec::new() };
    page.begin(&title, &study);
    let seed = format!("--seed={}", args.seed);
    page.section("Metrics", &["eval", "--ci"])?;
    page.charts(&study);
    if names.len() > 1 {
        let models = names.iter().take(MOST).copied().collect::<Vec<_>>().join(",");
        page.section("Comparison", &["compare", &seed, "--models", &models])?;
    }
    page.section("Why models fail", &["errors"])?;
    page.examples(&study)?;
    page.section("Inputs, checked", &["doctor"])?;
    page.inputs(&study);
    page.end();
    write_whole(&args.output, |file| std::io::Write::write_all(file, page.html.as_bytes()))?;
    say!("wrote {}", shown(&args.output.display().to_string()));
    Ok(0)
}

/// The most models that are compared: every two of them take a pass.
const MOST: usize = 4;

struct Page<'a> {
    args: &'a ReportArgs,
    html: String,
    /// Warnings that stand at its head.
    said: Vec<String>,
}

impl Page<'_> {
    fn begin(&mut self, title: &str, study: &Study) {
        let title = escaped(title);
        self.html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n",
            include_str!("page.css")
        );
        let warnings =
            study.notes.iter().filter(|note| note.is_to_be_heeded()).map(|note| note.text.clone());
        let problems =
            doctor::examine_quickly(study).into_iter().map(|finding| finding.to_string());
        // Writing to a string cannot fail.
        for warning in warnings.chain(problems) {
            let warning = format!("warning: {warning}");
            let _ = writeln!(self.html, "<p class=\"warning\">{}</p>", escaped(&warning));
            self.said.push(warning);
        }
    }

    /// How the files were understood.
    fn inputs(&mut self, study: &Study) {
        self.html += "<ul class=\"note\">\n";
        for note in &study.notes {
            let _ = writeln!(self.html, "<li>{}</li>", escaped(&note.text));
        }
        self.html += "</ul>\n";
    }

    /// What a subcommand prints of the same inputs.
    fn section(&mut self, title: &str, words: &[&str]) -> Result<()> {
        let printed = self.printed(&[words, &["--format", "html"]].concat())?;
        // Writing to a string cannot fail.
        let _ = write!(
            self.html,
            "<section>\n<h2>{}</h2>\n<p class=\"made\"><code>{}</code></p>\n<div class=\"scroll\">\n{printed}</div>\n</section>\n",
            escaped(title),
            escaped(&self.args.typed.command(words[0], &words[1..]))
        );
        Ok(())
    }

    /// The charts that the study can have.
    fn charts(&mut self, study: &Study) {
        let charts = charts::charts(study, &self.args.typed);
        let _ = write!(
            self.html,
            "<section>\n<h2>Charts</h2>\n<div class=\"charts\">\n{charts}</div>\n</section>\n"
        );
    }

    /// Some queries of each error type that has any, as figures.
    fn examples(&mut self, study: &Study) -> Result<()> {
        let view = View::choose(study, None, None, None)?;
        let [model, truth] = [&study.models[view.model].name, &study.truths[view.truth].name];
        let (pick, seed) = (self.args.examples.to_string(), self.args.seed.to_string());
        let kinds = KINDS.iter().filter(|kind| SHOWN.contains(&kind.key));
        for kind in kinds {
            let Some(condition) = kind.expression(study, view) else {
                continue;
            };
            let words = [
                "figure",
                "--where",
                &condition,
                "--pick",
                &pick,
                "--seed",
                &seed,
                "--model",
                model,
                "--truth",
                truth,
                "--direction",
                view.direction.key(),
                "--max-height",
                "2000",
                "--format",
                "svg",
            ];
            let svg = match self.printed(&words) {
                Ok(svg) => svg,
                // A type that no query is of has no figure.
                Err(error) => {
                    if !self.args.quiet {
                        say!("no example of {}: {}", kind.name, error.found());
                    }
                    continue;
                }
            };
            let _ = write!(
                self.html,
                "<figure>\n<figcaption><strong>{}</strong> of {} under {}: {}.<br><code>{}</code></figcaption>\n{svg}\n</figure>\n",
                escaped(kind.name),
                escaped(model),
                escaped(truth),
                escaped(kind.meaning),
                escaped(&condition)
            );
        }
        Ok(())
    }

    /// What a subcommand writes to standard output.
    fn printed(&self, words: &[&str]) -> Result<String> {
        // The inputs take the place of the demo.
        let line = ["itm-explore"].iter().chain(words).chain(&["--demo", "-q"]);
        let cli = command_line::read(line.map(OsString::from));
        let mut command = cli.ok().and_then(|cli| cli.command);
        let input = command.as_mut().and_then(Command::input_mut);
        let wrong = |error: &dyn std::fmt::Display| Error::new(words[0], error);
        let Some(input) = input else {
            return Err(wrong(&"takes no files"));
        };
        *input = self.args.input.clone();
        let command = command.ok_or_else(|| wrong(&"is unknown"))?;
        let heard = library::heard_while(|| command.run());
        let heard =
            heard.map_err(|error| error.downcast().unwrap_or_else(|error| wrong(&error)))?;
        let said = heard.said.iter().filter(|line| !self.said.contains(line));
        said.for_each(|line| say!("{line}"));
        Ok(String::from_utf8_lossy(&heard.out).into_owned())
    }

    fn end(&mut self) {
        self.html += "<section>\n<h2>How numbers are defined</h2>\n<dl>\n";
        for metric in METRICS {
            let _ = writeln!(
                self.html,
                "<dt>{}</dt><dd>{}</dd>",
                escaped(metric.title()),
                escaped(metric.doc())
            );
        }
        let _ = write!(
            self.html,
            "</dl>\n<p class=\"made\">Made by itm-explore {}: <code>{}</code>. Not listed is not wrong: a ground truth that does not list an \
             item has often never looked at it.</p>\n</section>\n</body>\n</html>\n",
            env!("CARGO_PKG_VERSION"),
            escaped(&self.args.command())
        );
    }
}
