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

/// A key with its modifiers.
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
    /// Whether it closes any popup: Esc, or Ctrl-c.
    pub fn closes_popup(self) -> bool {
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

    /// Parses a series of keys such as `jj<Enter><Ctrl-f>`, with names in angle brackets.
    ///
    /// # Errors
    /// The name of an unknown key.
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
        let prefix = |is_held: bool, name| if is_held { name } else { "" };
        write!(f, "{}{}", prefix(self.ctrl, "Ctrl-"), prefix(self.alt, "Alt-"))?;
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) => write!(f, "{c}"),
            Code::F(n) => write!(f, "F{n}"),
            Code::Named(name) => f.write_str(name),
        }
    }
}

/// Keys that run an action: a single one, or the leader key and those pressed after it.
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
    keys: KeysByAction,
}

/// The keys of each action; the first ones are shown.
type KeysByAction = BTreeMap<Action, Vec<Keys>>;

/// Name of the built-in keymap in messages.
const BUILT_IN_NAME: &str = "the built-in keymap";
const BUILT_IN_TOML: &str = include_str!("keymap.toml");

impl Keymap {
    /// The built-in bindings, overridden per action by those of a file, given by its name and text. Keys that the file
    /// binds are removed from their built-in action.
    ///
    /// # Errors
    /// An unknown action or key, or a key that the file binds twice; named with the file.
    pub fn load(custom: Option<(&str, &str)>) -> Result<Self> {
        let mut keys = parse(BUILT_IN_NAME, BUILT_IN_TOML)?;
        actions_by_keys(BUILT_IN_NAME, &keys)?;
        if let Some((file, text)) = custom {
            let custom_keys = parse(file, text)?;
            let custom_actions = actions_by_keys(file, &custom_keys)?;
            for action_keys in keys.values_mut() {
                action_keys.retain(|keys| !custom_actions.contains_key(keys));
            }
            keys.extend(custom_keys);
        }
        let actions = actions_by_keys(BUILT_IN_NAME, &keys)?;
        Ok(Keymap { actions, keys })
    }

    /// The action that these keys run; `None` if they are not bound.
    pub fn action(&self, keys: &Keys) -> Option<Action> {
        self.actions.get(keys).copied()
    }

    /// All keys of an action; the first ones are shown.
    pub fn keys(&self, action: Action) -> &[Keys] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// All bindings that begin with the typed keys and need further keys.
    pub fn extensions<'a>(&'a self, typed: &'a [Key]) -> impl Iterator<Item = (&'a Keys, Action)> {
        let continues = |keys: &Keys| keys.0.len() > typed.len() && keys.0.starts_with(typed);
        let bindings = self.actions.iter().filter(move |(keys, _)| continues(keys));
        bindings.map(|(keys, action)| (keys, *action))
    }

    /// The first keys of an action as text, such as `Ctrl-r`; empty if unbound.
    pub fn hint(&self, action: Action) -> String {
        self.keys(action).first().map_or(String::new(), ToString::to_string)
    }

    /// Replaces action names in braces, such as `{undo}`, by their keys.
    pub fn fill_in(&self, text: &str) -> String {
        let fill_in = |text: String, action: &Action| {
            text.replace(&format!("{{{}}}", action.name()), &self.hint(*action))
        };
        Action::ALL.iter().fold(text.to_owned(), fill_in)
    }
}

/// Parses the text of a keymap; `file` is its name in messages.
///
/// # Errors
/// Invalid TOML, unknown action or key, with its line.
fn parse(file: &str, text: &str) -> Result<KeysByAction> {
    let error_at = |span: Option<Range<usize>>, found: String| {
        let before = span.and_then(|span| text.get(..span.start));
        let line = before.unwrap_or_default().matches('\n').count() + 1;
        Error::new(file, format!("line {line}: {found}"))
    };
    let bad_keys =
        |at, found: String| error_at(at, found).expected("lines such as: down = [\"j\", \"Down\"]");
    let action = |name: &Spanned<DeString<'_>>| {
        let names = || Action::ALL.iter().map(|action| action.name());
        name.get_ref().parse::<Action>().map_err(|()| {
            let error =
                error_at(Some(name.span()), format!("no action is named {:?}", name.get_ref()));
            let error =
                error.expected(format!("one of {}", names().collect::<Vec<_>>().join(", ")));
            error.did_you_mean(nearest(name.get_ref(), names()))
        })
    };
    let key = |name: &str, key: &Spanned<DeValue<'_>>| {
        let Some(written) = key.get_ref().as_str() else {
            return Err(bad_keys(Some(key.span()), format!("{name}: no list of keys")));
        };
        written.parse().map_err(|unknown: String| {
            let error = error_at(Some(key.span()), format!("{name}: no key is named {unknown:?}"));
            let named = NAMED.join(", ");
            error.expected(format!(
                "a character, Space, F1 to F24, also after Ctrl- or Alt-; {named}; or several with blanks between"
            ))
        })
    };
    let table = DeTable::parse(text).map_err(|e| bad_keys(e.span(), e.message().to_owned()))?;
    let mut keys_by_action = KeysByAction::new();
    for (name, value) in table.get_ref() {
        let (action, name) = (action(name)?, name.get_ref());
        let Some(keys) = value.get_ref().as_array() else {
            return Err(bad_keys(Some(value.span()), format!("{name}: no list of keys")));
        };
        let keys = keys.iter().map(|written| key(name, written)).collect::<Result<_>>()?;
        keys_by_action.insert(action, keys);
    }
    Ok(keys_by_action)
}

/// The action of each binding.
///
/// # Errors
/// Keys that are bound to two actions.
fn actions_by_keys(file: &str, keys: &KeysByAction) -> Result<BTreeMap<Keys, Action>> {
    let mut actions = BTreeMap::new();
    for (&action, action_keys) in keys {
        for keys in action_keys {
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
        let all: Vec<_> = keymap.extensions(leader).collect();
        assert!(all.len() > 40);
        for (keys, _) in &all {
            assert_eq!(keymap.extensions(&keys.0).count(), 0, "{keys} goes on");
            assert_eq!(keys.0.len(), 3, "{keys}");
        }
    }

    #[test]
    fn custom_keys_replace_those_of_the_action() {
        let keymap = Keymap::load(Some(("own", "down = [\"Ctrl-n\"]"))).unwrap();
        assert_eq!(keymap.hint(Action::Down), "Ctrl-n");
        assert_eq!(keymap.action(&"j".parse().unwrap()), None);
        assert_eq!(keymap.hint(Action::Up), "k");
    }

    #[test]
    fn mistakes_are_reported() {
        let error = |text| Keymap::load(Some(("own.toml", text))).unwrap_err().to_string();
        assert!(error("\nfly = [\"x\"]").contains("line 2: no action is named \"fly\""));
        assert!(error("dwn = [\"x\"]").contains("did you mean down?"));
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
