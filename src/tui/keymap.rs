//! Keys and their actions. The bindings are data: `keymap.toml`.

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
    /// A named key, one of [`NAMED`].
    Named(&'static str),
}

/// Names of non-character keys in keymaps.
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
    /// Whether it closes a popup: Esc, or Ctrl-c.
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

    /// Parses keys: characters stand for themselves, `<Enter>` and `<Ctrl-f>` are named.
    ///
    /// # Errors
    /// The unknown key name.
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

/// A key sequence: a single key, or the leader key with those of its groups.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Keys(pub Vec<Key>);

impl FromStr for Keys {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let single = text.chars().count() == 1;
        let parts: Vec<&str> = if single { vec![text] } else { text.split(' ').collect() };
        parts.into_iter().map(str::parse).collect::<std::result::Result<_, _>>().map(Keys)
    }
}

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&keys.join(" "))
    }
}

/// Bindings of keys to actions.
#[derive(Debug, Clone)]
pub struct Keymap {
    actions: BTreeMap<Keys, Action>,
    keys: Bound,
}

/// The keys of actions.
type Bound = BTreeMap<Action, Vec<Keys>>;

const BUILT_IN: &str = "the built-in keymap";
const DEFAULT: &str = include_str!("keymap.toml");

impl Keymap {
    /// Built-in bindings, overridden per action by those of a file. A key that the file binds is removed from its
    /// built-in action.
    ///
    /// # Errors
    /// An unknown action or key, or a key that the file binds twice; named with the file.
    pub fn load(own: Option<(&str, &str)>) -> Result<Self> {
        let mut keys = parse(BUILT_IN, DEFAULT)?;
        actions(BUILT_IN, &keys)?;
        if let Some((file, text)) = own {
            let own = parse(file, text)?;
            let taken = actions(file, &own)?;
            for of_action in keys.values_mut() {
                of_action.retain(|keys| !taken.contains_key(keys));
            }
            keys.extend(own);
        }
        let actions = actions(BUILT_IN, &keys)?;
        Ok(Keymap { actions, keys })
    }

    /// The action of a key sequence.
    pub fn action(&self, keys: &Keys) -> Option<Action> {
        self.actions.get(keys).copied()
    }

    /// The keys of an action, the one to show first.
    pub fn keys(&self, action: Action) -> &[Keys] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// Every longer binding that begins with these keys.
    pub fn after<'a>(&'a self, typed: &'a [Key]) -> impl Iterator<Item = (&'a Keys, Action)> {
        let goes_on = |keys: &Keys| keys.0.len() > typed.len() && keys.0.starts_with(typed);
        self.actions.iter().filter(move |(keys, _)| goes_on(keys)).map(|(keys, of)| (keys, *of))
    }

    /// The key to show for an action; empty if unbound.
    pub fn hint(&self, action: Action) -> String {
        self.keys(action).first().map_or(String::new(), ToString::to_string)
    }

    /// Replaces action names in braces by keys.
    pub fn filled(&self, text: &str) -> String {
        let fill = |text: String, action: &Action| {
            text.replace(&format!("{{{}}}", action.name()), &self.hint(*action))
        };
        Action::ALL.iter().fold(text.to_owned(), fill)
    }
}

/// Parses a keymap.
///
/// # Errors
/// Invalid TOML, unknown action or key, with its line.
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
            // "verdict-yes" was the former name of "judge-yes".
            error.did_you_mean(nearest(&name.get_ref().replace("verdict", "judge"), names()))
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
                "a character, Space, F1 to F24, also after Ctrl- or Alt-; {others}; or several with blanks between"
            ))
        })
    };
    let table = DeTable::parse(text).map_err(|e| no_keys(e.span(), e.message().to_owned()))?;
    let mut bound = Bound::new();
    for (name, value) in table.get_ref() {
        let (action, word) = (action(name)?, name.get_ref());
        let Some(keys) = value.get_ref().as_array() else {
            return Err(no_keys(Some(value.span()), format!("{word}: no list of keys")));
        };
        let keys = keys.iter().map(|written| key(word, written)).collect::<Result<_>>()?;
        bound.insert(action, keys);
    }
    Ok(bound)
}

/// The actions by their keys; keys of two actions are an error.
fn actions(file: &str, keys: &Bound) -> Result<BTreeMap<Keys, Action>> {
    let mut actions = BTreeMap::new();
    for (&action, of_action) in keys {
        for keys in of_action {
            if let Some(other) = actions.insert(keys.clone(), action) {
                let found = format!("{keys} is bound to {} and {}", other.name(), action.name());
                return Err(Error::new(file, found).expected("one action for each key"));
            }
        }
    }
    Ok(actions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_bound_and_at_most_40_to_a_key_of_its_own() {
        let keymap = Keymap::load(None).unwrap();
        let mut alone = 0;
        for &action in Action::ALL.iter().filter(|action| **action != Action::Leader) {
            let keys = keymap.keys(action);
            assert!(!keys.is_empty(), "{} has no key", action.name());
            alone += usize::from(keys.iter().any(|keys| keys.0.len() == 1));
            for keys in keys {
                assert_eq!(keys.to_string().parse(), Ok(keys.clone()));
            }
        }
        assert!(alone <= 40, "{alone}");
    }

    #[test]
    fn keys_after_the_leader_key_lead_to_one_action() {
        let keymap = Keymap::load(None).unwrap();
        let leader = &keymap.keys(Action::Leader)[0].0;
        let all: Vec<_> = keymap.after(leader).collect();
        assert!(all.len() > 40);
        for (keys, _) in &all {
            assert_eq!(keymap.after(&keys.0).count(), 0, "{keys} goes on");
            assert_eq!(keys.0.len(), 3, "{keys}");
        }
    }

    #[test]
    fn own_keys_replace_those_of_the_action() {
        let keymap = Keymap::load(Some(("own", "down = [\"Ctrl-n\"]"))).unwrap();
        assert_eq!(keymap.hint(Action::Down), "Ctrl-n");
        assert_eq!(keymap.action(&"j".parse().unwrap()), None);
        assert_eq!(keymap.hint(Action::Up), "k");
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text| Keymap::load(Some(("own.toml", text))).unwrap_err().to_string();
        assert!(error("\nfly = [\"x\"]").contains("line 2: no action is named \"fly\""));
        assert!(error("dwn = [\"x\"]").contains("did you mean down?"));
        assert!(error("verdict-no = [\"x\"]").contains("did you mean judge-no?"));
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
