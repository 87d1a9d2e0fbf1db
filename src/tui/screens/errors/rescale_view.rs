//! Draws what rescaled scores would give: R@1 and mAP@R now and then.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line as Drawn, Span};

use super::{Cx, Pane};
use crate::analysis::rescale::{Quality, Rescaling, WhatIf};
use crate::data::Direction;
use crate::metric::{Summary, Unit};
use crate::tui::action::Action;
use crate::tui::screens::filtered_view;
use crate::tui::widgets::change::delta;
use crate::tui::widgets::{pane, text};

/// Columns of a way's name, a value and its change.
const NAME: usize = 18;
const VALUE: usize = 6;
const DELTA: usize = 7;

/// One line: a direction as it is, or rescaled in a way.
pub(super) struct Line {
    pub direction: Direction,
    pub name: String,
    pub quality: Quality,
    /// As it is, where this is rescaled.
    before: Option<Quality>,
}

/// The lines of a direction.
pub(super) fn lines(of: &WhatIf) -> Vec<Line> {
    let line = |name: &str, quality, before| Line {
        direction: of.direction,
        name: name.to_owned(),
        quality,
        before,
    };
    let mut lines = vec![line("now", of.before, None)];
    for (way, quality) in &of.after {
        let name = match way {
            Rescaling::Csls(_) => "CSLS",
            Rescaling::InvertedSoftmax(_) => "inv. softmax",
        };
        lines.push(line(name, *quality, Some(of.before)));
    }
    lines
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::WhatIf;
    let truth = cx.model.name_in_force(cx.model.view.truth);
    let dial = cx.model.dial_words(cx.model.truth());
    let title = format!("what if, {truth}{dial}");
    let note = "hubs scaled down";
    let inner = pane::frame(&title, note, focus, cx.theme, area, buf);
    filtered_view::draw(cx, filtered_view::Of::All, area, buf);
    let drawn = match cx.model.what_if() {
        Some(Ok(found)) => table(cx, found),
        Some(Err(error)) => words(cx, &error.to_string().replace("\n ", ";"), inner.width),
        None => words(cx, &awaited(cx), inner.width),
    };
    pane::lines(&drawn, 0, inner, buf);
}

fn table(cx: Cx<'_>, found: &[WhatIf]) -> Vec<Drawn<'static>> {
    let top_k = format!(
        "{}{}{}{}",
        " ".repeat(NAME),
        text::pad_left("R@1", VALUE),
        " ".repeat(DELTA),
        text::pad_left("mAP@R", VALUE),
    );
    let top_k = Drawn::styled(top_k, cx.theme.dim);
    let lines = found.iter().flat_map(lines).map(|line| drawn(cx, &line));
    std::iter::once(top_k).chain(lines).collect()
}

fn words(cx: Cx<'_>, words: &str, width: u16) -> Vec<Drawn<'static>> {
    let wrapped = text::wrap(words, usize::from(width.saturating_sub(2)));
    let line = |line| Drawn::styled(format!(" {line}"), cx.theme.dim);
    wrapped.into_iter().map(line).collect()
}

/// What stands where the numbers are not there yet.
fn awaited(cx: Cx<'_>) -> String {
    if cx.model.wanted_rescaling().is_some() {
        let percent = 100.0 * cx.model.known.error_analysis.progress;
        return format!("rescaling … {percent:.0}% of this pass");
    }
    let key = cx.ui.keymap.hint(Action::WhatIf);
    format!(
        "{key} computes R@1 and mAP@R with scores rescaled by CSLS and by an inverted softmax, in both \
         directions."
    )
}

fn drawn(cx: Cx<'_>, line: &Line) -> Drawn<'static> {
    let is_first = line.before.is_none();
    let direction = if is_first { line.direction.key() } else { "" };
    let name = format!(" {}{}", text::pad(direction, 4), line.name);
    let style: Style = if is_first { cx.theme.title.into() } else { Style::default() };
    let mut spans = vec![Span::styled(text::pad(&name, NAME), style)];
    let numbers: [fn(&Quality) -> Summary; 2] = [|of| of.r1, |of| of.map_at_r];
    for of in numbers {
        let value = of(&line.quality).value;
        let before = line.before.as_ref().and_then(|before| of(before).value);
        spans.push(Span::raw(text::pad_left(&Unit::Share.shown(value), VALUE)));
        let change = value.zip(before).map(|(now, before)| now - before);
        let (words, style) = match change {
            Some(_) => delta(change, 2, cx.theme),
            None => (String::new(), Style::default()),
        };
        spans.push(Span::styled(format!(" {}", text::pad(&words, DELTA - 1)), style));
    }
    Drawn::from(spans)
}
