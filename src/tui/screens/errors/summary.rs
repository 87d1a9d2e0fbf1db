//! The sentence above the tabs, and the bar, in which each covered query is in one part.

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
    /// The parts of the bar; `None` until they are computed.
    fn breakdown(self) -> Option<&'a Breakdown> {
        Some(&self.model.error_details(self.model.view)?.breakdown)
    }

    /// Number of covered queries, all of which are in the bar; 0 until it is computed.
    pub(super) fn covered_count(self) -> usize {
        self.breakdown().map_or(0, |breakdown| breakdown.covered)
    }

    /// Parts of the bar that are not empty.
    pub fn parts(self) -> impl Iterator<Item = &'a Part> {
        let parts = self.breakdown().map_or(&[][..], |breakdown| &breakdown.parts);
        parts.iter().filter(|part| !part.queries.is_empty())
    }

    /// The shares of the parts in a sentence of at most `columns`.
    fn sentence(self, columns: usize) -> String {
        let (study, view) = (&self.model.study, self.model.view);
        let name = self.model.truth_label(view.truth);
        let Some(breakdown) = self.breakdown() else {
            let (model, waiting) = (&study.models[view.model].name, self.model.files.placeholder());
            return format!("{model}, {}, {name}: {waiting}", view.direction);
        };
        let all = self.model.all_queries_prefix();
        let sentences = breakdown.sentences(study, view, &name).into_iter();
        text::first_fit(sentences.map(|sentence| all.to_owned() + &sentence), columns)
    }

    /// Glyph and colour of a part, which distinguish it from its neighbours.
    fn look(self, part: &Part) -> (&'static str, Style) {
        let theme = self.theme;
        match part.name {
            "correct" => ("█", theme.original.into()),
            "missing label" => ("▓", theme.non_gt.into()),
            "near miss" => ("▒", theme.warning.into()),
            "far miss" => ("░", theme.error.into()),
            "uncovered" => ("·", theme.dim.into()),
            _ => ("─", theme.dim.into()),
        }
    }
}

/// Draws sentence, bar, legend and tabs; if there is only one row, the tabs.
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
            let is_current = *tab == cx.state.tab;
            let (title, look) = if is_current {
                (format!("[{}]", tab.title()), cx.theme.focus)
            } else {
                (format!(" {} ", tab.title()), cx.theme.dim)
            };
            Segment::new(9, Line::styled(title + " ", look)).target(Target::Row(TABS, at))
        });
        Segments(tabs.collect()).draw(row(area.height - 1), cx.ui, buf);
    }
}

/// Draws the bar with all parts, and the legend with their names and shares in percent.
fn draw_parts(cx: Cx<'_>, [bar, legend]: [Rect; 2], buf: &mut Buffer) {
    let (covered, selected) = (cx.covered_count(), cx.part().map(|part| part.name));
    let (mut x, mut total, mut entries) = (bar.x, 0, Vec::new());
    for (at, part) in cx.parts().enumerate() {
        let (target, (glyph, look)) = (Target::Row(PARTS, at), cx.look(part));
        total += part.queries.len();
        // Parts end at rounded sums, so that together they fill the bar.
        let end = bar.x + ((total * usize::from(bar.width) + covered / 2) / covered) as u16;
        let area = Rect { x, width: end - x, ..bar };
        buf.set_string(x, bar.y, glyph.repeat(area.width.into()), look);
        cx.ui.add_target(area, target.clone());
        x = end;
        let is_selected = selected == Some(part.name);
        let style = if is_selected { cx.theme.selected } else { cx.theme.base };
        let entry = |text: String| {
            Line::from_iter([Span::styled(glyph, look), Span::styled(text, style), "  ".into()])
        };
        let share = breakdown::percent(part.queries.len(), covered);
        let form = |name, digits| entry(format!(" {name} {share:.digits$}"));
        let first_word = part.name.split(' ').next().unwrap_or_default();
        let segment = Segment::new(5, form(part.name, 1)).or_form(6, form(first_word, 1));
        entries.push(segment.or_form(7, form(first_word, 0)).target(target));
    }
    Segments(entries).draw(legend, cx.ui, buf);
}
