//! Markdown: a table for each query, pictures beside the file.

use super::pictures::Beside;
use super::scene::{FigureItem, QueryRankings};
use super::{Figure, Format, Output};
use crate::data::markdown_text::{escaped, label, paragraph};

/// Pictures of a table are this wide, in points.
const PICTURE: f32 = 90.0;

pub(super) const FORMAT: Format = Format {
    key: "md",
    doc: "Markdown: a table for each query, pictures in a folder beside the file",
    is_text: true,
    is_paper: false,
    caption_height: None,
    pages: None,
    draw: None,
    write: |figure, name| {
        let mut beside = Beside::new(figure, name, "md-pictures");
        let text = text(figure, &mut beside);
        Ok(Output { bytes: text.into_bytes(), beside: beside.files(), warnings: Vec::new() })
    },
};

fn text(figure: &Figure, beside: &mut Beside<'_>) -> String {
    let mut out = String::new();
    for asked in &figure.scene.queries {
        out += &query(asked, beside);
        out += &table(asked, beside);
    }
    let legend = figure.scene.signs().into_iter();
    let legend: Vec<String> =
        legend.map(|sign| format!("{} {}", sign.glyph(), sign.words())).collect();
    out += &(legend.join(", ") + "\n");
    match figure.scene.statements.join(" ") {
        none if none.is_empty() => out,
        statements => format!("{out}\n{}\n", paragraph(&statements)),
    }
}

fn query(asked: &QueryRankings, beside: &mut Beside<'_>) -> String {
    let query = &asked.query;
    let words = if query.is_image {
        picture(query.index, &query.alt(), beside)
    } else {
        format!("“{}”", escaped(&query.text))
    };
    let note =
        if asked.note.trim().is_empty() { String::new() } else { paragraph(&asked.note) + "\n\n" };
    let heading = if asked.heading.is_empty() {
        String::new()
    } else {
        format!("### {}\n\n", escaped(&asked.heading))
    };
    format!("{heading}**Query, {}:** {words}\n\n{note}", escaped(&asked.query.label()))
}

/// A column for each model, a line for each rank.
fn table(asked: &QueryRankings, beside: &mut Beside<'_>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut head = vec!["#".to_owned()];
    let mut rule = vec!["---:".to_owned()];
    for row in &asked.rows {
        let first = row.first_in_words(asked);
        head.push(format!("{}: {}", escaped(&row.model), escaped(&first)));
        rule.push("---".to_owned());
    }
    let mut out = line(head) + &line(rule);
    let depth = asked.rows.iter().map(|row| row.items.len()).max();
    for at in 0..depth.unwrap_or_default() {
        let mut cells = vec![(at + 1).to_string()];
        for row in &asked.rows {
            let item = row.items.get(at);
            cells.push(item.map_or_else(String::new, |item| cell(item, beside)));
        }
        out += &line(cells);
    }
    out + "\n"
}

fn cell(item: &FigureItem, beside: &mut Beside<'_>) -> String {
    let subject = &item.subject;
    let words = if subject.is_image {
        picture(subject.index, &subject.alt(), beside)
    } else {
        escaped(&subject.text)
    };
    let numbers = match item.numbers().as_str() {
        "" => String::new(),
        numbers => format!(" ({numbers})"),
    };
    format!("{} {words}{numbers}", item.sign().glyph())
}

/// A picture beside the file, or its words where there is none.
fn picture(image: usize, alt: &str, beside: &mut Beside<'_>) -> String {
    match beside.file(image, PICTURE) {
        Some(file) => format!("![{}](<{file}>)", label(alt)),
        None => escaped(alt),
    }
}
