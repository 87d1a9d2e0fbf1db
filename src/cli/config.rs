//! What a person set once: the folder of keys and of `config.toml`, and what that file may say.
//! A flag goes first. A key that is not known is an error with its line: a setting that nobody reads is none.
//! `docs/keys.md` shows every key.

mod names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml::de::DeTable;

use self::names::{line_of, names, no_metric, setting_at, unknown, value_of};
use super::themes;
use crate::data::Direction;
use crate::data::in_use;
use crate::data::near::nearest;
use crate::data::text::{count, shown};
use crate::error::{Error, Result};
use crate::filter::{self, Mistake, named};
use crate::metric::{Spec, spelling};
use crate::session::Annotator;
use crate::study::{Study, wrong};
use crate::tui::pictures::ImageMode;
use crate::tui::state::judging::{ASKED, LISTED};
use crate::tui::state::view::HeaderMetrics;

/// Who a person is where nothing tells.
const NOBODY: &str = "me";

/// The settings of `config.toml`, each unless a flag says otherwise.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    annotator: Option<String>,
    /// The name of a theme, or its file.
    pub theme: Option<String>,
    /// The file of keys.
    pub keys: Option<PathBuf>,
    truth: Option<String>,
    direction: Option<String>,
    pictures: Option<String>,
    /// Whether the mouse is the explorer's.
    pub mouse: Option<bool>,
    /// The two metrics of the header.
    header: Option<Vec<String>>,
    /// Conditions by name.
    pub filters: BTreeMap<String, String>,
    /// Whether files that change are read again.
    pub reload: Option<bool>,
    /// Which items the judging mode asks about.
    judge: Option<String>,
}

/// `$XDG_CONFIG_HOME/itm-explore`, or where it is by default.
pub(super) fn folder() -> Option<PathBuf> {
    let base = match std::env::var_os("XDG_CONFIG_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".config"),
    };
    Some(base.join("itm-explore"))
}

impl Settings {
    /// Those of `config.toml`; none where there is no such file.
    ///
    /// # Errors
    /// A file that cannot be read; a key or a value that is not known, with its line.
    pub(super) fn read() -> Result<Self> {
        let path = folder().map(|folder| folder.join("config.toml"));
        let Some(path) = path.filter(|path| path.is_file()) else {
            return Ok(Settings::default());
        };
        in_use::reads(&path)?;
        let text = std::fs::read_to_string(&path).map_err(|e| Error::io(&path, &e))?;
        Self::parse(&path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self> {
        let file = path.display();
        let wrong_here = |e: &toml::de::Error| {
            let at = e.span().map_or(0, |span| span.start);
            wrong(path, text, e, "").expected(setting_at(text, at))
        };
        let table = DeTable::parse(text).map_err(|e| wrong_here(&e))?;
        for key in table.get_ref().keys() {
            if !names().any(|name| name == key.get_ref()) {
                return Err(unknown(&file, text, key.get_ref(), key.span().start));
            }
        }
        let mut settings: Settings = toml::from_str(text).map_err(|e| wrong_here(&e))?;
        let folder = path.parent();
        settings.keys = settings.keys.map(|keys| within(folder, &keys));
        settings.theme = settings.theme.map(|theme| theme_within(folder, theme));
        settings.check(&file, text)?;
        Ok(settings)
    }

    /// Checks the words that stand for something.
    fn check(&self, file: &impl std::fmt::Display, text: &str) -> Result<()> {
        let is_known = |word: &String| Direction::BOTH.iter().any(|known| known.key() == word);
        let no_value = |key: &str, word: &str| {
            let found = format!("{}{key} = {word:?}", line_of(text, key));
            Error::new(file, found).expected(value_of(key))
        };
        if let Some(word) = self.direction.as_ref().filter(|word| !is_known(word)) {
            return Err(no_value("direction", word));
        }
        if let Some(name) = self.annotator.as_ref().filter(|name| name.trim().is_empty()) {
            return Err(no_value("annotator", name));
        }
        if let Some(word) = self.judge.as_ref().filter(|word| asked(word).is_none()) {
            return Err(no_value("judge", word));
        }
        if let Some(name) = self.theme.as_deref().filter(|name| !themes::is_theme(name)) {
            return Err(themes::advised(no_value("theme", name), name));
        }
        if let Some(names) = self.header.as_ref().filter(|names| names.len() != 2) {
            let found =
                format!("{}header: {}", line_of(text, "header"), count(names.len(), "metric"));
            return Err(
                Error::new(file, found).expected(format!("two, header = {}", value_of("header")))
            );
        }
        for name in self.header.iter().flatten() {
            metric(name).map_err(|key| no_metric(file, text, [name, &key]))?;
        }
        if let Some(name) = self.filters.keys().find(|name| !named::is_name(name)) {
            let found = format!("filters: {name:?} is no name");
            return Err(Error::new(file, found).expected("letters, digits, - and _"));
        }
        let filters = || self.filters.iter().map(|(name, text)| (&**name, &**text));
        for (name, condition) in filters() {
            let checked = filter::check_syntax(condition, filters());
            checked.map_err(|mistake| no_condition(file, text, (name, &mistake)))?;
        }
        let pictures = ImageMode::ALL.map(|(name, _)| name);
        match self.pictures.as_deref() {
            Some(word) if !pictures.contains(&word) => Err(no_value("pictures", word)
                .expected(format!("one of {}", pictures.join(", ")))
                .meaning(nearest(word, pictures))),
            _ => Ok(()),
        }
    }

    /// The two metrics of the header, where they are set.
    pub(super) fn header(&self) -> Option<HeaderMetrics> {
        let [first, second] = self.header.as_deref()? else {
            return None;
        };
        Some(HeaderMetrics::new([metric(first).ok()?, metric(second).ok()?]))
    }

    /// How pictures are shown.
    pub(super) fn pictures(&self) -> Option<ImageMode> {
        self.pictures.as_ref()?.parse().ok()
    }

    /// Who gives verdicts; as [`annotator`].
    ///
    /// # Errors
    /// A name without letters.
    pub(super) fn annotator(&self, flag: Option<&str>) -> Result<Annotator> {
        let chosen = |subject: &str, name: &str| {
            Ok(Annotator { name: checked(subject, name)?, is_chosen: true })
        };
        match (flag, &self.annotator) {
            (Some(name), _) => return chosen("--annotator", name),
            (None, Some(name)) => return chosen("annotator in config.toml", name),
            (None, None) => {}
        }
        let user = std::env::var("USER").ok();
        let user = user.filter(|user| !user.trim().is_empty());
        Ok(Annotator { name: user.unwrap_or_else(|| NOBODY.to_owned()), is_chosen: false })
    }

    /// What is to be said of a ground truth that is set, where a study lacks it and has one of a name like it.
    pub(super) fn misspelt(&self, study: &Study) -> Option<String> {
        let name = self.truth.as_deref()?;
        let lacks = study.truth(name).is_none();
        let near = nearest(name, study.truths.iter().map(|truth| &*truth.name))?;
        let name = shown(name);
        lacks.then(|| format!("config.toml: no ground truth is named {name}: did you mean {near}?"))
    }

    /// Adds what the explorer opens with to the view of a session that has none yet.
    pub(super) fn open_with(&self, view: &mut Map<String, Value>) {
        if !view.is_empty() {
            return;
        }
        let both = [("truth", &self.truth), ("direction", &self.direction)];
        for (key, value) in both {
            let value = value.as_ref().map(|value| Value::from(value.as_str()));
            view.extend(value.map(|value| (key.to_owned(), value)));
        }
        let listed = self.judge.as_deref().and_then(asked);
        let judging = listed.map(|listed| json!({ LISTED: listed }));
        view.extend(judging.map(|judging| ("judging".to_owned(), judging)));
    }
}

/// Whether the judging mode asks about positives of the ground truth, by the word of a setting.
fn asked(word: &str) -> Option<bool> {
    let mut known = ASKED.into_iter().filter(|(name, _)| *name == word);
    known.next().map(|(_, listed)| listed)
}

/// A metric by its key or as papers write it; else its key.
fn metric(name: &str) -> std::result::Result<Spec, String> {
    let key = spelling::key(name).unwrap_or_else(|| name.to_owned());
    key.parse().map_err(|()| key)
}

/// A condition that is none.
fn no_condition(
    file: &impl std::fmt::Display,
    text: &str,
    (name, mistake): (&str, &Mistake),
) -> Error {
    let (line, column) = (line_of(text, name), mistake.column());
    let found = format!("{line}filter {name}, column {column}: {}", mistake.found());
    let [expected, mend] = mistake.advice();
    let error = Error::new(file, found);
    let error = match expected {
        Some(expected) => error.expected(expected),
        None => error,
    };
    match mend {
        Some(mend) => error.mend(mend),
        None => error,
    }
}

/// A path of the file as seen from its folder.
fn within(folder: Option<&Path>, path: &Path) -> PathBuf {
    folder.map_or_else(|| path.to_owned(), |folder| folder.join(path))
}

/// A theme of a file as seen from its folder; the name of a bundled one stays.
fn theme_within(folder: Option<&Path>, theme: String) -> String {
    if !themes::is_bundled(&theme) && themes::is_theme(&theme) {
        let path = within(folder, Path::new(&theme));
        return path.to_string_lossy().into_owned();
    }
    theme
}

/// Who gives verdicts: as a flag says, else `annotator` in `config.toml`, else `$USER`, else `me`.
///
/// # Errors
/// A name without letters; a `config.toml` that cannot be read.
pub(super) fn annotator(flag: Option<&str>) -> Result<Annotator> {
    let settings = match flag {
        Some(_) => Settings::default(),
        None => Settings::read()?,
    };
    settings.annotator(flag)
}

fn checked(subject: &str, name: &str) -> Result<String> {
    match name.trim() {
        "" => Err(Error::new(subject, "an annotator without a name").expected("a name")),
        name => Ok(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Settings> {
        Settings::parse(Path::new("/home/config.toml"), text)
    }

    #[test]
    fn the_flag_goes_first_and_broken_files_are_told() {
        let named = annotator(Some(" mk ")).unwrap();
        assert_eq!((named.name.as_str(), named.is_chosen), ("mk", true));
        assert!(annotator(Some(" ")).is_err());
        let settings = parse("annotator = \"anna\"\nkeys = \"own.toml\"\nmouse = false").unwrap();
        assert_eq!(settings.annotator.as_deref(), Some("anna"));
        assert_eq!(settings.keys, Some("/home/own.toml".into()));
        assert_eq!(settings.mouse, Some(false));
        assert_eq!(parse("").unwrap(), Settings::default());
        let told = |text| parse(text).unwrap_err().to_string();
        let error = told("annotator = 3");
        assert!(
            error.contains("config.toml: annotator: ")
                && error.contains("line 1, column 13")
                && !error.contains('|'),
            "{error}"
        );
        let error = told("mouse = true\nheader = [\"r1\", \"nDCG@ten\"]");
        let knows = ["line 2", "nDCG@ten", "condensed_rprecision"];
        assert!(knows.iter().all(|part| error.contains(part)), "{error}");
        let error = told("[filters]\nhard = \"r10 == 0\"\nbad = \"r10 =\"");
        assert!(error.contains("line 3: filter bad, column"), "{error}");
        assert!(parse("[filters]\nhard = \"r10 == 0\"\nrare = \"@hard and r >= 5\"").is_ok());
        assert!(told("direction = \"up\"").contains("i2t"));
        let said = told("pictures = \"halfblock\"");
        assert!(said.contains("line 1: pictures = \"halfblock\""), "{said}");
        assert!(said.contains("did you mean halfblocks?"), "{said}");
        assert!(told("judge = \"some\"").contains("\"unlisted\" or \"all\""));
        let settings = parse("header = [\"nDCG@10\", \"median_rank\"]").unwrap();
        assert_eq!(settings.header().unwrap().titles(), ["nDCG@10", "MedR"]);
        for (text, meant) in [
            ("header = [\"r1\", \"map_at_q\"]", "did you mean map_at_r?"),
            ("header = [\"r1\", \"nDCG@l0\"]", "did you mean nDCG@10?"),
        ] {
            let said = told(text);
            assert!(said.contains(meant), "{said}");
        }
        assert!(told("header = [\"r1\", \"map\", \"r5\"]").contains("line 1: header: 3 metrics"));
        let error = told("header = [\"r1\"]");
        assert!(
            error.contains("line 1") && error.contains("header = [\"r1\", \"nDCG@10\"]"),
            "{error}"
        );
        let error = told("mouse = true\ntheme = nord");
        assert!(error.contains("line 2") && error.contains("theme = \"nord\""), "{error}");
        let error = told("mouse = true\ntheme = \"norrd\"");
        let knows = ["config.toml: line 2: ", "did you mean nord?"];
        assert!(knows.iter().all(|part| error.contains(part)), "{error}");
        let themes = ["nord", "own.toml"].map(|name| parse(&format!("theme = {name:?}")));
        let themes = themes.map(|settings| settings.unwrap().theme.unwrap());
        assert_eq!(themes, ["nord", "/home/own.toml"]);
        let settings = parse("[filters]\nhard = \"r10 == 0\"").unwrap();
        assert_eq!(settings.filters["hard"], "r10 == 0");
        assert!(told("[filters]\n\"very hard\" = \"r10 == 0\"").contains("very hard"));
    }

    #[test]
    fn an_unknown_key_is_told_with_its_line_and_the_nearest() {
        let error = parse("# mine\nthem = \"dark\"").unwrap_err().to_string();
        for part in ["line 2", "them", "one of annotator, theme", "did you mean theme?"] {
            assert!(error.contains(part), "{error}");
        }
        let error = parse("[colours]\na = 1").unwrap_err().to_string();
        assert!(error.contains("line 1") && !error.contains("did you mean"), "{error}");
    }

    #[test]
    fn a_new_session_opens_as_set_and_a_kept_view_stays() {
        let settings = parse("truth = \"eccv\"\ndirection = \"i2t\"").unwrap();
        let mut view = Map::new();
        settings.open_with(&mut view);
        assert_eq!(
            Value::from(view.clone()),
            serde_json::json!({"truth": "eccv", "direction": "i2t"})
        );
        let mut view = Map::new();
        parse("judge = \"all\"").unwrap().open_with(&mut view);
        assert_eq!(view["judging"], json!({"listed": true}));
        let mut kept = Map::from_iter([("truth".to_owned(), Value::from("pm"))]);
        settings.open_with(&mut kept);
        assert_eq!(kept.len(), 1);
    }

    /// What the documentation shows is read.
    #[test]
    fn every_key_is_a_setting() {
        let docs = include_str!("../../docs/keys.md");
        for key in names() {
            let is_there = [format!("\n{key} = "), format!("\n[{key}]")];
            assert!(is_there.iter().any(|line| docs.contains(line)), "docs/keys.md lacks {key}");
        }
    }
}
