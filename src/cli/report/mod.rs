//! `itm-explore report`: one page for co-authors without a terminal.
//!
//! The answers of `compare` and `errors` come first; each section is what a subcommand prints, with the files of the
//! report.

mod charts;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::as_typed::AsTyped;
use super::{InputArgs, command_line, library};
use crate::analysis::kinds::KINDS;
use crate::data::html_text::escaped;
use crate::data::output::write_whole;
use crate::data::text::shown;
use crate::doctor;
use crate::error::{Error, Result};
use crate::figure::in_variables;
use crate::metric::{METRICS, Metric};
use crate::session::Timestamp;
use crate::study::{Note, Study, View};

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
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = super::values::seed)]
    seed: u64,
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
    require_page(&args.output)?;
    args.input.inputs(true).spare(&args.output)?;
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let names: Vec<&str> = study.models.iter().map(|model| model.name.as_str()).collect();
    let title = args.title.clone().unwrap_or_else(|| names.join(", "));
    let mut page = Page { args, html: Vec::new(), contents: Vec::new(), said: Vec::new() };
    page.warnings(&study);
    let models = names.iter().take(MOST).copied().collect::<Vec<_>>().join(",");
    let compare = ["compare", "--models", &models];
    let mut first = Vec::new();
    page.section("Metrics", &["eval"])?;
    if names.len() > 1 {
        first.push(page.section("Comparison", &compare)?);
    }
    page.charts(&study);
    first.push(page.section("Errors", &["errors"])?);
    page.examples(&study)?;
    page.begin("Details");
    let seed = format!("--seed={}", args.seed);
    let full = [&compare[..], &["--full", &seed]].concat();
    for words in [&["eval", "--long", "--ci"][..], &full, &["errors", "--full"], &["doctor"]] {
        if words[0] != "compare" || names.len() > 1 {
            page.folded(words)?;
        }
    }
    page.definitions();
    page.end();
    page.inputs(&study);
    let html = page.whole(&title, &first.concat());
    write_whole(&args.output, |file| std::io::Write::write_all(file, html.as_bytes()))?;
    say!("wrote {}", shown(&args.output.display().to_string()));
    Ok(0)
}

/// The most models that are compared: every two of them take a pass.
const MOST: usize = 4;

struct Page<'a> {
    args: &'a ReportArgs,
    /// The sections so far.
    html: Vec<String>,
    /// Titles of the sections.
    contents: Vec<&'static str>,
    /// Warnings that stand at its head.
    said: Vec<String>,
}

/// The answer of what a subcommand printed, and the rest.
fn parted(printed: &str) -> (&str, &str) {
    const BEGIN: &str = "<p class=\"heading\">";
    let rest = printed.strip_prefix(BEGIN).and_then(|rest| rest.split_once("</p>\n"));
    rest.unwrap_or(("", printed))
}

fn id(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

impl Page<'_> {
    fn warnings(&mut self, study: &Study) {
        let heeded = study.notes.iter().filter(|note| note.is_to_be_heeded());
        let problems = doctor::examine_quickly(study).into_iter();
        let problems = problems.map(|finding| finding.to_string());
        let all = heeded.map(|note| note.text.clone()).chain(problems);
        self.said = all.map(|warning| format!("warning: {warning}")).collect();
    }

    fn put(&mut self, html: String) {
        self.html.push(html);
    }

    fn begin(&mut self, title: &'static str) {
        self.contents.push(title);
        self.put(format!("<section id=\"{}\">\n<h2>{title}</h2>\n", id(title)));
    }

    fn end(&mut self) {
        self.put("</section>\n".to_owned());
    }

    /// What a subcommand prints of the same inputs, and the command; gives its answer.
    fn section(&mut self, title: &'static str, words: &[&str]) -> Result<String> {
        let printed = self.printed(&[words, &["--format", "html"]].concat())?;
        let (answer, rest) = parted(&printed);
        self.begin(title);
        self.put(format!("<div class=\"scroll\">\n{rest}</div>\n{}", self.made(words)));
        self.end();
        Ok(format!("<p class=\"answer\">{answer}</p>\n"))
    }

    fn made(&self, words: &[&str]) -> String {
        let command = self.args.typed.command(words[0], &words[1..]);
        format!("<p class=\"made\"><code>{}</code></p>\n", escaped(&command))
    }

    /// The same, to be opened.
    fn folded(&mut self, words: &[&str]) -> Result<()> {
        let printed = self.printed(&[words, &["--format", "html"]].concat())?;
        let (title, made) = (escaped(&words.join(" ")), self.made(words));
        self.fold(&title, &format!("<div class=\"scroll\">\n{printed}</div>\n{made}"));
        Ok(())
    }

    fn fold(&mut self, title: &str, html: &str) {
        self.put(format!("<details>\n<summary>{title}</summary>\n{html}</details>\n"));
    }

    fn definitions(&mut self) {
        let entry = |metric: &&dyn Metric| {
            format!("<dt>{}</dt><dd>{}</dd>\n", escaped(metric.title()), escaped(metric.doc()))
        };
        let entries: Vec<String> = METRICS.iter().map(entry).collect();
        let entries = format!("<dl>\n{}</dl>\n", entries.concat());
        self.fold("how numbers are defined", &entries);
    }

    /// How the files were understood, and the command that makes the page.
    fn inputs(&mut self, study: &Study) {
        self.begin("Inputs");
        let notes = study.notes.iter();
        let item = |note: &Note| format!("<li>{}</li>\n", escaped(&note.text));
        let notes = notes.map(item).collect::<Vec<String>>().concat();
        let command = escaped(&self.args.command());
        self.put(format!(
            "<ul class=\"note\">\n{notes}</ul>\n<p class=\"made\"><code>{command}</code></p>\n\
             <p class=\"note\">Not listed is not wrong: a ground truth that does not list an item has often never \
             looked at it.</p>\n"
        ));
        self.end();
    }

    /// The page: the answer first, then warnings, contents and sections.
    fn whole(&self, title: &str, answer: &str) -> String {
        let title = escaped(title);
        let warning = |text: &String| format!("<p class=\"warning\">{}</p>\n", escaped(text));
        let warnings = self.said.iter().map(warning).collect::<Vec<_>>().concat();
        let link = |title: &&str| format!("<a href=\"#{}\">{title}</a>\n", id(title));
        let contents = self.contents.iter().map(link).collect::<Vec<_>>().concat();
        let now = Timestamp::now().to_string();
        let day = now.split('T').next().unwrap_or_default();
        let made = format!("{day}, itm-explore {}", env!("CARGO_PKG_VERSION"));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n{warnings}{answer}<p class=\"made\">{made}</p>\n\
             <nav aria-label=\"Contents\">\n{contents}</nav>\n{}</main>\n</body>\n</html>\n",
            include_str!("page.css"),
            self.html.concat()
        )
    }

    fn charts(&mut self, study: &Study) {
        let charts = charts::charts(study, &self.args.typed);
        self.begin("Charts");
        self.put(format!("<div class=\"charts\">\n{charts}</div>\n"));
        self.end();
    }

    /// Some queries of each error type that has any, as figures.
    fn examples(&mut self, study: &Study) -> Result<()> {
        let view = View::choose(study, None, None, None)?;
        let [model, truth] = [&study.models[view.model].name, &study.truths[view.truth].name];
        let (pick, seed) = (self.args.examples.to_string(), self.args.seed.to_string());
        let shown = KINDS.iter().filter(|kind| SHOWN.contains(&kind.key));
        let shown =
            shown.filter_map(|kind| Some((kind.name, kind.expression(study, view)?, kind.meaning)));
        let best =
            ("correct", "map_at_r == 1".to_owned(), "every positive before every other item");
        self.begin("Examples");
        for (name, condition, meaning) in std::iter::once(best).chain(shown) {
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
                    if !self.args.input.quiet {
                        say!("no example of {name}: {}", error.found());
                    }
                    continue;
                }
            };
            self.put(format!(
                "<figure>\n<figcaption><strong>{}</strong> of {} under {}: {}.<br><code>{}</code></figcaption>\n{}\n</figure>\n",
                escaped(name),
                escaped(model),
                escaped(truth),
                escaped(meaning),
                escaped(&condition),
                in_variables(&svg)
            ));
        }
        self.end();
        Ok(())
    }

    /// What a subcommand writes to standard output.
    fn printed(&self, words: &[&str]) -> Result<String> {
        let typed = self.args.typed.words().iter().map(String::as_str);
        let line = ["itm-explore"].iter().chain(words).copied().chain(typed).chain(["-q"]);
        let wrong = |error: &dyn std::fmt::Display| Error::new(words[0], error);
        let cli = command_line::read(line.map(OsString::from)).map_err(|error| wrong(&error))?;
        let command = cli.command.ok_or_else(|| wrong(&"no command"))?;
        let heard = library::heard_while(|| command.run());
        let heard =
            heard.map_err(|error| error.downcast().unwrap_or_else(|error| wrong(&error)))?;
        let said = heard.said.iter().filter(|line| !self.said.contains(line));
        said.for_each(|line| say!("{line}"));
        Ok(String::from_utf8_lossy(&heard.out).into_owned())
    }
}
