//! The charts of a report: the first of the registry that its study can have, and the ranks of many models.

use crate::data::Direction;
use crate::data::html_text::escaped;
use crate::error::Result;
use crate::figure::chart::chart;
use crate::figure::charts::{CHARTS, ChartRequest, Counts, StudyChart, bump};
use crate::figure::{Options, inline};
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};

use super::super::as_typed::AsTyped;

/// Charts from the head of the registry; `plot` draws the others.
const MOST: usize = 3;
/// The width of a chart in millimetres: its text can be read on a phone.
const WIDTH: f32 = 100.0;

/// The charts side by side, each with the command that writes it alone.
pub(super) fn charts(study: &Study, typed: &AsTyped) -> String {
    let counts = Counts::new(study);
    let mut html = String::new();
    let main = View::choose(study, None, None, None).ok().map(|view| view.direction);
    let possible = CHARTS.iter().filter(|kind| (kind.check)(study).is_ok()).enumerate();
    let is_shown = |(at, kind): &(usize, &StudyChart)| *at < MOST || kind.key == bump::CHART.key;
    for (_, kind) in possible.filter(is_shown) {
        let direction = main.filter(|_| kind.takes.directions == 1);
        match figure(kind, direction, &counts, typed) {
            Ok(Some(figure)) => html += &figure,
            Ok(None) => {}
            Err(error) => say!("no chart {}: {error}", kind.key),
        }
    }
    format!("<div class=\"charts\">\n{html}</div>\n")
}

/// A chart as a figure of the page; `None` where its ground truth lacks the direction.
fn figure(
    kind: &StudyChart,
    direction: Option<Direction>,
    counts: &Counts<'_>,
    typed: &AsTyped,
) -> Result<Option<String>> {
    let mut request = ChartRequest::all(counts);
    request.directions = direction.map_or(request.directions, |one| vec![one]);
    if direction.is_some() && kind.takes.truths > 0 && request.truth().is_err() {
        return Ok(None);
    }
    let token = CancelToken::default();
    let make = || (kind.make)(&request, &token);
    let of = super::super::progress::named(kind.key, || token.progress(), make)?;
    let Some(of) = of else {
        return Ok(None);
    };
    let options = Options { width: WIDTH, ..Options::default() };
    let svg = inline(&chart(&of, &options)?);
    let command = match direction.map(Direction::key) {
        None => typed.command(&format!("plot {}", kind.key), &["-o", &format!("{}.svg", kind.key)]),
        Some(key) => typed.command(
            &format!("plot {}", kind.key),
            &["--direction", key, "-o", &format!("{}-{key}.svg", kind.key)],
        ),
    };
    Ok(Some(format!(
        "<figure class=\"chart\">\n{svg}<figcaption class=\"made\"><code>{}</code></figcaption>\n</figure>\n",
        escaped(&command)
    )))
}
