//! The HTML report: its sections, and the page around them.

use clap::{Args, Command};
use std::fmt::Write as _;

use super::ReportArgs;
use super::charts::{charts_html, error_bar_html};
use crate::analysis::breakdown::Part;
use crate::analysis::clusters::Clustering;
use crate::analysis::runs::Runs;
use crate::analysis::survey::Detail;
use crate::cli::compare::{self, CompareArgs};
use crate::cli::draw::Population;
use crate::cli::errors::{self, ErrorsArgs};
use crate::cli::eval::{DEPTHS, EvalResults};
use crate::cli::figure;
use crate::cli::progress::{self, with_rank_bar};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::markup::escape_html;
use crate::doctor;
use crate::error::{Error, Result};
use crate::evaluate::evaluate_each;
use crate::evaluate::plan::Request;
use crate::figure::scene::DEPTH;
use crate::figure::selection::QuerySelection;
use crate::figure::{FigureQuery, PALETTE, with_css_variables};
use crate::filter::Marks;
use crate::metric::METRICS;
use crate::report::evaluation::EvalReport;
use crate::report::formats::html;
use crate::report::{Report, findings};
use crate::session::Timestamp;
use crate::study::{Study, View};

/// Name, condition and meaning of the queries with perfect rankings, among the examples.
const BEST: [&str; 3] = ["best", "map_at_r == 1", "every positive before every other item"];

/// The page being made, section by section.
pub(super) struct Page<'a> {
    args: &'a ReportArgs,
    study: &'a Study,
    /// Title and HTML of each section.
    sections: Vec<(&'static str, String)>,
    /// HTML of the section `Details`: full reports, folded.
    details: String,
}

/// Queries of one model to draw examples from.
struct Examples {
    view: View,
    /// Queries with perfect rankings, then those of each error type.
    parts: Vec<Part>,
    /// Number of covered queries.
    covered: usize,
}

/// Parses the arguments of a subcommand from `words`: its name, then its arguments.
fn parse_args<T: Args>(words: &[&str]) -> Result<T> {
    let command = T::augment_args(Command::new("itm-explore"));
    let matches = command.try_get_matches_from(words);
    let args = matches.and_then(|mut matches| T::from_arg_matches_mut(&mut matches));
    args.map_err(|error| Error::new(words[0], error))
}

/// HTML of a report's conclusion, which may have several lines.
fn conclusion_html(conclusion: &str) -> String {
    let lines: Vec<String> = conclusion.lines().map(escape_html).collect();
    format!("<p class=\"answer\">{}</p>\n", lines.join("<br>"))
}

/// The id of a section, which links refer to.
fn section_id(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

impl<'a> Page<'a> {
    pub(super) fn new(args: &'a ReportArgs, study: &'a Study) -> Self {
        Page { args, study, sections: Vec::new(), details: String::new() }
    }

    /// Computes every section; returns the HTML of the whole page.
    pub(super) fn html(mut self) -> Result<String> {
        self.add_scoreboard()?;
        let comparison = self.add_comparison()?;
        self.sections.push(("Charts", charts_html(self.study, &self.args.typed)));
        let (errors, tables, examples) = self.analyse_errors()?;
        self.add_examples(examples)?;
        let headline = comparison.unwrap_or_else(|| errors.clone());
        let errors = if headline == errors { tables } else { errors + &tables };
        self.sections.push(("Errors", errors));
        self.fold_checks();
        self.fold_definitions();
        let details = std::mem::take(&mut self.details);
        self.sections.push(("Details", details));
        self.add_inputs();
        Ok(self.page_html(&headline))
    }

    /// HTML of a report's tables and notes, and of the command that prints it; `words`: subcommand and options.
    fn report_html(&self, words: &[&str], report: Report<'_>) -> String {
        let html::Parts { tables, notes, .. } = html::convert(report);
        let (label, command) = (escape_html(&words.join(" ")), self.command_html(words));
        format!(
            "<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\">\n{tables}</div>\n{notes}{command}"
        )
    }

    /// HTML of the command line with `words` (a subcommand, then its options) and the inputs of the page.
    fn command_html(&self, words: &[&str]) -> String {
        let command = self.args.typed.command(words[0], &words[1..]);
        format!("<p class=\"made\"><code>{}</code></p>\n", escape_html(&command))
    }

    /// Adds HTML to the details, folded under a title.
    fn fold(&mut self, title: &str, html: &str) {
        let title = escape_html(title);
        self.details +=
            &["<details>\n<summary>", &title, "</summary>\n", html, "</details>\n"].concat();
    }

    /// Adds a report to the details, with the command that prints it.
    fn fold_report(&mut self, title: &str, words: &[&str], report: Report<'_>) {
        let html = self.report_html(words, report);
        self.fold(title, &html);
    }

    /// Adds the metrics usual in papers, and to the details all metrics with intervals.
    fn add_scoreboard(&mut self) -> Result<()> {
        let study = self.study;
        let request = Request { depths: DEPTHS.to_vec(), ..Request::default() };
        let mut results = EvalResults::new(study, Some(Clustering::ByImage), false);
        let evaluation = with_rank_bar(|token| {
            evaluate_each(study, &request, token, |sets, lines| results.add_model(sets, lines))
        })?;
        let evaluated =
            |intervals| EvalReport::new(&evaluation, Direction::BOTH.to_vec(), intervals, true);
        let html = self.report_html(&["eval"], evaluated(None).report(false));
        self.sections.push(("Scoreboard", html));
        let full = evaluated(results.intervals);
        self.fold_report(
            "All metrics with 95 % intervals",
            &["eval", "--long", "--ci"],
            full.report(true),
        );
        Ok(())
    }

    /// Adds the differences of two models, in full to the details, or the ranks of more. Returns HTML of the
    /// conclusion; `None` if there is one model.
    fn add_comparison(&mut self) -> Result<Option<String>> {
        let study = self.study;
        if Runs::from_models(&study.models).len() < 2 {
            return Ok(None);
        }
        let seed = format!("--seed={}", self.args.seed);
        let words = ["compare", "--full", &seed];
        let args: CompareArgs = parse_args(&words)?;
        let request = compare::make_request(&args, study, &[], Vec::new())?;
        let mut conclusion = None;
        compare::with_comparison(&args, study, &request, request.is_pair(), |mut comparison| {
            comparison.is_full = false;
            let brief = comparison.report();
            conclusion = Some(conclusion_html(&brief.heading));
            let html = self.report_html(&words[..1], brief);
            self.sections.push(("Comparison", html));
            if request.is_pair() {
                comparison.is_full = true;
                self.fold_report("Comparison in full", &words, comparison.report());
            }
            Ok(())
        })?;
        Ok(conclusion)
    }

    /// Adds the error analysis in full to the details. Returns HTML of its conclusion; HTML of error bars and tables;
    /// and queries of the first model, those with perfect rankings and those of each error type.
    fn analyse_errors(&mut self) -> Result<(String, String, Examples)> {
        let args: ErrorsArgs = parse_args(&["errors"])?;
        let with_texts = self.study.with_texts_of(ModelIx::default());
        let study = with_texts.as_ref().unwrap_or(self.study);
        errors::with_errors(&args, study, &Marks::default(), |mut errors| {
            let mut html = String::new();
            for detail in &errors.survey.details {
                let View { model, truth, direction } = detail.view;
                let [model, truth] = [&study.models[model].name, &study.truths[truth].name];
                html += &error_bar_html(&format!("{model}, {direction}, {truth}"), detail);
            }
            let Detail { view, breakdown, .. } = &errors.survey.details[0];
            let [name, condition, meaning] = BEST;
            let queries = errors.evidence.matching_queries(condition, *view).unwrap_or_default();
            let mut parts = vec![Part { name, meaning, condition: condition.to_owned(), queries }];
            parts.extend_from_slice(&breakdown.parts[1..]);
            let examples = Examples { view: *view, parts, covered: breakdown.covered };
            let brief = errors.report();
            let conclusion = conclusion_html(&brief.heading);
            html += &self.report_html(&["errors"], brief);
            errors.is_full = true;
            self.fold_report("Errors in full", &["errors", "--full"], errors.report());
            Ok((conclusion, html, examples))
        })
    }

    /// Adds the section of examples: figures of random queries of each part.
    fn add_examples(&mut self, Examples { view, parts, covered }: Examples) -> Result<()> {
        let study = self.study;
        let names = [&study.models[view.model].name, &study.truths[view.truth].name];
        let [model, truth] = names.map(|name| escape_html(name));
        let mut html = format!(
            "<p class=\"note\">Queries of {model} under {truth}, drawn at random.</p>\n<div class=\"charts\">\n"
        );
        for part in parts.iter().filter(|part| !part.queries.is_empty()) {
            let Part { name, meaning, condition, queries } = part;
            let population = Population { condition, queries, total: covered };
            let draw = (self.args.examples, self.args.seed, false);
            let (queries, sample) = population.sample((study, &Marks::default()), view, draw)?;
            let figure_query = |query: u32| FigureQuery {
                direction: view.direction,
                query: query as usize,
                models: vec![view.model],
                truth: view.truth,
                depth: DEPTH,
                note: String::new(),
                heading: String::new(),
                selection: QuerySelection::Sampled(Box::new(sample.clone())),
            };
            let queries: Vec<FigureQuery> = queries.into_iter().map(figure_query).collect();
            let svg = figure::draw_svg(study, &queries)?;
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

    /// Adds the findings of `doctor` to the details.
    fn fold_checks(&mut self) {
        let findings = progress::with_spinner("checking", || doctor::examine(self.study));
        self.fold_report("Checks of the inputs", &["doctor"], findings::report(&findings, &[]));
    }

    /// Adds the definitions of all metrics to the details.
    fn fold_definitions(&mut self) {
        let entries = METRICS.iter().map(|metric| {
            let [title, doc] = [metric.title(), metric.doc()].map(escape_html);
            format!("<dt>{title}</dt><dd>{doc}</dd>\n")
        });
        let entries = format!("<dl>\n{}</dl>\n", entries.collect::<String>());
        self.fold("How numbers are defined", &entries);
    }

    /// Adds the section of inputs: how files were interpreted, and the command that writes the page.
    fn add_inputs(&mut self) {
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

    /// HTML of the warnings at the top of the page.
    fn warnings_html(&self) -> String {
        let notes = self.study.notes.iter().filter(|note| note.is_needed_for_metrics());
        let problems = doctor::examine_quickly(self.study);
        let problems = problems.iter().map(ToString::to_string);
        let all = notes.map(|note| note.text.clone()).chain(problems);
        let paragraph =
            |text: String| format!("<p class=\"warning\">warning: {}</p>\n", escape_html(&text));
        all.map(paragraph).collect()
    }

    /// HTML of the page: title, warnings, headline, contents and sections.
    fn page_html(&self, headline: &str) -> String {
        let names: Vec<&str> = self.study.models.iter().map(|model| model.name.as_str()).collect();
        let title = escape_html(&self.args.title.clone().unwrap_or_else(|| names.join(", ")));
        let now = Timestamp::now().to_string();
        let day = now.split('T').next().unwrap_or_default();
        let links = self
            .sections
            .iter()
            .map(|(title, _)| format!("<li><a href=\"#{}\">{title}</a></li>\n", section_id(title)));
        let sections = self.sections.iter().map(|(title, html)| {
            format!("<section id=\"{}\">\n<h2>{title}</h2>\n{html}</section>\n", section_id(title))
        });
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{PALETTE}{}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n{}{headline}<p class=\"made\">{day}, itm-explore {}</p>\n\
             <nav aria-label=\"Contents\">\n<ul>\n{}</ul>\n</nav>\n{}</main>\n</body>\n</html>\n",
            include_str!("page.css"),
            self.warnings_html(),
            env!("CARGO_PKG_VERSION"),
            links.collect::<String>(),
            sections.collect::<String>()
        )
    }
}
