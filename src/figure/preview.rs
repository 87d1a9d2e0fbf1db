//! A figure as lines of text, for a terminal.

use super::Figure;
use super::scene::{FigureItem, QueryRankings};
use crate::data::text::grouped;

/// A figure in lines of text.
#[derive(Debug)]
pub struct Preview {
    /// One line per element.
    pub lines: Vec<String>,
    /// The first line of each of its queries.
    pub starts: Vec<usize>,
}

/// The structure of a figure; `pages` is their number if it may be split.
pub fn preview(figure: &Figure, pages: usize) -> Preview {
    let options = &figure.options;
    let [width, height] = figure.size();
    let pages = match pages {
        0 | 1 => String::new(),
        count => format!(", {count} pages"),
    };
    let images = match figure.drawing.images.count() {
        0 => String::new(),
        1 => format!(", an image at {} dpi", options.dpi),
        count => format!(", {} images at {} dpi", grouped(count), options.dpi),
    };
    let mut lines =
        vec![format!("{width} x {height:.0} mm{pages}, text of {} points{images}", options.text)];
    let mut starts = Vec::new();
    for asked in &figure.scene.queries {
        lines.push(String::new());
        starts.push(lines.len());
        lines.extend(block(asked, options.layout(asked.direction).key()));
    }
    lines.push(String::new());
    let legend = figure.scene.signs().into_iter();
    let legend: Vec<String> =
        legend.map(|sign| format!("{} {}", sign.glyph(), sign.label())).collect();
    lines.push(legend.join(", "));
    lines.extend(figure.scene.statements.iter().cloned());
    Preview { lines, starts }
}

fn block(asked: &QueryRankings, layout: &str) -> Vec<String> {
    let query = &asked.query;
    let words = if query.is_image { query.alt() } else { format!("“{}”", query.text) };
    let mut lines = Vec::new();
    if !asked.heading.is_empty() {
        lines.extend([asked.heading.clone(), String::new()]);
    }
    lines.push(format!("{layout}: query, {}: {words}", query.label()));
    if !asked.note.trim().is_empty() {
        lines.push(format!("  {}", asked.note));
    }
    for row in &asked.rows {
        lines.push(format!("  {}: {}", row.model, row.first_in_words(asked)));
        lines.extend(row.items.iter().map(item));
    }
    lines
}

fn item(item: &FigureItem) -> String {
    let words = item.subject.alt();
    format!("    {} {}  {words}", item.sign().glyph(), item.with_rank())
}
