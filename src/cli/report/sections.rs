//! The sections of a page, and the page around them.

use clap::{Args, Command};
use std::fmt::Write as _;

use super::ReportArgs;
use super::charts::{charts, error_bar};
use crate::analysis::breakdown::Part;
use crate::analysis::clusters::Clustering;
use crate::analysis::runs::Runs;
use crate::analysis::survey::Detail;
use crate::cli::compare::{self, CompareArgs};
use crate::cli::draw::Population;
use crate::cli::errors::{self, ErrorsArgs};
use crate::cli::eval::{DEPTHS, Gathered};
use crate::cli::figure;
use crate::cli::format;
use crate::cli::progress::{self, counting};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::markup::escape_html;
use crate::doctor;
use crate::error::{Error, Result};
use crate::evaluate::evaluate_each;
use crate::evaluate::plan::Request;
use crate::figure::scene::DEPTH;
use crate::figure::selection::Chosen;
use crate::figure::{PALETTE, Wanted, with_css_variables};
use crate::filter::Marks;
use crate::metric::METRICS;
use crate::report::evaluation::Evaluated;
use crate::report::formats::html;
use crate::report::{Report, findings};
use crate::session::Timestamp;
use crate::study::{Study, View};

/// The condition of the best queries, and its meaning.
const BEST: [&str; 3] = ["best", "map_at_r == 1", "every positive before every other item"];

pub(super) struct Page<'a> {
    args: &'a ReportArgs,
    study: &'a Study,
    /// Title and content of each.
    sections: Vec<(&'static str, String)>,
    /// Full forms, folded.
    details: String,
}

/// Queries of one model to draw examples from.
struct Examples {
    view: View,
    parts: Vec<Part>,
    /// Number of covered queries.
    covered: usize,
}

/// The options of a subcommand, with defaults for those not in `words`.
fn options<T: Args>(words: &[&str]) -> Result<T> {
    let command = T::augment_args(Command::new("itm-explore"));
    let read =
        command.try_get_matches_from(words).and_then(|mut read| T::from_arg_matches_mut(&mut read));
    read.map_err(|error| Error::new(words[0], error))
}

/// The first line as the answer, the others below it.
fn answer(heading: &str) -> String {
    let lines: Vec<String> = heading.lines().map(escape_html).collect();
    format!("<p class=\"answer\">{}</p>\n", lines.join("<br>"))
}

fn id(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

impl<'a> Page<'a> {
    pub(super) fn new(args: &'a ReportArgs, study: &'a Study) -> Self {
        Page { args, study, sections: Vec::new(), details: String::new() }
    }

    /// The whole page.
    pub(super) fn html(mut self) -> Result<String> {
        self.scoreboard()?;
        let compared = self.comparison()?;
        self.sections.push(("Charts", charts(self.study, &self.args.typed)));
        let (errors, bar, examples) = self.errors()?;
        self.examples(examples)?;
        let headline = compared.unwrap_or_else(|| errors.clone());
        let errors = if headline == errors { bar } else { errors + &bar };
        self.sections.push(("Errors", errors));
        self.doctor();
        self.definitions();
        let details = std::mem::take(&mut self.details);
        self.sections.push(("Details", details));
        self.inputs();
        Ok(self.whole(&headline))
    }

    /// The tables and notes of a report, and the command that prints it.
    fn report(&self, words: &[&str], report: Report<'_>) -> String {
        let html::Parts { tables, notes, .. } = html::parts(report);
        let (label, made) = (escape_html(&words.join(" ")), self.made(words));
        format!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">\n{tables}</div>\n{notes}{made}"
        )
    }

    fn made(&self, words: &[&str]) -> String {
        let command = self.args.typed.command(words[0], &words[1..]);
        format!("<p class=\"made\"><code>{}</code></p>\n", escape_html(&command))
    }

    fn fold(&mut self, title: &str, html: &str) {
        let title = escape_html(title);
        self.details +=
            &["<details>\n<summary>", &title, "</summary>\n", html, "</details>\n"].concat();
    }

    /// A report under the details.
    fn fold_report(&mut self, title: &str, words: &[&str], report: Report<'_>) {
        let html = self.report(words, report);
        self.fold(title, &html);
    }

    /// The metrics usual in papers, and under the details all with their intervals.
    fn scoreboard(&mut self) -> Result<()> {
        let study = self.study;
        let request = Request { depths: DEPTHS.to_vec(), ..Request::default() };
        let mut gathered = Gathered::new(study, Some(Clustering::ByImage), false);
        let evaluation = counting(|token| {
            evaluate_each(study, &request, token, |sets, lines| gathered.add(sets, lines))
        })?;
        let evaluated =
            |intervals| Evaluated::new(&evaluation, Direction::BOTH.to_vec(), intervals, true);
        let screen = format::screen();
        let html = self.report(&["eval"], evaluated(None).report(screen, false));
        self.sections.push(("Scoreboard", html));
        let full = evaluated(gathered.intervals);
        self.fold_report(
            "All metrics with 95 % intervals",
            &["eval", "--long", "--ci"],
            full.report(screen, true),
        );
        Ok(())
    }

    /// The differences of two models, with full details below, or the ranks of more; returns the conclusion. `None` for
    /// one model.
    fn comparison(&mut self) -> Result<Option<String>> {
        let study = self.study;
        if Runs::from_models(&study.models).len() < 2 {
            return Ok(None);
        }
        let seed = format!("--seed={}", self.args.seed);
        let words = ["compare", "--full", &seed];
        let args: CompareArgs = options(&words)?;
        let request = compare::request(&args, study, &[], Vec::new())?;
        let mut found = None;
        compare::with_compared(&args, study, &request, request.are_two(), |mut compared| {
            compared.is_full = false;
            let brief = compared.report();
            found = Some(answer(&brief.heading));
            let html = self.report(&words[..1], brief);
            self.sections.push(("Comparison", html));
            if request.are_two() {
                compared.is_full = true;
                self.fold_report("Comparison in full", &words, compared.report());
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The answer, the error bar with the tables of error types, and the best queries and those of each error type of
    /// the first model; full details below.
    fn errors(&mut self) -> Result<(String, String, Examples)> {
        let args: ErrorsArgs = options(&["errors"])?;
        let own = self.study.with_texts_of(ModelIx::default());
        let study = own.as_ref().unwrap_or(self.study);
        errors::with_errors(&args, study, &Marks::default(), |mut errors| {
            let mut html = String::new();
            for detail in &errors.survey.details {
                let View { model, truth, direction } = detail.view;
                let [model, truth] = [&study.models[model].name, &study.truths[truth].name];
                html += &error_bar(&format!("{model}, {direction}, {truth}"), detail);
            }
            let Detail { view, breakdown, .. } = &errors.survey.details[0];
            let [name, condition, meaning] = BEST;
            let queries = errors.evidence.listed(condition, *view).unwrap_or_default();
            let mut parts = vec![Part { name, meaning, condition: condition.to_owned(), queries }];
            parts.extend_from_slice(&breakdown.parts[1..]);
            let examples = Examples { view: *view, parts, covered: breakdown.covered };
            let brief = errors.report();
            let headline = answer(&brief.heading);
            html += &self.report(&["errors"], brief);
            errors.is_full = true;
            self.fold_report("Errors in full", &["errors", "--full"], errors.report());
            Ok((headline, html, examples))
        })
    }

    /// Random queries of each part.
    fn examples(&mut self, Examples { view, parts, covered }: Examples) -> Result<()> {
        let study = self.study;
        let [of, under] = [&study.models[view.model].name, &study.truths[view.truth].name];
        let [of, under] = [of, under].map(|name| escape_html(name));
        let mut html = format!(
            "<p class=\"note\">Queries of {of} under {under}, drawn at random.</p>\n<div class=\"charts\">\n"
        );
        for part in parts.iter().filter(|part| !part.queries.is_empty()) {
            let Part { name, meaning, condition, queries } = part;
            let population = Population { condition, queries, total: covered };
            let draw = (self.args.examples, self.args.seed, false);
            let (queries, sample) = population.sample((study, &Marks::default()), view, draw)?;
            let wanted = |query: u32| Wanted {
                direction: view.direction,
                query: query as usize,
                models: vec![view.model],
                truth: view.truth,
                depth: DEPTH,
                note: String::new(),
                heading: String::new(),
                chosen: Chosen::Sampled(Box::new(sample.clone())),
            };
            let wanted: Vec<Wanted> = queries.into_iter().map(wanted).collect();
            let svg = figure::svg(study, &wanted)?;
            let [name, meaning, condition] = [*name, *meaning, condition].map(escape_html);
            let _ = write!(
                html,
                "<figure>\n<figcaption><strong>{name}</strong>: {meaning}<br><code>{condition}</code></figcaption>\n{}\n</figure>\n",
                with_css_variables(&svg)
            );
        }
        self.sections.push(("Examples", html + "</div>\n"));
        Ok(())
    }

    fn doctor(&mut self) {
        let study = self.study;
        let found = progress::waiting("checking", || doctor::examine(study));
        self.fold_report("Checks of the inputs", &["doctor"], findings::report(&found, &[]));
    }

    fn definitions(&mut self) {
        let entries = METRICS.iter().map(|metric| {
            let [title, doc] = [metric.title(), metric.doc()].map(escape_html);
            format!("<dt>{title}</dt><dd>{doc}</dd>\n")
        });
        let entries = format!("<dl>\n{}</dl>\n", entries.collect::<String>());
        self.fold("How numbers are defined", &entries);
    }

    /// How files were interpreted, and the command that makes the page.
    fn inputs(&mut self) {
        let notes = self.study.notes.iter();
        let notes = notes.map(|note| format!("<li>{}</li>\n", escape_html(&note.text)));
        let html = format!(
            "<ul class=\"note\">\n{}</ul>\n<p class=\"made\"><code>{}</code></p>\n\
             <p class=\"note\">Not listed is not wrong: a ground truth that does not list an item has often never \
             looked at it.</p>\n",
            notes.collect::<String>(),
            escape_html(&self.args.command())
        );
        self.sections.push(("Inputs", html));
    }

    /// Warnings at the top of the page.
    fn warnings(&self) -> String {
        let notes = self.study.notes.iter().filter(|note| note.is_to_be_heeded());
        let problems = doctor::examine_quickly(self.study);
        let problems = problems.iter().map(ToString::to_string);
        let all = notes.map(|note| note.text.clone()).chain(problems);
        let paragraph =
            |text: String| format!("<p class=\"warning\">warning: {}</p>\n", escape_html(&text));
        all.map(paragraph).collect()
    }

    /// The page: the answer first, then warnings, contents and sections.
    fn whole(&self, headline: &str) -> String {
        let names: Vec<&str> = self.study.models.iter().map(|model| model.name.as_str()).collect();
        let title = escape_html(&self.args.title.clone().unwrap_or_else(|| names.join(", ")));
        let now = Timestamp::now().to_string();
        let day = now.split('T').next().unwrap_or_default();
        let links = self
            .sections
            .iter()
            .map(|(title, _)| format!("<li><a href=\"#{}\">{title}</a></li>\n", id(title)));
        let sections = self.sections.iter().map(|(title, html)| {
            format!("<section id=\"{}\">\n<h2>{title}</h2>\n{html}</section>\n", id(title))
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{PALETTE}{}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n{}{headline}<p class=\"made\">{day}, itm-explore {}</p>\n\
             <nav aria-label=\"Contents\">\n<ul>\n{}</ul>\n</nav>\n{}</main>\n</body>\n</html>\n",
            include_str!("page.css"),
            self.warnings(),
            env!("CARGO_PKG_VERSION"),
            links.collect::<String>(),
            sections.collect::<String>()
        )
    }
}
