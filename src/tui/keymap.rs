//! Keys, and which action each stands for. The bindings are data: `keymap.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::action::Action;
use crate::data::near::nearest;
use crate::error::{Error, Result};

/// A key without its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// A character, shift already applied.
    Char(char),
    /// A function key.
    F(u8),
    /// A named key: its place in [`NAMED`].
    Named(&'static str),
}

/// Names of keys that are no characters, as keymaps write them.
pub const NAMED: [&str; 17] = [
    "Enter",
    "Esc",
    "Tab",
    "BackTab",
    "Backspace",
    "Delete",
    "Insert",
    "Left",
    "Right",
    "Up",
    "Down",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Shift-Up",
    "Shift-Down",
];

/// A key as it was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The key.
    pub code: Code,
    /// With Control.
    pub ctrl: bool,
    /// With Alt.
    pub alt: bool,
}

impl Key {
    /// Whether it closes what is open: Esc, or Ctrl-c.
    pub fn closes(self) -> bool {
        matches!((self.code, self.ctrl), (Code::Named("Esc"), _) | (Code::Char('c'), true))
    }

    /// A key without modifiers.
    pub fn plain(code: Code) -> Self {
        Key { code, ctrl: false, alt: false }
    }

    /// A named key without modifiers; `name` is one of [`NAMED`].
    pub fn named(name: &'static str) -> Self {
        Key::plain(Code::Named(name))
    }

    /// Reads a run of keys: characters stand for themselves, `<Enter>` and `<Ctrl-f>` are named.
    ///
    /// # Errors
    /// The name that no key has.
    pub fn sequence(text: &str) -> std::result::Result<Vec<Key>, String> {
        let mut keys = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let name = rest.strip_prefix('<').and_then(|inner| inner.split_once('>'));
            if let Some((name, after)) = name.filter(|(name, _)| name.chars().count() > 1) {
                keys.push(name.parse()?);
                rest = after;
            } else {
                keys.push(Key::plain(Code::Char(first)));
                rest = &rest[first.len_utf8()..];
            }
        }
        Ok(keys)
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (mut ctrl, mut alt) = (false, false);
        let mut name = text;
        while name.chars().count() > 1 {
            if let Some(rest) = name.strip_prefix("Ctrl-") {
                (ctrl, name) = (true, rest);
            } else if let Some(rest) = name.strip_prefix("Alt-") {
                (alt, name) = (true, rest);
            } else {
                break;
            }
        }
        let mut chars = name.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) => Code::Char(c),
            _ if name == "Space" => Code::Char(' '),
            (Some('F'), _) if let Ok(n @ 1..=24) = name[1..].parse() => Code::F(n),
            _ => {
                let known = NAMED.iter().find(|known| **known == name);
                Code::Named(known.ok_or_else(|| text.to_owned())?)
            }
        };
        Ok(Key { code, ctrl, alt })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with = |held: bool, name| if held { name } else { "" };
        write!(f, "{}{}", with(self.ctrl, "Ctrl-"), with(self.alt, "Alt-"))?;
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            Code::Named(name) => f.write_str(name),
        }
    }
}

/// When keys hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Mode {
    /// Always.
    #[default]
    Everywhere,
    /// In the judging mode, where they go before those that hold everywhere.
    Judging,
}

/// Which key stands for which action.
#[derive(Debug, Clone)]
pub struct Keymap {
    actions: BTreeMap<(Mode, Key), Action>,
    keys: Bound,
}

/// The keys of actions.
type Bound = BTreeMap<(Mode, Action), Vec<Key>>;

const BUILT_IN: &str = "the built-in keymap";
const DEFAULT: &str = include_str!("keymap.toml");

impl Keymap {
    /// The bindings built in, with those of a file in the place of the same actions' keys. A key that the file gives
    /// to one action is taken from the one that has it here.
    ///
    /// # Errors
    /// An unknown action or key, or a key that the file binds twice; named with the file.
    pub fn load(own: Option<(&str, &str)>) -> Result<Self> {
        let mut keys = parse(BUILT_IN, DEFAULT)?;
        actions(BUILT_IN, &keys)?;
        if let Some((file, text)) = own {
            let own = at_home(parse(file, text)?, &keys);
            let taken = actions(file, &own)?;
            for ((mode, _), of_action) in &mut keys {
                of_action.retain(|key| !taken.contains_key(&(*mode, *key)));
            }
            keys.extend(own);
        }
        let actions = actions(BUILT_IN, &keys)?;
        Ok(Keymap { actions, keys })
    }

    /// The action of a key in a mode. A key that has none there may have one in another mode, which then says so.
    pub fn action(&self, mode: Mode, key: Key) -> Option<Action> {
        let modes = [mode, Mode::Everywhere, Mode::Judging];
        modes.into_iter().find_map(|mode| self.actions.get(&(mode, key)).copied())
    }

    /// The keys of an action, the first being the one to show.
    pub fn keys(&self, action: Action) -> &[Key] {
        let bound = |mode| self.keys.get(&(mode, action));
        bound(Mode::Judging).or_else(|| bound(Mode::Everywhere)).map_or(&[], Vec::as_slice)
    }

    /// The key to show for an action; empty where none is bound.
    pub fn hint(&self, action: Action) -> String {
        self.keys(action).first().map_or(String::new(), ToString::to_string)
    }

    /// A text with keys in place of the names of actions in braces.
    pub fn filled(&self, text: &str) -> String {
        let fill = |text: String, action: &Action| {
            text.replace(&format!("{{{}}}", action.name()), &self.hint(*action))
        };
        Action::ALL.iter().fold(text.to_owned(), fill)
    }
}

/// The section of keys that are of the judging mode alone.
const JUDGING: &str = "judging";

/// What a file binds.
///
/// # Errors
/// What is no TOML, no action or no key, with its line.
fn parse(file: &str, text: &str) -> Result<Bound> {
    let wrong = |at: Option<Range<usize>>, found: String| {
        let before = at.and_then(|at| text.get(..at.start));
        let line = before.unwrap_or_default().matches('\n').count() + 1;
        Error::new(file, format!("line {line}: {found}"))
    };
    let no_keys =
        |at, found: String| wrong(at, found).expected("lines such as: down = [\"j\", \"Down\"]");
    let action = |name: &Spanned<DeString<'_>>| {
        let names = || Action::ALL.iter().map(|action| action.name());
        name.get_ref().parse::<Action>().map_err(|()| {
            let error =
                wrong(Some(name.span()), format!("no action is named {:?}", name.get_ref()));
            let error =
                error.expected(format!("one of {}", names().collect::<Vec<_>>().join(", ")));
            error.meaning(nearest(name.get_ref(), names()))
        })
    };
    let key = |name: &str, key: &Spanned<DeValue<'_>>| {
        let Some(written) = key.get_ref().as_str() else {
            return Err(no_keys(Some(key.span()), format!("{name}: no list of keys")));
        };
        written.parse().map_err(|bad: String| {
            let error = wrong(Some(key.span()), format!("{name}: no key is named {bad:?}"));
            let others = NAMED.join(", ");
            error.expected(format!(
                "a character, Space, F1 to F24, also after Ctrl- or Alt-; {others}"
            ))
        })
    };
    let table = DeTable::parse(text).map_err(|e| no_keys(e.span(), e.message().to_owned()))?;
    let mut bound = Bound::new();
    let mut bind = |mode, name: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>| {
        let (action, word) = (action(name)?, name.get_ref());
        let Some(keys) = value.get_ref().as_array() else {
            return Err(no_keys(Some(value.span()), format!("{word}: no list of keys")));
        };
        let keys = keys.iter().map(|written| key(word, written)).collect::<Result<_>>()?;
        bound.insert((mode, action), keys);
        Ok(())
    };
    for (name, value) in table.get_ref() {
        match value.get_ref() {
            DeValue::Table(rows) if name.get_ref() == JUDGING => {
                for (name, value) in rows {
                    bind(Mode::Judging, name, value)?;
                }
            }
            DeValue::Table(_) => {
                let found = format!("no section is named {:?}", name.get_ref());
                return Err(wrong(Some(name.span()), found).expected(format!("[{JUDGING}]")));
            }
            _ => bind(Mode::Everywhere, name, value)?,
        }
    }
    Ok(bound)
}

/// The actions by their keys; a key of two actions in one mode is an error.
fn actions(file: &str, keys: &Bound) -> Result<BTreeMap<(Mode, Key), Action>> {
    let mut actions = BTreeMap::new();
    for (&(mode, action), of_action) in keys {
        for &key in of_action {
            if let Some(other) = actions.insert((mode, key), action) {
                let (first, second) = (Action::name(other), action.name());
                let found = format!("{key} is bound to {first} and {second}");
                return Err(Error::new(file, found).expected("one action for each key"));
            }
        }
    }
    Ok(actions)
}

/// A file may name an action of the judging mode without its section, as those did that are older than the mode.
fn at_home(own: Bound, built_in: &Bound) -> Bound {
    let mut placed = Bound::new();
    for ((mode, action), keys) in own {
        let is_there = built_in.contains_key(&(mode, action));
        let is_judging = !is_there && built_in.contains_key(&(Mode::Judging, action));
        let mode = if is_judging { Mode::Judging } else { mode };
        placed.entry((mode, action)).or_default().extend(keys);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Key {
        name.parse().unwrap()
    }

    #[test]
    fn every_action_is_bound_and_keys_read_back() {
        let keymap = Keymap::load(None).unwrap();
        for &action in Action::ALL {
            let keys = keymap.keys(action);
            assert!(!keys.is_empty(), "{} has no key", action.name());
            for key in keys {
                assert_eq!(key.to_string().parse(), Ok(*key));
                let modes = [Mode::Everywhere, Mode::Judging];
                let found = modes.map(|mode| keymap.action(mode, *key));
                assert!(found.contains(&Some(action)), "{key}");
            }
        }
    }

    #[test]
    fn keys_of_the_judging_mode_go_before_the_others_in_it_alone() {
        let keymap = Keymap::load(None).unwrap();
        let both = |name| {
            [Mode::Everywhere, Mode::Judging].map(|mode| keymap.action(mode, key(name)).unwrap())
        };
        assert_eq!(both("n"), [Action::NextMatch, Action::VerdictMostlyNo]);
        assert_eq!(both("j"), [Action::Down; 2]);
        // What means nothing elsewhere is named all the same.
        assert_eq!(both("y"), [Action::VerdictYes; 2]);
    }

    #[test]
    fn own_keys_replace_those_of_the_action() {
        let keymap = Keymap::load(Some(("own", "down = [\"Ctrl-n\"]"))).unwrap();
        assert_eq!(keymap.hint(Action::Down), "Ctrl-n");
        assert_eq!(keymap.action(Mode::Everywhere, key("j")), None);
        assert_eq!(keymap.hint(Action::Up), "k");
    }

    /// As they could be written when `g` was the next ground truth and verdicts needed no mode.
    #[test]
    fn older_files_of_keys_still_work() {
        let old = "next-truth = [\"g\"]\nverdict-yes = [\"+\"]\nverdict-no = [\"n\"]\nmove-down = [\"J\"]";
        let keymap = Keymap::load(Some(("own", old))).unwrap();
        let action = |mode, name| keymap.action(mode, key(name));
        assert_eq!(action(Mode::Everywhere, "g"), Some(Action::NextTruth));
        assert_eq!(keymap.hint(Action::First), "Home");
        assert_eq!(action(Mode::Judging, "+"), Some(Action::VerdictYes));
        assert_eq!(action(Mode::Everywhere, "+"), Some(Action::DialUp));
        assert_eq!(action(Mode::Judging, "n"), Some(Action::VerdictNo));
        assert_eq!(keymap.keys(Action::VerdictMostlyNo), []);
        assert_eq!(action(Mode::Everywhere, "J"), Some(Action::MoveDown));
    }

    #[test]
    fn a_file_binds_keys_for_the_mode_alone() {
        let own = "[judging]\nverdict-no = [\"x\"]\nundo = [\"Backspace\"]";
        let keymap = Keymap::load(Some(("own", own))).unwrap();
        let both = |name| {
            [Mode::Everywhere, Mode::Judging].map(|mode| keymap.action(mode, key(name)).unwrap())
        };
        assert_eq!(both("x"), [Action::Beside, Action::VerdictNo]);
        assert_eq!(both("Backspace"), [Action::VerdictClear, Action::Undo]);
        assert_eq!(both("u"), [Action::Undo; 2]);
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text| Keymap::load(Some(("own.toml", text))).unwrap_err().to_string();
        assert!(error("\nfly = [\"x\"]").contains("line 2: no action is named \"fly\""));
        assert!(error("dwn = [\"x\"]").contains("did you mean down?"));
        assert!(error("[judging]\nfly = [\"x\"]").contains("no action is named \"fly\""));
        let section = error("\n[juding]\nverdict-yes = [\"x\"]");
        assert!(section.contains("line 2: no section is named \"juding\""), "{section}");
        assert!(section.contains("judging"), "{section}");
        assert!(
            error("down = [\"Hyper-x\"]").contains("line 1: down: no key is named \"Hyper-x\"")
        );
        let twice = error("down = [\"k\"]\nup = [\"k\"]");
        assert!(twice.starts_with("own.toml: k is bound to"), "{twice}");
        for text in ["up = [\"k\"]\ndown = 3", "up = []\ndown = [3]", "up = []\ndown ="] {
            assert!(error(text).starts_with("own.toml: line 2: "), "{}", error(text));
        }
    }

    #[test]
    fn sequences_mix_characters_and_names() {
        let keys = Key::sequence("j/<Enter><Ctrl-f><").unwrap();
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["j", "/", "Enter", "Ctrl-f", "<"]);
        assert_eq!(Key::sequence("<Entr>"), Err("Entr".into()));
    }
}
