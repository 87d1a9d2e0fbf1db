//! The metrics, and the keys that show and define them.

use super::{Entry, Row};
use crate::metric::METRICS;
use crate::metric::rsum::Sum;
use crate::tui::action::Action;
use crate::tui::popups::sheet::Tone;
use crate::tui::ui::Ui;

/// Every metric, under its heading.
pub(super) fn rows(ui: &Ui) -> Vec<Row> {
    let [shows, defines] = [Action::Metrics, Action::Define].map(|of| ui.keymap.hint(of));
    let told = |key: &str| format!("{key}: {shows} shows it, {defines} there defines it");
    let mut rows = vec![Row::Heading("metrics".into())];
    rows.extend(METRICS.iter().map(|&metric| {
        let entry = Entry::new(Tone::Key, metric.title(), told(metric.key()));
        Row::Entry(Entry { metric: Some(metric), ..entry })
    }));
    rows.extend(Sum::ALL.map(|sum| Entry::sign(Tone::Key, sum.title(), told(sum.key()))));
    rows
}
