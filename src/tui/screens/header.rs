//! The header: what is looked at in its first line, the two numbers in its second.
//!
//! The priorities of all segments are on one scale, from what goes first to what stays: histories of numbers (1), long
//! forms (2-7), the pool of all items (8), the number of queries (9), short notes and counts (10-13), another pool (14),
//! problems (15), the filter (16), the direction (17), the ground truth (18), the model (19), failures (20), the two
//! numbers (30).

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::data::scores::Scaling;
use crate::data::text::{grouped, shown};
use crate::doctor;
use crate::study::{Mix, Pool};
use crate::truth::relevance::Relevance;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::state::session::Kept;
use crate::tui::state::view::Numbers;
use crate::tui::ui::hits::Target;
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::{text, trend};

/// Draws the header. Screens are listed by the actions that show them, with their names; `shown` is the present one.
pub(in crate::tui) fn draw(
    cx: Context<'_>,
    screens: &[(Action, &'static str)],
    shown: Action,
    area: Rect,
    buf: &mut Buffer,
) {
    buf.set_style(area, cx.theme.header);
    cx.ui.hit(area, Target::Header);
    let mut numbers = if cx.model.is_blind() {
        let line = |words: &'static str| Line::styled(words, cx.theme.dim);
        let long = line(" blind: scores, ranks, marks, badges are hidden ");
        vec![Segment::new(5, long).or(30, line(" blind "))]
    } else {
        numbers(cx)
    };
    if cx.model.judging.is_on {
        numbers.push(judging(cx));
    } else {
        numbers
            .extend(screens.iter().map(|&(action, name)| tab(cx, action, name, action == shown)));
    }
    let view = view(cx).into_iter().chain(notices(cx));
    if area.height > 1 {
        Segments(view.collect()).draw(area, cx.ui, buf);
        Segments(numbers).draw(Rect { y: area.y + 1, ..area }, cx.ui, buf);
    } else {
        numbers.extend(view);
        Segments(numbers).draw(area, cx.ui, buf);
    }
}

/// Model, direction, ground truth, pool, queries, judgments.
fn view(cx: Context<'_>) -> Vec<Segment> {
    let model = cx.model;
    let chip = |label: &str, name: String| {
        Line::from(vec![
            Span::styled(format!("  {label}"), cx.theme.dim),
            Span::styled(name, cx.theme.chip),
        ])
    };
    let name = model.name_in_force(model.view.truth);
    let dials = model.dial_words(model.truth()) + &model.other_dials();
    let truth = |label: &str, columns| chip(label, text::fit_middle(&name, columns) + &dials);
    let pool = text::fit(&model.base.pool_name(model.dials.pool), 20);
    let pool_keep = if model.dials.pool == Pool::All { 8 } else { 14 };
    let mut segments = name_of_model(cx);
    segments.extend([
        Segment::new(17, chip("", model.view.direction.key().into()))
            .on(Target::Do(Action::Direction)),
        Segment::new(2, truth("ground truth ", 24))
            .or(14, truth("truth ", 24))
            .or(18, truth("truth ", 8))
            .on(Target::Do(Action::NextTruth)),
        Segment::new(pool_keep, chip("pool ", pool)).on(Target::Do(Action::Pool)),
        queries(cx),
    ]);
    if let Some(condition) = model.condition().filter(|_| model.filtered().is_some()) {
        let longest = text::width(&condition).max(12);
        let form =
            |columns| Line::styled(format!(": {}", text::fit(&condition, columns)), cx.theme.dim);
        segments.push(Segment::stretched(1, 12..=longest, form));
    }
    segments.push(judgments(cx));
    segments
}

/// The name of the model; of a mixture both names, with alpha as a knob on a track where there is room. The model whose
/// weight alpha is stands at the right end of the track, so the knob is nearer to what counts more.
fn name_of_model(cx: Context<'_>) -> Vec<Segment> {
    let (study, model) = (&cx.model.study, cx.model.view.model);
    let chip = |words: String| Line::styled(words, cx.theme.chip);
    let mix = cx.model.dials.mix.filter(|_| model.get() == cx.model.base.models.len());
    let Some(Mix { models, percent, scaling }) = mix else {
        let own = &study.models[model].name;
        let name = cx.model.step_words().unwrap_or_else(|| own.clone());
        let texts = study.texts_name_of(model);
        let name = texts.map_or_else(|| name.clone(), |texts| format!("{name} [{texts}]"));
        let all: Vec<&str> = study.models.iter().map(|of| &*of.name).collect();
        let cut = |columns| chip(format!(" {}", text::fit_apart(&name, &all, columns)));
        let segment = Segment::stretched(10, 9..=40, cut).or(19, cut(8));
        return vec![segment.on(Target::Do(Action::NextModel))];
    };
    let names = models.map(|at| &*cx.model.base.models[at].name);
    let cut = |columns| names.map(|name| text::fit_apart(name, &names, columns));
    let alpha = format!("{:.2}", f64::from(percent) / 100.0);
    let scaled = if scaling == Scaling::Raw { "" } else { &format!("{} ", scaling.key()) };
    let [first, second] = cut(16);
    let before = chip(format!(" {scaled}{second} "));
    let after = chip(format!(" {first} {alpha}"));
    let track = |columns: u16| {
        let knob = (percent * (u32::from(columns) - 1) + 50) as usize / 100;
        let line = |columns| Span::styled("━".repeat(columns), cx.theme.dim);
        let end = usize::from(columns) - 1 - knob;
        Line::from(vec![line(knob), Span::styled("●", cx.theme.key), line(end)])
    };
    let [first, second] = cut(8);
    let words = chip(format!(" {scaled}{first} {alpha}+{second}"));
    let mixed = if scaled.is_empty() { "mix " } else { scaled };
    let few = chip(format!(" {mixed}{alpha}"));
    // The three give way together, and no other length of the track is between: it would move under the pointer.
    let none = Line::default;
    vec![
        Segment::new(7, before.clone()).or(9, before).or(16, words).or(19, few),
        Segment::new(7, track(21)).or(9, track(7)).or(16, none()).or(19, none()).on(Target::Slider),
        Segment::new(7, after.clone()).or(9, after).or(16, none()).or(19, none()),
    ]
}

/// Alpha, in hundredths, at a column of the screen for a slider whose track is there, in steps of 5.
pub(in crate::tui) fn percent_at(track: Rect, x: u16) -> u32 {
    let last = u32::from(track.width).saturating_sub(1).max(1);
    let place = u32::from(x.saturating_sub(track.x)).min(last);
    (place * 20 * 2 + last) / (2 * last) * 5
}

/// How many queries the numbers are of.
fn queries(cx: Context<'_>) -> Segment {
    let model = cx.model;
    let line = |words: String| Line::styled(format!("  {words}"), cx.theme.dim);
    let covered = model.truth().relevance[model.view.direction].as_ref().map_or(0, Relevance::len);
    let total = model.study.pool_sizes()[model.view.direction];
    let with_value = model.scored().map_or(covered, |scored| scored.r1.judged);
    let segment = if model.is_rejudged(model.view.truth) {
        Segment::new(9, line("···".into()))
    } else if let Some(met) = model.filtered() {
        let (met, covered) = (grouped(met.len()), grouped(covered));
        let unknown = match model.filter_unknown() {
            0 => String::new(),
            unknown => format!(", {} without a value", grouped(unknown)),
        };
        if model.is_blind() {
            Segment::new(16, line("filter".into()))
        } else {
            Segment::new(3, line(format!("filter {met} of {covered} queries{unknown}")))
                .or(16, line(format!("filter {met}/{covered}")))
        }
    } else if model.is_filtering() {
        Segment::new(16, line("filter …".into()))
    } else {
        let (count, what) = if with_value < covered && !model.is_blind() {
            (grouped(with_value), "with a value")
        } else {
            (grouped(covered), "judged")
        };
        let total = grouped(total);
        // Without a ground truth none is judged before a person judges.
        let is_unjudged = !model.is_judged() || model.is_blind();
        let long = if model.truth().lists_nothing() && is_unjudged {
            format!("{total} queries")
        } else {
            format!("{count} of {total} queries {what}")
        };
        Segment::new(3, line(long)).or(9, line(format!("{count}/{total}")))
    };
    segment.on(Target::Do(Action::Filter))
}

/// How many judgments there are, and whether they are saved.
fn judgments(cx: Context<'_>) -> Segment {
    let judgments = &cx.model.judgements;
    let count = judgments.count();
    let (state, keep) = match cx.model.session.kept() {
        Kept::ReadOnly => ("  read-only", 11),
        Kept::Failed => (" NOT SAVED", 20),
        _ if count == 0 => ("", 11),
        Kept::Saving => (", saving", 11),
        // As wide as the other, so that nothing moves while a session is saved.
        Kept::Saved => (" saved  ", 11),
        Kept::Nowhere => (", no session", 11),
    };
    let form = |count: String| Line::styled(format!("{count}{state}"), cx.theme.dim);
    if count == 0 {
        return Segment::new(keep, form(String::new()));
    }
    Segment::new(4, form(format!("  {}", judgments.counted())))
        .or(keep, form(format!("  {}", grouped(count))))
}

/// At the right: what must be known of the study, then what is counted or needs a look.
fn notices(cx: Context<'_>) -> Vec<Segment> {
    let model = cx.model;
    let key = cx.ui.keymap.hint(Action::Study);
    let notice = |keeps: [u8; 2], forms: [String; 2], style: Style| {
        let [long, short] = forms.map(|words| Line::styled(format!(" {words} "), style));
        Segment::new(keeps[0], long).or(keeps[1], short).right()
    };
    // Judgments are a ground truth: then there is one.
    let has_truth = model.truth().lists_nothing() && model.is_judged();
    let caveat = model.base.caveat.as_ref().filter(|_| !has_truth);
    let caveat = caveat.map(|caveat| {
        notice([5, 12], [caveat.words.clone(), caveat.few.clone()], cx.theme.dim.into())
    });
    let [problems, notes] = model.remarks();
    // While alpha is dragged nothing may push the slider.
    let progress = model.known.progress.filter(|_| model.known.drag.is_none());
    let news = if !model.faults.is_empty() {
        let words = format!("⚠ a job failed ({key})");
        Some(notice([20; 2], [words.clone(), words], cx.theme.error.into()))
    } else if let Some(error) = &model.session.failure {
        let words = format!("⚠ {}: {} ({key})", error.subject(), error.found());
        Some(notice([10, 20], [words, format!("⚠ ({key})")], cx.theme.error.into()))
    } else if let Some(share) = progress {
        let percent = format!("{:.0} %", share * 100.0);
        let is_waiting = |n: &&Numbers| matches!(n, Numbers::Waiting | Numbers::Stale(_));
        let words = match model.numbers.iter().filter(is_waiting).count() {
            0 | 1 => format!("counting {percent}"),
            waiting => format!("counting {percent}, {waiting} models"),
        };
        Some(notice([6, 15], [words, format!("… {percent}")], cx.theme.warning.into()))
    } else if problems + notes > 0 {
        let words = model.problem().unwrap_or_else(|| doctor::counted(problems, notes));
        let forms = [format!("⚠ {words} ({key})"), format!("⚠ {} ({key})", problems + notes)];
        let is_problem = problems > 0;
        let style = if is_problem { cx.theme.error } else { cx.theme.warning };
        Some(notice(if is_problem { [14, 15] } else { [6, 13] }, forms, style.into()))
    } else {
        None
    };
    let news = news.map(|news| news.on(Target::Do(Action::Study)));
    caveat.into_iter().chain(news).collect()
}

/// Columns of a change with the blank before the history: the second number stays where it is when one comes.
const CHANGE: usize = 10;

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
        let before = Line::styled(" vs before", cx.theme.dim);
        segments.push(Segment::new(9, against).or(18, before));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_alpha_has_its_column_on_a_long_track() {
        let track = Rect::new(10, 0, 21, 1);
        for percent in (0..=100).step_by(5) {
            assert_eq!(percent_at(track, 10 + (percent / 5) as u16), percent);
        }
        let short = Rect::new(10, 0, 7, 1);
        assert_eq!([10, 11, 13, 16].map(|x| percent_at(short, x)), [0, 15, 50, 100]);
        assert_eq!([0, 500].map(|x| percent_at(short, x)), [0, 100]);
    }
}
