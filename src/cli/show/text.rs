//! A query and its rankings as blocks of text, each with a picture or without.

use crate::report::shown::{Entry, RankedItem, Shown};
use crate::truth::standing::Badge;
use crate::tui::signs;
use crate::tui::ui::text::{width as columns, wrap};

/// A narrower terminal is taken for one of so many columns.
pub(super) const LEAST: u16 = 36;
/// Columns before what belongs to an item.
pub(super) const INDENT: usize = 4;
/// Columns between a badge and the marks of ground truths.
const GAP: usize = 3;
/// Between marks.
const BETWEEN: &str = "  ";

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// Ordinary.
    Plain,
    /// Of less weight.
    Dim,
    /// A heading.
    Strong,
    /// A badge.
    Badge(Badge),
}

/// Lines, a picture below them, and lines below that.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub above: Vec<Vec<(Tone, String)>>,
    /// Gallery index of the image.
    pub picture: Option<usize>,
    pub below: Vec<Vec<(Tone, String)>>,
}

/// The query, and for each model a heading and its items.
pub(super) fn blocks(shown: &Shown, width: usize) -> Vec<Block> {
    let pool = shown.pool.as_ref();
    let mut words = vec![
        shown.direction.key().to_owned(),
        format!("id {}", shown.query.id),
        format!("ground truth {}", shown.truth),
    ];
    words.extend(pool.cloned());
    let mut blocks = vec![Block {
        above: in_lines(&words, width).into_iter().map(|line| vec![(Tone::Dim, line)]).collect(),
        picture: shown.query.image,
        below: Vec::new(),
    }];
    let name = wrap(&shown.query.name, width).into_iter();
    blocks[0].above.extend(name.map(|line| vec![(Tone::Strong, line)]));
    blocks[0].below = captions(&shown.query, width);
    for ranked in &shown.rankings {
        let mut head = Block::default();
        head.above.push(Vec::new());
        let words = wrap(&format!("{}: {}", ranked.model, ranked.words()), width);
        head.above.extend(words.into_iter().map(|line| vec![(Tone::Strong, line)]));
        if ranked.items.is_empty() {
            head.above.push(vec![(Tone::Dim, "this model ranks nothing for this query".into())]);
        }
        blocks.push(head);
        blocks.extend(ranked.items.iter().map(|one| item(one, width)));
    }
    blocks
}

fn item(item: &RankedItem, width: usize) -> Block {
    let marks = item.standings.iter();
    let marks = marks.map(|(truth, standing)| format!("{truth} {}", signs::standing(*standing)));
    let verdict = item.verdict.map(|verdict| format!("verdict {verdict}"));
    let marks: Vec<String> = marks.chain(verdict).collect();
    let mut head = vec![
        (Tone::Dim, format!("{:>3}  {:>8}  ", item.rank, signs::score(item.score))),
        (Tone::Badge(item.badge), format!("{} {}", item.sign, item.badge.words())),
    ];
    let taken: usize = head.iter().map(|(_, words)| columns(words)).sum();
    let gap = " ".repeat(GAP);
    let beside = format!("{gap}{}", marks.join(BETWEEN));
    let mut below = Vec::new();
    if taken + columns(&beside) <= width {
        head.push((Tone::Dim, beside));
    } else {
        let lines = in_lines(&marks, width - INDENT).into_iter();
        below.extend(lines.map(|line| vec![(Tone::Dim, indented(&line))]));
    }
    let id = match item.entry.image {
        Some(_) => format!("image {}", item.entry.id),
        None => format!("caption {}", item.entry.id),
    };
    let name = wrap(&format!("{}  ({id})", item.entry.name), width - INDENT);
    let name = name.into_iter().map(|line| vec![(Tone::Plain, indented(&line))]);
    Block {
        above: std::iter::once(head).chain(below).chain(name).collect(),
        picture: item.entry.image,
        below: captions(&item.entry, width),
    }
}

/// Marks, or other words, in lines of so many columns, each whole where one has room for it.
fn in_lines(marks: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for mark in marks {
        match lines.last_mut() {
            Some(line) if columns(line) + columns(BETWEEN) + columns(mark) <= width => {
                line.push_str(BETWEEN);
                line.push_str(mark);
            }
            _ => lines.push(mark.clone()),
        }
    }
    lines
}

/// The captions written for an image.
fn captions(entry: &Entry, width: usize) -> Vec<Vec<(Tone, String)>> {
    let lines = entry.captions.iter().flat_map(|caption| {
        let wrapped = wrap(caption, width - INDENT - 2).into_iter().enumerate();
        wrapped.map(|(at, line)| indented(&format!("{} {line}", if at == 0 { "-" } else { " " })))
    });
    lines.map(|line| vec![(Tone::Dim, line)]).collect()
}

fn indented(line: &str) -> String {
    format!("{}{line}", " ".repeat(INDENT))
}
