//! A figure of many queries as several, each no higher than a page.

use super::{Figure, Wanted};
use crate::error::Result;

/// Queries that are laid out to see how many fit the first page; twice as many where all do. Each of the others begins
/// with one more than the page before it has.
const TRIED: usize = 8;

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
    let (mut rest, mut tried) = (wanted, TRIED);
    loop {
        tried = tried.min(rest.len());
        let some = figure(&rest[..tried])?;
        let fits = fitting(&rest[..tried], some.height(), most, &figure)?;
        if fits < tried {
            figures.push(figure(&rest[..fits])?);
            rest = &rest[fits..];
            tried = fits + 1;
        } else if tried < rest.len() {
            tried *= 2;
        } else {
            figures.push(some);
            return Ok(figures);
        }
    }
}

/// How many queries, from the first on, fit a page, where a figure of all has this height; at least one.
fn fitting(
    wanted: &[Wanted],
    height: f32,
    most: f32,
    figure: impl Fn(&[Wanted]) -> Result<Figure>,
) -> Result<usize> {
    if height <= most {
        return Ok(wanted.len());
    }
    // One query more makes no figure lower.
    let (mut fits, mut beyond) = (1, wanted.len());
    while beyond - fits > 1 {
        let first = usize::midpoint(fits, beyond);
        if figure(&wanted[..first])?.height() <= most {
            fits = first;
        } else {
            beyond = first;
        }
    }
    Ok(fits)
}
