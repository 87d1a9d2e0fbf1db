//! SVG of a laid-out page, with text as text.

use std::fmt::Write;

use super::chart::{BACKGROUND, HUES};
use super::options::POINTS_PER_MM;
use super::page::{Area, Drawing, Fill, Mark};
use super::style::{self, BLACK, FAINT, Frame, GROUND, INK, RULE, SIGN_LINE, Sign, frame};
use super::wrap::{Line, Type};
use crate::data::markup::escape_html;

/// Width of the line of a ring, in points.
const RING: f32 = 0.9;

/// The page as SVG, in points. For viewers that may substitute the font, lines of text are `pinned` to their widths.
pub fn svg(drawing: &Drawing, pinned: bool) -> String {
    let page = &drawing.page;
    let mut out = String::new();
    let (width, height) = (number(page.width), number(page.height));
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">"
    );
    let _ = writeln!(out, "<title>{}</title>", escape_html(&drawing.title));
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
    for mark in &page.marks {
        out += &drawn(drawing, mark, pinned);
        out.push('\n');
    }
    out + "</svg>\n"
}

/// Scale on screens, which are viewed from further away than paper.
const LARGER: f32 = 1.6;

/// A page of HTML with the drawing as wide as the window, up to a limit.
pub(super) fn html(drawing: &Drawing) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{}</title>\n<style>\n{PALETTE}body {{ margin: 1em; background: var(--ground); }}\n\
         svg {{ display: block; width: 100%; height: auto; max-width: {}pt; margin: auto; }}\n</style>\n\
         </head>\n<body>\n{}</body>\n</html>\n",
        escape_html(&drawing.title),
        number(drawing.page.width * LARGER),
        inline(drawing)
    )
}

/// The page as SVG for embedding in HTML, with transparent background and colours as variables of the style sheet
/// ([`variables`]).
pub fn inline(drawing: &Drawing) -> String {
    with_css_variables(&svg(drawing, true))
}

/// Replaces colours of an SVG by CSS variables, and white by transparency.
pub fn with_css_variables(svg: &str) -> String {
    let mut out = svg.replace("fill=\"#ffffff\"", "fill=\"none\"");
    for (name, colour) in variables() {
        out = out.replace(&format!("\"{colour}\""), &format!("\"var({name}, {colour})\""));
    }
    out
}

/// The style sheet of these variables: light, or dark if the reader's system is.
pub const PALETTE: &str = include_str!("palette.css");

/// The variables of [`inline`], each with its colour on white.
pub fn variables() -> impl Iterator<Item = (String, &'static str)> {
    let named = [("--ink", INK), ("--ink", BLACK), ("--faint", FAINT), ("--rule", RULE)];
    let named = named.into_iter().chain([("--background", BACKGROUND), ("--pane", GROUND)]);
    let hues = HUES.iter().enumerate().filter(|(_, hue)| **hue != INK);
    let hues = hues.map(|(place, hue)| (format!("--hue-{place}"), *hue));
    named.map(|(name, colour)| (name.to_owned(), colour)).chain(hues)
}

fn drawn(drawing: &Drawing, mark: &Mark, pinned: bool) -> String {
    match mark {
        Mark::Text { x, y, line, look } => {
            let width = pinned.then(|| {
                let width = number(line.width);
                format!(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"")
            });
            text(drawing, [*x, *y], line, *look, &width.unwrap_or_default())
        }
        Mark::Ground(area, colour) => {
            format!("<rect {} fill=\"{colour}\"/>", edges(*area))
        }
        Mark::Frame(area, line) => outlines(*area, *line).concat(),
        Mark::Line { points, line } => {
            let points = points.iter().map(|point| point.map(number).join(","));
            let points = points.collect::<Vec<String>>().join(" ");
            format!("<polyline points=\"{points}\" stroke-linejoin=\"round\" {}/>", stroke(*line))
        }
        Mark::Dot { x, y, radius, colour, fill } => circle([*x, *y], *radius, colour, *fill),
        Mark::Sign { sign, x, y, half } => {
            let [x, y, half] = [*x, *y, *half].map(number);
            format!("<g transform=\"translate({x} {y}) scale({half})\">{}</g>", shape(*sign))
        }
        Mark::Image { image, area, alt } => image_element(drawing, *image, *area, alt),
    }
}

fn text(drawing: &Drawing, [x, y]: [f32; 2], line: &Line, look: Type, width: &str) -> String {
    let own = drawing.fonts.family();
    let runs = line.runs.iter().map(|run| {
        let text = escape_html(&run.text);
        if run.family == own {
            text
        } else {
            let family = escape_html(&run.family);
            format!("<tspan font-family=\"'{family}'\">{text}</tspan>")
        }
    });
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    let [x, y, size] = [x, y, look.size].map(number);
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-family=\"'{}', Arial, Helvetica, sans-serif\" font-size=\"{size}\"{weight} fill=\"{}\"{width}>{}</text>",
        escape_html(own),
        look.colour,
        runs.collect::<String>()
    )
}

/// The rectangles of a frame: two if its line is double.
fn outlines(area: Area, line: Frame) -> Vec<String> {
    let one = |border: f32, width: f32| {
        let area = area.within(border + width / 2.0);
        format!("<rect {} {}/>", edges(area), stroke(Frame { width, ..line }))
    };
    let mut lines = vec![one(0.0, line.width)];
    lines.extend(line.double.then(|| one(line.width + 0.7, 0.6)));
    lines
}

/// A disc, or a ring of the same width.
fn circle([x, y]: [f32; 2], radius: f32, colour: &str, fill: Fill) -> String {
    let (radius, look) = match fill {
        Fill::Whole => (radius, format!("fill=\"{colour}\"")),
        Fill::Half => (radius, format!("fill=\"{colour}\" fill-opacity=\"0.6\"")),
        Fill::Ring => (
            radius - RING / 2.0,
            format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{RING}\""),
        ),
    };
    let [x, y, radius] = [x, y, radius.max(0.1)].map(number);
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>")
}

/// A line without filling.
fn stroke(line: Frame) -> String {
    let lengths: Vec<String> = line.dashes.iter().map(|&length| number(length)).collect();
    let dashes = match lengths.join(" ") {
        none if none.is_empty() => none,
        lengths => format!(" stroke-dasharray=\"{lengths}\""),
    };
    let (colour, width) = (line.colour, number(line.width));
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}")
}

/// The sign of an item in the square from -1 to 1, with its words as alternative text.
fn shape(sign: Sign) -> String {
    let (path, filled) = style::sign(sign);
    let colour = frame(sign).colour;
    let look = if filled {
        format!("fill=\"{colour}\"")
    } else {
        format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{SIGN_LINE}\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
        )
    };
    format!("<path d=\"{path}\" {look}><title>{}</title></path>", sign.label())
}

fn image_element(drawing: &Drawing, image: usize, area: Area, alt: &str) -> String {
    let dots = |points: f32| dots(points, drawing.dpi);
    let uri = drawing.images.uri(image, dots(area.width), dots(area.height));
    uri.map_or_else(String::new, |uri| {
        format!(
            "<image {} preserveAspectRatio=\"xMidYMid meet\" href=\"{}\"><title>{}</title></image>",
            edges(area),
            uri,
            escape_html(alt)
        )
    })
}

/// Length in pixels of a length in points.
pub(super) fn dots(points: f32, dpi: u32) -> u32 {
    (points / (POINTS_PER_MM * 25.4) * dpi as f32).ceil() as u32
}

fn edges(area: Area) -> String {
    let Area { x, y, width, height } = area;
    let [x, y, width, height] = [x, y, width, height].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// A length, to a thousandth of a point, without trailing zeros.
fn number(value: f32) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use resvg::usvg::roxmltree::Document;

    #[test]
    fn lengths_are_short() {
        let shown = [1.0, 0.5, 12.3456, -0.0001, 100.0].map(super::number);
        assert_eq!(shown, ["1", "0.5", "12.346", "0", "100"]);
        assert_eq!(super::dots(72.0, 300), 300);
    }

    #[test]
    fn the_palette_has_every_variable_light_and_dark() {
        for (name, _) in super::variables() {
            assert_eq!(super::PALETTE.matches(&format!("{name}: #")).count(), 2, "{name}");
        }
    }

    proptest! {
        #[test]
        fn escaped_text_reads_back(text in "\\PC{0,40}|.{0,40}|[<>&\"' ]{0,9}") {
            let escape_html = super::escape_html(&text);
            let xml = format!("<a b=\"{escape_html}\">x{escape_html}</a>");
            let document = Document::parse(&xml).unwrap();
            let plain: String = text.chars().map(|c| match c {
                '\t' | '\n' | '\r' => ' ',
                c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => '\u{FFFD}',
                c => c,
            }).collect();
            let root = document.root_element();
            prop_assert_eq!(root.attribute("b").unwrap(), &plain);
            prop_assert_eq!(&root.text().unwrap()[1..], &plain);
        }
    }
}
