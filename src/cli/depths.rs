//! Values of `--k`.

use crate::evaluate::plan::{Line, Rule};
use crate::metric::Depth;

/// The depths of whoever names none.
pub(super) const USUAL: [u32; 3] = [1, 5, 10];

/// Says that depths which somebody named are of no metric that is printed.
pub(super) fn tell_unheeded(depths: &[u32], lines: &[Line]) {
    let is_heeded = |line: &Line| match line.rule {
        Rule::Metric(spec, _) | Rule::FoldMean(spec) => {
            spec.metric.depth() == Depth::AtK && depths.contains(&spec.k)
        }
        Rule::Sum(..) | Rule::FoldRsum => false,
    };
    if depths != USUAL && !lines.iter().any(is_heeded) {
        say!(
            "warning: --k: changes nothing, as no metric of that depth is printed; name one, such as \
             --metrics ir_recall_at_k"
        );
    }
}

/// A whole number above 0, such as a depth.
///
/// # Errors
/// Says that one is expected.
pub(in crate::cli) fn above_zero(text: &str) -> std::result::Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "a whole number above 0 is expected".to_owned())
}
