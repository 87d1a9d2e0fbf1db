//! LaTeX: the drawing as a `TikZ` picture in a `figure` that pdflatex compiles with `graphicx` and `tikz`, images in a
//! folder beside it. Lines of text are scaled to the widths that they have in the bundled font.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::Output;
use super::options::{BOTH_COLUMNS, POINTS_PER_MM};
use super::page::{Area, Drawing, Fill, Mark};
use super::style::{Frame, SIGN_LINE, Sign, frame};
use super::svg::{dots, number, outlines};
use crate::data::latex_text;
use crate::truth::standing::Badge;

/// Millimetres of a caption of one line and of what stands above it, in the class article at 10 points, which styles of
/// papers do not go beyond.
pub(super) const CAPTION: f32 = 22.0 / POINTS_PER_MM;

/// What is known while a figure is written.
struct Writer<'a> {
    drawing: &'a Drawing,
    /// The folder of the images; `None` where there is no file that they are beside.
    folder: Option<String>,
    /// The largest side at which an image is shown, in points.
    sides: BTreeMap<usize, f32>,
    colours: BTreeSet<&'static str>,
    missing: BTreeSet<char>,
}

/// A drawing as a figure, its images beside a file of this name without extension; empty where there is no file.
pub(super) fn write(drawing: &Drawing, name: &str) -> Output {
    // LaTeX reads no name with blanks or signs of its own.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let folder = (!name.is_empty()).then(|| name.replace(|c| !is_plain(c), "-") + "-pictures");
    let mut writer = Writer {
        drawing,
        folder,
        sides: BTreeMap::new(),
        colours: BTreeSet::new(),
        missing: BTreeSet::new(),
    };
    let page = &drawing.page;
    let marks: String = page.marks.iter().map(|mark| writer.mark(mark) + "\n").collect();
    let caption = writer.escaped(&drawing.caption);
    let colours = writer.colours.iter().map(|colour| {
        let plain = colour.trim_start_matches('#');
        format!("\\definecolor{{itm-{plain}}}{{HTML}}{{{}}}%\n", plain.to_uppercase())
    });
    let is_wide = page.width >= BOTH_COLUMNS * POINTS_PER_MM;
    let environment = if is_wide { "figure*" } else { "figure" };
    let label: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    let label = if label.is_empty() { "retrieved" } else { &label };
    let text = format!(
        "% needs \\usepackage{{graphicx,tikz}}\n\\begin{{{environment}}}[t]\n\\centering\n{}\
         \\begin{{tikzpicture}}[x=1bp, y=-1bp, every node/.style={{inner sep=0pt, outer sep=0pt, \
         anchor=base west, font=\\sffamily}}]\n\
         \\useasboundingbox (0,0) rectangle ({},{});\n{marks}\\end{{tikzpicture}}\n\
         \\caption{{{caption}}}\n\\label{{fig:{label}}}\n\\end{{{environment}}}\n",
        colours.collect::<String>(),
        number(page.width),
        number(page.height),
    );
    let mut warnings = page.warnings.clone();
    if !writer.missing.is_empty() {
        let code = |c: &char| format!("{c} (U+{:04X})", *c as u32);
        let missing: Vec<String> = writer.missing.iter().map(code).collect();
        let missing = missing.join(", ");
        warnings.push(format!("LaTeX's standard fonts lack {missing}: written as [?]"));
    }
    let has_images = page.marks.iter().any(|mark| matches!(mark, Mark::Picture { .. }));
    if name.is_empty() && has_images {
        warnings.push("pictures are left out: -o FILE.tex puts them in a folder beside it".into());
    }
    Output { bytes: text.into_bytes(), beside: writer.files(), warnings }
}

impl Writer<'_> {
    fn mark(&mut self, mark: &Mark) -> String {
        match mark {
            Mark::Text { x, y, line, look } => {
                let text: String = line.runs.iter().map(|run| run.text.as_str()).collect();
                let text = self.escaped(&text);
                let weight = if look.bold { "\\bfseries" } else { "" };
                if text.trim().is_empty() {
                    return String::new();
                }
                let (colour, size) = (self.colour(look.colour), number(look.size));
                let (place, width) = (point([*x, *y]), number(line.width.max(1.0)));
                format!(
                    "\\node[text={colour}] at {place} {{\\resizebox{{{width}bp}}{{\\height}}{{\\fontsize{{{size}bp}}{{{size}bp}}\\selectfont{weight} {text}}}}};"
                )
            }
            Mark::Ground(area, colour) => {
                format!("\\fill[{}] {};", self.colour(colour), rectangle(*area))
            }
            Mark::Frame(area, line) => {
                let draw = |(area, line): (Area, Frame)| {
                    format!("\\draw[{}] {};", self.line(line), rectangle(area))
                };
                outlines(*area, *line).into_iter().map(draw).collect()
            }
            Mark::Line { points, line } => {
                let points: Vec<String> = points.iter().map(|at| point(*at)).collect();
                format!("\\draw[{}] {};", self.line(*line), points.join(" -- "))
            }
            Mark::Dot { x, y, radius, colour, fill } => {
                let (colour, radius) = (self.colour(colour), number(*radius));
                let drawn = match fill {
                    Fill::Whole => format!("\\fill[{colour}]"),
                    Fill::Half => format!("\\fill[{colour}, fill opacity=.6]"),
                    Fill::Ring => format!("\\draw[{colour}]"),
                };
                format!("{drawn} {} circle[radius={radius}];", point([*x, *y]))
            }
            Mark::Sign { sign, x, y, half } => {
                let line = Frame { width: SIGN_LINE * half, dashes: &[], ..frame(*sign) };
                format!(
                    "\\begin{{scope}}[shift={{{}}}, scale={}, line cap=round, {}]{}\\end{{scope}}",
                    point([*x, *y]),
                    number(*half),
                    self.line(line),
                    shape(*sign)
                )
            }
            Mark::Picture { image, area, .. } => self.image(*image, *area).unwrap_or_default(),
        }
    }

    fn escaped(&mut self, text: &str) -> String {
        latex_text::escaped(text, &mut |c| {
            self.missing.insert(c);
            "[?]".into()
        })
    }

    fn colour(&mut self, colour: &'static str) -> String {
        self.colours.insert(colour);
        format!("itm-{}", colour.trim_start_matches('#'))
    }

    fn line(&mut self, line: Frame) -> String {
        let mut style =
            format!("{}, line width={}bp", self.colour(line.colour), number(line.width));
        for (at, length) in line.dashes.iter().enumerate() {
            let word = [", dash pattern=on", " off", " on", " off"][at % 4];
            // Writing to a string cannot fail.
            let _ = write!(style, "{word} {}bp", number(*length));
        }
        style
    }

    fn image(&mut self, image: usize, area: Area) -> Option<String> {
        let path = self.path(image)?;
        let side = self.sides.entry(image).or_default();
        *side = side.max(area.width).max(area.height);
        let middle = [area.x + area.width / 2.0, area.y + area.height / 2.0];
        Some(format!(
            "\\node[anchor=center] at {} {{\\includegraphics[width={}bp,height={}bp,keepaspectratio]{{{path}}}}};",
            point(middle),
            number(area.width),
            number(area.height)
        ))
    }

    /// Named by its place in the gallery: ids may hold anything.
    fn path(&self, image: usize) -> Option<String> {
        let kind = self.drawing.images.kind(image)?.word();
        Some(format!("{}/{image}.{kind}", self.folder.as_ref()?))
    }

    /// The images that the text refers to.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let file = |(&image, &side): (&usize, &f32)| {
            let side = dots(side, self.drawing.dpi);
            let print = self.drawing.images.print(image, side, side)?;
            Some((self.path(image)?, print.bytes))
        };
        self.sides.iter().filter_map(file).collect()
    }
}

fn point([x, y]: [f32; 2]) -> String {
    format!("({},{})", number(x), number(y))
}

fn rectangle(area: Area) -> String {
    let size = point([area.width, area.height]);
    format!("{} rectangle ++{size}", point([area.x, area.y]))
}

/// A sign in the square from -1 to 1, as in SVG.
fn shape(sign: Sign) -> &'static str {
    match sign {
        Sign::Standing(Badge::Original | Badge::Positive) => "\\fill (0,0) circle[radius=.75];",
        Sign::Standing(Badge::Extra) => "\\draw (0,0) circle[radius=.75];",
        Sign::Standing(Badge::NotRelevant) => {
            "\\draw (-.65,-.7) -- (.65,.7) (.65,-.7) -- (-.65,.7);"
        }
        Sign::Standing(Badge::NotListed) => "\\draw (-.6,0) -- (.6,0);",
        Sign::Standing(Badge::NotJudged) => {
            "\\draw (-.48,-.42) .. controls (-.48,-1.1) and (.48,-1.1) .. (.48,-.42) \
             .. controls (.48,0) and (0,.05) .. (0,.42) (0,.8) -- (0,.82);"
        }
        Sign::MyYes => "\\draw (0,0) circle[radius=.8] (-.8,0) -- (.8,0) (0,-.8) -- (0,.8);",
        Sign::MyNo => {
            "\\draw (0,0) circle[radius=.8] (-.56,-.56) -- (.56,.56) (.56,-.56) -- (-.56,.56);"
        }
    }
}
