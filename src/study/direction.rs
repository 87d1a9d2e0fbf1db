//! Direction of a truth's file if neither its name nor its content gives it.

use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;
use crate::truth::{Listed, foreign};

/// Maximum number of queries checked first.
pub(super) const MAX_CHECKED: usize = 200;

/// Direction of a truth's lists, from the first of these that decides: the file; which side has more of its queries;
/// which direction has more of its queries and items; the lengths of the lists.
///
/// # Errors
/// Queries that are neither images nor captions of the gallery, or ambiguous with all of their items.
pub(super) fn detect(listed: &Listed, gallery: &Gallery) -> Result<Direction> {
    if let Some(direction) = listed.direction {
        return Ok(direction);
    }
    let pairs = listed.pairs.listed();
    let keys = pairs.keys();
    let first = count_by_side(&keys[..keys.len().min(MAX_CHECKED)], gallery);
    if first[0] != first[1] {
        return Ok(larger_side(first));
    }
    let all = count_by_side(keys, gallery);
    if all == [0, 0] {
        return Err(unknown_queries(&listed.file, keys, gallery));
    }
    let items = Direction::both(|one| count_known(pairs.values(), gallery.items(one)));
    let fit = [0, 1].map(|at| all[at] + items[at]);
    if fit[0] == fit[1] {
        return from_lists(&pairs).ok_or_else(|| ambiguous_queries(listed));
    }
    Ok(larger_side(fit))
}

/// Direction by lists of the original pairing, where each caption has one image: image queries if no item is in two
/// lists and some list has several, caption queries if each list has one item and some item is in several lists. `None`
/// in other cases, and if a list is empty.
pub(super) fn from_lists(pairs: &Pairs) -> Option<Direction> {
    let mut longest = 0;
    for (_, items) in pairs.iter_coded() {
        match items.len() {
            0 => return None,
            len => longest = longest.max(len),
        }
    }
    let is_shared = pairs.len() > pairs.values().len();
    match (longest, is_shared) {
        (2.., false) => Some(Direction::I2t),
        (1, true) => Some(Direction::T2i),
        _ => None,
    }
}

/// How many of the ids are those of images, and of captions.
pub(super) fn count_by_side(ids: &[Id], gallery: &Gallery) -> [usize; 2] {
    Direction::both(|side| count_known(ids, gallery.queries(side)))
}

/// How many of the ids are in a list.
fn count_known(ids: &[Id], list: &IdList) -> usize {
    ids.iter().filter(|id| list.find(id).is_some()).count()
}

/// The direction whose queries are the larger side; captions if both are equal.
pub(super) fn larger_side([images, captions]: [usize; 2]) -> Direction {
    if images > captions { Direction::I2t } else { Direction::T2i }
}

/// Error for queries outside the gallery.
pub(super) fn unknown_queries(file: &str, keys: &[Id], gallery: &Gallery) -> Error {
    let examples = foreign::examples(keys);
    let found = format!("its queries ({examples}) are neither images nor captions of the gallery");
    if gallery.captions.is_empty() {
        return foreign::error(file, found, keys, &gallery.captions);
    }
    let such = |ids: &IdList| foreign::examples(ids.as_slice());
    let expected = format!(
        "images such as {}, or captions such as {}",
        such(&gallery.images),
        such(&gallery.captions)
    );
    let fix = foreign::fix(keys, &gallery.captions);
    Error::new(file, found).expected(expected).fix(fix)
}

/// Error for queries that may be images and captions alike.
fn ambiguous_queries(listed: &Listed) -> Error {
    let examples = foreign::examples(listed.pairs.keys());
    let found = format!("its queries ({examples}) may be images and captions of the gallery alike");
    let (ending, other) = match listed.file.rsplit_once('.') {
        Some((_, "qrels")) => ("_i2t.qrels or _t2i.qrels", String::new()),
        _ => (
            "_image_to_caption.json or _caption_to_image.json",
            ", or write {\"i2t\": {..}} or {\"t2i\": {..}} around its content".to_owned(),
        ),
    };
    Error::new(&listed.file, found)
        .expected(format!("a name that ends in {ending}"))
        .fix(format!("rename the file{other}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two images and four captions without ids.
    fn of_file(file: &str, pairs: &str, ids: fn(usize) -> IdList) -> Result<Direction> {
        let gallery = Gallery { images: ids(2), captions: ids(4), ..Gallery::default() };
        let listed = Listed {
            name: "mine".into(),
            direction: None,
            pairs: serde_json::from_str(pairs).unwrap(),
            file: file.into(),
        };
        detect(&listed, &gallery)
    }

    #[test]
    fn queries_tell_the_direction_and_else_the_items() {
        let of = |pairs| of_file("mine.json", pairs, IdList::for_len).unwrap();
        assert_eq!(of(r#"{"3": [0], "2": [1]}"#), Direction::T2i);
        assert_eq!(of(r#"{"0": [1, 2], "1": [3]}"#), Direction::I2t);
        assert_eq!(of(r#"{"0": [1], "1": [0], "2": [0]}"#), Direction::T2i);
    }

    #[test]
    fn what_fits_nothing_or_both_is_told_apart() {
        let error_text = |file, pairs, ids| of_file(file, pairs, ids).unwrap_err().to_string();
        let both = error_text("mine.qrels", r#"{"0": [0], "1": [1]}"#, IdList::for_len);
        assert!(both.contains("images and captions of the gallery alike"), "{both}");
        assert!(both.contains("_i2t.qrels") && !both.contains("json"), "{both}");
        let both = error_text("mine.json", r#"{"0": [0], "1": [1]}"#, IdList::for_len);
        assert!(both.contains("_image_to_caption.json"), "{both}");
        let none = error_text("mine.qrels", r#"{"8": [9]}"#, IdList::for_len);
        assert!(
            none.contains("neither images nor captions") && none.contains("--image-ids"),
            "{none}"
        );
        let named = |n: usize| {
            let ids = (0..n as i64).map(|at| Id::Number(100 * at + 100));
            IdList::new(ids.collect::<Vec<_>>()).unwrap()
        };
        let none = error_text("mine.qrels", r#"{"0": [1], "1": [3]}"#, named);
        assert!(none.contains("(0, 1)") && none.contains("look like indices"), "{none}");
    }
}
