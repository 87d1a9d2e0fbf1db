//! The header: what is looked at, R@1 and mAP@R with their change and history.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::headline::{FIXED, Headline, Shown as Looked};
use super::tabs::Tabs;
use super::target::Target;
use super::{judging_view, numbers_view};
use crate::doctor;
use crate::tui::action::Action;
use crate::tui::model::view::Numbers;
use crate::tui::ui::Context;
use crate::tui::widgets::text;

/// Draws the header with the names of the screens, where it has room for them.
pub(in crate::tui) fn draw(cx: Context<'_>, tabs: Option<Tabs>, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, cx.theme.header);
    let style = style(cx, area);
    let width = usize::from(area.width);
    let before = numbers_view::before_counts(cx, width);
    let strip = judging_view::strip(cx, width.saturating_sub(before).max(judging_view::LEAST));
    let room = tabs.as_ref().map_or(width.saturating_sub(strip.width()), Tabs::before);
    let numbers = numbers_view::line(cx, room);
    if area.height > 1 {
        buf.set_line(area.x, area.y, &style, area.width);
        buf.set_line(area.x, area.y + 1, &numbers, area.width);
        state(cx, area, style.width(), buf);
        buf.set_line(area.x + room as u16, area.y + 1, &strip, area.width);
        if let Some(tabs) = tabs {
            let x = area.x + tabs.before() as u16;
            buf.set_line(x, area.y + 1, &names(cx, tabs), area.width);
        }
    } else {
        let mut both = strip;
        both.spans.extend(numbers.spans);
        both.spans.push(Span::raw("  "));
        both.spans.extend(style.spans);
        buf.set_line(area.x, area.y, &both, area.width);
    }
}

/// Model, direction, truth, pool, queries.
fn style(cx: Context<'_>, area: Rect) -> Line<'static> {
    words(cx, area).into_iter().map(|(span, _)| span).collect()
}

/// Where a click does what the key of a word does.
pub(in crate::tui) fn targets(cx: Context<'_>) -> Vec<Target> {
    let header = cx.ui.frame().header;
    // A header of one line begins with the numbers.
    if header.height < 2 {
        return Vec::new();
    }
    let mut x = header.x;
    let used = style(cx, header).width();
    let placed = placed(cx, header, used).into_iter();
    // They may stand over words.
    let mut targets: Vec<Target> =
        placed.map(|(area, ..)| Target { area, action: Action::Study }).collect();
    for (span, action) in words(cx, header) {
        let area = Rect::new(x, header.y, span.width() as u16, 1).intersection(header);
        x = area.right();
        targets.extend(action.map(|action| Target { area, action }));
    }
    targets
}

/// The words of the first line, each with the action of a click on it.
fn words(cx: Context<'_>, area: Rect) -> Vec<(Span<'static>, Option<Action>)> {
    let chip = Style::from(cx.theme.chip);
    let label = Style::from(cx.theme.dim).patch(Style { fg: None, ..cx.theme.header.into() });
    let headline = Headline::of(cx, area.width, area.height);
    let [start, gap] = FIXED;
    let mut words = vec![(Span::styled(start, chip), None)];
    match headline.model {
        Looked::Name(name) => words.push((Span::styled(name, chip), Some(Action::NextModel))),
        Looked::Slider(slider) => {
            let track = |columns: u16| Span::styled("━".repeat(usize::from(columns)), label);
            let spans = [
                Span::styled(slider.before, chip),
                track(slider.knob),
                Span::styled("●", cx.theme.key),
                track(slider.track - slider.knob - 1),
                Span::styled(slider.after, chip),
            ];
            // It is dragged.
            words.extend(spans.map(|span| (span, None)));
        }
    }
    let direction = cx.model.view.direction.key();
    words.extend([
        (Span::styled(gap, label), None),
        (Span::styled(direction, chip), Some(Action::Direction)),
        (Span::styled(headline.of_truth, label), Some(Action::NextTruth)),
        (Span::styled(headline.truth, chip), Some(Action::NextTruth)),
        (Span::styled(headline.of_pool, label), Some(Action::Pool)),
        (Span::styled(headline.pool, chip), Some(Action::Pool)),
        (Span::styled(headline.judged, label), Some(Action::Filter)),
        (Span::styled(headline.kept, label), None),
    ]);
    words
}

/// The screens, the present one as what is looked at.
fn names(cx: Context<'_>, tabs: Tabs) -> Line<'static> {
    let mut line = Line::default();
    let shown = tabs.shown;
    for (action, key, name) in tabs.entries {
        let is_present = action == shown;
        let style = if is_present { cx.theme.chip } else { cx.theme.dim };
        let gap = if key.is_empty() || name.is_empty() { "" } else { " " };
        let key_look = if is_present { style } else { cx.theme.key };
        line.push_span(Span::styled(key, key_look));
        let after = " ".repeat(tabs.gap);
        line.push_span(Span::styled(format!("{gap}{name}{after}"), style));
    }
    line
}

/// At the right: what is being counted, or what needs a look; over whatever stands there if it
/// cannot wait. Before it, what must be known of the study.
fn state(cx: Context<'_>, area: Rect, used: usize, buf: &mut Buffer) {
    for (place, words, style) in placed(cx, area, used) {
        buf.set_string(place.x, place.y, words, style);
    }
}

/// What stands there, and where.
fn placed(cx: Context<'_>, area: Rect, used: usize) -> Vec<(Rect, String, Style)> {
    let mut placed = Vec::new();
    let mut room = usize::from(area.width);
    let mut rest: usize = notices(cx).map(|news| text::width(&news.words)).sum();
    for News { words, few, style, urgent, is_whole } in notices(cx) {
        rest -= text::width(&words);
        let fits = used + text::width(&words) + rest <= room;
        let words = if fits || is_whole { words } else { few };
        let words = text::fit(&words, usize::from(area.width));
        let width = text::width(&words);
        if urgent || used + width <= room {
            room -= width;
            let place = Rect::new(area.x + room as u16, area.y, width as u16, 1);
            placed.push((place, words, style));
        }
    }
    placed
}

/// Columns that what stands at the right takes: in all its words, in ever fewer that tell it, what goes last first,
/// and of the fewest what goes last.
pub(super) fn noticed(cx: Context<'_>) -> [usize; 4] {
    let few: Vec<usize> = notices(cx).map(|news| text::width(&news.few)).collect();
    let words: Vec<usize> = notices(cx).map(|news| text::width(&news.words)).collect();
    let last = few.first().copied().unwrap_or(0);
    let others: usize = words.iter().skip(1).sum();
    [words.iter().sum(), last + others, few.iter().sum(), last]
}

/// What stands at the right, from the right: what is to be looked at is given up last.
fn notices(cx: Context<'_>) -> impl Iterator<Item = News> {
    // Verdicts are one, which stands there then.
    let is_there = !(cx.model.truth().lists_nothing() && cx.model.is_judged());
    let caveat = cx.model.base.caveat.as_ref().filter(|_| is_there);
    let caveat = caveat.map(|caveat| News {
        few: format!(" {} ", caveat.few),
        words: format!(" {} ", caveat.words),
        style: cx.theme.dim.into(),
        urgent: false,
        is_whole: false,
    });
    news(cx).into_iter().chain(caveat)
}

struct News {
    words: String,
    /// The same in as few words as tell that there is something.
    few: String,
    style: Style,
    /// Whether it stands over whatever is there.
    urgent: bool,
    /// Whether all its words do.
    is_whole: bool,
}

fn news(cx: Context<'_>) -> Option<News> {
    let key = cx.ui.keymap.hint(Action::Study);
    let waiting = cx
        .model
        .numbers
        .iter()
        .filter(|n| matches!(n, Numbers::Waiting | Numbers::Stale(_)))
        .count();
    if !cx.model.faults.is_empty() {
        let words = format!(" ⚠ a job failed ({key}) ");
        return Some(News {
            few: words.clone(),
            words,
            style: cx.theme.error.into(),
            urgent: true,
            is_whole: true,
        });
    }
    if let Some(error) = &cx.model.session.failure {
        return Some(News {
            words: format!(" ⚠ {}: {} ({key}) ", error.subject(), error.found()),
            few: format!(" ⚠ ({key}) "),
            style: cx.theme.error.into(),
            urgent: true,
            is_whole: true,
        });
    }
    let [problems, notes] = cx.model.remarks();
    let words = match (cx.model.known.progress, waiting) {
        (Some(share), 1) => format!(" counting {:.0} % ", share * 100.0),
        (Some(share), 2..) => format!(" counting {:.0} %, {waiting} models ", share * 100.0),
        _ if problems + notes == 0 => return None,
        _ => match cx.model.problem() {
            Some(problem) => format!(" ⚠ {problem} ({key}) "),
            None => format!(" ⚠ {} ({key}) ", doctor::counted(problems, notes)),
        },
    };
    let few = match cx.model.known.progress {
        Some(share) => format!(" … {:.0} % ", share * 100.0),
        None if problems > 0 => words.clone(),
        None => format!(" ⚠ {notes} ({key}) "),
    };
    let is_counting = cx.model.known.progress.is_some();
    Some(News {
        few,
        words,
        style: if problems > 0 && !is_counting { cx.theme.error } else { cx.theme.warning }.into(),
        urgent: is_counting || problems > 0,
        is_whole: false,
    })
}
