//! `localize --chart` and `--figure`: recall over thresholds, and failures on their pictures.

use std::path::Path;

use super::super::drawn::write;
use super::{LocalizeArgs, Opened};
use crate::data::text::{grouped, shown};
use crate::error::Result;
use crate::figure::Options;
use crate::figure::boxes::{Boxed, boxes};
use crate::figure::chart::{Axis, Chart, Curve, chart};
use crate::phrase::localisation::{COLUMNS, Measured, Rect};
use crate::picture::{Folder, Source, Why};
use crate::report::localize::HEADS;
use crate::report::localize::failures::{Failure, Failures, parts};

/// Thresholds of a chart: the hundredths from 0 to 1.
const HUNDREDTHS: u32 = 100;
/// Failures that are drawn where no number is asked for.
const DRAWN: usize = 12;

/// Draws the recall of every model over the threshold, a line for each number of boxes.
pub(super) fn recall(opened: &Opened, models: &[Measured], file: &Path) -> Result<()> {
    let lines = models.iter().enumerate().flat_map(|(hue, model)| {
        (0..COLUMNS).map(move |depth| Curve {
            name: format!("{} {}", model.name, HEADS[depth]),
            hue,
            dashes: depth,
            points: points(model, depth),
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
    write(&chart(&of, &Options::default())?, file)
}

fn points(model: &Measured, depth: usize) -> Vec<[f64; 2]> {
    let each = (0..=HUNDREDTHS).map(|at| f64::from(at) / f64::from(HUNDREDTHS));
    let point = |threshold: f64| Some([threshold, model.at(threshold).share(depth)? * 100.0]);
    each.filter_map(point).collect()
}

/// Draws the first failures on their pictures.
pub(super) fn failures(
    args: &LocalizeArgs,
    opened: &Opened,
    told: &Failures<'_>,
    file: &Path,
) -> Result<()> {
    let folder = args.images.as_deref().map(Folder::open).transpose()?;
    let several = args.predictions.len() > 1;
    let drawn = &told.failures[..args.limit.unwrap_or(DRAWN).min(told.failures.len())];
    let each = drawn
        .iter()
        .map(|failure| boxed(opened, folder.as_ref(), failure, several));
    let all: Vec<Boxed> = each.collect();
    let [failed, predictions] = told.of.map(grouped);
    let title = format!(
        "Phrases whose first box is no hit: {} of {failed}",
        all.len()
    );
    let note = format!(
        "{failed} of {predictions} predictions fail under the protocol {}; sorted by {}.",
        opened.protocol.key,
        args.sort.words()
    );
    let lacking = all.iter().filter(|one| one.picture.is_err()).count();
    if folder.is_some() && lacking > 0 && !args.quiet {
        say!(
            "warning: --images: {} of {} pictures cannot be shown",
            lacking,
            all.len()
        );
    }
    write(&boxes(&title, &note, &all, &Options::default())?, file)
}

fn boxed(opened: &Opened, folder: Option<&Folder>, failure: &Failure<'_>, several: bool) -> Boxed {
    let image = &opened.targets.images[failure.target.image];
    let [before, words, after] = parts(&opened.entities, &opened.targets, failure.target);
    let (width, height) = image.size;
    let share = |rect: Rect| share(rect, [f64::from(width), f64::from(height)]);
    let truth = &opened.targets.chain(failure.target).boxes;
    let none = if failure.outcome.first.is_none() {
        ", no box"
    } else {
        ""
    };
    let model = if several {
        format!("{}: ", failure.model.name)
    } else {
        String::new()
    };
    let types = failure.target.types.names();
    Boxed {
        picture: picture(folder, &image.file_name),
        proportion: width.max(1) as f32 / height.max(1) as f32,
        words: [
            shown(&format!("{before}[{words}]{after}")),
            format!(
                "{model}{types}, IoU {:.2}{none}, image {}",
                failure.outcome.best[0], image.id
            ),
        ],
        truths: opened
            .protocol
            .truth(truth)
            .into_iter()
            .map(share)
            .collect(),
        predicted: failure.outcome.first.map(share),
    }
}

/// The edges of a box as shares of the picture: pixels are counted from 1, and the last is part of the box.
fn share(rect: Rect, [width, height]: [f64; 2]) -> [f32; 4] {
    let [x1, y1, x2, y2] = rect.0;
    let edges = [
        (x1 - 1.0) / width,
        (y1 - 1.0) / height,
        x2 / width,
        y2 / height,
    ];
    edges.map(|edge| edge as f32)
}

fn picture(folder: Option<&Folder>, file_name: &str) -> std::result::Result<Source, Why> {
    let found = folder.and_then(|folder| folder.find(file_name));
    found.map(Source::File).ok_or(Why::Missing)
}
