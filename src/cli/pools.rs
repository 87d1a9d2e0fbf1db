//! Pools on the command line.

use std::path::PathBuf;

use crate::study::PoolFiles;

/// Parses a pool's option, `NAME=FILE`.
pub(super) fn file(text: &str) -> Result<PoolFiles, String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok(PoolFiles { name: name.to_owned(), files: vec![PathBuf::from(file)] })
        }
        _ => Err("NAME=FILE is wanted, such as held_out=images.npy".into()),
    }
}

/// Lists of the same pool brought together: one of its images, one of its captions.
pub(super) fn merged(given: &[PoolFiles]) -> Vec<PoolFiles> {
    let mut merged: Vec<PoolFiles> = Vec::new();
    for pool in given {
        match merged.iter_mut().find(|known| known.name == pool.name) {
            Some(known) => known.files.extend(pool.files.clone()),
            None => merged.push(pool.clone()),
        }
    }
    merged
}
