//! The header of an `.npy` file: a Python dictionary of three keys, read in one pass.
//!
//! Only what `numpy.save` writes is read. No value is nested but the description of named fields, which
//! is passed over by counting its brackets: the work is linear in the length, and nothing recurses.

/// The header of an `.npy` file: element type, order and shape.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Header<'a> {
    /// Type of the elements as a text, such as `<f4`; `None` for named fields.
    pub descr: Option<&'a str>,
    /// Whether the first index runs fastest.
    pub fortran: bool,
    /// Lengths of the dimensions.
    pub shape: Vec<usize>,
}

impl<'a> Header<'a> {
    /// Reads a header; `None` for what `numpy.save` does not write.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let mut rest = Rest(text);
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        rest.take("{")?;
        while rest.take("}").is_none() {
            let key = rest.quoted()?;
            rest.take(":")?;
            let is_new = match key {
                "descr" => descr.replace(rest.descr()?).is_none(),
                "fortran_order" => fortran.replace(rest.boolean()?).is_none(),
                "shape" => shape.replace(rest.lengths()?).is_none(),
                _ => false,
            };
            let goes_on = rest.take(",").is_some() || rest.0.trim_start().starts_with('}');
            if !is_new || !goes_on {
                return None;
            }
        }
        rest.0.trim().is_empty().then_some(Header {
            descr: match descr? {
                Descr::Text(text) => Some(text),
                Descr::Fields => None,
            },
            fortran: fortran?,
            shape: shape?,
        })
    }
}

impl Header<'_> {
    /// Bytes of the data: the number behind the type's letter counts bytes, or characters of four bytes.
    pub(super) fn data_bytes(&self) -> Option<u64> {
        let descr = self.descr?;
        let number: u64 = descr.get(2..)?.parse().ok()?;
        let element = match descr.get(1..2)? {
            "U" => number.checked_mul(4)?,
            _ => number,
        };
        let mut lengths = self.shape.iter();
        lengths.try_fold(element, |bytes, &length| bytes.checked_mul(length as u64))
    }
}

/// Type of the elements.
enum Descr<'a> {
    Text(&'a str),
    Fields,
}

/// What is still to be read.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// Passes blanks and a text behind them.
    fn take(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.trim_start().strip_prefix(text)?;
        Some(())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (inside, rest) = text[1..].split_once(quote)?;
        self.0 = rest;
        (!inside.contains('\\')).then_some(inside)
    }

    fn boolean(&mut self) -> Option<bool> {
        let is_true = self.take("True").is_some();
        (is_true || self.take("False").is_some()).then_some(is_true)
    }

    /// A text, or a list of named fields.
    fn descr(&mut self) -> Option<Descr<'a>> {
        if !self.0.trim_start().starts_with('[') {
            return self.quoted().map(Descr::Text);
        }
        self.0 = &self.0[nested(self.0)?..];
        Some(Descr::Fields)
    }

    /// A tuple of whole numbers; Python 2 wrote an `L` behind long ones.
    fn lengths(&mut self) -> Option<Vec<usize>> {
        let mut lengths = Vec::new();
        self.take("(")?;
        while self.take(")").is_none() {
            self.0 = self.0.trim_start();
            let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
            lengths.push(self.0[..digits].parse().ok()?);
            self.0 = &self.0[digits..];
            self.0 = self.0.strip_prefix('L').unwrap_or(self.0);
            if self.take(",").is_none() && !self.0.trim_start().starts_with(')') {
                return None;
            }
        }
        Some(lengths)
    }
}

/// Where a bracket's counterpart ends; brackets in quotes do not count.
fn nested(text: &str) -> Option<usize> {
    let (mut depth, mut quote) = (0_usize, None);
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(open), _) if byte == open => quote = None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'[' | b'(' | b'{') => depth += 1,
            (None, b']' | b')' | b'}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_as_numpy_writes_them() {
        let header = Header::parse(
            "{'descr': '<f4', 'fortran_order': False, 'shape': (5000, 25000), }   \n",
        );
        let expected = Header { descr: Some("<f4"), fortran: false, shape: vec![5000, 25000] };
        assert_eq!(header, Some(expected));
        let one = Header::parse("{\"shape\":(7L,),'fortran_order':True,'descr':'|S3'}").unwrap();
        assert_eq!(one.data_bytes(), Some(21));
        assert_eq!((one.descr, one.fortran, one.shape), (Some("|S3"), true, vec![7]));
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
