//! The header's two numbers: each with half of its interval where intervals are shown, its change and its history, and
//! against what the changes are.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::judging_view;
use crate::metric::{Summary, Unit};
use crate::tui::model::history::StepChange;
use crate::tui::ui::Context;
use crate::tui::widgets::change::signed;
use crate::tui::widgets::{text, trend};

/// Columns that both numbers take with their changes, where intervals are not shown.
pub(super) const USUAL: usize = 48;
/// What stands for the numbers while they are hidden, where there is room for it and where there is little.
const BLIND: [&str; 2] = [" blind: scores, ranks, marks, badges are hidden ", " blind "];
/// A header with room for the numbers, their changes and what the judging mode counts.
const ROOMY: usize = 100;
/// Columns of a value, of a change and of half an interval, where none takes more.
const VALUE: usize = 6;
const CHANGE: usize = 10;
const HALF: usize = 7;
/// A history that is worth drawing, and one that is long enough, in columns.
const SHORTEST: usize = 4;
const LONGEST: usize = 20;

/// The two numbers in so many columns, always in the same place, and against what their changes are.
pub(super) fn line(cx: Context<'_>, width: usize) -> Line<'static> {
    if cx.model.is_blind() {
        let words = text::first_whole(BLIND.map(String::from), width);
        return Line::styled(words, cx.theme.dim);
    }
    let mut shown = Shown::of(cx);
    // Where there is no room for intervals they wait for a wider terminal.
    if shown.compact() + shown.against(StepChange::least) >= width {
        shown.halves = None;
    }
    let of = shown.change.as_ref();
    let against = of.map_or(0, |of| text::width(&format!(" vs {}  ", of.against)));
    let wide = shown.width(true) + 1;
    let room = width.saturating_sub(wide);
    // Where words or numbers would be cut, numbers take no more than they need.
    let is_wide = wide - shown.blanks() + against <= width;
    let columns = (room.saturating_sub(against) / 2).min(LONGEST);
    let columns = if columns < SHORTEST { 0 } else { columns };
    let past = cx.model.numbers_before();
    let styles = [cx.theme.line_r1, cx.theme.line_map];
    let mut spans = Vec::new();
    for at in [0, 1] {
        spans.extend(shown.number(cx, at, is_wide));
        // One bar alone compares nothing.
        let compared = if past[at].len() > 1 { &*past[at] } else { &[] };
        let drawn = text::pad(&trend::line(compared, columns), columns);
        spans.push(Span::styled(drawn, styles[at]));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let left = width.saturating_sub(used + 1);
    let words = shown.change.and_then(|of| of.words_in(left));
    spans.push(Span::styled(words.unwrap_or_default(), cx.theme.dim));
    Line::from(spans)
}

/// Columns that the numbers cannot do without where intervals are shown, with what their changes are against.
pub(super) fn needed(cx: Context<'_>) -> usize {
    let shown = Shown::of(cx);
    match shown.halves {
        Some(_) if !cx.model.is_blind() => shown.compact() + shown.against(StepChange::few) + 1,
        _ => USUAL,
    }
}

/// Columns that the numbers keep of so many beside what the judging mode counts: with intervals where the counts have
/// room beside them, with what the changes are against where the mode's name has; on a narrow terminal no more than
/// they need.
pub(super) fn before_counts(cx: Context<'_>, width: usize) -> usize {
    let usual = if width < ROOMY { 0 } else { USUAL };
    if cx.model.is_blind() {
        return text::width(BLIND[1]).max(usual) + 1;
    }
    let shown = Shown::of(cx);
    let bare = Shown { halves: None, ..shown.clone() };
    let ways = [(&shown, judging_view::COUNTED), (&bare, judging_view::LEAST)];
    let mut ways = ways.into_iter().flat_map(|(shown, beside)| {
        let numbers = shown.compact().max(usual);
        let words: [fn(&StepChange) -> String; 2] = [StepChange::few, StepChange::least];
        let needed = words.map(|words| numbers + shown.against(words));
        needed.into_iter().filter(move |of| of + beside < width)
    });
    ways.next().unwrap_or(bare.compact().max(usual)) + 1
}

/// What is shown of both numbers.
#[derive(Clone)]
struct Shown {
    titles: [String; 2],
    units: [Unit; 2],
    /// `None` while they are counted.
    values: Option<[Summary; 2]>,
    /// Half of each interval in words, where intervals are shown.
    halves: Option<[String; 2]>,
    change: Option<StepChange>,
}

impl Shown {
    fn of(cx: Context<'_>) -> Self {
        let (titles, units) = (cx.model.header.titles(), cx.model.header.units());
        let values = cx.model.numbers_now();
        let is_known = values.is_some();
        let half = |at: usize, half: Option<f64>| {
            let half = half.filter(|_| is_known);
            half.map_or("·".into(), |half| units[at].shown(Some(half)))
        };
        let halves = cx.model.half_widths();
        Shown {
            titles,
            units,
            values,
            halves: halves.map(|of| [half(0, of[0]), half(1, of[1])]),
            change: cx.model.shown_change().filter(|_| is_known),
        }
    }

    /// Columns of both numbers where nothing is left between what belongs to them.
    fn compact(&self) -> usize {
        self.width(false)
    }

    fn width(&self, is_wide: bool) -> usize {
        let of = |at: usize| {
            let pieces = self.pieces(at, is_wide);
            pieces.iter().map(|piece| text::width(piece)).sum::<usize>()
        };
        of(0) + of(1)
    }

    /// Blanks at the end of both numbers where these are wide.
    fn blanks(&self) -> usize {
        let [.., change] = self.pieces(1, true);
        text::width(&change) - text::width(change.trim_end())
    }

    /// Columns of what the changes are against in some of the ways to tell it.
    fn against(&self, words: fn(&StepChange) -> String) -> usize {
        self.change.as_ref().map_or(0, |of| text::width(&words(of)))
    }

    /// Label, value, half of the interval and change of a number; where it is wide, in columns that hold most of each.
    fn pieces(&self, at: usize, is_wide: bool) -> [String; 4] {
        let (unit, of) = (self.units[at], self.values.map(|of| of[at]));
        let label = format!("{} {} ", " ".repeat(at), self.titles[at]);
        let value = of.map_or("  ··· ".into(), |of| unit.shown(of.value));
        let half = self.halves.as_ref().map(|halves| format!(" ±{}", halves[at]));
        let half = half.unwrap_or_default();
        let change = self.change.as_ref().and_then(|of| of.values[at]);
        let change = change.map_or(String::new(), |change| match change {
            0.0 => " = 0.00".into(),
            0.0.. => format!(" ▲ {}", signed(unit, change)),
            _ => format!(" ▼ {}", signed(unit, change)),
        });
        if !is_wide {
            return [label, value, half, change];
        }
        let least =
            |text: String, columns: usize| text::pad(&text, columns.max(text::width(&text)));
        let columns = if half.is_empty() { 0 } else { HALF };
        [
            label,
            text::pad_left(&value, VALUE.max(text::width(&value))),
            least(half, columns),
            // A blank before what follows, however long the change is.
            least(format!("{change} "), CHANGE),
        ]
    }

    fn number(&self, cx: Context<'_>, at: usize, is_wide: bool) -> [Span<'static>; 4] {
        let [label, value, half, change] = self.pieces(at, is_wide);
        let of = self.change.as_ref().and_then(|of| of.values[at]);
        // The colour says what is better, the arrow which way it went.
        let style: Style = match of.map(|change| self.units[at].better(change)) {
            Some(0.0) | None => cx.theme.dim.into(),
            Some(better) if better > 0.0 => cx.theme.up.into(),
            Some(_) => cx.theme.down.into(),
        };
        [
            Span::styled(label, cx.theme.dim),
            Span::styled(value, cx.theme.number),
            Span::styled(half, cx.theme.dim),
            Span::styled(change, style),
        ]
    }
}
