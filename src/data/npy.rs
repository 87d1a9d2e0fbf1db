//! `.npy` files: header, checks, and typed access to the mapped data.
//!
//! Nothing in a header is trusted: magic, version, length, element type and shape are checked, and
//! `shape x item size` must be the size of the data before anything is read or allocated.
//! Format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

mod header;

use std::sync::Arc;

pub(super) use self::header::Header;
use super::id::Id;
use super::source::Source;
use super::text::{count, grouped, numpy_command, shell_word};
use crate::error::{Error, Result};

/// First bytes of a `.npy` file.
pub const MAGIC: &[u8] = b"\x93NUMPY";
/// Maximum length of a header: usual ones take some hundred bytes.
const MAX_HEADER_BYTES: usize = 65_536;

/// The type of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// IEEE 754 float of 2, 4 or 8 bytes.
    Float(usize),
    /// bfloat16: the upper two bytes of a float of four.
    BFloat16,
    /// Integer of 1, 2, 4 or 8 bytes, signed or not.
    Int {
        /// Bytes per element.
        bytes: usize,
        /// Whether it is in two's complement, else unsigned.
        signed: bool,
    },
    /// Fixed-width text: UCS-4 character count.
    Unicode(usize),
    /// Fixed-width text: byte count.
    Bytes(usize),
}

impl Element {
    /// Size of one element in bytes.
    pub fn size(self) -> usize {
        match self {
            Element::Float(bytes) | Element::Int { bytes, .. } | Element::Bytes(bytes) => bytes,
            Element::BFloat16 => 2,
            Element::Unicode(chars) => chars * 4,
        }
    }

    /// Whether this is a float of any size.
    pub fn is_float(self) -> bool {
        matches!(self, Element::Float(_) | Element::BFloat16)
    }

    /// Size in bytes of an array of this shape; `None` on overflow.
    pub(super) fn size_of_shape(self, shape: &[usize]) -> Option<usize> {
        shape.iter().try_fold(self.size(), |bytes, &len| bytes.checked_mul(len))
    }

    /// Parses a `descr` such as `<f4`, without its byte order; `None` of an unsupported type.
    pub(super) fn parse(descr: &str) -> Option<Self> {
        let size = descr.get(2..)?.parse::<usize>().ok();
        let size = size.filter(|&n| n < MAX_HEADER_BYTES)?;
        Some(match (descr.as_bytes().get(1)?, size) {
            (b'f', bytes @ (2 | 4 | 8)) => Element::Float(bytes),
            // bfloat16 of ml_dtypes; two raw bytes have no order, `|V2`.
            (b'V', 2) if !descr.starts_with('|') => Element::BFloat16,
            (b'i', bytes @ (1 | 2 | 4 | 8)) => Element::Int { bytes, signed: true },
            (b'u', bytes @ (1 | 2 | 4 | 8)) => Element::Int { bytes, signed: false },
            (b'U', chars) => Element::Unicode(chars),
            (b'S', bytes) => Element::Bytes(bytes),
            _ => return None,
        })
    }
}

/// A checked `.npy` file: its data has exactly the size given in its header.
#[derive(Debug, Clone)]
pub struct Npy {
    source: Arc<Source>,
    /// Type of an element.
    pub element: Element,
    /// Whether elements are stored most significant byte first.
    pub big_endian: bool,
    /// Whether the first index runs fastest.
    pub fortran: bool,
    /// Lengths of the dimensions.
    pub shape: Vec<usize>,
    /// Byte of the source at which the data begins.
    data_start: usize,
}

impl Npy {
    /// Reads and checks the header of `source`.
    ///
    /// # Errors
    /// When this is no `.npy` file, holds pickled Python objects, or is shorter or longer than its
    /// header claims.
    pub fn open(source: Arc<Source>) -> Result<Self> {
        let (header, data_start) = header_text(&source)?;
        let broken = || {
            Error::new(source.display(), "a .npy header that cannot be read")
                .expected(
                    "a dictionary of 'descr', 'fortran_order' and 'shape', and of nothing else",
                )
                .fix("save it with numpy.save")
        };
        let Header { descr, fortran, shape } = Header::parse(header).ok_or_else(broken)?;
        let (element, big_endian) = element_type(&source, descr.as_deref())?;
        let npy = Npy { element, big_endian, fortran, shape, data_start, source };
        npy.check_size()?;
        Ok(npy)
    }

    /// A matrix of `f8` in memory, from cells in C order; messages show `name` as its file.
    pub fn in_memory(name: &str, shape: [usize; 2], cells: impl Iterator<Item = f64>) -> Self {
        let bytes = cells.flat_map(f64::to_le_bytes).collect();
        Npy {
            source: Arc::new(Source::in_memory(name, bytes)),
            element: Element::Float(8),
            big_endian: false,
            fortran: false,
            shape: shape.to_vec(),
            data_start: 0,
        }
    }

    /// A matrix of the same name, element type and byte order with other cells, in C order.
    #[must_use]
    pub fn with_data(&self, shape: [usize; 2], bytes: Vec<u8>) -> Self {
        Npy {
            source: Arc::new(Source::in_memory(self.source.display(), bytes)),
            fortran: false,
            shape: shape.to_vec(),
            data_start: 0,
            ..*self
        }
    }

    /// Checks that the data is as long as element type and shape say.
    fn check_size(&self) -> Result<()> {
        let size = self.data().len();
        let claimed = self.element.size_of_shape(&self.shape);
        if claimed == Some(size) {
            return Ok(());
        }
        let (problem, fix) = if claimed.is_none_or(|claimed| claimed > size) {
            ("cut off", "the file was cut or is still being written: save or copy it again")
        } else {
            ("too long", "the file has bytes behind its data: save it again with numpy.save")
        };
        let shape: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let shape = shape.join(" x ");
        let found = format!("{problem}: {} bytes of data for the shape {shape}", grouped(size));
        let claimed = claimed.map_or("a smaller shape".into(), |n| format!("{} bytes", grouped(n)));
        Err(Error::new(self.source.display(), found).expected(claimed).fix(fix))
    }

    /// The file that the array is read from.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The data, in file order.
    #[inline]
    pub fn data(&self) -> &[u8] {
        &self.source.bytes()[self.data_start..]
    }

    /// Reads a one-dimensional array of integers or text as ids.
    ///
    /// # Errors
    /// When the array has another shape or holds floats.
    pub fn ids(&self) -> Result<Vec<Id>> {
        let is_float = self.element.is_float();
        if self.shape.len() == 2 && !is_float {
            return Err(no_scores_error(self));
        }
        if self.shape.len() != 1 || is_float {
            let dimensions = count(self.shape.len(), "dimension");
            let what = if is_float { "floats" } else { "values" };
            let found = format!("no list of ids: {what} in {dimensions}");
            return Err(Error::new(self.source.display(), found)
                .expected(
                    "a one-dimensional array of integers or text, an id for each row or column",
                )
                .fix("ids that are numbers: save them as .astype('int64')"));
        }
        Ok(self.data().chunks_exact(self.element.size().max(1)).map(|raw| self.id(raw)).collect())
    }

    /// Decodes one integer element; an unsigned one beyond `i64` becomes negative.
    pub fn integer(&self, raw: &[u8]) -> i64 {
        let value = unsigned(raw, self.big_endian);
        let unused = 64 - 8 * raw.len() as u32;
        match self.element {
            Element::Int { signed: true, .. } => ((value << unused) as i64) >> unused,
            _ => value as i64,
        }
    }

    /// Decodes one element as an id.
    fn id(&self, raw: &[u8]) -> Id {
        match self.element {
            Element::Unicode(_) => {
                let text: String = raw
                    .chunks_exact(4)
                    .map(|c| unsigned(c, self.big_endian) as u32)
                    .take_while(|&c| c != 0)
                    .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect();
                Id::parse(&text)
            }
            Element::Bytes(_) => {
                let end = raw.iter().position(|&b| b == 0).unwrap_or(raw.len());
                Id::parse(&String::from_utf8_lossy(&raw[..end]))
            }
            Element::Int { signed: true, .. } => Id::Number(self.integer(raw)),
            Element::Int { .. } => {
                let value = unsigned(raw, self.big_endian);
                i64::try_from(value).map_or_else(|_| Id::Text(value.to_string().into()), Id::Number)
            }
            Element::Float(_) | Element::BFloat16 => unreachable!("ids() refuses floats"),
        }
    }
}

/// Decodes an unsigned integer of up to 8 bytes.
fn unsigned(raw: &[u8], big_endian: bool) -> u64 {
    let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    if big_endian { raw.iter().fold(0, fold) } else { raw.iter().rev().fold(0, fold) }
}

/// Maximum bytes before the data: magic, version, header length and header.
pub(super) const MAX_START_BYTES: usize = MAX_HEADER_BYTES + 12;

/// Whether a file is as long as its header says, by its first bytes and its length. True if it is no `.npy` file.
pub(super) fn is_whole(start: &[u8], len: u64) -> bool {
    if !start.starts_with(&MAGIC[..start.len().min(MAGIC.len())]) {
        return true;
    }
    let claimed = || {
        let (Header { descr, shape, .. }, data_start) = Header::parse_start(start)?;
        Element::parse(&descr?)?.size_of_shape(&shape)?.checked_add(data_start)
    };
    claimed().is_some_and(|claimed| claimed as u64 == len)
}

/// Whether this is an array, in a file or in memory.
pub fn is_npy(source: &Source) -> bool {
    source.header().is_some() || source.bytes().starts_with(MAGIC)
}

/// The text of the header, and the position of the data.
fn header_text(source: &Source) -> Result<(&str, usize)> {
    if let Some(header) = source.header() {
        return Ok((header, 0));
    }
    header_in(source.bytes()).map_err(|found| {
        Error::new(source.display(), found)
            .expected("a .npy file of version 1, 2 or 3")
            .fix("save it with numpy.save")
    })
}

/// The text of the header in the first bytes of a file, and the position of the data; else what is wrong.
fn header_in(bytes: &[u8]) -> std::result::Result<(&str, usize), String> {
    let Some([major, _minor]) = bytes.strip_prefix(MAGIC).and_then(|b| b.first_chunk()) else {
        return Err("no .npy header".into());
    };
    let (length, start) = match major {
        1 => (bytes.get(8..10), 10),
        2 | 3 => (bytes.get(8..12), 12),
        other => return Err(format!(".npy version {other}")),
    };
    let length = length.map(|raw| unsigned(raw, false) as usize);
    let length = length.filter(|&n| n <= MAX_HEADER_BYTES);
    length
        .and_then(|n| bytes.get(start..start + n))
        .and_then(|text| std::str::from_utf8(text).ok())
        .map(|text| (text, start + text.len()))
        .ok_or_else(|| "a .npy header that is cut or damaged".into())
}

impl Header {
    /// The header in the first bytes of a file, and the position of the data; `None` if the header is cut or invalid.
    pub(super) fn parse_start(start: &[u8]) -> Option<(Header, usize)> {
        let (text, data_start) = header_in(start).ok()?;
        Some((Header::parse(text)?, data_start))
    }
}

/// The element type of a `descr`, and whether it is big-endian; `None` stands for named fields.
fn element_type(source: &Source, descr: Option<&str>) -> Result<(Element, bool)> {
    let refusal = |found: String| {
        Error::new(source.display(), found)
            .expected("floats (f2, bf16, f4, f8) for scores, integers or text for ids")
    };
    let Some(descr) = descr else {
        return Err(refusal("a structured array (named fields)".into())
            .fix("numpy.save(\"scores.npy\", scores[\"NAME\"]), NAME that of the field"));
    };
    if descr.as_bytes().get(1) == Some(&b'O') {
        return Err(pickle_error(source));
    }
    let element = Element::parse(descr).ok_or_else(|| {
        let error = refusal(format!("elements of type {descr:?}"));
        if descr.contains('V') {
            return error.fix(
                "numpy lost the type: in the program that made the scores, numpy.save(\"scores.npy\", \
                 scores.astype(\"float32\"))",
            );
        }
        error.fix(numpy_command("a.astype('float32')", &source.display(), "floats"))
    })?;
    Ok((element, descr.starts_with('>')))
}

/// Formats the header of an array as `numpy.save` does. Without magic and padding.
pub fn format_header(descr: &str, fortran: bool, shape: &[usize]) -> String {
    let order = if fortran { "True" } else { "False" };
    let lengths: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let lengths = lengths.join(", ");
    let end = if shape.len() == 1 { "," } else { "" };
    format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({lengths}{end}), }}")
}

/// The error for a two-dimensional array of integers or text where scores are expected. Integers may be the indices of
/// `argsort`, or scores once they are floats.
pub(super) fn no_scores_error(npy: &Npy) -> Error {
    let file = npy.source().display();
    let expected = "scores as floats (f2, bf16, f4 or f8)";
    if !matches!(npy.element, Element::Int { .. }) {
        return Error::new(file, "a matrix of text").expected(expected);
    }
    let [i2t, t2i] = ["i2t", "t2i"].map(|side| shell_word(&format!("{side}:{file}")));
    let scores = numpy_command("a.astype('float64')", &file, "floats");
    Error::new(file, "a matrix of integers")
        .expected(expected)
        .fix(format!("rows of items, the best first: --knn {i2t} or --knn {t2i}; scores: {scores}"))
}

/// The error of an array of Python objects.
fn pickle_error(source: &Source) -> Error {
    Error::new(source.display(), "pickled Python objects (dtype object)")
        .expected("a plain array of floats; pickles run code when read, so they are never opened")
        .fix(format!(
            "only if you trust its author (NAME: the key of the matrix, in a dictionary): {}",
            numpy_command(
                "n.stack(list(a if a.ndim else a.item()['NAME'])).astype('float32')",
                &source.display(),
                "floats"
            )
            .replace("sys.argv[1])", "sys.argv[1], allow_pickle=True)")
        ))
}
