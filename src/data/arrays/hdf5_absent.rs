//! Refuses HDF5 files in builds without the feature `hdf5`.

use std::sync::Arc;

use super::tensor::Tensor;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Refuses the file: how to build with the feature, or to save a matrix as `.npy`.
///
/// # Errors
/// Always.
pub(super) fn tensors(source: &Arc<Source>) -> Result<Vec<Tensor>> {
    Err(
        Error::new(source.display(), "an HDF5 file, which this program was built without").mend(
            "python3 -c \"import h5py, numpy; numpy.save(open('scores.npy', 'xb'), h5py.File('FILE')['NAME'][:])\", or in its \
             source folder cargo install --path . --features hdf5",
        ),
    )
}
