//! A figure as lines of text, for a terminal.

use super::Figure;
use super::scene::{FigureItem, QueryRankings};
use crate::data::text::grouped;

/// A figure in lines of text.
#[derive(Debug)]
pub struct Preview {
    /// Lines, without line ends.
    pub lines: Vec<String>,
    /// Index of the first line of each query.
    pub starts: Vec<usize>,
}

/// Describes a figure; `pages` is the number of pages that it is split into.
pub fn preview(figure: &Figure, pages: usize) -> Preview {
    let options = &figure.options;
    let [width, height] = figure.size();
    let page_count = match pages {
        0 | 1 => String::new(),
        count => format!(", {count} pages"),
    };
    let image_count = match figure.drawing.images.count() {
        0 => String::new(),
        1 => format!(", an image at {} dpi", options.dpi),
        count => format!(", {} images at {} dpi", grouped(count), options.dpi),
    };
    let text = options.text;
    let mut lines =
        vec![format!("{width} x {height:.0} mm{page_count}, text of {text} points{image_count}")];
    let mut starts = Vec::new();
    for rankings in &figure.scene.queries {
        lines.push(String::new());
        starts.push(lines.len());
        lines.extend(query_lines(rankings, options.layout(rankings.direction).key()));
    }
    lines.push(String::new());
    let legend = figure.scene.signs().into_iter();
    let legend: Vec<String> =
        legend.map(|sign| format!("{} {}", sign.glyph(), sign.label())).collect();
    lines.push(legend.join(", "));
    lines.extend(figure.scene.statements.iter().cloned());
    Preview { lines, starts }
}

/// The lines of a query: its text, its note, and the items of each model. `layout` is the key of its layout.
fn query_lines(rankings: &QueryRankings, layout: &str) -> Vec<String> {
    let query = &rankings.query;
    let query_text = if query.is_image { query.alt() } else { format!("“{}”", query.text) };
    let mut lines = Vec::new();
    if !rankings.heading.is_empty() {
        lines.extend([rankings.heading.clone(), String::new()]);
    }
    lines.push(format!("{layout}: query, {}: {query_text}", query.label()));
    if !rankings.note.trim().is_empty() {
        lines.push(format!("  {}", rankings.note));
    }
    for row in &rankings.rows {
        lines.push(format!("  {}: {}", row.model, row.first_positive_text(rankings)));
        lines.extend(row.items.iter().map(item_line));
    }
    lines
}

fn item_line(item: &FigureItem) -> String {
    let subject = item.subject.alt();
    format!("    {} {}  {subject}", item.sign().glyph(), item.rank_and_score())
}
