//! Writes the union of ground truths of a study.

use std::path::{Path, PathBuf};

use super::Study;
use super::inputs::Inputs;
use super::open::open_with_lists;
use super::write::{Export, NamedPairs, take_pairs, write_pairs};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::pairs::Pairs;
use crate::truth::union::{UnionCounts, unite_lists};
use crate::truth::{Listed, Truth};

/// Option with the union's name.
const OPTION: &str = "--as-name";

/// Which ground truths to unite, and how.
#[derive(Debug, Clone, Default)]
pub struct Union {
    /// Names of the truths. The union covers the queries of the first, or of all.
    pub truths: Vec<String>,
    /// Whether the union covers the queries of all truths.
    pub covers_all: bool,
    /// Name of the union.
    pub name: String,
}

/// Result of a union.
#[derive(Debug)]
pub struct WrittenUnion {
    /// The study, with the union as its last truth.
    pub study: Study,
    /// Counts of each direction that the union has.
    pub counts: PerDirection<Option<UnionCounts>>,
    /// The written files; empty without `out`.
    pub files: Vec<PathBuf>,
}

/// Unites truths of `inputs`, and writes the union to `out`, if given. Ids outside the gallery stay in the lists.
///
/// # Errors
/// As [`super::open()`]; an unknown or duplicate name; a file that cannot be read or written.
pub fn unite(inputs: &Inputs, union: &Union, out: Option<(Export, &Path)>) -> Result<WrittenUnion> {
    let (mut study, mut listed) = open_with_lists(inputs)?;
    if study.truth(&union.name).is_some() {
        let found = format!("a ground truth named {} is among the files", union.name);
        return Err(Error::new(OPTION, found).expected("a name of its own"));
    }
    let mut counts = PerDirection::default();
    let mut pairs: PerDirection<Option<Pairs>> = PerDirection::default();
    for direction in Direction::BOTH {
        let mut lists = Vec::new();
        for name in &union.truths {
            let truth = study.require_truth(name)?;
            lists.push(take_pairs(&study, &mut listed, truth, direction));
        }
        let required = if union.covers_all { lists.len() } else { 1 };
        if lists[..required].iter().all(Option::is_none) {
            continue;
        }
        let lists: Vec<Pairs> = lists.into_iter().map(Option::unwrap_or_default).collect();
        let lists: Vec<&Pairs> = lists.iter().collect();
        let (united, direction_counts) = unite_lists(&lists, union.covers_all);
        pairs[direction] = Some(united);
        counts[direction] = Some(direction_counts);
    }
    let files = match out {
        None => Vec::new(),
        Some(out) => {
            let named = NamedPairs { name: union.name.clone(), pairs: pairs.clone() };
            write_pairs(Some(&study.gallery), vec![named], out, inputs.force)?
        }
    };
    let mut truth = Truth::new(&union.name);
    for (direction, pairs) in Direction::BOTH.into_iter().zip([pairs.i2t, pairs.t2i]) {
        // An empty list covers no query, as in a file.
        if let Some(pairs) = pairs.filter(|pairs| !pairs.keys().is_empty()) {
            let listed = Listed::new(&union.name, direction, pairs, &union.name);
            truth.add_direction(&listed, &study.gallery)?;
        }
    }
    study.truths.push(truth.with_conventions(study.conventions));
    Ok(WrittenUnion { study, counts, files })
}
