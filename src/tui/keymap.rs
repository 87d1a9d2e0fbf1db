//! Keys, and which action each stands for. The bindings are data: `keymap.toml`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::action::Action;
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
    /// A key without modifiers.
    pub fn plain(code: Code) -> Self {
        Key {
            code,
            ctrl: false,
            alt: false,
        }
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
            let name = rest
                .strip_prefix('<')
                .and_then(|inner| inner.split_once('>'));
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
            _ => match NAMED.iter().find(|known| **known == name) {
                Some(known) => Code::Named(known),
                None => return Err(text.to_owned()),
            },
        };
        Ok(Key { code, ctrl, alt })
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        if self.alt {
            f.write_str("Alt-")?;
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            Code::Named(name) => f.write_str(name),
        }
    }
}

/// Which key stands for which action.
#[derive(Debug, Clone)]
pub struct Keymap {
    actions: BTreeMap<Key, Action>,
    keys: BTreeMap<Action, Vec<Key>>,
}

const DEFAULT: &str = include_str!("keymap.toml");

impl Keymap {
    /// The bindings built in, with those of a file in the place of the same actions' keys.
    ///
    /// # Errors
    /// An unknown action or key, or a key bound twice; named with the file.
    pub fn load(own: Option<(&str, &str)>) -> Result<Self> {
        let mut keys = parse("the built-in keymap", DEFAULT)?;
        if let Some((file, text)) = own {
            keys.extend(parse(file, text)?);
        }
        let file = own.map_or("the built-in keymap", |(file, _)| file);
        let mut actions = BTreeMap::new();
        for (&action, of_action) in &keys {
            for &key in of_action {
                if let Some(other) = actions.insert(key, action) {
                    let (first, second) = (Action::name(other), action.name());
                    return Err(Error::new(
                        file,
                        format!("{key} is bound to {first} and {second}"),
                    )
                    .expected("one action for each key"));
                }
            }
        }
        Ok(Keymap { actions, keys })
    }

    /// The action of a key.
    pub fn action(&self, key: Key) -> Option<Action> {
        self.actions.get(&key).copied()
    }

    /// The keys of an action, the first being the one to show.
    pub fn keys(&self, action: Action) -> &[Key] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// The key to show for an action; empty where none is bound.
    pub fn hint(&self, action: Action) -> String {
        self.keys(action)
            .first()
            .map_or(String::new(), ToString::to_string)
    }
}

fn parse(file: &str, text: &str) -> Result<BTreeMap<Action, Vec<Key>>> {
    let table: BTreeMap<String, Vec<String>> = toml::from_str(text).map_err(|e| {
        Error::new(file, e.message()).expected("lines such as: down = [\"j\", \"Down\"]")
    })?;
    let mut keys = BTreeMap::new();
    for (name, of_action) in table {
        let action = name.parse().map_err(|()| {
            Error::new(file, format!("no action is named {name:?}")).expected(
                Action::ALL
                    .iter()
                    .map(|a| a.name())
                    .collect::<Vec<_>>()
                    .join(", "),
            )
        })?;
        let parsed = of_action.iter().map(|key| {
            key.parse().map_err(|bad| {
                Error::new(file, format!("{name}: no key is named {bad:?}")).expected(format!(
                    "a character, Space, F1 to F24, or: {}",
                    NAMED.join(", ")
                ))
            })
        });
        keys.insert(action, parsed.collect::<Result<_>>()?);
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_bound_and_keys_read_back() {
        let keymap = Keymap::load(None).unwrap();
        for &action in Action::ALL {
            assert!(
                !keymap.keys(action).is_empty(),
                "{} has no key",
                action.name()
            );
            for key in keymap.keys(action) {
                assert_eq!(key.to_string().parse(), Ok(*key));
                assert_eq!(keymap.action(*key), Some(action));
            }
        }
    }

    #[test]
    fn own_keys_replace_those_of_the_action() {
        let keymap = Keymap::load(Some(("own", "down = [\"Ctrl-n\"]"))).unwrap();
        assert_eq!(keymap.hint(Action::Down), "Ctrl-n");
        assert_eq!(keymap.action("j".parse().unwrap()), None);
        assert_eq!(keymap.hint(Action::Up), "k");
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text| {
            Keymap::load(Some(("own.toml", text)))
                .unwrap_err()
                .to_string()
        };
        assert!(error("fly = [\"x\"]").contains("no action is named \"fly\""));
        assert!(error("down = [\"Hyper-x\"]").contains("no key is named \"Hyper-x\""));
        assert!(error("down = [\"k\"]").contains("k is bound to"));
        assert!(error("down = 3").starts_with("own.toml: "));
    }

    #[test]
    fn sequences_mix_characters_and_names() {
        let keys = Key::sequence("j/<Enter><Ctrl-f><").unwrap();
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["j", "/", "Enter", "Ctrl-f", "<"]);
        assert_eq!(Key::sequence("<Entr>"), Err("Entr".into()));
    }
}
