//! Suggests a known name for an unknown one.

use crate::error::Error;

/// Separators of words in a name, which people omit or confuse.
const SEPARATORS: [char; 4] = ['_', '@', '-', ' '];

/// A name without separators, in lower case.
fn normalize(name: &str) -> String {
    name.to_lowercase().replace(SEPARATORS, "")
}

/// Edit distances of two names, ignoring case: without separators, and with separators to break ties.
fn distance(name: &str, known: &str) -> (usize, usize) {
    let as_written = strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase());
    (strsim::osa_distance(&normalize(name), &normalize(known)), as_written)
}

/// The known name with the lowest edit distance from `name`; `None` if the distance exceeds a third of the number of
/// letters of `name`, clamped to 1 to 3.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let known = known.into_iter().map(|known| (distance(name, known), known));
    let ((distance, _), nearest) = known.min_by_key(|(distance, _)| *distance)?;
    let max_distance = (normalize(name).chars().count() / 3).clamp(1, 3);
    (distance <= max_distance).then_some(nearest)
}

/// At most `count` known names with the lowest edit distance from `name`, nearest first.
pub fn nearest_names<'a>(name: &str, mut known: Vec<&'a str>, count: usize) -> Vec<&'a str> {
    known.sort_by_cached_key(|known| distance(name, known));
    known.truncate(count);
    known
}

/// The known name to suggest for `name`: the [`nearest`], else the only name that contains it, else `None`.
pub fn suggestion<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let part = normalize(name);
    let has_part = |known: &&&str| normalize(known).contains(&part);
    let only = || {
        let mut with_part = known.iter().filter(has_part).copied();
        with_part.next().filter(|_| with_part.next().is_none())
    };
    nearest(name, known.iter().copied()).or_else(only)
}

/// The fix for a comma-separated list of known names where one is expected; `None` if `name` is no such list.
fn list_fix(name: &str, known: &[&str]) -> Option<String> {
    let (first, _) = name.split_once(',')?;
    let are_known = name.split(',').all(|part| known.contains(&part.trim()));
    are_known.then(|| format!("name one: {}", first.trim()))
}

/// The error for an unknown name of a `kind`, such as a model. Lists the known names; `subject` is the file or option
/// that has the name.
pub fn unknown_error(subject: &str, kind: &str, name: &str, known: &[&str]) -> Error {
    let none = format!("a {kind} among the files: there is none");
    let error = Error::new(subject, format!("no {kind} is named {name}"));
    let error = error.expected(one_of(known, &none));
    match list_fix(name, known) {
        Some(fix) => error.fix(fix),
        None => error.did_you_mean(suggestion(name, known)),
    }
}

/// `one of A, B` for the known names; `none` if there are none.
pub fn one_of(known: &[&str], none: &str) -> String {
    match known {
        [] => none.to_owned(),
        _ => format!("one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_one_that_may_be_meant() {
        let known = ["eval", "rank", "map_at_r"];
        assert_eq!(nearest("rnak", known), Some("rank"));
        assert_eq!(nearest("MAP_at_R", known), Some("map_at_r"));
        assert_eq!(nearest("evl", known), Some("eval"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn a_list_of_names_is_told_from_one() {
        let known = ["eccv", "cxc"];
        assert_eq!(list_fix("cxc, eccv", &known).unwrap(), "name one: cxc");
        assert_eq!(list_fix("cxc,ecv", &known), None);
        assert_eq!(list_fix("cxc", &known), None);
    }

    #[test]
    fn signs_count_only_between_names_that_are_else_alike() {
        let known = ["map", "mAP@R", "a_b", "a-b"];
        assert_eq!(nearest("mapr", known), Some("mAP@R"));
        assert_eq!(nearest("m-a-p", known), Some("map"));
        assert_eq!(nearest("a b", known), Some("a_b"));
        assert_eq!(nearest("A-B", known), Some("a-b"));
        assert_eq!(suggestion("my model", &["my_model_2", "other"]), Some("my_model_2"));
    }

    #[test]
    fn a_part_of_one_name_alone_means_it() {
        let known = ["careful", "broad", "carefree", "naive"];
        assert_eq!(suggestion("Naiv", &known), Some("naive"));
        assert_eq!(suggestion("ful", &known), Some("careful"));
        assert_eq!(suggestion("care", &known), None);
    }
}
