//! LaTeX: a `figure` that pdflatex compiles with `graphicx` and `tikz`, pictures in a folder beside it.

mod blocks;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::options::BOTH_COLUMNS;
use super::scene::Scene;
use super::style::{DOUBLE, Frame, Sign, frame};
use super::svg::{dots, number};
use super::{Figure, Output, POINTS_PER_MM};
use crate::data::latex_text;
use crate::truth::standing::Badge;

/// What is known while a figure is written.
struct Writer<'a> {
    figure: &'a Figure,
    /// The folder of the images.
    folder: Option<String>,
    /// The largest width at which an image is shown, in points.
    widths: BTreeMap<usize, f32>,
    missing: BTreeSet<char>,
}

impl Writer<'_> {
    /// Text of captions and headings.
    fn text(&mut self, text: &str) -> String {
        latex_text::escaped(text, &mut |c| told_as_missing(c, &mut self.missing))
    }

    /// The path of an image's file from the figure on, for a width in points; `None` where there is no
    /// image, or no place to put it.
    fn image(&mut self, image: usize, width: f32) -> Option<String> {
        let path = self.path(image)?;
        let widest = self.widths.entry(image).or_insert(width);
        *widest = widest.max(width);
        Some(path)
    }

    /// Named by its place in the gallery: ids may hold anything.
    fn path(&self, image: usize) -> Option<String> {
        let kind = self.figure.drawing.images.kind(image)?.word();
        Some(format!("{}/{image}.{kind}", self.folder.as_ref()?))
    }

    /// The images that the text refers to.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let file = |(&image, &width): (&usize, &f32)| {
            let side = dots(width, self.figure.options.dpi);
            let print = self.figure.drawing.images.print(image, side, side)?;
            Some((self.path(image)?, print.bytes))
        };
        self.widths.iter().filter_map(file).collect()
    }

    /// Text in a narrow place.
    fn narrow(&mut self, text: &str) -> String {
        latex_text::breakable(text, &mut |c| told_as_missing(c, &mut self.missing))
    }
}

/// What stands for a character that LaTeX's standard fonts lack, which is told later.
fn told_as_missing(c: char, missing: &mut BTreeSet<char>) -> String {
    missing.insert(c);
    "[?]".into()
}

/// A figure, beside a file of this name without extension; empty where there is no file.
pub(super) fn write(figure: &Figure, name: &str) -> Output {
    let folder = (!name.is_empty()).then(|| folder(name));
    let mut writer = Writer { figure, folder, widths: BTreeMap::new(), missing: BTreeSet::new() };
    let mut warnings = Vec::new();
    let mut out = head(figure);
    for (at, asked) in figure.scene.queries.iter().enumerate() {
        if at > 0 {
            out += "\\par\\vspace{5pt}\\hrule\\vspace{5pt}\n";
        }
        if !asked.heading.is_empty() {
            let heading = writer.narrow(&asked.heading);
            out += &["{\\bfseries ", &heading, "\\par}\\vspace{3pt}\n"].concat();
        }
        out += &blocks::block(&mut writer, asked);
        warnings.extend(missing_glyphs(
            &mut writer,
            &format!("{} query {}", asked.direction, asked.query.id),
        ));
    }
    out += &tail(&mut writer, name);
    warnings.extend(missing_glyphs(&mut writer, "the caption"));
    let pictures = figure.scene.images().into_iter();
    if name.is_empty()
        && pictures.into_iter().any(|image| figure.drawing.images.lacks(image).is_none())
    {
        warnings.push("pictures are left out: -o FILE.tex puts them in a folder beside it".into());
    }
    Output { bytes: out.into_bytes(), beside: writer.files(), warnings }
}

/// The folder of the images. LaTeX reads no name with blanks or signs of its own.
fn folder(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    name.replace(|c| !is_plain(c), "-") + "-pictures"
}

/// Tells what was replaced since the last call.
fn missing_glyphs(writer: &mut Writer<'_>, place: &str) -> Option<String> {
    let missing = std::mem::take(&mut writer.missing);
    let code = |c: &char| format!("{c} (U+{:04X})", *c as u32);
    let told: Vec<String> = missing.iter().map(code).collect();
    (!told.is_empty()).then(|| {
        format!("{place}: LaTeX's standard fonts lack {}: written as [?]", told.join(", "))
    })
}

fn environment(figure: &Figure) -> &'static str {
    if figure.options.width >= BOTH_COLUMNS { "figure*" } else { "figure" }
}

fn head(figure: &Figure) -> String {
    let size = figure.options.text;
    let mut out = format!(
        "% needs \\usepackage{{graphicx,tikz}}\n\\begin{{{}}}[t]\n\\centering\n\
         \\newcommand*\\itmbreak{{\\penalty9999\\relax}}\n\
         \\newcommand*\\itmsmall{{\\fontsize{{{small}}}{{{lead}}}\\selectfont\\color{{black!65}}}}\n",
        environment(figure),
        small = number(size * 0.85),
        lead = number(size * 1.05),
    );
    for of in figure.scene.signs() {
        out += &defined(of);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "\\begin{{minipage}}{{{}bp}}\\sffamily\\fontsize{{{}}}{{{}}}\\selectfont\\setlength{{\\parindent}}{{0pt}}\\raggedright",
        number(figure.options.width()),
        number(size),
        number(size * 1.2)
    );
    out
}

/// Colour and frame of a sign.
fn defined(of: Sign) -> String {
    let (key, line) = (of.key(), frame(of));
    let Frame { colour, width, dashes, double } = line;
    let mut style = format!("draw=itm-{key}, line width={}pt", number(width));
    if double {
        // Writing to a string cannot fail.
        let _ = write!(style, ", double, double distance={}pt", number(DOUBLE));
    }
    if let [on, off] = dashes {
        let (on, off) = (number(*on), number(*off));
        let _ = write!(style, ", dash pattern=on {on}pt off {off}pt");
    }
    format!(
        "\\definecolor{{itm-{key}}}{{HTML}}{{{}}}%\n\\tikzset{{itm-{key}/.style={{{style}}}}}%\n",
        colour.trim_start_matches('#').to_uppercase()
    )
}

/// The sign of an item, as high as a small letter.
fn sign(of: Sign) -> String {
    let key = of.key();
    let shape = shape(of);
    format!(
        "\\tikz[baseline=-.35em, itm-{key}/.style={{}}, color=itm-{key}, line width=.1em, line cap=round]{{{shape}}}"
    )
}

fn shape(of: Sign) -> &'static str {
    match of {
        Sign::Standing(Badge::Original | Badge::Positive) => "\\fill (0,0) circle (.3em);",
        Sign::Standing(Badge::Extra) => "\\draw (0,0) circle (.28em);",
        Sign::Standing(Badge::NotRelevant) => {
            "\\draw (-.25em,-.27em) -- (.25em,.27em) (-.25em,.27em) -- (.25em,-.27em);"
        }
        Sign::Standing(Badge::NotListed) => "\\draw (-.26em,0) -- (.26em,0);",
        Sign::Standing(Badge::NotJudged) => "\\node[inner sep=0pt] {\\textbf{?}};",
        Sign::MyYes => {
            "\\draw (0,0) circle (.32em) (-.32em,0) -- (.32em,0) (0,-.32em) -- (0,.32em);"
        }
        Sign::MyNo => {
            "\\draw (0,0) circle (.32em) (-.22em,-.22em) -- (.22em,.22em) (-.22em,.22em) -- (.22em,-.22em);"
        }
    }
}

fn tail(writer: &mut Writer<'_>, name: &str) -> String {
    let scene = &writer.figure.scene;
    let legend = scene.signs().into_iter();
    let legend: Vec<String> = legend.map(|of| format!("{}~{}", sign(of), of.words())).collect();
    let words = caption(scene);
    let (words, label) = (writer.text(&words), label(name));
    format!(
        "\\par\\vspace{{3pt}}{{\\itmsmall {}\\par}}\n\\end{{minipage}}\n\\caption{{{words}}}\n\\label{{fig:{label}}}\n\\end{{{}}}\n",
        legend.join("\\quad "),
        environment(writer.figure)
    )
}

/// Points that a letter of the caption takes, a line of it, and what stands above the first: as in the class article at
/// 10 points, which styles of papers do not go beyond.
const LETTER: f32 = 5.0;
const LEADING: f32 = 12.0;
const ABOVE: f32 = 10.0;

/// Millimetres that the caption takes in a figure of so many.
pub(super) fn caption_height(scene: &Scene, width: f32) -> f32 {
    let words = format!("Figure 1: {}", caption(scene));
    let letters = (width * POINTS_PER_MM / LETTER).floor().max(1.0);
    let lines = (words.chars().count() as f32 / letters).ceil();
    (ABOVE + lines * LEADING) / POINTS_PER_MM
}

fn caption(scene: &Scene) -> String {
    format!("Retrieved items, best first. {}", scene.statements.join(" "))
}

/// A label that LaTeX takes.
fn label(name: &str) -> String {
    let plain = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
    let plain: String = plain.collect();
    if plain.is_empty() { "retrieved".into() } else { plain }
}
