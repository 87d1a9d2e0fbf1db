//! The error bar: every covered query of a model in one part.

use std::fmt::Write;

use crate::analysis::breakdown::{self, Part};
use crate::analysis::survey::Detail;
use crate::data::html_text::escaped;
use crate::data::text::grouped;

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
            escaped(&labels[at])
        );
        x += width;
    }
    let name = escaped(&format!("{name}: {} covered queries", grouped(covered)));
    format!(
        "<figure class=\"error-bar\">\n<figcaption>{name}</figcaption>\n\
         <svg class=\"bar\" viewBox=\"0 0 {covered} 1\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{name}: {}\">{pieces}</svg>\n\
         <ul>\n{legend}</ul>\n</figure>\n",
        escaped(&labels.join(", "))
    )
}
