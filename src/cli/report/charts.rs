//! The charts of a report: two metrics of each model, the ranks of many models, and the bar of error types.

use std::fmt::Write;

use crate::analysis::breakdown::{self, Part};
use crate::analysis::survey::Detail;
use crate::data::markup::escape_html;
use crate::data::text::grouped;
use crate::error::Result;
use crate::figure::chart::chart;
use crate::figure::charts::{ChartRequest, Counts, StudyChart, bump, models};
use crate::figure::{Options, inline};
use crate::rank::pass::CancelToken;
use crate::study::Study;

use super::super::typed_inputs::TypedInputs;

/// The width of a chart in millimetres: its text is readable on a phone.
const WIDTH: f32 = 100.0;

/// The charts side by side, each with the command that writes it alone.
pub(super) fn charts(study: &Study, typed: &TypedInputs) -> String {
    let counts = Counts::new(study);
    let mut html = String::new();
    for kind in [&models::CHART, &bump::CHART] {
        if (kind.check)(study).is_err() {
            continue;
        }
        match figure(kind, &counts, typed) {
            Ok(Some(figure)) => html += &figure,
            Ok(None) => {}
            Err(error) => say!("no chart {}: {error}", kind.key),
        }
    }
    format!("<div class=\"charts\">\n{html}</div>\n")
}

/// A chart as a figure of the page; `None` if cancelled.
fn figure(kind: &StudyChart, counts: &Counts<'_>, typed: &TypedInputs) -> Result<Option<String>> {
    let request = ChartRequest::all(counts);
    let token = CancelToken::default();
    let make = || (kind.make)(&request, &token);
    let of = super::super::progress::named(kind.key, || token.progress(), make)?;
    let Some(of) = of else {
        return Ok(None);
    };
    let options = Options { width: WIDTH, ..Options::default() };
    let svg = inline(&chart(&of, &options)?);
    let file = format!("{}.svg", kind.key);
    let command = typed.command(&format!("plot {}", kind.key), &["-o", &file]);
    Ok(Some(format!(
        "<figure class=\"chart\">\n{svg}<figcaption class=\"made\"><code>{}</code></figcaption>\n</figure>\n",
        escape_html(&command)
    )))
}

/// The bar of a model, with the share and the number of queries of each part; `name` is its label.
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
