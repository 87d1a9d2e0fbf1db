//! The charts of the HTML report: two metrics of each model, ranks of models, and a bar of error types.

use std::fmt::Write;

use crate::analysis::breakdown::{self, Part};
use crate::analysis::survey::Detail;
use crate::data::markup::escape_html;
use crate::data::text::grouped;
use crate::error::Result;
use crate::figure::chart::draw_chart;
use crate::figure::charts::{ChartRequest, RankCache, StudyChart, bump, models};
use crate::figure::{Options, inline_svg};
use crate::rank::pass::CancelToken;
use crate::study::Study;

use super::super::typed_inputs::TypedInputs;

/// Width of a chart in millimetres, at which its text is readable on a phone.
const WIDTH: f32 = 100.0;

/// HTML of the charts side by side, each with the command that writes it to a file. Charts that the study cannot have
/// are omitted.
pub(super) fn charts_html(study: &Study, typed: &TypedInputs) -> String {
    let cache = RankCache::new(study);
    let mut html = String::new();
    for kind in [&models::CHART, &bump::CHART] {
        if (kind.check)(study).is_err() {
            continue;
        }
        match figure(kind, &cache, typed) {
            Ok(Some(figure)) => html += &figure,
            Ok(None) => {}
            Err(error) => say!("no chart {}: {error}", kind.key),
        }
    }
    format!("<div class=\"charts\">\n{html}</div>\n")
}

/// HTML of one chart; `None` if cancelled.
fn figure(kind: &StudyChart, cache: &RankCache<'_>, typed: &TypedInputs) -> Result<Option<String>> {
    let request = ChartRequest::all(cache);
    let token = CancelToken::default();
    let make = || (kind.compute_chart)(&request, &token);
    let chart_data = super::super::progress::with_bar(kind.key, || token.progress(), make)?;
    let Some(chart_data) = chart_data else {
        return Ok(None);
    };
    let options = Options { width: WIDTH, ..Options::default() };
    let svg = inline_svg(&draw_chart(&chart_data, &options)?);
    let file = format!("{}.svg", kind.key);
    let command = typed.command(&format!("plot {}", kind.key), &["-o", &file]);
    Ok(Some(format!(
        "<figure class=\"chart\">\n{svg}<figcaption class=\"made\"><code>{}</code></figcaption>\n</figure>\n",
        escape_html(&command)
    )))
}

/// HTML of a bar that shows how a model's queries divide into hits and error types, with the share and number of each
/// part. `name`: label of the bar.
pub(super) fn error_bar_html(name: &str, detail: &Detail) -> String {
    let covered = detail.breakdown.covered;
    let parts = || detail.breakdown.parts.iter().enumerate();
    let label = |part: &Part| {
        let count = part.queries.len();
        format!("{} {:.1} % ({})", part.name, breakdown::percent(count, covered), grouped(count))
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
