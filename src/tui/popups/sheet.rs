//! A sheet of wrapped text to read, beside a picture or alone.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::judging_hints;
use crate::phrase::{Chain, Runs};
use crate::truth::standing::Badge;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::model::dirty::Dirty;
use crate::tui::pictures::Place;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::{marked, phrased, picture, text};

/// What a piece of text is, for the theme to style.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Ordinary.
    Base,
    /// Of less weight.
    Dim,
    /// A heading.
    Title,
    /// A key.
    Key,
    /// Letters that a search matched.
    Match,
    /// Something to look at.
    Warning,
    /// A badge's sign or name.
    Badge(Badge),
    /// Words that the original text of a caption lacks.
    Added,
    /// A phrase of a chain, with its place among those of the image.
    Phrase(Chain, usize),
}

/// Text of one tone.
pub type Piece = (Tone, String);

/// Text to read.
pub struct Sheet {
    /// The action that opens it.
    pub opened_by: Action,
    /// Its heading.
    pub title: String,
    /// Wrapped lines.
    pub lines: Vec<Vec<Piece>>,
    /// The first line shown.
    pub offset: usize,
    /// Gallery index of the image whose picture stands beside the text.
    picture: Option<usize>,
    /// Columns and rows of its text.
    room: (u16, u16),
    /// Actions that are done while it stays open, and what they do; shown at its foot.
    offers: Vec<Hint>,
}

/// Where the parts of a sheet are on the screen.
pub struct Parts {
    /// Columns and rows with the frame; the text may need fewer rows.
    pub outer: (u16, u16),
    /// The picture, if there is one.
    pub picture: Rect,
    /// Columns and rows of the text.
    pub text: (u16, u16),
}

/// Widest text that is comfortable to read.
const WIDEST: u16 = 96;
/// Narrower sheets have the picture above the text.
const SIDE_BY_SIDE: u16 = 76;
/// Widest text beside a picture.
const WIDEST_BESIDE: u16 = 52;

impl Sheet {
    /// An empty sheet for a terminal of this size.
    pub fn new(opened_by: Action, title: impl Into<String>, size: (u16, u16)) -> Self {
        Sheet::beside(None, opened_by, title, size)
    }

    /// The same beside the picture of an image, as large as the terminal allows.
    pub fn beside(
        picture: Option<usize>,
        opened_by: Action,
        title: impl Into<String>,
        size: (u16, u16),
    ) -> Self {
        let mut sheet = Sheet {
            opened_by,
            title: title.into(),
            lines: Vec::new(),
            offset: 0,
            picture,
            room: (1, 1),
            offers: Vec::new(),
        };
        sheet.room = sheet.parts(size).text;
        sheet
    }

    /// The same with actions that are done while it stays open.
    #[must_use]
    pub fn with_offers(mut self, offers: &[Hint]) -> Self {
        self.offers = offers.to_vec();
        self
    }

    /// Where its parts are on a terminal of this size.
    pub fn parts(&self, size: (u16, u16)) -> Parts {
        if self.picture.is_none() {
            let outer = Self::outer(size);
            return Parts {
                outer,
                picture: Rect::default(),
                text: (outer.0.saturating_sub(4), outer.1.saturating_sub(2)),
            };
        }
        let outer = (size.0, if size.1 < 16 { size.1 } else { size.1 - 2 });
        let (x, y) = ((size.0 - outer.0) / 2 + 1, (size.1 - outer.1) / 2 + 1);
        let inner = (outer.0.saturating_sub(2), outer.1.saturating_sub(2));
        let mut picture = Rect::new(x, y, inner.0, inner.1);
        let text = if inner.0 < SIDE_BY_SIDE {
            picture.height = inner.1 * 3 / 5;
            (inner.0.saturating_sub(2), inner.1 - picture.height)
        } else {
            let columns = (inner.0 * 2 / 5).min(WIDEST_BESIDE);
            picture.width = inner.0 - columns - 2;
            (columns, inner.1)
        };
        Parts { outer, picture, text }
    }

    /// The picture and its place, if it has one.
    pub fn place(&self, size: (u16, u16)) -> Option<Place> {
        let area = self.parts(size).picture;
        let image = self.picture.filter(|_| area.area() > 0)?;
        Some(Place { area, image })
    }

    /// Columns and rows of a sheet of text with its frame, before it is known how long it is.
    pub fn outer(size: (u16, u16)) -> (u16, u16) {
        let width = if size.0 < 60 { size.0 } else { (size.0 - 4).min(WIDEST) };
        let height = if size.1 < 16 { size.1 } else { size.1 - 2 };
        (width, height)
    }

    /// Columns for text.
    pub fn columns(&self) -> usize {
        usize::from(self.room.0).max(1)
    }

    /// Whether there is more text than rows for it.
    fn scrolls(&self) -> bool {
        self.lines.len() > usize::from(self.room.1)
    }

    /// Adds a line as it is.
    pub fn line(&mut self, pieces: Vec<Piece>) {
        self.lines.push(pieces);
    }

    /// Adds an empty line, unless it would be the first.
    pub fn gap(&mut self) {
        if !self.lines.is_empty() {
            self.lines.push(Vec::new());
        }
    }

    /// Adds a heading.
    pub fn heading(&mut self, heading: impl Into<String>) {
        self.line(vec![(Tone::Title, heading.into())]);
    }

    /// Adds wrapped text, indented.
    pub fn paragraph(&mut self, tone: Tone, indent: usize, content: &str) {
        let width = self.columns().saturating_sub(indent);
        for wrapped in content.lines().flat_map(|line| text::wrap(line, width)) {
            self.line(vec![(tone, format!("{}{wrapped}", " ".repeat(indent)))]);
        }
    }

    /// Adds a wrapped caption, something before its first line, some letters of which (blanks left out) are of
    /// words that were added.
    pub fn rewritten(&mut self, before: &str, content: &str, added: &[bool]) {
        let indent = text::width(before);
        let wrapped = text::wrap(content, self.columns().saturating_sub(indent));
        let tone = |is_added| if is_added { Tone::Added } else { Tone::Base };
        for (at, pieces) in marked::lines(&wrapped, added).into_iter().enumerate() {
            let pieces = pieces.into_iter().map(|(is_added, piece)| (tone(is_added), piece));
            let before = (Tone::Base, beside(before, at));
            self.line(std::iter::once(before).chain(pieces).collect());
        }
    }

    /// Adds a wrapped caption, something before its first line; phrases are pieces of their own where they are
    /// known.
    pub fn caption(&mut self, before: &str, content: &str, mut runs: Option<Runs<'_>>) {
        let indent = text::width(before);
        let wrapped = text::wrap(content, self.columns().saturating_sub(indent));
        for (at, line) in wrapped.into_iter().enumerate() {
            let mut pieces = vec![(Tone::Base, beside(before, at))];
            match &mut runs {
                None => pieces.push((Tone::Base, line)),
                Some(runs) => pieces.extend(runs.line(&line).into_iter().map(|run| {
                    let tone =
                        run.chain.map_or(Tone::Base, |(chain, place)| Tone::Phrase(chain, place));
                    (tone, run.text)
                })),
            }
            self.line(pieces);
        }
    }

    /// Moves its text by so many lines, on a terminal of this size.
    pub(in crate::tui) fn scroll_by(&mut self, by: i32, size: (u16, u16)) {
        let shown = usize::from(self.parts(size).text.1);
        let last = self.lines.len().saturating_sub(shown);
        let to = i64::try_from(self.offset).unwrap_or(i64::MAX) + i64::from(by);
        self.offset = usize::try_from(to.max(0)).unwrap_or(usize::MAX).min(last);
    }
}

/// Whether an action marks a pair, answers for it, takes that back, or goes to another one, while the details stay
/// open.
fn acts_on_pairs(action: Action) -> bool {
    let is_way = matches!(action, Action::Undo | Action::Redo | Action::Mark);
    is_way || action.is_of_judging() || action.steps_match()
}

/// What stands before a line of a paragraph: the first one alone has it.
fn beside(before: &str, line: usize) -> String {
    if line == 0 { before.to_owned() } else { " ".repeat(text::width(before)) }
}

impl Popup for Sheet {
    fn opened_by(&self) -> Action {
        self.opened_by
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        let is_offered = self.offers.iter().any(|(offered, _)| *offered == action);
        let is_of_pairs = self.answers(model) && acts_on_pairs(action);
        if is_of_pairs {
            model.dirty |= Dirty::POPUP;
            // The next pair is read from its top, one that is marked from where it is read.
            self.offset *= usize::from(action == Action::Mark);
        }
        if is_offered || is_of_pairs { Answer::Below(action) } else { Answer::Pass }
    }

    fn answers(&self, model: &Model) -> bool {
        self.opened_by == Action::Detail && model.judging.is_on
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let close = (Action::Close, "close");
        let mut hints =
            if self.answers(model) { judging_hints::answers(model) } else { Vec::new() };
        hints.push(close);
        hints.extend(self.scrolls().then_some((Action::Down, "scroll")));
        hints
    }

    fn scroll(&mut self, by: i32, _model: &Model, ui: &Ui) {
        self.scroll_by(by, ui.size);
    }

    fn asks(&self) -> Asked {
        match self.opened_by {
            Action::Define => Asked::EveryMetric,
            _ => Asked::Nothing,
        }
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, cx, screen, buf);
        None
    }
}

/// Draws the sheet with its picture, if it has one.
fn draw(sheet: &Sheet, cx: Context<'_>, screen: Rect, buf: &mut Buffer) {
    let theme = cx.theme;
    let parts = sheet.parts((screen.width, screen.height));
    let place = sheet.place((screen.width, screen.height));
    let (width, highest) = parts.outer;
    let lines = u16::try_from(sheet.lines.len()).unwrap_or(u16::MAX);
    let height = match place {
        Some(_) => highest,
        None => highest.min(lines.saturating_add(2)),
    };
    let scrolls = ["", "j/k scroll, "][usize::from(sheet.scrolls())];
    let note = &format!("{scrolls}Esc closes");
    let inner = pane::popup(&sheet.title, note, (width, height), cx.ui, screen, buf);
    draw_text(sheet, parts.text, cx, inner, buf);
    draw_offers(sheet, cx, inner, buf);
    if let Some(place) = place {
        picture::show(0, place, cx.ui, buf);
    }
}

/// The actions that are done while it stays open, on the frame below the text: as many as there is room for.
fn draw_offers(sheet: &Sheet, cx: Context<'_>, inner: Rect, buf: &mut Buffer) {
    if !buf.area.contains((inner.x + 1, inner.bottom()).into()) {
        return;
    }
    let room = usize::from(inner.width).saturating_sub(2);
    let mut spans = Vec::new();
    for (action, words) in &sheet.offers {
        let key = cx.ui.keymap.hint(*action);
        let more = [
            Span::styled(format!(" {key}"), cx.theme.key),
            Span::styled(format!(" {words} "), cx.theme.dim),
        ];
        let taken: usize = spans.iter().chain(&more).map(Span::width).sum();
        if !key.is_empty() && taken <= room {
            spans.extend(more);
        }
    }
    buf.set_line(inner.x + 1, inner.bottom(), &Line::from(spans), inner.width);
}

/// The text of a sheet in so many columns and rows: at the right of its picture, or below it.
fn draw_text(sheet: &Sheet, text: (u16, u16), cx: Context<'_>, inner: Rect, buf: &mut Buffer) {
    let theme = cx.theme;
    let lines = sheet.lines.iter().map(|pieces| line(pieces, cx));
    let lines: Vec<Line> = lines.collect();
    let area = Rect {
        x: inner.right().saturating_sub(text.0 + 1),
        y: inner.bottom().saturating_sub(text.1.min(inner.height)),
        width: text.0,
        height: text.1,
    };
    let area = area.intersection(inner);
    pane::lines(&lines, sheet.offset, area, buf);
    let scroll =
        Scroll { offset: sheet.offset, shown: usize::from(area.height), total: lines.len() };
    let beside = Rect { y: area.y, height: area.height, ..inner };
    pane::scrollbar(scroll, true, theme, beside, buf);
}

pub(super) fn line<'a>(pieces: &'a [(Tone, String)], cx: Context<'_>) -> Line<'a> {
    let span = |(tone, text): &'a (Tone, String)| Span::styled(text.as_str(), style(*tone, cx));
    pieces.iter().map(span).collect()
}

fn style(tone: Tone, cx: Context<'_>) -> Style {
    let theme = cx.theme;
    match tone {
        Tone::Phrase(chain, place) => {
            phrased::phrase(theme, (chain, place), cx.ui.pictures.chain())
        }
        Tone::Base => theme.base.into(),
        Tone::Dim => theme.dim.into(),
        Tone::Title => theme.title.into(),
        Tone::Key => theme.key.into(),
        Tone::Match | Tone::Added => theme.found.into(),
        Tone::Warning => theme.warning.into(),
        Tone::Badge(badge) => theme.badge(badge),
    }
}
