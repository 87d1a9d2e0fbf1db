//! Arrays of other Python packages, read where they are.
//!
//! The protocol is `__array_interface__`: address, shape, type and strides.
//! Source: <https://numpy.org/doc/stable/reference/arrays.interface.html>.

use std::sync::Arc;

use itm_explore::data::memory::MemoryInput;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Memory of a Python array, and a reference to the array that keeps it alive.
struct Data {
    address: usize,
    len: usize,
    _owner: Py<PyAny>,
}

impl AsRef<[u8]> for Data {
    #[expect(unsafe_code, reason = "the memory is another package's")]
    fn as_ref(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the owner guarantees `len` bytes at `address` and lives as long as this value. Python may change
        // numbers in the meantime, but not the length, as in a mapped file.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.len) }
    }
}

/// Borrows a contiguous Python array, in C or Fortran order, as the input file named `path`.
///
/// # Errors
/// An object that is no array; an array with gaps between its cells.
pub fn memory_input(path: String, array: &Bound<'_, PyAny>) -> PyResult<MemoryInput> {
    let no_array = |_| PyTypeError::new_err(format!("{path}: no array (__array_interface__)"));
    let interface = array.getattr("__array_interface__").map_err(no_array)?;
    let interface = interface.cast_into::<PyDict>()?;
    let item = |key: &str| interface.get_item(key);
    let missing = || PyTypeError::new_err(format!("{path}: an incomplete __array_interface__"));
    let shape: Vec<usize> = item("shape")?.ok_or_else(missing)?.extract()?;
    let typestr: String = item("typestr")?.ok_or_else(missing)?.extract()?;
    let (address, _): (usize, bool) = item("data")?.ok_or_else(missing)?.extract()?;
    let strides: Option<Vec<isize>> =
        item("strides")?.map(|it| it.extract()).transpose()?.flatten();
    let size = typestr.get(2..).and_then(|size| size.parse::<usize>().ok());
    let size = size.filter(|_| typestr.is_ascii()).ok_or_else(missing)?;
    let fortran = is_fortran(&shape, size, strides.as_deref()).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{path}: gaps between the cells; pass numpy.ascontiguousarray(..)"
        ))
    })?;
    let len = shape.iter().try_fold(size, |len, side| len.checked_mul(*side));
    let data = Data { address, len: len.ok_or_else(missing)?, _owner: array.clone().unbind() };
    Ok(MemoryInput {
        path: path.into(),
        bytes: Arc::new(data),
        header: Some(npy_header(&shape, &typestr, fortran)),
    })
}

/// Whether the array is in Fortran order (else C order); `None` if it is not contiguous. `cell_size` is in bytes.
fn is_fortran(shape: &[usize], cell_size: usize, strides: Option<&[isize]>) -> Option<bool> {
    let Some(strides) = strides else {
        return Some(false);
    };
    let sides = shape.iter().copied().zip(strides.iter().copied());
    if shape.contains(&0) || is_contiguous(sides.clone().rev(), cell_size) {
        return Some(false);
    }
    is_contiguous(sides, cell_size).then_some(true)
}

/// Whether cells have no gaps. `sides`: length and stride of each dimension, the fastest first; `cell_size` and strides
/// are in bytes. The stride of a dimension of length 1 is ignored.
fn is_contiguous(mut sides: impl Iterator<Item = (usize, isize)>, cell_size: usize) -> bool {
    let mut next = cell_size;
    sides.all(|(side, stride)| {
        let fits = side <= 1 || usize::try_from(stride) == Ok(next);
        next = next.saturating_mul(side);
        fits
    })
}

/// Header of a `.npy` file: a Python dictionary.
fn npy_header(shape: &[usize], typestr: &str, fortran: bool) -> String {
    let order = if fortran { "True" } else { "False" };
    let sides: Vec<String> = shape.iter().map(|side| format!("{side},")).collect();
    format!("{{'descr': '{typestr}', 'fortran_order': {order}, 'shape': ({})}}", sides.join(" "))
}
