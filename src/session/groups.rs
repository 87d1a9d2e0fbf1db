//! Picks in groups: those of one draw, and those that a person put under one heading.

use super::Pick;
use crate::data::text::shown;

impl Pick {
    /// Whether both stand in the same group: under the same heading, or drawn together.
    pub fn is_beside(&self, other: &Pick) -> bool {
        match (&self.group, &other.group) {
            (None, None) => self.sampled == other.sampled,
            (one, other) => one == other,
        }
    }

    /// What stands above its group.
    pub fn heading(&self) -> String {
        match (&self.group, &self.sampled) {
            (Some(name), _) => shown(name),
            (None, Some(drawn)) => drawn.heading(),
            (None, None) => "picked by hand".into(),
        }
    }
}

/// The places of picks, group by group: groups in the order of their first picks, and the picks of
/// a group in the order of the session.
pub fn groups(picks: &[Pick]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, pick) in picks.iter().enumerate() {
        let is_its = |group: &&mut Vec<usize>| picks[group[0]].is_beside(pick);
        match groups.iter_mut().find(is_its) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(query: i64, drawn: Option<u64>, group: Option<&str>) -> Pick {
        let drawn = drawn.map(|seed| {
            format!(
                r#"{{"where":"r1","model":"a","truth":"t","met":9,"of":9,"drawn":2,"seed":{seed}}}"#
            )
        });
        let text = format!(
            r#"{{"query":{query},"direction":"t2i","models":[],"truth":"t","depth":5,"at":"2026-01-01T00:00:00Z","by":"mk","drawn":{},"group":{}}}"#,
            drawn.as_deref().unwrap_or("null"),
            group.map_or("null".into(), |group| format!("{group:?}"))
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn headings_go_before_draws() {
        let picks = [
            pick(1, Some(7), None),
            pick(2, None, None),
            pick(3, Some(7), None),
            pick(4, Some(8), None),
            pick(5, Some(7), Some("waves")),
            pick(6, None, Some("waves")),
            pick(7, None, None),
        ];
        let expected: [&[usize]; 4] = [&[0, 2], &[1, 6], &[3], &[4, 5]];
        assert_eq!(groups(&picks), expected);
        let headings = [0, 1, 4].map(|place: usize| picks[place].heading());
        assert_eq!(headings, ["2 of 9 at random, seed 7: r1", "picked by hand", "waves"]);
        let text = serde_json::to_string(&picks[5]).unwrap();
        assert!(text.ends_with(r#""by":"mk","group":"waves"}"#), "{text}");
    }
}
