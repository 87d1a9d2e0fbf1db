//! Arrays of other Python packages, read where they are.
//!
//! The protocol is `__array_interface__`: address, shape, type and strides.
//! Source: <https://numpy.org/doc/stable/reference/arrays.interface.html>.

use std::sync::Arc;

use itm_explore::data::memory::MemoryInput;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The data of an array, and the object that keeps it where it is.
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
        // SAFETY: the owner says that so many bytes are there, and lives as long as this value. What others write there
        // meanwhile changes numbers and no length, as in a mapped file.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.len) }
    }
}

/// Names an array of numbers whose cells lie side by side, in C or Fortran order.
///
/// # Errors
/// No array, or one with gaps between its cells.
pub fn held(path: String, array: &Bound<'_, PyAny>) -> PyResult<MemoryInput> {
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
        header: Some(header(&shape, &typestr, fortran)),
    })
}

/// Whether the first index runs fastest; `None` where cells do not lie side by side.
fn is_fortran(shape: &[usize], size: usize, strides: Option<&[isize]>) -> Option<bool> {
    let Some(strides) = strides else {
        return Some(false);
    };
    let sides = shape.iter().copied().zip(strides.iter().copied());
    if shape.contains(&0) || lie_side_by_side(sides.clone().rev(), size) {
        return Some(false);
    }
    lie_side_by_side(sides, size).then_some(true)
}

/// Whether the strides of sides, the fastest first, are those of cells without gaps. Along a side of one cell any will
/// do.
fn lie_side_by_side(mut sides: impl Iterator<Item = (usize, isize)>, size: usize) -> bool {
    let mut next = size;
    sides.all(|(side, stride)| {
        let fits = side <= 1 || usize::try_from(stride) == Ok(next);
        next = next.saturating_mul(side);
        fits
    })
}

/// As in a `.npy` file.
fn header(shape: &[usize], typestr: &str, fortran: bool) -> String {
    let order = if fortran { "True" } else { "False" };
    let sides: Vec<String> = shape.iter().map(|side| format!("{side},")).collect();
    format!("{{'descr': '{typestr}', 'fortran_order': {order}, 'shape': ({})}}", sides.join(" "))
}
