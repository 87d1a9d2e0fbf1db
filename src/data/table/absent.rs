//! Stands in for Parquet tables in a build without the feature `parquet`: they are told, not read.

use std::sync::Arc;

use super::Direction;
use super::id::{Id, IdList};
use super::npy::Npy;
use super::scores::Resolved;
use super::source::Source;
use crate::error::{Error, Result};

/// A table that this build cannot open.
#[derive(Debug)]
pub enum Table {}

/// A table of embeddings, which this build cannot read.
#[derive(Debug)]
pub struct EmbeddingTable {
    /// A row for each image or caption.
    pub embeddings: Npy,
    /// The id of each row.
    pub ids: Option<Vec<Id>>,
    /// Of captions, the image that each was written for.
    pub images: Option<Vec<Id>>,
    /// The text of each caption.
    pub texts: Option<Vec<String>>,
}

impl EmbeddingTable {
    /// Refuses the file: how to build with the feature.
    ///
    /// # Errors
    /// Always.
    pub fn read(source: &Arc<Source>, _: Direction) -> Result<Self> {
        Err(absent(&source.display()))
    }
}

/// Refuses to write one: how to build with the feature.
///
/// # Errors
/// Always.
pub fn written(_: &[String], _: &[Vec<String>], _: &[Vec<Option<f64>>]) -> Result<Vec<u8>> {
    Err(absent("OUT.parquet"))
}

fn absent(name: &str) -> Error {
    Error::new(name, "a Parquet table, which this program was built without").mend(
        "build it with its default features, or with `cargo build --release --features parquet`",
    )
}

#[allow(clippy::missing_errors_doc, reason = "no table is ever opened")]
impl Table {
    /// Refuses the file: how to build with the feature.
    pub fn open(name: &str, _: &[Arc<Source>], _: Option<Direction>) -> Result<Self> {
        Err(absent(name))
    }

    /// Never called: without the feature `parquet` no table opens.
    pub fn direction(&self) -> Option<Direction> {
        match *self {}
    }

    /// Never called: without the feature `parquet` no table opens.
    pub fn ordered_by(&self) -> String {
        match *self {}
    }

    /// Never called: without the feature `parquet` no table opens.
    pub fn first_queries(&self) -> Result<Vec<Id>> {
        match *self {}
    }

    /// Never called: without the feature `parquet` no table opens.
    pub fn queries(&self) -> Result<Vec<Id>> {
        match *self {}
    }

    /// Never called: without the feature `parquet` no table opens.
    pub fn items(&self) -> Result<Vec<Id>> {
        match *self {}
    }

    /// Never called: without the feature `parquet` no table opens.
    pub fn lists(self: &Arc<Self>, _: &IdList, _: &IdList) -> Result<Resolved> {
        match **self {}
    }
}
