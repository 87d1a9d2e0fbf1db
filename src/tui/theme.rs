//! Colours and emphasis by purpose. A theme is a file: `themes/*.toml`.

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::truth::judgment::Judgment;
use crate::truth::response::Response;
use crate::truth::standing::Badge;

/// A theme: a style for each thing that is drawn.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Theme {
    /// Ordinary text and the screen's background.
    pub base: ThemeStyle,
    /// Secondary text: labels, ids, units.
    pub dim: ThemeStyle,
    /// Headings.
    pub title: ThemeStyle,
    /// Frames.
    pub border: ThemeStyle,
    /// Frame of the focused pane.
    pub focus: ThemeStyle,
    /// The header's background.
    pub header: ThemeStyle,
    /// Model, direction and ground truth in the header.
    pub chip: ThemeStyle,
    /// The two metrics in the header.
    pub number: ThemeStyle,
    /// Selected line of the focused pane.
    pub selected: ThemeStyle,
    /// Selected line of a pane without focus.
    pub marked: ThemeStyle,
    /// A number that rose.
    pub up: ThemeStyle,
    /// A number that fell.
    pub down: ThemeStyle,
    /// Letters that a search matched.
    pub found: ThemeStyle,
    /// Keys in the footer and the help.
    pub key: ThemeStyle,
    /// A warning.
    pub warning: ThemeStyle,
    /// An error.
    pub error: ThemeStyle,
    /// Original positives.
    pub original: ThemeStyle,
    /// Non-GT positives: not in the original annotation.
    pub non_gt: ThemeStyle,
    /// Judged not relevant.
    pub not_relevant: ThemeStyle,
    /// Unjudged.
    pub unjudged: ThemeStyle,
    /// Query not covered.
    pub not_covered: ThemeStyle,
    /// R@1 as a bar or a line.
    pub line_r1: ThemeStyle,
    /// mAP@R as a bar or a line.
    pub line_map: ThemeStyle,
    /// Phrases of captions by coreference chain, repeated after the last; boxes on images have their colours.
    #[serde(default)]
    pub phrase: Vec<ThemeStyle>,
}

/// Colours and emphasis of one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, try_from = "StyleFile")]
pub struct ThemeStyle(Style);

/// A style as written in a theme file.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the file's own words")]
struct StyleFile {
    fg: Option<String>,
    bg: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
}

impl TryFrom<StyleFile> for ThemeStyle {
    type Error = String;

    fn try_from(file: StyleFile) -> std::result::Result<Self, String> {
        let colour = |name: Option<String>| {
            let parse = |name: String| {
                name.parse::<Color>().map_err(|_| format!("no colour is written {name:?}"))
            };
            name.map(parse).transpose()
        };
        let modifiers = [
            (file.bold, Modifier::BOLD),
            (file.dim, Modifier::DIM),
            (file.italic, Modifier::ITALIC),
            (file.underline, Modifier::UNDERLINED),
            (file.reverse, Modifier::REVERSED),
        ];
        let set = modifiers.into_iter().filter(|(is_set, _)| *is_set);
        let style = Style { fg: colour(file.fg)?, bg: colour(file.bg)?, ..Style::default() };
        Ok(ThemeStyle(style.add_modifier(set.map(|(_, modifier)| modifier).collect())))
    }
}

impl From<ThemeStyle> for Style {
    fn from(style: ThemeStyle) -> Style {
        style.0
    }
}

/// Name and text of every bundled theme; the first is the default.
pub const BUNDLED: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("high-contrast", include_str!("../../themes/high-contrast.toml")),
    ("colour-blind", include_str!("../../themes/colour-blind.toml")),
    ("plain", include_str!("../../themes/plain.toml")),
    ("gruvbox", include_str!("../../themes/gruvbox.toml")),
    ("nord", include_str!("../../themes/nord.toml")),
    ("solarized-light", include_str!("../../themes/solarized-light.toml")),
];

/// Colours of boxes if a theme sets none as RGB (Okabe and Ito's, safe for colour blindness).
const BOX_COLOURS: [[u8; 3]; 6] =
    [[86, 180, 233], [230, 159, 0], [0, 158, 115], [240, 228, 66], [204, 121, 167], [213, 94, 0]];

/// RGB of a style's foreground, or a box colour by index if it is not RGB.
fn rgb(style: Style, index: usize) -> [u8; 3] {
    match style.fg {
        Some(Color::Rgb(r, g, b)) => [r, g, b],
        _ => BOX_COLOURS[index % BOX_COLOURS.len()],
    }
}

impl Theme {
    /// Parses the text of a theme; `file` is its name in errors.
    ///
    /// # Errors
    /// A missing or unknown key, or an invalid colour, with the file.
    pub fn parse(file: &str, text: &str) -> Result<Theme> {
        toml::from_str(text).map_err(|e| {
            let at_line = e.span().map_or(String::new(), |span| {
                let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
                format!(" at line {line}")
            });
            Error::new(file, format!("not a theme{at_line}: {}", e.message())).expected(
                "every key of a bundled theme, with colours such as \"#ffaf00\" or \"red\"",
            )
        })
    }

    /// Name and theme at this index of [`BUNDLED`], which starts again after the last.
    pub fn bundled(index: usize) -> (&'static str, Theme) {
        let (name, text) = BUNDLED[index % BUNDLED.len()];
        (name, Theme::parse(name, text).expect("a test reads every bundled theme"))
    }

    /// Style of the phrases of a coreference chain, by its index in the image.
    pub fn phrase(&self, chain: usize) -> Style {
        let style = self.phrase.get(chain % self.phrase.len().max(1));
        style.copied().unwrap_or(self.key).into()
    }

    /// RGB of the boxes of each coreference chain, to be repeated after the last.
    pub fn box_colours(&self) -> Vec<[u8; 3]> {
        let chains = 0..self.phrase.len().max(1);
        chains.map(|chain| rgb(self.phrase(chain), chain)).collect()
    }

    /// The style of a response.
    pub fn response(&self, response: Response) -> Style {
        match response {
            Response::Judgment(Judgment::Yes) => self.up,
            Response::Judgment(Judgment::Partial | Judgment::MostlyNo) => self.warning,
            Response::Judgment(Judgment::No) => self.down,
            Response::CantTell => self.dim,
        }
        .into()
    }

    /// The style of a badge.
    pub fn badge(&self, badge: Badge) -> Style {
        match badge {
            Badge::Original | Badge::Positive => self.original,
            Badge::NonGt => self.non_gt,
            Badge::NotRelevant => self.not_relevant,
            Badge::Unjudged => self.unjudged,
            Badge::NotCovered => self.not_covered,
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    use super::*;
    use crate::tui::ui::pane;

    #[test]
    fn every_theme_file_is_bundled_and_complete() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/themes");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        let mut bundled: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
        files.sort();
        bundled.sort_unstable();
        assert_eq!(files, bundled);
        for (name, text) in BUNDLED {
            Theme::parse(name, text).unwrap();
        }
    }

    /// Badges differ by style as well as by glyph, in every theme with colours; plain positives look like original
    /// ones, as no study has both.
    #[test]
    fn badges_have_the_same_style_only_with_the_same_glyph() {
        for (name, text) in BUNDLED.iter().filter(|(name, _)| *name != "plain") {
            let theme = Theme::parse(name, text).unwrap();
            let mut seen = Vec::new();
            for badge in Badge::ALL {
                let look = (badge.glyph(), theme.badge(badge));
                let is_alike =
                    |(glyph, style): &(&str, Style)| (*glyph == look.0) == (*style == look.1);
                assert!(seen.iter().all(is_alike), "{name}: {badge:?}");
                seen.push(look);
            }
        }
    }

    /// Six phrases differ in every theme, and so do boxes.
    #[test]
    fn phrases_have_distinct_styles() {
        for (name, text) in BUNDLED {
            let theme = Theme::parse(name, text).unwrap();
            let mut looks: Vec<Style> = (0..6).map(|place| theme.phrase(place)).collect();
            looks.dedup();
            let mut colours = theme.box_colours();
            colours.sort_unstable();
            colours.dedup();
            assert_eq!((looks.len(), colours.len()), (6, 6), "{name}");
            assert_eq!(theme.phrase(7), theme.phrase(1));
        }
    }

    /// Contrast ratio of text and background by WCAG 2, 1 to 21.
    fn contrast(style: Style) -> f64 {
        let light = |colour: Option<Color>| {
            let Some(Color::Rgb(r, g, b)) = colour else { panic!("{style:?}") };
            let linear = |part: u8| match f64::from(part) / 255.0 {
                part if part <= 0.039_28 => part / 12.92,
                part => ((part + 0.055) / 1.055).powf(2.4),
            };
            0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
        };
        let (one, other) = (light(style.fg), light(style.bg));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// Text has a contrast of 4.5:1 on the screen, in the header and in selected rows, lines of 3:1 on the screen.
    #[test]
    fn every_theme_is_legible() {
        for (name, text) in BUNDLED.iter().filter(|(name, _)| *name != "plain") {
            let theme = Theme::parse(name, text).unwrap();
            let words = [
                theme.base,
                theme.dim,
                theme.title,
                theme.focus,
                theme.up,
                theme.down,
                theme.found,
                theme.key,
                theme.warning,
                theme.error,
                theme.chip,
                theme.number,
            ];
            let words = words.into_iter().chain(theme.phrase.iter().copied()).map(Style::from);
            let words = words.chain(Badge::ALL.map(|badge| theme.badge(badge)));
            let bars = [theme.line_r1, theme.line_map].map(|bar| (Style::from(bar), 3.0));
            let place = Rect::new(0, 0, 1, 1);
            for (look, least) in words.map(|word| (word, 4.5)).chain(bars) {
                let ground = |paint: &dyn Fn(&mut Buffer)| {
                    let mut buf = Buffer::empty(place);
                    buf.set_style(place, theme.base);
                    buf.set_style(place, look);
                    paint(&mut buf);
                    contrast(buf[(0, 0)].style())
                };
                let header = Style::from(theme.header).patch(look);
                let ratios = [
                    ground(&|_| {}),
                    ground(&|buf| pane::mark_row(true, &theme, place, buf)),
                    ground(&|buf| pane::mark_row(false, &theme, place, buf)),
                    contrast(header),
                ];
                assert!(
                    ratios.iter().all(|ratio| *ratio >= least),
                    "{name}: {look:?} {ratios:.1?}"
                );
            }
            let border = contrast(Style::from(theme.base).patch(Style::from(theme.border)));
            assert!(border >= 3.0, "{name}, border: {border:.1}");
        }
    }

    #[test]
    fn mistakes_are_reported() {
        let text = BUNDLED[0].1;
        let wrong = text.replacen("fg = \"#", "fg = \"%", 1);
        assert!(Theme::parse("t.toml", &wrong).unwrap_err().to_string().contains("no colour"));
        let unknown = format!("{text}\n[sparkles]\nfg = \"red\"\n");
        assert!(Theme::parse("t.toml", &unknown).unwrap_err().to_string().contains("sparkles"));
    }
}
