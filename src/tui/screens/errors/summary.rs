//! The sentence and the bar above the tabs: every covered query in one part.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, PARTS, TABS, Tab};
use crate::analysis::breakdown::{Breakdown, Part};
use crate::data::text::grouped;
use crate::truth::Kind;
use crate::tui::ui::hits::Target;
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::text;

impl<'a> Cx<'a> {
    fn breakdown(self) -> Option<&'a Breakdown> {
        Some(&self.model.detail_of(self.model.view)?.breakdown)
    }

    /// How many queries the bar is of.
    pub(super) fn covered(self) -> usize {
        self.breakdown().map_or(0, |of| of.covered)
    }

    /// The parts that have queries.
    pub fn parts(self) -> impl Iterator<Item = &'a Part> {
        let parts = self.breakdown().map_or(&[][..], |of| &of.parts);
        parts.iter().filter(|part| !part.queries.is_empty())
    }

    /// What share is correct, and what share of the failures are missing labels, in `room` columns.
    fn sentence(self, room: usize) -> String {
        let (study, view) = (&self.model.study, self.model.view);
        let name = self.model.name_in_force(view.truth);
        let of = format!("{}, {}, {name}: ", study.models[view.model].name, view.direction);
        let Some(breakdown) = self.breakdown() else {
            return of + self.model.files.waiting();
        };
        let Breakdown { covered, failures, original_failures, .. } = *breakdown;
        let correct = percent(covered - failures, covered);
        let whole = format!("{of}{correct} % correct at top-1");
        let missing = breakdown.parts[1].queries.len();
        let original = view.truth_of(study, Kind::Original).map(|at| &study.truths[at].name);
        let Some(original) = original.filter(|_| original_failures > 0) else {
            return whole;
        };
        let share = percent(missing, original_failures);
        let all = grouped(original_failures);
        let ways: Vec<String> = if *original == study.truths[view.truth].name {
            let judged = if original_failures < failures { "judged elsewhere too " } else { "" };
            vec![
                format!("{whole}; of {all} failures {judged}{share} % are missing labels"),
                format!("{whole}; of the failures {share} % are missing labels"),
            ]
        } else {
            let correct = percent(breakdown.parts[0].queries.len(), covered);
            let missing = percent(missing, covered);
            let sum = format!("{whole}: {correct} under {original} too, {missing} missing labels");
            let few = format!("{whole}, {missing} % missing labels");
            vec![format!("{sum} ({share} % of {all} failures there)"), sum, few]
        };
        text::first_fitting(ways, room)
    }

    /// The glyph and the colour of a part, which neighbours do not share.
    fn look(self, part: &Part) -> (&'static str, Style) {
        let theme = self.theme;
        match part.name {
            "correct" => ("█", theme.original.into()),
            "missing label" => ("▓", theme.extra.into()),
            "near miss" => ("█", theme.warning.into()),
            "far miss" => ("▓", theme.error.into()),
            _ => ("▒", theme.dim.into()),
        }
    }
}

/// A share in percent with one digit.
fn percent(count: usize, of: usize) -> String {
    format!("{:.1}", 100.0 * count as f64 / of.max(1) as f64)
}

/// Draws sentence, bar, legend and tabs; the tabs alone where there is one row.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let row = |at: u16| Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        y: area.y + at,
        height: 1,
    };
    if area.height > 1 {
        let sentence = row(0);
        let words = cx.sentence(sentence.width.into());
        buf.set_stringn(sentence.x, sentence.y, words, sentence.width.into(), cx.theme.title);
        draw_parts(cx, [row(1), row(2)], buf);
    }
    if area.height > 0 {
        let tabs = Tab::all(&cx.model.study).iter().enumerate().map(|(at, tab)| {
            let is_here = *tab == cx.state.tab;
            let (words, look) = if is_here {
                (format!("[{}]", tab.title()), cx.theme.focus)
            } else {
                (format!(" {} ", tab.title()), cx.theme.dim)
            };
            Segment::new(9, Line::styled(words + " ", look)).on(Target::Row(TABS, at))
        });
        Segments(tabs.collect()).draw(row(area.height - 1), cx.ui, buf);
    }
}

/// Draws each part as a piece of the bar, and its name and share in the legend.
fn draw_parts(cx: Cx<'_>, [bar, legend]: [Rect; 2], buf: &mut Buffer) {
    let (covered, selected) = (cx.covered(), cx.part().map(|part| part.name));
    let (mut x, mut sum, mut entries) = (bar.x, 0, Vec::new());
    for (at, part) in cx.parts().enumerate() {
        let (target, (glyph, look)) = (Target::Row(PARTS, at), cx.look(part));
        sum += part.queries.len();
        // Pieces end at rounded sums, so that together they are as wide as the bar.
        let end = bar.x + ((sum * usize::from(bar.width) + covered / 2) / covered) as u16;
        let piece = Rect { x, width: end - x, ..bar };
        buf.set_string(x, bar.y, glyph.repeat(piece.width.into()), look);
        cx.ui.hit(piece, target.clone());
        x = end;
        let is_selected = selected == Some(part.name);
        let words = if is_selected { cx.theme.selected } else { cx.theme.base };
        let entry = |text: String| {
            Line::from_iter([Span::styled(glyph, look), Span::styled(text, words), "  ".into()])
        };
        let share = percent(part.queries.len(), covered);
        let named = |name| entry(format!(" {name} {share}"));
        let word = part.name.split(' ').next().unwrap_or_default();
        entries.push(Segment::new(5, named(part.name)).or(6, named(word)).on(target));
    }
    Segments(entries).draw(legend, cx.ui, buf);
}
