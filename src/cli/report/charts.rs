//! The charts of a report: the first of the registry that its study can have, the ranks of many models, and the bar of error
//! types.

use std::fmt::Write;

use crate::analysis::breakdown::{self, Part};
use crate::analysis::survey::Detail;
use crate::data::Direction;
use crate::data::markup::escape_html;
use crate::data::text::grouped;
use crate::error::Result;
use crate::figure::chart::chart;
use crate::figure::charts::{CHARTS, ChartRequest, Counts, StudyChart, bump};
use crate::figure::{Options, inline};
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};

use super::super::as_typed::AsTyped;

/// Charts from the head of the registry; `plot` draws the others.
const MOST: usize = 3;
/// The width of a chart in millimetres: its text can be read on a phone.
const WIDTH: f32 = 100.0;

/// The charts side by side, each with the command that writes it alone.
pub(super) fn charts(study: &Study, typed: &AsTyped) -> String {
    let counts = Counts::new(study);
    let mut html = String::new();
    let main = View::choose(study, None, None, None).ok().map(|view| view.direction);
    let possible = CHARTS.iter().filter(|kind| (kind.check)(study).is_ok()).enumerate();
    let is_shown = |(at, kind): &(usize, &StudyChart)| *at < MOST || kind.key == bump::CHART.key;
    for (_, kind) in possible.filter(is_shown) {
        let direction = main.filter(|_| kind.takes.directions == 1);
        match figure(kind, direction, &counts, typed) {
            Ok(Some(figure)) => html += &figure,
            Ok(None) => {}
            Err(error) => say!("no chart {}: {error}", kind.key),
        }
    }
    format!("<div class=\"charts\">\n{html}</div>\n")
}

/// A chart as a figure of the page; `None` where its ground truth lacks the direction.
fn figure(
    kind: &StudyChart,
    direction: Option<Direction>,
    counts: &Counts<'_>,
    typed: &AsTyped,
) -> Result<Option<String>> {
    let mut request = ChartRequest::all(counts);
    request.directions = direction.map_or(request.directions, |one| vec![one]);
    if direction.is_some() && kind.takes.truths > 0 && request.truth().is_err() {
        return Ok(None);
    }
    let token = CancelToken::default();
    let make = || (kind.make)(&request, &token);
    let of = super::super::progress::named(kind.key, || token.progress(), make)?;
    let Some(of) = of else {
        return Ok(None);
    };
    let options = Options { width: WIDTH, ..Options::default() };
    let svg = inline(&chart(&of, &options)?);
    let command = match direction.map(Direction::key) {
        None => typed.command(&format!("plot {}", kind.key), &["-o", &format!("{}.svg", kind.key)]),
        Some(key) => typed.command(
            &format!("plot {}", kind.key),
            &["--direction", key, "-o", &format!("{}-{key}.svg", kind.key)],
        ),
    };
    Ok(Some(format!(
        "<figure class=\"chart\">\n{svg}<figcaption class=\"made\"><code>{}</code></figcaption>\n</figure>\n",
        escape_html(&command)
    )))
}

/// The bar of a model, with the share and the number of queries of each part; `name` says of what.
pub(super) fn error_bar(name: &str, detail: &Detail) -> String {
    let covered = detail.breakdown.covered;
    let parts = || detail.breakdown.parts.iter().enumerate();
    let label = |part: &Part| {
        let count = part.queries.len();
        format!("{} {:.1} % ({})", part.name, breakdown::share(count, covered), grouped(count))
    };
    let labels: Vec<String> = parts().map(|(_, part)| label(part)).collect();
    let (mut x, mut pieces, mut legend) = (0, String::new(), String::new());
    for (at, part) in parts() {
        let width = part.queries.len();
        // Writing to a string cannot fail.
        let _ =
            write!(pieces, "<rect class=\"part-{at}\" x=\"{x}\" width=\"{width}\" height=\"1\"/>");
        let _ = writeln!(
            legend,
            "<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"part-{at}\" width=\"1\" height=\"1\"/></svg> {}</li>",
            escape_html(&labels[at])
        );
        x += width;
    }
    let name = escape_html(&format!("{name}: {} covered queries", grouped(covered)));
    format!(
        "<figure class=\"error-bar\">\n<figcaption>{name}</figcaption>\n\
         <svg class=\"bar\" viewBox=\"0 0 {covered} 1\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{name}: {}\">{pieces}</svg>\n\
         <ul>\n{legend}</ul>\n</figure>\n",
        escape_html(&labels.join(", "))
    )
}
