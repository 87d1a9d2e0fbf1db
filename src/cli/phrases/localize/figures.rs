//! `phrases localize --chart` and `--figure`: recall over thresholds, and failures on their pictures.

use std::path::Path;

use super::{LocalizeArgs, Opened};
use crate::cli::drawn::{write, wrote};
use crate::data::text::grouped;
use crate::error::Result;
use crate::figure::Options;
use crate::figure::chart::{Axis, Chart, Curve, chart};
use crate::figure::localisation::Localisation;
use crate::phrase::localisation::{COLUMNS, Failure, Measured};
use crate::report::localize::HEADS;

/// Thresholds of a chart: the hundredths from 0 to 1.
const HUNDREDTHS: u32 = 100;
/// Failures that are drawn where no number is asked for.
const DRAWN: usize = 12;

/// Draws the recall of every model over the threshold, a line for each number of boxes.
pub(super) fn recall(opened: &Opened, models: &[Measured], file: &Path) -> Result<()> {
    let lines = models.iter().enumerate().flat_map(|(hue, model)| {
        (0..COLUMNS).map(move |depth| {
            let name = format!("{} {}", model.name, HEADS[depth]);
            Curve::line(name, [hue, depth], points(model, depth))
        })
    });
    let phrases = grouped(opened.targets.phrases.len());
    let of = Chart {
        title: format!("Recall of {phrases} phrases by the least IoU of a hit"),
        across: Axis::new("least IoU of a hit", [0.0, 1.0], 0.1),
        up: Axis::new("phrases with a hit, in percent", [0.0, 100.0], 20.0),
        lines: lines.collect(),
        note: format!("Protocol {}.", opened.protocol.key),
    };
    write(&chart(&of, &Options::default())?, file)?;
    Ok(())
}

fn points(model: &Measured, depth: usize) -> Vec<[f64; 2]> {
    let each = (0..=HUNDREDTHS).map(|at| f64::from(at) / f64::from(HUNDREDTHS));
    let point = |threshold: f64| Some([threshold, model.at(threshold).share(depth)? * 100.0]);
    each.filter_map(point).collect()
}

/// Draws the first of some failures on their pictures.
pub(super) fn failures(
    args: &LocalizeArgs,
    of: Localisation<'_>,
    all: &[Failure<'_>],
    file: &Path,
) -> Result<()> {
    let some = &all[..args.limit.unwrap_or(DRAWN).min(all.len())];
    let figure = of.figure(some, all.len(), args.sort.into());
    let count = figure.count();
    let (missing, warnings) = figure.write(file)?;
    if of.pictures.is_some() && missing > 0 {
        say!("warning: --images: {missing} of {count} pictures cannot be shown");
    }
    wrote(warnings, file);
    Ok(())
}
