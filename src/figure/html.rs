//! HTML: one file without scripts, which a browser lays out to its own width.

use std::fmt::Write;

use super::options::{Layout, POINTS_PER_MM};
use super::scene::{FigureItem, ModelRanking, QueryRankings, Subject};
use super::sign::Sign;
use super::style::{INK, frame};
use super::svg::{PALETTE, dots, in_variables, shape, variables};
use super::{Figure, Format, Output};
use crate::data::Direction;
use crate::data::html_text::escaped;

/// Screens are looked at from further away than paper: everything is this much larger.
const LARGER: f32 = 1.6;
/// The width of a frame and the white within, in pixels.
const WIDEST: f32 = 5.0;

pub(super) const FORMAT: Format = Format {
    key: "html",
    doc: "one page, pictures inside, no scripts",
    is_text: true,
    is_paper: false,
    caption_height: None,
    pages: None,
    draw: None,
    write: |figure, _| Ok(Output::text(html(figure), Vec::new())),
};

fn html(figure: &Figure) -> String {
    let title = escaped(&figure.drawing.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{PALETTE}{}</style>\n</head>\n<body>\n<main>\n",
        css(figure)
    );
    for asked in &figure.scene.queries {
        out += &section(figure, asked);
    }
    out += &legend(figure);
    let statements = escaped(&figure.scene.statements.join(" "));
    // Writing to a string cannot fail.
    let _ = write!(out, "<p class=\"faint\">{statements}</p>\n</main>\n</body>\n</html>\n");
    out
}

fn css(figure: &Figure) -> String {
    let mut out = format!(
        "body {{ margin: 1em; font: {}pt/1.35 Arial, Helvetica, sans-serif; color: {INK}; background: var(--ground); }}\n\
         main {{ max-width: {}mm; margin: auto; }}\n",
        figure.options.text * LARGER,
        figure.options.width * LARGER
    );
    for of in Sign::all() {
        let line = frame(of);
        let style = match (line.double, line.dashes) {
            (true, []) => "double",
            (_, []) => "solid",
            (_, [first, ..]) if *first < 2.0 => "dotted",
            _ => "dashed",
        };
        let width = if line.double { WIDEST - 1.0 } else { (line.width * 2.0).max(1.0) };
        // CSS has no double line of dashes.
        let outer = if line.double && style == "dashed" {
            format!(" outline: 1px solid {};", line.colour)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            ".{} > .frame {{ border: {width}px {style} {}; padding: {}px;{outer} }}",
            of.key(),
            line.colour,
            WIDEST - width
        );
    }
    out += STYLE;
    variables().fold(out, |css, (name, colour)| css.replace(colour, &format!("var({name})")))
}

/// What does not depend on the figure. Long words break where they must.
const STYLE: &str = "\
main, li, p { overflow-wrap: anywhere; }
section { display: flex; gap: 1.2em; padding: 1em 0; border-bottom: 1px solid var(--rule); }
section.side-by-side { display: block; }
.ask { flex: 0 0 20%; min-width: 0; }
.side-by-side .ask { display: flex; gap: 1em; }
.rows { flex: 1; min-width: 0; }
.side-by-side .rows { display: flex; flex-wrap: wrap; gap: 1.2em; margin-top: .6em; }
.side-by-side .rows > div { flex: 1 1 9em; min-width: 0; }
p, h3, ol, ul { margin: 0; padding: 0; }
h3 { font-size: 1em; margin: .5em 0 .25em; }
.rows > div:first-child h3 { margin-top: 0; }
h3 small, .faint { font-weight: normal; font-size: .85em; color: var(--faint); }
ol, ul { list-style: none; }
ol.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.2em, 1fr)); gap: .6em; }
ol.text { grid-template-columns: repeat(auto-fill, minmax(9em, 1fr)); }
.frame { box-sizing: border-box; }
.cards .frame { min-height: 3em; }
.list > li > .frame { border-width: 0 0 0 .3em; padding: 0 0 0 .4em; margin: .15em 0; display: flex; gap: .5em; }
.list .words { flex: 1; min-width: 0; }
.list img, .list .none { width: 5em; }
img, .none { display: block; width: 100%; aspect-ratio: 4/3; object-fit: contain; background: var(--pane); }
.none { aspect-ratio: auto; font-size: .9em; }
svg { width: .75em; height: .75em; }
ul.legend { display: flex; flex-wrap: wrap; gap: .3em 1.2em; margin: .8em 0 .4em; font-size: .85em; }
ul.legend .frame { display: inline-block; min-width: 2.4em; text-align: center; margin-right: .4em; }
";

fn section(figure: &Figure, asked: &QueryRankings) -> String {
    let layout = figure.options.layout(asked.direction);
    let words = if asked.query.is_image {
        picture(figure, &asked.query)
    } else {
        format!("<p>“{}”</p>", escaped(&asked.query.text))
    };
    let note = escaped(&asked.note);
    let heading = if asked.heading.is_empty() {
        String::new()
    } else {
        format!("<h2>{}</h2>\n", escaped(&asked.heading))
    };
    let rows = asked.rows.iter().map(|one| row(figure, asked, one, layout));
    format!(
        "{heading}<section class=\"{}\">\n<div class=\"ask\">\n<p class=\"faint\">query, {}</p>\n{words}\n<p class=\"faint\">{note}</p>\n</div>\n\
         <div class=\"rows\">\n{}</div>\n</section>\n",
        layout.key(),
        escaped(&asked.query.label()),
        rows.collect::<String>()
    )
}

fn row(figure: &Figure, asked: &QueryRankings, row: &ModelRanking, layout: Layout) -> String {
    let in_lines = layout == Layout::Captions
        || layout == Layout::SideBySide && asked.direction == Direction::I2t;
    let class = match (in_lines, figure.drawing.images.any(&row.items)) {
        (true, _) => "list",
        (false, true) => "cards",
        (false, false) => "cards text",
    };
    let items = row
        .items
        .iter()
        .map(|one| if class == "list" { line(figure, one) } else { card(figure, one) });
    format!(
        "<div>\n<h3>{} <small>{}</small></h3>\n<ol class=\"{class}\">\n{}</ol>\n</div>\n",
        escaped(&row.model),
        escaped(&row.first_in_words(asked)),
        items.collect::<String>()
    )
}

fn card(figure: &Figure, item: &FigureItem) -> String {
    let subject = &item.subject;
    let content = if subject.is_image { picture(figure, subject) } else { escaped(&subject.text) };
    format!(
        "<li class=\"{}\"><div class=\"frame\">{content}</div><span class=\"faint\">{} {}</span></li>\n",
        item.sign().key(),
        sign(item.sign()),
        item.with_rank()
    )
}

fn line(figure: &Figure, item: &FigureItem) -> String {
    let subject = &item.subject;
    let (image, words) = if subject.is_image {
        (picture(figure, subject), escaped(&subject.alt()))
    } else {
        (String::new(), escaped(&subject.text))
    };
    format!(
        "<li class=\"{}\"><div class=\"frame\"><span>{} <span class=\"faint\">{}.</span></span>{image}<span class=\"words\">{words}</span><span class=\"faint\">{}</span></div></li>\n",
        item.sign().key(),
        sign(item.sign()),
        item.rank,
        item.numbers()
    )
}

fn picture(figure: &Figure, subject: &Subject) -> String {
    let side = dots(figure.options.width * POINTS_PER_MM / 4.0, figure.options.dpi);
    let alt = escaped(&subject.alt());
    match figure.drawing.images.print(subject.index, side, side) {
        Some(print) => format!("<img src=\"{}\" alt=\"{alt}\"/>", print.uri()),
        None => format!("<div class=\"none\">{alt}</div>"),
    }
}

fn legend(figure: &Figure) -> String {
    let one = |of: Sign| {
        format!(
            "<li class=\"{}\"><span class=\"frame\">{}</span>{}</li>\n",
            of.key(),
            sign(of),
            of.words()
        )
    };
    let signs: String = figure.scene.signs().into_iter().map(one).collect();
    format!("<ul class=\"legend\">\n{signs}</ul>\n")
}

fn sign(of: Sign) -> String {
    format!(
        "<svg viewBox=\"-1 -1 2 2\" role=\"img\" aria-label=\"{}\">{}</svg>",
        of.words(),
        in_variables(&shape(of))
    )
}
