//! A popup with text, such as the inputs and their warnings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::doctor::{Finding, Severity};
use crate::study::Topic;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::popup::{Hint, Popup};
use crate::tui::state::Model;
use crate::tui::state::view::Numbers;
use crate::tui::theme::Theme;
use crate::tui::ui::list::ScrollState;
use crate::tui::ui::{pane, text};

/// Lines of text, wrapped to a number of terminal columns.
pub struct Page<'a> {
    /// Title of the frame around it.
    pub title: String,
    /// The lines.
    pub lines: Vec<Line<'static>>,
    /// Width to which text is wrapped.
    pub(super) columns: usize,
    theme: &'a Theme,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub fn new(columns: u16, theme: &'a Theme) -> Self {
        Page { title: String::new(), lines: Vec::new(), columns: columns.max(1).into(), theme }
    }

    /// Adds a line without wrapping it.
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

    /// Adds text, wrapped and indented by this many columns.
    pub fn paragraph(&mut self, style: impl Into<Style>, indent: usize, content: &str) {
        let style = style.into();
        let width = self.columns.saturating_sub(indent);
        let lines = content.lines().flat_map(|line| text::wrap(line, width));
        self.lines_after(&" ".repeat(indent), lines.map(|line| vec![Span::styled(line, style)]));
    }

    /// Adds lines with a prefix before the first, and as many blanks before the others.
    pub(super) fn lines_after(
        &mut self,
        prefix: &str,
        lines: impl IntoIterator<Item = Vec<Span<'static>>>,
    ) {
        let mut prefix = Span::raw(prefix.to_owned());
        for mut line in lines {
            line.insert(0, prefix.clone());
            prefix = Span::raw(" ".repeat(prefix.width()));
            self.line(line);
        }
    }
}

/// Popup with scrollable text, which is written anew for each frame.
pub struct Sheet {
    opened_by: Action,
    write: Box<WritePage>,
    scrolled: ScrollState,
}

/// Writes the text on an empty page.
type WritePage = dyn Fn(Context<'_>, &mut Page<'_>);

/// Maximum width in columns, with the frame: wider text is hard to read.
const MAX_WIDTH: u16 = 96;

impl Sheet {
    /// A sheet that an action opens and closes; `write` fills the page.
    pub fn new(opened_by: Action, write: impl Fn(Context<'_>, &mut Page<'_>) + 'static) -> Self {
        Sheet { opened_by, write: Box::new(write), scrolled: ScrollState::default() }
    }

    /// Maximum columns and rows of a sheet with its frame, on a screen of these columns and rows.
    pub fn max_size((columns, rows): (u16, u16)) -> (u16, u16) {
        let width = if columns < 60 { columns } else { (columns - 4).min(MAX_WIDTH) };
        (width, if rows < 16 { rows } else { rows - 2 })
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
        self.scrolled.scroll_by(by);
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (width, highest) = Sheet::max_size(screen.as_size().into());
        let mut page = Page::new(width.saturating_sub(4), cx.theme);
        (self.write)(cx, &mut page);
        let height = u16::try_from(page.lines.len() + 2).map_or(highest, |rows| rows.min(highest));
        let inner = pane::draw_popup(&page.title, "", (width, height), cx.ui, screen, buf);
        self.scrolled.draw_text(&page.lines, cx.theme, text_area(inner), buf);
        None
    }
}

/// Text area inside a frame, one column after its left border.
pub(super) fn text_area(inner: Rect) -> Rect {
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner }
}

/// Writes the failures, the findings of the doctor, and the notes on the inputs.
pub(super) fn write_study(cx: Context<'_>, page: &mut Page<'_>) {
    let (model, warning) = (cx.model, cx.theme.warning);
    page.title = "inputs".into();
    let reload = model.files.failure.iter().map(|error| format!("not reloaded: {error}"));
    let save = model.session.failure.iter().map(|error| format!("the session {error}"));
    let notes = model.session.notes.iter().map(|note| format!("session: {note}"));
    let fault = |fault| format!("a background job failed, a defect of this program: {fault}");
    let faults = model.panics.iter().map(fault);
    let excluded = model.study.models.iter().zip(&model.numbers);
    let excluded = excluded.filter_map(|(model, numbers)| match numbers {
        Numbers::Failed(error) => Some(format!("model {} is excluded: {error}", model.name)),
        _ => None,
    });
    for failure in faults.chain(excluded).chain(reload).chain(save).chain(notes) {
        page.paragraph(warning, 0, &failure);
    }
    // Assumptions behind all numbers first.
    let is_assumed = |finding: &Finding| {
        let mut assumptions = model.study.notes.iter().filter(|note| note.topic == Topic::Assumed);
        assumptions.any(|note| note.text.starts_with(&*finding.subject))
    };
    let findings = model.known.findings.iter().flat_map(|all| all.iter());
    let mut findings: Vec<&Finding> = findings.collect();
    findings.sort_by_key(|finding| !is_assumed(finding));
    for finding in findings {
        let (subject, found) = (&finding.subject, finding.found_with_detail());
        let is_problem = matches!(finding.severity, Severity::Problem);
        let kind = if is_problem { "problem: " } else { "" };
        page.paragraph(warning, 0, &format!("{kind}{subject}: {found}"));
        for (label, detail) in finding.advice() {
            page.paragraph(cx.theme.dim, 2, &format!("{label}: {detail}"));
        }
    }
    page.gap();
    // Once findings are known, they include warnings.
    let is_known = model.known.findings.is_some();
    for note in model.study.notes.iter().filter(|note| !(note.warning && is_known)) {
        page.paragraph(if note.warning { warning } else { cx.theme.base }, 0, &note.text);
    }
}
