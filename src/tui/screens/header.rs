//! The header: the current view and the screens in the first row; the two metrics in the second.
//!
//! Priorities of all segments, from those dropped first to the last: queries of the original R@1 (1), other models
//! (2-7), bars (8), long forms (3-9), the baseline of the change (9), the original R@1 (11), intervals (13), the pool
//! (14), judgments (15), the filter (16), the direction (17), the ground truth and changes (18), the model (19),
//! failures (20), the annotator (22), problems (26), the two metrics (30).

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::data::scores::Scaling;
use crate::data::text::{count, grouped, shown};
use crate::metric::{Unit, best};
use crate::study::{Mix, Pool};
use crate::truth::relevance::Relevance;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::signs;
use crate::tui::state::history::WhatIfDelta;
use crate::tui::state::session::SaveState;
use crate::tui::theme::ThemeStyle;
use crate::tui::ui::hits::Target;
use crate::tui::ui::segments::{Segment, Segments};
use crate::tui::ui::{text, trend};

/// Draws the header. `screens`: the action that shows each screen, and the name of the screen; `current`: the action of
/// the current screen.
pub(in crate::tui) fn draw(
    cx: Context<'_>,
    screens: &[(Action, &'static str)],
    current: Action,
    area: Rect,
    buf: &mut Buffer,
) {
    buf.set_style(area, cx.theme.header);
    let mut first = view_segments(cx);
    first.extend(screens.iter().map(|&(action, name)| tab(cx, action, name, action == current)));
    let mut second: Vec<Segment> = problem_segment(cx).into_iter().collect();
    if cx.model.is_blind() {
        let line = |words: &'static str| Line::styled(words, cx.theme.dim);
        let long = line(" blind: scores, ranks, marks, badges are hidden ");
        second.push(Segment::new(5, long).or_form(30, line(" blind ")));
    } else {
        second.extend(metric_segments(cx));
    }
    second.extend(judging_segment(cx).into_iter().chain(save_segment(cx)).chain(notices(cx)));
    if area.height > 1 {
        Segments(first).draw(area, cx.ui, buf);
        Segments(second).draw(Rect { y: area.y + 1, ..area }, cx.ui, buf);
    } else {
        second.extend(first);
        Segments(second).draw(area, cx.ui, buf);
    }
}

/// Model, direction, ground truth, pool and number of queries, with the condition of a filter.
fn view_segments(cx: Context<'_>) -> Vec<Segment> {
    let model = cx.model;
    let chip = |label: &str, name: String| {
        Line::from(vec![
            Span::styled(format!("  {label}"), cx.theme.dim),
            Span::styled(name, cx.theme.chip),
        ])
    };
    let name = model.truth_label(model.view.truth);
    let settings = model.describe_threshold(model.truth()) + &model.describe_other_thresholds();
    let truth = |label: &str, columns| chip(label, text::fit_middle(&name, columns) + &settings);
    let mut segments = vec![
        model_segment(cx),
        Segment::new(17, chip("", model.view.direction.key().into()))
            .target(Target::Do(Action::Direction)),
        Segment::new(2, truth("ground truth ", 24))
            .or_form(14, truth("", 24))
            .or_form(18, truth("", 8))
            .target(Target::Do(Action::NextTruth)),
    ];
    if model.settings.pool != Pool::All {
        let pool = text::fit(&model.base.pool_name(model.settings.pool), 20);
        segments.push(Segment::new(14, chip("pool ", pool)).target(Target::Do(Action::Pool)));
    }
    segments.push(query_count_segment(cx));
    if let Some(condition) = model.condition().filter(|_| model.filtered_queries().is_some()) {
        let longest = text::width(&condition).max(12);
        let form =
            |columns| Line::styled(format!(": {}", text::fit(&condition, columns)), cx.theme.dim);
        segments.push(Segment::with_widths(4, 12..=longest, form));
    }
    segments
}

/// Name of the model; for a mixture both names, the weight alpha after the first.
fn model_segment(cx: Context<'_>) -> Segment {
    let (study, model) = (&cx.model.study, cx.model.view.model);
    let chip = |words: String| Line::styled(words, cx.theme.chip);
    let mix = cx.model.settings.mix.filter(|_| model.get() == cx.model.base.models.len());
    let Some(Mix { models, percent, scaling }) = mix else {
        let mut name = cx.model.step_label().unwrap_or_else(|| study.models[model].name.clone());
        if let Some(texts) = study.texts_name_of(model) {
            name = format!("{name} [{texts}]");
        }
        let all: Vec<&str> = study.models.iter().map(|model| &*model.name).collect();
        let form = |columns| chip(format!(" {}", text::fit_distinct(&name, &all, columns)));
        let segment = Segment::with_widths(10, 9..=40, form).or_form(19, form(8));
        return segment.target(Target::Do(Action::NextModel));
    };
    let names = models.map(|at| &*cx.model.base.models[at].name);
    let alpha = format!("{:.2}", f64::from(percent) / 100.0);
    let scaling = if scaling == Scaling::Raw { "" } else { &format!("{} ", scaling.key()) };
    let form = |columns| {
        let [first, second] = names.map(|name| text::fit_distinct(name, &names, columns));
        chip(format!(" {scaling}{first} {alpha}+{second}"))
    };
    let label = if scaling.is_empty() { "mix " } else { scaling };
    Segment::new(7, form(16)).or_form(16, form(8)).or_form(19, chip(format!(" {label}{alpha}")))
}

/// Number of evaluated queries, or of those that meet the filter.
fn query_count_segment(cx: Context<'_>) -> Segment {
    let model = cx.model;
    let line = |words: String| Line::styled(format!("  {words}"), cx.theme.dim);
    let covered = model.truth().relevance[model.view.direction].as_ref().map_or(0, Relevance::len);
    let total = grouped(model.study.pool_sizes()[model.view.direction]);
    let with_value = model.metrics().map_or(covered, |metrics| metrics.r1.judged);
    let segment = if model.is_truth_outdated(model.view.truth) {
        Segment::new(9, line("···".into()))
    } else if let Some(met) = model.filtered_queries().filter(|_| !model.is_blind()) {
        let (met, covered) = (grouped(met.len()), grouped(covered));
        let unknown = match model.undecided_count() {
            0 => String::new(),
            unknown => format!(", {} without a value", grouped(unknown)),
        };
        Segment::new(3, line(format!("filter {met} of {covered} queries{unknown}")))
            .or_form(16, line(format!("filter {met}/{covered}")))
    } else if model.is_filtering() || model.filtered_queries().is_some() {
        Segment::new(16, line("filter".into()))
    } else if model.truth().is_none_truth() && (!model.is_view_edited() || model.is_blind()) {
        // Without a ground truth no query is covered before a person judges.
        Segment::new(9, line(format!("{total} queries")))
    } else {
        let is_defined = with_value == covered || model.is_blind();
        let (count, what) = if is_defined { (covered, "") } else { (with_value, " with a value") };
        let count = grouped(count);
        Segment::new(3, line(format!("{count} of {total} queries{what}")))
            .or_form(9, line(format!("{count} queries{what}")))
    };
    segment.target(Target::Do(Action::Filter))
}

/// Number of judgments, and whether the session is saved; `None` if there are none and nothing is wrong.
fn save_segment(cx: Context<'_>) -> Option<Segment> {
    let number = cx.model.judgments.count();
    let (state, keep) = match cx.model.session.save_state() {
        SaveState::Failed => ("NOT SAVED", 20),
        SaveState::ReadOnly => ("read-only", 15),
        _ if number == 0 => return None,
        SaveState::Saving => ("saving", 15),
        SaveState::Saved => ("saved", 15),
        SaveState::Nowhere => ("no session", 15),
    };
    let style: Style = if keep == 20 { cx.theme.error.into() } else { cx.theme.dim.into() };
    // Constant width, so that nothing moves while a session is saved.
    let form = |words: String| Line::styled(format!(" {words} {state:<6} "), style);
    let unless_none = |words: String| if number == 0 { String::new() } else { words };
    let [long, short] = [count(number, "judgment"), grouped(number)].map(unless_none);
    Some(Segment::new(9, form(long)).or_form(keep, form(short)).right())
}

/// A problem that invalidates metrics, if there is one.
fn problem_segment(cx: Context<'_>) -> Option<Segment> {
    let words = cx.model.problem()?;
    let key = cx.ui.keymap.hint(Action::Study);
    let form = |words: String| Line::styled(format!(" ⚠ {words} "), cx.theme.error);
    let segment = Segment::new(14, form(format!("{words} ({key})"))).or_form(26, form(words));
    Some(segment.target(Target::Do(Action::Study)))
}

/// Caveat of the study, and a failure or else the progress of a computation, at the right.
fn notices(cx: Context<'_>) -> Vec<Segment> {
    let model = cx.model;
    let key = cx.ui.keymap.hint(Action::Study);
    let notice = |keeps: [u8; 2], forms: [String; 2], style: Style| {
        let [long, short] = forms.map(|words| Line::styled(format!(" {words} "), style));
        Segment::new(keeps[0], long).or_form(keeps[1], short).right()
    };
    // Judgments make a ground truth: a caveat that there is none is then hidden.
    let has_truth = model.truth().is_none_truth() && model.is_view_edited();
    let caveat = model.base.caveat.as_ref().filter(|_| !has_truth);
    let caveat = caveat
        .map(|caveat| Segment::new(12, Line::styled(format!(" {caveat} "), cx.theme.dim)).right());
    let status = if !model.panics.is_empty() {
        let words = format!("⚠ a job failed ({key})");
        Some(notice([20; 2], [words.clone(), words], cx.theme.error.into()))
    } else if let Some(error) = &model.session.failure {
        let words = format!("⚠ {}: {} ({key})", error.subject(), error.found());
        Some(notice([10, 20], [words, format!("⚠ ({key})")], cx.theme.error.into()))
    } else {
        model.known.progress.map(|share| {
            let percent = format!("{:.0} %", share * 100.0);
            let words = format!("counting {percent}");
            notice([6, 15], [words, format!("… {percent}")], cx.theme.warning.into())
        })
    };
    let status = status.map(|segment| segment.target(Target::Do(Action::Study)));
    caveat.into_iter().chain(status).collect()
}

/// Titles of the two metrics.
const METRIC_TITLES: [&str; 2] = ["R@1", "mAP@R"];
/// Columns of a full bar.
const BAR_COLUMNS: usize = 8;

/// Both metrics with intervals, changes and bars; R@1 under the original ground truth; both metrics of other models.
fn metric_segments(cx: Context<'_>) -> Vec<Segment> {
    let model = cx.model;
    let values = model.header_values().map(|values| values.map(|summary| summary.value));
    let others = model.metrics_of_others();
    // Whether each value is the best: first of the current model, then of the others.
    let is_best = [0, 1].map(|at| {
        let current = values.and_then(|values| values[at]);
        let all = std::iter::once(current).chain(others.iter().map(|(_, values)| values[at]));
        best::marks(&all.collect::<Vec<_>>(), Unit::Share)
    });
    let number = |metric: usize, model: usize, words: String, usual: ThemeStyle| {
        let look = Style::from(usual);
        Span::styled(words, if is_best[metric][model] { look.patch(cx.theme.up) } else { look })
    };
    let change = model.shown_change().filter(|_| values.is_some());
    let mut segments = Vec::new();
    for at in [0, 1] {
        let value = values.and_then(|values| values[at]);
        let words = values.map_or("··· ".into(), |_| Unit::Share.format(value));
        segments.push(Segment::new(
            30,
            Line::from(vec![
                Span::styled(format!("{} {} ", " ".repeat(at), METRIC_TITLES[at]), cx.theme.number),
                number(at, 0, format!("{words:>5}"), cx.theme.number),
            ]),
        ));
        let ends = model.intervals().and_then(|ends| ends[at]).filter(|_| value.is_some());
        segments.extend(ends.map(|ends| {
            let [low, high] = ends.map(|end| format!("{:.1}", end * 100.0));
            Segment::new(13, Line::styled(format!(" [{low}, {high}]"), cx.theme.dim))
        }));
        segments.extend(change.as_ref().map(|change| change_segment(cx, change, at)));
        let bar = text::pad(&signs::bar(value.unwrap_or(0.0), BAR_COLUMNS), BAR_COLUMNS);
        let look = [cx.theme.line_r1, cx.theme.line_map][at];
        segments.push(Segment::new(8, Line::styled(format!(" {bar}"), look)));
    }
    if let Some(change) = change {
        let line = |words: &str, look| Line::styled(format!(" {words}"), look);
        if change.values[1].is_some_and(|by| by < 0.0) && change.growth > 0 {
            let cause = format!("R grew by {}", change.growth);
            segments.push(Segment::new(16, line(&cause, cx.theme.title)));
        }
        let baseline = line(&change.baseline_label, cx.theme.dim);
        segments.push(Segment::new(9, baseline).or_form(18, line("vs before", cx.theme.dim)));
    }
    if let Some((truth, queries, r1)) = model.original_r1() {
        let r1 = r1.map_or("···".into(), |r1| Unit::Share.format(Some(r1)));
        let line = |words: String| Line::styled(words, cx.theme.header);
        let words = format!("   {truth} R@1 {r1}");
        let long = format!("{words} of {}", count(queries, "query"));
        segments.push(Segment::new(8, line(long)).or_form(11, line(words)));
    }
    for ((keep, index), (other, values)) in (2..=7).rev().zip(1..).zip(&others) {
        let name = format!("   {}", signs::model_name(&model.study, *other, 12));
        let mut line = Line::styled(name, cx.theme.dim);
        for at in [0, 1] {
            line.push_span(format!("  {} ", METRIC_TITLES[at]));
            line.push_span(number(at, index, Unit::Share.format(values[at]), cx.theme.header));
        }
        segments.push(Segment::new(keep, line));
    }
    segments
}

/// Change of a metric, 0 for R@1 or 1 for mAP@R, with an arrow.
fn change_segment(cx: Context<'_>, change: &WhatIfDelta, metric: usize) -> Segment {
    let (words, style): (String, Style) = match change.values[metric] {
        None => (String::new(), cx.theme.dim.into()),
        Some(0.0) => (" = 0.00".into(), cx.theme.dim.into()),
        Some(by) => {
            let (arrow, style) =
                if by > 0.0 { ("▲", cx.theme.up) } else { ("▼", cx.theme.down) };
            let by = trend::signed_points(by);
            (format!(" {arrow} {}", by.trim_start_matches(['+', '-'])), style.into())
        }
    };
    Segment::new(18, Line::styled(words, style))
}

/// The annotator, and the number of pairs left in the annotation pool, or else in the list or the top items; `None` if
/// the judging mode is off.
fn judging_segment(cx: Context<'_>) -> Option<Segment> {
    let model = cx.model;
    if !model.judging.is_on {
        return None;
    }
    let left_in_pool = model.left_in_queue();
    // Top items are unknown before ranks are computed.
    let left = left_in_pool.or_else(|| {
        if model.demand.items {
            model.unjudged_rows()
        } else {
            model.metrics().map(|_| model.left_to_judge())
        }
    });
    let left = left.map_or("…".to_owned(), grouped);
    let unjudged = if model.judging.asks_listed { "" } else { "unjudged " };
    let work = match left_in_pool {
        Some(_) => format!(", {left} pairs of the pool left"),
        None if model.demand.items => format!(", {left} pairs of the list left"),
        None => format!(", {left} {unjudged}pairs in the top {}", model.judging.depth),
    };
    let name = match model.session.annotator() {
        "" => "Judging".into(),
        by => format!("Judging as {}", text::fit(&shown(by), 12)),
    };
    let style = Style::from(cx.theme.warning).add_modifier(Modifier::BOLD);
    let form = |words: String| Line::styled(format!(" {words} "), style);
    let long = Segment::new(10, form(format!("{name}{work}")));
    let medium = long.or_form(14, form(format!("{name}, {left} left")));
    Some(medium.or_form(22, form(format!("{left} left"))).right())
}

/// Key and name of a screen; with little room only the key, but also the name of the current screen, in brackets.
fn tab(cx: Context<'_>, action: Action, name: &'static str, is_current: bool) -> Segment {
    let key = cx.ui.keymap.hint(action);
    let (key_style, style) =
        if is_current { (cx.theme.chip, cx.theme.chip) } else { (cx.theme.key, cx.theme.dim) };
    let line = |before: &'static str, name: String| {
        let key = Span::styled(key.clone(), key_style);
        Line::from(vec![Span::raw(before), key, Span::styled(name, style)])
    };
    let long = Segment::new(2, line("  ", format!(" {name}"))).right().target(Target::Do(action));
    if is_current {
        long.or_form(9, line(" ", format!(" [{name}]"))).or_form(13, line(" ", String::new()))
    } else {
        long.or_form(9, line(" ", String::new()))
    }
}
