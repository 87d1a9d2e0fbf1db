//! A query and its rows as boxes of LaTeX.

use super::{Writer, sign};
use crate::data::Direction;
use crate::figure::options::Layout;
use crate::figure::rows::{Share, in_rows, shrunk};
use crate::figure::scene::{FigureItem, ModelRanking, QueryRankings, Subject};
use crate::figure::style::frame;
use crate::figure::svg::number;

/// Widths as parts of the whole.
const QUERY: f32 = 0.2;
const GAP: f32 = 0.03;
/// Cards of a line: pictures and texts, at least so wide in ems.
const CARD: [f32; 2] = [4.5, 8.0];
/// Columns of models are at least so wide, in ems.
const COLUMN: f32 = 10.0;
/// Between cards, in points.
const BETWEEN: f32 = 3.0;
/// The lines of a frame and the white within, on each side, in points: frames of thin lines have more white, so that
/// all are of one size.
const FRAMED: f32 = 4.1;
/// What a frame takes of the width of an item.
const FRAME: f32 = 8.5;
/// The thinnest line, in points.
const THIN: f32 = 0.4;
/// The width of a picture beside its caption, in ems.
const PICTURE: f32 = 5.0;

/// A query with its rows. Lengths are in big points, which are those of the page.
pub(super) fn block(writer: &mut Writer<'_>, asked: &QueryRankings) -> String {
    let options = &writer.figure.options;
    let (layout, whole, size) = (options.layout(asked.direction), options.width(), options.text);
    if layout == Layout::SideBySide {
        let fit = (whole / (COLUMN * size)).floor().max(1.0) as usize;
        let count = asked.rows.len().clamp(1, fit);
        let width = whole * (1.0 - GAP * (count - 1) as f32) / count as f32;
        let query = query(writer, asked, whole * 0.25);
        let head = boxed(whole, &query) + "\\par\\vspace{3pt}\n";
        let columns = asked.rows.chunks(count).map(|rows| {
            let rows = rows.iter().map(|one| boxed(width, &row(writer, asked, one, layout, width)));
            rows.collect::<Vec<_>>().join("\\hfill\n")
        });
        return head + &columns.collect::<Vec<_>>().join("\\par\\vspace{3pt}\n") + "\n";
    }
    let left = whole * QUERY;
    let right = whole - left - whole * GAP;
    let query = query(writer, asked, left);
    let rows = asked.rows.iter().map(|one| row(writer, asked, one, layout, right));
    let rows = rows.collect::<Vec<_>>().join("\\par\\vspace{2pt}\n");
    boxed(left, &query) + "\\hfill\n" + &boxed(right, &rows) + "\n"
}

fn boxed(width: f32, content: &str) -> String {
    format!(
        "\\begin{{minipage}}[t]{{{}bp}}\\raggedright\n{content}\\end{{minipage}}",
        number(width)
    )
}

fn query(writer: &mut Writer<'_>, asked: &QueryRankings, width: f32) -> String {
    let label = writer.narrow(&format!("query, {}", asked.query.label()));
    // Colour at the very start of a box would be its first line.
    let label =
        format!("\\leavevmode{{\\itmsmall {label}\\par}}\\nointerlineskip\\vspace{{2pt}}\n");
    let own = &asked.query.own;
    let has_picture = || writer.figure.drawing.images.kind(asked.query.index).is_some();
    let words = if asked.query.is_image && (own.is_empty() || has_picture()) {
        let content = picture(writer, &asked.query, width - FRAME);
        node("draw=black!30", (THIN, width), &content) + "\\par\n"
    } else {
        // The captions of an image without a picture stand for it.
        let texts = if asked.query.is_image {
            own.as_slice()
        } else {
            std::slice::from_ref(&asked.query.text)
        };
        let quoted = texts.iter().map(|text| writer.narrow(&format!("“{text}”")));
        quoted.map(|text| format!("\\strut {text}\\par\n")).collect::<Vec<_>>().concat()
    };
    let note = if asked.note.trim().is_empty() {
        String::new()
    } else {
        format!("{{\\itmsmall {}\\par}}\n", writer.narrow(&asked.note))
    };
    label + &words + &note
}

fn row(
    writer: &mut Writer<'_>,
    asked: &QueryRankings,
    row: &ModelRanking,
    layout: Layout,
    width: f32,
) -> String {
    let model = writer.narrow(&row.model);
    let first = writer.narrow(&row.first_in_words(asked));
    let head = format!("\\textbf{{{model}}} {{\\itmsmall {first}}}\\par\\vspace{{1pt}}\n");
    let in_cards =
        layout == Layout::Grid || layout == Layout::SideBySide && asked.direction == Direction::T2i;
    if !in_cards {
        let lines = row.items.iter().map(|item| line(writer, item, width));
        return head + &lines.collect::<String>();
    }
    let [of_picture, of_text] = CARD;
    let seen = writer.figure.drawing.images.any(&row.items);
    let least = if seen { of_picture } else { of_text } * writer.figure.options.text;
    let share = Share { of_width: writer.figure.options.cards, seen };
    let all = [width - BETWEEN, BETWEEN];
    let (rows, card_width) = shrunk(row.items.len(), all, [least, 0.0], share);
    let cards = row.items.iter().map(|item| card(writer, item, card_width));
    let cards: Vec<[String; 2]> = cards.collect();
    let lines = in_rows(&cards, &rows).map(|line| {
        // Frames differ in height: what stands below them begins below the highest.
        let [frames, statements] = [0, 1].map(|part| {
            let parts: Vec<&str> = line.iter().map(|card| &*card[part]).collect();
            parts.join(&format!("\\hspace{{{BETWEEN}bp}}%\n"))
        });
        format!(
            "\\nointerlineskip\\leavevmode\n{frames}\\par\\nobreak\\nointerlineskip\\vspace{{1pt}}\n\\leavevmode\n{statements}\\par\\vspace{{2pt}}\n"
        )
    });
    head + &lines.collect::<String>()
}

/// An item in its frame; and sign, rank and score, which stand below.
fn card(writer: &mut Writer<'_>, item: &FigureItem, width: f32) -> [String; 2] {
    let content = if item.subject.is_image {
        picture(writer, &item.subject, width - FRAME)
    } else {
        paragraph(&writer.narrow(&item.subject.text), width - FRAME)
    };
    let style = format!("itm-{}", item.sign().key());
    let node = node(&style, (frame(item.sign()).across(), width), &content);
    let line = format!("{} {}", sign(item.sign()), minus(&item.with_rank()));
    [
        boxed(width, &format!("\\vspace{{0pt}}{node}\\par\n")),
        boxed(width, &format!("{{\\itmsmall\\strut {line}\\par}}\n")),
    ]
}

/// An item as a line: sign, rank, text, score; of an image also a picture, its top beside the text's.
fn line(writer: &mut Writer<'_>, item: &FigureItem, width: f32) -> String {
    let size = writer.figure.options.text;
    let (left, right) = (size * 2.6, size * 3.6);
    let subject = &item.subject;
    let wide = size * PICTURE;
    let file = subject.is_image.then(|| writer.image(subject.index, wide));
    let (picture, taken) = match file.flatten() {
        Some(file) => (raised(&included(&file, wide), wide + size), wide + size),
        None => (String::new(), 0.0),
    };
    let words = writer.narrow(&subject.alt());
    // Struts keep the last line of one item as far from the next one as lines are from each other.
    let words = format!("\\strut {words}\\strut\\par");
    let text = boxed(width - left - right - taken, &words);
    format!(
        "\\makebox[{}bp][l]{{{} {{\\itmsmall {}.}}}}{picture}{text}\\makebox[{}bp][r]{{\\itmsmall {}}}\\par\\vspace{{1pt}}\n",
        number(left),
        sign(item.sign()),
        item.rank,
        number(right),
        minus(&item.numbers())
    )
}

/// A box that hangs down from the line it stands in.
fn raised(content: &str, width: f32) -> String {
    format!(
        "\\raisebox{{\\dimexpr.8em-\\height}}{{\\makebox[{}bp][l]{{{content}}}}}",
        number(width)
    )
}

/// A minus as long as it should be, in numbers; verdicts are words.
fn minus(text: &str) -> String {
    let word = |word: &str| {
        let number = word.strip_prefix('-');
        number.map_or_else(|| word.to_owned(), |number| format!("$-${number}"))
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// What is framed by lines of so many points, in a width of so many.
fn node(style: &str, (lines, width): (f32, f32), content: &str) -> String {
    format!(
        "\\tikz[baseline=(current bounding box.north)]\\node[{style}, inner sep={}pt, minimum width={}bp] {{{content}}};",
        number(FRAMED - lines / 2.0),
        // LaTeX's own points are a little smaller.
        number(width - THIN - lines)
    )
}

/// A picture as large as its proportions allow, or its words.
fn picture(writer: &mut Writer<'_>, subject: &Subject, width: f32) -> String {
    if let Some(file) = writer.image(subject.index, width) {
        return included(&file, width);
    }
    let words = writer.narrow(subject.words());
    let name = writer.narrow(&subject.label());
    paragraph(&format!("{words}\\par\\itmsmall {name}"), width)
}

fn included(file: &str, width: f32) -> String {
    format!(
        "\\includegraphics[width={}bp,height={}bp,keepaspectratio]{{{file}}}",
        number(width),
        number(width * 0.75)
    )
}

fn paragraph(text: &str, width: f32) -> String {
    format!("\\parbox{{{}bp}}{{\\raggedright {text}\\par}}", number(width.max(1.0)))
}
