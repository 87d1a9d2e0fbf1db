//! Fonts: the bundled one, which looks the same everywhere, and system fonts for missing characters.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use resvg::usvg::fontdb::{Database, Family, ID, Query, Source, Weight};
use rustybuzz::{Face, UnicodeBuffer};
use unicode_segmentation::UnicodeSegmentation;

use super::wrap::{Line, TextStyle};
use crate::error::{Error, Result};

/// The family of the bundled font. Its letters have the widths of Arial and Helvetica: if a viewer substitutes one of
/// these, nothing moves.
pub const BUNDLED: &str = "Liberation Sans";
/// Drawn in the place of a character that no font has.
pub const MISSING: &str = "□";

const REGULAR: &[u8] = include_bytes!("fonts/LiberationSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("fonts/LiberationSans-Bold.ttf");

/// Consecutive letters in one font.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The font family.
    pub family: String,
    /// The letters.
    pub text: String,
}

/// The font of text, with system fonts for characters that it lacks.
pub struct Fonts {
    database: Database,
    family: String,
    /// The regular and the bold font of the family.
    main: [ID; 2],
    has_system_fonts: bool,
    /// System fonts by grapheme cluster and whether it is bold; `None` if no font has the cluster.
    fallbacks: HashMap<(String, bool), Option<ID>>,
    missing: BTreeSet<String>,
}

impl Fonts {
    /// Loads the bundled font, and uses `family` of the system instead if there is one.
    ///
    /// # Errors
    /// When the system has no such family.
    pub fn new(family: Option<&str>) -> Result<Self> {
        let mut database = Database::new();
        let bundled = [REGULAR, BOLD].map(|data| {
            let ids = database.load_font_source(Source::Binary(Arc::new(data)));
            ids[0]
        });
        let mut fonts = Fonts {
            database,
            family: BUNDLED.into(),
            main: bundled,
            has_system_fonts: false,
            fallbacks: HashMap::new(),
            missing: BTreeSet::new(),
        };
        if let Some(family) = family {
            fonts.use_system_family(family)?;
        }
        Ok(fonts)
    }

    /// Makes a family of the system the main one.
    fn use_system_family(&mut self, family: &str) -> Result<()> {
        self.load_system_fonts();
        match [false, true].map(|bold| self.find_face(family, bold)) {
            [Some(regular), Some(bold)] => {
                self.main = [regular, bold];
                family.clone_into(&mut self.family);
                Ok(())
            }
            _ => Err(Error::new("--font", format!("no font family is named {family}"))
                .expected("a family that this system has")
                .fix("`fc-list : family` lists them; without --font the bundled Liberation Sans is used")),
        }
    }

    /// The fonts, for the SVG renderer.
    pub fn database(&self) -> Arc<Database> {
        Arc::new(self.database.clone())
    }

    /// The preferred family of text.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// Splits text into runs of one font each. Characters that no font has become [`MISSING`] and are recorded.
    pub fn runs(&mut self, text: &str, bold: bool) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for cluster in text.graphemes(true) {
            let (family, text) = match self.find_font(cluster, bold) {
                Some(id) => (self.family_name(id), cluster),
                None => (self.family.clone(), MISSING),
            };
            match runs.last_mut() {
                // A blank joins the run before it: one run less.
                Some(last) if last.family == family || cluster == " " => last.text += text,
                _ => runs.push(Run { family, text: text.to_owned() }),
            }
        }
        runs
    }

    /// The text as one line, with its width.
    pub fn line(&mut self, text: &str, look: TextStyle) -> Line {
        let runs = self.runs(text, look.bold);
        let width = runs.iter().map(|run| self.advance(run, look.bold) * look.size).sum();
        Line { runs, width }
    }

    /// Takes the characters that no font had since the last call.
    pub fn take_missing(&mut self) -> Vec<String> {
        std::mem::take(&mut self.missing).into_iter().collect()
    }

    /// The width of a run in ems, with ligatures and kerning.
    fn advance(&self, run: &Run, bold: bool) -> f32 {
        let id = if run.family == self.family {
            self.main[usize::from(bold)]
        } else {
            self.find_face(&run.family, bold).unwrap_or(self.main[0])
        };
        let shaped = self.database.with_face_data(id, |data, index| {
            let face = Face::from_slice(data, index)?;
            let mut buffer = UnicodeBuffer::new();
            buffer.push_str(&run.text);
            buffer.guess_segment_properties();
            let glyphs = rustybuzz::shape(&face, &[], buffer);
            let units: i64 = glyphs.glyph_positions().iter().map(|p| i64::from(p.x_advance)).sum();
            Some(units as f32 / face.units_per_em() as f32)
        });
        shaped.flatten().unwrap_or_default()
    }

    /// The font that draws a grapheme cluster; `None` if no font has it.
    fn find_font(&mut self, cluster: &str, bold: bool) -> Option<ID> {
        let main = self.main[usize::from(bold)];
        if self.covers(main, cluster) {
            return Some(main);
        }
        let key = (cluster.to_owned(), bold);
        if let Some(known) = self.fallbacks.get(&key) {
            return *known;
        }
        let found = self.find_fallback(cluster, bold);
        if found.is_none() {
            self.missing.insert(cluster.to_owned());
        }
        self.fallbacks.insert(key, found);
        found
    }

    /// The system font that draws a cluster; `None` if there is none. Prefers an upright regular style, then a
    /// sans-serif family, then the first name, so that every run of the program chooses the same.
    fn find_fallback(&mut self, cluster: &str, bold: bool) -> Option<ID> {
        self.load_system_fonts();
        let covering = self.database.faces().filter(|face| self.covers(face.id, cluster));
        let face = covering.min_by_key(|face| {
            let style =
                (face.style != resvg::usvg::fontdb::Style::Normal, face.weight.0.abs_diff(400));
            let family = face.families.first().map(|(name, _)| name.as_str());
            (style, family.is_none_or(|name| !name.contains("Sans")), family)
        })?;
        let family = face.families.first()?.0.clone();
        let id = self.find_face(&family, bold)?;
        self.covers(id, cluster).then_some(id)
    }

    /// Whether a font has all characters of a cluster.
    fn covers(&self, id: ID, cluster: &str) -> bool {
        let has_all = self.database.with_face_data(id, |data, index| {
            let Ok(face) = rustybuzz::ttf_parser::Face::parse(data, index) else {
                return false;
            };
            // Others only join or vary letters.
            let is_letter = |c: &char| !matches!(c, '\u{200D}' | '\u{FE00}'..='\u{FE0F}');
            let mut letters = cluster.chars().filter(is_letter);
            letters.all(|c| c == ' ' || face.glyph_index(c).is_some())
        });
        has_all.unwrap_or(false)
    }

    /// Loads the fonts of the system, unless they are loaded.
    fn load_system_fonts(&mut self) {
        if !self.has_system_fonts {
            self.database.load_system_fonts();
            self.has_system_fonts = true;
        }
    }

    /// The regular or bold font of a family; `None` if no loaded font is of it.
    fn find_face(&self, family: &str, bold: bool) -> Option<ID> {
        self.database.query(&Query {
            families: &[Family::Name(family)],
            weight: if bold { Weight::BOLD } else { Weight::NORMAL },
            ..Query::default()
        })
    }

    /// The family that a font names; the preferred family for the main fonts, and for a font without a name.
    fn family_name(&self, id: ID) -> String {
        if self.main.contains(&id) {
            return self.family.clone();
        }
        let face = self.database.face(id);
        let name = face.and_then(|face| face.families.first());
        name.map_or_else(|| self.family.clone(), |(name, _)| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        let mut fonts = Fonts::new(None).unwrap();
        // Advances of Arial, in 2048ths of an em: H 1479, i 455.
        let mut width =
            |bold| fonts.line("Hi", TextStyle { size: 2048.0, bold, colour: "#000000" }).width;
        assert!((width(false) - 1934.0).abs() < 1.0);
        assert!(width(true) > width(false));
    }

    #[test]
    fn what_no_font_has_is_replaced_and_told() {
        let mut fonts = Fonts::new(None).unwrap();
        // A private-use character is in no font of any machine.
        let runs = fonts.runs("a\u{F8D7}b été", false);
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        assert_eq!(text, "a□b été");
        assert_eq!(fonts.take_missing(), ["\u{F8D7}"]);
        assert!(fonts.take_missing().is_empty());
    }

    #[test]
    fn an_unknown_family_is_an_error() {
        let error = Fonts::new(Some("No Such Family At All")).err().unwrap();
        assert!(error.to_string().contains("no font family is named No Such Family"));
    }
}
