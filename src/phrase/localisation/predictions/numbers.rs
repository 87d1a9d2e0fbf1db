//! Numbers of predictions, among which Python may have written `NaN` and `Infinity`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

/// The four numbers of a box; NaN for `null`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edges(pub [f64; 4]);

impl<'de> Deserialize<'de> for Edges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List)
    }
}

struct List;

impl<'de> Visitor<'de> for List {
    type Value = Edges;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("four numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Edges, A::Error> {
        let mut edges = [f64::NAN; 4];
        for (place, edge) in edges.iter_mut().enumerate() {
            let read = list.next_element::<Option<f64>>()?;
            let read = read.ok_or_else(|| A::Error::invalid_length(place, &self))?;
            *edge = read.unwrap_or(f64::NAN);
        }
        match list.next_element::<IgnoredAny>()? {
            None => Ok(Edges(edges)),
            Some(_) => Err(A::Error::invalid_length(5, &self)),
        }
    }
}

/// What Python writes for numbers that JSON does not have, the longer first.
const WORDS: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];

/// The same JSON with `null` for each such word outside of strings; `None` where there is none.
pub fn without_words(json: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(json.len());
    let (mut at, mut in_string, mut any) = (0, false, false);
    while let Some(&byte) = json.get(at) {
        let word = WORDS.iter().find(|word| json[at..].starts_with(word));
        if let Some(word) = word.filter(|_| !in_string) {
            out.extend_from_slice(b"null");
            at += word.len();
            any = true;
            continue;
        }
        if in_string && byte == b'\\' {
            out.push(byte);
            at += 1;
        } else if byte == b'"' {
            in_string = !in_string;
        }
        out.extend(json.get(at));
        at += 1;
    }
    any.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_python_are_numbers_that_are_none() {
        let json = br#"{"a \" NaN": [NaN, -Infinity, Infinity, 1], "b": "\\"}"#;
        let plain = without_words(json).unwrap();
        assert_eq!(
            std::str::from_utf8(&plain).unwrap(),
            r#"{"a \" NaN": [null, null, null, 1], "b": "\\"}"#
        );
        assert_eq!(without_words(br#"{"NaN": 1}"#), None);
        assert_eq!(without_words(br#""broken \"#), None);
    }

    #[test]
    fn four_numbers_make_a_box() {
        let read = |json: &str| serde_json::from_str::<Vec<Edges>>(json);
        assert_eq!(read("[[1, 2.5, -3, 4]]").unwrap(), [Edges([1.0, 2.5, -3.0, 4.0])]);
        assert!(read("[[1, null, 3, 4]]").unwrap()[0].0[1].is_nan());
        for (json, told) in [
            ("[[1, 2, 3]]", "invalid length 3, expected four numbers"),
            ("[[1, 2, 3, 4, 5]]", "invalid length 5, expected four numbers"),
            ("[1]", "expected four numbers"),
            ("[[1, 2, 3, \"4\"]]", "invalid type: string"),
        ] {
            let error = read(json).unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
