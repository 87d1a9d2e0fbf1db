//! A figure of many queries as several, each no higher than a page.

use super::{Figure, Wanted};
use crate::error::Result;

/// A figure of as many queries as fit so many millimetres, one of as many of the rest, and so on; `figure` makes
/// each. A query that alone is higher has a figure of its own.
///
/// # Errors
/// Those of `figure`.
pub fn in_pages(
    wanted: &[Wanted],
    most: f32,
    figure: impl Fn(&[Wanted]) -> Result<Figure>,
) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    let mut rest = wanted;
    loop {
        let mut whole = figure(rest)?;
        let first = whole.fitting(most).unwrap_or(1);
        if first >= rest.len() {
            figures.push(whole);
            return Ok(figures);
        }
        figures.push(figure(&rest[..first])?);
        rest = &rest[first..];
    }
}
