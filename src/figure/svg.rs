//! SVG of a laid-out page, with text as text.

use std::fmt::Write;

use super::chart::{BACKGROUND, HUES};
use super::options::POINTS_PER_MM;
use super::page::{Area, Drawing, Fill, Mark};
use super::style::{self, BLACK, FAINT, Frame, GROUND, INK, RULE, SIGN_LINE, Sign, frame};
use super::wrap::{Line, TextStyle};
use crate::data::markup::escape_html;

/// Line width of a ring, in points.
const RING_WIDTH: f32 = 0.9;

/// Writes the page as SVG, in points. With `fixes_widths`, lines of text keep their widths in viewers that substitute
/// the font.
pub fn svg(drawing: &Drawing, fixes_widths: bool) -> String {
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
        out += &mark_element(drawing, mark, fixes_widths);
        out.push('\n');
    }
    out + "</svg>\n"
}

/// Maximum scale on screens, which are viewed from further away than paper.
const SCREEN_SCALE: f32 = 1.6;

/// Writes an HTML page with the drawing as wide as the window, up to [`SCREEN_SCALE`].
pub(super) fn html(drawing: &Drawing) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{}</title>\n<style>\n{PALETTE}body {{ margin: 1em; background: var(--ground); }}\n\
         svg {{ display: block; width: 100%; height: auto; max-width: {}pt; margin: auto; }}\n</style>\n\
         </head>\n<body>\n{}</body>\n</html>\n",
        escape_html(&drawing.title),
        number(drawing.page.width * SCREEN_SCALE),
        inline_svg(drawing)
    )
}

/// Writes the page as SVG for embedding in HTML, with transparent background and CSS [`css_variables`] as colours.
pub fn inline_svg(drawing: &Drawing) -> String {
    with_css_variables(&svg(drawing, true))
}

/// Replaces the colours of an SVG by CSS [`css_variables`], and white fills by transparency.
pub fn with_css_variables(svg: &str) -> String {
    let mut out = svg.replace("fill=\"#ffffff\"", "fill=\"none\"");
    for (name, colour) in css_variables() {
        out = out.replace(&format!("\"{colour}\""), &format!("\"var({name}, {colour})\""));
    }
    out
}

/// The style sheet that defines [`css_variables`]: light, or dark like the reader's system.
pub const PALETTE: &str = include_str!("palette.css");

/// The CSS variables of figures, each with the colour that it replaces.
pub fn css_variables() -> impl Iterator<Item = (String, &'static str)> {
    let fixed = [("--ink", INK), ("--ink", BLACK), ("--faint", FAINT), ("--rule", RULE)];
    let fixed = fixed.into_iter().chain([("--background", BACKGROUND), ("--pane", GROUND)]);
    let hues = HUES.iter().enumerate().filter(|(_, hue)| **hue != INK);
    let hues = hues.map(|(index, hue)| (format!("--hue-{index}"), *hue));
    fixed.map(|(name, colour)| (name.to_owned(), colour)).chain(hues)
}

/// The SVG element of a mark.
fn mark_element(drawing: &Drawing, mark: &Mark, fixes_widths: bool) -> String {
    match mark {
        Mark::Text { x, y, line, look } => {
            let fixed_width = fixes_widths.then(|| {
                let width = number(line.width);
                format!(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\"")
            });
            text_element(drawing, [*x, *y], line, *look, &fixed_width.unwrap_or_default())
        }
        Mark::Ground(area, colour) => {
            format!("<rect {} fill=\"{colour}\"/>", area_attributes(*area))
        }
        Mark::Frame(area, line) => frame_elements(*area, *line),
        Mark::Line { points, line } => {
            let points = points.iter().map(|point| point.map(number).join(","));
            let points = points.collect::<Vec<String>>().join(" ");
            format!("<polyline points=\"{points}\" stroke-linejoin=\"round\" {}/>", stroke(*line))
        }
        Mark::Dot { x, y, radius, colour, fill } => dot_element([*x, *y], *radius, colour, *fill),
        Mark::Sign { sign, x, y, half } => {
            let [x, y, half] = [*x, *y, *half].map(number);
            format!("<g transform=\"translate({x} {y}) scale({half})\">{}</g>", sign_element(*sign))
        }
        Mark::Image { image, area, alt } => image_element(drawing, *image, *area, alt),
    }
}

/// The element of a line of text; `fixed_width` has the attributes that fix its width, or is empty.
fn text_element(
    drawing: &Drawing,
    [x, y]: [f32; 2],
    line: &Line,
    look: TextStyle,
    fixed_width: &str,
) -> String {
    let family = drawing.fonts.family();
    let runs = line.runs.iter().map(|run| {
        let text = escape_html(&run.text);
        if run.family == family {
            text
        } else {
            let fallback = escape_html(&run.family);
            format!("<tspan font-family=\"'{fallback}'\">{text}</tspan>")
        }
    });
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    let [x, y, size] = [x, y, look.size].map(number);
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-family=\"'{}', Arial, Helvetica, sans-serif\" font-size=\"{size}\"{weight} fill=\"{}\"{fixed_width}>{}</text>",
        escape_html(family),
        look.colour,
        runs.collect::<String>()
    )
}

/// The rectangle of a frame, or two if its line is double.
fn frame_elements(area: Area, line: Frame) -> String {
    let rectangle = |border: f32, width: f32| {
        let area = area.inner(border + width / 2.0);
        format!("<rect {} {}/>", area_attributes(area), stroke(Frame { width, ..line }))
    };
    let outer = rectangle(0.0, line.width);
    if line.double { outer + &rectangle(line.width + 0.7, 0.6) } else { outer }
}

/// A disc, or a ring of the same outer radius.
fn dot_element([x, y]: [f32; 2], radius: f32, colour: &str, fill: Fill) -> String {
    let (radius, look) = match fill {
        Fill::Whole => (radius, format!("fill=\"{colour}\"")),
        Fill::Half => (radius, format!("fill=\"{colour}\" fill-opacity=\"0.6\"")),
        Fill::Ring => (
            radius - RING_WIDTH / 2.0,
            format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{RING_WIDTH}\""),
        ),
    };
    let [x, y, radius] = [x, y, radius.max(0.1)].map(number);
    format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {look}/>")
}

/// SVG attributes of a line without fill.
fn stroke(line: Frame) -> String {
    let lengths: Vec<String> = line.dashes.iter().map(|&length| number(length)).collect();
    let dashes = match lengths.join(" ") {
        none if none.is_empty() => none,
        lengths => format!(" stroke-dasharray=\"{lengths}\""),
    };
    let (colour, width) = (line.colour, number(line.width));
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}")
}

/// The sign of an item in the square from -1 to 1, with its meaning as alternative text.
fn sign_element(sign: Sign) -> String {
    let (path, is_filled) = style::sign_path(sign);
    let colour = frame(sign).colour;
    let look = if is_filled {
        format!("fill=\"{colour}\"")
    } else {
        format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{SIGN_LINE}\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
        )
    };
    format!("<path d=\"{path}\" {look}><title>{}</title></path>", sign.label())
}

/// The element of an image with its description; empty if the image was not loaded.
fn image_element(drawing: &Drawing, image: usize, area: Area, alt: &str) -> String {
    let [width, height] = [area.width, area.height].map(|side| to_pixels(side, drawing.dpi));
    let uri = drawing.images.uri(image, width, height);
    uri.map_or_else(String::new, |uri| {
        format!(
            "<image {} preserveAspectRatio=\"xMidYMid meet\" href=\"{}\"><title>{}</title></image>",
            area_attributes(area),
            uri,
            escape_html(alt)
        )
    })
}

/// Converts a length in points to pixels, rounded up.
pub(super) fn to_pixels(points: f32, dpi: u32) -> u32 {
    (points / (POINTS_PER_MM * 25.4) * dpi as f32).ceil() as u32
}

/// SVG attributes of a rectangle.
fn area_attributes(area: Area) -> String {
    let Area { x, y, width, height } = area;
    let [x, y, width, height] = [x, y, width, height].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// Writes a length with at most three decimals.
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
        assert_eq!(super::to_pixels(72.0, 300), 300);
    }

    #[test]
    fn the_palette_has_every_variable_light_and_dark() {
        for (name, _) in super::css_variables() {
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
