//! Merges sessions entry by entry: with a base, changes and removals made by only one session are applied; otherwise
//! the latest counts, and nothing is removed.

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexSet;

use super::{JudgmentEntry, Note, Pick, Session, Tag, Timestamp, image_key};
use crate::data::Direction;
use crate::data::id::Id;

/// What identifies an entry among those of its kind, and sorts entries in files: annotator, direction of the query (of
/// a note or pick), id of the image or query, id of the caption, and tag.
pub(super) type Key<'a> = (&'a str, Option<Direction>, Cow<'a, Id>, Option<&'a Id>, &'a str);

/// An entry of a session, which has a line of its own in the file.
pub(super) trait Entry: Clone + PartialEq {
    /// Its identity: see [`Key`].
    fn key(&self) -> Key<'_>;

    /// When it was made.
    fn time(&self) -> Timestamp;

    /// The entry with another time.
    fn with_time(self, at: Timestamp) -> Self;
}

macro_rules! entry {
    ($type:ident, $entry:ident => $key:expr) => {
        impl Entry for $type {
            fn key(&self) -> Key<'_> {
                let $entry = self;
                $key
            }

            fn time(&self) -> Timestamp {
                self.at
            }

            fn with_time(self, at: Timestamp) -> Self {
                $type { at, ..self }
            }
        }
    };
}

entry!(JudgmentEntry, entry => (&entry.by, None, image_key(&entry.image), Some(&entry.caption), ""));
entry!(Tag, entry => (&entry.by, None, image_key(&entry.image), Some(&entry.caption), &entry.tag));
entry!(Note, entry => (&entry.by, Some(entry.direction), Cow::Borrowed(&entry.query), None, ""));
entry!(Pick, entry => (&entry.by, Some(entry.direction), Cow::Borrowed(&entry.query), None, ""));

/// Entries by their key, as in files.
pub(super) fn sorted_by_key<'a, T: Entry>(entries: impl Iterator<Item = &'a T>) -> Vec<&'a T> {
    let mut entries: Vec<&T> = entries.collect();
    entries.sort_by_cached_key(|entry: &&'a T| -> Key<'a> { T::key(entry) });
    entries
}

/// A judgment that several sessions changed differently since their base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The judgment in the merged session.
    pub result: JudgmentEntry,
    /// The judgment in each session; `None` if it has none.
    pub sides: Vec<Option<JudgmentEntry>>,
}

/// Merges sessions; conflicts are possible only with a base. View, study and other fields are those of the first
/// session that has them.
pub fn merge(sessions: &[Session], base: Option<&Session>) -> (Session, Vec<Conflict>) {
    let mut conflicts = Vec::new();
    let mut on_conflict =
        |result: &JudgmentEntry, sides| conflicts.push(Conflict { result: result.clone(), sides });
    let mut merged = Session {
        judgments: merge_entries(sessions, base, |session| &session.judgments, &mut on_conflict),
        picks: merge_entries(sessions, base, |session| &session.picks, &mut |_, _| ()),
        notes: merge_entries(sessions, base, |session| &session.notes, &mut |_, _| ()),
        tags: merge_entries(sessions, base, |session| &session.tags, &mut |_, _| ()),
        ..Session::default()
    };
    for session in sessions {
        merged.study = merged.study.or_else(|| session.study.clone());
        if merged.view.is_empty() {
            merged.view.clone_from(&session.view);
        }
        for (key, value) in &session.other {
            merged.other.entry(key).or_insert_with(|| value.clone());
        }
    }
    (merged, conflicts)
}

/// Merges the entries of one kind, which `entries` selects from a session. If sessions changed one differently since
/// the base, `on_conflict` gets the result, and the entry in each session, `None` if missing.
fn merge_entries<'a, T: Entry + 'a>(
    sessions: &'a [Session],
    base: Option<&'a Session>,
    entries: impl Fn(&'a Session) -> &'a [T],
    on_conflict: &mut dyn FnMut(&T, Vec<Option<T>>),
) -> Vec<T> {
    let by_key = |session| {
        let mut latest_last: Vec<&T> = entries(session).iter().collect();
        latest_last.sort_by_key(|one| one.time());
        latest_last.into_iter().map(|one| (one.key(), one)).collect()
    };
    let base: Option<HashMap<Key, &T>> = base.map(by_key);
    let sides: Vec<HashMap<Key, &T>> = sessions.iter().map(by_key).collect();
    let keys: IndexSet<Key> = sessions.iter().flat_map(&entries).map(T::key).collect();
    let merge_key = |key: &Key<'a>| {
        let version = |side: &HashMap<Key<'a>, &'a T>| side.get(key).copied();
        let versions: Vec<Option<&T>> = sides.iter().map(version).collect();
        let mut changed = versions.clone();
        changed.retain(|one| match &base {
            Some(base) => !is_same(*one, base.get(key).copied()),
            None => one.is_some(),
        });
        let is_conflict = base.is_some() && changed.iter().any(|one| !is_same(*one, changed[0]));
        let candidates = if changed.is_empty() { &versions } else { &changed };
        let result = candidates.iter().flatten().max_by_key(|one| one.time())?;
        if is_conflict {
            on_conflict(result, versions.iter().map(|one| one.cloned()).collect());
        }
        Some((*result).clone())
    };
    keys.iter().filter_map(merge_key).collect()
}

/// Whether both are equal apart from their time, or both are missing.
fn is_same<T: Entry>(one: Option<&T>, other: Option<&T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.clone().with_time(other.time()) == *other,
        (one, other) => one.is_none() == other.is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::judgment::Judgment::{self, No, Partial, Yes};

    /// Caption, judgment, time and annotator.
    fn session(lines: &[(i64, Judgment, i64, &str)]) -> Session {
        let mut session = Session::default();
        for &(caption, judgment, at, by) in lines {
            let at = Timestamp::from_seconds(at);
            session.set_response(&Id::Number(1), &Id::Number(caption), Some(judgment), at, by);
        }
        session
    }

    fn lines(session: &Session) -> Vec<(String, Judgment, &str)> {
        let lines = session.judgments().iter();
        lines.map(|one| (one.caption.raw(), one.judgment.unwrap(), one.by.as_str())).collect()
    }

    #[test]
    fn without_a_base_the_latest_of_each_annotator_counts_and_nothing_goes() {
        let sides = [
            session(&[(1, Yes, 1, "a"), (2, No, 9, "a"), (3, Yes, 1, "b")]),
            session(&[(1, No, 5, "a"), (2, Yes, 3, "a"), (3, No, 2, "a")]),
        ];
        let (merged, conflicts) = merge(&sides, None);
        let wanted = [(1, No, "a"), (2, No, "a"), (3, Yes, "b"), (3, No, "a")];
        assert_eq!(lines(&merged), wanted.map(|(id, of, by)| (id.to_string(), of, by)));
        assert!(conflicts.is_empty());
        assert_eq!(merge(&[merged.clone(), merged.clone()], None).0, merged);
    }

    #[test]
    fn with_a_base_what_one_side_changed_follows_it() {
        let base =
            session(&[(1, Yes, 1, "a"), (2, Yes, 1, "a"), (3, Yes, 1, "a"), (4, No, 1, "a")]);
        let sides = [
            // 1 is unchanged, 2 changed, 3 removed, 5 new.
            session(&[(1, Yes, 8, "a"), (2, No, 3, "a"), (4, No, 1, "a"), (5, No, 1, "a")]),
            session(&[(1, Partial, 2, "a"), (2, Yes, 9, "a"), (3, Yes, 1, "a"), (4, No, 1, "a")]),
        ];
        let (merged, conflicts) = merge(&sides, Some(&base));
        let wanted = [(1, Partial), (2, No), (4, No), (5, No)];
        assert_eq!(lines(&merged), wanted.map(|(id, of)| (id.to_string(), of, "a")));
        assert!(conflicts.is_empty());
    }

    #[test]
    fn what_both_sides_changed_is_a_conflict_unless_they_agree() {
        let base = session(&[(1, Yes, 1, "a"), (2, Yes, 1, "a"), (3, Yes, 1, "a")]);
        let sides = [
            session(&[(1, No, 5, "a"), (2, Partial, 2, "a"), (4, Yes, 2, "a")]),
            session(&[(1, No, 3, "a"), (3, No, 2, "a"), (4, No, 1, "a")]),
        ];
        let (merged, conflicts) = merge(&sides, Some(&base));
        let wanted = [(1, No), (2, Partial), (4, Yes), (3, No)];
        assert_eq!(lines(&merged), wanted.map(|(id, of)| (id.to_string(), of, "a")));
        assert_eq!(merged.judgments()[0].at, Timestamp::from_seconds(5));
        let told = conflicts.iter().map(|one| {
            let said = one.sides.iter().map(|side| side.as_ref().and_then(|one| one.judgment));
            (one.result.caption.raw(), said.collect())
        });
        let told: Vec<(String, Vec<_>)> = told.collect();
        let wanted = [
            ("2".to_owned(), vec![Some(Partial), None]),
            ("4".to_owned(), vec![Some(Yes), Some(No)]),
            ("3".to_owned(), vec![None, Some(No)]),
        ];
        assert_eq!(told, wanted);
    }
}
