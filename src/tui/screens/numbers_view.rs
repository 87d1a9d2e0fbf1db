//! The second line of the header: the two numbers, and at the right what is left to judge or the screens.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::data::text::{grouped, shown};
use crate::tui::action::Action;
use crate::tui::ui::Context;
use crate::tui::widgets::hits::Target;
use crate::tui::widgets::segments::Segment;
use crate::tui::widgets::{text, trend};

/// Columns of a change with the blank before the history: the second number stays where it is when one comes.
const CHANGE: usize = 10;

/// The segments of the line; their priorities are on the scale of the [`header`](super::header).
pub(super) fn segments(
    cx: Context<'_>,
    screens: &[(Action, &'static str)],
    present: Action,
) -> Vec<Segment> {
    let mut segments = if cx.model.is_blind() {
        let line = |words: &'static str| Line::styled(words, cx.theme.dim);
        let long = line(" blind: scores, ranks, marks, badges are hidden ");
        vec![Segment::new(5, long).or(30, line(" blind "))]
    } else {
        numbers(cx)
    };
    if cx.model.judging.is_on {
        segments.push(judging(cx));
    } else {
        segments
            .extend(screens.iter().map(|&(action, name)| tab(cx, action, name, action == present)));
    }
    segments
}

/// Each number with half of its interval where intervals are shown, its change and its history; then against what the
/// changes are.
fn numbers(cx: Context<'_>) -> Vec<Segment> {
    let (titles, units) = (cx.model.header.titles(), cx.model.header.units());
    let values = cx.model.numbers_now();
    let change = cx.model.shown_change().filter(|_| values.is_some());
    let halves = cx.model.half_widths();
    let past = cx.model.numbers_before();
    let mut segments = Vec::new();
    for at in [0, 1] {
        let unit = units[at];
        let label = format!("{} {} ", " ".repeat(at), titles[at]);
        let value = values.map_or("··· ".into(), |of| unit.shown(of[at].value));
        let number = Line::from(vec![
            Span::styled(label, cx.theme.dim),
            Span::styled(text::pad_left(&value, text::width(&value).max(6)), cx.theme.number),
        ]);
        segments.push(Segment::new(30, number));
        if let Some(halves) = halves {
            let half = halves[at].filter(|_| values.is_some());
            let words = half.map_or(" ±·".into(), |half| format!(" ±{}", unit.shown(Some(half))));
            segments.push(Segment::new(10, Line::styled(words, cx.theme.dim)));
        }
        // The colour says what is better, the arrow which way it went.
        let (words, style): (String, Style) = match change.as_ref().and_then(|of| of.values[at]) {
            None => (String::new(), cx.theme.dim.into()),
            Some(0.0) => (" = 0.00".into(), cx.theme.dim.into()),
            Some(by) => {
                let arrow = if by > 0.0 { "▲" } else { "▼" };
                let style = if unit.better(by) > 0.0 { cx.theme.up } else { cx.theme.down };
                (format!(" {arrow} {}", trend::signed(unit, by)), style.into())
            }
        };
        let blanks = " ".repeat(CHANGE.saturating_sub(text::width(&words)).max(1));
        segments.push(Segment::new(18, Line::styled(words, style)));
        // One bar alone compares nothing.
        let past = if past[at].len() > 1 { &*past[at] } else { &[] };
        let style = [cx.theme.line_r1, cx.theme.line_map][at];
        let history = |columns| {
            let bars = text::pad(&trend::line(past, columns), columns);
            Line::from(vec![Span::raw(blanks.clone()), Span::styled(bars, style)])
        };
        segments.push(Segment::stretched(1, 7..=20, history).or(5, history(6)));
    }
    if let Some(change) = change {
        let against = Line::styled(format!(" vs {}", change.against), cx.theme.dim);
        segments.push(Segment::new(9, against).or(18, Line::styled(" vs before", cx.theme.dim)));
    }
    segments
}

/// Who judges, and how much is left: of the pool that is judged, or else of the queries listed.
fn judging(cx: Context<'_>) -> Segment {
    let model = cx.model;
    let queued = model.left_in_queue();
    // Which items come first is not known before ranks are counted.
    let left = queued.or_else(|| model.scored().map(|_| model.left_to_judge()));
    let left = left.map_or("…".to_owned(), grouped);
    let unlisted = if model.judging.asks_listed { "" } else { " unlisted" };
    let what = match queued {
        Some(_) => format!("{left} of the pool left"),
        None => format!("{left}{unlisted} left in the first {}", model.judging.depth),
    };
    let name = format!(" {}", text::fit(&shown(model.session.by()), 12));
    let style = Style::from(cx.theme.warning).add_modifier(Modifier::REVERSED | Modifier::BOLD);
    let form = |name: &str, left: &str| {
        Line::from(vec![
            Span::styled(format!(" JUDGING{name} "), style),
            Span::raw(format!(" {left} ")),
        ])
    };
    let few = format!("{left} left");
    Segment::new(4, form(&name, &what)).or(14, form(&name, &few)).or(22, form("", &few)).right()
}

/// A screen's key and name; the present one keeps its name longest.
fn tab(cx: Context<'_>, action: Action, name: &'static str, is_present: bool) -> Segment {
    let key = cx.ui.keymap.hint(action);
    let (key_style, style) =
        if is_present { (cx.theme.chip, cx.theme.chip) } else { (cx.theme.key, cx.theme.dim) };
    let named = Line::from(vec![
        Span::raw("  "),
        Span::styled(key.clone(), key_style),
        Span::styled(if key.is_empty() { name.into() } else { format!(" {name}") }, style),
    ]);
    let bare = Line::from(vec![Span::raw(" "), Span::styled(key, key_style)]);
    Segment::new(if is_present { 6 } else { 2 }, named).or(9, bare).right().on(Target::Do(action))
}
