//! Text to read on top of a screen: the metrics of a view, and the inputs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::data::text::grouped;
use crate::doctor::{Finding, Severity};
use crate::jobs::Measured;
use crate::metric::{Spec, is_defined_under};
use crate::study::{Topic, View};
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{Hint, Popup};
use crate::tui::state::Model;
use crate::tui::state::metrics_table::{Column, Measure, Row};
use crate::tui::state::results::Asked;
use crate::tui::state::view::Numbers;
use crate::tui::theme::Theme;
use crate::tui::ui::list::Scrolled;
use crate::tui::ui::{pane, text};

/// Text in lines of so many columns of the terminal.
pub struct Page<'a> {
    /// The title of its frame.
    pub title: String,
    /// The lines.
    pub lines: Vec<Line<'static>>,
    pub(super) columns: usize,
    theme: &'a Theme,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub fn new(columns: u16, theme: &'a Theme) -> Self {
        Page { title: String::new(), lines: Vec::new(), columns: columns.max(1).into(), theme }
    }

    /// Adds a line as it is.
    pub fn line(&mut self, line: impl Into<Line<'static>>) {
        self.lines.push(line.into());
    }

    /// Adds a heading, after an empty line unless it is the first line.
    pub fn heading(&mut self, heading: impl Into<String>) {
        self.gap();
        self.line(Span::styled(heading.into(), self.theme.title));
    }

    /// Adds an empty line unless it would be the first.
    pub fn gap(&mut self) {
        if !self.lines.is_empty() {
            self.line("");
        }
    }

    /// Adds wrapped text, indented.
    pub fn paragraph(&mut self, style: impl Into<Style>, indent: usize, content: &str) {
        let (style, before) = (style.into(), " ".repeat(indent));
        let lines = content.lines().flat_map(|line| self.wrap(&before, line)).collect::<Vec<_>>();
        self.beside(&before, lines.into_iter().map(|line| vec![Span::styled(line, style)]));
    }

    /// Wraps text to the columns right of something.
    fn wrap(&self, before: &str, content: &str) -> Vec<String> {
        text::wrap(content, self.columns.saturating_sub(text::width(before)))
    }

    /// Adds lines with something before the first one, and blanks before the others.
    pub(super) fn beside(
        &mut self,
        before: &str,
        lines: impl IntoIterator<Item = Vec<Span<'static>>>,
    ) {
        let mut before = Span::raw(before.to_owned());
        for mut line in lines {
            line.insert(0, before.clone());
            before = Span::raw(" ".repeat(before.width()));
            self.line(line);
        }
    }
}

/// Text that is written anew for each frame.
pub struct Sheet {
    opened_by: Action,
    write: Box<Write>,
    scrolled: Scrolled,
}

type Write = dyn Fn(Context<'_>, &mut Page<'_>);

/// Widest text that is comfortable to read.
const WIDEST: u16 = 96;

impl Sheet {
    /// A sheet that an action opens.
    pub fn new(opened_by: Action, write: impl Fn(Context<'_>, &mut Page<'_>) + 'static) -> Self {
        Sheet { opened_by, write: Box::new(write), scrolled: Scrolled::default() }
    }

    /// Columns and rows of a sheet with its frame, at the most.
    pub fn outer(size: (u16, u16)) -> (u16, u16) {
        let width = if size.0 < 60 { size.0 } else { (size.0 - 4).min(WIDEST) };
        let height = if size.1 < 16 { size.1 } else { size.1 - 2 };
        (width, height)
    }
}

impl Popup for Sheet {
    fn opened_by(&self) -> Action {
        self.opened_by
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![(Action::Close, "close"), (Action::Down, "scroll")]
    }

    fn scroll(&mut self, by: isize, _model: &Model) {
        self.scrolled.scroll(by);
    }

    fn asks(&self) -> Asked {
        match self.opened_by {
            Action::Define => Asked::EveryMetric,
            _ => Asked::Nothing,
        }
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (width, highest) = Sheet::outer(screen.as_size().into());
        let mut page = Page::new(width.saturating_sub(4), cx.theme);
        (self.write)(cx, &mut page);
        let height = u16::try_from(page.lines.len() + 2).map_or(highest, |rows| rows.min(highest));
        let inner = pane::popup(&page.title, "", (width, height), cx.ui, screen, buf);
        self.scrolled.draw_text(&page.lines, cx.theme, text_area(inner), buf);
        None
    }
}

/// The area of text inside of a frame, a column after its left border.
pub(super) fn text_area(inner: Rect) -> Rect {
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner }
}

/// The metrics of a view, or one of them alone.
pub(in crate::tui) fn metrics(view: View, only: Option<Row>) -> Sheet {
    Sheet::new(Action::Define, move |cx, page| write_metrics(cx, view, only, page))
}

fn write_metrics(cx: Context<'_>, view: View, only: Option<Row>, page: &mut Page<'_>) {
    let (model, truth) = (cx.model, &cx.model.study.truths[view.truth]);
    let is_mine = only.map_or(model.judged_at(view).is_some(), |row| row.is_mine);
    let (own, scored) = if is_mine {
        (model.study.name_with_verdicts(&truth.name), model.scored_at(view))
    } else {
        (truth.name.clone(), model.counted_at(view))
    };
    let name = &model.study.models[view.model].name;
    page.title = format!("metrics of {name}, {}, ground truth {own}", view.direction);
    let Some(measured) = scored.and_then(|scored| scored.measured()) else {
        return page.paragraph(cx.theme.dim, 0, model.files.waiting());
    };
    if let Some(told) = model.untaken_filter() {
        page.paragraph(cx.theme.warning, 0, &format!("Of all queries judged: {told}."));
    }
    let is_shown = |spec: Spec| {
        only.is_none_or(|row| row.measure == Measure::Of(spec))
            && spec.metric.only_under().is_none_or(|only| only == truth.name)
            && is_defined_under(spec.metric, truth)
    };
    let number = |title: &str, value: &str| {
        Line::from_iter([
            Span::styled(text::pad(title, 11), cx.theme.title),
            Span::styled(text::pad_left(value, 7), cx.theme.key),
        ])
    };
    for &Measured { spec, summary, ceiling } in measured.iter().filter(|one| is_shown(one.spec)) {
        let unit = spec.metric.unit();
        let (bound, judged) = (unit.shown(ceiling), grouped(summary.judged));
        let mut line = number(&spec.title(), &unit.shown(summary.value));
        let more = format!("   upper bound {bound}   {judged} judged   {spec}");
        line.push_span(Span::styled(more, cx.theme.dim));
        page.gap();
        page.line(line);
        if let Some(shortage) = summary.shortage {
            page.paragraph(cx.theme.warning, 2, &format!("undefined: {shortage}"));
        }
        page.paragraph(cx.theme.base, 2, spec.metric.doc());
    }
    if let Some(row) = only.filter(|row| matches!(row.measure, Measure::Sum(_))) {
        let column = Column { model: view.model, direction: view.direction };
        let value = row.measure.unit().shown(model.cell(row, column).value());
        page.gap();
        page.line(number(row.measure.title(), &value));
        page.paragraph(cx.theme.base, 2, row.measure.doc());
    }
}

/// Writes what the doctor found, and the inputs, a line per file.
pub(super) fn write_study(cx: Context<'_>, page: &mut Page<'_>) {
    let (model, warning) = (cx.model, cx.theme.warning);
    page.title = "inputs".into();
    let unread = model.files.failure.iter().map(|error| format!("not reloaded: {error}"));
    let unsaved = model.session.failure.iter().map(|error| format!("the session {error}"));
    let notes = model.session.notes.iter().map(|note| format!("session: {note}"));
    for told in unread.chain(unsaved).chain(notes) {
        page.paragraph(warning, 0, &told);
    }
    // First those that all numbers rest on.
    let is_assumed = |finding: &Finding| {
        let mut assumed = model.study.notes.iter().filter(|note| note.topic == Topic::Assumed);
        assumed.any(|note| note.text.starts_with(&*finding.subject))
    };
    let findings = model.known.findings.iter().flat_map(|all| all.iter());
    let mut findings: Vec<&Finding> = findings.collect();
    findings.sort_by_key(|finding| !is_assumed(finding));
    for finding in findings {
        let (subject, found) = (&finding.subject, finding.in_full());
        let is_problem = matches!(finding.severity, Severity::Problem);
        let kind = if is_problem { "problem: " } else { "" };
        page.paragraph(warning, 0, &format!("{kind}{subject}: {found}"));
        for (what, said) in finding.rest() {
            page.paragraph(cx.theme.dim, 2, &format!("{what}: {said}"));
        }
    }
    page.gap();
    // Warnings are among the findings once these are known.
    let is_known = model.known.findings.is_some();
    for note in model.study.notes.iter().filter(|note| !(note.warning && is_known)) {
        page.paragraph(if note.warning { warning } else { cx.theme.base }, 0, &note.text);
    }
    for (of, numbers) in model.study.models.iter().zip(&model.numbers) {
        if let Numbers::Failed(error) = numbers {
            page.paragraph(warning, 0, &format!("model {} is left out: {error}", of.name));
        }
    }
    for fault in &model.faults {
        let words = format!("a background job failed, which is a defect of this program: {fault}");
        page.paragraph(warning, 0, &words);
    }
}
