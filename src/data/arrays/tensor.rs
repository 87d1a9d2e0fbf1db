//! An array of a file before its data is loaded.

use std::ops::Range;
use std::sync::Arc;

use super::array_path;
use crate::data::npy::{self, Element, Npy};
use crate::data::scores::no_matrix_error;
use crate::data::source::{MAX_INFLATION, Source, UNPACKED_LIMIT};
use crate::data::text::{grouped, shown};
use crate::error::{Error, Result};

/// Bytes of memory that arrays may take, however small their file is.
const MIN_MEMORY_LIMIT: u64 = 16 << 20;

/// An array of a file, its data not loaded.
pub(super) struct Tensor {
    /// Empty if the file is one array without a name.
    pub name: String,
    /// Element type as in a `.npy` header; else the name of an unsupported type.
    pub element: std::result::Result<String, String>,
    /// Whether the first index runs fastest in a block or packed data.
    pub fortran: bool,
    pub shape: Vec<usize>,
    pub data: Data,
    /// Command that saves it in a readable form, for errors.
    pub fix: &'static str,
}

/// Location of elements.
pub(super) enum Data {
    /// In these bytes of the file.
    Block(Range<usize>),
    /// In these bytes of the file, the first at an offset and each index a stride further, in elements.
    Strided { bytes: Range<usize>, offset: usize, strides: Vec<usize> },
    /// Packed: the function unpacks them into memory.
    Packed(Box<dyn Fn() -> Result<Vec<u8>> + Send + Sync>),
}

impl Tensor {
    /// Whether this is a matrix of floats.
    pub(super) fn is_matrix(&self) -> bool {
        self.shape.len() == 2
            && self
                .element
                .as_ref()
                .is_ok_and(|descr| Element::parse(descr).is_some_and(Element::is_float))
    }

    /// Bytes of all elements; `None` of an unsupported type, or where no file can hold them.
    pub(super) fn size(&self) -> Option<usize> {
        Element::parse(self.element.as_ref().ok()?)?.size_of_shape(&self.shape)
    }

    /// Whether the first index of a strided tensor runs fastest; `None` if its elements are not contiguous.
    fn is_fortran(&self, strides: &[usize]) -> Option<bool> {
        let dimensions = || self.shape.iter().zip(strides);
        let is_c = self.shape.contains(&0) || is_dense(dimensions().rev());
        (is_c || is_dense(dimensions())).then_some(!is_c)
    }

    /// Name and shape, and the type if it is unsupported.
    pub(super) fn describe(&self) -> String {
        let shape: Vec<String> = self.shape.iter().map(|&len| grouped(len)).collect();
        let kind = self.element.as_ref().err().map(|kind| format!(", {kind}"));
        format!("{} ({}{})", self.name, shape.join(" x "), kind.unwrap_or_default())
    }

    /// Bytes of memory that the elements take once they are read; 0 where they stay in the file.
    fn memory_bytes(&self) -> u64 {
        if self.element.is_err() {
            return 0;
        }
        let size = self.size().map_or(u64::MAX, |size| size as u64);
        match &self.data {
            Data::Packed(_) => size,
            Data::Strided { strides, .. } if self.is_fortran(strides).is_none() => size,
            Data::Strided { .. } | Data::Block(_) => 0,
        }
    }

    /// Opens the array. Its path is the path of the file if it `is_alone` there or has no name, else `FILE/NAME`.
    ///
    /// # Errors
    /// An unsupported type, or elements that are not in the file.
    pub(super) fn open(self, source: &Arc<Source>, is_alone: bool) -> Result<Npy> {
        let name = Some(&self.name).filter(|name| !is_alone && !name.is_empty());
        let path = name.map_or_else(|| source.path().to_owned(), |name| array_path(source, name));
        let display = shown(&path.display().to_string());
        let descr = self.element.as_ref().map_err(|kind| {
            Error::new(&display, format!("elements of type {kind}"))
                .expected("floats (f2, bf16, f4 or f8) for scores, integers for ids")
                .fix(self.fix)
        })?;
        let outside = || {
            Error::new(&display, "an array that reaches beyond its file")
                .expected("as many elements as its shape says")
                .fix("the file was cut or is still being written: save or copy it again")
        };
        let file_part = |bytes: Range<usize>| match source.bytes().get(bytes.clone()) {
            Some(_) => Ok(Source::part(&path, source, bytes)),
            None => Err(outside()),
        };
        let (data, fortran) = match &self.data {
            Data::Block(bytes) => (file_part(bytes.clone())?, self.fortran),
            Data::Packed(unpack) => (Source::in_memory(&path, unpack()?), self.fortran),
            Data::Strided { bytes, offset, strides } => {
                let view = Strided {
                    storage: source.bytes().get(bytes.clone()).ok_or_else(outside)?,
                    element_size: Element::parse(descr).map_or(1, Element::size),
                    offset: *offset,
                    shape: &self.shape,
                    strides,
                };
                let start = bytes.start + view.start().ok_or_else(outside)?;
                if let (Some(fortran), Some(size)) = (self.is_fortran(strides), self.size()) {
                    (file_part(start..start + size)?, fortran)
                } else {
                    let cells = view.gather();
                    let cells = cells.ok_or_else(|| no_matrix_error(&display, self.shape.len()))?;
                    (Source::in_memory(&path, cells), false)
                }
            }
        };
        let header = npy::format_header(descr, fortran, &self.shape);
        Npy::open(Arc::new(data.as_array(header, name.cloned())))
    }
}

/// Whether elements with these lengths and strides, the fastest dimension first, are contiguous.
fn is_dense<'a>(mut dimensions: impl Iterator<Item = (&'a usize, &'a usize)>) -> bool {
    let mut step = 1_usize;
    dimensions.all(|(&len, &stride)| {
        let fits = len <= 1 || stride == step;
        step = step.saturating_mul(len);
        fits
    })
}

/// Elements of a part of a file, by offset and strides.
struct Strided<'a> {
    storage: &'a [u8],
    /// Bytes of an element.
    element_size: usize,
    offset: usize,
    shape: &'a [usize],
    strides: &'a [usize],
}

impl Strided<'_> {
    /// Byte offset of the first element; `None` if the last one is beyond the storage.
    fn start(&self) -> Option<usize> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        let mut dimensions = self.shape.iter().zip(self.strides);
        let last = dimensions.try_fold(self.offset, |last, (&len, &stride)| {
            last.checked_add((len - 1).checked_mul(stride)?)
        })?;
        let end = last.checked_add(1)?.checked_mul(self.element_size)?;
        (end <= self.storage.len()).then_some(self.offset * self.element_size)
    }

    /// Copies the elements of a vector or matrix into C order; `None` for other numbers of dimensions.
    fn gather(&self) -> Option<Vec<u8>> {
        let ([rows, columns], [down, right]) = match (self.shape, self.strides) {
            (&[columns], &[right]) => ([1, columns], [0, right]),
            (&[rows, columns], &[down, right]) => ([rows, columns], [down, right]),
            _ => return None,
        };
        let mut cells = Vec::with_capacity(rows * columns * self.element_size);
        for row in 0..rows {
            let first = self.offset + row * down;
            if right == 1 {
                let row = first * self.element_size..(first + columns) * self.element_size;
                cells.extend_from_slice(&self.storage[row]);
                continue;
            }
            for column in 0..columns {
                let at = (first + column * right) * self.element_size;
                cells.extend_from_slice(&self.storage[at..at + self.element_size]);
            }
        }
        Some(cells)
    }
}

/// Checks that the arrays together take no more memory than their file can hold at the best compression.
///
/// # Errors
/// Arrays that take more.
pub(super) fn check_memory(source: &Source, tensors: &[Tensor]) -> Result<()> {
    let len = source.bytes().len() as u64;
    let (mut gathered, mut packed) = (0_u64, 0_u64);
    for tensor in tensors {
        let sum = match tensor.data {
            Data::Packed(_) => &mut packed,
            _ => &mut gathered,
        };
        *sum = sum.saturating_add(tensor.memory_bytes());
    }
    let most = len.saturating_mul(MAX_INFLATION).min(UNPACKED_LIMIT);
    if gathered <= len.max(MIN_MEMORY_LIMIT) && packed <= most {
        return Ok(());
    }
    let (bytes, most, fix) = if packed > most {
        (packed, most, "save it without compression: such files may have any size")
    } else {
        let fix = "save it as a block: torch.save(scores.contiguous(), \"scores.pt\")";
        (gathered, len.max(MIN_MEMORY_LIMIT), fix)
    };
    let grouped = |bytes: u64| grouped(usize::try_from(bytes).unwrap_or(usize::MAX));
    let found = format!("arrays of {} bytes in memory", grouped(bytes));
    Err(Error::new(source.display(), found)
        .expected(format!("at most {}, for a file of {}", grouped(most), grouped(len)))
        .fix(fix))
}
