//! The header of an `.npy` file: a Python dictionary of three keys.

use serde::Deserialize;
use serde_json::Value;

/// Element type, order and shape of an array.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::data) struct Header {
    /// Type of the elements as a text, such as `<f4`; `None` for named fields.
    pub descr: Option<String>,
    /// Whether the first index runs fastest.
    pub fortran: bool,
    /// Lengths of the dimensions.
    pub shape: Vec<usize>,
}

/// The header as Python writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dictionary {
    descr: Value,
    fortran_order: bool,
    shape: Vec<usize>,
}

/// Python syntax, each with its replacement in JSON. Python 2 wrote an `L` after long numbers.
const PYTHON_TO_JSON: [(&str, &str); 11] = [
    ("'", "\""),
    ("(", "["),
    (")", "]"),
    ("True", "true"),
    ("False", "false"),
    ("L,", ","),
    ("L]", "]"),
    (", ]", "]"),
    (",]", "]"),
    (", }", "}"),
    (",}", "}"),
];

impl Header {
    /// Parses the text of a header; `None` if it is not as `numpy.save` writes it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut json = text.to_owned();
        for (python, replacement) in PYTHON_TO_JSON {
            json = json.replace(python, replacement);
        }
        let header: Dictionary = serde_json::from_str(&json).ok()?;
        let descr = match header.descr {
            Value::String(descr) if descr.is_ascii() => Some(descr),
            Value::Array(_) => None,
            _ => return None,
        };
        Some(Header { descr, fortran: header.fortran_order, shape: header.shape })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_as_numpy_writes_them() {
        let header = Header::parse(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (5000, 25000), }   \n",
        );
        let expected =
            Header { descr: Some("<f4".into()), fortran: false, shape: vec![5000, 25000] };
        assert_eq!(header, Some(expected));
        let one = Header::parse("{\"shape\":(7L,),'fortran_order':True,'descr':'|S3'}").unwrap();
        assert_eq!((one.descr.as_deref(), one.fortran, one.shape), (Some("|S3"), true, vec![7]));
        let none = Header::parse("{'descr': '<i8', 'fortran_order': False, 'shape': ()}").unwrap();
        assert!(none.shape.is_empty());
        let fields = "{'descr': [('a]\\'', '<f4', (2,)), ('b', '<i8')], 'fortran_order': False, 'shape': (2,)}";
        assert_eq!(Header::parse(fields).unwrap().descr, None);
    }

    #[test]
    fn what_numpy_does_not_write_is_no_header() {
        let deep = "[".repeat(60_000);
        let texts = [
            "",
            "{",
            "{}",
            "{'descr': '<f4', 'fortran_order': False}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
            "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "{'descr': '<f4', 'fortran_order': 1, 'shape': (2,)}",
            "{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} and more",
            "{'descr': '\u{e9}\\'', 'fortran_order': False, 'shape': (2,)}",
            &format!("{{'descr': {deep}, 'fortran_order': False, 'shape': (2,)}}"),
            &deep,
            "\u{3000}{\u{e9}",
        ];
        for text in texts {
            assert_eq!(Header::parse(text), None, "{text:.80}");
        }
    }
}
