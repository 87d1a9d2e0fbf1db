//! The sentence and the bar above the tabs: every covered query in one part.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, PARTS, TABS, Tab};
use crate::analysis::breakdown::{self, Breakdown, Part};
use crate::tui::ui::hits::Target;
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::text;

impl<'a> Cx<'a> {
    fn breakdown(self) -> Option<&'a Breakdown> {
        Some(&self.model.error_details(self.model.view)?.breakdown)
    }

    /// Number of queries in the bar.
    pub(super) fn covered(self) -> usize {
        self.breakdown().map_or(0, |of| of.covered)
    }

    /// Parts with queries.
    pub fn parts(self) -> impl Iterator<Item = &'a Part> {
        let parts = self.breakdown().map_or(&[][..], |of| &of.parts);
        parts.iter().filter(|part| !part.queries.is_empty())
    }

    fn sentence(self, room: usize) -> String {
        let (study, view) = (&self.model.study, self.model.view);
        let name = self.model.name_in_force(view.truth);
        let Some(breakdown) = self.breakdown() else {
            let (model, waiting) = (&study.models[view.model].name, self.model.files.waiting());
            return format!("{model}, {}, {name}: {waiting}", view.direction);
        };
        text::first_fitting(breakdown.sentences(study, view, &name), room)
    }

    /// Glyph and colour of a part, distinct from its neighbours'.
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

/// Draws sentence, bar, legend and tabs; only the tabs if there is one row.
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
        let tabs = Tab::ALL.iter().enumerate().map(|(at, tab)| {
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

/// Draws each part as a segment of the bar, with name and share in the legend.
fn draw_parts(cx: Cx<'_>, [bar, legend]: [Rect; 2], buf: &mut Buffer) {
    let (covered, selected) = (cx.covered(), cx.part().map(|part| part.name));
    let (mut x, mut sum, mut entries) = (bar.x, 0, Vec::new());
    for (at, part) in cx.parts().enumerate() {
        let (target, (glyph, look)) = (Target::Row(PARTS, at), cx.look(part));
        sum += part.queries.len();
        // Segments end at rounded sums, so that together they fill the bar.
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
        let share = format!("{:.1}", breakdown::share(part.queries.len(), covered));
        let named = |name| entry(format!(" {name} {share}"));
        let word = part.name.split(' ').next().unwrap_or_default();
        entries.push(Segment::new(5, named(part.name)).or(6, named(word)).on(target));
    }
    Segments(entries).draw(legend, cx.ui, buf);
}
