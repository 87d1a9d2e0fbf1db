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
        let ways = if *original == study.truths[view.truth].name {
            let judged = if original_failures < failures { "judged elsewhere too " } else { "" };
            [
                format!("{whole}; of {all} failures {judged}{share} % are missing labels"),
                format!("{whole}; of the failures {share} % are missing labels"),
            ]
        } else {
            let by_label = percent(missing, covered);
            let missing = format!("{whole}, {by_label} % by labels missing in {original}");
            [format!("{missing}: {share} % of its {all} failures"), missing]
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
            _ => ("░", theme.dim.into()),
        }
    }
}

/// A share in percent with one digit.
fn percent(count: usize, of: usize) -> String {
    format!("{:.1}", 100.0 * count as f64 / of.max(1) as f64)
}

/// The columns of each part in a bar of so many: they add up to it, and are as near the shares as whole columns can be.
fn widths(counts: &[usize], columns: usize) -> Vec<usize> {
    let all = counts.iter().sum::<usize>().max(1);
    let mut sum = 0;
    let ends = counts.iter().map(|count| {
        sum += count;
        (sum * columns + all / 2) / all
    });
    let ends: Vec<usize> = ends.collect();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    ends.iter().zip(starts).map(|(end, start)| end - start).collect()
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
        draw_bar(cx, row(1), buf);
        draw_legend(cx, row(2), buf);
    }
    if area.height > 0 {
        let tabs = Tab::all(&cx.model.study).iter().enumerate().map(|(at, tab)| {
            let is_here = *tab == cx.state.tab;
            let (words, look) = match is_here {
                true => (format!("[{}]", tab.title()), cx.theme.focus),
                false => (format!(" {} ", tab.title()), cx.theme.dim),
            };
            Segment::new(9, Line::styled(words + " ", look)).on(Target::Row(TABS, at))
        });
        Segments(tabs.collect()).draw(row(area.height - 1), cx.ui, buf);
    }
}

fn draw_bar(cx: Cx<'_>, bar: Rect, buf: &mut Buffer) {
    let counts: Vec<usize> = cx.parts().map(|part| part.queries.len()).collect();
    let mut x = bar.x;
    for ((at, part), width) in cx.parts().enumerate().zip(widths(&counts, bar.width.into())) {
        let (glyph, look) = cx.look(part);
        buf.set_string(x, bar.y, glyph.repeat(width), look);
        let width = width as u16;
        cx.ui.hit(Rect { x, width, ..bar }, Target::Row(PARTS, at));
        x += width;
    }
}

fn draw_legend(cx: Cx<'_>, row: Rect, buf: &mut Buffer) {
    let covered = cx.covered();
    let selected = cx.part().map(|part| part.name);
    let entry = |(at, part): (usize, &Part)| {
        let (glyph, look) = cx.look(part);
        let share = percent(part.queries.len(), covered);
        let base: Style = match selected == Some(part.name) {
            true => cx.theme.selected.into(),
            false => cx.theme.base.into(),
        };
        let form = |words: String| {
            Line::from(vec![Span::styled(glyph, look), Span::styled(words, base), "  ".into()])
        };
        Segment::new(5, form(format!(" {} {share}", part.name)))
            .or(6, form(format!(" {share}")))
            .on(Target::Row(PARTS, at))
    };
    Segments(cx.parts().enumerate().map(entry).collect()).draw(row, cx.ui, buf);
}

#[cfg(test)]
mod tests {
    use super::widths;

    #[test]
    fn a_bar_is_as_wide_as_its_row() {
        assert_eq!(widths(&[1, 1, 1], 10), [3, 4, 3]);
        assert_eq!(widths(&[303, 179, 297, 47, 174], 78).iter().sum::<usize>(), 78);
        assert_eq!(widths(&[0, 5], 7), [0, 7]);
        assert_eq!(widths(&[], 7), []);
    }
}
