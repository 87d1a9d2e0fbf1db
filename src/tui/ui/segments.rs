//! A line of segments. If they do not fit, they are shortened or dropped, those of lowest priority first.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::hits::Target;
use super::text;
use crate::tui::action::Action;
use crate::tui::context::Ui;

/// A part of a line, in one or more forms of different length.
#[must_use]
#[derive(Debug, Clone)]
pub struct Segment {
    /// Forms with their priorities, the longest form first. While the line is too long, the form with the lowest
    /// priority is replaced by the next form of its segment; the last form is dropped. No form is ever cut.
    forms: Vec<(u8, Line<'static>)>,
    /// Click target, if any.
    target: Option<Target>,
    /// Whether it is at the right end of the line.
    is_right: bool,
}

/// Priority of a form, and the number of forms of its segment from it on. Forms that are equal in both are replaced at
/// the same time; smaller steps come first.
type ShrinkStep = (u8, Reverse<usize>);

impl Segment {
    /// A segment with its longest form, whose priority is `keep`.
    pub fn new(keep: u8, form: impl Into<Line<'static>>) -> Self {
        Segment { forms: vec![(keep, form.into())], target: None, is_right: false }
    }

    /// A segment with a form for each number of columns in a range, all of priority `keep`.
    pub fn with_widths<L: Into<Line<'static>>>(
        keep: u8,
        columns: RangeInclusive<usize>,
        form: impl Fn(usize) -> L,
    ) -> Self {
        let forms = columns.rev().map(|columns| (keep, form(columns).into())).collect();
        Segment { forms, target: None, is_right: false }
    }

    /// The key of an action with its description, for the footer; `None` if the action has no key.
    pub fn for_hint(keep: u8, (action, words): (Action, &'static str), ui: &Ui) -> Option<Self> {
        let key = ui.keymap.hint(action);
        let is_bound = !key.is_empty();
        let words = Span::styled(format!(" {words} "), ui.theme.dim);
        let line = Line::from(vec![Span::raw(" "), Span::styled(key, ui.theme.key), words]);
        is_bound.then(|| Segment::new(keep, line).target(Target::Do(action)))
    }

    /// Adds a shorter form of priority `keep`.
    pub fn or_form(mut self, keep: u8, form: impl Into<Line<'static>>) -> Self {
        self.forms.push((keep, form.into()));
        self
    }

    /// Puts the segment at the right end of the line.
    pub fn right(mut self) -> Self {
        self.is_right = true;
        self
    }

    /// Sets its click target.
    pub fn target(mut self, target: Target) -> Self {
        self.target = Some(target);
        self
    }

    /// For each form, the step that replaces it.
    fn steps(&self) -> impl Iterator<Item = ShrinkStep> {
        let left = (1..=self.forms.len()).rev();
        self.forms.iter().zip(left).map(|((keep, _), left)| (*keep, Reverse(left)))
    }

    /// The form that is shown after `step` and all smaller steps; `None` if they drop the segment.
    fn form_after(&self, step: ShrinkStep) -> Option<&Line<'static>> {
        let at = self.steps().position(|other| other > step)?;
        Some(&self.forms[at].1)
    }
}

/// A line of segments.
#[derive(Debug, Clone)]
pub struct Segments(pub Vec<Segment>);

impl Segments {
    /// The form of each segment in a line of `columns`; `None` if it is dropped. More columns never show a shorter form
    /// of any segment.
    pub fn visible_forms(&self, columns: u16) -> Vec<Option<&Line<'static>>> {
        let width = |shown: &[Option<&Line<'static>>]| {
            shown.iter().flatten().map(|line| line.width()).sum::<usize>()
        };
        let longest = self.0.iter().map(|segment| segment.forms.first());
        let mut shown: Vec<_> = longest.map(|form| form.map(|(_, line)| line)).collect();
        let steps: BTreeSet<ShrinkStep> = self.0.iter().flat_map(Segment::steps).collect();
        for step in steps {
            if width(&shown) <= usize::from(columns) {
                break;
            }
            shown = self.0.iter().map(|segment| segment.form_after(step)).collect();
        }
        shown
    }

    /// Draws the line in the first row of an area, and registers the click targets without surrounding blanks.
    pub fn draw(&self, area: Rect, ui: &Ui, buf: &mut Buffer) {
        for (area, line, target) in self.layout(area) {
            buf.set_line(area.x, area.y, line, area.width);
            let words = line.to_string();
            let before = words.len() - words.trim_start().len();
            let width = text::width(words.trim()) as u16;
            if let Some(target) = target.filter(|_| width > 0) {
                ui.add_target(Rect { x: area.x + before as u16, width, ..area }, target);
            }
        }
    }

    /// Area, form and click target of each visible segment.
    fn layout(&self, area: Rect) -> Vec<(Rect, &Line<'static>, Option<Target>)> {
        let shown = self.0.iter().zip(self.visible_forms(area.width));
        let shown = shown.filter_map(|(segment, line)| Some((segment, line?)));
        let (right, left): (Vec<_>, Vec<_>) = shown.partition(|(segment, _)| segment.is_right);
        let right_width: usize = right.iter().map(|(_, line)| line.width()).sum();
        let mut layout = Vec::new();
        for (mut x, segments) in [(area.x, left), (area.right() - right_width as u16, right)] {
            for (segment, line) in segments {
                let segment_area = Rect::new(x, area.y, line.width() as u16, 1);
                x = segment_area.right();
                if segment_area.width > 0 && area.height > 0 {
                    layout.push((segment_area, line, segment.target.clone()));
                }
            }
        }
        layout
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tui::keymap::Keymap;
    use crate::tui::theme::Theme;

    fn shown(segments: &Segments, room: u16) -> String {
        segments.visible_forms(room).into_iter().flatten().map(ToString::to_string).collect()
    }

    #[test]
    fn the_form_of_lowest_priority_is_dropped_first() {
        let bars = |columns| "#".repeat(columns);
        let segments = Segments(vec![
            Segment::new(9, "R@1 75.83"),
            Segment::with_widths(1, 3..=4, bars).or_form(3, "##"),
            Segment::new(2, " 120 of 300 queries").or_form(4, " 120/300"),
        ]);
        for (room, line) in [
            (32, "R@1 75.83#### 120 of 300 queries"),
            (31, "R@1 75.83### 120 of 300 queries"),
            (30, "R@1 75.83## 120 of 300 queries"),
            (29, "R@1 75.83## 120/300"),
            (18, "R@1 75.83 120/300"),
            (16, "R@1 75.83"),
            (8, ""),
        ] {
            assert_eq!(shown(&segments, room), line, "{room}");
        }
    }

    #[test]
    fn forms_of_equal_priority_are_dropped_together() {
        let both = || Segment::new(1, "long").or_form(2, "l");
        let segments = Segments(vec![both(), Segment::new(3, "-"), both()]);
        let lines = [9, 8, 3, 2].map(|room| shown(&segments, room));
        assert_eq!(lines, ["long-long", "l-l", "l-l", "-"]);
    }

    #[test]
    fn click_targets_exclude_surrounding_blanks() {
        let help = Target::Do(Action::Help);
        let left = Segment::new(1, "  ? help ").target(help.clone());
        let right = Segment::new(1, "right").right().target(Target::Popup);
        let (name, theme) = Theme::bundled(0);
        let ui = Ui::new(Keymap::load(None).unwrap(), (name.into(), theme), (30, 9));
        let mut buf = Buffer::empty(Rect::new(0, 0, 30, 9));
        Segments(vec![left, right]).draw(Rect::new(2, 3, 20, 1), &ui, &mut buf);
        let hits = ui.hits.borrow();
        assert_eq!(hits.area(&help), Some(Rect::new(4, 3, 6, 1)));
        assert_eq!(hits.area(&Target::Popup), Some(Rect::new(17, 3, 5, 1)));
    }

    proptest! {
        #[test]
        fn a_wider_line_never_shows_a_shorter_form(
            forms in prop::collection::vec(prop::collection::vec((0..9_u8, 0..12_usize), 1..5), 0..7),
        ) {
            let segment = |forms: &Vec<(u8, usize)>| {
                let line = |&(keep, width): &(u8, usize)| (keep, Line::from("x".repeat(width)));
                Segment { forms: forms.iter().map(line).collect(), target: None, is_right: false }
            };
            let segments = Segments(forms.iter().map(segment).collect());
            // Index of the shown form.
            let places = |room: u16| -> Vec<usize> {
                let shown = segments.visible_forms(room).into_iter().zip(&segments.0);
                let place = |(line, segment): (Option<&Line<'static>>, &Segment)| {
                    let forms = &segment.forms;
                    let found = forms.iter().position(|(_, form)| line.is_some_and(|of| std::ptr::eq(of, form)));
                    found.unwrap_or(forms.len())
                };
                shown.map(place).collect()
            };
            for room in 0..80 {
                let lines = segments.visible_forms(room).into_iter().flatten();
                prop_assert!(lines.map(Line::width).sum::<usize>() <= usize::from(room));
                let mut both = places(room + 1).into_iter().zip(places(room));
                prop_assert!(both.all(|(wide, narrow)| wide <= narrow));
            }
        }
    }
}
